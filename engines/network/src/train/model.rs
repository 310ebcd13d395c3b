//! The network in floating point: its output, and the gradient of the loss.

use super::{Positions, SHARE_ONE, TrainingPosition};
use crate::network::{ACTIVATION_ONE, Network, OUTPUT_LIMIT, OUTPUT_ONE};
use agon_games::rng::{self, Stream};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The number of parts of a batch whose gradients are summed separately: fixed, so that the result
/// does not depend on the number of threads.
const PARTS: usize = 8;

/// The weight of the policy's cross entropy in the loss, where the squared error of the winning chance has 1.
const POLICY_WEIGHT: f32 = 0.1;

/// The weights in one list: by feature the weights of the hidden units, their biases, by output (the buckets, then the
/// rows of the policy) the weights for the side to move and for the opponent, and the biases of the outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model<const H: usize> {
    features: usize,
    buckets: usize,
    policy: usize,
    /// The maximum number of features of a position.
    active: usize,
    pub(super) weights: Vec<f32>,
}

/// The sums over some positions.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// By weight.
    pub weights: Vec<f32>,
    /// The sum of the squared errors.
    pub loss: f64,
}

/// The mean loss over some positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// The squared error of the winning chance.
    pub value: f64,
    /// The relative entropy of the policy to predict, over the positions that have one, in nats.
    pub policy: f64,
}

impl<const H: usize> Model<H> {
    /// Random weights. `size`: the numbers of features, buckets and rows of the policy; `active`: the maximum number of
    /// features of a position.
    pub fn random(size: [usize; 3], active: usize, rng: &mut Stream) -> Model<H> {
        let [features, buckets, policy] = size;
        let outputs = buckets + policy;
        let mut draw = |limit: f64| ((2.0 * rng::unit(rng) - 1.0) * limit) as f32;
        let mut weights: Vec<f32> = (0..features * H).map(|_| draw(0.1)).collect();
        weights.extend((0..H).map(|_| 0.25));
        weights.extend((0..outputs * 2 * H).map(|_| draw(0.1)));
        weights.extend((0..outputs).map(|_| 0.0));
        Model { features, buckets, policy, active, weights }
    }

    /// The first index of the biases of the hidden units, of the output weights, and of the
    /// outputs' biases.
    fn starts(&self) -> [usize; 3] {
        let bias = self.features * H;
        [bias, bias + H, bias + H + (self.buckets + self.policy) * 2 * H]
    }

    /// Limits the weights to what the quantised network can represent.
    pub fn clip(&mut self) {
        let [_, outputs, biases] = self.starts();
        let (hidden, rest) = self.weights.split_at_mut(outputs);
        let limit = f32::from(hidden_limit(self.active)) / f32::from(ACTIVATION_ONE);
        hidden.iter_mut().for_each(|w| *w = w.clamp(-limit, limit));
        let limit = f32::from(OUTPUT_LIMIT) / f32::from(OUTPUT_ONE);
        rest[..biases - outputs].iter_mut().for_each(|w| *w = w.clamp(-limit, limit));
    }

    /// The mean loss over these positions.
    pub fn loss(&self, positions: &Positions, numbers: &[u32]) -> Loss {
        let parts = numbers.par_chunks(1 << 14).map(|part| {
            let mut sums = [0.0; 3];
            for &number in part {
                let position = positions.get(number);
                let (units, logit) = self.forward(&position);
                sums[0] += f64::from(logistic(logit) - position.target).powi(2);
                if !position.policy.is_empty() {
                    sums[1] += 1.0;
                    let predicted = self.policy(&position, &units);
                    sums[2] += position.policy.iter().zip(predicted).map(divergence).sum::<f64>();
                }
            }
            sums
        });
        let parts = parts.collect::<Vec<[f64; 3]>>();
        let sum = |i: usize| parts.iter().map(|part| part[i]).sum::<f64>();
        Loss { value: sum(0) / numbers.len().max(1) as f64, policy: sum(2) / sum(1).max(1.0) }
    }

