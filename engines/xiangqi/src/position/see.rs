//! Static exchange: what a capture gains when both sides go on capturing on its square, always
//! with the cheapest piece, and each may stop. Cannons come and go as screens do, horses' legs
//! open: attackers are found anew after each capture. Pins do not count.

use super::attacks::{self, Grid};
use super::{Move, Position};
use agon_protocol::xiangqi::{Kind, tables};

/// What a piece is worth in an exchange, in hundredths of a pawn before the river, in the order of
/// [`Kind::ALL`].
pub const VALUES: [i32; 7] = [10_000, 200, 200, 110, 1000, 440, 470];

/// The order in which pieces take.
const TAKING: [Kind; 7] =
    [Kind::Pawn, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Cannon, Kind::Rook, Kind::King];

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
        let (slide, jump) = self.grid.straight(self.to);
        TAKING.into_iter().find_map(|kind| {
            let pieces = self.position.set(side, kind) & own;
            if pieces == 0 {
                return None;
            }
            let from = pieces
                & match kind {
                    Kind::Pawn => attacks::pawns_back(side, self.to),
                    Kind::Horse => tables::horse_back(self.to, self.occupied),
                    Kind::Rook => slide,
                    Kind::Cannon => jump,
                    // Steps of these are the same both ways.
                    _ => attacks::step(side, kind, self.to, self.occupied),
                };
            (from != 0).then(|| (kind, from.trailing_zeros() as usize))
        })
    }
}
