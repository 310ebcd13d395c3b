//! The empty board of each game: squares or lines, with the marks by which players know it.

use super::cell::SIDE;
use super::markup::px;
use maud::{Markup, html};

/// What is drawn below the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lattice {
    /// Squares in two shades.
    Chequered,
    /// Lines with pieces on their intersections, and star points on boards of 9, 13 and 19 lines.
    Go,
    /// Lines with pieces on their intersections, a river, and two palaces.
    Xiangqi,
    /// Half a Xiangqi board with pieces in its squares.
    Half,
}

/// An empty board in the picture.
pub(super) struct EmptyBoard {
    pub lattice: Lattice,
    pub files: usize,
    pub ranks: usize,
    /// The top left corner in user units.
    pub left: f64,
    pub top: f64,
    /// Whether the river has its Chinese name.
    pub characters: bool,
}

impl EmptyBoard {
    /// Whether the pieces are on the intersections of a Xiangqi board of full size.
    fn is_xiangqi(&self) -> bool {
        self.lattice == Lattice::Xiangqi && (self.files, self.ranks) == (9, 10)
    }

    /// The middle of a square; rows are counted from the top.
    fn middle(&self, file: usize, row: usize) -> (f64, f64) {
        (self.left + (file as f64 + 0.5) * SIDE, self.top + (row as f64 + 0.5) * SIDE)
    }

    /// The board without coordinates.
    pub fn draw(&self) -> Markup {
        let (width, height) = (self.files as f64 * SIDE, self.ranks as f64 * SIDE);
        let whole = |class: &str| {
            html! {
                rect class=(class) x=(px(self.left)) y=(px(self.top)) width=(px(width)) height=(px(height)) {}
            }
        };
        html! {
            (whole("lightsq"))
            @match self.lattice {
                Lattice::Chequered => path class="darksq" d=(self.dark_squares()) {},
                Lattice::Half => path class="wire" d=(self.half_board()) {},
                Lattice::Go => {
                    path class="wire" d=(self.lines(None)) {}
                    path class="star" d=(self.stars()) {}
                }
                Lattice::Xiangqi => (self.xiangqi()),
            }
            (whole("frame"))
        }
    }

    fn dark_squares(&self) -> String {
        let squares = (0..self.ranks).flat_map(|r| (0..self.files).map(move |f| (f, r)));
        squares
            .filter(|(file, row)| (file + row) % 2 == 1)
            .map(|(file, row)| {
                let (x, y) = (self.left + file as f64 * SIDE, self.top + row as f64 * SIDE);
                format!("M{} {}h{SIDE}v{SIDE}h-{SIDE}Z", px(x), px(y))
            })
            .collect()
    }

    /// Lines through the middles of the squares. If there is a river below row `river`, only the
    /// outer vertical lines cross it.
    fn lines(&self, river: Option<usize>) -> String {
        let (right, bottom) = (self.files - 1, self.ranks - 1);
        let line = |a: (usize, usize), b: (usize, usize)| self.segment(a, b);
        let columns = (0..self.files).map(|f| match river {
            Some(r) if f > 0 && f < right => line((f, 0), (f, r)) + &line((f, r + 1), (f, bottom)),
            _ => line((f, 0), (f, bottom)),
        });
        let rows = (0..self.ranks).map(|r| line((0, r), (right, r)));
        columns.chain(rows).collect()
    }

    fn segment(&self, a: (usize, usize), b: (usize, usize)) -> String {
        let ((x, y), (u, v)) = (self.middle(a.0, a.1), self.middle(b.0, b.1));
        format!("M{} {}L{} {}", px(x), px(y), px(u), px(v))
    }

    fn stars(&self) -> String {
        let places: &[usize] = match (self.files, self.ranks) {
            (19, 19) => &[3, 9, 15],
            (13, 13) => &[3, 6, 9],
            (9, 9) => &[2, 4, 6],
            _ => &[],
        };
        let points = places.iter().flat_map(|&f| places.iter().map(move |&r| self.middle(f, r)));
        let radius = if self.files > 9 { 5.5 } else { 4.0 };
        points
            .map(|(x, y)| format!("M{} {}a{radius} {radius} 0 1 0 .01 0Z", px(x), px(y - radius)))
            .collect()
    }

    fn xiangqi(&self) -> Markup {
        if !self.is_xiangqi() {
            return html! { path class="wire" d=(self.lines(None)) {} };
        }
        let palaces = [0, 7].map(|top| {
            self.segment((3, top), (5, top + 2)) + &self.segment((5, top), (3, top + 2))
        });
        let cannons = [(1, 2), (7, 2), (1, 7), (7, 7)];
        let pawns = [0, 2, 4, 6, 8].into_iter().flat_map(|f| [(f, 3), (f, 6)]);
        let marks: String = cannons.into_iter().chain(pawns).map(|p| self.point_mark(p)).collect();
        let (_, above) = self.middle(0, 4);
        html! {
            path class="wire" d=(self.lines(Some(4))) {}
            path class="wire palace" d=(palaces.concat()) {}
            path class="wire" d=(marks) {}
            @if self.characters {
                @for (file, name) in [(2, "楚河"), (6, "漢界")] {
                    text class="river" x=(px(self.middle(file, 4).0)) y=(px(above + 0.5 * SIDE + 8.0))
                        text-anchor="middle" { (name) }
                }
            }
        }
    }

    /// Four small corners around a point where a cannon or a pawn starts.
    fn point_mark(&self, (file, row): (usize, usize)) -> String {
        let (x, y) = self.middle(file, row);
        let sides = [-1.0, 1.0].into_iter().filter(|s| match file {
            0 => *s > 0.0,
            8 => *s < 0.0,
            _ => true,
        });
        let corner = |dx: f64, dy: f64| {
            let (u, v) = (x + 4.0 * dx, y + 4.0 * dy);
            format!("M{} {}V{}H{}", px(u), px(v + 7.0 * dy), px(v), px(u + 7.0 * dx))
        };
        sides.flat_map(|dx| [-1.0, 1.0].map(|dy| corner(dx, dy))).collect()
    }

    /// Lines between the squares, and the palace in the middle of the left side.
    fn half_board(&self) -> String {
        let at = |file: usize, row: usize| {
            format!("{} {}", px(self.left + file as f64 * SIDE), px(self.top + row as f64 * SIDE))
        };
        let line = |a, b| format!("M{a}L{b}");
        let columns = (1..self.files).map(|f| line(at(f, 0), at(f, self.ranks)));
        let rows = (1..self.ranks).map(|r| line(at(0, r), at(self.files, r)));
        let mut d: String = columns.chain(rows).collect();
        if (self.files, self.ranks) == (4, 8) {
            d += &line(at(0, 3), at(2, 5));
            d += &line(at(0, 5), at(2, 3));
        }
        d
    }
}
