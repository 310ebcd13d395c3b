//! The `bench` subcommand: a fixed workload whose node count changes only with the search or the
//! evaluation, and which measures the engine's speed.

use super::positions::{read_openings, record_of};
use crate::host::TABLE_CACHE;
use agon_protocol::engine::{Control, Engine};
use agon_protocol::game::Game;
use agon_protocol::message::Limits;
use agon_protocol::option::OptionValue;
use agon_protocol::record::Record;
use agon_protocol::serve::Server;
use anyhow::{Context, Result, bail};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The positions and limits of `bench`.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions as in the `position` command: `startpos moves ...` or `fen F moves ...`.
    pub positions: &'static [&'static str],
    /// The depth limit of each search in plies, unless the command line sets another.
    pub depth: Option<u32>,
    /// The node limit of each search, unless the command line sets another.
    pub nodes: Option<u64>,
}

#[derive(clap::Args)]
pub(super) struct Flags {
    /// Search every position to this depth in plies
    #[arg(long)]
    depth: Option<u32>,
    /// Search every position to this number of nodes
    #[arg(long, conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Search the positions of this file, one per line, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

impl Bench {
    fn limits(&self, flags: &Flags) -> Result<Limits> {
        let (depth, nodes) = match (flags.depth, flags.nodes) {
            (None, None) => (self.depth, self.nodes),
            given => given,
        };
        if depth.is_none() && nodes.is_none() {
            bail!("bench: give --depth or --nodes");
        }
        Ok(Limits { depth, nodes, ..Limits::default() })
    }

    /// Searches every position from a clean engine and prints one line for each, then the total: `N
    /// nodes V nps`.
    pub(super) fn run<E: Engine>(&self, server: Server<E>, flags: &Flags) -> Result<()> {
        let limits = self.limits(flags)?;
        let (mut engine, rules) = server.into_parts();
        if engine.options().iter().any(|option| option.name == TABLE_CACHE.name()) {
            // The workload must not depend on the machine.
            engine.set_option(TABLE_CACHE.name(), &OptionValue::Check(false))?;
        }
        let mut out = stdout().lock();
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let records = match &flags.openings {
            Some(file) => read_openings(file, &rules)?,
            None => {
                let records = self.positions.iter().map(|position| record_of(position, &rules));
                records.collect::<Result<Vec<Record<E::Game>>>>().context("bench positions")?
            }
        };
        if let Some(over) = records.iter().position(|record| record.turn().player().is_none()) {
            let fen = records[over].current().fen();
            bail!("bench: no player is to move in position {}, `{fen}`", over + 1);
        }
        for (i, record) in records.iter().enumerate() {
            let found = search(&mut engine, record, &limits);
            let ms = found.time.as_millis();
            writeln!(
                out,
                "{:2} nodes {:10} time {ms:6} bestmove {}",
                i + 1,
                found.nodes,
                found.best
            )?;
            nodes += found.nodes;
            time += found.time;
        }
        let nps = nodes as f64 / time.as_secs_f64().max(1e-9);
        writeln!(out, "{nodes} nodes {nps:.0} nps")?;
        Ok(())
    }
}

struct Found {
    nodes: u64,
    time: Duration,
    best: String,
}

fn search<E: Engine>(engine: &mut E, record: &Record<E::Game>, limits: &Limits) -> Found {
    engine.new_game();
    // Lazily built state must not count as search time.
    engine.prepare();
    let control = Control::new();
    control.ponder_hit();
    let mut nodes = 0;
    let from = Instant::now();
    let best = engine.search(record, limits, &control, &mut |info| {
        nodes = info.nodes.unwrap_or(nodes);
    });
    Found { nodes, time: from.elapsed(), best: record.current().move_token(best) }
}
