//! An index for every placement: a bijection between the placements counted by [`crate::count`] and
//! 0 to total - 1 (133 bits), and gap-free indices for fixed material ([`material`]).
//!
//! Placements are divided into blocks by each side's numbers of advisors, elephants and pawns on
//! either side of the river. Within a block a placement is a sequence of digits: the palace pieces of
//! each half, the pawns beyond the river among the half's empty squares, and the rooks, horses and
//! cannons among the board's. The digits are those of the engine's endgame tablebase
//! ([`agon_xiangqi::tablebase::numbering`]).

pub mod material;
#[cfg(test)]
mod tests;

use crate::count::Number;
use agon_games::Player;
use agon_games::rng::Stream;
use agon_games::xiangqi::{BOARD, Board, Kind, RED_HALF};
use agon_xiangqi::tablebase::numbering::combinations::Combinations;
use agon_xiangqi::tablebase::numbering::free::{self, FreeBlocks};
use agon_xiangqi::tablebase::numbering::palace::{
    PalaceCounts, PalaceIndex, PalacePieces, rotated,
};
use rand_core::Rng;

/// The counts of one side's pieces outside the free kinds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SideCounts {
    /// In its own half.
    pub home: PalaceCounts,
    /// Pawns beyond the river; together with those before it at most 5.
    pub crossed: usize,
}

/// Classes of one side: 3 numbers of advisors, 3 of elephants, 21 of pawns on either side.
const SIDE_COUNTS: usize = 189;

/// A block: the classes of Red and Black.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: Number,
    classes: [SideCounts; 2],
}

/// The sizes of the digits of a block below the free pieces.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// The number of placements of Red's and of Black's home pieces, and of sets of Black's and of
    /// Red's pawns beyond the river.
    bases: [u64; 4],
    /// Squares left empty for rooks, horses and cannons.
    empty: usize,
}

/// A placement as sets.
#[derive(Clone, Copy, Debug)]
struct Decomposition {
    classes: [SideCounts; 2],
    /// The digits below [`Shape::bases`].
    digits: [u64; 4],
    /// All empty squares before the free pieces.
    empty: u128,
    free: [u128; free::KINDS],
}

/// The tables; building them takes some milliseconds, so callers should share them.
#[derive(Debug)]
pub struct Numbering {
    palaces: PalaceIndex,
    combinations: Combinations,
    free: FreeBlocks,
    /// In ascending order of start; the last block is empty and starts at the total.
    blocks: Vec<Block>,
}

/// The kinds of [`free`] in order.
const FREE_PIECES: [(Player, Kind); free::KINDS] = [
    (Player::First, Kind::Rook),
    (Player::Second, Kind::Rook),
    (Player::First, Kind::Horse),
    (Player::Second, Kind::Horse),
    (Player::First, Kind::Cannon),
    (Player::Second, Kind::Cannon),
];

impl SideCounts {
    /// The class with an index below [`SIDE_COUNTS`]; the inverse of [`SideCounts::number`].
    fn nth(number: usize) -> SideCounts {
        let (officers, pawns) = (number / 21, number % 21);
        // Pawns before the river p and beyond q in the order (0,0) (0,1) (1,0) (0,2) (1,1) ...
        let all = (0..6).rev().find(|n| n * (n + 1) / 2 <= pawns).unwrap_or(0);
        let home = pawns - all * (all + 1) / 2;
        let home = PalaceCounts { advisors: officers / 3, elephants: officers % 3, pawns: home };
        SideCounts { home, crossed: all - home.pawns }
    }

    fn number(self) -> usize {
        let all = self.home.pawns + self.crossed;
        (self.home.advisors * 3 + self.home.elephants) * 21 + all * (all + 1) / 2 + self.home.pawns
    }

    /// The number of its pieces in its own half.
    fn at_home(self) -> usize {
        1 + self.home.advisors + self.home.elephants + self.home.pawns
    }
}

impl Numbering {
    /// Builds the tables.
    pub fn new() -> Numbering {
        let combinations = Combinations::new();
        let mut numbering = Numbering {
            palaces: PalaceIndex::new(),
            free: FreeBlocks::new(&combinations),
            combinations,
            blocks: Vec::with_capacity(SIDE_COUNTS * SIDE_COUNTS + 1),
        };
        let mut start = Number::ZERO;
        for red in (0..SIDE_COUNTS).map(SideCounts::nth) {
            for black in (0..SIDE_COUNTS).map(SideCounts::nth) {
                let classes = [red, black];
                numbering.blocks.push(Block { start, classes });
                let shape = numbering.shape(classes);
                start +=
                    numbering.digits_size(shape) * Number::from(numbering.free.total(shape.empty));
            }
        }
        numbering.blocks.push(Block { start, classes: Default::default() });
        numbering
    }

    /// The number of placements.
    pub fn total(&self) -> Number {
        self.blocks.last().map_or(Number::ZERO, |b| b.start)
    }

