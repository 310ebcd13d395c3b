//! What all records share: the header with teams, result, date, place and event, and the file's name. Teams write
//! headers by hand or with a program of their own: parts without brackets, in fewer or more fields, or as the form had
//! them. The result is found by its word, and what is before and after it has its meaning from there.

use super::record::{ReadError, Record, RecordGame};
use super::scan::Scanner;
use crate::game::{Outcome, Player};
use crate::text::excerpt;

/// Most characters of a team's or an event's name in a file's name.
const LONGEST: usize = 24;

/// A header, for messages.
const EXAMPLE: &str = "[C6][FIRST B][SECOND W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];";

/// The word for a result.
pub fn result_word(result: Option<Outcome>) -> &'static str {
    match result {
        Some(Outcome::Win(Player::First)) => "先手胜",
        Some(Outcome::Win(Player::Second)) => "后手胜",
        Some(Outcome::Draw) => "平局",
        None => "未结束",
    }
}

/// Reads the header; the moves follow.
pub fn read(scan: &mut Scanner) -> Result<Header, ReadError> {
    let parts = parts(scan)?;
    if let Some((at, tag)) = parts.first().filter(|(_, part)| part.contains(['"', '“', '＂'])) {
        let reason =
            format!("`{}` is a tag of PGN: expected a header as `{EXAMPLE}`", excerpt(tag));
        return Err(scan.error_at(*at, reason));
    }
    if parts.len() < 3 {
        return Err(scan.error_at(0, format!("no header: expected one as `{EXAMPLE}`")));
    }
    // Two names stand before the result.
    let mut at_result = (2..parts.len()).filter(|&at| HeaderResult::of(&parts[at].1).is_some());
    let result = at_result.next();
    let (game, names) = letters(scan, &parts, result)?;
    let is_date = |part: &str| part.starts_with(char::is_numeric);
    let due = names + 2;
    let (at, end) = match (result, parts.get(due)) {
        (Some(at), _) => (at, at + 1),
        (None, Some((_, part))) if part.is_empty() => (due, due + 1),
        // Without a result the date follows the names.
        (None, None) => (due, due),
        (None, Some((_, part))) if is_date(part) => (due, due),
        (None, Some((at, word))) => return Err(no_result(scan, *at, word)),
    };
    let name = |n: usize| parts.get(n).filter(|_| n < at).map_or("", |(_, part)| part.as_str());
    let (first, second) = without_colours(name(names), name(names + 1));
    let mut record = Record::of_tokens(game.unwrap_or(RecordGame::EinStein), &[]);
    record.first = first.into();
    record.second = second.into();
    let rest: Vec<&str> = parts.iter().skip(end).map(|(_, part)| part.as_str()).collect();
    let (when, event) = match rest[..] {
        [] => (String::new(), ""),
        [when] if is_date(when) => (when.to_string(), ""),
        [event] => (String::new(), event),
        [when, event] => (when.to_string(), event),
        [when, place, event, ..] => (format!("{when} {place}"), event),
    };
    let when = crate::text::usual(when.trim());
    let (date, place) = date_and_place(&when);
    record.date = date.into();
    record.place = place.into();
    record.event = event.into();
    scan.skip(";");
    let (place, word) = parts.get(at).filter(|_| end > at).cloned().unwrap_or_default();
    let result = HeaderResult::of(&word).unwrap_or(HeaderResult::Open);
    Ok(Header { record, has_game: game.is_some(), result, place, word })
}

fn no_result(scan: &Scanner, at: usize, word: &str) -> ReadError {
    let reason = format!("result `{}`: expected 先手胜, 后手胜 or 平局", excerpt(word));
    scan.error_at(at, reason)
}

/// What a header says.
pub struct Header {
    /// The record, still without its result.
    pub record: Record,
    /// Whether the header names the game; else its moves tell it.
    pub has_game: bool,
    /// The result.
    result: HeaderResult,
    /// Where it is written, and how.
    place: usize,
    word: String,
}

impl Header {
    /// The record with its result, after its moves are read.
    ///
    /// # Errors
    /// The result is that of a colour, and the colour does not tell the side.
    pub fn with_result(mut self, scan: &Scanner) -> Result<Record, ReadError> {
        let result = self.result.outcome(&self.record);
        self.record.result = result.ok_or_else(|| no_result(scan, self.place, &self.word))?;
        Ok(self.record)
    }
}

