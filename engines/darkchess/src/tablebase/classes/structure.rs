//! Structures: material combinations without their piece counts, in canonical form.
//!
//! Pieces of one colour with the same relation to every opponent's piece on the board, all or none
//! of them cannons, are interchangeable: they form a *block*. All pieces of a kind are in one
//! block, often with other kinds (a guard and a rook that face only pawns). The blocks and their
//! relations depend only on which kinds are present, open or hidden, so there are at most 2^14
//! *supports*, and few different structures among them. A combination is then a structure and a
//! number of open and hidden pieces for each block. Two combinations are equivalent if and only if
//! an automorphism of their common structure maps one's numbers to the other's.
//!
//! The canonical form sorts red blocks by their relations to black ones, tries all permutations of
//! ties, and sorts black blocks by their columns, which all differ. The least matrix is chosen.

use super::Counts;
use super::relation::{ROWS, Relation, relation};
use super::ties::{rearrange, runs};
use agon_games::darkchess::{KINDS, Kind};
use agon_games::hash::FastMap;
use arrayvec::ArrayVec;
use std::sync::LazyLock;

/// The maximum number of blocks of both sides together.
pub const MAX_BLOCKS: usize = 2 * KINDS;
/// The label of an absent kind.
pub const ABSENT: u8 = u8::MAX;
/// The number of supports: sets of kinds of both colours.
pub const SUPPORTS: usize = 1 << MAX_BLOCKS;

/// A number for each block, red blocks first; 0 after the last.
pub type Sizes = [u8; MAX_BLOCKS];
/// The target of each block; the identity after the last block.
pub type Permutation = [u8; MAX_BLOCKS];
/// The block of each kind by colour, [`ABSENT`] for absent kinds.
pub type Labels = [[u8; KINDS]; 2];

/// The relations between blocks, in canonical order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Form {
    /// The numbers of red and black blocks.
    blocks: [u8; 2],
    /// Whether the last block of each side is its cannons.
    cannons: [bool; 2],
    /// For each black block, the relation of each red block to it, in two bits.
    columns: [u16; KINDS],
}

/// Blocks and their relations, up to relabelling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    form: Form,
    /// All relabellings of blocks, with colours kept, that preserve it; the identity first.
    pub automorphisms: Vec<Permutation>,
    /// The number of the structure with exchanged colours.
    pub exchanged: u16,
    /// A relabelling that maps this structure, with exchanged colours, to [`Structure::exchanged`].
    pub exchange: Permutation,
    /// The supports that have this structure, in ascending order.
    pub supports: Vec<u16>,
}

/// A set of kinds of both colours: its structure, and the block of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Support {
    /// The argument of [`Structures::get`].
    pub structure: u16,
    /// The block of each kind.
    pub labels: Labels,
}

/// All structures, and the structure of every support.
#[derive(Debug)]
pub struct Structures {
    list: Vec<Structure>,
    supports: Vec<Support>,
}

/// The kinds of one side that form a block.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// One of its kinds.
    kind: Kind,
    /// The set of its kinds.
    kinds: u8,
    /// The sorting key that does not depend on labels; cannons come last.
    invariant: u16,
}

type Side = ArrayVec<Block, KINDS>;

impl Form {
    #[inline]
    fn relation(&self, red: usize, black: usize) -> Relation {
        match self.columns[black] >> (2 * red) & 3 {
            0 => Relation::Neither,
            1 => Relation::Taken,
            2 => Relation::Both,
            _ => Relation::Takes,
        }
    }
}

impl Structure {
    /// The numbers of red and of black blocks.
    #[inline]
    pub fn blocks(&self) -> [usize; 2] {
        self.form.blocks.map(usize::from)
    }

