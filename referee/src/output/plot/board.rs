//! Board diagrams: a grid of cells read from a FEN's board field, drawn as SVG.
//!
//! [`STYLES`] holds the drawing style of each game. A game without an entry is drawn on squares,
//! and its pieces are round stones with letters.

use super::cell::{Cell, PieceStyle, SIDE, draw_cell};
use super::lattice::{EmptyBoard, Lattice};
use super::markup::px;
use agon_protocol::Player;
use agon_protocol::board_text::BoardFormat;
use maud::{Markup, html};
use std::fmt::Display;

/// A position on a grid.
#[derive(Clone, Debug)]
pub struct Board {
    files: usize,
    ranks: usize,
    /// The squares rank by rank, from the top left.
    cells: Vec<Cell>,
    style: &'static Style,
    pieces: PieceStyle,
    marked: Vec<usize>,
}

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no board can be drawn of `{fen}`: {reason}")]
pub struct BoardError {
    fen: String,
    reason: String,
}

/// The margin for coordinates.
const MARGIN: f64 = 26.0;
/// The margin at the top and on the right.
const TOP: f64 = 8.0;
/// The maximum board size.
const MOST: usize = 32;

impl Board {
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
        let pieces = PieceStyle::default();
        Ok(Board { files, ranks, cells, style, pieces, marked: Vec::new() })
    }

    /// The same board with its pieces in this style.
    #[must_use]
    pub fn with_pieces(self, pieces: PieceStyle) -> Board {
        Board { pieces, ..self }
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Number of ranks.
    pub fn ranks(&self) -> usize {
        self.ranks
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

    /// The same board with the squares of the last move marked: the last of the tokens that names
    /// a square, because dice and revealed pieces name none.
    #[must_use]
    pub fn with_last_move(mut self, tokens: &[String]) -> Board {
        let named = tokens.iter().rev().map(|token| self.squares_of(token));
        self.marked = named.into_iter().find(|squares| !squares.is_empty()).unwrap_or_default();
        self.marked.dedup();
        self
    }

    /// The marked squares, in the order of the move.
    pub fn marked(&self) -> &[usize] {
        &self.marked
    }

    /// The SVG diagram; its colours come from [`super::STYLE`].
    pub fn svg(&self, title: &str) -> Markup {
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="agon board" viewBox=(self.view_box())
                role="img" aria-label=(title) {
                (self.grid())
                @for &square in &self.marked { (square_at("lastmove", self.corner(square))) }
                @for (square, &cell) in self.cells.iter().enumerate() {
                    (draw_cell(cell, self.pieces, self.corner(square)))
                }
            }
        }
    }

    fn view_box(&self) -> String {
        let (width, height) = (self.files as f64 * SIDE, self.ranks as f64 * SIDE);
        format!("0 0 {} {}", px(width + MARGIN + TOP), px(height + MARGIN + TOP))
    }

    /// The top left corner of a square.
    fn corner(&self, square: usize) -> (f64, f64) {
        let (row, file) = (square / self.files, square % self.files);
        (MARGIN + file as f64 * SIDE, TOP + row as f64 * SIDE)
    }

    /// The empty board with its coordinates.
    fn grid(&self) -> Markup {
        let height = self.ranks as f64 * SIDE;
        let empty = EmptyBoard {
            lattice: self.style.lattice,
            files: self.files,
            ranks: self.ranks,
            left: MARGIN,
            top: TOP,
            characters: self.pieces == PieceStyle::Characters,
        };
        // The picture is scaled to the page, so the labels of a large board must be larger.
        let size = 12.0 * (self.files as f64 / 11.0).clamp(1.0, 1.7);
        html! {
            (empty.draw())
            @for file in 0..self.files {
                (coordinate(
                    MARGIN + (file as f64 + 0.5) * SIDE,
                    height + TOP + 13.0 + size / 3.0,
                    size,
                    self.file_name(file),
                ))
            }
            @for row in 0..self.ranks {
                (coordinate(
                    MARGIN / 2.0,
                    TOP + (row as f64 + 0.5) * SIDE + size / 3.0,
                    size,
                    self.rank_name(row),
                ))
            }
        }
    }

    /// The name of a square in the game's notation, such as `d7`.
    pub fn name(&self, square: usize) -> String {
        format!("{}{}", self.file_name(square % self.files), self.rank_name(square / self.files))
    }

    /// The contents of a square for a letter of the FEN; `None` for another game's letter.
    pub fn cell_of(&self, letter: char) -> Option<Cell> {
        (self.style.cell)(letter)
    }

    /// Whether the pieces stand on the intersections of lines, as in Go.
    pub fn is_go_board(&self) -> bool {
        self.style.lattice == Lattice::Go
    }

    /// What pages draw: `xiangqi`, `points` (stones on the intersections) or `cells`.
    pub fn grid_name(&self) -> &'static str {
        match (self.has_river(), self.is_go_board()) {
            (true, _) => "xiangqi",
            (_, true) => "points",
            _ => "cells",
        }
    }

    /// Whether the first piece that is turned over decides who has which colour.
    pub fn has_dealt_colours(&self) -> bool {
        self.style.lattice == Lattice::Half
    }

    /// The letter of a file, counted from 0.
    pub fn file_name(&self, file: usize) -> char {
        self.style.files.chars().nth(file).unwrap_or('?')
    }

    /// The number of the rank in this row, counted from 0 at the top.
    pub fn rank_name(&self, row: usize) -> usize {
        (self.ranks - 1 - row) + self.style.first_rank
    }

    /// Whether the text board has the lines of a Xiangqi board.
    pub fn has_river(&self) -> bool {
        self.style.lattice == Lattice::Xiangqi && (self.files, self.ranks) == (9, 10)
    }
}

