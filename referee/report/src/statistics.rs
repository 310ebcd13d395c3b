//! The statistics of the games between two engines by all methods, of logs or of counts, as text and as JSON.

use super::sprt;
use agon_base::counted;
use agon_games::Player;
use agon_matches::parts::whole_header;
use agon_matches::progress::{self, sequential, series};
use agon_matchlog::{EloScale, GameSet, MatchHeader, SprtEntry, open};
use agon_stats::{
    Betting, ConfidenceSequence, Elo, EloModel, Estimate, GameScore, PairBook, Pentanomial,
    Sequential, Sprt, SprtError, SprtState, SprtVerdict, Tally, Test, TestMethod, TestSample, Wdl,
    Workers, e_values, score_from_elo,
};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// The hypotheses and error probabilities of the tests; see [`TestSettings`].
#[derive(Clone, Copy, Debug)]
struct Hypotheses {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The tests that are wanted; what is absent is that of the log's test, or the usual value.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestSettings {
    /// The Elo difference under H0; usually 0.
    pub elo0: Option<f64>,
    /// The Elo difference under H1; usually 10.
    pub elo1: Option<f64>,
    /// Probability of accepting H1 under H0; usually 0.05.
    pub alpha: Option<f64>,
    /// Probability of accepting H0 under H1; usually 0.05.
    pub beta: Option<f64>,
    /// The scale of the differences; usually logistic.
    pub model: Option<EloScale>,
}

impl TestSettings {
    /// The hypotheses and the tests, with the values of a log's test where none are given. There is no test by betting
    /// for normalised Elo.
    ///
    /// # Errors
    ///
    /// Fails if the hypotheses or the probabilities make no test.
    fn tests(
        &self,
        entry: Option<&SprtEntry>,
    ) -> Result<(Hypotheses, Sprt, Option<Betting>), SprtError> {
        let or = |given: Option<f64>, of: fn(&SprtEntry) -> f64, usual: f64| {
            given.or(entry.map(of)).unwrap_or(usual)
        };
        let elo0 = or(self.elo0, |e| e.elo0, 0.0);
        let elo1 = or(self.elo1, |e| e.elo1, 10.0);
        let alpha = or(self.alpha, |e| e.alpha, 0.05);
        let beta = or(self.beta, |e| e.beta, 0.05);
        let model = match self.model.or(entry.map(|e| e.model)) {
            None | Some(EloScale::Logistic) => EloModel::Logistic,
            Some(EloScale::Normalised) => EloModel::Normalised,
        };
        let sprt = Sprt::new(model, elo0, elo1, alpha, beta)?;
        let is_logistic = model == EloModel::Logistic;
        let betting = is_logistic.then(|| Betting::new(elo0, elo1, alpha, beta)).transpose()?;
        Ok((Hypotheses { elo0, elo1, alpha, beta }, sprt, betting))
    }

    /// The statistics of complete pairs, whose order is unknown.
    ///
    /// # Errors
    ///
    /// Fails if the hypotheses or the probabilities make no test.
    pub fn of_pairs(&self, pairs: Pentanomial) -> Result<Statistics, SprtError> {
        let (hypotheses, sprt, _) = self.tests(None)?;
        Ok(Statistics::of_pairs(hypotheses, sprt, pairs))
    }

    /// The statistics of single games, which belong to no pairs.
    ///
    /// # Errors
    ///
    /// Fails if the hypotheses or the probabilities make no test.
    pub fn of_games(&self, games: Wdl) -> Result<Statistics, SprtError> {
        let mut statistics = self.of_pairs(Pentanomial::default())?;
        statistics.tally.as_first = games;
        Ok(statistics)
    }

    /// The statistics of games that are yet to be counted in their order, as those of a match without a test.
    ///
    /// # Errors
    ///
    /// Fails if the hypotheses or the probabilities make no test.
    pub fn of_series(&self) -> Result<Statistics, SprtError> {
        let (hypotheses, sprt, betting) = self.tests(None)?;
        let own = (Test::Open(TestMethod::FixedSample), TestSample::Pair);
        Ok(Statistics::new(hypotheses, sprt, betting, Some(own)))
    }

