//! The squares in the core's move tokens, for dialects with other notations.

use crate::board_text::{file_letter, read_squares};

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
}
