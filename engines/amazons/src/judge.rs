//! What the search is told about Amazons: static values, the numbering of moves, and their two
//! stages, the amazon's step and then the arrow.

use agon_protocol::Player;
use agon_protocol::amazons::{Amazons, AmazonsMove, Square, Squares};
use agon_search::guide::{Evaluator, Hints, Stages};
use std::ops::ControlFlow;

/// Squares have bit numbers below this.
const SQUARES: usize = 128;

/// The evaluation of a search thread.
#[derive(Clone, Debug, Default)]
pub struct Judge;

impl Judge {
    /// The difference of the squares that each side's amazons reach in one move.
    fn mobility(amazons: [u128; 2], empty: u128) -> i32 {
        let reach = amazons.map(|set| {
            Squares(set).fold(0u128, |all, from| {
                all | agon_protocol::amazons::geometry::queen_reach(from, !empty)
            })
        });
        100 * (reach[0].count_ones() as i32 - reach[1].count_ones() as i32)
    }
}

impl Evaluator<Amazons> for Judge {
    fn evaluate(&mut self, game: &Amazons) -> i32 {
        let value = Judge::mobility(Player::BOTH.map(|player| game.amazons(player)), game.empty());
        if game.side_to_move() == Player::First { value } else { -value }
    }
}

impl Hints<Amazons> for Judge {
    const HISTORY_KEYS: [usize; 2] = [SQUARES * SQUARES, SQUARES];

    fn history_keys(m: AmazonsMove) -> [usize; 2] {
        [Judge::part_key((m.from, m.to)), m.arrow.index() & (SQUARES - 1)]
    }

    fn pack(m: AmazonsMove) -> u32 {
        (m.from.index() << 16 | m.to.index() << 8 | m.arrow.index()) as u32
    }

    fn unpack(bits: u32) -> Option<AmazonsMove> {
        let square = |shift: u32| {
            let bit = bits >> shift & 255;
            (bit < SQUARES as u32).then(|| Square::from_bit(bit))
        };
        Some(AmazonsMove { from: square(16)?, to: square(8)?, arrow: square(0)? })
    }
}

impl Stages<Amazons> for Judge {
    /// Where an amazon comes from and where it goes.
    type Part = (Square, Square);

    fn visit_parts<B>(
        game: &Amazons,
        visit: &mut impl FnMut((Square, Square)) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Squares(game.amazons(game.side_to_move())).try_for_each(|from| {
            Squares(game.amazon_targets(from)).try_for_each(|to| visit((from, to)))
        })
    }

    fn visit_rest<B>(
        game: &Amazons,
        (from, to): (Square, Square),
        visit: &mut impl FnMut(AmazonsMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Squares(game.arrow_targets(from, to))
            .try_for_each(|arrow| visit(AmazonsMove { from, to, arrow }))
    }

    fn evaluate_part(&mut self, game: &Amazons, (from, to): (Square, Square)) -> i32 {
        let mover = game.side_to_move();
        let moved = game.amazons(mover) ^ from.bit() ^ to.bit();
        let empty = game.empty() ^ from.bit() ^ to.bit();
        Judge::mobility([moved, game.amazons(mover.opponent())], empty)
    }

    #[inline]
    fn part_key((from, to): (Square, Square)) -> usize {
        (from.index() & (SQUARES - 1)) << 7 | to.index() & (SQUARES - 1)
    }
}
