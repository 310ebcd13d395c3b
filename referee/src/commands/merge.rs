//! `referee merge`: merges the logs of shards into one log.

use crate::matches::parts::Parts;
use crate::matchlog::write_sorted;
use crate::output::{sprt, standings};
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

/// Merge the logs of shards into one, in schedule order
///
/// All logs must belong to the same match, no two may contain the same game, and together they must
/// contain the whole schedule.
#[derive(clap::Args)]
pub struct Args {
    /// The shards' logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// The merged log
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Merge even if games of the schedule are missing
    #[arg(long)]
    partial: bool,
}

/// Checks and merges.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.out.exists() {
        bail!("{} already exists; remove it or choose another file", args.out.display());
    }
    let parts = Parts::read(&args.logs)?;
    if !args.partial {
        parts.check()?;
    }
    write_sorted(&args.logs, Some(&parts.header), &args.out)?;
    print!("{}", standings::tables(&parts.header, &parts.progress));
    if let Some(test) = &parts.progress.test {
        println!("{}", sprt::verdict(test));
    }
    println!("log: {}", args.out.display());
    Ok(ExitCode::SUCCESS)
}
