//! Games and their rule options by name.

use crate::errors::{BadRule, UnknownGame};
use agon_games::arbiter::{GAMES, GameKind};
use agon_games::option::{OptionKind, find};
use agon_games::text::excerpt;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Settings of rule options by name, all of a game's.
pub type Settings = Vec<(String, String)>;

/// The names of all games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    GAMES.iter().map(|game| game.name).collect()
}

/// The game of this name.
pub fn kind(name: &str) -> PyResult<GameKind> {
    agon_games::arbiter::game(name).ok_or_else(|| {
        let known = games().join(", ");
        UnknownGame::new_err(format!("unknown game `{}`; known games: {known}", excerpt(name)))
    })
}

/// A rule option: its values, its default and what it means.
#[pyclass(frozen, get_all, module = "agon")]
pub struct RuleOption {
    /// Its name, a keyword argument of `Game` and `Batch`.
    name: String,
    /// The value unless another one is given.
    default: Py<PyAny>,
    /// The smallest and the largest value of a number.
    bounds: Option<(i64, i64)>,
    /// The values of a choice.
    choices: Option<Vec<String>>,
    /// What it means.
    help: String,
}

#[pymethods]
impl RuleOption {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let default = self.default.bind(py).repr()?;
        let values = match (&self.bounds, &self.choices) {
            (Some((low, high)), _) => format!("{low} to {high}"),
            (None, Some(choices)) => choices.join(", "),
            (None, None) => "any".into(),
        };
        Ok(format!("<RuleOption {}={default}: {values}: {}>", self.name, self.help))
    }
}

/// The rule options of a game.
#[pyfunction]
pub fn rule_options(py: Python<'_>, game: &str) -> PyResult<Vec<RuleOption>> {
    let specs = kind(game)?.rule_options();
    let described = specs.into_iter().map(|spec| {
        let (default, bounds, choices) = match spec.kind {
            OptionKind::Spin { default, min, max } => {
                (default.into_py_any(py)?, Some((min, max)), None)
            }
            OptionKind::Combo { default, choices } => {
                (default.into_py_any(py)?, None, Some(choices))
            }
            OptionKind::Check { default } => (default.into_py_any(py)?, None, None),
            OptionKind::Text { default } => (default.into_py_any(py)?, None, None),
            OptionKind::Button => (py.None(), None, None),
        };
        Ok(RuleOption { name: spec.name, default, bounds, choices, help: spec.help.into_owned() })
    });
    described.collect()
}

/// The settings that keyword arguments make, with the defaults of the others. `board_size` is `BoardSize`.
pub fn settings(game: GameKind, given: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let specs = game.rule_options();
    let default = |kind: &OptionKind| match kind {
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::Check { default } => default.to_string(),
        OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
        OptionKind::Button => String::new(),
    };
    let mut settings: Settings = specs.iter().map(|s| (s.name.clone(), default(&s.kind))).collect();
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let value: String = value.str()?.extract()?;
        let refused = |e: agon_games::option::OptionError| {
            let none = if specs.is_empty() {
                format!("{} has no rule options: ", game.name)
            } else {
                String::new()
            };
            BadRule::new_err(format!("{none}{e}"))
        };
        let spec =
            find(&specs, &name).or_else(|e| find(&specs, &name.replace('_', "")).map_err(|_| e));
        let spec = spec.map_err(refused)?;
        spec.parse(&value).map_err(refused)?;
        if seen.contains(&spec.name.as_str()) {
            return Err(BadRule::new_err(format!("option {}: it is given twice", spec.name)));
        }
        seen.push(&spec.name);
        settings.iter_mut().filter(|s| s.0 == spec.name).for_each(|s| s.1 = value.clone());
    }
    Ok(settings)
}

/// The settings as a dictionary, numbers as numbers.
pub fn dictionary<'py>(py: Python<'py>, settings: &Settings) -> PyResult<Bound<'py, PyDict>> {
    let rules = PyDict::new(py);
    for (name, value) in settings {
        match value.parse::<i64>() {
            Ok(number) => rules.set_item(name, number)?,
            Err(_) => rules.set_item(name, value)?,
        }
    }
    Ok(rules)
}
