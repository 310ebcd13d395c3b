//! The [`Game`] implementation.

use super::board::{SQUARES, Squares};
use super::piece::{PIECES, Piece};
use super::rules::DarkRules;
use super::state::{
    DarkChess, DarkMove, DarkUndo, EMPTY, HIDDEN, NO_SQUARE, TURNING_KEYS, cell_key, pool_key,
};
use super::{fen, notation};
use crate::game::{FenError, Game, MoveError, Outcome, Path, Player, Turn};
use crate::hash::mix;
use crate::refereed::{Ending, Refereed};
use crate::rng::shuffle;
use rand_core::Rng;
use std::ops::ControlFlow;

impl DarkChess {
    fn step(&mut self, from: u8, to: u8) -> u8 {
        let Some(piece) = self.piece_at(from) else {
            return EMPTY;
        };
        let taken = self.piece_at(to);
        if let Some(victim) = taken {
            self.lift(to, victim);
            self.captured[victim.index()] += 1;
            self.living[victim.colour().index()] -= 1;
            self.quiet = 0;
        } else {
            self.quiet = self.quiet.saturating_add(1);
        }
        self.lift(from, piece);
        self.put(to, piece);
        self.set_side(self.mover.opponent(), self.first);
        taken.map_or(EMPTY, |p| p.index() as u8)
    }

    fn reveal(&mut self, piece: Piece) {
        let square = self.turning & 31;
        let left = self.pool[piece.index()];
        self.hash ^= TURNING_KEYS[usize::from(square)]
            ^ cell_key(HIDDEN, square)
            ^ pool_key(piece, left)
            ^ pool_key(piece, left.saturating_sub(1));
        self.hidden &= !(1 << square);
        self.pool[piece.index()] = left.saturating_sub(1);
        self.turning = NO_SQUARE;
        self.put(square, piece);
        self.quiet = 0;
        let first = self.first.unwrap_or(match self.mover {
            Player::First => piece.colour(),
            Player::Second => piece.colour().other(),
        });
        self.set_side(self.mover.opponent(), Some(first));
    }
}

impl Game for DarkChess {
    const NAME: &'static str = "darkchess";
    const HAS_CHANCE: bool = true;

    type Move = DarkMove;
    type Undo = DarkUndo;
    type Rules = DarkRules;

    fn start(rules: &DarkRules) -> DarkChess {
        let mut state = DarkChess::empty(rules.board.squares(), rules);
        for square in Squares(rules.board.squares()) {
            state.place_hidden(square);
        }
        let mut pool = [0; PIECES];
        for piece in Piece::all() {
            pool[piece.index()] = rules.board.counts()[piece.kind().index()];
        }
        state.set_reserve(&pool, &[0; PIECES]);
        state
    }

