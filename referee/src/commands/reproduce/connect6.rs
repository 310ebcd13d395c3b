//! `referee reproduce connect6`.

use super::engine_program;
use agon_referee::reproduce::connect6::{
    Answer, Findings, NAME, PROBLEMS, PROBLEMS_FILE, Problem, QUICK_PART, Row, SEARCHES, Search,
    problems, report, rows,
};
use anyhow::{Context, Result, anyhow, bail};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// No search of the quick run is begun after so many seconds.
const QUICK_SECONDS: u64 = 270;

/// Dependency-based search in Connect6 (Kang 2012): tables 3 to 5, figures 42 to 44, overhead, and
/// the positions lost and gained
#[derive(clap::Args)]
pub struct Connect6Args {
    /// At most five minutes on two cores: a fixed third of the problem set
    #[arg(long)]
    quick: bool,
    /// Another problem set; default: openings/connect6/problems, which the program carries
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
    /// Keep every answer in this file; the same command with the same file goes on where it ended
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// Searches at a time; default: as many as there are cores
    #[arg(short = 'j', long = "concurrency", value_name = "N")]
    concurrency: Option<usize>,
    /// The folder of the engine program; default: the referee's own
    #[arg(long, value_name = "DIR")]
    engine_dir: Option<PathBuf>,
    /// Write the report as a self-contained page too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Solves every position by every search, and reports.
pub fn run(args: &Connect6Args) -> Result<ExitCode> {
    let program = engine_program(args.engine_dir.as_deref(), NAME)?;
    let (text, name) = match &args.problems {
        None => (PROBLEMS.to_string(), PROBLEMS_FILE.to_string()),
        Some(path) => {
            let name = path.display().to_string();
            (std::fs::read_to_string(path).with_context(|| name.clone())?, name)
        }
    };
    let set = problems(&text, &name)?;
    let all = set.len();
    let quick = |p: &Problem| !args.quick || p.number % QUICK_PART == 1;
    let wanted: Vec<Problem> = set.into_iter().filter(quick).collect();
    if wanted.is_empty() {
        bail!("{name} has no problem that this run asks for");
    }
    let until = args.quick.then(|| Instant::now() + Duration::from_secs(QUICK_SECONDS));
    let answers = solve_all(args, &program, &wanted, until)?;
    let findings = Findings::new(&wanted, all, answers);
    if findings.numbers().next().is_none() {
        bail!("no position was finished by all searches");
    }
    let report = report(&findings, &command(args));
    std::io::stdout().write_all(report.text().as_bytes()).context("standard output")?;
    if let Some(path) = &args.out {
        std::fs::write(path, report.html()).with_context(|| format!("{}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn command(args: &Connect6Args) -> String {
    let mut command = "referee reproduce connect6".to_string();
    if args.quick {
        command += " --quick";
    }
    if let Some(path) = &args.problems {
        command += &format!(" --problems {}", path.display());
    }
    command
}

/// What the threads share.
struct Work<'a> {
    program: &'a Path,
    /// Positions not yet begun, the last one first.
    waiting: Vec<&'a Problem>,
    done: BTreeSet<(usize, String)>,
    rows: Vec<Row>,
    file: Option<File>,
    finished: usize,
    failed: Option<anyhow::Error>,
}

fn solve_all(
    args: &Connect6Args,
    program: &Path,
    wanted: &[Problem],
    until: Option<Instant>,
) -> Result<Vec<Row>> {
    let (old, file) = match &args.rows {
        None => (Vec::new(), None),
        Some(path) => {
            let name = path.display().to_string();
            let text = if path.exists() {
                std::fs::read_to_string(path).with_context(|| name.clone())?
            } else {
                String::new()
            };
            let file = OpenOptions::new().create(true).append(true).open(path);
            (rows(&text, &name)?, Some(file.with_context(|| name.clone())?))
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.concurrency.unwrap_or(cores).max(1);
    eprintln!(
        "{} positions, {} searches each, {threads} at a time{}",
        wanted.len(),
        SEARCHES.len(),
        if until.is_some() { ": five minutes at most" } else { "" }
    );
    let work = Mutex::new(Work {
        program,
        waiting: wanted.iter().rev().collect(),
        done: old.iter().map(|r| (r.number, r.search.clone())).collect(),
        rows: old,
        file,
        finished: 0,
        failed: None,
    });
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| worker(&work, wanted.len(), until));
        }
    });
    let work = work.into_inner().map_err(|_| anyhow!("a thread ended badly"))?;
    work.failed.map_or(Ok(work.rows), Err)
}

/// Takes positions until there are none, the time is over, or something failed.
fn worker(work: &Mutex<Work<'_>>, all: usize, until: Option<Instant>) {
    let in_time = || until.is_none_or(|until| Instant::now() < until);
    while in_time() {
        let Ok(mut guard) = work.lock() else { return };
        let Some(problem) = guard.waiting.pop() else { return };
        let program = guard.program;
        let todo: Vec<Search> = SEARCHES
            .into_iter()
            .filter(|s| !guard.done.contains(&(problem.number, s.name.to_string())))
            .collect();
        drop(guard);
        for search in todo {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let answer = answer(program, problem, search, left);
            let Ok(mut guard) = work.lock() else { return };
            let kept = answer.and_then(|answer| {
                answer.map_or(Ok(false), |a| guard.keep(problem.number, search, a).map(|()| true))
            });
            match kept {
                Ok(true) => {}
                // The time is over.
                Ok(false) => return,
                Err(error) => {
                    guard.failed = guard.failed.take().or(Some(error));
                    guard.waiting.clear();
                    return;
                }
            }
        }
        let Ok(mut guard) = work.lock() else { return };
        guard.finished += 1;
        let finished = guard.finished;
        drop(guard);
        if std::io::stderr().is_terminal() {
            eprint!("\r{finished} of {all} positions ");
            if finished == all {
                eprintln!();
            }
        }
    }
}

impl Work<'_> {
    fn keep(&mut self, number: usize, search: Search, answer: Answer) -> Result<()> {
        let row = Row { number, search: search.name.into(), answer };
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", serde_json::to_string(&row)?).context("--rows")?;
        }
        self.rows.push(row);
        Ok(())
    }
}

/// How often a search is asked whether it has ended, when it may take only so long.
const POLL: Duration = Duration::from_millis(2);

/// What one search says; `None` if it did not end in time.
fn answer(
    program: &Path,
    problem: &Problem,
    search: Search,
    left: Option<Duration>,
) -> Result<Option<Answer>> {
    let mut command = Command::new(program);
    command.args(["solve", "--json"]).args(search.arguments).arg(&problem.position);
    let says = || format!("{} on problem {}", search.name, problem.number);
    let mut child = command
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .with_context(|| format!("running {}", program.display()))?;
    // A line of JSON fits into the pipe: the program need not be read from while it runs.
    let end = left.map(|left| Instant::now() + left + Duration::from_secs(10));
    while child.try_wait().with_context(says)?.is_none() {
        if end.is_some_and(|end| Instant::now() >= end) {
            child.kill().with_context(says)?;
            child.wait().with_context(says)?;
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
    let output = child.wait_with_output().with_context(says)?;
    let text = String::from_utf8_lossy(&output.stdout);
    // A refuted claim makes the program fail, but it is an answer all the same.
    let line = text.lines().next().filter(|l| !l.trim().is_empty());
    let Some(line) = line else {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}", says(), said.trim());
    };
    let answer = serde_json::from_str(line).with_context(|| format!("{}: `{line}`", says()))?;
    Ok(Some(answer))
}
