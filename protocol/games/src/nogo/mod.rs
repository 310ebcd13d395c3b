//! The rules of NoGo on a board of 9x9 points, using bitboards.
//!
//! Players place one stone per turn on an empty point, Black ([`Player::First`]) first. A stone may
//! neither capture (take the last liberty of an enemy group) nor be suicide (leave its own group
//! without a liberty). A player without a legal move loses; passing is not allowed.
//!
//! Nothing is ever captured, so a group in atari keeps its one liberty until its owner fills it:
//! the set of such liberties only grows, and a move only has to examine the adjacent groups.
//!
//! A set of points is a `u128`: the point in column c and row r, both from 0, is bit `10 r + c`. Column 9
//! is off the board, so a shift by one step never wraps from one edge to the other.

mod actions;
#[cfg(test)]
mod tests;
mod text;

use crate::bits::bit_set_iterator;
use crate::game::{FenError, Game, MoveError, MoveTexts, Outcome, Player, Turn};
use crate::hash::{mix, zobrist};
use crate::option::NoRules;
use crate::refereed::{Ending, Refereed};
use std::fmt;
use std::ops::ControlFlow;

/// Columns and rows of the board.
pub const SIDE: usize = 9;
const STRIDE: usize = SIDE + 1;

/// The set of all points.
pub const BOARD: u128 = {
    let (mut set, mut row) = (0, 0);
    while row < SIDE {
        set |= ((1 << SIDE) - 1) << (row * STRIDE);
        row += 1;
    }
    set
};

/// The orthogonal neighbours of the points of `set`.
#[inline]
pub const fn neighbours(set: u128) -> u128 {
    (set << 1 | set >> 1 | set << STRIDE | set >> STRIDE) & BOARD
}

/// A point of the board, also used as the move that places a stone there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NoGoPoint(u8);

impl NoGoPoint {
    /// The point in this column and row, both from 0; `None` off the board.
    pub fn new(column: usize, row: usize) -> Option<NoGoPoint> {
        (column < SIDE && row < SIDE).then(|| NoGoPoint((row * STRIDE + column) as u8))
    }

    /// The bit number, below 90.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & 127
    }

    /// The set of this one point.
    #[inline]
    pub const fn bit(self) -> u128 {
        1 << self.index()
    }
}

impl fmt::Display for NoGoPoint {
    /// Go coordinates: columns `a` to `j` without `i`, rows 1 to 9.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = b"abcdefghj"[self.index() % STRIDE % SIDE];
        write!(f, "{}{}", char::from(column), self.index() / STRIDE + 1)
    }
}

bit_set_iterator! {
    /// The points of a set, in ascending order.
    Points(u128): NoGoPoint = |bit| NoGoPoint(bit as u8)
}

/// Zobrist keys for (black, white) times 128 points.
static KEYS: [u64; 256] = zobrist(0x6e6f_676f_3978_3931);
const SIDE_KEY: u64 = mix(0x6e6f_676f_3978_3932);

/// A position. Every group has a liberty. Cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoGo {
    stones: [u128; 2],
    /// The single liberties of each player's groups in atari.
    atari: [u128; 2],
    /// The legal moves of the side to move.
    legal: u128,
    hash: u64,
    side: Player,
}

impl NoGo {
    /// A position with these stones; `None` if they overlap, are off the board, or form a group
    /// without a liberty.
    pub fn new(stones: [u128; 2], side: Player) -> Option<NoGo> {
        let mut game = NoGo { stones, atari: [0; 2], legal: 0, hash: 0, side };
        if stones[0] & stones[1] != 0 || (stones[0] | stones[1]) & !BOARD != 0 {
            return None;
        }
        for player in Player::BOTH {
            let mut left = game.stones(player);
            while left != 0 {
                let group = game.group(player, left & left.wrapping_neg());
                if game.liberties(group) == 0 {
                    return None;
                }
                game.note_atari(player, group);
                left &= !group;
            }
        }
        game.legal = game.legal_for(side);
        game.hash = game.hash_from_scratch();
        Some(game)
    }

    /// A player's stones.
    #[inline]
    pub fn stones(&self, player: Player) -> u128 {
        self.stones[player.index()]
    }

    /// The empty points.
    #[inline]
    pub fn empty(&self) -> u128 {
        BOARD & !(self.stones[0] | self.stones[1])
    }

    /// The side to move, also after the end of the game.
    #[inline]
    pub fn side_to_move(&self) -> Player {
        self.side
    }

    /// The legal moves of the side to move.
    #[inline]
    pub fn legal(&self) -> u128 {
        self.legal
    }

