//! The statistics of the games between two engines by all methods, as text and as JSON.

use agon_games::Player;
use agon_report::sprt;
use agon_stats::{
    Betting, ConfidenceSequence, Elo, Estimate, Expected, Figure, GameScore, PairBook, Pentanomial,
    Sequential, Sprt, SprtState, SprtVerdict, Tally, Test, TestMethod, TestSample, e_values,
    score_from_elo,
};
use std::fmt::Write;

/// The hypotheses and error probabilities of the tests.
#[derive(Clone, Copy, Debug)]
pub struct Hypotheses {
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1.
    pub elo1: f64,
    /// Probability of accepting H1 under H0.
    pub alpha: f64,
    /// Probability of accepting H0 under H1.
    pub beta: f64,
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
    pub fn new(
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
    pub fn of_pairs(hypotheses: Hypotheses, sprt: Sprt, pairs: Pentanomial) -> Statistics {
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
        let wdl = self.tally.wdl();
        if wdl.games() > 0 {
            let counts = format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses);
            row("won-drawn-lost", &counts, &format!("{} games", wdl.games()));
        }
        let pairs = self.tally.pairs;
        let remark =
            format!("{} pairs, {} games outside", pairs.pairs(), self.tally.outside_pairs());
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
        for sequence in self.sequences.iter().filter(|s| !is_open(s)) {
            row("in schedule order", &sprt::verdict(sequence), "");
        }
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

/// A figure of the self-test as a line of a table or of JSON.
pub fn figure(figure: &Figure, json: bool) -> String {
    let expected = match figure.expected {
        Expected::AtMost(x) => format!("at most {x}"),
        Expected::AtLeast(x) => format!("at least {x}"),
        Expected::About(x, within) => format!("{x} within {within}"),
        Expected::Nothing => String::new(),
    };
    let verdict = if figure.holds() { "" } else { "NOT AS PROMISED" };
    if json {
        let json = serde_json::json!({
            "method": figure.method, "case": figure.case, "figure": figure.what,
            "value": figure.value, "standard_error": figure.error,
            "expected": expected, "holds": figure.holds(),
        });
        return json.to_string();
    }
    let (method, case, what) = (figure.method, &figure.case, figure.what);
    let digits = if figure.value.abs() >= 10.0 { 1 } else { 4 };
    let line = format!(
        "{method:<20} {case:<32} {what:<33} {:>9.digits$} +- {:<8.digits$} {expected} {verdict}",
        figure.value, figure.error
    );
    line.trim_end().to_string()
}
