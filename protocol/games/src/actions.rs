//! Turns as integers: what a program needs that learns a game instead of knowing it.
//!
//! A turn is a sequence of one or more choices, each a number below [`Staged::action_count`]: in Amazons an amazon,
//! its destination and the arrow's target, in Connect6 one stone and then the other. Legal choices are a set of bits, so
//! that no list of thousands of turns is ever made. Squares are numbered by rows from the top, as a FEN is read.
//! [`crate::numbered`] plays games by these numbers.

use crate::game::{Game, Player, Turn};
use crate::refereed::Refereed;
use arrayvec::ArrayVec;

/// The largest number of actions of a game: dark chess, from each of 32 squares to each.
pub const MOST_ACTIONS: usize = 1024;
const WORDS: usize = MOST_ACTIONS / 64;

/// The choices so far of an unfinished turn; a set-up of EinStein has six.
pub type Chosen = ArrayVec<u16, 6>;

/// A set of actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionSet {
    words: [u64; WORDS],
    size: usize,
}

impl ActionSet {
    /// The empty set of actions below `size`, which is at most [`MOST_ACTIONS`].
    #[inline]
    pub fn new(size: usize) -> ActionSet {
        ActionSet { words: [0; WORDS], size: size.min(MOST_ACTIONS) }
    }

    /// The number of actions that there are, legal or not.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The words that contain the actions, the lowest first.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words[..self.size.div_ceil(64).min(WORDS)]
    }

    /// Takes all actions out.
    #[inline]
    pub fn clear(&mut self) {
        let used = self.size.div_ceil(64).min(WORDS);
        self.words[..used].fill(0);
    }

    /// Adds an action; a number out of range is ignored.
    #[inline]
    pub fn insert(&mut self, action: usize) {
        if action < self.size {
            self.words[action / 64 % WORDS] |= 1 << (action % 64);
        }
    }

    /// Removes an action.
    #[inline]
    pub fn remove(&mut self, action: usize) {
        if action < self.size {
            self.words[action / 64 % WORDS] &= !(1 << (action % 64));
        }
    }

    /// Adds the actions `at + i` for the bits i of a word.
    #[inline]
    pub fn insert_bits(&mut self, at: usize, bits: u32) {
        let wide = u128::from(bits) << (at % 64);
        let word = at / 64 % WORDS;
        self.words[word] |= wide as u64;
        self.words[(word + 1) % WORDS] |= (wide >> 64) as u64;
    }

    /// Adds the actions `i` for the bits i of a wide word, all of which must be below the size.
    #[inline]
    pub fn insert_wide(&mut self, bits: u128) {
        self.words[0] |= bits as u64;
        self.words[1] |= (bits >> 64) as u64;
    }

    /// Whether an action is in the set.
    #[inline]
    pub fn contains(&self, action: usize) -> bool {
        action < self.size && self.words[action / 64 % WORDS] >> (action % 64) & 1 != 0
    }

    /// The number of actions in the set.
    #[inline]
    pub fn count(&self) -> usize {
        self.words().iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The action with `rank` smaller ones in the set.
    #[inline]
    pub fn nth(&self, rank: usize) -> Option<usize> {
        let mut left = rank as u32;
        for (i, &word) in self.words().iter().enumerate() {
            let here = word.count_ones();
            if left < here {
                return Some(64 * i + nth_bit(word, left) as usize);
            }
            left -= here;
        }
        None
    }

    /// The actions in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.words().iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)))
                .take_while(|w| *w != 0)
                .map(move |w| 64 * i + w.trailing_zeros() as usize)
        })
    }

    /// Writes 1 for each action of the set and 0 for each other one; a shorter slice gets the first ones.
    pub fn write_mask(&self, out: &mut [u8]) {
        let bytes = self.words().iter().flat_map(|w| w.to_le_bytes());
        for (chunk, byte) in out.chunks_mut(8).zip(bytes) {
            // Bit i of the byte as byte i of a word: copies of the byte, of which each keeps its own bit.
            let spread = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            let ones = ((spread + 0x7f7f_7f7f_7f7f_7f7f) | spread) >> 7 & 0x0101_0101_0101_0101;
            chunk.copy_from_slice(&ones.to_le_bytes()[..chunk.len()]);
        }
    }
}

