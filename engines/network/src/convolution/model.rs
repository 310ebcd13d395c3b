//! The network in floating point: its output, and the gradient of the loss.

use super::kernels::{convolve, transposed, weight_slopes};
use super::network::BoardNetwork;
use super::positions::{Activations, BoardPosition, BoardPositions};
use super::{BoardShape, CHANNELS, Grid, Layout, MOST, PLANES};
use crate::file::NetworkHeader;
use crate::train::{Gradient, Loss, Trainable, divergence, logistic, softmax};
use agon_games::rng::{self, Stream};
use rayon::prelude::*;
use std::io;
use std::path::Path;

/// The number of parts of a batch whose gradients are summed separately: fixed, so that the result does not depend on
/// the number of threads.
const PARTS: usize = 8;

/// The weights in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardModel {
    shape: BoardShape,
    weights: Vec<f32>,
}

/// What the forward pass leaves for the backward pass.
struct Pass {
    /// After the first layer, then after the first and the second layer of each block.
    states: Vec<Activations>,
    means: [f32; CHANNELS],
    /// The hidden units of the value.
    hidden: [f32; CHANNELS],
    logit: f32,
    /// By move of the policy.
    logits: Vec<f32>,
}

impl BoardModel {
    fn random(shape: &BoardShape, stream: &mut Stream) -> BoardModel {
        let layout = shape.layout();
        let mut weights = vec![0.0; layout.count()];
        let mut fill = |first: usize, count: usize, limit: f64| {
            for weight in &mut weights[first..first + count] {
                *weight = ((2.0 * rng::unit(stream) - 1.0) * limit) as f32;
            }
        };
        for layer in 0..layout.layers() {
            let (first, count) = layout.layer(layer);
            // As He et al. 2015, and less in the second layers of the blocks, whose sums add up.
            let limit = (6.0 / (count / CHANNELS) as f64).sqrt();
            fill(first, count, if layer > 0 && layer % 2 == 0 { 0.3 * limit } else { limit });
        }
        fill(layout.policy(), CHANNELS, 0.1);
        fill(layout.hidden(), Layout::HIDDEN, 0.4);
        fill(layout.value(), CHANNELS, 0.2);
        BoardModel { shape: *shape, weights }
    }

    /// The logit of a position's value.
    #[cfg(test)]
    pub(super) fn logit(&self, position: &BoardPosition) -> f32 {
        self.forward(position).logit
    }

    /// The cross entropies that the gradient is of.
    #[cfg(test)]
    pub(super) fn entropy(&self, position: &BoardPosition) -> f64 {
        let mut pass = self.forward(position);
        let (chance, target) = (f64::from(logistic(pass.logit)), f64::from(position.target));
        softmax(&mut pass.logits);
        let moves = position.policy.iter().zip(&pass.logits);
        let policy: f64 =
            moves.map(|(&(_, share), &at)| f64::from(share) * libm::log(f64::from(at))).sum();
        -target * libm::log(chance) - (1.0 - target) * libm::log(1.0 - chance) - policy
    }

    fn grid(&self) -> Grid {
        self.shape.grid()
    }

    /// A layer's weights and biases.
    fn layer(&self, layer: usize) -> (&[f32], &[f32]) {
        let (first, count) = self.shape.layout().layer(layer);
        self.weights[first..first + count + CHANNELS].split_at(count)
    }

    /// The activations after a layer; `skip`: what the block adds to its sums.
    fn run<const N: usize>(
        &self,
        layer: usize,
        input: &[[f32; N]],
        skip: Option<&Activations>,
    ) -> Activations {
        let (weights, bias) = self.layer(layer);
        let bias: [f32; CHANNELS] = std::array::from_fn(|channel| bias[channel]);
        let grid = self.grid();
        let mut output = vec![[0.0; CHANNELS]; grid.length()];
        for point in grid.points() {
            let row = &mut output[point + grid.margin()];
            *row = bias;
            if let Some(skip) = skip {
                row.iter_mut().zip(&skip[point + grid.margin()]).for_each(|(sum, x)| *sum += x);
            }
        }
        convolve(grid, input, weights, &mut output);
        output[grid.margin()..].iter_mut().for_each(|row| {
            row.iter_mut().for_each(|sum| *sum = sum.clamp(0.0, MOST));
        });
        clear_gaps(grid, &mut output);
        output
    }

