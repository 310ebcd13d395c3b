//! The quantised network and its inference.

use super::{BoardShape, CHANNELS, Grid, Kind, Layout, PLANES, TAPS, TILE};
use crate::file::{self, NetworkError, NetworkHeader};
use agon_games::rng::{Stream, below};
use bytemuck::{must_cast, must_cast_ref};
use std::io::{self, Write};
use std::path::Path;
use wide::{i16x16, i32x8};

/// An activation of 1; activations are pairs of 16-bit numbers.
const ONE: i32 = 256;
/// The largest activation.
const CAP: i32 = (super::MOST as i32) * ONE - 1;
/// From a sum of activations times weights to an activation.
const SHIFT: i32 = 10;
/// Pairs of channels.
const PAIRS: usize = CHANNELS / 2;
/// Logits are in units of 1 / this.
pub const UNIT: i32 = 1 << 12;
/// Means over the board are in units of 1 / this.
const MEAN_ONE: i64 = 1 << 12;

/// A layer's weights as they are multiplied: for each half of the channels by tap and pair of channels before, then in
/// two vectors the pairs of weights of 16 channels.
#[derive(Clone, Debug, PartialEq)]
struct Layer {
    weights: Vec<[i16x16; 2]>,
    bias: [[i32x8; 2]; 2],
}

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
    buffers: [Vec<[i32; PAIRS]>; 3],
}

impl BoardNetwork {
    /// The network of integer weights in the order of the file.
    pub(super) fn new(shape: &BoardShape, weights: Vec<i16>) -> BoardNetwork {
        let layout = shape.layout();
        let layers = (0..layout.layers()).map(|layer| pack(layout, layer, &weights)).collect();
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
        let length = self.grid().length();
        let buffer = || vec![[0; PAIRS]; length];
        Workspace { planes: vec![[0; PLANES / 2]; length], buffers: [buffer(), buffer(), buffer()] }
    }

    /// Computes a position and returns the logit of the value for the side to move, in units of 1 / [`UNIT`].
    /// `planes`: the sets of points.
    pub fn evaluate(&self, planes: &[u128], workspace: &mut Workspace) -> i32 {
        let Workspace { planes: input, buffers: [state, inner, next] } = workspace;
        self.set(planes, input);
        convolve(input, &self.layers[0], self.grid(), |_, _, sum| sum, state);
        for block in self.layers[1..].chunks_exact(2) {
            convolve(state, &block[0], self.grid(), |_, _, sum| sum, inner);
            let skip = |at: usize, half: usize, sum: [i32; CHANNELS / 2]| {
                let before: &[i16; CHANNELS] = must_cast_ref(&state[at]);
                let mut sum = sum;
                for (sum, before) in sum.iter_mut().zip(&before[half * (CHANNELS / 2)..]) {
                    *sum += i32::from(*before) << SHIFT;
                }
                sum
            };
            convolve(inner, &block[1], self.grid(), skip, next);
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

/// A layer from the weights in the order of the file.
fn pack(layout: Layout, layer: usize, weights: &[i16]) -> Layer {
    let (first, count) = layout.layer(layer);
    let inputs = count / (TAPS * CHANNELS);
    let weight = |tap: usize, input: usize, channel: usize| {
        weights[first + (tap * inputs + input) * CHANNELS + channel]
    };
    let mut packed = Vec::new();
    for half in 0..2 {
        for (tap, pair) in (0..TAPS).flat_map(|tap| (0..inputs / 2).map(move |pair| (tap, pair))) {
            let vector = |part: usize| {
                let channel = |lane: usize| half * 16 + part * 8 + lane / 2;
                let lanes: [i16; 16] =
                    std::array::from_fn(|lane| weight(tap, 2 * pair + lane % 2, channel(lane)));
                i16x16::from(lanes)
            };
            packed.push([vector(0), vector(1)]);
        }
    }
    // From 1 / 2048 to the unit of the sums, rounded at the half.
    let bias = |channel: usize| {
        let unit = ONE << SHIFT;
        i32::from(weights[first + count + channel]) * (unit / 2048) + (1 << (SHIFT - 1))
    };
    let vector = |half: usize, part: usize| {
        i32x8::from(std::array::from_fn::<i32, 8, _>(|lane| bias(half * 16 + part * 8 + lane)))
    };
    let bias = [0, 1].map(|half| [0, 1].map(|part| vector(half, part)));
    Layer { weights: packed, bias }
}

/// One layer. `change`: what is added to the sums of half of a point's channels before the activation; it gets the
/// point's place in the buffer and the half.
#[inline(always)]
fn convolve<const N: usize>(
    input: &[[i32; N]],
    layer: &Layer,
    grid: Grid,
    change: impl Fn(usize, usize, [i32; CHANNELS / 2]) -> [i32; CHANNELS / 2],
    output: &mut [[i32; PAIRS]],
) {
    for half in 0..2 {
        let weights = &layer.weights[half * TAPS * N..][..TAPS * N];
        for first in (0..grid.area()).step_by(TILE) {
            let mut sums = [layer.bias[half]; TILE];
            for (tap, weights) in weights.chunks_exact(N).enumerate() {
                let rows: &[[i32; N]; TILE] =
                    input[first + grid.tap(tap)..].first_chunk().expect("a margin behind");
                for (pair, [low, high]) in weights.iter().enumerate() {
                    for (row, sum) in rows.iter().zip(&mut sums) {
                        let both: i16x16 = must_cast(i32x8::splat(row[pair]));
                        sum[0] += both.dot(*low);
                        sum[1] += both.dot(*high);
                    }
                }
            }
            for (number, sum) in sums.into_iter().enumerate() {
                let at = first + number + grid.margin();
                let sum = change(at, half, must_cast(sum.map(i32x8::to_array)));
                let row: &mut [i16; CHANNELS] = bytemuck::must_cast_mut(&mut output[at]);
                let active = sum.map(|sum| (sum >> SHIFT).clamp(0, CAP) as i16);
                row[half * (CHANNELS / 2)..][..CHANNELS / 2].copy_from_slice(&active);
            }
        }
    }
    clear_gaps(grid, output);
}

/// Empties the places that are no points.
pub(super) fn clear_gaps<T: Copy + Default, const N: usize>(grid: Grid, buffer: &mut [[T; N]])
where
    [T; N]: Default,
{
    let rows = &mut buffer[grid.margin()..];
    (0..grid.side).for_each(|row| rows[row * grid.stride() + grid.side] = Default::default());
    rows[grid.side * grid.stride()..].fill(Default::default());
}
