//! `lab einstein loss`: the exact loss of players by number of stones.

use agon_einstein::tablebase::EinSteinTablebase;
use agon_einstein_studies::decisions::{LossPlayer, LossStudy, STONES};
use agon_einstein_studies::exact::ExactSolver;
use agon_einstein_studies::file::{LossFile, LossHeader, VERSION};
use agon_einstein_studies::summary::{rows, table};
use agon_games::einstein::EinSteinRules;
use anyhow::{Result, anyhow, ensure};
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The players without `--player`; `TABLE` stands for the tablebase.
const PLAYERS: [&str; 5] = [
    "name=best,option.TableFile=TABLE,depth=4",
    "name=best-no-table,depth=4",
    "name=mcts k=10,option.Algorithm=mcts,option.Iterations=2000,option.Simulations=10",
    "name=mcts-paper k=10,option.Algorithm=mcts-paper,option.Iterations=1000,option.Simulations=10",
    "name=race-3-ply,option.Algorithm=expectimax,option.Depth=3",
];

/// The flags of `lab einstein loss`.
#[derive(Debug, clap::Args)]
pub struct Flags {
    /// The tablebase of 5 stones
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// The file with one JSON line per game: created, or continued by the same command
    file: PathBuf,
    /// Total number of games; each gives at most one decision of each number of stones
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// A player, `name=N,option.O=V,depth=D,nodes=N`; `TABLE` stands for the tablebase. By default
    /// `best` with and without the tablebase, `mcts`, `mcts-paper` and the 3-ply race
    #[arg(long = "player", value_name = "FIELDS")]
    players: Vec<String>,
    /// The player of the games
    #[arg(long, value_name = "FIELDS", default_value = "name=guide,depth=2")]
    guide: String,
    /// The numbers of stones of the decisions, N or N-M; those beyond the tablebase are searched
    #[arg(long, value_name = "N-M", default_value = "4-7", value_parser = stones)]
    stones: [u32; 2],
    /// Start no game after this many seconds; the same command continues
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
    /// Maximum number of positions in the search for one game, 24 bytes or so each
    #[arg(long, default_value_t = 40_000_000)]
    limit: usize,
    /// Print the summary as JSON lines: the study, then a row for each number of stones and player
    #[arg(long)]
    json: bool,
}

fn stones(text: &str) -> Result<[u32; 2], String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if STONES[0] <= from && from <= to && to <= STONES[1] => Ok([from, to]),
        _ => Err(format!(
            "expected numbers of stones from {} to {}, such as 4-6",
            STONES[0], STONES[1]
        )),
    }
}

/// The summary's first line.
#[derive(Serialize)]
struct Summary<'a> {
    games: usize,
    table_stones: usize,
    #[serde(flatten)]
    header: &'a LossHeader,
}

/// Plays the games that are missing in the file, and prints the summary of all.
///
/// # Errors
///
/// The tablebase, a player or the file is wrong; which.
pub fn run(flags: &Flags, rules: &EinSteinRules, threads: usize, seed: u64) -> Result<()> {
    let tablebase = EinSteinTablebase::open(&flags.table)?;
    let rule = tablebase.indexer().rule();
    ensure!(rule == rules.missing_die, "the tablebase is for MissingDie {rule:?}");
    let chosen = |named: &[String]| match named.is_empty() {
        true => PLAYERS.map(str::to_string).to_vec(),
        false => named.to_vec(),
    };
    let header = LossHeader {
        einstein_loss: VERSION,
        players: chosen(&flags.players),
        guide: flags.guide.clone(),
        stones: flags.stones,
        missing_die: format!("{rule:?}"),
        table: tablebase.file().header().checksum,
        limit: flags.limit,
        seed,
    };
    let study = || -> Result<LossStudy<'_>> {
        let table = flags.table.display().to_string();
        let player = |fields: &String| LossPlayer::parse(&fields.replace("TABLE", &table), seed);
        Ok(LossStudy {
            players: header.players.iter().map(player).collect::<Result<_>>()?,
            guide: LossPlayer::parse(&flags.guide, seed)?,
            solver: ExactSolver::new(&tablebase, flags.limit),
            rules: rules.clone(),
            stones: flags.stones,
            seed,
        })
    };
    let names: Vec<String> = study()?.players.into_iter().map(|p| p.name).collect();
    let file = LossFile::open(&flags.file, &header)?;
    let file = play_missing(file, flags, threads, study)?;
    let played = file.games.range(..flags.games);
    let rows = rows(played.clone().flat_map(|g| g.1), flags.stones, &names);
    if !flags.json {
        return Ok(writeln!(stdout(), "{}", table(&rows, &names))?);
    }
    let (games, table_stones) = (played.count(), tablebase.indexer().stones());
    let study = serde_json::to_string(&Summary { games, table_stones, header: &header })?;
    writeln!(stdout(), "{study}")?;
    rows.iter().try_for_each(|row| Ok(writeln!(stdout(), "{}", serde_json::to_string(row)?)?))
}

/// Plays the games that are missing in the file, on some threads, until the time is up. The first
/// error stops all of them; finished games are in the file.
fn play_missing<'t>(
    file: LossFile,
    flags: &Flags,
    threads: usize,
    study: impl Fn() -> Result<LossStudy<'t>> + Sync,
) -> Result<LossFile> {
    let until = flags.seconds.map(|s| Instant::now() + Duration::from_secs(s));
    let missing: Vec<u64> = (0..flags.games).filter(|g| !file.games.contains_key(g)).collect();
    let (bar, next, failed) =
        (ProgressBar::new(missing.len() as u64), AtomicUsize::new(0), AtomicBool::new(false));
    let file = Mutex::new(file);
    let worker = || -> Result<()> {
        let mut study = study()?;
        while !failed.load(Relaxed) && until.is_none_or(|until| Instant::now() < until) {
            let Some(&game) = missing.get(next.fetch_add(1, Relaxed)) else { break };
            let decisions = study.game(game);
            file.lock().unwrap_or_else(PoisonError::into_inner).push(game, decisions)?;
            bar.inc(1);
        }
        Ok(())
    };
    let worker = || worker().inspect_err(|_| failed.store(true, Relaxed));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let ended =
            workers.into_iter().map(|w| w.join().map_err(|_| anyhow!("a thread panicked"))?);
        ended.collect::<Result<()>>()
    })?;
    bar.finish_and_clear();
    Ok(file.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_stones_are_a_range_that_can_be_solved() {
        assert_eq!(stones("4-6"), Ok([4, 6]));
        assert_eq!(stones("7"), Ok([7, 7]));
        for text in ["", "3-5", "6-4", "4-8", "x", "4-", "4-5-6"] {
            assert!(stones(text).unwrap_err().contains("from 4 to 7, such as 4-6"), "{text}");
        }
    }
}
