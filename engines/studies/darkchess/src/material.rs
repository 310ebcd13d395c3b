//! Material combinations: the pieces of a position without their squares.

pub use agon_darkchess::tablebase::classes::Counts;
use agon_games::darkchess;
pub use agon_games::darkchess::{COUNTS as LIMITS, Colour, KINDS, Kind};
use std::fmt;
use std::str::FromStr;

/// The number of ways to choose pieces of one side, including none and all.
pub const SIDES: usize = 2916;

/// A piece of a material combination.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Its colour.
    pub colour: Colour,
    /// Its kind.
    pub kind: Kind,
    /// Whether it is face down.
    pub hidden: bool,
}

/// A material combination: at most the initial number of each kind, each piece open or hidden.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Material {
    /// Open pieces, by colour and kind.
    open: [Counts; 2],
    hidden: [Counts; 2],
}

/// An error in a material combination.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// An unknown character.
    #[error(
        "`{found}` at character {at}: expected pieces KGMRNCP (red) or kgmrncp (black), hidden ones \
         in parentheses, such as KG(k)m"
    )]
    Letter {
        /// Its position, from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// An unmatched parenthesis.
    #[error("a parenthesis is open twice, or not closed, or not opened, at character {at}")]
    Parenthesis {
        /// Its position, from 1.
        at: usize,
    },
    /// More pieces of a kind than exist.
    #[error("{found} pieces {letter}: a side has {limit} at most")]
    TooMany {
        /// The piece.
        letter: char,
        /// The requested number.
        found: u8,
        /// The number at the start.
        limit: u8,
    },
}

impl Piece {
    /// Its letter, without parentheses for a hidden piece.
    pub const fn letter(self) -> char {
        darkchess::Piece::new(self.colour, self.kind).letter()
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.hidden { write!(f, "({})", self.letter()) } else { write!(f, "{}", self.letter()) }
    }
}

impl Material {
    /// Open and hidden pieces, by colour and kind.
    ///
    /// # Errors
    ///
    /// If there are more pieces of a kind than at the start.
    pub fn new(open: [Counts; 2], hidden: [Counts; 2]) -> Result<Material, MaterialError> {
        for colour in Colour::BOTH {
            for kind in Kind::ALL {
                let at = |counts: &[Counts; 2]| counts[colour.index()][kind.index()];
                let (found, limit) = (at(&open).saturating_add(at(&hidden)), LIMITS[kind.index()]);
                if found > limit {
                    let letter = Piece { colour, kind, hidden: false }.letter();
                    return Err(MaterialError::TooMany { letter, found, limit });
                }
            }
        }
        Ok(Material { open, hidden })
    }

    /// Pieces that are known not to exceed the initial numbers.
    pub(crate) fn within_limits(open: [Counts; 2], hidden: [Counts; 2]) -> Material {
        debug_assert!(Material::new(open, hidden).is_ok());
        Material { open, hidden }
    }

    /// A combination of open pieces.
    ///
    /// # Errors
    ///
    /// If there are more pieces of a kind than at the start.
    pub fn revealed(counts: [Counts; 2]) -> Result<Material, MaterialError> {
        Material::new(counts, Default::default())
    }

    /// Open pieces, by colour and kind.
    pub fn open(&self) -> &[Counts; 2] {
        &self.open
    }

    /// Hidden pieces, by colour and kind.
    pub fn hidden(&self) -> &[Counts; 2] {
        &self.hidden
    }

    /// Open and hidden pieces together.
    pub fn totals(&self) -> [Counts; 2] {
        let mut totals = self.open;
        for (sum, hidden) in totals.as_flattened_mut().iter_mut().zip(self.hidden.as_flattened()) {
            *sum += hidden;
        }
        totals
    }

    /// The same pieces, all open.
    pub fn turned_over(&self) -> Material {
        Material { open: self.totals(), hidden: Default::default() }
    }

    /// The number of pieces.
    pub fn len(&self) -> usize {
        self.totals().as_flattened().iter().map(|&n| usize::from(n)).sum()
    }

    /// Whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no piece is hidden.
    pub fn is_revealed(&self) -> bool {
        self.hidden == <[Counts; 2]>::default()
    }

    /// The same with exchanged colours.
    pub fn exchanged(&self) -> Material {
        let swap = |[red, black]: [Counts; 2]| [black, red];
        Material { open: swap(self.open), hidden: swap(self.hidden) }
    }

