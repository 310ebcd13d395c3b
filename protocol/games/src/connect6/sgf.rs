//! Games as SGF. Both common forms are read and written: Little Golem's (`;B[j10];W[k9l8]`, one
//! turn per node) and that of Go programs (`;B[jj];W[ki];W[lh]`, one stone per node, letters from
//! the top left). Only the main line of a tree is read. Stones set up before the first turn (`AB`,
//! `AW`, `AE`, and `PL` for the side to move) form the start position.

use super::{Connect6, Connect6Move, Connect6Rules, MAX_SIZE, MIN_SIZE, Point, fen, read_points};
use crate::game::{Game, Outcome, Player, Turn};
use crate::record::Record;
use crate::sgf::{Property, SyntaxError, escape, main_line};
use std::fmt::Write;

/// The notation of stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One turn per node, points as on Little Golem.
    LittleGolem,
    /// One stone per node, points as two letters from the top left.
    StoneANode,
}

/// An error in an SGF text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// The brackets or properties are not valid SGF.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A property has an unsupported value.
    #[error("bad SGF, {name}[{value}]: {reason}")]
    Property {
        /// The property.
        name: String,
        /// Its value, shortened to a readable length.
        value: String,
        /// The error and the expected form.
        reason: String,
    },
    /// The moves break the rules.
    #[error("bad SGF, turn {number}: {reason}")]
    Turn {
        /// Counted from 1.
        number: usize,
        /// The rule that is broken.
        reason: String,
    },
}

/// The optional header of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfHeader {
    /// The name of the player with Black.
    pub black: String,
    /// The name of the player with White.
    pub white: String,
    /// The event.
    pub event: String,
}

fn bad(p: &str, value: &str, reason: impl Into<String>) -> SgfError {
    let value = crate::text::excerpt(value);
    SgfError::Property { name: p.into(), value, reason: reason.into() }
}

/// Reads the main line of the first game of a file.
///
/// # Errors
/// Invalid SGF, a size outside 6 to 19, stones set up after the first turn or on occupied points,
/// and illegal moves.
pub fn read(text: &str) -> Result<(SgfHeader, Record<Connect6>), SgfError> {
    let properties = main_line(text)?;
    let mut header = SgfHeader::default();
    let mut rules = Connect6Rules::default();
    let mut stones: Vec<(Player, Vec<Point>)> = Vec::new();
    let mut set_up = SetUp::default();
    for Property { name, values } in &properties {
        let value = values.first().map_or("", String::as_str);
        match name.as_str() {
            "PB" => header.black = value.into(),
            "PW" => header.white = value.into(),
            "EV" => header.event = value.into(),
            "SZ" => {
                let size = value.parse().ok().filter(|n| (MIN_SIZE..=MAX_SIZE).contains(n));
                rules.size = size.ok_or_else(|| bad(name, value, "expected 6 to 19"))?;
            }
            "AB" | "AW" | "AE" | "PL" if !stones.is_empty() => {
                return Err(bad(name, value, "the position is changed in the middle of the game"));
            }
            "AB" | "AW" | "AE" => {
                for value in values {
                    set_up.add(name, value, rules.size).map_err(|e| bad(name, value, e))?;
                }
            }
            "PL" => {
                let player = match value.trim().to_ascii_uppercase().as_str() {
                    "B" | "BLACK" | "1" => Player::First,
                    "W" | "WHITE" | "2" => Player::Second,
                    _ => return Err(bad(name, value, "expected `B` or `W`")),
                };
                set_up.side = Some(player);
            }
            "B" | "W" => {
                let player = if name == "B" { Player::First } else { Player::Second };
                // A resignation or a pass at the end of a Little Golem file.
                if matches!(value.to_ascii_lowercase().as_str(), "" | "resign" | "draw" | "tt") {
                    continue;
                }
                let points = points(value, rules.size).map_err(|e| bad(name, value, e))?;
                match stones.last_mut() {
                    Some((last, so_far)) if *last == player => so_far.extend(points),
                    _ => stones.push((player, points)),
                }
            }
            _ => {}
        }
    }
    let first = stones.first().map(|(player, _)| *player);
    Ok((header, record(set_up.position(first, &rules)?, &stones)?))
}

