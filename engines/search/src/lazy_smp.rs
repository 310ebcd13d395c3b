//! Lazy SMP: helper threads search the same root and share the transposition table.

use crate::clock::Clock;
use crate::result::SearchResult;
use crate::threads;

/// Runs `main` in this thread beside the helpers, which stop when it returns. The result is the
/// deepest one, with the nodes of all threads; a helper that panics has none, and helpers that the
/// system refuses are left out.
pub fn search<M: Copy + Send, H: FnOnce() -> SearchResult<M> + Send>(
    clock: &Clock,
    helpers: impl IntoIterator<Item = H>,
    main: impl FnOnce() -> SearchResult<M>,
) -> SearchResult<M> {
    std::thread::scope(|scope| {
        let helpers = helpers.into_iter().map_while(|helper| threads::spawn(scope, helper).ok());
        let helpers: Vec<_> = helpers.collect();
        let mut best = main();
        clock.halt();
        for helper in helpers {
            best = helper.join().ok().filter(|h| h.depth > best.depth).unwrap_or(best);
        }
        best.nodes = clock.visited();
        best
    })
}
