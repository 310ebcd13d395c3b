//! The game state and its queries.

use super::board::{FILES, NEIGHBOURS, SQUARES, Squares, jumps, neighbours_of};
use super::piece::{Colour, KINDS, Kind, PIECES, Piece};
use super::rules::DarkRules;
use crate::game::{Game, Player};
use crate::hash::zobrist;
use std::ops::ControlFlow;

/// A player's decision, or a chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DarkMove {
    /// The face-down piece on this square is flipped.
    Flip(u8),
    /// A piece moves or captures.
    Step {
        /// The origin.
        from: u8,
        /// The destination.
        to: u8,
    },
    /// The piece being flipped is this one.
    Reveal(Piece),
}

/// The data that [`Game::undo`] needs besides the move.
#[derive(Clone, Copy, Debug)]
pub struct DarkUndo {
    pub(super) hash: u64,
    pub(super) quiet: u16,
    /// The captured piece, as a cell.
    pub(super) taken: u8,
    pub(super) turning: u8,
    pub(super) first: Option<Colour>,
}

/// An empty square among the cells; lower values are piece indices.
pub(super) const EMPTY: u8 = 15;
/// A face-down piece.
pub(super) const HIDDEN: u8 = 14;
/// No square.
pub(super) const NO_SQUARE: u8 = 255;
/// Upper bound on the number of pieces of a kind and colour.
const MOST: usize = 6;

static CELL_KEYS: [u64; 15 * SQUARES] = zobrist(0xda2c_0001);
static POOL_KEYS: [u64; PIECES * MOST] = zobrist(0xda2c_0002);
pub(super) static TURNING_KEYS: [u64; SQUARES] = zobrist(0xda2c_0003);
/// Indexed by player to move and by the first player's colour (red, black, undecided).
static SIDE_KEYS: [u64; 6] = zobrist(0xda2c_0004);

/// A position of about 170 bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DarkChess {
    pub(super) cells: [u8; SQUARES],
    pub(super) sets: [u32; PIECES],
    pub(super) sides: [u32; 2],
    pub(super) hidden: u32,
    /// The squares of the board.
    pub(super) board: u32,
    pub(super) pool: [u8; PIECES],
    pub(super) captured: [u8; PIECES],
    /// Uncaptured pieces of each colour.
    pub(super) living: [u8; 2],
    pub(super) mover: Player,
    pub(super) first: Option<Colour>,
    pub(super) turning: u8,
    pub(super) quiet: u16,
    pub(super) draw_plies: u16,
    pub(super) occurrences: u8,
    pub(super) hash: u64,
}

