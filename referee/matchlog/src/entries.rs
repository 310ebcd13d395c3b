//! The plain parts of the header: the engines with their options and limits, when and where the match was played, how
//! chance was decided, the settings of adjudication and of the sequential test; and the end line of a log.

pub use jiff::Timestamp;

use super::schedule::Shard;
use serde::{Deserialize, Serialize};

/// A name and a value: an engine's option or a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The option's name.
    pub name: String,
    /// Its value as text.
    pub value: String,
}

/// One engine of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineEntry {
    /// The name in tables; unique within a match.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// SHA-256 of the program's file, in hexadecimal.
    pub sha256: String,
    /// The engine's dialect.
    pub dialect: String,
    /// Options set after the handshake, in order.
    pub options: Vec<Setting>,
    /// Working directory, if it differs from the referee's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Additional environment variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<Setting>,
    /// Memory limit in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// The cores that the engine may use; empty: the referee's cores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<usize>,
    /// Whether the engine ponders on the opponent's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Whether the engine runs in a sandbox.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
    /// What the program runs, with the SHA-256 of each file: the arguments of an interpreter that name
    /// files, and the programs for the levels of processors by their names in the program's folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<Setting>,
    /// The engine's limits on thinking.
    pub limit: Limit,
}

impl EngineEntry {
    /// An entry without a program: a team of which only the name and the limits are known.
    pub fn without_program(name: &str, limit: Limit) -> EngineEntry {
        EngineEntry { name: name.into(), dialect: "ugi".into(), limit, ..EngineEntry::default() }
    }
}

/// Limits on an engine's thinking; all that are set apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// A chess clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Milliseconds per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_ms: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Node limit per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time margin in milliseconds: how far a move may exceed its time without losing.
    #[serde(default)]
    pub margin_ms: u64,
}

/// A chess clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Milliseconds at the start of the game, added again at each time control.
    pub time_ms: u64,
    /// Milliseconds added after each move.
    pub increment_ms: u64,
    /// Moves per time control; `None`: the time is for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// Converts rule settings to the form that a game's arbiter takes.
pub fn rule_pairs(rules: &[Setting]) -> Vec<(String, String)> {
    rules.iter().map(|r| (r.name.clone(), r.value.clone())).collect()
}

/// The current time in UTC, to the millisecond.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    now.round(jiff::Unit::Millisecond).unwrap_or(now)
}

/// The start of a match and the machines that play it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// When the first run began, in UTC (RFC 3339).
    pub started: Timestamp,
    /// The machine of the first run; in a merged log the machines of all parts, each once.
    pub machines: Vec<Machine>,
}

impl Origin {
    /// Adds the origin of another part of the same match.
    pub fn join(&mut self, other: Origin) {
        self.started = self.started.min(other.started);
        for machine in other.machines {
            if !self.machines.contains(&machine) {
                self.machines.push(machine);
            }
        }
    }
}

/// A computer; fields that the system does not tell are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The processor's model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// Number of processors that the referee may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<usize>,
    /// Physical memory in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// The operating system with its release, and the architecture.
    pub os: String,
}

impl std::fmt::Display for Machine {
    /// Human-readable form: `AMD EPYC 7763, 8 cores, 31 GiB, Linux 6.8.0 x86_64`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(cpu) = &self.cpu {
            write!(f, "{cpu}, ")?;
        }
        if let Some(cores) = self.cores {
            write!(f, "{cores} core{}, ", if cores == 1 { "" } else { "s" })?;
        }
        if let Some(mib) = self.memory_mib {
            write!(f, "{:.0} GiB, ", mib as f64 / 1024.0)?;
        }
        f.write_str(&self.os)
    }
}

/// The source of dice, deals and random openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceEntry {
    /// SHA-256 of the secret, in hexadecimal; `None`: everything follows from the header's seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    /// Whether anyone who read the header could foresee every outcome.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreseeable: bool,
    /// Whether the two games of a pair have the same dice and the same deal.
    pub shared: bool,
    /// The texts that the players contributed after they had seen the commitment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contributions: Vec<Contribution>,
}

/// A text that a player contributed to the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contribution {
    /// The engine's name.
    pub engine: String,
    /// The text.
    pub text: String,
}

