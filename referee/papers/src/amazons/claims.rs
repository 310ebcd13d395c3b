//! The paper's claims, decided by our own figures in each reading.
//!
//! The range of move numbers that the fits cover is split into thirds: opening, middle game,
//! endgame.

use super::findings::{Ratio, ReadingResult, THIRDS};
use super::{PAPER_GAMES, PAPER_MOVE_MS, PAPER_WINS, Reading};
use crate::fits::FitSeries;
use agon_claims::report::{Claim, Finding, Share, Statement, Unit};
use agon_report::report::search_statistics::{EngineSearchTotals, Moments};

/// "Far more" nodes: at least this factor.
const FAR_MORE: f64 = 2.0;
/// A curve rises or falls if its ends differ from its peak by this share of the peak.
const CLEARLY: f64 = 0.2;
/// Number of games that the test of every claim needs: with fewer, single games move the peak of a
/// curve.
pub(super) const ENOUGH_GAMES: u64 = 20;

/// Start, peak and end of a fitted curve.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Shape {
    from: f64,
    to: f64,
    peak: f64,
    /// Values at `from`, `peak` and `to`.
    values: [f64; 3],
}

impl Shape {
    fn of(series: &FitSeries) -> Option<Shape> {
        let fit = series.fit.as_ref().ok()?;
        let (from, to) = (series.points.first()?.x, series.points.last()?.x);
        let (peak, top) = series.peak()?;
        Some(Shape { from, to, peak, values: [fit.at(from), top, fit.at(to)] })
    }

    /// The relative position of the peak in the range, from 0 to 1.
    fn place(&self) -> f64 {
        (self.peak - self.from) / (self.to - self.from)
    }

    fn rises(&self) -> bool {
        self.values[0] <= (1.0 - CLEARLY) * self.values[1]
    }

    fn falls(&self) -> bool {
        self.values[2] <= (1.0 - CLEARLY) * self.values[1]
    }

    fn words(&self) -> String {
        let [begin, top, end] = self.values.map(|v| v.max(0.0));
        format!(
            "the fit goes from {begin:.0} nodes at move {:.0} to its peak of {top:.0} at move \
             {:.1} ({:.0}% of the way) and to {end:.0} at move {:.0}",
            self.from,
            self.peak,
            100.0 * self.place(),
            self.to
        )
    }
}

/// The share of the paper's games in one reading. Games with another time are none of them.
fn share(findings: &ReadingResult) -> Share {
    let games = match findings.move_ms {
        Some(PAPER_MOVE_MS) => findings.wdl().games(),
        _ => 0,
    };
    games_share(games)
}

fn games_share(games: u64) -> Share {
    Share::of_sample(games, PAPER_GAMES.iter().sum(), ENOUGH_GAMES, Unit::Games)
}

/// The claims of the paper in one reading; only the first is in the paper's words.
pub(super) fn all(findings: &ReadingResult) -> [Claim; 6] {
    let share = share(findings);
    let far_more = |what, of| far_more(what, share, findings, of);
    [
        strength(share, findings),
        far_more(["leaves", "叶节点"], |e| e.total.leaves),
        far_more(["nodes", "节点"], |e| e.total.nodes),
        rise_then_late_fall(share, &findings.series[0]),
        fall_from_the_middle_game(share, &findings.series[1]),
        growing_advantage(share, findings),
    ]
    .map(|claim| match findings.reading {
        Reading::Literal => claim.in_reading(Reading::Literal.name()),
        reading => claim.in_our_reading(reading.name()),
    })
}

/// The index of the claim about leaves in [`all`].
pub(super) const LEAVES: usize = 1;

/// PVS wins nearly all games.
fn strength(share: Share, findings: &ReadingResult) -> Claim {
    let (wins, games) = (findings.wdl().wins, findings.wdl().games());
    let [paper_wins, paper_games] = [PAPER_WINS, PAPER_GAMES].map(|n| n.iter().sum::<u64>() as f64);
    let (finding, evidence) = match findings.rate() {
        None => (Finding::Unclear, "no games".into()),
        Some(w) => (
            Finding::of_rate(paper_wins / paper_games, 0.5, w),
            format!(
                "{wins} of {games} games won; 95% Wilson interval {:.1} to {:.1}%, the paper: \
                 {:.1}%",
                100.0 * w.low,
                100.0 * w.high,
                100.0 * paper_wins / paper_games
            ),
        ),
    };
    let [first, second] = [0, 1].map(|i| format!("{} of {}", PAPER_WINS[i], PAPER_GAMES[i]));
    Statement::paper(
        "2.1, table 1",
        "PVS plays far better than alpha-beta with the same evaluation",
        "在评估函数相同的情况下，PVS 的棋力远胜 alpha-beta",
    )
    .judged(share, finding, evidence)
    .published(format!("{first} won as first player, {second} as second"))
}

