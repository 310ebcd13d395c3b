//! One game of a log, and the set of the numbers of games.

use super::entries::Timestamp;
use agon_base::ordinal::Ordinal;
use agon_games::phrase::Phrase;
use agon_games::refereed::Ending;
use agon_games::text::excerpt;
use agon_games::{Outcome, Player};
use agon_stats::{GameScore, WorkerGame};
use agon_wire::message::Score;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Its index in the schedule, from 0; people see [`GameRecord::number`].
    pub game: u64,
    /// Its pair, from 0. Both games of a pair have the same opening and the same chance outcomes,
    /// with swapped sides.
    pub pair: u64,
    /// The engines as indices into the header's list, the first player first.
    pub players: [usize; 2],
    /// `startpos` or a FEN, with or without `moves ...`.
    pub opening: String,
    /// Moves and chance outcomes after the opening: canonical tokens separated by blanks.
    pub moves: String,
    /// Origin of each of [`GameRecord::moves`], one character each: `1`, `2`, or `c` for chance.
    pub by: String,
    /// The result.
    pub result: GameResult,
    /// The reason for the end of the game.
    pub reason: Reason,
    /// The rule that ended the game, for [`Reason::Rules`]; logs of older versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<RuleEnding>,
    /// A human-readable sentence about the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Phrase>,
    /// The last position.
    pub fen: String,
    /// When the game began, in UTC (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Timestamp>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
    /// The machine that played it, by the name that its referee was given; absent if only one plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// One entry per decision (none for chance outcomes), in the order of [`GameRecord::moves`]; after a loss
    /// on time one more, that of the move that came too late.
    pub stats: PlyStats,
    /// The end of the standard error of the engine at fault, in this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The end of the standard output of the engine at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
}

/// The last lines of a program's outputs; `None` for an empty output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputTail {
    /// The end of the standard output.
    pub stdout: Option<String>,
    /// The end of the standard error.
    pub stderr: Option<String>,
}

impl std::fmt::Display for OutputTail {
    /// Human-readable form: for each output a heading and indented lines, each after a line break.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, text) in [("standard output", &self.stdout), ("standard error", &self.stderr)] {
            let Some(text) = text else { continue };
            write!(f, "\nlast lines on {name}:")?;
            text.lines().try_for_each(|line| write!(f, "\n  {line}"))?;
        }
        Ok(())
    }
}

/// The search info of all moves in columns; every column has one entry per decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlyStats {
    /// Microseconds from `go` to `bestmove` on the referee's clock.
    pub us: Vec<u64>,
    /// Depth in plies; `None` if the engine did not report it.
    pub depth: Vec<Option<u32>>,
    /// Searched nodes.
    pub nodes: Vec<Option<u64>>,
    /// Visited leaves; no column if neither engine reported any.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub leaves: Vec<Option<u64>>,
    /// Milliseconds for which the referee itself did not run while the move was timed, because the
    /// machine was overloaded or stopped; empty if there were none in the whole game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stall_ms: Vec<u64>,
    /// Score from the mover's point of view: centipawns, or `"#n"` for a forced win in n plies
    /// (negative: a forced loss).
    pub score: Vec<Option<PlyScore>>,
    /// The mover's expected score in permille, wins and half of the draws, as the engine reported it;
    /// no column if neither engine reported any.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub expected: Vec<Option<u32>>,
}

/// Whether a column has no values.
fn is_unknown<T>(column: &[Option<T>]) -> bool {
    column.iter().all(Option::is_none)
}

/// A [`Score`] in the format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyScore(pub Score);

impl Serialize for PlyScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Score::Cp(x) => serializer.serialize_i32(x),
            Score::Mate(n) => serializer.collect_str(&format_args!("#{n}")),
        }
    }
}

impl<'de> Deserialize<'de> for PlyScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlyScore, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Spelling {
            Centi(i32),
            Mate(String),
        }
        match Spelling::deserialize(deserializer)? {
            Spelling::Centi(x) => Ok(PlyScore(Score::Cp(x))),
            Spelling::Mate(text) => text
                .strip_prefix('#')
                .and_then(|n| n.parse().ok())
                .map(|n| PlyScore(Score::Mate(n)))
                .ok_or_else(|| serde::de::Error::custom(format!("bad score `{text}`"))),
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// A draw.
    Draw,
}

impl GameResult {
    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Player> {
        match self {
            GameResult::First => Some(Player::First),
            GameResult::Second => Some(Player::Second),
            GameResult::Draw => None,
        }
    }

    /// The result if this player wins.
    pub fn won_by(player: Player) -> GameResult {
        match player {
            Player::First => GameResult::First,
            Player::Second => GameResult::Second,
        }
    }
}

impl GameResult {
    /// The first player's score.
    pub fn score_of_first(self) -> GameScore {
        match self {
            GameResult::First => GameScore::Win,
            GameResult::Draw => GameScore::Draw,
            GameResult::Second => GameScore::Loss,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win(player) => GameResult::won_by(player),
            Outcome::Draw => GameResult::Draw,
        }
    }
}

