//! The bracket of a knockout as text, as a picture, and as JSON.

use super::crosstable::points;
use super::plot::px;
use agon_base::ordinal::Ordinal;
use agon_matches::schedule::{BracketEntry, Encounter};
use maud::{Markup, html};
use std::cmp::Ordering;
use unicode_width::UnicodeWidthStr;

/// A bracket with the names of its engines.
pub struct Bracket<'a> {
    /// The encounters of each round.
    pub rounds: &'a [Vec<Encounter>],
    /// The engines' names.
    pub names: &'a [String],
}

/// An entry on its line.
struct EncounterLine {
    /// The name; `None` for a bye.
    name: Option<String>,
    score: String,
    advances: bool,
}

impl Bracket<'_> {
    fn name(&self, entry: BracketEntry) -> Option<String> {
        match entry {
            BracketEntry::Engine(i) => {
                Some(self.names.get(i).map_or("?", String::as_str).to_string())
            }
            BracketEntry::Open => Some("...".into()),
            BracketEntry::Bye => None,
        }
    }

    /// The two lines of an encounter.
    fn lines(&self, encounter: &Encounter) -> [EncounterLine; 2] {
        [0, 1].map(|i| {
            let score = points(encounter.half_points[i]);
            let decided = encounter.winner != BracketEntry::Open;
            let advances = decided && encounter.winner == encounter.entries[i];
            let seed = if advances && encounter.by_seed { " (seed)" } else { "" };
            EncounterLine {
                name: self.name(encounter.entries[i]),
                score: if encounter.finished > 0 { score + seed } else { String::new() },
                advances,
            }
        })
    }

    /// The winner's name; `None` before the end.
    fn winner(&self) -> Option<String> {
        let last = self.rounds.last()?.first()?;
        matches!(last.winner, BracketEntry::Engine(_)).then(|| self.name(last.winner)).flatten()
    }

    /// The bracket as lines of text; its encounters are joined by lines to those of the next round.
    pub fn text(&self) -> String {
        let Some(first) = self.rounds.first() else { return String::new() };
        let mut rows: Vec<String> = vec![String::new(); 4 * first.len() - 1];
        let mut column = 0;
        for (round, encounters) in self.rounds.iter().enumerate() {
            let lines: Vec<[EncounterLine; 2]> = encounters.iter().map(|e| self.lines(e)).collect();
            let width = lines.iter().flatten().map(|l| label(l).width()).max().unwrap_or(0);
            let line_column = column + width + 2;
            for (i, lines) in lines.iter().enumerate() {
                let heights = [2 * i, 2 * i + 1].map(|entry| height(round, entry));
                draw_encounter(&mut rows, lines, heights, [column, line_column]);
            }
            column = line_column + 3;
        }
        let middle = rows.len() / 2;
        if let Some(winner) = self.winner() {
            rows[middle].push_str(&format!("{winner} wins"));
        }
        rows.iter().map(|row| row.trim_end().to_string() + "\n").collect()
    }

    /// The bracket as a picture; the engines that advance are bold.
    pub fn svg(&self) -> Markup {
        const BOX: f64 = 24.0;
        const GAP: f64 = 34.0;
        let names = self.names.iter().map(|n| n.width()).max().unwrap_or(0);
        let lines = self.rounds.iter().flatten().flat_map(|e| self.lines(e));
        let scores = lines.map(|l| l.score.width()).max().unwrap_or(0);
        let width = (names as f64 * 8.0 + scores as f64 * 8.0 + 36.0).clamp(130.0, 360.0);
        let first = self.rounds.first().map_or(1, Vec::len);
        let y = |round: usize, i: usize| 30.0 + height(round, i) as f64 * (BOX + 6.0) / 2.0;
        let x = |round: usize| 6.0 + round as f64 * (width + GAP);
        let all = (x(self.rounds.len()) + width + 6.0, y(0, 2 * first - 1) + BOX + 8.0);
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="agon bracket"
                viewBox={ "0 0 " (px(all.0)) " " (px(all.1)) } width=(px(all.0)) height=(px(all.1))
                role="img" aria-label={ "Bracket. " (self.text()) } {
                @for (round, encounters) in self.rounds.iter().enumerate() {
                    text class="tick label" x=(px(x(round))) y="16" { (self.round_name(round)) }
                    @for (i, encounter) in encounters.iter().enumerate() {
                        @let places = [2 * i, 2 * i + 1].map(|k| y(round, k));
                        @let next = 0.5 * (places[0] + places[1]);
                        @for (line, y) in self.lines(encounter).iter().zip(places) {
                            @if let Some(name) = &line.name {
                                (entry((x(round), y), (width, BOX), name, line))
                                path class="axis" d={
                                    "M" (px(x(round) + width)) " " (px(y + BOX / 2.0)) "h" (px(GAP / 2.0))
                                    "V" (px(next + BOX / 2.0)) "h" (px(GAP / 2.0))
                                } {}
                            }
                        }
                    }
                }
                @let end = (x(self.rounds.len()), y(self.rounds.len(), 0));
                text class="tick label" x=(px(end.0)) y="16" { "winner" }
                @let winner = EncounterLine { name: None, score: String::new(), advances: true };
                (entry(end, (width, BOX), &self.winner().unwrap_or_else(|| "...".into()), &winner))
            }
        }
    }

    fn round_name(&self, round: usize) -> String {
        match self.rounds.len() - round {
            1 => "final".into(),
            2 => "semi-finals".into(),
            3 => "quarter-finals".into(),
            _ => format!("round {}", Ordinal::of_index(round as u64)),
        }
    }

    /// A list of rounds; each is a list of encounters.
    pub fn json(&self) -> serde_json::Value {
        let name = |entry: BracketEntry| match entry {
            BracketEntry::Engine(_) => self.name(entry),
            _ => None,
        };
        let encounter = |e: &Encounter| {
            serde_json::json!({
                "engines": e.entries.map(name),
                "bye": e.entries.contains(&BracketEntry::Bye),
                "points": e.half_points.map(|half| half as f64 / 2.0),
                "games": e.finished,
                "winner": name(e.winner),
                "by_seed": e.by_seed,
            })
        };
        let rounds =
            self.rounds.iter().map(|round| round.iter().map(encounter).collect::<Vec<_>>());
        rounds.collect()
    }
}

