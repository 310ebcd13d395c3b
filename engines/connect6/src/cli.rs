//! The program's own subcommands: solving, reading games, making problems.

mod openings;
mod problems;
mod tune;

pub use openings::OpeningsArgs;
pub use problems::{Games, Problems};
pub use tune::Tune;

use agon_connect6::solver::blame::{Blame, blame};
use agon_connect6::solver::{Dependency, Limits, Settings, Solution, Verdict, search, solve};
use agon_protocol::connect6::sgf::{self, Form};
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::game::Game;
use agon_protocol::record::Record;
use anyhow::{Context, Result, bail};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use std::io::{Read, Write, stdin, stdout};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What the program does besides playing.
#[derive(Debug, clap::Subcommand)]
pub enum Extra {
    /// Find a win by continuous threats for the side to move, proved and verified
    Solve(SolveArgs),
    /// Make a problem set out of self-play games, and check it: JSON lines
    #[command(subcommand)]
    Problems(Problems),
    /// Print games of the engine against itself in several strengths and styles
    Games(Games),
    /// Draw openings by lot and print those that the engine against itself wins with either colour
    Openings(OpeningsArgs),
    /// Tune the evaluation's weights by matches against itself (SPSA), and print them
    Tune(Tune),
    /// Read a game as SGF and print it: as protocol tokens, or as SGF in another form
    Sgf {
        /// A file; default: standard input
        file: Option<PathBuf>,
        /// Write SGF with a turn a node, as on Little Golem
        #[arg(long)]
        golem: bool,
        /// Write SGF with a stone a node
        #[arg(long, conflicts_with = "golem")]
        single: bool,
    },
}

/// The solver's switches.
#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    /// Positions: `startpos moves ...`, `fen F`, or a FEN; default: one a line on standard input
    position: Vec<String>,
    /// JSON lines
    #[arg(long)]
    json: bool,
    /// Where the plain search wins by double threats and this one does not: which turn was left out
    #[arg(long)]
    blame: bool,
    /// Print the proof tree
    #[arg(long)]
    proof: bool,
    /// The plain search: no dependency-based pruning
    #[arg(long)]
    plain: bool,
    /// Parts left out
    #[arg(long, value_name = "PART", value_enum)]
    without: Vec<Part>,
    /// Double threats only (VCDT)
    #[arg(long)]
    vcdt: bool,
    /// Turns without a threat too (VCNT)
    #[arg(long)]
    vcnt: bool,
    /// No limit on the stones of an iteration
    #[arg(long)]
    unlimited: bool,
    /// Attacking turns on a path
    #[arg(long, default_value_t = 20)]
    depth: u32,
    /// Stones placed in an iteration after which no other is begun
    #[arg(long, default_value_t = 130_000)]
    iteration: u64,
    /// Stones placed in all
    #[arg(long, default_value_t = 7_200_000)]
    total: u64,
    /// Conservative defences split on a path
    #[arg(long, default_value_t = 1)]
    splits: u32,
    /// Single threats on a path
    #[arg(long, default_value_t = 1)]
    single_threats: u32,
}

/// What can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// The transposition table
    Table,
    /// The conservative defence: every defence is searched alone
    Conservative,
    /// Splitting of conservative defences
    Split,
    /// The extension after an inversion
    Extension,
    /// Combination
    Combination,
    /// Post-block inversions
    PostBlock,
    /// Pre-block inversions
    PreBlock,
    /// The rule on senseless pairs of single threats
    Pairs,
    /// The selection in the last turn of the depth
    Horizon,
}

impl SolveArgs {
    fn limits(&self) -> Limits {
        Limits { depth: self.depth, iteration: self.iteration, total: self.total }
    }

    fn settings(&self) -> Settings {
        let has = |part| !self.without.contains(&part);
        let limits = if self.unlimited {
            Limits { depth: self.depth, iteration: u64::MAX, ..self.limits() }
        } else {
            self.limits()
        };
        let dependency = Dependency {
            combination: has(Part::Combination),
            post_block: has(Part::PostBlock),
            pre_block: has(Part::PreBlock),
            pairs: has(Part::Pairs),
            horizon: has(Part::Horizon),
        };
        Settings {
            limits,
            dependency: (!self.plain).then_some(dependency),
            table: has(Part::Table),
            conservative: has(Part::Conservative),
            splits: if has(Part::Split) { self.splits } else { 0 },
            extension: has(Part::Extension),
            single_threats: if self.vcdt { 0 } else { self.single_threats },
            quiet_moves: self.vcnt,
            ..Settings::default()
        }
    }
}

/// Runs a subcommand.
pub fn run(extra: Extra, rules: &Connect6Rules) -> Result<()> {
    match extra {
        Extra::Solve(args) => solve_all(&args, rules),
        Extra::Problems(args) => args.run(rules),
        Extra::Games(args) => args.run(rules),
        Extra::Openings(args) => args.run(rules),
        Extra::Tune(args) => args.run(rules),
        Extra::Sgf { file, golem, single } => {
            let mut text = String::new();
            match &file {
                Some(path) => {
                    text = std::fs::read_to_string(path)
                        .with_context(|| path.display().to_string())?;
                }
                None => _ = stdin().read_to_string(&mut text).context("standard input")?,
            }
            let (header, record) = sgf::read(&text)?;
            let mut out = stdout().lock();
            if golem || single {
                let form = if golem { Form::LittleGolem } else { Form::StoneANode };
                write!(out, "{}", sgf::write(&header, &record, form)?)?;
            } else {
                writeln!(out, "startpos moves {}", record.tokens().join(" "))?;
            }
            Ok(())
        }
    }
}