/// The reason for the end of a game; see [`Reason::is_fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The game ended by its rules.
    Rules,
    /// A move that the rules forbid, or text that is not a move.
    IllegalMove,
    /// The clock ran out.
    Time,
    /// The program exited, closed its output, or could not be restarted.
    Crash,
    /// No answer, even after `stop`, or no `readyok`.
    Hang,
    /// More output, or a longer line, than the limits allow.
    Flood,
    /// A reply that the protocol does not allow.
    Protocol,
    /// No fault: an engine resigned, or resign adjudication.
    Resignation,
    /// No fault: both engines offered a draw, or draw adjudication.
    Agreement,
    /// No fault: draw by the match's move limit.
    Length,
    /// No fault: territory adjudication.
    Territory,
    /// No fault: tablebase adjudication.
    #[serde(rename = "table")]
    Tablebase,
}

/// An [`Ending`]; the log holds its name, such as `no_move`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleEnding(pub Ending);

impl RuleEnding {
    fn code(ending: Ending) -> String {
        ending.name().replace(' ', "_")
    }
}

impl Serialize for RuleEnding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&RuleEnding::code(self.0))
    }
}

impl<'de> Deserialize<'de> for RuleEnding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RuleEnding, D::Error> {
        let code = String::deserialize(deserializer)?;
        let found = Ending::ALL.into_iter().find(|&ending| RuleEnding::code(ending) == code);
        found.map(RuleEnding).ok_or_else(|| {
            let known = Ending::ALL.map(RuleEnding::code).join(", ");
            serde::de::Error::custom(format!("ending `{}`: expected {known}", excerpt(&code)))
        })
    }
}

impl Reason {
    /// Whether the game was lost by a fault.
    pub fn is_fault(self) -> bool {
        !matches!(
            self,
            Reason::Rules
                | Reason::Resignation
                | Reason::Agreement
                | Reason::Length
                | Reason::Territory
                | Reason::Tablebase
        )
    }

    /// The name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Rules => "rules",
            Reason::IllegalMove => "illegal move",
            Reason::Time => "time",
            Reason::Crash => "crash",
            Reason::Hang => "hang",
            Reason::Flood => "flood",
            Reason::Protocol => "protocol",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreed draw",
            Reason::Length => "move limit",
            Reason::Territory => "territory",
            Reason::Tablebase => "tablebase",
        }
    }
}

impl GameRecord {
    /// A game without moves between these engines, and without what only a match has.
    pub fn bare(players: [usize; 2], result: GameResult) -> GameRecord {
        GameRecord {
            game: 0,
            pair: 0,
            players,
            opening: String::new(),
            moves: String::new(),
            by: String::new(),
            result,
            reason: Reason::Rules,
            ending: None,
            detail: None,
            fen: String::new(),
            start: None,
            end: None,
            worker: None,
            stats: PlyStats::default(),
            stderr: None,
            stdout: None,
        }
    }
}

impl GameRecord {
    /// Adds the end of the output of the engine at fault.
    #[must_use]
    pub fn output_tail(&self) -> OutputTail {
        OutputTail { stdout: self.stdout.clone(), stderr: self.stderr.clone() }
    }

    /// The game as its worker is judged by it.
    pub fn of_worker(&self) -> WorkerGame<'_> {
        WorkerGame {
            worker: self.worker.as_deref(),
            pair: self.pair,
            players: self.players,
            opening: &self.opening,
            score: self.result.score_of_first(),
            fault: self.reason.is_fault(),
        }
    }

    /// The number of the game as people see it.
    pub fn number(&self) -> Ordinal {
        Ordinal::of_index(self.game)
    }

    /// The mover of each decision, in the order of [`PlyStats`]: 0 for the first player. The last one of a
    /// game lost on time is the loser, whose move came too late.
    pub fn movers(&self) -> impl Iterator<Item = usize> + '_ {
        let played = self.by.bytes().filter_map(|b| match b {
            b'1' => Some(0),
            b'2' => Some(1),
            _ => None,
        });
        let winner = self.result.winner().filter(|_| self.reason == Reason::Time);
        played.chain(winner.map(|winner| winner.opponent().index()))
    }

    /// The number of entries of each column of [`PlyStats`].
    pub fn decisions(&self) -> usize {
        self.movers().count()
    }

    /// The number of moves that were played, without chance outcomes.
    pub fn moves_played(&self) -> usize {
        self.by.bytes().filter(|b| matches!(b, b'1' | b'2')).count()
    }
}

/// A set of game numbers, one bit per number where numbers are dense. A large number costs no more
/// than a small one.
#[derive(Clone, Debug, Default)]
pub struct GameSet(BTreeMap<u64, u64>);

impl GameSet {
    /// Adds a game; returns `false` if it was already in the set.
    pub fn insert(&mut self, game: u64) -> bool {
        let (word, bit) = (self.0.entry(game / 64).or_default(), 1 << (game % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// All games, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|(&i, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| 64 * i + bit)
        })
    }

    /// Whether a game is in the set.
    pub fn contains(&self, game: u64) -> bool {
        self.0.get(&(game / 64)).is_some_and(|w| w & (1 << (game % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_numbers_need_no_more_memory_than_small_ones() {
        let mut set = GameSet::default();
        for number in [1 << 36, 0, u64::MAX, 63, 64, 1_000_000_000_000_000_000] {
            assert!(set.insert(number) && !set.insert(number) && set.contains(number));
        }
        let all = [0, 63, 64, 1 << 36, 1_000_000_000_000_000_000, u64::MAX];
        assert_eq!(set.iter().collect::<Vec<_>>(), all);
        assert!(!set.contains(62));
    }
}
