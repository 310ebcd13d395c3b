//! Balanced openings: random turns near the centre, kept if the engine wins with either colour in
//! self-play. Between engines of similar strength the side favoured by a random opening wins most
//! games, so such openings say nothing about the engines.

use crate::arena::Arena;
use crate::random_turns::play_random_turns;
use agon_connect6::best::SolverBudgets;
use agon_connect6::play::Weights;
use agon_protocol::Record;
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::game::{Game, Outcome};
use agon_protocol::rng;
use agon_search::transposition::AllocationError;

/// How openings are made and tested.
#[derive(Clone, Copy, Debug)]
pub struct OpeningSettings {
    /// The seed of the series.
    pub seed: u64,
    /// Number of random turns.
    pub turns: u64,
    /// The maximum distance of their stones from the centre, in columns and rows.
    pub reach: u64,
    /// Nodes per move in the first stage of the test; each later stage doubles them.
    pub nodes: u64,
    /// Solver limits in these games.
    pub budgets: SolverBudgets,
}

/// The number of stages, each with its own number of nodes per move.
const STAGES: usize = 4;

/// The weights of the players in a stage's games: a colour that is far ahead wins with either.
const WEIGHTS: [Weights; 2] = [Weights::RULE, Weights::FULL];

/// The number of games in a test.
const GAMES: usize = STAGES * WEIGHTS.len();

/// The minimum number of games that each colour must win; in the first half the minimum is one.
const MIN_WINS: usize = 3;

/// Makes and tests openings.
pub struct Openings {
    settings: OpeningSettings,
    rules: Connect6Rules,
    arenas: Vec<Arena>,
    next: u64,
}

/// An opening that passed the test.
pub struct Opening {
    /// Its turns.
    pub record: Record<Connect6>,
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
        let arena = |stage| Arena::new(settings.budgets, settings.nodes << stage);
        let arenas = (0..STAGES).map(arena).collect::<Result<_, _>>()?;
        Ok(Openings { settings, rules: rules.clone(), arenas, next: 0 })
    }

    /// Makes and tests the next opening; `None` if it fails.
    pub fn next_balanced(&mut self) -> Option<Opening> {
        let mut stream = rng::stream(self.settings.seed, self.next, "connect6 opening");
        self.next += 1;
        let mut record = Record::new(Connect6::start(&self.rules));
        play_random_turns(&mut record, self.settings.turns, self.settings.reach, &mut stream);
        let mut won = [0; 2];
        let mut remaining = GAMES;
        for arena in &mut self.arenas {
            for weights in WEIGHTS {
                remaining -= 1;
                if let Some(Outcome::Win(winner)) = arena.game(record.clone(), weights) {
                    won[winner.index()] += 1;
                }
                let one_sided = remaining == GAMES / 2 && won.contains(&0);
                if one_sided || won.iter().any(|n| n + remaining < MIN_WINS) {
                    return None;
                }
            }
        }
        Some(Opening { record, won })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_connect6::solver::SolverLimits;

    #[test]
    fn a_seed_determines_the_openings_and_each_is_won_by_both_colours() {
        let rules = Connect6Rules { size: 19 };
        let budgets = SolverBudgets {
            root: 1_000,
            refute: SolverLimits { depth: 6, iteration: 100, total: 100 },
            inner: SolverLimits { depth: 2, iteration: 40, total: 40 },
        };
        let draw = |seed| {
            let settings = OpeningSettings { seed, turns: 3, reach: 4, nodes: 10, budgets };
            let mut openings = Openings::new(settings, &rules).unwrap();
            let drawn = (0..12).map(|_| openings.next_balanced());
            drawn.map(|o| o.map(|o| (o.record.tokens(), o.won))).collect::<Vec<_>>()
        };
        let first = draw(1);
        assert_eq!(first, draw(1));
        assert_ne!(first, draw(2));
        let kept: Vec<_> = first.iter().flatten().collect();
        assert!((1..12).contains(&kept.len()), "{first:?}");
        for (tokens, won) in kept {
            assert_eq!(tokens.len(), 3);
            assert!(won.iter().all(|n| *n >= MIN_WINS) && won.iter().sum::<usize>() <= GAMES);
        }
    }
}