impl DarkChess {
    /// An empty board with these squares; the first player is to move.
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
            turning: NO_SQUARE,
            quiet: 0,
            draw_plies: rules.draw_plies,
            occurrences: rules.occurrences,
            hash: 0,
        };
        state.hash = state.hash_from_scratch();
        state
    }

    /// A position without face-down pieces on the full board, with pieces on squares 0 to 31; the
    /// first player is red. Missing pieces do not count as captured. Of two pieces on one square,
    /// the first is used.
    pub fn revealed(
        pieces: impl IntoIterator<Item = (u8, Piece)>,
        to_move: Colour,
        rules: &DarkRules,
    ) -> DarkChess {
        DarkChess::revealed_on(u32::MAX, pieces, to_move, rules)
    }

    /// The same on a board with these squares, such as [`DarkChess::board`] returns.
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

    /// Places a piece on an empty square.
    pub(super) fn place(&mut self, square: u8, piece: Piece) {
        self.put(square, piece);
        self.living[piece.colour().index()] += 1;
    }

    pub(super) fn place_hidden(&mut self, square: u8) {
        self.cells[usize::from(square) % SQUARES] = HIDDEN;
        self.hidden |= 1 << square;
        self.hash ^= cell_key(HIDDEN, square);
    }

    /// Sets the face-down pieces and the captured ones.
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

    /// The squares of all face-up pieces of this kind and colour.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> u32 {
        self.sets[piece.index()]
    }

    /// The squares of a side's face-up pieces.
    #[inline]
    pub fn side_pieces(&self, colour: Colour) -> u32 {
        self.sides[colour.index()]
    }

    /// The squares with face-down pieces.
    #[inline]
    pub fn hidden(&self) -> u32 {
        self.hidden
    }

    /// The empty squares.
    #[inline]
    pub fn vacant(&self) -> u32 {
        self.board & !self.occupied()
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> u32 {
        self.sides[0] | self.sides[1] | self.hidden
    }

    /// The squares of the board.
    pub fn board(&self) -> u32 {
        self.board
    }

    /// Files and ranks of the board.
    pub fn size(&self) -> (usize, usize) {
        let files = (self.board & 15).count_ones();
        (files as usize, (self.board.count_ones() / files.max(1)) as usize)
    }

    /// The number of face-down pieces of each kind and colour.
    #[inline]
    pub fn pool(&self) -> &[u8; PIECES] {
        &self.pool
    }

    /// The number of captured pieces of each kind and colour.
    pub fn captured(&self) -> &[u8; PIECES] {
        &self.captured
    }

    /// The number of a side's uncaptured pieces, face up or face down.
    #[inline]
    pub fn piece_count(&self, colour: Colour) -> u8 {
        self.living[colour.index()]
    }

    /// Plies since the last capture or flip.
    #[inline]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// The number of quiet plies that draws the game; 0: never.
    pub fn draw_plies(&self) -> u16 {
        self.draw_plies
    }

    /// The square of the piece that is being flipped.
    pub fn turning(&self) -> Option<u8> {
        (self.turning != NO_SQUARE).then_some(self.turning)
    }

    /// The face-up piece on a square.
    #[inline]
    pub fn piece_at(&self, square: u8) -> Option<Piece> {
        Piece::from_index(usize::from(self.cells[usize::from(square) % SQUARES]))
    }

    /// The letter of a square, `?` for a face-down piece; `None` if it is empty.
    pub(super) fn letter_at(&self, file: usize, rank: usize) -> Option<char> {
        let square = (rank * FILES + file) as u8;
        let hidden = self.hidden >> (square & 31) & 1 != 0;
        self.piece_at(square).map(Piece::letter).or(hidden.then_some('?'))
    }

    /// The colour of a player, once it is decided.
    #[inline]
    pub fn colour_of(&self, player: Player) -> Option<Colour> {
        match player {
            Player::First => self.first,
            Player::Second => self.first.map(Colour::other),
        }
    }

    /// The player to move, also after the end of the game; a player who flips a piece stays to move
    /// until it is revealed.
    #[inline]
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// The colour of [`DarkChess::mover`].
    #[inline]
    pub fn colour_to_move(&self) -> Option<Colour> {
        self.colour_of(self.mover)
    }

    /// Whether a side has no piece left once the colours are decided.
    pub(super) fn is_bare(&self) -> bool {
        self.first.is_some() && (self.living[0] == 0 || self.living[1] == 0)
    }

    #[inline]
    pub(super) fn side_key(&self) -> u64 {
        let colour = match self.first {
            Some(Colour::Red) => 0,
            Some(Colour::Black) => 1,
            None => 2,
        };
        SIDE_KEYS[self.mover.index() * 3 + colour]
    }

    #[inline]
    pub(super) fn put(&mut self, square: u8, piece: Piece) {
        let bit = 1 << (square & 31);
        self.cells[usize::from(square) % SQUARES] = piece.index() as u8;
        self.sets[piece.index()] |= bit;
        self.sides[piece.colour().index()] |= bit;
        self.hash ^= cell_key(piece.index() as u8, square);
    }

    #[inline]
    pub(super) fn lift(&mut self, square: u8, piece: Piece) {
        let bit = 1 << (square & 31);
        self.cells[usize::from(square) % SQUARES] = EMPTY;
        self.sets[piece.index()] &= !bit;
        self.sides[piece.colour().index()] &= !bit;
        self.hash ^= cell_key(piece.index() as u8, square);
    }

    /// The enemy pieces that a piece of this kind and colour captures on a neighbouring square.
    #[inline]
    pub fn capturable(&self, colour: Colour, kind: Kind) -> u32 {
        let enemies = &self.sets[colour.other().index() * KINDS..][..KINDS];
        let all = self.sides[colour.other().index()];
        // Each kind captures all enemy kinds but a few.
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

    /// The destinations of the piece of this colour and kind on `from`, captures included.
    #[inline]
    pub fn targets(&self, colour: Colour, kind: Kind, from: u8) -> u32 {
        let near = NEIGHBOURS[usize::from(from) % SQUARES];
        if kind == Kind::Cannon {
            let enemies = self.sides[colour.other().index()];
            return near & self.vacant() | jumps(from, self.occupied()) & enemies;
        }
        near & (self.vacant() | self.capturable(colour, kind))
    }

    /// Calls `visit` for every step and capture of a colour, kings first.
    #[inline]
    pub fn visit_steps<B>(
        &self,
        colour: Colour,
        visit: &mut impl FnMut(u8, u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_targets(colour, &mut |from, targets| {
            Squares(targets).try_for_each(|to| visit(from, to))
        })
    }

    /// Calls `visit` for every piece of a colour with its destinations, perhaps none, kings first.
    #[inline]
    pub(super) fn visit_targets<B>(
        &self,
        colour: Colour,
        visit: &mut impl FnMut(u8, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (vacant, occupied) = (self.vacant(), self.occupied());
        let enemies = self.sides[colour.other().index()];
        for kind in Kind::ALL {
            let own = self.sets[Piece::new(colour, kind).index()];
            if own == 0 {
                continue;
            }
            let open = vacant | self.capturable(colour, kind);
            for from in Squares(own) {
                let mut targets = NEIGHBOURS[usize::from(from)] & open;
                if kind == Kind::Cannon {
                    targets |= jumps(from, occupied) & enemies;
                }
                visit(from, targets)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a colour has a step or a capture.
    #[inline]
    pub(super) fn can_step(&self, colour: Colour) -> bool {
        // A step onto an empty square is the usual case.
        neighbours_of(self.sides[colour.index()]) & self.vacant() != 0
            || self.visit_steps(colour, &mut |_, _| ControlFlow::Break(())).is_break()
    }
}

#[inline]
pub(super) fn cell_key(cell: u8, square: u8) -> u64 {
    CELL_KEYS[usize::from(cell) * SQUARES + usize::from(square & 31)]
}

#[inline]
pub(super) fn pool_key(piece: Piece, count: u8) -> u64 {
    POOL_KEYS[piece.index() * MOST + usize::from(count).min(MOST - 1)]
}
