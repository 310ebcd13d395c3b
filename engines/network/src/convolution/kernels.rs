//! The loops of training in floating point. Multiplications and additions are separate and in a fixed order, so that the
//! results do not depend on the processor.

use super::{CHANNELS, Grid, POINTS_TOGETHER, TAPS};
use wide::f32x8;

/// Numbers in a half of the channels.
const HALF: usize = CHANNELS / 2;

/// Loads half of a row of channels.
#[inline(always)]
fn load(row: &[f32]) -> [f32x8; 2] {
    let part = |first: usize| {
        let lanes: [f32; 8] = *row[first..].first_chunk().expect("half of the channels");
        f32x8::from(lanes)
    };
    [part(0), part(8)]
}

/// Adds the convolution of `input` with weights by tap, channel before and channel to the rows of `output` at the points.
#[inline(never)]
pub fn convolve<const N: usize>(
    grid: Grid,
    input: &[[f32; N]],
    weights: &[f32],
    output: &mut [[f32; CHANNELS]],
) {
    for half in [0, HALF] {
        for first in (0..grid.area()).step_by(POINTS_TOGETHER) {
            let mut sums: [[f32x8; 2]; POINTS_TOGETHER] =
                std::array::from_fn(|n| load(&output[first + n + grid.margin()][half..]));
            for (tap, weights) in weights.chunks_exact(N * CHANNELS).enumerate() {
                let rows: &[[f32; N]; POINTS_TOGETHER] =
                    input[first + grid.tap(tap)..].first_chunk().expect("a margin behind");
                for (channel, weights) in weights.chunks_exact(CHANNELS).enumerate() {
                    let weights = load(&weights[half..]);
                    for (row, sum) in rows.iter().zip(&mut sums) {
                        let active = f32x8::splat(row[channel]);
                        sum[0] += active * weights[0];
                        sum[1] += active * weights[1];
                    }
                }
            }
            for (n, sum) in sums.into_iter().enumerate() {
                let row = &mut output[first + n + grid.margin()][half..];
                row[..8].copy_from_slice(&sum[0].to_array());
                row[8..HALF].copy_from_slice(&sum[1].to_array());
            }
        }
    }
}

/// Adds the gradient of a layer's weights: for each the sum of its inputs times the slopes of its outputs.
#[inline(never)]
pub fn weight_slopes<const N: usize>(
    grid: Grid,
    input: &[[f32; N]],
    slopes: &[[f32; CHANNELS]],
    gradient: &mut [f32],
) {
    /// Channels before that are done together.
    const TOGETHER: usize = 4;
    let slopes = &slopes[grid.margin()..][..grid.area()];
    for (tap, gradient) in gradient.chunks_exact_mut(N * CHANNELS).enumerate() {
        let input = &input[grid.tap(tap)..][..grid.area()];
        for (group, rows) in gradient.chunks_exact_mut(TOGETHER * CHANNELS).enumerate() {
            for half in [0, HALF] {
                let mut sums: [[f32x8; 2]; TOGETHER] =
                    std::array::from_fn(|n| load(&rows[n * CHANNELS + half..]));
                for (active, slopes) in input.iter().zip(slopes) {
                    let slopes = load(&slopes[half..]);
                    for (n, sum) in sums.iter_mut().enumerate() {
                        let active = f32x8::splat(active[group * TOGETHER + n]);
                        sum[0] += active * slopes[0];
                        sum[1] += active * slopes[1];
                    }
                }
                for (n, sum) in sums.into_iter().enumerate() {
                    let row = &mut rows[n * CHANNELS + half..];
                    row[..8].copy_from_slice(&sum[0].to_array());
                    row[8..HALF].copy_from_slice(&sum[1].to_array());
                }
            }
        }
    }
}

/// The weights of a layer by which slopes go back from its outputs to its inputs: the board mirrored, and both channels
/// exchanged.
pub fn transposed(weights: &[f32]) -> Vec<f32> {
    let mut back = vec![0.0; weights.len()];
    for tap in 0..TAPS {
        for before in 0..CHANNELS {
            for channel in 0..CHANNELS {
                let to = ((TAPS - 1 - tap) * CHANNELS + channel) * CHANNELS + before;
                back[to] = weights[(tap * CHANNELS + before) * CHANNELS + channel];
            }
        }
    }
    back
}
