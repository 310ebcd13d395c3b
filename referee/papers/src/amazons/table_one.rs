//! Table 1 for a terminal: as it fills during the match, and in the short result after it.

use super::{PAPER_GAMES, PAPER_WINS, Reading};
use agon_claims::report::{Claim, Origin, PaperReport};
use agon_matches::progress::MatchProgress;
use agon_matches::session::Scoreboard;
use agon_report::plot::{Align, TextTable};
use agon_report::width;
use agon_stats::{Wdl, Wilson};

/// The sides of Table 1.
const SIDES: [&str; 2] = ["first", "second"];
/// Lines of the terminal that the table needs: its own, the progress line and the cursor.
const OTHER_LINES: usize = 5;
/// The width of a column in [`TableOne::row`].
const COLUMN: usize = 17;

/// Table 1 of the games so far.
pub(super) struct TableOne {
    /// The readings, in the order of the engines.
    pub readings: Vec<Reading>,
    /// Number of games between two rows in a pipe.
    pub every: u64,
    /// Whether a pipe gets rows.
    pub piped: bool,
}

impl TableOne {
    /// The results of PVS as first and as second player in each reading.
    fn results<'a>(
        &'a self,
        progress: &'a MatchProgress,
    ) -> impl Iterator<Item = (&'static str, [Wdl; 2])> + 'a {
        self.readings.iter().enumerate().map(|(i, reading)| {
            let row = progress.standings.rows.get(2 * i);
            let tally = row.map(|row| row.tally()).unwrap_or_default();
            (reading.name(), [tally.as_first, tally.as_second])
        })
    }

    /// The table with our intervals beside the paper's figures.
    fn table(&self, progress: &MatchProgress) -> TextTable {
        let mut table = TextTable::new(&[
            (Align::Left, &["Table 1: games won by PVS"]),
            (Align::Right, &["ours", "95% interval", "the paper"]),
            (Align::Left, &["within"]),
        ]);
        for (name, sides) in self.results(progress) {
            for (i, wdl) in sides.into_iter().enumerate() {
                let (games, [wins, of]) = (wdl.games(), [PAPER_WINS[i], PAPER_GAMES[i]]);
                let ours = Wilson::new(wdl.wins, games);
                let rate = wins as f64 / of as f64;
                table.row([
                    format!("{name}: PVS {}", SIDES[i]),
                    format!("{} of {games}", wdl.wins),
                    ours.map_or("-".into(), |w| {
                        format!("{:.1} to {:.1}%", 100.0 * w.low, 100.0 * w.high)
                    }),
                    format!("{wins} of {of}: {:.1}%", 100.0 * rate),
                    ours.map_or("-", |w| if w.contains(rate) { "yes" } else { "no" }).into(),
                ]);
            }
        }
        table
    }
}

impl Scoreboard for TableOne {
    fn live(&self, progress: &MatchProgress, columns: usize, lines: usize) -> String {
        let needed = 2 * self.readings.len() + OTHER_LINES;
        let text = if needed <= lines {
            self.table(progress).to_string()
        } else {
            let won = self.results(progress).map(|(name, sides)| format!("{name} {}", won(sides)));
            won.collect::<Vec<_>>().join("\n")
        };
        let fitted: Vec<String> = text.lines().map(|line| width::fit(line, columns)).collect();
        fitted.join("\n")
    }

    fn head(&self) -> Option<String> {
        let [first, second] = [0, 1].map(|i| format!("{}/{}", PAPER_WINS[i], PAPER_GAMES[i]));
        let names = self.readings.iter().map(|r| format!("{:>COLUMN$}", r.name()));
        self.piped.then(|| {
            format!(
                "Table 1: games won by PVS as first + as second player; the paper: {first} + \
                 {second}\n{:>9}{}",
                "games",
                names.collect::<String>()
            )
        })
    }

    fn row(&self, progress: &MatchProgress, total: u64) -> Option<String> {
        let games = progress.games();
        let cells = self.results(progress).map(|(_, sides)| format!("{:>COLUMN$}", won(sides)));
        (self.piped && games.is_multiple_of(self.every.max(1)))
            .then(|| format!("{:>9}{}", format!("{games}/{total}"), cells.collect::<String>()))
    }
}

/// Wins of games as first and as second player.
fn won(sides: [Wdl; 2]) -> String {
    let [first, second] = sides.map(|wdl| format!("{}/{}", wdl.wins, wdl.games()));
    format!("{first} + {second}")
}

/// The columns of running text where the output is no terminal.
const PIPE_COLUMNS: usize = 100;

/// Running text that fits the terminal, or [`PIPE_COLUMNS`].
pub(super) fn filled(text: &str) -> String {
    width::fill(text, width::of_output().map_or(PIPE_COLUMNS, |size| size.width)) + "\n"
}