impl ChanceEntry {
    /// Chance that follows from the header's seed; both games of a pair share it. Logs of format 1
    /// have no entry and mean this one.
    pub fn seeded() -> ChanceEntry {
        ChanceEntry { commitment: None, foreseeable: true, shared: true, contributions: Vec::new() }
    }
}

/// The last line of a finished log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEnd {
    /// The number of games in the log.
    pub games: u64,
    /// The secret, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// What a referee found when it went on with a log. The hash of the log's last line is that of the line
/// before this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resumption {
    /// The number of games in the log.
    pub games: u64,
    /// When and where the match was resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The incomplete last line, which was discarded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarded: Option<TornLine>,
}

/// A last line without its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TornLine {
    /// Its length in bytes.
    pub bytes: u64,
    /// How it began.
    pub text: String,
}

/// A log that was merged into another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MergedPart {
    /// Its part of the schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The number of its games.
    pub games: u64,
    /// How many of them were left out, because of who played them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub left_out: u64,
    /// How often it was resumed.
    pub resumed: u64,
    /// The hash of its last line.
    pub head: String,
}

fn is_none(n: &u64) -> bool {
    *n == 0
}

/// A sequential test of whether the first engine is stronger than the second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtEntry {
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1.
    pub elo1: f64,
    /// Probability of accepting H1 under H0.
    pub alpha: f64,
    /// Probability of accepting H0 under H1.
    pub beta: f64,
    /// The scale of the two differences.
    pub model: EloScale,
    /// The kind of test.
    #[serde(default, skip_serializing_if = "TestKind::is_sprt")]
    pub test: TestKind,
}

/// A kind of sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    /// Sequential probability ratio test
    #[default]
    Sprt,
    /// Test by betting (an e-process): its error probabilities hold however often one looks
    Betting,
}

impl TestKind {
    fn is_sprt(&self) -> bool {
        *self == TestKind::Sprt
    }
}

/// The scale on which Elo differences are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloScale {
    /// Expected score, mapped to Elo.
    Logistic,
    /// Expected score over its standard deviation per game, mapped to Elo.
    Normalised,
}

/// Which games end before the rules end them; by default none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Resign adjudication: both engines report that the same side is winning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Draw adjudication: both engines report an equal score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Move limit: a game with this number of decisions is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u64>,
    /// Territory adjudication (Amazons): the game ends once no empty square can be reached by both
    /// sides; the remaining moves of each side decide.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub territory: bool,
    /// Tablebase adjudication: the game ends once an endgame tablebase knows its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<TablebaseEntry>,
}

/// A program that answers tablebase queries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablebaseEntry {
    /// The program, described as an engine.
    pub engine: EngineEntry,
    /// The files and folders that its options name, with the SHA-256 of their contents.
    pub files: Vec<Setting>,
}

/// The conditions of resign adjudication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// In centipawns: the winning side reports at least this score, the losing side at most its
    /// negative. A mate score exceeds any number.
    pub score: u32,
    /// Required number of consecutive moves of each side.
    pub moves: u32,
    /// Whether the losing side's scores decide alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_sided: bool,
}

/// The conditions of draw adjudication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// In centipawns: the maximum absolute score that both sides report.
    pub score: u32,
    /// Required number of consecutive moves of each side.
    pub moves: u32,
    /// Draw adjudication applies only after this number of decisions.
    pub after: u64,
}

impl Adjudication {
    /// Whether every game is played to its end by the rules.
    pub fn is_off(&self) -> bool {
        *self == Adjudication::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_match_begin_with_the_earliest_and_list_each_machine_once() {
        let origin = |started: &str, cpu: &str| Origin {
            started: started.parse().unwrap(),
            machines: vec![Machine { cpu: Some(cpu.into()), ..Machine::default() }],
        };
        let mut all = origin("2026-02-02T10:00:00Z", "x");
        all.join(origin("2026-02-02T09:00:00Z", "y"));
        all.join(origin("2026-02-02T11:00:00Z", "x"));
        assert_eq!(all.started.to_string(), "2026-02-02T09:00:00Z");
        assert_eq!(all.machines.len(), 2);
    }
}
