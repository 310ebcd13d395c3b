//! Moves as text: `h2e2` for programs, WXF (`C2.5`) as the human-readable form; the parser accepts
//! both, `H2-E2` as written by servers, and Chinese characters (`炮二平五`).

use super::square::{Square, XiangqiMove};
use super::{Board, Xiangqi, chinese, movegen, wxf};
use crate::board_text;
use crate::game::{Game, MoveError, Player, Turn};

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

fn parse_wxf(game: &Xiangqi, text: &str) -> Result<XiangqiMove, MoveError> {
    let trimmed = text.trim();
    let Some(wanted) = wxf::normal_form(trimmed).or_else(|| chinese::normal_form(trimmed)) else {
        return Err(MoveError::syntax(
            text,
            "expected two squares a0 to i9 as in `h2e2`, or a piece, a file or sign, a direction \
             and a number as in `C2.5` or `炮二平五`",
        ));
    };
    let fits: Vec<XiangqiMove> = crate::game::legal_moves(game)
        .into_iter()
        .filter(|&m| wxf::spellings(&game.board, m).contains(&wanted))
        .collect();
    match fits[..] {
        [m] => Ok(m),
        [] => Err(MoveError::illegal(text, "no legal move is written so here")),
        _ => {
            let all: Vec<String> = fits.iter().map(|&m| wxf::print(&game.board, m)).collect();
            Err(MoveError::illegal(text, format!("it may mean any of {}", all.join(", "))))
        }
    }
}

/// Explains why a move is illegal.
fn explain(game: &Xiangqi, m: XiangqiMove) -> Result<(), String> {
    if let Turn::Over(_) = game.turn() {
        return Err("the game is over".into());
    }
    let (board, us) = (&game.board, game.side);
    let name = |side| if side == Player::First { "Red" } else { "Black" };
    let kind = match board.piece_at(m.from).split() {
        Some((side, kind)) if side == us => kind,
        Some((side, kind)) => {
            let (whose, mover) = (name(side), name(us));
            return Err(format!(
                "the {} on {} is {whose}'s, {mover} is to move",
                kind.name(),
                m.from
            ));
        }
        None => return Err(format!("there is no piece on {}", m.from)),
    };
    if board.destinations(us, kind, m.from.index()) & m.to.bit() == 0 {
        return Err(format!("the {} on {} cannot go to {}", kind.name(), m.from, m.to));
    }
    if board.side(us) & m.to.bit() != 0 {
        return Err(format!("{}'s own piece stands on {}", name(us), m.to));
    }
    if !movegen::leaves_king_safe(board, us, m) {
        return Err(format!("it leaves {}'s king {}", name(us), danger(board, us, m)));
    }
    Ok(())
}

fn danger(board: &Board, us: Player, m: XiangqiMove) -> &'static str {
    let mut after = board.clone();
    after.make_move(m);
    if after.kings_face() {
        return "facing the other king";
    }
    if board.in_check(us) { "in check" } else { "open to a check" }
}