/// A result as headers have it: by the order of the sides or by their colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderResult {
    /// No result, or the words of the form that nobody filled in.
    Open,
    /// A draw.
    Draw,
    /// This side has won.
    Side(Player),
    /// The side of this colour has won: 黑, 白, 红 or 蓝; or has lost.
    Colour(char, bool),
}

/// What stands for a result in a form that was not filled in.
const OPEN: [&str; 12] = [
    "未结束",
    "未知结果",
    "未知",
    "先(后)手胜",
    "先/后手胜",
    "先手/后手胜",
    "先手胜/后手胜",
    "胜负关系",
    "输赢未定",
    "结果",
    "比赛结果",
    "*",
];
const DRAWS: [&str; 7] = ["平局", "和棋", "和局", "平", "和", "平手", "和了"];

impl HeaderResult {
    /// The result that a text says; `None` if it says none, and for an empty text.
    pub fn of(text: &str) -> Option<HeaderResult> {
        let plain = |c: char| match c {
            '勝' | '赢' | '贏' => '胜',
            '後' => '后',
            '負' | '输' | '輸' | '败' | '敗' => '负',
            '紅' => '红',
            '藍' => '蓝',
            c => c,
        };
        let text = crate::text::usual(text);
        let text: String = text.chars().filter(|c| !c.is_whitespace()).map(plain).collect();
        let text = text.trim_end_matches(['。', '.', '!', '利', '棋', '者', '了']);
        if OPEN.contains(&text) {
            return Some(HeaderResult::Open);
        }
        if DRAWS.iter().any(|draw| draw.trim_end_matches(['棋', '了']) == text) {
            return Some(HeaderResult::Draw);
        }
        let (verb, has_won) = match text.chars().last()? {
            '胜' => ('胜', true),
            '负' => ('负', false),
            _ => return None,
        };
        let side = text
            .trim_end_matches(verb)
            .trim_end_matches(['获', '方', '队', '中', '盘', '认', '手', '棋']);
        match side {
            "先" => Some(HeaderResult::Side(if has_won { Player::First } else { Player::Second })),
            "后" => Some(HeaderResult::Side(if has_won { Player::Second } else { Player::First })),
            "黑" | "白" | "红" | "蓝" => {
                side.chars().next().map(|colour| HeaderResult::Colour(colour, has_won))
            }
            _ => None,
        }
    }

    /// The result of a record whose moves are read; `None` if it is not known whose colour that is.
    fn outcome(self, record: &Record) -> Option<Option<Outcome>> {
        Some(match self {
            HeaderResult::Open => None,
            HeaderResult::Draw => Some(Outcome::Draw),
            HeaderResult::Side(side) => Some(Outcome::Win(side)),
            HeaderResult::Colour(colour, has_won) => {
                let colours = match record.game {
                    RecordGame::Connect6 | RecordGame::NoGo => "黑白",
                    RecordGame::EinStein if record.blue_first => "蓝红",
                    RecordGame::EinStein => "红蓝",
                    // Teams differ in who is White.
                    RecordGame::Amazons => "",
                };
                let is_first = (colours.chars().position(|c| c == colour)? == 0) == has_won;
                Some(Outcome::Win(if is_first { Player::First } else { Player::Second }))
            }
        })
    }
}

/// The game that the first part names, and the number of the part with the first team.
fn letters(
    scan: &Scanner,
    parts: &[(usize, String)],
    result: Option<usize>,
) -> Result<(Option<RecordGame>, usize), ReadError> {
    let Some((at, letters)) = parts.first() else { return Ok((None, 0)) };
    if let Some(game) = RecordGame::by_letters(letters) {
        return Ok((Some(game), 1));
    }
    // Two names stand before the result, so a third part is the letters of another game.
    let is_code = OTHERS.contains(&letters.to_ascii_uppercase().as_str());
    if result.map_or(parts.len() > 5, |at| at > 2) || is_code {
        let reason = format!("a record of `{}`: expected one of {}", excerpt(letters), known());
        return Err(scan.error_at(*at, reason));
    }
    Ok((None, 0))
}

/// The letters of games that have no form here.
const OTHERS: [&str; 8] = ["C5", "D2", "HEX", "SK", "SUR", "DB", "PG", "GO"];

/// The letters of the games that have a form here, for messages.
fn known() -> String {
    let known = RecordGame::ALL.map(|g| format!("{} ({})", g.letters(), g.name()));
    known.join(", ")
}