    /// The pieces in notation order: red before black, higher rank before lower, open before
    /// hidden.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        let groups = Colour::BOTH.into_iter().flat_map(|colour| {
            Kind::ALL
                .into_iter()
                .flat_map(move |kind| [false, true].map(|hidden| Piece { colour, kind, hidden }))
        });
        groups.flat_map(|piece| {
            let counts = if piece.hidden { &self.hidden } else { &self.open };
            let n = counts[piece.colour.index()][piece.kind.index()];
            std::iter::repeat_n(piece, usize::from(n))
        })
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| write!(f, "{piece}"))
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Parses `KG(k)m`; the order of the pieces does not matter.
    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let mut groups = [[Counts::default(); 2]; 2];
        let mut hidden = false;
        for (i, c) in text.chars().enumerate() {
            let at = i + 1;
            match c {
                '(' if !hidden => hidden = true,
                ')' if hidden => hidden = false,
                '(' | ')' => return Err(MaterialError::Parenthesis { at }),
                _ => {
                    let piece = darkchess::Piece::from_letter(c)
                        .ok_or(MaterialError::Letter { at, found: c })?;
                    let group = &mut groups[usize::from(hidden)];
                    let count = &mut group[piece.colour().index()][piece.kind().index()];
                    *count = count.saturating_add(1);
                }
            }
        }
        if hidden {
            return Err(MaterialError::Parenthesis { at: text.chars().count() });
        }
        let [open, hidden] = groups;
        Material::new(open, hidden)
    }
}

/// The pieces of one side encoded by a number below [`SIDES`]; number 0 is none.
pub fn side(mut number: usize) -> Counts {
    let mut counts = Counts::default();
    for (count, limit) in counts.iter_mut().zip(LIMITS).rev() {
        let ways = usize::from(limit) + 1;
        *count = (number % ways) as u8;
        number /= ways;
    }
    counts
}

/// All sets of `least` to `most` open pieces with both sides present, in ascending order.
pub fn revealed_sets(least: usize, most: usize) -> impl Iterator<Item = [Counts; 2]> {
    let sides: Vec<(Counts, usize)> = (1..SIDES)
        .map(|n| {
            let counts = side(n);
            (counts, counts.iter().map(|&c| usize::from(c)).sum())
        })
        .collect();
    let blacks = sides.clone();
    sides.into_iter().flat_map(move |(red, r)| {
        let fits = move |&&(_, b): &&(Counts, usize)| (least..=most).contains(&(r + b));
        let blacks: Vec<Counts> = blacks.iter().filter(fits).map(|b| b.0).collect();
        blacks.into_iter().map(move |black| [red, black])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_read_in_any_order_and_written_in_one() {
        for (text, written) in [
            ("KG(k)m", "KG(k)m"),
            ("mP(k)GK", "KGP(k)m"),
            ("P(PP)Pc(c)", "PP(P)(P)c(c)"),
            ("(KkGGM)", "(K)(G)(G)(M)(k)"),
            ("", ""),
        ] {
            let material: Material = text.parse().unwrap();
            assert_eq!(material.to_string(), written);
            assert_eq!(written.parse(), Ok(material));
        }
        let m: Material = "KGP(k)m".parse().unwrap();
        assert_eq!((m.len(), m.is_revealed()), (5, false));
        assert_eq!(m.exchanged().to_string(), "(K)Mkgp");
    }

    #[test]
    fn what_is_no_combination_is_refused_with_the_place_and_the_reason() {
        let error = |text: &str| text.parse::<Material>().unwrap_err().to_string();
        assert!(error("KGXm").contains("`X` at character 3"), "{}", error("KGXm"));
        assert!(error("K(k(m)").contains("character 4"), "{}", error("K(k(m)"));
        assert!(error("K(km").contains("character 4"), "{}", error("K(km"));
        assert!(error("K)k").contains("character 2"), "{}", error("K)k"));
        assert_eq!(error("Kk(k)"), "2 pieces k: a side has 1 at most");
        assert!(error(&"p".repeat(300)).contains("a side has 5"), "{}", error(&"p".repeat(300)));
    }

    #[test]
    fn there_are_144158_sets_of_3_to_8_open_pieces() {
        assert_eq!(revealed_sets(3, 8).count(), 144_158);
        assert_eq!(revealed_sets(2, 2).count(), 49);
    }

    #[test]
    fn sides_are_numbered_without_gaps() {
        let sides: std::collections::BTreeSet<Counts> = (0..SIDES).map(side).collect();
        assert_eq!(sides.len(), SIDES);
        assert_eq!(sides.last(), Some(&LIMITS));
    }
}
