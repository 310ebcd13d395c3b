//! The match option for dice numbers without a living stone.

use crate::option::{OptionSpec, OptionValue, RuleSet};

/// The stones that may move when the die shows the number of a captured stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MissingDie {
    /// The next living number above or the next below, at the player's choice.
    #[default]
    Next,
    /// Only the arithmetically nearer of the two, or both in a tie: a Chinese interpretation.
    Nearest,
}

/// The rule limits of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EinSteinRules {
    /// The option `MissingDie`.
    pub missing_die: MissingDie,
}

impl RuleSet for EinSteinRules {
    fn options() -> Vec<OptionSpec> {
        let spec = OptionSpec::combo("MissingDie", "next", &["next", "nearest"]);
        vec![spec.with_help("Stones that may move when the die's stone is gone")]
    }

    fn set(&mut self, name: &str, value: &OptionValue) {
        if let (true, OptionValue::Text(word)) = (name.eq_ignore_ascii_case("MissingDie"), value) {
            self.missing_die =
                if word == "nearest" { MissingDie::Nearest } else { MissingDie::Next };
        }
    }
}

/// The movable stones, as a mask (bit 0 is stone 1), for a mask of living stones and a die from 1
/// to 6. Empty only if the mask is empty or the die is out of range.
#[inline]
pub fn movable_stones(rule: MissingDie, alive: u8, die: u8) -> u8 {
    MOVABLE[rule as usize][usize::from(alive & 63)][usize::from(die & 7)]
}

static MOVABLE: [[[u8; 8]; 64]; 2] = [movable_table(false), movable_table(true)];

const fn movable_table(nearest: bool) -> [[u8; 8]; 64] {
    let mut table = [[0; 8]; 64];
    let mut alive = 0;
    while alive < 64 {
        let mut die = 1;
        while die <= 6 {
            table[alive][die] = movable(alive as u8, die as u32, nearest);
            die += 1;
        }
        alive += 1;
    }
    table
}

const fn movable(alive: u8, die: u32, nearest: bool) -> u8 {
    let own = 1 << (die - 1);
    if alive & own != 0 {
        return own;
    }
    let below = alive & (own - 1);
    let above = alive & !(own - 1);
    if below == 0 || above == 0 {
        return if below == 0 { above & above.wrapping_neg() } else { highest(below) };
    }
    let (low, high) = (highest(below), above & above.wrapping_neg());
    if nearest {
        let down = die - 1 - low.trailing_zeros();
        let up = high.trailing_zeros() - (die - 1);
        if down < up {
            return low;
        }
        if up < down {
            return high;
        }
    }
    low | high
}

const fn highest(mask: u8) -> u8 {
    1 << (7 - mask.leading_zeros())
}
