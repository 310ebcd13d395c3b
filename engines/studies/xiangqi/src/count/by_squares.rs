//! Counts the positions of any game from a description of its pieces: the number of each kind and
//! the squares on which they can stand.
//!
//! Confined kinds are placed square by square: a table holds, for every vector of piece counts so
//! far, the number of ways to reach it. Kinds that may stand anywhere come last, because for them
//! only the number of empty squares matters. Some games turn such pieces face down; face-down
//! pieces look alike.

use super::Number;
use std::sync::LazyLock;

/// A kind of piece that can stand on some squares only.
#[derive(Clone, Debug)]
pub struct Confined {
    /// The name, for reports.
    pub name: String,
    /// The squares on which it can stand.
    pub domain: u128,
    /// The minimum count.
    pub least: usize,
    /// The maximum count.
    pub most: usize,
    /// Sets of squares that each hold at most one piece of this kind. All such sets of a space, for
    /// any kind, must be disjoint.
    pub at_most_one: Vec<u128>,
}

/// A kind of piece that can stand on every square.
#[derive(Clone, Debug)]
pub struct Free {
    /// The name, for reports.
    pub name: String,
    /// The minimum count, face up and face down together.
    pub least: usize,
    /// The maximum count, face up and face down together.
    pub most: usize,
    /// Whether they can lie face down.
    pub face_down: bool,
}

/// The positions of a game.
#[derive(Clone, Debug)]
pub struct Space {
    /// The game and what is counted.
    pub name: &'static str,
    /// What the count omits or includes.
    pub note: &'static str,
    /// Number of squares, at most 128.
    pub squares: usize,
    /// Placed first.
    pub confined: Vec<Confined>,
    /// Placed last.
    pub free: Vec<Free>,
    /// States for each placement: sides to move, dice.
    pub factor: u64,
}

/// `PASCAL[n][k]`.
static PASCAL: LazyLock<Vec<Vec<Number>>> = LazyLock::new(|| {
    let mut rows: Vec<Vec<Number>> = vec![vec![Number::from(1)]];
    for n in 1..=128 {
        let inner = rows[n - 1].windows(2).map(|w| w[0] + w[1]);
        let one = || std::iter::once(Number::from(1));
        let row = one().chain(inner).chain(one()).collect();
        rows.push(row);
    }
    rows
});

fn choose(n: usize, k: usize) -> Number {
    PASCAL.get(n).and_then(|row| row.get(k)).copied().unwrap_or_default()
}

impl Space {
    /// The number of positions.
    pub fn count(&self) -> Number {
        let by_empty = self.confined_by_empty();
        let words = self.free_words();
        let mut total = Number::ZERO;
        for (empty, &ways) in by_empty.iter().enumerate().filter(|e| !e.1.is_zero()) {
            let mut free = Number::ZERO;
            for &(up, down, w) in words.iter().filter(|w| w.0 + w.1 <= empty) {
                free += w * choose(empty, up) * choose(empty - up, down);
            }
            total += ways * free;
        }
        total * Number::from(self.factor)
    }

    /// The ways to place the confined kinds, by the number of squares left empty.
    fn confined_by_empty(&self) -> Vec<Number> {
        let table = Scan::new(self).run();
        let mut by_empty = vec![Number::ZERO; self.squares + 1];
        for (state, &ways) in table.iter().enumerate().filter(|e| *e.1 > 0) {
            let mut rest = state;
            let mut placed = 0;
            let mut enough = true;
            for kind in &self.confined {
                let number = rest % (kind.most + 1);
                rest /= kind.most + 1;
                placed += number;
                enough &= number >= kind.least;
            }
            if enough {
                by_empty[self.squares - placed] += Number::from(ways);
            }
        }
        by_empty
    }

    /// For every number of pieces face up and face down: the number of arrangements of the former,
    /// times the number of choices for the latter.
    fn free_words(&self) -> Vec<(usize, usize, Number)> {
        let most = self.squares + 1;
        let mut words = vec![vec![Number::ZERO; most]; most];
        words[0][0] = Number::from(1);
        for kind in &self.free {
            let mut next = vec![vec![Number::ZERO; most]; most];
            for (up, row) in words.iter().enumerate() {
                for (down, &w) in row.iter().enumerate().filter(|e| !e.1.is_zero()) {
                    for (more_up, more_down) in kind.numbers() {
                        if up + more_up + down + more_down <= self.squares {
                            next[up + more_up][down + more_down] +=
                                w * choose(up + more_up, more_up);
                        }
                    }
                }
            }
            words = next;
        }
        let cells = words.into_iter().enumerate();
        cells
            .flat_map(|(up, row)| row.into_iter().enumerate().map(move |(down, w)| (up, down, w)))
            .filter(|w| !w.2.is_zero())
            .collect()
    }
}

impl Free {
    /// The possible counts face up and face down.
    fn numbers(&self) -> impl Iterator<Item = (usize, usize)> {
        let (least, most) = (self.least, self.most);
        let deepest = if self.face_down { most } else { 0 };
        (0..=deepest)
            .flat_map(move |down| (0..=most - down).map(move |up| (up, down)))
            .filter(move |(up, down)| up + down >= least)
    }
}

/// The table over vectors of piece counts, in mixed radix.
struct Scan<'a> {
    space: &'a Space,
    strides: Vec<usize>,
    states: usize,
}

impl Scan<'_> {
    fn new(space: &Space) -> Scan<'_> {
        let mut states = 1;
        let strides = space
            .confined
            .iter()
            .map(|kind| {
                let stride = states;
                states *= kind.most + 1;
                stride
            })
            .collect();
        Scan { space, strides, states }
    }

    fn run(&self) -> Vec<u128> {
        let mut table = vec![0u128; self.states];
        table[0] = 1;
        let mut done = 0u128;
        for (k, kind) in self.space.confined.iter().enumerate() {
            for &group in &kind.at_most_one {
                // Two tables: the group without a piece of the kind so far, and with one.
                let mut with = vec![0u128; self.states];
                for square in (0..self.space.squares).filter(|s| group >> s & 1 == 1) {
                    let mut next = self.step(&with, square, Some(k));
                    self.add(&mut next, &table, square, k);
                    with = next;
                    table = self.step(&table, square, Some(k));
                }
                table.iter_mut().zip(with).for_each(|(t, w)| *t += w);
                done |= group;
            }
        }
        for square in (0..self.space.squares).filter(|s| done >> s & 1 == 0) {
            table = self.step(&table, square, None);
        }
        table
    }

    /// One square: it stays empty or takes one piece of any kind but `except`.
    fn step(&self, table: &[u128], square: usize, except: Option<usize>) -> Vec<u128> {
        let mut next = table.to_vec();
        for k in (0..self.strides.len()).filter(|&k| Some(k) != except) {
            self.add(&mut next, table, square, k);
        }
        next
    }

    /// Adds to `next` the placements with a piece of kind `k` on `square`.
    fn add(&self, next: &mut [u128], table: &[u128], square: usize, k: usize) {
        let (kind, stride) = (&self.space.confined[k], self.strides[k]);
        if kind.domain >> square & 1 == 0 {
            return;
        }
        for (state, &ways) in table.iter().enumerate().filter(|e| *e.1 > 0) {
            if state / stride % (kind.most + 1) < kind.most {
                next[state + stride] += ways;
            }
        }
    }
}
