//! Games as pychess and other programs of chess write them: ranks from 1 to 10, and moves in short or long algebraic
//! notation, `Hg3`, `Rab1`, `Ch3xh10+`, `c5` for a pawn. Some count the ranks from 0, so a whole game decides.

use super::square::{FILES, Square, XiangqiMove};
use super::{Kind, Xiangqi, notation, wxf};
use crate::board_text;
use crate::game::{Game, MoveError, Player, legal_moves};
use crate::phrase::phrase;
use crate::text::usual;

/// Most tries of moves that may mean several, in one game.
const MOST_TRIES: usize = 1000;

/// A game's moves as far as they can be read.
#[derive(Debug, Default)]
pub struct ReadMoves {
    /// The canonical tokens.
    pub tokens: Vec<String>,
    /// The numbers, from 0, of moves that may mean several, and what they were taken for.
    pub guesses: Vec<(usize, String)>,
    /// What is wrong with the next move.
    pub error: Option<MoveError>,
}

/// Reads the moves of a game in any notation. Of several moves that a text in algebraic notation may mean, the one
/// with the lowest file, counted from the mover's right, is taken that lets the rest be read.
pub fn read(start: &Xiangqi, texts: &[&str]) -> ReadMoves {
    let algebraic = texts.iter().any(|text| Algebraic::read(text).is_some());
    let first_ranks = if algebraic { [1, 0] } else { [0, 1] };
    let likely = read_from(start, texts, first_ranks[0]);
    if likely.error.is_none() {
        return likely;
    }
    let other = read_from(start, texts, first_ranks[1]);
    if other.tokens.len() > likely.tokens.len() { other } else { likely }
}

/// As [`read`], with this number for the lowest rank.
fn read_from(start: &Xiangqi, texts: &[&str], first_rank: usize) -> ReadMoves {
    // For each move the position before it, what it may mean, and which of these is tried.
    let mut path: Vec<(Xiangqi, Vec<XiangqiMove>, usize)> = Vec::new();
    let (mut game, mut best, mut tries) = (start.clone(), ReadMoves::default(), 0);
    loop {
        let next = texts.get(path.len()).map(|text| parse(&game, text, first_rank));
        if let Some(Ok(moves)) = next {
            let next = moves.first().map(|&m| after(&game, m));
            path.push((game.clone(), moves, 0));
            game = next.unwrap_or(game);
            continue;
        }
        let error = next.and_then(Result::err);
        if error.is_none() || path.len() > best.tokens.len() || best.error.is_none() {
            best = of_path(&path, error);
        }
        tries += 1;
        while path.last().is_some_and(|(_, moves, at)| at + 1 >= moves.len()) {
            path.pop();
        }
        let Some((before, moves, at)) =
            path.last_mut().filter(|_| best.error.is_some() && tries < MOST_TRIES)
        else {
            return best;
        };
        *at += 1;
        game = after(before, moves[*at]);
    }
}

fn after(game: &Xiangqi, m: XiangqiMove) -> Xiangqi {
    let mut after = game.clone();
    after.play(m);
    after
}

fn of_path(path: &[(Xiangqi, Vec<XiangqiMove>, usize)], error: Option<MoveError>) -> ReadMoves {
    let mut read = ReadMoves { error, ..ReadMoves::default() };
    for (i, (game, moves, at)) in path.iter().enumerate() {
        let shown = |m: &XiangqiMove| game.display_move(*m);
        read.tokens.extend(moves.get(*at).map(|&m| game.move_token(m)));
        if let (Some(taken), 2..) = (moves.get(*at), moves.len()) {
            let all: Vec<String> = moves.iter().map(shown).collect();
            let text = format!("may mean {}, taken for {}", all.join(" or "), shown(taken));
            read.guesses.push((i, text));
        }
    }
    read
}

/// Reads a move in any notation: the legal moves that it may mean, at least one.
fn parse(game: &Xiangqi, text: &str, first_rank: usize) -> Result<Vec<XiangqiMove>, MoveError> {
    let bare = usual(text.trim_end_matches(['+', '#', '!', '?']));
    let square = |file, rank: usize| Square::new(file, rank.checked_sub(first_rank)?);
    if let Ok(&[from, to]) = board_text::read_squares(&bare, square).as_deref() {
        return game.parse_move(&XiangqiMove { from, to }.to_string()).map(|m| vec![m]);
    }
    let Some(wanted) = Algebraic::read(&bare) else {
        // A mark for check stands behind a move.
        let plain = |error| notation::parse(game, &bare).map_err(|_| error);
        return notation::parse(game, text).or_else(plain).map(|m| vec![m]);
    };
    let fits = legal_moves(game).into_iter().filter(|m| wanted.fits(game, *m, first_rank));
    let mut fits: Vec<XiangqiMove> = fits.collect();
    if fits.is_empty() {
        return Err(MoveError::illegal(text, phrase!("no legal move is written so here")));
    }
    let from_right = |m: &XiangqiMove| match game.side {
        Player::First => FILES - m.from.file(),
        Player::Second => m.from.file(),
    };
    fits.sort_by_key(from_right);
    Ok(fits)
}

/// A move in algebraic notation; numbers as they are written.
struct Algebraic {
    /// The canonical letters of the pieces that it may be.
    pieces: &'static str,
    from_file: Option<usize>,
    from_rank: Option<usize>,
    to_file: usize,
    to_rank: usize,
}

impl Algebraic {
    fn read(text: &str) -> Option<Algebraic> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let first = text.chars().next()?;
        let (pieces, rest) = match first {
            'A'..='Z' => (wxf::pieces(first), &text[1..]),
            _ => ("P", text),
        };
        // Behind the piece there are at most two squares, with one of these marks between them.
        let rest: String = rest.chars().filter(|c| !"-x:".contains(*c)).collect();
        let at = rest.rfind(|c: char| c.is_ascii_lowercase())?;
        let file = |c: char| ('a'..='i').contains(&c).then(|| usize::from(c as u8 - b'a'));
        let to_file = file(rest[at..].chars().next()?)?;
        let number = |text: &str| {
            let is_number = text.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| text.parse().ok()).flatten()
        };
        let to_rank = number(&rest[at + 1..])?;
        let origin = &rest[..at];
        let from_file = origin.chars().next().and_then(file);
        let rank = if from_file.is_some() { &origin[1..] } else { origin };
        let from_rank = if rank.is_empty() { None } else { Some(number(rank)?) };
        // Two squares without a piece are coordinates.
        let is_move = first.is_ascii_uppercase() || from_file.is_none() || from_rank.is_none();
        (!pieces.is_empty() && is_move).then_some(Algebraic {
            pieces,
            from_file,
            from_rank,
            to_file,
            to_rank,
        })
    }

    fn fits(&self, game: &Xiangqi, m: XiangqiMove, first_rank: usize) -> bool {
        let Some((_, kind)) = game.board.piece_at(m.from).split() else { return false };
        let letter = match kind {
            Kind::Elephant => 'E',
            Kind::Horse => 'H',
            other => other.letter(),
        };
        self.pieces.contains(letter)
            && (m.to.file(), m.to.rank() + first_rank) == (self.to_file, self.to_rank)
            && self.from_file.is_none_or(|file| file == m.from.file())
            && self.from_rank.is_none_or(|rank| rank == m.from.rank() + first_rank)
    }
}
