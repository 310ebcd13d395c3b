//! What all records share: the header with teams, result, date, place and event, and the file's name.

use super::record::{ReadError, Record, RecordGame};
use super::scan::Scanner;
use crate::game::{Outcome, Player};
use crate::text::excerpt;

/// Most characters of a team's or an event's name in a file's name.
const LONGEST: usize = 24;

/// A header, for messages.
const EXAMPLE: &str = "[C6][FIRST B][SECOND W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];";

/// Words for results; the first of each is written.
const RESULTS: [(Option<Outcome>, &[&str]); 4] = [
    (Some(Outcome::Win(Player::First)), &["先手胜", "先手勝", "后手负"]),
    (Some(Outcome::Win(Player::Second)), &["后手胜", "後手勝", "先手负"]),
    (Some(Outcome::Draw), &["平局", "和棋", "和局", "平", "和"]),
    (None, &["未结束", "未知结果", "", "先(后)手胜", "先（后）手胜", "先/后手胜", "先手/后手胜"]),
];

/// The word for a result.
pub fn result_word(result: Option<Outcome>) -> &'static str {
    let words = RESULTS.iter().find(|(r, _)| *r == result).map(|(_, words)| words[0]);
    words.unwrap_or("")
}

/// Reads the header; the moves follow.
pub fn read(scan: &mut Scanner) -> Result<Record, ReadError> {
    let fields = fields(scan)?;
    let begin = scan.place();
    if fields.len() < 3 {
        return Err(scan.error_at(0, format!("no header: expected one as `{EXAMPLE}`")));
    }
    let mut fields = fields.into_iter().peekable();
    let letters = fields.peek().map_or("", |(_, field)| field);
    let game = match RecordGame::by_letters(letters) {
        Some(game) => {
            fields.next();
            game
        }
        None if fields.len() > 5 => {
            let (at, letters) = fields.next().unwrap_or_default();
            let reason =
                format!("a record of `{}`: expected one of {}", excerpt(&letters), known());
            return Err(scan.error_at(at, reason));
        }
        // The form of EinStein has no letters.
        None => RecordGame::EinStein,
    };
    let mut field = || fields.next().unwrap_or((begin, String::new()));
    let [(_, first), (_, second), (at, word), (_, when), (_, event)] =
        std::array::from_fn(|_| field());
    let word = word.trim();
    let result = RESULTS.iter().find(|(_, words)| words.contains(&word)).map(|(result, _)| *result);
    let result = result.ok_or_else(|| {
        let reason = format!("result `{}`: expected 先手胜, 后手胜 or 平局", excerpt(word));
        scan.error_at(at, reason)
    })?;
    let (first, second) = without_colours(first.trim(), second.trim());
    let (date, place) = date_and_place(when.trim());
    let mut record = Record::of_tokens(game, &[]);
    record.first = first.into();
    record.second = second.into();
    record.result = result;
    record.date = date.into();
    record.place = place.into();
    record.event = event.trim().into();
    scan.skip(";");
    Ok(record)
}

/// The letters of the games that have a form here, for messages.
fn known() -> String {
    let known = RecordGame::ALL.map(|g| format!("{} ({})", g.letters(), g.name()));
    known.join(", ")
}

/// The bracketed fields at the beginning, with their places.
fn fields(scan: &mut Scanner) -> Result<Vec<(usize, String)>, ReadError> {
    let mut fields = Vec::new();
    loop {
        scan.skip("{}()#");
        let at = scan.place();
        match scan.peek() {
            Some('[') => {
                let closing = if scan.raw() == Some('【') { '】' } else { ']' };
                scan.next();
                let field = scan.until(closing);
                let field = field.ok_or_else(|| scan.error_at(at, "`[` is never closed"))?;
                fields.push((at, plain(&field)));
            }
            // Some writers have `{C6}` instead of `[C6]`.
            Some(c) if c.is_ascii_alphabetic() && fields.is_empty() => {
                let mut letters = String::new();
                while let Some(c) = scan.peek().filter(char::is_ascii_alphanumeric) {
                    letters.push(c);
                    scan.next();
                }
                fields.push((at, letters));
            }
            _ => return Ok(fields),
        }
    }
}

/// Names without the letters of the colours, if both have them.
fn without_colours<'a>(first: &'a str, second: &'a str) -> (&'a str, &'a str) {
    for (a, b) in [('B', 'W'), ('R', 'B'), ('B', 'R')] {
        let bare = |name: &'a str, letter: char| {
            let bare = name.strip_suffix(letter)?;
            let apart = |c: char| c.is_whitespace() || !c.is_ascii();
            (bare.is_empty() || bare.ends_with(apart)).then(|| bare.trim_end())
        };
        if let (Some(first), Some(second)) = (bare(first, a), bare(second, b)) {
            return (first, second);
        }
    }
    (first, second)
}

/// Splits `2017.07.29 14:00 重庆`.
fn date_and_place(text: &str) -> (&str, &str) {
    let in_date = |c: char| c.is_ascii_digit() || " .-/:：年月日时分秒\t".contains(c);
    let end = text.find(|c| !in_date(c)).unwrap_or(text.len());
    (text[..end].trim(), text[end..].trim())
}

/// The five fields of the header in brackets, without the letters of the game.
pub fn write(record: &Record, colours: [&str; 2]) -> String {
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
