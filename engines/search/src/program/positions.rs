//! The subcommands over positions as text: `bench`, a fixed workload whose node count changes only with
//! the search or the evaluation, and which measures the engine's speed; and `replay`, which reads games
//! and prints every position's data, for scripts that compare our rules with another implementation.

use crate::host::TABLE_CACHE;
use agon_games::game::{Game, Outcome, Player, Turn, chance_outcomes, legal_moves};
use agon_games::option::OptionValue;
use agon_games::record::Record;
use agon_games::{epd, foreign};
use agon_wire::dialect::Dialect;
use agon_wire::dialect::ugi::Ugi;
use agon_wire::engine::{Control, Engine};
use agon_wire::input_file::{self, MAX_TEXT};
use agon_wire::message::{Command, Limits};
use agon_wire::serve::Server;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Parses the record of a `position` command; the word `position` may be omitted.
pub(super) fn record_of<G: Game>(position: &str, rules: &G::Rules) -> Result<Record<G>> {
    let position = position.trim();
    let position = position.strip_prefix("position ").unwrap_or(position);
    let commands = Ugi::default().read_command(&format!("position {position}"))?;
    let Some(Command::Position { fen, moves }) = commands.into_iter().next() else {
        bail!("expected `startpos [moves ...]` or `fen F [moves ...]`");
    };
    Ok(Record::from_text(fen.as_deref(), &moves, rules)?)
}

/// The text of a file that may come from another program.
///
/// # Errors
/// The file cannot be read, is not UTF-8, or is in a format that is not read here, which the error names.
pub fn read_text(path: &Path) -> Result<String> {
    let name = path.display().to_string();
    let bytes = input_file::open_stream(path)
        .and_then(|file| input_file::read_to_end(file, MAX_TEXT))
        .with_context(|| name.clone())?;
    if let Some(sentence) = foreign::refusal(&name, &bytes) {
        bail!("{name}: {sentence}");
    }
    String::from_utf8(bytes).with_context(|| name)
}

/// The record of a line of positions: as in the `position` command, or a FEN, with or without operations (EPD).
fn record_of_line<G: Game>(line: &str, rules: &G::Rules) -> Result<Record<G>> {
    let either = |text: &str| {
        record_of(text, rules).or_else(|e| record_of(&format!("fen {text}"), rules).map_err(|_| e))
    };
    either(line).or_else(|error: anyhow::Error| {
        let epd = epd::split(line, |text| either(text).is_ok());
        epd.map_or(Err(error), |epd| either(&epd.fen))
    })
}

/// The openings in a file: one per line as in the `position` command or as a FEN, with or without operations (EPD),
/// comments after `#`.
///
/// # Errors
/// The file cannot be read, contains a malformed line or an illegal move, or has no opening.
pub fn read_openings<G: Game>(path: &Path, rules: &G::Rules) -> Result<Vec<Record<G>>> {
    let name = path.display();
    let text = read_text(path)?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    let openings: Vec<Record<G>> = (1..)
        .zip(lines)
        .filter(|(_, line)| !line.is_empty())
        .map(|(i, line)| {
            record_of_line(line, rules).with_context(|| format!("{name}, line {i}: `{line}`"))
        })
        .collect::<Result<_>>()?;
    ensure!(!openings.is_empty(), "{name}: there is no opening in it");
    Ok(openings)
}

/// The positions and limits of `bench`.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions as in the `position` command: `startpos moves ...` or `fen F moves ...`.
    pub positions: &'static [&'static str],
    /// The depth limit of each search in plies, unless the command line sets another.
    pub depth: Option<u32>,
    /// The node limit of each search, unless the command line sets another.
    pub nodes: Option<u64>,
}

#[derive(clap::Args)]
pub(super) struct BenchFlags {
    /// Search every position to this depth in plies
    #[arg(long)]
    depth: Option<u32>,
    /// Search every position to this number of nodes
    #[arg(long, conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Search the positions of this file, one per line, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

impl Bench {
    fn limits(&self, flags: &BenchFlags) -> Result<Limits> {
        let (depth, nodes) = match (flags.depth, flags.nodes) {
            (None, None) => (self.depth, self.nodes),
            given => given,
        };
        if depth.is_none() && nodes.is_none() {
            bail!("bench: give --depth or --nodes");
        }
        Ok(Limits { depth, nodes, ..Limits::default() })
    }

