//! Tests of the statistics by simulation: coverage of intervals, bias of estimates, error rates and
//! lengths of tests, each with its standard error.
//!
//! Every trial has its own named random stream, so the tables depend only on the seed.

use super::self_test_workers::workers;
use super::simulation::{
    CaseReport, Expected, Figure, SHAPES, SampleSource, SelfTestEffort, trials,
};
use super::{
    Betting, ConfidenceSequence, DrawModel, EloModel, Meetings, Model, Parameter, Pentanomial,
    Sequential, Spread, Sprt, SprtVerdict, Test, TestMethod, TestSample, Z95, rate, score_from_elo,
};
use agon_games::rng::{self, Stream};

/// How many of the cases are finished.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// The cases that are finished.
    pub cases: usize,
    /// All cases.
    pub of: usize,
}

/// All tables. `show` receives the figures of a case when it is finished.
pub fn run(effort: SelfTestEffort, mut show: impl FnMut(&[Figure], Done)) -> Vec<Figure> {
    let cases = cases(effort);
    let of = cases.len();
    let mut all = Vec::new();
    for (case, done) in cases.into_iter().zip(1..) {
        let table = case();
        show(&table.figures, Done { cases: done, of });
        all.extend(table.figures);
    }
    all
}

/// The cases in order; each simulates for some seconds.
fn cases(effort: SelfTestEffort) -> Vec<Box<dyn Fn() -> CaseReport>> {
    let mut cases: Vec<Box<dyn Fn() -> CaseReport>> = Vec::new();
    for (name, shape) in SHAPES {
        for elo in [0.0, 100.0] {
            for pairs in [100, 1000] {
                let case = move || fixed(effort, name, SampleSource::new(shape, elo), elo, pairs);
                cases.push(Box::new(case));
            }
            cases
                .push(Box::new(move || sequence(effort, name, SampleSource::new(shape, elo), elo)));
        }
    }
    let bounds: &[[f64; 2]] =
        if effort.quick { &[[0.0, 60.0]] } else { &[[0.0, 5.0], [0.0, 10.0]] };
    for &[elo0, elo1] in bounds {
        let truths = [-5.0, 0.0, 2.5, 5.0, 10.0, 20.0];
        let scale = if effort.quick { 6.0 } else { 1.0 };
        for elo in truths.map(|elo| scale * elo) {
            for betting in [false, true] {
                let shape = SHAPES[0].1;
                let case = move || sequential(effort, shape, elo, [elo0, elo1], betting);
                cases.push(Box::new(case));
            }
        }
    }
    for (name, shape) in SHAPES {
        for elo in [-100.0, -200.0, -400.0, -4000.0] {
            cases.push(Box::new(move || broken(effort, name, SampleSource::new(shape, elo), elo)));
        }
    }
    cases.push(Box::new(move || ratings(effort)));
    cases.extend(workers(effort));
    cases
}

/// The interval and the LOS of a fixed number of pairs.
fn fixed(
    effort: SelfTestEffort,
    name: &str,
    source: SampleSource,
    elo: f64,
    pairs: u64,
) -> CaseReport {
    let count = if effort.quick { 1000 } else { 20_000 };
    let spreads: Vec<Spread> =
        trials(effort, "fixed", count, |random| Spread::of_pairs(source.pairs(random, pairs)))
            .into_iter()
            .flatten()
            .collect();
    let mut table = CaseReport::new("fixed sample", format!("{name}, {elo:+} Elo, {pairs} pairs"));
    let covers = |s: &Spread| s.elo().low <= elo && elo <= s.elo().high;
    table.share("covers the truth", spreads.iter().map(covers), Expected::About(0.95, 0.015));
    if elo == 0.0 {
        let sure = |s: &Spread| s.los() > 0.975;
        table.share("LOS above 97.5%", spreads.iter().map(sure), Expected::About(0.025, 0.01));
    }
    table
}

