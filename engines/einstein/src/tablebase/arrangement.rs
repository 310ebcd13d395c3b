//! The arrangement of one side's stones, independent of their squares: the living numbers and their
//! order on the side's squares.
//!
//! A side of `k` stones on `k` given squares has `C(6, k)` sets of living numbers times `k!`
//! orders. The set cannot be reduced to the ranks of the stones: a captured number allows the next
//! living ones to move, so a set `a1 < ... < ak` gives the lowest stone the dice `1..=a1`, and each
//! gap between two living numbers gives the player the choice of the two; different sets have
//! different odds. Two reductions are exact:
//!
//! - Relabelling one side's numbers together with its die by `d -> 7 - d` preserves values. It
//!   reverses the order of the stones, so for `k >= 2` the stone of the lowest number can always be
//!   placed on a lower square than the one of the highest: exactly half of the arrangements remain,
//!   whatever the squares.
//! - A lone stone moves on every roll, so its number is irrelevant.
//!
//! That leaves 1, 15, 60, 180 and 360 arrangements of 1 to 5 stones.

use super::value::MAX_SIDE;
use agon_games::einstein::{MissingDie, movable_stones};

/// The number on each of the side's squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Indexed by slot, in the order of the squares, lowest first; 0 after the last stone.
    pub numbers: [u8; MAX_SIDE],
}

impl Arrangement {
    /// The set of living numbers, bit 0 for number 1.
    pub fn alive(&self) -> u8 {
        self.numbers.iter().filter(|&&n| n > 0).fold(0, |alive, n| alive | 1 << (n - 1))
    }

    /// The slots of the stones in ascending order of their numbers.
    pub fn slots(&self) -> [usize; MAX_SIDE] {
        let mut slots = std::array::from_fn(|slot| slot);
        slots.sort_by_key(|&slot| match self.numbers[slot] {
            0 => u8::MAX,
            number => number,
        });
        slots
    }

    fn relabelled(&self) -> Arrangement {
        Arrangement { numbers: self.numbers.map(|n| if n > 0 { 7 - n } else { 0 }) }
    }

    fn key(&self) -> usize {
        key(self.numbers.iter().copied())
    }
}

/// A unique key below 7^[`MAX_SIDE`] for each sequence of numbers in slot order.
#[inline]
pub fn key(numbers: impl Iterator<Item = u8>) -> usize {
    let places = [1, 7, 49, 343, 2401];
    numbers.zip(places).map(|(number, place)| usize::from(number) * place).sum()
}

/// The number of dice that move each stone, by rank among the living numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Odds {
    /// Dice that move only this stone.
    pub single: [u8; MAX_SIDE],
    /// Dice that allow either this stone or the next higher one.
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

/// In a slot map: the stone in this slot is captured.
pub const TAKEN: u8 = MAX_SIDE as u8;

/// Slot maps are encoded as digits in this base.
const BASE: usize = MAX_SIDE + 1;

/// The numbered arrangements of each number of stones, and the effect of moves on them.
pub struct Arrangements {
    /// By [`key`].
    index: Vec<u16>,
    /// Indexed by number of stones: the arrangements by number.
    list: [Vec<Arrangement>; BASE],
    /// Indexed by number of stones and slot map: the new number of each arrangement.
    maps: Vec<Vec<u16>>,
}

impl Arrangements {
    /// All arrangements of up to [`MAX_SIDE`] stones.
    pub fn new() -> Arrangements {
        let mut all = Arrangements {
            index: vec![0; 7usize.pow(MAX_SIDE as u32)],
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

    /// The number of arrangements of a side of `stones` stones.
    pub fn count(&self, stones: usize) -> usize {
        self.list[stones].len()
    }

    /// The arrangements of this number of stones, in order.
    pub fn list(&self, stones: usize) -> &[Arrangement] {
        &self.list[stones]
    }

    /// The number of an arrangement, given its [`key`].
    #[inline]
    pub fn index(&self, key: usize) -> usize {
        usize::from(self.index[key])
    }

    /// The new number of each arrangement of `slots.len()` stones when the stone in slot `i` moves
    /// to slot `slots[i]`, or is [`TAKEN`] (at most one).
    pub fn map(&self, slots: &[u8]) -> &[u16] {
        &self.maps[map_key(slots)]
    }

    fn number(&mut self, count: usize) {
        for alive in (1..64u8).filter(|a| a.count_ones() as usize == count) {
            for slots in permutations(count) {
                if count >= 2 && slots[0] > slots[count - 1] {
                    continue;
                }
                let living = (1..=6).filter(|n| alive & 1 << (n - 1) != 0);
                let mut arrangement = Arrangement { numbers: [0; MAX_SIDE] };
                for (slot, number) in slots.into_iter().zip(living) {
                    arrangement.numbers[usize::from(slot)] = number;
                }
                // The number of a lone stone is irrelevant: all are arrangement 0.
                let index = if count == 1 { 0 } else { self.list[count].len() };
                if index == self.list[count].len() {
                    self.list[count].push(arrangement);
                }
                self.index[arrangement.key()] = index as u16;
                self.index[arrangement.relabelled().key()] = index as u16;
            }
        }
    }

    /// Fills the maps of `count` stones whose first `depth` slots are fixed.
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

    fn moved(&self, from: &Arrangement, slots: &[u8]) -> u16 {
        let mut to = Arrangement { numbers: [0; MAX_SIDE] };
        for (number, &slot) in from.numbers.iter().zip(slots) {
            if slot != TAKEN {
                to.numbers[usize::from(slot)] = *number;
            }
        }
        self.index[to.key()]
    }
}

/// A unique key below `BASE^(MAX_SIDE + 1)` for each slot map.
fn map_key(slots: &[u8]) -> usize {
    slots.iter().fold(slots.len(), |key, &slot| key * BASE + usize::from(slot))
}

fn permutations(count: usize) -> Vec<[u8; MAX_SIDE]> {
    let mut all = vec![[0; MAX_SIDE]];
    for slot in 0..count as u8 {
        // Inserts the next slot at every position among the preceding ones.
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
