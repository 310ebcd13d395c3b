//! The pieces: kinds, letters, codes, and the squares on which each can ever stand.

use super::square::{BOARD, FILES, RED_HALF, SQUARES};
use crate::game::Player;

/// A kind of piece, in the order used by counts and indices: the most confined first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// General, one step inside the palace.
    King,
    /// Guard, one diagonal step inside the palace.
    Advisor,
    /// Minister, two diagonal steps on its own side of the river.
    Elephant,
    /// Soldier, one step forward, or also sideways after crossing the river.
    Pawn,
    /// Chariot.
    Rook,
    /// One step straight and one outward diagonally; a piece on the first square blocks it.
    Horse,
    /// Moves like a rook, captures by jumping over exactly one piece.
    Cannon,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 7] = [
        Kind::King,
        Kind::Advisor,
        Kind::Elephant,
        Kind::Pawn,
        Kind::Rook,
        Kind::Horse,
        Kind::Cannon,
    ];

    /// Its index in [`Kind::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The number per side at the start.
    pub const fn initial_count(self) -> u32 {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }

    /// The upper-case letter in a FEN.
    pub const fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Advisor => 'A',
            Kind::Elephant => 'B',
            Kind::Pawn => 'P',
            Kind::Rook => 'R',
            Kind::Horse => 'N',
            Kind::Cannon => 'C',
        }
    }

    /// The kind of a letter of either case; `E` and `H` are accepted for elephant and horse.
    pub fn from_letter(letter: char) -> Option<Kind> {
        let capital = match letter.to_ascii_uppercase() {
            'E' => 'B',
            'H' => 'N',
            other => other,
        };
        Kind::ALL.into_iter().find(|k| k.letter() == capital)
    }

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::King => "king",
            Kind::Advisor => "advisor",
            Kind::Elephant => "elephant",
            Kind::Pawn => "pawn",
            Kind::Rook => "rook",
            Kind::Horse => "horse",
            Kind::Cannon => "cannon",
        }
    }

    /// The squares on which a piece of this kind and side can stand.
    #[inline]
    pub const fn domain(self, side: Player) -> u128 {
        DOMAINS[side.index()][self.index()]
    }
}

/// A piece or an empty square, in a byte: 0 if empty, else 1 + 7 * side + kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Piece(u8);

impl Piece {
    /// An empty square.
    pub const NONE: Piece = Piece(0);

    /// A piece.
    #[inline]
    pub const fn new(side: Player, kind: Kind) -> Piece {
        Piece(1 + 7 * side.index() as u8 + kind.index() as u8)
    }

    /// Whether this is an empty square.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Side and kind, unless empty.
    #[inline]
    pub fn split(self) -> Option<(Player, Kind)> {
        let code = self.0.checked_sub(1)?;
        let side = if code < 7 { Player::First } else { Player::Second };
        Some((side, Kind::ALL[usize::from(code % 7)]))
    }

    /// The kind, unless empty.
    #[inline]
    pub fn kind(self) -> Option<Kind> {
        self.split().map(|p| p.1)
    }

    /// 0 if empty, 1 to 7 for Red's pieces in the order of [`Kind::ALL`], 8 to 14 for Black's.
    #[inline]
    pub const fn code(self) -> usize {
        self.0 as usize
    }

    /// The letter: upper case for Red, lower case for Black, `.` if empty.
    pub fn letter(self) -> char {
        match self.split() {
            None => '.',
            Some((Player::First, kind)) => kind.letter(),
            Some((Player::Second, kind)) => kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Player::First } else { Player::Second };
        Kind::from_letter(letter).map(|kind| Piece::new(side, kind))
    }
}

const fn squares(list: &[(usize, usize)]) -> u128 {
    let (mut set, mut i) = (0, 0);
    while i < list.len() {
        set |= 1 << (list[i].1 * FILES + list[i].0);
        i += 1;
    }
    set
}

const PALACE: u128 =
    squares(&[(3, 0), (4, 0), (5, 0), (3, 1), (4, 1), (5, 1), (3, 2), (4, 2), (5, 2)]);
const ADVISOR_POINTS: u128 = squares(&[(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]);
const ELEPHANT_POINTS: u128 = squares(&[(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]);
/// The squares of Red's pawns before they cross the river: five files, two ranks.
const PAWN_POINTS: u128 =
    squares(&[(0, 3), (2, 3), (4, 3), (6, 3), (8, 3), (0, 4), (2, 4), (4, 4), (6, 4), (8, 4)]);

/// Red's set rotated by 180 degrees, which is Black's.
const fn turned(set: u128) -> u128 {
    set.reverse_bits() >> (128 - SQUARES)
}

const RED_DOMAINS: [u128; 7] =
    [PALACE, ADVISOR_POINTS, ELEPHANT_POINTS, PAWN_POINTS | BOARD & !RED_HALF, BOARD, BOARD, BOARD];

const DOMAINS: [[u128; 7]; 2] = {
    let mut black = [0; 7];
    let mut i = 0;
    while i < 7 {
        black[i] = turned(RED_DOMAINS[i]);
        i += 1;
    }
    [RED_DOMAINS, black]
};

/// `side`'s own half of the board.
#[inline]
pub const fn home_half(side: Player) -> u128 {
    match side {
        Player::First => RED_HALF,
        Player::Second => BOARD & !RED_HALF,
    }
}
