//! The material keys of the tablebase's slices: one side, the defender, has nothing but a king, advisors
//! and elephants; the other, the attacker, has at least one rook, horse, cannon or pawn.

use agon_protocol::Player;
use agon_protocol::xiangqi::{Board, Kind};
use agon_tablebase::TablebaseError;
use agon_xiangqi_studies::numbering::material::{Material, SideMaterial};
use std::fmt;

/// The pieces that attack, in the order in which names and indexes have them.
pub const ATTACKERS: [Kind; 4] = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn];

/// An endgame by its pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MaterialKey {
    attacker: SideMaterial,
    defender: SideMaterial,
}

fn attackers(side: &SideMaterial) -> usize {
    side.rooks + side.horses + side.cannons + side.pawns
}

fn slot(side: &mut SideMaterial, kind: Kind) -> Option<&mut usize> {
    Some(match kind {
        Kind::King => return None,
        Kind::Advisor => &mut side.advisors,
        Kind::Elephant => &mut side.elephants,
        Kind::Pawn => &mut side.pawns,
        Kind::Rook => &mut side.rooks,
        Kind::Horse => &mut side.horses,
        Kind::Cannon => &mut side.cannons,
    })
}

impl MaterialKey {
    /// The set of a material whose first side attacks and whose second only defends; `None` for
    /// any other material.
    pub fn new(attacker: SideMaterial, defender: SideMaterial) -> Option<MaterialKey> {
        (attackers(&attacker) > 0 && attackers(&defender) == 0)
            .then_some(MaterialKey { attacker, defender })
    }

    /// The set of a board and who attacks; `None` unless exactly one side has attacking pieces.
    pub fn of(board: &Board) -> Option<(MaterialKey, Player)> {
        let Material([red, black]) = Material::of(board);
        match MaterialKey::new(red, black) {
            Some(set) => Some((set, Player::First)),
            None => MaterialKey::new(black, red).map(|set| (set, Player::Second)),
        }
    }

    /// Reads a name such as `KRAABBKAABB`: the attacker's king and pieces, then the defender's,
    /// in any order and case; `H` and `E` are horse and elephant too.
    ///
    /// # Errors
    ///
    /// For letters of no piece, too many of a kind, and material that has no table.
    pub fn parse(name: &str) -> Result<MaterialKey, TablebaseError> {
        let bad = |reason: String| {
            let text = format!("`{name}` is no endgame set: {reason}; write it like KRABKAABB");
            TablebaseError::Refused(text)
        };
        let mut sides: Vec<SideMaterial> = Vec::new();
        for letter in name.chars() {
            let kind = Kind::from_letter(letter)
                .ok_or_else(|| bad(format!("`{letter}` is no piece; expected KABPRNC")))?;
            if kind == Kind::King {
                sides.push(SideMaterial::default());
                continue;
            }
            let side = sides.last_mut().ok_or_else(|| bad("it must begin with K".into()))?;
            let Some(count) = slot(side, kind) else { continue };
            *count += 1;
            if *count > kind.initial_count() as usize {
                return Err(bad(format!(
                    "more than {} {}s of a side",
                    kind.initial_count(),
                    kind.name()
                )));
            }
        }
        let [attacker, defender] = sides[..] else {
            return Err(bad(format!("{} kings, expected two", sides.len())));
        };
        MaterialKey::new(attacker, defender).ok_or_else(|| {
            bad("the first side must have a rook, horse, cannon or pawn, and the second only \
                 advisors and elephants"
                .into())
        })
    }

    /// All sets of one attacking piece, 324, each after those that captures lead to.
    pub fn with_one_attacker() -> Vec<MaterialKey> {
        let mut sets = Vec::new();
        for piece in ATTACKERS {
            for n in 0..81 {
                let mut attacker = SideMaterial {
                    advisors: n / 3 % 3,
                    elephants: n % 3,
                    ..SideMaterial::default()
                };
                if let Some(count) = slot(&mut attacker, piece) {
                    *count = 1;
                }
                let defender = SideMaterial {
                    advisors: n / 27,
                    elephants: n / 9 % 3,
                    ..SideMaterial::default()
                };
                sets.push(MaterialKey { attacker, defender });
            }
        }
        sets
    }

    /// The attacker's pieces.
    pub fn attacker(&self) -> SideMaterial {
        self.attacker
    }

    /// The defender's pieces.
    pub fn defender(&self) -> SideMaterial {
        self.defender
    }

    /// The attacking pieces, one entry a piece, in the order of [`ATTACKERS`].
    pub fn attacking(&self) -> Vec<Kind> {
        let mut side = self.attacker;
        let mut kinds = Vec::new();
        for kind in ATTACKERS {
            let count = slot(&mut side, kind).map_or(0, |n| *n);
            kinds.extend(std::iter::repeat_n(kind, count));
        }
        kinds
    }

    /// Without one of the defender's pieces; `None` if there is none of the kind.
    pub fn without_defender(mut self, kind: Kind) -> Option<MaterialKey> {
        let count = slot(&mut self.defender, kind)?;
        *count = count.checked_sub(1)?;
        Some(self)
    }

    /// Without one of the attacking pieces; `None` if there is none of the kind, or no attacking
    /// piece is left, which is a draw.
    pub fn without_attacker(mut self, kind: Kind) -> Option<MaterialKey> {
        let count = slot(&mut self.attacker, kind)?;
        *count = count.checked_sub(1)?;
        (attackers(&self.attacker) > 0).then_some(self)
    }

    /// The sets that a capture leads to, drawn ones left out.
    pub fn after_captures(self) -> Vec<MaterialKey> {
        let fewer_defenders =
            [Kind::Advisor, Kind::Elephant].map(|kind| self.without_defender(kind));
        let fewer_attackers = ATTACKERS.map(|kind| self.without_attacker(kind));
        fewer_defenders.into_iter().chain(fewer_attackers).flatten().collect()
    }

    /// The numbers of pieces as they stand in a file: the attacker's rooks, horses, cannons,
    /// pawns, advisors, elephants, and the defender's advisors and elephants.
    pub fn counts(&self) -> [u8; 8] {
        let (a, d) = (&self.attacker, &self.defender);
        [a.rooks, a.horses, a.cannons, a.pawns, a.advisors, a.elephants, d.advisors, d.elephants]
            .map(|n| n as u8)
    }

    /// The other way round; `None` if there is no such set.
    pub fn from_counts(counts: [u8; 8]) -> Option<MaterialKey> {
        let [rooks, horses, cannons, pawns, advisors, elephants, a, e] = counts.map(usize::from);
        let most = [2, 2, 2, 5, 2, 2, 2, 2];
        let attacker = SideMaterial { advisors, elephants, pawns, rooks, horses, cannons };
        let defender = SideMaterial { advisors: a, elephants: e, ..SideMaterial::default() };
        counts.iter().zip(most).all(|(&n, most)| n <= most).then_some(())?;
        MaterialKey::new(attacker, defender)
    }
}

impl fmt::Display for MaterialKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mut side in [self.attacker, self.defender] {
            f.write_str("K")?;
            for kind in ATTACKERS.into_iter().chain([Kind::Advisor, Kind::Elephant]) {
                let count = slot(&mut side, kind).map_or(0, |n| *n);
                for _ in 0..count {
                    write!(f, "{}", kind.letter())?;
                }
            }
        }
        Ok(())
    }
}
