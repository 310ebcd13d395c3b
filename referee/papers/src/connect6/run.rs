//! `referee reproduce connect6`: solves the problem set and reports on it.

use super::limits::{LimitSearch, limit_search};
use super::{
    NAME, PROBLEMS, PROBLEMS_FILE, SEARCHES, SearchCall, SearchResult, SolveLine, SolvedProblems,
    ThesisProblem, problems, report, rows,
};
use crate::engine::{find_program, print_step};
use crate::publish::ReportFiles;
use agon_claims::report::PaperReport;
use agon_engine::hash::hash_file;
use agon_engine::interrupted;
use agon_wire::input_file::{self, MAX_TEXT};
use anyhow::{Context, Result, anyhow, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A run of the experiment.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The problem set; `None`: the embedded one.
    pub problems: Option<PathBuf>,
    /// The file that keeps every result.
    pub rows: Option<PathBuf>,
    /// Number of concurrent searches.
    pub concurrency: usize,
    /// Engine and page.
    pub files: ReportFiles,
}

/// Solves every position with every search, and prints the report.
pub fn run(args: &Arguments) -> Result<ExitCode> {
    args.files.report(|| {
        let report = reproduce(args, None)?;
        if interrupted() {
            bail!("interrupted; with --rows FILE the same command resumes");
        }
        Ok(report)
    })
}

/// Solves the positions whose rows are not yet in the file, and reports on all.
pub fn reproduce(args: &Arguments, until: Option<Instant>) -> Result<PaperReport> {
    let program = find_program(args.files.engine_dir.as_deref(), NAME)?;
    let (text, name) = match &args.problems {
        None => (PROBLEMS.to_string(), PROBLEMS_FILE.to_string()),
        Some(path) => {
            let name = path.display().to_string();
            (input_file::read_stream_text(path, MAX_TEXT).with_context(|| name.clone())?, name)
        }
    };
    let wanted = problems(&text, &name)?;
    if wanted.is_empty() {
        bail!("{name} has no problems");
    }
    let answers = solve_all(args, &program, &wanted, until)?;
    let findings = SolvedProblems::new(&wanted, answers);
    if findings.numbers().next().is_none() {
        bail!("no position was finished by all searches");
    }
    Ok(report(&findings, &command(args)))
}

fn command(args: &Arguments) -> String {
    let mut command = "referee reproduce connect6".to_string();
    if let Some(path) = &args.problems {
        command += &format!(" --problems {}", path.display());
    }
    command
}

/// State shared by the threads.
struct Work<'a> {
    program: &'a Path,
    /// The program's SHA-256.
    hash: String,
    /// Positions still to be solved, last one first.
    waiting: Vec<&'a ThesisProblem>,
    done: BTreeSet<(usize, String)>,
    rows: Vec<SearchResult>,
    file: Option<File>,
    finished: usize,
    failed: Option<anyhow::Error>,
}

fn solve_all(
    args: &Arguments,
    program: &Path,
    wanted: &[ThesisProblem],
    until: Option<Instant>,
) -> Result<Vec<SearchResult>> {
    let hash = hash_file(program).with_context(|| program.display().to_string())?;
    let (old, file) = match &args.rows {
        None => (Vec::new(), None),
        Some(path) => {
            let name = path.display().to_string();
            if path.exists() {
                input_file::open(path).with_context(|| name.clone())?;
            }
            let file =
                OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
            let mut file = file.with_context(|| name.clone())?;
            let mut text = String::new();
            file.read_to_string(&mut text).with_context(|| name.clone())?;
            // The last row is torn if the run was killed while writing it; a file without a line
            // break is not ours.
            let whole = text.rfind('\n').map_or(text.len(), |end| end + 1);
            let old = rows(&text[..whole], &name)?;
            check_rows(&old, wanted, &hash).with_context(|| name.clone())?;
            file.set_len(whole as u64).with_context(|| name.clone())?;
            file.seek(SeekFrom::End(0)).with_context(|| name.clone())?;
            (old, Some(file))
        }
    };
    let threads = args.concurrency.max(1);
    let (positions, searches) = (wanted.len(), SEARCHES.len());
    print_step(format_args!(
        "{positions} positions, {searches} searches each, {threads} at a time"
    ));
    if args.rows.is_none() {
        print_step(format_args!("an interruption loses all results; --rows FILE saves them"));
    }
    let work = Mutex::new(Work {
        program,
        hash,
        waiting: Vec::new(),
        done: old.iter().map(|r| (r.number, r.search.clone())).collect(),
        rows: old,
        file,
        finished: 0,
        failed: None,
    });
    let mut searches: Vec<SearchCall> = SEARCHES.map(SearchCall::from).to_vec();
    loop {
        run_searches(&work, &searches, wanted, threads, until)?;
        let work = work.lock().map_err(|_| anyhow!(PANICKED))?;
        let findings = SolvedProblems::new(wanted, work.rows.clone());
        match limit_search(&findings) {
            LimitSearch::Next(limits) if work.failed.is_none() && in_time(until) => {
                print_step(format_args!("adjusted limits: {limits}"));
                searches = vec![limits.search()];
            }
            _ => break,
        }
    }
    let work = work.into_inner().map_err(|_| anyhow!(PANICKED))?;
    work.failed.map_or(Ok(work.rows), Err)
}