/// The line of an entry: those of a round are halfway between the entries that lead there.
fn height(round: usize, entry: usize) -> usize {
    (1 << (round + 1)) * entry + (1 << round) - 1
}

fn label(line: &EncounterLine) -> String {
    let name = line.name.as_deref().unwrap_or("");
    if line.score.is_empty() { name.to_string() } else { format!("{name} {}", line.score) }
}

/// Draws the entries of an encounter in these rows, from the first column on, and in the second
/// column the line that joins them to the next round.
fn draw_encounter(
    rows: &mut [String],
    lines: &[EncounterLine; 2],
    [top, bottom]: [usize; 2],
    [column, line_column]: [usize; 2],
) {
    let present = [0, 1].map(|i| lines[i].name.is_some());
    for (line, (y, corner)) in lines.iter().zip([(top, '┐'), (bottom, '┘')]) {
        if line.name.is_some() {
            pad(&mut rows[y], column);
            rows[y].push_str(&(label(line) + " "));
            let dashes = line_column.saturating_sub(rows[y].width());
            rows[y].extend(std::iter::repeat_n('─', dashes).chain([corner]));
        }
    }
    let middle = usize::midpoint(top, bottom);
    let junction = match present {
        [true, true] => "├─ ",
        [true, false] => "└─ ",
        [false, true] => "┌─ ",
        [false, false] => "",
    };
    for (y, row) in rows.iter_mut().enumerate().take(bottom).skip(top + 1) {
        let part = match y.cmp(&middle) {
            Ordering::Equal => junction,
            Ordering::Less if present[0] => "│",
            Ordering::Greater if present[1] => "│",
            _ => continue,
        };
        pad(row, line_column);
        row.push_str(part);
    }
}

