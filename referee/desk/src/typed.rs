//! Typed moves: every notation of a game, several plies in one entry, and the legal moves nearest to
//! what was refused.

use agon_games::Turn;
use agon_games::arbiter::Arbiter;
use agon_games::game::MoveTexts;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use agon_report::shown::texts;

/// The number of legal moves that an error lists.
const NEAREST: usize = 8;
/// The maximum length of an entry in characters.
const MAX_TEXT: usize = 200;

/// Why an entry is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong.
    pub reason: Phrase,
    /// The legal moves nearest to it.
    pub nearest: Vec<MoveTexts>,
}

/// Reads an entry: one ply in any notation of the game, or several separated by blanks or `;`, such
/// as a roll and a move, as lists of moves show them, too. Returns their canonical tokens.
///
/// # Errors
/// Which part is wrong, and the legal moves nearest to it.
pub fn read(game: &str, board: &dyn Arbiter, text: &str) -> Result<Vec<String>, Refused> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MAX_TEXT {
        let reason = phrase!("an entry has 1 to {n} characters", n = MAX_TEXT);
        return Err(Refused { reason, nearest: Vec::new() });
    }
    let mut board = board.boxed_clone();
    let whole = match one(game, &mut *board, text) {
        Ok(token) => return Ok(vec![token]),
        Err(reason) => reason,
    };
    let parts: Vec<&str> =
        text.split([';', ' ', '\u{3000}', '；']).filter(|p| !p.is_empty()).collect();
    if parts.len() < 2 {
        return Err(Refused { reason: whole, nearest: nearest(&*board, text) });
    }
    let mut tokens = Vec::new();
    for part in parts {
        let Some(bare) = without_number(&*board, part) else { continue };
        match one(game, &mut *board, bare) {
            Ok(token) => tokens.push(token),
            // The whole entry was wrong, and so is its first part: explain the whole.
            Err(_) if tokens.is_empty() => {
                return Err(Refused { reason: whole, nearest: nearest(&*board, text) });
            }
            Err(reason) => return Err(Refused { reason, nearest: nearest(&*board, bare) }),
        }
    }
    if tokens.is_empty() {
        return Err(Refused { reason: whole, nearest: nearest(&*board, text) });
    }
    Ok(tokens)
}

/// A part of a record without the number of its move: `12:5` is the roll 5. `12.` is only a number, and `5:` the roll
/// of the move after it, unless it is on the board.
fn without_number<'a>(board: &dyn Arbiter, part: &'a str) -> Option<&'a str> {
    let at = part
        .find([':', '：', '.'])
        .filter(|&at| at > 0 && part[..at].bytes().all(|b| b.is_ascii_digit()));
    let Some(at) = at else { return Some(part) };
    let (number, rest) = part.split_at(at);
    let mark = rest.chars().next()?;
    match &rest[mark.len_utf8()..] {
        "" if mark != '.' && board.turn() == Turn::Chance => Some(number),
        "" => None,
        rest if mark != '.' => Some(rest),
        _ => Some(part),
    }
}

/// Plays one ply, as it is written or in the form of the game's records.
fn one(game: &str, board: &mut dyn Arbiter, text: &str) -> Result<String, Phrase> {
    let plain = board.push(text);
    let Err(error) = plain else { return plain.map_err(|e| e.to_phrase()) };
    let rewritten = match game {
        "einstein" => stone_and_target(board, text),
        "connect6" | "nogo" => stones(text),
        _ => None,
    };
    match rewritten {
        Some(form) => board.push(&form).map_err(|e| e.to_phrase()),
        None => Err(error.to_phrase()),
    }
}

