//! The text format of boards and squares that all games share: the board field of a FEN, the side
//! to move, squares such as `d10`, the board on a terminal.
//!
//! Files are letters from the left and ranks are numbers from the bottom. In code a square is a
//! file and a row, both counted from 0, regardless of the number of the lowest rank.

use crate::game::Player;
use crate::text::excerpt;
use std::fmt::{Display, Write};
use std::ops::RangeInclusive;

/// The format of a game's FEN board field.
#[derive(Clone, Debug)]
pub struct BoardFormat {
    /// The allowed number of files.
    pub files: RangeInclusive<usize>,
    /// The allowed number of ranks.
    pub ranks: RangeInclusive<usize>,
    /// The number of the lowest rank: 0 or 1.
    pub first_rank: usize,
    /// The letters of the pieces, for error messages.
    pub letters: &'static str,
}

/// A parsed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedBoard<T> {
    /// The number of files.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// File, row and piece of every non-empty square.
    pub pieces: Vec<(usize, usize, T)>,
}

impl BoardFormat {
    /// Reads ranks from the top, joined by `/`: letters that `piece` accepts, numbers for runs of
    /// empty squares (one digit each on boards of up to nine files), `.` for one empty square.
    ///
    /// # Errors
    /// The error, its rank, and the expected form.
    pub fn read<T>(
        &self,
        text: &str,
        piece: impl Fn(char) -> Option<T>,
    ) -> Result<ParsedBoard<T>, String> {
        let lines: Vec<&str> = text.split('/').collect();
        let ranks = lines.len();
        if !self.ranks.contains(&ranks) {
            return Err(format!("{ranks} ranks, expected {}, joined by `/`", range(&self.ranks)));
        }
        let mut board = ParsedBoard { files: *self.files.end(), ranks, pieces: Vec::new() };
        for (i, line) in lines.into_iter().enumerate() {
            let row = ranks - 1 - i;
            let rank = row + self.first_rank;
            let files = self
                .read_rank(line, row, &piece, &mut board.pieces)
                .map_err(|reason| format!("rank {rank}: {reason}"))?;
            if i == 0 && self.files.contains(&files) {
                board.files = files;
            }
            if files != board.files {
                let expected = match i {
                    0 => format!("expected {}", range(&self.files)),
                    _ => format!("the ranks above have {}", board.files),
                };
                return Err(format!("rank {rank} has {files} squares, {expected}"));
            }
        }
        Ok(board)
    }

    /// Reads one rank and returns its number of squares.
    fn read_rank<T>(
        &self,
        line: &str,
        row: usize,
        piece: impl Fn(char) -> Option<T>,
        pieces: &mut Vec<(usize, usize, T)>,
    ) -> Result<usize, String> {
        let most = *self.files.end();
        let (mut file, mut rest) = (0, line);
        while let Some(c) = rest.chars().next() {
            let mut length = c.len_utf8();
            if c.is_ascii_digit() {
                if most > 9 {
                    length = rest.bytes().take_while(u8::is_ascii_digit).count();
                }
                let run = rest[..length].parse().ok().filter(|run| (1..=most).contains(run));
                file += run.ok_or_else(|| {
                    format!("`{}` empty squares, expected 1 to {most}", &rest[..length])
                })?;
            } else {
                match piece(c) {
                    Some(piece) => pieces.push((file, row, piece)),
                    None if c == '.' => {}
                    None => {
                        let (c, letters) = (excerpt(&c.to_string()), self.letters);
                        let at = file + 1;
                        return Err(format!(
                            "`{c}` on square {at}, expected one of {letters} or a number of empty \
                             squares"
                        ));
                    }
                }
                file += 1;
            }
            if file > most {
                return Err(format!("more than {most} squares"));
            }
            rest = &rest[length..];
        }
        Ok(file)
    }
}

fn range(numbers: &RangeInclusive<usize>) -> String {
    match (numbers.start(), numbers.end()) {
        (least, most) if least == most => most.to_string(),
        (least, most) => format!("{least} to {most}"),
    }
}

