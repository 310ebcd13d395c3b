//! AdamW (Loshchilov and Hutter 2019) over all weights, with a cosine schedule of the learning
//! rate.

use serde::{Deserialize, Serialize};

/// Decay rates of the moments, and the weight decay per step at the full learning rate.
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const WEIGHT_DECAY: f32 = 0.01;
const EPSILON: f32 = 1e-8;

/// The moments of the gradient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdamW {
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
    steps: i32,
}

impl AdamW {
    /// For this number of weights.
    pub fn new(weights: usize) -> AdamW {
        AdamW { first: vec![0.0; weights], second: vec![0.0; weights], steps: 0 }
    }

    /// One step against the gradient.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let scale = |decay: f32| 1.0 / (1.0 - libm::powf(decay, self.steps as f32));
        let (first_scale, second_scale) = (scale(FIRST_DECAY), scale(SECOND_DECAY));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, &slope), (first, second)) in weights.iter_mut().zip(gradient).zip(moments) {
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * slope;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * slope * slope;
            let direction = *first * first_scale / ((*second * second_scale).sqrt() + EPSILON);
            *weight -= rate * (direction + WEIGHT_DECAY * *weight);
        }
    }
}

/// The learning rate at a share of the training, 0 to 1: from the full rate to a hundredth of it.
pub fn cosine(full: f32, share: f32) -> f32 {
    full * (0.01 + 0.99 * 0.5 * (1.0 + libm::cosf(std::f32::consts::PI * share)))
}
