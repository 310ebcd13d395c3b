//! The index of each weight.

use agon_protocol::xiangqi::Kind;

/// A group of related weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Piece-square table of a kind, relative to its value and mirrored: rank from its own side,
    /// then files a to e.
    Psqt(Kind),
    /// The value of each kind of piece, in the order of [`Kind::ALL`].
    Value,
    /// Empty squares a rook reaches, 0 to 17.
    RookReach,
    /// Squares without own pieces a horse reaches, 0 to 8.
    HorseReach,
    /// Empty squares a cannon reaches, 0 to 17.
    CannonReach,
    /// Squares of the enemy palace that rooks, horses and cannons attack, together, 0 to 15.
    PalaceHits,
    /// Rooks, horses and cannons that attack the enemy palace, 0 to 6.
    PalaceHitters,
    /// A cannon on the enemy king's file with 0, 1, 2, or more pieces between.
    CannonFile,
    /// The same on the king's rank.
    CannonRank,
    /// A rook on the enemy king's file with 0, 1, 2, or more pieces between.
    RookFile,
    /// The same on the king's rank.
    RookRank,
    /// Advisors that the enemy lacks, times own rooks, horses, cannons, crossed pawns.
    NoAdvisors,
    /// Elephants that the enemy lacks, times the same.
    NoElephants,
    /// Two crossed pawns side by side.
    LinkedPawns,
    /// Both of two equal pieces: rooks, horses, cannons; then a horse and a cannon.
    Both,
    /// Pieces on the board beyond 16, for each horse, cannon.
    Crowd,
    /// An enemy piece attacked: by a pawn, rook, horse, cannon; each advisor, elephant, pawn, rook,
    /// horse, cannon.
    Threat,
    /// The right to move.
    Tempo,
}

/// Squares of a half board, folded left to right.
pub const HALF: usize = 50;

const SIZES: [(Group, usize); 18] = [
    (Group::Value, 7),
    (Group::RookReach, 18),
    (Group::HorseReach, 9),
    (Group::CannonReach, 18),
    (Group::PalaceHits, 16),
    (Group::PalaceHitters, 7),
    (Group::CannonFile, 4),
    (Group::CannonRank, 4),
    (Group::RookFile, 4),
    (Group::RookRank, 4),
    (Group::NoAdvisors, 4),
    (Group::NoElephants, 4),
    (Group::LinkedPawns, 1),
    (Group::Both, 4),
    (Group::Crowd, 2),
    (Group::Threat, 24),
    (Group::Tempo, 1),
    // The piece-square tables come first; this is the size of one table.
    (Group::Psqt(Kind::King), HALF),
];

const PSQT_END: usize = 7 * HALF;

/// The number of weights.
pub const TERMS: usize = {
    let (mut sum, mut i) = (PSQT_END, 0);
    while i + 1 < SIZES.len() {
        sum += SIZES[i].1;
        i += 1;
    }
    sum
};

impl Group {
    /// Every group in the order of the weights.
    pub fn all() -> impl Iterator<Item = Group> {
        let psqt = Kind::ALL.into_iter().map(Group::Psqt);
        psqt.chain(SIZES[..SIZES.len() - 1].iter().map(|g| g.0))
    }

    const fn index(self) -> usize {
        match self {
            Group::Value => 0,
            Group::RookReach => 1,
            Group::HorseReach => 2,
            Group::CannonReach => 3,
            Group::PalaceHits => 4,
            Group::PalaceHitters => 5,
            Group::CannonFile => 6,
            Group::CannonRank => 7,
            Group::RookFile => 8,
            Group::RookRank => 9,
            Group::NoAdvisors => 10,
            Group::NoElephants => 11,
            Group::LinkedPawns => 12,
            Group::Both => 13,
            Group::Crowd => 14,
            Group::Threat => 15,
            Group::Tempo => 16,
            Group::Psqt(_) => 17,
        }
    }

    /// The number of its weights.
    pub const fn size(self) -> usize {
        SIZES[self.index()].1
    }

    /// The index of its first weight.
    pub const fn first(self) -> usize {
        if let Group::Psqt(kind) = self {
            return kind.index() * HALF;
        }
        let (mut sum, mut i) = (PSQT_END, 0);
        while i < self.index() {
            sum += SIZES[i].1;
            i += 1;
        }
        sum
    }
}

/// The index of the weight of a piece code on a square.
pub const fn psqt_index(piece: usize, s: usize) -> usize {
    let s = if piece < 7 { s } else { 89 - s };
    let (file, rank) = (s % 9, s / 9);
    let folded = if file < 5 { file } else { 8 - file };
    piece % 7 * HALF + rank * 5 + folded
}
