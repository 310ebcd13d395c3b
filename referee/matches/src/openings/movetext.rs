//! The text of games in PGN and in the format of the World Xiangqi Federation: tags, moves, comments.
//!
//! Programs write more than the standard has: advertisement after a result, letters of a mail before the first tag,
//! several tags on a line. What belongs to no game is left out and named.

use super::words::{BRACKETS, QUOTES, begins_game, has_number, is_end, is_numbered, move_of};
use super::written::{Item, Place, WrittenGame};
use agon_games::text::{excerpt, usual};

/// What is wrong, and where.
pub type TextError = (Place, String);

/// The games of a text, and what was left out of it, for warnings.
#[derive(Debug, Default)]
pub struct WrittenGames {
    /// The games in the order of the text.
    pub games: Vec<WrittenGame>,
    /// Where text was left out, and its beginning.
    pub left_out: Vec<(Place, String)>,
}

/// A piece of a file's text.
#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    /// `[Name "value"]`; the name in small letters.
    Tag(String, String),
    /// A comment in braces, without them.
    Comment(&'a str),
    /// A move, or anything else between blanks.
    Word(String),
    /// The beginning of a variation, which replaces the move before it.
    Open,
    /// Its end.
    Close,
    /// The number of a remark on a move, such as `$1`.
    Remark(&'a str),
    /// The result that ends a game.
    End,
}

/// Splits a text into tokens with their places.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// The first byte of the line.
    line_begin: usize,
    line: usize,
    depth: usize,
}

impl<'a> Tokens<'a> {
    /// `line` is the number of the text's first line.
    fn new(text: &'a str, line: usize) -> Tokens<'a> {
        Tokens { text, at: 0, line_begin: 0, line, depth: 0 }
    }

    fn place(&self) -> Place {
        let column = 1 + self.text[self.line_begin..self.at].chars().count();
        Place { line: self.line, column }
    }

    /// Moves on by `n` bytes and returns them.
    fn take(&mut self, n: usize) -> &'a str {
        let piece = &self.text[self.at..self.at + n];
        self.line += piece.matches('\n').count();
        if let Some(last) = piece.rfind('\n') {
            self.line_begin = self.at + last + 1;
        }
        self.at += n;
        piece
    }

    /// The next token and its place.
    fn next(&mut self) -> Result<Option<(Place, Token<'a>)>, TextError> {
        loop {
            let rest = &self.text[self.at..];
            let place = self.place();
            let Some(c) = rest.chars().next() else {
                return match self.depth {
                    0 => Ok(None),
                    _ => Err((place, "a `(` is never closed".into())),
                };
            };
            let to_end_of_line = rest.find('\n').unwrap_or(rest.len());
            match c {
                c if c.is_whitespace() => _ = self.take(c.len_utf8()),
                '%' if self.at == self.line_begin => _ = self.take(to_end_of_line),
                ';' => _ = self.take(to_end_of_line),
                '{' => {
                    let end = rest.find('}').ok_or((place, "a `{` is never closed".to_string()))?;
                    let comment = &self.take(end + 1)[1..end];
                    return Ok(Some((place, Token::Comment(comment.trim()))));
                }
                '（' if rest[..to_end_of_line].contains('）') => {
                    let end = rest.find('）').unwrap_or(0);
                    self.take(end + '）'.len_utf8());
                }
                '(' => {
                    self.depth += 1;
                    self.take(1);
                    return Ok(Some((place, Token::Open)));
                }
                ')' => {
                    let inner = self.depth.checked_sub(1);
                    self.depth = inner.ok_or((place, "a `)` without `(`".to_string()))?;
                    self.take(1);
                    return Ok(Some((place, Token::Close)));
                }
                c if self.depth == 0 && BRACKETS[0].contains(&c) => {
                    return self.tag(place).map(Some);
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || "{}();（".contains(c);
                    let n = rest.find(ends).unwrap_or(rest.len()).max(c.len_utf8());
                    let word = self.take(n);
                    if word.starts_with('$') {
                        return Ok(Some((place, Token::Remark(word))));
                    }
                    let word = usual(word);
                    // A result within a variation ends nothing.
                    match is_end(&word) {
                        true if self.depth > 0 => continue,
                        true => return Ok(Some((place, Token::End))),
                        false => return Ok(Some((place, Token::Word(word.into())))),
                    }
                }
            }
        }
    }

