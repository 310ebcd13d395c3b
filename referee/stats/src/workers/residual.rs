//! Whether the results of a worker differ from the others': a chi-square for each, and how often equal workers would
//! have one as great, counted by exchanging results among them.
//!
//! The chi-square of a worker is that of the 2 x 5 table of its results and the others', taken within openings and added
//! up (Mantel and Haenszel, generalised by Landis, Heyman and Koch 1978; with one opening it is Pearson's times
//! (N-1)/N). Neighbouring results are pooled until at least one of each is expected on both sides (Cochran 1954). The
//! probability does not rely on that approximation: it is the share of random exchanges of the results in which the most
//! unusual of all chi-squares is at least as unusual (Westfall and Young 1993), so it is corrected for the number of
//! workers. The exchanges end early where the answer is clear (Besag and Clifford 1991).

use super::design::{Counts, Design, Sample, sum};
use crate::numerics::normal_cdf;
use agon_games::rng::{Stream, stream};
use nalgebra::DMatrix;
use std::f64::consts::PI;

/// The probability that any of equal workers is said to differ.
pub const FALSE_ALARMS: f64 = 0.05;

/// Maximum number of exchanges.
const EXCHANGES: u32 = 1999;
/// Minimum number of exchanges where one is costly, and the cost of all of them, in units.
const FEWEST: u32 = 999;
const EFFORT: usize = 20_000_000;
/// A probability is known well enough after this many exchanges that are as unusual.
const ENOUGH: u32 = 50;

/// How unusual the results of a worker are, or those of all together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Residual {
    /// The chi-square.
    pub chi_square: f64,
    /// Its degrees of freedom; for all workers together perhaps no whole number.
    pub degrees: f64,
    /// The probability that any of equal workers, or all together, are as unusual.
    pub p: f64,
}

/// What the results of all workers tell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// By worker; `None`: it has too few results.
    pub residuals: Vec<Option<Residual>>,
    /// The workers that differ, most unusual first. Each was left out before the next was looked for.
    pub differ: Vec<usize>,
    /// Two workers that differ from each other, though nothing tells which of them from the rest.
    pub undecided: Option<[usize; 2]>,
    /// All workers together.
    pub together: Option<Residual>,
    /// Those that do not differ, together, if any does.
    pub rest: Option<Residual>,
}

/// Compares the workers with numbers below `workers`. The result depends only on the samples.
pub fn findings(samples: &[Sample], workers: usize) -> Findings {
    let mut found = Findings { residuals: vec![None; workers], ..Findings::default() };
    let mut without: Vec<usize> = Vec::new();
    loop {
        let round = Round::of(samples, workers, &without);
        for (kept, new) in found.residuals.iter_mut().zip(&round.residuals) {
            *kept = new.or(*kept);
        }
        if without.is_empty() {
            found.together = round.together;
        } else {
            found.rest = round.together;
        }
        let [Some(most), next] = round.unusual() else { return found };
        if let Some(next) = next {
            // Each of two workers differs from a rest that is mostly the other one.
            let rest = [without.as_slice(), &[next]].concat();
            if Round::of(samples, workers, &rest).unusual()[0].is_none() {
                found.undecided = Some([most.min(next), most.max(next)]);
                return found;
            }
        }
        found.differ.push(most);
        without.push(most);
    }
}

/// A comparison of some of the workers.
struct Round {
    residuals: Vec<Option<Residual>>,
    scores: Vec<f64>,
    together: Option<Residual>,
}

impl Round {
    /// Compares all workers but some.
    fn of(samples: &[Sample], workers: usize, without: &[usize]) -> Round {
        let kept = samples.iter().filter(|sample| !without.contains(&sample.worker));
        let mut design = Design::new(kept.copied().collect(), workers);
        let number = without.len() as u64;
        test(&mut design, workers, &mut stream(1, number, "workers"))
    }

    /// The two most unusual workers among those that differ.
    fn unusual(&self) -> [Option<usize>; 2] {
        let differs = |i: &usize| self.residuals[*i].is_some_and(|r| r.p <= FALSE_ALARMS);
        let mut all: Vec<usize> = (0..self.residuals.len()).filter(differs).collect();
        all.sort_by(|&a, &b| self.scores[b].total_cmp(&self.scores[a]));
        [all.first().copied(), all.get(1).copied()]
    }
}

/// How the departures of one worker become its chi-square.
struct Scale {
    /// The chi-square is the sum of the squares of these rows times the departures.
    rows: Vec<Counts>,
    /// The share of the others in all results.
    others: f64,
}

impl Scale {
    fn chi_square(&self, departures: &Counts) -> f64 {
        let row = |row: &Counts| row.iter().zip(departures).map(|(a, b)| a * b).sum::<f64>();
        self.rows.iter().map(|r| row(r).powi(2)).sum()
    }

