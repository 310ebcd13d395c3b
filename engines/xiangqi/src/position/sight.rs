//! What the pieces can do to the two kings, found once a position, so that nearly every move's
//! question "is the own king safe after it?" and "does it give check?" is answered by a few bits.

use super::attacks;
use super::{EMPTY, Move, Position};
use agon_protocol::xiangqi::{Kind, tables};

/// The lines of sight to both kings of a position, as they concern the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// Squares whose being left by an own piece may open the own king.
    guards: u128,
    /// Squares that an own piece must not simply enter: it would be a screen for their cannon.
    screens: u128,
    /// By the kind of a piece, in the order of [`Kind::ALL`]: where it attacks their king.
    checks: [u128; 7],
    /// Squares whose being left or entered by an own piece may uncover an attack on their king.
    leaving: u128,
    entering: u128,
    /// The own king is in check: only moves that touch `cover` or leave `guards` can help, and of
    /// the king.
    in_check: bool,
    cover: u128,
}

/// What matters of a king's lines when `attackers` (cannons among them) stand against it: the
/// nearest two pieces each way, which may be blockers or screens, and the empty squares up to a cannon
/// that lacks a screen.
#[inline]
fn lines(position: &Position, king: usize, cannons: u128, straight: u128) -> [u128; 2] {
    if (cannons | straight) & tables::LINES[king] == 0 {
        return [0, 0];
    }
    let (slide, jump) = position.grid.straight(king);
    let occupied = position.occupied();
    let open = if slide & cannons != 0 { slide & !occupied } else { 0 };
    [slide & occupied | jump, open]
}

impl Sight {
    /// Looks at the kings of a position.
    #[inline]
    pub fn of(position: &Position) -> Sight {
        let us = position.side;
        let them = us ^ 1;
        let set = |side, kind| position.set(side, kind);
        let occupied = position.occupied();
        let own = position.king(us);
        let straight = set(them, Kind::Rook) | set(them, Kind::King);
        let [mut guards, screens] = lines(position, own, set(them, Kind::Cannon), straight);
        let near_horses = set(them, Kind::Horse) & tables::horse_pattern(own);
        if near_horses != 0 {
            guards |= tables::horse_legs(own);
        }
        let in_check = position.in_check;
        let mut cover = 0;
        if in_check {
            // To take what checks, or to stand in its way.
            let (slide, jump) = position.grid.straight(own);
            let pawns = attacks::pawns_back(them, own) & set(them, Kind::Pawn);
            cover = slide | jump | position.grid.over(own) | near_horses | pawns;
            cover |= tables::horse_legs(own);
        }
        let king = position.king(them);
        let (rooks, cannons) = (set(us, Kind::Rook), set(us, Kind::Cannon));
        let horses = set(us, Kind::Horse);
        let (slide, jump) = position.grid.straight(king);
        let straight = rooks | cannons | set(us, Kind::King);
        let mut leaving = 0;
        if straight & tables::LINES[king] != 0 {
            leaving = slide & occupied | jump;
        }
        if horses != 0 {
            leaving |= tables::horse_legs(king);
        }
        let entering = if slide & cannons != 0 { slide & !occupied } else { 0 };
        let mut checks = [0; 7];
        checks[Kind::Pawn.index()] = attacks::pawns_back(us, king);
        checks[Kind::Rook.index()] = slide;
        if horses != 0 {
            checks[Kind::Horse.index()] = tables::horse_back(king, occupied);
        }
        if cannons != 0 {
            checks[Kind::Cannon.index()] = jump | position.grid.over(king);
        }
        Sight { guards, screens, checks, leaving, entering, in_check, cover }
    }

    /// Whether a pseudo-legal move of the position leaves the mover's king safe.
    #[inline]
    pub fn is_safe(&self, position: &Position, m: Move) -> bool {
        let king = position.sets[7 * position.side];
        let from = 1u128 << m.from();
        if (self.guards | king) & from == 0 {
            if self.in_check {
                if self.cover >> m.to() & 1 == 0 {
                    return false;
                }
            } else if self.screens >> m.to() & 1 == 0 {
                return true;
            }
        }
        position.is_safe(m)
    }

    /// Whether a pseudo-legal move of the position gives check.
    #[inline]
    pub fn gives_check(&self, position: &Position, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if (self.leaving >> from | self.entering >> to) & 1 == 1 {
            return position.gives_check(m);
        }
        let piece = position.on(from);
        let kind = if piece < EMPTY { piece % 7 } else { 0 };
        self.checks[kind] >> to & 1 == 1
    }

    /// From where a piece of a kind attacks the king of the side that is not to move.
    #[inline]
    pub fn checks(&self, kind: Kind) -> u128 {
        self.checks[kind.index()]
    }
}
