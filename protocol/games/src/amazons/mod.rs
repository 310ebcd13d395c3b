//! The rules of the Game of the Amazons on bitboards, for boards from 4x4 to 10x10.
//!
//! In each turn a player moves an amazon like a chess queen, then shoots an arrow, also like a
//! queen, from the square where it landed. Amazons and arrows block movement; arrows stay forever.
//! A player who cannot move loses. White is [`Player::First`], `Q` in a FEN; Black is `q`.

mod actions;
mod fen;
pub mod geometry;
mod lines;
mod notation;
mod square;
mod territory;
#[cfg(test)]
mod tests;

pub use square::{AmazonsMove, AmazonsSquare, MAX_SIDE, STRIDE, Squares};

use crate::game::{FenError, Game, MoveError, Outcome, Player, Turn};
use crate::hash::{mix, zobrist};
use crate::option::NoRules;
use crate::refereed::{Ending, Refereed};
use geometry::{board_mask, dilate, queen_reach};
use lines::Lines;
use std::ops::ControlFlow;

/// Zobrist keys for (white, black, arrow) times 128 squares.
static KEYS: [u64; 384] = zobrist(0x616d_617a_6f6e_7331);
const SIDE_KEY: u64 = mix(0x616d_617a_6f6e_7332);

/// The usual start position: White on a4 d1 g1 j4, Black on a7 d10 g10 j7, White to move.
pub const START_FEN: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";

/// A position of 80 bytes, so copying it is as cheap as undoing a move.
///
/// A FEN may give any size from 4x4 to 10x10, not necessarily square. The 10x10 board has four
/// amazons per side; a smaller one has an equal number per side, one to four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Amazons {
    amazons: [u128; 2],
    arrows: u128,
    empty: u128,
    hash: u64,
    side: Player,
    columns: u8,
    rows: u8,
}

impl Amazons {
    fn from_parts(
        amazons: [u128; 2],
        arrows: u128,
        columns: usize,
        rows: usize,
        side: Player,
    ) -> Amazons {
        let empty = board_mask(columns, rows) & !(amazons[0] | amazons[1] | arrows);
        let (columns, rows) = (columns as u8, rows as u8);
        let mut game = Amazons { amazons, arrows, empty, hash: 0, side, columns, rows };
        game.hash = game.hash_from_scratch();
        game
    }

    /// The set of a player's amazons.
    #[inline]
    pub fn amazons(&self, player: Player) -> u128 {
        self.amazons[player.index()]
    }

    /// The set of the first player's amazons.
    #[inline]
    pub fn white(&self) -> u128 {
        self.amazons[0]
    }

    /// The set of the second player's amazons.
    #[inline]
    pub fn black(&self) -> u128 {
        self.amazons[1]
    }

    /// The set of squares with arrows.
    #[inline]
    pub fn arrows(&self) -> u128 {
        self.arrows
    }

    /// The set of empty squares of the board.
    #[inline]
    pub fn empty(&self) -> u128 {
        self.empty
    }

    /// The squares that block a slide: amazons, arrows, and everything off the board.
    #[inline]
    pub fn blocked(&self) -> u128 {
        !self.empty
    }

    /// The set of all squares of the board.
    #[inline]
    pub fn board(&self) -> u128 {
        self.empty | self.amazons[0] | self.amazons[1] | self.arrows
    }

    /// Number of columns (files).
    pub fn columns(&self) -> usize {
        usize::from(self.columns)
    }

    /// Number of rows (ranks).
    pub fn rows(&self) -> usize {
        usize::from(self.rows)
    }

    /// The side to move, also after the end of the game.
    #[inline]
    pub fn side_to_move(&self) -> Player {
        self.side
    }

    /// Whether a player has a move. One empty neighbour is enough: after one step the arrow may
    /// return to the square that the amazon left.
    #[inline]
    pub fn can_move(&self, player: Player) -> bool {
        dilate(self.amazons(player)) & self.empty != 0
    }

    /// The squares that the amazon on `from` can move to.
    #[inline]
    pub fn amazon_targets(&self, from: AmazonsSquare) -> u128 {
        queen_reach(from, !self.empty)
    }

    /// The squares where an amazon that moved from `from` to `to` can shoot.
    #[inline]
    pub fn arrow_targets(&self, from: AmazonsSquare, to: AmazonsSquare) -> u128 {
        queen_reach(to, !(self.empty | from.bit()))
    }

    /// The position after the first half of a turn: the amazon has moved from `from` to `to`, no
    /// arrow was shot, and the opponent is to move. It never occurs in a game; it serves to
    /// evaluate amazon moves before generating arrows.
    #[must_use]
    pub fn stepped(&self, from: AmazonsSquare, to: AmazonsSquare) -> Amazons {
        let mut next = self.clone();
        let p = self.side.index();
        next.amazons[p] ^= from.bit() ^ to.bit();
        next.empty ^= from.bit() ^ to.bit();
        next.hash ^= KEYS[p << 7 | from.index() & 127] ^ KEYS[p << 7 | to.index() & 127];
        next.hash ^= SIDE_KEY;
        next.side = self.side.opponent();
        next
    }

