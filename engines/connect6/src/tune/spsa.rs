//! Simultaneous perturbation stochastic approximation (Spall, *Multivariate stochastic approximation
//! using a simultaneous perturbation gradient approximation*, 1992): every step moves all numbers at
//! once by a random sign either way, asks which of the two is better, and goes a little that way.
//! The gains fall as Spall recommends for practice (1998): steps by the power 0.602, perturbations
//! by 0.101. The answer is the mean of the second half of the way (Polyak and Ruppert's averaging).

use agon_protocol::rng;
use rand_core::Rng;
use serde::{Deserialize, Serialize};

/// A number to be tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knob {
    /// Where it begins.
    pub start: i32,
    /// The perturbation of the last step.
    pub step: i32,
    /// The least value.
    pub least: i32,
    /// The greatest.
    pub most: i32,
}

/// How far and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Names the perturbations.
    pub seed: u64,
    /// Steps in all.
    pub steps: u64,
    /// What the last step moves a number by for a point of result, in its perturbations.
    pub rate: f64,
}

/// The powers by which steps and perturbations fall.
const STEP_POWER: f64 = 0.602;
const PERTURBATION_POWER: f64 = 0.101;
/// Spall's A, which holds back the first steps, in shares of all steps.
const HELD_BACK: f64 = 0.1;
/// Parts of a unit in which numbers are kept: whole ones, so that a file gives back what it was given.
pub const PARTS: i64 = 1_000_000;

/// How far it is: all that the next step depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Steps made.
    pub done: u64,
    /// The numbers, in millionths.
    pub at: Vec<i64>,
    /// Their sums after each step of the second half.
    pub sums: Vec<i64>,
    /// Results so far, from worst for the perturbation added to best.
    pub results: [u64; 5],
}

impl State {
    /// The beginning.
    pub fn new(knobs: &[Knob]) -> State {
        let at = knobs.iter().map(|k| i64::from(k.start) * PARTS).collect();
        State { done: 0, at, sums: vec![0; knobs.len()], results: [0; 5] }
    }

    /// Whether it can be a state of this plan.
    pub fn fits(&self, knobs: &[Knob], plan: &Plan) -> bool {
        let inside = |(at, k): (&i64, &Knob)| {
            (i64::from(k.least) * PARTS..=i64::from(k.most) * PARTS).contains(at)
        };
        let results: u128 = self.results.iter().map(|n| u128::from(*n)).sum();
        let summed = i128::from(self.done.saturating_sub(plan.steps.div_ceil(2)));
        let of_such = |(sum, k): (&i64, &Knob)| {
            let part = summed * i128::from(PARTS);
            (i128::from(k.least) * part..=i128::from(k.most) * part).contains(&i128::from(*sum))
        };
        self.at.len() == knobs.len()
            && self.sums.len() == knobs.len()
            && self.done <= plan.steps
            && results == u128::from(self.done)
            && self.at.iter().zip(knobs).all(inside)
            && self.sums.iter().zip(knobs).all(of_such)
    }

