//! Simultaneous perturbation stochastic approximation (Spall, *Multivariate stochastic
//! approximation using a simultaneous perturbation gradient approximation*, 1992). Each iteration
//! perturbs all parameters at once, each up or down at random, compares the two sides, and takes a
//! small step towards the better one. The gain sequences decay as Spall recommends for practice
//! (1998): steps with exponent 0.602, perturbations with 0.101. The result is the mean of the
//! iterates of the second half (Polyak-Ruppert averaging).

use agon_games::rng;
use rand_core::Rng;
use serde::{Deserialize, Serialize};

/// A parameter to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in output and files.
    pub name: String,
    /// Its start value.
    pub start: i32,
    /// Its perturbation in the last iteration; 0: it is not tuned.
    pub step: i32,
    /// Its minimum.
    pub min: i32,
    /// Its maximum.
    pub max: i32,
}

/// Length, seed and step size of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpsaPlan {
    /// The seed of the perturbations.
    pub seed: u64,
    /// The total number of iterations.
    pub iterations: u64,
    /// Step of the last iteration per point of result, in perturbations.
    pub rate: f64,
}

/// The exponents by which steps and perturbations decay.
const STEP_POWER: f64 = 0.602;
const PERTURBATION_POWER: f64 = 0.101;
/// Spall's stability constant A, which damps the first steps, as a share of all iterations.
const HELD_BACK: f64 = 0.1;
/// Values are stored in whole millionths, so that a file restores exactly what was written.
const MILLION: i64 = 1_000_000;

/// Everything that the next iteration depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpsaState {
    /// Finished iterations.
    pub done: u64,
    /// The values, in millionths.
    pub at: Vec<i64>,
    /// The sums of the values after each iteration of the second half.
    pub sums: Vec<i64>,
    /// Counts of results, from worst to best for the side with the perturbation added.
    pub results: [u64; 5],
}

impl SpsaState {
    /// The initial state.
    pub fn new(parameters: &[Parameter]) -> SpsaState {
        let at = parameters.iter().map(|p| i64::from(p.start) * MILLION).collect();
        SpsaState { done: 0, at, sums: vec![0; parameters.len()], results: [0; 5] }
    }

    /// Whether this is a valid state of the plan.
    pub fn is_consistent(&self, parameters: &[Parameter], plan: &SpsaPlan) -> bool {
        let results: u128 = self.results.iter().map(|n| u128::from(*n)).sum();
        let within = |values: &[i64], times: u64| {
            let unit = i128::from(times) * i128::from(MILLION);
            values.len() == parameters.len()
                && values.iter().zip(parameters).all(|(&value, p)| {
                    (i128::from(p.min) * unit..=i128::from(p.max) * unit)
                        .contains(&i128::from(value))
                })
        };
        self.done <= plan.iterations
            && results == u128::from(self.done)
            && within(&self.at, 1)
            && within(&self.sums, self.summed(plan))
    }

    /// The number of iterations in the sums.
    fn summed(&self, plan: &SpsaPlan) -> u64 {
        self.done.saturating_sub(plan.iterations.div_ceil(2))
    }

    /// Runs the next iteration. `play` gets its number and the two sets of values to compare, and
    /// returns the result for the first set, from -2 to 2.
    ///
    /// # Errors
    /// An error of `play`; the state is then unchanged.
    pub fn advance<E>(
        &mut self,
        parameters: &[Parameter],
        plan: &SpsaPlan,
        play: impl FnOnce(u64, [Vec<i32>; 2]) -> Result<i32, E>,
    ) -> Result<(), E> {
        let (k, n) = (self.done as f64, plan.iterations as f64);
        let held_back = HELD_BACK * n;
        // Both are 1 in the last iteration.
        let perturbation = libm::pow(n / (k + 1.0), PERTURBATION_POWER);
        let step = libm::pow((held_back + n) / (held_back + k + 1.0), STEP_POWER);
        let mut stream = rng::stream(plan.seed, self.done, "spsa");
        let signs: Vec<f64> = parameters
            .iter()
            .map(|_| if stream.next_u64() >> 63 == 0 { 1.0 } else { -1.0 })
            .collect();
        let side = |way: f64| {
            let values = self.at.iter().zip(parameters).zip(&signs).map(|((at, p), sign)| {
                let moved =
                    *at as f64 / MILLION as f64 + way * sign * perturbation * f64::from(p.step);
                (moved.round() as i32).clamp(p.min, p.max)
            });
            values.collect()
        };
        let result = play(self.done, [side(1.0), side(-1.0)])?.clamp(-2, 2);
        let rate = plan.rate * step / perturbation * f64::from(result);
        let second_half = 2 * self.done >= plan.iterations;
        for (i, (p, sign)) in parameters.iter().zip(&signs).enumerate() {
            let by = (rate * sign * f64::from(p.step) * MILLION as f64).round() as i64;
            let (min, max) = (i64::from(p.min) * MILLION, i64::from(p.max) * MILLION);
            self.at[i] = (self.at[i] + by).clamp(min, max);
            if second_half {
                self.sums[i] += self.at[i];
            }
        }
        self.results[(result + 2) as usize] += 1;
        self.done += 1;
        Ok(())
    }