    /// The statistics of logs that are parts of one match.
    ///
    /// # Errors
    ///
    /// Fails on a log that cannot be read or is of another match, on a game that is there twice, and without games.
    pub fn of_logs(&self, logs: &[PathBuf]) -> Result<LogStatistics> {
        let whole = whole_header(logs)?;
        let header = &whole;
        let mut machines = progress::workers(header);
        let own = sequential(header)?.or_else(|| series(header)).map(|s| (*s.test(), s.sample()));
        let mut seen = GameSet::default();
        let mut meetings: BTreeMap<[usize; 2], Statistics> = BTreeMap::new();
        for path in logs {
            for game in open(path)?.1 {
                let game = game?;
                if !seen.insert(game.game) {
                    bail!("{}: game {} stands in the logs twice", path.display(), game.number());
                }
                machines.push(game.of_worker());
                let [first, second] = game.players;
                let swapped = first > second;
                let key = if swapped { [second, first] } else { [first, second] };
                let statistics = match meetings.get_mut(&key) {
                    Some(statistics) => statistics,
                    None => meetings.entry(key).or_insert(self.meeting(header, own)?),
                };
                let score = game.result.score_of_first();
                let (score, side) = if swapped {
                    (score.flipped(), Player::Second)
                } else {
                    (score, Player::First)
                };
                statistics.push(game.pair, score, side);
            }
        }
        if meetings.is_empty() {
            bail!("the logs have no games");
        }
        let named = |([a, b], statistics): ([usize; 2], Statistics)| {
            let name = |i: usize| header.engines.get(i).map(|e| e.name.clone());
            let names = [name(a).context("unknown player")?, name(b).context("unknown player")?];
            Ok((names, statistics))
        };
        let meetings = meetings.into_iter().map(named).collect::<Result<_>>()?;
        Ok(LogStatistics { header: whole, machines, meetings })
    }

    /// No games between two engines yet. Only in a match of two engines the order of pairs is known.
    fn meeting(
        &self,
        header: &MatchHeader,
        own: Option<(Test, TestSample)>,
    ) -> Result<Statistics, SprtError> {
        let (hypotheses, sprt, betting) = self.tests(header.sprt.as_ref())?;
        if header.engines.len() != 2 || own.is_none() {
            let none = Pentanomial::default();
            return Ok(Statistics::of_pairs(hypotheses, sprt, none));
        }
        Ok(Statistics::new(hypotheses, sprt, betting, own))
    }
}

/// What logs of one match say.
pub struct LogStatistics {
    /// The whole match.
    pub header: MatchHeader,
    /// The results of its machines.
    pub machines: Workers,
    /// The names of the engines and their games, of all meetings in the order of the header.
    pub meetings: Vec<([String; 2], Statistics)>,
}

/// The games of a meeting, counted for the first engine.
pub struct Statistics {
    tally: Tally,
    book: PairBook,
    hypotheses: Hypotheses,
    sprt: Sprt,
    /// The two tests, and last the one that the match was played by; empty if the order is unknown.
    sequences: Vec<Sequential>,
    /// The last of the sequences is the match's own.
    has_own: bool,
}

impl Statistics {
    /// Without games. `betting` is `None` if the hypotheses have no such test; `own` is the match's own
    /// test, or [`Test::Open`], and its samples.
    fn new(
        hypotheses: Hypotheses,
        sprt: Sprt,
        betting: Option<Betting>,
        own: Option<(Test, TestSample)>,
    ) -> Statistics {
        let tests = [Some(Test::Sprt(sprt)), betting.map(Test::Betting)].into_iter().flatten();
        let mut sequences: Vec<Sequential> =
            tests.map(|test| Sequential::new(test, TestSample::Pair)).collect();
        let has_own = own.is_some();
        if let Some((test, TestSample::Pair)) = own {
            sequences.retain(|sequence| *sequence.test() != test);
        }
        sequences.extend(own.map(|(test, sample)| Sequential::new(test, sample)));
        let (tally, book) = (Tally::default(), PairBook::default());
        Statistics { tally, book, hypotheses, sprt, sequences, has_own }
    }

