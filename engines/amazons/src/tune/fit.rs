//! Logistic regression by Newton's method, with a ridge.

use super::selfplay::Sample;

/// A fitted model: the logit of a win is the sum of weights times features.
#[derive(Clone, Debug)]
pub struct Fit {
    pub weights: Vec<f64>,
}

/// Newton's method converges in a few steps; this many are always enough here.
const STEPS: usize = 12;

/// What holds weights that the samples say little about.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// Towards nothing.
    pub ridge: f64,
    /// Towards the weight `count` places on, the same feature's in the next phase.
    pub smooth: f64,
    pub count: usize,
}

impl Pull {
    /// Adds the pull on these weights to the gradient and the curvature.
    fn apply(self, weights: &[f64], gradient: &mut [f64], curvature: &mut [Vec<f64>]) {
        for (i, &w) in weights.iter().enumerate() {
            gradient[i] -= self.ridge * w;
            curvature[i][i] += self.ridge;
            let j = i + self.count;
            if let Some(next) = weights.get(j) {
                gradient[i] += self.smooth * (next - w);
                gradient[j] -= self.smooth * (next - w);
                curvature[i][i] += self.smooth;
                curvature[j][j] += self.smooth;
                curvature[i][j] -= self.smooth;
                curvature[j][i] -= self.smooth;
            }
        }
    }
}

/// The weights that make the results most likely, less half of every pull times the square of what
/// it pulls at.
pub fn fit(samples: &[&Sample], pull: Pull, features: impl Fn(&Sample) -> Vec<f64>) -> Fit {
    let rows: Vec<(Vec<(usize, f64)>, f64)> = samples
        .iter()
        .map(|s| {
            let sparse = features(s).into_iter().enumerate().filter(|x| x.1 != 0.0).collect();
            (sparse, f64::from(u8::from(s.won)))
        })
        .collect();
    let size = samples.first().map_or(0, |s| features(s).len());
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; size];
        let mut curvature = vec![vec![0.0; size]; size];
        pull.apply(&weights, &mut gradient, &mut curvature);
        for (row, won) in &rows {
            let p = logistic(row.iter().map(|&(i, x)| weights[i] * x).sum());
            for &(i, x) in row {
                gradient[i] += (won - p) * x;
                for &(j, y) in row {
                    curvature[i][j] += p * (1.0 - p) * x * y;
                }
            }
        }
        for (w, step) in weights.iter_mut().zip(solve(curvature, gradient)) {
            *w += step;
        }
    }
    Fit { weights }
}

impl Fit {
    /// The mean negative log likelihood of these results.
    pub fn loss(&self, samples: &[&Sample], features: impl Fn(&Sample) -> Vec<f64>) -> f64 {
        let one = |s: &&Sample| {
            let logit: f64 = features(s).iter().zip(&self.weights).map(|(x, w)| x * w).sum();
            -logistic(if s.won { logit } else { -logit }).max(1e-12).ln()
        };
        samples.iter().map(one).sum::<f64>() / samples.len().max(1) as f64
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Solves a symmetric positive definite system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        let pivot = matrix[i].clone();
        for j in i + 1..n {
            let factor = matrix[j][i] / pivot[i];
            for (cell, p) in matrix[j][i..].iter_mut().zip(&pivot[i..]) {
                *cell -= factor * p;
            }
            right[j] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Terms;
    use agon_protocol::Player;
    use agon_protocol::rng;

    #[test]
    fn the_weights_behind_random_results_are_found() {
        let mut rng = rng::stream(3, 0, "fit");
        let samples: Vec<Sample> = (0..20_000)
            .map(|game| {
                let terms = Terms {
                    t1: rng::below(&mut rng, 9) as i32 - 4,
                    t2: rng::below(&mut rng, 9) as i32 - 4,
                    ..Terms::default()
                };
                let p = logistic(0.5 * f64::from(terms.t1) - 0.25 * f64::from(terms.t2));
                Sample { terms, side: Player::First, won: rng::unit(&mut rng) < p, game }
            })
            .collect();
        let samples: Vec<&Sample> = samples.iter().collect();
        let pull = Pull { ridge: 1.0, smooth: 0.0, count: 1 };
        let fit = fit(&samples, pull, |s| vec![f64::from(s.terms.t1), f64::from(s.terms.t2)]);
        assert!((fit.weights[0] - 0.5).abs() < 0.05, "{:?}", fit.weights);
        assert!((fit.weights[1] + 0.25).abs() < 0.05, "{:?}", fit.weights);
    }
}
