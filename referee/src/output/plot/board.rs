//! Board diagrams: a grid of cells read from a FEN's board field, drawn as SVG.
//!
//! [`STYLES`] holds the drawing style of each game. A game without an entry is drawn on squares,
//! and its pieces are round stones with letters.

use super::markup::px;
use agon_protocol::Player;
use agon_protocol::board_text::BoardFormat;
use maud::{Markup, html};
use std::fmt::Display;

/// The contents of a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// Empty.
    Empty,
    /// An amazon of a player.
    Amazon(Player),
    /// A square blocked by an arrow.
    Arrow,
    /// A round stone of a player with a character on it (a blank for none).
    Stone(Player, char),
    /// A face-down piece.
    Hidden,
}

/// A position on a grid.
#[derive(Clone, Debug)]
pub struct Board {
    files: usize,
    ranks: usize,
    /// The squares rank by rank, from the top left.
    cells: Vec<Cell>,
    style: &'static Style,
    marked: Vec<usize>,
}

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no board can be drawn of `{fen}`: {reason}")]
pub struct BoardError {
    fen: String,
    reason: String,
}

/// [`Board::SIDE`], for the free functions.
const SIDE: f64 = Board::SIDE;
/// The margin for coordinates.
const MARGIN: f64 = 26.0;
/// The maximum board size.
const MOST: usize = 32;

impl Board {
    /// The side length of a square in user units.
    pub const SIDE: f64 = 44.0;

    /// Parses the board field of a FEN.
    pub fn parse(game: &str, fen: &str) -> Result<Board, BoardError> {
        let fail = |reason: String| BoardError { fen: agon_protocol::text::excerpt(fen), reason };
        let style = STYLES.iter().find(|s| s.game == game).unwrap_or(&OTHER);
        let format = BoardFormat {
            files: 1..=MOST,
            ranks: 1..=MOST,
            first_rank: style.first_rank,
            letters: style.pieces,
        };
        let field = fen.split_whitespace().next().unwrap_or("");
        let board = format.read(field, style.cell).map_err(fail)?;
        let (files, ranks) = (board.files, board.ranks);
        let mut cells = vec![Cell::Empty; files * ranks];
        for (file, row, cell) in board.pieces {
            cells[(ranks - 1 - row) * files + file] = cell;
        }
        Ok(Board { files, ranks, cells, style, marked: Vec::new() })
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The squares from the top left, rank by rank.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The index of a square written as file letter and rank number (`d7`).
    pub fn square(&self, name: &str) -> Option<usize> {
        let mut chars = name.chars();
        let file = self.style.files.find(chars.next()?.to_ascii_lowercase())?;
        let rank = chars.as_str().parse::<usize>().ok()?.checked_sub(self.style.first_rank)?;
        let row = self.ranks.checked_sub(rank + 1)?;
        (file < self.files && row < self.ranks).then_some(row * self.files + file)
    }

    /// The squares in a move token, in order (`d1d7,g7` has three).
    pub fn squares_of(&self, token: &str) -> Vec<usize> {
        let starts: Vec<usize> = token
            .char_indices()
            .filter(|(_, c)| c.is_ascii_alphabetic())
            .map(|(i, _)| i)
            .chain([token.len()])
            .collect();
        starts
            .windows(2)
            .filter_map(|w| {
                let piece = token.get(w[0]..w[1])?;
                self.square(piece.trim_end_matches(|c: char| !c.is_ascii_digit()))
            })
            .collect()
    }

    /// The same board with these squares marked (the last move); unknown squares are ignored.
    #[must_use]
    pub fn with_marks(mut self, squares: &[usize]) -> Board {
        self.marked = squares.iter().copied().filter(|&s| s < self.cells.len()).collect();
        self.marked.sort_unstable();
        self.marked.dedup();
        self
    }

    /// The SVG diagram; its colours come from [`super::STYLE`].
    pub fn svg(&self, title: &str) -> Markup {
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="agon board" viewBox=(self.view_box())
                role="img" aria-label=(title) {
                (self.grid())
                @for &square in &self.marked { (square_at("lastmove", self.corner(square))) }
                @for (square, &cell) in self.cells.iter().enumerate() {
                    (draw_cell(cell, self.corner(square)))
                }
            }
        }
    }

    /// The view box of [`Board::svg`], for pictures that put pieces on [`Board::grid`].
    pub fn view_box(&self) -> String {
        let (width, height) = (self.files as f64 * SIDE, self.ranks as f64 * SIDE);
        format!("0 0 {} {}", px(width + MARGIN + 8.0), px(height + MARGIN + 8.0))
    }

    /// The top left corner of a square.
    pub fn corner(&self, square: usize) -> (f64, f64) {
        let (row, file) = (square / self.files, square % self.files);
        (MARGIN + file as f64 * SIDE, 8.0 + row as f64 * SIDE)
    }

