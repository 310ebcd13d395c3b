//! Static exchange: what a capture gains when both sides go on capturing on its square, always
//! with the cheapest piece, and each may stop. Cannons come and go as screens do, horses' legs
//! open: attackers are found anew after each capture. Pins do not count.

use super::attacks::{self, file, rank};
use super::{Move, Position};
use agon_protocol::xiangqi::{Kind, SQUARES, tables};

/// What a piece is worth in an exchange, in hundredths of a pawn before the river, in the order of
/// [`Kind::ALL`].
pub const VALUES: [i32; 7] = [10_000, 200, 200, 110, 1000, 440, 470];

/// The same by piece; nothing for an empty square.
static PIECE_VALUES: [i32; 16] = {
    let mut table = [0; 16];
    let mut piece = 0;
    while piece < 14 {
        table[piece] = VALUES[piece % 7];
        piece += 1;
    }
    table
};

impl Position {
    /// Whether a move gains at least `threshold` by exchanges on its square.
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        let (from, to) = (m.from(), m.to());
        // What the side to capture is behind the threshold it needs.
        let mut balance = PIECE_VALUES[self.on(to) & 15] - threshold;
        if balance < 0 {
            return false;
        }
        balance -= PIECE_VALUES[self.on(from) & 15];
        if balance >= 0 {
            return true;
        }
        let mut exchange = Exchange {
            position: self,
            occupied: self.occupied() & !(1 << from) | 1 << to,
            across: self.grid.rank_after(rank(to), from, to),
            along: self.grid.file_after(file(to), from, to),
            to,
        };
        let mut side = self.side;
        loop {
            side ^= 1;
            let Some((kind, square)) = exchange.cheapest(side) else { break };
            if kind == Kind::King && exchange.cheapest(side ^ 1).is_some() {
                break;
            }
            balance = -balance - 1 - VALUES[kind.index()];
            if balance >= 0 {
                // The side that has just captured wins even if its piece is taken.
                side ^= 1;
                break;
            }
            exchange.remove(square);
        }
        // The side that cannot or will not capture has lost the exchange.
        side != self.side
    }
}

/// The squares at most two files and two ranks away: whoever is neither rook nor cannon comes from there.
static NEAR: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut i = 0;
    while i < SQUARES * SQUARES {
        let (s, t) = (i / SQUARES, i % SQUARES);
        if (s % 9).abs_diff(t % 9) <= 2 && (s / 9).abs_diff(t / 9) <= 2 && s != t {
            table[s] |= 1 << t;
        }
        i += 1;
    }
    table
};

struct Exchange<'p> {
    position: &'p Position,
    occupied: u128,
    /// What stands on the rank and the file of the square.
    across: u16,
    along: u16,
    to: usize,
}

impl Exchange<'_> {
    #[inline]
    fn remove(&mut self, square: usize) {
        self.occupied &= !(1 << square);
        self.across &= !(u16::from(rank(square) == rank(self.to)) << file(square));
        self.along &= !(u16::from(file(square) == file(self.to)) << rank(square));
    }

    /// The cheapest piece of a side that can take on the square.
    fn cheapest(&self, side: usize) -> Option<(Kind, usize)> {
        let (position, to) = (self.position, self.to);
        let own = position.pieces(side) & self.occupied & !(1 << to);
        let near = own & NEAR[to];
        let set = |kind: Kind| position.set(side, kind);
        let found =
            |kind: Kind, able: u128| (able != 0).then(|| (kind, able.trailing_zeros() as usize));
        // In the order of their values. The lines are looked at last but one, and only if need be.
        if near != 0 {
            let pawns = near & set(Kind::Pawn) & attacks::pawns_back(side, to);
            if pawns != 0 {
                return found(Kind::Pawn, pawns);
            }
            let advisors = near & set(Kind::Advisor) & tables::advisor(to);
            if advisors != 0 {
                return found(Kind::Advisor, advisors);
            }
            let elephants = near & set(Kind::Elephant);
            if elephants != 0 {
                let elephants = elephants & tables::elephant(to, self.occupied);
                if elephants != 0 {
                    return found(Kind::Elephant, elephants);
                }
            }
            let horses = near & set(Kind::Horse) & tables::horse_pattern(to);
            if horses != 0 {
                let horses = horses & tables::horse_back(to, self.occupied);
                if horses != 0 {
                    return found(Kind::Horse, horses);
                }
            }
        }
        if (set(Kind::Cannon) | set(Kind::Rook)) & own & tables::LINES[to] != 0 {
            let line = self.straight(side);
            if line.is_some() {
                return line;
            }
        }
        found(Kind::King, near & set(Kind::King) & tables::king(to))
    }

    /// The cannon, or else the rook, of a side that can take along a line; the one on the lowest square.
    #[inline]
    fn straight(&self, side: usize) -> Option<(Kind, usize)> {
        let to = self.to;
        let (f, r) = (file(to), rank(to));
        let [left, right, second_left, second_right] = attacks::across(to, self.across).ends();
        let [down, up, second_down, second_up] = attacks::along(to, self.along).ends();
        // All four at once: which of them it is nobody can tell beforehand.
        let find = |kind: Kind, [down, left, right, up]: [usize; 4]| {
            let piece = 7 * side + kind.index();
            let ends = [9 * down + f, 9 * r + left, 9 * r + right, 9 * up + f];
            let mut found = 0u32;
            for (i, &s) in ends.iter().enumerate() {
                // Where a line ends without a piece, its end is the square itself.
                found |= u32::from((s != to) & (self.position.on(s) == piece)) << i;
            }
            (found != 0).then(|| (kind, ends[found.trailing_zeros() as usize & 3]))
        };
        find(Kind::Cannon, [second_down, second_left, second_right, second_up])
            .or_else(|| find(Kind::Rook, [down, left, right, up]))
    }
}