/// PVS visits far more leaves, or nodes; `what`: in English and in Chinese.
fn far_more(
    [what, chinese]: [&str; 2],
    share: Share,
    findings: &ReadingResult,
    of: fn(&EngineSearchTotals) -> Moments,
) -> Claim {
    let means = [0, 1].map(|i| of(&findings.effort[i]).mean());
    let (finding, evidence) = match (means, findings.ratio(of)) {
        ([Some(pvs), Some(other)], Some(ratio)) => (
            far_more_finding([ratio.low, ratio.high]),
            format!(
                "{pvs:.0} {what} per move against {other:.0}: {:.2} times as many, 95% interval \
                 {:.2} to {:.2}, criterion: {FAR_MORE} times",
                ratio.value, ratio.low, ratio.high
            ),
        ),
        _ => (Finding::Unclear, format!("the engines report no {what}")),
    };
    Statement::paper(
        "2.2, figures 2 and 3",
        format!("PVS visits far more {what} than alpha-beta"),
        format!("PVS 访问的{chinese}远多于 alpha-beta"),
    )
    .judged(share, finding, evidence)
    .published("far more; figures 2 and 3 are images without numbers in the text")
}

/// "Far more": at least [`FAR_MORE`] times as many; more at all is the direction.
fn far_more_finding(interval: [f64; 2]) -> Finding {
    match (Finding::above(FAR_MORE, interval), Finding::above(1.0, interval)) {
        (Finding::Holds, _) => Finding::Holds,
        (_, Finding::Holds) => Finding::Direction,
        (_, finding) => finding,
    }
}

/// Section 3, which compares the two fitted curves: the ratio of their nodes by third of the game.
fn growing_advantage(share: Share, findings: &ReadingResult) -> Claim {
    let (finding, evidence) = match findings.ratios_by_third() {
        None => (Finding::Unclear, "no fit to compare".into()),
        Some(ratios) => {
            let names = ["opening", "middle game", "endgame"].into_iter().zip(ratios);
            let words: Vec<String> = names
                .map(|(name, r)| format!("{name} {:.2} ({:.2} to {:.2})", r.value, r.low, r.high))
                .collect();
            let growth = ratios[2].over(ratios[0]);
            let words = format!(
                "PVS's nodes as a multiple of alpha-beta's, by the fits: {}; endgame over opening {:.2} \
                 ({:.2} to {:.2}); criterion: not above 1 in the opening, above 1 in the endgame, and growing",
                words.join(", "),
                growth.value,
                growth.low,
                growth.high
            );
            (grows(ratios), words)
        }
    };
    Statement::paper(
        "section 3",
        "PVS is not ahead in the opening; its advantage grows during the game",
        "PVS 在开局阶段并不领先，其优势随对局推进而增大",
    )
    .judged(share, finding, evidence)
    .published("\"not ahead in the opening, ... more and more, clearest in the endgame\", from figures 2 and 3")
}

/// Whether an advantage by thirds is none in the opening and grows to the endgame. Direction only: it grows, and PVS is
/// ahead in the opening already, or not yet in the endgame, or falls back in between.
fn grows([opening, middle, endgame]: [Ratio; THIRDS]) -> Finding {
    let growth = endgame.over(opening);
    let whole = opening.low <= 1.0
        && endgame.low > 1.0
        && opening.value < middle.value
        && middle.value < endgame.value;
    match Finding::above(1.0, [growth.low, growth.high]) {
        Finding::Holds if !whole => Finding::Direction,
        finding => finding,
    }
}

/// Figure 2: PVS's nodes grow until the endgame and then fall.
fn rise_then_late_fall(share: Share, series: &FitSeries) -> Claim {
    let statement = Statement::paper(
        "2.2, figure 2",
        "PVS: visited nodes rise until the endgame and then fall",
        "PVS：访问的节点数上升到残局，然后下降",
    );
    let claim = shape(
        share,
        series,
        statement,
        "criterion: a rise and a fall of 20% of the peak, and a peak in the last third",
        |s| s.rises() && s.falls() && s.place() >= 2.0 / 3.0,
    );
    claim.published("figure 2, a fit of degree 6")
}

