//! The comparison of workers by simulation: how often equal ones are said to differ, and how often one that differs is
//! found.

use super::simulation::{CaseReport, Expected, SHAPES, SampleSource, SelfTestEffort, trials};
use super::{
    Comparison, EloModel, FALSE_ALARMS, GameScore, Sequential, Sprt, Test, TestSample, WorkerGame,
    Workers,
};
use agon_games::rng::{self, Stream};

/// A game with very many draws.
const DRAWN: (&str, [f64; 5]) = ("mostly draws", [0.005, 0.045, 0.9, 0.045, 0.005]);

const METHOD: &str = "workers";
const ALARM: &str = "equal workers said to differ";

/// The cases in order; each simulates for some seconds.
pub fn workers(effort: SelfTestEffort) -> Vec<Box<dyn Fn() -> CaseReport>> {
    let mut cases: Vec<Box<dyn Fn() -> CaseReport>> = Vec::new();
    let sizes: &[(usize, u64)] = match effort.quick {
        true => &[(2, 20), (8, 10)],
        false => &[(2, 10), (2, 500), (8, 10), (8, 200), (32, 5), (32, 50)],
    };
    for (name, shape) in [SHAPES[0], SHAPES[1], DRAWN] {
        for &(workers, pairs) in sizes {
            let source = SampleSource::new(shape, 0.0);
            cases.push(Box::new(move || equal(effort, name, source, workers, pairs)));
        }
    }
    cases.push(Box::new(move || openings(effort, false)));
    cases.push(Box::new(move || openings(effort, true)));
    cases.push(Box::new(move || stopped(effort)));
    cases.push(Box::new(move || looks(effort)));
    let quick = [(-400.0, 20)].as_slice();
    let full = [(-50.0, 100), (-50.0, 400), (-100.0, 100), (-100.0, 400)].as_slice();
    for &(elo, pairs) in if effort.quick { quick } else { full } {
        cases.push(Box::new(move || worse(effort, elo, pairs)));
    }
    cases
}

/// A match whose pairs are played by workers.
struct Played {
    workers: Workers,
    names: Vec<String>,
    pairs: u64,
}

impl Played {
    fn new(workers: usize) -> Played {
        let names = (0..workers).map(|i| format!("worker {i}")).collect();
        Played { workers: Workers::new(false), names, pairs: 0 }
    }

    /// A pair of the opening `opening`, or of one that no other pair has.
    fn push(&mut self, worker: usize, opening: Option<u64>, scores: [GameScore; 2]) {
        let pair = self.pairs;
        self.pairs += 1;
        let opening = opening.map_or(format!("pair {pair}"), |opening| opening.to_string());
        let name = self.names[worker].as_str();
        for (players, score) in [[0, 1], [1, 0]].into_iter().zip(scores) {
            let score = if players[0] == 0 { score } else { score.flipped() };
            let (worker, opening, fault) = (Some(name), opening.as_str(), false);
            self.workers.push(WorkerGame { worker, pair, players, opening, score, fault });
        }
    }

    fn compare(&self) -> Comparison {
        self.workers.compare()
    }
}

/// Whether anything is said to differ.
fn alarm(comparison: &Comparison) -> bool {
    let vague = comparison.vague().is_some();
    vague || !comparison.differ.is_empty() || comparison.undecided.is_some()
}

fn count(effort: SelfTestEffort) -> u64 {
    if effort.quick { 100 } else { 2000 }
}

/// Equal workers, of which some play three times as many pairs as others.
fn equal(
    effort: SelfTestEffort,
    name: &str,
    source: SampleSource,
    workers: usize,
    pairs: u64,
) -> CaseReport {
    let alarms = trials(effort, "equal workers", count(effort), |random| {
        let mut played = Played::new(workers);
        for worker in 0..workers {
            for _ in 0..pairs * (1 + worker as u64 % 3) / 2 {
                played.push(worker, None, source.pair(random));
            }
        }
        alarm(&played.compare())
    });
    let mut table = CaseReport::new(METHOD, format!("{name}, {workers} x {pairs} pairs"));
    table.share(ALARM, alarms.into_iter(), Expected::AtMost(FALSE_ALARMS));
    table
}

