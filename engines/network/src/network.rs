//! The quantised network and its inference. Plain loops over arrays of a constant size, which the
//! compiler vectorises.

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
    pub(crate) outputs: Vec<([[i16; H]; 2], i32)>,
}

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
        }
    }

    /// The number of features and of output buckets.
    pub fn size(&self) -> (usize, usize) {
        (self.features.len(), self.outputs.len())
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
        let (weights, bias) = &self.outputs[bucket];
        let sum = dot(&views[0].0, &weights[0]) + dot(&views[1].0, &weights[1]);
        let one = i32::from(ACTIVATION_ONE) * i32::from(OUTPUT_ONE);
        let logit = i64::from(sum / i32::from(ACTIVATION_ONE) + bias);
        (logit * i64::from(unit) / i64::from(one)) as i32
    }
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
        let mut rng = rng::stream(1, 0, "network");
        let mut draw = |limit: u64| rng::below(&mut rng, 2 * limit + 1) as i16 - limit as i16;
        let mut row = |limit: u64| std::array::from_fn(|_| draw(limit));
        Network {
            features: (0..40).map(|_| row(200)).collect(),
            bias: row(200),
            outputs: (0..2).map(|bucket| ([row(127), row(127)], 50 * bucket)).collect(),
        }
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
        let mut sum = 0;
        for (view, weights) in views.iter().zip(&network.outputs[1].0) {
            for (unit, weight) in view.0.iter().zip(weights) {
                let active = i32::from(*unit).clamp(0, 255);
                sum += active * active * i32::from(*weight);
            }
        }
        let expected = (sum / 255 + 50) * 100 / (255 * 64);
        assert_eq!(network.output(views.each_ref(), 1, 100), expected);
        assert_ne!(expected, network.output(views.each_ref(), 0, 100));
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
