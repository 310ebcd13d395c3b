//! The material keys of the tablebase's slices: one side, the defender, has nothing but a king,
//! advisors and elephants; the other, the attacker, has at least one rook, horse, cannon or pawn.

use agon_games::Player;
use agon_games::xiangqi::{Board, Kind};
use agon_tablebase::TablebaseError;
use std::fmt;

/// The attacking kinds, in the order of names and indexes.
pub const ATTACKERS: [Kind; 4] = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn];
/// All kinds except the king, in the order of names and files.
const KINDS: [Kind; 6] =
    [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn, Kind::Advisor, Kind::Elephant];

/// The number of pieces of each of [`KINDS`] that a side has.
type PieceCounts = [u8; 6];

/// The material of an endgame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MaterialKey {
    attacker: PieceCounts,
    defender: PieceCounts,
}

fn is_attacking(side: &PieceCounts) -> bool {
    side[..4] != [0; 4]
}

fn index_of(kind: Kind) -> Option<usize> {
    KINDS.iter().position(|&k| k == kind)
}

/// The numbers of a side's pieces of each kind, without the king.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SideMaterial {
    /// 0 to 2.
    pub advisors: usize,
    /// 0 to 2.
    pub elephants: usize,
    /// 0 to 5.
    pub pawns: usize,
    /// 0 to 2.
    pub rooks: usize,
    /// 0 to 2.
    pub horses: usize,
    /// 0 to 2.
    pub cannons: usize,
}

impl SideMaterial {
    /// From the number of pieces of each kind.
    pub fn of(count: &impl Fn(Kind) -> usize) -> SideMaterial {
        SideMaterial {
            advisors: count(Kind::Advisor),
            elephants: count(Kind::Elephant),
            pawns: count(Kind::Pawn),
            rooks: count(Kind::Rook),
            horses: count(Kind::Horse),
            cannons: count(Kind::Cannon),
        }
    }
}

impl MaterialKey {
    fn new(attacker: PieceCounts, defender: PieceCounts) -> Option<MaterialKey> {
        let fits = is_attacking(&attacker) && !is_attacking(&defender);
        fits.then_some(MaterialKey { attacker, defender })
    }

    /// The key of two sides' pieces, of which the first side attacks and the second only defends;
    /// `None` for any other material. `count` returns the number of pieces of a side (0, 1) and
    /// kind.
    pub fn of_pieces(count: impl Fn(usize, Kind) -> u32) -> Option<MaterialKey> {
        let [attacker, defender] = [0, 1].map(|side| KINDS.map(|kind| count(side, kind) as u8));
        MaterialKey::new(attacker, defender)
    }

    /// The key of a board and its attacker; `None` unless exactly one side has attacking pieces.
    pub fn of(board: &Board) -> Option<(MaterialKey, Player)> {
        Player::BOTH.into_iter().find_map(|attacker| {
            let sides = [attacker, attacker.opponent()];
            let count = |side: usize, kind| board.pieces(sides[side], kind).count_ones();
            Some((MaterialKey::of_pieces(count)?, attacker))
        })
    }

    /// Parses a name such as `KRAABBKAABB`: the attacker's king and pieces, then the defender's, in
    /// any order and case. `H` and `E` also mean horse and elephant.
    ///
    /// # Errors
    ///
    /// For an unknown letter, too many pieces of a kind, or material that has no slice.
    pub fn parse(name: &str) -> Result<MaterialKey, TablebaseError> {
        let bad = |reason: &str| {
            let text = format!("`{name}` is no endgame set: {reason}; write it like KRABKAABB");
            TablebaseError::Refused(text)
        };
        let mut sides: Vec<PieceCounts> = Vec::new();
        for letter in name.chars() {
            let kind = Kind::from_letter(letter)
                .ok_or_else(|| bad(&format!("`{letter}` is no piece; expected KABPRNC")))?;
            let Some(index) = index_of(kind) else {
                sides.push([0; 6]);
                continue;
            };
            let side = sides.last_mut().ok_or_else(|| bad("it must begin with K"))?;
            side[index] += 1;
            let most = kind.initial_count();
            if u32::from(side[index]) > most {
                return Err(bad(&format!("more than {most} {}s of a side", kind.name())));
            }
        }
        let [attacker, defender] = sides[..] else {
            return Err(bad(&format!("{} kings, expected two", sides.len())));
        };
        MaterialKey::new(attacker, defender).ok_or_else(|| {
            bad("the first side must have a rook, horse, cannon or pawn, and the second only \
                 advisors and elephants")
        })
    }

