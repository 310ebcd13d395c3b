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
use agon_wire::message::Command;
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
pub enum Verdict {
    /// The engine behaved as required.
    Passed,
    /// The engine works, with a minor flaw.
    Remark,
    /// The dialect cannot express it.
    Skipped,
    /// The engine would forfeit games.
    Failed,
}

impl Verdict {
    /// The name in tables and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Passed => "ok",
            Verdict::Remark => "remark",
            Verdict::Skipped => "skipped",
            Verdict::Failed => "FAILED",
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check's name.
    pub check: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// The measurement or the fault, followed by lines of the engine's output, if any.
    pub detail: String,
    /// The duration of the check.
    pub time: Duration,
}

/// A verdict with a detail; a failed check is an error.
type CheckResult = Result<(Verdict, String), String>;

fn passed(detail: impl Into<String>) -> CheckResult {
    Ok((Verdict::Passed, detail.into()))
}

fn remark(detail: impl Into<String>) -> CheckResult {
    Ok((Verdict::Remark, detail.into()))
}

fn skipped(detail: impl Into<String>) -> CheckResult {
    Ok((Verdict::Skipped, detail.into()))
}

/// A check by name.
struct Check {
    name: &'static str,
    run: fn(&EngineUnderTest) -> CheckResult,
}

static CHECKS: [Check; 14] = [
    Check { name: "handshake", run: options::handshake },
    Check { name: "options", run: options::options },
    Check { name: "readiness", run: options::readiness },
    Check { name: "first move", run: moves::first_move },
    Check { name: "odd positions", run: moves::odd_positions },
    Check { name: "whole games", run: moves::whole_games },
    Check { name: "repetition", run: moves::repetition },
    Check { name: "questions", run: moves::questions },
    Check { name: "limits", run: time::limits },
    Check { name: "clocks", run: time::clocks },
    Check { name: "stop", run: time::stop },
    Check { name: "garbage", run: conduct::garbage },
    Check { name: "end of input", run: conduct::end_of_input },
    Check { name: "quit", run: conduct::quit },
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
        find_program(program)
            .map_err(|reason| phrase!("engine {name}: {reason}", name = entry.name, reason))?;
        dialects::engine_dialect(&entry, kind.name)?;
        let context = EngineContext::new(kind.name, rules, timeouts);
        Ok(EngineUnderTest { entry: Arc::new(entry), context, kind, margin })
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
            let (verdict, detail) = outcome.unwrap_or_else(|e| (Verdict::Failed, e));
            passed &= verdict != Verdict::Failed;
            report(&Finding { check: check.name, verdict, detail, time: begin.elapsed() });
        }
        passed
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
