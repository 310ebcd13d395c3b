//! Games behind one object-safe interface, for programs that learn the game's name at run time: the
//! referee replays and adjudicates games as text through it.

use crate::amazons::Amazons;
use crate::connect6::Connect6;
use crate::darkchess::DarkChess;
use crate::einstein::EinStein;
use crate::game::{
    FenError, MoveError, MoveTexts, Outcome, Player, Turn, chance_outcomes, legal_moves,
};
use crate::nogo::NoGo;
use crate::option::{OptionError, OptionSpec, RuleSet, find};
use crate::phrase::{Phrase, ToPhrase, phrase};
use crate::record::{Record, RecordError};
use crate::refereed::{Ending, Refereed};
use crate::xiangqi::Xiangqi;
use rand_core::Rng;

/// A game in progress, with its moves as text.
pub trait Arbiter: Send {
    /// Checks a move or chance token and plays it. Returns the canonical token.
    fn push(&mut self, token: &str) -> Result<String, MoveError>;
    /// Whose turn it is, including the rules that need the path.
    fn turn(&self) -> Turn;
    /// The rule that ended the game; `None` if it is not over.
    fn ending(&self) -> Option<Ending>;
    /// The current position.
    fn fen(&self) -> String;
    /// The start position.
    fn start_fen(&self) -> String;
    /// The canonical tokens so far.
    fn tokens(&self) -> Vec<String>;
    /// The canonical tokens of all legal decisions, in generation order.
    fn legal_tokens(&self) -> Vec<String>;
    /// The number of legal decisions.
    fn count_moves(&self) -> u64;
    /// The chance outcomes as tokens with weights, in generation order.
    fn chance_tokens(&self) -> Vec<(String, u32)>;
    /// A text board.
    fn diagram(&self) -> String;
    /// A legal token in human-readable form.
    fn display_move(&self, token: &str) -> Result<String, MoveError>;
    /// A legal token in every notation of the game.
    fn move_texts(&self, token: &str) -> Result<MoveTexts, MoveError>;
    /// The hash of the current position.
    fn hash(&self) -> u64;
    /// A result that is already certain; see [`Refereed::certain_outcome`].
    fn certain_outcome(&self) -> Option<Outcome>;
    /// The FEN of [`Refereed::player_view`], to be sent instead of the start position and the
    /// moves, if the rules hide something from `player`.
    fn player_view_fen(&self, player: Player) -> Option<String>;
    /// Decisions with a chance outcome, and the outcomes; see [`Refereed::deal`].
    fn deal(&self, rng: &mut dyn Rng) -> Vec<(String, String)>;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn Arbiter>;
}

impl<G: Refereed> Arbiter for Record<G> {
    fn push(&mut self, token: &str) -> Result<String, MoveError> {
        if let Turn::Over(_) = Record::turn(self) {
            return Err(MoveError::illegal(token, phrase!("the game is over")));
        }
        let m = self.current().parse_move(token)?;
        let canonical = self.current().move_token(m);
        Record::push(self, m);
        Ok(canonical)
    }
    fn turn(&self) -> Turn {
        Record::turn(self)
    }
    fn ending(&self) -> Option<Ending> {
        let over = |turn| matches!(turn, Turn::Over(_));
        match self.current().turn() {
            position if over(position) => Some(self.current().ending()),
            _ => over(Record::turn(self)).then_some(Ending::Repetition),
        }
    }
    fn fen(&self) -> String {
        self.current().fen()
    }
    fn start_fen(&self) -> String {
        self.start().fen()
    }
    fn tokens(&self) -> Vec<String> {
        Record::tokens(self)
    }
    fn legal_tokens(&self) -> Vec<String> {
        legal_moves(self.current()).into_iter().map(|m| self.current().move_token(m)).collect()
    }
    fn count_moves(&self) -> u64 {
        self.current().count_moves()
    }
    fn chance_tokens(&self) -> Vec<(String, u32)> {
        let state = self.current();
        chance_outcomes(state).into_iter().map(|(m, w)| (state.move_token(m), w)).collect()
    }
    fn diagram(&self) -> String {
        self.current().diagram()
    }
    fn display_move(&self, token: &str) -> Result<String, MoveError> {
        self.current().parse_move(token).map(|m| self.current().display_move(m))
    }
    fn move_texts(&self, token: &str) -> Result<MoveTexts, MoveError> {
        self.current().parse_move(token).map(|m| self.current().move_texts(m))
    }
    fn hash(&self) -> u64 {
        self.current().hash()
    }
    fn certain_outcome(&self) -> Option<Outcome> {
        self.current().certain_outcome()
    }
    fn player_view_fen(&self, player: Player) -> Option<String> {
        self.current().player_view(player).map(|state| state.fen())
    }
    fn deal(&self, rng: &mut dyn Rng) -> Vec<(String, String)> {
        let state = self.current();
        let token = |m| state.move_token(m);
        state.deal(rng).into_iter().map(|(m, answer)| (token(m), token(answer))).collect()
    }
    fn boxed_clone(&self) -> Box<dyn Arbiter> {
        Box::new(self.clone())
    }
}

