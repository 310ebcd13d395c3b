//! The indexer: concatenates all classes of a tablebase and computes the index of a position.

use super::material::{
    CODE_STEP, ClassShape, Fit, KindCounts, MAX_PIECES, MAX_TYPES, SIDE_CODES, fit, side_code,
    sides,
};
use super::numbering::{ArrangementNumbering, SymmetricBoard, TypeSets};
use agon_games::darkchess::{DarkChess, KINDS, Squares};
use agon_games::hash::FastMap;
use agon_tablebase::{Dtm, Encoding, Format, Indexer, Parameters};

/// One class, seen from the side to move.
#[derive(Clone, Debug)]
pub struct TableClass {
    /// The piece types of the class.
    pub shape: ClassShape,
    /// The numbering of its positions.
    pub numbering: ArrangementNumbering,
    /// A material combination of the class: of the side to move, then of the opponent.
    pub example: [KindCounts; 2],
    /// The index of its first value.
    pub offset: u64,
    /// The same class with the other side to move.
    pub turned: Link,
    /// For each type of the opponent, the class after the side to move has captured a piece of that
    /// type, with the opponent to move; `None` for the opponent's last piece and for own types.
    pub without: [Option<Link>; MAX_TYPES],
}

/// A link to another class, which maps the types of this class to its types.
#[derive(Clone, Copy, Default, Debug)]
pub struct Link {
    /// The number of the class.
    pub class: u32,
    types: [u8; MAX_TYPES],
}

impl Link {
    /// The same pieces, by the types of the other class.
    #[inline]
    pub fn map(&self, sets: &TypeSets) -> TypeSets {
        let mut mapped = [0; MAX_TYPES];
        for (&set, &to) in sets.iter().zip(&self.types) {
            // Types without pieces have no counterpart in the other class.
            if set != 0 {
                mapped[usize::from(to) % MAX_TYPES] |= set;
            }
        }
        mapped
    }
}

impl TableClass {
    /// The number of pieces of both sides.
    pub fn pieces(&self) -> u8 {
        self.shape.counts.iter().sum()
    }
}

/// The class of a material combination, and the type of each kind.
#[derive(Clone, Copy, Debug)]
struct MaterialEntry {
    class: u32,
    types: [[u8; KINDS]; 2],
}

/// Indexes all positions of at most `pieces` pieces, all of them face up.
#[derive(Clone, Debug)]
pub struct DarkChessIndexer {
    /// The board and its symmetries.
    pub board: SymmetricBoard,
    /// The classes, those of fewer pieces first.
    pub classes: Vec<TableClass>,
    entries: FastMap<u32, MaterialEntry>,
    pieces: usize,
    len: u64,
}

impl Indexer for DarkChessIndexer {
    type Position = DarkChess;
    type Value = Dtm;
    const FORMAT: Format = Format {
        game: "darkchess",
        old_magic: b"AgonDckT",
        encoding: Encoding::Raw,
        rebuild: |path| format!("darkchess table build {}", path.display()),
    };

    fn from_parameters(parameters: &Parameters) -> Result<DarkChessIndexer, String> {
        let [pieces, files, ranks, ..] = *parameters;
        DarkChessIndexer::new(pieces.into(), files, ranks)
    }

    fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        let (files, ranks) = self.board.size;
        parameters[..3].copy_from_slice(&[self.pieces as u8, files, ranks]);
        parameters
    }

    /// Includes unused indexes.
    fn len(&self) -> u64 {
        self.len
    }

    /// `None` if a piece is face down, a side has no piece, there are too many pieces, or the board
    /// differs.
    #[inline]
    fn index(&self, game: &DarkChess) -> Option<u64> {
        let (class, number) = self.locate(game)?;
        Some(class.offset + u64::from(number))
    }
}

impl DarkChessIndexer {
    /// Indexes positions of 2 to `pieces` pieces, at least one per side, on a board with this
    /// number of files and ranks.
    ///
    /// # Errors
    ///
    /// For more than [`MAX_PIECES`] pieces and boards that do not exist.
    pub fn new(pieces: usize, files: u8, ranks: u8) -> Result<DarkChessIndexer, String> {
        if !(2..=MAX_PIECES).contains(&pieces) {
            return Err(format!("{pieces} pieces; 2 to {MAX_PIECES} can be built"));
        }
        if ![(4, 8), (4, 4), (2, 4)].contains(&(files, ranks)) {
            return Err(format!("a board of {files} by {ranks}; known are 4x8, 4x4 and 2x4"));
        }
        let board = SymmetricBoard::new(files, ranks);
        let entries = FastMap::default();
        let mut index = DarkChessIndexer { board, classes: Vec::new(), entries, pieces, len: 0 };
        let mut known: FastMap<ClassShape, u32> = FastMap::default();
        for all in 2..=pieces as u8 {
            for first in 1..all {
                for own in sides(first) {
                    for other in sides(all - first) {
                        index.add(&mut known, own, other);
                    }
                }
            }
        }
        for class in 0..index.classes.len() {
            index.link(class);
        }
        Ok(index)
    }

