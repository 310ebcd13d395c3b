//! Static exchange evaluation (SEE): the gain of a capture when both sides continue to capture on
//! its square, always with the cheapest piece, and either may stop. Since moves add and remove
//! cannon screens and horse legs, attackers are recomputed after each capture. Pins are ignored.

use super::attacks;
use super::board::Position;
use super::lines::{along_file, along_rank, file, rank};
use super::moves::Move;
use agon_games::xiangqi::{Kind, SQUARES, tables};

/// Piece values in an exchange, in centipawns, in the order of [`Kind::ALL`].
pub const SEE_VALUES: [i32; 7] = [10_000, 200, 200, 110, 1000, 440, 470];

/// The same by piece code; 0 for an empty square.
static PIECE_VALUES: [i32; 16] = {
    let mut table = [0; 16];
    let mut piece = 0;
    while piece < 14 {
        table[piece] = SEE_VALUES[piece % 7];
        piece += 1;
    }
    table
};

impl Position {
    /// Whether the static exchange evaluation of a move is at least `threshold` centipawns.
    pub fn see_at_least(&self, m: Move, threshold: i32) -> bool {
        let (from, to) = (m.from(), m.to());
        // The margin of the side to capture over the value it needs.
        let mut balance = PIECE_VALUES[self.piece_at(to) & 15] - threshold;
        if balance < 0 {
            return false;
        }
        balance -= PIECE_VALUES[self.piece_at(from) & 15];
        if balance >= 0 {
            return true;
        }
        let mut exchange = Exchange {
            position: self,
            occupied: self.occupied() & !(1 << from) | 1 << to,
            on_rank: self.lines.rank_after(rank(to), from, to),
            on_file: self.lines.file_after(file(to), from, to),
            to,
        };
        let mut side = self.side;
        loop {
            side ^= 1;
            let Some((kind, square)) = exchange.cheapest(side) else { break };
            if kind == Kind::King && exchange.cheapest(side ^ 1).is_some() {
                break;
            }
            balance = -balance - 1 - SEE_VALUES[kind.index()];
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

/// The squares at most two files and two ranks away: the origins of captures by all kinds except
/// rooks and cannons.
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
    /// The pieces on the rank and on the file of the square.
    on_rank: u16,
    on_file: u16,
    to: usize,
}

impl Exchange<'_> {
    #[inline]
    fn remove(&mut self, square: usize) {
        self.occupied &= !(1 << square);
        self.on_rank &= !(u16::from(rank(square) == rank(self.to)) << file(square));
        self.on_file &= !(u16::from(file(square) == file(self.to)) << rank(square));
    }

    /// The cheapest piece of a side that can capture on the square.
    fn cheapest(&self, side: usize) -> Option<(Kind, usize)> {
        let (position, to) = (self.position, self.to);
        let own = position.side_pieces(side) & self.occupied & !(1 << to);
        let near = own & NEAR[to];
        let all = |kind: Kind| position.pieces(side, kind);
        let found =
            |kind: Kind, able: u128| (able != 0).then(|| (kind, able.trailing_zeros() as usize));
        // In the order of their values. The lines come second to last, and only if necessary.
        if near != 0 {
            let pawns = near & all(Kind::Pawn) & attacks::pawn_origins(side, to);
            if pawns != 0 {
                return found(Kind::Pawn, pawns);
            }
            let advisors = near & all(Kind::Advisor) & tables::advisor(to);
            if advisors != 0 {
                return found(Kind::Advisor, advisors);
            }
            let elephants = near & all(Kind::Elephant);
            if elephants != 0 {
                let elephants = elephants & tables::elephant(to, self.occupied);
                if elephants != 0 {
                    return found(Kind::Elephant, elephants);
                }
            }
            let horses = near & all(Kind::Horse) & tables::horse_pattern(to);
            if horses != 0 {
                let horses = horses & tables::horse_back(to, self.occupied);
                if horses != 0 {
                    return found(Kind::Horse, horses);
                }
            }
        }
        if (all(Kind::Cannon) | all(Kind::Rook)) & own & tables::LINES[to] != 0 {
            let line = self.line_attacker(side);
            if line.is_some() {
                return line;
            }
        }
        found(Kind::King, near & all(Kind::King) & tables::king(to))
    }

    /// The cannon, or else the rook, of a side that can capture along a line; on the lowest square
    /// if several.
    #[inline]
    fn line_attacker(&self, side: usize) -> Option<(Kind, usize)> {
        let to = self.to;
        let (f, r) = (file(to), rank(to));
        let [left, right, second_left, second_right] = along_rank(to, self.on_rank).ends();
        let [down, up, second_down, second_up] = along_file(to, self.on_file).ends();
        // All four at once: which one matches is unpredictable.
        let find = |kind: Kind, [down, left, right, up]: [usize; 4]| {
            let piece = 7 * side + kind.index();
            let ends = [9 * down + f, 9 * r + left, 9 * r + right, 9 * up + f];
            let mut found = 0u32;
            for (i, &s) in ends.iter().enumerate() {
                // A line that ends without a piece has the square itself as its end.
                found |= u32::from((s != to) & (self.position.piece_at(s) == piece)) << i;
            }
            (found != 0).then(|| (kind, ends[found.trailing_zeros() as usize & 3]))
        };
        find(Kind::Cannon, [second_down, second_left, second_right, second_up])
            .or_else(|| find(Kind::Rook, [down, left, right, up]))
    }
}
