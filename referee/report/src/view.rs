//! A view of a position: all that a page needs to draw it and to enter a move. The rules stay here;
//! a page only compares clicks with the listed moves.

use super::plot::{BoardPicture, PieceText, SquareContent};
use super::shown::{self, HIDDEN, ShownPly};
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::game::MoveTexts;
use agon_games::refereed::Ending;
use agon_games::{Outcome, Player, Turn};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Most legal moves that come with their texts.
const MOST_TEXTS: usize = 40;

/// The length of a line that wins Connect6.
const SIX: usize = 6;

/// What is shown, and to whom.
#[derive(Clone)]
pub struct Viewing {
    /// The game.
    pub game: GameKind,
    /// The rule options.
    pub rules: Vec<(String, String)>,
    /// The player who looks on, from whom the rules may hide something; `None`: sees everything.
    pub viewer: Option<Player>,
    /// Whether the legal moves are listed.
    pub legal: bool,
}

/// A position as pages get it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The game's name.
    pub game: &'static str,
    /// Number of files.
    pub files: usize,
    /// Number of ranks.
    pub ranks: usize,
    /// `cells`, `points` (stones on the intersections) or `xiangqi`.
    pub grid: &'static str,
    /// The names of the squares, row by row from the top.
    pub squares: Vec<String>,
    /// The pieces on the board.
    pub pieces: Vec<PieceOn>,
    /// The squares of the last move.
    pub last: Vec<String>,
    /// The squares that show why the game is won: see [`winning_squares`].
    pub won: Vec<String>,
    /// Number of moves and chance outcomes since the start position.
    pub ply: usize,
    /// 0 or 1: the player to move; `"chance"`; `null`: the game is over.
    pub turn: Value,
    /// The result of a finished game.
    pub result: Option<ResultText>,
    /// The position's FEN, as the viewer knows it.
    pub fen: String,
    /// The start position's FEN.
    pub start: String,
    /// The canonical tokens so far; what is hidden from the viewer is `?`.
    pub moves: Vec<String>,
    /// The same for people.
    pub shown: Vec<ShownPly>,
    /// What chance can do, if it is chance's turn.
    pub chance: Option<ChanceView>,
    /// What the player to move can do.
    pub legal: Option<Legal>,
    /// More, by game: the die, the stones alive, the hidden pieces.
    pub state: Value,
}

/// A piece and its square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceOn {
    /// The square's name.
    pub at: String,
    /// The piece.
    #[serde(flatten)]
    pub piece: PieceText,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultText {
    /// The winner, 0 or 1; `None`: a draw.
    pub winner: Option<usize>,
    /// The rule that ended the game.
    pub text: String,
}

/// An event of chance that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChanceView {
    /// `die` or `reveal`.
    pub kind: &'static str,
    /// The square of the piece that is turned over.
    pub at: Option<String>,
    /// The possible outcomes.
    pub outcomes: Vec<OutcomeView>,
}

/// An outcome of chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutcomeView {
    /// The token.
    pub token: String,
    /// The piece that is revealed.
    pub piece: Option<PieceText>,
    /// The probability is this over the sum of all.
    pub weight: u32,
}

/// The moves of the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Legal {
    /// Every move with the squares to click in order.
    List {
        /// Token and squares.
        moves: Vec<(String, Vec<String>)>,
        /// The texts of the same moves, if they are few enough for buttons; else empty.
        texts: Vec<MoveTexts>,
    },
    /// Stones on empty points.
    Points {
        /// Number of stones of a turn.
        count: usize,
        /// The points for one stone.
        points: Vec<String>,
        /// The text between the points of a token.
        join: &'static str,
    },
    /// Pieces in any order on these squares: the token has the piece of each square in this order.
    Setup {
        /// The player who sets up.
        side: usize,
        /// The pieces, one character each.
        pieces: Vec<String>,
        /// The squares.
        squares: Vec<String>,
    },
}

impl Viewing {
    /// The view of a spectator who enters no moves.
    pub fn spectator(game: GameKind, rules: Vec<(String, String)>) -> Viewing {
        Viewing { game, rules, viewer: None, legal: false }
    }

    /// The position as the viewer sees it.
    ///
    /// # Errors
    ///
    /// Fails if the board cannot be drawn; the text says why.
    pub fn view(&self, position: &dyn Arbiter) -> Result<View, String> {
        let mut view = self.board(position)?;
        view.shown = self.shown(position, &view.moves);
        Ok(view)
    }

