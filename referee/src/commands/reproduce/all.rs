//! `referee reproduce all`: runs the reproductions of all papers, or resumes them.

use super::flags::{AmazonsArgs, Connect6Args, DarkchessArgs, EinsteinArgs, XiangqiArgs};
use agon_claims::all::{Reproduction, Survey, html, is_summary, markdown};
use agon_claims::report::PaperReport;
use agon_engine::interrupted;
use agon_matches::machine::this_machine;
use agon_papers::conduct::reproduced;
use agon_papers::engine::{LAB, find_program, finished, print_step};
use agon_papers::publish::{check_page, write_page};
use agon_papers::{amazons, connect6, darkchess, einstein, xiangqi};
use agon_wire::input_file::{self, MAX_TEXT};
use agon_wire::version;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Seconds of a quick run for the papers that take long.
const QUICK_SECONDS: f64 = 720.0;

/// Minimum hours of a run that plays EinStein at the paper's budget.
const BUDGET_HOURS: f64 = 6.0;

/// All papers: each claim beside our figures, on one page and as a summary
#[derive(clap::Args)]
pub struct Args {
    /// Run for about 12 minutes on two cores: Amazons and EinStein by their quick runs (the default)
    #[arg(long, conflicts_with = "full", help_heading = "Scale")]
    quick: bool,
    /// Run the papers' own numbers of games: weeks of processor time; see --hours
    #[arg(long, help_heading = "Scale")]
    full: bool,
    /// Start nothing new after this many hours; the papers share the time, and the same command
    /// resumes. With --full and 6 hours or more, EinStein is also played at the paper's budget
    #[arg(long, value_name = "HOURS", value_parser = hours, help_heading = "Scale")]
    hours: Option<f64>,
    /// Folder of logs and pages; run the same command with the same folder to resume. Default:
    /// reproductions-quick or reproductions-full
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    folder: Option<PathBuf>,
    /// Also write the summary, in Markdown, to this file. Of an older summary there, the sections of
    /// papers that are not run stay
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,
    /// Only these papers, in this order; repeatable
    #[arg(long, value_enum, value_name = "PAPER", help_heading = "Scale")]
    only: Vec<Paper>,
    /// Number of concurrent games or searches; default: the number of cores
    #[arg(short = 'j', long = "concurrency", value_name = "N", help_heading = "Machine")]
    concurrency: Option<usize>,
    /// Do not run Spark
    #[arg(long, help_heading = "Scale")]
    no_spark: bool,
    /// The folder of the engine programs and of `lab`; default: the referee's folder
    #[arg(long, value_name = "DIR", help_heading = "Engines")]
    engine_dir: Option<PathBuf>,
}

impl Args {
    fn scale(&self) -> &'static str {
        if self.full { "full" } else { "quick" }
    }

    /// The papers to run. The paper's budget in EinStein takes minutes per game, so a short run
    /// leaves it out.
    fn papers(&self) -> Vec<Paper> {
        let long = self.full && self.hours.is_none_or(|h| h >= BUDGET_HOURS);
        let kept = |p: &Paper| long || *p != Paper::EinsteinBudget;
        match self.only.is_empty() {
            true => Paper::ALL.into_iter().filter(kept).collect(),
            false => self.only.clone(),
        }
    }
}

fn hours(text: &str) -> Result<f64, String> {
    let hours: Option<f64> = text.parse().ok().filter(|&h| h > 0.0 && h <= 10_000.0);
    hours.ok_or_else(|| "expected a number of hours above 0, such as 8 or 0.5".into())
}

/// A paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Paper {
    Xiangqi,
    Darkchess,
    Connect6,
    EinsteinBudget,
    Einstein,
    Amazons,
}

impl Paper {
    /// Those that take a minute first.
    const ALL: [Paper; 6] = [
        Paper::Xiangqi,
        Paper::Darkchess,
        Paper::Connect6,
        Paper::EinsteinBudget,
        Paper::Einstein,
        Paper::Amazons,
    ];