    /// The empty board with its coordinates.
    pub fn grid(&self) -> Markup {
        let (width, height) = (self.files as f64 * SIDE, self.ranks as f64 * SIDE);
        let dark =
            |square| !self.style.on_lines && (square / self.files + square % self.files) % 2 == 1;
        html! {
            @for square in 0..self.cells.len() {
                (square_at(if dark(square) { "darksq" } else { "lightsq" }, self.corner(square)))
            }
            @if self.style.on_lines { path class="wire" d=(self.wires()) {} }
            rect class="frame" x=(MARGIN) y="8" width=(width) height=(height) {}
            @for file in 0..self.files {
                (coordinate(
                    MARGIN + (file as f64 + 0.5) * SIDE,
                    height + 8.0 + 17.0,
                    self.style.files.chars().nth(file).unwrap_or('?'),
                ))
            }
            @for row in 0..self.ranks {
                (coordinate(
                    MARGIN / 2.0,
                    8.0 + (row as f64 + 0.5) * SIDE + 4.0,
                    self.ranks - 1 - row + self.style.first_rank,
                ))
            }
        }
    }

    fn wires(&self) -> String {
        let (width, height) = ((self.files - 1) as f64 * SIDE, (self.ranks - 1) as f64 * SIDE);
        let (left, top) = (MARGIN + 0.5 * SIDE, 8.0 + 0.5 * SIDE);
        let columns =
            (0..self.files).map(|f| format!("M{} {top}v{height}", left + f as f64 * SIDE));
        let rows = (0..self.ranks).map(|r| format!("M{left} {}h{width}", top + r as f64 * SIDE));
        columns.chain(rows).collect()
    }
}

/// The drawing style of a game.
#[derive(Debug)]
struct Style {
    game: &'static str,
    /// Whether stones are on the intersections of lines instead of on squares.
    on_lines: bool,
    /// The letters of the files.
    files: &'static str,
    /// The number of the lowest rank.
    first_rank: usize,
    /// The letters of the pieces, for error messages.
    pieces: &'static str,
    /// The meaning of a letter of the FEN.
    cell: fn(char) -> Option<Cell>,
}

static OTHER: Style = Style {
    game: "",
    on_lines: false,
    files: "abcdefghijklmnopqrstuvwxyz",
    first_rank: 1,
    pieces: "letters and ?",
    cell: letter,
};

static STYLES: [Style; 5] = [
    Style { game: "amazons", pieces: "Qq*", cell: amazon, ..OTHER },
    Style { game: "connect6", on_lines: true, pieces: "XO", cell: go_stone, ..OTHER },
    Style { game: "einstein", pieces: "A-F, a-f", cell: numbered, ..OTHER },
    Style {
        game: "nogo",
        on_lines: true,
        files: "abcdefghjklmnopqrstuvwxyz",
        pieces: "XO",
        cell: go_stone,
        ..OTHER
    },
    Style { game: "xiangqi", on_lines: true, first_rank: 0, ..OTHER },
];

fn amazon(c: char) -> Option<Cell> {
    match c {
        'Q' => Some(Cell::Amazon(Player::First)),
        'q' => Some(Cell::Amazon(Player::Second)),
        '*' => Some(Cell::Arrow),
        _ => None,
    }
}

fn go_stone(c: char) -> Option<Cell> {
    match c.to_ascii_uppercase() {
        'X' | 'B' => Some(Cell::Stone(Player::First, ' ')),
        'O' | 'W' => Some(Cell::Stone(Player::Second, ' ')),
        _ => None,
    }
}

/// EinStein's stones are letters in the FEN and numbers from 1 in the diagram.
fn numbered(c: char) -> Option<Cell> {
    let digit = |n: u8| char::from(b'1' + n);
    match c {
        'A'..='F' => Some(Cell::Stone(Player::First, digit(c as u8 - b'A'))),
        'a'..='f' => Some(Cell::Stone(Player::Second, digit(c as u8 - b'a'))),
        _ => None,
    }
}

fn letter(c: char) -> Option<Cell> {
    match c {
        '?' => Some(Cell::Hidden),
        c if c.is_ascii_uppercase() => Some(Cell::Stone(Player::First, c)),
        c if c.is_ascii_lowercase() => Some(Cell::Stone(Player::Second, c.to_ascii_uppercase())),
        _ => None,
    }
}

fn square_at(class: &str, (x, y): (f64, f64)) -> Markup {
    html! { rect class=(class) x=(px(x)) y=(px(y)) width=(SIDE) height=(SIDE) {} }
}

fn coordinate(x: f64, y: f64, text: impl Display) -> Markup {
    html! { text class="coord" x=(px(x)) y=(px(y)) text-anchor="middle" { (text) } }
}

