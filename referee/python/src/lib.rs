//! The module `agon._agon` of the Python package `agon`. What it offers is described in `agon/_agon.pyi`:
//!
//! - games and batches of games, played by numbers or by text, by the rules of `agon-games`
//! - engines as programs ([`engine`], by the driver of `agon-engine`) and players in Python ([`player`], by the loop of
//!   `agon-wire` that serves our own engines)
//! - statistics and match logs, by `agon-report` and `agon-matches`
//!
//! Every object may be used by several threads: a lock orders their calls, and a thread that waits for it does not
//! hold Python's. Refusals are exceptions of the classes in `agon/_errors.py`.

mod actions;
mod any_batch;
mod any_game;
mod arrays;
mod batch;
mod clock;
mod engine;
mod errors;
mod game;
mod limits;
mod lines;
mod logs;
mod options;
mod outcome;
mod picture;
mod player;
mod statistics;

use pyo3::prelude::*;

#[pymodule]
fn _agon(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<game::Game>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<actions::Actions>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<options::RuleOption>()?;
    module.add_function(wrap_pyfunction!(options::games, module)?)?;
    module.add_function(wrap_pyfunction!(options::rule_options, module)?)?;
    module.add_class::<engine::EngineProcess>()?;
    module.add_class::<player::Conversation>()?;
    module.add_class::<clock::Clock>()?;
    module.add_function(wrap_pyfunction!(logs::read_log, module)?)?;
    module.add_function(wrap_pyfunction!(logs::verify, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::statistics_of_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::statistics_of_games, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::statistics_of_scores, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::statistics_of_logs, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::elo_of_score, module)?)?;
    module.add_function(wrap_pyfunction!(statistics::score_of_elo, module)?)?;
    module.add("CHANCE", outcome::CHANCE)?;
    module.add("OVER", outcome::OVER)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
