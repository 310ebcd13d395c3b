//! The quantised network and its inference.

use super::layer::{Layer, MOST_WEIGHTS, ONE, PAIRS, TransformedTiles};
use super::{BoardShape, CHANNELS, Grid, Kind, Layout, PLANES};
use crate::file::{self, NetworkError, NetworkHeader};
use agon_games::rng::{Stream, below};
use bytemuck::must_cast_ref;
use std::io::{self, Write};
use std::path::Path;

/// Logits are in units of 1 / this.
pub const UNIT: i32 = 1 << 12;
/// Means over the board are in units of 1 / this.
const MEAN_ONE: i64 = 1 << 12;

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardNetwork {
    shape: BoardShape,
    layers: Vec<Layer>,
    /// All weights, as in the file.
    weights: Vec<i16>,
}

/// The buffers of one thread.
#[derive(Clone, Debug)]
pub struct Workspace {
    planes: Vec<[i32; PLANES / 2]>,
    /// Pairs of 16-bit activations by point. The last computed position is in the first one.
    buffers: [Vec<[i32; PAIRS]>; 3],
    tiles: (TransformedTiles<{ PLANES / 2 }>, TransformedTiles<PAIRS>),
}

impl BoardNetwork {
    /// The network of integer weights in the order of the file.
    pub(super) fn new(shape: &BoardShape, weights: Vec<i16>) -> BoardNetwork {
        let layout = shape.layout();
        let layers =
            (0..layout.layers()).map(|layer| Layer::new(layout, layer, &weights)).collect();
        BoardNetwork { shape: *shape, layers, weights }
    }

    /// A network with random weights up to this share of the largest, for tests.
    pub fn random(shape: &BoardShape, share: f64, rng: &mut Stream) -> BoardNetwork {
        let mut weights = Vec::new();
        for (kind, count) in shape.layout().tensors() {
            let limit = (f64::from(kind.limit()) * share) as i64;
            weights.extend(
                (0..count).map(|_| (below(rng, 2 * limit as u64 + 1) as i64 - limit) as i16),
            );
        }
        BoardNetwork::new(shape, weights)
    }

    /// All weights, in the order of the file.
    pub(super) fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// Buffers for one thread.
    pub fn workspace(&self) -> Workspace {
        let grid = self.grid();
        let buffer = || vec![[0; PAIRS]; grid.length()];
        Workspace {
            planes: vec![[0; PLANES / 2]; grid.length()],
            buffers: [buffer(), buffer(), buffer()],
            tiles: (TransformedTiles::new(grid), TransformedTiles::new(grid)),
        }
    }

    /// Computes a position and returns the logit of the value for the side to move, in units of 1 / [`UNIT`].
    /// `planes`: the sets of points.
    pub fn evaluate(&self, planes: &[u128], workspace: &mut Workspace) -> i32 {
        let Workspace { planes: input, buffers: [state, inner, next], tiles } = workspace;
        let grid = self.grid();
        self.set(planes, input);
        self.layers[0].convolve(input, grid, &mut tiles.0, None, state);
        for block in self.layers[1..].chunks_exact(2) {
            block[0].convolve(state, grid, &mut tiles.1, None, inner);
            block[1].convolve(inner, grid, &mut tiles.1, Some(state), next);
            std::mem::swap(state, next);
        }
        self.value(state)
    }