    fn tag(&mut self, place: Place) -> Result<(Place, Token<'a>), TextError> {
        let rest = &self.text[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let read = || {
            let (name, after) = line.trim_start_matches(BRACKETS[0]).split_once(QUOTES)?;
            let is_closed = |rest: &str| rest.trim_start().starts_with(BRACKETS[1]);
            let (value, rest) =
                quoted(after).filter(|(_, rest)| is_closed(rest)).or_else(|| {
                    // A quote or a backslash that is not escaped: the value goes up to the first quote before a bracket.
                    let ends = after.char_indices().filter(|(_, c)| QUOTES.contains(c));
                    let mut parts = ends.map(|(i, c)| (&after[..i], &after[i + c.len_utf8()..]));
                    let first = parts.find(|(_, rest)| is_closed(rest));
                    first.map(|(value, rest)| (value.to_string(), rest))
                })?;
            let close = rest.find(BRACKETS[1])?;
            let bracket = rest[close..].chars().next()?.len_utf8();
            Some((name.trim().to_lowercase(), value, line.len() - rest.len() + close + bracket))
        };
        let (name, value, length) =
            read().ok_or((place, "expected a tag such as [White \"name\"]".to_string()))?;
        self.take(length);
        Ok((place, Token::Tag(name, value)))
    }

    /// Whether the word that has just been read begins text that is no part of the game: it begins a line, has no
    /// number as moves do, and no numbered move follows before the next game.
    fn is_below_the_moves(&self, place: Place, word: &str) -> bool {
        let line = &self.text[self.line_begin..self.at];
        let is_first =
            line.trim_start().chars().count() == line.chars().count() - (place.column - 1);
        let rest = self.text[self.at..].lines().skip(1).take_while(|line| !begins_game(line));
        is_first && !has_number(word) && !rest.into_iter().any(is_numbered)
    }

    /// Moves on to the next line that begins a game, or to the end. Returns the place and the first line of what is
    /// left out, unless it is blank or a comment.
    fn skip_to_game(&mut self) -> Option<(Place, String)> {
        let mut left_out = None;
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.take(blank);
            let rest = &rest[blank..];
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            if line.is_empty() || begins_game(line) {
                return left_out;
            }
            match rest.find('}').filter(|_| rest.starts_with('{')) {
                Some(end) => _ = self.take(end + 1),
                None => {
                    if !line.starts_with(['%', ';']) {
                        left_out.get_or_insert_with(|| (self.place(), excerpt(line)));
                    }
                    self.take(line.len());
                }
            }
        }
    }
}

/// The value before a closing quote, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut is_escaped) = (String::new(), false);
    for (i, c) in text.char_indices() {
        match c {
            _ if is_escaped => {
                value.push(c);
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            c if QUOTES.contains(&c) => return Some((value, &text[i + c.len_utf8()..])),
            _ => value.push(c),
        }
    }
    None
}

/// Reads the games of a PGN file. Text before the first game, and between a result and the next game, is left out.
pub fn pgn(text: &str) -> Result<WrittenGames, TextError> {
    let mut tokens = Tokens::new(text, 1);
    let mut read = WrittenGames::default();
    let before = tokens.skip_to_game();
    if tokens.at < text.len() {
        read.left_out.extend(before);
    } else {
        // No line looks like the beginning of a game, so the moves have neither tags nor numbers.
        tokens = Tokens::new(text, 1);
    }
    let mut open: Option<WrittenGame> = None;
    while let Some((place, token)) = tokens.next()? {
        if let (Token::Tag(..), Some(game)) = (&token, &open)
            && !game.items.is_empty()
        {
            read.games.extend(open.take());
        }
        if token == Token::End {
            read.games.extend(open.take());
            read.left_out.extend(tokens.skip_to_game());
            continue;
        }
        let game = open.get_or_insert_with(|| WrittenGame::new(place));
        match token {
            Token::Tag(name, value) => game.tag(name, value),
            Token::End => {}
            Token::Open => game.items.push((place, Item::Open)),
            Token::Close => game.items.push((place, Item::Close)),
            Token::Remark(number) => game.items.push((place, Item::Remark(number.into()))),
            Token::Comment(text) => game.items.push((place, Item::Comment(text.into()))),
            Token::Word(word)
                if !game.items.is_empty()
                    && tokens.depth == 0
                    && tokens.is_below_the_moves(place, &word) =>
            {
                read.games.extend(open.take());
                tokens.skip_to_game();
                read.left_out.push((place, excerpt(&word)));
            }
            Token::Word(word) => game.word(place, &word, move_of(&word)),
        }
    }
    read.games.extend(open);
    Ok(read)
}

