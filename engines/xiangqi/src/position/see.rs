//! Static exchange: what a capture gains when both sides go on capturing on its square, always
//! with the cheapest piece, and each may stop. Cannons come and go as screens do, horses' legs
//! open: attackers are found anew after each capture. Pins do not count.

use super::attacks::{self, Grid};
use super::{Move, Position};
use agon_protocol::xiangqi::{Kind, SQUARES, tables};

/// What a piece is worth in an exchange, in hundredths of a pawn before the river, in the order of
/// [`Kind::ALL`].
pub const VALUES: [i32; 7] = [10_000, 200, 200, 110, 1000, 440, 470];

impl Position {
    /// Whether a move gains at least `threshold` by exchanges on its square.
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        let (from, to) = (m.from(), m.to());
        let value = |piece: usize| super::split(piece).map_or(0, |p| VALUES[p.1.index()]);
        // What the side to capture is behind the threshold it needs.
        let mut balance = value(self.on(to)) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= value(self.on(from));
        if balance >= 0 {
            return true;
        }
        let mut exchange = Exchange {
            position: self,
            occupied: self.occupied() & !(1 << from) | 1 << to,
            grid: self.grid.after(from, to),
            to,
        };
        let mut side = self.side;
        loop {
            side ^= 1;
            let Some((kind, square)) = exchange.cheapest(side) else { break };
            if kind == Kind::King && exchange.cheapest(side ^ 1).is_some() {
                break;
            }
            exchange.remove(square);
            balance = -balance - 1 - VALUES[kind.index()];
            if balance >= 0 {
                // The side that has just captured wins even if its piece is taken.
                side ^= 1;
                break;
            }
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
    grid: Grid,
    to: usize,
}

impl Exchange<'_> {
    fn remove(&mut self, square: usize) {
        self.occupied &= !(1 << square);
        self.grid.toggle(square);
    }

    /// The cheapest piece of a side that can take on the square.
    fn cheapest(&self, side: usize) -> Option<(Kind, usize)> {
        let own = self.position.pieces(side) & self.occupied & !(1 << self.to);
        let able = |kind: Kind, from: u128| {
            let from = self.position.set(side, kind) & own & from;
            (from != 0).then(|| (kind, from.trailing_zeros() as usize))
        };
        let step = |kind| attacks::step(side, kind, self.to, self.occupied);
        // In the order of their values. The lines are looked at last but one, and only if need be.
        let close = own & NEAR[self.to] != 0;
        if close {
            let found = able(Kind::Pawn, attacks::pawns_back(side, self.to))
                .or_else(|| able(Kind::Advisor, step(Kind::Advisor)))
                .or_else(|| able(Kind::Elephant, step(Kind::Elephant)))
                .or_else(|| able(Kind::Horse, tables::horse_back(self.to, self.occupied)));
            if found.is_some() {
                return found;
            }
        }
        let far = self.position.set(side, Kind::Cannon) | self.position.set(side, Kind::Rook);
        if far & own & tables::LINES[self.to] != 0 {
            let (slide, jump) = self.grid.straight(self.to);
            let found = able(Kind::Cannon, jump).or_else(|| able(Kind::Rook, slide));
            if found.is_some() {
                return found;
            }
        }
        if close { able(Kind::King, step(Kind::King)) } else { None }
    }
}
