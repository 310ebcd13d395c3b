//! The pieces on the board: one set per kind and side, the piece on each square, and their hash.

use super::piece::{Kind, Piece};
use super::square::{BOARD, FILES, SQUARES, Square, Squares, XiangqiMove};
use super::tables;
use crate::game::Player;
use crate::hash::zobrist;

/// Zobrist keys for (piece code, square); code 0 is unused.
static KEYS: [u64; 15 * 128] = zobrist(0x7869_616e_6771_6931);

/// A placement of pieces, not necessarily legal: see [`Board::check`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    kinds: [u128; 7],
    sides: [u128; 2],
    pieces: [Piece; SQUARES],
    hash: u64,
}

impl Default for Board {
    fn default() -> Board {
        Board { kinds: [0; 7], sides: [0; 2], pieces: [Piece::NONE; SQUARES], hash: 0 }
    }
}

impl Board {
    /// The set of all pieces of a side.
    #[inline]
    pub fn side(&self, side: Player) -> u128 {
        self.sides[side.index()]
    }

    /// The set of all pieces of a kind, of both sides.
    #[inline]
    pub fn kind(&self, kind: Kind) -> u128 {
        self.kinds[kind.index()]
    }

    /// The set of the pieces of a kind and a side.
    #[inline]
    pub fn pieces(&self, side: Player, kind: Kind) -> u128 {
        self.side(side) & self.kind(kind)
    }

