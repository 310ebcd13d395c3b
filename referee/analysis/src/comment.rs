//! Marks in the comments of PGN: `[%csl Gd4]` colours squares, `[%cal Gd1d7]` draws arrows. Other shapes are written as
//! colours, as these are all that the commands have, and letters as `[%lbl d4=A]`, a command of our own.

use agon_games::mark::{Mark, MarkShape};

/// The colours that stand for shapes.
const COLOURS: [(char, MarkShape); 4] = [
    ('G', MarkShape::Circle),
    ('B', MarkShape::Square),
    ('Y', MarkShape::Triangle),
    ('R', MarkShape::Cross),
];

/// The text of a comment without its marks, and the marks. Other commands stay in the text.
pub fn read_comment(text: &str) -> (String, Vec<Mark>) {
    // Before a text that looks like an outcome of chance.
    let text = text.strip_prefix("[%txt]").unwrap_or(text);
    let (mut out, mut marks, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, command)) = rest.split_once("[%") {
        let whole = command.split_once(']');
        let (Some((body, after)), Some((name, list))) =
            (whole, whole.and_then(|(body, _)| body.split_once(char::is_whitespace)))
        else {
            break;
        };
        let found: Option<Vec<Mark>> =
            list.split(',').map(|word| mark(name, word.trim())).collect();
        out.push_str(before);
        match found {
            Some(found) => marks.extend(found),
            None => out.push_str(&format!("[%{body}]")),
        }
        rest = after;
    }
    out.push_str(rest);
    (out.trim().to_string(), marks)
}

/// A mark of a command, such as `Gd4`; `None` if the command or the mark is unknown.
fn mark(name: &str, word: &str) -> Option<Mark> {
    let plain = |shape, at: &str| Mark { shape, at: at.into(), to: None, text: None };
    let colour = || word.chars().next().filter(|c| "GRYB".contains(*c));
    let found = match name {
        "csl" => {
            let shape = COLOURS.iter().find(|(letter, _)| colour() == Some(*letter))?.1;
            plain(shape, &word[1..])
        }
        "cal" => {
            colour()?;
            let squares = &word[1..];
            // The second square begins with the second letter.
            let (second, _) =
                squares.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).nth(1)?;
            let (from, to) = squares.split_at(second);
            Mark { to: Some(to.into()), ..plain(MarkShape::Arrow, from) }
        }
        "lbl" => {
            let (at, text) = word.split_once('=')?;
            Mark { text: Some(text.into()), ..plain(MarkShape::Label, at) }
        }
        _ => return None,
    };
    found.is_sound().then_some(found)
}

/// The commands of marks; empty without any.
pub fn commands(marks: &[Mark]) -> String {
    let mut out = String::new();
    let word = |mark: &Mark| match mark.shape {
        MarkShape::Arrow => {
            ("cal", format!("G{}{}", mark.at, mark.to.as_deref().unwrap_or_default()))
        }
        // What would end a command or begin another word of it.
        MarkShape::Label => {
            let text = mark.text.as_deref().unwrap_or("A").replace([',', ']', '}'], "_");
            ("lbl", format!("{}={text}", mark.at))
        }
        shape => {
            let colour =
                COLOURS.iter().find(|(_, own)| *own == shape).map_or('G', |(letter, _)| *letter);
            ("csl", format!("{colour}{}", mark.at))
        }
    };
    for name in ["csl", "cal", "lbl"] {
        let words: Vec<String> =
            marks.iter().map(word).filter(|(own, _)| *own == name).map(|(_, word)| word).collect();
        if !words.is_empty() {
            out.push_str(&format!("[%{name} {}]", words.join(",")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_out_of_a_comment_and_written_back() {
        let text = "[%csl Rd4,Gd10][%cal Rc8f5,Ga10b9] Black will try [%clk 0:01] it [%lbl a1=A]";
        let (comment, marks) = read_comment(text);
        assert_eq!(comment, "Black will try [%clk 0:01] it");
        let arrow = marks.iter().filter(|mark| mark.shape == MarkShape::Arrow).nth(1).unwrap();
        assert_eq!((arrow.at.as_str(), arrow.to.as_deref()), ("a10", Some("b9")));
        assert_eq!(marks.len(), 5);
        assert_eq!(read_comment(&commands(&marks)).1, marks);
        for odd in ["[%csl Gd4", "[%csl Xd4]", "[%cal Gd4]", "[% ]", "[%é é]", "[%csl é4]"] {
            assert_eq!(read_comment(odd), (odd.to_string(), Vec::new()), "{odd}");
        }
        assert_eq!(commands(&[]), "");
    }
}