/// The board field of a FEN: ranks from the top, numbers for runs of squares for which `piece`
/// returns nothing.
pub fn write_board(
    files: usize,
    ranks: usize,
    piece: impl Fn(usize, usize) -> Option<char>,
) -> String {
    let mut out = String::new();
    for row in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            let piece = piece(file, row);
            if piece.is_some() && empty > 0 {
                out.push_str(&std::mem::take(&mut empty).to_string());
            }
            match piece {
                Some(letter) => out.push(letter),
                None => empty += 1,
            }
        }
        if empty > 0 {
            out.push_str(&empty.to_string());
        }
        if row > 0 {
            out.push('/');
        }
    }
    out
}

/// Reads the side-to-move field: any letter of `first` or `second`; the first letter of each is the
/// canonical one.
///
/// # Errors
/// A field that is missing or not one of the letters.
pub fn read_side(field: Option<&str>, first: &str, second: &str) -> Result<Player, String> {
    let expected = format!("expected `{}` or `{}`", &first[..1], &second[..1]);
    let text = field.ok_or_else(|| format!("the side to move is missing, {expected}"))?;
    [(first, Player::First), (second, Player::Second)]
        .into_iter()
        .find(|(letters, _)| text.len() == 1 && letters.contains(text))
        .map(|(_, player)| player)
        .ok_or_else(|| format!("side to move `{}`, {expected}", excerpt(text)))
}

/// Reads squares, a letter and a number each, separated by nothing or by any of `,-/:()x` and
/// blanks. `square` converts a file (from 0) and a rank number to a game's square.
///
/// # Errors
/// The first characters that are not a square.
pub fn read_squares<S>(
    text: &str,
    square: impl Fn(usize, usize) -> Option<S>,
) -> Result<Vec<S>, String> {
    let mut squares = Vec::new();
    let mut rest = text.trim();
    while let Some(c) = rest.chars().next() {
        if matches!(c, ',' | '-' | '/' | ':' | '(' | ')' | 'x' | ' ') {
            rest = &rest[1..];
            continue;
        }
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let read = || {
            let file = u8::try_from(c.to_ascii_lowercase()).ok()?.checked_sub(b'a')?;
            square(file.into(), rest.get(1..=digits)?.parse().ok()?)
        };
        squares.push(read().ok_or_else(|| rest.chars().take(3).collect::<String>())?);
        rest = &rest[1 + digits..];
    }
    Ok(squares)
}

/// The letter of a file.
pub fn file_letter(file: usize) -> char {
    char::from(b'a' + file.min(25) as u8)
}

/// A board for a terminal: ranks with their numbers, and the letters of the files below. Each
/// square takes `width` characters and a blank.
pub fn diagram<T: Display>(
    (files, ranks): (usize, usize),
    first_rank: usize,
    width: usize,
    square: impl Fn(usize, usize) -> T,
) -> String {
    let label = (ranks - 1 + first_rank).to_string().len();
    let mut out = String::new();
    for row in (0..ranks).rev() {
        let _ = write!(out, "{:label$} ", row + first_rank);
        for file in 0..files {
            let _ = write!(out, " {:>width$}", square(file, row));
        }
        out.push('\n');
    }
    let _ = write!(out, "{:label$} ", "");
    for file in 0..files {
        let _ = write!(out, " {:>width$}", file_letter(file));
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_read_with_and_without_separators() {
        let read = |text| read_squares(text, |file, rank| (rank > 0).then_some((file, rank)));
        for text in ["d1d10", "D1-d10", " d1xd10", "d1,(d10)", "d1 / d10"] {
            assert_eq!(read(text), Ok(vec![(3, 1), (3, 10)]), "{text}");
        }
        for (text, fault) in [("d1é", "é"), ("d1d", "d"), ("a0b1", "a0b"), ("1a", "1a")] {
            assert_eq!(read(text), Err(fault.into()), "{text}");
        }
        assert_eq!(read("a99999999999999999999999"), Err("a99".into()));
    }
}