    /// The number of blocks.
    #[inline]
    pub fn len(&self) -> usize {
        self.blocks().iter().sum()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a block is a side's cannons; blocks are numbered over both colours.
    #[inline]
    pub fn is_cannon(&self, block: usize) -> bool {
        let [red, black] = self.blocks();
        (self.form.cannons[0] && block + 1 == red)
            || (self.form.cannons[1] && block + 1 == red + black)
    }

    /// The relation of a block to another of the other colour, numbered over both colours. Blocks
    /// of one colour have none.
    #[inline]
    pub fn relation(&self, block: usize, other: usize) -> Relation {
        let [red, _] = self.blocks();
        match (block < red, other < red) {
            (true, false) => self.form.relation(block, other - red),
            (false, true) => self.form.relation(other, block - red).inverse(),
            _ => Relation::Neither,
        }
    }

    /// Whether both sides have pieces.
    #[inline]
    pub fn is_two_sided(&self) -> bool {
        self.form.blocks.iter().all(|&n| n > 0)
    }
}

impl Structures {
    /// Finds all structures. Those with pieces of both sides come first.
    fn new() -> Structures {
        let mut numbers: FastMap<Form, u16> = FastMap::default();
        let mut list: Vec<Structure> = Vec::new();
        let mut supports = vec![Support { structure: 0, labels: [[ABSENT; KINDS]; 2] }; SUPPORTS];
        // Two passes, so that one-sided structures get the last numbers.
        for two_sided in [true, false] {
            for number in 0..SUPPORTS {
                let kinds = support_kinds(number);
                if (kinds[0] != 0 && kinds[1] != 0) != two_sided {
                    continue;
                }
                let (form, labels, automorphisms) = analyse(kinds);
                let next = list.len() as u16;
                let structure = *numbers.entry(form).or_insert(next);
                if structure == next {
                    let supports = Vec::new();
                    let (exchanged, exchange) = (next, automorphisms[0]);
                    list.push(Structure { form, automorphisms, exchanged, exchange, supports });
                }
                list[usize::from(structure)].supports.push(number as u16);
                supports[number] = Support { structure, labels };
            }
        }
        let mut structures = Structures { list, supports };
        for number in 0..structures.list.len() {
            let (exchanged, exchange) = structures.exchange(number);
            structures.list[number].exchanged = exchanged;
            structures.list[number].exchange = exchange;
        }
        structures
    }

    /// The structure with exchanged colours, from a support and its colour exchange.
    fn exchange(&self, number: usize) -> (u16, Permutation) {
        let support = usize::from(self.list[number].supports[0]);
        let [red, black] = support_kinds(support);
        let own = self.supports[support];
        let other = self.supports[support_number([black, red])];
        let mut map = IDENTITY;
        for colour in 0..2 {
            for kind in 0..KINDS {
                if own.labels[colour][kind] != ABSENT {
                    map[usize::from(own.labels[colour][kind])] = other.labels[1 - colour][kind];
                }
            }
        }
        (other.structure, map)
    }

    /// A structure.
    ///
    /// # Panics
    ///
    /// For a number without a [`Support`].
    #[inline]
    pub fn get(&self, number: u16) -> &Structure {
        &self.list[usize::from(number)]
    }

    /// All structures in order.
    #[inline]
    pub fn list(&self) -> &[Structure] {
        &self.list
    }

    /// The structure of a set of kinds.
    #[inline]
    pub fn support(&self, kinds: [u8; 2]) -> &Support {
        &self.supports[support_number(kinds)]
    }

    /// The structure of the kinds with at least one piece.
    #[inline]
    pub fn of(&self, counts: &[Counts; 2]) -> &Support {
        self.support(counts.each_ref().map(kinds_of))
    }
}

/// The identity permutation.
pub const IDENTITY: Permutation = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

/// All structures, computed once.
#[inline]
pub fn structures() -> &'static Structures {
    static ALL: LazyLock<Structures> = LazyLock::new(Structures::new);
    &ALL
}

/// Moves the sizes as the permutation maps their blocks.
#[inline]
pub fn permuted(sizes: &Sizes, map: &Permutation) -> Sizes {
    let mut out = [0; MAX_BLOCKS];
    for (&size, &to) in sizes.iter().zip(map) {
        out[usize::from(to)] = size;
    }
    out
}

/// The sets of red and black kinds of a support's number, one bit per kind.
#[inline]
pub fn support_kinds(number: usize) -> [u8; 2] {
    [(number >> KINDS) as u8, (number & ((1 << KINDS) - 1)) as u8]
}

