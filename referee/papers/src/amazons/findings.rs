//! Our figures, by reading of the paper.

use super::{ForeignLog, PAPER_GAMES, PAPER_WINS, Reading, readings_of};
use crate::fits::FitSeries;
use agon_matchlog::MatchHeader;
use agon_report::report::aggregate::Aggregate;
use agon_report::report::search_statistics::{EngineSearchTotals, Moments};
use agon_stats::{FitPoint, Tally, Wdl, Wilson, Z95};

/// Number of parts of a game: opening, middle game, endgame.
pub(super) const THIRDS: usize = 3;
/// Degree of the paper's fits.
const DEGREE: usize = 6;
/// The fits exclude move numbers that fewer than one game in this many reaches: these would bend
/// the polynomial although they have little weight.
const RARE: u64 = 10;

/// The games of one reading.
pub(super) struct ReadingResult {
    pub reading: Reading,
    /// From the point of view of PVS.
    pub tally: Tally,
    /// PVS and alpha-beta.
    pub effort: [EngineSearchTotals; 2],
    /// Nodes by move number of PVS and of alpha-beta.
    pub series: [FitSeries; 2],
    /// The time per move of alpha-beta, in milliseconds.
    pub move_ms: Option<u64>,
}

impl ReadingResult {
    /// All readings of a log, in its order.
    pub fn of_log(header: &MatchHeader, log: &Aggregate) -> Result<Vec<ReadingResult>, ForeignLog> {
        let offset = opening_moves(log);
        let of = |(i, reading): (usize, Reading)| {
            let engines = [2 * i, 2 * i + 1];
            let tally = log.meetings.get(&engines).map_or(Tally::default(), |m| m.tally());
            let effort = engines.map(|e| log.searches.get(e).cloned().unwrap_or_default());
            let games = tally.wdl().games();
            let series = |k: usize| node_series(&effort[k], ALGORITHMS[k], games, offset);
            ReadingResult {
                reading,
                tally,
                series: [series(0), series(1)],
                effort,
                move_ms: header.engines.get(engines[1]).and_then(|e| e.limit.move_ms),
            }
        };
        Ok(readings_of(header)?.into_iter().enumerate().map(of).collect())
    }

    /// Wins, draws and losses of PVS in all games.
    pub fn wdl(&self) -> Wdl {
        self.tally.wdl()
    }

    /// PVS's rate of wins.
    pub fn rate(&self) -> Option<Wilson> {
        Wilson::new(self.wdl().wins, self.wdl().games())
    }

    /// How many times as much as alpha-beta PVS has in a mean.
    pub fn ratio(&self, of: fn(&EngineSearchTotals) -> Moments) -> Option<Ratio> {
        let sums = [0, 1].map(|i| of(&self.effort[i]));
        let [pvs, other] = sums.map(|s| s.mean().filter(|&x| x > 0.0));
        let (value, games) = (pvs? / other?, self.wdl().games().max(1) as f64);
        let variance: f64 = sums.iter().filter_map(relative_variance).sum();
        let factor = (Z95 * (variance / games).sqrt()).exp();
        Some(Ratio { value, low: value / factor, high: value * factor })
    }

    /// The same for the nodes in the opening, the middle game and the endgame, from the two fits, as the paper compares
    /// them in section 3: the thirds of the move numbers that both fits cover. `None` if a fit is missing or falls to 0.
    pub fn ratios_by_third(&self) -> Option<[Ratio; THIRDS]> {
        let range = |s: &FitSeries| Some((s.points.first()?.x, s.points.last()?.x));
        let [a, b] = [range(&self.series[0])?, range(&self.series[1])?];
        let (from, to) = (a.0.max(b.0), a.1.min(b.1));
        let part = |i: usize| from + (to - from) * i as f64 / THIRDS as f64;
        let ratios: Option<Vec<Ratio>> = (0..THIRDS)
            .map(|i| {
                let last = i + 1 == THIRDS;
                self.ratio_within(|x| x >= part(i) && (x < part(i + 1) || last && x <= to))
            })
            .collect();
        ratios?.try_into().ok()
    }

