//! The exact loss of the players by number of stones, as `lab einstein loss --json` prints it: its measurement, or
//! the resumption of one, and a table and a figure that the paper does not have.

use crate::engine::{finished, print_step};
use crate::publish::write_file;
use agon_claims::report::{PaperReport, PaperTable};
use agon_games::text::{excerpt, visible};
use agon_report::plot::{Align, Chart, DataPoint, Mark, TextTable};
use agon_wire::input_file::{self, MAX_TEXT};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A study: games, and the losses in the positions that were sampled from them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Study {
    games: u64,
    table_stones: u32,
    /// The numbers of stones, from and to.
    stones: [u32; 2],
    guide: String,
    players: Vec<String>,
}

/// What a player loses in positions of one number of stones.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct LossByStones {
    stones: u32,
    player: String,
    decisions: u64,
    unsolved: u64,
    /// Mean loss of winning probability per decision, 0 to 1.
    mean: f64,
    /// Half of its 95% interval.
    margin: Option<f64>,
    /// The share of decisions that lose anything.
    mistakes: f64,
}

impl LossByStones {
    /// The 95% interval; no loss is negative.
    fn interval(&self) -> Option<(f64, f64)> {
        self.margin.map(|margin| ((self.mean - margin).max(0.0), self.mean + margin))
    }
}

/// The studies of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Losses {
    studies: Vec<Study>,
    rows: Vec<LossByStones>,
}

impl Losses {
    /// Reads the output of `lab einstein loss --json`, of one study or of several one after the other.
    /// `name` is where it stands.
    ///
    /// # Errors
    ///
    /// A line is neither a study nor a row: which.
    pub fn parse(text: &str, name: &str) -> Result<Losses> {
        let mut losses = Losses::default();
        for (i, line) in text.lines().enumerate() {
            let place = || format!("{name}, line {}: `{}`", i + 1, excerpt(line));
            let value: Value = serde_json::from_str(line).with_context(place)?;
            if value.get("games").is_some() {
                losses.studies.push(serde_json::from_value(value).with_context(place)?);
                continue;
            }
            let mut row: LossByStones = serde_json::from_value(value).with_context(place)?;
            let rates = [row.mean, row.mistakes, row.margin.unwrap_or(0.0)];
            if losses.studies.is_empty() || rates.iter().any(|r| !(0.0..=1.0).contains(r)) {
                bail!("{}: expected a study, and then its losses from 0 to 1", place());
            }
            row.player = visible(&row.player).into_owned();
            losses.rows.push(row);
        }
        ensure!(
            !losses.rows.is_empty(),
            "{name}: expected the output of `lab einstein loss --json`"
        );
        Ok(losses)
    }

    /// Reads the summary beside a log; `None` if there is none.
    pub fn read(path: &Path) -> Result<Option<Losses>> {
        if !path.exists() {
            return Ok(None);
        }
        let name = path.display().to_string();
        let text = input_file::read_text(path, MAX_TEXT).with_context(|| name.clone())?;
        Losses::parse(&text, &name).map(Some)
    }