    #[inline]
    fn turn(&self) -> Turn {
        if let Some(own) = self.colour_to_move() {
            let won = |player| Turn::Over(Outcome::Win(player));
            if self.living[own.index()] == 0 {
                return won(self.mover.opponent());
            }
            if self.living[own.other().index()] == 0 {
                return won(self.mover);
            }
            if self.hidden == 0 && !self.can_step(own) {
                return won(self.mover.opponent());
            }
            if self.draw_plies > 0 && self.quiet >= self.draw_plies {
                return Turn::Over(Outcome::Draw);
            }
        }
        if self.turning != NO_SQUARE { Turn::Chance } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn visit_moves<B>(&self, visit: &mut impl FnMut(DarkMove) -> ControlFlow<B>) -> ControlFlow<B> {
        if !matches!(self.turn(), Turn::Player(_)) {
            return ControlFlow::Continue(());
        }
        if let Some(own) = self.colour_to_move() {
            self.visit_steps(own, &mut |from, to| visit(DarkMove::Step { from, to }))?;
        }
        Squares(self.hidden).try_for_each(|square| visit(DarkMove::Flip(square)))
    }

    #[inline]
    fn visit_chance<B>(
        &self,
        visit: &mut impl FnMut(DarkMove, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.turn() != Turn::Chance {
            return ControlFlow::Continue(());
        }
        Piece::all().try_for_each(|piece| match self.pool[piece.index()] {
            0 => ControlFlow::Continue(()),
            count => visit(DarkMove::Reveal(piece), u32::from(count)),
        })
    }

    fn is_legal(&self, m: DarkMove) -> bool {
        match (self.turn(), m) {
            (Turn::Chance, DarkMove::Reveal(piece)) => self.pool[piece.index()] > 0,
            (Turn::Player(_), DarkMove::Flip(square)) => {
                square < 32 && self.hidden >> square & 1 != 0
            }
            (Turn::Player(_), DarkMove::Step { from, to }) if from < 32 && to < 32 => {
                let piece = self.piece_at(from);
                piece
                    .filter(|p| Some(p.colour()) == self.colour_to_move())
                    .is_some_and(|p| self.targets(p.colour(), p.kind(), from) >> to & 1 != 0)
            }
            _ => false,
        }
    }

    #[inline]
    fn play(&mut self, m: DarkMove) -> DarkUndo {
        let mut undo = DarkUndo {
            hash: self.hash,
            quiet: self.quiet,
            taken: EMPTY,
            turning: self.turning,
            first: self.first,
        };
        match m {
            DarkMove::Step { from, to } => undo.taken = self.step(from, to),
            DarkMove::Flip(square) => self.set_turning(square & 31),
            DarkMove::Reveal(piece) => self.reveal(piece),
        }
        undo
    }

    #[inline]
    fn undo(&mut self, m: DarkMove, undo: DarkUndo) {
        match m {
            DarkMove::Step { from, to } => {
                if let Some(piece) = self.piece_at(to) {
                    self.lift(to, piece);
                    self.put(from, piece);
                }
                if let Some(victim) = Piece::from_index(usize::from(undo.taken)) {
                    self.put(to, victim);
                    self.captured[victim.index()] -= 1;
                    self.living[victim.colour().index()] += 1;
                }
                self.mover = self.mover.opponent();
            }
            DarkMove::Flip(_) => {}
            DarkMove::Reveal(piece) => {
                let square = undo.turning & 31;
                self.lift(square, piece);
                self.cells[usize::from(square)] = HIDDEN;
                self.hidden |= 1 << square;
                self.pool[piece.index()] += 1;
                self.mover = self.mover.opponent();
            }
        }
        (self.hash, self.quiet) = (undo.hash, undo.quiet);
        (self.turning, self.first) = (undo.turning, undo.first);
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn hash_from_scratch(&self) -> u64 {
        let mut hash = mix(u64::from(self.board)) ^ self.side_key();
        for (square, &cell) in self.cells.iter().enumerate() {
            if cell != EMPTY {
                hash ^= cell_key(cell, square as u8);
            }
        }
        for piece in Piece::all() {
            hash ^= pool_key(piece, self.pool[piece.index()]);
        }
        if self.turning != NO_SQUARE {
            hash ^= TURNING_KEYS[usize::from(self.turning) % SQUARES];
        }
        hash
    }

    fn repetition_outcome(path: &Path<DarkChess>) -> Option<Outcome> {
        let game = path.current;
        let (&last, before) = path.hashes.split_last()?;
        if game.occurrences == 0 || game.turning != NO_SQUARE {
            return None;
        }
        // No position from before a capture or a flip can recur.
        let window = before.len().min(usize::from(game.quiet));
        let earlier = before[before.len() - window..].iter().filter(|h| **h == last).count();
        (earlier + 1 >= usize::from(game.occurrences)).then_some(Outcome::Draw)
    }

    fn parse_fen(text: &str, rules: &DarkRules) -> Result<DarkChess, FenError> {
        fen::parse(text, rules)
    }

    fn fen(&self) -> String {
        fen::print(self)
    }

    fn parse_move(&self, text: &str) -> Result<DarkMove, MoveError> {
        notation::parse(self, text)
    }

    fn move_token(&self, m: DarkMove) -> String {
        notation::token(m)
    }

    fn display_move(&self, m: DarkMove) -> String {
        notation::for_people(self, m)
    }

    fn diagram(&self) -> String {
        notation::diagram(self)
    }
}

impl Refereed for DarkChess {
    fn ending(&self) -> Ending {
        match self.turn() {
            Turn::Over(Outcome::Draw) => Ending::QuietMoves,
            _ if self.is_bare() => Ending::Elimination,
            _ => Ending::NoMove,
        }
    }

    fn deal(&self, mut rng: &mut dyn Rng) -> Vec<(DarkMove, DarkMove)> {
        let mut pieces: Vec<Piece> = Piece::all()
            .flat_map(|p| std::iter::repeat_n(p, usize::from(self.pool[p.index()])))
            .collect();
        shuffle(&mut rng, &mut pieces);
        let places = Squares(self.hidden).map(DarkMove::Flip);
        places.zip(pieces.into_iter().map(DarkMove::Reveal)).collect()
    }
}
