//! The network in floating point: its output, and the gradient of the loss.

use super::positions::{Positions, TrainingPosition};
use super::{Gradient, Loss, Trainable, logistic};
use crate::file::{self, NetworkHeader, NetworkShape};
use crate::network::{ACTIVATION_ONE, Network, OUTPUT_LIMIT, OUTPUT_ONE};
use agon_games::rng::{self, Stream};
use rayon::prelude::*;
use std::io;
use std::path::Path;

/// The number of parts of a batch whose gradients are summed separately: fixed, so that the result
/// does not depend on the number of threads.
const PARTS: usize = 8;

/// The weights in one list: by feature the weights of the hidden units, their biases, by bucket the
/// output weights for the side to move and for the opponent, and the biases of the output.
#[derive(Clone, Debug, PartialEq)]
pub struct Model<const H: usize> {
    features: usize,
    buckets: usize,
    /// The maximum number of features of a position.
    active: usize,
    weights: Vec<f32>,
}

impl<const H: usize> Model<H> {
    /// Random weights.
    fn random(shape: &NetworkShape, rng: &mut Stream) -> Model<H> {
        let &NetworkShape { features, buckets, active, .. } = shape;
        let mut draw = |limit: f64| ((2.0 * rng::unit(rng) - 1.0) * limit) as f32;
        let mut weights: Vec<f32> = (0..features * H).map(|_| draw(0.1)).collect();
        weights.extend((0..H).map(|_| 0.25));
        weights.extend((0..buckets * 2 * H).map(|_| draw(0.1)));
        weights.extend((0..buckets).map(|_| 0.0));
        Model { features, buckets, active, weights }
    }

    /// The first index of the biases of the hidden units, of the output weights, and of the
    /// output's biases.
    fn starts(&self) -> [usize; 3] {
        let bias = self.features * H;
        [bias, bias + H, bias + H + self.buckets * 2 * H]
    }

    fn part_gradient(&self, positions: &Positions, part: &[u32]) -> Gradient {
        let mut gradient = Gradient { weights: vec![0.0; self.weights.len()], loss: 0.0 };
        for &number in part {
            self.backward(&positions.get(number), &mut gradient);
        }
        gradient
    }

    /// The hidden units of both views before the activation, and the output.
    #[inline]
    fn forward(&self, position: &TrainingPosition) -> ([[f32; H]; 2], f32) {
        let [bias, outputs, biases] = self.starts();
        let mut units = [*row(&self.weights, bias); 2];
        for feature in position.features {
            for view in 0..2 {
                let weights = row::<H>(&self.weights, usize::from(feature[view]) * H);
                (0..H).for_each(|i| units[view][i] += weights[i]);
            }
        }
        let mut logit = self.weights[biases + position.bucket];
        for (view, units) in units.iter().enumerate() {
            let weights = row(&self.weights, outputs + (2 * position.bucket + view) * H);
            logit += dot(units, weights);
        }
        (units, logit)
    }

    /// Adds a position's gradient.
    #[inline]
    fn backward(&self, position: &TrainingPosition, gradient: &mut Gradient) {
        let [bias, outputs, biases] = self.starts();
        let (units, logit) = self.forward(position);
        let chance = logistic(logit);
        let error = chance - position.target;
        gradient.loss += f64::from(error).powi(2);
        let slope = 2.0 * error * chance * (1.0 - chance);
        gradient.weights[biases + position.bucket] += slope;
        let mut hidden = [[0.0; H]; 2];
        for view in 0..2 {
            let first = outputs + (2 * position.bucket + view) * H;
            let weights = row::<H>(&self.weights, first);
            let sums = row_mut::<H>(&mut gradient.weights, first);
            for i in 0..H {
                let active = units[view][i].clamp(0.0, 1.0);
                sums[i] += slope * active * active;
                // The derivative of the clipped unit is 0 at 0 by the factor, and at 1 by the test.
                let open = if active < 1.0 { 2.0 * active } else { 0.0 };
                hidden[view][i] = slope * weights[i] * open;
            }
            let sums = row_mut::<H>(&mut gradient.weights, bias);
            (0..H).for_each(|i| sums[i] += hidden[view][i]);
        }
        for feature in position.features {
            for view in 0..2 {
                let sums = row_mut::<H>(&mut gradient.weights, usize::from(feature[view]) * H);
                (0..H).for_each(|i| sums[i] += hidden[view][i]);
            }
        }
    }
}

impl<const H: usize> Trainable for Model<H> {
    type Shape = NetworkShape;
    type Positions = Positions;
    type Network = Network<H>;
    const RATE: f32 = 0.002;

    fn positions(_: &NetworkShape) -> Positions {
        Positions::default()
    }

    /// Random weights: each generation begins anew.
    fn start(shape: &NetworkShape, _: Option<&Network<H>>, stream: &mut Stream) -> Model<H> {
        Model::random(shape, stream)
    }

