//! The report of a match log: a self-contained page, and its tables for the terminal.

use super::aggregate::{Aggregate, SizeLimits};
use super::page::{Page, translated_facts, translated_table};
use super::search_statistics::{EngineSearchTotals, Moments};
use super::{games, results, scan, sections, summary};
use crate::plot::{Chart, DataPoint, Mark, PieceStyle, Scale};
use crate::{crosstable, sprt, workers};
use agon_base::counted;
use agon_matches::schedule::ByResults as _;
use agon_matchlog::{EngineEntry, LogError, MatchHeader, Setting, caveats, head};
use maud::{Markup, html};
use std::fmt::Write;
use std::path::Path;

/// A log with its aggregated data.
#[derive(Clone, Debug)]
pub struct MatchReport {
    header: MatchHeader,
    all: Aggregate,
    pieces: PieceStyle,
    /// The hash of the last line.
    head: String,
    /// What reading it did not check.
    unchecked: Vec<&'static str>,
}

/// Options of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportOptions {
    /// Number of games, from the start of the schedule, that are listed and can be replayed; a
    /// quarter as many that ended by a fault are added.
    pub games: usize,
    /// The pieces on the page's boards before its reader changes them.
    pub pieces: PieceStyle,
}

impl Default for ReportOptions {
    /// Gives a page of about 2 MB for games of 80 plies.
    fn default() -> ReportOptions {
        ReportOptions { games: 400, pieces: PieceStyle::default() }
    }
}

impl MatchReport {
    /// Reads a log of any length in bounded memory.
    pub fn of_log(path: &Path, options: ReportOptions) -> Result<MatchReport, LogError> {
        let room = SizeLimits { first: options.games, faults: options.games.div_ceil(4) };
        let (header, all) = scan(path, room)?;
        let (head, unchecked) = (head(path)?, caveats(path)?);
        Ok(MatchReport { header, all, pieces: options.pieces, head, unchecked })
    }

    /// The same of a log that has been verified.
    #[must_use]
    pub fn verified(self) -> MatchReport {
        MatchReport { unchecked: Vec::new(), ..self }
    }

    /// The aggregated data of the report.
    pub fn aggregate(&self) -> &Aggregate {
        &self.all
    }

    /// The header of the match.
    pub fn header(&self) -> &MatchHeader {
        &self.header
    }

    fn title(&self) -> String {
        let names: Vec<&str> = self.header.engines.iter().map(|e| e.name.as_str()).collect();
        match names.as_slice() {
            [a, b] => format!("{}: {a} against {b}", self.header.game),
            _ => {
                let (game, form) = (&self.header.game, &self.header.schedule.form);
                format!("{game}: {form} of {}", counted(names.len(), "engine"))
            }
        }
    }

    /// How much of the schedule has been played.
    fn progress(&self) -> String {
        let played = self.all.games();
        let scheduled = self.header.schedule.expected_games(&self.all.totals.results);
        let mut text = if (played, scheduled) == (1, 1) {
            "the only game of the schedule".to_string()
        } else if played == scheduled {
            format!("all {} of the schedule", counted(played, "game"))
        } else if self.header.ends_early() {
            self.header.extent(played, scheduled)
        } else {
            format!("{played} of {} of the schedule", counted(scheduled, "game"))
        };
        if let Some(shard) = self.header.shard {
            let _ = write!(text, ", in part {} of {}", shard.part, shard.of);
        }
        text
    }

