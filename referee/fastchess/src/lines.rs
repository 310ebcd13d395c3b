//! The lines that a match prints: started and finished games, scores, results, the test. Frameworks read them one by
//! one, so none is empty.

use crate::counts::{Counts, decimal};
use crate::settings::{Output, Settings};
use agon_games::arbiter::Arbiter;
use agon_matches::after_ply::AfterPly;
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ScheduledGame;
use agon_matches::session::{MatchOutcome, Observer};
use agon_matchlog::{EngineEntry, GameRecord, GameResult, Limit, MatchHeader, Reason, SprtEntry};
use agon_report::export::runner;
use agon_stats::{Sequential, SprtVerdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const RULE: &str = "--------------------------------------------------";

/// How a match is shown.
#[derive(Clone, Debug)]
pub struct LineSettings {
    /// The form of the lines.
    pub output: Output,
    /// Whether results count pairs.
    pub penta: bool,
    /// After how many pairs, or games without pairs, results are printed; 0: at the end.
    pub rating_interval: u64,
    /// After how many games the score is printed; 0: at the end.
    pub score_interval: u64,
    /// The book's file name, if there is one.
    pub book: String,
    /// The threads and the hash size in MiB of each engine, if known.
    pub resources: Vec<[Option<String>; 2]>,
}

impl LineSettings {
    /// As the command line says.
    pub fn new(settings: &Settings, resources: Vec<[Option<String>; 2]>) -> LineSettings {
        let book = settings.openings.as_ref().and_then(|source| source.file.file_name());
        LineSettings {
            output: settings.output,
            penta: settings.penta && settings.output == Output::Fastchess,
            rating_interval: settings.rating_interval,
            score_interval: settings.score_interval,
            book: book.map_or(String::new(), |name| name.to_string_lossy().into_owned()),
            resources,
        }
    }
}

/// What the lines count.
#[derive(Default)]
struct Seen {
    total: u64,
    finished: u64,
    /// Results by engines, the lower index first.
    results: BTreeMap<[usize; 2], Counts>,
    /// Games lost on time and by a crash, by engine.
    failures: BTreeMap<usize, [u64; 2]>,
}

/// The lines of a match.
pub struct Lines<'a> {
    header: &'a MatchHeader,
    settings: LineSettings,
    log: PathBuf,
    seen: Mutex<Seen>,
}

