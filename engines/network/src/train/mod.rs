//! Training of networks by AdamW on the squared error of the winning chance. Loops of our own: the
//! inputs are sparse, and on one core they train several times faster than a general library.

pub mod adamw;
pub mod model;
pub mod positions;
mod run;

pub use positions::Positions;
pub use run::{Progress, TrainError, TrainPlan, Training};
