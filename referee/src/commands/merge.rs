//! `referee merge`: the logs of shards become one log.

use agon_referee::matchlog::{Header, open, write_sorted};
use agon_referee::runner::Done;
use agon_referee::schedule::{in_shard, jobs};
use agon_referee::standings::Standings;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Merge the logs of shards into one, in schedule order
///
/// All logs must be of the same match, no game may stand in two of them, and together they must hold
/// the whole schedule.
#[derive(clap::Args)]
pub struct Args {
    /// The shards' logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// The merged log
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Merge although games of the schedule are missing
    #[arg(long)]
    partial: bool,
}

/// Checks and merges.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.out.exists() {
        bail!("{} exists already; remove it or name another file", args.out.display());
    }
    let mut whole: Option<Header> = None;
    let mut done = Done::default();
    let mut standings: Option<Standings> = None;
    for path in &args.logs {
        let (header, games) = open(path)?;
        let shard = header.shard;
        let header = Header { shard: None, ..header };
        let first = whole.get_or_insert_with(|| header.clone());
        let differences = first.differences(&header);
        if !differences.is_empty() {
            let (path, first) = (path.display(), args.logs[0].display());
            bail!("{path} is of another match than {first}: {}", differences.join("; "));
        }
        let standings = standings.get_or_insert_with(|| Standings::new(&header));
        let scheduled = header.scheduled_games();
        for game in games {
            let game = game?;
            let number = game.game;
            if number >= scheduled {
                bail!("{}: game {number} is not in the schedule", path.display());
            }
            if !done.insert(number) {
                bail!("{}: game {number} stands in an earlier log or twice", path.display());
            }
            standings.push(&game);
        }
        if let Some(missing) = missing(&header, shard, &done).filter(|_| !args.partial) {
            bail!("{}: {missing}", path.display());
        }
    }
    let header = whole.context("no logs")?;
    if let Some(missing) = missing(&header, None, &done).filter(|_| !args.partial) {
        bail!("the logs are not the whole match: {missing}");
    }
    write(&args.logs, &header, &args.out)?;
    if let Some(standings) = standings {
        print!("{}", standings.table());
    }
    println!("log: {}", args.out.display());
    Ok(ExitCode::SUCCESS)
}

fn write(logs: &[PathBuf], header: &Header, out: &Path) -> Result<()> {
    write_sorted(logs, Some(header), out)?;
    Ok(())
}

/// Which games of a shard are missing, in words; `None` if none is.
fn missing(
    header: &Header,
    shard: Option<agon_referee::matchlog::Shard>,
    done: &Done,
) -> Option<String> {
    let gaps: Vec<u64> = jobs(&header.schedule)
        .filter(|job| in_shard(job, shard) && !done.contains(job.game))
        .map(|job| job.game)
        .collect();
    let shown: Vec<String> = gaps.iter().take(10).map(u64::to_string).collect();
    let more = if gaps.len() > shown.len() { ", ..." } else { "" };
    (!gaps.is_empty())
        .then(|| format!("{} games are missing: {}{more}", gaps.len(), shown.join(", ")))
}
