//! A position on a grid, read from a FEN's board field: what is on each square, and the names of the
//! squares. Texts and views are made of it; it draws nothing.
//!
//! [`STYLES`] says how each game's board field is read. A game without an entry has letters on
//! squares.

use super::cell::SquareContent;
use agon_games::Player;
use agon_games::board_text::BoardFormat;

/// A position on a grid.
#[derive(Clone, Debug)]
pub struct BoardPicture {
    files: usize,
    ranks: usize,
    /// The squares rank by rank, from the top left.
    cells: Vec<SquareContent>,
    style: &'static BoardStyle,
    marked: Vec<usize>,
}

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no board can be drawn of `{fen}`: {reason}")]
pub struct BoardError {
    fen: String,
    reason: String,
}

/// The maximum board size.
const MOST: usize = 32;

impl BoardPicture {
    /// Parses the board field of a FEN.
    pub fn parse(game: &str, fen: &str) -> Result<BoardPicture, BoardError> {
        let fail = |reason: String| BoardError { fen: agon_games::text::excerpt(fen), reason };
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
        let mut cells = vec![SquareContent::Empty; files * ranks];
        for (file, row, cell) in board.pieces {
            cells[(ranks - 1 - row) * files + file] = cell;
        }
        Ok(BoardPicture { files, ranks, cells, style, marked: Vec::new() })
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
    pub fn cells(&self) -> &[SquareContent] {
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
    pub fn with_last_move(mut self, tokens: &[String]) -> BoardPicture {
        let named = tokens.iter().rev().map(|token| self.squares_of(token));
        self.marked = named.into_iter().find(|squares| !squares.is_empty()).unwrap_or_default();
        self.marked.dedup();
        self
    }

    /// The marked squares, in the order of the move.
    pub fn marked(&self) -> &[usize] {
        &self.marked
    }

    /// The squares of a line of at least `length` equal stones through a marked one, from one end to the other; empty
    /// if there is none.
    pub fn line_through_marked(&self, length: usize) -> Vec<usize> {
        let stones = self.marked.iter().filter(|&&at| self.cells[at] != SquareContent::Empty);
        let mut lines = stones.flat_map(|&at| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].map(|direction| self.line_through(at, direction))
        });
        lines.find(|line| line.len() >= length).unwrap_or_default()
    }

    /// The squares next to each other in a direction of files and rows with the same contents as this one.
    fn line_through(&self, square: usize, (files, rows): (isize, isize)) -> Vec<usize> {
        let (file, row) = (square % self.files, square / self.files);
        let at = |steps: isize| {
            let file = file.checked_add_signed(files * steps).filter(|&file| file < self.files)?;
            let row = row.checked_add_signed(rows * steps).filter(|&row| row < self.ranks)?;
            let at = row * self.files + file;
            (self.cells[at] == self.cells[square]).then_some(at)
        };
        let mut line: Vec<usize> = (1..).map_while(|steps| at(-steps)).collect();
        line.reverse();
        line.push(square);
        line.extend((1..).map_while(at));
        line
    }

    /// The name of a square in the game's notation, such as `d7`.
    pub fn name(&self, square: usize) -> String {
        format!("{}{}", self.file_name(square % self.files), self.rank_name(square / self.files))
    }

    /// The contents of a square for a letter of the FEN; `None` for another game's letter.
    pub fn cell_of(&self, letter: char) -> Option<SquareContent> {
        (self.style.cell)(letter)
    }

    /// Whether the pieces stand on the intersections of lines, as in Go.
    pub fn is_go_board(&self) -> bool {
        self.style.grid == Grid::Points
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
        self.style.has_dealt_colours
    }

    /// The letter of a file, counted from 0.
    pub fn file_name(&self, file: usize) -> char {
        self.style.files.chars().nth(file).unwrap_or('?')
    }

    /// The number of the rank in this row, counted from 0 at the top.
    pub fn rank_name(&self, row: usize) -> usize {
        (self.ranks - 1 - row) + self.style.first_rank
    }

