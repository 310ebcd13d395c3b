//! The file of games: eight bytes `AGONXQ1\n`, then for each game its number of plies (2 bytes), its
//! result for Red (1 byte: 0 lost, 1 drawn, 2 won), and four bytes a ply: the move, and the value
//! that the search gave the position before it, from the mover's side. All little-endian.

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

/// Begins a file.
pub fn write_head(out: &mut impl Write) -> Result<()> {
    Ok(out.write_all(MAGIC)?)
}

/// Adds a game.
pub fn write_game(out: &mut impl Write, game: &GameLog) -> Result<()> {
    out.write_all(&u16::try_from(game.plies.len())?.to_le_bytes())?;
    out.write_all(&[game.result])?;
    for (m, value) in &game.plies {
        out.write_all(&m.0.to_le_bytes())?;
        out.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

/// Reads the head of a file.
pub fn read_head(input: &mut impl Read) -> Result<()> {
    let mut magic = [0; 8];
    input.read_exact(&mut magic)?;
    ensure!(&magic == MAGIC, "not a file of games that `xiangqi tune play` made");
    Ok(())
}

/// Reads the next game; `None` at the end of the file.
pub fn read_game(input: &mut impl Read) -> Result<Option<GameLog>> {
    let mut length = [0; 2];
    match input.read_exact(&mut length) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let mut result = [0; 1];
    input.read_exact(&mut result)?;
    ensure!(result[0] <= 2, "a game's result is {}, expected 0, 1 or 2", result[0]);
    let mut game = GameLog { result: result[0], plies: Vec::new() };
    for _ in 0..u16::from_le_bytes(length) {
        let mut ply = [0; 4];
        input.read_exact(&mut ply)?;
        let m = Move(u16::from_le_bytes([ply[0], ply[1]]));
        ensure!(m.from() < SQUARES && m.to() < SQUARES, "a move leaves the board: {}", m.0);
        game.plies.push((m, i16::from_le_bytes([ply[2], ply[3]])));
    }
    Ok(Some(game))
}
