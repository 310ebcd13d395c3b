//! The game-specific parts of a search beyond the rules: the static evaluation, the encoding of
//! moves for tables, and staged move generation.

use agon_games::Game;
use std::ops::ControlFlow;

/// A static evaluation. Every thread has its own clone, which may keep scratch memory.
///
/// ```
/// use agon_games::amazons::Amazons;
/// use agon_search::evaluator::Evaluator;
///
/// /// Prefers fewer empty squares: enough for a test.
/// #[derive(Clone)]
/// struct Crowded;
///
/// impl Evaluator<Amazons> for Crowded {
///     fn evaluate(&mut self, game: &Amazons) -> i32 {
///         -100 * game.empty().count_ones() as i32
///     }
/// }
/// ```
pub trait Evaluator<G: Game>: Clone + Send + 'static {
    /// Whether [`Evaluator::solve`] takes longer than most moves take to reach beta: then selective
    /// search asks it at a node with a null window only if no move does.
    const SOLVES_LATE: bool = false;

    /// The value of a position where a player is to move, from that player's point of view, in
    /// centipawns or 1/100 of another unit of the game. Its magnitude is less than `WIN -
    /// MAX_DECISIVE_PLY`.
    fn evaluate(&mut self, game: &G) -> i32;

    /// The exact value of a position, counted from it ([`crate::score::WIN`] less the plies to the
    /// end, or its negative), if known without a search. `depth`: the plies that the search would
    /// look ahead; at 0, only wins of the player to move are asked for.
    fn solve(&mut self, _game: &G, _depth: u32) -> Option<i32> {
        None
    }

    /// [`Evaluator::solve`] that looks at `most` positions at most, and how many it has looked at: searches
    /// count them as nodes.
    fn solve_within(&mut self, game: &G, depth: u32, _most: u64) -> (Option<i32>, u64) {
        (self.solve(game, depth), 0)
    }

    /// Whether the opponent has a threat that the player to move must stop. Then the static evaluation
    /// does not predict the value of a search, and reverse futility pruning does not use it.
    fn is_threatened(&self, _game: &G) -> bool {
        false
    }

    /// The value of a node all of whose generated moves lose by force, of which `value` is the
    /// best. If only a part of the moves is generated, another move may save the game: then an
    /// evaluator returns a value that is not decisive.
    fn loss(&self, value: i32) -> i32 {
        value
    }
}

/// How moves are encoded for the history tables and the transposition table.
pub trait MoveEncoding<G: Game> {
    /// The bounds of the two keys of [`MoveEncoding::history_keys`].
    const HISTORY_KEYS: [usize; 2];

    /// Two features of a move that predict its quality wherever it is legal, each below its bound.
    /// A game whose moves have one feature returns 0 for the second.
    fn history_keys(m: G::Move) -> [usize; 2];

    /// The move in 24 bits, never all ones.
    fn pack(m: G::Move) -> u32;

    /// The inverse of [`MoveEncoding::pack`]; `None` if the bits encode no move. The result may be
    /// illegal: a search checks [`Game::is_legal`].
    fn unpack(bits: u32) -> Option<G::Move>;
}

/// Staged move generation: partial moves first, so that a search can prune most of them before it
/// generates whole moves.
pub trait StagedMoves<G: Game>: Evaluator<G> + MoveEncoding<G> {
    /// The first part of a move. A game whose moves have a single part uses the move itself.
    type PartialMove: Copy + Send;

    /// Calls `visit` with every partial move, in a fixed order, and the static evaluation for the mover
    /// after it alone; only the order of these values matters. Moves without a value come last: those
    /// that selective search keeps besides the best others, at a node of this depth.
    fn visit_partial_moves(
        &mut self,
        game: &G,
        depth: u32,
        visit: &mut impl FnMut(Self::PartialMove, Option<i32>),
    );

    /// Further moves for a node of this depth where all moves that were searched lose by force, the
    /// most promising first: selective search tries them until one does not lose.
    fn last_resorts(&self, _game: &G, _depth: u32) -> Vec<G::Move> {
        Vec::new()
    }

    /// Calls `visit` with every legal move that begins with `part`, in a fixed order.
    fn visit_completions<B>(
        game: &G,
        part: Self::PartialMove,
        visit: &mut impl FnMut(G::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

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
