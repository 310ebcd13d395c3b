//! `connect6 openings`, and reading such files.

use agon_connect6::best::Sight;
use agon_connect6::openings::{Opening, Openings, Settings};
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::game::Game;
use agon_protocol::record::Record;
use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

/// How many, and how they are drawn.
#[derive(Debug, clap::Args)]
pub struct OpeningsArgs {
    /// How many are kept
    #[arg(long, default_value_t = 200)]
    count: u64,
    /// Names the series
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Turns drawn by lot
    #[arg(long, default_value_t = 3)]
    turns: u64,
    /// How far from the middle their stones lie at most, in columns and rows
    #[arg(long, default_value_t = 3)]
    reach: u64,
    /// Nodes a move of the first two games that an opening is tried in; then twice as many, three times
    #[arg(long, default_value_t = 300)]
    nodes: u64,
}

impl OpeningsArgs {
    /// Draws, tries, prints each one that is kept.
    pub fn run(&self, rules: &Connect6Rules) -> Result<()> {
        let &OpeningsArgs { count, seed, turns, reach, nodes } = self;
        ensure!((2..=4).contains(&turns), "--turns {turns}: expected 2 to 4");
        ensure!((2..=6).contains(&reach), "--reach {reach}: expected 2 to 6");
        ensure!((1..=1 << 32).contains(&nodes), "--nodes {nodes}: expected 1 to 2^32");
        let sight = Sight::default();
        let mut openings = Openings::new(Settings { seed, turns, reach, nodes, sight }, rules)?;
        // Draws on a terminal only.
        let bar = ProgressBar::new(count);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} openings, {eta} left")?);
        let mut out = stdout().lock();
        writeln!(
            out,
            "# Connect6: {turns} turns by lot, at most {reach} from the middle, seed {seed}; kept if in eight games of the\n\
             # engine against itself either colour wins three. Behind each: games won by Black and White.\n\
             # Made by: connect6 openings --count {count} --seed {seed} --turns {turns} --reach {reach} --nodes {nodes}"
        )?;
        let mut kept = BTreeSet::new();
        while (kept.len() as u64) < count {
            let Some(Opening { record, won: [black, white] }) = openings.draw() else { continue };
            let moves = record.tokens().join(" ");
            // Turns may lead to the same stones in two ways.
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

/// The turns of every opening in a file, as behind `startpos moves`.
pub fn read(path: &Path, rules: &Connect6Rules) -> Result<Vec<String>> {
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
