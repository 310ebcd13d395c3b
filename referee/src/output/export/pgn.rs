//! Games as PGN, which rating programs (Ordo, BayesElo) read for any game: the tags are standard,
//! the moves are in each game's own notation, and chance outcomes are comments in braces.

use super::{ExportError, names, replayed, result};
use crate::matchlog::{GameRecord, Header};
use std::fmt::Write;

/// The maximum line length of movetext in the standard.
const WIDTH: usize = 80;

/// A tag value with quotes and backslashes escaped.
fn quoted(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}

/// One game, followed by an empty line.
pub fn game(header: &Header, record: &GameRecord) -> Result<String, ExportError> {
    let (start, plies) = replayed(header, record)?;
    let [first, second] = names(header, record);
    let round = format!("{}.{}", record.pair + 1, record.game + 1);
    let mut tags = vec![
        ("Event", format!("{} {}", header.game, header.schedule.form)),
        ("Site", "?".into()),
        ("Date", "????.??.??".into()),
        ("Round", round),
        ("White", first.into()),
        ("Black", second.into()),
        ("Result", result(record.result).into()),
        ("Game", header.game.clone()),
        ("PlyCount", plies.iter().filter(|p| p.by != 'c').count().to_string()),
        ("Termination", record.reason.name().into()),
    ];
    if !record.opening.starts_with("startpos") {
        tags.push(("SetUp", "1".into()));
        tags.push(("FEN", start.start_fen()));
    }
    let mut text = String::new();
    for (name, value) in tags {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{}\"]", quoted(&value));
    }
    text.push('\n');
    let mut words = Vec::new();
    let (mut number, mut after_comment) = (0, false);
    for ply in &plies {
        match ply.by {
            'c' => words.push(format!("{{{}}}", ply.text.replace('}', ")"))),
            '1' => {
                number += 1;
                words.push(format!("{number}. {}", ply.text));
            }
            _ if after_comment || number == 0 => {
                number = number.max(1);
                words.push(format!("{number}... {}", ply.text));
            }
            _ => words.push(ply.text.clone()),
        }
        after_comment = ply.by == 'c';
    }
    words.extend(record.detail.as_ref().map(|d| format!("{{{}}}", d.replace('}', ")"))));
    words.push(result(record.result).into());
    text.push_str(&wrapped(&words));
    text.push('\n');
    Ok(text)
}

/// Joins words into lines.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.iter().flat_map(|w| w.split_whitespace()) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn a_game_has_the_tags_that_rating_programs_read() {
        let (header, record) = example("amazons", "startpos", "d1d7,d7g7 a7b7,b7b1 d7d6,d6d7");
        let text = game(&header, &record).unwrap();
        for line in [
            "[White \"b\"]",
            "[Black \"A \\\"quoted\\\" name\"]",
            "[Result \"0-1\"]",
            "[Round \"4.7\"]",
            "[Termination \"time\"]",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let moves = text.split("\n\n").nth(1).unwrap();
        assert_eq!(moves.trim(), "1. d1-d7/g7 a7-b7/b1 2. d7-d6/d7 {b overstepped its time} 0-1");
        assert!(text.ends_with("\n\n") && text.lines().all(|l| l.len() <= WIDTH));
    }

    #[test]
    fn an_opening_is_part_of_the_game_and_a_position_is_named() {
        let (header, record) = example("amazons", "startpos moves d1d7,d7g7", "a7b7,b7b1");
        let text = game(&header, &record).unwrap();
        assert!(text.contains("1. d1-d7/g7 a7-b7/b1") && !text.contains("[FEN"), "{text}");
        let fen = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 b";
        let (header, record) = example("amazons", fen, "a7b7,b7b1");
        let text = game(&header, &record).unwrap();
        assert!(text.contains(&format!("[FEN \"{fen}\"]")), "{text}");
        assert!(text.contains("1... a7-b7/b1"), "{text}");
    }
}
