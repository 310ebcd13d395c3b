//! What the pieces can do to the two kings, found once a position, so that nearly every move's
//! question "is the own king safe after it?" and "does it give check?" is answered by a few bits.

use super::attacks;
use super::{Move, Position};
use agon_protocol::xiangqi::{Kind, SQUARES, tables};

/// The lines of sight to both kings of a position, as they concern the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Sight {
    /// Squares whose being left by an own piece may open the own king.
    guards: u128,
    /// Squares that an own piece must not simply enter: it would be a screen for their cannon.
    screens: u128,
    /// By the kind of a piece, in the order of [`Kind::ALL`]: where it attacks their king.
    checks: [u128; 8],
    /// Squares whose being left or entered by an own piece may uncover an attack on their king.
    leaving: u128,
    entering: u128,
    /// The rank and the file of their king.
    cross: u128,
    /// The own king is in check: only moves that touch `cover` or leave `guards` can help, and of
    /// the king.
    in_check: bool,
    cover: u128,
}

/// The squares on each of a square's four ways to the edge.
static WAYS: [[u128; 4]; SQUARES] = {
    let mut table = [[0; 4]; SQUARES];
    let mut i = 0;
    while i < SQUARES * SQUARES {
        let (s, t) = (i / SQUARES, i % SQUARES);
        let same_file = s % 9 == t % 9;
        if s != t && (same_file || s / 9 == t / 9) {
            table[s][2 * (same_file as usize) + (t > s) as usize] |= 1 << t;
        }
        i += 1;
    }
    table
};

/// The lines to a king, which is not in check, on which rooks and cannons stand against it: the pieces
/// whose leaving may let one of them through, and the empty squares up to a cannon that lacks a screen.
/// `straight`: what attacks along an open line.
#[inline]
fn lines(seen: &Seen, king: usize, cannons: u128, straight: u128) -> [u128; 2] {
    let Seen { slide, jump, over, occupied } = *seen;
    let firsts = slide & occupied;
    let hidden = cannons & tables::LINES[king] & !(slide | jump | over);
    if jump & straight | hidden | firsts & cannons == 0 {
        return [0, 0];
    }
    let (mut blockers, mut open) = (0, 0);
    for way in WAYS[king] {
        if jump & straight & way != 0 {
            blockers |= firsts & way;
        }
        if hidden & way != 0 {
            // Perhaps behind two pieces, either of which is one screen too many.
            blockers |= (firsts | jump) & way;
        }
        if firsts & cannons & way != 0 {
            open |= slide & way & !firsts;
        }
    }
    [blockers, open]
}

/// A king's rank and file, as [`attacks::Line`] says.
struct Seen {
    slide: u128,
    jump: u128,
    over: u128,
    occupied: u128,
}

impl Seen {
    #[inline]
    fn from(position: &Position, king: usize, cannons: u128) -> Seen {
        let grid = &position.grid;
        let (slide, jump) = grid.straight(king);
        let over = if cannons & tables::LINES[king] != 0 { grid.over(king) } else { 0 };
        Seen { slide, jump, over, occupied: position.occupied() }
    }
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
        let in_check = position.in_check;
        let near_horses = set(them, Kind::Horse) & tables::horse_pattern(own);
        let [mut guards, mut screens, mut cover] = [0, 0, 0];
        let against = set(them, Kind::Cannon);
        if in_check {
            // To take what checks, or to stand in its way.
            let seen = Seen::from(position, own, u128::MAX);
            guards = seen.slide & occupied | seen.jump;
            let pawns = attacks::pawns_back(them, own) & set(them, Kind::Pawn);
            cover = seen.slide | seen.jump | seen.over | near_horses | pawns;
            cover |= tables::horse_legs(own);
        } else if (against | straight) & tables::LINES[own] != 0 {
            let seen = Seen::from(position, own, against);
            [guards, screens] = lines(&seen, own, against, straight);
        }
        if near_horses != 0 {
            guards |= tables::horse_legs(own);
        }
        let king = position.king(them);
        let (rooks, cannons) = (set(us, Kind::Rook), set(us, Kind::Cannon));
        let horses = set(us, Kind::Horse);
        let cross = tables::LINES[king];
        let seen = Seen::from(position, king, u128::MAX);
        let [mut leaving, entering] = lines(&seen, king, cannons, rooks | set(us, Kind::King));
        let mut checks = [0; 8];
        checks[Kind::Pawn.index()] = attacks::pawns_back(us, king);
        checks[Kind::Rook.index()] = seen.slide;
        checks[Kind::Cannon.index()] = seen.jump | seen.over;
        if horses != 0 {
            leaving |= tables::horse_legs(king);
            checks[Kind::Horse.index()] = tables::horse_back(king, occupied);
        }
        Sight { guards, screens, checks, leaving, entering, cross, in_check, cover }
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
        let kind = (position.on(from) % 7) & 7;
        if kind == Kind::Cannon.index() && self.cross >> from & self.cross >> to & 1 == 1 {
            // It may be the screen itself, or come behind one.
            return position.gives_check(m);
        }
        self.checks[kind] >> to & 1 == 1
    }

    /// Where the piece on a square may give check by going.
    #[inline]
    pub fn may_check(&self, position: &Position, from: usize) -> u128 {
        if self.leaving >> from & 1 == 1 {
            return u128::MAX;
        }
        let kind = (position.on(from) % 7) & 7;
        let along = kind == Kind::Cannon.index() && self.cross >> from & 1 == 1;
        self.checks[kind] | self.entering | if along { self.cross } else { 0 }
    }

    /// From where a piece of a kind attacks the king of the side that is not to move.
    #[inline]
    pub fn checks(&self, kind: Kind) -> u128 {
        self.checks[kind.index()]
    }
}

/// A [`Sight`] that is looked for when it is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct LazySight(Option<Sight>);

impl LazySight {
    /// The sight itself.
    #[inline]
    pub fn get(&mut self, position: &Position) -> &Sight {
        self.0.get_or_insert_with(|| Sight::of(position))
    }

    /// Whether a pseudo-legal move gives check; `None` if it leaves the mover's king attacked.
    #[inline]
    pub fn check(&mut self, position: &Position, m: Move) -> Option<bool> {
        let sight = self.get(position);
        sight.is_safe(position, m).then(|| sight.gives_check(position, m))
    }
}