/// The result on one screen: Table 1, the efforts, the verdicts, and what they show. The conditions,
/// the evidence for each verdict and the figures are on the page.
pub(super) fn brief(report: &PaperReport, table: &TableOne, progress: &MatchProgress) -> String {
    let width = width::of_output().map(|size| size.width);
    let mut out = format!("{}\n{}\n", report.title, filled(&report.paper));
    out += &table.table(progress).to_string();
    if let Some(t) = report.tables.get(1) {
        out += &format!("\n{}\n{}", t.caption, t.table.wrapped(1, width));
        t.notes.iter().for_each(|note| out += &filled(note));
    }
    // The paper's claims in all readings, and what is no claim of the paper's in any.
    let is_ours = |claim: &&Claim| claim.origin() == Origin::Ours && claim.reading().is_empty();
    let (ours, theirs): (Vec<&Claim>, Vec<&Claim>) = report.claims.iter().partition(is_ours);
    out += "\nThe paper's claims\n";
    let mut told: Vec<&str> = Vec::new();
    for claim in theirs {
        if !told.contains(&claim.text()) {
            told.push(claim.text());
            out += &format!("- {}\n    {}\n", claim.text(), verdicts(&report.claims, claim.text()));
        }
    }
    out += "\nOur findings\n";
    ours.iter().for_each(|c| out += &format!("- {}\n    {}\n", c.text(), c.verdict_name()));
    out.push('\n');
    report.warnings.iter().for_each(|warning| out += &filled(&format!("! {warning}")));
    report.summary.split_inclusive("; ").for_each(|part| out += &filled(part));
    out
}

/// The verdicts on a claim in all readings.
fn verdicts(claims: &[Claim], text: &str) -> String {
    let same: Vec<&Claim> = claims.iter().filter(|claim| claim.text() == text).collect();
    // Here the readings stand together, so the words are those for a paper's claim.
    let name = |claim: &Claim| claim.verdict().name(Origin::Paper);
    match same.as_slice() {
        [first, more @ ..] if more.iter().all(|c| c.verdict() == first.verdict()) => {
            name(first).into()
        }
        _ => {
            let each = same.iter().map(|c| format!("{}: {}", c.reading(), name(c)));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_claims::report::{Finding, Share, Statement, Unit};
    use agon_matchlog::GameResult::{First, Second};
    use agon_matchlog::{EngineEntry, GameRecord, MatchHeader};
    use unicode_width::UnicodeWidthStr;

    /// PVS wins its games in `literal` on both sides and loses one in `deepening`.
    fn played() -> (TableOne, MatchProgress) {
        let mut header: MatchHeader = MatchHeader::example();
        let entry = header.engines[0].clone();
        let engine = |i: usize| EngineEntry { name: format!("engine {i}"), ..entry.clone() };
        header.engines = (0..4).map(engine).collect();
        let mut progress = MatchProgress::new(&header).unwrap();
        let games = [([0, 1], First), ([1, 0], Second), ([2, 3], Second)];
        for (i, (players, result)) in (0..).zip(games) {
            let game = GameRecord::bare(players, result);
            progress.take(&GameRecord { game: i, pair: i / 2, ..game });
        }
        let readings = vec![Reading::Literal, Reading::Deepening];
        (TableOne { readings, every: 3, piped: true }, progress)
    }

    #[test]
    fn the_table_fills_by_reading_and_side() {
        let (table, progress) = played();
        let rows = table.table(&progress);
        let found: Vec<String> = rows.rows().iter().map(|row| row[..3].join(", ")).collect();
        assert_eq!(
            found,
            [
                "literal: PVS first, 1 of 1, 20.7 to 100.0%",
                "literal: PVS second, 1 of 1, 20.7 to 100.0%",
                "deepening: PVS first, 0 of 1, 0.0 to 79.3%",
                "deepening: PVS second, 0 of 0, -",
            ]
        );
        assert_eq!(rows.rows()[0][3..], ["606 of 610: 99.3%", "yes"]);
        assert_eq!([&rows.rows()[2][4], &rows.rows()[3][4]], ["no", "-"]);
    }

    #[test]
    fn it_fits_any_terminal() {
        let (table, progress) = played();
        for columns in 10..100 {
            for lines in 4..30 {
                let text = table.live(&progress, columns, lines);
                assert!(text.lines().all(|l| l.width() <= columns), "{columns}: {text}");
                assert!(text.lines().count() + 2 <= lines, "{lines}: {text}");
            }
        }
    }

    #[test]
    fn verdicts_that_differ_are_told_by_reading() {
        let games = Share::of_sample(30, 1108, 20, Unit::Games);
        let judged = |text: &str, finding| {
            Statement::paper("2.2", text, "节点").judged(games, finding, "").in_reading("literal")
        };
        let claim = |reading: &str, holds| {
            judged("far more", Finding::exact(holds)).in_our_reading(reading)
        };
        let other = judged("nodes rise", Finding::Unclear);
        let mut claims = vec![claim("literal", true), other, claim("deepening", true)];
        assert_eq!(verdicts(&claims, "far more"), "reproduced");
        claims[2] = claim("deepening", false);
        let found = verdicts(&claims, "far more");
        assert_eq!(found, "literal: reproduced, deepening: not reproduced");
    }

    #[test]
    fn a_pipe_gets_a_row_after_each_round_or_nothing() {
        let (table, mut progress) = played();
        let row = table.row(&progress, 12).unwrap();
        assert_eq!(row, "     3/12        1/1 + 1/1        0/1 + 0/0");
        let head = table.head().unwrap();
        assert!(head.contains("606/610 + 492/498"), "{head}");
        assert_eq!(head.lines().last().unwrap().len(), row.len());
        let silent = TableOne { piped: false, ..played().0 };
        assert_eq!((silent.head(), silent.row(&progress, 12)), (None, None));
        let game = GameRecord::bare([3, 2], First);
        progress.take(&GameRecord { game: 3, pair: 1, ..game });
        assert_eq!(table.row(&progress, 12), None);
    }
}