    fn name(self) -> &'static str {
        match self {
            Paper::Xiangqi => xiangqi::NAME,
            Paper::Darkchess => darkchess::NAME,
            Paper::Connect6 => connect6::NAME,
            Paper::Einstein | Paper::EinsteinBudget => einstein::NAME,
            Paper::Amazons => amazons::NAME,
        }
    }

    /// The program that its figures are from: an engine, or the studies'.
    fn program(self) -> &'static str {
        match self {
            Paper::Xiangqi | Paper::Darkchess => LAB,
            _ => self.name(),
        }
    }

    /// The file name of its own page.
    fn page(self) -> String {
        match self {
            Paper::EinsteinBudget => "einstein-paper-budget.html".into(),
            _ => format!("{}.html", self.name()),
        }
    }

    /// Its share of the time; 0: it takes as long as it takes. The quick run of Amazons is short.
    fn weight(self, full: bool) -> f64 {
        match self {
            Paper::Xiangqi | Paper::Darkchess => 0.0,
            Paper::Connect6 => 2.0,
            Paper::Einstein | Paper::EinsteinBudget => 3.0,
            Paper::Amazons if full => 5.0,
            Paper::Amazons => 1.0,
        }
    }

    /// Date, commit, the run of all papers, how much was run, and the machine.
    fn facts(self, args: &Args, run: &str, report: Option<&PaperReport>) -> Vec<(String, String)> {
        let commit = commit(self.program(), args.engine_dir.as_deref());
        let facts = [
            ("date", Some(now())),
            ("commit", Some(commit)),
            ("run", Some(run.into())),
            ("scale", report.map(PaperReport::scale)),
            ("machine", Some(this_machine().to_string())),
        ];
        facts.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
    }

    /// The arguments of `referee reproduce NAME`; files are in `folder`.
    fn arguments(self, args: &Args, folder: &Path) -> Vec<String> {
        let file =
            |ending: &str| folder.join(format!("{}{ending}", self.name())).display().to_string();
        let mut words: Vec<String> = Vec::new();
        let mut add = |flag: &str, value: Option<String>| {
            words.push(flag.into());
            words.extend(value);
        };
        match self {
            Paper::Xiangqi => {}
            Paper::Darkchess if args.no_spark => add("--no-spark", None),
            Paper::Darkchess => {}
            Paper::Connect6 => add("--rows", Some(file(".rows.jsonl"))),
            Paper::EinsteinBudget => {
                add("--paper-budget", None);
                add("--log", Some(file(".paper-budget.jsonl")));
            }
            Paper::Einstein | Paper::Amazons => {
                add(if args.full { "--full" } else { "--quick" }, None);
                add("--log", Some(file(".jsonl")));
            }
        }
        if let Some(n) = args.concurrency.filter(|_| self.weight(args.full) > 0.0) {
            add("-j", Some(n.to_string()));
        }
        if let Some(dir) = &args.engine_dir {
            add("--engine-dir", Some(dir.display().to_string()));
        }
        add("--out", Some(folder.join(self.page()).display().to_string()));
        words
    }

    /// Runs or resumes it with these arguments until the time is up.
    fn reproduce(
        self,
        words: &[String],
        page: &Path,
        until: Option<Instant>,
    ) -> Result<PaperReport> {
        let command = command(self, words);
        let alone = |report: PaperReport| -> Result<PaperReport> {
            let report = PaperReport { command: command.clone(), ..report };
            write_page(page, &report.html())?;
            Ok(report)
        };
        match self {
            Paper::Xiangqi => {
                let args: XiangqiArgs = parse(words)?;
                alone(xiangqi::reproduce(&args.files.files())?)
            }
            Paper::Darkchess => {
                let args: DarkchessArgs = parse(words)?;
                alone(darkchess::run::reproduce(&args.arguments())?)
            }
            Paper::Connect6 => {
                let args: Connect6Args = parse(words)?;
                alone(connect6::run::reproduce(&args.arguments(), until)?)
            }
            Paper::EinsteinBudget => {
                let args: EinsteinArgs = parse(words)?;
                let played = einstein::run::play_budget(&args.arguments()?, until)?;
                reproduced(&played, einstein::budget_report, page, &command)
            }
            Paper::Einstein => {
                let args: EinsteinArgs = parse(words)?;
                let played = einstein::run::play(&args.arguments()?, until)?;
                reproduced(&played, einstein::report, page, &command)
            }
            Paper::Amazons => {
                let args: AmazonsArgs = parse(words)?;
                let played = amazons::run::play(&args.arguments()?, until, false)?;
                reproduced(&played, amazons::report, page, &command)
            }
        }
    }
}

