//! Counts the terms of a position, for fitting their weights.

use super::layout::{Group, psqt_index};
use crate::position::Position;
use crate::position::attacks::{self, for_each};
use crate::position::lines::{file, rank};
use agon_protocol::xiangqi::{FILE_I, Kind, tables};

/// Red's palace, whose squares are below 27; Black's is [`PALACE_SHIFT`] further up.
const PALACE: u32 = 0b111 << 3 | 0b111 << 12 | 0b111 << 21;
const PALACE_SHIFT: u32 = 63;
const RED_HALF: u128 = (1 << 45) - 1;
const HALVES: [u128; 2] = [RED_HALF, RED_HALF << 45];

/// Bits of a line.
static BITS: [u8; 1024] = {
    let mut table = [0; 1024];
    let mut i = 1;
    while i < 1024 {
        table[i] = table[i / 2] + (i % 2) as u8;
        i += 1;
    }
    table
};

fn bits(line: u16) -> usize {
    usize::from(BITS[usize::from(line & 1023)])
}

/// Calls `visit` with the index of each term but piece-square values and the tempo, and how often it holds
/// for Red less how often for Black.
#[inline]
pub fn terms(position: &Position, visit: &mut impl FnMut(usize, i32)) {
    for side in 0..2 {
        Side::new(position, side).count(visit);
    }
}

/// The same with piece-square values and tempo: all that the evaluation consists of.
pub fn every_term(position: &Position, visit: &mut impl FnMut(usize, i32)) {
    terms(position, visit);
    for_each(position.occupied(), |s| {
        let piece = position.piece_at(s);
        let sign = if piece < 7 { 1 } else { -1 };
        visit(psqt_index(piece, s), sign);
        visit(Group::Value.first() + piece % 7, sign);
    });
    visit(Group::Tempo.first(), if position.side() == 0 { 1 } else { -1 });
}

/// One side's terms.
struct Side<'p> {
    position: &'p Position,
    side: usize,
    sign: i32,
    own: u128,
    theirs: u128,
    occupied: u128,
    /// The enemy king's square, file and rank.
    king: (usize, usize),
    /// How far down the enemy palace is from [`PALACE`].
    palace: u32,
    hits: usize,
    hitters: usize,
}