    /// Searches every position from a clean engine and prints one line for each, then the total: `N
    /// nodes V nps`.
    pub(super) fn run<E: Engine>(&self, server: Server<E>, flags: &BenchFlags) -> Result<()> {
        let limits = self.limits(flags)?;
        let (mut engine, rules) = server.into_parts();
        if engine.options().iter().any(|option| option.name == TABLE_CACHE.name()) {
            // The workload must not depend on the machine.
            engine.set_option(TABLE_CACHE.name(), &OptionValue::Check(false))?;
        }
        let mut out = stdout().lock();
        let (mut nodes, mut time) = (0, Duration::ZERO);
        let records = match &flags.openings {
            Some(file) => read_openings(file, &rules)?,
            None => {
                let records = self.positions.iter().map(|position| record_of(position, &rules));
                records.collect::<Result<Vec<Record<E::Game>>>>().context("bench positions")?
            }
        };
        if let Some(over) = records.iter().position(|record| record.turn().player().is_none()) {
            let fen = records[over].current().fen();
            bail!("bench: no player is to move in position {}, `{fen}`", over + 1);
        }
        for (i, record) in records.iter().enumerate() {
            let found = search_position(&mut engine, record, &limits);
            let ms = found.time.as_millis();
            writeln!(
                out,
                "{:2} nodes {:10} time {ms:6} bestmove {}",
                i + 1,
                found.nodes,
                found.best
            )?;
            nodes += found.nodes;
            time += found.time;
        }
        let nps = nodes as f64 / time.as_secs_f64().max(1e-9);
        writeln!(out, "{nodes} nodes {nps:.0} nps")?;
        Ok(())
    }
}

struct SearchedPosition {
    nodes: u64,
    time: Duration,
    best: String,
}

fn search_position<E: Engine>(
    engine: &mut E,
    record: &Record<E::Game>,
    limits: &Limits,
) -> SearchedPosition {
    engine.new_game();
    // Lazily built state must not count as search time.
    let control = Control::new();
    engine.prepare(&control, &mut |_| {});
    control.ponder_hit();
    let mut nodes = 0;
    let from = Instant::now();
    let best = engine.search(record, limits, &control, &mut |info| {
        nodes = info.nodes.unwrap_or(nodes);
    });
    SearchedPosition { nodes, time: from.elapsed(), best: record.current().move_token(best) }
}

/// Answers every line of `input` with one JSON line: `{"positions": [{"fen", "turn", "moves"},
/// ...]}` from the first position to the last, or `{"error": TEXT}` for an invalid game. `turn` is
/// `p1`, `p2`, `chance`, `p1win`, `p2win` or `draw`; at chance nodes `chance` lists the outcomes
/// with their weights. Returns an error at the end if any line failed.
pub(super) fn replay<G: Game>(
    rules: &G::Rules,
    input: impl BufRead,
    mut output: impl Write,
    with_moves: bool,
) -> Result<()> {
    let mut bad = 0;
    for line in input.lines() {
        let line = line?;
        let answer = match record_of::<G>(&line, rules) {
            Ok(record) => json!({ "positions": positions(&record, with_moves) }),
            Err(error) => {
                bad += 1;
                json!({ "error": format!("{error:#}") })
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    if bad > 0 {
        bail!("replay: {bad} of the games could not be read");
    }
    Ok(())
}

fn positions<G: Game>(record: &Record<G>, with_moves: bool) -> Vec<Value> {
    let mut walked = Record::new(record.start().clone());
    let mut all = vec![position(&walked, with_moves)];
    for m in record.moves() {
        walked.push(*m);
        all.push(position(&walked, with_moves));
    }
    all
}

fn position<G: Game>(record: &Record<G>, with_moves: bool) -> Value {
    let state = record.current();
    let mut facts = json!({ "fen": state.fen(), "turn": turn_word(record.turn()) });
    if let (Turn::Player(_), true) = (record.turn(), with_moves) {
        let moves: Vec<String> =
            legal_moves(state).into_iter().map(|m| state.move_token(m)).collect();
        facts["moves"] = json!(moves);
    }
    if record.turn() == Turn::Chance {
        let outcomes: Vec<(String, u32)> =
            chance_outcomes(state).into_iter().map(|(m, w)| (state.move_token(m), w)).collect();
        facts["chance"] = json!(outcomes);
    }
    facts
}

fn turn_word(turn: Turn) -> &'static str {
    match turn {
        Turn::Player(Player::First) => "p1",
        Turn::Player(Player::Second) => "p2",
        Turn::Chance => "chance",
        Turn::Over(Outcome::Win(Player::First)) => "p1win",
        Turn::Over(Outcome::Win(Player::Second)) => "p2win",
        Turn::Over(Outcome::Draw) => "draw",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::amazons::Amazons;

    fn answers(text: &str) -> (Result<()>, Vec<Value>) {
        let mut out = Vec::new();
        let result = replay::<Amazons>(&Default::default(), text.as_bytes(), &mut out, true);
        let lines = String::from_utf8(out).unwrap();
        (result, lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect())
    }

    #[test]
    fn every_position_of_a_game_is_told() {
        let (result, lines) = answers("startpos moves d1d7,d7g7\nposition fen Q*q1/**2/4/4 w\n");
        assert!(result.is_ok());
        let game = lines[0]["positions"].as_array().unwrap();
        assert_eq!(game.len(), 2);
        assert_eq!(game[0]["moves"].as_array().unwrap().len(), 2176);
        assert_eq!(game[1]["turn"], "p2");
        assert_eq!(lines[1]["positions"][0]["turn"], "p2win");
    }

    #[test]
    fn lines_of_other_programs_are_openings() {
        let fen = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";
        for line in ["", " moves d1d7,d7g7", ";", " bm d1d7,d7g7; id \"x\";"] {
            let read = |line: &str| record_of_line::<Amazons>(line, &Default::default()).unwrap();
            let moves = usize::from(line.starts_with(" moves"));
            assert_eq!(read(&format!("{fen}{line}")).moves().len(), moves, "{line}");
            assert_eq!(read(&format!("fen {fen}{line}")).moves().len(), moves, "{line}");
        }
        assert!(record_of_line::<Amazons>("3q w;", &Default::default()).is_err());
    }

    #[test]
    fn a_game_that_cannot_be_read_fails_without_hiding_the_others() {
        let (result, lines) = answers("startpos moves d1d1,d1d1\nstartpos\n");
        assert!(lines[0]["error"].as_str().unwrap().contains("move 1 of the list"));
        assert_eq!(lines[1]["positions"][0]["turn"], "p1");
        assert!(result.unwrap_err().to_string().contains("1 of the games"));
    }
}