    /// The self-contained page.
    pub fn html(&self) -> String {
        let (header, all) = (&self.header, &self.all);
        let mut page = Page::new(&self.title(), &self.progress());
        page.lead(html! {
            @for what in self.unchecked() { p class="note" data-i18n-text { (what) } }
            (summary::cards(header, all))
            @for warning in self.warnings() { p class="warn" data-i18n-text { (warning) } }
        });
        if let Some(test) = sections::test(header, all) {
            page.section("test", "Sequential test", test);
        }
        if let Some(bracket) = sections::bracket(header, all) {
            page.section("bracket", "Bracket", bracket);
        }
        page.section("score", "Score", summary::score(header, all));
        let ends = html! {
            @if header.engines.len() > 2 {
                (translated_table(&results::ends(all), &[0]))
                (sections::losses(header, all))
            } @else {
                (translated_table(&results::reasons(header, all), &[0]))
            }
            p data-i18n-text { (results::first_player(all)) }
            div class="figures" { figure { (self.length_chart().svg()) } }
        };
        page.section("ends", "How games ended", ends);
        if let Some(openings) = sections::openings(header, all) {
            page.section("openings", "Score by opening", openings);
        }
        let effort = html! {
            (sections::times(header, all))
            (translated_table(&results::effort(header, all), &[1]))
            div class="figures" {
                @for chart in self.effort_charts() { figure { (chart.svg()) } }
            }
            p class="note" data-i18n-text {
                "Means over all games by the engine's own move number"
                @if header.engines.len() <= MOST_BANDS { ", with the 95% interval of the mean" }
                ". The referee measures the times."
            }
        };
        page.section("effort", "Time, depth and nodes", effort);
        if let Some(machines) = sections::machines(header, all) {
            page.section("machines", "Machines", machines);
        }
        page.letters(self.pieces == PieceStyle::Letters);
        games::sections(&mut page, header, &all.sample, all.games());
        page.section("conditions", "Conditions", self.conditions());
        page.html()
    }

    /// The tables for the terminal.
    pub fn text(&self) -> String {
        let (header, all) = (&self.header, &self.all);
        let mut out = format!("{}\n{}\n", self.title(), self.progress());
        // Writing to a String cannot fail.
        for what in self.unchecked() {
            let _ = writeln!(out, "{what}");
        }
        out.push('\n');
        if let Some(test) = all.totals.test(header) {
            let _ = writeln!(out, "{}", sprt::verdict(&test));
            let _ = writeln!(out, "{}\n", sprt::estimate_of(&test).unwrap_or_default());
        }
        let _ = writeln!(out, "{}", results::standings(header, all));
        let _ = writeln!(out, "{}", results::meetings(header, all));
        if header.engines.len() > 2 {
            let _ = writeln!(out, "{}{}\n", results::crosstable(header, all), crosstable::LEGEND);
        }
        if let Some(bracket) = sections::bracket_text(header, all) {
            let _ = writeln!(out, "{bracket}");
        }
        let _ = writeln!(out, "{}", results::reasons(header, all));
        let _ = writeln!(out, "{}", results::effort(header, all));
        let _ = writeln!(out, "{}", results::first_player(all));
        out.push_str(&workers::text(header, &all.totals.workers));
        for warning in self.warnings() {
            let _ = writeln!(out, "! {warning}");
        }
        let _ = writeln!(out, "hash of the last line: {}", self.head);
        out
    }

    /// What is not checked, in whole sentences.
    pub fn unchecked(&self) -> impl Iterator<Item = String> {
        self.unchecked.iter().map(|what| format!("not checked: {what}"))
    }

    /// Notes that limit the meaning of the score.
    fn warnings(&self) -> Vec<String> {
        let all = &self.all;
        let mut found: Vec<String> = Vec::new();
        if !self.header.schedule.swaps_sides() {
            found.push(
                "The sides were not swapped: scores and Elo contain the advantage of moving first."
                    .into(),
            );
        }
        for (entry, losses) in self.header.engines.iter().zip(&all.losses) {
            let faults: u64 = losses.iter().sum::<u64>() - losses[0];
            if faults > 0 {
                let (name, games) = (&entry.name, all.games());
                found.push(format!(
                    "{name} lost {faults} of {games} by faults, not on the board: the score \
                     measures its reliability as well as its play.",
                    games = counted(games, "game")
                ));
            }
        }
        found
    }

