//! What a search must be told about a game beyond its rules: how good a position looks, how moves
//! are numbered, and how a long move falls into parts.

use agon_protocol::Game;
use std::ops::ControlFlow;

/// A static evaluation. One value per thread: it may keep scratch memory.
pub trait Evaluator<G: Game>: Clone + Send + 'static {
    /// The value of a position where a player is to move, from that player's point of view, in
    /// hundredths of the game's unit; smaller in size than `WIN - MAX_DECISIVE_PLY`.
    fn evaluate(&mut self, game: &G) -> i32;

    /// The exact value of a position, counted from it ([`crate::score::WIN`] less the plies to the
    /// end, or its negative), when it can be told without searching; `None` when it cannot.
    fn solve(&mut self, _game: &G) -> Option<i32> {
        None
    }
}

/// How moves are numbered for the history tables and the transposition table.
pub trait MoveEncoding<G: Game> {
    /// How many values the two keys of [`MoveEncoding::history_keys`] can take.
    const HISTORY_KEYS: [usize; 2];

    /// Two features of a move that say whether it is likely to be good wherever it is legal, each
    /// below its bound. A game whose moves have one feature returns 0 for the second.
    fn history_keys(m: G::Move) -> [usize; 2];

    /// The move in 24 bits, never all ones.
    fn pack(m: G::Move) -> u32;

    /// The inverse of [`MoveEncoding::pack`]; `None` for bits that are no move. The result need not be
    /// legal: a search asks [`Game::is_legal`].
    fn unpack(bits: u32) -> Option<G::Move>;
}

/// How moves are generated in two stages, so that a search can drop most first parts before it has
/// looked at a single whole move.
pub trait StagedMoves<G: Game>: Evaluator<G> + MoveEncoding<G> {
    /// The first part of a move. A game whose moves have one part uses the move itself.
    type PartialMove: Copy + Send;

    /// Calls `visit` with every first part, in a fixed order.
    fn visit_partial_moves<B>(
        game: &G,
        visit: &mut impl FnMut(Self::PartialMove) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Calls `visit` with every legal move that begins with `part`, in a fixed order.
    fn visit_completions<B>(
        game: &G,
        part: Self::PartialMove,
        visit: &mut impl FnMut(G::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// An estimate, for the mover, of the position after the first part alone. Only its order
    /// counts.
    fn evaluate_partial(&mut self, game: &G, part: Self::PartialMove) -> i32;

    /// The first history key of every move that begins with `part`.
    fn partial_key(part: Self::PartialMove) -> usize;
}

/// Appends every legal move.
pub fn collect_moves<G: Game>(game: &G, moves: &mut Vec<G::Move>) {
    let _ = game.visit_moves::<()>(&mut |m| {
        moves.push(m);
        ControlFlow::Continue(())
    });
}