    /// Makes the next step: `play` gets its number and the two sets of numbers to compare, and says
    /// how much better the first one did, from -2 to 2.
    ///
    /// # Errors
    /// What `play` says; the state is as before.
    pub fn advance<E>(
        &mut self,
        knobs: &[Knob],
        plan: &Plan,
        play: impl FnOnce(u64, [Vec<i32>; 2]) -> Result<i32, E>,
    ) -> Result<(), E> {
        let (k, n) = (self.done as f64, plan.steps as f64);
        let held_back = HELD_BACK * n;
        // Both are 1 in the last step.
        let wide = (n / (k + 1.0)).powf(PERTURBATION_POWER);
        let fast = ((held_back + n) / (held_back + k + 1.0)).powf(STEP_POWER);
        let mut stream = rng::stream(plan.seed, self.done, "spsa");
        let signs: Vec<f64> =
            knobs.iter().map(|_| if stream.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect();
        let side = |way: f64| {
            let numbers = self.at.iter().zip(knobs).zip(&signs).map(|((at, knob), sign)| {
                let moved = *at as f64 / PARTS as f64 + way * sign * wide * f64::from(knob.step);
                (moved.round() as i32).clamp(knob.least, knob.most)
            });
            numbers.collect()
        };
        let result = play(self.done, [side(1.0), side(-1.0)])?.clamp(-2, 2);
        let rate = plan.rate * fast / wide * f64::from(result);
        let last_half = 2 * self.done >= plan.steps;
        for (((at, sum), knob), sign) in
            self.at.iter_mut().zip(&mut self.sums).zip(knobs).zip(&signs)
        {
            let by = rate * sign * f64::from(knob.step) * PARTS as f64;
            let (least, most) = (i64::from(knob.least) * PARTS, i64::from(knob.most) * PARTS);
            *at = (*at + by.round() as i64).clamp(least, most);
            if last_half {
                *sum += *at;
            }
        }
        self.results[(result + 2) as usize] += 1;
        self.done += 1;
        Ok(())
    }

    /// The numbers now, and the mean of the second half of the way as far as it has been gone.
    pub fn numbers(&self, plan: &Plan) -> [Vec<i32>; 2] {
        let round = |parts: f64| (parts / PARTS as f64).round() as i32;
        let now: Vec<i32> = self.at.iter().map(|at| round(*at as f64)).collect();
        // Steps 2k >= n are summed.
        let summed = self.done.saturating_sub(plan.steps.div_ceil(2));
        let mean = match summed {
            0 => now.clone(),
            _ => self.sums.iter().map(|sum| round(*sum as f64 / summed as f64)).collect(),
        };
        [now, mean]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn knobs() -> Vec<Knob> {
        let knob = |start, step| Knob { start, step, least: -500, most: 500 };
        vec![knob(100, 10), knob(0, 20), knob(-200, 10), knob(40, 5)]
    }

    /// Games whose winner is drawn by lot, by how far either side is from the best numbers.
    fn toy(seed: u64, index: u64, [a, b]: [Vec<i32>; 2]) -> i32 {
        const BEST: [i32; 4] = [180, -120, -200, 10];
        let far = |numbers: &[i32]| -> f64 {
            let off = numbers.iter().zip(BEST).zip(knobs());
            off.map(|((n, best), k)| (f64::from(n - best) / f64::from(k.step)).powi(2)).sum()
        };
        let expected = 1.0 / (1.0 + ((far(&a) - far(&b)) / 20.0).exp());
        let mut stream = rng::stream(seed, index, "toy");
        (0..2).map(|_| if rng::unit(&mut stream) < expected { 1 } else { -1 }).sum()
    }

    fn run(plan: Plan, steps: u64, mut state: State) -> State {
        for _ in 0..steps {
            let seed = plan.seed;
            let played = state.advance(&knobs(), &plan, |index, sides| {
                Ok::<_, Infallible>(toy(seed, index, sides))
            });
            played.unwrap();
        }
        state
    }

    #[test]
    fn it_finds_the_best_numbers_of_noisy_games() {
        let mut worst = 0.0f64;
        for seed in 1..=5 {
            let plan = Plan { seed, steps: 4_000, rate: 0.02 };
            let [_, mean] = run(plan, plan.steps, State::new(&knobs())).numbers(&plan);
            let off = mean.iter().zip([180, -120, -200, 10]).zip(knobs());
            let far: f64 =
                off.map(|((n, b), k)| (f64::from(n - b) / f64::from(k.step)).powi(2)).sum();
            worst = worst.max(far);
        }
        // At the beginning: 8, 6, 0 and 6 perturbations off.
        assert!(worst < 8.0, "{worst} of 136");
    }

    #[test]
    fn games_without_a_difference_leave_the_numbers_where_they_are() {
        let plan = Plan { seed: 1, steps: 200, rate: 0.02 };
        let mut state = State::new(&knobs());
        for _ in 0..plan.steps {
            state.advance(&knobs(), &plan, |_, _| Ok::<_, Infallible>(0)).unwrap();
        }
        let start: Vec<i32> = knobs().iter().map(|k| k.start).collect();
        assert_eq!(state.numbers(&plan), [start.clone(), start]);
        assert_eq!(state.results, [0, 0, 200, 0, 0]);
    }

    #[test]
    fn a_run_that_was_broken_off_and_written_down_ends_like_one_that_was_not() {
        let plan = Plan { seed: 3, steps: 300, rate: 0.02 };
        let whole = run(plan, 300, State::new(&knobs()));
        let half = run(plan, 140, State::new(&knobs()));
        let text = serde_json::to_string(&half).unwrap();
        let half: State = serde_json::from_str(&text).unwrap();
        assert!(half.fits(&knobs(), &plan));
        assert_eq!(run(plan, 160, half), whole);
    }
}
