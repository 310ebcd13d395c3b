//! Logistic regression by Newton's method with a ridge penalty, for models of up to a few hundred
//! weights.

use super::samples::{Samples, logistic};
use nalgebra::{DMatrix, DVector};

/// Newton's method converges in a few steps; this maximum is always enough here.
const STEPS: usize = 12;

/// Regularization of weights that few samples determine. Both strengths are in samples.
#[derive(Clone, Copy, Debug)]
pub struct Regularization {
    /// Pulls every weight towards 0.
    pub ridge: f64,
    /// Pulls the weights of a term at adjacent knots towards each other.
    pub smoothing: f64,
}

/// The weights that maximize the log likelihood minus half of each pull times the square of its
/// weight or difference. `None`: samples and regularization do not determine the weights.
pub fn fit(samples: &Samples, regularization: Regularization) -> Option<Vec<f64>> {
    let size = samples.weights();
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS {
        let mut gradient = DVector::zeros(size);
        let mut curvature = DMatrix::zeros(size, size);
        regularize(regularization, samples.terms(), &weights, &mut gradient, &mut curvature);
        for i in samples.training() {
            let row = features(samples, i);
            let p = logistic(row.iter().map(|&(i, x)| weights[i] * x).sum());
            let target = f64::from(samples.sample(i).target);
            for &(i, x) in &row {
                gradient[i] += (target - p) * x;
                for &(j, y) in &row {
                    curvature[(i, j)] += p * (1.0 - p) * x * y;
                }
            }
        }
        let step = curvature.cholesky()?.solve(&gradient);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
    }
    Some(weights)
}

/// The nonzero features of a sample, by weight.
fn features(samples: &Samples, i: usize) -> Vec<(usize, f64)> {
    let sample = samples.sample(i);
    samples
        .row(i)
        .flat_map(|(index, x)| {
            [(index, x * (1.0 - sample.share)), (index + samples.terms(), x * sample.share)]
        })
        .filter(|feature| feature.1 != 0.0)
        .collect()
}

fn regularize(
    Regularization { ridge, smoothing }: Regularization,
    terms: usize,
    weights: &[f64],
    gradient: &mut DVector<f64>,
    curvature: &mut DMatrix<f64>,
) {
    for (i, &w) in weights.iter().enumerate() {
        gradient[i] -= ridge * w;
        curvature[(i, i)] += ridge;
        let j = i + terms;
        if let Some(next) = weights.get(j) {
            let pull = smoothing * (next - w);
            gradient[i] += pull;
            gradient[j] -= pull;
            curvature[(i, i)] += smoothing;
            curvature[(j, j)] += smoothing;
            curvature[(i, j)] -= smoothing;
            curvature[(j, i)] -= smoothing;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Sample;
    use agon_games::rng;

    #[test]
    fn the_weights_behind_random_results_are_found() {
        let mut rng = rng::stream(3, 0, "fit");
        let mut samples = Samples::new(2, 1);
        for _ in 0..20_000 {
            let [a, b] = [0, 1].map(|_| rng::below(&mut rng, 9) as f32 - 4.0);
            let won = rng::unit(&mut rng) < logistic(0.5 * f64::from(a) - 0.25 * f64::from(b));
            let target = f32::from(u8::from(won));
            let sample = Sample { knot: 0, share: 0.0, target, held_out: false };
            samples.push(sample, [(0, a), (1, b)]);
        }
        let weights = fit(&samples, Regularization { ridge: 1.0, smoothing: 0.0 }).unwrap();
        assert!((weights[0] - 0.5).abs() < 0.05, "{weights:?}");
        assert!((weights[1] + 0.25).abs() < 0.05, "{weights:?}");
    }

    #[test]
    fn weights_that_nothing_determines_are_refused() {
        let mut samples = Samples::new(2, 1);
        let sample = Sample { knot: 0, share: 0.0, target: 1.0, held_out: false };
        samples.push(sample, [(0, 1.0)]);
        assert!(fit(&samples, Regularization { ridge: 0.0, smoothing: 0.0 }).is_none());
    }
}
