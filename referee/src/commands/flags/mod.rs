//! Flags that several subcommands have; each group is turned into plain values of the lower levels.

mod adjudication;
mod chance;
mod choice;
mod engines;
mod game;
mod run;

pub use adjudication::AdjudicationFlags;
pub use chance::{ChanceFlags, SwapFlag};
pub use choice::{SCALES, choice};
pub use engines::{EngineFlags, LimitFlags, SharedFlags, default_log, engine_entries};
pub use game::{GameFlags, OpeningFlags, setting};
pub use run::{ReadyFlag, RoundFlags, RunFlags, ServeFlags, cores, seconds};