    /// Whether this is a Xiangqi board of full size, with river and palaces.
    pub fn has_river(&self) -> bool {
        self.style.grid == Grid::Xiangqi && (self.files, self.ranks) == (9, 10)
    }
}

/// What the pieces stand on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grid {
    /// Squares.
    Cells,
    /// Intersections of lines, as in Go.
    Points,
    /// Intersections of lines with a river and two palaces.
    Xiangqi,
}

/// How a game's board is read and named.
#[derive(Debug)]
struct BoardStyle {
    game: &'static str,
    grid: Grid,
    /// Whether the first piece that is turned over decides who has which colour.
    has_dealt_colours: bool,
    /// The letters of the files.
    files: &'static str,
    /// The number of the lowest rank.
    first_rank: usize,
    /// The letters of the pieces, for error messages.
    pieces: &'static str,
    /// The meaning of a letter of the FEN.
    cell: fn(char) -> Option<SquareContent>,
}

static OTHER: BoardStyle = BoardStyle {
    game: "",
    grid: Grid::Cells,
    has_dealt_colours: false,
    files: "abcdefghijklmnopqrstuvwxyz",
    first_rank: 1,
    pieces: "letters and ?",
    cell: letter,
};

static STYLES: &[BoardStyle] = &[
    BoardStyle { game: "amazons", pieces: "Qq*", cell: amazon, ..OTHER },
    BoardStyle { game: "connect6", grid: Grid::Points, pieces: "XO", cell: go_stone, ..OTHER },
    BoardStyle { game: "einstein", pieces: "A-F, a-f", cell: numbered, ..OTHER },
    BoardStyle {
        game: "nogo",
        grid: Grid::Points,
        files: "abcdefghjklmnopqrstuvwxyz",
        pieces: "XO",
        cell: go_stone,
        ..OTHER
    },
    BoardStyle {
        game: "xiangqi",
        grid: Grid::Xiangqi,
        first_rank: 0,
        pieces: "KABEHRNCP, kabehrncp",
        cell: xiangqi,
        ..OTHER
    },
    BoardStyle {
        game: "darkchess",
        has_dealt_colours: true,
        pieces: "KGMRNCP, kgmrncp and ?",
        cell: xiangqi,
        ..OTHER
    },
];

fn amazon(c: char) -> Option<SquareContent> {
    match c {
        'Q' => Some(SquareContent::Amazon(Player::First)),
        'q' => Some(SquareContent::Amazon(Player::Second)),
        '*' => Some(SquareContent::Arrow),
        _ => None,
    }
}

fn go_stone(c: char) -> Option<SquareContent> {
    match c.to_ascii_uppercase() {
        'X' | 'B' => Some(SquareContent::GoStone(Player::First)),
        'O' | 'W' => Some(SquareContent::GoStone(Player::Second)),
        _ => None,
    }
}

/// EinStein's stones are letters in the FEN and numbers from 1 on the board.
fn numbered(c: char) -> Option<SquareContent> {
    let digit = |n: u8| char::from(b'1' + n);
    match c {
        'A'..='F' => Some(SquareContent::Stone(Player::First, digit(c as u8 - b'A'))),
        'a'..='f' => Some(SquareContent::Stone(Player::Second, digit(c as u8 - b'a'))),
        _ => None,
    }
}

fn letter(c: char) -> Option<SquareContent> {
    match c {
        '?' => Some(SquareContent::Hidden),
        c if c.is_ascii_uppercase() => Some(SquareContent::Stone(Player::First, c)),
        c if c.is_ascii_lowercase() => {
            Some(SquareContent::Stone(Player::Second, c.to_ascii_uppercase()))
        }
        _ => None,
    }
}

