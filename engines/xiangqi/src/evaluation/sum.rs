//! The weighted sum of the terms that [`terms`](super::terms()) counts, for playing. The code
//! repeats the terms so that the compiler sees each table and each side separately; a test ensures
//! that both agree.

use super::layout::Group;
use super::psqt::{PAIRS, Pair};
use crate::position::Position;
use crate::position::attacks::{self, for_each_of_few};
use crate::position::lines::{LineView, file, rank};
use agon_protocol::xiangqi::{FILE_I, Kind, RED_HALF, SQUARES, tables};

/// The first `N` weights of a group; if it has fewer, its last one is repeated.
const fn weights<const N: usize>(group: Group) -> [Pair; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        let last = group.size() - 1;
        table[i] = PAIRS[group.first() + if i < last { i } else { last }];
        i += 1;
    }
    table
}

static ROOK_REACH: [Pair; 32] = weights(Group::RookReach);
static CANNON_REACH: [Pair; 32] = weights(Group::CannonReach);
static HORSE_REACH: [Pair; 16] = weights(Group::HorseReach);
static PALACE_HITS: [Pair; 64] = weights(Group::PalaceHits);
static PALACE_HITTERS: [Pair; 8] = weights(Group::PalaceHitters);
static CANNON_LINE: [[Pair; 8]; 2] = [weights(Group::CannonFile), weights(Group::CannonRank)];
static ROOK_LINE: [[Pair; 8]; 2] = [weights(Group::RookFile), weights(Group::RookRank)];
const LINKED: Pair = weights::<1>(Group::LinkedPawns)[0];

/// The value of a threat by side, attacker (pawn, rook, horse, cannon) and attacked piece; 0 for
/// kings, own pieces and empty squares.
static THREATS: [[[Pair; 16]; 4]; 2] = {
    let mut table = [[[0; 16]; 4]; 2];
    let mut i = 0;
    while i < 2 * 4 * 7 {
        let (side, attacker, kind) = (i / 28, i / 7 % 4, i % 7);
        if kind != 0 {
            table[side][attacker][7 * (1 - side) + kind] =
                PAIRS[Group::Threat.first() + 6 * attacker + kind - 1];
        }
        i += 1;
    }
    table
};

/// By side and square, the part of the square's lines in the enemy palace: the files of its rank,
/// and from bit 16 the ranks of its file.
static PALACE_LINES: [[u32; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    let mut i = 0;
    while i < 2 * SQUARES {
        let (side, s) = (i / SQUARES, i % SQUARES);
        let first = if side == 0 { 7 } else { 0 };
        let (f, r) = (s % 9, s / 9);
        if r >= first && r < first + 3 {
            table[side][s] |= 0b111 << 3;
        }
        if f >= 3 && f < 6 {
            table[side][s] |= 0b111 << (16 + first);
        }
        i += 1;
    }
    table
};

/// The value of a side's material terms, and the addition for each piece on the board beyond 16;
/// indexed as in [`Side::material`].
static MATERIAL: [[Pair; 2]; 2048] = {
    const NO_ADVISORS: [Pair; 4] = weights(Group::NoAdvisors);
    const NO_ELEPHANTS: [Pair; 4] = weights(Group::NoElephants);
    const BOTH: [Pair; 4] = weights(Group::Both);
    const CROWD: [Pair; 2] = weights(Group::Crowd);
    let mut table = [[0; 2]; 2048];
    let mut i = 0;
    while i < 27 * 9 * 6 {
        let [rooks, horses, cannons] = [i / 486, i / 162 % 3, i / 54 % 3];
        let own = [rooks, horses, cannons, i % 6];
        let one = if horses > 0 && cannons > 0 { 1 } else { 0 };
        let both = [rooks / 2, horses / 2, cannons / 2, one];
        let mut k = 0;
        while k < 4 {
            let lacking = NO_ADVISORS[k] * (2 - i / 18 % 3) + NO_ELEPHANTS[k] * (2 - i / 6 % 3);
            table[i as usize][0] += lacking * own[k] + BOTH[k] * both[k];
            k += 1;
        }
        table[i as usize][1] = CROWD[0] * horses + CROWD[1] * cannons;
        i += 1;
    }
    table
};

/// Black's palace relative to its first file and rank; Red's is the same, shifted down.
const PALACE: u32 = 0b111 << 3 | 0b111 << 12 | 0b111 << 21;
const PALACE_SHIFT: u32 = 63;

/// The value of a side's terms.
#[inline(never)]
pub(super) fn side(position: &Position, own: usize) -> Pair {
    let own = own & 1;
    let side = Side {
        own,
        position,
        king: {
            let king = position.king(own ^ 1);
            (file(king), rank(king))
        },
    };
    let mut sum = 0;
    let mut hits = Hits::default();
    let lines = position.lines();
    for_each_of_few(position.pieces(own, Kind::Rook), |s| {
        let (x, y) = (lines.along_rank(s), lines.along_file(s));
        sum += ROOK_REACH[(x.free() + y.free()) & 31];
        hits.add((u32::from(x.slide) | u32::from(y.slide) << 16) & PALACE_LINES[own][s]);
        let ([left, right, ..], [down, up, ..]) = (x.ends(), y.ends());
        sum += side.line_threats(1, s, [left, right, down, up]) + side.line(s, &ROOK_LINE);
    });
    for_each_of_few(position.pieces(own, Kind::Cannon), |s| {
        let (x, y) = (lines.along_rank(s), lines.along_file(s));
        sum += CANNON_REACH[(x.free() + y.free()) & 31];
        let attacks = |line: LineView| u32::from(line.cannon_captures | line.behind_screen());
        hits.add((attacks(x) | attacks(y) << 16) & PALACE_LINES[own][s]);
        let ([.., left, right], [.., down, up]) = (x.ends(), y.ends());
        sum += side.line_threats(3, s, [left, right, down, up]) + side.line(s, &CANNON_LINE);
    });
    let (pieces, occupied) = (position.side_pieces(own), position.occupied());
    for_each_of_few(position.pieces(own, Kind::Horse), |s| {
        let reach = tables::horse(s, occupied);
        let open = reach & !pieces;
        let free = (open as u64).count_ones() + ((open >> 64) as u64).count_ones();
        hits.add((reach >> if own == 0 { PALACE_SHIFT } else { 0 }) as u32 & PALACE);
        sum += HORSE_REACH[free as usize & 15] + side.threats(2, reach);
    });
    sum += PALACE_HITS[hits.squares as usize & 63] + PALACE_HITTERS[hits.pieces as usize & 7];
    sum + side.pawns_and_material()
}

/// The squares of the enemy palace under attack, and the number of attackers.
#[derive(Default)]
struct Hits {
    squares: u32,
    pieces: u32,
}

impl Hits {
    /// Adds one piece that attacks these squares of the palace.
    #[inline]
    fn add(&mut self, squares: u32) {
        self.squares += squares.count_ones();
        self.pieces += u32::from(squares != 0);
    }
}

struct Side<'p> {
    own: usize,
    position: &'p Position,
    /// File and rank of the enemy king.
    king: (usize, usize),
}

