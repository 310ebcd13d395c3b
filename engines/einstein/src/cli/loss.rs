//! `einstein loss`: the exact loss of players by number of stones.

use crate::loss::decisions::{LossPlayer, Study};
use crate::loss::exact::ExactSolver;
use crate::loss::file::{LossFile, LossHeader, VERSION};
use crate::loss::summary::{rows, table};
use crate::tablebase::EinSteinTablebase;
use agon_protocol::einstein::EinSteinRules;
use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The players without `--player`; `TABLE` stands for the tablebase.
const PLAYERS: [&str; 5] = [
    "name=best,option.TableFile=TABLE,depth=4",
    "name=best-no-table,depth=4",
    "name=mcts,option.Algorithm=mcts,option.Iterations=2000",
    "name=mcts-paper,option.Algorithm=mcts-paper,option.Iterations=1000",
    "name=race-3-ply,option.Algorithm=expectimax,option.Depth=3",
];

#[derive(Debug, clap::Args)]
pub struct Flags {
    /// The tablebase of 5 stones
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// The file with one JSON line per game: created, or continued by the same command
    file: PathBuf,
    /// Total number of games; each gives at most one decision with 4, 5, 6 and 7 stones
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// A player, `name=N,option.O=V,depth=D,nodes=N`; `TABLE` stands for the tablebase. By default
    /// `best` with and without the tablebase, `mcts`, `mcts-paper` and the 3-ply race
    #[arg(long = "player", value_name = "FIELDS")]
    players: Vec<String>,
    /// The player of the games
    #[arg(long, value_name = "FIELDS", default_value = "name=guide,depth=2")]
    guide: String,
    /// Maximum number of positions in the search for one game, 24 bytes or so each
    #[arg(long, default_value_t = 40_000_000)]
    limit: usize,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// Plays the games that are missing in the file, and prints the summary of all.
pub fn run(flags: &Flags, rules: &EinSteinRules, threads: usize, seed: u64) -> Result<()> {
    let tablebase = Arc::new(EinSteinTablebase::open(&flags.table)?);
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
        missing_die: format!("{rule:?}"),
        table: tablebase.file().header().checksum,
        limit: flags.limit,
        seed,
    };
    let study = || -> Result<Study> {
        let table = flags.table.display().to_string();
        let player = |fields: &String| LossPlayer::parse(&fields.replace("TABLE", &table), seed);
        Ok(Study {
            players: header.players.iter().map(player).collect::<Result<_>>()?,
            guide: LossPlayer::parse(&flags.guide, seed)?,
            solver: ExactSolver::new(Arc::clone(&tablebase), flags.limit),
            rules: rules.clone(),
            seed,
        })
    };
    let names: Vec<String> = study()?.players.into_iter().map(|p| p.name).collect();
    let file = LossFile::open(&flags.file, &header)?;
    let missing: Vec<u64> = (0..flags.games).filter(|g| !file.games.contains_key(g)).collect();
    let (bar, file) = (ProgressBar::new(missing.len() as u64), Mutex::new(file));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let play = |study: &mut Result<Study>, game: u64| -> Result<()> {
        let study = study.as_mut().map_err(|e| anyhow::anyhow!("{e:#}"))?;
        let decisions = study.game(game);
        file.lock().unwrap_or_else(PoisonError::into_inner).push(game, decisions)?;
        bar.inc(1);
        Ok(())
    };
    pool.install(|| {
        let games = missing.par_iter().with_max_len(1);
        games.try_for_each_init(study, |study, &game| play(study, game))
    })?;
    bar.finish_and_clear();
    let file = file.into_inner().unwrap_or_else(PoisonError::into_inner);
    let rows = rows(file.games.range(..flags.games).flat_map(|g| g.1), &names);
    let text = match flags.json {
        true => serde_json::to_string(&rows).context("the summary")?,
        false => table(&rows, &names),
    };
    Ok(writeln!(stdout(), "{text}")?)
}