    /// The ratio of the means of the fits over these move numbers.
    fn ratio_within(&self, is_in: impl Fn(f64) -> bool) -> Option<Ratio> {
        let (mut means, mut variance) = ([0.0; 2], 0.0);
        for (mean, series) in means.iter_mut().zip(&self.series) {
            let fit = series.fit.as_ref().ok()?;
            let kept = || series.points.iter().zip(&series.intervals).filter(|(p, _)| is_in(p.x));
            let count = kept().count() as f64;
            *mean = kept().map(|(p, _)| fit.at(p.x)).sum::<f64>() / count;
            // As if each move number gave an independent mean, the interval would be narrower by the root of their
            // number; moves of a game depend on each other.
            let off = kept().map(|(p, (_, high))| ((high - p.y) / Z95 / *mean).powi(2));
            variance += off.sum::<f64>() / count;
        }
        let [pvs, other] = means;
        let value = Some(pvs / other).filter(|_| pvs > 0.0 && other > 0.0)?;
        let factor = (Z95 * variance.sqrt()).exp();
        Some(Ratio { value, low: value / factor, high: value * factor })
    }

    /// The share of alpha-beta's moves without a finished iteration.
    pub fn unfinished(&self) -> Option<f64> {
        let total = self.effort[1].total;
        (total.us.count > 0).then(|| total.unfinished as f64 / total.us.count as f64)
    }

    /// Whether the paper's rates as first and as second player lie within our intervals.
    pub fn gives_table_one(&self) -> bool {
        [self.tally.as_first, self.tally.as_second].iter().enumerate().all(|(i, wdl)| {
            let paper = PAPER_WINS[i] as f64 / PAPER_GAMES[i] as f64;
            Wilson::new(wdl.wins, wdl.games()).is_some_and(|w| w.contains(paper))
        })
    }
}

/// A ratio of two means with its 95% interval. The moves of a game depend on each other, so the
/// interval is as wide as if each game gave one observation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Ratio {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Ratio {
    /// This ratio as a multiple of another one, whose errors are its own.
    pub fn over(self, other: Ratio) -> Ratio {
        let spread = |r: Ratio| (r.high / r.value).ln();
        let factor = spread(self).hypot(spread(other)).exp();
        let value = self.value / other.value;
        Ratio { value, low: value / factor, high: value * factor }
    }
}

/// The variance of an observation over the square of the mean.
fn relative_variance(sums: &Moments) -> Option<f64> {
    let freedom = sums.count.saturating_sub(1).max(1) as f64;
    Some(sums.within() / freedom / sums.mean()?.powi(2))
}

/// The names of the engines of a reading.
pub(super) const ALGORITHMS: [&str; 2] = ["PVS", "alpha-beta"];

/// Opening moves of each player, taken from the first game.
fn opening_moves(log: &Aggregate) -> usize {
    let opening = log.sample.values().next().map_or("", |game| game.opening.as_str());
    opening.split_once(" moves ").map_or(0, |(_, moves)| moves.split_whitespace().count()) / 2
}

/// Mean nodes by move number, with their fit.
fn node_series(effort: &EngineSearchTotals, name: &str, games: u64, offset: usize) -> FitSeries {
    let enough = games.div_ceil(RARE).max(1);
    let kept: Vec<_> = effort
        .by_move
        .iter()
        .map(|e| e.nodes)
        .enumerate()
        .filter(|(_, nodes)| nodes.count >= enough)
        .filter_map(|(i, nodes)| Some((i, nodes, nodes.mean()?)))
        .collect();
    let points = kept
        .iter()
        .map(|&(i, nodes, mean)| FitPoint {
            x: (i + offset + 1) as f64,
            y: mean,
            weight: nodes.count as f64,
        })
        .collect();
    let within = kept.iter().map(|(_, nodes, _)| nodes.within()).sum();
    let mut series = FitSeries::new(name, points, within, DEGREE);
    series.intervals =
        kept.iter().map(|&(_, nodes, mean)| nodes.interval().unwrap_or((mean, mean))).collect();
    series
}
