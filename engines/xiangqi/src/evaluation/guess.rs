//! Initial weights: the evaluation before any fit, used for the first games, and the values towards
//! which a fit regularises weights that few positions determine.

use super::layout::{Group, HALF};
use agon_protocol::xiangqi::Kind;

/// The weight of each kind of piece in the middle game and in the endgame.
const VALUES: [(i32, i32); 7] =
    [(0, 0), (180, 180), (180, 180), (80, 110), (950, 1000), (410, 450), (450, 440)];

/// A weight before fitting, for the middle game and for the endgame.
pub fn guess(index: usize) -> (i32, i32) {
    let group = Group::all().find(|g| (g.first()..g.first() + g.size()).contains(&index));
    let Some(group) = group else { return (0, 0) };
    let i = index - group.first();
    let n = i as i32;
    match group {
        Group::Psqt(kind) => psqt(kind, i % HALF),
        Group::Value => VALUES[i.min(6)],
        Group::RookReach => (3 * n - 24, 4 * n - 32),
        Group::HorseReach => (12 * n - 54, 10 * n - 45),
        Group::CannonReach => (2 * n - 16, 2 * n - 16),
        Group::PalaceHits => (4 * n, 3 * n),
        Group::PalaceHitters => {
            [(0, 0), (5, 5), (20, 15), (45, 30), (70, 45), (90, 50), (90, 50)][i.min(6)]
        }
        Group::CannonFile => [(120, 60), (10, 10), (30, 10), (5, 5)][i.min(3)],
        Group::CannonRank => [(10, 5), (10, 10), (25, 10), (5, 5)][i.min(3)],
        Group::RookFile => [(20, 20), (20, 15), (10, 10), (0, 0)][i.min(3)],
        Group::RookRank => [(20, 20), (15, 15), (5, 5), (0, 0)][i.min(3)],
        Group::NoAdvisors => [(40, 30), (20, 15), (-10, -15), (20, 15)][i.min(3)],
        Group::NoElephants => [(15, 10), (10, 10), (30, 15), (15, 10)][i.min(3)],
        Group::LinkedPawns => (25, 30),
        Group::Both => (0, 0),
        Group::Crowd => [(-2, -2), (3, 3)][i.min(1)],
        Group::Threat => threat(i / 6, i % 6),
        Group::Tempo => (12, 8),
    }
}

fn psqt(kind: Kind, i: usize) -> (i32, i32) {
    let (rank, file) = (i as i32 / 5, i as i32 % 5);
    match kind {
        Kind::King => (-25 * rank, -15 * rank),
        Kind::Advisor | Kind::Elephant => (if file == 4 { 10 } else { 0 }, 0),
        Kind::Pawn => match rank {
            0..=4 => (4 * rank - 12 + if file == 4 { 10 } else { 0 }, 0),
            9 => (10, -30),
            _ => (40 + 12 * file + 5 * (rank - 5), 40 + 12 * file),
        },
        Kind::Rook => (3 * file + if rank == 0 { -10 } else { 0 }, 0),
        Kind::Horse => (6 * file + if rank == 0 { -20 } else { 4 * rank.min(7) }, 3 * file),
        Kind::Cannon => (4 * file, 2 * file),
    }
}

/// The weight of a threat by a pawn, rook, horse or cannon to an advisor, elephant, pawn, rook,
/// horse or cannon.
fn threat(attacker: usize, victim: usize) -> (i32, i32) {
    let value = match (attacker, victim) {
        (0, 0..=2) => 10,
        (0, _) => 40,
        (1, 4 | 5) => 20,
        (2 | 3, 3) => 45,
        (2, 5) | (3, 4) => 20,
        (_, 2) => 6,
        _ => 8,
    };
    (value, value)
}
