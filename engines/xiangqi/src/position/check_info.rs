//! Whether a move leaves the mover's king safe, and whether it gives check.
//!
//! Most moves do not affect a king, which a look-up of two squares shows. For the others, only the
//! king's lines and horse legs that the move touches are examined, as they are after the move.

use super::attacks;
use super::board::Position;
use super::evasions::{DIRECT, Evasions, LINE_ATTACKS, OVER_SCREEN};
use super::generate::Quiets;
use super::lines::{LineView, along_file, along_rank, file, rank};
use super::moves::Move;
use agon_games::xiangqi::{Kind, SQUARES, tables};

/// King relation: on the king's rank.
const RANK: u8 = 1;
/// On the king's file.
const FILE: u8 = 2;
/// The leg of horses that attack the king.
const LEG: u8 = 4;
/// A square from which a horse attacks the king.
const HORSE: u8 = 8;
/// Adjacent on a line: a square from which a pawn may attack the king.
const ADJACENT: u8 = 16;

/// The relation of a square to a king, by the king's square.
static KING_RELATION: [[u8; 128]; SQUARES] = {
    let mut table = [[0; 128]; SQUARES];
    let mut i = 0;
    while i < SQUARES * SQUARES {
        let (s, t) = (i / SQUARES, i % SQUARES);
        let (x, y) = ((s % 9).abs_diff(t % 9), (s / 9).abs_diff(t / 9));
        table[s][t] = match (x, y) {
            (0, 0) => 0,
            (0, 1) => FILE | ADJACENT,
            (1, 0) => RANK | ADJACENT,
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

impl Position {
    /// Whether a side's king is attacked, including by the facing king.
    #[inline]
    pub fn attacked(&self, side: usize) -> bool {
        let (king, by) = (self.king(side), side ^ 1);
        let (f, r) = (file(king), rank(king));
        let horses = self.pieces(by, Kind::Horse) & tables::horse_pattern(king);
        self.pieces(by, Kind::Pawn) & attacks::pawn_origins(by, king) != 0
            || horses != 0 && horses & tables::horse_back(king, self.occupied()) != 0
            || self.line_attacks(self.lines.along_rank(king), |f| 9 * r + f, by, Move::NONE)
            || self.line_attacks(self.lines.along_file(king), |r| 9 * r + f, by, Move::NONE)
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

    /// Whether a move by a piece other than the king exposes no attack on the king.
    #[inline]
    fn stays_safe(&self, m: Move) -> bool {
        let (king, them) = (self.king(self.side), self.side ^ 1);
        let (left, entered) = (KING_RELATION[king][m.from()], KING_RELATION[king][m.to()]);
        let lines = left | entered;
        if lines & (RANK | FILE) | left & LEG == 0 {
            return true;
        }
        !(lines & RANK != 0 && self.attacked_on_rank(king, them, m)
            || lines & FILE != 0 && self.attacked_on_file(king, them, m)
            || left & LEG != 0 && self.horses_attack(king, them, m))
    }

    /// Whether a pseudo-legal move gives check; the king of the side not to move is not in check.
    #[inline]
    pub fn gives_check(&self, m: Move) -> bool {
        let (king, us) = (self.king(self.side ^ 1), self.side);
        let (left, entered) = (KING_RELATION[king][m.from()], KING_RELATION[king][m.to()]);
        let lines = left | entered;
        if lines == 0 {
            return false;
        }
        let moved = self.piece_at(m.from());
        let horse = if moved == 7 * us + Kind::Horse.index() { entered & HORSE } else { 0 };
        lines & RANK != 0 && self.attacked_on_rank(king, us, m)
            || lines & FILE != 0 && self.attacked_on_file(king, us, m)
            || left & LEG | horse != 0 && self.horses_attack(king, us, m)
            || entered & ADJACENT != 0
                && moved == 7 * us + Kind::Pawn.index()
                && attacks::pawn_origins(us, king) >> m.to() & 1 == 1
    }

    /// Whether a side attacks a square after a move.
    fn attacked_after(&self, s: usize, by: usize, m: Move) -> bool {
        let pawns = self.pieces_after(7 * by + Kind::Pawn.index(), m);
        pawns & attacks::pawn_origins(by, s) != 0
            || self.horses_attack(s, by, m)
            || self.attacked_on_rank(s, by, m)
            || self.attacked_on_file(s, by, m)
    }

    /// The bitboard of a piece code after a move.
    #[inline]
    fn pieces_after(&self, piece: usize, m: Move) -> u128 {
        let entered = 1u128 << m.to();
        let kept = self.pieces[piece] & !(1u128 << m.from() | entered);
        kept | if piece == self.piece_at(m.from()) { entered } else { 0 }
    }

    /// Whether horses of a side attack a square after a move.
    #[inline]
    fn horses_attack(&self, s: usize, by: usize, m: Move) -> bool {
        let horses = self.pieces_after(7 * by + Kind::Horse.index(), m);
        if horses & tables::horse_pattern(s) == 0 {
            return false;
        }
        let occupied = self.occupied() & !(1 << m.from()) | 1 << m.to();
        horses & tables::horse_back(s, occupied) != 0
    }

    /// Whether a side attacks a square along its rank after a move.
    #[inline(never)]
    fn attacked_on_rank(&self, s: usize, by: usize, m: Move) -> bool {
        let r = rank(s);
        let line = along_rank(s, self.lines.rank_after(r, m.from(), m.to()));
        self.line_attacks(line, |f| 9 * r + f, by, m)
    }

    /// Whether a side attacks a square along its file after a move.
    #[inline(never)]
    fn attacked_on_file(&self, s: usize, by: usize, m: Move) -> bool {
        let f = file(s);
        let line = along_file(s, self.lines.file_after(f, m.from(), m.to()));
        self.line_attacks(line, |r| 9 * r + f, by, m)
    }

    /// Whether a side attacks a square along a line, seen from that square, after a move.
    #[inline]
    fn line_attacks(
        &self,
        line: LineView,
        square: impl Fn(usize) -> usize,
        by: usize,
        m: Move,
    ) -> bool {
        let moved = self.piece_at(m.from());
        // Selected by a mask: whether the move ends there is unpredictable.
        let attack = |index| {
            let s = square(index);
            let there = self.piece_at(s);
            let mask = usize::from(s == m.to()).wrapping_neg();
            LINE_ATTACKS[by & 1][(there ^ (there ^ moved) & mask) & 15]
        };
        let [down, up, second_down, second_up] = line.ends();
        (attack(down) | attack(up)) & DIRECT
            | (attack(second_down) | attack(second_up)) & OVER_SCREEN
            != 0
    }
}

/// Caches facts about one position's moves; computes evasions on first use.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckInfo(Option<Evasions>);

impl CheckInfo {
    /// The moves that can evade check, if the side to move is in check.
    #[inline]
    pub fn evasions(&mut self, position: &Position) -> Option<&Evasions> {
        if !position.in_check {
            return None;
        }
        Some(self.0.get_or_insert_with(|| Evasions::of(position)))
    }

    /// Whether the side to move is in check and has a single legal move.
    pub fn has_one_reply(&mut self, position: &Position) -> bool {
        let Some(&evasions) = self.evasions(position) else { return false };
        let mut legal = 0;
        let mut count = |_, from, to| {
            if legal < 2 && self.check(position, Move::new(from, to)).is_some() {
                legal += 1;
            }
        };
        position.each_capture(Some(&evasions), &mut count);
        position.each_quiet(Quiets::All, Some(&evasions), &mut count);
        legal == 1
    }

    /// Whether a pseudo-legal move gives check; `None` if it leaves the mover's king attacked.
    #[inline]
    pub fn check(&mut self, position: &Position, m: Move) -> Option<bool> {
        let safe = match self.evasions(position) {
            None => position.is_safe(m),
            Some(evasions) => {
                evasions.may_evade(m)
                    && if evasions.single_check && m.from() != position.king(position.side) {
                        position.stays_safe(m)
                    } else {
                        position.is_safe(m)
                    }
            }
        };
        safe.then(|| position.gives_check(m))
    }
}