/// Reads the games of a file in the federation's format.
pub fn wxf(text: &str) -> Result<WrittenGames, TextError> {
    let mut games: Vec<WrittenGame> = Vec::new();
    let mut open: Option<WrittenGame> = None;
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let place = Place { line: number, column: 1 };
        let (key, value) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match key.to_ascii_uppercase().as_str() {
            "FORMAT" => {
                games.extend(open.replace(WrittenGame::new(place)));
            }
            "FEN" => {
                let game = open.get_or_insert_with(|| WrittenGame::new(place));
                game.fen = Some(value.trim().into());
            }
            key if key.starts_with("START") => {
                let mut game = open.take().unwrap_or_else(|| WrittenGame::new(place));
                let mut moves = String::new();
                loop {
                    let Some((line, _)) = lines.next() else {
                        return Err((place, "START without }END".into()));
                    };
                    let end = line.trim_start().strip_prefix('}').map(str::trim_start);
                    if end.is_some_and(|end| end.is_empty() || end.starts_with("END")) {
                        break;
                    }
                    // The brace may stand on a line of its own.
                    moves.push_str(if line.trim() == "{" { "" } else { line });
                    moves.push('\n');
                }
                let mut tokens = Tokens::new(&moves, number + 1);
                while let Some((place, token)) = tokens.next()? {
                    match token {
                        Token::Word(word) if tokens.depth == 0 => {
                            game.word(place, &word, move_of(&word));
                        }
                        _ => {}
                    }
                }
                games.push(game);
            }
            key => {
                let value = value.trim().trim_end_matches(';').trim();
                let game = open.as_mut().filter(|_| !value.is_empty());
                // The tag GAME has the name of the event.
                let name = if key == "GAME" { "event".into() } else { key.to_lowercase() };
                game.into_iter().for_each(|game| game.tags.push((name.clone(), value.into())));
            }
        }
    }
    games.extend(open);
    Ok(WrittenGames { games, left_out: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &WrittenGame) -> Vec<&str> {
        let moves = game.main().filter_map(|(_, item)| match item {
            Item::Move(text) => Some(text.as_str()),
            _ => None,
        });
        moves.collect()
    }

    #[test]
    fn games_are_read_with_all_that_the_standard_allows() {
        let text = "% a line to skip\n[Event \"a \\\"b\\\" ]\"]\n[FEN \"x w\"]\n\n1. C2.5! {a\nb} \
                    (1. P7+1 {c} (2. d)) H8+7 $3 2.H2+3 2... R9.8 ; rest 0-1\n261345 1-0\n\
                    [Event \"two\"]\n1.h2e2\n\n[Event \"three\"]\n\n* h9g7";
        let WrittenGames { games, left_out } = pgn(text).unwrap();
        assert_eq!(games.len(), 3);
        assert_eq!(moves(&games[0]), ["C2.5", "H8+7", "H2+3", "R9.8", "261345"]);
        assert_eq!(games[0].fen.as_deref(), Some("x w"));
        let inner: Vec<&Item> = games[0].items.iter().map(|(_, item)| item).collect();
        let moved = |text: &str| Item::Move(text.into());
        let said = |text: &str| Item::Comment(text.into());
        let expected = [
            Item::Open,
            moved("P7+1"),
            said("c"),
            Item::Open,
            moved("d"),
            Item::Close,
            Item::Close,
        ];
        assert!(inner[3..10].iter().copied().eq(&expected), "{inner:?}");
        assert!(
            inner.contains(&&Item::Remark("!".into()))
                && inner.contains(&&Item::Remark("$3".into()))
        );
        assert_eq!(games[0].tags[0].1, "a \"b\" ]");
        assert_eq!((games[0].place.line, games[1].place.line), (2, 8));
        assert_eq!((moves(&games[1]), moves(&games[2])), (vec!["h2e2"], vec![]));
        assert_eq!(
            games[0].items[2],
            (Place { line: 5, column: 10 }, Item::Comment("a\nb".into()))
        );
        assert_eq!(left_out, [(Place { line: 13, column: 3 }, "h9g7".into())]);
    }

    #[test]
    fn text_that_belongs_to_no_game_is_left_out() {
        let footer = "=====\nVisit (us {now\nread with [X] or \u{201c}\nhttp://example.invalid/\n";
        let head = "From: a@b\nSubject: 1-0 games [2]\n\n";
        let game = "[GAME \"Chinese Chess\"] [Fen \"x w\"]\n[result \"1-0\"]\n\n1. C2.5 H8+7";
        for end in ["1-0\n", "*\n", "", "红胜\n", "\n=======\n"] {
            let text = format!("{head}{game} {end}\n{footer}{game} {end}\n{footer}");
            let read = pgn(&text).unwrap();
            assert_eq!(read.games.len(), 2, "{text}");
            for game in &read.games {
                assert_eq!(moves(game), ["C2.5", "H8+7"], "{text}");
                assert_eq!(game.fen.as_deref(), Some("x w"));
                assert_eq!(game.game.as_deref(), Some("Chinese Chess"));
            }
            assert_eq!(read.left_out.len(), 3, "{:?}", read.left_out);
            assert_eq!(read.left_out[0], (Place { line: 1, column: 1 }, "From: a@b".into()));
        }
        // Without a line of marks, and comments, which are no surprise.
        let read =
            pgn("1. a1 b2\nSee us at\nhttp://x.invalid/1\n[A \"\"]\n1. a3 1-0 {a\nb}\n; c\n")
                .unwrap();
        assert_eq!((read.games.len(), read.left_out.len()), (2, 1), "{read:?}");
        // A move without its number is no footer.
        let read = pgn("1. a1 b2\n2. c\n3. d4").unwrap();
        assert_eq!(moves(&read.games[0]), ["a1", "b2", "c", "d4"]);
        let read = pgn("1. a1 b2 1-0\n\n1. a3 b4 0-1 1. c5").unwrap();
        assert_eq!((read.games.len(), read.left_out.len()), (3, 0), "games without tags: {read:?}");
    }

    #[test]
    fn tags_are_read_as_programs_write_them() {
        for tag in [
            "[FEN \"x w\"]",
            "[fen\"x w\"]",
            "[ Fen  \"x w\" ]",
            "【FEN “x w”】",
            "[Site \"C:\\\"][FEN \"x w\"]",
            "[Event \"the \"big\" one\"] [FEN \"x w\"]",
        ] {
            let read = pgn(&format!("{tag}\n1. a1")).unwrap_or_else(|e| panic!("{tag}: {e:?}"));
            assert_eq!(read.games[0].fen.as_deref(), Some("x w"), "{tag}");
            assert_eq!(moves(&read.games[0]), ["a1"], "{tag}");
        }
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
            assert_eq!(pgn(text).unwrap_err().0.line, line, "{text}");
        }
        assert_eq!(wxf("FORMAT WXF\nSTART{\n 1. C2.5").unwrap_err().0.line, 2);
    }

    #[test]
    fn the_format_of_the_federation_is_read() {
        let text = "FORMAT          WXF\nRED  x;;;\nFEN  rnb r\nSTART{\n  1. C2.5   H8+7\n  2. ...... R1+1\n\
                    }END\n\nFORMAT WXF\nSTART{\n}END\n";
        let games = wxf(text).unwrap().games;
        assert_eq!((games.len(), games[0].fen.as_deref()), (2, Some("rnb r")));
        assert_eq!(moves(&games[0]), ["C2.5", "H8+7", "R1+1"]);
        assert_eq!(games[0].items[0].0, Place { line: 5, column: 6 });
    }
}
