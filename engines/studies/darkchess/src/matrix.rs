//! The Capturing Relation Matrix and the threat values, as in figures 5 to 7 of the paper.
//!
//! The matrix has a column for each red piece and a row for each black one; an element is the
//! relation of the red piece to the black one. The sum of a column is the red piece's threat value,
//! three numerals: the opponents it captures safely, those it trades with, those that capture it.
//! The sum of a row is a black piece's threat value from the opponents' view, so its own is the
//! reverse. Hidden pieces have the same relations as open ones.

use crate::material::{Colour, Material, Piece};
use agon_darkchess::tablebase::classes::relation::{Relation, relation};
use std::fmt;

/// A threat value: numbers of opponents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Threat {
    /// Opponents that it captures and that do not capture it.
    pub takes: u8,
    /// Opponents that it captures and that capture it.
    pub both: u8,
    /// Opponents that capture it and that it does not capture.
    pub taken: u8,
}

/// The Capturing Relation Matrix of a material combination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    red: Vec<Piece>,
    black: Vec<Piece>,
    /// Indexed by red piece, then by black one.
    cells: Vec<Relation>,
}

impl Threat {
    /// Adds an element of the matrix.
    pub fn add(&mut self, relation: Relation) {
        match relation {
            Relation::Neither => {}
            Relation::Taken => self.taken += 1,
            Relation::Both => self.both += 1,
            Relation::Takes => self.takes += 1,
        }
    }

    /// The value from the opponents' view.
    #[must_use]
    pub fn reversed(self) -> Threat {
        Threat { takes: self.taken, both: self.both, taken: self.takes }
    }
}

impl fmt::Display for Threat {
    /// One numeral each; A to G for values above 9, which the paper does not need.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        [self.takes, self.both, self.taken].into_iter().try_for_each(|n| {
            let numeral = char::from_digit(u32::from(n), 17).unwrap_or('?');
            write!(f, "{}", numeral.to_ascii_uppercase())
        })
    }
}

impl Matrix {
    /// The matrix of a combination, with the pieces in notation order.
    pub fn new(material: &Material) -> Matrix {
        let (red, black): (Vec<Piece>, Vec<Piece>) =
            material.pieces().partition(|p| p.colour == Colour::Red);
        let row = |r: &Piece| black.iter().map(|b| relation(r.kind, b.kind)).collect::<Vec<_>>();
        let cells = red.iter().flat_map(row).collect();
        Matrix { red, black, cells }
    }

    /// The red pieces, one per column.
    pub fn red(&self) -> &[Piece] {
        &self.red
    }

    /// The black pieces, one per row.
    pub fn black(&self) -> &[Piece] {
        &self.black
    }

    /// The relation of a red piece to a black one, both given by index.
    ///
    /// # Panics
    ///
    /// If there is no such red piece.
    pub fn cell(&self, red: usize, black: usize) -> Relation {
        self.cells[red * self.black.len() + black]
    }

    /// The sum of a red piece's column: its threat value.
    pub fn column_sum(&self, red: usize) -> Threat {
        self.sum((0..self.black.len()).map(|black| self.cell(red, black)))
    }

    /// The sum of a black piece's row; its reverse is the threat value.
    pub fn row_sum(&self, black: usize) -> Threat {
        self.sum((0..self.red.len()).map(|red| self.cell(red, black)))
    }

    fn sum(&self, cells: impl Iterator<Item = Relation>) -> Threat {
        cells.fold(Threat::default(), |mut sum, cell| {
            sum.add(cell);
            sum
        })
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let red: String = self.red.iter().map(|p| format!("  {p:>3}", p = p.to_string())).collect();
        writeln!(f, "     {red}   sum")?;
        for (b, piece) in self.black.iter().enumerate() {
            write!(f, "{:>5}", piece.to_string())?;
            for r in 0..self.red.len() {
                write!(f, "  {}", self.cell(r, b).digits())?;
            }
            writeln!(f, "   {}", self.row_sum(b))?;
        }
        write!(f, "  sum")?;
        (0..self.red.len()).try_for_each(|r| write!(f, "  {}", self.column_sum(r)))?;
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(text: &str) -> Matrix {
        Matrix::new(&text.parse().unwrap())
    }

    #[test]
    fn figure_5_comes_out_digit_by_digit() {
        let m = matrix("KGkm");
        let cells = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(r, b)| m.cell(r, b).digits());
        assert_eq!(cells, ["010", "100", "001", "100"]);
        assert_eq!(m.column_sum(0).to_string(), "110");
        assert_eq!(m.column_sum(1).to_string(), "101");
        assert_eq!(m.row_sum(0).to_string(), "011");
        assert_eq!(m.row_sum(0).reversed().to_string(), "110");
        assert_eq!(m.row_sum(1).to_string(), "200");
        assert_eq!(m.row_sum(1).reversed().to_string(), "002");
        let drawn = "         K    G   sum\n    k  010  001   011\n    m  100  100   200\n  sum  110  101\n";
        assert_eq!(m.to_string(), drawn);
    }

    #[test]
    fn figure_7_has_two_red_pieces_of_one_threat_value_from_different_pieces() {
        let m = matrix("KGPkm");
        let sums = [0, 1, 2].map(|r| m.column_sum(r).to_string());
        assert_eq!(sums, ["110", "101", "101"]);
        assert_eq!([m.cell(1, 1).digits(), m.cell(2, 0).digits()], ["100", "100"]);
        assert_eq!([0, 1].map(|b| m.row_sum(b).to_string()), ["111", "201"]);
    }

    #[test]
    fn more_than_nine_opponents_have_one_numeral_too() {
        let m = matrix("Kggmmrrnnccp");
        assert_eq!(m.column_sum(0).to_string(), "A01");
    }
}