/// Equal workers and 24 openings, some of which are won for one engine. `own`: each opening has its worker.
fn openings(effort: SelfTestEffort, own: bool) -> CaseReport {
    let shape = SHAPES[0].1;
    let alarms = trials(effort, "openings of workers", count(effort), |random| {
        let elo = |random: &mut Stream| 600.0 * rng::unit(random) - 300.0;
        let sources: Vec<SampleSource> =
            (0..24).map(|_| SampleSource::new(shape, elo(random))).collect();
        let mut played = Played::new(3);
        for pair in 0..480 {
            let opening = pair % 24;
            let worker = if own { opening % 3 } else { rng::below(random, 3) };
            let scores = sources[opening as usize].pair(random);
            played.push(worker as usize, Some(opening), scores);
        }
        alarm(&played.compare())
    });
    let which = if own { "each its own" } else { "shared" };
    let mut table = CaseReport::new(METHOD, format!("24 unequal openings, {which}"));
    table.share(ALARM, alarms.into_iter(), Expected::AtMost(FALSE_ALARMS));
    table
}

/// Equal workers that are compared once, when an SPRT stops.
fn stopped(effort: SelfTestEffort) -> CaseReport {
    let elo1 = if effort.quick { 120.0 } else { 40.0 };
    let mut table = CaseReport::new(METHOD, format!("4, when an SPRT (0, {elo1}) stops"));
    let Ok(sprt) = Sprt::new(EloModel::Logistic, 0.0, elo1, 0.05, 0.05) else { return table };
    let source = SampleSource::new(SHAPES[0].1, 0.0);
    let alarms = trials(effort, "workers of a test", count(effort), |random| {
        let mut test = Sequential::new(Test::Sprt(sprt), TestSample::Pair);
        let mut played = Played::new(4);
        while test.decision().is_none() {
            let scores = source.pair(random);
            scores.into_iter().for_each(|score| test.push(played.pairs, score));
            played.push(rng::below(random, 4) as usize, None, scores);
        }
        alarm(&played.compare())
    });
    table.share(ALARM, alarms.into_iter(), Expected::AtMost(FALSE_ALARMS));
    table
}

/// Equal workers that are compared ten times: no promise holds then.
fn looks(effort: SelfTestEffort) -> CaseReport {
    let source = SampleSource::new(SHAPES[0].1, 0.0);
    let alarms = trials(effort, "looks at workers", count(effort) / 4, |random| {
        let mut played = Played::new(4);
        (0..10).fold(false, |before, _| {
            (0..40).for_each(|pair| played.push(pair % 4, None, source.pair(random)));
            before || alarm(&played.compare())
        })
    });
    let mut table = CaseReport::new(METHOD, "4, at any of 10 looks".into());
    table.share(ALARM, alarms.into_iter(), Expected::Nothing);
    table
}

/// Eight workers, one of which plays as if the difference of the engines were another one.
fn worse(effort: SelfTestEffort, elo: f64, pairs: u64) -> CaseReport {
    let shape = SHAPES[0].1;
    let (good, bad) = (SampleSource::new(shape, 0.0), SampleSource::new(shape, elo));
    let found = trials(effort, "a worse worker", count(effort) / 10, |random| {
        let mut played = Played::new(8);
        for worker in 0..8 {
            let source = if worker == 3 { bad } else { good };
            (0..pairs).for_each(|_| played.push(worker, None, source.pair(random)));
        }
        let found = played.compare();
        let others = found.differ.iter().any(|&i| i != 3) || found.undecided.is_some();
        (found.differ.contains(&3), others)
    });
    let mut table = CaseReport::new(METHOD, format!("8 x {pairs} pairs, one {elo:+} Elo"));
    table.share("that one is named", found.iter().map(|f| f.0), Expected::Nothing);
    table.share("another one is named", found.iter().map(|f| f.1), Expected::AtMost(FALSE_ALARMS));
    table
}
