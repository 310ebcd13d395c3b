//! Chinese dark chess: rules and notation.
//!
//! **The board.** 4 by 8, files `a` to `d` from the left, ranks `1` to `8` from the bottom; tests
//! use smaller boards. At first all 32 pieces are face down, and nobody knows which is where. Each
//! side has 1 king (`K`), 2 each of guards (`G`), ministers (`M`), rooks (`R`), knights (`N`) and
//! cannons (`C`), and 5 pawns (`P`); upper-case letters are red, lower-case black.
//!
//! **A turn** flips a face-down piece, or moves an own piece one square along a rank or file, or
//! captures with it. The first piece flipped gives its colour to the first player. A piece captures
//! a neighbour of its own or a lower rank in the order K G M R N C P, except that a king cannot
//! capture a pawn and a pawn captures only kings and pawns. A cannon captures only by jumping along
//! a rank or file over exactly one piece, face up or face down, at any distance, and can capture
//! any piece that way. Face-down pieces are never captured.
//!
//! **The end.** A side without pieces or without a legal turn loses. The match limits give draws:
//! after `DrawPlies` plies in a row without a capture or a flip (default 180), or at the
//! `RepetitionCount`-th occurrence of a position (default: third).
//!
//! **Tokens.** `b3` flips the piece on b3, and the next token names the piece revealed: `=K`, a red
//! king. `a1a2` moves or captures. The parser also accepts `a1-a2`, `a1xa2`, `b3b3` and `b3-b3` for
//! a flip, `K` for `=K`.
//!
//! **FEN.** Six fields. The rows from the top rank to rank 1 joined by `/`, with a piece's letter,
//! `?` for a face-down piece and a digit for N empty squares; the colour to move, `r`, `b`, or `-`
//! while no colour is decided; the colour of the first player, likewise; the face-down pieces, or
//! `-`; the captured pieces, or `-`; plies since the last capture or flip. A seventh field is the
//! square of a piece that is being flipped, at a chance node. Rows of fewer than four squares, or
//! fewer than eight rows, give a smaller board. The start position:
//! `????/????/????/????/????/????/????/???? - - KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0`.

mod actions;
mod board;
mod fen;
mod notation;
mod piece;
mod play;
mod rules;
mod state;
#[cfg(test)]
mod tests;

pub use board::{FILES, NEIGHBOURS, SQUARES, Squares, jumps, neighbours_of};
pub use notation::{parse_square, square_name};
pub use piece::{COUNTS, Colour, KINDS, Kind, PIECES, Piece};
pub use rules::{BoardSize, DarkRules};
pub use state::{DarkChess, DarkMove, DarkUndo};