/// `(R5,B4)` or `R5-b4`: the first player (red) moves stone 5 to b4.
fn stone_and_target(board: &dyn Arbiter, text: &str) -> Option<String> {
    let bare: Vec<char> = text
        .chars()
        .filter(|c| !matches!(c, '(' | ')' | ',' | '-' | ' ' | '（' | '）' | '，'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let [side, number @ '1'..='6', file @ 'a'..='e', rank @ '1'..='5'] = bare[..] else {
        return None;
    };
    let base = match side {
        'r' => 'A',
        'b' => 'a',
        _ => return None,
    };
    let letter = char::from(base as u8 + number as u8 - b'1');
    let fen = board.fen();
    let rows = fen.split_whitespace().next()?.split('/');
    for (row, line) in rows.enumerate() {
        let mut column = 0;
        for c in line.chars() {
            if c == letter {
                let from = char::from(b'a' + column as u8);
                return Some(format!("{from}{}{file}{rank}", 5 - row));
            }
            column += c.to_digit(10).unwrap_or(1);
        }
    }
    None
}

/// `B(J,10);W(K,11)` or `J,10 K,11`: points without the colours and the marks of a record.
fn stones(text: &str) -> Option<String> {
    let mut points = String::new();
    let mut chars = text.chars().filter(|c| !c.is_whitespace()).peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match c {
            // A colour stands before a bracket.
            'b' | 'B' | 'w' | 'W' if next == Some('(') => {}
            '(' | ')' | ',' | ';' | '-' => {}
            c if c.is_ascii_alphanumeric() => points.push(c),
            _ => return None,
        }
    }
    Some(points)
}

/// The legal moves nearest to a text, by the number of characters that differ, in any notation.
fn nearest(board: &dyn Arbiter, text: &str) -> Vec<MoveTexts> {
    let wanted = normal(text);
    let mut tokens = board.legal_tokens();
    tokens.extend(board.chance_tokens().into_iter().map(|(token, _)| token));
    let mut found: Vec<MoveTexts> = tokens.iter().map(|token| texts(board, token)).collect();
    let far = |text: &String| distance(&wanted, &normal(text));
    // Texts of several notations may look alike: then the token decides.
    found.sort_by_cached_key(|texts| (texts.all().map(far).min(), far(&texts.token)));
    found.truncate(NEAREST);
    found
}

/// Letters and digits only, in lower case.
fn normal(text: &str) -> Vec<char> {
    excerpt(text)
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '=')
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// The Levenshtein distance of two texts.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter::game;

    fn board(name: &str, opening: &str) -> Box<dyn Arbiter> {
        game(name).unwrap().open_text(opening, &[]).unwrap()
    }

    fn tokens(name: &str, opening: &str, text: &str) -> Vec<String> {
        read(name, &*board(name, opening), text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
    }

    #[test]
    fn every_notation_of_a_game_is_read() {
        let start = "startpos moves 123456 654321";
        let rolled = &format!("{start} 4");
        for text in ["a4b3", "A4-B3", "a4xb3", "(R4,B3)", "R4-b3", "r4 b3", "（R4，B3）"] {
            assert_eq!(tokens("einstein", rolled, text), ["a4b3"], "{text}");
        }
        for text in ["J10 K11", "j10k11", "K11,J10", "B(J,10);B(K,11)", "J,10 K,11", "J10-K11"] {
            let sorted = tokens("connect6", "startpos moves a1", text);
            assert_eq!(sorted, tokens("connect6", "startpos moves a1", "j10k11"), "{text}");
        }
        for text in ["d1d7,d7g7", "d1-d7/g7", "D1D7(G7)", "D1-D7-G7"] {
            assert_eq!(tokens("amazons", "startpos", text), ["d1d7,d7g7"], "{text}");
        }
        for text in ["h2e2", "H2-E2", "C2.5", "C2=5"] {
            assert_eq!(tokens("xiangqi", "startpos", text), ["h2e2"], "{text}");
        }
        for text in ["e5", "E5", "B(E,5)"] {
            assert_eq!(tokens("nogo", "startpos", text), ["e5"], "{text}");
        }
        assert_eq!(tokens("darkchess", "startpos", "B3"), ["b3"]);
        assert_eq!(tokens("darkchess", "startpos moves b3", "K"), ["=K"]);
    }

    /// Lists show `1. 4: a4-b3`; the roll may be on the board already.
    #[test]
    fn a_roll_and_a_move_are_one_entry() {
        let start = "startpos moves 123456 654321";
        for text in ["4 a4b3", "4;a4-b3", "1:4;(R4,B3)", "4; R4-B3", "4: a4-b3", "1. 4: a4-b3"] {
            assert_eq!(tokens("einstein", start, text), ["4", "a4b3"], "{text}");
        }
        let rolled = format!("{start} 4");
        for text in ["4: a4-b3", "1. 4: a4-b3", "1. a4-b3"] {
            assert_eq!(tokens("einstein", &rolled, text), ["a4b3"], "{text}");
        }
        assert_eq!(tokens("einstein", "startpos", "123456 654321 3").len(), 3);
        assert_eq!(tokens("darkchess", "startpos", "b3 =K"), ["b3", "=K"]);
        for text in ["1. 炮二平五", "1. C2.5", "1. h2-e2", "炮二平五 2. 马8进7"] {
            assert_eq!(tokens("xiangqi", "startpos", text)[0], "h2e2", "{text}");
        }
        for text in ["1. 2.", "5: 6:", "."] {
            assert!(read("nogo", &*board("nogo", "startpos"), text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_refusal_lists_the_legal_moves_nearest_to_the_text() {
        let refused = |name: &str, opening: &str, text: &str| {
            read(name, &*board(name, opening), text).unwrap_err()
        };
        let error = refused("einstein", "startpos moves 123456 654321 4", "a4c3");
        assert!(error.nearest.len() == 3 && error.nearest.iter().any(|m| m.text == "a4-b3"));
        let error = refused("xiangqi", "startpos", "h2e3");
        assert!(error.reason.to_string().contains("h2"), "{error:?}");
        assert_eq!(error.nearest[0].token, "h2e2", "{error:?}");
        for text in ["炮二平二", "C2.2"] {
            let error = refused("xiangqi", "startpos", text);
            assert!(error.nearest[0].token.starts_with("h2"), "{text}: {error:?}");
        }
        let error = refused("amazons", "startpos", "d1d7,d7g8");
        assert_eq!(error.nearest[0].text, "d1-d7/g7", "{error:?}");
        let error = refused("einstein", "startpos moves 123456 654321", "7");
        assert_eq!(error.nearest.len(), 6, "the six rolls: {error:?}");
        let error = refused("einstein", "startpos moves 123456 654321", "4 a4c3");
        assert!(error.reason.to_string().contains("a4c3") && error.nearest.len() == 3, "{error:?}");
        assert!(refused("connect6", "startpos moves a1", &"x".repeat(500)).nearest.is_empty());
        assert_eq!(refused("connect6", "startpos moves j10", "k9j10").nearest.len(), NEAREST);
    }
}