impl<'a> Lines<'a> {
    /// Before the first game; `log` holds the earlier games of a match that is resumed.
    pub fn new(header: &'a MatchHeader, settings: LineSettings, log: &Path) -> Lines<'a> {
        Lines { header, settings, log: log.into(), seen: Mutex::default() }
    }

    fn name(&self, engine: usize) -> &str {
        self.header.engines.get(engine).map_or("?", |engine| &engine.name)
    }

    /// `A vs B`, the first player first.
    fn players(&self, players: [usize; 2]) -> String {
        let [first, second] = players.map(|i| self.name(i));
        format!("{first} vs {second}")
    }

    fn count(&self, seen: &mut Seen, game: &GameRecord) {
        let [a, b] = game.players;
        let score = game.result.score_of_first();
        let (key, score) = if a < b { ([a, b], score) } else { ([b, a], score.flipped()) };
        seen.results.entry(key).or_default().push(game.pair, score);
        seen.finished += 1;
        let kind = match game.reason {
            Reason::Time => 0,
            Reason::Crash | Reason::Hang | Reason::Flood => 1,
            _ => return,
        };
        let loser = if game.result == GameResult::First { b } else { a };
        seen.failures.entry(loser).or_default()[kind] += 1;
    }

    /// `Score of A vs B: 3 - 1 - 0  [0.750] 4`.
    fn score(&self, [a, b]: [usize; 2], counts: &Counts) -> String {
        let [losses, draws, wins] = counts.games;
        let score = decimal(counts.points() / counts.total() as f64, 3);
        let (a, b, total) = (self.name(a), self.name(b), counts.total());
        format!("Score of {a} vs {b}: {wins} - {losses} - {draws}  [{score}] {total}\n")
    }

    /// The results so far.
    fn interval(&self, seen: &Seen, test: Option<&Sequential>) -> String {
        let fastchess = self.settings.output == Output::Fastchess;
        let results = match seen.results.get(&[0, 1]).filter(|_| self.header.engines.len() == 2) {
            Some(counts) if fastchess => self.results_of_two(counts),
            Some(counts) => {
                let f = counts.figures(false);
                let draws = 100.0 * counts.games[1] as f64 / counts.total() as f64;
                format!(
                    "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %\n",
                    decimal(f.elo, 2),
                    decimal(f.error, 2),
                    decimal(100.0 * f.los, 2),
                    decimal(draws, 2)
                )
            }
            None => self.ranking(seen),
        };
        let test = self.header.sprt.as_ref().zip(test).map(|(sprt, test)| self.test(sprt, test));
        let body = results + &test.unwrap_or_default();
        if fastchess { format!("{RULE}\n{body}{RULE}\n") } else { body }
    }

    fn results_of_two(&self, counts: &Counts) -> String {
        let (s, both) = (&self.settings, [0, 1]);
        let f = counts.figures(s.penta);
        let common = |texts: [String; 2]| {
            let [a, b] = texts;
            if a == b { a } else { format!("{a} - {b}") }
        };
        let control =
            common(both.map(|i| self.header.engines.get(i).map_or(String::new(), control)));
        let resource = |kind: usize, unit: &str| {
            common(both.map(|i| {
                let value = s.resources.get(i).and_then(|r| r[kind].as_ref());
                value.map_or("NULL".into(), |value| format!("{value}{unit}"))
            }))
        };
        let (threads, hash) = (resource(0, "t"), resource(1, "MB"));
        let book = if s.book.is_empty() { String::new() } else { format!(", {}", s.book) };
        let [ll, ld, middle, wd, ww] = counts.pairs;
        let ratio = |a: u64, b: u64| decimal(a as f64 / b as f64, 2);
        let percent = |x: f64| decimal(100.0 * x, 2);
        let [losses, draws, wins] = counts.games;
        let (drawn, pairs_ratio) = match s.penta {
            true => (
                percent(middle as f64 / counts.total_pairs() as f64),
                format!(", PairsRatio: {}", ratio(wd + ww, ld + ll)),
            ),
            false => (percent(draws as f64 / counts.total() as f64), String::new()),
        };
        let mut text = format!(
            "Results of {} ({control}, {threads}, {hash}{book}):\n\
             Elo: {} +/- {}, nElo: {} +/- {}\n\
             LOS: {} %, DrawRatio: {drawn} %{pairs_ratio}\n\
             Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {} ({} %)\n",
            self.players(both),
            decimal(f.elo, 2),
            decimal(f.error, 2),
            decimal(f.nelo, 2),
            decimal(f.nelo_error, 2),
            percent(f.los),
            counts.total(),
            decimal(counts.points(), 1),
            percent(counts.points() / counts.total() as f64),
        );
        if s.penta {
            let [split, drawn] = counts.split;
            let ratio = ratio(split, drawn);
            text.push_str(&format!(
                "Ptnml(0-2): [{ll}, {ld}, {middle}, {wd}, {ww}], WL/DD Ratio: {ratio}\n"
            ));
        }
        text
    }

    /// More than two engines, the best first.
    fn ranking(&self, seen: &Seen) -> String {
        let penta = self.settings.penta;
        let mut rows: Vec<(usize, Counts)> = (0..self.header.engines.len())
            .map(|engine| {
                let mut all = Counts::default();
                let own = seen.results.iter().filter(|(key, _)| key.contains(&engine));
                own.for_each(|(key, counts)| all.add(counts, key[1] == engine));
                (engine, all)
            })
            .collect();
        let elo = |counts: &Counts| counts.figures(penta).elo;
        let order = |x: f64| if x.is_nan() { f64::NEG_INFINITY } else { x };
        rows.sort_by(|(_, a), (_, b)| order(elo(b)).total_cmp(&order(elo(a))));
        let width =
            self.header.engines.iter().map(|e| e.name.chars().count()).max().unwrap_or(0).max(25);
        let ptnml = |text: String| {
            if self.settings.output == Output::Fastchess {
                format!(" {text:>20}")
            } else {
                String::new()
            }
        };
        let mut text = format!(
            "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}{}\n",
            "Rank",
            "Name",
            "Elo",
            "+/-",
            "nElo",
            "+/-",
            "Games",
            "Score",
            "Draw",
            ptnml("Ptnml(0-2)".into())
        );
        for (rank, (engine, counts)) in (1..).zip(&rows) {
            let f = counts.figures(penta);
            let drawn = match penta {
                true => counts.pairs[2] as f64 / counts.total_pairs() as f64,
                false => counts.games[1] as f64 / counts.total() as f64,
            };
            let pairs = if penta { format!("{:?}", counts.pairs) } else { String::new() };
            text.push_str(&format!(
                "{rank:>4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}% {:>9}%{}\n",
                self.name(*engine),
                decimal(f.elo, 2),
                decimal(f.error, 2),
                decimal(f.nelo, 2),
                decimal(f.nelo_error, 2),
                counts.total(),
                decimal(100.0 * counts.points() / counts.total() as f64, 1),
                decimal(100.0 * drawn, 1),
                ptnml(pairs)
            ));
        }
        text
    }

    /// The state of the sequential test.
    fn test(&self, sprt: &SprtEntry, test: &Sequential) -> String {
        let state = test.state();
        let (llr, lower, upper) = (state.evidence, state.lower, state.upper);
        if self.settings.output == Output::Cutechess {
            let share = 100.0 * if llr < 0.0 { llr / lower } else { llr / upper };
            let end = match state.verdict {
                SprtVerdict::Accepted => " - H1 was accepted",
                SprtVerdict::Rejected => " - H0 was accepted",
                _ => "",
            };
            return format!(
                "SPRT: llr {llr:.2} ({share:.1}%), lbound {lower:.2}, ubound {upper:.2}{end}\n"
            );
        }
        let share = 100.0 * if llr < 0.0 { -llr / lower } else { llr / upper };
        format!("LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) {}\n", bounds(sprt))
    }

    /// The last lines: the failures of the engines, and how the match ended.
    pub fn conclude(&self, outcome: &MatchOutcome) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if self.settings.output == Output::Fastchess {
            for (engine, [timeouts, crashes]) in &seen.failures {
                println!(
                    "Player: {}\n  Timeouts: {timeouts}\n  Crashed: {crashes}",
                    self.name(*engine)
                );
            }
        }
        let test = outcome.progress.test.as_ref().map(|test| test.state().verdict);
        let accepted = match test {
            Some(SprtVerdict::Accepted) => Some("H1"),
            Some(SprtVerdict::Rejected) => Some("H0"),
            _ => None,
        };
        match self.header.sprt.as_ref().zip(accepted) {
            Some((sprt, which)) if self.settings.output == Output::Fastchess => {
                println!("SPRT ({}) completed - {which} was accepted", bounds(sprt));
            }
            _ => println!("Tournament finished"),
        }
    }
}