impl Side<'_> {
    #[inline]
    fn threat(&self, attacker: usize, s: usize) -> Pair {
        THREATS[self.own][attacker][self.position.piece_at(s) & 15]
    }

    /// The squares that a piece attacks at the ends of its lines: two files of its rank, two ranks
    /// of its file.
    #[inline]
    fn line_threats(&self, attacker: usize, s: usize, ends: [usize; 4]) -> Pair {
        let [left, right, down, up] = ends;
        let (f, row) = (file(s), 9 * rank(s));
        let [left, right] = [left, right].map(|f| self.threat(attacker, row + f));
        let [down, up] = [down, up].map(|r| self.threat(attacker, 9 * r + f));
        left + right + down + up
    }

    #[inline]
    fn threats(&self, attacker: usize, reach: u128) -> Pair {
        let mut sum = 0;
        for_each_of_few(reach & self.position.side_pieces(self.own ^ 1), |s| {
            sum += self.threat(attacker, s)
        });
        sum
    }

    /// A rook or cannon in line with the enemy king.
    #[inline]
    fn line(&self, s: usize, weights: &[[Pair; 8]; 2]) -> Pair {
        let lines = self.position.lines();
        let (f, r) = (file(s), rank(s));
        let (king_file, king_rank) = self.king;
        if f == king_file {
            weights[0][between(lines.file(f), r, king_rank)]
        } else if r == king_rank {
            weights[1][between(lines.rank(r), f, king_file)]
        } else {
            0
        }
    }

    #[inline]
    fn pawns_and_material(&self) -> Pair {
        let pawns = self.position.pieces(self.own, Kind::Pawn);
        let crossed = pawns & if self.own == 0 { !RED_HALF } else { RED_HALF };
        if crossed == 0 {
            return self.material(0);
        }
        let linked = (crossed & !FILE_I) << 1 & crossed;
        LINKED * linked.count_ones() as i32
            + self.threats(0, tables::pawns(attacks::player(self.own), crossed))
            + self.material(crossed.count_ones() as i32)
    }

    /// The material terms: pairs of pieces, crowding, and attackers against missing guards.
    #[inline]
    fn material(&self, crossed: i32) -> Pair {
        let own = |kind| self.position.count(self.own, kind);
        let theirs = |kind| self.position.count(self.own ^ 1, kind);
        let officers = 9 * own(Kind::Rook) + 3 * own(Kind::Horse) + own(Kind::Cannon);
        let guards = 3 * theirs(Kind::Advisor) + theirs(Kind::Elephant);
        let index = 54 * officers + 6 * guards + crossed;
        let [value, crowded] = MATERIAL[index as usize & (MATERIAL.len() - 1)];
        value + crowded * (self.position.piece_count() as i32 - 16)
    }
}

/// The number of pieces strictly between two squares of a line, at most seven.
#[inline]
pub(super) fn between(line: u16, a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    let inner = ((1u32 << high) - 1) & !((2u32 << low) - 1);
    (u32::from(line) & inner).count_ones().min(7) as usize
}
