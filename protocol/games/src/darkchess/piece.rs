//! Pieces and the capture relation.

/// The colour of a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// Upper-case letters.
    Red,
    /// Lower-case letters.
    Black,
}

impl Colour {
    /// Both, red first.
    pub const BOTH: [Colour; 2] = [Colour::Red, Colour::Black];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }

    /// 0 for red, 1 for black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The human-readable word.
    pub const fn word(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Black => "black",
        }
    }
}

/// Number of kinds of pieces.
pub const KINDS: usize = 7;
/// Number of combinations of kind and colour.
pub const PIECES: usize = 2 * KINDS;
/// Number of pieces of each kind per side at the start.
pub const COUNTS: [u8; KINDS] = [1, 2, 2, 2, 2, 2, 5];

/// The kind of a piece, in the order of ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Also called general.
    King,
    /// Also called advisor.
    Guard,
    /// Also called elephant.
    Minister,
    /// Also called chariot.
    Rook,
    /// Also called horse.
    Knight,
    /// Captures by jumping.
    Cannon,
    /// Also called soldier.
    Pawn,
}

impl Kind {
    /// All, in the order of ranks.
    pub const ALL: [Kind; KINDS] = [
        Kind::King,
        Kind::Guard,
        Kind::Minister,
        Kind::Rook,
        Kind::Knight,
        Kind::Cannon,
        Kind::Pawn,
    ];

    /// 0 for the king to 6 for the pawn.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kinds that this one captures on a neighbouring square, bit `Kind::index`. Empty for a
    /// cannon, which captures any kind, but only by jumping.
    pub const fn prey(self) -> u8 {
        match self {
            Kind::King => 0b011_1111,
            Kind::Guard => 0b111_1110,
            Kind::Minister => 0b111_1100,
            Kind::Rook => 0b111_1000,
            Kind::Knight => 0b111_0000,
            Kind::Cannon => 0,
            Kind::Pawn => 0b100_0001,
        }
    }

    /// Whether this kind captures `other` on a neighbouring square.
    #[inline]
    pub const fn takes(self, other: Kind) -> bool {
        self.prey() >> other.index() & 1 != 0
    }
}

/// A kind and a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The piece with this colour and kind.
    #[inline]
    pub const fn new(colour: Colour, kind: Kind) -> Piece {
        Piece(colour as u8 * KINDS as u8 + kind as u8)
    }

    /// All pieces, red before black, each in the order of ranks.
    pub fn all() -> impl Iterator<Item = Piece> + Clone {
        (0..PIECES as u8).map(Piece)
    }

    /// The piece with an index below [`PIECES`].
    #[inline]
    pub const fn from_index(index: usize) -> Option<Piece> {
        if index < PIECES { Some(Piece(index as u8)) } else { None }
    }

    /// 0 to 13.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its colour.
    #[inline]
    pub const fn colour(self) -> Colour {
        if (self.0 as usize) < KINDS { Colour::Red } else { Colour::Black }
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::ALL[self.0 as usize % KINDS]
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        b"KGMRNCPkgmrncp"[self.0 as usize] as char
    }

    /// The piece with this letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::all().find(|p| p.letter() == letter)
    }
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The piece letters of a multiset, `-` if it is empty.
pub fn letters(counts: &[u8; PIECES]) -> String {
    let text: String = Piece::all()
        .flat_map(|p| std::iter::repeat_n(p.letter(), usize::from(counts[p.index()])))
        .collect();
    if text.is_empty() { "-".into() } else { text }
}
