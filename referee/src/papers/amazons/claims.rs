//! The paper's claims about visited nodes, decided by our own figures.
//!
//! The range of move numbers that the fits cover is split into thirds: opening, middle game,
//! endgame.

use crate::papers::report::{Claim, FitSeries};
use crate::stats::Wilson;

/// "Far more" nodes: at least this factor.
const FAR_MORE: f64 = 2.0;
/// A curve rises or falls if its ends differ from its peak by this share of the peak.
const CLEARLY: f64 = 0.2;
/// Minimum number of games; below it every claim stays undecided.
const ENOUGH_GAMES: u64 = 10;

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

/// PVS wins nearly all games.
pub fn strength(wins: u64, games: u64) -> Claim {
    let text = "PVS plays far better than alpha-beta with the same evaluation";
    match Wilson::new(wins, games).filter(|_| games >= ENOUGH_GAMES) {
        None => Claim::open(text, format!("only {games} games")),
        Some(w) => Claim::new(
            text,
            w.low > 0.5,
            format!(
                "{wins} of {games} games won; 95% Wilson interval {:.1} to {:.1}%, criterion: above 50%",
                100.0 * w.low,
                100.0 * w.high
            ),
        ),
    }
}

/// PVS visits far more nodes.
pub fn far_more_nodes(games: u64, means: [Option<f64>; 2], series: &[FitSeries; 2]) -> Claim {
    let text = "PVS visits far more nodes than alpha-beta";
    let (Some(pvs), Some(alphabeta)) = (means[0], means[1]) else {
        return Claim::open(text, "no node counts");
    };
    if games < ENOUGH_GAMES {
        return Claim::open(text, format!("only {games} games"));
    }
    let theirs = |x: f64| series[1].points.iter().find(|p| p.x == x).map(|p| p.y);
    let both: Vec<bool> =
        series[0].points.iter().filter_map(|p| Some(p.y > theirs(p.x)?)).collect();
    let more = both.iter().filter(|&&m| m).count();
    Claim::new(
        text,
        pvs >= FAR_MORE * alphabeta,
        format!(
            "{pvs:.0} nodes a move against {alphabeta:.0}: {:.2} times as many, criterion: \
             {FAR_MORE} times; more at {more} of {} move numbers",
            pvs / alphabeta.max(1.0),
            both.len()
        ),
    )
}

/// Figure 2: PVS's nodes grow until the endgame and then fall.
pub fn rise_then_late_fall(games: u64, series: &FitSeries) -> Claim {
    shape(
        games,
        series,
        "PVS: visited nodes rise until the endgame and then fall (figure 2)",
        "criterion: a rise and a fall of 20% of the peak, and a peak in the last third",
        |s| s.rises() && s.falls() && s.place() >= 2.0 / 3.0,
    )
}

/// Figure 3: alpha-beta's nodes fall from the middle game on.
pub fn fall_from_the_middle_game(games: u64, series: &FitSeries) -> Claim {
    shape(
        games,
        series,
        "Alpha-beta: visited nodes rise in the opening and fall from the middle game to the end \
         (figure 3)",
        "criterion: a fall of 20% of the peak, and a peak after the first move and before the last third",
        |s| s.falls() && s.place() > 0.0 && s.place() < 2.0 / 3.0,
    )
}

fn shape(
    games: u64,
    series: &FitSeries,
    text: &str,
    criterion: &str,
    holds: impl Fn(&Shape) -> bool,
) -> Claim {
    match Shape::of(series).filter(|_| games >= ENOUGH_GAMES) {
        None => Claim::open(text, format!("no fit, or fewer than {ENOUGH_GAMES} games")),
        Some(s) => Claim::new(text, holds(&s), format!("{}; {criterion}", s.words())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::report::Verdict;
    use crate::stats::Point;

    fn series(curve: impl Fn(f64) -> f64) -> FitSeries {
        let points = (1..=40).map(|i| {
            let x = f64::from(i);
            Point { x, y: curve(x), weight: 10.0 }
        });
        FitSeries::new("s", points.collect(), 0.0, 6)
    }

    #[test]
    fn a_late_peak_and_an_early_one_are_told_apart() {
        let late = series(|x| 1000.0 - (x - 32.0) * (x - 32.0));
        let early = series(|x| 1000.0 - (x - 12.0) * (x - 12.0));
        let rising = series(|x| 100.0 * x);
        assert_eq!(rise_then_late_fall(50, &late).verdict, Verdict::No, "a fall of 6% is none");
        let late = series(|x| 1000.0 - 4.0 * (x - 30.0) * (x - 30.0));
        assert_eq!(rise_then_late_fall(50, &late).verdict, Verdict::Yes);
        assert_eq!(rise_then_late_fall(50, &early).verdict, Verdict::No);
        assert_eq!(rise_then_late_fall(50, &rising).verdict, Verdict::No);
        assert_eq!(fall_from_the_middle_game(50, &early).verdict, Verdict::Yes);
        assert_eq!(fall_from_the_middle_game(50, &late).verdict, Verdict::No);
        assert_eq!(fall_from_the_middle_game(3, &early).verdict, Verdict::Open);
    }

    #[test]
    fn far_more_is_twice_as_many() {
        let both = [series(|_| 300.0), series(|_| 100.0)];
        let claim = |a, b| far_more_nodes(50, [Some(a), Some(b)], &both);
        assert_eq!(claim(300.0, 100.0).verdict, Verdict::Yes);
        assert_eq!(claim(150.0, 100.0).verdict, Verdict::No);
        assert!(claim(300.0, 100.0).evidence.contains("3.00 times"));
        assert_eq!(far_more_nodes(50, [None, None], &both).verdict, Verdict::Open);
    }
}
