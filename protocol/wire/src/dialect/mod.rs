//! Dialects: each module translates its text to and from the core messages, in both directions,
//! because our engines answer a dialect and our referee drives engines in it.
//!
//! Engines are independent of the dialect. The first line on standard input selects it.
//!
//! In the UCI family every `position` holds the whole game. In the others a line holds one move,
//! often with the request to answer it: those dialects remember the game, and
//! [`Dialect::poll_reply`] supplies the replies that they cannot express.

mod botzone;
mod family;
mod gtp;
mod history;
mod mgtp;
mod ntu;
mod sau;
mod squares;
#[cfg(test)]
mod test_messages;
#[cfg(test)]
mod tests;
pub mod ucci;
pub mod uci;
pub mod ugi;

use crate::message::{Command, Reply};
use agon_games::game::{Game, Player};
use agon_games::text::{excerpt, one_line, split_word};
use std::time::Duration;

/// Why a line was rejected: the error and the expected form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DialectError(pub String);

/// The positions that a manager can send in a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionSupport {
    /// Any.
    Any,
    /// Positions reachable by moves from the dialect's start position.
    MovesFromStart,
    /// Positions of a game that the engine itself has played from the start: no openings.
    OwnGames,
}

/// When a line that arrives before the last answer takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineTiming {
    /// At once: it ends or changes a search.
    AtOnce,
    /// At once during a search, unless earlier lines wait.
    AnyTime,
    /// After the answer to all earlier lines.
    InOrder,
}

/// One spelling of the core messages. A value is one conversation: it may remember sent data (an
/// engine's name, its options), so every process needs its own.
///
/// ```
/// use agon_wire::dialect::by_name;
/// use agon_games::game::Player;
/// use agon_wire::message::{Command, Limits, Reply};
///
/// // The manager's side writes commands, the engine's side reads them.
/// let mut manager = by_name("ucci", "xiangqi").expect("Xiangqi is played in UCCI");
/// let mut engine = by_name("ucci", "xiangqi").expect("Xiangqi is played in UCCI");
/// let go = Command::Go(Limits::with_depth(4));
/// let lines = manager.write_command(&go, Player::First);
/// assert_eq!(lines, ["go depth 4"]);
/// assert_eq!(engine.read_command(&lines[0])?, [go]);
/// // And the other way round.
/// let best = Reply::BestMove(Some("h2e2".into()));
/// let lines = engine.write_reply(&best);
/// assert_eq!(lines, ["bestmove h2e2"]);
/// assert_eq!(manager.read_reply(&lines[0]), Some(best));
/// # Ok::<(), agon_wire::dialect::DialectError>(())
/// ```
pub trait Dialect: Send {
    /// The name in `--dialect` flags: lower case.
    fn name(&self) -> &'static str;

    /// Engine side: reads one line from the manager. One line may hold several commands (`move` can
    /// send the opponent's move and request ours); after a rejected command, the rest are dropped.
    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError>;

    /// Engine side: the lines of `reply`, without line breaks.
    fn write_reply(&mut self, reply: &Reply) -> Vec<String>;

    /// Manager side: the lines for `command`, none if the dialect cannot express it. `mover` is the
    /// side to move of the last position, for dialects whose clocks are relative to it.
    fn write_command(&mut self, command: &Command, mover: Player) -> Vec<String>;

    /// Manager side: reads one line of an engine, which may be anything. `None` for a line without
    /// meaning in this dialect, which is not an error; invalid fields are skipped. Every line of an
    /// engine's identification returns the data known so far.
    fn read_reply(&mut self, line: &str) -> Option<Reply>;

    /// Manager side: a reply that earlier lines imply without a line of its own. Call it before
    /// waiting for a line.
    fn poll_reply(&mut self) -> Option<Reply> {
        None
    }

    /// Manager side: whether an option that the engine lists is the one that a user names. The
    /// engine is sent the name that it listed.
    fn is_option(&self, listed: &str, wanted: &str) -> bool {
        listed.eq_ignore_ascii_case(wanted)
    }

    /// Manager side: the unit of the times in its lines, once the engine has listed its options and
    /// is ready.
    fn time_unit(&self) -> Duration {
        Duration::from_millis(1)
    }

    /// Manager side: whether it tells an engine the increments of its clock.
    fn tells_increments(&self) -> bool {
        true
    }

    /// Whether the dialect belongs to the UCI family, where `isready` is answered after all earlier
    /// lines and the end of the input stops a search. In the others, a manager writes `IsReady` as a
    /// harmless request, such as the one for the name, so that its answer separates what an engine
    /// sent before from what it sends later. Botzone's bots have none: their lines are only drained.
    fn has_ready(&self) -> bool {
        false
    }

    /// Manager side: whether [`Dialect::needs_restart`] can ever be true.
    fn can_restart(&self) -> bool {
        false
    }

    /// Manager side: whether the engine must be restarted before this command; the conversation
    /// then starts again. Called before every command.
    fn needs_restart(&mut self, _command: &Command) -> bool {
        false
    }

    /// Manager side: whether the process has answered and should now exit; its output until then
    /// still counts.
    fn expects_exit(&self) -> bool {
        false
    }

