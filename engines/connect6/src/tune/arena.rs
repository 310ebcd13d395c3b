//! Games between two sets of weights in one process: `best` with few nodes per move and small
//! solver budgets, so that a game takes a fraction of a second.

use crate::best::{Best, SolverBudgets};
use crate::openings::play_random_turns;
use crate::play::{SearchPosition, Weights};
use crate::solver::SolverLimits;
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::game::{Game, Outcome};
use agon_protocol::message::Limits;
use agon_protocol::rng;
use agon_protocol::{Record, Turn};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};

/// Solver limits in these games.
const BUDGETS: SolverBudgets = SolverBudgets {
    root: 4_000,
    refute: SolverLimits { depth: 12, iteration: 1_000, total: 1_000 },
    inner: SolverLimits { depth: 3, iteration: 150, total: 200 },
};
/// The game is a draw if nobody has won after this many turns.
const MAX_TURNS: usize = 60;

/// Random turns at the start of each pair. With three or four, chance decides more pairs than the
/// weights do.
const OPENING_TURNS: u64 = 2;
/// The maximum distance of their stones from the centre, in columns and rows.
const OPENING_REACH: u64 = 4;

/// Two players and the conditions of their games.
pub struct Arena {
    players: [Best; 2],
    nodes: u64,
    rules: Connect6Rules,
    /// The openings of the pairs; empty: random turns.
    openings: Vec<Record<Connect6>>,
}

impl Arena {
    /// Games with this number of nodes per move.
    ///
    /// # Errors
    /// The tables cannot be allocated.
    pub fn new(nodes: u64, rules: &Connect6Rules) -> Result<Arena, AllocationError> {
        Arena::with_budgets(BUDGETS, nodes, rules)
    }

    /// The same with other solver budgets.
    ///
    /// # Errors
    /// The tables cannot be allocated.
    pub fn with_budgets(
        budgets: SolverBudgets,
        nodes: u64,
        rules: &Connect6Rules,
    ) -> Result<Arena, AllocationError> {
        let player =
            || TranspositionTable::new(1).map(|table| Best::with_budgets(budgets, table, 1));
        let players = [player()?, player()?];
        Ok(Arena { players, nodes, rules: rules.clone(), openings: Vec::new() })
    }

    /// Uses these openings for subsequent pairs, unless the list is empty.
    #[must_use]
    pub fn beginning_with(mut self, openings: Vec<Record<Connect6>>) -> Arena {
        self.openings = openings;
        self
    }

    /// Plays two games from opening number `index` of the series with this `seed`, each side moving
    /// first once. Returns the wins of the first side minus those of the second.
    pub fn pair(&mut self, seed: u64, index: u64, sides: [Weights; 2]) -> i32 {
        let mut stream = rng::stream(seed, index, "connect6 tune");
        let opening = match self.openings.len() as u64 {
            0 => {
                let mut opening = Record::new(Connect6::start(&self.rules));
                play_random_turns(&mut opening, OPENING_TURNS, OPENING_REACH, &mut stream);
                opening
            }
            n => self.openings[rng::below(&mut stream, n) as usize].clone(),
        };
        let [a, b] = sides;
        // 1 if Black wins, -1 if White wins.
        let mut sign = |opening, sides| match self.game(opening, sides) {
            Some(Outcome::Win(winner)) => 1 - 2 * winner.index() as i32,
            _ => 0,
        };
        sign(opening.clone(), [a, b]) - sign(opening, [b, a])
    }

    /// Plays a game from a position, Black's weights first; `None` if it does not end within 60
    /// turns.
    pub fn game(&mut self, mut record: Record<Connect6>, sides: [Weights; 2]) -> Option<Outcome> {
        self.players.iter_mut().for_each(Searcher::<SearchPosition>::new_game);
        let limits = Limits::with_nodes(self.nodes);
        loop {
            let side = match record.turn() {
                Turn::Player(side) if record.moves().len() < MAX_TURNS => side.index(),
                Turn::Over(outcome) => return Some(outcome),
                _ => return None,
            };
            let position = Record::new(SearchPosition::with_weights(record.current(), sides[side]));
            let line = self.players[side].run(
                &Root::new(&position),
                &Clock::unmanaged(&limits),
                &mut |_| {},
            );
            record.push(line.best());
        }
    }
}
