//! The paper's method: Material Combination Patterns (section 3.2, figures 6 and 7).
//!
//! Each piece becomes five numerals: 1 for a cannon, 1 for a hidden piece, and its sum in the
//! matrix (figures 6 and 7 write a black piece's sum as in the matrix, not reversed). Red pieces
//! are sorted by them, then black ones, and all are concatenated. After a separator follow the
//! matrix elements, red piece by red piece, in this order. If pieces tie, every order of them gives
//! another pattern; combinations are equivalent if they share one. The least pattern identifies the
//! class. The paper's string does not mark where the black pieces begin, which makes `CPc` and
//! `Pcc` equal; here the numbers of pieces precede it, unprinted.

use crate::material::Material;
use crate::matrix::{Matrix, Threat};
use agon_darkchess::tablebase::classes::relation::Relation;
use agon_darkchess::tablebase::classes::ties::{rearrange, runs};
use std::fmt;

/// A Material Combination Pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern(Box<[u8]>);

/// The elements that are permuted on ties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// Every piece, as the paper describes it: 120 orders for five pawns.
    Pieces,
    /// Groups of pieces of a kind: the same least pattern, since equal lines of the matrix are
    /// adjacent in it.
    Kinds,
}

/// Pieces that are permuted as a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Element {
    cannon: bool,
    hidden: bool,
    sum: Threat,
    /// The index of the first piece in the matrix, and the number of pieces.
    first: usize,
    pieces: usize,
}

impl Element {
    /// Its part of the pattern before the separator.
    fn head(&self) -> (bool, bool, Threat) {
        (self.cannon, self.hidden, self.sum)
    }
}

/// The number of bytes of a piece before the separator.
const HEAD: usize = 4;

/// The sorted elements of a combination.
struct Sorted {
    matrix: Matrix,
    red: Vec<Element>,
    black: Vec<Element>,
}

impl Sorted {
    fn new(material: &Material, ties: Ties) -> Sorted {
        let matrix = Matrix::new(material);
        let red = elements(matrix.red(), ties, |i| matrix.column_sum(i));
        let black = elements(matrix.black(), ties, |i| matrix.row_sum(i));
        Sorted { matrix, red, black }
    }

    /// Calls `visit` with the relations after the separator for every permutation of tied elements.
    fn visit(mut self, mut visit: impl FnMut(&[u8])) {
        let (ties, black_ties) = (runs(&self.red, Element::head), runs(&self.black, Element::head));
        let (black, matrix) = (&mut self.black, &self.matrix);
        let mut tail = Vec::with_capacity(matrix.red().len() * matrix.black().len());
        rearrange(&mut self.red, &ties, &mut |red| {
            rearrange(black, &black_ties, &mut |black| {
                tail.clear();
                for r in red {
                    let start = tail.len();
                    for b in black {
                        let relation = matrix.cell(r.first, b.first) as u8;
                        tail.extend(std::iter::repeat_n(relation, b.pieces));
                    }
                    let end = tail.len();
                    (1..r.pieces).for_each(|_| tail.extend_from_within(start..end));
                }
                visit(&tail);
            });
        });
    }

    /// The bytes before the separator: the number of red pieces, of all, then each piece's.
    fn head(&self) -> Vec<u8> {
        let numbers = [self.matrix.red().len(), self.matrix.black().len()].map(|n| n as u8);
        let mut head = vec![numbers[0], numbers[1]];
        for e in self.red.iter().chain(&self.black) {
            let mark = u8::from(e.cannon) << 1 | u8::from(e.hidden);
            let numerals = [mark, e.sum.takes, e.sum.both, e.sum.taken];
            (0..e.pieces).for_each(|_| head.extend(numerals));
        }
        head
    }
}

fn elements(
    pieces: &[crate::material::Piece],
    ties: Ties,
    sum: impl Fn(usize) -> Threat,
) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::with_capacity(pieces.len());
    for (first, piece) in pieces.iter().enumerate() {
        match elements.last_mut() {
            Some(last) if ties == Ties::Kinds && pieces[last.first] == *piece => last.pieces += 1,
            _ => elements.push(Element {
                cannon: piece.kind == crate::material::Kind::Cannon,
                hidden: piece.hidden,
                sum: sum(first),
                first,
                pieces: 1,
            }),
        }
    }
    elements.sort_by_key(Element::head);
    elements
}