    /// The players in the order of the studies.
    fn players(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.player.as_str()) {
                names.push(&row.player);
            }
        }
        names
    }

    /// The numbers of stones, ascending.
    fn stones(&self) -> Vec<u32> {
        let mut stones: Vec<u32> = self.rows.iter().map(|r| r.stones).collect();
        stones.sort_unstable();
        stones.dedup();
        stones
    }

    fn row(&self, stones: u32, player: &str) -> Option<&LossByStones> {
        self.rows.iter().find(|r| r.stones == stones && r.player == player && r.decisions > 0)
    }

    pub fn table(&self) -> PaperTable {
        let (stones, players) = (self.stones(), self.players());
        let heads: Vec<String> = stones.iter().map(|stones| format!("{stones} stones")).collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        let mut table = TextTable::new(&[(Align::Left, &["Player"]), (Align::Right, &heads)]);
        for player in &players {
            let cell = |&stones| self.row(stones, player).map_or("-".into(), cell);
            table.row(std::iter::once((*player).to_string()).chain(stones.iter().map(cell)));
        }
        let of_first = |field: fn(&LossByStones) -> u64| {
            let first =
                |&stones: &u32| self.rows.iter().find(|r| r.stones == stones).map_or(0, field);
            stones.iter().map(first).collect::<Vec<u64>>()
        };
        let decisions = of_first(|r| r.decisions).into_iter().map(|n| n.to_string());
        table.row(std::iter::once("decisions".to_string()).chain(decisions));
        let mut notes = vec![
            "Mean loss of winning probability per decision in percentage points, with its 95% \
             interval, and the share of decisions that lose anything. A move's value is exact: a \
             search that ends in the endgame tablebase. The paper has no such table."
                .to_string(),
        ];
        for (stones, unsolved) in stones.iter().zip(of_first(|r| r.unsolved)) {
            if unsolved > 0 {
                notes.push(format!(
                    "{unsolved} positions of {stones} stones were too large to solve, and do not count."
                ));
            }
        }
        PaperTable { caption: CAPTION.into(), table, notes }
    }

    pub fn figure(&self) -> (Chart, String) {
        let (stones, players) = (self.stones(), self.players());
        let mut chart = Chart::new(CAPTION, "stones on the board", "mean loss per decision");
        chart.percent = true;
        chart.x_names = stones.iter().map(u32::to_string).collect();
        for (i, player) in players.iter().enumerate() {
            // Beside each other, so that the intervals do not cover each other.
            let offset = 0.07 * (i as f64 - 0.5 * (players.len() - 1) as f64);
            let point = |(at, stones): (usize, &u32)| {
                let row = self.row(*stones, player)?;
                let point = DataPoint::new(1.0 + at as f64 + offset, row.mean);
                Some(DataPoint { interval: row.interval(), ..point })
            };
            let points = stones.iter().enumerate().filter_map(point).collect();
            chart.add(player, Mark::DottedLine, points);
        }
        (chart, "Winning probability given away by a move; bars: 95% intervals.".into())
    }

    /// What the players lose with the number of stones of which most decisions were solved, in one
    /// sentence.
    pub fn summary(&self) -> String {
        let measured = self.rows.iter().filter(|r| r.decisions > 0).max_by_key(|r| r.decisions);
        let Some(&LossByStones { stones, decisions, .. }) = measured else { return String::new() };
        let of = |player: &str| {
            let row = self.row(stones, player)?;
            let margin = row.margin.map_or("-".into(), points);
            Some(format!("`{player}` {} (±{margin})", points(row.mean)))
        };
        let list: Vec<String> = self.players().into_iter().filter_map(of).collect();
        format!(
            "Exact loss per decision with {stones} stones on the board, in percentage points of winning \
             probability, over {decisions} decisions: {}.",
            list.join(", ")
        )
    }

    /// How the positions were sampled, and what the players are.
    pub fn conditions(&self) -> Vec<(String, String)> {
        let mut facts: Vec<(String, String)> = Vec::new();
        for study in &self.studies {
            let [from, to] = study.stones;
            facts.push((
                format!("exact loss, {from} to {to} stones"),
                format!(
                    "{} games of `{}` between random set-ups, a random decision of each number of \
                     stones; exact by search down to the tablebase of {} stones",
                    study.games,
                    visible(&study.guide),
                    study.table_stones
                ),
            ));
        }
        let players = self.studies.first().map_or(&[][..], |s| &s.players);
        facts.push(("players of the exact loss".into(), visible(&players.join("; ")).into()));
        facts
    }

    pub fn json_rows(&self) -> Vec<Value> {
        let row = |r: &LossByStones| {
            json!({
                "table": "loss", "stones": r.stones, "player": r.player, "decisions": r.decisions,
                "unsolved": r.unsolved, "mean": r.mean, "margin": r.margin, "mistakes": r.mistakes,
            })
        };
        self.rows.iter().map(row).collect()
    }

    /// The report on the losses alone.
    pub fn report(&self, command: &str) -> PaperReport {
        PaperReport {
            title: "EinStein wuerfelt nicht: the exact loss of the players".into(),
            paper: super::PAPER.into(),
            summary: self.summary(),
            conditions: self.conditions(),
            tables: vec![self.table()],
            figures: vec![self.figure()],
            rows: self.json_rows(),
            command: command.into(),
            ..PaperReport::default()
        }
    }
}