    fn add(&mut self, known: &mut FastMap<ClassShape, u32>, own: KindCounts, other: KindCounts) {
        let Fit { shape, types } = fit(&own, &other);
        let next = self.classes.len() as u32;
        let class = *known.entry(shape).or_insert_with_key(|shape| {
            let numbering = ArrangementNumbering::new(&self.board, shape);
            let offset = self.len;
            self.len += u64::from(numbering.len());
            self.classes.push(TableClass {
                shape: shape.clone(),
                numbering,
                example: [own, other],
                offset,
                turned: Link::default(),
                without: [None; MAX_TYPES],
            });
            next
        });
        self.entries.insert(code(&own, &other), MaterialEntry { class, types });
    }

    /// Fills in the links of a class.
    fn link(&mut self, number: usize) {
        let [own, other] = self.classes[number].example;
        let Some(&entry) = self.entries.get(&code(&own, &other)) else { return };
        if let Some(turned) = self.link_to(&entry, &own, &other) {
            self.classes[number].turned = turned;
        }
        for kind in 0..KINDS {
            let taken = entry.types[1][kind];
            if other[kind] == 0 {
                continue;
            }
            let mut left = other;
            left[kind] -= 1;
            let link = self.link_to(&entry, &own, &left);
            self.classes[number].without[usize::from(taken)] = link;
        }
    }

    /// The class in which `other` moves against `own`; `entry` gives the types of the pieces.
    fn link_to(&self, entry: &MaterialEntry, own: &KindCounts, other: &KindCounts) -> Option<Link> {
        let next = self.entries.get(&code(other, own))?;
        let mut types = [0; MAX_TYPES];
        for kind in 0..KINDS {
            if own[kind] > 0 {
                types[usize::from(entry.types[0][kind])] = next.types[1][kind];
            }
            if other[kind] > 0 {
                types[usize::from(entry.types[1][kind])] = next.types[0][kind];
            }
        }
        Some(Link { class: next.class, types })
    }

    /// The maximum number of pieces in a position.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The number of material combinations with pieces of both sides, by side to move.
    pub fn materials(&self) -> usize {
        self.entries.len()
    }

    /// The class of a position, and its number within the class.
    #[inline]
    fn locate(&self, game: &DarkChess) -> Option<(&TableClass, u32)> {
        let occupied = game.occupied();
        if game.hidden() != 0
            || occupied.count_ones() as usize > self.pieces
            || game.board() != self.board.squares
        {
            return None;
        }
        let own = game.colour_to_move()?;
        let mut code = 0;
        for square in Squares(occupied) {
            let piece = game.piece_at(square)?;
            let step = CODE_STEP[piece.kind().index()];
            code += if piece.colour() == own { step * SIDE_CODES } else { step };
        }
        let entry = self.entries.get(&code)?;
        let mut sets = [0; MAX_TYPES];
        for square in Squares(occupied) {
            let piece = game.piece_at(square)?;
            let side = usize::from(piece.colour() != own);
            sets[usize::from(entry.types[side][piece.kind().index()]) % MAX_TYPES] |= 1 << square;
        }
        let class = self.classes.get(entry.class as usize)?;
        Some((class, class.numbering.number(&self.board, &sets)))
    }

    /// The pieces of an arrangement of a class's example as (side, kind, square); side 0 is to
    /// move.
    pub fn pieces_of(&self, class: &TableClass, sets: &TypeSets) -> Vec<(usize, usize, u8)> {
        let [own, other] = class.example;
        let Some(entry) = self.entries.get(&code(&own, &other)) else { return Vec::new() };
        let mut left = *sets;
        let mut pieces = Vec::new();
        for (side, counts) in class.example.iter().enumerate() {
            for kind in 0..KINDS {
                for _ in 0..counts[kind] {
                    let set = &mut left[usize::from(entry.types[side][kind]) % MAX_TYPES];
                    pieces.push((side, kind, set.trailing_zeros() as u8));
                    *set &= set.wrapping_sub(1);
                }
            }
        }
        pieces
    }
}

fn code(own: &KindCounts, other: &KindCounts) -> u32 {
    side_code(own) * SIDE_CODES + side_code(other)
}
