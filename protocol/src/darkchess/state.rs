//! The state and the [`Game`] implementation.

use super::board::{NEIGHBOURS, SQUARES, Squares, jumps, neighbours_of};
use super::piece::{Colour, KINDS, Kind, PIECES, Piece};
use super::rules::DarkRules;
use super::{fen, notation};
use crate::game::{FenError, Game, MoveError, Outcome, Player, Turn};
use crate::hash::{mix, zobrist};
use crate::record::Record;
use crate::rng;
use std::ops::ControlFlow;

/// A turn of a player, or what chance shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DarkMove {
    /// What lies face down on this square is turned over.
    Flip(u8),
    /// A piece moves, or takes.
    Step {
        /// Where it stands.
        from: u8,
        /// Where it goes.
        to: u8,
    },
    /// The piece that is being turned over is this one.
    Reveal(Piece),
}

/// What [`Game::undo`] needs besides the move.
#[derive(Clone, Copy, Debug)]
pub struct DarkUndo {
    hash: u64,
    quiet: u16,
    /// What was taken: a cell.
    taken: u8,
    turning: u8,
    first: Option<Colour>,
}

/// An empty square among the cells; below are the pieces' indices.
const EMPTY: u8 = 15;
/// A piece that lies face down.
const HIDDEN: u8 = 14;
/// No square.
const NOWHERE: u8 = 255;
/// More pieces of a kind there are not.
const MOST: usize = 6;

static CELL_KEYS: [u64; 15 * SQUARES] = zobrist(0xda2c_0001);
static POOL_KEYS: [u64; PIECES * MOST] = zobrist(0xda2c_0002);
static TURNING_KEYS: [u64; SQUARES] = zobrist(0xda2c_0003);
/// By player to move and by the first player's colour (red, black, not decided).
static SIDE_KEYS: [u64; 6] = zobrist(0xda2c_0004);

/// A position. About 170 bytes, copied freely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DarkChess {
    cells: [u8; SQUARES],
    sets: [u32; PIECES],
    sides: [u32; 2],
    hidden: u32,
    /// The squares that there are.
    board: u32,
    pool: [u8; PIECES],
    captured: [u8; PIECES],
    /// Pieces of each colour that are not captured.
    living: [u8; 2],
    mover: Player,
    first: Option<Colour>,
    turning: u8,
    quiet: u16,
    draw_plies: u16,
    occurrences: u8,
    hash: u64,
}

impl DarkChess {
    /// No pieces on a board of these squares; the first player is to move.
    pub(super) fn empty(board: u32, rules: &DarkRules) -> DarkChess {
        let mut state = DarkChess {
            cells: [EMPTY; SQUARES],
            sets: [0; PIECES],
            sides: [0; 2],
            hidden: 0,
            board,
            pool: [0; PIECES],
            captured: [0; PIECES],
            living: [0; 2],
            mover: Player::First,
            first: None,
            turning: NOWHERE,
            quiet: 0,
            draw_plies: rules.draw_plies,
            occurrences: rules.occurrences,
            hash: 0,
        };
        state.hash = state.hash_from_scratch();
        state
    }

    /// A position without hidden pieces on the full board: pieces on squares 0 to 31, the first
    /// player being red. Nobody is captured, whatever is missing. Of two pieces on one square the
    /// first counts.
    pub fn revealed(
        pieces: impl IntoIterator<Item = (u8, Piece)>,
        to_move: Colour,
        rules: &DarkRules,
    ) -> DarkChess {
        DarkChess::revealed_on(u32::MAX, pieces, to_move, rules)
    }

    /// The same on a board of these squares, such as [`DarkChess::board`] gives.
    pub fn revealed_on(
        board: u32,
        pieces: impl IntoIterator<Item = (u8, Piece)>,
        to_move: Colour,
        rules: &DarkRules,
    ) -> DarkChess {
        let mut state = DarkChess::empty(board, rules);
        let mover = if to_move == Colour::Red { Player::First } else { Player::Second };
        state.set_side(mover, Some(Colour::Red));
        for (square, piece) in pieces {
            let square = square % SQUARES as u8;
            if state.cells[usize::from(square)] == EMPTY {
                state.place(square, piece);
            }
        }
        state
    }

    pub(super) fn set_side(&mut self, mover: Player, first: Option<Colour>) {
        self.hash ^= self.side_key();
        (self.mover, self.first) = (mover, first);
        self.hash ^= self.side_key();
    }

    pub(super) fn set_quiet(&mut self, plies: u16) {
        self.quiet = plies;
    }

    /// Puts a piece on an empty square.
    pub(super) fn place(&mut self, square: u8, piece: Piece) {
        self.put(square, piece);
        self.living[piece.colour().index()] += 1;
    }

    pub(super) fn place_hidden(&mut self, square: u8) {
        self.cells[usize::from(square) % SQUARES] = HIDDEN;
        self.hidden |= 1 << square;
        self.hash ^= cell_key(HIDDEN, square);
    }