/// The error of a thread that panicked.
const PANICKED: &str = "a worker thread panicked";

/// Whether the run may go on.
fn in_time(until: Option<Instant>) -> bool {
    !interrupted() && until.is_none_or(|until| Instant::now() < until)
}

/// Runs these searches on every position.
fn run_searches<'a>(
    work: &Mutex<Work<'a>>,
    searches: &[SearchCall],
    wanted: &'a [ThesisProblem],
    threads: usize,
    until: Option<Instant>,
) -> Result<()> {
    {
        let mut work = work.lock().map_err(|_| anyhow!(PANICKED))?;
        work.waiting = wanted.iter().rev().collect();
        work.finished = 0;
    }
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| worker(work, searches, wanted.len(), until));
        }
    });
    Ok(())
}

/// Rejects rows of another problem set or program, which would be reported as if they were of
/// these.
fn check_rows(rows: &[SearchResult], wanted: &[ThesisProblem], program: &str) -> Result<()> {
    let positions: BTreeMap<usize, &str> =
        wanted.iter().map(|p| (p.number, p.position.as_str())).collect();
    for row in rows {
        if positions.get(&row.number).is_some_and(|position| *position != row.position) {
            bail!(
                "its problem {} differs from that of this problem set: choose another file with \
                 --rows, or the matching problem set with --problems",
                row.number
            );
        }
        if row.program != program {
            bail!(
                "its rows come from another build of {NAME}: choose another file with --rows, so \
                 that the times of two programs are not mixed"
            );
        }
    }
    Ok(())
}

/// Solves positions until none is left, the time is up, or an error occurs.
fn worker(work: &Mutex<Work<'_>>, searches: &[SearchCall], all: usize, until: Option<Instant>) {
    while in_time(until) {
        let Ok(mut guard) = work.lock() else { return };
        let Some(problem) = guard.waiting.pop() else { return };
        let program = guard.program;
        let todo: Vec<&SearchCall> = searches
            .iter()
            .filter(|s| !guard.done.contains(&(problem.number, s.name.clone())))
            .collect();
        drop(guard);
        for search in todo {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let answer = answer(program, problem, search, left);
            let Ok(mut guard) = work.lock() else { return };
            let kept = answer.and_then(|answer| {
                answer.map_or(Ok(false), |a| guard.keep(problem, search, a).map(|()| true))
            });
            match kept {
                Ok(true) => {}
                // The time is up.
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
            let _ = write!(std::io::stderr(), "\r{finished} of {all} positions ");
            if finished == all {
                eprintln!();
            }
        }
    }
}

impl Work<'_> {
    fn keep(
        &mut self,
        problem: &ThesisProblem,
        search: &SearchCall,
        answer: SolveLine,
    ) -> Result<()> {
        let row = SearchResult {
            number: problem.number,
            position: problem.position.clone(),
            program: self.hash.clone(),
            search: search.name.clone(),
            answer,
        };
        if let Some(file) = &mut self.file {
            // One write, so that a kill tears only the last line.
            let line = serde_json::to_string(&row)? + "\n";
            file.write_all(line.as_bytes()).context("--rows")?;
        }
        self.rows.push(row);
        Ok(())
    }
}

/// Polling interval of a search with a time limit.
const POLL: Duration = Duration::from_millis(2);

/// The result of one search; `None` if it did not finish in time.
fn answer(
    program: &Path,
    problem: &ThesisProblem,
    search: &SearchCall,
    left: Option<Duration>,
) -> Result<Option<SolveLine>> {
    let mut command = Command::new(program);
    // Single threats are collected, and defences split, as when the problem set was made.
    command.args(["solve", "--json", "--without", "line-pairs", "--splits", "1"]);
    command.args(&search.arguments).arg(&problem.position);
    let says = || format!("{} on problem {}", search.name, problem.number);
    let mut child = command
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .with_context(|| format!("running {}", program.display()))?;
    // One line of JSON fits into the pipe, so the program need not be read while it runs.
    let end = left.map(|left| Instant::now() + left + Duration::from_secs(10));
    while child.try_wait().with_context(says)?.is_none() {
        if end.is_some_and(|end| Instant::now() >= end) {
            child.kill().with_context(says)?;
            child.wait().with_context(says)?;
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
    // Ctrl-C reaches the program too.
    if interrupted() {
        return Ok(None);
    }
    let output = child.wait_with_output().with_context(says)?;
    let text = String::from_utf8_lossy(&output.stdout);
    // A refuted claim makes the program fail, but it is still a result.
    let line = text.lines().next().filter(|l| !l.trim().is_empty());
    let Some(line) = line else {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{}: {}", says(), said.trim());
    };
    let answer = serde_json::from_str(line).with_context(|| format!("{}: `{line}`", says()))?;
    Ok(Some(answer))
}
