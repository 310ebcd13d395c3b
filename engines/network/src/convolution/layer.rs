//! A layer of 3x3 convolutions in 16-bit integers, by Winograd's minimal filtering F(2x2, 3x3) (Lavin and Gray 2016,
//! section 4.1): a tile of 2x2 points takes 16 products for each pair of channels instead of 36.
//!
//! The transformed weights are four times those of the paper, so that they are integers; then everything is exact, and a
//! sum that wraps around on the way is right in the end.

use super::{CHANNELS, Grid, Layout, PLANES, TAPS};
use bytemuck::{cast_slice, cast_slice_mut, must_cast};
use wide::{i16x8, i16x16, i32x8};

/// An activation of 1.
pub const ONE: i32 = 256;
/// The largest activation.
const CAP: i32 = (super::MOST as i32) * ONE - 1;
/// From a sum of activations times weights to an activation.
pub const SHIFT: i32 = 10;
/// Pairs of channels.
pub const PAIRS: usize = CHANNELS / 2;
/// The largest sum of the absolute weights of a channel whose sums of products fit.
pub const MOST_WEIGHTS: i32 = i32::MAX / 4 / CAP;
/// The elements of a transformed tile of 4x4 activations.
const ELEMENTS: usize = 16;
/// Tiles that are computed together.
const TILES_TOGETHER: usize = 5;

/// A layer's weights as they are multiplied: for each half of the channels by element and pair of channels before, then in
/// two vectors the pairs of weights of 16 channels.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    weights: Vec<[i16x16; 2]>,
    bias: [i32; CHANNELS],
}

/// Transformed activations of all tiles, by element.
#[derive(Clone, Debug)]
pub struct TransformedTiles<const N: usize>(Vec<[i32; N]>);

impl Layer {
    /// A layer from the weights in the order of the file.
    pub fn new(layout: Layout, layer: usize, weights: &[i16]) -> Layer {
        let (first, count) = layout.layer(layer);
        let inputs = count / (TAPS * CHANNELS);
        // By tap, which is a row and a column.
        let weight = |tap: usize, input: usize, channel: usize| {
            weights[first + (tap * inputs + input) * CHANNELS + channel]
        };
        let transformed = |element: usize, input: usize, channel: usize| {
            let row = |row: usize| {
                let at = |column: usize| weight(3 * row + column, input, channel);
                filter_transform(element % 4, [at(0), at(1), at(2)])
            };
            filter_transform(element / 4, [row(0), row(1), row(2)])
        };
        let mut packed = Vec::new();
        for half in 0..2 {
            for (element, pair) in
                (0..ELEMENTS).flat_map(|element| (0..inputs / 2).map(move |pair| (element, pair)))
            {
                let vector = |part: usize| {
                    let channel = |lane: usize| half * 16 + part * 8 + lane / 2;
                    i16x16::from(std::array::from_fn::<i16, 16, _>(|lane| {
                        transformed(element, 2 * pair + lane % 2, channel(lane))
                    }))
                };
                packed.push([vector(0), vector(1)]);
            }
        }
        // From 1 / 2048 to the unit of the sums, rounded at the half.
        let bias = |channel: usize| {
            let unit = ONE << SHIFT;
            i32::from(weights[first + count + channel]) * (unit / 2048) + (1 << (SHIFT - 1))
        };
        Layer { weights: packed, bias: std::array::from_fn(bias) }
    }

    /// Computes the layer. `skip`: activations that are added to the sums. The places of `output` that are no points stay
    /// as they are.
    pub fn convolve<const N: usize>(
        &self,
        input: &[[i32; N]],
        grid: Grid,
        tiles: &mut TransformedTiles<N>,
        skip: Option<&[[i32; PAIRS]]>,
        output: &mut [[i32; PAIRS]],
    ) {
        tiles.transform(input, grid);
        let count = tiles.0.len() / ELEMENTS;
        let mut products = [[[i32x8::ZERO; 2]; TILES_TOGETHER]; ELEMENTS];
        for half in 0..2 {
            let weights = &self.weights[half * ELEMENTS * N..][..ELEMENTS * N];
            for first in (0..count).step_by(TILES_TOGETHER) {
                multiply(&tiles.0[first..], count, weights, &mut products);
                for (n, tile) in (first..first + TILES_TOGETHER).enumerate() {
                    let sums =
                        [0, 1].map(|part| output_transform(|element| products[element][n][part]));
                    for (corner, point) in grid.corners(tile) {
                        let sums: [i32; CHANNELS / 2] =
                            must_cast(sums.map(|sums| sums[corner].to_array()));
                        self.activate(half, sums, point, skip, output);
                    }
                }
            }
        }
    }