/// Fills a row with blanks up to a column.
fn pad(row: &mut String, column: usize) {
    let missing = column.saturating_sub(row.width());
    row.push_str(&" ".repeat(missing));
}

fn entry(
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    name: &str,
    line: &EncounterLine,
) -> Markup {
    let weight = if line.advances { "font-weight:700" } else { "font-weight:400" };
    let room = ((width - 24.0 - 8.0 * line.score.width() as f64) / 8.0).max(4.0) as usize;
    html! {
        rect class={ "slot" @if line.advances { " won" } } x=(px(x)) y=(px(y)) rx="4"
            width=(px(width)) height=(px(height)) {}
        text x=(px(x + 8.0)) y=(px(y + 16.5)) style=(weight) {
            title { (name) }
            (super::width::fit(name, room))
        }
        text x=(px(x + width - 8.0)) y=(px(y + 16.5)) text-anchor="end" style=(weight) { (line.score) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::assert_well_formed;
    use agon_matches::schedule::{ByResults as _, Results};
    use agon_matchlog::KNOCKOUT;
    use agon_matchlog::{GameRecord, GameResult, Rounds, Schedule};

    /// A knockout of this many engines; results are draws in the first encounter played, otherwise
    /// the engine with the smaller index wins.
    fn played(entrants: usize, games: usize) -> (Vec<Vec<Encounter>>, Vec<String>) {
        let rounds = Rounds { entrants, rounds: 0, games: 2, tiebreak_pairs: 0 };
        let schedule = Schedule {
            form: KNOCKOUT.into(),
            pairings: Vec::new(),
            rounds: Some(rounds),
            ..Schedule::default()
        };
        let mut results = Results::default();
        for _ in 0..games {
            let jobs: Vec<_> = schedule.known(&results).jobs.collect();
            let next = jobs.iter().find(|job| results.half_points([0, 1], &[**job]).is_none());
            let Some(job) = next else { break };
            let result = match job {
                _ if job.game < 2 => GameResult::Draw,
                _ if job.players[0] < job.players[1] => GameResult::First,
                _ => GameResult::Second,
            };
            results.push(&GameRecord { game: job.game, ..GameRecord::bare(job.players, result) });
        }
        let names = ["one", "two", "three", "four", "five", "six"].map(String::from);
        (schedule.bracket(&results).unwrap(), names[..entrants].to_vec())
    }

    #[test]
    fn the_text_joins_encounters_to_those_of_the_next_round() {
        let (rounds, names) = played(4, 100);
        let text = Bracket { rounds: &rounds, names: &names }.text();
        let expected = "\
one 1 (seed) ─┐
              ├─ one 2 ─┐
four 1 ───────┘         │
                        ├─ one wins
two 2 ────────┐         │
              ├─ two 0 ─┘
three 0 ──────┘
";
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn byes_and_undecided_encounters_have_their_places() {
        let (rounds, names) = played(3, 1);
        let text = Bracket { rounds: &rounds, names: &names }.text();
        let expected = "\
one ─────┐
         └─ one ─┐
                 │
                 ├─
two 1 ───┐       │
         ├─ ... ─┘
three 0 ─┘
";
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn pictures_and_json_name_the_winner() {
        for entrants in 2..=6 {
            let (rounds, names) = played(entrants, 100);
            let bracket = Bracket { rounds: &rounds, names: &names };
            let svg = bracket.svg().0;
            assert_well_formed(&svg);
            assert!(svg.contains(">final<") && svg.contains("font-weight:700"));
            let json = bracket.json();
            let last = json.as_array().unwrap().last().unwrap();
            assert_eq!(last[0]["winner"], "one");
            assert!(bracket.text().contains("one wins"), "{}", bracket.text());
        }
    }
}
