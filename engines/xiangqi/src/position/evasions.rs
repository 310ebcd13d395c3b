//! Evasions: the moves that can help a king in check.

use super::attacks;
use super::board::Position;
use super::lines::{RAYS, file, rank};
use super::moves::Move;
use agon_games::xiangqi::{Kind, tables};

/// Attacks the first piece on a line.
pub(super) const DIRECT: u8 = 1;
/// Attacks the second piece on a line.
pub(super) const OVER_SCREEN: u8 = 2;

/// How a piece attacks along lines, by side and piece code.
pub(super) static LINE_ATTACKS: [[u8; 16]; 2] = {
    let mut table = [[0; 16]; 2];
    let mut side = 0;
    while side < 2 {
        table[side][7 * side + Kind::King.index()] = DIRECT;
        table[side][7 * side + Kind::Rook.index()] = DIRECT;
        table[side][7 * side + Kind::Cannon.index()] = OVER_SCREEN;
        side += 1;
    }
    table
};

/// The moves that can help a king in check, by origin and target squares.
#[derive(Clone, Copy, Debug)]
pub struct Evasions {
    targets: u128,
    origins: u128,
    /// Whether there is only one check, so that every such move, except by the king, evades it.
    pub(super) single_check: bool,
}

impl Evasions {
    /// The evasions of the side to move, which is in check.
    pub(super) fn of(position: &Position) -> Evasions {
        let (us, them) = (position.side, position.side ^ 1);
        let king = position.king(us);
        let (f, r) = (file(king), rank(king));
        let (slide, captures) = position.lines.rook_and_cannon(king);
        let behind = position.lines.behind_screen(king);
        let (mut checks, mut targets, mut origins) = (0, 0, 0);
        let pawns = position.pieces(them, Kind::Pawn) & attacks::pawn_origins(them, king);
        let near = position.pieces(them, Kind::Horse) & tables::horse_pattern(king);
        let horses = near & tables::horse_back(king, position.occupied());
        attacks::for_each_of_few(pawns | horses, |s| {
            checks += 1;
            targets |= attacks::bit(s);
            if horses & attacks::bit(s) != 0 {
                targets |= attacks::bit(leg(king, s));
            }
        });
        let on_rank = position.lines.along_rank(king).ends().map(|f| 9 * r + f);
        let on_file = position.lines.along_file(king).ends().map(|r| 9 * r + f);
        for (ray, first, second) in [
            (0, on_rank[0], on_rank[2]),
            (1, on_rank[1], on_rank[3]),
            (2, on_file[0], on_file[2]),
            (3, on_file[1], on_file[3]),
        ] {
            let attack = |s| LINE_ATTACKS[them & 1][position.piece_at(s) & 15];
            let ray = RAYS[king][ray];
            if attack(first) & DIRECT != 0 {
                checks += 1;
                targets |= slide & ray;
            }
            if attack(second) & OVER_SCREEN != 0 {
                // Evasions: capture the cannon, add a second screen, or remove the only one.
                checks += 1;
                targets |= (slide & !attacks::bit(first) | behind) & ray | attacks::bit(second);
                origins |= attacks::bit(first);
            }
        }
        if checks > 1 {
            targets = slide | captures | behind | near | pawns | tables::horse_legs(king);
            origins = slide & position.occupied();
        }
        origins |= position.pieces[7 * us];
        Evasions { targets, origins, single_check: checks == 1 }
    }

    /// Whether a move can evade the check.
    #[inline]
    pub(super) fn may_evade(&self, m: Move) -> bool {
        (self.origins >> m.from() | self.targets >> m.to()) & 1 == 1
    }

    /// Whether any move from a square can evade the check.
    #[inline]
    pub(super) fn may_leave(&self, from: usize) -> bool {
        self.origins & attacks::bit(from) != 0
    }

    /// The squares to which any move can evade the check.
    #[inline]
    pub(super) fn targets(&self) -> u128 {
        self.targets
    }
}

/// The leg of a horse that attacks a king, adjacent to both.
#[inline]
fn leg(king: usize, horse: usize) -> usize {
    let up = if rank(horse) > rank(king) { king + 9 } else { king.saturating_sub(9) };
    if file(horse) > file(king) { up + 1 } else { up.saturating_sub(1) }
}
