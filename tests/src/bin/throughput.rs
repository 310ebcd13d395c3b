//! Measures the referee's throughput: games per minute between two engines that move instantly,
//! with every move checked and every game logged. `cargo run --profile fast -p agon-tests --bin
//! throughput`
//!
//! The programs `referee` and `trivial` must be in this program's folder: build the workspace with
//! the same profile first.

use clap::Parser;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Measures the referee's throughput.
#[derive(Parser)]
struct Flags {
    /// Number of games
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Number of concurrent games; more than cores, so that no core idles while a game waits for a
    /// pipe
    #[arg(long, short = 'j', default_value_t = 4)]
    concurrency: usize,
    /// The log's path; default: in a temporary folder
    #[arg(long)]
    log: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Flags::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("throughput: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(flags: &Flags) -> Result<(), Box<dyn std::error::Error>> {
    let own = std::env::current_exe()?;
    let folder = own.parent().ok_or("this program has no folder")?;
    let temporary = tempfile::tempdir()?;
    let log = flags.log.clone().unwrap_or_else(|| temporary.path().join("throughput.jsonl"));
    let engine = |name: &str, seed: u32| {
        format!("name={name},cmd={} {seed}", folder.join("trivial").display())
    };
    let begin = Instant::now();
    let output = Command::new(folder.join("referee"))
        .args(["match", "--game", "amazons", "--json"])
        .args(["--engine", &engine("a", 1), "--engine", &engine("b", 2)])
        .args(["--depth", "1", "--random-plies", "2", "--order", "random"])
        .args(["--games", &flags.games.to_string(), "-j", &flags.concurrency.to_string()])
        .arg("--log")
        .arg(&log)
        .output()?;
    let seconds = begin.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(format!("{}{}", text, String::from_utf8_lossy(&output.stderr)).into());
    }
    let result: Value = serde_json::from_str(text.lines().last().ok_or("no result")?)?;
    let cost = &result["overhead"];
    let number = |key: &str| cost[key].as_f64().unwrap_or(f64::NAN);
    println!("games            {:>10}", flags.games);
    println!("plies per game   {:>10.1}", number("plies") / flags.games as f64);
    println!("games per minute {:>10.0}", 60.0 * flags.games as f64 / seconds);
    println!("referee per ply  {:>10.2} us of processor time", number("referee_us_per_ply"));
    println!("engines per ply  {:>10.2} us of processor time", number("engines_us_per_ply"));
    println!("isready          {:>10.1} us at best", number("min_isready_us"));
    println!("peak memory      {:>10.1} MiB", number("peak_mib"));
    println!("log              {:>10.1} MiB", std::fs::metadata(&log)?.len() as f64 / 1048576.0);
    Ok(())
}