    /// The logits of the policy at these points in the position that was computed last, in units of 1 / [`UNIT`].
    pub fn policy(
        &self,
        workspace: &Workspace,
        points: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = i32> {
        let first = self.shape.layout().policy();
        let weights = &self.weights[first..first + CHANNELS];
        let bias = i32::from(self.weights[first + CHANNELS]);
        let (state, margin) = (&workspace.buffers[0], self.grid().margin());
        points.map(move |point| {
            let row: &[i16; CHANNELS] = must_cast_ref(&state[point + margin]);
            let sum: i32 =
                row.iter().zip(weights).map(|(a, w)| i32::from(*a) * i32::from(*w)).sum();
            // From 1 / (256 * 512), and from 1 / 2048.
            (sum >> 5) + (bias << 1)
        })
    }

    fn grid(&self) -> Grid {
        self.shape.grid()
    }

    /// Writes the planes as activations.
    fn set(&self, planes: &[u128], input: &mut [[i32; PLANES / 2]]) {
        input.fill([0; PLANES / 2]);
        for (plane, &set) in planes.iter().enumerate() {
            let mut rest = set;
            while rest != 0 {
                let at = rest.trailing_zeros() as usize + self.grid().margin();
                let row: &mut [i16; PLANES] = bytemuck::must_cast_mut(&mut input[at]);
                row[plane] = ONE as i16;
                rest &= rest - 1;
            }
        }
    }

    /// The logit of the value.
    fn value(&self, state: &[[i32; PAIRS]]) -> i32 {
        let mut sums = [0; CHANNELS];
        for row in &state[self.grid().margin()..] {
            let row: &[i16; CHANNELS] = must_cast_ref(row);
            sums.iter_mut().zip(row).for_each(|(sum, a)| *sum += i32::from(*a));
        }
        let points = (self.grid().side * self.grid().side) as i64;
        let means = sums.map(|sum| i64::from(sum) * (MEAN_ONE / i64::from(ONE)) / points);
        let (hidden, value) = (self.shape.layout().hidden(), self.shape.layout().value());
        let one = Kind::Head.one() as i64;
        // Biases have four times the unit of the heads.
        let bias = |at: usize| i64::from(self.weights[at]) * MEAN_ONE / Kind::Bias.one() as i64;
        let mut logit = bias(value + CHANNELS) * one;
        for unit in 0..CHANNELS {
            let row = &self.weights[hidden + unit * CHANNELS..][..CHANNELS];
            let sum: i64 = row.iter().zip(&means).map(|(w, mean)| i64::from(*w) * mean).sum();
            let active = (sum / one + bias(hidden + Layout::HIDDEN + unit))
                .clamp(0, super::MOST as i64 * MEAN_ONE);
            logit += active * i64::from(self.weights[value + unit]);
        }
        (logit / one * i64::from(UNIT) / MEAN_ONE) as i32
    }

    /// Writes a network file.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(&self, out: &mut impl Write, header: &NetworkHeader) -> io::Result<()> {
        let weights: Vec<u8> = self.weights.iter().flat_map(|w| w.to_le_bytes()).collect();
        file::write_weights(out, header, &sizes(&self.shape), &weights)
    }

    /// Reads a network of this shape.
    ///
    /// # Errors
    /// The bytes are no such network, or they are damaged.
    pub fn read(
        bytes: &[u8],
        shape: &BoardShape,
    ) -> Result<(NetworkHeader, BoardNetwork), NetworkError> {
        let size = 2 * shape.layout().count();
        let (header, weights) = file::read_weights(bytes, shape.game, &sizes(shape), size)?;
        let weights =
            weights.chunks_exact(2).map(|w| i16::from_le_bytes([w[0], w[1]])).collect::<Vec<i16>>();
        // Larger weights could overflow a sum.
        let mut rest = weights.as_slice();
        for (kind, count) in shape.layout().tensors() {
            let (tensor, after) = rest.split_at(count);
            if tensor.iter().any(|w| w.unsigned_abs() > kind.limit().unsigned_abs()) {
                return Err(NetworkError::Damaged);
            }
            rest = after;
        }
        let layout = shape.layout();
        let fits = |layer: usize| {
            let (first, count) = layout.layer(layer);
            let sum = |channel: usize| {
                let weights = weights[first..first + count].iter().skip(channel).step_by(CHANNELS);
                weights.map(|w| i32::from(w.unsigned_abs())).sum::<i32>()
            };
            (0..CHANNELS).all(|channel| sum(channel) <= MOST_WEIGHTS)
        };
        if !(0..layout.layers()).all(fits) {
            return Err(NetworkError::Damaged);
        }
        Ok((header, BoardNetwork::new(shape, weights)))
    }

    /// Reads a network file of this shape.
    ///
    /// # Errors
    /// The file cannot be read, or is no such network, or is damaged.
    pub fn open(path: &Path, shape: &BoardShape) -> Result<BoardNetwork, String> {
        file::open_with(path, |bytes| BoardNetwork::read(bytes, shape).map(|(_, network)| network))
    }
}

/// The fields of the header.
fn sizes(shape: &BoardShape) -> [(&'static str, usize); 4] {
    let &BoardShape { side, blocks, .. } = shape;
    [("side", side), ("planes", PLANES), ("channels", CHANNELS), ("blocks", blocks)]
}