    /// The first index of every block, in order, then the total.
    pub fn borders(&self) -> impl Iterator<Item = Number> + '_ {
        self.blocks.iter().map(|b| b.start)
    }

    fn shape(&self, classes: [SideCounts; 2]) -> Shape {
        let [red, black] = classes;
        let left = [45 - red.at_home(), 45 - black.at_home()];
        Shape {
            bases: [
                self.palaces.size(red.home),
                self.palaces.size(black.home),
                self.combinations.choose(left[0], black.crossed),
                self.combinations.choose(left[1], red.crossed),
            ],
            empty: left[0] + left[1] - red.crossed - black.crossed,
        }
    }

    fn digits_size(&self, shape: Shape) -> Number {
        Number::from(shape.bases.iter().map(|&b| u128::from(b)).product::<u128>())
    }

    /// The index of a placement, or the reason why it has none.
    pub fn rank(&self, board: &Board) -> Result<Number, String> {
        board.check()?;
        let parts = self.decompose(board);
        let shape = self.shape(parts.classes);
        let vector = free::vector_number(parts.free.map(|s| s.count_ones() as usize));
        let free = self.free.start(shape.empty, vector)
            + free::rank(&self.combinations, parts.free, parts.empty);
        let digits = parts.digits.iter().zip(shape.bases).rev();
        let digits = digits.fold(0u128, |n, (&d, base)| n * u128::from(base) + u128::from(d));
        let [red, black] = parts.classes.map(SideCounts::number);
        let start = self.blocks[red * SIDE_COUNTS + black].start;
        Ok(start
            + Number::from(digits) * Number::from(self.free.total(shape.empty))
            + Number::from(free))
    }

    /// The placement with an index; `None` if it is not below the total.
    pub fn unrank(&self, number: Number) -> Option<Board> {
        if number >= self.total() {
            return None;
        }
        let block = self.blocks[self.blocks.partition_point(|b| b.start <= number) - 1];
        let shape = self.shape(block.classes);
        let within = number - block.start;
        let (digits, free) = within.div_rem(Number::from(self.free.total(shape.empty)));
        let (vector, free) = self.free.find(shape.empty, free.to());
        Some(self.assemble(block.classes, shape, digits.to(), (free::vector(vector), free)))
    }

    /// A uniformly random index: 133 random bits, redrawn until they are below the total.
    pub fn random(&self, rng: &mut Stream) -> Number {
        let mask = (Number::from(1) << self.total().bit_len()) - Number::from(1);
        loop {
            let limbs = [rng.next_u64(), rng.next_u64(), rng.next_u64(), 0];
            let number = Number::from_limbs(limbs) & mask;
            if number < self.total() {
                return number;
            }
        }
    }

    /// The classes, digits and sets of a legal placement.
    fn decompose(&self, board: &Board) -> Decomposition {
        let (mut classes, mut palaces) = ([SideCounts::default(); 2], [PalacePieces::default(); 2]);
        for side in Player::BOTH {
            let own = |kind| {
                let set = board.pieces(side, kind);
                if side == Player::First { set } else { rotated(set) }
            };
            let pawns = own(Kind::Pawn);
            let home = PalacePieces {
                king: own(Kind::King),
                advisors: own(Kind::Advisor),
                elephants: own(Kind::Elephant),
                pawns: pawns & RED_HALF,
            };
            let count = |set: u128| set.count_ones() as usize;
            let class = PalaceCounts {
                advisors: count(home.advisors),
                elephants: count(home.elephants),
                pawns: count(home.pawns),
            };
            classes[side.index()] = SideCounts { home: class, crossed: count(pawns & !RED_HALF) };
            palaces[side.index()] = home;
        }
        let empty_red = RED_HALF & !palaces[0].all();
        let empty_black = BOARD & !RED_HALF & !rotated(palaces[1].all());
        let crossed = |side, half: u128| board.pieces(side, Kind::Pawn) & half;
        let black_crossed = crossed(Player::Second, RED_HALF);
        let red_crossed = crossed(Player::First, !RED_HALF);
        let digits = [
            self.palaces.rank(classes[0].home, palaces[0]),
            self.palaces.rank(classes[1].home, palaces[1]),
            self.combinations.rank(black_crossed, empty_red),
            self.combinations.rank(red_crossed, empty_black),
        ];
        let empty = (empty_red | empty_black) & !(black_crossed | red_crossed);
        let free = FREE_PIECES.map(|(side, kind)| board.pieces(side, kind));
        Decomposition { classes, digits, empty, free }
    }

    /// The placement with a block's digits.
    fn assemble(
        &self,
        classes: [SideCounts; 2],
        shape: Shape,
        mut digits: u128,
        (vector, free): ([usize; free::KINDS], u128),
    ) -> Board {
        let digits = shape.bases.map(|base| {
            let digit = (digits % u128::from(base)) as u64;
            digits /= u128::from(base);
            digit
        });
        let mut board = Board::default();
        let red = self.palaces.unrank(classes[0].home, digits[0]);
        let black = self.palaces.unrank(classes[1].home, digits[1]).rotated();
        let empty_red = RED_HALF & !red.all();
        let empty_black = BOARD & !RED_HALF & !black.all();
        let black_crossed = self.combinations.unrank(digits[2], classes[1].crossed, empty_red);
        let red_crossed = self.combinations.unrank(digits[3], classes[0].crossed, empty_black);
        put_home(&mut board, Player::First, red);
        put_home(&mut board, Player::Second, black);
        board.put_all(red_crossed, Player::First, Kind::Pawn);
        board.put_all(black_crossed, Player::Second, Kind::Pawn);
        let empty = (empty_red | empty_black) & !(black_crossed | red_crossed);
        let sets = free::unrank(&self.combinations, vector, free, empty);
        for ((side, kind), set) in FREE_PIECES.into_iter().zip(sets) {
            board.put_all(set, side, kind);
        }
        board
    }
}

impl Default for Numbering {
    fn default() -> Numbering {
        Numbering::new()
    }
}

fn put_home(board: &mut Board, side: Player, home: PalacePieces) {
    board.put_all(home.king, side, Kind::King);
    board.put_all(home.advisors, side, Kind::Advisor);
    board.put_all(home.elephants, side, Kind::Elephant);
    board.put_all(home.pawns, side, Kind::Pawn);
}