    /// The gradient over a batch, the sum of the parts in their order.
    pub fn gradient(&self, positions: &Positions, batch: &[u32]) -> Gradient {
        let size = batch.len().div_ceil(PARTS).max(1);
        let parts: Vec<Gradient> =
            batch.par_chunks(size).map(|part| self.part_gradient(positions, part)).collect();
        let mut parts = parts.into_iter();
        let Some(mut total) = parts.next() else {
            return Gradient { weights: vec![0.0; self.weights.len()], loss: 0.0 };
        };
        for part in parts {
            total.loss += part.loss;
            total.weights.iter_mut().zip(part.weights).for_each(|(sum, w)| *sum += w);
        }
        total
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
        let [bias, ..] = self.starts();
        let mut units = [*row(&self.weights, bias); 2];
        for feature in position.features {
            for view in 0..2 {
                let weights = row::<H>(&self.weights, position.feature(feature[view]) * H);
                (0..H).for_each(|i| units[view][i] += weights[i]);
            }
        }
        let logit = self.output(&units, position.bucket);
        (units, logit)
    }

    /// An output, from the hidden units of both views.
    #[inline]
    fn output(&self, units: &[[f32; H]; 2], output: usize) -> f32 {
        let [_, outputs, biases] = self.starts();
        let mut logit = self.weights[biases + output];
        for (view, units) in units.iter().enumerate() {
            let weights = row(&self.weights, outputs + (2 * output + view) * H);
            logit += dot(units, weights);
        }
        logit
    }

    /// The predicted shares of a position's moves.
    fn policy(&self, position: &TrainingPosition, units: &[[f32; H]; 2]) -> Vec<f32> {
        let rows = position.policy.iter().map(|&(row, _)| self.buckets + position.row(row));
        let mut shares: Vec<f32> = rows.map(|output| self.output(units, output)).collect();
        softmax(&mut shares);
        shares
    }

    /// Adds a position's gradient.
    #[inline]
    fn backward(&self, position: &TrainingPosition, gradient: &mut Gradient) {
        let [bias, ..] = self.starts();
        let (units, logit) = self.forward(position);
        let chance = logistic(logit);
        let error = chance - position.target;
        gradient.loss += f64::from(error).powi(2);
        let slope = 2.0 * error * chance * (1.0 - chance);
        let active = units.map(|view| view.map(|unit| unit.clamp(0.0, 1.0)));
        let mut hidden = [[0.0; H]; 2];
        self.backward_output(&active, position.bucket, slope, &mut hidden, gradient);
        if !position.policy.is_empty() {
            let predicted = self.policy(position, &units);
            for (&(row, share), predicted) in position.policy.iter().zip(predicted) {
                let error = predicted - f32::from(share) / f32::from(SHARE_ONE);
                let output = self.buckets + position.row(row);
                self.backward_output(&active, output, POLICY_WEIGHT * error, &mut hidden, gradient);
            }
        }
        for view in 0..2 {
            for i in 0..H {
                // The derivative of the clipped unit is 0 at 0 by the factor, and at 1 by the test.
                let active = active[view][i];
                hidden[view][i] *= if active < 1.0 { 2.0 * active } else { 0.0 };
            }
            let sums = row_mut::<H>(&mut gradient.weights, bias);
            (0..H).for_each(|i| sums[i] += hidden[view][i]);
        }
        for feature in position.features {
            for view in 0..2 {
                let sums = row_mut::<H>(&mut gradient.weights, position.feature(feature[view]) * H);
                (0..H).for_each(|i| sums[i] += hidden[view][i]);
            }
        }
    }

    /// Adds the gradient of an output's weights, and to `hidden` that of the squared units before it.
    #[inline]
    fn backward_output(
        &self,
        active: &[[f32; H]; 2],
        output: usize,
        slope: f32,
        hidden: &mut [[f32; H]; 2],
        gradient: &mut Gradient,
    ) {
        let [_, outputs, biases] = self.starts();
        gradient.weights[biases + output] += slope;
        for view in 0..2 {
            let first = outputs + (2 * output + view) * H;
            let weights = row::<H>(&self.weights, first);
            let sums = row_mut::<H>(&mut gradient.weights, first);
            for i in 0..H {
                let active = active[view][i];
                sums[i] += slope * active * active;
                hidden[view][i] += slope * weights[i];
            }
        }
    }

