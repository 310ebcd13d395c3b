//! The text of games in PGN and in the format of the World Xiangqi Federation: tags, moves, comments.

use super::written::{Item, WrittenGame};

/// A piece of a file's text.
#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// A comment in braces, without them.
    Comment(&'a str),
    /// A move, or anything else between blanks.
    Word(&'a str),
    /// The result that ends a game.
    End,
}

/// Splits a text into tokens with their lines, counted from 1. Variations are left out.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    depth: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str, line: usize) -> Tokens<'a> {
        Tokens { text, at: 0, line, depth: 0 }
    }

    /// Moves on by `n` bytes and returns them.
    fn take(&mut self, n: usize) -> &'a str {
        let piece = &self.text[self.at..self.at + n];
        self.line += piece.matches('\n').count();
        self.at += n;
        piece
    }

    /// The next token and its line.
    fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, (usize, String)> {
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else {
                return match self.depth {
                    0 => Ok(None),
                    _ => Err((self.line, "a `(` is never closed".into())),
                };
            };
            let line = self.line;
            let to_end_of_line = rest.find('\n').unwrap_or(rest.len());
            match c {
                c if c.is_whitespace() => _ = self.take(c.len_utf8()),
                '%' if self.at == 0 || self.text[..self.at].ends_with('\n') => {
                    self.take(to_end_of_line);
                }
                ';' => _ = self.take(to_end_of_line),
                '{' => {
                    let end = rest.find('}').ok_or((line, "a `{` is never closed".to_string()))?;
                    let comment = &self.take(end + 1)[1..end];
                    if self.depth == 0 {
                        return Ok(Some((line, Token::Comment(comment.trim()))));
                    }
                }
                '(' => {
                    self.depth += 1;
                    self.take(1);
                }
                ')' => {
                    let inner = self.depth.checked_sub(1);
                    self.depth = inner.ok_or((line, "a `)` without `(`".to_string()))?;
                    self.take(1);
                }
                '[' if self.depth == 0 => return self.tag(line, rest).map(Some),
                _ => {
                    let ends = |c: char| c.is_whitespace() || "{}();".contains(c);
                    let n = rest.find(ends).unwrap_or(rest.len()).max(c.len_utf8());
                    let word = self.take(n);
                    if self.depth > 0 || word.starts_with('$') {
                        continue;
                    }
                    let is_end = matches!(word, "1-0" | "0-1" | "1/2-1/2" | "1/2" | "*");
                    return Ok(Some((line, if is_end { Token::End } else { Token::Word(word) })));
                }
            }
        }
    }

    fn tag(&mut self, line: usize, rest: &'a str) -> Result<(usize, Token<'a>), (usize, String)> {
        let bad = || (line, "expected a tag such as [White \"name\"]".to_string());
        let (name, after) = rest[1..].split_once('"').ok_or_else(bad)?;
        let (mut value, mut escaped, mut end) = (String::new(), false, None);
        for (i, c) in after.char_indices() {
            match c {
                '\n' => break,
                _ if escaped => {
                    value.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    end = Some(i + 1);
                    break;
                }
                _ => value.push(c),
            }
        }
        let end = end.ok_or_else(bad)?;
        let close = after[end..].find(']').ok_or_else(bad)?;
        if !after[end..end + close].trim().is_empty() || name.contains('\n') {
            return Err(bad());
        }
        self.take(1 + name.len() + 1 + end + close + 1);
        Ok((line, Token::Tag(name.trim(), value)))
    }
}

