//! MultiPV: several lines of one search if it ranks the root moves; otherwise the root is searched
//! again at each depth without the moves already found.

use crate::clock::Clock;
use crate::result::SearchResult;
use crate::root::Root;
use crate::score::is_decisive;
use crate::searcher::Searcher;
use agon_games::Game;
use std::cmp::Reverse;

/// Searches for the `lines` best root moves, and returns the best. A search for one line is an
/// ordinary search.
pub(super) fn search<G: Game>(
    searcher: &mut dyn Searcher<G>,
    root: &Root<G>,
    clock: &Clock,
    lines: usize,
    report: &mut dyn FnMut(&SearchResult<G::Move>),
) -> SearchResult<G::Move> {
    let lines = if lines > 1 { lines.min(root.allowed_moves().len()) } else { 1 };
    if searcher.set_lines(lines) || lines == 1 {
        return searcher.run(root, clock, report);
    }
    let mut best = SearchResult::unknown(root.first_move());
    for depth in 1..=clock.depth() {
        let mut found = search_depth(searcher, root, clock, lines, depth);
        let is_complete = found.len() == lines && found.iter().all(|result| result.depth > 0);
        if let Some(first) = found.first()
            && (first.depth > 0 || best.depth == 0)
        {
            best = first.clone();
        }
        if !is_complete {
            break;
        }
        found.sort_by_key(|result| Reverse(result.value));
        best = found[0].clone();
        for (rank, result) in (1..).zip(&found) {
            report(&SearchResult { rank: Some(rank), ..result.clone() });
        }
        if clock.past_soft_limit(100) || found.iter().all(|result| is_decisive(result.value)) {
            break;
        }
    }
    SearchResult { nodes: clock.visited(), ..best }
}

/// The results of one depth until the clock expires; the last one may then be incomplete.
fn search_depth<G: Game>(
    searcher: &mut dyn Searcher<G>,
    root: &Root<G>,
    clock: &Clock,
    lines: usize,
    depth: u32,
) -> Vec<SearchResult<G::Move>> {
    let mut found = Vec::new();
    let mut moves = Vec::new();
    while found.len() < lines {
        clock.set_depth(depth);
        let rest = Root::with_moves(root.record(), root.moves().without(&moves));
        let result = searcher.run(&rest, clock, &mut |_| {});
        moves.push(result.best());
        found.push(SearchResult { nodes: clock.visited(), ..result });
        // A search with several threads leaves the clock halted.
        clock.set_depth(depth);
        if clock.expired() {
            break;
        }
    }
    found
}
