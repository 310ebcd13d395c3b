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
    let mut record = frame::read(&mut scan)?;
    match record.game {
        RecordGame::Connect6 => connect6::read(&mut scan, &mut record)?,
        RecordGame::Amazons => amazons::read(&mut scan, &mut record)?,
        RecordGame::EinStein => einstein::read(&mut scan, &mut record)?,
        RecordGame::NoGo => nogo::read(&mut scan, &mut record)?,
    }
    Ok(record)
}
