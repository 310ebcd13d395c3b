//! The position: its state, setup and queries.

use super::attacks;
use super::lines::LineOccupancy;
use super::moves::Move;
use agon_games::hash::{mix, zobrist};
use agon_games::xiangqi::{Board, Kind, Piece, SQUARES, Square, Squares, Xiangqi, XiangqiRules};
use agon_games::{Game, Player, Record};

/// The code of an empty square; the code of a piece is `7 * side + kind`.
pub const EMPTY: usize = 14;

/// Zobrist keys of a piece on a square, 128 squares apart; 0 for an empty square.
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
/// The Zobrist key of Black to move.
pub(super) const SIDE_KEY: u64 = mix(0x7869_616e_6773_6964);

/// The Zobrist key of a piece on a square; 0 for no piece.
#[inline]
pub(super) fn key_of(piece: usize, s: usize) -> u64 {
    KEYS[(piece << 7 | s) & (KEYS.len() - 1)]
}

/// A move made, with state that unmaking it cannot recompute.
#[derive(Clone, Copy, Debug)]
pub struct UndoState {
    /// The hash before the move.
    pub key: u64,
    /// The structure key before the move.
    pub structure_key: u64,
    /// Plies without a capture before the move.
    pub quiet_plies: u16,
    /// The move.
    pub m: Move,
    /// The piece that moved; [`EMPTY`] for a null move.
    pub piece: u8,
    /// The captured piece, or [`EMPTY`].
    pub captured: u8,
    /// Whether the side that made the move was in check before it.
    pub was_in_check: bool,
}

/// A position with its move history.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) squares: [u8; 128],
    /// Bitboards by piece code.
    pub(super) pieces: [u128; 14],
    /// Bitboards by side.
    pub(super) sides: [u128; 2],
    pub(super) lines: LineOccupancy,
    pub(super) side: usize,
    pub(super) key: u64,
    /// The hash of pawns, advisors and elephants.
    pub(super) structure_key: u64,
    pub(super) piece_count: u8,
    pub(super) counts: [u8; 14],
    pub(super) quiet_plies: u16,
    pub(super) in_check: bool,
    /// The moves that led here, as far back as a repetition can reach.
    pub(super) past: Vec<UndoState>,
    pub(super) rules: XiangqiRules,
}

impl Position {
    /// A position without history.
    pub fn from_game(game: &Xiangqi) -> Position {
        let mut position = Position {
            squares: [EMPTY as u8; 128],
            pieces: [0; 14],
            sides: [0; 2],
            lines: LineOccupancy::default(),
            side: game.side_to_move().index(),
            key: if game.side_to_move() == Player::First { 0 } else { SIDE_KEY },
            structure_key: 0,
            piece_count: 0,
            counts: [0; 14],
            quiet_plies: game.quiet_plies(),
            in_check: false,
            past: Vec::with_capacity(256),
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

    /// The current position of a record, with the part of its history that can be repeated.
    pub fn from_record(record: &Record<Xiangqi>) -> Position {
        let quiet = usize::from(record.current().quiet_plies());
        let moves = record.moves();
        let first = moves.len() - quiet.min(moves.len());
        let mut game = record.start().clone();
        for &m in &moves[..first] {
            game.play(m);
        }
        let mut position = Position::from_game(&game);
        for &m in &moves[first..] {
            position.play(Move::from_rules(m));
        }
        position
    }

    /// Converts to the protocol's board.
    pub fn board(&self) -> Board {
        let mut board = Board::default();
        attacks::for_each(self.occupied(), |s| {
            if let Some((side, kind)) = split(self.piece_at(s)) {
                board.put(Square::from_index(s), Piece::new(attacks::player(side), kind));
            }
        });
        board
    }

    /// The code of the piece on a square, or [`EMPTY`].
    #[inline]
    pub fn piece_at(&self, s: usize) -> usize {
        usize::from(self.squares[s & 127])
    }

    /// The bitboard of a side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, side: usize, kind: Kind) -> u128 {
        self.pieces[7 * side + kind.index()]
    }

    /// The bitboard of a side's pieces.
    #[inline]
    pub fn side_pieces(&self, side: usize) -> u128 {
        self.sides[side & 1]
    }

    /// The bitboard of all pieces.
    #[inline]
    pub fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// The occupancy of ranks and files.
    #[inline]
    pub fn lines(&self) -> &LineOccupancy {
        &self.lines
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, side: usize) -> usize {
        (self.pieces(side, Kind::King).trailing_zeros() as usize).min(SQUARES - 1)
    }

    /// The side to move: 0 for Red, 1 for Black.
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
    pub fn structure_key(&self) -> u64 {
        self.structure_key
    }

    /// The number of pieces on the board, both kings included.
    #[inline]
    pub fn piece_count(&self) -> u32 {
        u32::from(self.piece_count)
    }

    /// The number of a side's pieces of a kind.
    #[inline]
    pub fn count(&self, side: usize, kind: Kind) -> i32 {
        i32::from(self.counts[7 * side + kind.index()])
    }

    /// Plies since the last capture or null move.
    #[inline]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The number of plies without a capture after which the game is drawn; 0 for no limit.
    #[inline]
    pub fn draw_plies(&self) -> u16 {
        self.rules.draw_plies
    }

    /// Whether the limit of plies without a capture is reached. Mate takes precedence; the caller
    /// must check for it.
    #[inline]
    pub fn reached_move_limit(&self) -> bool {
        self.rules.draw_plies != 0 && self.quiet_plies >= self.rules.draw_plies
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.in_check
    }

    /// The last move; none at the start and after a null move.
    pub fn last(&self) -> Move {
        self.past.last().map_or(Move::NONE, |step| step.m)
    }

    /// The moves that led here.
    #[inline]
    pub fn past(&self) -> &[UndoState] {
        &self.past
    }

    /// The key of the position after the first `count` moves of [`Position::past`].
    #[inline]
    pub fn key_at(&self, count: usize) -> u64 {
        self.past.get(count).map_or(self.key, |step| step.key)
    }

    /// Whether a move is a capture.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        self.piece_at(m.to()) < EMPTY
    }

    /// The kind of the captured piece.
    #[inline]
    pub fn victim(&self, m: Move) -> Option<Kind> {
        let piece = self.piece_at(m.to());
        if piece < EMPTY { split(piece).map(|p| p.1) } else { None }
    }

    /// Whether a side has a rook, horse or cannon.
    #[inline]
    pub fn has_pieces(&self, side: usize) -> bool {
        let count = |kind| self.count(side, kind);
        count(Kind::Rook) + count(Kind::Horse) + count(Kind::Cannon) != 0
    }

    /// Whether a move is pseudo-legal: its piece can make it, ignoring the king's safety. `m` may
    /// have any value.
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if from >= SQUARES || to >= SQUARES || from == to {
            return false;
        }
        let Some((side, kind)) = split(self.piece_at(from)) else { return false };
        if side != self.side || self.side_pieces(side) >> to & 1 == 1 {
            return false;
        }
        let targets = match kind {
            Kind::Rook => self.lines.rook_and_cannon(from).0,
            Kind::Cannon => {
                let (slides, captures) = self.lines.rook_and_cannon(from);
                slides & !self.occupied() | captures
            }
            _ => attacks::step(side, kind, from, self.occupied()),
        };
        targets >> to & 1 == 1
    }
}

/// Side and kind of a piece code.
#[inline]
pub fn split(piece: usize) -> Option<(usize, Kind)> {
    let kind = *Kind::ALL.get(piece.checked_sub(7).unwrap_or(piece))?;
    Some((usize::from(piece >= 7), kind))
}
