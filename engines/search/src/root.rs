//! The root of a search: the game so far, and the moves that may be played in its current position.

use agon_games::{Game, Record};
use agon_wire::message::Limits;
use std::ops::ControlFlow;

/// Which of the legal moves at the root may be searched and played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootMoves<M> {
    /// All of them.
    All,
    /// These only; legal, at least one.
    Only(Vec<M>),
    /// All but these; at least one is left.
    Except(Vec<M>),
}

impl<M: Copy + PartialEq> RootMoves<M> {
    /// The moves allowed by a manager's `searchmoves` and `banmoves`. Ignores texts that are not
    /// legal moves. If no move would remain, all moves are allowed, because an engine must move.
    pub fn from_limits<G: Game<Move = M>>(game: &G, limits: &Limits) -> RootMoves<M> {
        let parse = |tokens: &[String]| -> Vec<M> {
            tokens.iter().filter_map(|token| game.parse_move(token).ok()).collect()
        };
        let (mut only, excluded) = (parse(&limits.search_moves), parse(&limits.ban_moves));
        only.retain(|m| !excluded.contains(m));
        if !only.is_empty() {
            return RootMoves::Only(only);
        }
        if excluded.is_empty() {
            return RootMoves::All;
        }
        let moves = RootMoves::Except(excluded);
        let is_any_left = game.visit_moves(&mut |m| match moves.allows(m) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        if is_any_left.is_break() { moves } else { RootMoves::All }
    }

    /// Whether this legal move may be searched and played.
    #[inline]
    pub fn allows(&self, m: M) -> bool {
        match self {
            RootMoves::All => true,
            RootMoves::Only(moves) => moves.contains(&m),
            RootMoves::Except(moves) => !moves.contains(&m),
        }
    }

    /// The same without `excluded`; at least one move must remain.
    #[must_use]
    pub fn without(&self, excluded: &[M]) -> RootMoves<M> {
        match self {
            RootMoves::All => RootMoves::Except(excluded.to_vec()),
            RootMoves::Only(moves) => {
                RootMoves::Only(moves.iter().copied().filter(|m| !excluded.contains(m)).collect())
            }
            RootMoves::Except(moves) => RootMoves::Except([moves, excluded].concat()),
        }
    }
}

/// The input of a search: a game whose current position has a player to move, and the moves of that
/// position that may be searched and played.
#[derive(Clone, Debug)]
pub struct Root<'r, G: Game> {
    record: &'r Record<G>,
    moves: RootMoves<G::Move>,
}

impl<'r, G: Game> Root<'r, G> {
    /// The record's current position with all its moves.
    pub fn new(record: &'r Record<G>) -> Root<'r, G> {
        Root { record, moves: RootMoves::All }
    }

    /// The record's current position with some of its moves.
    pub fn with_moves(record: &'r Record<G>, moves: RootMoves<G::Move>) -> Root<'r, G> {
        Root { record, moves }
    }

    /// The game so far.
    pub fn record(&self) -> &'r Record<G> {
        self.record
    }

    /// The position to search.
    pub fn game(&self) -> &'r G {
        self.record.current()
    }

    /// Which moves may be searched and played.
    pub fn moves(&self) -> &RootMoves<G::Move> {
        &self.moves
    }

    /// Whether only some of the legal moves may be searched.
    pub fn is_restricted(&self) -> bool {
        self.moves != RootMoves::All
    }

    /// Whether a legal move may be searched and played.
    #[inline]
    pub fn allows(&self, m: G::Move) -> bool {
        self.moves.allows(m)
    }

    /// Calls `visit` with the allowed moves in generation order, then with moves that the game does
    /// not generate (a search may generate fewer moves than the rules allow) but the manager named.
    /// There is at least one.
    pub fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(G::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let RootMoves::Only(named) = &self.moves else {
            return self.game().visit_moves(&mut |m| match self.allows(m) {
                true => visit(m),
                false => ControlFlow::Continue(()),
            });
        };
        let mut unseen = named.clone();
        self.game().visit_moves(&mut |m| {
            let count = unseen.len();
            unseen.retain(|&other| other != m);
            if unseen.len() < count { visit(m) } else { ControlFlow::Continue(()) }
        })?;
        unseen.into_iter().try_for_each(visit)
    }

    /// The moves of [`Root::visit_moves`].
    pub fn allowed_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        let _ = self.visit_moves::<()>(&mut |m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
        moves
    }

    /// The first allowed move, for a search that is stopped before it has a result.
    ///
    /// # Panics
    ///
    /// If there is none; a root must have a player to move.
    pub fn first_move(&self) -> G::Move {
        match self.visit_moves(&mut ControlFlow::Break) {
            ControlFlow::Break(m) => m,
            ControlFlow::Continue(()) => {
                panic!("searched `{}`, which has no move", self.game().fen())
            }
        }
    }
}
