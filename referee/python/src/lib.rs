//! The module `agon._agon` of the Python package `agon`: games and batches of games, played by numbers or by text. What
//! it offers is described in `agon/_agon.pyi`; the rules are those of `agon-games`.
//!
//! Every object may be used by several threads: a lock orders their calls, and a thread that waits for it does not
//! hold Python's. Refusals are exceptions of the classes in `agon/_errors.py`.

mod actions;
mod any_batch;
mod any_game;
mod arrays;
mod batch;
mod errors;
mod game;
mod options;
mod outcome;

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
    module.add("CHANCE", outcome::CHANCE)?;
    module.add("OVER", outcome::OVER)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
