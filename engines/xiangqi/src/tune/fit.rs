//! Logistic regression by stochastic gradients (Adam: Kingma and Ba 2015), in a fixed order: the
//! same games give the same weights.

use super::samples::{Sample, Samples};
use agon_protocol::rng;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub passes: u32,
    /// Samples' worth of pull towards the rule of thumb.
    pub pull: f64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub weights: Vec<(i16, i16)>,
    /// Hundredths of a pawn at which the odds of winning are e to 1.
    pub scale: f64,
    /// The loss on held-out games before and after.
    pub before: f64,
    pub after: f64,
}

const BATCH: usize = 8192;
/// Hundredths of a pawn that a weight moves in a step at first.
const STEP: f64 = 2.0;

/// Weights of the middle game and the endgame side by side.
type Pairs = Vec<[f64; 2]>;

/// Fits; `report` hears the loss after each pass, on the samples and on those held out.
pub fn fit(
    samples: &Samples,
    start: &[(i16, i16)],
    held_to: &[(i16, i16)],
    plan: Plan,
    mut report: impl FnMut(u32, f64, f64),
) -> Fitted {
    let pairs = |w: &[(i16, i16)]| -> Pairs {
        w.iter().map(|&(a, b)| [f64::from(a), f64::from(b)]).collect()
    };
    let mut weights = pairs(start);
    let anchor = pairs(held_to);
    let scale = best_scale(samples, &weights);
    let before = loss(samples, &weights, scale, true);
    let mut order: Vec<usize> = (0..samples.len()).filter(|&i| !samples.all[i].held_out).collect();
    let mut adam = Adam::new(weights.len());
    let mut rng = rng::stream(1, 0, "fit order");
    for pass in 1..=plan.passes {
        rng::shuffle(&mut rng, &mut order);
        // The steps shrink to nothing along a half cosine.
        let along = f64::from(pass - 1) / f64::from(plan.passes);
        let step = STEP * (1.0 + (along * std::f64::consts::PI).cos()) / 2.0 + 0.02;
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            for &i in batch {
                add_gradient(samples, &samples.all[i], &weights, scale, &mut gradient);
            }
            let share = plan.pull * batch.len() as f64 / order.len().max(1) as f64;
            for ((g, w), a) in gradient.iter_mut().zip(&weights).zip(&anchor) {
                for half in 0..2 {
                    g[half] += share * (w[half] - a[half]) / (scale * scale);
                }
            }
            adam.step(&mut weights, &gradient, step);
        }
        if pass % 5 == 0 || pass == plan.passes {
            let train = loss(samples, &weights, scale, false);
            report(pass, train, loss(samples, &weights, scale, true));
        }
    }
    let after = loss(samples, &weights, scale, true);
    let round = |x: f64| x.round().clamp(-4000.0, 4000.0) as i16;
    let weights = weights.iter().map(|w| (round(w[0]), round(w[1]))).collect();
    Fitted { weights, scale, before, after }
}

fn value(samples: &Samples, s: &Sample, weights: &Pairs) -> f64 {
    let phase = f64::from(s.phase);
    let terms = &samples.terms[s.first..s.first + s.terms];
    let sum: f64 = terms
        .iter()
        .map(|&(i, count)| {
            let w = weights[usize::from(i)];
            f64::from(count) * (w[0] * phase + w[1] * (1.0 - phase))
        })
        .sum();
    sum * f64::from(s.scale)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn add_gradient(
    samples: &Samples,
    s: &Sample,
    weights: &Pairs,
    scale: f64,
    gradient: &mut [[f64; 2]],
) {
    let error = logistic(value(samples, s, weights) / scale) - f64::from(s.target);
    let phase = f64::from(s.phase);
    let each = error * f64::from(s.scale) / scale;
    for &(i, count) in &samples.terms[s.first..s.first + s.terms] {
        let g = &mut gradient[usize::from(i)];
        g[0] += each * f64::from(count) * phase;
        g[1] += each * f64::from(count) * (1.0 - phase);
    }
}

/// The mean cross entropy, in nats a position.
pub fn loss(samples: &Samples, weights: &Pairs, scale: f64, held_out: bool) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for s in samples.all.iter().filter(|s| s.held_out == held_out) {
        let p = logistic(value(samples, s, weights) / scale).clamp(1e-9, 1.0 - 1e-9);
        let t = f64::from(s.target);
        sum -= t * p.ln() + (1.0 - t) * (1.0 - p).ln();
        count += 1.0;
    }
    sum / f64::max(count, 1.0)
}

/// The scale at which the weights as they are fit best, by golden sections.
fn best_scale(samples: &Samples, weights: &Pairs) -> f64 {
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (60.0, 1200.0);
    while high - low > 1.0 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(samples, weights, a, true) < loss(samples, weights, b, true) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

/// The moments of the gradient.
struct Adam {
    mean: Pairs,
    square: Pairs,
    steps: i32,
}

impl Adam {
    fn new(size: usize) -> Adam {
        Adam { mean: vec![[0.0; 2]; size], square: vec![[0.0; 2]; size], steps: 0 }
    }

    fn step(&mut self, weights: &mut Pairs, gradient: &[[f64; 2]], step: f64) {
        const KEEP: (f64, f64) = (0.9, 0.999);
        self.steps += 1;
        let unbias = (1.0 - KEEP.0.powi(self.steps), 1.0 - KEEP.1.powi(self.steps));
        for (i, g) in gradient.iter().enumerate() {
            for half in 0..2 {
                let mean = &mut self.mean[i][half];
                let square = &mut self.square[i][half];
                *mean = KEEP.0 * *mean + (1.0 - KEEP.0) * g[half];
                *square = KEEP.1 * *square + (1.0 - KEEP.1) * g[half] * g[half];
                let root = (*square / unbias.1).sqrt() + 1e-8;
                weights[i][half] -= step * (*mean / unbias.0) / root;
            }
        }
    }
}
