//! Training positions: sets of points, the result to predict and the policy to predict.

use super::{BoardShape, CHANNELS, Grid, PLANES};
use crate::train::{PositionSet, SHARE_ONE};
use agon_games::rng::{self, Stream, below};

/// The symmetries of a square board.
const IMAGES: u32 = 8;

/// A position without its policy.
#[derive(Clone, Copy, Debug)]
struct Row {
    planes: [u128; PLANES],
    target: f32,
    held_out: bool,
    policy: usize,
    moves: u8,
}

/// Training positions in memory: about 150 bytes each, and 4 for each move of the policy.
#[derive(Clone, Debug)]
pub struct BoardPositions {
    grid: Grid,
    rows: Vec<Row>,
    policy: Vec<(u16, u16)>,
    checksum: crc32fast::Hasher,
}

/// A position in one of its images, as it is trained on.
#[derive(Clone, Debug)]
pub struct BoardPosition {
    /// By point the planes, with the margin of a buffer.
    pub(super) input: Vec<[f32; PLANES]>,
    /// The result to predict for the side to move, 0 to 1.
    pub target: f32,
    /// Points and the shares to predict, with the sum 1; none for a position that does not train the policy.
    pub policy: Vec<(usize, f32)>,
}

impl BoardPositions {
    /// No positions yet.
    pub fn new(shape: &BoardShape) -> BoardPositions {
        let grid = shape.grid();
        BoardPositions {
            grid,
            rows: Vec::new(),
            policy: Vec::new(),
            checksum: crc32fast::Hasher::new(),
        }
    }

    /// Adds a position, which is not trained on if it is `held_out`. Planes: at most [`PLANES`] sets; `target`: the result
    /// for the side to move, 0 to 1; `policy`: by legal point its share, 0 to 1, with the sum 1; none if the policy is not
    /// to be learned.
    pub fn push(&mut self, planes: &[u128], target: f32, policy: &[(usize, f32)], held_out: bool) {
        let mut all = [0; PLANES];
        all.iter_mut().zip(planes).for_each(|(to, set)| *to = *set);
        all.iter().for_each(|set| self.checksum.update(&set.to_le_bytes()));
        self.checksum.update(&target.to_le_bytes());
        let first = self.policy.len();
        let policy = &policy[..policy.len().min(usize::from(u8::MAX))];
        for &(point, share) in policy {
            let pair = (point as u16, (share * f32::from(SHARE_ONE)).round() as u16);
            self.checksum.update(&[pair.0.to_le_bytes(), pair.1.to_le_bytes()].concat());
            self.policy.push(pair);
        }
        let moves = policy.len() as u8;
        self.rows.push(Row { planes: all, target, held_out, policy: first, moves });
    }

    /// A position in one of its eight images: eight times the position's number, plus that of the image.
    ///
    /// # Panics
    /// There is no such position.
    pub fn get(&self, number: u32) -> BoardPosition {
        let row = &self.rows[(number / IMAGES) as usize];
        let image = |point: usize| self.grid.image(point, (number % IMAGES) as usize);
        let mut input = vec![[0.0; PLANES]; self.grid.length()];
        for (plane, &set) in row.planes.iter().enumerate() {
            let mut rest = set;
            while rest != 0 {
                input[image(rest.trailing_zeros() as usize) + self.grid.margin()][plane] = 1.0;
                rest &= rest - 1;
            }
        }
        let policy = &self.policy[row.policy..row.policy + usize::from(row.moves)];
        let share = |&(point, share): &(u16, u16)| {
            (image(point.into()), f32::from(share) / f32::from(SHARE_ONE))
        };
        BoardPosition { input, target: row.target, policy: policy.iter().map(share).collect() }
    }

    /// The numbers of these positions in their first image.
    fn numbers(&self, held_out: bool) -> impl Iterator<Item = u32> {
        let all = (0..).zip(&self.rows).filter(move |(_, row)| row.held_out == held_out);
        all.map(|(number, _): (u32, _)| number * IMAGES)
    }
}

impl PositionSet for BoardPositions {
    /// Each position in one image.
    fn order(&self, stream: &mut Stream) -> Vec<u32> {
        let mut order: Vec<u32> = self
            .numbers(false)
            .map(|number| number + below(stream, IMAGES.into()) as u32)
            .collect();
        rng::shuffle(stream, &mut order);
        order
    }

    fn held_out(&self) -> Vec<u32> {
        self.numbers(true).collect()
    }

    fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }

    fn len(&self) -> usize {
        self.rows.len()
    }
}

/// A buffer of the channels of all points.
pub(super) type Activations = Vec<[f32; CHANNELS]>;