    /// Counts a game of pair `pair` that the first engine played on `side`.
    pub fn push(&mut self, pair: u64, score: GameScore, side: Player) {
        self.tally.push(score, side);
        self.book.push(pair, score);
        self.tally.pairs = self.book.complete();
        self.sequences.iter_mut().for_each(|s| s.push(pair, score));
    }

    /// From the counts of complete pairs, whose order is unknown.
    fn of_pairs(hypotheses: Hypotheses, sprt: Sprt, pairs: Pentanomial) -> Statistics {
        let mut statistics = Statistics::new(hypotheses, sprt, None, None);
        statistics.sequences.clear();
        statistics.tally.pairs = pairs;
        statistics
    }

    fn own(&self) -> Option<&Sequential> {
        self.sequences.last().filter(|_| self.has_own)
    }

    /// The LLR of all complete pairs, whenever the test stopped.
    fn llr(&self) -> SprtState {
        self.sprt.of_pairs(self.tally.pairs)
    }

    /// The wealth of bets of fixed size against H0 and against H1, which depends only on counts.
    fn e_values(&self) -> [f64; 2] {
        let scores = [self.hypotheses.elo0, self.hypotheses.elo1].map(score_from_elo);
        e_values(self.tally.pairs, scores)
    }

    /// An estimate as if an SPRT had stopped after the last pair.
    fn stopped(&self) -> Option<Estimate> {
        match self.sequences.iter().find(|s| matches!(s.test(), Test::Sprt(_))) {
            Some(sequence) => sequence.estimate(),
            None => Sequential::of_pairs(Test::Sprt(self.sprt), self.tally.pairs).estimate(),
        }
    }

