//! What the page of a game sends.

use super::super::answer::Refusal;
use super::super::position::PagePosition;
use agon_games::Player;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::{excerpt, visible};
use agon_wire::message::Limits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The longest time for a move.
const MAX_MOVE: Duration = Duration::from_secs(60);

/// How long an analysis runs.
pub const MAX_ANALYSIS: Duration = Duration::from_secs(600);

/// The format of saved games.
pub const SAVED_GAME: u64 = 1;

/// Maximum number of characters of a player's name.
const MAX_NAME: usize = 40;

/// The usual milliseconds for a move, of hints too.
const USUAL_MOVE_MS: u64 = 1000;

/// A new game, or one that goes on.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Where it begins.
    pub position: PagePosition,
    /// The engine's name; none for a board on which both sides move by hand.
    #[serde(default)]
    pub engine: Option<String>,
    /// The engine's level.
    #[serde(default)]
    pub level: Level,
    /// Who moves for each player.
    #[serde(default)]
    pub sides: [SideChoice; 2],
    /// Who rolls the die and reveals pieces.
    #[serde(default)]
    pub chance: ChanceBy,
    /// Options of the engine by name.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The players' names; an engine has its own.
    #[serde(default)]
    pub names: [String; 2],
    /// The time of each side, such as `5:00+3`; none: no clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The milliseconds that are left of it, if the game goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<[i64; 2]>,
    /// How it ended, if not by the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
}

impl NewGame {
    /// Refuses names that are too long or not plain text.
    pub fn check_names(&self) -> Result<(), Refusal> {
        let is_bad =
            |name: &&String| name.chars().count() > MAX_NAME || visible(name) != name.as_str();
        match self.names.iter().find(is_bad) {
            None => Ok(()),
            Some(name) => Err(Refusal::bad(phrase!(
                "name `{name}`: expected at most {n} letters and other signs",
                name = excerpt(name),
                n = MAX_NAME
            ))),
        }
    }
}

/// An end of a game that the rules of the board do not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// Who has lost, 0 or 1.
    #[serde(with = "loser")]
    pub loser: Player,
    /// Why.
    pub why: EndedBy,
}

/// Why a game has ended before the rules end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// A player gave up.
    Resignation,
    /// A flag fell.
    Time,
}

impl EndedBy {
    /// The name as in results.
    pub fn name(self) -> &'static str {
        match self {
            EndedBy::Resignation => "resignation",
            EndedBy::Time => "time",
        }
    }
}

/// A player as 0 or 1.
mod loser {
    use agon_games::Player;
    use serde::de::{Error, Unexpected};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(player: &Player, to: S) -> Result<S::Ok, S::Error> {
        player.index().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Player, D::Error> {
        let index = usize::deserialize(from)?;
        let unknown = || D::Error::invalid_value(Unexpected::Unsigned(index as u64), &"0 or 1");
        Player::BOTH.get(index).copied().ok_or_else(unknown)
    }
}

/// The question for the options of an engine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionsOf {
    /// The engine's name.
    pub engine: String,
    /// The game's name.
    pub game: String,
}

/// Who moves for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SideChoice {
    /// The page.
    #[default]
    Hand,
    /// The engine.
    Engine,
}

/// Where dice and dealt pieces come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChanceBy {
    /// The server draws from the system's randomness.
    #[default]
    Server,
    /// The page enters them.
    Hand,
}

/// How much an engine thinks about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Milliseconds.
    MoveTime(u64),
    /// Visited nodes.
    Nodes(u64),
    /// Plies.
    Depth(u32),
    /// As much as the clock allows.
    Clock,
}

impl Default for Level {
    fn default() -> Level {
        Level::MoveTime(USUAL_MOVE_MS)
    }
}

impl Level {
    /// Refuses levels that take too long or are none; `has_clock`: the game has clocks.
    pub fn check(self, has_clock: bool) -> Result<Level, Refusal> {
        let longest = u64::try_from(MAX_MOVE.as_millis()).unwrap_or(u64::MAX);
        let bad = |cause: Phrase| Err(Refusal::bad(phrase!("level: {cause}", cause)));
        match self {
            Level::MoveTime(ms) if ms == 0 || ms > longest => {
                bad(phrase!("expected 1 to {n} ms for a move", n = longest))
            }
            Level::Nodes(0) | Level::Depth(0) => bad(phrase!("expected a number from 1")),
            Level::Depth(101..) => bad(phrase!("expected a depth of at most 100")),
            Level::Clock if !has_clock => bad(phrase!("there is no clock to think by")),
            level => Ok(level),
        }
    }

    /// The same of a hint, for which no clock runs.
    pub fn limits_of_hint(self) -> (Limits, Duration) {
        if self == Level::Clock { Level::default().limits() } else { self.limits() }
    }

    /// The limits of the search without a clock, and the time after which it is stopped.
    pub fn limits(self) -> (Limits, Duration) {
        match self {
            Level::MoveTime(ms) => {
                let time = Duration::from_millis(ms);
                (Limits::with_move_time(time), time + Duration::from_secs(2))
            }
            Level::Nodes(nodes) => (Limits::with_nodes(nodes), MAX_MOVE),
            Level::Depth(depth) => (Limits::with_depth(depth), MAX_MOVE),
            Level::Clock => (Limits::default(), MAX_MOVE),
        }
    }
}

/// A command to a game.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum GameCommand {
    /// Play a move in any notation of the game.
    Move {
        /// The move.
        token: String,
        /// The ply at which the page stood, so that a late click plays nothing.
        #[serde(default)]
        ply: Option<usize>,
    },
    /// Enter a die or a revealed piece.
    Chance {
        /// The outcome.
        token: String,
    },
    /// Let the server draw the die or the piece.
    Roll {},
    /// Go back to the last own decision.
    Undo {},
    /// Ask the engine for a move.
    Hint {},
    /// End the engine's thinking with the best move so far.
    Now {},
    /// Give up the game.
    Resign {},
    /// Begin or end the analysis of the position.
    Analyse {
        /// Number of lines; 0 ends it.
        lines: u32,
    },
    /// Change who moves and how much the engine thinks.
    Set {
        /// Who moves for each player.
        #[serde(default)]
        sides: Option<[SideChoice; 2]>,
        /// The engine's level.
        #[serde(default)]
        level: Option<Level>,
        /// Who rolls and reveals.
        #[serde(default)]
        chance: Option<ChanceBy>,
    },
    /// Let an engine that failed think again.
    Retry {},
    /// The game as a file that a new game goes on from.
    Save {},
    /// End the session.
    Close {},
}
