//! `referee reproduce darkchess`: counts equivalence classes by `lab` and reports on them.

use super::{
    ClassCounts, Classes, FIGURE_8, FIGURE_8_METHODS, METHODS, SparkPoint, SparkRun, SparkTimes,
    report,
};
use crate::engine::{LAB, find_program, finished, print_step};
use crate::publish::ReportFiles;
use agon_claims::report::PaperReport;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Number of shards for Spark.
const SHARDS: u64 = 4;
/// The exit status of `referee/cluster/spark` if there is no Spark.
const NO_SPARK: i32 = 77;
/// The Spark jobs: description, method, numbers of pieces.
const WORK: [(&str, &str, &str); 2] = [
    ("patterns, 3 to 8 pieces", "pattern", "3-8"),
    ("patterns, 3 to 11 pieces", "pattern", "3-11"),
];

/// A run of the experiment.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Time limit per number of pieces in seconds: a method that exceeds it skips the larger numbers.
    pub limit: f64,
    /// The program that runs shards on Spark; `None`: without Spark.
    pub spark: Option<PathBuf>,
    /// Engine and page.
    pub files: ReportFiles,
}

/// Runs the counts, and Spark if available, and prints the report.
pub fn run(args: &Arguments) -> Result<ExitCode> {
    args.files.report(|| reproduce(args))
}

/// Runs the counts, and Spark if available.
pub fn reproduce(args: &Arguments) -> Result<PaperReport> {
    let program = find_program(args.files.engine_dir.as_deref(), LAB)?;
    let methods = METHODS.iter().flat_map(|(name, _)| ["--method", name]);
    let methods: Vec<&str> = methods.collect();
    let limit = args.limit.to_string();
    print_step(format_args!(
        "the paper's sets by all methods, then by number of pieces: some 30 s of one core"
    ));
    let mut findings = ClassCounts {
        headline: classes(&program, &[&methods[..], &["--pieces", "3-8"]].concat())?,
        figure: classes(
            &program,
            &[&methods[..], &["--pieces", "3-12", "--limit", &limit]].concat(),
        )?,
        exact: classes(&program, &[])?,
        ..ClassCounts::default()
    };
    match spark_runs(args, &program)? {
        Ok(runs) => findings.spark = runs,
        Err(why) => findings.without_spark = Some(why),
    }
    if let Some(spark) = args.spark.as_deref().filter(|_| findings.without_spark.is_none()) {
        match figure_8(spark, &program, &findings.exact)? {
            Ok(points) => findings.figure_on_spark = points,
            Err(why) => findings.without_spark = Some(why),
        }
    }
    Ok(report(&findings, &command(args)))
}

fn command(args: &Arguments) -> String {
    let spark = if args.spark.is_none() { " --no-spark" } else { "" };
    format!("referee reproduce darkchess --limit {}{spark}", args.limit)
}

/// The output lines of `lab darkchess classes --json` with these arguments.
fn classes(program: &Path, arguments: &[&str]) -> Result<Classes> {
    let mut command = Command::new(program);
    command.args(["darkchess", "classes", "--json"]).args(arguments);
    let output = finished(&mut command)?;
    Ok(Classes::parse(&String::from_utf8_lossy(&output.stdout))?)
}

/// The Spark runs, or why there are none.
fn spark_runs(args: &Arguments, program: &Path) -> Result<Result<Vec<SparkRun>, String>> {
    let Some(spark) = &args.spark else { return Ok(Err("--no-spark".into())) };
    if !spark.is_file() {
        return Ok(Err(format!("there is no {}", spark.display())));
    }
    print_step(format_args!("on one core, by two processes and on Spark: a minute or two"));
    let mut runs = Vec::new();
    for (work, method, pieces) in WORK {
        let arguments = ["--method", method, "--pieces", pieces];
        match spark_run(spark, program, &arguments)? {
            Ok(run) => runs.push(SparkRun { work: work.into(), ..run }),
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(runs))
}

fn spark_run(spark: &Path, program: &Path, work: &[&str]) -> Result<Result<SparkRun, String>> {
    let clock = Instant::now();
    let whole = classes(program, work)?;
    let one = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    std::thread::scope(|scope| -> Result<()> {
        let shards = ["1/2", "2/2"].map(|shard| {
            scope.spawn(move || classes(program, &[work, &["--shard", shard]].concat()))
        });
        for shard in shards {
            shard.join().map_err(|_| anyhow::anyhow!("a shard's thread panicked"))??;
        }
        Ok(())
    })?;
    let two = clock.elapsed().as_secs_f64();
    let (spark, together) = match on_spark(spark, program, work)? {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    let sets = whole.rows.iter().map(|r| r.sets).sum();
    let agrees = counts(&whole) == counts(&together);
    Ok(Ok(SparkRun { work: String::new(), sets, one, two, shards: SHARDS, spark, agrees }))
}

/// Figure 8: each number of pieces by itself, by permuting all pieces and by permuting ties only.
fn figure_8(
    spark: &Path,
    program: &Path,
    exact: &Classes,
) -> Result<Result<Vec<SparkPoint>, String>> {
    print_step(format_args!(
        "figure 8 on Spark, each number of pieces by itself: two or three minutes"
    ));
    let mut points = Vec::new();
    for pieces in FIGURE_8 {
        for method in FIGURE_8_METHODS {
            let range = format!("{pieces}-{pieces}");
            let work = ["--method", method, "--pieces", &range];
            let (times, found) = match on_spark(spark, program, &work)? {
                Ok(found) => found,
                Err(why) => return Ok(Err(why)),
            };
            let wanted = exact.sum("exact", false, [pieces, pieces]);
            let wanted = wanted.map(|r| [r.pieces, r.sets, r.classes, r.own]);
            let agrees = counts(&found) == wanted.into_iter().collect::<Vec<_>>();
            points.push(SparkPoint { method: method.into(), pieces, times, agrees });
        }
    }
    Ok(Ok(points))
}

/// The sets of classes, without times.
fn counts(classes: &Classes) -> Vec<[u64; 4]> {
    classes.rows.iter().map(|r| [r.pieces, r.sets, r.classes, r.own]).collect()
}

/// Runs the shards on Spark and merges them; an error text if there is no Spark.
fn on_spark(
    spark: &Path,
    program: &Path,
    work: &[&str],
) -> Result<Result<(SparkTimes, Classes), String>> {
    let folder = tempfile::tempdir().context("a temporary folder")?;
    let merged = folder.path().join("merged.jsonl");
    let absolute = std::path::absolute(program)?;
    let merge =
        format!("{} darkchess classes merge --out {}", absolute.display(), merged.display());
    let mut command = Command::new(spark);
    command.args(["--master", "local[2]", "--shards", &SHARDS.to_string(), "--merge", &merge]);
    command.arg("--out").arg(folder.path().join("shards")).arg("--").arg(&absolute);
    command
        .args(["darkchess", "classes"])
        .args(work)
        .args(["--shard", "{shard}", "--out", "{out}"]);
    let output = command.output().with_context(|| format!("running {}", spark.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(NO_SPARK) {
        return Ok(Err(said.trim().lines().last().unwrap_or("no reason given").to_string()));
    }
    if !output.status.success() {
        bail!("{}: {}", spark.display(), said.trim());
    }
    let times = said.trim().lines().last().unwrap_or_default();
    let times: SparkTimes = serde_json::from_str(times)
        .with_context(|| format!("the last line of Spark: `{times}`"))?;
    let text = std::fs::read_to_string(&merged).context("the merged shards")?;
    Ok(Ok((times, Classes::parse(&text)?)))
}