    /// The same without the texts of the moves, for a page that has them.
    ///
    /// # Errors
    ///
    /// As [`Viewing::view`].
    pub fn board(&self, position: &dyn Arbiter) -> Result<View, String> {
        let hidden = self.viewer.and_then(|viewer| position.player_view_fen(viewer));
        let fen = hidden.clone().unwrap_or_else(|| position.fen());
        let board = BoardPicture::parse(self.game.name, &fen).map_err(|e| e.to_string())?;
        let mut moves = position.tokens();
        if let (Some(_), Some(last)) = (&hidden, moves.last_mut()) {
            // The answer to a concealed set-up: it was the last move.
            *last = HIDDEN.into();
        }
        let board = board.with_last_move(&moves);
        let turn = position.turn();
        let name = |&square: &usize| board.name(square);
        let legal_tokens = match turn {
            Turn::Player(_) if !board.is_go_board() || self.game.name == "nogo" => {
                position.legal_tokens()
            }
            _ => Vec::new(),
        };
        let chance = (turn == Turn::Chance).then(|| chance(&board, position, &moves));
        Ok(View {
            game: self.game.name,
            files: board.files(),
            ranks: board.ranks(),
            grid: board.grid_name(),
            squares: (0..board.cells().len()).map(|s| board.name(s)).collect(),
            pieces: pieces(&board, &fen),
            last: board.marked().iter().map(name).collect(),
            won: winning_squares(&board, position),
            ply: moves.len(),
            turn: match turn {
                Turn::Player(player) => json!(player.index()),
                Turn::Chance => json!("chance"),
                Turn::Over(_) => Value::Null,
            },
            result: turn.outcome().map(|outcome| result(outcome, position)),
            start: position.start_fen(),
            shown: Vec::new(),
            state: state(&board, &fen, &legal_tokens),
            legal: match turn {
                Turn::Player(player) if self.legal => {
                    Some(legal(&board, position, player, legal_tokens))
                }
                _ => None,
            },
            chance,
            moves,
            fen,
        })
    }

    /// The moves for people.
    fn shown(&self, position: &dyn Arbiter, tokens: &[String]) -> Vec<ShownPly> {
        let start = self.game.open(Some(&position.start_fen()), &self.rules);
        start.map_or_else(|_| Vec::new(), |start| shown::line(&*start, tokens))
    }
}

/// The squares that show why a game is won: the line of six stones from one end to the other, the stone in its corner, the
/// square of the last capture, Xiangqi's lost king. Empty before the end and where nothing on the board shows it.
pub fn winning_squares(board: &BoardPicture, position: &dyn Arbiter) -> Vec<String> {
    let Turn::Over(Outcome::Win(winner)) = position.turn() else { return Vec::new() };
    let squares = match position.ending() {
        Some(Ending::Line) => board.line_through_marked(SIX),
        Some(Ending::Goal | Ending::Elimination) => {
            board.marked().last().copied().into_iter().collect()
        }
        Some(Ending::Checkmate | Ending::NoMove) if board.has_river() => {
            let king = SquareContent::Piece(winner.opponent(), 'K');
            board.cells().iter().position(|&cell| cell == king).into_iter().collect()
        }
        _ => Vec::new(),
    };
    squares.into_iter().map(|square| board.name(square)).collect()
}

/// The result of a finished game.
fn result(outcome: Outcome, position: &dyn Arbiter) -> ResultText {
    let winner = match outcome {
        Outcome::Win(player) => Some(player.index()),
        Outcome::Draw => None,
    };
    ResultText { winner, text: position.ending().map_or("", |e| e.name()).into() }
}

/// The pieces with their squares. Colours of dark chess become the players who have them.
fn pieces(board: &BoardPicture, fen: &str) -> Vec<PieceOn> {
    let cells = board.cells().iter().enumerate();
    let mut pieces: Vec<PieceOn> = cells
        .filter_map(|(square, cell)| {
            Some(PieceOn { at: board.name(square), piece: cell.describe()? })
        })
        .collect();
    if let Some(red) = red_player(board, fen) {
        for PieceOn { piece, .. } in &mut pieces {
            piece.side = match red {
                None => None,
                Some(Player::First) => piece.side,
                Some(Player::Second) => piece.side.map(|side| 1 - side),
            };
        }
    }
    pieces
}

/// For dark chess, the player who has the red pieces, if that is decided; `None` for other games.
fn red_player(board: &BoardPicture, fen: &str) -> Option<Option<Player>> {
    let first = fen.split_whitespace().nth(2).filter(|_| board.has_dealt_colours())?;
    Some(match first {
        "r" => Some(Player::First),
        "b" => Some(Player::Second),
        _ => None,
    })
}