    /// The set of all pieces.
    #[inline]
    pub fn occupied(&self) -> u128 {
        self.sides[0] | self.sides[1]
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Piece {
        self.pieces[square.index()]
    }

    /// The square of a side's king; the last square of the board if it has none.
    #[inline]
    pub fn king(&self, side: Player) -> Square {
        Square::from_index(self.pieces(side, Kind::King).trailing_zeros() as usize)
    }

    /// The hash of the placement, without the side to move.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The same hash, recomputed from scratch.
    pub fn hash_from_scratch(&self) -> u64 {
        Squares(self.occupied()).fold(0, |h, s| h ^ key(self.piece_at(s), s))
    }

    /// Places a piece on an empty square.
    #[inline]
    pub fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.piece_at(square).is_none());
        self.toggle(square, piece);
        self.pieces[square.index()] = piece;
    }

    /// Places pieces of one kind and side on empty squares, faster than one by one.
    #[inline]
    pub fn put_all(&mut self, squares: u128, side: Player, kind: Kind) {
        debug_assert!(squares & self.occupied() == 0);
        let piece = Piece::new(side, kind);
        self.kinds[kind.index()] |= squares;
        self.sides[side.index()] |= squares;
        for square in Squares(squares) {
            self.pieces[square.index()] = piece;
            self.hash ^= key(piece, square);
        }
    }

    /// Removes the piece on a square and returns it.
    #[inline]
    pub fn remove(&mut self, square: Square) -> Piece {
        let piece = self.piece_at(square);
        self.toggle(square, piece);
        self.pieces[square.index()] = Piece::NONE;
        piece
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        if let Some((side, kind)) = piece.split() {
            self.kinds[kind.index()] ^= square.bit();
            self.sides[side.index()] ^= square.bit();
            self.hash ^= key(piece, square);
        }
    }

    /// Moves a piece and returns what it captured.
    #[inline]
    pub fn make_move(&mut self, m: XiangqiMove) -> Piece {
        let captured = self.remove(m.to);
        let piece = self.remove(m.from);
        self.put(m.to, piece);
        captured
    }

    /// Unmakes a move.
    #[inline]
    pub fn unmake_move(&mut self, m: XiangqiMove, captured: Piece) {
        let piece = self.remove(m.to);
        self.put(m.from, piece);
        if !captured.is_none() {
            self.put(m.to, captured);
        }
    }

    /// The destinations of a piece of a kind on one square, own pieces not excluded. A king's
    /// capture of a facing king is not included.
    #[inline(always)]
    pub fn destinations(&self, side: Player, kind: Kind, s: usize) -> u128 {
        let occupied = self.occupied();
        match kind {
            Kind::King => tables::king(s),
            Kind::Advisor => tables::advisor(s),
            Kind::Elephant => tables::elephant(s, occupied),
            Kind::Pawn => tables::pawns(side, 1 << s),
            Kind::Rook => tables::rook(s, occupied),
            Kind::Horse => tables::horse(s, occupied),
            Kind::Cannon => tables::cannon(s, occupied),
        }
    }

    /// Whether `by`, without its pieces on the squares of `gone`, attacks square `s` if the pieces
    /// stand on `occupied`. A king attacks along its open file.
    #[inline]
    pub fn attacked(&self, by: Player, s: usize, occupied: u128, gone: u128) -> bool {
        let theirs = self.side(by) & !gone;
        if theirs & self.kind(Kind::Pawn) & tables::pawns_back(by, s) != 0 {
            return true;
        }
        let horses = theirs & self.kind(Kind::Horse);
        if horses & tables::horse_pattern(s) != 0 && horses & tables::horse_back(s, occupied) != 0 {
            return true;
        }
        let straight = theirs & (self.kind(Kind::Rook) | self.kind(Kind::King));
        let cannons = theirs & self.kind(Kind::Cannon);
        if (straight | cannons) & tables::LINES[s] == 0 {
            return false;
        }
        (0..4).any(|direction| {
            let ray = tables::Ray::new(direction, s);
            if (straight | cannons) & ray.squares() == 0 {
                return false;
            }
            let pieces = occupied & ray.squares();
            let first = ray.nearest(pieces);
            first & straight != 0 || ray.nearest(pieces ^ first) & cannons != 0
        })
    }

    /// Whether a side's king is attacked, the facing king included.
    #[inline]
    pub fn in_check(&self, side: Player) -> bool {
        let king = self.king(side).index();
        self.attacked(side.opponent(), king, self.occupied(), 0)
    }

    /// Whether the kings face each other on an open file.
    pub fn kings_face(&self) -> bool {
        let (a, b) = (self.king(Player::First), self.king(Player::Second));
        let between = BOARD & !(a.bit() | (a.bit() - 1)) & (b.bit() - 1);
        let file = (0..SQUARES).step_by(FILES).fold(0, |set, s| set | 1u128 << (s + a.file()));
        a.file() == b.file() && self.occupied() & between & file == 0
    }

    /// Whether this is a valid placement, one of those that are counted and indexed: each king
    /// once, no more pieces of a kind than at the start, every piece where it can stand, and at
    /// most one pawn per file before the river. Checks and facing kings do not matter.
    pub fn check(&self) -> Result<(), String> {
        for side in Player::BOTH {
            for kind in Kind::ALL {
                self.check_kind(side, kind)?;
            }
            let home = self.pieces(side, Kind::Pawn) & super::piece::home_half(side);
            let mut files = [false; FILES];
            for square in Squares(home) {
                if std::mem::replace(&mut files[square.file()], true) {
                    return Err(format!(
                        "two pawns of one side on file {} before the river; a pawn leaves its file \
                         only beyond it",
                        char::from(b'a' + square.file() as u8)
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_kind(&self, side: Player, kind: Kind) -> Result<(), String> {
        let set = self.pieces(side, kind);
        let letter = Piece::new(side, kind).letter();
        let (count, most) = (set.count_ones(), kind.initial_count());
        if count > most || kind == Kind::King && count != 1 {
            let wanted = if kind == Kind::King { "exactly" } else { "at most" };
            return Err(format!("{count} `{letter}` ({}s), expected {wanted} {most}", kind.name()));
        }
        match Squares(set & !kind.domain(side)).next() {
            None => Ok(()),
            Some(square) => {
                let name = kind.name();
                Err(format!("`{letter}` on {square}, where that {name} can never stand"))
            }
        }
    }
}

#[inline]
fn key(piece: Piece, square: Square) -> u64 {
    KEYS[piece.code() << 7 | square.index()]
}