    /// The quantised network.
    pub fn quantised(&self) -> Network<H> {
        let [bias, outputs, biases] = self.starts();
        let unit = f32::from(ACTIVATION_ONE);
        let limit = f32::from(hidden_limit(self.active));
        let hidden = |w: &f32| (w * unit).round().clamp(-limit, limit) as i16;
        let output = |w: &f32| (w * f32::from(OUTPUT_ONE)).round() as i16;
        let outputs_from = |b: usize| {
            let view = |v| row::<H>(&self.weights, outputs + (2 * b + v) * H);
            let bias = self.weights[biases + b] * unit * f32::from(OUTPUT_ONE);
            ([view(0).each_ref().map(output), view(1).each_ref().map(output)], bias.round() as i32)
        };
        Network {
            features: (0..self.features)
                .map(|f| row::<H>(&self.weights, f * H).each_ref().map(hidden))
                .collect(),
            bias: row::<H>(&self.weights, bias).each_ref().map(hidden),
            outputs: (0..self.buckets).map(outputs_from).collect(),
            policy: (self.buckets..self.buckets + self.policy).map(outputs_from).collect(),
        }
    }
}

/// The largest weight of a hidden unit, so that the sum over a position's features and the bias fits in 16 bits.
fn hidden_limit(active: usize) -> i16 {
    i16::MAX / (active.clamp(1, usize::from(u8::MAX)) as i16 + 1)
}

/// Turns logits into shares of 1.
fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = libm::expf(*logit - most));
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// What a move adds to the relative entropy of the policy to predict.
fn divergence((&(_, share), predicted): (&(u16, u16), f32)) -> f64 {
    let share = f64::from(share) / f64::from(SHARE_ONE);
    if share > 0.0 { share * libm::log(share / f64::from(predicted.max(1e-30))) } else { 0.0 }
}

/// The winning chance for a logit.
fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
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
    use super::super::Image;
    use super::*;

    fn positions() -> Positions {
        let mut rng = rng::stream(2, 0, "positions");
        let turned = Image {
            features: (0..20).map(|feature| (feature + 7) % 20).collect(),
            policy: vec![2, 0, 1],
        };
        let identity = Image { features: (0..20).collect(), policy: vec![0, 1, 2] };
        let mut positions = Positions::with_images(vec![identity, turned]);
        for number in 0..40 {
            let pieces = 1 + rng::below(&mut rng, 5);
            let mut feature = || rng::below(&mut rng, 20) as u16;
            let features: Vec<[u16; 2]> = (0..pieces).map(|_| [feature(), feature()]).collect();
            let (bucket, target) = (rng::below(&mut rng, 2) as u8, rng::unit(&mut rng) as f32);
            positions.push(features, bucket, target, false);
            if number % 3 > 0 {
                let share = rng::unit(&mut rng) as f32;
                positions.push_policy([(2, share), (0, 1.0 - share), (1, 0.0)]);
            }
        }
        positions
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let positions = positions();
        let all = positions.numbers(false);
        let mut model = Model::<8>::random([20, 2, 3], 5, &mut rng::stream(3, 0, "model"));
        assert_eq!(all.len(), 80);
        let with_policy = all.iter().filter(|&&n| !positions.get(n).policy.is_empty()).count();
        let gradient = model.gradient(&positions, &all);
        let mut steep = 0;
        for i in 0..model.weights.len() {
            let weight = model.weights[i];
            let mut loss = |to: f32| {
                model.weights[i] = to;
                let Loss { value, policy } = model.loss(&positions, &all);
                value * all.len() as f64 + f64::from(POLICY_WEIGHT) * policy * with_policy as f64
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
        let model = Model::<8>::random([20, 2, 3], 5, &mut rng::stream(4, 0, "model"));
        let network = model.quantised();
        for number in positions.numbers(false) {
            let position = positions.get(number);
            let view = |side: usize| {
                network.refresh(position.features.iter().map(|f| position.feature(f[side])))
            };
            let views = [view(0), view(1)];
            let output = network.output(views.each_ref(), position.bucket, 1000);
            let (units, logit) = model.forward(&position);
            assert!((output as f32 - 1000.0 * logit).abs() < 30.0, "{output} {logit}");
            for (row, output) in network.policy(views.each_ref(), 0..3, 1000).enumerate() {
                let logit = model.output(&units, 2 + row);
                assert!((output as f32 - 1000.0 * logit).abs() < 30.0, "{output} {logit}");
            }
        }
    }
}