    fn length_chart(&self) -> Chart {
        let mut chart = Chart::new("Length of games", "decisions of both players", "games");
        chart.width = Chart::NARROW;
        let points = bins(&self.all.lengths).into_iter().map(|(x, n)| DataPoint::new(x, n));
        chart.add("", Mark::Columns, points.collect());
        chart
    }

    fn effort_charts(&self) -> Vec<Chart> {
        type Pick = fn(&super::search_statistics::SearchTotals) -> Moments;
        let kinds: [(&str, &str, Pick, f64, Scale); 3] = [
            ("Time by move number", "ms/move", |e| e.us, 1e-3, Scale::Linear),
            ("Depth by move number", "plies", |e| e.depth, 1.0, Scale::Linear),
            ("Nodes by move number", "nodes/move", |e| e.nodes, 1.0, Scale::Log),
        ];
        kinds
            .into_iter()
            .filter_map(|(title, label, pick, unit, scale)| {
                let mut chart = Chart::new(title, "move number of the engine", label);
                chart.width = Chart::NARROW;
                chart.y_scale = scale;
                for (entry, effort) in self.header.engines.iter().zip(&self.all.searches) {
                    let mut points = means(effort, pick, unit);
                    if self.header.engines.len() > MOST_BANDS {
                        points.iter_mut().for_each(|p| p.interval = None);
                    }
                    chart.add(&entry.name, Mark::Line, points);
                }
                // An engine that reports no depths has no line; the others keep their colours.
                chart.series.retain(|s| !s.points.is_empty());
                (!chart.series.is_empty()).then_some(chart)
            })
            .collect()
    }

    fn conditions(&self) -> Markup {
        let h = &self.header;
        let games = counted(h.scheduled_games(), "game");
        let mut rows = vec![
            ("game".into(), h.game.clone()),
            ("rules".into(), settings(&h.rules)),
            ("chance".into(), h.chance_source()),
            ("schedule".into(), format!("{}, {games}", h.schedule.form)),
        ];
        for c in &h.continuations {
            let (from, at) = (c.first(), c.origin.started);
            let to = counted(c.to[0] + c.to[1], "game");
            rows.push((
                "continued".into(),
                format!(
                    "{at}, from {from} to {to}; the confidence sequence allows for that, \
                     intervals for a fixed number of games do not"
                ),
            ));
        }
        let openings = h.openings.as_ref().map(|o| {
            format!(
                "{}: {}, {} order, SHA-256 {}",
                o.file,
                counted(o.count, "position"),
                o.order,
                o.sha256
            )
        });
        let start = "every game from the start position";
        rows.push(("openings".into(), openings.unwrap_or_else(|| start.into())));
        if let Some(e) = &h.experiment {
            rows.push(("experiment".into(), format!("{}: {}", e.name, settings(&e.settings))));
        }
        rows.push(("referee".into(), h.referee.clone()));
        rows.push(("hash of the last line".into(), self.head.clone()));
        html! {
            (translated_facts(&rows))
            @for engine in &h.engines {
                h3 { (engine.name) }
                (translated_facts(&engine_conditions(engine)))
            }
        }
    }
}

/// Names and values in one line.
fn settings(list: &[Setting]) -> String {
    let all: Vec<String> = list.iter().map(|s| format!("{}={}", s.name, s.value)).collect();
    if all.is_empty() { "defaults".to_string() } else { all.join(", ") }
}

fn engine_conditions(e: &EngineEntry) -> Vec<(String, String)> {
    let mut rows = vec![
        ("command".to_string(), e.command.join(" ")),
        ("SHA-256".into(), e.sha256.clone()),
        ("dialect".into(), e.dialect.clone()),
        ("options".into(), settings(&e.options)),
        ("limit".into(), format!("{}, margin {} ms", e.limit, e.limit.margin_ms)),
    ];
    rows.extend(e.files.iter().map(|f| (format!("SHA-256 of {}", f.name), f.value.clone())));
    rows.extend(e.dir.clone().map(|d| ("directory".into(), d)));
    if !e.env.is_empty() {
        rows.push(("environment".into(), settings(&e.env)));
    }
    rows.extend(e.memory_mib.map(|mib| ("memory limit".into(), format!("{mib} MiB"))));
    rows
}

