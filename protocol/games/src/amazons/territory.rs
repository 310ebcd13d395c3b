//! Counts games with separated territories: both sides can no longer reach any common square, so
//! each plays alone until it has no move left.
//!
//! Every move fills one square, so a side's empty squares are an upper bound on its moves; the
//! length of a sequence of moves actually found is a lower bound. If the bounds do not show who
//! runs out of moves first, no result is claimed: the exact count is a hard problem (Buro 2000).

use super::Amazons;
use super::geometry::dilate;
use super::square::Squares;
use crate::game::{Outcome, Player};

/// The result of a position with separated territories, if counting decides it.
pub(super) fn certain_outcome(game: &Amazons) -> Option<Outcome> {
    if separate(game.amazons[0], game) & game.amazons[1] != 0 {
        return None;
    }
    let mover = game.side;
    let [own, other] = [mover, mover.opponent()].map(|p| bounds(game, p));
    // The side to move runs out first unless it has more moves than the opponent.
    if own.0 > other.1 {
        Some(Outcome::Win(mover))
    } else if own.1 <= other.0 {
        Some(Outcome::Win(mover.opponent()))
    } else {
        None
    }
}

/// The squares connected with these squares by squares without an arrow.
fn separate(from: u128, game: &Amazons) -> u128 {
    spread(from, game.board() & !game.arrows)
}

/// Flood fill of a set inside `open` by king steps, including the set.
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

/// Lower and upper bound on the moves that a player has in its own territories.
fn bounds(game: &Amazons, player: Player) -> (u32, u32) {
    let mut amazons = game.amazons(player);
    let own = separate(amazons, game);
    let mut empty = own & game.empty;
    let most = empty.count_ones();
    let mut found = 0;
    while let Some((from, to)) = best_step(amazons, empty) {
        // A step, then the arrow back to the origin.
        amazons = amazons & !from | to;
        empty &= !to;
        found += 1;
    }
    (found, most)
}

/// The step that keeps the most squares reachable; ties go to the narrowest square.
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
