//! Distances of both players to every empty square, as layers of bitboards: layer k holds the
//! squares that a player's nearest amazon reaches in a minimum of k moves (as a queen, D1, or as a
//! king, D2).

use super::lanes::Pair;
use agon_games::amazons::STRIDE;
use agon_games::amazons::geometry::STEPS;
use arrayvec::ArrayVec;

/// The maximum distance. A shortest king path is an induced path, which has at most two squares in
/// each of the 25 blocks of 2x2: 50 squares, including the amazon's own.
const MAX_DISTANCE: usize = 49;

/// Sets by distance: entry k - 1 belongs to distance k.
pub type Layers<P> = ArrayVec<P, MAX_DISTANCE>;

/// A set expanded one king step in all eight directions, including the set itself. Squares off the
/// board may appear.
#[inline(always)]
pub fn dilate<P: Pair>(set: P) -> P {
    let wide = set.or(set.up(1)).or(set.down(1));
    wide.or(wide.up(STRIDE)).or(wide.down(STRIDE))
}

/// King distances: entry k - 1 is the set of squares at distance k **or less**. Empty if nobody can
/// move; the last entry is the set of all squares that each player can reach, by king or by queen.
#[inline(always)]
pub fn king_distances<P: Pair>(amazons: P, empty: P) -> Layers<P> {
    let mut within = Layers::new();
    let mut reached = dilate(amazons).and(empty);
    while !within.is_full() {
        within.push(reached);
        let next = dilate(reached).and(empty);
        if next.without(reached).is_empty() {
            break;
        }
        reached = next;
    }
    within
}

/// Data for sliding fills through the empty squares: in each direction the squares that end two,
/// and that end three, consecutive empty squares.
pub struct Slider<P> {
    empty: P,
    up: [(P, P); 4],
    down: [(P, P); 4],
}

impl<P: Pair> Slider<P> {
    /// Prepares for these empty squares.
    #[inline(always)]
    pub fn new(empty: P) -> Slider<P> {
        let up = STEPS.map(|s| {
            let two = empty.and(empty.up(s));
            (two, two.and(empty.up(2 * s)))
        });
        let down = STEPS.map(|s| {
            let two = empty.and(empty.down(s));
            (two, two.and(empty.down(2 * s)))
        });
        Slider { empty, up, down }
    }

    /// The squares that queens on `from` reach in one move, and the empty squares of `from`.
    /// Parallel prefix (Kogge and Stone) with steps 1, 2, 3, 3: slides of up to 9.
    #[inline(always)]
    pub fn fill(&self, from: P) -> P {
        let mut reach = from;
        for (i, s) in STEPS.into_iter().enumerate() {
            let (two, three) = self.up[i];
            let mut ray = from.or(from.up(s).and(self.empty));
            ray = ray.or(ray.up(2 * s).and(two));
            ray = ray.or(ray.up(3 * s).and(three));
            reach = reach.or(ray.or(ray.up(3 * s).and(three)));

            let (two, three) = self.down[i];
            let mut ray = from.or(from.down(s).and(self.empty));
            ray = ray.or(ray.down(2 * s).and(two));
            ray = ray.or(ray.down(3 * s).and(three));
            reach = reach.or(ray.or(ray.down(3 * s).and(three)));
        }
        reach.and(self.empty)
    }

    /// Moves one queen of each player outwards, one step at a time in all directions at once, and
    /// calls `ring` with the squares after each step. Returns all squares reached.
    #[inline(always)]
    pub fn walk(&self, queens: P, mut ring: impl FnMut(P)) -> P {
        let mut up = [queens; 4];
        let mut down = [queens; 4];
        let mut reach = queens.without(queens);
        loop {
            let mut set = queens.without(queens);
            for (i, s) in STEPS.into_iter().enumerate() {
                up[i] = up[i].up(s).and(self.empty);
                down[i] = down[i].down(s).and(self.empty);
                set = set.or(up[i].or(down[i]));
            }
            if set.is_empty() {
                return reach;
            }
            reach = reach.or(set);
            ring(set);
        }
    }

    /// Queen distances: entry k - 1 is the set of squares at distance **exactly** k. `first` is the
    /// set at distance 1, `all` the set of all reachable squares.
    #[inline(always)]
    pub fn queen_distances(&self, first: P, all: P) -> Layers<P> {
        let mut layers = Layers::new();
        layers.push(first);
        let mut reached = first;
        while !all.without(reached).is_empty() && !layers.is_full() {
            let next = self.fill(reached);
            layers.push(next.without(reached));
            reached = next;
        }
        layers
    }
}

/// The number of empty neighbours of every square, as four binary digits: `counts[i]` is the set of
/// squares whose number has bit i.
#[inline(always)]
pub fn neighbour_counts<P: Pair>(empty: P) -> [P; 4] {
    let s = STRIDE;
    // The three squares of a row around each square, as a two-digit number.
    let (west, east) = (empty.up(1), empty.down(1));
    let odd = west.without(east).or(east.without(west));
    let pair = west.and(east);
    let three_low = xor(odd, empty);
    let three_high = pair.or(odd.and(empty));
    // Rows below and above count three squares, the square's own row two.
    let (a0, a1) = (three_low.up(s), three_high.up(s));
    let (b0, b1) = (three_low.down(s), three_high.down(s));
    let (ones, carry) = full_adder(a0, b0, odd);
    let (twos, carry_a) = full_adder(a1, b1, pair);
    let low_twos = xor(twos, carry);
    let carry_b = twos.and(carry);
    [ones, low_twos, xor(carry_a, carry_b), carry_a.and(carry_b)]
}

#[inline(always)]
fn xor<P: Pair>(a: P, b: P) -> P {
    a.without(b).or(b.without(a))
}

#[inline(always)]
fn full_adder<P: Pair>(a: P, b: P, c: P) -> (P, P) {
    let half = xor(a, b);
    (xor(half, c), a.and(b).or(half.and(c)))
}