#[inline]
fn support_number([red, black]: [u8; 2]) -> usize {
    usize::from(red & 0x7f) << KINDS | usize::from(black & 0x7f)
}

/// The set of present kinds, one bit per kind.
#[inline]
pub fn kinds_of(counts: &Counts) -> u8 {
    let [k, g, m, r, n, c, p] = *counts;
    let bytes = u64::from_le_bytes([k, g, m, r, n, c, p, 0]);
    // No count reaches 128, so the top bit of each byte tells whether it is above 0; the product
    // gathers these bits.
    let top = (bytes + 0x7f7f_7f7f_7f7f_7f7f) & 0x8080_8080_8080_8080;
    ((top >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Expands each kind of a set to two bits.
fn relations(kinds: u8) -> u16 {
    (0..KINDS).filter(|k| kinds >> k & 1 == 1).fold(0, |mask, k| mask | 3 << (2 * k))
}

/// The blocks of `own` kinds facing `other` kinds.
fn blocks(own: u8, other: u8) -> Side {
    let mask = relations(other);
    let mut side = Side::new();
    for kind in Kind::ALL.into_iter().filter(|k| own >> k.index() & 1 == 1) {
        let alike = |b: &Block| {
            (b.kind == Kind::Cannon) == (kind == Kind::Cannon)
                && ROWS[b.kind.index()] & mask == ROWS[kind.index()] & mask
        };
        match side.iter_mut().find(|b| alike(b)) {
            Some(block) => block.kinds |= 1 << kind.index(),
            None => side.push(Block { kind, kinds: 1 << kind.index(), invariant: 0 }),
        }
    }
    side
}

/// Sorts blocks by their relation to the cannon and the number of opposing blocks per relation.
fn sort(side: &mut Side, others: &Side) {
    const LOW: u16 = 0x1555;
    let mask = relations(others.iter().fold(0, |kinds, b| kinds | 1 << b.kind.index()));
    for block in side.iter_mut() {
        let row = ROWS[block.kind.index()] & mask;
        let counts = [row & row >> 1, row & !(row >> 1), !row & row >> 1];
        let [takes, taken, both] = counts.map(|bits| (bits & LOW).count_ones() as u16);
        let to_cannon = row >> (2 * Kind::Cannon.index()) & 3;
        let cannon = u16::from(block.kind == Kind::Cannon);
        block.invariant = cannon << 14 | to_cannon << 9 | takes << 6 | taken << 3 | both;
    }
    side.sort_unstable_by_key(|b| b.invariant);
}

/// The black blocks' columns, sorted, for an order of the red ones, each with its block.
fn columns(red: &[Block], black: &Side) -> ArrayVec<(u16, Block), KINDS> {
    let column = |b: &Block| {
        let cannon = u16::from(b.kind == Kind::Cannon) << 14;
        let bits =
            red.iter().enumerate().map(|(i, r)| (relation(r.kind, b.kind) as u16) << (2 * i));
        (cannon | bits.sum::<u16>(), *b)
    };
    let mut columns: ArrayVec<_, KINDS> = black.iter().map(column).collect();
    columns.sort_unstable_by_key(|c| c.0);
    columns
}

/// The canonical form of a set of kinds, a labelling that leads to it, and the automorphisms.
fn analyse(kinds: [u8; 2]) -> (Form, Labels, Vec<Permutation>) {
    let (mut red, black) = (blocks(kinds[0], kinds[1]), blocks(kinds[1], kinds[0]));
    sort(&mut red, &black);
    let ties = runs(&red, |b| b.invariant);
    let mut least: Option<[u16; KINDS]> = None;
    let mut ways: Vec<Labels> = Vec::new();
    rearrange(&mut red, &ties, &mut |order| {
        let sorted = columns(order, &black);
        let mut bits = [0; KINDS];
        for (b, c) in bits.iter_mut().zip(&sorted) {
            *b = c.0;
        }
        if least.is_none_or(|l| bits < l) {
            least = Some(bits);
            ways.clear();
        }
        if least == Some(bits) {
            ways.push(labels(order, &sorted));
        }
    });
    let has_cannon = |set: u8| set >> Kind::Cannon.index() & 1 == 1;
    let form = Form {
        blocks: [red.len() as u8, black.len() as u8],
        cannons: kinds.map(has_cannon),
        columns: least.unwrap_or_default(),
    };
    let first = ways[0];
    let automorphisms = ways.iter().map(|way| renaming(&first, way)).collect();
    (form, first, automorphisms)
}

fn labels(red: &[Block], black: &[(u16, Block)]) -> Labels {
    let mut labels = [[ABSENT; KINDS]; 2];
    let all = red.iter().map(|b| (0, b)).chain(black.iter().map(|(_, b)| (1, b)));
    for (label, (colour, block)) in all.enumerate() {
        for (kind, to) in labels[colour].iter_mut().enumerate() {
            if block.kinds >> kind & 1 == 1 {
                *to = label as u8;
            }
        }
    }
    labels
}

/// The permutation of blocks that maps one labelling to another.
fn renaming(from: &Labels, to: &Labels) -> Permutation {
    let mut map = IDENTITY;
    for (&from, &to) in from.as_flattened().iter().zip(to.as_flattened()) {
        if from != ABSENT {
            map[usize::from(from)] = to;
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::darkchess::{Colour, Piece};

    fn kinds(text: &str) -> u8 {
        Kind::ALL
            .into_iter()
            .filter(|&k| text.contains(Piece::new(Colour::Red, k).letter()))
            .fold(0, |set, k| set | 1 << k.index())
    }

    fn structure(red: &str, black: &str) -> u16 {
        structures().support([kinds(red), kinds(black)]).structure
    }

    #[test]
    fn kinds_that_no_opponent_tells_apart_are_one_block() {
        let all = structures();
        let support = all.support([kinds("GRN"), kinds("P")]);
        assert_eq!(all.get(support.structure).blocks(), [1, 1]);
        assert_eq!(structure("GRN", "P"), structure("K", "M"));
        assert_ne!(structure("K", "M"), structure("K", "K"));
        assert_ne!(structure("K", "M"), structure("K", "C"));
        assert_ne!(structure("C", "P"), structure("P", "C"));
    }

    #[test]
    fn guard_and_pawn_against_king_and_minister_take_each_other_in_a_ring() {
        let all = structures();
        let ring = all.get(structure("GP", "KM"));
        assert_eq!((ring.blocks(), ring.automorphisms.len()), ([2, 2], 2));
        assert_eq!(ring.automorphisms[1][..4], [1, 0, 3, 2]);
        assert_eq!(structure("GP", "KM"), structure("KM", "GP"));
    }

    #[test]
    fn labels_keep_every_relation_and_renamings_change_none() {
        let all = structures();
        for number in 0..SUPPORTS {
            let [red, black] = support_kinds(number);
            let support = all.support([red, black]);
            let structure = all.get(support.structure);
            for r in Kind::ALL.into_iter().filter(|k| red >> k.index() & 1 == 1) {
                let own = usize::from(support.labels[0][r.index()]);
                assert_eq!(structure.is_cannon(own), r == Kind::Cannon);
                for b in Kind::ALL.into_iter().filter(|k| black >> k.index() & 1 == 1) {
                    let other = usize::from(support.labels[1][b.index()]);
                    assert_eq!(structure.relation(own, other), relation(r, b));
                }
            }
        }
        for structure in all.list() {
            assert_eq!(structure.automorphisms[0], IDENTITY);
            for map in &structure.automorphisms {
                same(structure, structure, map, false);
            }
            same(structure, all.get(structure.exchanged), &structure.exchange, true);
        }
    }

    /// Checks that relabelling the blocks of one structure gives the other.
    fn same(one: &Structure, other: &Structure, map: &Permutation, exchange: bool) {
        let [red, black] = one.blocks();
        assert_eq!(other.blocks(), if exchange { [black, red] } else { [red, black] });
        for i in 0..red {
            let to = usize::from(map[i]);
            assert_eq!(one.is_cannon(i), other.is_cannon(to));
            for (j, &to_black) in map.iter().enumerate().skip(red).take(black) {
                let relation = other.relation(to, usize::from(to_black));
                assert_eq!(one.relation(i, j), relation);
            }
        }
    }
}
