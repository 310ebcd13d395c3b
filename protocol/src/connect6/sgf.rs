//! Games as SGF: reading both forms in use, Little Golem's (`;B[j10];W[k9l8]`, a turn a node) and
//! the one of Go programs (`;B[jj];W[ki];W[lh]`, a stone a node, letters from the top left), and
//! writing either. Of a tree of variations the main line is read.

use super::{Connect6, Connect6Move, Connect6Rules, MAX_SIZE, MIN_SIZE, Point, read_points};
use crate::game::{Game, Outcome, Player, Turn};
use crate::record::Record;
use std::fmt::Write;

/// How stones are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A turn a node, points as on Little Golem.
    LittleGolem,
    /// A stone a node, points as two letters from the top left.
    StoneANode,
}

/// Why a text is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// Brackets or properties are not as in an SGF.
    #[error("bad SGF at byte {at}: {reason}")]
    Syntax {
        /// Counted from 0.
        at: usize,
        /// What was wrong and what would be right.
        reason: String,
    },
    /// A property has a value that this game does not know.
    #[error("bad SGF, {name}[{value}]: {reason}")]
    Property {
        /// The property.
        name: String,
        /// Its value, cut to a readable length.
        value: String,
        /// What was wrong and what would be right.
        reason: String,
    },
    /// The moves break the rules.
    #[error("bad SGF, turn {number}: {reason}")]
    Turn {
        /// Counted from 1.
        number: usize,
        /// Which rule is broken.
        reason: String,
    },
}

/// What a game's header may say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Who has Black.
    pub black: String,
    /// Who has White.
    pub white: String,
    /// The event.
    pub event: String,
}

struct Property {
    name: String,
    values: Vec<String>,
}

fn bad(p: &str, value: &str, reason: impl Into<String>) -> SgfError {
    let value = crate::message::excerpt(value);
    SgfError::Property { name: p.into(), value, reason: reason.into() }
}

/// Reads the main line of the first game of a file.
///
/// # Errors
/// A text that is no SGF, a size beyond 6 to 19, set-up stones, and moves against the rules.
pub fn read(text: &str) -> Result<(Header, Record<Connect6>), SgfError> {
    let properties = main_line(text)?;
    let mut header = Header::default();
    let mut rules = Connect6Rules::default();
    let mut stones: Vec<(Player, Vec<Point>)> = Vec::new();
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
            "AB" | "AW" | "AE" => {
                return Err(bad(name, value, "stones set up before the game are not read"));
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
    Ok((header, record(&stones, &rules)?))
}

fn record(
    stones: &[(Player, Vec<Point>)],
    rules: &Connect6Rules,
) -> Result<Record<Connect6>, SgfError> {
    let mut record = Record::new(Connect6::start(rules));
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

/// One value: two letters a stone, or letter and number.
fn points(value: &str, size: usize) -> Result<Vec<Point>, String> {
    let letters = value.trim();
    if !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return read_points(letters);
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

/// The properties of the first game's main line, in order.
fn main_line(text: &str) -> Result<Vec<Property>, SgfError> {
    let bytes = text.as_bytes();
    let fail = |at: usize, reason: &str| SgfError::Syntax { at, reason: reason.into() };
    let mut at = text.find('(').ok_or_else(|| fail(0, "there is no `(`"))? + 1;
    let mut properties: Vec<Property> = Vec::new();
    while let Some(&b) = bytes.get(at) {
        match b {
            // The first variation of each fork comes first; where a branch ends, so does the line.
            b')' => return Ok(properties),
            b'(' | b';' => at += 1,
            b if b.is_ascii_whitespace() => at += 1,
            b'[' => {
                let end = closing(bytes, at).ok_or_else(|| fail(at, "`[` is never closed"))?;
                let value = unescape(text.get(at + 1..end).unwrap_or_default());
                let last = properties.last_mut();
                last.ok_or_else(|| fail(at, "a value without a property"))?.values.push(value);
                at = end + 1;
            }
            b if b.is_ascii_alphabetic() => {
                let from = at;
                while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
                    at += 1;
                }
                // Old files write `Black` for `B`: lower-case letters do not count.
                let name = text[from..at].chars().filter(char::is_ascii_uppercase).collect();
                properties.push(Property { name, values: Vec::new() });
            }
            _ => return Err(fail(at, "expected `;`, `(`, `)` or a property such as `B[k9l8]`")),
        }
    }
    Err(fail(at, "the `(` at the beginning is never closed"))
}

/// The place of the bracket that closes the one at `open`.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b']' => return Some(at),
            _ => at += 1,
        }
    }
}

fn unescape(value: &str) -> String {
    let mut out = String::new();
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c == '\\' { out.extend(chars.next()) } else { out.push(c) }
    }
    out
}

fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}

/// Writes a game that began at the start position.
///
/// # Errors
/// A game from a set-up position: these forms have no place for one.
pub fn write(header: &Header, record: &Record<Connect6>, form: Form) -> Result<String, SgfError> {
    let start = record.start();
    if start.empty_points() != start.size() * start.size() {
        let reason = "the game does not begin on an empty board".into();
        return Err(SgfError::Turn { number: 1, reason });
    }
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
    for (i, m) in record.moves().iter().enumerate() {
        let name = if i % 2 == 0 { 'B' } else { 'W' };
        write_turn(&mut out, name, *m, form, size);
    }
    out.push_str(")\n");
    Ok(out)
}

fn write_turn(out: &mut String, name: char, m: Connect6Move, form: Form, size: usize) {
    match form {
        Form::LittleGolem => {
            let _ = write!(out, ";{name}[{m}]");
        }
        Form::StoneANode => {
            for point in m.stones() {
                let letter = |n: usize| char::from(b'a' + n as u8);
                let row = size - 1 - point.row();
                let _ = write!(out, ";{name}[{}{}]", letter(point.column()), letter(row));
            }
        }
    }
}
