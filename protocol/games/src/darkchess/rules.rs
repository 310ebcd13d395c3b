//! The rule limits of a match, and the boards.

use super::board::FILES;
use super::piece::COUNTS;
use crate::option::{OptionSpec, OptionValue, RuleSet};

/// The board of a game that starts without a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardSize {
    /// 4 files, 8 ranks, all 32 pieces.
    #[default]
    Full,
    /// 4 files, 4 ranks; each side has one piece of each kind and a second pawn.
    Half,
    /// 2 files, 4 ranks; each side has a king, a guard, a cannon and a pawn.
    Quarter,
}

impl BoardSize {
    const WORDS: [(&'static str, BoardSize); 3] =
        [("4x8", BoardSize::Full), ("4x4", BoardSize::Half), ("2x4", BoardSize::Quarter)];

    /// The squares of the board, bit `4 * rank + file`.
    pub fn squares(self) -> u32 {
        let (files, ranks) = match self {
            BoardSize::Full => (4, 8),
            BoardSize::Half => (4, 4),
            BoardSize::Quarter => (2, 4),
        };
        (0..ranks).fold(0, |set, rank| set | ((1 << files) - 1) << (rank * FILES))
    }

    /// Number of pieces of each kind per side.
    pub fn counts(self) -> [u8; 7] {
        match self {
            BoardSize::Full => COUNTS,
            BoardSize::Half => [1, 1, 1, 1, 1, 1, 2],
            BoardSize::Quarter => [1, 1, 0, 0, 0, 1, 1],
        }
    }
}

/// The rules of a match beyond the moves of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DarkRules {
    /// The game is drawn after this many plies without a capture or a flip; 0: never.
    pub draw_plies: u16,
    /// The occurrence of a position, counted from 1, that draws the game; 0: none does.
    pub occurrences: u8,
    /// The board of the start position; a FEN overrides it.
    pub board: BoardSize,
}

impl Default for DarkRules {
    /// The limits of the Olympiads of 2016 and 2022: 180 plies, threefold repetition.
    fn default() -> DarkRules {
        DarkRules { draw_plies: 180, occurrences: 3, board: BoardSize::Full }
    }
}

impl RuleSet for DarkRules {
    fn options() -> Vec<OptionSpec> {
        let rules = DarkRules::default();
        vec![
            OptionSpec::spin("DrawPlies", i64::from(rules.draw_plies), 0, 9999)
                .with_help("Plies without a capture or flip that draw the game; 0: no limit"),
            OptionSpec::spin("RepetitionCount", i64::from(rules.occurrences), 0, 9)
                .with_help("Occurrence of a position that draws the game; 0: none does"),
            OptionSpec::combo("Board", "4x8", &BoardSize::WORDS.map(|w| w.0))
                .with_help("Files and ranks of the start position's board"),
        ]
    }

    fn set(&mut self, name: &str, value: &OptionValue) {
        match (name, value) {
            ("DrawPlies", &OptionValue::Spin(n)) => {
                self.draw_plies = u16::try_from(n).unwrap_or(self.draw_plies);
            }
            ("RepetitionCount", &OptionValue::Spin(n)) => {
                // Every position occurs once, so 1 cannot be a draw limit.
                self.occurrences = u8::try_from(n).map_or(self.occurrences, |n| n.min(9));
                if self.occurrences == 1 {
                    self.occurrences = 2;
                }
            }
            ("Board", OptionValue::Text(word)) => {
                let found = BoardSize::WORDS.into_iter().find(|w| w.0 == word);
                self.board = found.map_or(self.board, |w| w.1);
            }
            _ => {}
        }
    }
}
