//! Sections that only some matches have: the sequential test, the bracket, ratings of more than two
//! engines, openings; and the dates and durations of the match.

use super::aggregate::Aggregate;
use super::match_totals::OpeningScore;
use super::page::{translated_facts, translated_table};
use super::results::percent;
use crate::bracket::Bracket;
use crate::crosstable;
use crate::plot::{Align, Chart, DataPoint, IntervalRow, Mark, TextTable, interval_plot};
use crate::{sprt, workers};
use agon_base::ordinal::Ordinal;
use agon_games::text::excerpt;
use agon_matches::schedule::ByResults as _;
use agon_matchlog::{EloScale, MatchHeader, Timestamp};
use agon_stats::{
    ConfidenceSequence, DrawModel, Model, Parameter, PathPoint, Ratings, Sequential, Test,
    TestSample, Wilson, Z95, rate, score_from_elo,
};
use maud::{Markup, html};

/// The path of the sequential test with its bounds, the verdict and the estimate after it; `None` if
/// there is no test.
pub fn test(header: &MatchHeader, all: &Aggregate) -> Option<Markup> {
    let test = all.totals.test(header)?;
    let unit = sprt::unit(&test);
    Some(html! {
        p class="verdictline" data-i18n-text { (sprt::verdict(&test)) }
        @if let Some(estimate) = sprt::estimate_of(&test) { p data-i18n-text { (estimate) } }
        figure class="single" { (test_path(&test, unit).svg()) }
        (translated_facts(&hypotheses(header)))
        p class="note" data-i18n-text {
            "The test takes " (unit) " in the order of the schedule, whichever game ended first. The \
             first that crosses a bound decides."
        }
    })
}

/// The evidence after each sample, and the bounds.
fn test_path(test: &Sequential, unit: &str) -> Chart {
    let (state, path) = (test.state(), test.path());
    let (label, bounds) = match test.test() {
        Test::Width(_) => ("width in Elo", vec![("the match ends", state.upper)]),
        Test::Betting(_) => {
            let bounds = vec![("accept H1", state.upper), ("accept H0", state.lower)];
            ("log wealth against H0, or minus that against H1", bounds)
        }
        Test::Sprt(_) | Test::Open(_) => {
            let bounds = vec![("accept H1", state.upper), ("accept H0", state.lower)];
            ("log-likelihood ratio", bounds)
        }
    };
    let mut chart = Chart::new("Path of the test", unit, label);
    chart.width = Chart::NARROW;
    let end = path.last().map_or(1.0, |p| p.samples.max(1) as f64);
    let finite = path.iter().filter(|p| p.evidence.is_finite());
    let points = finite.map(|p| DataPoint::new(p.samples as f64, p.evidence));
    chart.add("", Mark::Line, points.collect());
    for (name, bound) in bounds {
        let line = vec![DataPoint::new(0.0, bound), DataPoint::new(end, bound)];
        chart.add(&format!("{name}: {bound:.2}"), Mark::Dashed, line);
    }
    chart
}

/// Maximum number of points of the score's line.
const MOST_POINTS: usize = 200;

/// The score of the first engine after each pair, with the interval that holds at all times; `None` for
/// other matches than those of two engines in pairs.
pub fn score_by_pair(header: &MatchHeader, all: &Aggregate) -> Option<Markup> {
    let sequence = all.totals.sequence(header).filter(|s| s.sample() == TestSample::Pair)?;
    let path = sequence.path();
    let last = path.last()?.samples;
    let stride = path.len().div_ceil(MOST_POINTS);
    // Every point counts from the last one back, so that the line ends with the match.
    let mut points: Vec<DataPoint> = path.iter().rev().step_by(stride).map(score_point).collect();
    points.reverse();
    let end = *points.last()?;
    let mut chart = Chart::new("Score after each pair", "pairs", "");
    chart.y_label = format!("score of {}", excerpt(&header.engines[0].name));
    chart.width = Chart::NARROW;
    chart.percent = true;
    // The first intervals are nearly the whole range; the last one has to be readable.
    let half = end.interval.map_or(0.5, |(low, high)| 2.0 * (high - low)).max(0.02);
    chart.y_range = Some(((end.y - half).clamp(0.0, 0.5), (end.y + half).clamp(0.5, 1.0)));
    chart.add("", Mark::Line, points);
    let even = [0.0, last as f64].map(|x| DataPoint::new(x, 0.5));
    chart.add("equal", Mark::Dashed, even.to_vec());
    Some(html! {
        figure class="single" { (chart.svg()) }
        p class="note" data-i18n-text {
            "The band is the 95% confidence sequence: with a probability of 95% it holds after every pair \
             at once, however often one looks."
        }
        @if let Some(now) = sprt::confidence(&sequence) { p class="note" data-i18n-text { (now) } }
    })
}

/// The mean score at a point of the path, with the interval that holds at all times.
fn score_point(point: &PathPoint) -> DataPoint {
    let counts = (0u64..).zip(point.pairs.counts);
    let quarters: u64 = counts.map(|(half_points, n)| half_points * n).sum();
    let mean = quarters as f64 / (4 * point.pairs.pairs()).max(1) as f64;
    let interval = ConfidenceSequence::of_pairs(point.pairs);
    let [low, high] = [interval.low, interval.high].map(score_from_elo);
    DataPoint::with_interval(point.samples as f64, mean, low, high)
}

