//! Protocol compliance tests for an engine. Each check uses its own process, so one fault does not
//! hide another.
//!
//! Checks that the dialect cannot express are skipped. A check fails if the engine would forfeit a
//! game or make a referee wait forever. Lesser flaws are remarks.

mod conduct;
mod conversation;
mod moves;
mod options;
mod positions;
mod time;

use crate::dialects;
use crate::driver::{EngineContext, Timeouts};
use crate::program::find_program;
use agon_games::Player;
use agon_games::arbiter::GameKind;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::{EngineEntry, Setting};
use agon_wire::dialect::{self, Dialect};
use agon_wire::message::{Command, Limits};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine under test and its requirements.
pub struct EngineUnderTest {
    entry: Arc<EngineEntry>,
    context: EngineContext,
    kind: GameKind,
    margin: Duration,
}

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckVerdict {
    /// The engine behaved as required.
    Passed,
    /// The engine works, with a minor flaw.
    Remark,
    /// The dialect cannot express it.
    Skipped,
    /// The engine would forfeit games.
    Failed,
}

impl CheckVerdict {
    /// The name in tables and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            CheckVerdict::Passed => "ok",
            CheckVerdict::Remark => "remark",
            CheckVerdict::Skipped => "skipped",
            CheckVerdict::Failed => "FAILED",
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check's name.
    pub check: &'static str,
    /// How it ended.
    pub verdict: CheckVerdict,
    /// The measurement or the fault, followed by lines of the engine's output, if any.
    pub detail: String,
    /// The duration of the check.
    pub time: Duration,
}

/// A verdict with a detail; a failed check is an error.
type CheckResult = Result<(CheckVerdict, String), String>;

fn passed(detail: impl Into<String>) -> CheckResult {
    Ok((CheckVerdict::Passed, detail.into()))
}

fn remark(detail: impl Into<String>) -> CheckResult {
    Ok((CheckVerdict::Remark, detail.into()))
}

fn skipped(detail: impl Into<String>) -> CheckResult {
    Ok((CheckVerdict::Skipped, detail.into()))
}

/// A check by name.
struct CheckRun {
    name: &'static str,
    run: fn(&EngineUnderTest) -> CheckResult,
}

static CHECKS: [CheckRun; 14] = [
    CheckRun { name: "handshake", run: options::handshake },
    CheckRun { name: "options", run: options::options },
    CheckRun { name: "readiness", run: options::readiness },
    CheckRun { name: "first move", run: moves::first_move },
    CheckRun { name: "odd positions", run: moves::odd_positions },
    CheckRun { name: "whole games", run: moves::whole_games },
    CheckRun { name: "repetition", run: moves::repetition },
    CheckRun { name: "questions", run: moves::questions },
    CheckRun { name: "limits", run: time::limits },
    CheckRun { name: "clocks", run: time::clocks },
    CheckRun { name: "stop", run: time::stop },
    CheckRun { name: "garbage", run: conduct::garbage },
    CheckRun { name: "end of input", run: conduct::end_of_input },
    CheckRun { name: "quit", run: conduct::quit },
];

/// The names of all checks, in the order in which they run.
pub fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.iter().map(|c| c.name)
}

impl EngineUnderTest {
    /// Takes an engine, the game and its rules, the timeouts, and the time margin.
    pub fn new(
        entry: EngineEntry,
        kind: GameKind,
        rules: Vec<Setting>,
        timeouts: Timeouts,
        margin: Duration,
    ) -> Result<EngineUnderTest, Phrase> {
        let program = entry.command.first().map_or("", String::as_str);
        find_program(program, entry.dir.as_deref())
            .map_err(|reason| phrase!("engine {name}: {reason}", name = entry.name, reason))?;
        dialects::engine_dialect(&entry, kind.name)?;
        let context = EngineContext::new(kind.name, rules, timeouts);
        Ok(EngineUnderTest { entry: Arc::new(entry), context, kind, margin })
    }

    /// Starts the engine and refuses its fields if it lists no such options or values, or counts time too
    /// coarsely for its limits. An engine that does not start fails its checks.
    ///
    /// # Errors
    ///
    /// Names the engine and the field.
    pub fn check_fields(&self) -> Result<(), Phrase> {
        let Ok(mut engine) = conversation::Conversation::start(self) else { return Ok(()) };
        let name = self.entry.name.as_str();
        engine.check_fields().map_err(|reason| phrase!("engine {name}: {reason}", name, reason))
    }

    /// Starts the engine and returns the options that it lists: names, and types with defaults and
    /// ranges as it wrote them.
    pub fn listed_options(&self) -> Result<Vec<(String, String)>, String> {
        let options = conversation::Conversation::start(self)?.identify()?.options;
        Ok(options.into_iter().map(|option| (option.name, option.rest)).collect())
    }

    /// Runs the checks that `wanted` accepts and calls `report` after each. Returns whether no
    /// check failed.
    pub fn run(&self, wanted: impl Fn(&str) -> bool, mut report: impl FnMut(&Finding)) -> bool {
        let mut passed = true;
        for check in CHECKS.iter().filter(|c| wanted(c.name)) {
            let begin = Instant::now();
            let outcome = (check.run)(self);
            if crate::interrupted() {
                return false;
            }
            let (verdict, detail) = outcome.unwrap_or_else(|e| (CheckVerdict::Failed, e));
            passed &= verdict != CheckVerdict::Failed;
            report(&Finding { check: check.name, verdict, detail, time: begin.elapsed() });
        }
        passed
    }

    /// The limits of a move in a game: those of the engine's fields, as in a match, or else this time.
    fn usual_limits(&self, otherwise_ms: u64) -> Limits {
        let own = &self.entry.limit;
        let ms = Duration::from_millis;
        if own.is_unbounded() {
            return Limits::with_move_time(ms(otherwise_ms));
        }
        let clock = own.clock.as_ref();
        Limits {
            time: [clock.map(|clock| ms(clock.time_ms)); 2],
            increment: [clock.map_or(Duration::ZERO, |clock| ms(clock.increment_ms)); 2],
            moves_to_go: clock.and_then(|clock| clock.moves),
            move_time: own.move_ms.map(ms),
            depth: own.depth,
            nodes: own.nodes,
            ..Limits::default()
        }
    }

    /// Creates the dialect for a new conversation.
    fn dialect(&self) -> Result<Box<dyn Dialect>, String> {
        dialect::by_name(&self.entry.dialect, self.kind.name)
            .ok_or_else(|| format!("unknown dialect `{}`", self.entry.dialect))
    }

    /// Whether the dialect can express a command.
    fn supports(&self, command: &Command) -> bool {
        let words = self.dialect().map(|mut d| d.write_command(command, Player::First));
        words.is_ok_and(|lines| !lines.is_empty())
    }

    /// The rule settings in the form that the arbiter takes.
    fn rule_pairs(&self) -> Vec<(String, String)> {
        agon_matchlog::rule_pairs(&self.context.rules)
    }
}
