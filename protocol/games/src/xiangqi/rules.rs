//! The rule limits of a match: repetitions, and long games without a capture.

use crate::option::{OptionSpec, OptionValue, RuleSet};

/// The adjudication of a repeated position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repetition {
    /// Always a draw.
    Draw,
    /// A side that gave check with every move loses to one that did not; otherwise a draw.
    Check,
    /// As [`Repetition::Check`], and a side that chased the same unprotected piece with every move
    /// loses to one that neither checked nor chased.
    #[default]
    Asian,
}

impl Repetition {
    const WORDS: [(&'static str, Repetition); 3] =
        [("draw", Repetition::Draw), ("check", Repetition::Check), ("asian", Repetition::Asian)];
}

/// The rules of a match beyond the moves of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XiangqiRules {
    /// The repetition rule.
    pub repetition: Repetition,
    /// The occurrence of a position, counted from 1, at which the rule applies.
    pub occurrences: u8,
    /// The game is drawn after this many plies without a capture; 0: never.
    pub draw_plies: u16,
}

impl Default for XiangqiRules {
    /// Asian rules at the third occurrence, and 60 moves per side without a capture.
    fn default() -> XiangqiRules {
        XiangqiRules { repetition: Repetition::Asian, occurrences: 3, draw_plies: 120 }
    }
}

impl RuleSet for XiangqiRules {
    fn options() -> Vec<OptionSpec> {
        let rules = XiangqiRules::default();
        vec![
            OptionSpec::combo("Repetition", "asian", &Repetition::WORDS.map(|w| w.0)).with_help(
                "Result of a repetition: draw: always a draw; check: a perpetual checker loses; asian: a perpetual chaser, too",
            ),
            OptionSpec::spin("RepetitionCount", i64::from(rules.occurrences), 2, 9)
                .with_help("Occurrence of a position at which the repetition is judged"),
            OptionSpec::spin("DrawPlies", i64::from(rules.draw_plies), 0, 9999)
                .with_help("Plies without a capture that draw the game; 0: no limit"),
        ]
    }

    fn set(&mut self, name: &str, value: &OptionValue) {
        match (name, value) {
            ("Repetition", OptionValue::Text(word)) => {
                let found = Repetition::WORDS.into_iter().find(|w| w.0 == word);
                self.repetition = found.map_or(self.repetition, |w| w.1);
            }
            ("RepetitionCount", &OptionValue::Spin(n)) => {
                self.occurrences = u8::try_from(n).unwrap_or(self.occurrences);
            }
            ("DrawPlies", &OptionValue::Spin(n)) => {
                self.draw_plies = u16::try_from(n).unwrap_or(self.draw_plies);
            }
            _ => {}
        }
    }
}
