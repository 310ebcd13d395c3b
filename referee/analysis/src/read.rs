//! The trees of written games. The rules check every move: what is illegal is left out with all that follows, and named
//! with its place; the rest is kept.

use crate::comment::read_comment;
use crate::tree::{GameTree, MAX_COMMENT, MAX_MARKS, TreeError};
use agon_games::arbiter::{self, Arbiter, GameKind};
use agon_games::ccgc::Record;
use agon_games::mark::Mark;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::sgf_tree::SgfTree;
use agon_games::text::excerpt;
use agon_games::xiangqi::{Xiangqi, san};
use agon_games::{Player, Turn};
use agon_matches::openings::{Item, Place, WrittenGame, fen_of};
use std::collections::BTreeMap;

/// A tree with what was left out of it.
pub struct ReadTree {
    /// The tree.
    pub tree: GameTree,
    /// One sentence for each part that was left out.
    pub problems: Vec<Phrase>,
}

fn open(kind: GameKind, fen: Option<&str>) -> Result<ReadTree, Phrase> {
    let fen = fen.map(|fen| fen_of(kind, &[], fen));
    let tree = GameTree::new(kind, Vec::new(), fen.as_deref()).map_err(|e| e.to_phrase())?;
    Ok(ReadTree { tree, problems: Vec::new() })
}

fn left_out(place: Place, text: &str, is_main: bool, cause: Phrase) -> Phrase {
    let (place, text) = (place.to_string(), excerpt(text));
    match is_main {
        true => phrase!(
            "{place}: the game is kept up to the move before `{text}`: {cause}",
            place,
            text,
            cause
        ),
        false => phrase!(
            "{place}: the variation is kept up to the move before `{text}`: {cause}",
            place,
            text,
            cause
        ),
    }
}

/// The tree of a game as it is written.
pub fn tree_of_record(kind: GameKind, record: &Record) -> Result<ReadTree, Phrase> {
    let mut read = open(kind, None)?;
    let (mut board, mut at) = (read.tree.start().boxed_clone(), 0);
    for (i, token) in record.tokens().enumerate() {
        match read.tree.add_to(&mut *board, at, token) {
            Ok(id) => at = id,
            Err(e) => {
                let cause = e.to_phrase();
                read.problems.push(phrase!("move {n}: {cause}", n = i + 1, cause));
                break;
            }
        }
    }
    Ok(read)
}

/// The tree of a game as it is written.
pub fn tree_of_sgf(
    kind: GameKind,
    own: &SgfTree,
    text: &str,
    line: usize,
) -> Result<ReadTree, Phrase> {
    let mut read = open(kind, own.head.fen.as_deref())?;
    let place = |at: usize| {
        let place = Place::of(text, at);
        Place { line: place.line + line - 1, ..place }
    };
    // The node of each move, if it was legal, and the position of the last one.
    let mut nodes: Vec<Option<usize>> = Vec::new();
    let mut last = (0, read.tree.start().boxed_clone());
    note(&mut read.tree, 0, &own.notes.comment, own.notes.marks.clone());
    for m in &own.moves {
        let parent = m.parent.map_or(Some(0), |i| nodes.get(i).copied().flatten());
        let Some(parent) = parent else {
            nodes.push(None);
            continue;
        };
        if last.0 != parent {
            last = (parent, read.tree.position(parent).map_err(|e| e.to_phrase())?);
        }
        let board = &mut last.1;
        let turn = Turn::Player(Player::BOTH[m.player]);
        let added = match &m.token {
            Err(cause) => Err(Phrase::Plain(cause.clone())),
            Ok(_) if board.turn() != turn && !matches!(board.turn(), Turn::Over(_)) => {
                Err(phrase!("it is not this player's turn"))
            }
            Ok(token) => {
                read.tree.add_to(&mut **board, parent, token).map_err(|e: TreeError| e.to_phrase())
            }
        };
        match added {
            Ok(id) => {
                last.0 = id;
                note(&mut read.tree, id, &m.notes.comment, m.notes.marks.clone());
                nodes.push(Some(id));
            }
            Err(cause) => {
                let shown = m.token.as_deref().unwrap_or("?");
                let is_main = m.parent.is_none_or(|p| p + 1 == nodes.len())
                    && nodes.iter().all(Option::is_some);
                read.problems.push(left_out(place(m.at), shown, is_main, cause));
                nodes.push(None);
            }
        }
    }
    Ok(read)
}