    /// Manager side: the positions that can be sent.
    fn position_support(&self) -> PositionSupport {
        PositionSupport::Any
    }

    /// Manager side: the FEN of the dialect's only start position, if it differs from the game's.
    fn start_fen(&self) -> Option<&'static str> {
        None
    }

    /// Engine side: the time per move if neither the manager nor the user sets one.
    fn default_move_time(&self) -> Duration {
        Duration::from_secs(5)
    }

    /// Engine side: when a line takes effect during a search.
    fn timing(&self, line: &str) -> LineTiming {
        if self.has_ready() { family::timing(line) } else { LineTiming::InOrder }
    }

    /// Engine side: whether a search uses its time after the end of the input, as it must if every
    /// line is answered in turn. Otherwise the end of the input stops it.
    fn searches_after_eof(&self) -> bool {
        !self.has_ready()
    }
}

/// The names accepted by [`by_name`].
pub const NAMES: &[&str] = &[
    "ugi",
    "uci",
    "ucicyclone",
    "ucci",
    "sau",
    "cloudict",
    "gtp",
    "gtp-stages",
    "mgtp",
    "ntu",
    "botzone",
    "botzone-simple",
];

/// A dialect by name, in its initial state; `game` is the game's name. `None` for an unknown name
/// or a dialect that does not support the game.
pub fn by_name(name: &str, game: &str) -> Option<Box<dyn Dialect>> {
    let einstein = game == agon_games::einstein::EinStein::NAME;
    let amazons = game == agon_games::amazons::Amazons::NAME;
    match name {
        "ugi" => Some(Box::new(ugi::Ugi::default())),
        "uci" => Some(Box::new(uci::Uci::new(game))),
        "ucicyclone" => Some(Box::new(uci::Uci::cyclone(game))),
        "ucci" => Some(Box::new(ucci::Ucci::default())),
        "sau" => sau::Sau::new(game).map(|d| Box::new(d) as Box<dyn Dialect>),
        "cloudict" => sau::Cloudict::new(game).map(|d| Box::new(d) as Box<dyn Dialect>),
        "gtp" => gtp::Gtp::whole(game).map(|d| Box::new(d) as Box<dyn Dialect>),
        "gtp-stages" => gtp::Gtp::staged(game).map(|d| Box::new(d) as Box<dyn Dialect>),
        "mgtp" if game == "darkchess" => Some(Box::new(mgtp::Mgtp::default())),
        "ntu" if einstein => Some(Box::new(ntu::Ntu::default())),
        "botzone" if amazons => Some(Box::new(botzone::Botzone::json())),
        "botzone-simple" if amazons => Some(Box::new(botzone::Botzone::simple())),
        _ => None,
    }
}

/// The dialects that support a game, in the order of [`NAMES`].
pub fn for_game(game: &str) -> Vec<&'static str> {
    NAMES.iter().copied().filter(|name| by_name(name, game).is_some()).collect()
}

/// The dialect selected by an engine's first input line; UGI if no other one matches.
pub fn detect(first_line: &str, game: &str) -> Box<dyn Dialect> {
    let mut words = first_line.split_whitespace();
    let name = match (words.next(), words.next()) {
        (Some(id), Some(_)) if id.parse::<u32>().is_ok() && game == "darkchess" => "mgtp",
        (Some(id), Some(_)) if id.parse::<u32>().is_ok() => "gtp",
        (Some(word), _) if gtp::opens(word) => "gtp",
        (Some("uci"), _) => "uci",
        (Some("ucicyclone"), _) => "ucicyclone",
        (Some("ucci"), _) => "ucci",
        (Some("name?"), _) => "sau",
        // The platform's manager asks for the name first; the older variant may not.
        (Some("new"), _) => {
            if by_name("cloudict", game).is_some() {
                "cloudict"
            } else {
                "sau"
            }
        }
        (Some("name"), None) if game == agon_games::einstein::EinStein::NAME => "ntu",
        (Some("name"), None) if by_name("cloudict", game).is_none() => "gtp",
        (Some("name" | "depth" | "vcf" | "unvcf"), _) => "cloudict",
        (Some(word), _) if word.starts_with('{') => "botzone",
        (Some(word), None) if word.parse::<u32>().is_ok() => "botzone-simple",
        _ => "ugi",
    };
    // Where a game has both forms of GTP, the first line does not tell them apart.
    let staged = || by_name("gtp-stages", game).filter(|_| name == "gtp");
    by_name(name, game).or_else(staged).unwrap_or_else(|| Box::new(ugi::Ugi::default()))
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, DialectError> {
    Err(DialectError(reason.into()))
}

/// Refuses a command that is not one of those `known`.
fn refuse_unknown<T>(name: &str, known: &str) -> Result<T, DialectError> {
    refuse(format!("unknown command `{}`; known: {known}", excerpt(name)))
}

/// The last word of an engine's name, its version, or the name without it.
fn name_or_version(name: &str, version_asked: bool) -> &str {
    let (name, version) = name.rsplit_once(' ').unwrap_or((name, "1"));
    if version_asked { version } else { name }
}
