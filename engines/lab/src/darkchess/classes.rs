//! `lab darkchess classes`: the numbers of material combinations and of their equivalence classes.

use agon_darkchess::tablebase::classes::structure::structures;
use agon_darkchess_studies::class_count::{MAX_PIECES, MIN_PIECES};
use agon_darkchess_studies::matching::Graph;
use agon_darkchess_studies::matrix::Matrix;
use agon_darkchess_studies::pattern::Pattern;
use agon_darkchess_studies::report::{Row, Run, Shard};
use agon_darkchess_studies::run::{CountMethod, Plan};
use agon_darkchess_studies::{Material, full_class};
use agon_wire::input_file::{self, MAX_TEXT};
use anyhow::{Context, Result, bail, ensure};
use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Published classes per set in percent, with exchangeable colours (Chen, Lin, Chen and Hsu 2015,
/// abstract): hidden pieces or not, minimum and maximum number of pieces, percentage.
const PUBLISHED: [(bool, usize, usize, &str); 4] = [
    (false, 3, 8, "5.82"),
    (false, 3, MAX_PIECES, "28.93"),
    (true, 3, 8, "5.98"),
    (true, 3, MAX_PIECES, "42.52"),
];

/// Maximum number of patterns that `show` lists.
const SHOWN_PATTERNS: usize = 12;

/// Count the equivalence classes of material combinations
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    count: CountArgs,
}

#[derive(Debug, clap::Args)]
struct CountArgs {
    /// Method, may be given several times: `exact` counts without visiting sets, the others visit
    /// each: `matching` and `accelerated` (2015), `pattern` and `pattern-kinds` (the paper),
    /// `canonical` (ours), or `all`
    #[arg(long = "method", value_name = "METHOD", default_value = "exact")]
    methods: Vec<String>,
    /// Numbers of pieces, from 2 to 32 [default: 3-32 for `exact`, 3-8 for the others]
    #[arg(long, value_name = "A-B", value_parser = parse_pieces)]
    pieces: Option<[usize; 2]>,
    /// Sets without hidden pieces, with them, or both [default: both for `exact`]
    #[arg(long, value_enum)]
    sets: Option<Sets>,
    /// A method that takes more seconds for one number of pieces skips the larger ones
    #[arg(long, value_name = "SECONDS", conflicts_with = "shard")]
    limit: Option<f64>,
    /// Count part K of N parts of the classes (K from 1)
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// JSON lines instead of a table
    #[arg(long)]
    json: bool,
    /// Write the JSON lines to a file, created only when complete
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Sets {
    Revealed,
    Hidden,
    Both,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Merge the files of all shards
    Merge {
        /// Files written by `--shard K/N --out FILE`
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// JSON lines instead of a table
        #[arg(long)]
        json: bool,
        /// Write the JSON lines to a file
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Show a combination's matrix, patterns and class, and whether others are of the same class
    Show {
        /// Combinations, such as `KG(k)m`: capitals are red, parentheses mark hidden pieces
        #[arg(required = true)]
        combinations: Vec<Material>,
    },
}

/// Runs `lab darkchess classes ...`.
pub fn run(args: &Args) -> Result<()> {
    match &args.task {
        None => count(&args.count),
        Some(Task::Merge { files, json, out }) => {
            let shards = files.iter().map(|f| read(f)).collect::<Result<_>>()?;
            finish(&Run::merge(shards)?, *json, out.as_deref())
        }
        Some(Task::Show { combinations }) => show(combinations),
    }
}

fn count(args: &CountArgs) -> Result<()> {
    let mut methods = Vec::new();
    for name in &args.methods {
        match CountMethod::all().find(|w| w.name() == name) {
            Some(method) => methods.push(method),
            None if name == "all" => methods.extend(CountMethod::all()),
            None => {
                let known: Vec<&str> = CountMethod::all().map(CountMethod::name).collect();
                bail!("--method `{name}`: expected one of {}, or all", known.join(", "));
            }
        }
    }
    let exact = methods == [CountMethod::Exact];
    let sets = args.sets.unwrap_or(if exact { Sets::Both } else { Sets::Revealed });
    let hidden = match sets {
        Sets::Revealed => vec![false],
        Sets::Hidden => vec![true],
        Sets::Both => vec![false, true],
    };
    let seconds = |s| Duration::try_from_secs_f64(s).context("--limit: expected seconds");
    let plan = Plan {
        methods,
        pieces: args.pieces.unwrap_or([3, if exact { MAX_PIECES } else { 8 }]),
        hidden,
        shard: args.shard,
        limit: args.limit.map(seconds).transpose()?,
    };
    finish(&plan.run(), args.json, args.out.as_deref())
}

/// Checks the consistency of a run, and prints or writes it.
fn finish(run: &Run, json: bool, out: Option<&Path>) -> Result<()> {
    agreement(run)?;
    let text = run.json();
    if let Some(path) = out {
        let aside = PathBuf::from(format!("{}.part", path.display()));
        std::fs::write(&aside, &text).with_context(|| format!("{}", aside.display()))?;
        std::fs::rename(&aside, path).with_context(|| format!("{}", path.display()))?;
    }
    if json {
        stdout().write_all(text.as_bytes())?;
    } else if out.is_none() || run.header.shard.is_none() {
        stdout().write_all(page(run).as_bytes())?;
    }
    Ok(())
}

/// All methods must have visited the same number of sets and found the same number of classes.
fn agreement(run: &Run) -> Result<()> {
    for row in &run.rows {
        let same = |r: &&Row| (r.hidden, r.pieces) == (row.hidden, row.pieces);
        let Some(first) = run.rows.iter().find(same) else { continue };
        let numbers = |r: &Row| [r.sets, r.classes, r.own];
        ensure!(
            numbers(first) == numbers(row),
            "{} and {} disagree about sets of {} pieces: {:?} and {:?} sets, classes and classes \
             that are their own exchange of colours",
            first.method,
            row.method,
            row.pieces,
            numbers(first),
            numbers(row)
        );
    }
    Ok(())
}

fn read(path: &Path) -> Result<Run> {
    let text = input_file::read_stream_text(path, MAX_TEXT);
    let text = text.with_context(|| format!("{}", path.display()))?;
    Run::parse(&text).with_context(|| format!("{}", path.display()))
}

fn parse_shard(text: &str) -> Result<Shard> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((part, of)) if 1 <= part && part <= of => Ok(Shard { part, of }),
        _ => bail!("expected K/N with K from 1 to N, such as 1/4"),
    }
}

