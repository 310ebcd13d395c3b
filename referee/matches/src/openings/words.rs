//! The words of a game's text: moves with their numbers and marks, results, and the lines that begin a game.

/// The points after the number of a move.
const POINTS: [char; 5] = ['.', '．', '、', '。', '…'];
/// The marks that open and close the value of a tag.
pub const QUOTES: [char; 4] = ['"', '“', '”', '＂'];
/// The brackets that open and close a tag.
pub const BRACKETS: [[char; 3]; 2] = [['[', '［', '【'], [']', '］', '】']];

/// The results as PGN has them, and in Chinese.
const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "½", "0.5-0.5", "*"];
const CHINESE_RESULTS: [&str; 16] = [
    "红胜",
    "红先胜",
    "红方胜",
    "红负",
    "红先负",
    "黑胜",
    "黑先胜",
    "黑方胜",
    "先胜",
    "先负",
    "先和",
    "红先和",
    "和",
    "和棋",
    "和局",
    "平局",
];

/// Whether a usual word is a result, or a line of one mark that separates the moves from what is below.
pub fn is_end(word: &str) -> bool {
    let plain = |c: char| match c {
        '紅' => '红',
        '勝' => '胜',
        '負' => '负',
        c => c,
    };
    let is_chinese = || {
        let word: String = word.trim_end_matches(POINTS).chars().map(plain).collect();
        CHINESE_RESULTS.contains(&word.as_str())
    };
    let is_rule = || {
        let first = word.chars().next().filter(|c| "=-_*~#+".contains(*c));
        first.is_some_and(|first| word.len() > 2 && word.chars().all(|c| c == first))
    };
    RESULTS.contains(&word) || is_rule() || is_chinese()
}

/// The move of a usual word: without the number before it and the marks after it; `None` for a number.
pub fn move_of(word: &str) -> Option<&str> {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = match word.len() - rest.len() {
        0 => word,
        // A number of more than four digits is no move number.
        digits if rest.is_empty() && digits > 4 => word,
        _ if rest.is_empty() => return None,
        _ if rest.starts_with(POINTS) => rest.trim_start_matches(POINTS),
        _ => word,
    };
    let word = word.trim_end_matches(['!', '?', '#']);
    (!word.trim_matches(POINTS).is_empty()).then_some(word)
}

/// Whether a game begins with this line: a tag such as `[Event "x"]`, or the number 1 and a move.
pub fn begins_game(line: &str) -> bool {
    let line = line.trim_start();
    if let Some(tag) = line.strip_prefix(BRACKETS[0]) {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let tag = tag.trim_start();
        let value = tag.trim_start_matches(is_name);
        return value.len() < tag.len() && value.trim_start().starts_with(QUOTES);
    }
    is_numbered(line) && line.strip_prefix(['1', '１']).is_some_and(|rest| rest.starts_with(POINTS))
}

/// Whether a line begins with the number of a move, a point, and perhaps a move.
pub fn is_numbered(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.trim_start_matches(char::is_numeric);
    let word = rest.trim_start_matches(POINTS).split_whitespace().next().unwrap_or("");
    let has_move = word.is_empty() || word.starts_with(['{', '(']) || has_number(word);
    rest.len() < line.len() && rest.starts_with(POINTS) && has_move
}

/// Whether a word has a number in it, as every move has.
pub fn has_number(word: &str) -> bool {
    word.contains(|c: char| c.is_numeric() || "一二三四五六七八九".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::text::usual;

    #[test]
    fn words_are_told_apart() {
        for word in ["1-0", "*", "½-½", "１－０", "======", "---", "红先胜", "紅勝。", "和棋"]
        {
            assert!(is_end(&usual(word)), "{word}");
        }
        for word in ["=", "--", "C2.5", "炮二平五", "1", "10", "=-="] {
            assert!(!is_end(&usual(word)), "{word}");
        }
        for (word, found) in [
            ("1.h2e2", Some("h2e2")),
            ("１．Ｈ２－Ｅ２", Some("H2-E2")),
            ("12...h9g7!?", Some("h9g7")),
            ("1、炮二平五", Some("炮二平五")),
            ("12", None),
            ("3.", None),
            ("……", None),
            ("261345", Some("261345")),
        ] {
            assert_eq!(move_of(&usual(word)), found, "{word}");
        }
    }

    #[test]
    fn a_game_begins_with_a_tag_or_its_first_move() {
        let lines = [
            "[Event \"x\"]",
            " [ fen \"",
            "【Game“x”】",
            "1. h2e2",
            "１．炮二平五",
            "1.",
            "1. {a} b3",
        ];
        for line in lines {
            assert!(begins_game(line), "{line}");
        }
        for line in ["[X] reads this", "[Event x]", "1. Visit us", "1 h2e2", "2. h2e2", "=====", ""]
        {
            assert!(!begins_game(line), "{line}");
        }
    }
}
