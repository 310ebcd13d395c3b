//! The settings of a preflight and the verdicts of its steps.

use agon_engine::check::CheckVerdict;
use agon_engine::driver::Timeouts;
use agon_games::phrase::Phrase;
use agon_matches::events::Event;
use agon_matchlog::EngineEntry;
use std::path::PathBuf;

/// What is tested.
pub struct Preflight {
    /// The event.
    pub event: Event,
    /// The engine, with the event's clock.
    pub entry: EngineEntry,
    /// Timeouts outside the clocks.
    pub timeouts: Timeouts,
    /// Number of whole games.
    pub games: u64,
    /// The folder in which records and session will be written.
    pub folder: PathBuf,
}

/// One line of the list.
#[derive(Clone, Debug)]
pub struct PreflightStep {
    /// Its name.
    pub name: &'static str,
    /// How it ended.
    pub verdict: CheckVerdict,
    /// The measurement or the fault.
    pub detail: Phrase,
}

impl PreflightStep {
    /// A step that went well.
    pub fn passed(name: &'static str, detail: Phrase) -> PreflightStep {
        PreflightStep { name, verdict: CheckVerdict::Passed, detail }
    }

    /// A step that the operator should know about.
    pub fn remark(name: &'static str, detail: Phrase) -> PreflightStep {
        PreflightStep { name, verdict: CheckVerdict::Remark, detail }
    }

    /// A step that would cost a game at the event.
    pub fn failed(name: &'static str, detail: Phrase) -> PreflightStep {
        PreflightStep { name, verdict: CheckVerdict::Failed, detail }
    }
}
