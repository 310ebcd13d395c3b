//! What [`terms`](super::terms) counts, weighed and added up in one go for playing. The terms are not named
//! here, so that the compiler sees each table and each side apart; a test holds the two together.

use super::layout::Group;
use super::{PAIRS, Pair};
use crate::position::Position;
use crate::position::attacks::{self, each};
use agon_protocol::xiangqi::{FILE_I, Kind, tables};

/// The first `N` weights of a group; where it has fewer, its last one goes on.
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
const NO_ADVISORS: [Pair; 4] = weights(Group::NoAdvisors);
const NO_ELEPHANTS: [Pair; 4] = weights(Group::NoElephants);
const BOTH: [Pair; 4] = weights(Group::Both);
const CROWD: [Pair; 2] = weights(Group::Crowd);
const LINKED: Pair = weights::<1>(Group::LinkedPawns)[0];

/// By attacker (pawn, rook, horse, cannon) and the piece attacked; nothing for kings.
static THREATS: [[Pair; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut i = 0;
    while i < 4 * 14 {
        let (attacker, piece) = (i / 14, i % 14);
        if piece % 7 != 0 {
            table[attacker][piece] = PAIRS[Group::Threat.first() + 6 * attacker + piece % 7 - 1];
        }
        i += 1;
    }
    table
};

/// Black's palace from its first file and rank on; Red's is as far down as the board is high.
const PALACE: u32 = 0b111 << 3 | 0b111 << 12 | 0b111 << 21;
const PALACE_SHIFT: u32 = 63;
const RED_HALF: u128 = (1 << 45) - 1;

/// The value of a side's terms.
#[inline]
pub(super) fn side<const SIDE: usize>(position: &Position) -> Pair {
    let side = Side::<SIDE> {
        position,
        theirs: position.pieces(SIDE ^ 1),
        king: {
            let king = position.king(SIDE ^ 1);
            (attacks::file(king), attacks::rank(king))
        },
    };
    let mut sum = 0;
    let mut hits = Hits::default();
    let grid = position.grid();
    each(position.set(SIDE, Kind::Rook), |s| {
        let (reach, free) = grid.rook(s);
        sum += ROOK_REACH[free & 31] + side.attack(1, reach, &mut hits) + side.line(s, &ROOK_LINE);
    });
    each(position.set(SIDE, Kind::Cannon), |s| {
        let (reach, free) = grid.cannon(s);
        sum += CANNON_REACH[free & 31] + side.attack(3, reach, &mut hits);
        sum += side.line(s, &CANNON_LINE);
    });
    let (own, occupied) = (position.pieces(SIDE), position.occupied());
    each(position.set(SIDE, Kind::Horse), |s| {
        let reach = tables::horse(s, occupied);
        let open = reach & !own;
        let free = (open as u64).count_ones() + ((open >> 64) as u64).count_ones();
        sum += HORSE_REACH[free as usize & 15] + side.attack(2, reach, &mut hits);
    });
    sum += PALACE_HITS[hits.squares as usize & 63] + PALACE_HITTERS[hits.pieces.min(7) as usize];
    sum + side.pawns_and_material()
}

/// Squares of the enemy palace under attack, and by how many pieces.
#[derive(Default)]
struct Hits {
    squares: u32,
    pieces: u32,
}

struct Side<'p, const SIDE: usize> {
    position: &'p Position,
    theirs: u128,
    /// File and rank of the enemy king.
    king: (usize, usize),
}

impl<const SIDE: usize> Side<'_, SIDE> {
    /// What one piece attacks.
    #[inline]
    fn attack(&self, attacker: usize, reach: u128, hits: &mut Hits) -> Pair {
        let palace = (reach >> if SIDE == 0 { PALACE_SHIFT } else { 0 }) as u32 & PALACE;
        hits.squares += palace.count_ones();
        hits.pieces += u32::from(palace != 0);
        self.threats(attacker, reach)
    }

    #[inline]
    fn threats(&self, attacker: usize, reach: u128) -> Pair {
        let mut sum = 0;
        each(reach & self.theirs, |s| sum += THREATS[attacker][self.position.on(s) & 15]);
        sum
    }

    /// A rook or cannon in line with the enemy king.
    #[inline]
    fn line(&self, s: usize, weights: &[[Pair; 8]; 2]) -> Pair {
        let grid = self.position.grid();
        let (file, rank) = (attacks::file(s), attacks::rank(s));
        let (king_file, king_rank) = self.king;
        if file == king_file {
            weights[0][between(grid.file(file), rank, king_rank)]
        } else if rank == king_rank {
            weights[1][between(grid.rank(rank), file, king_file)]
        } else {
            0
        }
    }

    #[inline]
    fn pawns_and_material(&self) -> Pair {
        let pawns = self.position.set(SIDE, Kind::Pawn);
        let crossed = pawns & if SIDE == 0 { !RED_HALF } else { RED_HALF };
        let mut sum = 0;
        let mut number = 0;
        if crossed != 0 {
            number = crossed.count_ones() as i32;
            let linked = (crossed & !FILE_I) << 1 & crossed;
            sum += LINKED * linked.count_ones() as i32;
            sum += self.threats(0, tables::pawns(attacks::player(SIDE), crossed));
        }
        let count = |kind| self.position.count(SIDE, kind);
        let own = [count(Kind::Rook), count(Kind::Horse), count(Kind::Cannon), number];
        let weigh = |weights: [Pair; 4]| -> Pair { (0..4).map(|i| weights[i] * own[i]).sum() };
        let lacking = |kind| 2 - self.position.count(SIDE ^ 1, kind);
        let [rooks, horses, cannons, _] = own;
        let both = [rooks / 2, horses / 2, cannons / 2, horses.min(1) * cannons.min(1)];
        let crowd = self.position.number() as i32 - 16;
        sum += weigh(NO_ADVISORS) * lacking(Kind::Advisor);
        sum += weigh(NO_ELEPHANTS) * lacking(Kind::Elephant);
        sum += (0..4).map(|i| BOTH[i] * both[i]).sum::<Pair>();
        sum + (CROWD[0] * horses + CROWD[1] * cannons) * crowd
    }
}

/// How many pieces of a line stand strictly between two of its squares, seven at most.
#[inline]
fn between(line: u16, a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    let inner = ((1u32 << high) - 1) & !((2u32 << low) - 1);
    (u32::from(line) & inner).count_ones().min(7) as usize
}
