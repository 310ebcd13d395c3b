//! The number of moves that one side can make in regions that the opponent can never enter: exact
//! search with bounds.
//!
//! Every move burns one square, so the number of reachable empty squares is an upper bound. The
//! number is smaller if a region cannot be filled without cutting off a part of it (deciding that
//! is NP-complete: Buro 2000, by reduction from Hamilton circuits). The search decides whether
//! `target` more moves are possible and cuts off if too few squares are reachable; disconnected
//! regions are solved separately; results are cached by region.

use crate::params;
use agon_games::amazons::geometry::{dilate, queen_reach};
use agon_games::amazons::{AmazonsSquare, Squares};
use agon_games::hash::FastMap;

/// Bounds on the maximum number of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// At least this many moves can be made.
    pub at_least: u32,
    /// At most this many moves can be made.
    pub at_most: u32,
}

impl Bounds {
    /// The number, if it is known exactly.
    pub fn exact(self) -> Option<u32> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// The amazons of one side, and the empty squares that they can reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Region {
    amazons: u128,
    empty: u128,
}

impl Region {
    /// Restricts `empty` to the squares that the amazons can reach, and the amazons to those that
    /// can ever move.
    fn within_reach(amazons: u128, empty: u128) -> Region {
        let open = flood(dilate(amazons) & empty, empty | amazons);
        Region { amazons: amazons & open, empty: empty & open }
    }

    fn squares(self) -> u32 {
        self.empty.count_ones()
    }

    /// The connected parts, between which no amazon can pass.
    fn parts(self) -> impl Iterator<Item = Region> {
        let mut left = self.empty;
        std::iter::from_fn(move || {
            let seed = left & left.wrapping_neg();
            let part = flood(seed, self.empty | self.amazons);
            left &= !part;
            (seed != 0).then_some(Region { amazons: self.amazons & part, empty: self.empty & part })
        })
    }
}

/// The squares of `open` that kings reach from `seed`, through any squares of `open`.
fn flood(seed: u128, open: u128) -> u128 {
    let mut reached = seed;
    loop {
        let next = dilate(reached) & open;
        if next | reached == reached {
            return reached;
        }
        reached |= next;
    }
}

/// The maximum number of cache entries, about 100 MB; the cache is then cleared.
const MEMORY: usize = 1 << 20;

/// A solver that caches regions across calls.
#[derive(Clone, Default, Debug)]
pub struct Filler {
    known: FastMap<Region, Bounds>,
    /// The remaining position budget of this call.
    budget: u64,
}

/// The budget is exhausted.
struct OutOfBudget;

impl Filler {
    /// The maximum number of moves that one side can make with these amazons on these empty squares
    /// while the opponent does not move. Visits at most `budget` positions and subtracts those
    /// used; if that is not enough, the bounds differ.
    pub fn longest(&mut self, amazons: u128, empty: u128, budget: &mut u64) -> Bounds {
        if self.known.len() > MEMORY {
            self.known.clear();
        }
        self.budget = *budget;
        let mut sum = Bounds::default();
        for part in Region::within_reach(amazons, empty).parts() {
            let bounds = self.part(part);
            sum.at_least += bounds.at_least;
            sum.at_most += bounds.at_most;
        }
        *budget = self.budget;
        sum
    }

    /// Solves one connected region, or returns the bounds found when the budget ran out.
    fn part(&mut self, part: Region) -> Bounds {
        let mut bounds = self.known(part);
        if bounds.exact().is_none() {
            self.learn(part, |b| b.at_least = b.at_least.max(1));
            bounds = self.known(part);
            let dive = Filler::dive(part).max(bounds.at_least);
            self.learn(part, |b| b.at_least = b.at_least.max(dive));
            bounds = self.known(part);
        }
        while bounds.at_least < bounds.at_most {
            if self.possible(part, bounds.at_most).is_err() {
                return self.known(part);
            }
            bounds = self.known(part);
        }
        bounds
    }

    fn known(&self, part: Region) -> Bounds {
        let default = Bounds { at_least: 0, at_most: part.squares() };
        self.known.get(&part).copied().unwrap_or(default)
    }

    fn learn(&mut self, part: Region, change: impl FnOnce(&mut Bounds)) {
        let mut bounds = self.known(part);
        change(&mut bounds);
        self.known.insert(part, bounds);
    }

    /// The number of moves of one greedy line: each move keeps the most squares reachable and,
    /// among those, fills a corner or a dead end.
    fn dive(mut part: Region) -> u32 {
        let mut made = 0;
        loop {
            let most = part.squares().saturating_sub(1);
            let mut best: Option<(u32, i32, Region)> = None;
            each_successor(part, |worth, next| {
                if best.is_some_and(|(squares, least, _)| squares == most && least <= worth) {
                    return;
                }
                let next = Region::within_reach(next.amazons, next.empty);
                let squares = next.squares();
                if best.is_none_or(|(s, w, _)| (squares, -worth) > (s, -w)) {
                    best = Some((squares, worth, next));
                }
            });
            let Some((_, _, next)) = best else { return made };
            made += 1;
            part = next;
        }
    }

