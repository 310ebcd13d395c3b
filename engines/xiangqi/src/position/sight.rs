//! What the pieces can do to the two kings: whether a move leaves the own one safe, whether it gives check.
//!
//! Most moves have nothing to do with a king, which a look at two squares tells. For the others
//! only the king's lines and legs that the move touches are looked at, as they are after it.

use super::attacks::{self, Line, file, rank};
use super::{Move, Position};
use agon_protocol::xiangqi::{Kind, SQUARES, tables};

/// What a square is to a king on another: on its rank.
const RANK: u8 = 1;
/// On its file.
const FILE: u8 = 2;
/// The leg of horses that reach the king.
const LEG: u8 = 4;
/// From where a horse reaches the king.
const HORSE: u8 = 8;
/// Beside the king, or behind and before it: from where a pawn may reach it.
const BESIDE: u8 = 16;

/// By the king's square and another: what the other is to it.
static BUSINESS: [[u8; 128]; SQUARES] = {
    let mut table = [[0; 128]; SQUARES];
    let mut i = 0;
    while i < SQUARES * SQUARES {
        let (s, t) = (i / SQUARES, i % SQUARES);
        let (x, y) = ((s % 9).abs_diff(t % 9), (s / 9).abs_diff(t / 9));
        table[s][t] = match (x, y) {
            (0, 0) => 0,
            (0, 1) => FILE | BESIDE,
            (1, 0) => RANK | BESIDE,
            (0, _) => FILE,
            (_, 0) => RANK,
            (1, 1) => LEG,
            (1, 2) | (2, 1) => HORSE,
            _ => 0,
        };
        i += 1;
    }
    table
};

/// Attacks what it sees first on a line.
const STRAIGHT: u8 = 1;
/// Attacks what it sees second.
const OVER: u8 = 2;

/// By a side and a piece: how the piece attacks along lines for that side.
static ROLES: [[u8; 16]; 2] = {
    let mut table = [[0; 16]; 2];
    let mut side = 0;
    while side < 2 {
        table[side][7 * side + Kind::King.index()] = STRAIGHT;
        table[side][7 * side + Kind::Rook.index()] = STRAIGHT;
        table[side][7 * side + Kind::Cannon.index()] = OVER;
        side += 1;
    }
    table
};

impl Position {
    /// Whether a side's king is attacked, the other king's look included.
    #[inline]
    pub fn attacked(&self, side: usize) -> bool {
        let (king, by) = (self.king(side), side ^ 1);
        let (f, r) = (file(king), rank(king));
        let horses = self.set(by, Kind::Horse) & tables::horse_pattern(king);
        self.set(by, Kind::Pawn) & attacks::pawns_back(by, king) != 0
            || horses != 0 && horses & tables::horse_back(king, self.occupied()) != 0
            || self.attacked_from(self.grid.across(king), |f| 9 * r + f, by, Move::NONE)
            || self.attacked_from(self.grid.along(king), |r| 9 * r + f, by, Move::NONE)
    }

    /// Whether a pseudo-legal move leaves the mover's king safe.
    #[inline]
    pub fn is_safe(&self, m: Move) -> bool {
        let (king, them) = (self.king(self.side), self.side ^ 1);
        if self.in_check || king == m.from() {
            let king = if king == m.from() { m.to() } else { king };
            return !self.attacked_after(king, them, m);
        }
        self.stays_safe(m)
    }

    /// Whether a move of another piece than the king uncovers no attack on it.
    #[inline]
    fn stays_safe(&self, m: Move) -> bool {
        let (king, them) = (self.king(self.side), self.side ^ 1);
        let (left, entered) = (BUSINESS[king][m.from()], BUSINESS[king][m.to()]);
        let lines = left | entered;
        if lines & (RANK | FILE) | left & LEG == 0 {
            return true;
        }
        !(lines & RANK != 0 && self.attacked_across(king, them, m)
            || lines & FILE != 0 && self.attacked_along(king, them, m)
            || left & LEG != 0 && self.horses_attack(king, them, m))
    }

    /// Whether a pseudo-legal move gives check, the king of the side not to move not being in check.
    #[inline]
    pub fn gives_check(&self, m: Move) -> bool {
        let (king, us) = (self.king(self.side ^ 1), self.side);
        let (left, entered) = (BUSINESS[king][m.from()], BUSINESS[king][m.to()]);
        let lines = left | entered;
        if lines == 0 {
            return false;
        }
        let moved = self.on(m.from());
        let horse = if moved == 7 * us + Kind::Horse.index() { entered & HORSE } else { 0 };
        lines & RANK != 0 && self.attacked_across(king, us, m)
            || lines & FILE != 0 && self.attacked_along(king, us, m)
            || left & LEG | horse != 0 && self.horses_attack(king, us, m)
            || entered & BESIDE != 0
                && moved == 7 * us + Kind::Pawn.index()
                && attacks::pawns_back(us, king) >> m.to() & 1 == 1
    }

