//! Games of an engine against itself, written to a file.

use super::games::{write_game, write_head};
use super::learner::{Learner, SelfPlayPlan};
use agon_tuning::selfplay::play_games;
use agon_tuning::shard::Numbers;
use anyhow::Result;
use std::fmt;
use std::io::Write;

/// The self-play statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    plies: u64,
    /// By result: the first player lost, drawn, won.
    results: [u64; 3],
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost, drawn, won] = self.results;
        write!(f, "{} plies: the first player won {won}, drew {drawn}, lost {lost}", self.plies)
    }
}

/// Plays the games with these numbers, `jobs` at a time, and writes them in order. `player` makes a player.
///
/// # Errors
/// Not enough memory for a player, or the output cannot be written.
pub fn play<L: Learner>(
    learner: &L,
    plan: SelfPlayPlan,
    games: Numbers,
    player: impl Fn() -> Result<L::Player> + Sync,
    jobs: usize,
    out: &mut impl Write,
) -> Result<Sum> {
    write_head(out, &L::MAGIC)?;
    let mut sum = Sum::default();
    play_games(
        games.count(),
        jobs,
        player,
        |player, index| learner.play(player, plan, games.number(index)),
        |game| {
            sum.plies += game.plies.len() as u64;
            sum.results[usize::from(game.result)] += 1;
            write_game(out, &game)
        },
    )?;
    Ok(sum)
}