    fn weights(&self) -> &Vec<f32> {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut Vec<f32> {
        &mut self.weights
    }

    fn clip(&mut self) {
        let [_, outputs, biases] = self.starts();
        let (hidden, rest) = self.weights.split_at_mut(outputs);
        let limit = f32::from(hidden_limit(self.active)) / f32::from(ACTIVATION_ONE);
        hidden.iter_mut().for_each(|w| *w = w.clamp(-limit, limit));
        let limit = f32::from(OUTPUT_LIMIT) / f32::from(OUTPUT_ONE);
        rest[..biases - outputs].iter_mut().for_each(|w| *w = w.clamp(-limit, limit));
    }

    fn loss(&self, positions: &Positions, numbers: &[u32]) -> Loss {
        let parts = numbers.par_chunks(1 << 14).map(|part| {
            let error = |number: &u32| {
                let position = positions.get(*number);
                let (_, logit) = self.forward(&position);
                f64::from(logistic(logit) - position.target).powi(2)
            };
            part.iter().map(error).sum::<f64>()
        });
        let sum = parts.collect::<Vec<f64>>().iter().sum::<f64>();
        Loss { value: sum / numbers.len().max(1) as f64, policy: None }
    }

    fn gradient(&self, positions: &Positions, batch: &[u32]) -> Gradient {
        let size = batch.len().div_ceil(PARTS).max(1);
        let parts = batch.par_chunks(size).map(|part| self.part_gradient(positions, part));
        Gradient::sum(parts.collect(), self.weights.len())
    }

    fn network(&self) -> Network<H> {
        let [bias, outputs, biases] = self.starts();
        let unit = f32::from(ACTIVATION_ONE);
        let limit = f32::from(hidden_limit(self.active));
        let hidden = |w: &f32| (w * unit).round().clamp(-limit, limit) as i16;
        let output = |w: &f32| (w * f32::from(OUTPUT_ONE)).round() as i16;
        let bucket = |b: usize| {
            let view = |v| row::<H>(&self.weights, outputs + (2 * b + v) * H);
            let bias = self.weights[biases + b] * unit * f32::from(OUTPUT_ONE);
            ([view(0).each_ref().map(output), view(1).each_ref().map(output)], bias.round() as i32)
        };
        Network {
            features: (0..self.features)
                .map(|f| row::<H>(&self.weights, f * H).each_ref().map(hidden))
                .collect(),
            bias: row::<H>(&self.weights, bias).each_ref().map(hidden),
            outputs: (0..self.buckets).map(bucket).collect(),
        }
    }

    fn architecture(shape: &NetworkShape) -> String {
        format!("({} -> {H}) x 2 -> 1, squared clipped ReLU", shape.features)
    }

    fn write(
        network: &Network<H>,
        out: &mut Vec<u8>,
        made: Vec<(String, String)>,
        shape: &NetworkShape,
    ) -> io::Result<()> {
        file::write(out, &NetworkHeader { game: shape.game.to_string(), made }, network)
    }

    fn open(path: &Path, shape: &NetworkShape) -> Result<Network<H>, String> {
        file::open(path, shape)
    }
}

/// The largest weight of a hidden unit, so that the sum over a position's features and the bias fits in 16 bits.
fn hidden_limit(active: usize) -> i16 {
    i16::MAX / (active.clamp(1, usize::from(u8::MAX)) as i16 + 1)
}

/// `H` weights from an index.
#[inline]
fn row<const H: usize>(weights: &[f32], first: usize) -> &[f32; H] {
    weights[first..].first_chunk().expect("a row is whole")
}

/// `H` weights from an index.
#[inline]
fn row_mut<const H: usize>(weights: &mut [f32], first: usize) -> &mut [f32; H] {
    weights[first..].first_chunk_mut().expect("a row is whole")
}

/// The sum of the squared clipped ReLUs times the weights, in eight partial sums, which the
/// compiler can keep in one vector.
#[inline]
fn dot<const H: usize>(units: &[f32; H], weights: &[f32; H]) -> f32 {
    let mut sums = [0.0; 8];
    for i in 0..H {
        let active = units[i].clamp(0.0, 1.0);
        sums[i % 8] += active * active * weights[i];
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: NetworkShape =
        NetworkShape { game: "numbers-1", features: 20, buckets: 2, active: 5 };

    fn positions() -> Positions {
        let mut rng = rng::stream(2, 0, "positions");
        let mut positions = Positions::default();
        for _ in 0..40 {
            let pieces = 1 + rng::below(&mut rng, 5);
            let mut feature = || rng::below(&mut rng, 20) as u16;
            let features: Vec<[u16; 2]> = (0..pieces).map(|_| [feature(), feature()]).collect();
            let (bucket, target) = (rng::below(&mut rng, 2) as u8, rng::unit(&mut rng) as f32);
            positions.push(features, bucket, target, false);
        }
        positions
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let positions = positions();
        let all = positions.numbers(false);
        let mut model = Model::<8>::random(&SHAPE, &mut rng::stream(3, 0, "model"));
        let gradient = model.gradient(&positions, &all);
        let mut steep = 0;
        for i in 0..model.weights.len() {
            let weight = model.weights[i];
            let mut loss = |to: f32| {
                model.weights[i] = to;
                model.loss(&positions, &all).value * all.len() as f64
            };
            let slope = (loss(weight + 0.01) - loss(weight - 0.01)) / 0.02;
            model.weights[i] = weight;
            let given = f64::from(gradient.weights[i]);
            assert!((given - slope).abs() < 0.01 + 0.05 * slope.abs(), "{i}: {given} {slope}");
            steep += u32::from(slope.abs() > 0.05);
        }
        assert!(steep > 10, "{steep}");
    }

    #[test]
    fn the_quantised_network_has_nearly_the_same_output() {
        let positions = positions();
        let model = Model::<8>::random(&SHAPE, &mut rng::stream(4, 0, "model"));
        let network = model.network();
        for number in positions.numbers(false) {
            let position = positions.get(number);
            let view = |side: usize| {
                network.refresh(position.features.iter().map(|f| usize::from(f[side])))
            };
            let output = network.output([&view(0), &view(1)], position.bucket, 1000);
            let (_, logit) = model.forward(&position);
            assert!((output as f32 - 1000.0 * logit).abs() < 30.0, "{output} {logit}");
        }
    }
}