    /// The table for the terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut row = |name: &str, value: &str, remark: &str| {
            let line = format!("  {name:<22} {value:<28} {remark}");
            let _ = writeln!(text, "{}", line.trim_end());
        };
        let has_samples = |s: &&Sequential| !is_open(s) && s.samples() > 0;
        for sequence in self.sequences.iter().filter(has_samples) {
            row("in schedule order", &sprt::verdict(sequence), "");
        }
        let wdl = self.tally.wdl();
        if wdl.games() > 0 {
            let counts = format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses);
            row("won-drawn-lost", &counts, &counted(wdl.games(), "game"));
        }
        let pairs = self.tally.pairs;
        let remark = format!(
            "{}, {} outside",
            counted(pairs.pairs(), "pair"),
            counted(self.tally.outside_pairs(), "game")
        );
        row("Ptnml(0-2)", &format!("{:?}", pairs.counts), &remark);
        let Some(spread) = self.tally.spread() else { return text };
        let unit = if spread.games_per_sample == 2 { "pairs" } else { "games" };
        let exact = if spread.elo().regularised { ", exact for equal scores" } else { "" };
        let fixed = format!("95%, for a number of games fixed in advance, from {unit}{exact}");
        row("Elo, fixed sample", &spread.elo().to_string(), &fixed);
        if let Some(elo) = spread.normalised_elo() {
            row("normalised Elo", &elo.to_string(), &fixed);
        }
        let los = format!("{:.2}%", 100.0 * spread.los());
        row("LOS", &los, "likelihood of superiority, for a fixed number of games");
        if pairs.pairs() == 0 {
            return text;
        }
        let interval = ConfidenceSequence::of_pairs(pairs);
        let ends = Elo {
            value: spread.elo().value,
            low: interval.low,
            high: interval.high,
            regularised: false,
        };
        row("confidence sequence", &ends.to_string(), "95% at all times, however often one looks");
        let Hypotheses { elo0, elo1, alpha, beta } = self.hypotheses;
        let state = self.llr();
        let llr = format!("LLR {:.2} [{:.2}, {:.2}]", state.llr, state.lower, state.upper);
        row(&format!("SPRT ({elo0}, {elo1})"), &llr, "after all complete pairs");
        let [up, down] = self.e_values();
        let values = format!("{up:.3e}, {down:.3e}");
        let remark = format!(
            "wealth of fixed bets against H0 (H1 at {:.0}) and H1 (H0 at {:.0})",
            1.0 / alpha,
            1.0 / beta
        );
        row("e-values", &values, &remark);
        self.estimates(&mut row);
        text
    }

    fn estimates(&self, row: &mut impl FnMut(&str, &str, &str)) {
        let shown = |e: &Estimate| e.elo.to_string();
        if let Some(estimate) = self.own().and_then(Sequential::estimate) {
            row("Elo of the match", &shown(&estimate), &format!("95%, {}", estimate.method.name()));
        }
        if !self.own().is_none_or(is_open) {
            return;
        }
        let Some(estimate) = self.stopped() else {
            row("Elo after an SPRT", "-", "no SPRT ends here: it would have ended before");
            return;
        };
        let stopped = self.sequences.iter().any(|s| s.decision().is_some());
        let when = if stopped { "where the SPRT stops" } else { "if an SPRT ended here" };
        row(
            "Elo after an SPRT",
            &shown(&estimate),
            &format!("95%, {}, {when}", estimate.method.name()),
        );
    }

    /// The same as JSON; infinite values are null.
    pub fn json(&self) -> serde_json::Value {
        let wdl = self.tally.wdl();
        let spread = self.tally.spread();
        let fixed =
            |elo: Elo| sprt::estimate_json(&Estimate { elo, method: TestMethod::FixedSample });
        let pairs = self.tally.pairs;
        let state = self.llr();
        let [against_h0, against_h1] = self.e_values();
        let Hypotheses { elo0, elo1, alpha, beta } = self.hypotheses;
        let mut json = serde_json::json!({
            "pentanomial": pairs.counts,
            "pairs": pairs.pairs(),
            "games_outside_pairs": self.tally.outside_pairs(),
            "elo": spread.map(|s| fixed(s.elo())),
            "normalised_elo": spread.and_then(|s| s.normalised_elo()).map(fixed),
            "los": spread.map(|s| s.los()),
            "confidence_sequence": sprt::confidence_json(ConfidenceSequence::of_pairs(pairs)),
            "hypotheses": {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta},
            "sprt": {
                "llr": state.llr, "lower": state.lower, "upper": state.upper,
                "verdict": match state.verdict {
                    SprtVerdict::Accepted => "accepted",
                    SprtVerdict::Rejected => "rejected",
                    _ => "undecided",
                },
            },
            "e_values": [against_h0, against_h1],
            "after_stopping": self.stopped().map(|e| sprt::estimate_json(&e)),
            "tests": self.sequences.iter().map(test).collect::<Vec<_>>(),
        });
        if wdl.games() > 0 {
            json["wins"] = wdl.wins.into();
            json["draws"] = wdl.draws.into();
            json["losses"] = wdl.losses.into();
        }
        json["estimate"] = match self.own().and_then(Sequential::estimate) {
            Some(estimate) => sprt::estimate_json(&estimate),
            None => json["elo"].clone(),
        };
        json
    }
}

fn is_open(sequence: &Sequential) -> bool {
    matches!(sequence.test(), Test::Open(_))
}

/// A test in schedule order with its path.
fn test(sequence: &Sequential) -> serde_json::Value {
    let mut json = sprt::test_json(sequence);
    let path = sequence.path().into_iter();
    json["path"] = path.map(|p| serde_json::json!([p.samples, p.evidence])).collect();
    json
}