    /// The pieces face down, and those captured.
    pub(super) fn set_reserve(&mut self, pool: &[u8; PIECES], captured: &[u8; PIECES]) {
        for piece in Piece::all() {
            let i = piece.index();
            self.hash ^= pool_key(piece, self.pool[i]) ^ pool_key(piece, pool[i]);
            let living = &mut self.living[piece.colour().index()];
            *living = living.saturating_add(pool[i]).saturating_sub(self.pool[i]);
        }
        (self.pool, self.captured) = (*pool, *captured);
    }

    pub(super) fn set_turning(&mut self, square: u8) {
        self.turning = square;
        self.hash ^= TURNING_KEYS[usize::from(square) % SQUARES];
    }

    /// The squares of all pieces of this kind and colour that are turned over.
    #[inline]
    pub fn set(&self, piece: Piece) -> u32 {
        self.sets[piece.index()]
    }

    /// The squares of a side's pieces that are turned over.
    #[inline]
    pub fn side_set(&self, colour: Colour) -> u32 {
        self.sides[colour.index()]
    }

    /// The squares where a piece lies face down.
    #[inline]
    pub fn hidden(&self) -> u32 {
        self.hidden
    }

    /// The squares without a piece.
    #[inline]
    pub fn vacant(&self) -> u32 {
        self.board & !self.occupied()
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> u32 {
        self.sides[0] | self.sides[1] | self.hidden
    }

    /// The squares that the board has.
    pub fn board(&self) -> u32 {
        self.board
    }

    /// Files and ranks of the board.
    pub fn size(&self) -> (usize, usize) {
        let files = (self.board & 15).count_ones();
        (files as usize, (self.board.count_ones() / files.max(1)) as usize)
    }

    /// How many of each piece lie face down.
    #[inline]
    pub fn pool(&self) -> &[u8; PIECES] {
        &self.pool
    }

    /// How many of each piece have been captured.
    pub fn captured(&self) -> &[u8; PIECES] {
        &self.captured
    }

    /// Pieces of a side that are not captured, turned over or not.
    #[inline]
    pub fn living(&self, colour: Colour) -> u8 {
        self.living[colour.index()]
    }

    /// Plies since the last capture or flip.
    #[inline]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// The quiet plies at which the game is drawn; 0: never.
    pub fn draw_plies(&self) -> u16 {
        self.draw_plies
    }

    /// The square of the piece that is being turned over.
    pub fn turning(&self) -> Option<u8> {
        (self.turning != NOWHERE).then_some(self.turning)
    }

    /// The piece that stands on a square, turned over.
    #[inline]
    pub fn piece_on(&self, square: u8) -> Option<Piece> {
        Piece::from_index(usize::from(self.cells[usize::from(square) % SQUARES]))
    }

    /// The colour of a player, once it is decided.
    #[inline]
    pub fn colour_of(&self, player: Player) -> Option<Colour> {
        match player {
            Player::First => self.first,
            Player::Second => self.first.map(Colour::other),
        }
    }

    /// The player of a colour, once it is decided.
    #[inline]
    pub fn player_of(&self, colour: Colour) -> Option<Player> {
        let first = self.first?;
        Some(if first == colour { Player::First } else { Player::Second })
    }

    /// The player whose turn it is, or would be if the game were not over; who turns a piece over
    /// keeps the turn until it is shown.
    #[inline]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// The colour of [`DarkChess::mover`].
    #[inline]
    pub fn colour_to_move(&self) -> Option<Colour> {
        self.colour_of(self.mover)
    }

    /// Whether a side has no piece left, though the colours are decided.
    pub(super) fn is_bare(&self) -> bool {
        self.first.is_some() && (self.living[0] == 0 || self.living[1] == 0)
    }

    /// The same position with this many quiet plies behind it.
    #[must_use]
    pub fn with_quiet_plies(mut self, plies: u16) -> DarkChess {
        self.quiet = plies;
        self
    }

    #[inline]
    fn side_key(&self) -> u64 {
        let colour = match self.first {
            Some(Colour::Red) => 0,
            Some(Colour::Black) => 1,
            None => 2,
        };
        SIDE_KEYS[self.mover.index() * 3 + colour]
    }

    #[inline]
    fn put(&mut self, square: u8, piece: Piece) {
        let bit = 1 << (square & 31);
        self.cells[usize::from(square) % SQUARES] = piece.index() as u8;
        self.sets[piece.index()] |= bit;
        self.sides[piece.colour().index()] |= bit;
        self.hash ^= cell_key(piece.index() as u8, square);
    }

    #[inline]
    fn lift(&mut self, square: u8, piece: Piece) {
        let bit = 1 << (square & 31);
        self.cells[usize::from(square) % SQUARES] = EMPTY;
        self.sets[piece.index()] &= !bit;
        self.sides[piece.colour().index()] &= !bit;
        self.hash ^= cell_key(piece.index() as u8, square);
    }

    /// The enemy pieces that a piece of this kind and colour takes on a neighbouring square.
    #[inline]
    pub fn prey(&self, colour: Colour, kind: Kind) -> u32 {
        let enemies = &self.sets[colour.other().index() * KINDS..][..KINDS];
        let all = self.sides[colour.other().index()];
        // Each kind's prey is all but a few.
        match kind {
            Kind::King => all & !enemies[6],
            Kind::Guard => all & !enemies[0],
            Kind::Minister => all & !(enemies[0] | enemies[1]),
            Kind::Rook => all & !(enemies[0] | enemies[1] | enemies[2]),
            Kind::Knight => enemies[4] | enemies[5] | enemies[6],
            Kind::Cannon => 0,
            Kind::Pawn => enemies[0] | enemies[6],
        }
    }

    /// Where the piece of this colour and kind on `from` may go, captures included.
    #[inline]
    pub fn targets(&self, colour: Colour, kind: Kind, from: u8) -> u32 {
        let near = NEIGHBOURS[usize::from(from) % SQUARES];
        if kind == Kind::Cannon {
            let enemies = self.sides[colour.other().index()];
            return near & self.vacant() | jumps(from, self.occupied()) & enemies;
        }
        near & (self.vacant() | self.prey(colour, kind))
    }

    /// Calls `visit` with every step and capture of a colour, kings' first.
    #[inline]
    pub fn visit_steps<B>(
        &self,
        colour: Colour,
        visit: &mut impl FnMut(u8, u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (vacant, occupied) = (self.vacant(), self.occupied());
        let enemies = self.sides[colour.other().index()];
        for kind in Kind::ALL {
            let own = self.sets[Piece::new(colour, kind).index()];
            if own == 0 {
                continue;
            }
            let open = vacant | self.prey(colour, kind);
            for from in Squares(own) {
                let mut targets = NEIGHBOURS[usize::from(from)] & open;
                if kind == Kind::Cannon {
                    targets |= jumps(from, occupied) & enemies;
                }
                for to in Squares(targets) {
                    visit(from, to)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a colour has a step or a capture.
    #[inline]
    fn can_step(&self, colour: Colour) -> bool {
        // A step onto an empty square is the usual case.
        neighbours_of(self.sides[colour.index()]) & self.vacant() != 0
            || self.visit_steps(colour, &mut |_, _| ControlFlow::Break(())).is_break()
    }

    fn step(&mut self, from: u8, to: u8) -> u8 {
        let Some(piece) = self.piece_on(from) else {
            return EMPTY;
        };
        let taken = self.piece_on(to);
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
        self.turning = NOWHERE;
        self.put(square, piece);
        self.quiet = 0;
        let first = self.first.unwrap_or(match self.mover {
            Player::First => piece.colour(),
            Player::Second => piece.colour().other(),
        });
        self.set_side(self.mover.opponent(), Some(first));
    }
}

#[inline]
fn cell_key(cell: u8, square: u8) -> u64 {
    CELL_KEYS[usize::from(cell) * SQUARES + usize::from(square & 31)]
}

#[inline]
fn pool_key(piece: Piece, count: u8) -> u64 {
    POOL_KEYS[piece.index() * MOST + usize::from(count).min(MOST - 1)]
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
        if self.turning != NOWHERE { Turn::Chance } else { Turn::Player(self.mover) }
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
                let piece = self.piece_on(from);
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
                if let Some(piece) = self.piece_on(to) {
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
        if self.turning != NOWHERE {
            hash ^= TURNING_KEYS[usize::from(self.turning) % SQUARES];
        }
        hash
    }

    fn judge_path(path: &Record<DarkChess>) -> Option<Outcome> {
        let game = path.current();
        let (&last, before) = path.hashes().split_last()?;
        if game.occurrences == 0 || game.turning != NOWHERE {
            return None;
        }
        // No position from before a capture or a flip can come again.
        let window = before.len().min(usize::from(game.quiet));
        let earlier = before.iter().rev().take(window).filter(|h| **h == last).count();
        (earlier + 1 >= usize::from(game.occurrences)).then_some(Outcome::Draw)
    }

    fn deal(&self, seed: u64) -> Vec<(DarkMove, DarkMove)> {
        let mut pieces: Vec<Piece> = Piece::all()
            .flat_map(|p| std::iter::repeat_n(p, usize::from(self.pool[p.index()])))
            .collect();
        rng::shuffle(&mut rng::stream(seed, 0, "deal"), &mut pieces);
        let places = Squares(self.hidden).map(DarkMove::Flip);
        places.zip(pieces.into_iter().map(DarkMove::Reveal)).collect()
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

    fn move_for_people(&self, m: DarkMove) -> String {
        notation::for_people(self, m)
    }

    fn diagram(&self) -> String {
        notation::diagram(self)
    }
}