    /// Whether a square is attacked by a side after a move.
    fn attacked_after(&self, s: usize, by: usize, m: Move) -> bool {
        let pawns = self.set_after(7 * by + Kind::Pawn.index(), m);
        pawns & attacks::pawns_back(by, s) != 0
            || self.horses_attack(s, by, m)
            || self.attacked_across(s, by, m)
            || self.attacked_along(s, by, m)
    }

    /// The set of a piece after a move.
    #[inline]
    fn set_after(&self, piece: usize, m: Move) -> u128 {
        let come = 1u128 << m.to();
        let kept = self.sets[piece] & !(1u128 << m.from() | come);
        kept | if piece == self.on(m.from()) { come } else { 0 }
    }

    /// Whether horses of a side attack a square after a move.
    #[inline]
    fn horses_attack(&self, s: usize, by: usize, m: Move) -> bool {
        let horses = self.set_after(7 * by + Kind::Horse.index(), m);
        if horses & tables::horse_pattern(s) == 0 {
            return false;
        }
        let occupied = self.occupied() & !(1 << m.from()) | 1 << m.to();
        horses & tables::horse_back(s, occupied) != 0
    }

    /// Whether a side attacks a square along its rank after a move.
    #[inline(never)]
    fn attacked_across(&self, s: usize, by: usize, m: Move) -> bool {
        let r = rank(s);
        let line = attacks::across(s, self.grid.rank_after(r, m.from(), m.to()));
        self.attacked_from(line, |f| 9 * r + f, by, m)
    }

    /// Whether a side attacks a square along its file after a move.
    #[inline(never)]
    fn attacked_along(&self, s: usize, by: usize, m: Move) -> bool {
        let f = file(s);
        let line = attacks::along(s, self.grid.file_after(f, m.from(), m.to()));
        self.attacked_from(line, |r| 9 * r + f, by, m)
    }

    #[inline]
    fn attacked_from(
        &self,
        line: Line,
        square: impl Fn(usize) -> usize,
        by: usize,
        m: Move,
    ) -> bool {
        let moved = self.on(m.from());
        // Chosen by a mask: nobody can tell beforehand whether the move ends there.
        let role = |place| {
            let s = square(place);
            let there = self.on(s);
            let mask = usize::from(s == m.to()).wrapping_neg();
            ROLES[by & 1][(there ^ (there ^ moved) & mask) & 15]
        };
        let [down, up, second_down, second_up] = line.ends();
        (role(down) | role(up)) & STRAIGHT | (role(second_down) | role(second_up)) & OVER != 0
    }
}

/// Which moves can help a king in check: those that go to some squares or leave others.
#[derive(Clone, Copy, Debug)]
pub struct Cover {
    to: u128,
    from: u128,
    /// Whether all these moves, the king's apart, answer the check: there is only one.
    exact: bool,
}

impl Cover {
    fn of(position: &Position) -> Cover {
        let (us, them) = (position.side, position.side ^ 1);
        let king = position.king(us);
        let (f, r) = (file(king), rank(king));
        let (slide, jump) = position.grid.straight(king);
        let over = position.grid.over(king);
        let (mut checks, mut to, mut from) = (0, 0, 0);
        let pawns = position.set(them, Kind::Pawn) & attacks::pawns_back(them, king);
        let near = position.set(them, Kind::Horse) & tables::horse_pattern(king);
        let horses = near & tables::horse_back(king, position.occupied());
        attacks::each_of_few(pawns | horses, |s| {
            checks += 1;
            to |= attacks::bit(s);
            if horses & attacks::bit(s) != 0 {
                to |= attacks::bit(leg(king, s));
            }
        });
        let across = position.grid.across(king).ends().map(|f| 9 * r + f);
        let along = position.grid.along(king).ends().map(|r| 9 * r + f);
        for (way, first, second) in [
            (0, across[0], across[2]),
            (1, across[1], across[3]),
            (2, along[0], along[2]),
            (3, along[1], along[3]),
        ] {
            let role = |s| ROLES[them & 1][position.on(s) & 15];
            let way = WAYS[king][way];
            if role(first) & STRAIGHT != 0 {
                checks += 1;
                to |= slide & way;
            }
            if role(second) & OVER != 0 {
                // To take it, to be a second screen, or to be none.
                checks += 1;
                to |= (slide & !attacks::bit(first) | over) & way | attacks::bit(second);
                from |= attacks::bit(first);
            }
        }
        if checks > 1 {
            to = slide | jump | over | near | pawns | tables::horse_legs(king);
            from = slide & position.occupied();
        }
        Cover { to, from: from | position.sets[7 * us], exact: checks == 1 }
    }

    #[inline]
    fn may_help(&self, m: Move) -> bool {
        (self.from >> m.from() | self.to >> m.to()) & 1 == 1
    }

    /// Whether there is one check only, so that all these moves but the king's answer it.
    #[cfg(test)]
    pub(super) fn exact(&self) -> bool {
        self.exact
    }

    /// Whether any move from a square may help.
    #[inline]
    pub(super) fn may_leave(&self, from: usize) -> bool {
        self.from & attacks::bit(from) != 0
    }

