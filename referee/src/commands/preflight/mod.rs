//! The preflight: tests before an event whether engine and machine will get through its games.

mod games;
mod machine;
mod power;
mod record;
mod step;

pub use step::{Preflight, PreflightStep};

use agon_engine::check::CheckVerdict;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::GameRecord;

impl Preflight {
    /// Runs all steps and calls `report` after each. Returns whether none failed.
    ///
    /// # Errors
    ///
    /// The user interrupted, or the machine cannot start any program.
    pub fn run(&self, mut report: impl FnMut(&PreflightStep)) -> Result<bool, Phrase> {
        let mut ready = true;
        let mut tell = |step: PreflightStep| {
            ready &= step.verdict != CheckVerdict::Failed;
            report(&step);
        };
        tell(machine::program(&self.entry));
        tell(machine::disk(&self.folder));
        tell(machine::power());
        let mut finished: Vec<GameRecord> = Vec::new();
        for number in 0..self.games {
            let (step, game) = games::whole(self, number)?;
            tell(step);
            finished.extend(game);
        }
        tell(games::time_kept(self, &finished));
        match finished.first() {
            Some(game) => {
                tell(games::crash(self, game)?);
                tell(record::there_and_back(self, game));
            }
            None => tell(PreflightStep::failed(
                "crash",
                phrase!("no game was finished, so none could be resumed"),
            )),
        }
        Ok(ready)
    }
}
