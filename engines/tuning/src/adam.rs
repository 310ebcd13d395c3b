//! Logistic regression by stochastic gradient descent with Adam (Kingma and Ba 2015), for models
//! with any number of weights. The order of samples is fixed: the same samples give the same
//! weights.

use super::samples::{Sample, Samples, logistic};
use agon_protocol::rng;

/// Settings of a fit. Weights are in centipawns.
#[derive(Clone, Copy, Debug)]
pub struct AdamSettings {
    /// Number of passes over the samples.
    pub passes: u32,
    /// Strength of the pull towards the anchor, in samples.
    pub pull: f64,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The fitted weights.
    pub weights: Vec<f64>,
    /// The value at which the odds of winning are e to 1.
    pub unit: f64,
    /// The loss on held-out samples before the fit.
    pub before: f64,
    /// The loss on held-out samples after it.
    pub after: f64,
}

/// Samples per step.
const BATCH: usize = 8192;
/// Step size of the first steps.
const STEP: f64 = 2.0;
/// Step size of the last steps.
const LAST_STEP: f64 = 0.02;
/// Search bounds for the value at which the odds of winning are e to 1.
const UNITS: (f64, f64) = (60.0, 1200.0);

/// Fits weights, starting from `start` and pulled towards `anchor`. `report` receives the number of
/// the pass and the losses on the training samples and on the held-out samples.
pub fn fit(
    samples: &Samples,
    start: &[f64],
    anchor: &[f64],
    settings: AdamSettings,
    mut report: impl FnMut(u32, f64, f64),
) -> Fit {
    let mut weights = start.to_vec();
    let unit = best_unit(samples, &weights);
    let before = samples.loss(&weights, unit, true);
    let mut order: Vec<usize> = samples.training().collect();
    let mut adam = Adam::new(weights.len());
    let mut rng = rng::stream(1, 0, "fit order");
    for pass in 1..=settings.passes {
        rng::shuffle(&mut rng, &mut order);
        // The step size decays along a half cosine.
        let along = f64::from(pass - 1) / f64::from(settings.passes);
        let step = STEP * (1.0 + libm::cos(along * std::f64::consts::PI)) / 2.0 + LAST_STEP;
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0; weights.len()];
            for &i in batch {
                add_gradient(samples, i, &weights, unit, &mut gradient);
            }
            let share = settings.pull * batch.len() as f64 / order.len().max(1) as f64;
            for ((g, w), a) in gradient.iter_mut().zip(&weights).zip(anchor) {
                *g += share * (w - a) / (unit * unit);
            }
            adam.step(&mut weights, &gradient, step);
        }
        if pass % 5 == 0 || pass == settings.passes {
            let training = samples.loss(&weights, unit, false);
            report(pass, training, samples.loss(&weights, unit, true));
        }
    }
    let after = samples.loss(&weights, unit, true);
    Fit { weights, unit, before, after }
}

fn add_gradient(samples: &Samples, i: usize, weights: &[f64], unit: f64, gradient: &mut [f64]) {
    let &Sample { share, scale, target, .. } = samples.sample(i);
    let error = logistic(samples.value(i, weights) / unit) - f64::from(target);
    let each = error * f64::from(scale) / unit;
    for (index, count) in samples.row(i) {
        gradient[index] += each * count * (1.0 - share);
        if let Some(next) = gradient.get_mut(index + samples.terms()) {
            *next += each * count * share;
        }
    }
}

/// The unit with which the current weights fit best, by golden-section search.
fn best_unit(samples: &Samples, weights: &[f64]) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = UNITS;
    while high - low > 1.0 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if samples.loss(weights, a, true) < samples.loss(weights, b, true) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

/// The moments of the gradient, one per weight.
struct Adam {
    moments: Vec<[f64; 2]>,
    steps: i32,
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { moments: vec![[0.0; 2]; size], steps: 0 }
    }

    fn step(&mut self, weights: &mut [f64], gradient: &[f64], step: f64) {
        const KEEP: (f64, f64) = (0.9, 0.999);
        self.steps += 1;
        let unbias = (1.0 - KEEP.0.powi(self.steps), 1.0 - KEEP.1.powi(self.steps));
        for ((weight, [mean, square]), g) in weights.iter_mut().zip(&mut self.moments).zip(gradient)
        {
            *mean = KEEP.0 * *mean + (1.0 - KEEP.0) * g;
            *square = KEEP.1 * *square + (1.0 - KEEP.1) * g * g;
            let root = (*square / unbias.1).sqrt() + 1e-8;
            *weight -= step * (*mean / unbias.0) / root;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_behind_random_results_are_found() {
        let mut rng = rng::stream(3, 0, "fit");
        let mut samples = Samples::new(2, 2);
        // Endgame and middlegame of the first term, then of the second.
        let truth = [40.0, 90.0, 120.0, -60.0];
        for i in 0..40_000 {
            let counts = [0, 1].map(|_| rng::below(&mut rng, 7) as f32 - 3.0);
            let share = rng::unit(&mut rng);
            let sample = Sample { knot: 0, share, scale: 1.0, target: 0.0, held_out: i % 8 == 0 };
            samples.push(sample, counts.into_iter().enumerate());
            let won = rng::unit(&mut rng) < logistic(samples.value(i, &truth) / 200.0);
            samples.set_target(i, f32::from(u8::from(won)));
        }
        let start = [100.0, 80.0, 100.0, -40.0];
        let settings = AdamSettings { passes: 60, pull: 1.0 };
        let fit = fit(&samples, &start, &start, settings, |_, _, _| {});
        for (weight, truth) in fit.weights.iter().zip(truth) {
            assert!((weight / fit.unit * 200.0 - truth).abs() < 12.0, "{fit:?}");
        }
        assert!(fit.after < fit.before);
    }
}
