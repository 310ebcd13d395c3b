//! The text form in which the teams of China's national championship (CCGC) hand in their games. Writers in
//! use differ in brackets, blanks, the letters of colours, dates and full-width characters: the readers here
//! take all of them, the writers write one form. There is none for Xiangqi and dark chess.
//!
//! The form of NoGo is written by few programs, and they differ most: see [`RecordGame::NoGo`].

mod amazons;
mod connect6;
mod einstein;
mod frame;
mod nogo;
mod record;
mod scan;
mod stones;
#[cfg(test)]
mod tests;

pub use frame::{file_name, result_word};
pub use record::{ReadError, Record, RecordGame};

/// Writes a record, with a line break at the end.
///
/// # Errors
/// A token is not one of the game, or EinStein's set-ups are missing.
pub fn write(record: &Record) -> Result<String, String> {
    match record.game {
        RecordGame::Connect6 => connect6::write(record),
        RecordGame::Amazons => amazons::write(record),
        RecordGame::EinStein => einstein::write(record),
        RecordGame::NoGo => nogo::write(record),
    }
}

/// Reads a record. Whether its moves are legal and its result right is for the arbiter to say.
///
/// # Errors
/// Line and column of what is wrong, and what would be right.
pub fn read(text: &str) -> Result<Record, ReadError> {
    let mut scan = scan::Scanner::new(text);
    let mut header = frame::read(&mut scan)?;
    scan.skip_remarks(";");
    let record = &mut header.record;
    if !header.has_game {
        record.game = game_of_moves(&scan);
    }
    match record.game {
        RecordGame::Connect6 => connect6::read(&mut scan, record)?,
        RecordGame::Amazons => amazons::read(&mut scan, record)?,
        RecordGame::EinStein => einstein::read(&mut scan, record)?,
        RecordGame::NoGo => nogo::read(&mut scan, record)?,
    }
    header.with_result(&scan)
}

/// The game of a record whose header names none, by its first moves. The form of EinStein has no letters.
fn game_of_moves(scan: &scan::Scanner) -> RecordGame {
    let text: String = scan.ahead("").chars().filter(|c| !c.is_whitespace()).collect();
    let stones: Vec<char> =
        text.split(';').filter_map(|entry| entry.chars().next()).take(3).collect();
    let set_up = text.split(';').next().unwrap_or("");
    match text.chars().next() {
        Some('R') => RecordGame::EinStein,
        // A stone as in `B(J,10)`, or squares with their stones as in `B:E3-1`.
        Some('B' | 'W') if !set_up.contains('-') => match stones[..] {
            [_, second, third] if second != third => RecordGame::NoGo,
            _ => RecordGame::Connect6,
        },
        Some(c) if c.is_ascii_digit() && !text.starts_with("1:") => RecordGame::Amazons,
        _ => RecordGame::EinStein,
    }
}
