//! Statistics of a series of games between two players: counts, rates, Elo, intervals and tests.
//!
//! Counts are small integer values added with `+=`, so that shards, workers and whole logs are summed exactly;
//! floating point is used only for estimates. If games come in pairs (two games from the same opening with sides
//! swapped), the pair is the unit of all variances, because its two games are not independent.
//!
//! - Counts: [`Wdl`], [`Pentanomial`], [`PairBook`] (games into pairs), [`Tally`], [`Meetings`] (all against all)
//! - Estimates: [`Elo`], [`Wilson`], [`rate`] (ratings of many players), [`Polynomial`] (least squares)
//! - Tests: [`Sequential`], which runs [`Sprt`] or [`Betting`] game by game; [`ConfidenceSequence`]
//! - [`Workers`]: results by the machine that played them, compared with each other
//! - [`self_test`] measures by simulation that all of them keep what they promise

mod betting;
mod confidence;
mod elo;
mod fit;
mod meetings;
mod numerics;
mod pentanomial;
mod ratings;
mod self_test;
mod self_test_workers;
mod sequential;
mod simulation;
mod sprt;
mod stopped;
mod wdl;
mod workers;

pub use betting::Betting;
pub use confidence::{ConfidenceSequence, e_values};
pub use elo::{Elo, Spread, elo_from_score, score_from_elo};
pub use fit::{FitError, FitPoint, Polynomial};
pub use meetings::{Meetings, Tally};
pub use numerics::{Z95, normal_cdf};
pub use pentanomial::{PairBook, Pentanomial};
pub use ratings::{DrawModel, Model, Parameter, RatingError, Ratings, rate};
pub use self_test::{Done, run as self_test};
pub use sequential::{PathPoint, Sequential, Test, TestSample};
pub use simulation::{Expected, Figure, SelfTestEffort};
pub use sprt::{EloModel, Sprt, SprtError, SprtState, SprtVerdict};
pub use stopped::{Estimate, TestMethod};
pub use wdl::{GameScore, Wdl, Wilson};
pub use workers::{Comparison, FALSE_ALARMS, Residual, WorkerGame, WorkerRow, Workers};
