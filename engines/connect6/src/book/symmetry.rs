//! The eight symmetries of the board, and keys that are equal for symmetric positions.

use agon_games::connect6::{Connect6, Connect6Move, POINTS, Point};
use agon_games::hash::{mix, zobrist};

/// Keys for (black, white) times the points.
static KEYS: [u64; 2 * POINTS] = zobrist(0x626f_6f6b);

/// A rotation or reflection of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Bits: mirror the columns, mirror the rows, then exchange columns and rows.
    bits: u8,
    size: usize,
}

impl Symmetry {
    /// The symmetries of a board with `size` columns; the identity first.
    pub fn all(size: usize) -> impl Iterator<Item = Symmetry> {
        (0..8).map(move |bits| Symmetry { bits, size })
    }

    /// The symmetries that map a position to itself.
    pub fn of(game: &Connect6) -> Vec<Symmetry> {
        Symmetry::all(game.size()).filter(|s| s.maps(game, game)).collect()
    }

    /// A symmetry that maps one position to another.
    pub fn between(from: &Connect6, to: &Connect6) -> Option<Symmetry> {
        Symmetry::all(from.size()).find(|s| s.maps(from, to))
    }

    /// The image of a point of the board.
    pub fn point(self, point: Point) -> Point {
        let mirrored =
            |at: usize, bit: u8| if self.bits & bit != 0 { self.size - 1 - at } else { at };
        let (column, row) = (mirrored(point.column(), 1), mirrored(point.row(), 2));
        let image = if self.bits & 4 != 0 { (row, column) } else { (column, row) };
        Point::new(image.0, image.1).unwrap_or(point)
    }

    /// The image of a turn.
    pub fn turn(self, m: Connect6Move) -> Connect6Move {
        let first = self.point(m.first);
        m.second.map_or(Connect6Move::one(first), |p| Connect6Move::two(first, self.point(p)))
    }

    fn maps(self, from: &Connect6, to: &Connect6) -> bool {
        let same = (from.size(), from.side_to_move()) == (to.size(), to.side_to_move());
        same && from.points().all(|p| from.stone(p) == to.stone(self.point(p)))
    }
}

/// A key that symmetric positions share and others do not.
pub fn key(game: &Connect6) -> u64 {
    let stones: Vec<(usize, Point)> = game
        .points()
        .filter_map(|p| game.stone(p).map(|player| (player.index() * POINTS, p)))
        .collect();
    let start = mix((game.size() << 1 | game.side_to_move().index()) as u64);
    let under = |s: Symmetry| {
        stones.iter().fold(start, |key, &(row, p)| key ^ KEYS[row + s.point(p).index()])
    };
    Symmetry::all(game.size()).map(under).min().unwrap_or(start)
}
