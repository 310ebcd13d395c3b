//! Plays separated positions out without a search, which could not improve on the exact solution.

use crate::filling::Filler;
use crate::params;
use crate::territory::best_filling_move;
use agon_games::amazons::{Amazons, AmazonsMove};
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::WIN;
use agon_search::searcher::{Searcher, Wrapper};

/// Solves separated positions.
#[derive(Debug)]
pub struct FillingSearch;

impl FillingSearch {
    fn solve(&self, root: &Root<Amazons>, clock: &Clock) -> Option<SearchResult<AmazonsMove>> {
        if root.is_restricted() || clock.is_open_ended() {
            return None;
        }
        let (mut filler, game) = (Filler::default(), root.game());
        let budget = params::filling_root_budget();
        let (m, solution) = best_filling_move(&mut filler, game, budget, || clock.expired())?;
        let side = game.side_to_move();
        let plies = solution.plies(side)? as i32;
        let is_won = solution.winner(side)? == side;
        let value = if is_won { WIN - plies } else { plies - WIN };
        Some(SearchResult { depth: 1, seldepth: 1, value, nodes: 1, ..SearchResult::unknown(m) })
    }
}

impl Wrapper<Amazons> for FillingSearch {
    type Inner = Amazons;

    fn run(
        &mut self,
        search: &mut dyn Searcher<Amazons>,
        root: &Root<Amazons>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<AmazonsMove>),
    ) -> SearchResult<AmazonsMove> {
        self.solve(root, clock).unwrap_or_else(|| search.run(root, clock, report))
    }
}
