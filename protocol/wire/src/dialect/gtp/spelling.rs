//! How the games in GTP write their turns, whole or in stages.
//!
//! Columns are `A` to `T` without `I`, rows 1 to 19 from the bottom. In GTP a turn is one text, `K10` or,
//! in Connect6, `K10,K11`. In the staged form of `KataGomo` (github.com/hzyhhzy/KataGomo, branches Amazons,
//! `ConnectSix2024`, Nogo2025, 2022 to 2025) a turn is several vertices, one a command: two stones in Connect6,
//! of which the first turn has one; from, to and arrow in Amazons, where Black stands on the upper rows.

use crate::dialect::squares::{FileRow, amazons_places, amazons_token, places, square};

/// The rule option that `boardsize` sets.
pub(super) const BOARD_SIZE: &str = "BoardSize";

/// The GTP spelling of a game.
#[derive(Debug)]
pub(super) struct Spelling {
    /// The game's name.
    pub game: &'static str,
    /// The only size that `boardsize` accepts; if `None`, it sets the rule option `BoardSize`.
    pub fixed_size: Option<&'static str>,
    /// Whether the core's tokens skip the letter `i`, as GTP does.
    skips_i: bool,
    /// Number of rows, if they count from the other side of the board.
    mirrored: Option<u8>,
    /// Number of commands for a turn; `None`: one command holds a whole turn.
    pub stages: Option<usize>,
    /// The form of what `play` takes, for error messages.
    pub turn: &'static str,
}

/// The games in GTP.
pub(super) static WHOLE: &[Spelling] = &[
    Spelling {
        game: "connect6",
        fixed_size: None,
        skips_i: false,
        mirrored: None,
        stages: None,
        turn: "points A1 to T19 without I, such as K10 or K10,K11",
    },
    Spelling {
        game: "nogo",
        fixed_size: Some("9"),
        skips_i: true,
        mirrored: None,
        stages: None,
        turn: "a point A1 to J9 without I, such as E5",
    },
];

/// The games in staged GTP.
pub(super) static STAGED: &[Spelling] = &[
    Spelling {
        game: "connect6",
        fixed_size: None,
        skips_i: false,
        mirrored: None,
        stages: Some(2),
        turn: "one point A1 to T19 without I, such as K10",
    },
    Spelling {
        game: "amazons",
        fixed_size: Some("10"),
        skips_i: false,
        mirrored: Some(10),
        stages: Some(3),
        turn: "one square A1 to K10 without I, such as D10",
    },
    Spelling {
        game: "nogo",
        fixed_size: Some("9"),
        skips_i: true,
        mirrored: None,
        stages: Some(1),
        turn: "a point A1 to J9 without I, such as E5",
    },
];

impl Spelling {
    /// Converts between the core's row and the one in GTP.
    fn row(&self, row: u8) -> Option<u8> {
        self.mirrored.map_or(Some(row), |rows| rows.checked_sub(row + 1))
    }

    fn read_square(&self, (letter, row): FileRow) -> Option<FileRow> {
        // There is no column I: from J on, letters are shifted by one.
        let column = match letter {
            0..=7 => letter,
            9..=19 => letter - u8::from(!self.skips_i),
            _ => return None,
        };
        Some((column, self.row(row)?))
    }

    fn write_square(&self, (column, row): FileRow) -> String {
        let shift = u8::from(!self.skips_i && column >= 8);
        let row = self.row(row).unwrap_or(row);
        square((column + shift, row)).to_ascii_uppercase()
    }

    /// The squares of a text in GTP, in the core's coordinates.
    fn read_squares(&self, text: &str) -> Option<Vec<FileRow>> {
        let squares = places(text)?.into_iter().map(|place| self.read_square(place));
        squares.collect::<Option<Vec<FileRow>>>().filter(|squares| !squares.is_empty())
    }

    /// Converts a whole turn in GTP to the core's token.
    pub fn read_turn(&self, text: &str) -> Option<String> {
        Some(self.read_squares(text)?.into_iter().map(square).collect())
    }

    /// Converts the core's token to a whole turn in GTP; other text stays unchanged.
    pub fn write_turn(&self, token: &str) -> String {
        let Some(points) = places(token) else { return token.into() };
        points.into_iter().map(|p| self.write_square(p)).collect::<Vec<_>>().join(",")
    }

    /// Converts one stage in GTP to a square.
    pub fn read_stage(&self, text: &str) -> Option<FileRow> {
        match self.read_squares(text)?.as_slice() {
            &[square] => Some(square),
            _ => None,
        }
    }

    /// One stage in GTP.
    pub fn write_stage(&self, square: FileRow) -> String {
        self.write_square(square)
    }

    /// The squares of a token, one for each stage.
    pub fn stages_of(&self, token: &str) -> Option<Vec<FileRow>> {
        if self.game == "amazons" { Some(amazons_places(token)?.to_vec()) } else { places(token) }
    }

    /// The token of a turn whose stages are all known, legal or not.
    pub fn token_of(&self, stages: &[FileRow]) -> String {
        match *stages {
            [from, to, arrow] if self.game == "amazons" => amazons_token([from, to, arrow]),
            _ => stages.iter().copied().map(square).collect(),
        }
    }

    /// The stages of `turn` that follow `begin`; `None` if it does not begin so. The order of two
    /// stones is free.
    pub fn rest_after(&self, begin: &[FileRow], turn: &[FileRow]) -> Option<Vec<FileRow>> {
        if self.game == "amazons" {
            return turn.strip_prefix(begin).map(<[FileRow]>::to_vec);
        }
        let mut rest = turn.to_vec();
        for stone in begin {
            let at = rest.iter().position(|s| s == stone)?;
            rest.remove(at);
        }
        Some(rest)
    }

    /// Number of `genmove` commands for the turn after `turns` others.
    pub fn stages_due(&self, turns: usize) -> usize {
        match self.stages {
            Some(_) if self.game == "connect6" && turns == 0 => 1,
            stages => stages.unwrap_or(1),
        }
    }
}
