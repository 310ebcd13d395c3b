//! Files of books: a header of text lines that ends with an empty line, then the positions.
//!
//! The header has one field a line, a name and a value: the game, the size of the board, the number
//! of positions, how the book was made, and a CRC-32 of the rest of the file. The positions follow in
//! the order in which they were added, in little-endian numbers. Each has
//!
//! - 4 bytes: the number of the position before it, and 1 byte: the number of the turn from there to
//!   it; all bits set for the start position;
//! - 4 bytes: its backed-up value for the side to move in centipoints, and 1 byte: its number of turns;
//! - for each turn its points (2 bytes each, [`Point::index`]; all bits set if there is no second one),
//!   4 bytes for the value of its search, and 1 byte for the depth of its search in plies.

use super::content::{Book, BookTurn};
use agon_games::connect6::{Connect6Move, Point};
use agon_wire::input_file;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximum size of a file: some ten million turns.
pub const MAX_BYTES: u64 = 256 << 20;
const MAGIC: &str = "agon-connect6-book";
const VERSION: &str = "1";
/// The bytes of a position without its turns, and of a turn.
const ENTRY: usize = 10;
const TURN: usize = 9;

/// Why bytes are no book that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The first line is another.
    #[error("not an opening book: expected the first line `{MAGIC} {VERSION}`")]
    Magic,
    /// A field of the header is missing or has another value.
    #[error("{field} is {found}; this program expects {expected}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// The value in the file, or `missing`.
        found: String,
        /// The value that would be right.
        expected: String,
    },
    /// The file is not as it was written.
    #[error("damaged: the file is incomplete, or its checksum does not match")]
    Damaged,
    /// The file is as it was written, but no book.
    #[error("position {number} of the file: {reason}")]
    Position {
        /// The number, from 0.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// How a book was made: texts without line ends.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Header {
    /// Everything that its positions depend on besides their number.
    pub search: String,
    /// The commit of the program.
    pub commit: String,
    /// The last command.
    pub command: String,
}

/// The bytes of a book.
pub fn to_bytes(header: &Header, book: &Book) -> Vec<u8> {
    let fields = [
        ("game", "connect6".to_string()),
        ("board", book.size().to_string()),
        ("positions", book.entries().len().to_string()),
        ("search", header.search.clone()),
        ("commit", header.commit.clone()),
        ("command", header.command.clone()),
    ];
    let mut text = format!("{MAGIC} {VERSION}\n");
    for (name, value) in fields {
        text += &format!("{name} {}\n", value.replace(['\n', '\r'], " "));
    }
    let body = body(book);
    let sum = checksum(&text, &body);
    [format!("{text}crc32 {sum}\n\n").as_bytes(), &body].concat()
}

/// Reads a book for boards of this size, and checks that every position follows from an earlier one
/// by a legal turn and that every value follows from those of the turns.
///
/// # Errors
/// The bytes are no such book, or they are damaged.
pub fn from_bytes(bytes: &[u8], size: usize) -> Result<(Header, Book), BookError> {
    let first = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let first = std::str::from_utf8(first).map_err(|_| BookError::Magic)?;
    let version = first.strip_prefix(MAGIC).and_then(|v| v.strip_prefix(' '));
    expect("version", Some(version.ok_or(BookError::Magic)?), VERSION)?;
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or(BookError::Damaged)?;
    let text = std::str::from_utf8(&bytes[..=end]).map_err(|_| BookError::Damaged)?;
    let (text, sum) = text.trim_end().rsplit_once("crc32 ").ok_or(BookError::Damaged)?;
    let body = &bytes[end + 2..];
    if checksum(text, body) != sum {
        return Err(BookError::Damaged);
    }
    let fields: BTreeMap<&str, &str> = text.lines().filter_map(|l| l.split_once(' ')).collect();
    let field = |name: &str| fields.get(name).copied();
    expect("game", field("game"), "connect6")?;
    expect("board", field("board"), &size.to_string())?;
    let book = book(body, size)?;
    expect("positions", field("positions"), &book.entries().len().to_string())?;
    let text = |name| field(name).unwrap_or_default().to_string();
    let header =
        Header { search: text("search"), commit: text("commit"), command: text("command") };
    Ok((header, book))
}

