//! The format of game files: eight bytes `AGONXQ1\n`, then for each game its number of plies (2
//! bytes), its result for Red (1 byte: 0 lost, 1 drawn, 2 won), and four bytes per ply: the move,
//! and the search value of the position before it, from the mover's side. All little-endian.

use crate::position::Move;
use agon_protocol::xiangqi::SQUARES;
use anyhow::{Result, ensure};
use std::io::{ErrorKind, Read, Write};

/// The value of a position that was not searched.
pub const UNKNOWN: i16 = i16::MIN;

const MAGIC: &[u8; 8] = b"AGONXQ1\n";

/// A game from the start position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameLog {
    /// 0: Red lost, 1: drawn, 2: Red won.
    pub result: u8,
    /// Moves, and the value of the position before each for its mover.
    pub plies: Vec<(Move, i16)>,
}

/// Writes the header of a file.
pub fn write_head(out: &mut impl Write) -> Result<()> {
    Ok(out.write_all(MAGIC)?)
}

/// Writes a game.
pub fn write_game(out: &mut impl Write, game: &GameLog) -> Result<()> {
    out.write_all(&u16::try_from(game.plies.len())?.to_le_bytes())?;
    out.write_all(&[game.result])?;
    for (m, value) in &game.plies {
        out.write_all(&m.0.to_le_bytes())?;
        out.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

/// Reads the header of a file.
pub fn read_head(input: &mut impl Read) -> Result<()> {
    let mut magic = [0; 8];
    ensure!(
        fill(input, &mut magic)? && &magic == MAGIC,
        "not a file of games that `xiangqi tune play` made"
    );
    Ok(())
}

/// Reads the next game; `None` at the end of the file. Drops a truncated last game, which an
/// interrupted writer leaves.
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
        let m = Move(u16::from_le_bytes([ply[0], ply[1]]));
        ensure!(m.from() < SQUARES && m.to() < SQUARES, "a move leaves the board: {}", m.0);
        game.plies.push((m, i16::from_le_bytes([ply[2], ply[3]])));
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