/// The event of chance that is due.
fn chance(board: &BoardPicture, position: &dyn Arbiter, moves: &[String]) -> ChanceView {
    let outcome = |(token, weight): (String, u32)| {
        let revealed = token.strip_prefix('=').and_then(|text| text.chars().next());
        let piece =
            revealed.and_then(|letter| board.cell_of(letter)).and_then(SquareContent::describe);
        OutcomeView { token, piece, weight }
    };
    let outcomes: Vec<OutcomeView> = position.chance_tokens().into_iter().map(outcome).collect();
    let is_die = outcomes.iter().all(|o| o.token.len() == 1);
    let turned = moves.last().and_then(|token| board.squares_of(token).last().copied());
    ChanceView {
        kind: if is_die { "die" } else { "reveal" },
        at: turned.filter(|_| !is_die).map(|square| board.name(square)),
        outcomes,
    }
}

/// What the player to move can do. `tokens` are the legal ones, of Connect6 none: they are too many.
fn legal(
    board: &BoardPicture,
    position: &dyn Arbiter,
    player: Player,
    tokens: Vec<String>,
) -> Legal {
    if board.is_go_board() {
        let points = if tokens.is_empty() {
            let empty = |&s: &usize| board.cells()[s] == SquareContent::Empty;
            (0..board.cells().len()).filter(empty).map(|s| board.name(s)).collect()
        } else {
            tokens
        };
        return Legal::Points { count: stones_due(position, &points), points, join: "" };
    }
    if let Some(squares) = setup_squares(board, position, player, &tokens) {
        let pieces = (1..=squares.len()).map(|n| n.to_string()).collect();
        return Legal::Setup { side: player.index(), pieces, squares };
    }
    let listed = if tokens.len() > MOST_TEXTS { &[] } else { &tokens[..] };
    let texts = listed.iter().map(|token| shown::texts(position, token)).collect();
    let moves = tokens.iter().map(|token| {
        let mut squares = board.squares_of(token);
        squares.dedup();
        (token.clone(), squares.into_iter().map(|square| board.name(square)).collect())
    });
    Legal::List { moves: moves.collect(), texts }
}

/// Number of stones of the next turn: two if two are accepted.
fn stones_due(position: &dyn Arbiter, points: &[String]) -> usize {
    let two = points.get(..2).map(|points| points.concat());
    if two.is_some_and(|token| position.display_move(&token).is_ok()) { 2 } else { 1 }
}

/// If the player sets up, the squares in the order of a set-up's digits: where an example puts them.
fn setup_squares(
    board: &BoardPicture,
    position: &dyn Arbiter,
    player: Player,
    tokens: &[String],
) -> Option<Vec<String>> {
    let example = tokens.iter().min()?;
    if !example.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let mut after = position.boxed_clone();
    after.push(example).ok()?;
    let after = BoardPicture::parse("einstein", &after.fen()).ok()?;
    let place = |number: char| {
        let stone = SquareContent::Stone(player, number);
        after.cells().iter().position(|&cell| cell == stone)
    };
    let squares: Option<Vec<usize>> = example.chars().map(place).collect();
    Some(squares?.into_iter().map(|square| board.name(square)).collect())
}

/// The game's own extras.
fn state(board: &BoardPicture, fen: &str, legal: &[String]) -> Value {
    let field = |n: usize| fen.split_whitespace().nth(n).unwrap_or("-");
    if board.has_dealt_colours() {
        let count = |text: &str| {
            let letters: BTreeSet<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
            let counts =
                letters.into_iter().map(|c| (c.to_string(), json!(text.matches(c).count())));
            Value::Object(counts.collect())
        };
        let red = red_player(board, fen).flatten().map(Player::index);
        return json!({ "hidden": count(field(3)), "captured": count(field(4)), "red": red });
    }
    let numbers = |player: Player| -> Vec<u32> {
        let number = |cell: &SquareContent| match cell {
            SquareContent::Stone(owner, n) if *owner == player => n.to_digit(10),
            _ => None,
        };
        let mut numbers: Vec<u32> = board.cells().iter().filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    };
    let alive = Player::BOTH.map(numbers);
    if alive.iter().all(Vec::is_empty) && !fen.ends_with("setup") {
        return json!({});
    }
    let movable: BTreeSet<usize> =
        legal.iter().filter_map(|token| board.squares_of(token).first().copied()).collect();
    let movable: Vec<String> = movable.into_iter().map(|square| board.name(square)).collect();
    json!({ "die": field(2).parse::<u8>().ok(), "alive": alive, "movable": movable })
}
