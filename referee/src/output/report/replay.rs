//! Games as data for the page's viewer: the board before the first move, the changes of each move,
//! and the reports of the engines.
//!
//! The rules are applied here; the page's script only draws given pieces on given squares.

use crate::matchlog::rule_pairs;
use crate::matchlog::{GameRecord, Header, PlyScore};
use crate::output::plot::{Board, Cell};
use agon_protocol::arbiter::{self, Arbiter};
use agon_protocol::message::Score;
use serde_json::{Value, json};

/// All kinds of cells on a page's boards; the code of a cell is its index, from `A`.
#[derive(Clone, Debug)]
pub struct Palette {
    cells: Vec<Cell>,
}

/// A game that the viewer can show.
struct Frames {
    first: String,
    moves: Vec<Step>,
}

/// A move for the viewer.
struct Step {
    /// The move in human-readable notation.
    text: String,
    /// The squares of the last move: a chance outcome that names none leaves them marked.
    named: Vec<usize>,
    /// The squares that the move changes, with the new code of each.
    changes: Vec<(usize, char)>,
}

impl Palette {
    /// Contains the empty cell only.
    pub fn new() -> Palette {
        Palette { cells: vec![Cell::Empty] }
    }

    /// The cells, each with its code.
    pub fn cells(&self) -> impl Iterator<Item = (char, Cell)> + '_ {
        self.cells.iter().enumerate().map(|(i, &cell)| (code(i), cell))
    }

    fn code_of(&mut self, cell: Cell) -> char {
        let place = self.cells.iter().position(|&c| c == cell).unwrap_or_else(|| {
            self.cells.push(cell);
            self.cells.len() - 1
        });
        code(place)
    }

    fn codes(&mut self, board: &Board) -> String {
        board.cells().iter().map(|&cell| self.code_of(cell)).collect()
    }
}

impl Default for Palette {
    fn default() -> Palette {
        Palette::new()
    }
}

/// Letters first; no game has enough kinds of pieces to exhaust the characters.
fn code(place: usize) -> char {
    u32::try_from(place).ok().and_then(|i| char::from_u32('A' as u32 + i)).unwrap_or('A')
}

/// The viewer's data for a game; `None` if its boards do not fit on a grid like `like`.
pub fn of(
    header: &Header,
    game: &GameRecord,
    palette: &mut Palette,
    like: &Board,
) -> Option<Value> {
    let frames = replay(header, game, palette)
        .or_else(|| last_position(header, game, palette))
        .filter(|f| f.first.chars().count() == like.cells().len())?;
    let (mut texts, mut named, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    for step in frames.moves {
        texts.push(step.text);
        named.push(step.named);
        changes.push(step.changes);
    }
    let score = |s: &Option<PlyScore>| match s {
        None => Value::Null,
        Some(PlyScore(Score::Cp(x))) => json!(x),
        Some(PlyScore(Score::Mate(n))) => json!(format!("#{n}")),
    };
    Some(json!({
        "game": game.game,
        "players": game.players,
        "board": frames.first,
        "moves": texts,
        "named": named,
        "changes": changes,
        "by": game.by,
        "us": game.stats.us,
        "depth": game.stats.depth,
        "nodes": game.stats.nodes,
        "score": game.stats.score.iter().map(score).collect::<Vec<_>>(),
        "said": game.output_tail().to_string().trim_start(),
    }))
}

/// The first board of a game, for its grid.
pub fn first_board(header: &Header, game: &GameRecord) -> Option<Board> {
    let start = open(header, game).map(|g| g.fen()).unwrap_or_else(|| game.fen.clone());
    Board::parse(&header.game, &start).ok()
}

fn open(header: &Header, game: &GameRecord) -> Option<Box<dyn Arbiter>> {
    arbiter::game(&header.game)?.open_text(&game.opening, &rule_pairs(&header.rules)).ok()
}

/// Replays the game; `None` if the rules do not accept it.
fn replay(header: &Header, game: &GameRecord, palette: &mut Palette) -> Option<Frames> {
    let mut position = open(header, game)?;
    let mut board = Board::parse(&header.game, &position.fen()).ok()?;
    let first = palette.codes(&board);
    let mut moves = Vec::new();
    let mut tokens = position.tokens();
    for token in game.moves.split_whitespace() {
        let text = position.display_move(token).unwrap_or_else(|_| token.to_string());
        position.push(token).ok()?;
        let next = Board::parse(&header.game, &position.fen()).ok()?;
        let changes = (0..next.cells().len())
            .filter(|&i| board.cells().get(i) != next.cells().get(i))
            .map(|i| (i, palette.code_of(next.cells()[i])))
            .collect();
        tokens.push(token.to_string());
        board = next.with_last_move(&tokens);
        moves.push(Step { text, named: board.marked().to_vec(), changes });
    }
    Some(Frames { first, moves })
}

/// The last position only, for a game that this program cannot replay.
fn last_position(header: &Header, game: &GameRecord, palette: &mut Palette) -> Option<Frames> {
    let board = Board::parse(&header.game, &game.fen).ok()?;
    Some(Frames { first: palette.codes(&board), moves: Vec::new() })
}
