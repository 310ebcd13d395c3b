//! The rules of Xiangqi (Chinese chess) on bitboards.
//!
//! Red is [`Player::First`], upper case in a FEN, and at the bottom. No move may leave the own king
//! attacked, the kings may not face each other on an open file, and a player who cannot move loses,
//! in check or not. [`XiangqiRules`] governs repetitions and long games without a capture.

mod actions;
mod board;
mod chinese;
mod fen;
pub mod movegen;
mod notation;
mod piece;
mod repetition;
mod rules;
pub mod san;
mod square;
pub mod tables;
#[cfg(test)]
mod tests;
mod wxf;

pub use board::Board;
pub use fen::{parse_placement, print_placement};
pub use piece::{Kind, Piece, home_half};
pub use repetition::cycle_outcome;
pub use rules::{Repetition, XiangqiRules};
pub use square::{
    BOARD, FILE_A, FILE_I, FILES, RANKS, RED_HALF, SQUARES, Square, Squares, XiangqiMove,
};

use crate::game::{FenError, Game, MoveError, MoveTexts, Outcome, Path, Player, Turn};
use crate::hash::mix;
use crate::refereed::{Ending, Refereed};
use std::ops::ControlFlow;

/// The usual start position; Red moves first.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

const SIDE_KEY: u64 = mix(0x7869_616e_6771_6932);

/// A position. The king of the side that has just moved is never attacked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Xiangqi {
    board: Board,
    side: Player,
    /// Plies since the last capture.
    quiet: u16,
    /// The move number, as in a FEN: 1 at the start, incremented after each move of Black.
    number: u16,
    rules: XiangqiRules,
}

/// The data that [`Game::undo`] needs: the captured piece and the previous counters.
#[derive(Clone, Copy, Debug)]
pub struct XiangqiUndo {
    captured: Piece,
    quiet: u16,
    number: u16,
}

impl Xiangqi {
    /// The placement of the pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move, also after the end of the game.
    #[inline]
    pub fn side_to_move(&self) -> Player {
        self.side
    }

    /// Plies since the last capture.
    #[inline]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// The rule limits.
    #[inline]
    pub fn rules(&self) -> &XiangqiRules {
        &self.rules
    }

    /// Whose turn it is if the side to move can or cannot move.
    #[inline]
    fn turn_if(&self, can_move: bool) -> Turn {
        if !can_move {
            return Turn::Over(Outcome::Win(self.side.opponent()));
        }
        if self.rules.draw_plies != 0 && self.quiet >= self.rules.draw_plies {
            return Turn::Over(Outcome::Draw);
        }
        Turn::Player(self.side)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.board.in_check(self.side)
    }
}

impl Game for Xiangqi {
    const NAME: &'static str = "xiangqi";
    const HAS_CHANCE: bool = false;

    type Move = XiangqiMove;
    type Undo = XiangqiUndo;
    type Rules = XiangqiRules;

    fn start(rules: &XiangqiRules) -> Xiangqi {
        // The text is a constant, and a test parses it.
        let board = parse_placement(START_FEN.split(' ').next().unwrap_or_default());
        let board = board.unwrap_or_default();
        Xiangqi { board, side: Player::First, quiet: 0, number: 1, rules: *rules }
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn_if(movegen::can_move(&self.board, self.side))
    }

    fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(XiangqiMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.rules.draw_plies != 0 && self.quiet >= self.rules.draw_plies {
            return ControlFlow::Continue(());
        }
        movegen::visit(&self.board, self.side, visit)
    }

    fn count_moves(&self) -> u64 {
        if self.rules.draw_plies != 0 && self.quiet >= self.rules.draw_plies {
            return 0;
        }
        movegen::count(&self.board, self.side)
    }

    fn is_legal(&self, m: XiangqiMove) -> bool {
        (self.rules.draw_plies == 0 || self.quiet < self.rules.draw_plies)
            && movegen::is_legal(&self.board, self.side, m)
    }

    #[inline]
    fn play(&mut self, m: XiangqiMove) -> XiangqiUndo {
        let captured = self.board.make_move(m);
        let undo = XiangqiUndo { captured, quiet: self.quiet, number: self.number };
        self.quiet = if captured.is_none() { self.quiet.saturating_add(1) } else { 0 };
        self.number = self.number.saturating_add(self.side.index() as u16);
        self.side = self.side.opponent();
        undo
    }

    #[inline]
    fn undo(&mut self, m: XiangqiMove, undo: XiangqiUndo) {
        self.board.unmake_move(m, undo.captured);
        self.quiet = undo.quiet;
        self.number = undo.number;
        self.side = self.side.opponent();
    }

    /// Hashes the placement and the side to move without the counters, so that a repeated position
    /// has the same hash.
    #[inline]
    fn hash(&self) -> u64 {
        self.board.hash() ^ if self.side == Player::First { 0 } else { SIDE_KEY }
    }

    fn hash_from_scratch(&self) -> u64 {
        self.board.hash_from_scratch() ^ if self.side == Player::First { 0 } else { SIDE_KEY }
    }

    fn repetition_outcome(path: &Path<Xiangqi>) -> Option<Outcome> {
        repetition::outcome(path)
    }

    fn parse_fen(fen: &str, rules: &XiangqiRules) -> Result<Xiangqi, FenError> {
        fen::parse(fen, rules)
    }

    fn fen(&self) -> String {
        fen::print(self)
    }

    fn parse_move(&self, text: &str) -> Result<XiangqiMove, MoveError> {
        notation::parse(self, text)
    }

    fn move_token(&self, m: XiangqiMove) -> String {
        m.to_string()
    }

    fn display_move(&self, m: XiangqiMove) -> String {
        wxf::print(&self.board, m)
    }

    fn move_texts(&self, m: XiangqiMove) -> MoveTexts {
        MoveTexts {
            wxf: Some(wxf::print(&self.board, m)),
            chinese: Some(chinese::print(&self.board, m)),
            ..MoveTexts::new(m.to_string(), notation::by_squares(&self.board, m))
        }
    }

    fn diagram(&self) -> String {
        fen::diagram(self)
    }
}

impl Refereed for Xiangqi {
    fn ending(&self) -> Ending {
        match movegen::can_move(&self.board, self.side) {
            true => Ending::QuietMoves,
            false if self.in_check() => Ending::Checkmate,
            false => Ending::NoMove,
        }
    }
}
