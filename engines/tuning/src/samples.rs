//! Samples: positions as sparse rows of features, each with the result to predict.
//!
//! The model is a tapered evaluation. Each term has a weight at every knot of the game phase, and
//! each position lies between two knots:
//!
//! `value = sum of count * ((1 - share) * weight[knot][term] + share * weight[knot + 1][term])`
//!
//! The predicted result is the logistic function of the value. Weights are stored in one list: by
//! knot, then by term.

/// A position without its terms.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The knot before the position's phase; at most the last but one.
    pub knot: u16,
    /// Where the phase lies between this knot and the next, 0 to 1.
    pub share: f64,
    /// The result to predict, 0 to 1.
    pub target: f32,
    /// Held out: the sample measures the loss but is not fitted.
    pub held_out: bool,
}

/// A sample and the range of its terms.
#[derive(Clone, Copy, Debug)]
struct SampleRow {
    sample: Sample,
    first: usize,
    terms: u16,
}

/// Samples of one model.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    terms: usize,
    knots: usize,
    rows: Vec<SampleRow>,
    indices: Vec<u16>,
    counts: Vec<f32>,
}

impl Samples {
    /// An empty set for a model with this number of terms (at most 65,536) and knots.
    pub fn new(terms: usize, knots: usize) -> Samples {
        Samples { terms, knots, ..Samples::default() }
    }

    /// Adds a sample. Counts of the same term are summed; terms whose sum is 0 are dropped.
    pub fn push(&mut self, sample: Sample, terms: impl IntoIterator<Item = (usize, f32)>) {
        let first = self.indices.len();
        for (term, count) in terms {
            let term = term as u16;
            match self.indices[first..].iter().position(|&other| other == term) {
                Some(i) => self.counts[first + i] += count,
                None => {
                    self.indices.push(term);
                    self.counts.push(count);
                }
            }
        }
        let mut kept = first;
        for i in first..self.indices.len() {
            if self.counts[i] != 0.0 {
                (self.indices[kept], self.counts[kept]) = (self.indices[i], self.counts[i]);
                kept += 1;
            }
        }
        self.indices.truncate(kept);
        self.counts.truncate(kept);
        self.rows.push(SampleRow { sample, first, terms: (kept - first) as u16 });
    }

    /// The same samples without this term.
    #[must_use]
    pub fn without(&self, term: usize) -> Samples {
        let mut less = self.clone();
        for (&index, count) in less.indices.iter().zip(&mut less.counts) {
            if usize::from(index) == term {
                *count = 0.0;
            }
        }
        less
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of held-out samples.
    pub fn held_out(&self) -> usize {
        self.rows.iter().filter(|row| row.sample.held_out).count()
    }

    /// The number of terms.
    pub fn terms(&self) -> usize {
        self.terms
    }

    /// The number of weights.
    pub fn weights(&self) -> usize {
        self.terms * self.knots
    }

    /// Indices of the training samples.
    pub(crate) fn training(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&i| !self.rows[i].sample.held_out)
    }

    pub(crate) fn sample(&self, i: usize) -> &Sample {
        &self.rows[i].sample
    }

    /// The terms of a sample: the index of the weight before its phase, and the count. The weight
    /// after its phase is at that index plus [`Samples::terms`].
    pub(crate) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let SampleRow { sample, first, terms } = self.rows[i];
        let range = first..first + usize::from(terms);
        let base = usize::from(sample.knot) * self.terms;
        let indices = self.indices[range.clone()].iter();
        indices
            .zip(&self.counts[range])
            .map(move |(&index, &count)| (base + usize::from(index), f64::from(count)))
    }

    /// The value of a sample with these weights.
    pub fn value(&self, i: usize, weights: &[f64]) -> f64 {
        let share = self.sample(i).share;
        let next = |index: usize| weights.get(index + self.terms).copied().unwrap_or(0.0);
        self.row(i)
            .map(|(index, count)| count * (next(index) * share + weights[index] * (1.0 - share)))
            .sum()
    }

    /// The mean cross entropy of the held-out or of the training samples, in nats per sample.
    /// `unit`: the value at which the odds of winning are e to 1.
    pub fn loss(&self, weights: &[f64], unit: f64, held_out: bool) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for i in (0..self.len()).filter(|&i| self.sample(i).held_out == held_out) {
            let p = logistic(self.value(i, weights) / unit).clamp(1e-9, 1.0 - 1e-9);
            let target = f64::from(self.sample(i).target);
            sum -= target * libm::log(p) + (1.0 - target) * libm::log(1.0 - p);
            count += 1.0;
        }
        sum / f64::max(count, 1.0)
    }
}

/// The logistic function: the probability of winning at log odds `x`.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_interpolated_between_the_knots_around_it() {
        let mut samples = Samples::new(2, 3);
        let sample = Sample { knot: 1, share: 0.25, target: 1.0, held_out: false };
        samples.push(sample, [(0, 3.0), (1, 1.0), (1, -1.0)]);
        let weights = [9.0, 9.0, 4.0, 9.0, 8.0, 9.0];
        assert_eq!(samples.row(0).collect::<Vec<_>>(), [(2, 3.0)]);
        assert_eq!(samples.value(0, &weights), 3.0 * 5.0);
        assert_eq!(samples.without(0).value(0, &weights), 0.0);
    }
}
