//! Moves as text: `h2e2` for programs, WXF (`C2.5`) as the human-readable form; the parser accepts
//! both, `H2-E2` as written by servers, and Chinese characters (`炮二平五`).

use super::square::{Square, XiangqiMove};
use super::{Board, Xiangqi, chinese, movegen, wxf};
use crate::board_text;
use crate::game::{Game, MoveError, Player, Turn};
use crate::phrase::{Phrase, phrase};

/// Reads a move and checks that it is legal in `game`.
pub fn parse(game: &Xiangqi, text: &str) -> Result<XiangqiMove, MoveError> {
    let trimmed = text.trim();
    let m = match read_squares(trimmed) {
        Some(m) => m,
        None => return parse_wxf(game, text),
    };
    explain(game, m).map_err(|reason| MoveError::illegal(text, reason))?;
    Ok(m)
}

/// Two squares, optionally separated.
fn read_squares(text: &str) -> Option<XiangqiMove> {
    match board_text::read_squares(text, Square::new).as_deref() {
        Ok(&[from, to]) => Some(XiangqiMove { from, to }),
        _ => None,
    }
}

/// From and to, with an `x` between them for a capture.
pub fn by_squares(board: &Board, m: XiangqiMove) -> String {
    let takes = board.piece_at(m.to).split().is_some();
    format!("{}{}{}", m.from, if takes { 'x' } else { '-' }, m.to)
}

fn parse_wxf(game: &Xiangqi, text: &str) -> Result<XiangqiMove, MoveError> {
    let trimmed = text.trim();
    let mut wanted = wxf::normal_forms(trimmed);
    wanted.extend(chinese::normal_form(trimmed));
    if wanted.is_empty() {
        return Err(MoveError::syntax(
            text,
            phrase!(
                "expected two squares a0 to i9 as in `h2e2`, or a piece, a file or sign, a direction and a number as in `C2.5` or `炮二平五`"
            ),
        ));
    }
    let moves = crate::game::legal_moves(game).into_iter();
    let spelled: Vec<_> = moves.map(|m| (m, wxf::spellings(&game.board, m))).collect();
    let meant = |form: &String| -> Vec<XiangqiMove> {
        spelled.iter().filter(|(_, forms)| forms.contains(form)).map(|(m, _)| *m).collect()
    };
    // The likelier meaning counts, if it is one.
    let fits = wanted.iter().map(meant).find(|fits| !fits.is_empty()).unwrap_or_default();
    match fits[..] {
        [m] => Ok(m),
        [] => Err(MoveError::illegal(text, phrase!("no legal move is written so here"))),
        _ => {
            let all: Vec<String> = fits.iter().map(|&m| wxf::print(&game.board, m)).collect();
            Err(MoveError::illegal(
                text,
                phrase!("it may mean any of {moves}", moves = all.join(", ")),
            ))
        }
    }
}

/// Explains why a move is illegal.
fn explain(game: &Xiangqi, m: XiangqiMove) -> Result<(), Phrase> {
    if let Turn::Over(_) = game.turn() {
        return Err(phrase!("the game is over"));
    }
    let (board, us) = (&game.board, game.side);
    let name = |side| if side == Player::First { phrase!("Red") } else { phrase!("Black") };
    let kind = match board.piece_at(m.from).split() {
        Some((side, kind)) if side == us => kind,
        Some((side, kind)) => {
            return Err(phrase!(
                "the {piece} on {square} is {whose}'s, {mover} is to move",
                piece = Phrase::of_key(kind.name()),
                square = m.from,
                whose = name(side),
                mover = name(us)
            ));
        }
        None => return Err(phrase!("there is no piece on {square}", square = m.from)),
    };
    if board.destinations(us, kind, m.from.index()) & m.to.bit() == 0 {
        return Err(phrase!(
            "the {piece} on {from} cannot go to {to}",
            piece = Phrase::of_key(kind.name()),
            from = m.from,
            to = m.to
        ));
    }
    if board.side(us) & m.to.bit() != 0 {
        return Err(phrase!(
            "{side}'s own piece stands on {square}",
            side = name(us),
            square = m.to
        ));
    }
    if !movegen::leaves_king_safe(board, us, m) {
        return Err(phrase!(
            "it leaves {side}'s king {how}",
            side = name(us),
            how = danger(board, us, m)
        ));
    }
    Ok(())
}

fn danger(board: &Board, us: Player, m: XiangqiMove) -> Phrase {
    let mut after = board.clone();
    after.make_move(m);
    if after.kings_face() {
        return phrase!("facing the other king");
    }
    if board.in_check(us) { phrase!("in check") } else { phrase!("open to a check") }
}
