//! The board as the search wants it: sets and squares, ranks and files as bits for the slides, the
//! hash, the placement's value kept up to date, and the path behind the position for repetitions.
//!
//! The rules proper stay with `agon_protocol::xiangqi`; tests compare the two.

pub mod attacks;
mod generate;
mod path;
mod see;
mod sight;
#[cfg(test)]
mod tests;

pub use generate::{MOST_MOVES, MoveList, Quiets};
pub use see::VALUES;
pub use sight::{Cover, Sight};

use crate::evaluation::{PLACES, phase_of};
use agon_protocol::hash::{mix, zobrist};
use agon_protocol::xiangqi::{
    Board, Kind, Piece, SQUARES, Square, Squares, Xiangqi, XiangqiMove, XiangqiRules,
};
use agon_protocol::{Game, Player, Record};
use attacks::Grid;

/// A move: from and to in seven bits each. Neither equals the other in a real one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Move(pub u16);

impl Move {
    /// No move.
    pub const NONE: Move = Move(0);

    /// A move between two squares.
    #[inline]
    pub const fn new(from: usize, to: usize) -> Move {
        Move((from << 7 | to) as u16)
    }

    /// The square it leaves.
    #[inline]
    pub const fn from(self) -> usize {
        (self.0 >> 7) as usize & 127
    }

    /// The square it goes to.
    #[inline]
    pub const fn to(self) -> usize {
        self.0 as usize & 127
    }

    /// Both squares together, below [`Move::PAIRS`].
    #[inline]
    pub const fn pair(self) -> usize {
        self.0 as usize & (Move::PAIRS - 1)
    }

    /// How many values [`Move::pair`] can take.
    pub const PAIRS: usize = 1 << 14;

    /// As the rules write it.
    pub fn of_rules(m: XiangqiMove) -> Move {
        Move::new(m.from.index(), m.to.index())
    }

    /// For the rules.
    pub fn for_rules(self) -> XiangqiMove {
        XiangqiMove { from: Square::from_index(self.from()), to: Square::from_index(self.to()) }
    }
}

/// The code of an empty square; pieces are `7 * side + kind`.
pub const EMPTY: usize = 14;

/// Keys for a piece on a square, 128 apart; nothing for an empty square.
static KEYS: [u64; 16 * 128] = {
    const PIECES: [u64; 14 * 128] = zobrist(0x7869_616e_6773_6561);
    let mut table = [0; 16 * 128];
    let mut i = 0;
    while i < PIECES.len() {
        table[i] = PIECES[i];
        i += 1;
    }
    table
};

/// The key of a piece on a square; 0 for none.
#[inline]
fn key_of(piece: usize, s: usize) -> u64 {
    KEYS[(piece << 7 | s) & (KEYS.len() - 1)]
}
/// All ones for the pieces of the structure: advisors, elephants and pawns.
static STRUCTURE: [u64; 14] = {
    let mut masks = [0; 14];
    let mut kind = 1;
    while kind <= 3 {
        masks[kind] = u64::MAX;
        masks[7 + kind] = u64::MAX;
        kind += 1;
    }
    masks
};
const SIDE_KEY: u64 = mix(0x7869_616e_6773_6964);

/// What a move changed that cannot be computed back, and what the rules ask about the path.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The position before the move.
    key: u64,
    structure: u64,
    places: i32,
    quiet: u16,
    m: Move,
    captured: u8,
    phase: u8,
    /// Whether the side that made the move was in check before it.
    was_in_check: bool,
}

/// A position with its past.
#[derive(Clone, Debug)]
pub struct Position {
    squares: [u8; 128],
    sets: [u128; 14],
    sides: [u128; 2],
    grid: Grid,
    side: usize,
    key: u64,
    /// The hash of the pieces that seldom move: pawns, advisors, elephants.
    structure: u64,
    places: i32,
    phase: u8,
    /// Pieces on the board, kings included, and how many of each.
    number: u8,
    counts: [u8; 14],
    quiet: u16,
    in_check: bool,
    /// Moves that led here, as far back as a repetition can reach.
    path: Vec<Step>,
    /// How many of them are not the search's own.
    played: usize,
    rules: XiangqiRules,
}

impl Position {
    /// A position without a past.
    pub fn of(game: &Xiangqi) -> Position {
        let mut position = Position {
            squares: [EMPTY as u8; 128],
            sets: [0; 14],
            sides: [0; 2],
            grid: Grid::default(),
            side: game.side_to_move().index(),
            key: if game.side_to_move() == Player::First { 0 } else { SIDE_KEY },
            structure: 0,
            places: 0,
            phase: 0,
            number: 0,
            counts: [0; 14],
            quiet: game.quiet_plies(),
            in_check: false,
            path: Vec::with_capacity(256),
            played: 0,
            rules: *game.rules(),
        };
        for square in Squares(game.board().occupied()) {
            if let Some((side, kind)) = game.board().piece_at(square).split() {
                position.put(square.index(), 7 * side.index() + kind.index());
            }
        }
        position.in_check = position.attacked(position.side);
        position
    }

