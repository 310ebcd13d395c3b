//! The exact end: which side wins, from the moves that only it can make.
//!
//! A closed region of a side consists of empty points that are illegal for the opponent and whose neighbours are
//! the side's stones or points of the region. The opponent can never play there, and so never change it. A chain
//! of regions that share groups keeps one liberty: its owner can fill all points but one, whatever else is played,
//! and all of them if the groups have another liberty that the opponent can never fill. If they have no other
//! liberty at all, it can never fill more. The side that has at least as many such moves as its opponent, who is
//! to move, has moves in all, answers each and wins.

use agon_games::nogo::{BOARD, neighbours};

/// How many more moves one side can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovesLeft {
    /// At least so many, whatever the opponent plays.
    pub least: u32,
    /// At most so many.
    pub most: u32,
}

/// The moves left to the side with stones `own` in a position with these legal moves of both sides.
pub fn moves_left(own: u128, empty: u128, legal: u128, opponents: u128) -> MovesLeft {
    let barred = empty & !opponents;
    let closed = closed(own, barred);
    let outside = barred & !closed;
    let mut left = MovesLeft { least: 0, most: legal.count_ones() };
    let mut rest = closed;
    while rest != 0 {
        let chain = chain(rest & rest.wrapping_neg(), own | closed);
        let points = chain & closed;
        let other = neighbours(chain & own) & empty & !closed;
        let count = points.count_ones();
        left.least += count - u32::from(other & outside == 0);
        if other == 0 {
            left.most -= u32::from(points & !legal == 0);
        }
        rest &= !chain;
    }
    left
}

/// The points of `barred` in closed regions.
fn closed(own: u128, barred: u128) -> u128 {
    let mut closed = barred;
    loop {
        let kept = closed & !neighbours(BOARD & !(own | closed));
        if kept == closed {
            return closed;
        }
        closed = kept;
    }
}

/// The points of `within` that are connected with `seed`.
fn chain(seed: u128, within: u128) -> u128 {
    let mut chain = seed;
    loop {
        let grown = (chain | neighbours(chain)) & within;
        if grown == chain {
            return chain;
        }
        chain = grown;
    }
}

/// Whether the side to move, 0 or 1, wins, if counting shows it.
pub fn decided(stones: [u128; 2], legal: [u128; 2], mover: usize) -> Option<bool> {
    let other = mover ^ 1;
    if legal[mover] == 0 {
        return Some(false);
    }
    let empty = BOARD & !(stones[0] | stones[1]);
    let of = |side: usize| moves_left(stones[side], empty, legal[side], legal[side ^ 1]);
    let (ours, theirs) = (of(mover), of(other));
    // A point that both can play on is one move less for the opponent.
    let shared = legal[0] & legal[1] != 0;
    if ours.least > theirs.most || shared && ours.least + 1 >= theirs.most {
        return Some(true);
    }
    (theirs.least >= ours.most).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::{late_position, random_game, solve};
    use agon_games::nogo::{NoGo, Points};
    use agon_games::option::NoRules;
    use agon_games::{Game, Player};
    use std::collections::HashMap;

    /// The most moves that `side` can make if only it plays, by trying all orders.
    fn alone(game: &NoGo, side: Player, known: &mut HashMap<u64, u32>) -> u32 {
        if let Some(&most) = known.get(&game.hash()) {
            return most;
        }
        let mut best = 0;
        for m in Points(game.legal_for(side)) {
            let mut stones = Player::BOTH.map(|player| game.stones(player));
            stones[side.index()] |= m.bit();
            let next = NoGo::new(stones, side).expect("a legal move");
            best = best.max(1 + alone(&next, side, known));
        }
        known.insert(game.hash(), best);
        best
    }

    fn count(game: &NoGo, side: Player) -> MovesLeft {
        let [legal, opponents] = [side, side.opponent()].map(|player| game.legal_for(player));
        moves_left(game.stones(side), game.empty(), legal, opponents)
    }

    #[test]
    fn what_counting_decides_is_what_trying_all_moves_shows() {
        let (mut decided_positions, mut wins_seen) = (0, 0);
        for index in 0..400 {
            let moves = random_game(index);
            let mut game = NoGo::start(&NoRules);
            let late = moves.len().saturating_sub(16);
            for (ply, &m) in moves.iter().enumerate() {
                game.play(m);
                if ply < late {
                    continue;
                }
                let stones = Player::BOTH.map(|player| game.stones(player));
                let legal = Player::BOTH.map(|player| game.legal_for(player));
                let counted = decided(stones, legal, game.side_to_move().index());
                if let Some(wins) = counted
                    && let Some(solved) = solve(&game, &mut HashMap::new())
                {
                    assert_eq!(wins, solved, "{}", game.fen());
                    decided_positions += 1;
                    wins_seen += u32::from(wins);
                }
            }
        }
        assert!(decided_positions > 500 && wins_seen > 200, "{decided_positions} {wins_seen}");
    }

    #[test]
    fn no_side_makes_more_moves_than_counted_or_fewer() {
        for index in 0..60 {
            let game = late_position(index, 6);
            for side in Player::BOTH {
                let left = count(&game, side);
                let most = alone(&game, side, &mut HashMap::new());
                assert!(left.least <= most && most <= left.most, "{left:?} {most} {}", game.fen());
            }
        }
    }

    #[test]
    fn one_liberty_of_a_closed_chain_is_kept() {
        // X's two eyes share one group: one move. O has one eye: none.
        let game = NoGo::parse_fen("1X1XOOO2/XXXXO1O2/OOOOOOO2/9/9/9/9/9/9 x", &NoRules);
        let game = game.expect("a position");
        assert_eq!(count(&game, Player::First).least, 1);
    }
}