    /// The current values, and the mean over the second half so far.
    pub fn values(&self, plan: &SpsaPlan) -> [Vec<i32>; 2] {
        let round = |parts: f64| (parts / MILLION as f64).round() as i32;
        let now: Vec<i32> = self.at.iter().map(|at| round(*at as f64)).collect();
        let mean = match self.summed(plan) {
            0 => now.clone(),
            n => self.sums.iter().map(|sum| round(*sum as f64 / n as f64)).collect(),
        };
        [now, mean]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn parameters() -> Vec<Parameter> {
        let parameter =
            |start, step| Parameter { name: String::new(), start, step, min: -500, max: 500 };
        vec![parameter(100, 10), parameter(0, 20), parameter(-200, 10), parameter(40, 5)]
    }

    /// The squared distance from the best values, in perturbations.
    fn distance(values: &[i32]) -> f64 {
        const BEST: [i32; 4] = [180, -120, -200, 10];
        let off = values.iter().zip(BEST).zip(parameters());
        off.map(|((n, best), p)| (f64::from(n - best) / f64::from(p.step)).powi(2)).sum()
    }

    /// Games with a random winner, weighted by either side's distance from the best values.
    fn toy(seed: u64, index: u64, [a, b]: [Vec<i32>; 2]) -> i32 {
        let expected = 1.0 / (1.0 + libm::exp((distance(&a) - distance(&b)) / 20.0));
        let mut stream = rng::stream(seed, index, "toy");
        (0..2).map(|_| if rng::unit(&mut stream) < expected { 1 } else { -1 }).sum()
    }

    fn run(plan: SpsaPlan, iterations: u64, mut state: SpsaState) -> SpsaState {
        for _ in 0..iterations {
            let play = |index, sides| Ok::<_, Infallible>(toy(plan.seed, index, sides));
            state.advance(&parameters(), &plan, play).unwrap();
        }
        state
    }

    #[test]
    fn it_finds_the_best_values_of_noisy_games() {
        let mut worst = 0.0f64;
        for seed in 1..=5 {
            let plan = SpsaPlan { seed, iterations: 4_000, rate: 0.02 };
            let [_, mean] = run(plan, plan.iterations, SpsaState::new(&parameters())).values(&plan);
            worst = worst.max(distance(&mean));
        }
        // Initially 8, 6, 0 and 6 perturbations off.
        assert!(worst < 8.0, "{worst} of 136");
    }

    #[test]
    fn games_without_a_difference_leave_the_values_where_they_are() {
        let plan = SpsaPlan { seed: 1, iterations: 200, rate: 0.02 };
        let mut state = SpsaState::new(&parameters());
        for _ in 0..plan.iterations {
            state.advance(&parameters(), &plan, |_, _| Ok::<_, Infallible>(0)).unwrap();
        }
        let start: Vec<i32> = parameters().iter().map(|p| p.start).collect();
        assert_eq!(state.values(&plan), [start.clone(), start]);
        assert_eq!(state.results, [0, 0, 200, 0, 0]);
    }

    #[test]
    fn a_run_that_was_interrupted_and_written_down_ends_like_one_that_was_not() {
        let plan = SpsaPlan { seed: 3, iterations: 300, rate: 0.02 };
        let whole = run(plan, 300, SpsaState::new(&parameters()));
        let half = run(plan, 140, SpsaState::new(&parameters()));
        let text = serde_json::to_string(&half).unwrap();
        let half: SpsaState = serde_json::from_str(&text).unwrap();
        assert!(half.is_consistent(&parameters(), &plan));
        assert_eq!(run(plan, 160, half), whole);
    }
}
