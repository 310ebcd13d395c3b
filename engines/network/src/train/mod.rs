//! Training of networks on positions with the value or result to predict, by AdamW. Loops of our own: sparse inputs train
//! several times faster on one core than in a general library, and a fixed order of additions repeats a training exactly.

pub mod model;
pub mod positions;
mod run;

pub use positions::Positions;
pub use run::{PassResult, TrainError, TrainPlan, Training};

use agon_games::rng::Stream;
use std::io;
use std::path::Path;

/// A network in floating point, as it is trained.
pub trait Trainable: Sized + Send + Sync {
    /// The shape of a game's networks.
    type Shape: Copy + Send + Sync;
    /// Positions in memory.
    type Positions: PositionSet;
    /// The quantised network.
    type Network: Send + Sync;
    /// The learning rate at the start.
    const RATE: f32;

    /// No positions yet.
    fn positions(shape: &Self::Shape) -> Self::Positions;

    /// The first weights: random ones, or, for networks whose training goes on from generation to generation, those of
    /// the previous one.
    fn start(shape: &Self::Shape, previous: Option<&Self::Network>, stream: &mut Stream) -> Self;

    /// All weights.
    fn weights(&self) -> &Vec<f32>;

    /// All weights.
    fn weights_mut(&mut self) -> &mut Vec<f32>;

    /// Limits the weights to what the quantised network can represent.
    fn clip(&mut self);

    /// The mean loss over these positions.
    fn loss(&self, positions: &Self::Positions, numbers: &[u32]) -> Loss;

    /// The gradient over a batch, which does not depend on the number of threads.
    fn gradient(&self, positions: &Self::Positions, batch: &[u32]) -> Gradient;

    /// The quantised network.
    fn network(&self) -> Self::Network;

    /// The layers, in words.
    fn architecture(shape: &Self::Shape) -> String;

    /// Writes a network file; `made`: how it was made.
    ///
    /// # Errors
    /// The output cannot be written.
    fn write(
        network: &Self::Network,
        out: &mut Vec<u8>,
        made: Vec<(String, String)>,
        shape: &Self::Shape,
    ) -> io::Result<()>;

    /// Reads a network file of this shape.
    ///
    /// # Errors
    /// The file cannot be read, or is no such network, or is damaged.
    fn open(path: &Path, shape: &Self::Shape) -> Result<Self::Network, String>;
}

/// Positions to train on.
pub trait PositionSet: Sync {
    /// The numbers of the positions of a pass, in a random order.
    fn order(&self, stream: &mut Stream) -> Vec<u32>;

    /// The numbers of the positions that are held out.
    fn held_out(&self) -> Vec<u32>;

    /// The checksum of all positions, in order.
    fn checksum(&self) -> u32;

    /// The number of positions.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The sums over some positions.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// By weight.
    pub weights: Vec<f32>,
    /// The sum of the squared errors.
    pub loss: f64,
}

impl Gradient {
    /// The sum of some gradients of this many weights, in their order.
    pub(crate) fn sum(parts: Vec<Gradient>, weights: usize) -> Gradient {
        let mut parts = parts.into_iter();
        let none = Gradient { weights: Vec::new(), loss: 0.0 };
        let mut total = parts.next().unwrap_or(none);
        total.weights.resize(weights, 0.0);
        for part in parts {
            total.loss += part.loss;
            total.weights.iter_mut().zip(part.weights).for_each(|(sum, w)| *sum += w);
        }
        total
    }
}

/// The mean loss over some positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// The squared error of the winning chance.
    pub value: f64,
    /// The relative entropy of the policy to predict, over the positions that have one, in nats; none in a network without
    /// a policy.
    pub policy: Option<f64>,
}

/// The share of a policy that stands for 1.
pub const SHARE_ONE: u16 = u16::MAX;

/// Turns logits into shares of 1.
pub fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = libm::expf(*logit - most));
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// What a move adds to the relative entropy of the policy to predict.
pub(crate) fn divergence(share: f32, predicted: f32) -> f64 {
    let share = f64::from(share);
    if share > 0.0 { share * libm::log(share / f64::from(predicted.max(1e-30))) } else { 0.0 }
}

/// The winning chance for a logit.
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-logit))
}