/// A game, selectable by name.
#[derive(Clone, Copy)]
pub struct GameKind {
    /// The name in flags and logs.
    pub name: &'static str,
    /// Whether the game has chance.
    pub has_chance: bool,
    options: fn() -> Vec<OptionSpec>,
    open: OpenFn,
}

type OpenFn = fn(Option<&str>, &[(String, String)]) -> Result<Box<dyn Arbiter>, OpenError>;

/// An error on opening a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The start position is bad.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A rule option is unknown or has a bad value.
    #[error(transparent)]
    Rule(#[from] OptionError),
    /// A move in an opening's list is bad.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl ToPhrase for OpenError {
    fn to_phrase(&self) -> Phrase {
        match self {
            OpenError::Fen(error) => error.to_phrase(),
            OpenError::Rule(error) => error.to_phrase(),
            OpenError::Record(error) => error.to_phrase(),
        }
    }
}

impl GameKind {
    const fn of<G: Refereed>() -> GameKind {
        GameKind {
            name: G::NAME,
            has_chance: G::HAS_CHANCE,
            options: G::Rules::options,
            open: open::<G>,
        }
    }

    /// The game's rule limits.
    pub fn rule_options(&self) -> Vec<OptionSpec> {
        (self.options)()
    }

    /// Opens a game from `fen`, or from the start position, with the given rule options.
    pub fn open(
        &self,
        fen: Option<&str>,
        rules: &[(String, String)],
    ) -> Result<Box<dyn Arbiter>, OpenError> {
        (self.open)(fen, rules)
    }

    /// Opens a game from an opening's text: `startpos` or a FEN, each optionally with a list of
    /// moves after the word `moves`, as in the protocol's `position` command.
    pub fn open_text(
        &self,
        opening: &str,
        rules: &[(String, String)],
    ) -> Result<Box<dyn Arbiter>, OpenError> {
        let (place, moves) = opening.split_once(" moves ").unwrap_or((opening, ""));
        let place = place.trim();
        let place = place.strip_prefix("fen ").unwrap_or(place);
        let mut game = self.open((place != "startpos").then_some(place), rules)?;
        for (i, token) in moves.split_whitespace().enumerate() {
            game.push(token).map_err(|error| RecordError::Move { number: i + 1, error })?;
        }
        Ok(game)
    }
}

fn open<G: Refereed>(
    fen: Option<&str>,
    settings: &[(String, String)],
) -> Result<Box<dyn Arbiter>, OpenError> {
    Ok(Box::new(Record::new(start::<G>(fen, settings)?)))
}

/// The position before the first move, with rule options by name.
///
/// # Errors
/// A bad FEN, an unknown option or value.
pub fn start<G: Refereed>(
    fen: Option<&str>,
    settings: &[(String, String)],
) -> Result<G, OpenError> {
    let specs = G::Rules::options();
    let mut rules = G::Rules::default();
    for (name, value) in settings {
        let spec = find(&specs, name)?;
        rules.set(&spec.name, &spec.parse(value)?);
    }
    Ok(match fen {
        None => G::start(&rules),
        Some(fen) => G::parse_fen(fen, &rules)?,
    })
}

/// All games, in the order of the project's description.
pub const GAMES: &[GameKind] = &[
    GameKind::of::<Amazons>(),
    GameKind::of::<EinStein>(),
    GameKind::of::<Connect6>(),
    GameKind::of::<DarkChess>(),
    GameKind::of::<Xiangqi>(),
    GameKind::of::<NoGo>(),
];