/// Reads a book from a file.
///
/// # Errors
/// The file's name, and why it cannot be read or is no book for boards of this size.
pub fn open(path: &Path, size: usize) -> Result<(Header, Book), String> {
    let named = |error: String| format!("{}: {error}", path.display());
    let bytes = input_file::read(path, MAX_BYTES).map_err(|e| named(e.to_string()))?;
    from_bytes(&bytes, size).map_err(|e| named(e.to_string()))
}

/// Writes a book beside the file and renames it, so that the file is always complete.
///
/// # Errors
/// The file cannot be written.
pub fn save(path: &Path, header: &Header, book: &Book) -> io::Result<()> {
    let mut aside = path.as_os_str().to_os_string();
    aside.push(".new");
    let aside = PathBuf::from(aside);
    let mut file = File::create(&aside)?;
    file.write_all(&to_bytes(header, book))?;
    file.sync_data()?;
    fs::rename(&aside, path)
}

fn expect(field: &'static str, found: Option<&str>, expected: &str) -> Result<(), BookError> {
    match found {
        Some(found) if found == expected => Ok(()),
        found => Err(BookError::Field {
            field,
            found: found.unwrap_or("missing").to_string(),
            expected: expected.to_string(),
        }),
    }
}

/// The checksum of the header before it and of the positions.
fn checksum(text: &str, body: &[u8]) -> String {
    let mut sum = crc32fast::Hasher::new();
    sum.update(text.as_bytes());
    sum.update(body);
    format!("{:08x}", sum.finalize())
}

fn body(book: &Book) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in book.entries() {
        let (before, number) =
            entry.parent.map_or((u32::MAX, u8::MAX), |(e, n)| (e as u32, n as u8));
        bytes.extend(before.to_le_bytes());
        bytes.push(number);
        bytes.extend(entry.value.to_le_bytes());
        bytes.push(entry.turns.len() as u8);
        for BookTurn { turn, value, depth } in &entry.turns {
            bytes.extend((turn.first.index() as u16).to_le_bytes());
            bytes.extend(turn.second.map_or(u16::MAX, |p| p.index() as u16).to_le_bytes());
            bytes.extend(value.to_le_bytes());
            bytes.push(*depth);
        }
    }
    bytes
}

/// The book of these bytes.
fn book(mut rest: &[u8], size: usize) -> Result<Book, BookError> {
    let mut book = Book::new(size);
    while !rest.is_empty() {
        let number = book.entries().len();
        let wrong = |reason: String| BookError::Position { number, reason };
        let (fixed, after) = rest.split_at_checked(ENTRY).ok_or(BookError::Damaged)?;
        let length = TURN * usize::from(fixed[9]);
        let (turns, after) = after.split_at_checked(length).ok_or(BookError::Damaged)?;
        rest = after;
        let before = u32::from_le_bytes([fixed[0], fixed[1], fixed[2], fixed[3]]);
        let parent = (number > 0).then_some((before as usize, usize::from(fixed[4])));
        let value = i32::from_le_bytes([fixed[5], fixed[6], fixed[7], fixed[8]]);
        let turns: Option<Vec<BookTurn>> = turns.chunks_exact(TURN).map(turn).collect();
        let turns = turns.ok_or_else(|| wrong("a turn of it is off the board".into()))?;
        book.add(parent, turns, value).map_err(wrong)?;
    }
    if let Some((number, right)) = book.inconsistent() {
        let value = book.entries()[number].value;
        let reason = format!("its value is {value}, but its turns give {right}");
        return Err(BookError::Position { number, reason });
    }
    Ok(book)
}

/// The turn of [`TURN`] bytes.
fn turn(bytes: &[u8]) -> Option<BookTurn> {
    let point =
        |at: usize| Point::from_index(u16::from_le_bytes([bytes[at], bytes[at + 1]]).into());
    let first = point(0)?;
    let turn = match bytes[2..4] {
        [u8::MAX, u8::MAX] => Connect6Move::one(first),
        _ => Connect6Move { first, second: Some(point(2)?) },
    };
    let value = i32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
    Some(BookTurn { turn, value, depth: bytes[8] })
}