    /// Writes half of a point's activations. `sums`: four times the sums.
    #[inline(always)]
    fn activate(
        &self,
        half: usize,
        mut sums: [i32; CHANNELS / 2],
        point: usize,
        skip: Option<&[[i32; PAIRS]]>,
        output: &mut [[i32; PAIRS]],
    ) {
        let channels = half * (CHANNELS / 2)..(half + 1) * (CHANNELS / 2);
        for (sum, bias) in sums.iter_mut().zip(&self.bias[channels.clone()]) {
            *sum = (*sum >> 2) + bias;
        }
        if let Some(skip) = skip {
            let before: &[i16; CHANNELS] = bytemuck::must_cast_ref(&skip[point]);
            for (sum, before) in sums.iter_mut().zip(&before[channels.clone()]) {
                *sum += i32::from(*before) << SHIFT;
            }
        }
        let row: &mut [i16; CHANNELS] = bytemuck::must_cast_mut(&mut output[point]);
        let active = sums.map(|sum| (sum >> SHIFT).clamp(0, CAP) as i16);
        row[channels].copy_from_slice(&active);
    }
}

impl<const N: usize> TransformedTiles<N> {
    /// Room for all tiles of a board.
    pub fn new(grid: Grid) -> TransformedTiles<N> {
        let tiles = (grid.tiles() * grid.tiles()).next_multiple_of(TILES_TOGETHER);
        TransformedTiles(vec![[0; N]; ELEMENTS * tiles])
    }

    /// Transforms the activations of all tiles, each with the points around it.
    fn transform(&mut self, input: &[[i32; N]], grid: Grid) {
        /// Activations in a vector.
        const LANES: usize = PLANES;
        let count = self.0.len() / ELEMENTS;
        for tile in 0..grid.tiles() * grid.tiles() {
            let first = grid.first(tile);
            for part in 0..2 * N / LANES {
                let row = |row: usize| -> [i16x8; 4] {
                    std::array::from_fn(|column| {
                        let active: &[i16] =
                            cast_slice(&input[first + row * grid.stride() + column]);
                        i16x8::from(
                            *active[part * LANES..].first_chunk::<LANES>().expect("in a row"),
                        )
                    })
                };
                let rows = input_transform(
                    [row(0), row(1), row(2), row(3)],
                    |a, b| std::array::from_fn(|n| a[n] + b[n]),
                    |a, b| std::array::from_fn(|n| a[n] - b[n]),
                );
                for (row, values) in rows.iter().enumerate() {
                    let elements = input_transform(*values, |a, b| a + b, |a, b| a - b);
                    for (column, element) in elements.iter().enumerate() {
                        let at = (4 * row + column) * count + tile;
                        let to: &mut [i16] = cast_slice_mut(&mut self.0[at]);
                        to[part * LANES..][..LANES].copy_from_slice(element.as_array());
                    }
                }
            }
        }
    }
}

/// A row of the weights' transform, times two: G of the paper.
fn filter_transform(row: usize, [a, b, c]: [i16; 3]) -> i16 {
    match row {
        0 => 2 * a,
        1 => a + b + c,
        2 => a - b + c,
        _ => 2 * c,
    }
}

/// The transform of four activations: B of the paper.
#[inline(always)]
fn input_transform<T: Copy>(
    [a, b, c, d]: [T; 4],
    add: impl Fn(T, T) -> T,
    sub: impl Fn(T, T) -> T,
) -> [T; 4] {
    [sub(a, c), add(b, c), sub(c, b), sub(b, d)]
}

/// The four sums of a tile from those of its elements: A of the paper.
#[inline(always)]
fn output_transform(of_element: impl Fn(usize) -> i32x8) -> [i32x8; 4] {
    let column = |column: usize| {
        let at = |row: usize| of_element(4 * row + column);
        [at(0) + at(1) + at(2), at(1) - at(2) - at(3)]
    };
    let [a, b, c, d] = [column(0), column(1), column(2), column(3)];
    let upper = [a[0] + b[0] + c[0], b[0] - c[0] - d[0]];
    let lower = [a[1] + b[1] + c[1], b[1] - c[1] - d[1]];
    [upper[0], upper[1], lower[0], lower[1]]
}

/// The products of some tiles with half of the channels' weights, by element.
#[inline(always)]
fn multiply<const N: usize>(
    tiles: &[[i32; N]],
    count: usize,
    weights: &[[i16x16; 2]],
    products: &mut [[[i32x8; 2]; TILES_TOGETHER]; ELEMENTS],
) {
    for ((element, weights), products) in weights.chunks_exact(N).enumerate().zip(products) {
        let rows: &[[i32; N]; TILES_TOGETHER] =
            tiles[element * count..].first_chunk().expect("whole groups of tiles");
        let mut sums = [[i32x8::ZERO; 2]; TILES_TOGETHER];
        for (pair, [low, high]) in weights.iter().enumerate() {
            for (row, sum) in rows.iter().zip(&mut sums) {
                let both: i16x16 = must_cast(i32x8::splat(row[pair]));
                sum[0] += both.dot(*low);
                sum[1] += both.dot(*high);
            }
        }
        *products = sums;
    }
}