/// Maximum number of engines whose means are drawn with intervals, which cover each other.
const MOST_BANDS: usize = 3;

/// Means by move number with the interval of the mean. Move numbers that only few games reached are
/// noise at the end of the line and are left out.
fn means(
    effort: &EngineSearchTotals,
    pick: fn(&super::search_statistics::SearchTotals) -> Moments,
    unit: f64,
) -> Vec<DataPoint> {
    let most = effort.by_move.iter().map(|e| pick(e).count).max().unwrap_or(0);
    let enough = (most / 50).max(1);
    effort
        .by_move
        .iter()
        .enumerate()
        .filter_map(|(i, e)| {
            let sums = pick(e);
            let mean = sums.mean().filter(|_| sums.count >= enough)?;
            let interval = sums.interval().map(|(low, high)| (low.max(0.0) * unit, high * unit));
            Some(DataPoint { x: (i + 1) as f64, y: mean * unit, interval })
        })
        .collect()
}

/// A histogram with at most about fifty bins of equal width, including empty ones: the middle and
/// the count of each bin.
fn bins(counts: &std::collections::BTreeMap<u64, u64>) -> Vec<(f64, f64)> {
    let (Some((&low, _)), Some((&high, _))) = (counts.first_key_value(), counts.last_key_value())
    else {
        return Vec::new();
    };
    let width = (high - low) / 50 + 1;
    let start = low / width * width;
    (start..=high)
        .step_by(usize::try_from(width).unwrap_or(usize::MAX))
        .map(|from| {
            let games: u64 = counts.range(from..from + width).map(|(_, n)| n).sum();
            (from as f64 + (width - 1) as f64 / 2.0, games as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::assert_well_formed;
    use std::collections::BTreeMap;
    use std::io::Write;

    const EVIL: &str = "</script><script>alert(1)</script>";

    /// A log of two pairs on a 4x4 board; one game is lost by a crash.
    fn log() -> tempfile::NamedTempFile {
        log_of([2, 2])
    }

    /// The same with these numbers of games in which the first and the second engine begin.
    fn log_of(begun: [u64; 2]) -> tempfile::NamedTempFile {
        let fen = "q2q/4/4/Q2Q w";
        let engine = |name: &str| {
            serde_json::json!({"name": name, "command": ["./engine", EVIL], "sha256": "ab",
                "dialect": "ugi", "options": [{"name": "Seed", "value": EVIL}],
                "limit": {"move_ms": 10}})
        };
        let header = serde_json::json!({"agon_match_log": 1, "referee": "test", "game": "amazons",
            "rules": [], "engines": [engine("a"), engine(EVIL)], "seed": 7,
            "schedule": {"form": "match", "pairings": [{"engines": [0, 1], "games": begun}]}});
        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "{header}").unwrap();
        for game in 0..4u64 {
            let crash = game == 3;
            let line = serde_json::json!({"game": game, "pair": game / 2,
                "players": [game % 2, 1 - game % 2], "opening": fen, "moves": "a1a2,a3 a4b3,b4",
                "by": "12", "result": "first", "reason": if crash { "crash" } else { "rules" },
                "detail": crash.then_some(EVIL), "fen": "1*1q/*q2/Q3/3Q w",
                "stats": {"us": [1500, 2500 + game], "depth": [3, null], "nodes": [100, 7],
                    "score": [-3, "#2"]},
                "stderr": crash.then_some(EVIL)});
            writeln!(file, "{line}").unwrap();
        }
        file
    }

    #[test]
    fn a_page_is_well_formed_and_engine_text_cannot_break_out_of_it() {
        let file = log();
        let report = MatchReport::of_log(file.path(), ReportOptions::default()).unwrap();
        let html = report.html();
        assert_well_formed(&html);
        assert!(!html.contains(EVIL) && !html.contains("<script>alert"));
        for outside in ["http://", "https://", " src=", "@import", "url("] {
            // Shading refers to gradients of the page itself.
            let at = html.replace("http://www.w3.org/2000/svg", "").replace("url(#", "");
            assert!(!at.contains(outside), "{outside}");
        }
    }

    #[test]
    fn a_match_without_swapped_sides_says_so() {
        let page = |begun| {
            let file = log_of(begun);
            let report = MatchReport::of_log(file.path(), ReportOptions::default()).unwrap();
            // The scripts have all texts in both languages.
            let html = report.html();
            (html.split("<script").next().unwrap().to_string(), report.text())
        };
        let warning = "The sides were not swapped";
        let (html, text) = page([4, 0]);
        assert!(html.contains(warning) && text.contains(warning));
        assert!(!html.contains("sides swapped"));
        let (html, text) = page([2, 2]);
        assert!(!html.contains(warning) && !text.contains(warning));
        assert!(html.contains("sides swapped"));
    }

    #[test]
    fn every_listed_game_can_be_replayed_to_its_last_position() {
        let file = log();
        let report = MatchReport::of_log(file.path(), ReportOptions::default()).unwrap();
        let html = report.html();
        let (_, rest) = html.split_once("id=\"replays\">").unwrap();
        let data: serde_json::Value =
            serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
        let games = data["games"].as_array().unwrap();
        assert_eq!((games.len(), data["board"]["files"].as_u64()), (4, Some(4)));
        for game in games {
            let squares = |list: &serde_json::Value| -> BTreeMap<String, String> {
                let pair = |v: &serde_json::Value| {
                    let text = |i: usize| v[i].as_str().unwrap_or("").to_string();
                    (text(0), text(1))
                };
                list.as_array().unwrap().iter().map(pair).collect()
            };
            let mut board = squares(&game["pieces"]);
            let start = [("a1", "wQ"), ("a4", "bQ"), ("d1", "wQ"), ("d4", "bQ")];
            assert_eq!(board, start.map(|(at, kind)| (at.into(), kind.into())).into());
            game["changes"].as_array().unwrap().iter().for_each(|c| board.extend(squares(c)));
            board.retain(|_, kind| !kind.is_empty());
            let end = [
                ("a2", "wQ"),
                ("a3", "arrow"),
                ("b3", "bQ"),
                ("b4", "arrow"),
                ("d1", "wQ"),
                ("d4", "bQ"),
            ];
            assert_eq!(board, end.map(|(at, kind)| (at.into(), kind.into())).into());
            assert_eq!(game["last"], serde_json::json!([["a1", "a2", "a3"], ["a4", "b3", "b4"]]));
            assert_eq!(game["moves"][0], "a1-a2/a3");
        }
    }

    #[test]
    fn the_tables_say_who_won_and_whose_fault_it_was() {
        let file = log();
        let report = MatchReport::of_log(file.path(), ReportOptions::default()).unwrap();
        let text = report.text();
        assert!(text.contains("all 4 games of the schedule"), "{text}");
        assert!(
            text.contains(
                "2 complete pairs; all equal, so the interval is the exact one for equal scores"
            ),
            "{text}"
        );
        let crash = text.lines().find(|l| l.starts_with("crash")).unwrap();
        assert_eq!(
            crash.split_whitespace().collect::<Vec<_>>(),
            ["crash", "1", "25.00%", "1", "0"]
        );
        assert!(text.contains("! a lost 1 of 4 games by faults"), "{text}");
        assert!(text.contains("The first player won 4 of 4 games"), "{text}");
    }

    #[test]
    fn lengths_are_counted_in_bins_that_lose_nothing() {
        let counts = [(60, 5), (61, 1), (75, 2), (190, 1)].into_iter().collect();
        let bins = bins(&counts);
        assert_eq!(bins.iter().map(|b| b.1).sum::<f64>(), 9.0);
        assert!(bins.len() <= 52 && bins.windows(2).all(|w| w[1].0 - w[0].0 == 3.0), "{bins:?}");
    }
}