    fn forward(&self, position: &BoardPosition) -> Pass {
        let (layout, grid) = (self.shape.layout(), self.grid());
        let mut states = vec![self.run(0, &position.input, None)];
        for block in 0..layout.blocks {
            let before = &states[2 * block];
            let inner = self.run(2 * block + 1, before, None);
            let after = self.run(2 * block + 2, &inner, Some(before));
            states.extend([inner, after]);
        }
        let last = &states[2 * layout.blocks];
        let mut means = [0.0; CHANNELS];
        for row in last {
            means.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        means.iter_mut().for_each(|sum| *sum /= (grid.side * grid.side) as f32);
        let (first, value) = (layout.hidden(), layout.value());
        let hidden = std::array::from_fn(|unit| {
            let row = &self.weights[first + unit * CHANNELS..][..CHANNELS];
            (dot(row, &means) + self.weights[first + Layout::HIDDEN + unit]).clamp(0.0, MOST)
        });
        let logit =
            dot(&self.weights[value..value + CHANNELS], &hidden) + self.weights[value + CHANNELS];
        let policy = layout.policy();
        let (weights, bias) =
            (&self.weights[policy..policy + CHANNELS], self.weights[policy + CHANNELS]);
        let logits = position
            .policy
            .iter()
            .map(|&(point, _)| bias + dot(weights, &last[point + grid.margin()]));
        let logits = logits.collect();
        Pass { states, means, hidden, logit, logits }
    }

    /// Adds a position's gradient. `back`: the weights of each layer but the first, transposed.
    fn backward(&self, position: &BoardPosition, back: &[Vec<f32>], gradient: &mut Gradient) {
        let mut pass = self.forward(position);
        let chance = logistic(pass.logit);
        gradient.loss += f64::from(chance - position.target).powi(2);
        let mut slopes = vec![[0.0; CHANNELS]; self.grid().length()];
        self.value_slopes(&pass, chance - position.target, &mut slopes, gradient);
        if !position.policy.is_empty() {
            self.policy_slopes(&mut pass, position, &mut slopes, gradient);
        }
        self.block_slopes(&pass.states, slopes, &position.input, back, gradient);
    }

    /// The gradient of the value by its cross entropy, whose slope at the logit is `slope`.
    fn value_slopes(
        &self,
        pass: &Pass,
        slope: f32,
        slopes: &mut Activations,
        gradient: &mut Gradient,
    ) {
        let (layout, grid) = (self.shape.layout(), self.grid());
        let (first, value) = (layout.hidden(), layout.value());
        let sums = &mut gradient.weights;
        let mut of_means = [0.0; CHANNELS];
        sums[value + CHANNELS] += slope;
        for (unit, &active) in pass.hidden.iter().enumerate() {
            sums[value + unit] += slope * active;
            if active <= 0.0 || active >= MOST {
                continue;
            }
            let slope = slope * self.weights[value + unit];
            sums[first + Layout::HIDDEN + unit] += slope;
            let row = first + unit * CHANNELS;
            for channel in 0..CHANNELS {
                sums[row + channel] += slope * pass.means[channel];
                of_means[channel] += slope * self.weights[row + channel];
            }
        }
        of_means.iter_mut().for_each(|slope| *slope /= (grid.side * grid.side) as f32);
        grid.points().for_each(|point| slopes[point + grid.margin()] = of_means);
    }

    /// The gradient of the policy by its cross entropy.
    fn policy_slopes(
        &self,
        pass: &mut Pass,
        position: &BoardPosition,
        slopes: &mut Activations,
        gradient: &mut Gradient,
    ) {
        let (layout, margin) = (self.shape.layout(), self.grid().margin());
        let first = layout.policy();
        softmax(&mut pass.logits);
        let last = &pass.states[2 * layout.blocks];
        for (&(point, share), predicted) in position.policy.iter().zip(&pass.logits) {
            let slope = predicted - share;
            gradient.weights[first + CHANNELS] += slope;
            let (row, at) = (&last[point + margin], &mut slopes[point + margin]);
            for channel in 0..CHANNELS {
                gradient.weights[first + channel] += slope * row[channel];
                at[channel] += slope * self.weights[first + channel];
            }
        }
    }

    /// The gradient of the layers, from the slopes of the last activations.
    fn block_slopes(
        &self,
        states: &[Activations],
        mut slopes: Activations,
        input: &[[f32; PLANES]],
        back: &[Vec<f32>],
        gradient: &mut Gradient,
    ) {
        let (layout, grid) = (self.shape.layout(), self.grid());
        for block in (0..layout.blocks).rev() {
            let [before, inner, after] = [0, 1, 2].map(|n| &states[2 * block + n]);
            mask(&mut slopes, after);
            self.layer_slopes(2 * block + 2, inner, &slopes, gradient);
            let mut of_inner = vec![[0.0; CHANNELS]; grid.length()];
            convolve(grid, &slopes, &back[2 * block + 1], &mut of_inner);
            mask(&mut of_inner, inner);
            self.layer_slopes(2 * block + 1, before, &of_inner, gradient);
            convolve(grid, &of_inner, &back[2 * block], &mut slopes);
        }
        mask(&mut slopes, &states[0]);
        self.layer_slopes(0, input, &slopes, gradient);
    }

    /// The gradient of a layer's weights and biases.
    fn layer_slopes<const N: usize>(
        &self,
        layer: usize,
        input: &[[f32; N]],
        slopes: &Activations,
        gradient: &mut Gradient,
    ) {
        let (first, count) = self.shape.layout().layer(layer);
        let (weights, biases) =
            gradient.weights[first..first + count + CHANNELS].split_at_mut(count);
        weight_slopes(self.grid(), input, slopes, weights);
        for row in slopes {
            biases.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope);
        }
    }
}