    /// The current position of a record, with the part of its past that may come again.
    pub fn of_record(record: &Record<Xiangqi>) -> Position {
        let quiet = usize::from(record.current().quiet_plies());
        let moves = record.moves();
        let first = moves.len() - quiet.min(moves.len());
        let mut game = record.start().clone();
        for &m in &moves[..first] {
            game.play(m);
        }
        let mut position = Position::of(&game);
        for &m in &moves[first..] {
            position.play(Move::of_rules(m));
        }
        position.played = position.path.len();
        position
    }

    /// The placement for the rules.
    pub fn board(&self) -> Board {
        let mut board = Board::default();
        attacks::each(self.occupied(), |s| {
            if let Some((side, kind)) = split(self.on(s)) {
                board.put(Square::from_index(s), Piece::new(attacks::player(side), kind));
            }
        });
        board
    }

    #[inline]
    fn put(&mut self, s: usize, piece: usize) {
        self.squares[s & 127] = piece as u8;
        let side = usize::from(piece >= 7);
        self.sets[piece] ^= attacks::bit(s);
        self.sides[side] ^= attacks::bit(s);
        self.grid.toggle(s, side);
        let key = key_of(piece, s);
        self.key ^= key;
        self.structure ^= key & STRUCTURE[piece];
        self.places += PLACES[piece][s];
        self.phase += phase_of(piece);
        self.number += 1;
        self.counts[piece] += 1;
    }

    /// Makes a pseudo-legal move.
    #[inline]
    pub fn play(&mut self, m: Move) {
        self.play_knowing(m, false);
        self.in_check = self.attacked(self.side);
    }

    /// Makes a pseudo-legal move of which it is known whether it gives check.
    #[inline]
    pub fn play_knowing(&mut self, m: Move, check: bool) {
        let (from, to) = (m.from(), m.to());
        let piece = self.on(from);
        let captured = self.on(to);
        self.path.push(Step {
            key: self.key,
            structure: self.structure,
            places: self.places,
            quiet: self.quiet,
            m,
            captured: captured as u8,
            phase: self.phase,
            was_in_check: self.in_check,
        });
        let keys = key_of(piece, from) ^ key_of(piece, to);
        let mut key = self.key ^ SIDE_KEY ^ keys;
        let mut structure = self.structure ^ keys & STRUCTURE[piece];
        let mut places = self.places + PLACES[piece][to] - PLACES[piece][from];
        self.quiet = self.quiet.saturating_add(1);
        if captured < EMPTY {
            let taken = key_of(captured, to);
            key ^= taken;
            structure ^= taken & STRUCTURE[captured];
            places -= PLACES[captured][to];
            self.sets[captured] ^= attacks::bit(to);
            self.sides[self.side ^ 1] ^= attacks::bit(to);
            self.grid.toggle(to, self.side ^ 1);
            self.phase -= phase_of(captured);
            self.number -= 1;
            self.counts[captured] -= 1;
            self.quiet = 0;
        }
        let both = attacks::bit(from) | attacks::bit(to);
        self.sets[piece] ^= both;
        self.sides[self.side] ^= both;
        self.grid.toggle(from, self.side);
        self.grid.toggle(to, self.side);
        self.squares[from] = EMPTY as u8;
        self.squares[to] = piece as u8;
        (self.key, self.structure, self.places) = (key, structure, places);
        self.side ^= 1;
        self.in_check = check;
    }

