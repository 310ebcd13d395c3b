//! Gap-free indices for fixed material, as needed by an endgame table: 0 to size - 1 for the
//! placements of exactly these pieces.
//!
//! A material has at most 36 blocks, by the number of each side's pawns beyond the river; within a
//! block the digits are those of the full numbering.

use super::{Block, Numbering, SideCounts};
use crate::count::Number;
use agon_games::Player;
use agon_games::xiangqi::{Board, Kind};
use agon_xiangqi::tablebase::SideMaterial;
use agon_xiangqi::tablebase::numbering::free;
use agon_xiangqi::tablebase::numbering::palace::PalaceCounts;

/// The pieces of both sides, Red's first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Material(pub [SideMaterial; 2]);

impl Material {
    /// The material on a board.
    pub fn of(board: &Board) -> Material {
        Material(
            Player::BOTH.map(|side| {
                SideMaterial::of(&|kind| board.pieces(side, kind).count_ones() as usize)
            }),
        )
    }

    /// Parses the pieces' letters, Red's upper-case and Black's lower-case; kings are optional and
    /// the order is free: `KRkaabb`.
    pub fn parse(text: &str) -> Result<Material, String> {
        let mut material = Material::default();
        for letter in text.chars() {
            let side = usize::from(letter.is_ascii_lowercase());
            let kind = Kind::from_letter(letter).ok_or_else(|| {
                format!("`{letter}` in `{text}` is no piece: expected letters of KABPRNC")
            })?;
            let own = &mut material.0[side];
            let slot = match kind {
                Kind::King => continue,
                Kind::Advisor => &mut own.advisors,
                Kind::Elephant => &mut own.elephants,
                Kind::Pawn => &mut own.pawns,
                Kind::Rook => &mut own.rooks,
                Kind::Horse => &mut own.horses,
                Kind::Cannon => &mut own.cannons,
            };
            *slot += 1;
            if *slot > kind.initial_count() as usize {
                let (name, most) = (kind.name(), kind.initial_count());
                return Err(format!("`{text}` has {slot} {name}s of a side, at most {most} exist"));
            }
        }
        Ok(material)
    }

    fn vector(&self) -> [usize; free::KINDS] {
        let [red, black] = self.0;
        [red.rooks, black.rooks, red.horses, black.horses, red.cannons, black.cannons]
    }
}

/// The indexing of one material.
#[derive(Debug)]
pub struct MaterialIndex<'a> {
    numbering: &'a Numbering,
    material: Material,
    /// In ascending order of start; the last one is empty and starts at the size.
    blocks: Vec<Block>,
}

impl<'a> MaterialIndex<'a> {
    /// Builds the indexing of a material.
    pub fn new(numbering: &'a Numbering, material: Material) -> MaterialIndex<'a> {
        let mut index = MaterialIndex { numbering, material, blocks: Vec::new() };
        let mut start = Number::ZERO;
        let [red, black] = material.0;
        for red_crossed in 0..=red.pawns {
            for black_crossed in 0..=black.pawns {
                let classes = [class(red, red_crossed), class(black, black_crossed)];
                index.blocks.push(Block { start, classes });
                let shape = numbering.shape(classes);
                start += numbering.digits_size(shape) * Number::from(index.free_size(shape.empty));
            }
        }
        index.blocks.push(Block { start, classes: Default::default() });
        index
    }

    fn free_size(&self, empty: usize) -> u128 {
        free::size(&self.numbering.combinations, empty, self.material.vector())
    }

    /// The number of placements.
    pub fn size(&self) -> Number {
        self.blocks.last().map_or(Number::ZERO, |b| b.start)
    }

    /// The index of a placement; `None` if it is illegal or has other material.
    pub fn rank(&self, board: &Board) -> Option<Number> {
        if board.check().is_err() || Material::of(board) != self.material {
            return None;
        }
        let parts = self.numbering.decompose(board);
        let shape = self.numbering.shape(parts.classes);
        let [red, black] = parts.classes;
        let block = red.crossed * (self.material.0[1].pawns + 1) + black.crossed;
        let digits = parts.digits.iter().zip(shape.bases).rev();
        let digits = digits.fold(0u128, |n, (&d, base)| n * u128::from(base) + u128::from(d));
        let free = free::rank(&self.numbering.combinations, parts.free, parts.empty);
        let free_size = Number::from(self.free_size(shape.empty));
        Some(self.blocks[block].start + Number::from(digits) * free_size + Number::from(free))
    }

    /// The placement with an index; `None` if it is not below the size.
    pub fn unrank(&self, number: Number) -> Option<Board> {
        if number >= self.size() {
            return None;
        }
        let block = self.blocks[self.blocks.partition_point(|b| b.start <= number) - 1];
        let shape = self.numbering.shape(block.classes);
        let free_size = Number::from(self.free_size(shape.empty));
        let (digits, free) = (number - block.start).div_rem(free_size);
        let free = (self.material.vector(), free.to());
        Some(self.numbering.assemble(block.classes, shape, digits.to(), free))
    }
}

fn class(side: SideMaterial, crossed: usize) -> SideCounts {
    let SideMaterial { advisors, elephants, pawns, .. } = side;
    SideCounts { home: PalaceCounts { advisors, elephants, pawns: pawns - crossed }, crossed }
}
