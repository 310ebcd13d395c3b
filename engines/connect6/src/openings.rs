//! Balanced openings: turns by lot near the middle, kept where the engine against itself wins with either
//! colour. Which side the lot has favoured decides most games between engines that are not far apart;
//! such openings tell nothing about the engines.

use crate::best::Sight;
use crate::play::Weights;
use crate::problems::selfplay;
use crate::tune::arena::Arena;
use agon_protocol::Record;
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::game::{Game, Outcome};
use agon_protocol::rng;
use agon_search::transposition::AllocationError;

/// How openings are drawn and tried.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Names the series.
    pub seed: u64,
    /// Turns by lot.
    pub turns: u64,
    /// How far from the middle their stones lie at most, in columns and rows.
    pub reach: u64,
    /// Nodes a move of the first games that an opening is tried in; each later stage has twice as many.
    pub nodes: u64,
    /// What the solver sees in these games.
    pub sight: Sight,
}

/// Numbers of nodes that an opening is tried at.
const STAGES: usize = 4;

/// What the players of a stage's games weigh by: where one colour is far better it wins by either.
const WEIGHTS: [Weights; 2] = [Weights::RULE, Weights::FULL];

/// Games that an opening is tried in.
const GAMES: usize = STAGES * WEIGHTS.len();

/// What either colour must win of them; of the first half it must win one.
const LEAST: usize = 3;

/// Draws and tries openings.
pub struct Openings {
    settings: Settings,
    rules: Connect6Rules,
    arenas: Vec<Arena>,
    next: u64,
}

/// An opening that has been kept.
pub struct Opening {
    /// Its turns.
    pub record: Record<Connect6>,
    /// Games won by Black and by White.
    pub won: [usize; 2],
}

impl Openings {
    /// The series from its beginning.
    ///
    /// # Errors
    /// Memory for the players' tables is missing.
    pub fn new(settings: Settings, rules: &Connect6Rules) -> Result<Openings, AllocationError> {
        let arena = |stage| Arena::seeing(settings.sight, settings.nodes << stage, rules);
        let arenas = (0..STAGES).map(arena).collect::<Result<_, _>>()?;
        Ok(Openings { settings, rules: rules.clone(), arenas, next: 0 })
    }

    /// Draws and tries the next one; `None` if it is not kept.
    pub fn draw(&mut self) -> Option<Opening> {
        let mut stream = rng::stream(self.settings.seed, self.next, "connect6 opening");
        self.next += 1;
        let mut record = Record::new(Connect6::start(&self.rules));
        selfplay::by_lot(&mut record, self.settings.turns, self.settings.reach, &mut stream);
        let mut won = [0; 2];
        let mut left = GAMES;
        for arena in &mut self.arenas {
            for weights in WEIGHTS {
                left -= 1;
                if let Some(Outcome::Win(winner)) = arena.game(record.clone(), [weights; 2]) {
                    won[winner.index()] += 1;
                }
                let one_sided = left == GAMES / 2 && won.contains(&0);
                if one_sided || won.iter().any(|n| n + left < LEAST) {
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
    use crate::solver::Limits;

    #[test]
    fn a_seed_names_the_openings_and_each_is_won_by_both_colours() {
        let rules = Connect6Rules { size: 19 };
        let sight = Sight {
            root: 1_000,
            refute: Limits { depth: 6, iteration: 100, total: 100 },
            inner: Limits { depth: 2, iteration: 40, total: 40 },
        };
        let draw = |seed| {
            let settings = Settings { seed, turns: 3, reach: 4, nodes: 10, sight };
            let mut openings = Openings::new(settings, &rules).unwrap();
            let drawn = (0..12).map(|_| openings.draw());
            drawn.map(|o| o.map(|o| (o.record.tokens(), o.won))).collect::<Vec<_>>()
        };
        let first = draw(1);
        assert_eq!(first, draw(1));
        assert_ne!(first, draw(2));
        let kept: Vec<_> = first.iter().flatten().collect();
        assert!((1..12).contains(&kept.len()), "{first:?}");
        for (tokens, won) in kept {
            assert_eq!(tokens.len(), 3);
            assert!(won.iter().all(|n| *n >= LEAST) && won.iter().sum::<usize>() <= GAMES);
        }
    }
}