/// Adds to what is said of a position; a comment that is too long is cut.
fn note(tree: &mut GameTree, id: usize, comment: &str, marks: Vec<Mark>) {
    let Ok(node) = tree.node(id) else { return };
    if !comment.is_empty() {
        let gap = if node.comment.is_empty() { "" } else { "\n" };
        let mut text = format!("{}{gap}{comment}", node.comment);
        let mut end = text.len().min(MAX_COMMENT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        // It is short enough.
        let _ = tree.set_comment(id, &text);
    }
    if !marks.is_empty() {
        let mut all = tree.nodes()[id].marks.clone();
        all.extend(marks);
        all.truncate(MAX_MARKS);
        // All are sound: the readers leave others out.
        let _ = tree.set_marks(id, all);
    }
}

/// A line that is being read: the game itself, or a variation.
struct Line {
    /// The last position.
    at: usize,
    board: Box<dyn Arbiter>,
    /// Whether nothing of it has been read.
    is_new: bool,
    /// Whether its rest is left out.
    is_off: bool,
    /// What was said before its first move.
    said: Vec<String>,
}

/// The tree of a game as it is written.
pub fn tree_of_words(kind: GameKind, written: &WrittenGame) -> Result<ReadTree, Phrase> {
    let mut read = open(kind, written.fen.as_deref())?;
    let board = read.tree.start().boxed_clone();
    let mut lines = vec![Line { at: 0, board, is_new: false, is_off: false, said: Vec::new() }];
    let mut tokens = Translation::default();
    for (i, (place, item)) in written.items.iter().enumerate() {
        let depth = lines.len();
        let Some(line) = lines.last_mut() else { break };
        match item {
            Item::Open => {
                let (at, is_off) = (line.at, line.is_off);
                // A variation before the first move replaces nothing.
                let board = line.board.boxed_clone();
                let is_off = is_off || at == 0;
                lines.push(Line { at, board, is_new: true, is_off, said: Vec::new() });
            }
            Item::Close => {
                // The parser has matched the brackets.
                lines.truncate(depth.saturating_sub(1).max(1));
            }
            _ if line.is_off => {}
            Item::Remark(number) => note(&mut read.tree, line.at, remark_text(number), Vec::new()),
            Item::Comment(text) => say(&mut read.tree, line, text),
            Item::Move(text) => {
                if line.is_new {
                    go_before(&read.tree, line)?;
                    line.is_new = false;
                }
                let token = tokens.token(kind, &*line.board, written, i);
                let played = match token {
                    Ok(token) => play(&mut read.tree, line, &token).map_err(|e| e.to_phrase()),
                    Err(cause) => Err(Phrase::Plain(cause)),
                };
                for said in line.said.drain(..).filter(|_| played.is_ok()) {
                    let (comment, marks) = read_comment(&said);
                    note(&mut read.tree, line.at, &comment, marks);
                }
                if let Err(cause) = played {
                    line.is_off = true;
                    read.problems.push(left_out(*place, text, depth == 1, cause));
                }
            }
        }
    }
    Ok(read)
}

/// Takes in a comment, which is an outcome where chance is due.
fn say(tree: &mut GameTree, line: &mut Line, text: &str) {
    if line.is_new && begin_with_chance(tree, line, text) {
        line.is_new = false;
    }
    if !line.is_new && line.board.turn() == Turn::Chance {
        let mut after = line.board.boxed_clone();
        if let Ok(id) = tree.add_to(&mut *after, line.at, text) {
            (line.at, line.board) = (id, after);
            return;
        }
    }
    if line.is_new {
        line.said.push(text.into());
        return;
    }
    let (comment, marks) = read_comment(text);
    note(tree, line.at, &comment, marks);
}

/// Plays a move that may have a mark for check behind it.
fn play(tree: &mut GameTree, line: &mut Line, token: &str) -> Result<(), TreeError> {
    let added = tree.add_to(&mut *line.board, line.at, token);
    let plain = token.strip_suffix('+');
    line.at = match (added, plain) {
        (Err(e), Some(plain)) => tree.add_to(&mut *line.board, line.at, plain).map_err(|_| e)?,
        (added, _) => added?,
    };
    Ok(())
}

/// A variation that begins with a move replaces the last decision of the line around it.
fn go_before(tree: &GameTree, line: &mut Line) -> Result<(), Phrase> {
    let mut at = line.at;
    while let Some(parent) = tree.nodes()[at].parent {
        let was_decision = tree.nodes()[at].ply.as_ref().is_some_and(|ply| ply.by.is_some());
        at = parent;
        if was_decision {
            break;
        }
    }
    line.at = at;
    line.board = tree.position(at).map_err(|e| e.to_phrase())?;
    Ok(())
}

/// A variation that begins with an outcome of chance replaces the last outcome. Returns whether it does.
fn begin_with_chance(tree: &GameTree, line: &mut Line, text: &str) -> bool {
    let node = &tree.nodes()[line.at];
    let (Some(parent), Some(None)) = (node.parent, node.ply.as_ref().map(|ply| ply.by)) else {
        return false;
    };
    let Ok(mut board) = tree.position(parent) else { return false };
    let before = board.boxed_clone();
    if board.push(text).is_err() {
        return false;
    }
    (line.at, line.board) = (parent, before);
    true
}

/// The marks of the standard's numbers.
fn remark_text(number: &str) -> &str {
    match number {
        "$1" => "!",
        "$2" => "?",
        "$3" => "!!",
        "$4" => "??",
        "$5" => "!?",
        "$6" => "?!",
        other => other,
    }
}

/// The tokens of Xiangqi's moves, line by line: what a word means may depend on those behind it.
#[derive(Default)]
struct Translation {
    tokens: BTreeMap<usize, Result<String, String>>,
}

impl Translation {
    /// The token of the move at an item; `board` is the position before it.
    fn token(
        &mut self,
        kind: GameKind,
        board: &dyn Arbiter,
        written: &WrittenGame,
        i: usize,
    ) -> Result<String, String> {
        let Some((_, Item::Move(text))) = written.items.get(i) else { return Err(String::new()) };
        if kind.name != "xiangqi" {
            return Ok(text.clone());
        }
        if !self.tokens.contains_key(&i) {
            let start =
                arbiter::start::<Xiangqi>(Some(&board.fen()), &[]).map_err(|e| e.to_string())?;
            let moves = line_from(written, i);
            let texts: Vec<&str> = moves.iter().map(|(_, text)| *text).collect();
            let read = san::read(&start, &texts);
            let error = read.error.map(|error| Err(error.to_string()));
            let found = read.tokens.into_iter().map(Ok).chain(error);
            self.tokens.extend(moves.iter().map(|(i, _)| *i).zip(found));
        }
        self.tokens.get(&i).cloned().unwrap_or_else(|| Ok(text.clone()))
    }
}

/// The moves from an item to the end of its line, without variations.
fn line_from(written: &WrittenGame, from: usize) -> Vec<(usize, &str)> {
    let mut depth = 0;
    let mut moves = Vec::new();
    for (i, (_, item)) in written.items.iter().enumerate().skip(from) {
        match item {
            Item::Open => depth += 1,
            Item::Close if depth == 0 => break,
            Item::Close => depth -= 1,
            Item::Move(text) if depth == 0 => moves.push((i, text.as_str())),
            _ => {}
        }
    }
    moves
}