/// The drawing style of a game.
#[derive(Debug)]
struct Style {
    game: &'static str,
    lattice: Lattice,
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
    lattice: Lattice::Chequered,
    files: "abcdefghijklmnopqrstuvwxyz",
    first_rank: 1,
    pieces: "letters and ?",
    cell: letter,
};

static STYLES: [Style; 6] = [
    Style { game: "amazons", pieces: "Qq*", cell: amazon, ..OTHER },
    Style { game: "connect6", lattice: Lattice::Go, pieces: "XO", cell: go_stone, ..OTHER },
    Style { game: "einstein", pieces: "A-F, a-f", cell: numbered, ..OTHER },
    Style {
        game: "nogo",
        lattice: Lattice::Go,
        files: "abcdefghjklmnopqrstuvwxyz",
        pieces: "XO",
        cell: go_stone,
        ..OTHER
    },
    Style {
        game: "xiangqi",
        lattice: Lattice::Xiangqi,
        first_rank: 0,
        pieces: "KABEHRNCP, kabehrncp",
        cell: xiangqi,
        ..OTHER
    },
    Style {
        game: "darkchess",
        lattice: Lattice::Half,
        pieces: "KGMRNCP, kgmrncp and ?",
        cell: xiangqi,
        ..OTHER
    },
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
        'X' | 'B' => Some(Cell::GoStone(Player::First)),
        'O' | 'W' => Some(Cell::GoStone(Player::Second)),
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

/// Capital letters are Red's pieces.
fn xiangqi(c: char) -> Option<Cell> {
    match letter(c)? {
        Cell::Stone(player, letter) => Some(Cell::Piece(player, letter)),
        hidden => Some(hidden),
    }
}

fn square_at(class: &str, (x, y): (f64, f64)) -> Markup {
    html! { rect class=(class) x=(px(x)) y=(px(y)) width=(SIDE) height=(SIDE) {} }
}

fn coordinate(x: f64, y: f64, size: f64, text: impl Display) -> Markup {
    html! {
        text class="coord" x=(px(x)) y=(px(y)) text-anchor="middle" style={ "font-size:" (px(size)) "px" } { (text) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_well_formed;
    use super::super::standalone;
    use super::*;
    use agon_protocol::arbiter;

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
    fn black_moves_first_on_a_go_board() {
        for (game, fen) in [("connect6", "3/1X1/2O"), ("nogo", "3/1X1/2O")] {
            let svg = Board::parse(game, fen).unwrap().svg("x").0;
            let (black, white) = (svg.find("pc-second pc-stone"), svg.find("pc-first pc-stone"));
            assert!(black.is_some() && black < white, "{game}: X is black and comes first");
        }
    }

    #[test]
    fn pieces_are_those_of_their_game() {
        let board = Board::parse("darkchess", "r1b?/4/..Kx").unwrap();
        assert_eq!(board.cells()[0], Cell::Piece(Player::Second, 'R'));
        assert_eq!(board.cells()[3], Cell::Hidden);
        assert_eq!(board.cells()[10], Cell::Piece(Player::First, 'K'));
        let einstein = Board::parse("einstein", "AB3/5/5/5/4f u 3").unwrap();
        assert_eq!(einstein.cells()[1], Cell::Stone(Player::First, '2'));
        assert_eq!(einstein.cells()[24], Cell::Stone(Player::Second, '6'));
        assert_well_formed(&board.svg("x").0);
    }

    /// The x and y of the middle of a Xiangqi point: files from the left, ranks from 0 at the bottom.
    fn point(file: usize, rank: usize) -> (f64, f64) {
        (MARGIN + (file as f64 + 0.5) * SIDE, TOP + (9.5 - rank as f64) * SIDE)
    }

    /// The Xiangqi board after `h2e2`, the cannon to the middle file.
    fn after_central_cannon(style: PieceStyle) -> String {
        let mut position = arbiter::game("xiangqi").unwrap().open_text("startpos", &[]).unwrap();
        position.push("h2e2").unwrap();
        let board = Board::parse("xiangqi", &position.fen()).unwrap().with_pieces(style);
        standalone(&board.with_last_move(&position.tokens()).svg("after h2e2"))
    }

    #[test]
    fn a_xiangqi_move_is_marked_where_it_left_and_where_it_went() {
        let svg = after_central_cannon(PieceStyle::Characters);
        assert_well_formed(&svg);
        assert_eq!(svg.matches("class=\"lastmove\"").count(), 2);
        for (file, rank) in [(7, 2), (4, 2)] {
            let (x, y) = point(file, rank);
            let (left, top) = (px(x - SIDE / 2.0), px(y - SIDE / 2.0));
            assert!(
                svg.contains(&format!("class=\"lastmove\" x=\"{left}\" y=\"{top}\"")),
                "{file}{rank}"
            );
        }
        // The labels of the ranks of both squares are 2, at their height; the files are a to i.
        for (rank, label) in [(2, "2"), (0, "0"), (9, "9")] {
            let y = px(point(0, rank).1 + 4.0);
            assert!(
                svg.contains(&format!(
                    "x=\"13\" y=\"{y}\" text-anchor=\"middle\" style=\"font-size:12px\">{label}<"
                )),
                "{label}"
            );
        }
        let (x, y) = (px(point(7, 0).0), px(10.0 * SIDE + TOP + 17.0));
        assert!(svg.contains(&format!(
            "x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" style=\"font-size:12px\">h<"
        )));
    }

    #[test]
    fn xiangqi_has_its_characters_its_river_and_its_palaces() {
        let svg = after_central_cannon(PieceStyle::Characters);
        let piece = |file: usize, rank: usize, style: &str, text: &str| {
            let (x, y) = point(file, rank);
            let at = format!("translate({} {})", px(x - SIDE / 2.0), px(y - SIDE / 2.0));
            let drawn = svg.split_once(&at).unwrap_or_else(|| panic!("nothing on {at}")).1;
            let drawn = drawn.split_once("</g>").unwrap().0;
            assert!(drawn.contains(style) && drawn.contains(&format!(">{text}<")), "{drawn}");
        };
        piece(4, 2, "pc-red", "炮");
        piece(1, 7, "pc-black", "砲");
        piece(4, 0, "pc-red", "帥");
        piece(4, 9, "pc-black", "將");
        piece(0, 9, "pc-black", "車");
        for name in ["楚河", "漢界"] {
            let before = svg.split_once(&format!(">{name}<")).unwrap().0;
            let y: f64 =
                before.rsplit_once(" y=\"").unwrap().1.split('"').next().unwrap().parse().unwrap();
            assert!(y > point(0, 5).1 && y < point(0, 4).1, "{name} is not on the river");
        }
        // Files b to h stop at the river: no line goes from rank 9 to rank 0.
        let line = |file: usize, from: usize, to: usize| {
            let ((x, y), (u, v)) = (point(file, from), point(file, to));
            format!("M{} {}L{} {}", px(x), px(y), px(u), px(v))
        };
        for file in 1..8 {
            assert!(svg.contains(&line(file, 9, 5)) && svg.contains(&line(file, 4, 0)));
            assert!(!svg.contains(&line(file, 9, 0)));
        }
        assert!(svg.contains(&line(0, 9, 0)) && svg.contains(&line(8, 9, 0)));
        for top in [9, 2] {
            let ((x, y), (u, v)) = (point(3, top), point(5, top - 2));
            assert!(svg.contains(&format!("M{} {}L{} {}", px(x), px(y), px(u), px(v))), "palace");
        }
        let letters = after_central_cannon(PieceStyle::Letters);
        assert!(letters.contains(">C<") && !letters.contains('炮') && !letters.contains("楚河"));
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