    /// All 324 keys with one attacking piece, each after those that captures lead to.
    pub fn with_one_attacker() -> Vec<MaterialKey> {
        let key = |piece: usize, n: u8| {
            let mut attacker = [0, 0, 0, 0, n / 3 % 3, n % 3];
            attacker[piece] = 1;
            MaterialKey { attacker, defender: [0, 0, 0, 0, n / 27, n / 9 % 3] }
        };
        (0..4).flat_map(|piece| (0..81).map(move |n| key(piece, n))).collect()
    }

    /// The attacker's pieces.
    pub fn attacker(&self) -> SideMaterial {
        side_material(&self.attacker)
    }

    /// The defender's pieces.
    pub fn defender(&self) -> SideMaterial {
        side_material(&self.defender)
    }

    /// The number of the attacker's pawns.
    pub fn pawns(&self) -> usize {
        self.attacker[3].into()
    }

    /// The attacking pieces, one entry per piece, in the order of [`ATTACKERS`].
    pub fn attacking(&self) -> Vec<Kind> {
        let pieces = ATTACKERS.into_iter().zip(self.attacker);
        pieces.flat_map(|(kind, n)| std::iter::repeat_n(kind, n.into())).collect()
    }

    /// The key without one of the defender's pieces; `None` if there is none of the kind.
    pub fn without_defender(mut self, kind: Kind) -> Option<MaterialKey> {
        let count = &mut self.defender[index_of(kind)?];
        *count = count.checked_sub(1)?;
        Some(self)
    }

    /// The key without one attacking piece; `None` if there is none of the kind, or if no attacking
    /// piece is left, which is a draw.
    pub fn without_attacker(mut self, kind: Kind) -> Option<MaterialKey> {
        let count = &mut self.attacker[index_of(kind)?];
        *count = count.checked_sub(1)?;
        MaterialKey::new(self.attacker, self.defender)
    }

    /// The keys that captures lead to, except drawn ones.
    pub fn after_captures(self) -> Vec<MaterialKey> {
        let fewer_defenders =
            [Kind::Advisor, Kind::Elephant].map(|kind| self.without_defender(kind));
        let fewer_attackers = ATTACKERS.map(|kind| self.without_attacker(kind));
        fewer_defenders.into_iter().chain(fewer_attackers).flatten().collect()
    }

    /// The piece counts in file order: the attacker's rooks, horses, cannons, pawns, advisors,
    /// elephants, then the defender's advisors and elephants.
    pub fn counts(&self) -> [u8; 8] {
        let ([r, n, c, p, a, b], [.., d, e]) = (self.attacker, self.defender);
        [r, n, c, p, a, b, d, e]
    }

    /// The inverse of [`MaterialKey::counts`]; `None` if there is no such key.
    pub fn from_counts([r, n, c, p, a, b, d, e]: [u8; 8]) -> Option<MaterialKey> {
        let key = MaterialKey::new([r, n, c, p, a, b], [0, 0, 0, 0, d, e])?;
        let exists = |(&n, kind): (&u8, Kind)| u32::from(n) <= kind.initial_count();
        let mut all = [key.attacker, key.defender].into_iter();
        all.all(|side| side.iter().zip(KINDS).all(exists)).then_some(key)
    }
}

fn side_material(counts: &PieceCounts) -> SideMaterial {
    SideMaterial::of(&|kind| index_of(kind).map_or(0, |i| counts[i].into()))
}

impl fmt::Display for MaterialKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for side in [self.attacker, self.defender] {
            f.write_str("K")?;
            for (kind, n) in KINDS.into_iter().zip(side) {
                (0..n).try_for_each(|_| write!(f, "{}", kind.letter()))?;
            }
        }
        Ok(())
    }
}
