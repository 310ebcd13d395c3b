//! One game of a log.

use crate::stats::GameScore;
use agon_protocol::message::Score;
use agon_protocol::{Outcome, Player};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the schedule, from 0.
    pub game: u64,
    /// The pair it belongs to, from 0. Both games of a pair have the same opening and the same
    /// chance draws, and swapped sides.
    pub pair: u64,
    /// The engines as indices into the header's list, the first player first.
    pub players: [usize; 2],
    /// `startpos` or a FEN, with or without `moves ...`.
    pub opening: String,
    /// Moves and chance outcomes after the opening, canonical tokens with blanks between.
    pub moves: String,
    /// Who made each of [`GameRecord::moves`]: `1`, `2` or `c` for chance, one character each.
    pub by: String,
    /// How it ended.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
    /// What exactly happened; for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The last position.
    pub fen: String,
    /// One entry a decision (chance outcomes have none), in the order of [`GameRecord::moves`].
    pub stats: PlyStats,
    /// The last lines that an engine wrote in this game on its standard error, if something went
    /// wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The last lines that it wrote on its standard output, if something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
}

/// What a program said last, a few lines of each output; `None` where it said nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputTail {
    /// On its standard output.
    pub stdout: Option<String>,
    /// On its standard error.
    pub stderr: Option<String>,
}

impl std::fmt::Display for OutputTail {
    /// For people: a heading and indented lines for each output that has any, a line break before
    /// each line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, text) in [("standard output", &self.stdout), ("standard error", &self.stderr)] {
            let Some(text) = text else { continue };
            write!(f, "\nits last lines on {name}:")?;
            text.lines().try_for_each(|line| write!(f, "\n  {line}"))?;
        }
        Ok(())
    }
}

/// What the engines said about each of their moves, column by column; all columns have one entry
/// a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyStats {
    /// Microseconds from `go` to `bestmove` on the referee's clock.
    pub us: Vec<u64>,
    /// Depth in plies; `None` where the engine did not say.
    pub depth: Vec<Option<u32>>,
    /// Visited nodes.
    pub nodes: Vec<Option<u64>>,
    /// Value from the mover's point of view: a number in hundredths, or `"#n"` for a forced
    /// result in n plies (negative: being beaten).
    pub score: Vec<Option<PlyScore>>,
}

/// A [`Score`] in the log's spelling.
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

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// The winner, unless the game was drawn.
    pub fn winner(self) -> Option<Player> {
        match self {
            GameResult::First => Some(Player::First),
            GameResult::Second => Some(Player::Second),
            GameResult::Draw => None,
        }
    }

    /// A win of this player.
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

/// Why a game ended; see [`Reason::is_fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// By the game's rules.
    Rules,
    /// A move that the rules forbid, or that is no move.
    IllegalMove,
    /// The clock ran out.
    Time,
    /// The program ended, closed its output, or could not be started again.
    Crash,
    /// No answer at all, even after `stop`, or none to a readiness question.
    Hang,
    /// More output, or a longer line, than any honest engine writes.
    Flood,
    /// An answer that the protocol does not allow.
    Protocol,
    /// Nobody's fault: an engine gave up, or both have said for a while that one of them is winning.
    Resignation,
    /// Nobody's fault: both engines offered a draw, or have said for a while that nobody is winning.
    Agreement,
    /// Nobody's fault: the match's longest game, a draw.
    Length,
    /// Nobody's fault: what was left of the game was counted.
    Territory,
    /// Nobody's fault: a table of endgames knows how it ends.
    #[serde(rename = "table")]
    Tablebase,
}

impl Reason {
    /// Whether an engine is to blame, which is then the loser.
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

    /// The spelling in logs and tables.
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
            Reason::Length => "length",
            Reason::Territory => "territory counted",
            Reason::Tablebase => "endgame table",
        }
    }
}

impl GameRecord {
    /// The game without anything that differs between two runs of deterministic engines.
    #[must_use]
    pub fn without_timings(&self) -> GameRecord {
        let mut game = self.clone();
        game.stats.us.clear();
        // Engines say how long they have thought.
        game.stdout = None;
        game
    }

    /// What the engine at fault said last.
    #[must_use]
    pub fn output_tail(&self) -> OutputTail {
        OutputTail { stdout: self.stdout.clone(), stderr: self.stderr.clone() }
    }

    /// Half points of an engine: 2 for a win, 1 for a draw, 0 for a loss; `None` if it did not
    /// play.
    pub fn half_points(&self, engine: usize) -> Option<u32> {
        let seat = self.players.iter().position(|&p| p == engine)?;
        Some(match self.result.winner() {
            None => 1,
            Some(winner) if winner.index() == seat => 2,
            Some(_) => 0,
        })
    }

    /// Who made each decision, in the order of [`PlyStats`]: 0 for the first player.
    pub fn movers(&self) -> impl Iterator<Item = usize> + '_ {
        self.by.bytes().filter_map(|b| match b {
            b'1' => Some(0),
            b'2' => Some(1),
            _ => None,
        })
    }
}
