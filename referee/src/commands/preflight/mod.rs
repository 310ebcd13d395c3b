//! The preflight: tests before an event whether engine and machine will get through its games.

mod games;
mod machine;
mod power;
mod record;
mod step;

pub use step::{Preflight, Step};

use agon_engine::check::Verdict;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::GameRecord;

impl Preflight {
    /// Runs all steps and calls `report` after each. Returns whether none failed.
    ///
    /// # Errors
    ///
    /// The user interrupted, or the machine cannot start any program.
    pub fn run(&self, mut report: impl FnMut(&Step)) -> Result<bool, Phrase> {
        let mut ready = true;
        let mut tell = |step: Step| {
            ready &= step.verdict != Verdict::Failed;
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
            None => tell(Step::failed(
                "crash",
                phrase!("no game was finished, so none could be resumed"),
            )),
        }
        Ok(ready)
    }
}