const CAPTION: &str = "Exact loss by number of stones";

fn points(rate: f64) -> String {
    format!("{:.3}", 100.0 * rate)
}

fn cell(row: &LossByStones) -> String {
    let interval = row
        .interval()
        .map_or("-".into(), |(low, high)| format!("{} to {}", points(low), points(high)));
    format!("{} ({interval}), {:.0}%", points(row.mean), 100.0 * row.mistakes)
}

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossSize {
    /// Maximum number of stones in the tablebase.
    pub table_stones: u32,
    /// The studies: the numbers of stones, as in the flag, and the number of games.
    pub studies: &'static [(&'static str, u64)],
    /// The maximum time of all studies.
    pub time: Option<Duration>,
}

impl LossSize {
    /// Less than a minute, on a tablebase that takes seconds.
    pub const QUICK: LossSize =
        LossSize { table_stones: 4, studies: &[("4-6", 200)], time: Some(Duration::from_secs(40)) };
    /// A position of 7 stones takes much longer than the smaller ones.
    pub const FULL: LossSize =
        LossSize { table_stones: 5, studies: &[("4-6", 2000), ("7", 500)], time: None };
}

/// What a run needs.
pub struct LossRun<'a> {
    /// The engine, which builds the tablebase.
    pub engine: &'a Path,
    /// The program `lab`.
    pub lab: &'a Path,
    /// The main log: all files are beside it.
    pub log: &'a Path,
    /// The tablebase; one is built if there is none.
    pub table: Option<&'a Path>,
    /// How much is measured.
    pub size: LossSize,
    /// One study of these numbers of stones instead of those of the size.
    pub stones: Option<&'a str>,
    /// The number of games of every study, if it is not that of the size.
    pub games: Option<u64>,
    /// Number of threads.
    pub threads: usize,
    /// No game begins after this time.
    pub until: Option<Instant>,
    /// Whether the programs may show their progress.
    pub progress: bool,
}

/// The path of the summary of the losses, beside the main log.
pub fn summary_file(log: &Path) -> PathBuf {
    log.with_extension("loss.json")
}