fn parse_pieces(text: &str) -> Result<[usize; 2]> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if MIN_PIECES <= least && least <= most && most <= MAX_PIECES => {
            Ok([least, most])
        }
        _ => bail!("expected a number from {MIN_PIECES} to {MAX_PIECES}, or two such as 3-8"),
    }
}

/// The human-readable table.
fn page(run: &Run) -> String {
    let mut out = String::new();
    for method in &run.header.methods {
        for &hidden in &run.header.hidden {
            let rows = run.rows.iter().filter(|r| r.method == *method && r.hidden == hidden);
            table(&mut out, method, hidden, &rows.collect::<Vec<_>>());
        }
        if let Some(time) = run.times.iter().find(|t| t.method == *method) {
            let wall = time.time.microseconds as f64 / 1000.0;
            let cpu = time.time.cpu_ms();
            let _ = writeln!(out, "{method}: {cpu:.1} ms of one core, {wall:.1} ms by the clock\n");
        }
    }
    out
}

fn table(out: &mut String, method: &str, hidden: bool, rows: &[&Row]) {
    let with = if hidden { "with" } else { "without" };
    let _ = writeln!(out, "Sets {with} hidden pieces, by {method}");
    let _ = writeln!(
        out,
        "pieces             sets   colours kept        %   exchangeable        %         ms"
    );
    for row in rows {
        let ms = row.time.map_or("-".into(), |t| format!("{:.1}", t.cpu_ms()));
        line(out, &row.pieces.to_string(), &[row], &ms);
    }
    for (with_hidden, least, most, percent) in PUBLISHED {
        let within: Vec<&Row> =
            rows.iter().filter(|r| (least..=most).contains(&r.pieces)).copied().collect();
        if with_hidden == hidden && within.len() == most - least + 1 {
            let name = if most == MAX_PIECES { "all".into() } else { format!("{least}-{most}") };
            line(out, &name, &within, "");
            let _ = writeln!(out, "       published for {name}, exchangeable: {percent}%");
        }
    }
    let _ = writeln!(out);
}

fn line(out: &mut String, name: &str, rows: &[&Row], ms: &str) {
    let sum = |field: fn(&Row) -> u64| rows.iter().map(|r| field(r)).sum::<u64>();
    let (sets, kept, exchangeable) = (sum(|r| r.sets), sum(|r| r.classes), sum(Row::exchangeable));
    let percent = |n: u64| 100.0 * n as f64 / sets.max(1) as f64;
    let _ = writeln!(
        out,
        "{name:>6} {sets:>16} {kept:>14} {:>8.2} {exchangeable:>14} {:>8.2} {ms:>10}",
        percent(kept),
        percent(exchangeable)
    );
}

fn show(combinations: &[Material]) -> Result<()> {
    let mut out = stdout().lock();
    for (i, material) in combinations.iter().enumerate() {
        let class = full_class(material);
        writeln!(out, "{material}: {} pieces", material.len())?;
        write!(out, "{}", Matrix::new(material))?;
        writeln!(out, "patterns (red and black sums, then the matrix; one an order of ties)")?;
        let patterns = if material.len() <= 12 { Pattern::all(material) } else { Vec::new() };
        for pattern in patterns.iter().take(SHOWN_PATTERNS) {
            writeln!(out, "  {pattern}")?;
        }
        if patterns.is_empty() {
            writeln!(out, "  not listed for more than 12 pieces")?;
        } else if patterns.len() > SHOWN_PATTERNS {
            writeln!(out, "  and {} more", patterns.len() - SHOWN_PATTERNS)?;
        }
        let structure = structures().get(class.structure);
        let [red, black] = structure.blocks();
        let sizes = |blocks: std::ops::Range<usize>| {
            let texts = blocks.map(|b| {
                let [all, hidden] = class.sizes.map(|s| s[b]);
                let cannon = if structure.is_cannon(b) { "c" } else { "" };
                if hidden > 0 {
                    format!("{all}({hidden}){cannon}")
                } else {
                    format!("{all}{cannon}")
                }
            });
            texts.collect::<Vec<_>>().join(" ")
        };
        writeln!(
            out,
            "class: structure {}, red blocks of {}, black blocks of {} pieces (hidden ones)",
            class.structure,
            sizes(0..red),
            sizes(red..red + black)
        )?;
        if i > 0 {
            let first = &combinations[0];
            let same = full_class(first) == class;
            let exchanged = full_class(&first.exchanged()) == class;
            let matching = Graph::new(first).mapping() == Graph::new(material).mapping();
            writeln!(
                out,
                "{first} and {material}: {}",
                match (same, exchanged) {
                    (true, _) => "equivalent",
                    (false, true) => "equivalent once the colours are exchanged",
                    _ if matching => "not equivalent, though their pieces map one by one",
                    _ => "not equivalent",
                }
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}