    /// The key of the position after a pseudo-legal move.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to) = (m.from(), m.to());
        let piece = self.on(from);
        self.key ^ SIDE_KEY ^ key_of(piece, from) ^ key_of(piece, to) ^ key_of(self.on(to), to)
    }

    /// The key of the position after a pass.
    #[inline]
    pub fn key_after_pass(&self) -> u64 {
        self.key ^ SIDE_KEY
    }

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self) {
        let Some(step) = self.path.pop() else { return };
        let (from, to) = (step.m.from(), step.m.to());
        let captured = usize::from(step.captured);
        self.side ^= 1;
        let piece = self.on(to);
        let both = attacks::bit(from) | attacks::bit(to);
        self.sets[piece] ^= both;
        self.sides[self.side] ^= both;
        self.grid.toggle(from, self.side);
        self.grid.toggle(to, self.side);
        self.squares[from] = piece as u8;
        self.squares[to] = captured as u8;
        if captured < EMPTY {
            self.sets[captured] ^= attacks::bit(to);
            self.sides[self.side ^ 1] ^= attacks::bit(to);
            self.grid.toggle(to, self.side ^ 1);
            self.number += 1;
            self.counts[captured] += 1;
        }
        self.restore(&step);
    }

    fn restore(&mut self, step: &Step) {
        self.key = step.key;
        self.structure = step.structure;
        self.places = step.places;
        self.phase = step.phase;
        self.quiet = step.quiet;
        self.in_check = step.was_in_check;
    }

    /// Gives the turn away, where the side to move is not in check.
    pub fn pass(&mut self) {
        self.path.push(Step {
            key: self.key,
            structure: self.structure,
            places: self.places,
            quiet: self.quiet,
            m: Move::NONE,
            captured: EMPTY as u8,
            phase: self.phase,
            was_in_check: self.in_check,
        });
        // No position from before a pass can come again.
        self.quiet = 0;
        self.side ^= 1;
        self.key ^= SIDE_KEY;
        self.in_check = self.attacked(self.side);
    }

    /// Takes a pass back.
    pub fn unpass(&mut self) {
        let Some(step) = self.path.pop() else { return };
        self.side ^= 1;
        self.restore(&step);
    }

    /// The piece on a square, or [`EMPTY`].
    #[inline]
    pub fn on(&self, s: usize) -> usize {
        usize::from(self.squares[s & 127])
    }

    /// The set of the pieces of a kind and a side.
    #[inline]
    pub fn set(&self, side: usize, kind: Kind) -> u128 {
        self.sets[7 * side + kind.index()]
    }

    /// The set of the pieces of a side.
    #[inline]
    pub fn pieces(&self, side: usize) -> u128 {
        self.sides[side & 1]
    }

    /// The set of all pieces.
    #[inline]
    pub fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// Ranks and files as bits.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, side: usize) -> usize {
        (self.set(side, Kind::King).trailing_zeros() as usize).min(SQUARES - 1)
    }

    /// Whose turn it is: 0 for Red, 1 for Black.
    #[inline]
    pub fn side(&self) -> usize {
        self.side
    }

    /// The hash of the placement and the side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The hash of pawns, advisors and elephants.
    #[inline]
    pub fn structure(&self) -> u64 {
        self.structure
    }

    /// The sum of the values of the pieces where they stand, for Red, as a tapered pair.
    #[inline]
    pub fn places(&self) -> i32 {
        self.places
    }

    /// How much of the attacking material is left, 0 to [`crate::evaluation::PHASES`].
    #[inline]
    pub fn phase(&self) -> i32 {
        i32::from(self.phase)
    }

    /// How many pieces are on the board, both kings included.
    #[inline]
    pub fn number(&self) -> u32 {
        u32::from(self.number)
    }

    /// How many pieces of a kind a side has.
    #[inline]
    pub fn count(&self, side: usize, kind: Kind) -> i32 {
        i32::from(self.counts[7 * side + kind.index()])
    }

    /// Plies since the last capture or pass.
    #[inline]
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// After how many plies without a capture the game is drawn; 0 for never.
    #[inline]
    pub fn draw_plies(&self) -> u16 {
        self.rules.draw_plies
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.in_check
    }

    /// The last move; none at the beginning and after a pass.
    pub fn last(&self) -> Move {
        self.path.last().map_or(Move::NONE, |step| step.m)
    }

    /// Whether a move takes something.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.on(m.to()) < EMPTY
    }

    /// Whether a side has a piece that can cross the river.
    #[inline]
    pub fn has_attackers(&self, side: usize) -> bool {
        self.has_pieces(side) || self.count(side, Kind::Pawn) != 0
    }

    /// Whether a side has a rook, horse or cannon.
    #[inline]
    pub fn has_pieces(&self, side: usize) -> bool {
        let count = |kind| self.count(side, kind);
        count(Kind::Rook) + count(Kind::Horse) + count(Kind::Cannon) != 0
    }

    /// Whether a move is one that its piece can make, the king's safety aside. Any value will do
    /// for `m`.
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if from >= SQUARES || to >= SQUARES || from == to {
            return false;
        }
        let Some((side, kind)) = split(self.on(from)) else { return false };
        if side != self.side || self.pieces(side) >> to & 1 == 1 {
            return false;
        }
        let reach = match kind {
            Kind::Rook => self.grid.straight(from).0,
            Kind::Cannon => {
                let (slide, jump) = self.grid.straight(from);
                slide & !self.occupied() | jump
            }
            _ => attacks::step(side, kind, from, self.occupied()),
        };
        reach >> to & 1 == 1
    }
}

/// Side and kind of a piece.
#[inline]
pub fn split(piece: usize) -> Option<(usize, Kind)> {
    let kind = *Kind::ALL.get(piece.checked_sub(7).unwrap_or(piece))?;
    Some((usize::from(piece >= 7), kind))
}
