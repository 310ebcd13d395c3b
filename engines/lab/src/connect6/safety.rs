//! `lab connect6 safety`.

use agon_connect6::best::Best;
use agon_connect6_studies::safety::{Safety, SafetySettings};
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_search::program::read_openings;
use agon_search::transposition::TranspositionTable;
use agon_wire::message::Limits;
use anyhow::{Result, ensure};
use serde_json::json;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

/// The positions, and the time of the player and of the solver.
#[derive(Debug, clap::Args)]
pub struct SafetyArgs {
    /// The openings of the self-play games, one game each
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// Number of positions
    #[arg(long, default_value_t = 1000)]
    positions: u64,
    /// Milliseconds of `best` for a turn
    #[arg(long, default_value_t = 1000, conflicts_with = "nodes")]
    movetime: u64,
    /// Nodes of `best` for a turn, in place of a time
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds of the solver for the position after a turn
    #[arg(long, default_value_t = 5000)]
    solve: u64,
    /// Print JSON lines: every turn
    #[arg(long)]
    json: bool,
}

impl SafetyArgs {
    /// Plays the games and prints the unsafe turns and their number.
    pub(super) fn run(&self, rules: &Connect6Rules) -> Result<()> {
        ensure!(self.positions > 0, "--positions 0: expected at least 1");
        ensure!(self.nodes != Some(0), "--nodes 0: expected at least 1");
        let player = match self.nodes {
            Some(nodes) => Limits::with_nodes(nodes),
            None => Limits::with_move_time(Duration::from_millis(self.movetime)),
        };
        let settings = SafetySettings { player, solver: Duration::from_millis(self.solve) };
        let mut best = Best::new(TranspositionTable::new(16)?, 1);
        let (mut open, mut unsafe_turns, mut lost, mut games) = (0, 0, 0, 0);
        let mut out = stdout().lock();
        for opening in read_openings::<Connect6>(&self.openings, rules)? {
            if open >= self.positions {
                break;
            }
            games += 1;
            let mut failed = Ok(());
            settings.play(&opening, &mut best, &mut |played| {
                let (word, other) = match played.safety {
                    Safety::Safe => ("safe", None),
                    Safety::Unsafe(other) => ("unsafe", Some(other.to_string())),
                    Safety::Lost => ("lost", None),
                };
                lost += u64::from(word == "lost");
                open += u64::from(word != "lost");
                unsafe_turns += u64::from(word == "unsafe");
                let (moves, turn) = (&played.moves, played.turn.to_string());
                let written = if self.json {
                    let row =
                        json!({ "moves": moves, "turn": turn, "safety": word, "other": other });
                    writeln!(out, "{row}")
                } else if let Some(other) = other {
                    writeln!(out, "startpos moves {moves}: {turn} loses, {other} does not")
                } else {
                    Ok(())
                };
                failed = written.and_then(|()| out.flush());
                failed.is_ok() && open < self.positions
            });
            failed?;
        }
        if !self.json {
            let share = 100.0 * unsafe_turns as f64 / (open.max(1)) as f64;
            writeln!(
                out,
                "{open} positions of {games} games, {unsafe_turns} unsafe turns ({share:.1}%); \
                 {lost} lost positions not counted"
            )?;
        }
        Ok(())
    }
}
