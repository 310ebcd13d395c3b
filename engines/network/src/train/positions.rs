//! Positions with the features of both views and the result to predict.

use super::PositionSet;
use agon_games::rng::{self, Stream};

/// A position without its features.
#[derive(Clone, Copy, Debug)]
struct PositionRow {
    first: usize,
    features: u8,
    bucket: u8,
    held_out: bool,
    target: f32,
}

/// A position, as [`Positions::get`] returns it.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPosition<'a> {
    /// For each piece its feature from the view of the side to move and from that of the opponent.
    pub features: &'a [[u16; 2]],
    /// The output bucket.
    pub bucket: usize,
    /// The result to predict for the side to move, 0 to 1.
    pub target: f32,
}

/// Training positions in memory: 4 bytes for each piece and 16 for each position.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    rows: Vec<PositionRow>,
    features: Vec<[u16; 2]>,
    checksum: crc32fast::Hasher,
}

impl Positions {
    /// Adds a position, which is not trained on if it is `held_out`. Features: those of each piece
    /// for the side to move and for the opponent, at most 255.
    pub fn push(
        &mut self,
        features: impl IntoIterator<Item = [u16; 2]>,
        bucket: u8,
        target: f32,
        held_out: bool,
    ) {
        let first = self.features.len();
        self.features.extend(features);
        let count = (self.features.len() - first).min(usize::from(u8::MAX)) as u8;
        for pair in &self.features[first..] {
            self.checksum.update(&[pair[0].to_le_bytes(), pair[1].to_le_bytes()].concat());
        }
        self.checksum.update(&target.to_le_bytes());
        self.rows.push(PositionRow { first, features: count, bucket, held_out, target });
    }

    /// A position by its number.
    ///
    /// # Panics
    /// There is no such position.
    #[inline]
    pub fn get(&self, index: u32) -> TrainingPosition<'_> {
        let row = &self.rows[index as usize];
        TrainingPosition {
            features: &self.features[row.first..row.first + usize::from(row.features)],
            bucket: usize::from(row.bucket),
            target: row.target,
        }
    }

    /// The numbers of the positions to train on, or of those held out.
    pub fn numbers(&self, held_out: bool) -> Vec<u32> {
        let all = (0..).zip(&self.rows).filter(|(_, row)| row.held_out == held_out);
        all.map(|(number, _)| number).collect()
    }
}

impl PositionSet for Positions {
    fn order(&self, stream: &mut Stream) -> Vec<u32> {
        let mut order = self.numbers(false);
        rng::shuffle(stream, &mut order);
        order
    }

    fn held_out(&self) -> Vec<u32> {
        self.numbers(true)
    }

    fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }

    fn len(&self) -> usize {
        self.rows.len()
    }
}
