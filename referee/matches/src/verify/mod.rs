//! Verification of logs: every game is replayed by the rules, with its chance, its clocks and its
//! result, and every line must be where the schedule and the chain want it.

mod game;
mod log;
mod place;
mod record;
mod whole;

pub use game::GameChecker;
pub use log::{Defect, GameLines, LogFindings};
pub use record::{RecordFindings, check_record, difference, other_fields};
pub use whole::{Verified, VerifySettings, chances, verify_log};
