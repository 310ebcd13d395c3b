//! The quantised network and its inference. Plain loops over arrays of a constant size, which the
//! compiler vectorises.

use agon_games::rng::{Stream, below};

/// The largest activation of a hidden unit, which stands for 1.
pub const ACTIVATION_ONE: i16 = 255;
/// The output weight that stands for 1.
pub const OUTPUT_ONE: i16 = 64;
/// Output weights lie between plus and minus this, so that a weight times an activation fits in 16
/// bits.
pub const OUTPUT_LIMIT: i16 = 127;

/// The outputs of [`Network::linear`] lie between plus and minus half of this.
const LINEAR_RANGE: f64 = 32.0;

/// A network with `H` hidden units for each view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const H: usize> {
    /// The weights of each feature, in units of 1 / [`ACTIVATION_ONE`].
    pub(crate) features: Vec<[i16; H]>,
    /// The bias of the hidden units, in the same units.
    pub(crate) bias: [i16; H],
    /// By bucket: the output weights of the side to move and of the opponent, in units of 1 /
    /// [`OUTPUT_ONE`], and the output's bias, in units of 1 / ([`ACTIVATION_ONE`] *
    /// [`OUTPUT_ONE`]).
    pub(crate) outputs: Vec<Output<H>>,
    /// The same for each row of the policy; none in a network without one.
    pub(crate) policy: Vec<Output<H>>,
}

/// The weights of an output for the views of the side to move and of the opponent, and its bias.
pub(crate) type Output<const H: usize> = ([[i16; H]; 2], i32);

/// The hidden units of one view before the activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator<const H: usize>([i16; H]);

impl<const H: usize> Default for Accumulator<H> {
    fn default() -> Accumulator<H> {
        Accumulator([0; H])
    }
}

impl<const H: usize> Network<H> {
    /// The network whose output is the sum of the features' values, in logits: positive for own
    /// pieces and negative for those of the opponent, such that both views of a position have
    /// opposite sums. Precise to about a 16th of a 500th of [`LINEAR_RANGE`] for each feature.
    pub fn linear(features: usize, buckets: usize, value: impl Fn(usize) -> f64) -> Network<H> {
        // With a bias of one half, a unit x has (0.5 + x)^2 in one view and (0.5 - x)^2 in the
        // other; the difference is 2x.
        let unit = f64::from(ACTIVATION_ONE);
        let spread = |i: usize| i as f64 / H as f64;
        let row = |feature: usize| {
            let exact = value(feature) / LINEAR_RANGE * unit;
            std::array::from_fn(|i| (exact + spread(i)).floor() as i16)
        };
        let weight = (LINEAR_RANGE * f64::from(OUTPUT_ONE) / (2 * H) as f64).round() as i16;
        Network {
            features: (0..features).map(row).collect(),
            bias: [ACTIVATION_ONE / 2; H],
            outputs: vec![([[weight; H], [-weight; H]], 0); buckets],
            policy: Vec::new(),
        }
    }

    /// The network with this number of rows of a policy that gives all moves the same probability.
    #[must_use]
    pub fn with_policy(self, rows: usize) -> Network<H> {
        Network { policy: vec![([[0; H]; 2], 0); rows], ..self }
    }

    /// A network with random weights, for tests; `limit`: the largest weight of a hidden unit.
    pub fn random(size: [usize; 3], limit: i16, rng: &mut Stream) -> Network<H> {
        let mut draw = |limit: i16| below(rng, 2 * limit as u64 + 1) as i16 - limit;
        let [features, buckets, policy] = size;
        let mut row = |limit: i16| std::array::from_fn(|_| draw(limit));
        let features = (0..features).map(|_| row(limit)).collect();
        let bias = row(limit);
        let mut outputs: Vec<Output<H>> = (0..buckets + policy)
            .map(|bias| ([row(OUTPUT_LIMIT), row(OUTPUT_LIMIT)], 1000 * bias as i32))
            .collect();
        let policy = outputs.split_off(buckets);
        Network { features, bias, outputs, policy }
    }

    /// The number of features, of output buckets and of rows of the policy.
    pub fn size(&self) -> [usize; 3] {
        [self.features.len(), self.outputs.len(), self.policy.len()]
    }

    /// The accumulator of a view with these features.
    ///
    /// # Panics
    /// A feature is not less than the number of features.
    pub fn refresh(&self, features: impl IntoIterator<Item = usize>) -> Accumulator<H> {
        let mut sum = self.bias;
        for feature in features {
            add(&mut sum, &self.features[feature]);
        }
        Accumulator(sum)
    }

    /// Adds a feature to an accumulator.
    ///
    /// # Panics
    /// There is no such feature.
    #[inline]
    pub fn add(&self, accumulator: &mut Accumulator<H>, feature: usize) {
        add(&mut accumulator.0, &self.features[feature]);
    }

    /// Removes a feature from an accumulator that has it.
    ///
    /// # Panics
    /// There is no such feature.
    #[inline]
    pub fn remove(&self, accumulator: &mut Accumulator<H>, feature: usize) {
        let row = &self.features[feature];
        (0..H).for_each(|i| accumulator.0[i] = accumulator.0[i].wrapping_sub(row[i]));
    }

