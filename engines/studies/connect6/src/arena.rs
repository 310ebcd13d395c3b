//! Games of `best` against itself in one process, with few nodes per move.

use agon_connect6::best::{Best, SolverBudgets};
use agon_connect6::play::{SearchPosition, WindowWeights};
use agon_games::connect6::Connect6;
use agon_games::game::Outcome;
use agon_games::{Record, Turn};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};
use agon_wire::message::Limits;

/// The game is a draw if nobody has won after this many turns.
const MAX_TURNS: usize = 60;

/// Two players and their limit.
pub struct Arena {
    players: [Best; 2],
    nodes: u64,
}

impl Arena {
    /// Games with this number of nodes per move.
    ///
    /// # Errors
    /// The tables cannot be allocated.
    pub fn new(budgets: SolverBudgets, nodes: u64) -> Result<Arena, AllocationError> {
        let player =
            || TranspositionTable::new(1).map(|table| Best::with_budgets(budgets, table, 1));
        Ok(Arena { players: [player()?, player()?], nodes })
    }

    /// Plays a game from a position; `None` if it does not end within 60 turns.
    pub fn game(
        &mut self,
        mut record: Record<Connect6>,
        weights: WindowWeights,
    ) -> Option<Outcome> {
        self.players.iter_mut().for_each(Searcher::<SearchPosition>::new_game);
        let limits = Limits::with_nodes(self.nodes);
        loop {
            let side = match record.turn() {
                Turn::Player(side) if record.moves().len() < MAX_TURNS => side.index(),
                Turn::Over(outcome) => return Some(outcome),
                _ => return None,
            };
            let position = Record::new(SearchPosition::with_weights(record.current(), weights));
            let line = self.players[side].run(
                &Root::new(&position),
                &Clock::unmanaged(&limits),
                &mut |_| {},
            );
            record.push(line.best());
        }
    }
}
