//! Indices of the pieces confined to one half: king and advisors together, and elephants and pawns
//! before the river together. The two groups share only one square, the elephant point inside the
//! palace, so a half's home pieces are a pair of indices given whether the king stands there.
//!
//! All sets are in Red's half; Black's are first rotated by 180 degrees.

use agon_games::Player;
use agon_games::xiangqi::{FILES, Kind, RED_HALF, SQUARES, Square, Squares};

/// The numbers of confined pieces in a half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PalaceCounts {
    /// Advisors, 0 to 2.
    pub advisors: usize,
    /// Elephants, 0 to 2.
    pub elephants: usize,
    /// Pawns before the river, 0 to 5.
    pub pawns: usize,
}

/// The home pieces of one half as sets of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PalacePieces {
    /// One square.
    pub king: u128,
    /// At most two of the advisor points.
    pub advisors: u128,
    /// At most two of the elephant points.
    pub elephants: u128,
    /// At most one per file.
    pub pawns: u128,
}

impl PalacePieces {
    /// All squares.
    #[inline]
    pub fn all(self) -> u128 {
        self.king | self.advisors | self.elephants | self.pawns
    }

    /// The pieces rotated by 180 degrees.
    #[inline]
    pub fn rotated(self) -> PalacePieces {
        PalacePieces {
            king: rotated(self.king),
            advisors: rotated(self.advisors),
            elephants: rotated(self.elephants),
            pawns: rotated(self.pawns),
        }
    }
}

/// Sets of one group in a fixed order; those that avoid the shared square come first.
#[derive(Debug, Default)]
struct Group {
    sets: Vec<(u128, u128)>,
    off: u64,
}

/// The tables of all classes.
#[derive(Debug)]
pub struct PalaceIndex {
    /// By number of advisors; the king is the first of the pair.
    palace: [Group; 3],
    /// Index in its group by king's square (0 to 8) and set of advisor points.
    palace_index: Vec<u16>,
    /// By number of elephants times 6 plus number of pawns.
    field: Vec<Group>,
    /// Index in its group by the elephants' number and the pawns' number.
    field_index: Vec<u16>,
}

/// Subsets of the seven elephant points times the ways for five files to have no pawn or one on
/// either point.
const ELEPHANT_SETS: usize = 128;
const PAWN_SETS: usize = 243;

#[inline]
fn points(kind: Kind) -> u128 {
    kind.domain(Player::First) & RED_HALF
}

/// The elephant point inside the palace.
#[inline]
fn shared() -> u128 {
    points(Kind::King) & points(Kind::Elephant)
}

/// Bits for a set's squares: bit i is set if the set contains the i-th point of a kind.
#[inline]
fn bits(set: u128, points: u128) -> usize {
    Squares(set).fold(0, |out, s| out | 1 << (points & (s.bit() - 1)).count_ones())
}

/// The index of a pawn set: a base-3 digit for each file, 0 for no pawn.
#[inline]
fn pawn_number(pawns: u128) -> usize {
    const POWERS: [usize; 5] = [1, 3, 9, 27, 81];
    Squares(pawns).fold(0, |n, s| n + (s.rank() % 3 + 1) * POWERS[s.file() / 2 % 5])
}

fn pawn_set(number: usize) -> u128 {
    let digit = |file: usize| number / 3usize.pow(file as u32) % 3;
    (0..5).filter(|&f| digit(f) > 0).fold(0, |set, f| {
        // Digit 1 is rank 3, digit 2 is rank 4, as `pawn_number` reads them.
        set | Square::new(2 * f, 2 + digit(f)).map_or(0, Square::bit)
    })
}

/// The subsets of at most two squares.
fn small_sets(set: u128) -> Vec<u128> {
    let squares: Vec<u128> = Squares(set).map(Square::bit).collect();
    let pairs =
        squares.iter().enumerate().flat_map(|(i, a)| squares[..i].iter().map(move |b| a | b));
    std::iter::once(0).chain(squares.iter().copied()).chain(pairs).collect()
}