/// The confidence sequence, looked at after every pair.
fn sequence(effort: SelfTestEffort, name: &str, source: SampleSource, elo: f64) -> CaseReport {
    let (count, pairs) = if effort.quick { (100, 100) } else { (500, 5000) };
    let score = score_from_elo(elo);
    let runs = trials(effort, "sequence", count, |random| {
        let mut seen = Pentanomial::default();
        let mut always = true;
        for _ in 0..pairs {
            let [a, b] = source.pair(random);
            seen.push(a, b);
            always &= super::e_values(seen, [score, score]).iter().all(|e| *e < 40.0);
        }
        let interval = ConfidenceSequence::of_pairs(seen);
        let fixed = Spread::of_pairs(seen).map_or(f64::NAN, |s| s.elo().high - s.elo().low);
        (always, interval.width() / fixed)
    });
    let mut table =
        CaseReport::new("confidence sequence", format!("{name}, {elo:+} Elo, {pairs} pairs"));
    let always = runs.iter().map(|r| r.0);
    table.share("always covers the truth", always, Expected::AtLeast(0.95));
    let widths: Vec<f64> = runs.iter().map(|r| r.1).filter(|w| w.is_finite()).collect();
    table.mean("width over fixed sample's", &widths, Expected::Nothing);
    table
}

/// The two tests with error probabilities of 5%.
fn tests([elo0, elo1]: [f64; 2], betting: bool) -> Option<Test> {
    Some(match betting {
        false => Test::Sprt(Sprt::new(EloModel::Logistic, elo0, elo1, 0.05, 0.05).ok()?),
        true => Test::Betting(Betting::new(elo0, elo1, 0.05, 0.05).ok()?),
    })
}

/// Plays a test to its end.
fn play(test: Test, source: SampleSource, random: &mut Stream, most: u64) -> Sequential {
    let mut sequence = Sequential::new(test, TestSample::Pair);
    while sequence.decision().is_none() && sequence.samples() < most {
        let pair = sequence.samples();
        source.pair(random).into_iter().for_each(|score| sequence.push(pair, score));
    }
    sequence
}

/// Error rates, length, bias and coverage of a sequential test.
fn sequential(
    effort: SelfTestEffort,
    shape: [f64; 5],
    elo: f64,
    bounds: [f64; 2],
    betting: bool,
) -> CaseReport {
    let count = if effort.quick { 100 } else { 1000 };
    let source = SampleSource::new(shape, elo);
    let method = if betting { "test by betting" } else { "SPRT" };
    let mut table = CaseReport::new(method, format!("({}, {}), {elo:+} Elo", bounds[0], bounds[1]));
    let Some(test) = tests(bounds, betting) else { return table };
    let runs = trials(effort, "sequential", count, |random| {
        let sequence = play(test, source, random, 1_000_000);
        let naive = Spread::of_pairs(sequence.pairs()).map(|s| s.elo());
        let estimate = sequence.estimate().filter(|e| e.method == TestMethod::Stagewise);
        (sequence.samples(), sequence.state().verdict, naive, estimate.map(|e| e.elo))
    });
    let accepted = runs.iter().map(|r| r.1 == SprtVerdict::Accepted);
    // Wald's bounds are approximate; the bounds of a test by betting are not.
    let tolerance = if betting { 0.0 } else { 0.005 };
    let expected = if elo <= bounds[0] {
        Expected::AtMost(0.05 + tolerance)
    } else if elo >= bounds[1] {
        Expected::AtLeast(0.95 - tolerance)
    } else {
        Expected::Nothing
    };
    table.share("H1 accepted", accepted, expected);
    let lengths: Vec<f64> = runs.iter().map(|r| r.0 as f64).collect();
    table.mean("pairs", &lengths, Expected::Nothing);
    let covers = |e: &Option<super::Elo>| e.is_some_and(|e| e.low <= elo && elo <= e.high);
    let naive = runs.iter().map(|r| covers(&r.2));
    table.share("fixed interval covers", naive, Expected::Nothing);
    let stagewise = runs.iter().map(|r| covers(&r.3));
    table.share("stagewise interval covers", stagewise, Expected::About(0.95, 0.01));
    let above = |e: &Option<super::Elo>| e.is_some_and(|e| e.value > elo);
    table.share("mean is above the truth", runs.iter().map(|r| above(&r.2)), Expected::Nothing);
    // The truth is the median of the estimates: neither side has more than half of them. Both checks, as the
    // estimate is 0 where its correction is cut off, and that may be the truth.
    let below = |e: &Option<super::Elo>| e.is_none_or(|e| e.value < elo);
    let half = Expected::AtMost(0.52);
    table.share("estimate is above the truth", runs.iter().map(|r| above(&r.3)), half);
    table.share("estimate is below the truth", runs.iter().map(|r| below(&r.3)), half);
    let accepted = || runs.iter().filter(|r| r.1 == SprtVerdict::Accepted);
    let bias = |estimates: Vec<super::Elo>| -> Vec<f64> {
        estimates.into_iter().map(|e| e.value - elo).filter(|x| x.is_finite()).collect()
    };
    let mean = bias(accepted().filter_map(|r| r.2).collect());
    table.mean("bias of the mean if accepted", &mean, Expected::Nothing);
    let median = bias(accepted().filter_map(|r| r.3).collect());
    table.mean("bias of the estimate if accepted", &median, Expected::Nothing);
    table
}