/// The position of the bit with `rank` lower ones in a word.
#[inline]
fn nth_bit(mut word: u64, mut rank: u32) -> u32 {
    let mut at = 0;
    for width in [32, 16, 8] {
        let low = (word & ((1 << width) - 1)).count_ones();
        if rank >= low {
            rank -= low;
            at += width;
            word >>= width;
        }
    }
    for _ in 0..rank {
        word &= word.wrapping_sub(1);
    }
    at + word.trailing_zeros()
}

/// Columns and rows of a board, whose squares are numbered by rows from the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
}

impl Frame {
    /// The number of squares.
    pub const fn squares(self) -> usize {
        self.columns * self.rows
    }

    /// The number of the square in this column and row, both from 0, the row from the bottom.
    #[inline]
    pub const fn number(self, column: usize, row: usize) -> usize {
        (self.rows - 1).saturating_sub(row) * self.columns + column
    }

    /// The column and the row from the bottom of a square's number below [`Frame::squares`].
    #[inline]
    pub const fn place(self, number: usize) -> (usize, usize) {
        (number % self.columns, (self.rows - 1).saturating_sub(number / self.columns))
    }
}

/// A position as planes of bytes, one byte a square: plane by plane, row by row from the top.
#[derive(Debug)]
pub struct Planes<'a> {
    out: &'a mut [u8],
    squares: usize,
    plane: usize,
}

impl<'a> Planes<'a> {
    /// Planes of this many squares, all zero.
    pub fn new(out: &'a mut [u8], squares: usize) -> Planes<'a> {
        out.fill(0);
        Planes { out, squares, plane: 0 }
    }

    /// Sets the squares of the next plane to 1.
    pub fn squares(&mut self, numbers: impl IntoIterator<Item = usize>) {
        let start = self.plane * self.squares;
        let end = (start + self.squares).min(self.out.len());
        let plane = self.out.get_mut(start..end).unwrap_or_default();
        for number in numbers {
            if let Some(square) = plane.get_mut(number) {
                *square = 1;
            }
        }
        self.plane += 1;
    }

    /// Sets all squares of the next plane to a number; what is larger than 255 is 255.
    pub fn number(&mut self, number: usize) {
        let start = self.plane * self.squares;
        let end = (start + self.squares).min(self.out.len());
        self.out.get_mut(start..end).unwrap_or_default().fill(number.min(255) as u8);
        self.plane += 1;
    }
}

/// A game whose turns are sequences of numbers. [`crate::conformance::check_actions`] tests the contracts.
pub trait Staged: Refereed<Undo: Clone + Send + Sync> {
    /// What each plane of [`Staged::write_planes`] shows, in order.
    const PLANES: &'static [&'static str];
    /// One more than the largest number of a chance outcome; 0 without chance.
    const OUTCOMES: usize = 0;
    /// Whether a choice takes its own action from the legal ones, and nothing else does, as long as the game continues.
    const PLACES: bool = false;

    /// The size of the board, which does not change during a game.
    fn frame(&self) -> Frame;

    /// The number of actions on a board of this size.
    fn action_count(&self) -> usize;

    /// The name of the choice that is due at a player's turn, after these choices.
    fn stage(&self, chosen: &[u16]) -> &'static str;

    /// Adds the legal choices after these ones to an empty set. Called at a player's turn only.
    fn legal_actions(&self, chosen: &[u16], set: &mut ActionSet);

    /// Whose turn it is, as [`Game::turn`] says, and, at a player's turn, its first choices, added to an empty set.
    #[inline]
    fn turn_and_actions(&self, set: &mut ActionSet) -> Turn {
        let turn = self.turn();
        if let Turn::Player(_) = turn {
            self.legal_actions(&[], set);
        }
        turn
    }

    /// The turn that a legal choice completes; `None` if another choice follows.
    fn complete(&self, chosen: &[u16], action: u16) -> Option<Self::Move>;

