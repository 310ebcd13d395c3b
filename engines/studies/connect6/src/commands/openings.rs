//! `connect6 openings`, and reading its files.

use crate::openings::{Opening, OpeningSettings, Openings};
use agon_connect6::best::SolverBudgets;
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::game::Game;
use agon_protocol::record::Record;
use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

/// Number and kind of openings.
#[derive(Debug, clap::Args)]
pub struct OpeningsArgs {
    /// Number of openings to print
    #[arg(long, default_value_t = 200)]
    count: u64,
    /// Seed of the series
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Random turns per opening
    #[arg(long, default_value_t = 3)]
    turns: u64,
    /// Maximum distance of their stones from the centre, in columns and rows
    #[arg(long, default_value_t = 3)]
    reach: u64,
    /// Nodes per move of the first two test games; the next pairs use two, four and eight times as
    /// many
    #[arg(long, default_value_t = 300)]
    nodes: u64,
}

impl OpeningsArgs {
    /// Makes and tests openings, and prints each that passes.
    pub(super) fn run(&self, rules: &Connect6Rules) -> Result<()> {
        let &OpeningsArgs { count, seed, turns, reach, nodes } = self;
        ensure!((2..=4).contains(&turns), "--turns {turns}: expected 2 to 4");
        ensure!((2..=6).contains(&reach), "--reach {reach}: expected 2 to 6");
        ensure!((1..=1 << 32).contains(&nodes), "--nodes {nodes}: expected 1 to 2^32");
        let budgets = SolverBudgets::default();
        let settings = OpeningSettings { seed, turns, reach, nodes, budgets };
        let mut openings = Openings::new(settings, rules)?;
        // Drawn only on a terminal.
        let bar = ProgressBar::new(count);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} openings, ETA {eta}")?);
        let mut out = stdout().lock();
        writeln!(
            out,
            "# Connect6: {turns} random turns, at most {reach} from the centre, seed {seed}; kept if in eight games of \
             the\n# engine against itself either colour wins three. Behind each: games won by Black and White.\n\
             # Made by: connect6 openings --count {count} --seed {seed} --turns {turns} --reach {reach} --nodes {nodes}"
        )?;
        let mut kept = BTreeSet::new();
        while (kept.len() as u64) < count {
            let Some(Opening { record, won: [black, white] }) = openings.next_balanced() else {
                continue;
            };
            let moves = record.tokens().join(" ");
            // Different turns may lead to the same stones.
            if kept.insert(record.current().fen()) {
                writeln!(out, "startpos moves {moves} # {black}-{white}")?;
                out.flush()?;
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}

/// The turns of every opening in a file, without `startpos moves`.
///
/// # Errors
/// The file cannot be read, contains a malformed line or an illegal turn, or has no opening.
pub fn read_openings(path: &Path, rules: &Connect6Rules) -> Result<Vec<String>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| name.to_string())?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let moves = line.strip_prefix("startpos moves ");
        let moves = moves.with_context(|| {
            format!("{name}, line {number}: `{line}`: expected `startpos moves ...`")
        })?;
        let tokens: Vec<&str> = moves.split_whitespace().collect();
        Record::<Connect6>::from_text(None, &tokens, rules)
            .with_context(|| format!("{name}, line {number}"))?;
        openings.push(tokens.join(" "));
    }
    ensure!(!openings.is_empty(), "{name}: there is no opening in it");
    Ok(openings)
}