/// Finds a game by name.
pub fn game(name: &str) -> Option<GameKind> {
    GAMES.iter().copied().find(|g| g.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::option::OptionKind;
    use std::collections::BTreeSet;

    /// The ending of a game from an opening, with the rule limits of its name.
    fn ending(name: &str, opening: &str, rules: &[(&str, &str)]) -> Option<&'static str> {
        let rules: Vec<_> = rules.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        let game = game(name).unwrap().open_text(opening, &rules).unwrap();
        game.ending().map(Ending::name)
    }

    #[test]
    fn the_page_on_notation_has_the_start_and_a_move_of_every_game() {
        let page = include_str!("../../NOTATION.md");
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let rows: Vec<Vec<&str>> = rows.map(|l| l.split('|').map(code).collect()).collect();
        let names: BTreeSet<&str> = rows.iter().map(|row| row[1]).collect();
        assert_eq!(names, GAMES.iter().map(|game| game.name).collect::<BTreeSet<_>>());
        for row in rows {
            let kind = game(row[1]).unwrap();
            let mut board = kind.open(Some(row[5]), &[]).unwrap();
            assert_eq!(board.fen(), kind.open(None, &[]).unwrap().fen(), "{}", row[1]);
            assert_eq!(board.push(row[4]).unwrap(), row[4]);
        }
    }

    #[test]
    fn the_page_on_rules_has_every_option_of_every_game() {
        let page = include_str!("../../RULES.md");
        let rows = page.lines().filter(|line| line.starts_with("| `"));
        let listed: BTreeSet<Vec<String>> =
            rows.map(|l| l.split('|').skip(1).take(4).map(|c| code(c).into()).collect()).collect();
        let mut expected = BTreeSet::new();
        for game in GAMES {
            for option in game.rule_options() {
                let (values, default) = match option.kind {
                    OptionKind::Spin { default, min, max } => {
                        (format!("{min} to {max}"), default.to_string())
                    }
                    OptionKind::Combo { default, choices } => (choices.join(", "), default),
                    other => panic!("{}: {other:?}", option.name),
                };
                expected.insert(vec![game.name.into(), option.name, values, default]);
            }
        }
        assert_eq!(listed, expected);
    }

    /// The text of a table's cell without the marks of code.
    fn code(cell: &str) -> &str {
        cell.trim().trim_matches('`')
    }

    #[test]
    fn every_game_tells_which_rule_ended_it() {
        let dark = |opening: &str, rules: &[(&str, &str)]| ending("darkchess", opening, rules);
        let there = "a1b1 a4b4 b1a1 b4a4";
        let (kings, around) = ("k3/4/4/K3 r r - - 0", format!("{there} {there}"));
        assert_eq!(dark(kings, &[]), None);
        assert_eq!(dark(&format!("{kings} moves {around}"), &[]), Some("repetition"));
        let limit = [("DrawPlies", "2")];
        assert_eq!(dark(&format!("{kings} moves a1b1 a4b4"), &limit), Some("quiet moves"));
        assert_eq!(dark("2/2/Rp/2 r r - - 5 moves a2xb2", &[]), Some("elimination"));
        assert_eq!(dark("2/2/P1/kP b r - - 5", &[]), Some("no move"));
        let limit = [("DrawPlies", "1")];
        // The player to move loses although the limit has been reached too.
        assert_eq!(dark("2/2/P1/kP b r - - 5", &limit), Some("no move"));

        let amazons = "QQ*q3qqq/QQ*7/***7/10/10/10/10/10/10/10 w";
        assert_eq!(ending("amazons", amazons, &[]), Some("no move"));
        let einstein = |opening: &str| ending("einstein", opening, &[]);
        assert_eq!(einstein("1f3/5/5/3A1/5 u 6 moves d2e1"), Some("goal"));
        assert_eq!(einstein("5/1A3/2f2/5/5 u 6 moves b4c3"), Some("elimination"));
        assert_eq!(einstein("1f3/5/5/3A1/5 u 6"), None);

        let xiangqi = |opening: &str, rules: &[(&str, &str)]| ending("xiangqi", opening, rules);
        assert_eq!(
            xiangqi("4k4/9/9/9/9/9/9/9/9/3K5 w moves d0d1", &[("DrawPlies", "1")]),
            Some("quiet moves")
        );
        assert_eq!(xiangqi("3k5/R8/9/9/9/9/9/9/1R7/4K4 w moves b1b9", &[]), Some("checkmate"));
        assert_eq!(xiangqi("3k5/9/R8/9/9/9/9/9/9/4K4 w moves a7a8", &[]), Some("no move"));
        let around = "d0d1 e9e8 d1d0 e8e9";
        let kings = format!("4k4/9/9/9/9/9/9/9/9/3K5 w moves {around} {around}");
        assert_eq!(xiangqi(&kings, &[]), Some("repetition"));

        let six = "startpos moves a1 a3c3 b1c1 e3g3 d1e1 i3k3 f1";
        assert_eq!(ending("connect6", six, &[]), Some("line"));
        assert_eq!(ending("nogo", "startpos", &[]), None);
    }
}