    fn degrees(&self) -> f64 {
        self.rows.len() as f64
    }
}

/// The chi-squares of all workers and, last, of all together, each with its degrees of freedom.
fn chi_squares(scales: &[Scale], departures: &[Counts], all: &mut Vec<(f64, f64)>) {
    all.clear();
    let mut together = (0.0, 0.0);
    for (scale, departures) in scales.iter().zip(departures) {
        let (chi_square, degrees) = (scale.chi_square(departures), scale.degrees());
        all.push((chi_square, degrees));
        together.0 += scale.others * chi_square;
        together.1 += scale.others * degrees;
    }
    all.push(together);
}

fn test(design: &mut Design, workers: usize, random: &mut Stream) -> Round {
    let scales = scales(design);
    let mut departures = vec![Counts::default(); workers];
    let mut all = Vec::new();
    design.departures(&mut departures);
    chi_squares(&scales, &departures, &mut all);
    let observed = all.clone();
    let scores: Vec<f64> = observed.iter().map(|&(x, degrees)| score(x, degrees)).collect();
    // Equal tables differ by rounding errors.
    let bounds: Vec<f64> = scores.iter().map(|s| s - 1e-9 * s.abs().max(1.0)).collect();
    let mut counts: Vec<Exceedances> = vec![Exceedances::default(); scores.len()];
    let affordable = u32::try_from(EFFORT / design.units().max(1)).unwrap_or(EXCHANGES);
    for drawn in 1..=affordable.clamp(FEWEST, EXCHANGES) {
        if (observed.iter().zip(&counts)).all(|(o, c)| o.1 == 0.0 || c.p.is_some()) {
            break;
        }
        design.exchange(random);
        design.departures(&mut departures);
        chi_squares(&scales, &departures, &mut all);
        let tested = all.iter().filter(|(_, degrees)| *degrees > 0.0);
        let most = tested.map(|&(x, degrees)| score(x, degrees)).fold(f64::NEG_INFINITY, f64::max);
        counts.iter_mut().zip(&bounds).for_each(|(count, bound)| count.see(most >= *bound, drawn));
    }
    let of = |((chi_square, degrees), count): (&(f64, f64), &Exceedances)| {
        let (chi_square, degrees, p) = (*chi_square, *degrees, count.probability());
        (degrees > 0.0).then_some(Residual { chi_square, degrees, p })
    };
    let mut residuals: Vec<Option<Residual>> = observed.iter().zip(&counts).map(of).collect();
    let together = residuals.pop().flatten();
    Round { residuals, scores, together }
}

/// How many exchanges were as unusual as what was observed.
#[derive(Clone, Copy, Default)]
struct Exceedances {
    drawn: u32,
    exceeded: u32,
    /// Known once there are enough.
    p: Option<f64>,
}

impl Exceedances {
    fn see(&mut self, exceeds: bool, drawn: u32) {
        if self.p.is_some() {
            return;
        }
        self.drawn = drawn;
        self.exceeded += u32::from(exceeds);
        if self.exceeded == ENOUGH {
            self.p = Some(f64::from(ENOUGH) / f64::from(drawn));
        }
    }

    /// What was observed counts as one of the exchanges.
    fn probability(&self) -> f64 {
        self.p.unwrap_or(f64::from(self.exceeded + 1) / f64::from(self.drawn + 1))
    }
}

fn scales(design: &mut Design) -> Vec<Scale> {
    let expected = design.expected();
    let covariances = design.covariances();
    let mut sums = Counts::default();
    expected.iter().for_each(|e| (0..5).for_each(|i| sums[i] += e[i]));
    let total = sum(&sums).max(1.0);
    let scale = |(mine, covariance): (&Counts, &[Counts; 5])| {
        let fewer = std::array::from_fn(|i| mine[i].min(sums[i] - mine[i]));
        Scale { rows: rows(covariance, pooled(fewer)), others: 1.0 - sum(mine) / total }
    };
    expected.iter().zip(&covariances).map(scale).collect()
}

/// The class of each result, so that at least one sample is expected in every class.
fn pooled(expected: Counts) -> [usize; 5] {
    // The first and the last result of each class, and what is expected.
    let mut classes: Vec<(usize, usize, f64)> =
        expected.iter().enumerate().map(|(i, &e)| (i, i, e)).collect();
    while classes.len() > 1 {
        let all = classes.iter().enumerate();
        let Some((least, &(first, last, e))) = all.min_by(|a, b| a.1.2.total_cmp(&b.1.2)) else {
            break;
        };
        if e >= 1.0 {
            break;
        }
        // The neighbour nearer to an equal pair.
        let up = match (first + last).cmp(&4) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal if least == 0 => true,
            std::cmp::Ordering::Equal => {
                let below = classes[least - 1].2;
                classes.get(least + 1).is_some_and(|above| above.2 < below)
            }
        };
        let low = if up { least } else { least - 1 };
        let upper = classes.remove(low + 1);
        let lower = &mut classes[low];
        (lower.1, lower.2) = (upper.1, lower.2 + upper.2);
    }
    std::array::from_fn(|i| classes.iter().take_while(|class| class.1 < i).count())
}

