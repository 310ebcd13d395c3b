//! Balanced openings: a few random turns near the centre and one of the engine's candidates, kept if a
//! deep search finds no advantage, and if two games of the engine against itself are not won by the same
//! colour. Between engines of similar strength the side favoured by a random opening wins most games, so
//! such openings say nothing about the engines. In half of the openings Black is to move, in half White,
//! so that an advantage of the side to move favours neither colour.

use crate::arena::Arena;
use crate::random_turns::play_random_turns;
use agon_connect6::best::{Best, SolverBudgets};
use agon_connect6::play::{SearchPosition, WindowWeights};
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_games::game::{Game, Outcome};
use agon_games::rng;
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};
use agon_wire::message::Limits;

/// How openings are made and tested.
#[derive(Clone, Copy, Debug)]
pub struct OpeningSettings {
    /// The seed of the series.
    pub seed: u64,
    /// Number of random turns in the first series; the second has one more. A candidate turn of the
    /// engine follows.
    pub turns: u64,
    /// The maximum distance of the random stones from the centre, in columns and rows.
    pub reach: u64,
    /// Nodes of the search of an opening. A turn in the games of the test has a twentieth of them.
    pub nodes: u64,
    /// The greatest advantage of either side, in centipoints.
    pub advantage: i32,
    /// Solver limits in the searches and games.
    pub budgets: SolverBudgets,
}

/// The searches of an opening: the divisor of the number of nodes, and the factor of the advantage.
/// The first ones reject most openings quickly.
const SEARCHES: [(u64, i32); 3] = [(64, 3), (8, 1), (1, 1)];

/// The candidate turn is one of this many, the most promising ones.
const CANDIDATES: usize = 20;

/// The nodes of a turn in the games are the number of nodes divided by this.
const GAMES: u64 = 20;

/// The table of the search in MiB.
const HASH: usize = 64;

/// Makes and tests openings, in two series: the second has one random turn more, so that the other
/// colour is to move.
pub struct Openings {
    settings: OpeningSettings,
    rules: Connect6Rules,
    best: Best,
    arena: Arena,
    /// The numbers of the next openings, even in the first series.
    next: [u64; 2],
}

/// An opening that passed the test.
pub struct Opening {
    /// Its turns.
    pub record: Record<Connect6>,
    /// Its value for the side to move, in centipoints.
    pub value: i32,
    /// Games won by Black and by White.
    pub won: [usize; 2],
}

impl Openings {
    /// Starts the series.
    ///
    /// # Errors
    /// The players' tables cannot be allocated.
    pub fn new(
        settings: OpeningSettings,
        rules: &Connect6Rules,
    ) -> Result<Openings, AllocationError> {
        let OpeningSettings { nodes, budgets, .. } = settings;
        Ok(Openings {
            settings,
            rules: rules.clone(),
            best: Best::with_budgets(budgets, TranspositionTable::new(HASH)?, 1),
            arena: Arena::new(budgets, (nodes / GAMES).max(1))?,
            next: [0, 1],
        })
    }

    /// Makes and tests the next opening of a series, 0 or 1; `None` if it fails.
    pub fn next_balanced(&mut self, series: usize) -> Option<Opening> {
        let OpeningSettings { seed, turns, reach, nodes, advantage, .. } = self.settings;
        let mut stream = rng::stream(seed, self.next[series], "connect6 opening");
        self.next[series] += 2;
        let turns = turns + series as u64;
        let mut record = Record::new(Connect6::start(&self.rules));
        play_random_turns(&mut record, turns, reach, &mut stream);
        let mut candidates = SearchPosition::from(record.current()).candidates_at_root();
        candidates.truncate(CANDIDATES);
        let number = rng::below(&mut stream, candidates.len().max(1) as u64);
        record.push(*candidates.get(number as usize)?);
        let mut value = 0;
        for (divisor, factor) in SEARCHES {
            value = self.value(&record, (nodes / divisor).max(1))?;
            if value.abs() > factor * advantage {
                return None;
            }
        }
        let mut won = [0; 2];
        // A colour that is far ahead wins with any weights.
        let weights = [WindowWeights::RULE, WindowWeights::tuned()];
        for weights in weights {
            if let Some(Outcome::Win(winner)) = self.arena.game(record.clone(), weights) {
                won[winner.index()] += 1;
            }
        }
        (!won.contains(&weights.len())).then_some(Opening { record, value, won })
    }

    /// The value of a search for the side to move, in centipoints: the mean of the last two
    /// iterations, as values alternate with the parity of the depth. `None` if there was nothing to
    /// search.
    fn value(&mut self, record: &Record<Connect6>, nodes: u64) -> Option<i32> {
        let position = Record::new(SearchPosition::from(record.current()));
        let clock = Clock::unmanaged(&Limits::with_nodes(nodes));
        let mut values = Vec::new();
        let best: &mut dyn Searcher<SearchPosition> = &mut self.best;
        best.new_game();
        best.run(&Root::new(&position), &clock, &mut |found| {
            if found.bound.is_none() {
                values.push(found.value);
            }
        });
        match values[..] {
            [.., a, b] => Some(i32::midpoint(a, b)),
            [value] => Some(value),
            [] => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_connect6::play::TreeSolver;
    use agon_connect6::solver::SolverLimits;

    #[test]
    fn a_seed_determines_the_openings_and_none_is_won_by_one_colour_twice() {
        let rules = Connect6Rules { size: 11 };
        let few = SolverLimits { depth: 2, iteration: 40, total: 40 };
        let budgets = SolverBudgets {
            root: 1_000,
            refute: SolverLimits { depth: 6, iteration: 100, total: 100 },
            tree: TreeSolver { leaf: few, inner: few, deep: few, most: 40 },
        };
        let draw = |seed| {
            let settings =
                OpeningSettings { seed, turns: 2, reach: 3, nodes: 20_000, advantage: 10, budgets };
            let mut openings = Openings::new(settings, &rules).unwrap();
            let drawn = (0..24).map(|n| openings.next_balanced(n % 2));
            drawn.map(|o| o.map(|o| (o.record.tokens(), o.value, o.won))).collect::<Vec<_>>()
        };
        let first = draw(1);
        assert_eq!(first, draw(1));
        assert_ne!(first, draw(2));
        let kept = || first.iter().enumerate().filter_map(|(n, o)| Some((n, o.as_ref()?)));
        assert!((1..24).contains(&kept().count()), "{first:?}");
        for (n, (tokens, value, won)) in kept() {
            // One random turn more in every second opening.
            assert_eq!(tokens.len(), 3 + n % 2);
            assert!(value.abs() <= 10 && won.iter().all(|n| *n < 2), "{value} {won:?}");
        }
    }
}
