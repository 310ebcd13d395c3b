//! Check squares: the squares from which the side to move attacks the other king, directly or by
//! discovery; and the squares on which quiet moves gain or lose something at once: those that give
//! check, and those attacked by less valuable enemy pieces.

use super::attacks::{self, for_each_of_few, player};
use super::board::Position;
use super::lines::RAYS;
use agon_games::xiangqi::{Kind, SQUARES, tables};

/// The squares from which the side to move attacks the other king, by kind of piece in the order of
/// [`Kind::ALL`].
#[inline]
pub(super) fn direct_check_squares(position: &Position) -> [u128; 8] {
    let us = position.side;
    let king = position.king(us ^ 1);
    let (slide, captures) = position.lines.rook_and_cannon(king);
    let mut checks = [0; 8];
    checks[Kind::Pawn.index()] = attacks::pawn_origins(us, king);
    checks[Kind::Rook.index()] = slide;
    checks[Kind::Cannon.index()] = captures | position.lines.behind_screen(king);
    checks[Kind::Horse.index()] = tables::horse_back(king, position.occupied());
    checks
}

/// The squares from which a pawn reaches a checking square in one step, by side and enemy king.
static PAWN_CHECK_ORIGINS: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    let mut i = 0;
    while i < 2 * SQUARES {
        let (side, king) = (i / SQUARES, i % SQUARES);
        let mut last = attacks::PAWN_ORIGINS[side][king];
        while last != 0 {
            table[side][king] |= attacks::PAWN_ORIGINS[side][last.trailing_zeros() as usize];
            last &= last - 1;
        }
        i += 1;
    }
    table
};

/// The squares where the side to move can check the other king.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckSquares {
    /// See [`direct_check_squares`].
    direct: [u128; 8],
    /// Squares that an own piece may leave to discover a check.
    discovering: u128,
    /// Squares that an own piece may enter to become a cannon's screen.
    screens: u128,
    /// The rank and the file of the king.
    king_lines: u128,
    pawn_origins: u128,
}

impl CheckSquares {
    /// The check squares of the king of the side not to move, which is not in check.
    pub fn of(position: &Position) -> CheckSquares {
        let us = position.side;
        let king = position.king(us ^ 1);
        let own = |kind| position.pieces(us, kind);
        let direct = direct_check_squares(position);
        let (slide, over) = (direct[Kind::Rook.index()], direct[Kind::Cannon.index()]);
        let second = over & position.occupied();
        let (king_lines, cannons) = (tables::LINES[king], own(Kind::Cannon));
        let behind_one = second & (own(Kind::Rook) | own(Kind::King));
        let firsts = slide & position.occupied();
        // Cannons behind two pieces, one of which is a surplus screen.
        let behind_two = cannons & king_lines & !(slide | over);
        let (mut discovering, mut screens) = (0, 0);
        if behind_one | behind_two | firsts & cannons != 0 {
            for ray in RAYS[king] {
                if behind_one & ray != 0 {
                    discovering |= firsts & ray;
                }
                if behind_two & ray != 0 {
                    discovering |= (firsts | second) & ray;
                }
                if firsts & cannons & ray != 0 {
                    screens |= slide & ray & !firsts;
                }
            }
        }
        if own(Kind::Horse) != 0 {
            discovering |= tables::horse_legs(king);
        }
        let pawn_origins = PAWN_CHECK_ORIGINS[us & 1][king];
        CheckSquares { direct, discovering, screens, king_lines, pawn_origins }
    }

    /// Whether any of a kind's pieces, given by their squares, may give check.
    #[inline]
    pub fn may_give_check(&self, kind: Kind, pieces: u128) -> bool {
        let directly = match kind {
            Kind::King | Kind::Advisor | Kind::Elephant => false,
            Kind::Pawn => pieces & self.pawn_origins != 0,
            _ => pieces != 0,
        };
        directly || self.screens != 0 || self.discovering & pieces != 0
    }

    /// The squares to which a piece of a kind may move to give check.
    #[inline]
    pub fn targets(&self, kind: Kind, from: usize) -> u128 {
        if self.discovering >> from & 1 == 1 {
            return u128::MAX;
        }
        let along = kind == Kind::Cannon && self.king_lines >> from & 1 == 1;
        self.direct[kind.index()] | self.screens | if along { self.king_lines } else { 0 }
    }
}

/// The threats in a position, by kind of the own piece in the order of [`Kind::ALL`].
#[derive(Clone, Copy, Debug)]
pub struct ThreatSquares {
    /// The squares from which a piece of the kind gives check directly.
    pub checks: [u128; 8],
    /// The squares where a piece of the kind is attacked by a less valuable piece.
    pub attacked: [u128; 8],
}

impl ThreatSquares {
    /// The threats for the side to move.
    pub fn of(position: &Position) -> ThreatSquares {
        let (them, occupied) = (position.side ^ 1, position.occupied());
        let theirs = |kind| position.pieces(them, kind);
        let mut attacked = tables::pawns(player(them), theirs(Kind::Pawn));
        for_each_of_few(theirs(Kind::Advisor), |s| attacked |= tables::advisor(s));
        for_each_of_few(theirs(Kind::Elephant), |s| attacked |= tables::elephant(s, occupied));
        let mut threats =
            ThreatSquares { checks: direct_check_squares(position), attacked: [0; 8] };
        threats.attacked[Kind::Cannon.index()] = attacked;
        threats.attacked[Kind::Horse.index()] = attacked;
        for_each_of_few(theirs(Kind::Horse), |s| attacked |= tables::horse(s, occupied));
        for_each_of_few(theirs(Kind::Cannon), |s| attacked |= position.lines.cannon(s).0);
        threats.attacked[Kind::Rook.index()] = attacked;
        threats
    }
}
