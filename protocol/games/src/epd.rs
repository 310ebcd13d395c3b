//! Lines of positions as other programs write them (EPD): operations such as `bm h2e2; id "x";` behind the position,
//! a last `;`, or neither.

/// A position and the operations behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdLine {
    /// The position as a FEN, with the counters of the operations.
    pub fen: String,
    /// Names and operands in their order, without `hmvc` and `fmvn`.
    pub operations: Vec<(String, String)>,
}

/// The names of operations that are known without a `;` behind them.
const NAMES: [&str; 24] = [
    "acd",
    "acn",
    "acs",
    "am",
    "bm",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
];

/// Splits a line that is no position as a whole. `is_position` tells whether a text is one. `None` if no beginning
/// of the line is a position with operations behind it.
pub fn split(line: &str, is_position: impl Fn(&str) -> bool) -> Option<EpdLine> {
    let line = line.trim();
    let bare = line.trim_end_matches([';', '；']).trim_end();
    let has_operations = line.contains(';');
    // The longest beginning that is a position: its fields differ from game to game.
    let ends = bare.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(i, _)| i);
    let ends: Vec<usize> = ends.chain([bare.len()]).collect();
    let end = ends.into_iter().rev().find(|&end| is_position(bare[..end].trim()))?;
    let mut position = bare[..end].trim().to_string();
    let mut operations = operations(&bare[end..])?;
    let is_known = |name: &str| has_operations || NAMES.contains(&name);
    if !operations.iter().all(|(name, _)| is_known(name)) {
        return None;
    }
    let mut counter = |name: &str| {
        let at = operations.iter().position(|(n, _)| n == name)?;
        Some(operations.remove(at).1)
    };
    if let [Some(quiet), number] = ["hmvc", "fmvn"].map(&mut counter) {
        let number = number.unwrap_or_else(|| "1".into());
        let with = format!("{position} {quiet} {number}");
        // Only games whose FEN has them.
        if is_position(&with) {
            position = with;
        }
    }
    Some(EpdLine { fen: position, operations })
}

/// The operations of a text; `None` if something else stands there.
fn operations(text: &str) -> Option<Vec<(String, String)>> {
    let (mut parts, mut is_quoted, mut begin) = (Vec::new(), false, 0);
    for (i, c) in text.char_indices() {
        match c {
            '"' if !is_quoted || !is_escaped(text, i) => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                parts.push(&text[begin..i]);
                begin = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    let read = |part: &str| {
        let (name, operand) = crate::text::split_word(part);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        is_name.then(|| (name.to_string(), operand.trim_matches('"').to_string()))
    };
    parts.map(read).collect()
}

/// Whether the quote at `i` belongs to an operand, as in `"a \" b"`; a backslash may also be the operand's last character.
fn is_escaped(text: &str, i: usize) -> bool {
    let backslashes = text[..i].bytes().rev().take_while(|b| *b == b'\\').count();
    let rest = text[i + 1..].trim_start();
    backslashes % 2 == 1 && !rest.is_empty() && !rest.starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::game;
    use proptest::prelude::*;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    fn fen(kind: &str, line: &str) -> Option<String> {
        let kind = game(kind).unwrap();
        split(line, |text| kind.open(Some(text), &[]).is_ok()).map(|epd| epd.fen)
    }

    #[test]
    fn operations_and_a_last_semicolon_are_read() {
        for (rest, counters) in [
            ("w - - 3 7;", "w - - 3 7"),
            ("w - - 3 7 ;", "w - - 3 7"),
            ("w - - hmvc 3; fmvn 7; bm h2e2; id \"x; y\";", "w - - 3 7"),
            ("w - - fmvn 7; hmvc 3;", "w - - 3 7"),
            ("w - - bm h2e2 b2e2; hmvc 3;", "w - - 3 1"),
            ("w - - bm h2e2", "w - -"),
            ("w hmvc 3; fmvn 7", "w 3 7"),
            ("w - - 3 7 bm C2.5; c0 \"comment\";", "w - - 3 7"),
            ("w - - id \"x\"; D1 44; acd 3", "w - -"),
            ("w - - id \"hmvc 9; x\"; hmvc 7; c1 \"a \\\" b; c\";", "w - - 7 1"),
            ("w - - c0 \"C:\\games\\\"; hmvc 7; fmvn 2;", "w - - 7 2"),
        ] {
            let line = format!("{START} {rest}");
            assert_eq!(fen("xiangqi", &line), Some(format!("{START} {counters}")), "{line}");
        }
        let line = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w bm d1d7,d7g7; hmvc 3;";
        assert_eq!(fen("amazons", line).as_deref(), Some(line.split(" bm").next().unwrap()));
        let line = "ABC2/DE3/F3f/3ed/2cba u - id \"x\";";
        assert_eq!(fen("einstein", line).as_deref(), Some("ABC2/DE3/F3f/3ed/2cba u -"));
    }

    #[test]
    fn what_is_no_operation_is_not_taken_for_one() {
        for rest in ["w - - x 1", "w - - 0 1 2;", "w - - 0 1 ? 3;", "z - - 0 1;"] {
            assert_eq!(fen("xiangqi", &format!("{START} {rest}")), None, "{rest}");
        }
        assert_eq!(fen("xiangqi", ";"), None);
    }

    proptest! {
        #[test]
        fn no_line_makes_the_reader_panic(line in "[-RNw0-9/;\" \\[\\]a-z炮]{0,60}") {
            let _ = fen("xiangqi", &line);
            let _ = fen("xiangqi", &format!("{START} w - - {line}"));
        }
    }
}
