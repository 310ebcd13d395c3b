//! The squares in the core's move tokens, for dialects with other notations; and squares as two capital
//! letters, column first: the notation of the SAU platform (rows from the top) and of Cloudict (rows
//! from the bottom), for Amazons and Connect6.

use agon_games::board_text::{file_letter, read_squares};

/// A square as column and row, both from 0; row 0 is rank 1.
pub(super) type FileRow = (u8, u8);

/// The squares of a token such as `d1d7,d7g7` or `k10l9`, in order; `None` for a text that is not a
/// sequence of a letter and a number each.
pub(super) fn places(token: &str) -> Option<Vec<FileRow>> {
    let place = |file: usize, rank: usize| {
        Some((u8::try_from(file).ok()?, u8::try_from(rank).ok()?.checked_sub(1)?))
    };
    read_squares(token, place).ok()
}

/// A square in the core's notation, `a1` for (0, 0).
pub(super) fn square((column, row): FileRow) -> String {
    format!("{}{}", file_letter(column.into()), u16::from(row) + 1)
}

/// An Amazons move in the core's notation.
pub(super) fn amazons_token([from, to, arrow]: [FileRow; 3]) -> String {
    format!("{}{},{}{}", square(from), square(to), square(to), square(arrow))
}

/// The three squares of an Amazons move: from, to, arrow.
pub(super) fn amazons_places(token: &str) -> Option<[FileRow; 3]> {
    match *places(token)?.as_slice() {
        [from, to, arrow] => Some([from, to, arrow]),
        [from, to, again, arrow] if to == again => Some([from, to, arrow]),
        _ => None,
    }
}

/// The board that the letters refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterBoard {
    /// 10 by 10; a move is from, to, arrow.
    Amazons,
    /// 19 by 19; a move is one or two stones.
    Connect6,
}

/// A notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    /// The board.
    pub board: LetterBoard,
    /// Whether row `A` is the top one, and whether a missing second stone is written `@@`.
    pub platform: bool,
}

impl Letters {
    fn side(self) -> u8 {
        if self.board == LetterBoard::Amazons { 10 } else { 19 }
    }

    fn place(self, x: u8, y: u8) -> Option<FileRow> {
        let index = |letter: u8| letter.to_ascii_uppercase().checked_sub(b'A');
        let (column, y) = (index(x)?, index(y)?);
        let row = if self.platform { self.side().checked_sub(y + 1)? } else { y };
        (column < self.side() && row < self.side()).then_some((column, row))
    }

    fn letters(self, (column, row): FileRow) -> Option<String> {
        let row = if self.platform { self.side().checked_sub(row + 1)? } else { row };
        let letter = |n: u8| char::from(b'A' + n);
        let inside = column < self.side() && row < self.side();
        inside.then(|| [letter(column), letter(row)].into_iter().collect())
    }

    /// Converts a move in letters to the core's token.
    pub fn read(self, text: &str) -> Option<String> {
        let stones = match text.strip_suffix("@@") {
            Some(first) if self.board == LetterBoard::Connect6 => first,
            _ => text,
        };
        if !stones.len().is_multiple_of(2) {
            return None;
        }
        let squares = stones.as_bytes().chunks(2).map(|s| self.place(s[0], s[1]));
        let squares = squares.collect::<Option<Vec<FileRow>>>()?;
        match (self.board, squares.as_slice()) {
            (LetterBoard::Amazons, &[from, to, arrow]) => Some(amazons_token([from, to, arrow])),
            (LetterBoard::Connect6, &[one]) => Some(square(one)),
            (LetterBoard::Connect6, &[one, two]) => Some(square(one) + &square(two)),
            _ => None,
        }
    }

    /// Converts a move to letters; `None` for a token without squares of the board.
    pub fn write(self, token: &str) -> Option<String> {
        let squares = match self.board {
            LetterBoard::Amazons => amazons_places(token)?.to_vec(),
            LetterBoard::Connect6 => places(token)?,
        };
        let mut text = String::new();
        for place in &squares {
            text.push_str(&self.letters(*place)?);
        }
        if self.board == LetterBoard::Connect6 && self.platform && squares.len() == 1 {
            text.push_str("@@");
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_become_squares_and_back() {
        let arrow = [(3, 0), (3, 6), (6, 6)];
        assert_eq!(amazons_places("d1d7,d7g7"), Some(arrow));
        assert_eq!(amazons_places("d1-d7/g7"), Some(arrow));
        assert_eq!(amazons_token(arrow), "d1d7,d7g7");
        assert_eq!(places("k10l9"), Some(vec![(10, 9), (11, 8)]));
        for bad in ["a0", "1a", "a", "a1é", "a999", "=K"] {
            assert_eq!(places(bad), None, "{bad}");
        }
        assert_eq!(amazons_places("a1a2,a3a4"), None);
    }

    #[test]
    fn both_origins_are_spelt() {
        let amazons = Letters { board: LetterBoard::Amazons, platform: true };
        for (text, token) in [("AGIGEG", "a4i4,i4e4"), ("DADFFF", "d10d5,d5f5")] {
            assert_eq!(amazons.read(text).as_deref(), Some(token));
            assert_eq!(amazons.write(token).as_deref(), Some(text));
        }
        let platform = Letters { board: LetterBoard::Connect6, platform: true };
        let cloudict = Letters { board: LetterBoard::Connect6, platform: false };
        for (spelling, text, token) in [
            (platform, "JJ@@", "j10"),
            (platform, "KKJA", "k9j19"),
            (cloudict, "JJ", "j10"),
            (cloudict, "KKJA", "k11j1"),
        ] {
            assert_eq!(spelling.read(text).as_deref(), Some(token), "{text}");
            assert_eq!(spelling.write(token).as_deref(), Some(text), "{token}");
        }
    }

    #[test]
    fn what_is_off_the_board_is_no_move() {
        let amazons = Letters { board: LetterBoard::Amazons, platform: true };
        for text in ["", "AGIG", "AGIGEK", "KGIGEG", "AGIGEGA", "12IGEG", "éé", "@@@@@@"] {
            assert_eq!(amazons.read(text), None, "{text}");
        }
        assert_eq!(amazons.write("a11a1,a1a2"), None);
        let connect6 = Letters { board: LetterBoard::Connect6, platform: true };
        for text in ["@@", "JJKKLL", "JT", "J@"] {
            assert_eq!(connect6.read(text), None, "{text}");
        }
    }
}