/// An amazon's crown: five points on a band, each with a bead.
const CROWN: &str = "M9 31L6 16.5L13.5 23L16 11.5L22 21L28 11.5L30.5 23L38 16.5L35 31Z";
const BEADS: &str = "M6 12.6a2.3 2.3 0 1 0 .01 0ZM16 7.4a2.3 2.3 0 1 0 .01 0Z\
                     M28 7.4a2.3 2.3 0 1 0 .01 0ZM38 12.6a2.3 2.3 0 1 0 .01 0Z\
                     M9.5 33.2h25v3.4h-25Z";

/// Draws the contents of the square with this top left corner.
pub fn draw_cell(cell: Cell, (x, y): (f64, f64)) -> Markup {
    let class = |player| if player == Player::First { "pc-first" } else { "pc-second" };
    // Inline, because the text style of the whole picture would override a class.
    let ink = |player| if player == Player::First { "#20242b" } else { "#fffdf8" };
    let half = SIDE / 2.0;
    html! {
        @if cell != Cell::Empty {
            g transform={ "translate(" (px(x)) " " (px(y)) ")" } {
                @match cell {
                    Cell::Empty => {}
                    Cell::Amazon(player) => {
                        path class=(class(player)) d=(CROWN) {}
                        path class=(class(player)) d=(BEADS) {}
                    }
                    Cell::Arrow => {
                        rect class="pc-arrow" x="7" y="7" width=(SIDE - 14.0) height=(SIDE - 14.0) rx="6" {}
                    }
                    Cell::Stone(player, letter) => {
                        (disc(&format!("{} pc-stone", class(player))))
                        @if letter != ' ' {
                            text x=(half) y=(half + 7.0) text-anchor="middle"
                                style={ "font-size:20px;font-weight:700;fill:" (ink(player)) } { (letter) }
                        }
                    }
                    Cell::Hidden => (disc("pc-hidden")),
                }
            }
        }
    }
}

fn disc(class: &str) -> Markup {
    let half = SIDE / 2.0;
    html! { circle class=(class) cx=(half) cy=(half) r=(half - 3.5) {} }
}

#[cfg(test)]
mod tests {
    use super::super::assert_well_formed;
    use super::super::standalone;
    use super::*;

    const START: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";

    #[test]
    fn the_start_position_of_amazons_has_its_amazons_on_their_squares() {
        let board = Board::parse("amazons", START).unwrap();
        assert_eq!((board.files(), board.cells().len()), (10, 100));
        for (name, player) in
            [("a4", Player::First), ("j4", Player::First), ("d10", Player::Second)]
        {
            assert_eq!(board.cells()[board.square(name).unwrap()], Cell::Amazon(player));
        }
        let svg = standalone(&board.svg("start"));
        assert_well_formed(&svg);
        assert_eq!(svg.matches("class=\"pc-first\"").count(), 8, "four crowns with their beads");
    }

    #[test]
    fn a_move_names_its_squares() {
        let board = Board::parse("amazons", START).unwrap();
        let squares = |t: &str| board.squares_of(t);
        let named = |names: &[&str]| -> Vec<usize> {
            names.iter().map(|n| board.square(n).unwrap()).collect()
        };
        assert_eq!(squares("d1d7,d7g7"), named(&["d1", "d7", "d7", "g7"]));
        assert_eq!(squares("d10-a10/a9"), named(&["d10", "a10", "a9"]));
        assert!(squares("z99,4").is_empty());
    }

    #[test]
    fn other_games_are_drawn_as_stones_with_letters() {
        let board = Board::parse("xiangqi", "r1b?/4/..Kx").unwrap();
        assert_eq!(board.cells()[0], Cell::Stone(Player::Second, 'R'));
        assert_eq!(board.cells()[3], Cell::Hidden);
        assert_eq!(board.cells()[10], Cell::Stone(Player::First, 'K'));
        let einstein = Board::parse("einstein", "AB3/5/5/5/4f u 3").unwrap();
        assert_eq!(einstein.cells()[1], Cell::Stone(Player::First, '2'));
        assert_eq!(einstein.cells()[24], Cell::Stone(Player::Second, '6'));
        assert_well_formed(&board.svg("x").0);
    }

    #[test]
    fn texts_that_are_no_boards_are_refused_with_the_place() {
        let message = |fen: &str| Board::parse("amazons", fen).unwrap_err().to_string();
        assert!(message("3q/5").contains("rank 1 has 5 squares, the ranks above have 4"));
        assert!(message("3x/4").contains("`x` on square 4, expected one of Qq*"));
        assert!(message("").contains("rank 1 has 0 squares"));
        assert!(message("99999999999999999999/1").contains("expected 1 to 32"));
        assert!(message(&["1"; 40].join("/")).contains("40 ranks, expected 1 to 32"));
    }
}