/// Parses the arguments of one reproduction as its own command does.
fn parse<A: clap::Args>(words: &[String]) -> Result<A> {
    let command = A::augment_args(clap::Command::new("reproduce").no_binary_name(true));
    Ok(A::from_arg_matches(&command.try_get_matches_from(words)?)?)
}

fn command(paper: Paper, words: &[String]) -> String {
    let words = words.iter().map(String::as_str);
    shell_words::join(["referee", "reproduce", paper.name()].into_iter().chain(words))
}

/// Runs the papers one after the other. The page and the summary are written after each.
pub fn run(args: &Args) -> Result<ExitCode> {
    let default = || format!("reproductions-{}", args.scale()).into();
    let folder: PathBuf = args.folder.clone().unwrap_or_else(default);
    let older = args.summary.as_deref().map_or(Ok(String::new()), older_summary)?;
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let papers = args.papers();
    let seconds = args.hours.map(|h| 3600.0 * h).or((!args.full).then_some(QUICK_SECONDS));
    let end = seconds.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let mut survey = Survey { command: own_command(args), ..Survey::default() };
    let begun = format!("{}, begun {}", survey.command, now());
    let page = folder.join("index.html");
    for (i, &paper) in papers.iter().enumerate() {
        let words = paper.arguments(args, &folder);
        let command = command(paper, &words);
        print_step(format_args!("{command}"));
        let until = end.map(|end| deadline(&papers[i..], args.full, end));
        let file = paper.page();
        let report = paper.reproduce(&words, &folder.join(&file), until);
        let report = report.map_err(|e| format!("{e:#}"));
        if let Err(why) = &report {
            eprintln!("referee: {}: {why}", paper.name());
        }
        let (name, facts) = (paper.name(), paper.facts(args, &begun, report.as_ref().ok()));
        // The section of EinStein has the claims of its games at the paper's budget: they count once.
        let follows = paper == Paper::EinsteinBudget && papers.contains(&Paper::Einstein);
        if !follows || report.is_err() {
            survey.reproductions.push(Reproduction { name, command, report, page: file, facts });
        }
        write_page(&page, &html(&survey))?;
        if let Some(path) = &args.summary {
            write_page(path, &markdown(&survey, &older))?;
        }
        if interrupted() {
            eprintln!(
                "referee: interrupted; finished work is saved, and the same command resumes it"
            );
            return Ok(ExitCode::from(130));
        }
    }
    println!("{}", markdown(&survey, &older));
    println!("page: {}", page.display());
    if survey.reproductions.iter().any(|p| p.report.is_err()) {
        bail!("some reproductions failed; the same command runs them again and resumes the others");
    }
    Ok(ExitCode::SUCCESS)
}

/// The text of the summary that is renewed; empty if there is none yet.
fn older_summary(path: &Path) -> Result<String> {
    check_page(path, None)?;
    if !path.exists() {
        return Ok(String::new());
    }
    let text = input_file::read_text(path, MAX_TEXT).with_context(|| path.display().to_string())?;
    if !is_summary(&text) {
        bail!("{}: not a summary of the papers; name another file with --summary", path.display());
    }
    Ok(text)
}