impl LossRun<'_> {
    /// Plays the games that are missing in the files, and writes and returns the summary.
    ///
    /// # Errors
    ///
    /// A program fails, with its own words, or is interrupted; finished games are saved.
    pub fn measure(&self) -> Result<Losses> {
        let table = self.tablebase()?;
        let until = [self.until, self.size.time.map(|time| Instant::now() + time)];
        let until = until.into_iter().flatten().min();
        let studies = if self.stones.is_some() { 1 } else { self.size.studies.len() };
        let mut text = String::new();
        for (i, &(stones, games)) in self.size.studies.iter().take(studies).enumerate() {
            let (stones, games) = (self.stones.unwrap_or(stones), self.games.unwrap_or(games));
            print_step(format_args!("exact loss with {stones} stones: {games} games"));
            let rows = self.log.with_extension(format!("loss-{stones}.jsonl"));
            let mut command = self.shown(Command::new(self.lab));
            command.args(["einstein", "--option", &format!("Threads={}", self.threads)]);
            command.arg("loss").arg("--table").arg(&table).arg(&rows);
            command.args(["--stones", stones, "--games", &games.to_string(), "--json"]);
            if let Some(until) = until {
                // The studies share the time that is left.
                let left = until.saturating_duration_since(Instant::now()).as_secs();
                command.args(["--seconds", &(left / (studies - i) as u64).to_string()]);
            }
            text += &String::from_utf8_lossy(&finished(&mut command)?.stdout);
        }
        let file = summary_file(self.log);
        let losses = Losses::parse(&text, "the output of `lab einstein loss`")?;
        write_file(&file, &text)?;
        Ok(losses)
    }

    fn tablebase(&self) -> Result<PathBuf> {
        if let Some(table) = self.table {
            return Ok(table.into());
        }
        let stones = self.size.table_stones;
        let file = self.log.with_extension(format!("{stones}-stones.table"));
        if !file.exists() {
            print_step(format_args!("building the endgame tablebase of {stones} stones"));
            let mut command = self.shown(Command::new(self.engine));
            command.args(["table", "build"]).arg(&file).args(["--stones", &stones.to_string()]);
            finished(&mut command)?;
        }
        Ok(file)
    }

    /// A command with its progress, if that may be shown.
    fn shown(&self, mut command: Command) -> Command {
        if self.progress && std::io::stderr().is_terminal() {
            command.stderr(Stdio::inherit());
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_report::plot::assert_well_formed;

    const STUDY: &str = r#"{"games":9,"table_stones":5,"einstein_loss":1,"stones":[4,6],"guide":"name=g","players":["name=a","name=b"]}"#;

    fn row(stones: u32, player: &str, mean: f64) -> String {
        format!(
            r#"{{"stones":{stones},"player":"{player}","decisions":8,"unsolved":1,"mean":{mean},"margin":0.02,"mistakes":0.5}}"#
        )
    }

    #[test]
    fn losses_of_several_studies_stand_in_one_table_and_one_figure() {
        let study = STUDY.replace("[4,6]", "[7,7]");
        let rows = [(4, "a", 0.0), (4, "b", 0.05), (7, "a", 0.01), (7, "b", 0.0625)]
            .map(|(stones, player, mean)| row(stones, player, mean));
        let text = [&[STUDY.to_string()], &rows[..2], &[study], &rows[2..]].concat().join("\n");
        let losses = Losses::parse(&text, "x").unwrap();
        let report = losses.report("the command");
        let cells = report.tables[0].table.rows();
        assert_eq!(cells[0], ["a", "0.000 (0.000 to 2.000), 50%", "1.000 (0.000 to 3.000), 50%"]);
        assert_eq!(cells[1][2], "6.250 (4.250 to 8.250), 50%");
        assert_eq!(cells[2], ["decisions", "8", "8"]);
        assert_eq!(
            report.tables[0].notes.len(),
            3,
            "two numbers of stones have unsolved positions"
        );
        let (chart, _) = &report.figures[0];
        assert_eq!(
            (chart.series.len(), chart.x_names.as_slice()),
            (2, &["4".into(), "7".into()][..])
        );
        let (low, high) = chart.series[1].points[1].interval.unwrap();
        assert!((low - 0.0425).abs() < 1e-9 && (high - 0.0825).abs() < 1e-9);
        assert_well_formed(&report.html());
        assert!(report.summary.contains("with 7 stones") && report.summary.contains("`b` 6.250"));
        assert_eq!(report.rows.len(), 4);
    }

    #[test]
    fn anything_else_is_refused_with_its_line() {
        let good = format!("{STUDY}\n{}", row(4, "a", 0.1));
        assert!(Losses::parse(&good, "x").is_ok());
        let error = |text: &str| format!("{:#}", Losses::parse(text, "f.json").unwrap_err());
        assert!(error("").contains("f.json: expected the output of `lab einstein loss --json`"));
        assert!(error(STUDY).contains("expected the output"));
        assert!(error(&row(4, "a", 0.1)).contains("f.json, line 1"), "no study");
        assert!(error(&format!("{good}\n{{\"sto")).contains("f.json, line 3: `{\"sto`"));
        assert!(error(&good.replace("0.1", "-7.5")).contains("losses from 0 to 1"));
        assert!(Losses::read(Path::new("/none/such")).unwrap().is_none());
    }
}