/// Stones set up before the first turn.
#[derive(Default)]
struct SetUp {
    stones: Vec<(Point, Player)>,
    side: Option<Player>,
}

impl SetUp {
    /// A value of `AB`, `AW` or `AE`: points, or a rectangle as in `aa:cc`.
    fn add(&mut self, name: &str, value: &str, size: usize) -> Result<(), String> {
        let points = match value.split_once(':') {
            None => points(value, size)?,
            Some((from, to)) => match (&points(from, size)?[..], &points(to, size)?[..]) {
                (&[a], &[b]) => rectangle(a, b),
                _ => return Err("expected a point on either side of the `:`".into()),
            },
        };
        for point in points {
            // A point off a smaller board is still on the largest one.
            if point.column().max(point.row()) >= size {
                return Err(format!("{point} is not on a board of {size} columns and rows"));
            }
            let stands = self.stones.iter().position(|(p, _)| *p == point);
            match (name, stands) {
                ("AE", Some(at)) => _ = self.stones.remove(at),
                ("AE", None) => return Err(format!("there is no stone on {point} to take off")),
                (_, Some(_)) => return Err(format!("there is a stone on {point} already")),
                ("AB", None) => self.stones.push((point, Player::First)),
                (_, None) => self.stones.push((point, Player::Second)),
            }
        }
        Ok(())
    }

    /// The position. The side to move is given by `PL`, else by the colour of the first turn; else
    /// it is the side with fewer stones, as after any number of turns from the empty board.
    fn position(&self, first: Option<Player>, rules: &Connect6Rules) -> Result<Connect6, SgfError> {
        if self.stones.is_empty() {
            return Ok(Connect6::start(rules));
        }
        let blacks = self.stones.iter().filter(|(_, player)| *player == Player::First).count();
        let fewer = if 2 * blacks > self.stones.len() { Player::Second } else { Player::First };
        let side = self.side.or(first).unwrap_or(fewer);
        let row = |row: usize| -> String {
            let letter = |column: usize| {
                let here = |p: &Point| (p.column(), p.row()) == (column, row);
                match self.stones.iter().find(|(p, _)| here(p)) {
                    None => '.',
                    Some((_, Player::First)) => 'X',
                    Some((_, Player::Second)) => 'O',
                }
            };
            (0..rules.size).map(letter).collect()
        };
        let rows: Vec<String> = (0..rules.size).rev().map(row).collect();
        let side = if side == Player::First { "x" } else { "o" };
        let text = format!("{} {side}", rows.join("/"));
        fen::parse(&text).map_err(|e| bad("AB", "and AW", e.to_string()))
    }
}

/// All points between two corners.
fn rectangle(a: Point, b: Point) -> Vec<Point> {
    let columns = a.column().min(b.column())..=a.column().max(b.column());
    let rows = a.row().min(b.row())..=a.row().max(b.row());
    let all = columns.flat_map(|column| rows.clone().map(move |row| Point::new(column, row)));
    all.flatten().collect()
}

/// The stones of a value of `B` or `W`, as in `jj` or `k9l8`, as a text that the game reads.
///
/// # Errors
/// It names no points.
pub fn stones(value: &str, size: usize) -> Result<Vec<String>, String> {
    Ok(points(value, size)?.iter().map(Point::to_string).collect())
}

/// A point such as `k9` in letters from the top left.
///
/// # Errors
/// It is no point of the board.
pub fn letters(point: &str, size: usize) -> Result<String, String> {
    let found = read_points(point).map_err(|e| e.to_string())?;
    let point = found.first().filter(|p| p.column().max(p.row()) < size);
    let point = point.ok_or("a point off the board")?;
    Ok(written(*point, Form::StoneANode, size))
}

