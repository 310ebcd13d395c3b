//! Counts the evaluation terms of a position, for fitting their weights.

use super::layout::{Group, psqt_index};
use super::sum::between;
use crate::position::Position;
use crate::position::attacks::{for_each, player};
use crate::position::lines::{file, rank};
use agon_protocol::xiangqi::{FILE_I, Kind, home_half, tables};

/// Calls `visit` with the index of each term except piece-square values and tempo, and its count
/// for Red minus that for Black.
pub fn terms(position: &Position, visit: &mut impl FnMut(usize, i32)) {
    for side in 0..2 {
        let sign = if side == 0 { 1 } else { -1 };
        let counter = Counter { position, side, visit: &mut |index, n| visit(index, sign * n) };
        counter.count();
    }
}

/// Like [`terms`], with piece-square values and tempo: all terms of the evaluation.
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

/// Counts one side's terms.
struct Counter<'p, V> {
    position: &'p Position,
    side: usize,
    visit: V,
}

impl<V: FnMut(usize, i32)> Counter<'_, V> {
    fn add(&mut self, group: Group, i: usize, n: i32) {
        if n != 0 {
            (self.visit)(group.first() + i.min(group.size() - 1), n);
        }
    }

    fn count(mut self) {
        let (position, side) = (self.position, self.side);
        let palace = Kind::King.domain(player(side ^ 1));
        let (mut hits, mut hitters) = (0, 0);
        for (attacker, kind, reach) in [
            (1, Kind::Rook, Group::RookReach),
            (2, Kind::Horse, Group::HorseReach),
            (3, Kind::Cannon, Group::CannonReach),
        ] {
            for_each(position.pieces(side, kind), |s| {
                let (attacks, free) = match kind {
                    Kind::Rook => position.lines().rook(s),
                    Kind::Cannon => position.lines().cannon(s),
                    _ => {
                        let attacks = tables::horse(s, position.occupied());
                        let open = attacks & !position.side_pieces(side);
                        (attacks, open.count_ones() as usize)
                    }
                };
                self.add(reach, free, 1);
                self.threats(attacker, attacks);
                self.king_line(kind, s);
                hits += (attacks & palace).count_ones() as usize;
                hitters += usize::from(attacks & palace != 0);
            });
        }
        self.add(Group::PalaceHits, hits, 1);
        self.add(Group::PalaceHitters, hitters, 1);
        let crossed = position.pieces(side, Kind::Pawn) & !home_half(player(side));
        let linked = (crossed & !FILE_I) << 1 & crossed;
        self.add(Group::LinkedPawns, 0, linked.count_ones() as i32);
        self.threats(0, tables::pawns(player(side), crossed));
        self.material(crossed.count_ones() as i32);
    }

    /// Enemy pieces attacked by a pawn, rook, horse or cannon.
    fn threats(&mut self, attacker: usize, attacks: u128) {
        for_each(attacks & self.position.side_pieces(self.side ^ 1), |to| {
            let victim = self.position.piece_at(to) % 7;
            if victim != Kind::King.index() {
                self.add(Group::Threat, 6 * attacker + victim - 1, 1);
            }
        });
    }

    /// A rook or cannon on a line with the enemy king.
    fn king_line(&mut self, kind: Kind, s: usize) {
        let (on_file, on_rank) = match kind {
            Kind::Rook => (Group::RookFile, Group::RookRank),
            Kind::Cannon => (Group::CannonFile, Group::CannonRank),
            _ => return,
        };
        let king = self.position.king(self.side ^ 1);
        let lines = self.position.lines();
        if file(s) == file(king) {
            self.add(on_file, between(lines.file(file(s)), rank(s), rank(king)), 1);
        } else if rank(s) == rank(king) {
            self.add(on_rank, between(lines.rank(rank(s)), file(s), file(king)), 1);
        }
    }

    fn material(&mut self, crossed: i32) {
        let own = |kind| self.position.count(self.side, kind);
        let lacking = |kind| 2 - self.position.count(self.side ^ 1, kind);
        let (advisors, elephants) = (lacking(Kind::Advisor), lacking(Kind::Elephant));
        let [rooks, horses, cannons] = [Kind::Rook, Kind::Horse, Kind::Cannon].map(own);
        let crowd = self.position.piece_count() as i32 - 16;
        for (i, n) in [rooks, horses, cannons, crossed].into_iter().enumerate() {
            self.add(Group::NoAdvisors, i, advisors * n);
            self.add(Group::NoElephants, i, elephants * n);
        }
        let both = [rooks / 2, horses / 2, cannons / 2, horses.min(1) * cannons.min(1)];
        for (i, n) in both.into_iter().enumerate() {
            self.add(Group::Both, i, n);
        }
        self.add(Group::Crowd, 0, horses * crowd);
        self.add(Group::Crowd, 1, cannons * crowd);
    }
}
