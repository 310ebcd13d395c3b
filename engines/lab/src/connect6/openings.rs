//! `lab connect6 openings`.

use agon_connect6::best::SolverBudgets;
use agon_connect6_studies::openings::{Opening, OpeningSettings, Openings};
use agon_games::connect6::Connect6Rules;
use agon_games::game::Game;
use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::io::{Write, stdout};

/// Number and kind of openings.
#[derive(Debug, clap::Args)]
pub struct OpeningsArgs {
    /// Number of openings to print
    #[arg(long, default_value_t = 200)]
    count: u64,
    /// Seed of the series
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random turns per opening, and one more in every second, where the other colour is to move; a candidate turn
    /// of the engine follows
    #[arg(long, default_value_t = 2)]
    turns: u64,
    /// Maximum distance of the random stones from the centre, in columns and rows
    #[arg(long, default_value_t = 3)]
    reach: u64,
    /// Nodes of the search of an opening; a turn in the test games has a twentieth
    #[arg(long, default_value_t = 1_000_000)]
    nodes: u64,
    /// Greatest advantage of either side in that search, in centipoints
    #[arg(long, default_value_t = 10)]
    advantage: i32,
}

impl OpeningsArgs {
    /// Makes and tests openings, and prints each that passes.
    pub(super) fn run(&self, rules: &Connect6Rules) -> Result<()> {
        let &OpeningsArgs { count, seed, turns, reach, nodes, advantage } = self;
        ensure!((1..=4).contains(&turns), "--turns {turns}: expected 1 to 4");
        ensure!((2..=6).contains(&reach), "--reach {reach}: expected 2 to 6");
        ensure!((1..=1 << 32).contains(&nodes), "--nodes {nodes}: expected 1 to 2^32");
        ensure!((0..=1000).contains(&advantage), "--advantage {advantage}: expected 0 to 1000");
        let budgets = SolverBudgets::default();
        let settings = OpeningSettings { seed, turns, reach, nodes, advantage, budgets };
        let mut openings = Openings::new(settings, rules)?;
        // Drawn only on a terminal.
        let bar = ProgressBar::new(count);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} openings, ETA {eta}")?);
        let mut out = stdout().lock();
        writeln!(
            out,
            "# Connect6: {turns} random turns, in every second opening {}, at most {reach} from the centre, and a candidate \
             turn of the\n# engine, seed {seed}; kept if a search of {nodes} nodes finds no advantage over {advantage} and \
             two games of the engine against\n# itself are not won by the same colour. Behind each: games won by Black and \
             White, and the value for the side to move.\n\
             # Made by: lab connect6 openings --count {count} --seed {seed} --turns {turns} --reach {reach} --nodes {nodes} \
             --advantage {advantage}",
            turns + 1
        )?;
        let mut kept = BTreeSet::new();
        while (kept.len() as u64) < count {
            let Some(opening) = openings.next_balanced(kept.len() % 2) else { continue };
            let Opening { record, value, won: [black, white] } = opening;
            let moves = record.tokens().join(" ");
            // Different turns may lead to the same stones.
            if kept.insert(record.current().fen()) {
                writeln!(out, "startpos moves {moves} # {black}-{white} {value:+}")?;
                out.flush()?;
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}
