//! Training of networks on positions, each with the features of both views and the result to predict,
//! by AdamW on the squared error of the winning chance. Loops of our own: the
//! inputs are sparse, and on one core they train several times faster than a general library.

pub mod model;
mod run;

pub use run::{PassResult, TrainError, TrainPlan, Training};

/// A position without its features.
#[derive(Clone, Copy, Debug)]
struct PositionRow {
    first: usize,
    features: u8,
    bucket: u8,
    held_out: bool,
    target: f32,
    policy: usize,
    moves: u8,
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
    /// By legal move the row of the policy and its share to predict, times [`SHARE_ONE`]; none for a position that does
    /// not train the policy.
    pub policy: &'a [(u16, u16)],
    /// The image of the position to train on.
    pub image: Option<&'a Image>,
}

/// The share of the policy that stands for 1.
pub const SHARE_ONE: u16 = u16::MAX;

/// A symmetry of a game: what each feature and each row of the policy becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// By feature.
    pub features: Vec<u16>,
    /// By row.
    pub policy: Vec<u16>,
}

impl TrainingPosition<'_> {
    /// A feature in this image.
    #[inline]
    pub(crate) fn feature(&self, feature: u16) -> usize {
        self.image.map_or(feature, |image| image.features[usize::from(feature)]).into()
    }

    /// A row of the policy in this image.
    #[inline]
    pub(crate) fn row(&self, row: u16) -> usize {
        self.image.map_or(row, |image| image.policy[usize::from(row)]).into()
    }
}

/// Training positions in memory: 4 bytes for each piece and each move of the policy, and 40 for each position. If the
/// game has symmetries, a position counts once for each of its images.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    rows: Vec<PositionRow>,
    features: Vec<[u16; 2]>,
    policy: Vec<(u16, u16)>,
    images: Vec<Image>,
    checksum: crc32fast::Hasher,
}

impl Positions {
    /// No positions yet, of a game with these symmetries: none, or all with the identity first.
    pub fn with_images(images: Vec<Image>) -> Positions {
        Positions { images, ..Positions::default() }
    }

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
        let policy = self.policy.len();
        let row =
            PositionRow { first, features: count, bucket, held_out, target, policy, moves: 0 };
        self.rows.push(row);
    }

    /// Adds the policy to predict in the position that was added last: by legal move, at most 255, its row and its
    /// share, 0 to 1. The shares have the sum 1.
    pub fn push_policy(&mut self, moves: impl IntoIterator<Item = (u16, f32)>) {
        let Some(last) = self.rows.last_mut() else { return };
        let share = |(row, share): (u16, f32)| (row, (share * f32::from(SHARE_ONE)).round() as u16);
        self.policy.extend(moves.into_iter().map(share));
        last.moves = (self.policy.len() - last.policy).min(usize::from(u8::MAX)) as u8;
        for (row, share) in &self.policy[last.policy..] {
            self.checksum.update(&[row.to_le_bytes(), share.to_le_bytes()].concat());
        }
    }

    /// A position by its number.
    ///
    /// # Panics
    /// There is no such position.
    #[inline]
    pub fn get(&self, index: u32) -> TrainingPosition<'_> {
        let images = self.images.len().max(1);
        let row = &self.rows[index as usize / images];
        TrainingPosition {
            features: &self.features[row.first..row.first + usize::from(row.features)],
            bucket: usize::from(row.bucket),
            target: row.target,
            policy: &self.policy[row.policy..row.policy + usize::from(row.moves)],
            image: self.images.get(index as usize % images),
        }
    }

    /// The numbers of the positions to train on, in all images, or of those held out, in the first.
    pub fn numbers(&self, held_out: bool) -> Vec<u32> {
        let images = self.images.len().max(1) as u32;
        let all = (0..).zip(&self.rows).filter(|(_, row)| row.held_out == held_out);
        let of_each = if held_out { 1 } else { images };
        all.flat_map(|(number, _): (u32, _)| (0..of_each).map(move |i| number * images + i))
            .collect()
    }

    /// The checksum of all positions, in order.
    pub fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
