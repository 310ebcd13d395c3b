//! The format of game files: eight bytes that name the game, then for each game its number of plies
//! (2 bytes), its result for the first player (1 byte: 0 lost, 1 drawn, 2 won), and four bytes per
//! ply: the move, or the outcome of chance, in the engine's own encoding, and the search value of
//! the position before it, from the mover's side. All little-endian.

use anyhow::{Result, ensure};
use std::io::{ErrorKind, Read, Write};

/// The value of a position that was not searched.
pub const UNKNOWN: i16 = i16::MIN;

/// The first bytes of a file of games.
pub type Magic = [u8; 8];

/// A game from the start position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameLog {
    /// 0: the first player lost, 1: drawn, 2: the first player won.
    pub result: u8,
    /// Moves, and the value of the position before each for its mover.
    pub plies: Vec<(u16, i16)>,
}

/// Writes the header of a file.
///
/// # Errors
/// The output cannot be written.
pub fn write_head(out: &mut impl Write, magic: &Magic) -> Result<()> {
    Ok(out.write_all(magic)?)
}

/// Writes a game.
///
/// # Errors
/// The output cannot be written, or the game has more than 65,535 plies.
pub fn write_game(out: &mut impl Write, game: &GameLog) -> Result<()> {
    out.write_all(&u16::try_from(game.plies.len())?.to_le_bytes())?;
    out.write_all(&[game.result])?;
    for (m, value) in &game.plies {
        out.write_all(&m.to_le_bytes())?;
        out.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

/// Reads the header of a file.
///
/// # Errors
/// The input cannot be read or begins with something else.
pub fn read_head(input: &mut impl Read, magic: &Magic) -> Result<()> {
    let mut found = [0; 8];
    ensure!(
        fill(input, &mut found)? && &found == magic,
        "not a file of games that `tune play` of this engine made"
    );
    Ok(())
}

/// Reads the next game; `None` at the end of the file. Drops a truncated last game, which an
/// interrupted writer leaves.
///
/// # Errors
/// The input cannot be read or is damaged.
pub fn read_game(input: &mut impl Read) -> Result<Option<GameLog>> {
    let mut head = [0; 3];
    if !fill(input, &mut head)? {
        return Ok(None);
    }
    let [low, high, result] = head;
    ensure!(result <= 2, "a game's result is {result}, expected 0, 1 or 2");
    let mut game = GameLog { result, plies: Vec::new() };
    for _ in 0..u16::from_le_bytes([low, high]) {
        let mut ply = [0; 4];
        if !fill(input, &mut ply)? {
            return Ok(None);
        }
        let [a, b, c, d] = ply;
        game.plies.push((u16::from_le_bytes([a, b]), i16::from_le_bytes([c, d])));
    }
    Ok(Some(game))
}

/// Fills the buffer; returns false if the file ends first.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<bool> {
    match input.read_exact(buffer) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok(false),
        other => Ok(other.map(|()| true)?),
    }
}