/// Reads a position as after the word `position` of the protocol, or a bare FEN.
fn read_position(text: &str, rules: &Connect6Rules) -> Result<Connect6> {
    let (place, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let place = place.trim();
    let place = place.strip_prefix("fen ").unwrap_or(place);
    let fen = (place != "startpos").then_some(place);
    let tokens: Vec<&str> = moves.split_whitespace().collect();
    let record = Record::<Connect6>::from_text(fen, &tokens, rules)?;
    Ok(record.current().clone())
}

fn solve_all(args: &SolveArgs, rules: &Connect6Rules) -> Result<()> {
    let mut refuted = 0;
    if args.position.is_empty() {
        for line in stdin().lines() {
            let line = line.context("standard input")?;
            if !line.trim().is_empty() {
                refuted += solve_one(args, line.trim(), rules)?;
            }
        }
    } else {
        let whole = args.position.join(" ");
        refuted += solve_one(args, whole.trim(), rules)?;
    }
    if refuted > 0 {
        bail!("the verifier refuted {refuted} claimed wins");
    }
    Ok(())
}

/// Solves and prints; returns the number of refuted claims.
fn solve_one(args: &SolveArgs, text: &str, rules: &Connect6Rules) -> Result<usize> {
    let game = read_position(text, rules).with_context(|| format!("position `{text}`"))?;
    let (clock, processor) = (Instant::now(), thread_time());
    let claim = search(&game, args.settings(), &|| false);
    let searched = thread_time();
    let solution = claim.verified();
    let seconds = clock.elapsed().as_secs_f64();
    let cpu_seconds = searched.saturating_sub(processor).as_secs_f64();
    let verify_seconds = thread_time().saturating_sub(searched).as_secs_f64();
    let lost = if args.blame { why_lost(&game, args.settings(), &solution) } else { None };
    let mut out = stdout().lock();
    if args.json {
        let mut row = row(&game, &solution, args.proof);
        row["seconds"] = json!(seconds);
        // Processor time of the search alone, and of the verifier.
        row["cpu_seconds"] = json!(cpu_seconds);
        row["verify_seconds"] = json!(verify_seconds);
        if args.blame {
            row["lost_by"] = json!(lost.as_ref().map(|l| l.rule.name()));
            row["lost_turn"] = json!(lost.as_ref().map(|l| l.to_string()));
        }
        writeln!(out, "{row}")?;
    } else {
        let c = solution.counters;
        let (result, moves) = words(&solution);
        writeln!(
            out,
            "{result}{moves}; depth {}, {} moves, {} stones, {seconds:.3} s",
            solution.depth, c.moves, c.stones
        )?;
        if let Some(lost) = lost {
            writeln!(out, "lost by {lost}")?;
        }
        if let (true, Some(proof)) = (args.proof, solution.verdict.proof()) {
            writeln!(out, "{proof}")?;
        }
    }
    Ok(usize::from(matches!(solution.verdict, Verdict::Refuted(_))))
}

/// Processor time of this thread.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let part = |n: i64| u64::try_from(n).unwrap_or(0);
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

/// Which turn of a plain win was left out, where there is one that this search has not found.
fn why_lost(game: &Connect6, settings: Settings, solution: &Solution) -> Option<Blame> {
    if solution.verdict.proof().is_some() {
        return None;
    }
    let plain = Settings { dependency: None, single_threats: 0, quiet_moves: false, ..settings };
    let win = solve(game, plain, &|| false).verdict;
    Some(blame(game, settings, win.proof()?))
}

/// The verdict in a word, and the winning turn.
fn words(solution: &Solution) -> (String, String) {
    match &solution.verdict {
        Verdict::Win { kind, proof } => {
            let turn = proof.turn().map(|t| t.to_string()).unwrap_or_default();
            let length = proof.depth();
            (kind.name().into(), format!(" {turn}, {length} turns"))
        }
        Verdict::NoWin => ("none".into(), String::new()),
        Verdict::Unknown => ("unknown".into(), String::new()),
        Verdict::Refuted(why) => ("refuted".into(), format!(" {why}")),
    }
}

fn row(game: &Connect6, solution: &Solution, with_proof: bool) -> serde_json::Value {
    let (result, _) = words(solution);
    let c = solution.counters;
    let proof = solution.verdict.proof();
    let mut row = json!({
        "fen": game.fen(),
        "result": result,
        "win": proof.and_then(|p| p.turn()).map(|t| t.to_string()),
        "turns": proof.map(|p| p.depth()),
        "depth": solution.depth,
        "moves": c.moves,
        "stones": c.stones,
        "iterations": c.iterations,
        "splits": c.splits,
        "pruned": c.pruned,
    });
    if with_proof {
        row["proof"] = json!(proof.map(|p| p.to_string()));
    }
    row
}
