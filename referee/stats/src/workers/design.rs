//! Which results may be exchanged among workers if all workers are equal, and how far the results of each are from their
//! expectation.
//!
//! Results from the same opening are alike, and a worker may have played other openings than the rest. So results are
//! exchanged only within an opening. Openings that were played once are exchanged with each other. If most results are
//! from openings that one worker played alone and more than once, all its results of an opening are exchanged together.

use agon_games::rng::{Stream, shuffle};

/// Numbers of samples by their result, worst first; see [`Pentanomial`](crate::Pentanomial).
pub type Counts = [f64; 5];

/// A pair, or a game of a match without pairs, that one worker played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sample {
    /// The engines that met.
    pub encounter: [usize; 2],
    /// A hash of the opening.
    pub opening: u64,
    /// Who played it.
    pub worker: usize,
    /// Index into [`Counts`].
    pub result: u8,
}

/// All samples of a match, ready to be exchanged.
#[derive(Clone, Debug)]
pub struct Design {
    strata: Vec<Stratum>,
    workers: usize,
}

/// Units that are exchanged with each other.
#[derive(Clone, Debug)]
struct Stratum {
    /// The workers that have any, at least two.
    present: Vec<usize>,
    /// The worker of each unit, as an index into `present`.
    labels: Vec<usize>,
    /// The results of each unit.
    units: Vec<Counts>,
    /// The sum of all units.
    sums: Counts,
    /// The results of each worker.
    table: Vec<Counts>,
}

impl Design {
    /// The samples of the workers with numbers below `workers`.
    pub fn new(mut samples: Vec<Sample>, workers: usize) -> Design {
        samples.sort_unstable();
        let groups: Vec<&[Sample]> =
            samples.chunk_by(|a, b| (a.encounter, a.opening) == (b.encounter, b.opening)).collect();
        let alone = groups.iter().filter(|group| group.len() > 1 && !is_shared(group));
        let strata = match 2 * alone.map(|group| group.len()).sum::<usize>() > samples.len() {
            true => of_openings(&samples),
            false => within_openings(&groups),
        };
        Design { strata: strata.into_iter().filter(|s| s.present.len() > 1).collect(), workers }
    }

    /// The number of units.
    pub fn units(&self) -> usize {
        self.strata.iter().map(|stratum| stratum.units.len()).sum()
    }

    /// The expected results of each worker.
    pub fn expected(&mut self) -> Vec<Counts> {
        let mut expected = vec![Counts::default(); self.workers];
        for stratum in &mut self.strata {
            stratum.fill();
            for (&worker, held) in stratum.present.iter().zip(&stratum.table) {
                let share = sum(held) / sum(&stratum.sums);
                (0..5).for_each(|i| expected[worker][i] += share * stratum.sums[i]);
            }
        }
        expected
    }

    /// The covariance matrix of each worker's results if they are drawn without replacement.
    pub fn covariances(&mut self) -> Vec<[Counts; 5]> {
        let mut all = vec![[Counts::default(); 5]; self.workers];
        for stratum in &mut self.strata {
            stratum.fill();
            let (sums, total) = (stratum.sums, sum(&stratum.sums));
            for (&worker, held) in stratum.present.iter().zip(&stratum.table) {
                let n = sum(held);
                let scale = n * (total - n) / (total * total * (total - 1.0));
                for i in 0..5 {
                    all[worker][i][i] += scale * total * sums[i];
                    (0..5).for_each(|j| all[worker][i][j] -= scale * sums[i] * sums[j]);
                }
            }
        }
        all
    }

    /// The results of each worker less their expectation.
    pub fn departures(&mut self, all: &mut [Counts]) {
        all.fill(Counts::default());
        for stratum in &mut self.strata {
            stratum.fill();
            let total = sum(&stratum.sums);
            for (&worker, held) in stratum.present.iter().zip(&stratum.table) {
                let share = sum(held) / total;
                (0..5).for_each(|i| all[worker][i] += held[i] - share * stratum.sums[i]);
            }
        }
    }

    /// Exchanges the units at random.
    pub fn exchange(&mut self, random: &mut Stream) {
        self.strata.iter_mut().for_each(|stratum| shuffle(random, &mut stratum.labels));
    }
}

/// Whether several workers played this opening; sorted by worker.
fn is_shared(group: &[Sample]) -> bool {
    group.first().map(|s| s.worker) != group.last().map(|s| s.worker)
}

fn encounter(group: &[Sample]) -> Option<[usize; 2]> {
    group.first().map(|s| s.encounter)
}

/// Samples are exchanged within their opening, or with others whose opening was played once.
fn within_openings(groups: &[&[Sample]]) -> Vec<Stratum> {
    let unit = |sample: &Sample| (sample.worker, counted(std::slice::from_ref(sample)));
    let shared = groups.iter().filter(|group| is_shared(group));
    let mut strata: Vec<Stratum> =
        shared.map(|group| Stratum::new(group.iter().map(unit))).collect();
    for one in groups.chunk_by(|a, b| encounter(a) == encounter(b)) {
        let once = one.iter().filter(|group| group.len() == 1).copied().flatten();
        strata.push(Stratum::new(once.map(unit)));
    }
    strata
}