/// How soon a broken version is found.
fn broken(effort: SelfTestEffort, name: &str, source: SampleSource, elo: f64) -> CaseReport {
    let count = if effort.quick { 20 } else { 1000 };
    let mut table = CaseReport::new("broken version", format!("{name}, (0, 10), {elo:+} Elo"));
    for (betting, what) in [(false, "pairs of the SPRT"), (true, "pairs of the test by betting")] {
        let Some(test) = tests([0.0, 10.0], betting) else { continue };
        let runs = trials(effort, "broken", count, |random| {
            let sequence = play(test, source, random, 100_000);
            (sequence.samples() as f64, sequence.state().verdict)
        });
        let lengths: Vec<f64> = runs.iter().map(|r| r.0).collect();
        table.mean(what, &lengths, Expected::Nothing);
        let rejected = runs.iter().map(|r| r.1 == SprtVerdict::Rejected);
        table.share("rejected", rejected, Expected::AtLeast(0.95));
    }
    table
}

/// Intervals of ratings, free and relative to an anchor.
fn ratings(effort: SelfTestEffort) -> CaseReport {
    const TRUTH: [f64; 4] = [60.0, 20.0, -20.0, -60.0];
    let (count, pairs) = if effort.quick { (200, 50) } else { (5000, 200) };
    let advantage = Parameter::Estimated;
    let drawelo = Parameter::Estimated;
    let model = Model { draws: DrawModel::Half, drawelo, advantage, prior: 0.0 };
    let runs = trials(effort, "ratings", count, |random| {
        let mut meetings = Meetings::default();
        let mut number = 0;
        for (a, rating) in TRUTH.iter().enumerate() {
            for (b, other) in TRUTH.iter().enumerate().skip(a + 1) {
                let source = SampleSource::new(SHAPES[0].1, rating - other);
                for _ in 0..pairs {
                    let mut games = source.pair(random);
                    // Neither side has an advantage.
                    rng::shuffle(random, &mut games);
                    let [first, second] = games;
                    meetings.push(number, [a, b], first);
                    meetings.push(number, [b, a], second.flipped());
                    number += 1;
                }
            }
        }
        let ratings = rate(&meetings, &model).ok()?;
        let free = (ratings.elo[0] - TRUTH[0]).abs() <= Z95 * ratings.error(0, true);
        let anchored = ratings.anchored(3, TRUTH[3]);
        Some((free, (anchored.elo[0] - TRUTH[0]).abs() <= Z95 * anchored.error(0, true)))
    });
    let mut table = CaseReport::new("ratings", format!("4 engines, {pairs} pairs per meeting"));
    let free = runs.iter().map(|r| r.is_some_and(|r| r.0));
    table.share("covers, relative to the mean", free, Expected::About(0.95, 0.015));
    let anchored = runs.iter().map(|r| r.is_some_and(|r| r.1));
    table.share("covers, relative to an anchor", anchored, Expected::About(0.95, 0.015));
    table
}