impl<'p> Side<'p> {
    #[inline]
    fn new(position: &'p Position, side: usize) -> Side<'p> {
        let them = side ^ 1;
        let king = position.king(them);
        Side {
            position,
            side,
            sign: if side == 0 { 1 } else { -1 },
            own: position.side_pieces(side),
            theirs: position.side_pieces(them),
            occupied: position.occupied(),
            king: (file(king), rank(king)),
            palace: PALACE_SHIFT * them as u32,
            hits: 0,
            hitters: 0,
        }
    }

    #[inline]
    fn count(mut self, visit: &mut impl FnMut(usize, i32)) {
        self.rooks(visit);
        self.horses(visit);
        self.cannons(visit);
        self.pawns(visit);
        visit(Group::PalaceHits.first() + self.hits.min(15), self.sign);
        visit(Group::PalaceHitters.first() + self.hitters.min(6), self.sign);
        self.material(visit);
    }

    #[inline]
    fn rooks(&mut self, visit: &mut impl FnMut(usize, i32)) {
        let lines = self.position.lines();
        for_each(self.position.pieces(self.side, Kind::Rook), |s| {
            let (reach, free) = lines.rook(s);
            visit(Group::RookReach.first() + free.min(17), self.sign);
            self.attacks(1, reach, visit);
            self.line(file(s), rank(s), Group::RookFile, Group::RookRank, visit);
        });
    }

    #[inline]
    fn cannons(&mut self, visit: &mut impl FnMut(usize, i32)) {
        let lines = self.position.lines();
        for_each(self.position.pieces(self.side, Kind::Cannon), |s| {
            let (reach, free) = lines.cannon(s);
            visit(Group::CannonReach.first() + free.min(17), self.sign);
            self.attacks(3, reach, visit);
            self.line(file(s), rank(s), Group::CannonFile, Group::CannonRank, visit);
        });
    }

    #[inline]
    fn horses(&mut self, visit: &mut impl FnMut(usize, i32)) {
        for_each(self.position.pieces(self.side, Kind::Horse), |s| {
            let reach = tables::horse(s, self.occupied);
            // All of them are less than three ranks away.
            let near = (reach & !self.own) >> s.saturating_sub(19);
            let free = (near as u64).count_ones() as usize;
            visit(Group::HorseReach.first() + free.min(8), self.sign);
            self.attacks(2, reach, visit);
        });
    }

    #[inline]
    fn pawns(&mut self, visit: &mut impl FnMut(usize, i32)) {
        let pawns = self.position.pieces(self.side, Kind::Pawn);
        let crossed = pawns & !HALVES[self.side];
        if crossed == 0 {
            return;
        }
        let linked = (crossed & !FILE_I) << 1 & crossed;
        if linked != 0 {
            visit(Group::LinkedPawns.first(), self.sign * linked.count_ones() as i32);
        }
        self.threats(0, tables::pawns(attacks::player(self.side), crossed), visit);
    }

    /// Palace squares and pieces under attack by one piece.
    #[inline]
    fn attacks(&mut self, attacker: usize, reach: u128, visit: &mut impl FnMut(usize, i32)) {
        let hits = (reach >> self.palace) as u32 & PALACE;
        if hits != 0 {
            self.hits += hits.count_ones() as usize;
            self.hitters += 1;
        }
        self.threats(attacker, reach, visit);
    }

    #[inline]
    fn threats(&self, attacker: usize, reach: u128, visit: &mut impl FnMut(usize, i32)) {
        let kings = self.position.pieces(self.side ^ 1, Kind::King);
        for_each(reach & self.theirs & !kings, |to| {
            let victim = (self.position.piece_at(to) % 7).max(1) - 1;
            visit(Group::Threat.first() + 6 * attacker + victim, self.sign);
        });
    }

    /// A rook or cannon on a line with the enemy king.
    #[inline]
    fn line(
        &self,
        file: usize,
        rank: usize,
        on_file: Group,
        on_rank: Group,
        visit: &mut impl FnMut(usize, i32),
    ) {
        let lines = self.position.lines();
        let (king_file, king_rank) = self.king;
        if file == king_file {
            let n = bits(lines.file(file) & between(rank, king_rank)).min(3);
            visit(on_file.first() + n, self.sign);
        } else if rank == king_rank {
            let n = bits(lines.rank(rank) & between(file, king_file)).min(3);
            visit(on_rank.first() + n, self.sign);
        }
    }

    #[inline]
    fn material(&self, visit: &mut impl FnMut(usize, i32)) {
        let count = |side, kind| self.position.count(side, kind);
        let them = self.side ^ 1;
        let (rooks, horses, cannons) = (
            count(self.side, Kind::Rook),
            count(self.side, Kind::Horse),
            count(self.side, Kind::Cannon),
        );
        let crossed = self.position.pieces(self.side, Kind::Pawn) & !HALVES[self.side];
        let crossed = if crossed == 0 { 0 } else { crossed.count_ones() as i32 };
        let own = [rooks, horses, cannons, crossed];
        for (group, kind) in
            [(Group::NoAdvisors, Kind::Advisor), (Group::NoElephants, Kind::Elephant)]
        {
            let lacking = 2 - count(them, kind);
            if lacking > 0 {
                for (i, n) in own.into_iter().enumerate() {
                    visit(group.first() + i, self.sign * lacking * n);
                }
            }
        }
        let both = [rooks / 2, horses / 2, cannons / 2, horses.min(1) * cannons.min(1)];
        for (i, n) in both.into_iter().enumerate() {
            if n != 0 {
                visit(Group::Both.first() + i, self.sign * n);
            }
        }
        let crowd = self.position.piece_count() as i32 - 16;
        visit(Group::Crowd.first(), self.sign * horses * crowd);
        visit(Group::Crowd.first() + 1, self.sign * cannons * crowd);
    }
}

/// The squares of a line strictly between two of its indices.
#[inline]
fn between(a: usize, b: usize) -> u16 {
    let (low, high) = (a.min(b), a.max(b));
    ((1u32 << high) - 1) as u16 & !(((2u32 << low) - 1) as u16)
}
