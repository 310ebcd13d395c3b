//! The Double Letter Puzzle, the example of section 2.3: two equal neighbours are replaced by the
//! letter before or after them in the ring a, b, c, d, e, until one letter is left.

use super::{AttributeSpace, Operator};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The letters in the order of the ring.
const RING: [char; 5] = ['a', 'b', 'c', 'd', 'e'];

/// The maximum length of a word.
const MAX_LENGTH: usize = 64;

/// A letter that stands for a part of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Letter {
    /// The index of the first letter of that part.
    pub first: usize,
    /// The index of the last one.
    pub last: usize,
    /// The letter.
    pub letter: char,
}

/// A word to be reduced to one letter.
#[derive(Clone, Debug)]
pub struct LettersPuzzle(Vec<Letter>);

/// Why a word is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWord {
    /// It is empty or too long.
    #[error("the word has {0} letters; expected 1 to {MAX_LENGTH}")]
    Length(usize),
    /// A letter is not one of the ring.
    #[error("letter {0} of the word is {1:?}; expected a, b, c, d or e")]
    Letter(usize, char),
}

impl LettersPuzzle {
    /// Reads a word.
    ///
    /// # Errors
    /// No letter or more than 64, or another letter than a to e.
    pub fn new(word: &str) -> Result<LettersPuzzle, BadWord> {
        let length = word.chars().count();
        if !(1..=MAX_LENGTH).contains(&length) {
            return Err(BadWord::Length(length));
        }
        let letters = word.chars().enumerate().map(|(i, letter)| match RING.contains(&letter) {
            true => Ok(Letter { first: i, last: i, letter }),
            false => Err(BadWord::Letter(i + 1, letter)),
        });
        letters.collect::<Result<_, _>>().map(LettersPuzzle)
    }
}

/// The operator f = (i, j, k, x, y): the letters x of the parts i to j and j + 1 to k are replaced by one
/// letter y (figure 15).
pub fn replace(i: usize, j: usize, k: usize, x: char, y: char) -> Operator<Letter> {
    let pre = BTreeSet::from([
        Letter { first: i, last: j, letter: x },
        Letter { first: j + 1, last: k, letter: x },
    ]);
    let add = BTreeSet::from([Letter { first: i, last: k, letter: y }]);
    Operator { del: pre.clone(), pre, add }
}

/// The letters by which two letters x are replaced, in the order of the thesis: aa -> e|b.
fn replacements(x: char) -> [char; 2] {
    let at = RING.iter().position(|letter| *letter == x).unwrap_or_default();
    [4, 1].map(|step| RING[(at + step) % RING.len()])
}

impl AttributeSpace for LettersPuzzle {
    type Attribute = Letter;

    fn start(&self) -> BTreeSet<Letter> {
        self.0.iter().copied().collect()
    }

    fn operators(&self, of: &BTreeSet<Letter>) -> Vec<Operator<Letter>> {
        let mut all = Vec::new();
        for left in of {
            let from = Letter { first: left.last + 1, last: 0, letter: 'a' };
            let neighbours = of.range(from..).take_while(|right| right.first == from.first);
            for right in neighbours.filter(|right| right.letter == left.letter) {
                let [y, z] = replacements(left.letter);
                let by = |y| replace(left.first, left.last, right.last, left.letter, y);
                all.extend([by(y), by(z)]);
            }
        }
        all
    }

    fn is_goal(&self, letter: &Letter) -> bool {
        letter.first == 0 && letter.last + 1 == self.0.len()
    }
}

/// A state as the figures write it: letters that replaced others are capitals.
pub fn word(state: &BTreeSet<Letter>) -> String {
    state.iter().fold(String::new(), |mut text, l| {
        let letter = if l.first < l.last { l.letter.to_ascii_uppercase() } else { l.letter };
        let _ = text.write_char(letter);
        text
    })
}
