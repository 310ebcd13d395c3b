//! `referee merge`: merges the logs of shards into one log, and compares the machines that played them.

use agon_matches::chance::Secret;
use agon_matches::parts::Parts;
use agon_matchlog::{EndOf, MatchHeader, write_sorted};
use agon_report::command_line::quoted;
use agon_report::{standings, workers};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Merge the logs of shards into one, in schedule order, and compare the machines that played them
///
/// All logs must belong to the same match, no two may contain the same game, and together they must
/// contain the whole schedule.
#[derive(clap::Args)]
pub struct Args {
    /// The shards' logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// The merged log
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    out: PathBuf,
    /// Merge even if games of the schedule are missing
    #[arg(long, help_heading = "Games")]
    partial: bool,
    /// Leave out the games of a machine, by its name in the logs; repeatable. The command of the match with
    /// `--log FILE` plays them again. Implies --partial
    #[arg(long, value_name = "NAME", help_heading = "Games")]
    without: Vec<String>,
    /// The secret file of the shards; the merged log reveals it
    #[arg(long, value_name = "FILE", help_heading = "Chance")]
    secret: Option<PathBuf>,
}

/// Checks and merges.
pub fn run(mut args: Args) -> Result<ExitCode> {
    args.partial |= !args.without.is_empty();
    if args.out.exists() {
        bail!("{} already exists; remove it or choose another file", args.out.display());
    }
    let secret = args.secret.as_deref().map(read_secret).transpose()?;
    let parts = Parts::read(&args.logs, secret.as_ref())?;
    if !args.partial {
        parts.check()?;
    }
    let Some(header) = parts.header.in_one_section() else {
        bail!("the match was continued with a new secret: its log is whole and needs no merge");
    };
    expect_names(&args.without, &parts)?;
    let end = EndOf { secret: revealed(&args, secret.as_ref(), &header)? };
    let end = (!args.partial).then_some(&end);
    let head = write_sorted(&args.logs, &header, end, &args.without, &args.out)?;
    if args.without.is_empty() {
        print_results(&parts);
    } else {
        print_results(&Parts::read(std::slice::from_ref(&args.out), secret.as_ref())?);
    }
    println!("log: {}", args.out.display());
    println!("hash of its last line: {head}");
    println!("next: referee report {}", quoted(&args.out.display().to_string()));
    Ok(ExitCode::SUCCESS)
}

/// The score, the verdict, and the machines.
fn print_results(parts: &Parts<'_>) {
    print!("{}", standings::tables(&parts.header, &parts.progress));
    match parts.progress.workers.are_known() {
        true => print!("{}", workers::text(&parts.header, &parts.progress.workers)),
        false => println!("{}", workers::UNKNOWN),
    }
}

/// Checks that the logs have games of these workers.
fn expect_names(without: &[String], parts: &Parts<'_>) -> Result<()> {
    let known: Vec<&str> = parts.progress.workers.names().collect();
    match without.iter().find(|name| !known.contains(&name.as_str())) {
        Some(_) if known.is_empty() => bail!("--without: {}", workers::UNKNOWN),
        Some(name) => {
            bail!(
                "--without {name}: no game of the logs was played by it, but by {}",
                known.join(", ")
            )
        }
        None => Ok(()),
    }
}

fn read_secret(path: &Path) -> Result<Secret> {
    let missing = || format!("secret file {}: it does not exist", path.display());
    Secret::read(path)?.with_context(missing)
}

/// The secret for the end of the merged log; `None` if chance follows from a seed.
fn revealed(args: &Args, secret: Option<&Secret>, header: &MatchHeader) -> Result<Option<String>> {
    if header.chance.commitment.is_none() || args.partial {
        return Ok(None);
    }
    let Some(secret) = secret else {
        bail!("chance follows from a secret: give --secret FILE with the file of the shards");
    };
    if secret.opens(&header.chance).is_none() {
        bail!("--secret: the file holds the secret of another match");
    }
    Ok(Some(secret.reveal()))
}
