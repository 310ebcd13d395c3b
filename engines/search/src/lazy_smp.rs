//! Lazy SMP: helper threads search the same root and share the transposition table.

use crate::clock::Clock;
use crate::result::SearchResult;

/// Runs `main` in this thread beside the helpers, which stop when it returns. The result is the
/// deepest one, with the nodes of all threads; a helper that panics has none.
pub fn search<M: Copy + Send, H: FnOnce() -> SearchResult<M> + Send>(
    clock: &Clock,
    helpers: impl IntoIterator<Item = H>,
    main: impl FnOnce() -> SearchResult<M>,
) -> SearchResult<M> {
    std::thread::scope(|scope| {
        let helpers: Vec<_> = helpers.into_iter().map(|helper| scope.spawn(helper)).collect();
        let mut best = main();
        clock.halt();
        for helper in helpers {
            best = helper.join().ok().filter(|h| h.depth > best.depth).unwrap_or(best);
        }
        best.nodes = clock.visited();
        best
    })
}
