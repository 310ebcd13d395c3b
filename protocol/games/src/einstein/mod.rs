//! EinStein wuerfelt nicht: rules and notation.
//!
//! **The board.** 5 by 5, files `a` to `e` from the left, ranks `1` to `5` from the bottom. The
//! first player is the upper-left one: its six stones, numbered 1 to 6, start on a5 b5 c5 a4 b4 a3
//! and move right, down or diagonally right and down, towards `e1`. The second player starts on
//! e3 d2 e2 c1 d1 e1 and moves the opposite ways, towards `a5`.
//!
//! **A turn** is a roll of the die and a move of the stone with that number. If that stone is gone,
//! the rule option `MissingDie` selects the movable stones: `next`, the next living number above
//! and the next below, at the player's choice; `nearest`, only the arithmetically nearer one, or
//! either in a tie. A stone on the target square is captured, even an own one. Reaching the goal
//! corner or capturing the last enemy stone wins; a player always has a move.
//!
//! **Tokens.** A roll is `1` to `6`, a move is `b2c3`, from square to square (the parser also
//! accepts `b2-c3` and `b2xc3`). Without a FEN the game begins with both players' set-ups, the
//! first player's first: a token of six different digits, the numbers on the home squares in
//! reading order (top row first, left to right), such as `261345`.
//!
//! **Hidden set-ups.** The second player may not see the first one's set-up before giving its own.
//! [`player_view`](crate::refereed::Refereed::player_view) therefore gives the second player, when
//! it has to set up, the same position without the first player's stones. The referee sends it as
//! `position fen 5/5/5/5/5 l setup` and the full list of moves from then on. To a searcher the
//! concealed position is an ordinary one: after the second player's set-up, chance reveals the
//! first one's, all 720 being equally likely.
//!
//! **FEN.** Three fields: the rows from rank 5 to rank 1 joined by `/`, with `A` to `F` for the
//! first player's stones 1 to 6, `a` to `f` for the second's and a digit for N empty squares; the
//! player to move, `u` (upper left, the first) or `l` (lower right, the second); the die, `-`
//! before the roll, or `setup` or `reveal` in the stages above. `ABC2/DE3/F3f/3ed/2cba u -`.

mod actions;
mod board;
mod fen;
mod notation;
mod play;
mod rules;
mod state;
#[cfg(test)]
mod tests;

pub use board::{
    CELLS, Cell, EinSteinMove, Layout, SIDE, TARGETS, Targets, goal, home, rotate, transpose,
};
pub use rules::{EinSteinRules, MissingDie, movable_stones};
pub use state::{EinStein, SetupError, Stage};