/// The rows of a [`Scale`] from the covariance of the results, which are pooled into classes: one row for each
/// direction in which the results can vary.
fn rows(covariance: &[Counts; 5], class: [usize; 5]) -> Vec<Counts> {
    let classes = class[4] + 1;
    let mut matrix = DMatrix::<f64>::zeros(classes, classes);
    for i in 0..5 {
        (0..5).for_each(|j| matrix[(class[i], class[j])] += covariance[i][j]);
    }
    let eigen = matrix.symmetric_eigen();
    let most = eigen.eigenvalues.max();
    let rows = eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter());
    let varies = rows.filter(|(value, _)| classes > 1 && **value > 1e-9 * most.max(1e-3));
    varies.map(|(value, vector)| std::array::from_fn(|i| vector[class[i]] / value.sqrt())).collect()
}

/// Minus the logarithm of the probability that a chi-square is at least `x`, by Wilson and Hilferty's
/// approximation: a common scale for chi-squares of any degrees of freedom.
fn score(x: f64, degrees: f64) -> f64 {
    if degrees == 0.0 {
        return 0.0;
    }
    let variance = 2.0 / (9.0 * degrees);
    let z = ((x.max(0.0) / degrees).cbrt() - 1.0 + variance) / variance.sqrt();
    if z < 30.0 { -normal_cdf(-z).ln() } else { 0.5 * z * z + (z * (2.0 * PI).sqrt()).ln() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of one opening: the numbers of each result, by worker.
    fn samples(table: &[[u64; 5]]) -> Vec<Sample> {
        let mut all = Vec::new();
        for (worker, counts) in table.iter().enumerate() {
            for (result, &n) in (0..).zip(counts) {
                let one = Sample { encounter: [0, 1], opening: 0, worker, result };
                all.extend(std::iter::repeat_n(one, n as usize));
            }
        }
        all
    }

    fn of(table: &[[u64; 5]]) -> Findings {
        findings(&samples(table), table.len())
    }

    /// Pearson's chi-square of a table, times (N-1)/N.
    fn pearson(table: &[[u64; 5]]) -> f64 {
        let total: u64 = table.iter().flatten().sum();
        let column = |i: usize| table.iter().map(|row| row[i]).sum::<u64>() as f64;
        let mut sum = 0.0;
        for row in table {
            let n: u64 = row.iter().sum();
            for (i, &count) in row.iter().enumerate().filter(|(i, _)| column(*i) > 0.0) {
                let expected = n as f64 * column(i) / total as f64;
                sum += (count as f64 - expected).powi(2) / expected;
            }
        }
        sum * (total - 1) as f64 / total as f64
    }

    #[test]
    fn with_one_opening_the_chi_squares_are_those_of_pearson() {
        let table = [[4, 20, 41, 25, 3], [9, 33, 50, 20, 6], [12, 41, 90, 44, 11]];
        let found = of(&table);
        for (i, residual) in found.residuals.iter().enumerate() {
            let others = (0..3).filter(|j| *j != i).map(|j| table[j]);
            let others = others.fold([0; 5], |a, b| std::array::from_fn(|c| a[c] + b[c]));
            let residual = residual.unwrap();
            assert!(
                (residual.chi_square - pearson(&[table[i], others])).abs() < 1e-9,
                "{residual:?}"
            );
            assert_eq!(residual.degrees, 4.0);
        }
        let together = found.together.unwrap();
        assert!((together.chi_square - pearson(&table)).abs() < 1e-9, "{together:?}");
        assert!((together.degrees - 8.0).abs() < 1e-9);
        assert_eq!((found.differ.len(), found.undecided), (0, None));
    }

    /// The probability of a chi-square as great as Pearson's, over all ways to divide the samples.
    fn exact(table: [[u64; 5]; 2]) -> f64 {
        let all = samples(&table);
        let [mine, _] = table.map(|row| row.iter().sum::<u64>());
        let observed = pearson(&table);
        let (mut as_great, mut ways) = (0u64, 0u64);
        for mask in (0u32..1 << all.len()).filter(|mask| u64::from(mask.count_ones()) == mine) {
            let mut other = [[0; 5]; 2];
            for (i, sample) in all.iter().enumerate() {
                other[usize::from(mask >> i & 1 == 0)][usize::from(sample.result)] += 1;
            }
            ways += 1;
            as_great += u64::from(pearson(&other) >= observed - 1e-9);
        }
        as_great as f64 / ways as f64
    }

    #[test]
    fn probabilities_of_small_tables_are_those_of_all_exchanges() {
        for table in [
            [[4, 0, 2, 0, 0], [0, 0, 2, 0, 4]],
            [[3, 0, 2, 0, 1], [1, 0, 2, 0, 3]],
            [[0, 2, 4, 2, 0], [3, 1, 1, 3, 0]],
            [[6, 0, 0, 0, 2], [1, 0, 0, 0, 7]],
        ] {
            let (found, p) = (of(&table), exact(table));
            // Fifty exceedances know a probability to a seventh.
            let near = |r: Option<Residual>| (r.unwrap().p - p).abs() < 0.5 * p;
            assert!(near(found.residuals[0]) && near(found.together), "{p}: {found:?}");
            assert_eq!(found.residuals[0].unwrap().p, found.residuals[1].unwrap().p);
        }
    }

    #[test]
    fn a_worker_that_differs_is_named_and_those_that_it_made_look_different_are_not() {
        let good = [5, 22, 46, 22, 5];
        let bad = [30, 40, 25, 5, 0];
        let found = of(&[good, bad, good]);
        assert_eq!((found.differ.as_slice(), found.undecided), ([1].as_slice(), None));
        assert!(found.residuals[1].unwrap().p < 0.001, "{found:?}");
        assert_eq!(found.residuals[0].unwrap().chi_square, 0.0, "equal to the other one");
        let worse = [60, 30, 10, 0, 0];
        assert_eq!(of(&[good, worse, good, bad, good]).differ, [1, 3]);
    }

    #[test]
    fn of_two_workers_that_differ_nothing_tells_which_is_wrong() {
        let (good, bad) = ([5, 22, 46, 22, 5], [30, 40, 25, 5, 0]);
        let found = of(&[good, bad]);
        assert_eq!((found.differ.len(), found.undecided), (0, Some([0, 1])));
        // A third one with a few samples does not tell either.
        let found = of(&[good, bad, [0, 1, 2, 1, 0]]);
        assert_eq!((found.differ.len(), found.undecided), (0, Some([0, 1])), "{found:?}");
    }

    #[test]
    fn too_few_samples_are_not_compared_and_do_no_harm() {
        let found = of(&[[5, 22, 46, 22, 5], [0, 0, 1, 0, 0], [5, 22, 46, 22, 5]]);
        assert_eq!(found.residuals[1], None);
        assert_eq!((found.differ.len(), found.undecided), (0, None));
        assert!(of(&[[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]).residuals.iter().all(Option::is_none));
        assert_eq!(of(&[]), Findings::default());
        let alone = of(&[[1, 2, 3, 2, 1]]);
        assert_eq!((alone.residuals, alone.together), (vec![None], None));
        let drawn = of(&[[0, 0, 50, 0, 0], [0, 0, 70, 0, 0]]);
        assert_eq!(drawn.residuals, [None, None], "equal results cannot differ");
    }

    #[test]
    fn rare_results_are_pooled_with_the_neighbour_nearer_to_an_equal_pair() {
        assert_eq!(pooled([9.0; 5]), [0, 1, 2, 3, 4]);
        assert_eq!(pooled([0.5, 9.0, 9.0, 9.0, 0.5]), [0, 0, 1, 2, 2]);
        assert_eq!(pooled([0.5, 0.4, 9.0, 0.4, 0.5]), [0, 0, 0, 0, 0]);
        assert_eq!(pooled([9.0, 0.0, 9.0, 0.0, 9.0]), [0, 1, 1, 1, 2]);
        assert_eq!(pooled([9.0, 3.0, 0.2, 4.0, 9.0]), [0, 1, 1, 2, 3]);
        assert_eq!(pooled([0.1; 5]), [0; 5]);
    }

    #[test]
    fn unusual_chi_squares_have_the_same_scale_whatever_their_degrees() {
        // The upper 1% and 0.1% points of tables of the chi-square distribution.
        for (degrees, one, thousandth) in [
            (1.0, 6.635, 10.828),
            (2.0, 9.210, 13.816),
            (4.0, 13.277, 18.467),
            (8.0, 20.090, 26.125),
        ] {
            assert!((score(one, degrees) - 100f64.ln()).abs() < 0.1, "{degrees}");
            assert!((score(thousandth, degrees) - 1000f64.ln()).abs() < 0.2, "{degrees}");
        }
        assert!(score(1e6, 4.0).is_finite() && score(1e6, 4.0) > score(1e5, 4.0));
    }
}