/// All samples of a worker from one opening are exchanged together; sorted samples.
fn of_openings(samples: &[Sample]) -> Vec<Stratum> {
    let unit = |part: &[Sample]| (part.first().map_or(0, |s| s.worker), counted(part));
    let one = samples.chunk_by(|a, b| a.encounter == b.encounter);
    let parts = |samples: &[Sample]| {
        let parts = samples.chunk_by(|a, b| (a.opening, a.worker) == (b.opening, b.worker));
        Stratum::new(parts.map(unit))
    };
    one.map(parts).collect()
}

fn counted(samples: &[Sample]) -> Counts {
    let mut counts = Counts::default();
    samples.iter().for_each(|sample| counts[usize::from(sample.result)] += 1.0);
    counts
}

/// The number of samples.
pub fn sum(counts: &Counts) -> f64 {
    counts.iter().sum()
}

fn add(to: &mut Counts, more: &Counts) {
    to.iter_mut().zip(more).for_each(|(a, b)| *a += b);
}

impl Stratum {
    /// Of units with their workers.
    fn new(units: impl Iterator<Item = (usize, Counts)>) -> Stratum {
        let (workers, units): (Vec<usize>, Vec<Counts>) = units.unzip();
        let mut present = workers.clone();
        present.sort_unstable();
        present.dedup();
        let at = |worker: usize| present.binary_search(&worker).unwrap_or_default();
        let labels = workers.into_iter().map(at).collect();
        let mut sums = Counts::default();
        units.iter().for_each(|unit| add(&mut sums, unit));
        let table = vec![Counts::default(); present.len()];
        Stratum { present, labels, units, sums, table }
    }

    /// Adds up the units of each worker.
    fn fill(&mut self) {
        self.table.fill(Counts::default());
        for (&label, unit) in self.labels.iter().zip(&self.units) {
            add(&mut self.table[label], unit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::rng::stream;

    fn sample(opening: u64, worker: usize, result: u8) -> Sample {
        Sample { encounter: [0, 1], opening, worker, result }
    }

    fn departures(samples: &[Sample], workers: usize) -> Vec<Counts> {
        let mut all = vec![Counts::default(); workers];
        Design::new(samples.to_vec(), workers).departures(&mut all);
        all
    }

    #[test]
    fn openings_that_were_played_once_are_exchanged_with_each_other() {
        let samples: Vec<Sample> = (0..6).map(|i| sample(i, i as usize % 2, i as u8 % 5)).collect();
        let mut design = Design::new(samples, 2);
        assert_eq!((design.strata.len(), design.units()), (1, 6));
        assert_eq!(design.expected(), [[1.0, 0.5, 0.5, 0.5, 0.5]; 2]);
    }

    #[test]
    fn an_opening_that_several_workers_played_is_compared_only_with_itself() {
        // Worker 0 has more of the opening that is always won: its wins are what is expected.
        let won = [0, 0, 0, 1].map(|worker| sample(7, worker, 4));
        let lost = [0, 1, 1, 1].map(|worker| sample(8, worker, 0));
        let samples = [won, lost].concat();
        assert_eq!(departures(&samples, 2), [Counts::default(); 2]);
        let mut design = Design::new(samples, 2);
        assert_eq!(design.strata.len(), 2);
        assert_eq!(design.covariances(), [[Counts::default(); 5]; 2], "nothing can vary");
    }

    #[test]
    fn openings_that_each_have_their_worker_are_exchanged_as_wholes() {
        let of = |opening: u64| (0..4).map(move |i| sample(opening, opening as usize % 2, i % 2));
        let design = Design::new((0..10).flat_map(of).collect(), 2);
        assert_eq!((design.strata.len(), design.units()), (1, 10));
    }

    #[test]
    fn meetings_of_other_engines_are_other_strata() {
        let mut samples: Vec<Sample> = (0..4).map(|i| sample(i, i as usize % 2, 4)).collect();
        samples
            .extend((4..8).map(|i| Sample { encounter: [0, 2], ..sample(i, i as usize % 2, 0) }));
        assert_eq!(Design::new(samples, 2).strata.len(), 2);
    }

    #[test]
    fn a_worker_alone_has_nothing_to_be_compared_with() {
        let samples: Vec<Sample> = (0..4).map(|i| sample(i, 0, 4)).collect();
        assert_eq!(Design::new(samples, 1).units(), 0);
        assert_eq!(Design::new(Vec::new(), 0).units(), 0);
    }

    #[test]
    fn an_exchange_keeps_all_sums_and_the_departures_add_up_to_nothing() {
        let random = &mut stream(3, 0, "test");
        let samples: Vec<Sample> =
            (0..60).map(|i| sample(i % 25, (i % 4) as usize, (i * i % 5) as u8)).collect();
        let mut design = Design::new(samples, 4);
        let (before, mut all) = (design.expected(), vec![Counts::default(); 4]);
        for _ in 0..20 {
            design.exchange(random);
            design.departures(&mut all);
            for i in 0..5 {
                assert!(all.iter().map(|d| d[i]).sum::<f64>().abs() < 1e-9);
            }
            let after = design.expected();
            let near =
                |(a, b): (&Counts, &Counts)| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(
                before.iter().zip(&after).all(near),
                "workers keep their shares of every opening"
            );
        }
    }
}