/// The parameters of the test.
fn hypotheses(header: &MatchHeader) -> Vec<(String, String)> {
    let name = &header.engines[0].name;
    let Some(entry) = &header.sprt else {
        let width = header.until_width.unwrap_or_default();
        let rule = format!("once the 95% confidence sequence is at most {width} Elo wide");
        return vec![("the match ends".into(), rule)];
    };
    let scale = match entry.model {
        EloScale::Logistic => "Elo",
        EloScale::Normalised => "normalised Elo",
    };
    let row = |name: &str, value: String| (name.to_string(), value);
    vec![
        row("H0", format!("{} {scale} for {name}", entry.elo0)),
        row("H1", format!("{} {scale} for {name}", entry.elo1)),
        row("alpha", format!("{}: probability of accepting H1 if H0 is true", entry.alpha)),
        row("beta", format!("{}: probability of accepting H0 if H1 is true", entry.beta)),
    ]
}

/// The bracket of a knockout; `None` for other formats.
pub fn bracket(header: &MatchHeader, all: &Aggregate) -> Option<Markup> {
    let rounds = header.schedule.bracket(&all.totals.results)?;
    let names = names(header);
    let bracket = Bracket { rounds: &rounds, names: &names };
    let winner = header.schedule.winner(&all.totals.results).and_then(|w| names.get(w));
    Some(html! {
        @if let Some(winner) = winner { p class="verdictline" data-i18n-text { "Winner: " (winner) } }
        div class="scroll" tabindex="0" { (bracket.svg()) }
        p class="note" data-i18n-text {
            "Points in the games of each encounter, tiebreaks included; (seed): a drawn encounter, in \
             which the better seed advances."
        }
    })
}

/// The bracket as text.
pub fn bracket_text(header: &MatchHeader, all: &Aggregate) -> Option<String> {
    let rounds = header.schedule.bracket(&all.totals.results)?;
    Some(Bracket { rounds: &rounds, names: &names(header) }.text())
}

fn names(header: &MatchHeader) -> Vec<String> {
    header.engines.iter().map(|e| e.name.clone()).collect()
}

/// Ratings of all engines with their 95% intervals; `None` if the games do not determine them.
pub fn ratings(header: &MatchHeader, all: &Aggregate) -> Option<Markup> {
    let meetings = all.totals.meetings(header.engines.len());
    let model = Model {
        draws: DrawModel::Half,
        drawelo: Parameter::Estimated,
        advantage: Parameter::Estimated,
        prior: 0.0,
    };
    let credited = Model { prior: 1.0, ..model };
    let (ratings, has_prior) = match rate(&meetings, &model) {
        Ok(ratings) => (ratings, false),
        Err(_) => (rate(&meetings, &credited).ok()?, true),
    };
    Some(html! {
        figure class="single" { (rating_plot(header, &ratings)) }
        p class="note" data-i18n-text {
            "Maximum-likelihood ratings from all games, mean 0, with 95% intervals computed from pairs."
            @if has_prior { " Every engine is credited with one draw, because some never won or never lost." }
        }
    })
}

fn rating_plot(header: &MatchHeader, ratings: &Ratings) -> Markup {
    let mut estimates: Vec<IntervalRow> = header
        .engines
        .iter()
        .zip(&ratings.elo)
        .enumerate()
        .map(|(i, (engine, &value))| {
            let half = Z95 * ratings.error(i, true);
            IntervalRow { name: engine.name.clone(), value, interval: (value - half, value + half) }
        })
        .collect();
    estimates.sort_by(|a, b| b.value.total_cmp(&a.value));
    interval_plot("Ratings", "Elo", &estimates)
}

/// The machines that played, compared with each other; `None` if the log names none and only one played.
pub fn machines(header: &MatchHeader, all: &Aggregate) -> Option<Markup> {
    let played = &all.totals.workers;
    if !played.are_known() {
        let said = workers::text(header, played);
        let is_said = !said.is_empty();
        return is_said.then(|| html! { p data-i18n-text { (workers::UNKNOWN) } });
    }
    let comparison = played.compare();
    Some(html! {
        @if comparison.rows.len() > 1 {
            (translated_table(&workers::table(header, &comparison), &[]))
        }
        @for sentence in workers::sentences(&comparison) { p data-i18n-text { (sentence) } }
    })
}

/// Maximum number of openings in the table.
const MOST_ROWS: usize = 100;