/// When the first of these papers has to leave the rest of the time to the others.
fn deadline(papers: &[Paper], full: bool, end: Instant) -> Instant {
    let now = Instant::now();
    let all: f64 = papers.iter().map(|p| p.weight(full)).sum();
    let own = papers.first().map_or(0.0, |p| p.weight(full));
    let left = end.saturating_duration_since(now);
    if all > 0.0 { now + left.mul_f64(own / all) } else { end }
}

fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string()
}

fn own_command(args: &Args) -> String {
    let mut words = vec!["referee".to_string(), "reproduce".into(), "all".into()];
    words.push(format!("--{}", args.scale()));
    words.extend(args.hours.iter().flat_map(|h| ["--hours".into(), h.to_string()]));
    words.extend(args.concurrency.iter().flat_map(|n| ["-j".into(), n.to_string()]));
    words.extend(args.no_spark.then(|| "--no-spark".to_string()));
    let values = args.only.iter().filter_map(|paper| paper.to_possible_value());
    words.extend(values.flat_map(|v| ["--only".to_string(), v.get_name().into()]));
    shell_words::join(words)
}

/// The commits that the referee and a paper's program were built from: one if they are equal.
fn commit(program: &str, folder: Option<&Path>) -> String {
    let own = version::commit();
    match program_commit(program, folder) {
        Ok(other) if other != own => format!("{own} (referee), {other} ({program})"),
        // Without the program the reproduction fails and says so.
        _ => own.into(),
    }
}

/// The commit in a program's `--version`.
fn program_commit(program: &str, folder: Option<&Path>) -> Result<String> {
    let output = finished(Command::new(find_program(folder, program)?).arg("--version"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let commit = text.lines().find_map(|line| line.strip_prefix("commit: "));
    Ok(commit.context("its --version names no commit")?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn args(words: &[&str]) -> Args {
        Line::parse_from(std::iter::once(&"all").chain(words)).args
    }

    #[test]
    fn every_paper_takes_the_arguments_that_it_is_given() {
        for words in [&["--quick", "--no-spark"][..], &["--full", "-j", "3", "--engine-dir", "/x"]]
        {
            let args = args(words);
            for paper in Paper::ALL {
                let words = paper.arguments(&args, Path::new("f"));
                let parsed = match paper {
                    Paper::Xiangqi => parse::<XiangqiArgs>(&words).map(drop),
                    Paper::Darkchess => parse::<DarkchessArgs>(&words).map(drop),
                    Paper::Connect6 => parse::<Connect6Args>(&words).map(drop),
                    Paper::Einstein | Paper::EinsteinBudget => {
                        parse::<EinsteinArgs>(&words).map(drop)
                    }
                    Paper::Amazons => parse::<AmazonsArgs>(&words).map(drop),
                };
                assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn the_last_paper_gets_all_of_the_remaining_time() {
        let end = Instant::now() + Duration::from_secs(1000);
        assert!(deadline(&[Paper::Amazons], true, end) > end - Duration::from_secs(1));
        let rest = [Paper::Connect6, Paper::Einstein, Paper::Amazons];
        let first = |full| deadline(&rest, full, end).saturating_duration_since(Instant::now());
        assert!((150.0..=200.0).contains(&first(true).as_secs_f64()), "{:?}", first(true));
        assert!((300.0..=334.0).contains(&first(false).as_secs_f64()), "{:?}", first(false));
    }

    #[test]
    fn a_short_run_leaves_out_what_takes_minutes_per_game() {
        let with_budget = |words: &[&str]| args(words).papers().contains(&Paper::EinsteinBudget);
        assert!(with_budget(&["--full"]) && with_budget(&["--full", "--hours", "8"]));
        assert!(!with_budget(&["--full", "--hours", "2"]) && !with_budget(&["--quick"]));
        assert!(with_budget(&["--only", "einstein-budget"]));
    }

    #[test]
    fn hours_are_a_positive_number() {
        assert_eq!(hours("0.5"), Ok(0.5));
        for text in ["0", "-1", "x", "NaN", "inf", ""] {
            assert!(hours(text).is_err(), "{text}");
        }
    }
}
