//! Chinese dark chess: rules and notation.
//!
//! **The board.** 4 by 8, files `a` to `d` from the left, ranks `1` to `8` from the bottom; smaller
//! boards are played for tests. At first all 32 pieces lie face down, and nobody knows which is
//! where. Each side has 1 king (`K`), 2 each of guards (`G`), ministers (`M`), rooks (`R`), knights
//! (`N`) and cannons (`C`), and 5 pawns (`P`); capitals are red, small letters black.
//!
//! **A turn** turns a piece over, moves an own piece one square along a rank or file, or takes with
//! it. The first piece turned over decides that the first player has its colour. A piece takes a
//! neighbour of its own or a lower rank in the order K G M R N C P, but a king takes no pawn and a
//! pawn takes kings and pawns. A cannon takes only by jumping along a rank or file over exactly
//! one piece, turned over or not, at any distance, and takes any piece that way. Pieces that lie
//! face down are never taken.
//!
//! **The end.** A side that has no piece left, or that has no legal turn, has lost. The match's
//! limits make a draw: `DrawPlies` plies in a row without a capture or a flip (180 unless set), or
//! the same position for the `RepetitionCount`-th time (third).
//!
//! **Tokens.** `b3` turns over what lies on b3, and the next token says what that is: `=K`, a red
//! king. `a1a2` moves or takes. Read too: `a1-a2`, `a1xa2`, `b3b3` and `b3-b3` for a flip, `K` for
//! `=K`.
//!
//! **FEN.** Six fields. The rows from the top rank to rank 1 joined by `/`, with a piece's letter,
//! `?` for one that lies face down and a digit for so many empty squares; the colour to move, `r`,
//! `b`, or `-` while no colour is decided; the colour of the first player, likewise; the pieces
//! that lie face down, or `-`; the captured ones, or `-`; plies since the last capture or flip. A
//! seventh field is the square of a piece that is being turned over, where chance is to say what
//! it is. Rows of fewer than four squares, or fewer than eight rows, make a smaller board. At the
//! start: `????/????/????/????/????/????/????/???? - - KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0`.

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
