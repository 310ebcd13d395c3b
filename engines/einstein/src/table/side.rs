//! One side's stones, apart from where they stand: which numbers live and in which order they lie
//! on the side's squares.
//!
//! A side of `k` stones on `k` given squares has `C(6, k)` sets of living numbers times `k!` orders.
//! The set cannot be reduced to "which stone has which rank": a number that is gone lets the next
//! living ones move, so a set `a1 < ... < ak` gives the lowest stone the dice `1..=a1`, each gap
//! between two living numbers to the player's choice of the two, and so on; different sets give
//! different odds. Two reductions are exact:
//!
//! - The relabelling `d -> 7 - d` of one side's numbers together with its die changes nothing. It
//!   reverses the order of the stones, so of `k >= 2` stones the one of the lowest number can
//!   always be brought to a lower square than the one of the highest: exactly half the
//!   arrangements remain, whatever the squares.
//! - A lone stone moves on every roll, so its number says nothing.
//!
//! That leaves 1, 15, 60 and 180 arrangements of 1, 2, 3 and 4 stones.

use super::MAX_SIDE;
use agon_protocol::einstein::{MissingDie, movable_stones};

/// Which numbers live, and on which of the side's squares each stands.
#[derive(Clone, Copy, Debug)]
pub struct Arrangement {
    /// Bit 0 for number 1.
    pub alive: u8,
    /// For each living number in rising order, its slot: how many of the side's stones stand on
    /// lower squares.
    pub slots: [u8; MAX_SIDE],
}

/// How many of the six dice move each stone, by rank among the living numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Odds {
    /// Dice that move this stone and no other.
    pub single: [u8; MAX_SIDE],
    /// Dice that leave the choice between this stone and the next higher one.
    pub pair: [u8; MAX_SIDE],
}

impl Odds {
    /// The odds of a set of living numbers under a rule.
    pub fn new(rule: MissingDie, alive: u8) -> Odds {
        let mut odds = Odds::default();
        for die in 1..=6 {
            let movable = movable_stones(rule, alive, die);
            let lowest = movable & movable.wrapping_neg();
            let rank = (alive & lowest.wrapping_sub(1)).count_ones() as usize;
            if movable == lowest {
                odds.single[rank] += 1;
            } else {
                odds.pair[rank] += 1;
            }
        }
        odds
    }
}

/// In a slot map: the stone of this slot is taken.
pub const TAKEN: u8 = MAX_SIDE as u8;

/// Slot maps are found by their digits in this base.
const BASE: usize = MAX_SIDE + 1;

/// The arrangements of each number of stones, numbered, and what moves do to them.
pub struct Arrangements {
    /// By living numbers, then by the slots of the numbers in rising order, two bits each.
    numbers: Vec<[u8; 256]>,
    /// By number of stones: what each arrangement number stands for.
    list: [Vec<Arrangement>; BASE],
    /// By number of stones and slot map: the new number of each arrangement.
    maps: Vec<Vec<u8>>,
}

impl Arrangements {
    /// All arrangements of up to [`MAX_SIDE`] stones.
    pub fn new() -> Arrangements {
        let mut all = Arrangements {
            numbers: vec![[0; 256]; 64],
            list: Default::default(),
            maps: vec![Vec::new(); BASE * BASE.pow(MAX_SIDE as u32)],
        };
        for count in 1..=MAX_SIDE {
            all.number(count);
        }
        for count in 1..=MAX_SIDE {
            all.fill_maps(count, &mut [TAKEN; MAX_SIDE], 0);
        }
        all
    }

    /// How many arrangements a side of so many stones has.
    pub fn count(&self, stones: usize) -> usize {
        self.list[stones].len()
    }

    /// The arrangements of so many stones, by number.
    pub fn list(&self, stones: usize) -> &[Arrangement] {
        &self.list[stones]
    }

    /// The number of an arrangement, given the [`code`] of its slots.
    #[inline]
    pub fn index(&self, alive: u8, code: u8) -> usize {
        usize::from(self.numbers[usize::from(alive & 63)][usize::from(code)])
    }

    /// The new number of each arrangement of `slots.len()` stones when the stone in slot `i` comes
    /// to slot `slots[i]`, or is [`TAKEN`] (one at most).
    pub fn map(&self, slots: &[u8]) -> &[u8] {
        &self.maps[map_key(slots)]
    }

    fn number(&mut self, count: usize) {
        for alive in (1..64u8).filter(|a| a.count_ones() as usize == count) {
            for slots in permutations(count) {
                if count >= 2 && slots[0] > slots[count - 1] {
                    continue;
                }
                // A lone stone's number says nothing: all are arrangement 0.
                let number = if count == 1 { 0 } else { self.list[count].len() };
                if number == self.list[count].len() {
                    self.list[count].push(Arrangement { alive, slots });
                }
                let mut reversed = slots;
                reversed[..count].reverse();
                let relabelled = alive.reverse_bits() >> 2;
                for (alive, slots) in [(alive, slots), (relabelled, reversed)] {
                    let code = usize::from(code(&slots[..count]));
                    self.numbers[usize::from(alive)][code] = number as u8;
                }
            }
        }
    }

    /// Fills the maps of `count` stones whose first `depth` slots are given.
    fn fill_maps(&mut self, count: usize, slots: &mut [u8; MAX_SIDE], depth: usize) {
        if depth < count {
            for slot in 0..BASE as u8 {
                if !slots[..depth].contains(&slot) {
                    slots[depth] = slot;
                    self.fill_maps(count, slots, depth + 1);
                }
            }
            return;
        }
        let slots = &slots[..count];
        let left = slots.iter().filter(|&&s| s != TAKEN).count() as u8;
        if left > 0 && slots.iter().all(|&s| s == TAKEN || s < left) {
            let map = self.list[count].iter().map(|a| self.moved(a, slots)).collect();
            self.maps[map_key(slots)] = map;
        }
    }

    fn moved(&self, from: &Arrangement, slots: &[u8]) -> u8 {
        let (mut alive, mut living) = (from.alive, from.alive);
        let (mut to, mut left) = ([0; MAX_SIDE], 0);
        for &slot in &from.slots[..slots.len()] {
            let number = living & living.wrapping_neg();
            living ^= number;
            match slots[usize::from(slot)] {
                TAKEN => alive ^= number,
                moved => {
                    to[left] = moved;
                    left += 1;
                }
            }
        }
        self.index(alive, code(&to[..left])) as u8
    }
}

/// The slots of a side's numbers in rising order, two bits each, lowest number lowest.
pub fn code(slots: &[u8]) -> u8 {
    slots.iter().rev().fold(0, |code, &slot| code << 2 | slot)
}

/// A different number below `BASE^(MAX_SIDE + 1)` for each slot map.
fn map_key(slots: &[u8]) -> usize {
    slots.iter().fold(slots.len(), |key, &slot| key * BASE + usize::from(slot))
}

fn permutations(count: usize) -> Vec<[u8; MAX_SIDE]> {
    let mut all = vec![[0; MAX_SIDE]];
    for slot in 0..count as u8 {
        // Puts the next slot at every place among those before it.
        all = all
            .iter()
            .flat_map(|p| {
                (0..=usize::from(slot)).map(move |at| {
                    let mut q = *p;
                    q.copy_within(at..usize::from(slot), at + 1);
                    q[at] = slot;
                    q
                })
            })
            .collect();
    }
    all
}
