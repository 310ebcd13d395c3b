//! Levels: a search weakened by few nodes and perhaps by random moves, for people who learn. Each engine has a table
//! of them, measured by matches (`tests/levels`); the highest level is the full search.

use super::options::Setting;
use crate::baseline::Random;
use agon_games::{Game, Record, rng};
use agon_wire::message::Limits;
use rand_core::Rng;

/// The number of levels below full strength.
pub const BELOW_FULL: usize = 9;

/// The level; the highest is full strength.
pub const LEVEL: Setting<usize> = Setting::spin(
    "Level",
    BELOW_FULL as i64 + 1,
    1,
    BELOW_FULL as i64 + 1,
    "Playing strength: 10 is full; lower ones have few nodes and one thread, some also play random moves",
);

/// A level below full strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Nodes of a search; the manager's limits may end it sooner.
    pub nodes: u64,
    /// Moves in a thousand that are any legal move.
    pub random: u32,
}

impl Level {
    /// The manager's limits with those of the level.
    pub(super) fn limits(self, limits: &Limits) -> Limits {
        let nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
        Limits { nodes, ..limits.clone() }
    }

    /// The search that chooses a random move, if the level has one here. The seed, the position and the number of
    /// plies decide: a position that comes back need not get the same move.
    pub(super) fn random_move<G: Game>(self, seed: u64, record: &Record<G>) -> Option<Random> {
        let index = record.current().hash().wrapping_add(record.moves().len() as u64);
        let mut stream = rng::stream(seed, index, "level");
        let is_random = rng::below(&mut stream, 1000) < u64::from(self.random);
        is_random.then(|| Random { seed: stream.next_u64() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::amazons::Amazons;
    use agon_games::option::NoRules;

    #[test]
    fn a_level_lowers_limits_and_never_raises_them() {
        let level = Level { nodes: 100, random: 0 };
        let nodes = |limits: Limits| level.limits(&limits).nodes;
        assert_eq!(nodes(Limits::default()), Some(100));
        assert_eq!(nodes(Limits::with_nodes(7)), Some(7));
        assert_eq!(nodes(Limits::with_nodes(1000)), Some(100));
        let limits = Limits { draw_offered: true, ..Limits::with_depth(3) };
        assert_eq!(level.limits(&limits), Limits { nodes: Some(100), ..limits });
    }

    #[test]
    fn random_moves_are_as_frequent_as_the_level_says() {
        let record = Record::new(Amazons::start(&NoRules));
        for random in [0, 250, 1000] {
            let level = Level { nodes: 1, random };
            let count =
                (0..4000).filter(|&seed| level.random_move(seed, &record).is_some()).count();
            // 4,000 draws: 5 standard deviations are at most 158.
            assert!(count.abs_diff(4 * random as usize) < 158, "{count} of 4000 at {random}");
        }
        let never =
            (0..4000).all(|s| Level { nodes: 1, random: 0 }.random_move(s, &record).is_none());
        assert!(never);
    }
}