/// Capital letters are Red's pieces.
fn xiangqi(c: char) -> Option<SquareContent> {
    match letter(c)? {
        SquareContent::Stone(player, letter) => Some(SquareContent::Piece(player, letter)),
        hidden => Some(hidden),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter;

    const START: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";

    #[test]
    fn the_start_position_of_amazons_has_its_amazons_on_their_squares() {
        let board = BoardPicture::parse("amazons", START).unwrap();
        assert_eq!((board.files(), board.cells().len()), (10, 100));
        for (name, player) in
            [("a4", Player::First), ("j4", Player::First), ("d10", Player::Second)]
        {
            assert_eq!(board.cells()[board.square(name).unwrap()], SquareContent::Amazon(player));
        }
        let amazons = board.cells().iter().filter(|&&cell| cell != SquareContent::Empty);
        assert_eq!(amazons.count(), 8);
    }

    #[test]
    fn a_move_names_its_squares() {
        let board = BoardPicture::parse("amazons", START).unwrap();
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
        for game in ["connect6", "nogo"] {
            let board = BoardPicture::parse(game, "3/1X1/2O").unwrap();
            let kind = |square: usize| board.cells()[square].describe().unwrap().kind;
            assert_eq!((kind(4), kind(8)), ("bS".into(), "wS".into()), "{game}");
            assert_eq!(board.cells()[4], SquareContent::GoStone(Player::First), "{game}");
        }
    }

    #[test]
    fn pieces_are_those_of_their_game() {
        let board = BoardPicture::parse("darkchess", "r1b?/4/..Kx").unwrap();
        assert_eq!(board.cells()[0], SquareContent::Piece(Player::Second, 'R'));
        assert_eq!(board.cells()[3], SquareContent::Hidden);
        assert_eq!(board.cells()[10], SquareContent::Piece(Player::First, 'K'));
        let einstein = BoardPicture::parse("einstein", "AB3/5/5/5/4f u 3").unwrap();
        assert_eq!(einstein.cells()[1], SquareContent::Stone(Player::First, '2'));
        assert_eq!(einstein.cells()[24], SquareContent::Stone(Player::Second, '6'));
    }

    #[test]
    fn a_xiangqi_move_is_marked_where_it_left_and_where_it_went() {
        let mut position = arbiter::game("xiangqi").unwrap().open_text("startpos", &[]).unwrap();
        position.push("h2e2").unwrap();
        let board = BoardPicture::parse("xiangqi", &position.fen()).unwrap();
        let board = board.with_last_move(&position.tokens());
        let names: Vec<String> = board.marked().iter().map(|&square| board.name(square)).collect();
        assert_eq!((names, board.grid_name()), (vec!["h2".into(), "e2".into()], "xiangqi"));
    }

    #[test]
    fn a_line_that_wins_goes_through_a_last_stone() {
        let line = |fen: &str, last: &str| {
            let board = BoardPicture::parse("connect6", fen).unwrap();
            let board = board.with_last_move(&[last.into()]);
            let names = board.line_through_marked(6).into_iter().map(|square| board.name(square));
            names.collect::<Vec<_>>().join(" ")
        };
        let falling = "8/8/X7/1X6/2X5/3X4/4X3/5X2";
        assert_eq!(line(falling, "h8d3"), "a6 b5 c4 d3 e2 f1");
        assert_eq!(line(falling, "h8h7"), "", "there are no stones");
        assert_eq!(line("8/8/8/8/8/8/XXXXXXX1/8", "a2"), "a2 b2 c2 d2 e2 f2 g2");
        assert_eq!(line("8/8/7O/7O/7O/7O/7O/7O", "h1"), "h6 h5 h4 h3 h2 h1");
        assert_eq!(line("5X2/4X3/3X4/2X5/1X6/X7/8/8", "a3f8"), "a3 b4 c5 d6 e7 f8");
        assert_eq!(line("8/8/8/8/8/8/XXXOXXX1/8", "c2"), "", "three");
    }

    #[test]
    fn texts_that_are_no_boards_are_refused_with_the_place() {
        let message = |fen: &str| BoardPicture::parse("amazons", fen).unwrap_err().to_string();
        assert!(message("3q/5").contains("rank 1 has 5 squares, the ranks above have 4"));
        assert!(message("3x/4").contains("`x` on square 4, expected one of Qq*"));
        assert!(message("").contains("rank 1 has 0 squares"));
        assert!(message("99999999999999999999/1").contains("expected 1 to 32"));
        assert!(message(&["1"; 40].join("/")).contains("40 ranks, expected 1 to 32"));
    }
}