/// The score by opening; `None` if all games have the same one.
pub fn openings(header: &MatchHeader, all: &Aggregate) -> Option<Markup> {
    let Some(openings) = &all.totals.openings else {
        return Some(
            html! { p data-i18n-text { "The games have too many different openings for a table." } },
        );
    };
    if openings.len() < 2 {
        return None;
    }
    let mut rows: Vec<(&String, &OpeningScore)> = openings.iter().collect();
    rows.sort_by_key(|(_, s)| (std::cmp::Reverse(s.first_player.games()), s.game));
    let two = header.engines.len() == 2;
    Some(html! {
        div class="scroll games" tabindex="0" {
            table {
                thead {
                    tr {
                        th class="t" data-i18n-text { "opening" }
                        @for head in ["games", "first player W-D-L", "its score", "95% Wilson (wins)"] {
                            th class="n" data-i18n-text { (head) }
                        }
                        @if two { th class="n" data-i18n-text { (header.engines[0].name) " W-D-L" } }
                        th class="n" data-i18n-text { "first game" }
                    }
                }
                tbody {
                    @for (opening, score) in rows.iter().take(MOST_ROWS) {
                        (opening_row(opening, score, two, all))
                    }
                }
            }
        }
        @if rows.len() > MOST_ROWS {
            p class="note" data-i18n-text {
                "The " (MOST_ROWS) " openings with the most games of " (rows.len()) "."
            }
        }
    })
}

fn opening_row(opening: &str, score: &OpeningScore, two: bool, all: &Aggregate) -> Markup {
    let wdl = score.first_player;
    let moves = opening.strip_prefix("startpos moves ").unwrap_or(opening);
    let wilson = Wilson::new(wdl.wins, wdl.games());
    html! {
        tr {
            td class="t mono" title=(excerpt(opening)) { (excerpt(moves)) }
            td class="n" { (wdl.games()) }
            td class="n" { (crosstable::wdl(wdl)) }
            td class="n" { (percent(wdl.score())) }
            td class="n" {
                @if let Some(w) = wilson { (format!("{:.0} to {:.0}%", 100.0 * w.low, 100.0 * w.high)) }
            }
            @if two { td class="n" { (crosstable::wdl(score.first_engine)) } }
            td class="n" { (game_link(all, score.game)) }
        }
    }
}

/// The number of a game, as a link into its replay if the page has one.
fn game_link(all: &Aggregate, game: u64) -> Markup {
    let number = Ordinal::of_index(game);
    html! {
        @if all.sample.contains_key(&game) { a href={ "#game-" (number) } { (number) } }
        @else { (number) }
    }
}

/// Dates and durations.
pub fn times(header: &MatchHeader, all: &Aggregate) -> Markup {
    let totals = &all.totals;
    let began = totals.began.or_else(|| header.origin.as_ref().map(|o| o.started));
    let mean = totals.thinking.mean().map_or("-".into(), |us| duration(us / 1e6));
    let total = duration(totals.thinking.sum as f64 / 1e6);
    let mut rows: Vec<(String, String)> = Vec::new();
    rows.extend(began.map(|t| ("first game began".into(), date(t))));
    rows.extend(totals.ended.map(|t| ("last game ended".into(), date(t))));
    if let (Some(began), Some(ended)) = (totals.began, totals.ended) {
        let seconds = ended.duration_since(began).as_secs_f64();
        rows.push(("between them".into(), duration(seconds)));
    }
    rows.push(("thinking time".into(), format!("{total}, mean per game {mean}")));
    html! {
        (translated_facts(&rows))
        @if let Some((us, game)) = totals.longest {
            p {
                span data-i18n-text { "The game with the most thinking time:" } " "
                (game_link(all, game)) " (" (duration(us as f64 / 1e6)) ")"
            }
        }
    }
}

/// A time in UTC, to the second.
pub(super) fn date(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// A duration with two units at most: `2 h 05 min`, `3 min 20 s`, `1.25 s`.
pub(super) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match seconds {
        s if s < 0.1 => format!("{:.2} ms", 1e3 * s),
        s if s < 60.0 => format!("{s:.2} s"),
        s if s < 3600.0 => format!("{} min {:02} s", whole / 60, whole % 60),
        s if s < 172_800.0 => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
        _ => format!("{} d {:02} h", whole / 86_400, whole / 3600 % 24),
    }
}

/// The losses of each engine by reason: a table that stays narrow with many engines.
pub fn losses(header: &MatchHeader, all: &Aggregate) -> Markup {
    let reasons: Vec<(usize, &str)> = super::aggregate::REASONS
        .iter()
        .enumerate()
        .filter(|(i, _)| *i == 0 || all.reasons[*i] > 0)
        .map(|(i, reason)| (i, if i == 0 { "by the rules" } else { reason.name() }))
        .collect();
    let names: Vec<&str> = reasons.iter().map(|(_, name)| *name).collect();
    let mut table = TextTable::new(&[(Align::Left, &["lost by"]), (Align::Right, &names)]);
    for (engine, losses) in header.engines.iter().zip(&all.losses) {
        let counts = reasons.iter().map(|&(i, _)| losses[i].to_string());
        table.row(std::iter::once(engine.name.clone()).chain(counts));
    }
    translated_table(&table, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units() {
        let expected = ["1.50 ms", "1.25 s", "3 min 20 s", "2 h 05 min", "3 d 01 h"];
        assert_eq!([0.0015, 1.25, 200.0, 7500.0, 262_800.0].map(duration), expected);
    }
}
