//! The format of game files: eight bytes that name the game, then for each game its number of plies
//! (2 bytes), its result for the first player (1 byte: 0 lost, 1 drawn, 2 won), and four bytes per
//! ply: the move, or the outcome of chance, in the engine's own encoding, and the search value of
//! the position before it, from the mover's side. In a game with visits 128 is added to the result, and each ply goes on
//! with the number of moves that were visited (1 byte), and for each of them the row of the policy (2 bytes) and the
//! visits (2 bytes). All little-endian.

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
    /// By ply the rows of the policy and how often the search visited their moves, at most 255; none where the policy is
    /// not to be learned. Empty for a game without policy.
    pub visits: Vec<Vec<(u16, u16)>>,
}

/// Added to the result of a game with visits.
const VISITS: u8 = 128;

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
    let visits = if game.visits.is_empty() { 0 } else { VISITS };
    out.write_all(&[game.result | visits])?;
    for (ply, (m, value)) in game.plies.iter().enumerate() {
        out.write_all(&m.to_le_bytes())?;
        out.write_all(&value.to_le_bytes())?;
        if visits > 0 {
            let visited = game.visits.get(ply).map_or(&[][..], |visited| visited);
            out.write_all(&[u8::try_from(visited.len())?])?;
            for (row, count) in visited {
                out.write_all(&row.to_le_bytes())?;
                out.write_all(&count.to_le_bytes())?;
            }
        }
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
    let (result, has_visits) = (result & !VISITS, result & VISITS != 0);
    ensure!(result <= 2, "a game's result is {result}, expected 0, 1 or 2");
    let mut game = GameLog { result, ..GameLog::default() };
    for _ in 0..u16::from_le_bytes([low, high]) {
        let mut ply = [0; 4];
        if !fill(input, &mut ply)? {
            return Ok(None);
        }
        let [a, b, c, d] = ply;
        game.plies.push((u16::from_le_bytes([a, b]), i16::from_le_bytes([c, d])));
        if has_visits {
            let mut count = [0];
            if !fill(input, &mut count)? {
                return Ok(None);
            }
            let mut visited = vec![0; 4 * usize::from(count[0])];
            if !fill(input, &mut visited)? {
                return Ok(None);
            }
            let number = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
            let each = visited.chunks_exact(4).map(|pair| (number(pair), number(&pair[2..])));
            game.visits.push(each.collect());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_and_without_visits_come_back_and_a_cut_one_is_dropped() {
        let plain = GameLog { result: 2, plies: vec![(7, -5), (9, UNKNOWN)], visits: Vec::new() };
        let visits = vec![vec![(80, 3), (2, 65_535)], Vec::new()];
        let visited = GameLog { result: 1, visits, ..plain.clone() };
        let mut file = Vec::new();
        write_head(&mut file, b"AGONTST\n").unwrap();
        write_game(&mut file, &visited).unwrap();
        write_game(&mut file, &plain).unwrap();
        write_game(&mut file, &visited).unwrap();
        let read = |bytes: &[u8]| {
            let input = &mut &bytes[..];
            read_head(input, b"AGONTST\n").unwrap();
            std::iter::from_fn(|| read_game(input).unwrap()).collect::<Vec<GameLog>>()
        };
        let all = [visited.clone(), plain.clone(), visited];
        assert_eq!(read(&file), all);
        let last = 3 + 2 * 5 + 8;
        for cut in file.len() - last..file.len() {
            assert_eq!(read(&file[..cut]), all[..2], "cut at {cut}");
        }
        file[10] = 3 | VISITS;
        assert!(read_game(&mut &file[8..]).unwrap_err().to_string().contains("result is 3"));
    }
}