    /// The squares to which any move may help.
    #[inline]
    pub(super) fn targets(&self) -> u128 {
        self.to
    }
}

/// The leg of a horse that attacks a king, beside the horse on the way: a step in either direction from the king.
#[inline]
fn leg(king: usize, horse: usize) -> usize {
    let up = if rank(horse) > rank(king) { king + 9 } else { king.saturating_sub(9) };
    if file(horse) > file(king) { up + 1 } else { up.saturating_sub(1) }
}

/// Answers for the moves of one position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sight(Option<Cover>);

impl Sight {
    /// Which moves can help, if the side to move is in check.
    #[inline]
    pub fn cover(&mut self, position: &Position) -> Option<&Cover> {
        if !position.in_check {
            return None;
        }
        Some(self.0.get_or_insert_with(|| Cover::of(position)))
    }

    /// Whether a pseudo-legal move gives check; `None` if it leaves the mover's king attacked.
    #[inline]
    pub fn check(&mut self, position: &Position, m: Move) -> Option<bool> {
        let safe = match self.cover(position) {
            None => position.is_safe(m),
            Some(cover) => {
                cover.may_help(m)
                    && if cover.exact && m.from() != position.king(position.side) {
                        position.stays_safe(m)
                    } else {
                        position.is_safe(m)
                    }
            }
        };
        safe.then(|| position.gives_check(m))
    }
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

/// By the kind of a piece, in the order of [`Kind::ALL`]: from where the side to move attacks the other's king.
#[inline]
pub fn checks(position: &Position) -> [u128; 8] {
    let us = position.side;
    let king = position.king(us ^ 1);
    let (slide, jump) = position.grid.straight(king);
    let mut checks = [0; 8];
    checks[Kind::Pawn.index()] = attacks::pawns_back(us, king);
    checks[Kind::Rook.index()] = slide;
    checks[Kind::Cannon.index()] = jump | position.grid.over(king);
    checks[Kind::Horse.index()] = tables::horse_back(king, position.occupied());
    checks
}

/// By a side and the other's king: from where pawns get to where they check.
static BEFORE: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    let mut i = 0;
    while i < 2 * SQUARES {
        let (side, king) = (i / SQUARES, i % SQUARES);
        let mut last = attacks::PAWNS_BACK[side][king];
        while last != 0 {
            table[side][king] |= attacks::PAWNS_BACK[side][last.trailing_zeros() as usize];
            last &= last - 1;
        }
        i += 1;
    }
    table
};

/// From where the side to move checks the king of the other.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// By the kind of a piece, in the order of [`Kind::ALL`]: where it attacks the king.
    checks: [u128; 8],
    /// Squares whose being left or entered by an own piece may uncover an attack on the king.
    leaving: u128,
    entering: u128,
    /// The rank and the file of the king.
    cross: u128,
    /// From where pawns get to where they check.
    before: u128,
}

impl Aim {
    /// Looks at the king of the side not to move, which is not in check.
    pub fn of(position: &Position) -> Aim {
        let us = position.side;
        let king = position.king(us ^ 1);
        let set = |kind| position.set(us, kind);
        let checks = checks(position);
        let (slide, jumped) = (checks[Kind::Rook.index()], checks[Kind::Cannon.index()]);
        let jump = jumped & position.occupied();
        let (cross, cannons) = (tables::LINES[king], set(Kind::Cannon));
        let straight = jump & (set(Kind::Rook) | set(Kind::King));
        let firsts = slide & position.occupied();
        // Behind two pieces, perhaps: either is one screen too many.
        let hidden = cannons & cross & !(slide | jumped);
        let (mut leaving, mut entering) = (0, 0);
        if straight | hidden | firsts & cannons != 0 {
            for way in WAYS[king] {
                if straight & way != 0 {
                    leaving |= firsts & way;
                }
                if hidden & way != 0 {
                    leaving |= (firsts | jump) & way;
                }
                if firsts & cannons & way != 0 {
                    // A screen between it and the king.
                    entering |= slide & way & !firsts;
                }
            }
        }
        if set(Kind::Horse) != 0 {
            leaving |= tables::horse_legs(king);
        }
        Aim { checks, leaving, entering, cross, before: BEFORE[us & 1][king] }
    }

    /// Whether any piece of a kind, of which these are the squares, may give check by a move.
    #[inline]
    pub fn concerns(&self, kind: Kind, pieces: u128) -> bool {
        let near = match kind {
            Kind::King | Kind::Advisor | Kind::Elephant => false,
            // A step on or aside from where it checks.
            Kind::Pawn => pieces & self.before != 0,
            _ => pieces != 0,
        };
        near || self.entering != 0 || self.leaving & pieces != 0
    }

    /// Where a piece of a kind on a square may give check by going.
    #[inline]
    pub fn may_check(&self, kind: Kind, from: usize) -> u128 {
        if self.leaving >> from & 1 == 1 {
            return u128::MAX;
        }
        let along = kind == Kind::Cannon && self.cross >> from & 1 == 1;
        self.checks[kind.index()] | self.entering | if along { self.cross } else { 0 }
    }
}