/// The move of a word: without the number before it and the marks after it; `None` for a number.
/// Numbers and their points may be full-width.
fn move_of(word: &str) -> Option<&str> {
    const POINTS: [char; 3] = ['.', '．', '、'];
    let rest = word.trim_start_matches(|c| matches!(c, '0'..='9' | '０'..='９'));
    let word = match word[..word.len() - rest.len()].chars().count() {
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

/// Reads the games of a PGN file. An error has the line, counted from 1.
pub fn pgn(text: &str) -> Result<Vec<WrittenGame>, (usize, String)> {
    let mut tokens = Tokens::new(text, 1);
    let mut games: Vec<WrittenGame> = Vec::new();
    let mut open: Option<WrittenGame> = None;
    while let Some((line, token)) = tokens.next()? {
        if let (Token::Tag(..), Some(game)) = (&token, &open)
            && !game.items.is_empty()
        {
            games.extend(open.take());
        }
        if token == Token::End {
            games.extend(open.take());
            continue;
        }
        let game = open.get_or_insert_with(|| WrittenGame::new(line));
        match token {
            Token::Tag("FEN", fen) => game.fen = Some(fen),
            Token::Tag("Game", name) => game.game = Some(name),
            Token::Tag(..) => {}
            Token::Comment(text) => game.items.push((line, Item::Comment(text.into()))),
            Token::Word(word) => {
                game.items.extend(move_of(word).map(|text| (line, Item::Move(text.into()))));
            }
            Token::End => {}
        }
    }
    games.extend(open);
    Ok(games)
}

/// Reads the games of a file in the federation's format. An error has the line, counted from 1.
pub fn wxf(text: &str) -> Result<Vec<WrittenGame>, (usize, String)> {
    let mut games: Vec<WrittenGame> = Vec::new();
    let mut open: Option<WrittenGame> = None;
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let (key, value) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match key {
            "FORMAT" => {
                games.extend(open.replace(WrittenGame::new(number)));
            }
            "FEN" => {
                let game = open.get_or_insert_with(|| WrittenGame::new(number));
                game.fen = Some(value.trim().into());
            }
            _ if key.starts_with("START") => {
                let mut game = open.take().unwrap_or_else(|| WrittenGame::new(number));
                let mut moves = String::new();
                loop {
                    let Some((line, _)) = lines.next() else {
                        return Err((number, "START without }END".into()));
                    };
                    if line.trim().starts_with("}END") {
                        break;
                    }
                    moves.push_str(line);
                    moves.push('\n');
                }
                let mut tokens = Tokens::new(&moves, number + 1);
                while let Some((line, token)) = tokens.next()? {
                    if let Token::Word(word) = token {
                        game.items.extend(move_of(word).map(|t| (line, Item::Move(t.into()))));
                    }
                }
                games.push(game);
            }
            _ => {}
        }
    }
    games.extend(open);
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &WrittenGame) -> Vec<&str> {
        let moves = game.items.iter().filter_map(|(_, item)| match item {
            Item::Move(text) => Some(text.as_str()),
            Item::Comment(_) => None,
        });
        moves.collect()
    }

    #[test]
    fn games_are_read_with_all_that_the_standard_allows() {
        let text = "% a line to skip\n[Event \"a \\\"b\\\" ]\"]\n[FEN \"x w\"]\n\n1. C2.5! {a\nb} \
                    (1. P7+1 {c} (2. d)) H8+7 $3 2.H2+3 2... R9.8 ; rest 0-1\n261345 1-0\n\
                    [Event \"two\"]\n1.h2e2\n\n[Event \"three\"]\n\n* h9g7";
        let games = pgn(text).unwrap();
        assert_eq!(games.len(), 4);
        assert_eq!(moves(&games[0]), ["C2.5", "H8+7", "H2+3", "R9.8", "261345"]);
        assert_eq!(games[0].fen.as_deref(), Some("x w"));
        assert_eq!((games[0].line, games[1].line), (2, 8));
        assert_eq!((moves(&games[1]), moves(&games[3])), (vec!["h2e2"], vec!["h9g7"]));
        assert_eq!(games[0].items[1], (5, Item::Comment("a\nb".into())));
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, line) in [
            ("\n1. a {b", 2),
            ("1. a (b\nc", 2),
            ("a )", 1),
            ("\n\n[Event x]\n", 3),
            ("[Event \"x]\n", 1),
        ] {
            assert_eq!(pgn(text).unwrap_err().0, line, "{text}");
        }
        assert_eq!(wxf("FORMAT WXF\nSTART{\n 1. C2.5").unwrap_err().0, 2);
    }

    #[test]
    fn the_format_of_the_federation_is_read() {
        let text = "FORMAT          WXF\nRED  x;;;\nFEN  rnb r\nSTART{\n  1. C2.5   H8+7\n  2. ...... R1+1\n\
                    }END\n\nFORMAT WXF\nSTART{\n}END\n";
        let games = wxf(text).unwrap();
        assert_eq!((games.len(), games[0].fen.as_deref()), (2, Some("rnb r")));
        assert_eq!(moves(&games[0]), ["C2.5", "H8+7", "R1+1"]);
        assert_eq!(games[0].items[0].0, 5);
    }
}
