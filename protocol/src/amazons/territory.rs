//! Counting a game that is over in all but name: no square can ever be reached by both sides, so
//! each plays alone until it has no move left.
//!
//! Every move fills one square, so a side's empty squares are the most moves it can have; moves that
//! were actually found, one after the other, are the least. Where the two leave a doubt about who
//! runs out first, nothing is claimed: the exact count is a hard problem (Buro 2000).

use super::Amazons;
use super::geometry::dilate;
use super::square::Squares;
use crate::game::{Outcome, Player};

/// The result of a position with separated territories, where counting decides it.
pub(super) fn certain_outcome(game: &Amazons) -> Option<Outcome> {
    if separate(game.amazons[0], game) & game.amazons[1] != 0 {
        return None;
    }
    let mover = game.side;
    let [own, other] = [mover, mover.opponent()].map(|p| bounds(game, p));
    // The mover runs out first unless it has more moves than the other.
    if own.0 > other.1 {
        Some(Outcome::Win(mover))
    } else if own.1 <= other.0 {
        Some(Outcome::Win(mover.opponent()))
    } else {
        None
    }
}

/// Everything that is connected with these squares by squares without an arrow.
fn separate(from: u128, game: &Amazons) -> u128 {
    spread(from, game.board() & !game.arrows)
}

/// What can be reached from a set inside `open`, by king steps; the set included.
fn spread(from: u128, open: u128) -> u128 {
    let mut reached = from;
    loop {
        let next = reached | dilate(reached) & open;
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// The least and the most moves that a player has alone in its territories.
fn bounds(game: &Amazons, player: Player) -> (u32, u32) {
    let mut amazons = game.amazons(player);
    let own = separate(amazons, game);
    let mut empty = own & game.empty;
    let most = empty.count_ones();
    let mut found = 0;
    while let Some((from, to)) = best_step(amazons, empty) {
        // A step, and the arrow back to where it began.
        amazons = amazons & !from | to;
        empty &= !to;
        found += 1;
    }
    (found, most)
}

/// The step after which most squares are still within reach; of equals, into the narrowest place.
fn best_step(amazons: u128, empty: u128) -> Option<(u128, u128)> {
    let mut best = None;
    for from in Squares(amazons) {
        let from = from.bit();
        for to in Squares(dilate(from) & empty) {
            let to = to.bit();
            let left = empty & !to;
            let reach = spread(amazons & !from | to, left) & left;
            let worth = (reach.count_ones(), 8 - (dilate(to) & left).count_ones());
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, (from, to)));
            }
        }
    }
    best.map(|(_, step)| step)
}
