//! The double-letter puzzle (Allis 1994; Kang 2012, figures 15 to 18): two equal letters side by
//! side become the letter before or after theirs, `a` to `e` in a ring, until one letter is left.

use super::{Operator, Problem, State};

/// A letter and the stretch of the first word that it stands for: first and last index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter {
    /// First index of the stretch.
    pub from: usize,
    /// Last index of the stretch.
    pub to: usize,
    /// 0 for `a` to 4 for `e`.
    pub letter: u8,
}

/// A word to be reduced.
#[derive(Clone, Debug)]
pub struct Letters {
    word: Vec<u8>,
}

/// Letters in the ring.
const RING: u8 = 5;

impl Letters {
    /// The puzzle of a word of letters `a` to `e`; `None` for any other character and no word.
    pub fn new(word: &str) -> Option<Letters> {
        let number = |b: u8| b.checked_sub(b'a').filter(|n| *n < RING);
        let word: Option<Vec<u8>> = word.bytes().map(number).collect();
        word.filter(|w| !w.is_empty()).map(|word| Letters { word })
    }
}

impl Problem for Letters {
    type Attribute = Letter;

    fn start(&self) -> State<Letter> {
        let place = |(i, &letter): (usize, &u8)| Letter { from: i, to: i, letter };
        self.word.iter().enumerate().map(place).collect()
    }

    fn operators(&self, state: &State<Letter>) -> Vec<Operator<Letter>> {
        let letters: Vec<Letter> = state.iter().copied().collect();
        let mut all = Vec::new();
        for pair in letters.windows(2) {
            let &[a, b] = pair else { continue };
            if a.letter == b.letter && a.to + 1 == b.from {
                for step in [RING - 1, 1] {
                    let letter = (a.letter + step) % RING;
                    let new = Letter { from: a.from, to: b.to, letter };
                    all.push(Operator { pre: vec![a, b], del: vec![a, b], add: vec![new] });
                }
            }
        }
        all
    }

    fn is_goal(&self, state: &State<Letter>) -> bool {
        state.len() == 1
    }
}