impl PalaceIndex {
    /// Builds the tables, some 6,000 entries.
    pub fn new() -> PalaceIndex {
        let mut palaces = PalaceIndex {
            palace: Default::default(),
            palace_index: vec![u16::MAX; 9 * 32],
            field: (0..18).map(|_| Group::default()).collect(),
            field_index: vec![u16::MAX; ELEPHANT_SETS * PAWN_SETS],
        };
        for on_shared in [false, true] {
            palaces.add_palace(on_shared);
            palaces.add_field(on_shared);
        }
        palaces
    }

    fn add_palace(&mut self, on_shared: bool) {
        for king in Squares(points(Kind::King)).map(Square::bit) {
            if (king == shared()) != on_shared {
                continue;
            }
            for advisors in small_sets(points(Kind::Advisor) & !king) {
                let group = &mut self.palace[advisors.count_ones() as usize];
                self.palace_index[palace_key(king, advisors)] = group.sets.len() as u16;
                group.sets.push((king, advisors));
                group.off += u64::from(!on_shared);
            }
        }
    }

    fn add_field(&mut self, on_shared: bool) {
        for elephants in small_sets(points(Kind::Elephant)) {
            if (elephants & shared() != 0) != on_shared {
                continue;
            }
            for number in 0..PAWN_SETS {
                let pawns = pawn_set(number);
                if pawns & elephants != 0 {
                    continue;
                }
                let place = field_place(elephants.count_ones(), pawns.count_ones());
                let group = &mut self.field[place];
                self.field_index[field_key(elephants, pawns)] = group.sets.len() as u16;
                group.sets.push((elephants, pawns));
                group.off += u64::from(!on_shared);
            }
        }
    }

    #[inline]
    fn groups(&self, class: PalaceCounts) -> (&Group, &Group) {
        let field = field_place(class.elephants as u32, class.pawns as u32);
        (&self.palace[class.advisors % 3], &self.field[field])
    }

    /// The number of ways to place a class.
    #[inline]
    pub fn size(&self, class: PalaceCounts) -> u64 {
        let (palace, field) = self.groups(class);
        let (all, on) = (field.sets.len() as u64, palace.sets.len() as u64 - palace.off);
        palace.off * all + on * field.off
    }

    /// The index of legal home pieces within their class.
    #[inline]
    pub fn rank(&self, class: PalaceCounts, home: PalacePieces) -> u64 {
        let (palace, field) = self.groups(class);
        let p = u64::from(self.palace_index[palace_key(home.king, home.advisors)]);
        let f = u64::from(self.field_index[field_key(home.elephants, home.pawns)]);
        let all = field.sets.len() as u64;
        if p < palace.off {
            return p * all + f;
        }
        palace.off * all + (p - palace.off) * field.off + f
    }

    /// The home pieces with an index below [`PalaceIndex::size`].
    #[inline]
    pub fn unrank(&self, class: PalaceCounts, number: u64) -> PalacePieces {
        let (palace, field) = self.groups(class);
        let all = field.sets.len() as u64;
        let (p, f) = match number.checked_sub(palace.off * all) {
            None => (number / all, number % all),
            Some(rest) => (palace.off + rest / field.off, rest % field.off),
        };
        let (king, advisors) = palace.sets[p as usize];
        let (elephants, pawns) = field.sets[f as usize];
        PalacePieces { king, advisors, elephants, pawns }
    }
}

impl Default for PalaceIndex {
    fn default() -> PalaceIndex {
        PalaceIndex::new()
    }
}

#[inline]
fn palace_key(king: u128, advisors: u128) -> usize {
    let king = bits(king, points(Kind::King)).trailing_zeros() as usize % 9;
    king << 5 | bits(advisors, points(Kind::Advisor)) & 31
}

#[inline]
fn field_key(elephants: u128, pawns: u128) -> usize {
    let elephants = bits(elephants, points(Kind::Elephant)) % ELEPHANT_SETS;
    elephants * PAWN_SETS + pawn_number(pawns) % PAWN_SETS
}

#[inline]
fn field_place(elephants: u32, pawns: u32) -> usize {
    (elephants as usize % 3) * 6 + pawns as usize % 6
}

/// A set rotated by 180 degrees: converts Black's squares to Red's and back.
#[inline]
pub fn rotated(set: u128) -> u128 {
    set.reverse_bits() >> (128 - SQUARES)
}

const _: () = assert!(FILES == 9, "pawn files are 0, 2, 4, 6, 8");