/// The parts of the header with their places: fields in brackets, and results and dates whose brackets are missing.
fn parts(scan: &mut Scanner) -> Result<Vec<(usize, String)>, ReadError> {
    let mut parts = Vec::new();
    loop {
        scan.skip("{}()#");
        let at = scan.place();
        match scan.peek() {
            Some('[') => {
                scan.next();
                let field = scan.until(']');
                let field = field.ok_or_else(|| scan.error_at(at, "`[` is never closed"))?;
                parts.push((at, plain(&field)));
            }
            // Some writers have `{C6}` instead of `[C6]`.
            Some(c) if c.is_ascii_alphabetic() && parts.is_empty() => {
                let mut letters = String::new();
                while let Some(c) = scan.peek().filter(char::is_ascii_alphanumeric) {
                    letters.push(c);
                    scan.next();
                }
                parts.push((at, letters));
            }
            Some(_) if !parts.is_empty() => {
                let text = scan.ahead("[;\n");
                let is_date = text.chars().take(4).filter(char::is_ascii_digit).count() == 4;
                if !is_date && HeaderResult::of(&text).is_none() {
                    return Ok(parts);
                }
                for _ in text.chars() {
                    scan.next();
                }
                parts.push((at, plain(&text)));
            }
            _ => return Ok(parts),
        }
    }
}

/// Names without the letters of the colours, if both have them.
fn without_colours<'a>(first: &'a str, second: &'a str) -> (&'a str, &'a str) {
    for (a, b) in [('B', 'W'), ('W', 'B'), ('R', 'B'), ('B', 'R'), ('b', 'w'), ('r', 'b')] {
        let bare = |name: &'a str, letter: char| {
            let bare = name.strip_suffix([letter, full_width(letter)])?;
            let apart = |c: char| c.is_whitespace() || !c.is_ascii();
            (bare.is_empty() || bare.ends_with(apart)).then(|| bare.trim_end())
        };
        if let (Some(first), Some(second)) = (bare(first, a), bare(second, b)) {
            return (first, second);
        }
    }
    (first, second)
}

fn full_width(letter: char) -> char {
    char::from_u32(letter as u32 + 0xfee0).unwrap_or(letter)
}

/// Splits `2017.07.29 14:00 重庆`.
fn date_and_place(text: &str) -> (&str, &str) {
    let in_date = |c: char| c.is_ascii_digit() || " .-_/:：年月日时分秒\t".contains(c);
    let end = text.find(|c| !in_date(c)).unwrap_or(text.len());
    (text[..end].trim(), text[end..].trim())
}

/// The five fields of the header in brackets, without the letters of the game.
pub fn write(record: &Record, colours: [&str; 2]) -> String {
    // A reader takes a field with quotation marks for a tag of PGN.
    let plain = |text: &str| plain(text).replace(['"', '“', '”', '＂'], "'");
    let name = |name: &str, colour: &str| {
        let name = plain(name);
        let gap = if colour.is_empty() { "" } else { " " };
        format!("[{name}{gap}{colour}]")
    };
    format!(
        "{}{}[{}][{}][{}]",
        name(&record.first, colours[0]),
        name(&record.second, colours[1]),
        result_word(record.result),
        plain(&format!("{} {}", record.date, record.place)),
        plain(&record.event),
    )
}

/// A text that fits between brackets on one line.
fn plain(text: &str) -> String {
    let safe = |c: char| match c {
        '[' | '【' => '(',
        ']' | '】' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    let text: String = text.chars().map(safe).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name of the record's file, `C6-FIRST vs SECOND-先手胜-2017.07.29 14_00 重庆-2017 CCGC.txt`. Characters
/// that file systems refuse are replaced by `_`, and long names are cut.
pub fn file_name(record: &Record) -> String {
    let part =
        |text: &str| plain(text).chars().take(LONGEST).collect::<String>().trim().to_string();
    let name = format!(
        "{}-{} vs {}-{}-{}-{}",
        record.game.letters(),
        part(&record.first),
        part(&record.second),
        result_word(record.result),
        part(&format!("{} {}", record.date, record.place)),
        part(&record.event),
    );
    let safe = |c: char| if "/\\:*?\"<>|".contains(c) || c.is_control() { '_' } else { c };
    crate::text::visible(&name).chars().map(safe).collect::<String>() + ".txt"
}