impl Pattern {
    /// The least pattern of a combination, which identifies its class.
    pub fn least(material: &Material, ties: Ties) -> Pattern {
        let sorted = Sorted::new(material, ties);
        let mut bytes = sorted.head();
        let start = bytes.len();
        sorted.visit(|tail| {
            if bytes.len() == start || *tail < bytes[start..] {
                bytes.truncate(start);
                bytes.extend_from_slice(tail);
            }
        });
        Pattern(bytes.into())
    }

    /// All distinct patterns of a combination, in the order of the permutations.
    pub fn all(material: &Material) -> Vec<Pattern> {
        let sorted = Sorted::new(material, Ties::Pieces);
        let head = sorted.head();
        let mut patterns: Vec<Pattern> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        sorted.visit(|tail| {
            let pattern = Pattern([&head[..], tail].concat().into());
            if seen.insert(pattern.clone()) {
                patterns.push(pattern);
            }
        });
        patterns
    }

    /// The part before the separator, which is the same for all permutations.
    pub fn head(material: &Material) -> Vec<u8> {
        Sorted::new(material, Ties::Kinds).head()
    }

    /// The pattern as bytes: red and black pieces, four bytes per piece, one per relation.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for Pattern {
    /// The pattern in the paper's notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, black, rest @ ..] = &self.0[..] else {
            return Ok(());
        };
        let (heads, tail) = rest.split_at(HEAD * (usize::from(*red) + usize::from(*black)));
        for head in heads.chunks_exact(HEAD) {
            let sum = Threat { takes: head[1], both: head[2], taken: head[3] };
            write!(f, "{}{}{sum}", head[0] >> 1, head[0] & 1)?;
        }
        write!(f, "|")?;
        let relations = [Relation::Neither, Relation::Taken, Relation::Both, Relation::Takes]
            .map(Relation::digits);
        tail.iter().try_for_each(|&r| write!(f, "{}", relations[usize::from(r & 3)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::revealed_sets;
    use agon_darkchess::tablebase::classes::canonical;
    use std::collections::BTreeMap;

    fn all(text: &str) -> Vec<String> {
        Pattern::all(&text.parse().unwrap()).iter().map(Pattern::to_string).collect()
    }

    #[test]
    fn figure_6_comes_out_digit_by_digit() {
        // Gm, G(k), Km, K(k).
        let elements = ["100", "001", "100", "010"].concat();
        assert_eq!(all("KG(k)m"), [format!("00101001100020001011|{elements}")]);
    }

    #[test]
    fn figure_7_comes_out_digit_by_digit() {
        assert_eq!(
            all("KGPkm"),
            [
                "0010100101001100011100201|001100100001010100",
                "0010100101001100011100201|100001001100010100"
            ]
        );
    }

    #[test]
    fn keeping_kinds_together_gives_the_same_least_pattern_as_permuting_pieces() {
        for counts in revealed_sets(3, 6) {
            let material = Material::revealed(counts).unwrap();
            let all = Pattern::all(&material);
            let least = Pattern::least(&material, Ties::Pieces);
            assert_eq!(all.iter().min(), Some(&least), "{material}");
            assert_eq!(Pattern::least(&material, Ties::Kinds), least, "{material}");
        }
    }

    #[test]
    fn two_combinations_share_all_their_patterns_or_none() {
        let mut owner = BTreeMap::new();
        for counts in revealed_sets(3, 5) {
            let material = Material::revealed(counts).unwrap();
            let class = canonical(&counts).class;
            for pattern in Pattern::all(&material) {
                assert_eq!(*owner.entry(pattern).or_insert(class), class, "{material}");
            }
        }
    }

    #[test]
    fn as_printed_a_pattern_does_not_say_where_the_black_pieces_begin() {
        let [one, other]: [Material; 2] = ["CPc", "Pcc"].map(|text| text.parse().unwrap());
        let [a, b] = [one, other].map(|m| Pattern::least(&m, Ties::Pieces));
        assert_eq!(a.to_string(), "000001000010000|000000");
        assert_eq!(a.to_string(), b.to_string());
        assert_ne!(a, b);
    }

    #[test]
    fn five_pawns_a_side_need_not_be_permuted() {
        let material = "PPPPPppppp".parse().unwrap();
        let least = Pattern::least(&material, Ties::Kinds);
        assert_eq!(least.to_string().len(), 5 * 10 + 1 + 3 * 25);
    }
}
