//! What a session at the desk is about: the game, the teams, the clocks and the form of the match.
//! It is the first line of a session file.

use agon_games::ccgc::RecordGame;
use agon_games::phrase::{Phrase, phrase};
use agon_matches::events::Length;
use agon_matchlog::Setting;
use agon_web::clocks::ClockRule;
use serde::{Deserialize, Serialize};

/// The version of the file format.
pub const FORMAT: u32 = 1;

/// The maximum number of games of a match.
pub const MAX_GAMES: u32 = 999;

/// The first line of a session file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// [`FORMAT`]; this key identifies the file as a session of the desk.
    pub agon_desk: u32,
    /// The game's name.
    pub game: String,
    /// Rule options that differ from the game's defaults.
    pub rules: Vec<Setting>,
    /// The names of team A and team B.
    pub teams: [String; 2],
    /// The team of the engine: 0 is A, 1 is B; `None`: both teams are entered by hand.
    pub engine: Option<usize>,
    /// The clocks.
    pub clock: ClockRule,
    /// How many games decide the match.
    pub length: Length,
    /// Who moves first in each game: `A` or `B` for each; repeated if there are more games.
    pub order: String,
    /// The name of the event; empty if unknown.
    pub event: String,
    /// The place, for records; empty if unknown.
    pub place: String,
    /// The form of the records: one of [`FORMS`].
    pub record: String,
}

/// Whether a text is an order of first moves: letters A and B.
pub fn is_order(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| matches!(b, b'A' | b'B'))
}

/// The forms of records.
pub const FORMS: [&str; 4] = ["ccgc", "sgf", "pgn", "wxf"];

/// The form of a game's records without an event: the national one, if the game has one.
pub fn usual_form(game: &str) -> &'static str {
    match game {
        "xiangqi" => "wxf",
        game if RecordGame::by_name(game).is_some() => "ccgc",
        _ => "pgn",
    }
}

impl Setup {
    /// The team that moves first in a game, counted from 1.
    pub fn first_team(&self, game: u32) -> usize {
        let order = self.order.as_bytes();
        let at = (game.max(1) as usize - 1) % order.len().max(1);
        usize::from(order.get(at) == Some(&b'B'))
    }

    /// The winner of the match by half points; `None` while it is not decided. `Some(None)`: all
    /// games are played and the teams have equal points.
    pub fn decided(&self, half_points: [u32; 2], games: u32) -> Option<Option<usize>> {
        let [a, b] = half_points;
        let leader = match a.cmp(&b) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        let done = match self.length {
            Length::FirstTo(points) => a.max(b) >= 2 * points && leader.is_some(),
            Length::BestOf(n) => a.max(b) > n || games >= n,
            Length::Games(n) => games >= n,
        };
        done.then_some(leader)
    }

    /// Names what differs from another set-up; `None` if both are equal.
    pub fn difference(&self, other: &Setup) -> Option<Phrase> {
        let fields = [
            (phrase!("the format"), self.agon_desk == other.agon_desk),
            (phrase!("the game"), self.game == other.game),
            (phrase!("the rules"), self.rules == other.rules),
            (phrase!("the teams' names"), self.teams == other.teams),
            (phrase!("the engine's team"), self.engine == other.engine),
            (phrase!("the clock"), self.clock == other.clock),
            (phrase!("the number of games"), self.length == other.length),
            (phrase!("the order of first moves"), self.order == other.order),
            (phrase!("the event"), self.event == other.event),
            (phrase!("the place"), self.place == other.place),
            (phrase!("the form of the records"), self.record == other.record),
        ];
        fields.into_iter().find(|(_, same)| !same).map(|(name, _)| name)
    }

    /// Checks what a program or a person may have written wrongly.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn check(&self) -> Result<(), Phrase> {
        if self.agon_desk != FORMAT {
            return Err(phrase!(
                "format {n}; this program reads format {own}",
                n = self.agon_desk,
                own = FORMAT
            ));
        }
        if !is_order(&self.order) {
            return Err(phrase!(
                "the order of first moves: expected letters A and B, such as ABBAABB"
            ));
        }
        if self.engine.is_some_and(|team| team > 1) {
            return Err(phrase!("the engine's team: expected 0 or 1"));
        }
        if !FORMS.contains(&self.record.as_str()) {
            return Err(phrase!(
                "the form of the records: expected one of {names}",
                names = FORMS.join(", ")
            ));
        }
        if !(1..=MAX_GAMES).contains(&self.length.max_games()) {
            return Err(phrase!("the number of games: expected 1 to {n}", n = MAX_GAMES));
        }
        Ok(())
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use agon_matches::events::ClockScope;

    /// A first-to-4 match of EinStein with 4 minutes a game; team A is an engine.
    pub fn einstein() -> Setup {
        Setup {
            agon_desk: FORMAT,
            game: "einstein".into(),
            rules: Vec::new(),
            teams: ["Ours".into(), "Theirs".into()],
            engine: Some(0),
            clock: ClockRule { time_ms: 240_000, increment_ms: 0, per: ClockScope::Game },
            length: Length::FirstTo(4),
            order: "ABBAABB".into(),
            event: "2021 CCGC".into(),
            place: "Chongqing".into(),
            record: "ccgc".into(),
        }
    }

    #[test]
    fn the_first_to_four_wins_with_the_order_of_the_event() {
        let setup = einstein();
        let first: Vec<usize> = (1..=8).map(|game| setup.first_team(game)).collect();
        assert_eq!(first, [0, 1, 1, 0, 0, 1, 1, 0]);
        assert_eq!(setup.decided([6, 6], 6), None);
        assert_eq!(setup.decided([8, 6], 7), Some(Some(0)));
        assert_eq!(setup.decided([2, 8], 5), Some(Some(1)));
    }

    #[test]
    fn a_best_of_ends_once_it_is_decided_and_a_number_of_games_is_played_out() {
        let best = Setup { length: Length::BestOf(3), ..einstein() };
        assert_eq!(best.decided([2, 2], 2), None);
        assert_eq!(best.decided([4, 0], 2), Some(Some(0)));
        assert_eq!(best.decided([3, 3], 3), Some(None));
        let both = Setup { length: Length::Games(2), ..einstein() };
        assert_eq!(both.decided([2, 0], 1), None);
        assert_eq!(both.decided([2, 2], 2), Some(None));
    }

    #[test]
    fn a_wrong_order_or_length_is_refused() {
        assert!(Setup { order: "AXB".into(), ..einstein() }.check().is_err());
        assert!(Setup { order: String::new(), ..einstein() }.check().is_err());
        assert!(Setup { length: Length::Games(0), ..einstein() }.check().is_err());
        assert_eq!(einstein().check(), Ok(()));
    }
}