/// Keeps the slopes where the activation is not at its limits, which the places beside the board are.
fn mask(slopes: &mut Activations, active: &Activations) {
    for (slopes, active) in slopes.iter_mut().zip(active) {
        for (slope, active) in slopes.iter_mut().zip(active) {
            *slope = if *active > 0.0 && *active < MOST { *slope } else { 0.0 };
        }
    }
}

/// Empties the places that are no points.
fn clear_gaps(grid: Grid, activations: &mut Activations) {
    let rows = &mut activations[grid.margin()..];
    (0..grid.side).for_each(|row| rows[row * grid.stride() + grid.side] = [0.0; CHANNELS]);
    rows[grid.side * grid.stride()..].fill([0.0; CHANNELS]);
}

fn dot(weights: &[f32], active: &[f32; CHANNELS]) -> f32 {
    weights.iter().zip(active).map(|(weight, active)| weight * active).sum()
}

impl Trainable for BoardModel {
    type Shape = BoardShape;
    type Positions = BoardPositions;
    type Network = BoardNetwork;
    const RATE: f32 = 0.002;

    fn positions(shape: &BoardShape) -> BoardPositions {
        BoardPositions::new(shape)
    }

    /// The previous network, which is trained on, or random weights.
    fn start(
        shape: &BoardShape,
        previous: Option<&BoardNetwork>,
        stream: &mut Stream,
    ) -> BoardModel {
        let Some(network) = previous else { return BoardModel::random(shape, stream) };
        let kinds = shape.layout().tensors().into_iter();
        let kinds = kinds.flat_map(|(kind, count)| std::iter::repeat_n(kind, count));
        let weights = network.weights().iter().zip(kinds);
        let weights = weights.map(|(&weight, kind)| f32::from(weight) / kind.one()).collect();
        BoardModel { shape: *shape, weights }
    }

    fn weights(&self) -> &Vec<f32> {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut Vec<f32> {
        &mut self.weights
    }

    fn clip(&mut self) {
        let mut rest = self.weights.as_mut_slice();
        for (kind, count) in self.shape.layout().tensors() {
            let (tensor, after) = rest.split_at_mut(count);
            let limit = f32::from(kind.limit()) / kind.one();
            tensor.iter_mut().for_each(|weight| *weight = weight.clamp(-limit, limit));
            rest = after;
        }
    }

    fn loss(&self, positions: &BoardPositions, numbers: &[u32]) -> Loss {
        let of_one = |&number: &u32| {
            let position = positions.get(number);
            let mut pass = self.forward(&position);
            let value = f64::from(logistic(pass.logit) - position.target).powi(2);
            if position.policy.is_empty() {
                return [value, 0.0, 0.0];
            }
            softmax(&mut pass.logits);
            let policy = position.policy.iter().zip(&pass.logits);
            [value, policy.map(|(&(_, share), &at)| divergence(share, at)).sum::<f64>(), 1.0]
        };
        let each: Vec<[f64; 3]> = numbers.par_iter().map(of_one).collect();
        let sum = |i: usize| each.iter().map(|one| one[i]).sum::<f64>();
        Loss { value: sum(0) / numbers.len().max(1) as f64, policy: Some(sum(1) / sum(2).max(1.0)) }
    }

    fn gradient(&self, positions: &BoardPositions, batch: &[u32]) -> Gradient {
        let layers = 1..self.shape.layout().layers();
        let back: Vec<Vec<f32>> = layers.map(|layer| transposed(self.layer(layer).0)).collect();
        let size = batch.len().div_ceil(PARTS).max(1);
        let part = |part: &[u32]| {
            let mut gradient = Gradient { weights: vec![0.0; self.weights.len()], loss: 0.0 };
            for &number in part {
                self.backward(&positions.get(number), &back, &mut gradient);
            }
            gradient
        };
        let parts: Vec<Gradient> = batch.par_chunks(size).map(part).collect();
        Gradient::sum(parts, self.weights.len())
    }

    fn network(&self) -> BoardNetwork {
        let mut weights = Vec::with_capacity(self.weights.len());
        for (kind, count) in self.shape.layout().tensors() {
            let limit = f32::from(kind.limit());
            let tensor = &self.weights[weights.len()..weights.len() + count];
            weights.extend(
                tensor.iter().map(|w| (w * kind.one()).round().clamp(-limit, limit) as i16),
            );
        }
        BoardNetwork::new(&self.shape, weights)
    }

    fn architecture(shape: &BoardShape) -> String {
        format!("3x3 convolutions to {CHANNELS} channels, {} residual blocks", shape.blocks)
    }

    fn write(
        network: &BoardNetwork,
        out: &mut Vec<u8>,
        made: Vec<(String, String)>,
        shape: &BoardShape,
    ) -> io::Result<()> {
        network.write(out, &NetworkHeader { game: shape.game.to_string(), made })
    }

    fn open(path: &Path, shape: &BoardShape) -> Result<BoardNetwork, String> {
        BoardNetwork::open(path, shape)
    }
}