    /// Whether `target` moves can be made in a connected region; caches the result.
    fn possible(&mut self, part: Region, target: u32) -> Result<bool, OutOfBudget> {
        let bounds = self.known(part);
        if target <= bounds.at_least {
            return Ok(true);
        }
        if target > bounds.at_most {
            return Ok(false);
        }
        self.budget = self.budget.checked_sub(1).ok_or(OutOfBudget)?;
        for next in successors(part) {
            let next = Region::within_reach(next.amazons, next.empty);
            if next.squares() + 1 >= target && self.possible_in_parts(next, target - 1)? {
                self.learn(part, |b| b.at_least = b.at_least.max(target));
                return Ok(true);
            }
        }
        self.learn(part, |b| b.at_most = b.at_most.min(target - 1));
        Ok(false)
    }

    /// The same for a region that may be disconnected.
    fn possible_in_parts(&mut self, region: Region, target: u32) -> Result<bool, OutOfBudget> {
        if target == 0 {
            return Ok(true);
        }
        let parts: Vec<Region> = region.parts().collect();
        if let [only] = parts[..] {
            return self.possible(only, target);
        }
        let mut at_most: u32 = parts.iter().map(|&p| self.known(p).at_most).sum();
        for part in parts {
            // The minimum number of moves needed here, given the others' upper bounds.
            loop {
                let bounds = self.known(part);
                if at_most < target {
                    return Ok(false);
                }
                if bounds.exact().is_some() {
                    break;
                }
                let before = bounds.at_most;
                self.possible(part, before)?;
                at_most -= before - self.known(part).at_most;
            }
        }
        Ok(at_most >= target)
    }
}

/// The regions after every move, with arrows that fill a corner or a dead end first; not restricted
/// to reachable squares.
fn successors(part: Region) -> impl Iterator<Item = Region> {
    let mut next = Vec::new();
    each_successor(part, |worth, region| next.push((worth, region)));
    next.sort_unstable_by_key(|&(worth, region)| (worth, region.empty, region.amazons));
    next.dedup();
    next.into_iter().map(|(_, region)| region)
}

/// Calls `visit` with the region after every move and its ordering score; lower is tried first.
fn each_successor(part: Region, mut visit: impl FnMut(i32, Region)) {
    for from in Squares(part.amazons) {
        let empty = part.empty | from.bit();
        for to in Squares(queen_reach(from, !part.empty)) {
            let amazons = part.amazons ^ from.bit() ^ to.bit();
            for arrow in Squares(queen_reach(to, !empty)) {
                let empty = empty ^ to.bit() ^ arrow.bit();
                visit(worth(arrow, to, empty), Region { amazons, empty });
            }
        }
    }
}

/// Prefers few empty squares around the arrow, then many around the amazon.
fn worth(arrow: AmazonsSquare, to: AmazonsSquare, empty: u128) -> i32 {
    let around = |square: AmazonsSquare| (dilate(square.bit()) & empty).count_ones() as i32;
    params::filling_arrow() * around(arrow) - around(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::amazons::geometry::board_mask;
    use agon_games::rng;

    /// The same number by exhaustive search.
    fn by_trying(amazons: u128, empty: u128) -> u32 {
        successors(Region { amazons, empty })
            .map(|next| 1 + by_trying(next.amazons, next.empty))
            .max()
            .unwrap_or(0)
    }

    /// Random amazons and empty squares on a 5x5 board.
    fn scattered(index: u64, amazons: usize, empty: usize) -> (u128, u128) {
        let mut squares: Vec<AmazonsSquare> = Squares(board_mask(5, 5)).collect();
        let mut rng = rng::stream(index, 0, "filling");
        rng::shuffle(&mut rng, &mut squares);
        let set = |s: &[AmazonsSquare]| s.iter().fold(0, |set, s| set | s.bit());
        (set(&squares[..amazons]), set(&squares[amazons..amazons + empty]))
    }

    #[test]
    fn the_longest_filling_is_what_trying_everything_finds() {
        let mut filler = Filler::default();
        let mut defective = 0;
        for index in 0..800 {
            let (amazons, empty) =
                scattered(index, 1 + (index % 3) as usize, 3 + (index % 4) as usize);
            let bounds = filler.longest(amazons, empty, &mut 1_000_000);
            let expected = by_trying(amazons, empty);
            assert_eq!(bounds.exact(), Some(expected), "{amazons:#x} {empty:#x}");
            let reach = Region::within_reach(amazons, empty).squares();
            defective += u32::from(expected < reach);
        }
        assert!(defective > 20, "only {defective} regions could not be filled completely");
    }

    #[test]
    fn bounds_hold_when_the_budget_is_too_small() {
        for index in 0..200 {
            let (amazons, empty) = scattered(index, 2, 6);
            let expected = by_trying(amazons, empty);
            for budget in [0, 1, 5] {
                let bounds = Filler::default().longest(amazons, empty, &mut { budget });
                assert!(bounds.at_least <= expected && expected <= bounds.at_most);
            }
        }
    }

    #[test]
    fn a_whole_board_is_filled_by_one_amazon() {
        let empty = board_mask(10, 10) & !1;
        let bounds = Filler::default().longest(1, empty, &mut 100_000);
        assert_eq!(bounds.exact(), Some(99));
    }

    #[test]
    fn a_dead_end_on_either_side_costs_one_of_them() {
        // An amazon in the middle of a corridor of seven squares cannot fill both arms.
        let corridor = board_mask(7, 1);
        let amazon = 1 << 3;
        let bounds = Filler::default().longest(amazon, corridor & !amazon, &mut 100_000);
        assert_eq!(bounds.exact(), Some(by_trying(amazon, corridor & !amazon)));
    }
}