    /// [`Game::turn`] for the submodules.
    fn turn_now(&self) -> Turn {
        if self.can_move(self.side) {
            Turn::Player(self.side)
        } else {
            Turn::Over(Outcome::Win(self.side.opponent()))
        }
    }

    /// Moves an amazon and updates the hash, for making and unmaking a move.
    #[inline]
    fn toggle(&mut self, mover: Player, m: AmazonsMove) {
        let p = mover.index();
        let (from, to) = (m.from.index() & 127, m.to.index() & 127);
        self.amazons[p] ^= m.from.bit() ^ m.to.bit();
        self.arrows ^= m.arrow.bit();
        // Three separate toggles would fail: the arrow may land where the amazon came from.
        self.empty ^= m.from.bit() ^ m.to.bit() ^ m.arrow.bit();
        self.hash ^= KEYS[p << 7 | from] ^ KEYS[p << 7 | to];
        self.hash ^= KEYS[2 << 7 | m.arrow.index() & 127] ^ SIDE_KEY;
        self.side = self.side.opponent();
    }
}

impl Game for Amazons {
    const NAME: &'static str = "amazons";
    const HAS_CHANCE: bool = false;

    type Move = AmazonsMove;
    type Undo = ();
    type Rules = NoRules;

    fn start(_rules: &NoRules) -> Amazons {
        let bit = |column: usize, row: usize| 1u128 << (row * STRIDE + column);
        let white = bit(0, 3) | bit(3, 0) | bit(6, 0) | bit(9, 3);
        let black = bit(0, 6) | bit(3, 9) | bit(6, 9) | bit(9, 6);
        Amazons::from_parts([white, black], 0, MAX_SIDE, MAX_SIDE, Player::First)
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn_now()
    }

    fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(AmazonsMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let lines = Lines::new(self.empty);
        for from in Squares(self.amazons(self.side)) {
            let mut without = lines.clone();
            without.toggle(from);
            let broken = lines.each(from, |to| {
                without.each(to, |arrow| visit(AmazonsMove { from, to, arrow }).break_value())
            });
            if let Some(value) = broken {
                return ControlFlow::Break(value);
            }
        }
        ControlFlow::Continue(())
    }

    fn is_legal(&self, m: AmazonsMove) -> bool {
        self.amazons(self.side) & m.from.bit() != 0
            && self.amazon_targets(m.from) & m.to.bit() != 0
            && self.arrow_targets(m.from, m.to) & m.arrow.bit() != 0
    }

    #[inline]
    fn play(&mut self, m: AmazonsMove) {
        self.toggle(self.side, m);
    }

    #[inline]
    fn undo(&mut self, m: AmazonsMove, _undo: ()) {
        self.toggle(self.side.opponent(), m);
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn hash_from_scratch(&self) -> u64 {
        let size = mix(u64::from(self.columns) << 8 | u64::from(self.rows));
        let side = if self.side == Player::First { 0 } else { SIDE_KEY };
        let sets = [self.amazons[0], self.amazons[1], self.arrows];
        let pieces = sets
            .into_iter()
            .enumerate()
            .flat_map(|(kind, set)| Squares(set).map(move |s| KEYS[kind << 7 | s.index()]));
        pieces.fold(size ^ side, |h, key| h ^ key)
    }

    fn count_moves(&self) -> u64 {
        let mut lines = Lines::new(self.empty);
        let mut total = 0;
        for from in Squares(self.amazons(self.side)) {
            let full = lines.clone();
            lines.toggle(from);
            full.each::<()>(from, |to| {
                total += lines.count(to);
                None
            });
            lines.toggle(from);
        }
        u64::from(total)
    }

    fn parse_fen(fen: &str, _rules: &NoRules) -> Result<Amazons, FenError> {
        fen::parse(fen)
    }

    fn fen(&self) -> String {
        fen::print(self)
    }

    fn parse_move(&self, text: &str) -> Result<AmazonsMove, MoveError> {
        notation::parse(self, text)
    }

    fn move_token(&self, m: AmazonsMove) -> String {
        format!("{}{},{}{}", m.from, m.to, m.to, m.arrow)
    }

    fn display_move(&self, m: AmazonsMove) -> String {
        format!("{}-{}/{}", m.from, m.to, m.arrow)
    }

    fn diagram(&self) -> String {
        fen::diagram(self)
    }
}

impl Refereed for Amazons {
    fn ending(&self) -> Ending {
        Ending::NoMove
    }

    fn certain_outcome(&self) -> Option<Outcome> {
        territory::certain_outcome(self)
    }
}