    /// The accumulator after a move that turns feature `removed` into `added` and, if it captures,
    /// also removes `captured`.
    ///
    /// # Panics
    /// A feature is not less than the number of features.
    #[inline]
    pub fn update(
        &self,
        before: &Accumulator<H>,
        removed: usize,
        added: usize,
        captured: Option<usize>,
    ) -> Accumulator<H> {
        let (minus, plus) = (&self.features[removed], &self.features[added]);
        let mut sum = before.0;
        match captured.map(|feature| &self.features[feature]) {
            Some(taken) => {
                for i in 0..H {
                    sum[i] = sum[i].wrapping_sub(minus[i]).wrapping_add(plus[i]);
                    sum[i] = sum[i].wrapping_sub(taken[i]);
                }
            }
            None => {
                for i in 0..H {
                    sum[i] = sum[i].wrapping_sub(minus[i]).wrapping_add(plus[i]);
                }
            }
        }
        Accumulator(sum)
    }

    /// The output for the side to move, in units of 1 / `unit` of the training's logit. `views`:
    /// that of the side to move first.
    ///
    /// # Panics
    /// There is no such bucket.
    #[inline]
    pub fn output(&self, views: [&Accumulator<H>; 2], bucket: usize, unit: i32) -> i32 {
        output(views.map(|view| &view.0), &self.outputs[bucket], unit)
    }

    /// The logits of some rows of the policy, such as those of the legal moves, in units of 1 / `unit`. `views`: that
    /// of the side to move first.
    ///
    /// # Panics
    /// There is no such row.
    #[inline]
    pub fn policy(
        &self,
        views: [&Accumulator<H>; 2],
        rows: impl Iterator<Item = usize>,
        unit: i32,
    ) -> impl Iterator<Item = i32> {
        let clipped = views.map(|view| view.0.map(|unit| unit.clamp(0, ACTIVATION_ONE)));
        rows.map(move |row| output(clipped.each_ref(), &self.policy[row], unit))
    }
}

/// An output in units of 1 / `unit`, from the units of both views before or after clipping.
#[inline]
fn output<const H: usize>(views: [&[i16; H]; 2], (weights, bias): &Output<H>, unit: i32) -> i32 {
    // The sum of both views fits in 32 bits.
    const { assert!(2 * H as u64 * 255 * 255 * 127 <= i32::MAX as u64) };
    let sum = dot(views[0], &weights[0]) + dot(views[1], &weights[1]);
    let one = i32::from(ACTIVATION_ONE) * i32::from(OUTPUT_ONE);
    let logit = i64::from(sum / i32::from(ACTIVATION_ONE) + bias);
    (logit * i64::from(unit) / i64::from(one)) as i32
}

#[inline]
fn add<const H: usize>(sum: &mut [i16; H], row: &[i16; H]) {
    for i in 0..H {
        sum[i] = sum[i].wrapping_add(row[i]);
    }
}

/// The sum of the squared clipped ReLUs times the weights.
#[inline]
fn dot<const H: usize>(units: &[i16; H], weights: &[i16; H]) -> i32 {
    let mut sum = 0;
    for i in 0..H {
        let active = units[i].clamp(0, ACTIVATION_ONE);
        // At most 255 * 127, which fits in 16 bits.
        sum += i32::from(active) * i32::from(active * weights[i]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::rng;

    /// A network with 40 features and 2 buckets.
    fn random() -> Network<16> {
        Network::random([40, 2, 3], 200, &mut rng::stream(1, 0, "network"))
    }

    #[test]
    fn an_updated_accumulator_is_one_computed_anew() {
        let network = random();
        let before = network.refresh([1, 5, 9, 22]);
        assert_eq!(network.update(&before, 5, 30, None), network.refresh([1, 9, 22, 30]));
        assert_eq!(network.update(&before, 5, 30, Some(22)), network.refresh([1, 9, 30]));
        let mut changed = before;
        network.add(&mut changed, 30);
        network.remove(&mut changed, 9);
        assert_eq!(changed, network.refresh([1, 5, 22, 30]));
    }

    #[test]
    fn the_output_is_the_sum_written_out() {
        let network = random();
        let views = [network.refresh([3, 8]), network.refresh([11, 39])];
        let written_out = |(weights, bias): &Output<16>| {
            let mut sum = 0;
            for (view, weights) in views.iter().zip(weights) {
                for (unit, weight) in view.0.iter().zip(weights) {
                    let active = i32::from(*unit).clamp(0, 255);
                    sum += active * active * i32::from(*weight);
                }
            }
            (sum / 255 + bias) * 100 / (255 * 64)
        };
        let expected = written_out(&network.outputs[1]);
        assert_eq!(network.output(views.each_ref(), 1, 100), expected);
        assert_ne!(expected, network.output(views.each_ref(), 0, 100));
        let policy: Vec<i32> = network.policy(views.each_ref(), [2, 0].into_iter(), 100).collect();
        assert_eq!(policy, [2, 0].map(|row| written_out(&network.policy[row])));
        assert_ne!(policy[0], policy[1]);
    }

    #[test]
    fn a_linear_network_adds_the_values() {
        let values = [0.0, 0.35, 3.5, -0.35, -1.7];
        let network = Network::<64>::linear(values.len(), 1, |feature| values[feature]);
        // The opponent sees the same pieces with the opposite values.
        let mirrored = [0, 3, 2, 1, 4];
        let opposite = |f: &usize| if [1, 3].contains(f) { mirrored[*f] } else { *f };
        let own = [1, 1, 1];
        let views = [network.refresh(own), network.refresh(own.iter().map(opposite))];
        let output = network.output(views.each_ref(), 0, 1000);
        assert!((output - 1050).abs() < 60, "{output}");
    }
}