fn bounds(sprt: &SprtEntry) -> String {
    format!("[{:.2}, {:.2}]", sprt.elo0, sprt.elo1)
}

/// `10+0.1`, `40/60`, `0.5/move`, `6 plies`, `1000 nodes`.
fn control(engine: &EngineEntry) -> String {
    let seconds = |ms: u64| ms as f64 / 1000.0;
    let Limit { clock, move_ms, depth, nodes, .. } = &engine.limit;
    match (clock, move_ms, depth, nodes) {
        (Some(clock), ..) => {
            let moves = clock.moves.map_or(String::new(), |n| format!("{n}/"));
            let increment = match clock.increment_ms {
                0 => String::new(),
                // Two significant digits.
                ms => format!("+{}", format!("{:.1e}", seconds(ms)).parse::<f64>().unwrap_or(0.0)),
            };
            format!("{moves}{}{increment}", seconds(clock.time_ms))
        }
        (None, Some(ms), ..) => format!("{}/move", seconds(*ms)),
        (None, None, Some(depth), _) => format!("{depth} plies"),
        (None, None, None, Some(nodes)) => format!("{nodes} nodes"),
        _ => String::new(),
    }
}

impl Observer for Lines<'_> {
    fn begin(&self, in_log: u64, total: u64) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.total = total;
        if let (true, Ok((_, games))) = (in_log > 0, agon_matchlog::open(&self.log)) {
            games.filter_map(Result::ok).for_each(|game| self.count(&mut seen, &game));
        }
        false
    }

    fn started(&self, job: &ScheduledGame) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        println!("Started game {} of {} ({})", job.number(), seen.total, self.players(job.players));
    }

    fn ply(&self, _: &ScheduledGame, _: &dyn Arbiter, _: &str, _: &AfterPly) {}

    fn game(&self, game: &GameRecord, progress: &MatchProgress) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        self.count(&mut seen, game);
        let result = match game.result {
            GameResult::First => "1-0",
            GameResult::Second => "0-1",
            GameResult::Draw => "1/2-1/2",
        };
        let (players, ending) = (self.players(game.players), runner::ending(self.header, game));
        let mut text =
            format!("Finished game {} ({players}): {result} {{{ending}}}\n", game.number());
        let is_last = seen.finished == seen.total || progress.is_decided();
        let due = |interval: u64, n: u64| is_last || interval > 0 && n.is_multiple_of(interval);
        let [a, b] = game.players;
        let key = [a.min(b), a.max(b)];
        if let Some(counts) = seen.results.get(&key) {
            if self.settings.output == Output::Cutechess
                && due(self.settings.score_interval, seen.finished)
            {
                text.push_str(&self.score(key, counts));
            }
            let penta = self.settings.penta;
            let n = if penta { game.pair + 1 } else { seen.finished };
            if due(self.settings.rating_interval, n)
                && (!penta || is_last || counts.is_complete(game.pair))
            {
                text.push_str(&self.interval(&seen, progress.test.as_ref()));
            }
        }
        print!("{text}");
    }

    fn end(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_have_the_form_of_fastchess() {
        let of = |key: &str, value: &str| {
            let mut engine = EngineEntry::default();
            agon_matchlog::limits::set(&mut engine.limit, key, value).unwrap();
            control(&engine)
        };
        assert_eq!(of("tc", "10.00+0.10"), "10+0.1");
        assert_eq!(of("tc", "40/0.5"), "40/0.5");
        assert_eq!(of("tc", "60+1.25"), "60+1.2");
        assert_eq!(of("movetime", "250"), "0.25/move");
        assert_eq!(of("depth", "6"), "6 plies");
        assert_eq!(of("nodes", "1000"), "1000 nodes");
    }
}