/// Figure 3: alpha-beta's nodes fall from the middle game on.
fn fall_from_the_middle_game(share: Share, series: &FitSeries) -> Claim {
    let statement = Statement::paper(
        "2.2, figure 3",
        "alpha-beta: visited nodes rise in the opening and fall from the middle game to the end",
        "alpha-beta：访问的节点数在开局上升，从中局到终局下降",
    );
    let claim = shape(
        share,
        series,
        statement,
        "criterion: a fall of 20% of the peak, and a peak after the first move and before the last third",
        |s| s.falls() && s.place() > 0.0 && s.place() < 2.0 / 3.0,
    );
    claim.published("figure 3, a fit of degree 6")
}

fn shape(
    share: Share,
    series: &FitSeries,
    statement: Statement,
    criterion: &str,
    holds: impl Fn(&Shape) -> bool,
) -> Claim {
    let (finding, evidence) = match Shape::of(series) {
        None => (Finding::Unclear, "no fit".into()),
        Some(s) => (Finding::exact(holds(&s)), format!("{}; {criterion}", s.words())),
    };
    statement.judged(share, finding, evidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_claims::claim::assert_bilingual;
    use agon_claims::report::ClaimVerdict;
    use agon_report::report::search_statistics::MoveEffort;
    use agon_stats::FitPoint;

    fn series(curve: impl Fn(f64) -> f64) -> FitSeries {
        let points = (1..=40).map(|i| {
            let x = f64::from(i);
            FitPoint { x, y: curve(x), weight: 10.0 }
        });
        FitSeries::new("s", points.collect(), 0.0, 6)
    }

    #[test]
    fn games_at_another_time_decide_nothing() {
        let short = ReadingResult { move_ms: Some(100), ..findings(20, [300, 100]) };
        for claim in all(&short) {
            assert_eq!(claim.verdict(), ClaimVerdict::Open, "{}", claim.text());
            assert_eq!(claim.share_text(), "0 of 1,108 games (0%)");
        }
        assert_eq!(all(&findings(20, [300, 100]))[LEAVES].verdict(), ClaimVerdict::Reproduced);
    }

    #[test]
    fn a_late_peak_and_an_early_one_are_told_apart() {
        let late = series(|x| 1000.0 - (x - 32.0) * (x - 32.0));
        let early = series(|x| 1000.0 - (x - 12.0) * (x - 12.0));
        let rising = series(|x| 100.0 * x);
        assert_eq!(
            rise_then_late_fall(games_share(50), &late).verdict(),
            ClaimVerdict::No,
            "a fall of 6% is none"
        );
        let late = series(|x| 1000.0 - 4.0 * (x - 30.0) * (x - 30.0));
        assert_eq!(rise_then_late_fall(games_share(50), &late).verdict(), ClaimVerdict::Reproduced);
        assert_eq!(rise_then_late_fall(games_share(50), &early).verdict(), ClaimVerdict::No);
        assert_eq!(rise_then_late_fall(games_share(50), &rising).verdict(), ClaimVerdict::No);
        assert_eq!(
            fall_from_the_middle_game(games_share(50), &early).verdict(),
            ClaimVerdict::Reproduced
        );
        assert_eq!(fall_from_the_middle_game(games_share(50), &late).verdict(), ClaimVerdict::No);
        for games in [3, ENOUGH_GAMES - 1] {
            assert_eq!(
                fall_from_the_middle_game(games_share(games), &early).verdict(),
                ClaimVerdict::Open
            );
        }
    }

    fn findings(wins: u64, leaves: [u64; 2]) -> ReadingResult {
        let mut effort = [EngineSearchTotals::default(), EngineSearchTotals::default()];
        for (effort, n) in effort.iter_mut().zip(leaves) {
            let decision = MoveEffort { us: 1000, depth: Some(0), nodes: None, leaves: Some(n) };
            effort.push(0, decision);
        }
        let as_first = agon_stats::Wdl::new(wins, 0, 20 - wins);
        let tally = agon_stats::Tally { as_first, ..Default::default() };
        let series = [series(|_| 300.0), series(|_| 100.0)];
        ReadingResult {
            reading: Reading::Literal,
            tally,
            effort,
            series,
            move_ms: Some(PAPER_MOVE_MS),
        }
    }

    #[test]
    fn far_more_is_twice_as_many() {
        assert_bilingual(&all(&findings(20, [3, 1])));
        let claim = |a, b| all(&findings(20, [a, b]))[LEAVES].clone();
        assert_eq!(claim(300, 100).verdict(), ClaimVerdict::Reproduced);
        assert_eq!(claim(150, 100).verdict(), ClaimVerdict::Direction);
        assert_eq!(claim(90, 100).verdict(), ClaimVerdict::No);
        assert!(claim(300, 100).evidence().contains("300 leaves per move against 100: 3.00 times"));
        let nodes = &all(&findings(20, [1, 1]))[LEAVES + 1];
        assert_eq!(
            (nodes.verdict(), nodes.evidence()),
            (ClaimVerdict::Open, "the engines report no nodes")
        );
    }

    /// The games are few: a mean of varied moves does not tell twice as many from as many.
    #[test]
    fn a_ratio_whose_interval_has_the_bar_in_it_is_undecided() {
        let with = |leaves: [u64; 2]| {
            let mut findings = findings(20, leaves);
            for (effort, n) in findings.effort.iter_mut().zip(leaves) {
                let decision =
                    MoveEffort { us: 1000, depth: None, nodes: None, leaves: Some(3 * n) };
                effort.push(1, decision);
            }
            all(&findings)[LEAVES].clone()
        };
        assert_eq!(with([250, 100]).verdict(), ClaimVerdict::Direction, "above 1 for certain");
        assert_eq!(with([150, 100]).verdict(), ClaimVerdict::Open);
        assert_eq!(with([900, 100]).verdict(), ClaimVerdict::Reproduced);
        assert_eq!(with([50, 100]).verdict(), ClaimVerdict::No);
        // Two moves of 1 and 3 units vary by half of the square of their mean.
        let factor = (agon_stats::Z95 * (2.0 * 0.5 / 20.0f64).sqrt()).exp();
        let high = format!("95% interval {:.2} to {:.2}", 2.5 / factor, 2.5 * factor);
        assert!(with([250, 100]).evidence().contains(&high), "{high}");
    }

    #[test]
    fn strength_needs_the_papers_rate_and_its_direction_an_interval_above_half() {
        let claim = |wins| all(&findings(wins, [1, 1]))[0].clone();
        assert_eq!(claim(19).verdict(), ClaimVerdict::Direction, "76.4 to 99.1%");
        assert_eq!(claim(12).verdict(), ClaimVerdict::Open);
        assert_eq!(claim(3).verdict(), ClaimVerdict::No);
        assert!(claim(19).evidence().contains("19 of 20 games won"));
        assert!(claim(19).paper().contains("606 of 610"));
        assert_eq!(claim(19).reading(), "literal");
    }

    #[test]
    fn an_advantage_grows_if_the_endgame_is_certainly_beyond_the_opening() {
        let ratio = |value: f64| Ratio { value, low: value / 1.2, high: value * 1.2 };
        let finding = |values: [f64; 3]| grows(values.map(ratio));
        assert_eq!(finding([0.9, 2.0, 5.0]), Finding::Holds);
        assert_eq!(
            finding([12.0, 60.0, 600.0]),
            Finding::Direction,
            "ahead in the opening already"
        );
        assert_eq!(finding([0.2, 0.4, 0.8]), Finding::Direction, "never ahead");
        assert_eq!(finding([0.9, 6.0, 5.0]), Finding::Direction, "falls back in the endgame");
        assert_eq!(finding([0.8, 0.5, 0.2]), Finding::Fails);
        assert_eq!(finding([1.0, 1.05, 1.1]), Finding::Unclear);
    }

    #[test]
    fn the_advantage_is_the_ratio_of_the_fits_in_each_third() {
        let mut findings = findings(19, [1, 1]);
        let with_intervals = |curve: fn(f64) -> f64| {
            let mut series = series(curve);
            series.intervals = series.points.iter().map(|p| (0.9 * p.y, 1.1 * p.y)).collect();
            series
        };
        findings.series =
            [with_intervals(|x| 100.0 + 5.0 * x), with_intervals(|x| 400.0 - 8.0 * x)];
        let claim = &all(&findings)[5];
        assert_eq!(claim.verdict(), ClaimVerdict::Reproduced, "{}", claim.evidence());
        // Moves 1 to 13, 14 to 26 and 27 to 40: means of 7, 20 and 33.5.
        for part in
            ["opening 0.39", "middle game 0.83", "endgame 2.03", "endgame over opening 5.16"]
        {
            assert!(claim.evidence().contains(part), "{part} in {}", claim.evidence());
        }
        findings.series.swap(0, 1);
        assert_eq!(all(&findings)[5].verdict(), ClaimVerdict::No);
        findings.series[0].fit = Err(agon_stats::FitError::BadPoint { index: 0 });
        assert_eq!(all(&findings)[5].verdict(), ClaimVerdict::Open);
    }
}
