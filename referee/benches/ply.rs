//! Processor time of the referee per ply: Amazons between two engines that move immediately.
//!
//! Run it with `cargo bench -p agon-referee`. This program has four roles: without a subcommand it
//! is the benchmark, with `match ...` the referee, with `engine-guard` the referee's guard of an
//! engine, with `engine` an engine that plays the first legal move.

use agon_games::arbiter;
use criterion::{Criterion, Throughput};
use serde_json::Value;
use std::io::{BufRead, Write};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Move limit that keeps a benchmark of few plies short.
const PLIES: u64 = 40;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("match" | "engine-guard") => agon_referee::main(),
        Some("engine") => engine().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS),
        _ => {
            let mut criterion = Criterion::default().sample_size(10).configure_from_args();
            let mut group = criterion.benchmark_group("referee");
            group.throughput(Throughput::Elements(1));
            group.bench_function("ply", |b| b.iter_custom(time_of_plies));
            group.finish();
            criterion.final_summary();
            ExitCode::SUCCESS
        }
    }
}

/// The referee's processor time for `plies` plies, scaled from a match of at least that length.
fn time_of_plies(plies: u64) -> Duration {
    let own = std::env::current_exe().expect("this program has a path");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = |name: &str| format!("name={name},cmd={} engine", own.display());
    let games = (plies / PLIES + 2).to_string();
    let output = Command::new(&own)
        .args(["match", "--game", "amazons", "--json", "--depth", "1", "--random-plies", "2"])
        .args(["--engine", &engine("a"), "--engine", &engine("b"), "--games", &games])
        .args(["--max-plies", &PLIES.to_string(), "--log"])
        .arg(folder.path().join("log.jsonl"))
        .output()
        .expect("the referee starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let result: Value = serde_json::from_str(text.lines().last().unwrap_or("null"))
        .unwrap_or_else(|e| panic!("no result: {e}: {}", String::from_utf8_lossy(&output.stderr)));
    let us = result["overhead"]["referee_us_per_ply"].as_f64().expect("the cost of a ply");
    Duration::from_secs_f64(us * 1e-6 * plies as f64)
}

/// An engine that plays the first legal move.
fn engine() -> std::io::Result<()> {
    let kind = arbiter::game("amazons").expect("a known game");
    let mut output = std::io::stdout().lock();
    let mut board = None;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match line.split(' ').next() {
            Some("ugi") => writeln!(output, "id name first\nugiok")?,
            Some("isready") => writeln!(output, "readyok")?,
            Some("position") => board = kind.open_text(&line["position ".len()..], &[]).ok(),
            Some("go") => {
                let token = board.as_ref().and_then(|b| b.legal_tokens().into_iter().next());
                writeln!(output, "bestmove {}", token.as_deref().unwrap_or("none"))?;
            }
            Some("quit") => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}