    /// The points that `player` could play on if it had the move.
    #[inline(always)]
    pub fn legal_for(&self, player: Player) -> u128 {
        let empty = self.empty();
        let captures = self.atari[player.opponent().index()];
        let open = neighbours(empty);
        let own = neighbours(self.stones(player));
        let atari = self.atari[player.index()];
        let mut legal = empty & !captures & (open | own & !atari);
        // Next to an own group in atari, only joining another group can give a liberty.
        for point in Points(empty & !captures & !open & own & atari) {
            if self.saves(player, point.bit()) {
                legal |= point.bit();
            }
        }
        legal
    }

    /// Whether a stone of `player` on an empty point without empty neighbours has a liberty.
    #[inline]
    fn saves(&self, player: Player, point: u128) -> bool {
        let mut beside = neighbours(point) & self.stones(player);
        while beside != 0 {
            let group = self.group(player, beside & beside.wrapping_neg());
            if self.liberties(group) & !point != 0 {
                return true;
            }
            beside &= !group;
        }
        false
    }

    /// The group of `player` that contains the stone `seed`.
    #[inline]
    fn group(&self, player: Player, seed: u128) -> u128 {
        let own = self.stones(player);
        let mut group = seed;
        loop {
            let grown = (group | neighbours(group)) & own;
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    #[inline]
    fn liberties(&self, group: u128) -> u128 {
        neighbours(group) & self.empty()
    }

    #[inline]
    fn note_atari(&mut self, player: Player, group: u128) {
        let liberties = self.liberties(group);
        if liberties & liberties.wrapping_sub(1) == 0 {
            self.atari[player.index()] |= liberties;
        }
    }
}

impl Game for NoGo {
    const NAME: &'static str = "nogo";
    const HAS_CHANCE: bool = false;

    type Move = NoGoPoint;
    type Undo = NoGo;
    type Rules = NoRules;

    fn start(_rules: &NoRules) -> NoGo {
        let mut game =
            NoGo { stones: [0; 2], atari: [0; 2], legal: BOARD, hash: 0, side: Player::First };
        game.hash = game.hash_from_scratch();
        game
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.legal {
            0 => Turn::Over(Outcome::Win(self.side.opponent())),
            _ => Turn::Player(self.side),
        }
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(NoGoPoint) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Points(self.legal).try_for_each(visit)
    }

    fn count_moves(&self) -> u64 {
        self.legal.count_ones().into()
    }

    #[inline]
    fn is_legal(&self, m: NoGoPoint) -> bool {
        self.legal & m.bit() != 0
    }

    #[inline]
    fn play(&mut self, m: NoGoPoint) -> NoGo {
        let before = *self;
        let (us, them) = (self.side, self.side.opponent());
        self.stones[us.index()] |= m.bit();
        self.atari = self.atari.map(|set| set & !m.bit());
        self.note_atari(us, self.group(us, m.bit()));
        let mut beside = neighbours(m.bit()) & self.stones(them);
        while beside != 0 {
            let group = self.group(them, beside & beside.wrapping_neg());
            self.note_atari(them, group);
            beside &= !group;
        }
        self.hash ^= KEYS[us.index() << 7 | m.index()] ^ SIDE_KEY;
        self.side = them;
        self.legal = self.legal_for(them);
        before
    }

    #[inline]
    fn undo(&mut self, _m: NoGoPoint, undo: NoGo) {
        *self = undo;
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn hash_from_scratch(&self) -> u64 {
        let side = if self.side == Player::First { 0 } else { SIDE_KEY };
        Player::BOTH.into_iter().fold(side, |hash, player| {
            Points(self.stones(player)).fold(hash, |h, p| h ^ KEYS[player.index() << 7 | p.index()])
        })
    }

    fn parse_fen(fen: &str, _rules: &NoRules) -> Result<NoGo, FenError> {
        text::parse_fen(fen).map_err(|reason| FenError::new(fen, reason))
    }

    fn fen(&self) -> String {
        text::fen(self)
    }

    fn parse_move(&self, text: &str) -> Result<NoGoPoint, MoveError> {
        text::parse_move(self, text)
    }

    fn move_token(&self, m: NoGoPoint) -> String {
        m.to_string()
    }

    fn display_move(&self, m: NoGoPoint) -> String {
        m.to_string().to_ascii_uppercase()
    }

    fn move_texts(&self, m: NoGoPoint) -> MoveTexts {
        // The letters on the edge are small.
        MoveTexts::new(m.to_string(), m.to_string())
    }

    fn diagram(&self) -> String {
        text::diagram(self)
    }
}

impl Refereed for NoGo {
    fn ending(&self) -> Ending {
        Ending::NoMove
    }
}
