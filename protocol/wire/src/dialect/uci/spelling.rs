//! Rank numbers in moves and in texts for people, for managers that count from 1 where we count
//! from 0.

/// Adds `by` to the number of every rank in a move; other text stays unchanged. `None` if a rank
/// would fall below 0.
pub(super) fn shift_ranks(token: &str, by: i32) -> Option<String> {
    let mut out = String::new();
    let mut rest = token;
    while let Some(c) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest[..digits].parse::<i32>() {
            Ok(rank) if rank + by >= 0 => out.push_str(&(rank + by).to_string()),
            Ok(_) => return None,
            Err(_) if digits == 0 => out.push(c),
            Err(_) => return Some(token.into()),
        }
        rest = &rest[if digits == 0 { c.len_utf8() } else { digits }..];
    }
    Some(out)
}

/// Adds 1 to the ranks of all squares and moves in a text for people, except within a FEN.
pub(super) fn shift_text(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '/';
        let word = rest.split(|c| !is_word(c)).next().unwrap_or_default();
        let gap: &str = rest[word.len()..].split(is_word).next().unwrap_or_default();
        if is_squares(word) {
            out.push_str(&shift_ranks(word, 1).unwrap_or_else(|| word.into()));
        } else {
            out.push_str(word);
        }
        out.push_str(gap);
        rest = &rest[word.len() + gap.len()..];
    }
    out
}

/// Adds 1 to the ranks of squares and moves in a text of several lines, and to the labels of a
/// board; the line of the FEN stays.
pub(super) fn shift_lines(text: &str) -> String {
    let line = |line: &str| match line.split_at_checked(3) {
        _ if line.starts_with("fen: ") => line.to_string(),
        Some((label, row)) if label.ends_with("  ") && label.as_bytes()[0].is_ascii_digit() => {
            let rank = u32::from(label.as_bytes()[0] - b'0') + 1;
            format!("{rank:<3}{row}")
        }
        _ => shift_text(line),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a word is a square or a move: files a to i, ranks of one digit.
fn is_squares(word: &str) -> bool {
    let pairs = word.as_bytes().chunks(2);
    let square = |pair: &[u8]| matches!(pair, [b'a'..=b'i', b'0'..=b'9']);
    !word.is_empty() && pairs.into_iter().all(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_moves_keep_their_spelling() {
        for token in ["", "C", "(none)", "99999999999999999999"] {
            assert_eq!(shift_ranks(token, -5).as_deref(), Some(token));
        }
        assert_eq!(shift_ranks("a9i0", 1).as_deref(), Some("a10i1"));
        assert_eq!(shift_ranks("a10i1", -1).as_deref(), Some("a9i0"));
        assert_eq!(shift_ranks("a0i1", -1), None);
    }

    #[test]
    fn squares_in_sentences_are_shifted_and_fens_are_not() {
        assert_eq!(
            shift_text("illegal move `h2e9`: no piece on h2; expected a0 to i9"),
            "illegal move `h3e10`: no piece on h3; expected a1 to i10"
        );
        let fen = "bad FEN `a8/9/1c5c1/p1p1p1p1p/9/9/9/9/9/a8 w - - 0 1`: 4 in rank 3";
        assert_eq!(shift_text(fen), fen);
        assert_eq!(shift_text("h2e2: 44"), "h3e3: 44");
        assert_eq!(shift_text("perft 2: 1920"), "perft 2: 1920");
    }

    #[test]
    fn a_board_is_labelled_from_1() {
        let board = "9  r n\n0  R N\n   a b\nRed to move\nfen: a8/h2 w\n";
        assert_eq!(shift_lines(board), "10 r n\n1  R N\n   a b\nRed to move\nfen: a8/h2 w");
    }
}