    /// The choices that make a legal turn, in their usual order.
    fn actions_of(&self, m: Self::Move) -> Chosen;

    /// A legal choice as text.
    fn action_text(&self, chosen: &[u16], action: u16) -> String;

    /// The number of a chance outcome.
    fn outcome_number(&self, _m: Self::Move) -> u16 {
        0
    }

    /// The chance outcome with this number.
    fn outcome(&self, _number: u16) -> Option<Self::Move> {
        None
    }

    /// Draws the position and the choices so far as `player` sees them.
    fn write_planes(&self, chosen: &[u16], player: Player, planes: &mut Planes);
}

/// Why an action was refused: what, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The game has ended.
    #[error("action {action}: the game is over")]
    Over {
        /// The action.
        action: i64,
    },
    /// No action of this game has this number.
    #[error("action {action}: {game} has the actions 0 to {last} on this board")]
    Range {
        /// The action.
        action: i64,
        /// The game's name.
        game: &'static str,
        /// The largest action.
        last: usize,
    },
    /// The action is illegal here.
    #[error("action {action} ({text}) is illegal as `{stage}` in `{fen}`: legal are {legal}")]
    Illegal {
        /// The action.
        action: i64,
        /// What it would mean.
        text: String,
        /// The choice that is due.
        stage: String,
        /// The position.
        fen: String,
        /// The first legal actions and their number.
        legal: String,
    },
    /// Chance decides here, and this is no outcome.
    #[error("outcome {action} cannot occur in `{fen}`: chance decides here among {legal}")]
    Outcome {
        /// The number.
        action: i64,
        /// The position.
        fen: String,
        /// The first outcomes and their number.
        legal: String,
    },
}

/// A square's name in the usual letters and numbers.
pub fn square_text(frame: Frame, number: usize, first_row: usize) -> String {
    let (column, row) = frame.place(number);
    format!("{}{}", char::from(b'a' + column as u8 % 26), row + first_row)
}

/// The text of the choice that completes a turn, or of any in a game of one choice a turn.
pub fn turn_text<G: Game + Staged>(game: &G, chosen: &[u16], action: u16) -> String {
    game.complete(chosen, action).map(|m| game.move_token(m)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;
    use rand_core::Rng;

    #[test]
    fn a_set_counts_finds_and_writes_its_actions() {
        let mut rng = rng::stream(1, 0, "actions");
        for size in [0, 1, 24, 63, 64, 65, 81, 100, 361, 1000, MOST_ACTIONS] {
            let mut set = ActionSet::new(size);
            let members: Vec<usize> =
                (0..size).filter(|_| rng.next_u64().is_multiple_of(3)).collect();
            members.iter().for_each(|&a| set.insert(a));
            set.insert(size);
            assert_eq!(set.count(), members.len());
            assert_eq!(set.iter().collect::<Vec<_>>(), members);
            let found: Vec<_> = (0..members.len()).map(|i| set.nth(i).unwrap()).collect();
            assert_eq!(found, members);
            assert_eq!(set.nth(members.len()), None);
            let mut mask = vec![9; size];
            set.write_mask(&mut mask);
            let expected: Vec<u8> = (0..size).map(|a| members.contains(&a).into()).collect();
            assert_eq!(mask, expected);
            members.iter().for_each(|&a| set.remove(a));
            assert_eq!(set, ActionSet::new(size));
        }
    }

    #[test]
    fn bits_are_added_across_words() {
        let mut set = ActionSet::new(361);
        set.insert_bits(57, 0b1_0000_0000_0000_0101);
        assert_eq!(set.iter().collect::<Vec<_>>(), [57, 59, 73]);
    }

    #[test]
    fn squares_are_numbered_from_the_top_left() {
        let frame = Frame { columns: 4, rows: 8 };
        assert_eq!(frame.number(0, 7), 0);
        assert_eq!(frame.number(3, 0), 31);
        assert!((0..32).all(|n| {
            let (column, row) = frame.place(n);
            frame.number(column, row) == n
        }));
        assert_eq!(square_text(frame, 0, 1), "a8");
    }
}
