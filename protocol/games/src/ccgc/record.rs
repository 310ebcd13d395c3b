//! A game record as a value, and the errors of reading one.

use crate::game::Outcome;

/// The games that have a national text form here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordGame {
    /// Connect6, `C6`.
    Connect6,
    /// Amazons, `AM`.
    Amazons,
    /// EinStein, whose header has no letters; the name of its file begins with `WTN`.
    EinStein,
    /// NoGo, `NG`.
    NoGo,
}

impl RecordGame {
    /// All games.
    pub const ALL: [RecordGame; 4] =
        [RecordGame::Connect6, RecordGame::Amazons, RecordGame::EinStein, RecordGame::NoGo];

    /// The game's name in flags and logs.
    pub const fn name(self) -> &'static str {
        match self {
            RecordGame::Connect6 => "connect6",
            RecordGame::Amazons => "amazons",
            RecordGame::EinStein => "einstein",
            RecordGame::NoGo => "nogo",
        }
    }

    /// The letters of the game in file names.
    pub const fn letters(self) -> &'static str {
        match self {
            RecordGame::Connect6 => "C6",
            RecordGame::Amazons => "AM",
            RecordGame::EinStein => "WTN",
            RecordGame::NoGo => "NG",
        }
    }

    /// The game with this [`RecordGame::name`].
    pub fn by_name(name: &str) -> Option<RecordGame> {
        RecordGame::ALL.into_iter().find(|g| g.name() == name)
    }

    /// The game with these letters, in capitals or not, or with this name in Chinese or English.
    pub fn by_letters(letters: &str) -> Option<RecordGame> {
        let letters = crate::text::usual(letters.trim()).to_ascii_lowercase();
        RecordGame::ALL.into_iter().find(|game| {
            let is_letters = game.letters().eq_ignore_ascii_case(&letters);
            is_letters || game.name() == letters || game.chinese_name() == letters
        })
    }

    const fn chinese_name(self) -> &'static str {
        match self {
            RecordGame::Connect6 => "六子棋",
            RecordGame::Amazons => "亚马逊棋",
            RecordGame::EinStein => "爱恩斯坦棋",
            RecordGame::NoGo => "不围棋",
        }
    }
}

/// A game in the national form. The first player is the one who moves first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game.
    pub game: RecordGame,
    /// The team that moves first.
    pub first: String,
    /// The other team.
    pub second: String,
    /// The result; `None` if the game is not finished.
    pub result: Option<Outcome>,
    /// Date and time, such as `2021.08.01 10:00`.
    pub date: String,
    /// The place.
    pub place: String,
    /// The event, such as `2021 CCGC`.
    pub event: String,
    /// EinStein: the set-ups of the first and of the second player as canonical tokens.
    pub set_ups: Option<[String; 2]>,
    /// The moves after the set-ups as canonical tokens; EinStein's rolls are among them.
    pub moves: Vec<String>,
    /// EinStein: whether the first player is Blue and starts in the lower right corner. The tokens have
    /// the first player in the upper left corner, whatever its colour: the board is turned.
    pub blue_first: bool,
}

impl Record {
    /// A record of these canonical tokens, with empty names.
    pub fn of_tokens(game: RecordGame, tokens: &[String]) -> Record {
        let (set_ups, moves) = match (game, tokens) {
            (RecordGame::EinStein, [first, second, moves @ ..]) => {
                (Some([first.clone(), second.clone()]), moves)
            }
            _ => (None, tokens),
        };
        Record {
            game,
            first: String::new(),
            second: String::new(),
            result: None,
            date: String::new(),
            place: String::new(),
            event: String::new(),
            set_ups,
            moves: moves.to_vec(),
            blue_first: false,
        }
    }

    /// All tokens from the start position of the game: set-ups, rolls and moves.
    pub fn tokens(&self) -> impl Iterator<Item = &str> + Clone {
        self.set_ups.iter().flatten().chain(&self.moves).map(String::as_str)
    }
}

/// A text that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct ReadError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong and what would be right.
    pub reason: String,
}