fn record(start: Connect6, stones: &[(Player, Vec<Point>)]) -> Result<Record<Connect6>, SgfError> {
    let mut record = Record::new(start);
    for (i, (player, points)) in stones.iter().enumerate() {
        let fail = |reason: String| SgfError::Turn { number: i + 1, reason };
        if record.turn() != Turn::Player(*player) {
            let who = if *player == Player::First { "Black" } else { "White" };
            return Err(fail(format!("it is not {who}'s turn")));
        }
        let text: String = points.iter().map(Point::to_string).collect();
        record.push_text(&text).map_err(|e| fail(e.to_string()))?;
    }
    Ok(record)
}

/// One value: two letters per stone, or letter and number.
fn points(value: &str, size: usize) -> Result<Vec<Point>, String> {
    let letters = value.trim();
    if !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return read_points(letters).map_err(|e| e.to_string());
    }
    let wanted = "expected points as in `jj` (from the top left) or `k9l8`";
    if !letters.len().is_multiple_of(2) {
        return Err(wanted.into());
    }
    let number = |b: u8| usize::from(b.to_ascii_lowercase() - b'a');
    let pair = |pair: &[u8]| {
        let row = size.checked_sub(1 + number(*pair.get(1)?))?;
        Point::new(number(*pair.first()?), row)
    };
    letters.as_bytes().chunks(2).map(|p| pair(p).ok_or_else(|| wanted.to_string())).collect()
}

/// Writes a game; the stones of its start position are set up.
///
/// # Errors
/// The game was over at its start position.
pub fn write(
    header: &SgfHeader,
    record: &Record<Connect6>,
    form: Form,
) -> Result<String, SgfError> {
    let start = record.start();
    let Turn::Player(first) = start.turn() else {
        let reason = "the position that the game begins at is over".into();
        return Err(SgfError::Turn { number: 1, reason });
    };
    let size = start.size();
    let mut out = format!(
        "(;FF[4]EV[{}]PB[{}]PW[{}]SZ[{size}]",
        escape(&header.event),
        escape(&header.black),
        escape(&header.white)
    );
    if let Turn::Over(outcome) = record.turn() {
        let result = match outcome {
            Outcome::Win(Player::First) => "B+",
            Outcome::Win(Player::Second) => "W+",
            Outcome::Draw => "0",
        };
        let _ = write!(out, "RE[{result}]");
    }
    if start.empty_points() < size * size {
        for (name, player) in [("AB", Player::First), ("AW", Player::Second)] {
            let own: Vec<Point> =
                start.points().filter(|p| start.stone(*p) == Some(player)).collect();
            if !own.is_empty() {
                out.push_str(name);
            }
            for point in own {
                let _ = write!(out, "[{}]", written(point, form, size));
            }
        }
        let _ = write!(out, "PL[{}]", if first == Player::First { 'B' } else { 'W' });
    }
    for (i, m) in record.moves().iter().enumerate() {
        let name = if (i % 2 == 0) == (first == Player::First) { 'B' } else { 'W' };
        write_turn(&mut out, name, *m, form, size);
    }
    out.push_str(")\n");
    Ok(out)
}

fn written(point: Point, form: Form, size: usize) -> String {
    match form {
        Form::LittleGolem => point.to_string(),
        Form::StoneANode => {
            let letter = |n: usize| char::from(b'a' + n as u8);
            [letter(point.column()), letter(size - 1 - point.row())].iter().collect()
        }
    }
}

fn write_turn(out: &mut String, name: char, m: Connect6Move, form: Form, size: usize) {
    match form {
        Form::LittleGolem => {
            let _ = write!(out, ";{name}[{m}]");
        }
        Form::StoneANode => {
            for point in m.stones() {
                let _ = write!(out, ";{name}[{}]", written(point, form, size));
            }
        }
    }
}
