//! The statistics of counts, of results in their order, and of logs: the JSON and the table of `referee stats`.
//! `agon/stats.py` makes objects of them.

use crate::errors::{LogError, OutOfRange};
use agon_games::Player;
use agon_matchlog::EloScale;
use agon_report::statistics::{Statistics, TestSettings};
use agon_stats::{GameScore, Pentanomial, Wdl, elo_from_score, score_from_elo};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Sums of counts stay far below the range of their type.
const MOST: u64 = 1 << 40;

/// The statistics of a meeting: as JSON and as a table.
type Shown = (String, String);

/// The tests that are wanted: the attributes of an object of Python.
#[derive(FromPyObject)]
pub struct Tests {
    elo0: Option<f64>,
    elo1: Option<f64>,
    alpha: Option<f64>,
    beta: Option<f64>,
    model: Option<String>,
}

impl Tests {
    fn settings(&self) -> PyResult<TestSettings> {
        let model = match self.model.as_deref() {
            None => None,
            Some("logistic") => Some(EloScale::Logistic),
            Some("normalised") => Some(EloScale::Normalised),
            Some(other) => {
                return Err(OutOfRange::new_err(format!(
                    "model={other:?}: expected 'logistic' or 'normalised'"
                )));
            }
        };
        let Tests { elo0, elo1, alpha, beta, .. } = *self;
        Ok(TestSettings { elo0, elo1, alpha, beta, model })
    }
}

fn shown(statistics: &Statistics) -> Shown {
    (statistics.json().to_string(), statistics.text())
}

fn refused(error: impl ToString) -> PyErr {
    OutOfRange::new_err(error.to_string())
}

fn counted(what: &str, counts: &[u64]) -> PyResult<()> {
    if counts.iter().all(|n| *n <= MOST) && counts.iter().sum::<u64>() > 0 {
        return Ok(());
    }
    Err(OutOfRange::new_err(format!(
        "{what}: {counts:?}: expected at least one and at most {MOST}"
    )))
}

/// The statistics of complete pairs with 0, 1/2, 1, 3/2 and 2 points.
#[pyfunction]
pub fn statistics_of_pairs(py: Python<'_>, counts: [u64; 5], tests: Tests) -> PyResult<Shown> {
    counted("pairs", &counts)?;
    let settings = tests.settings()?;
    py.detach(|| settings.of_pairs(Pentanomial { counts }).map(|s| shown(&s))).map_err(refused)
}

/// The statistics of won, drawn and lost games.
#[pyfunction]
pub fn statistics_of_games(py: Python<'_>, counts: [u64; 3], tests: Tests) -> PyResult<Shown> {
    counted("games", &counts)?;
    let settings = tests.settings()?;
    let [wins, draws, losses] = counts;
    let games = Wdl::new(wins, draws, losses);
    py.detach(|| settings.of_games(games).map(|s| shown(&s))).map_err(refused)
}

/// The statistics of games in their order, two of which are a pair: 1, 0.5 or 0 points each.
#[pyfunction]
pub fn statistics_of_scores(py: Python<'_>, scores: Vec<f64>, tests: Tests) -> PyResult<Shown> {
    if scores.is_empty() {
        return Err(OutOfRange::new_err("scores: there are none"));
    }
    let mut statistics = tests.settings()?.of_series().map_err(refused)?;
    for (i, score) in scores.into_iter().enumerate() {
        let score = match score {
            0.0 => GameScore::Loss,
            0.5 => GameScore::Draw,
            1.0 => GameScore::Win,
            other => {
                let text = format!("scores[{i}]={other}: expected 1, 0.5 or 0 points");
                return Err(OutOfRange::new_err(text));
            }
        };
        let side = Player::BOTH[i % 2];
        statistics.push(i as u64 / 2, score, side);
    }
    Ok(py.detach(|| shown(&statistics)))
}

/// The statistics of logs that are the parts of one match: the names of two engines, JSON and a table for each meeting.
#[pyfunction]
pub fn statistics_of_logs(
    py: Python<'_>,
    logs: Vec<PathBuf>,
    tests: Tests,
) -> PyResult<Vec<((String, String), Shown)>> {
    let settings = tests.settings()?;
    let all = py.detach(|| -> anyhow::Result<Vec<_>> {
        let all = settings.of_logs(&logs)?.meetings;
        Ok(all.into_iter().map(|(names, found)| (names.into(), shown(&found))).collect())
    });
    all.map_err(|error| LogError::new_err(format!("{error:#}")))
}

/// The Elo difference that makes a score, from 0 to 1, the expected one.
#[pyfunction]
pub fn elo_of_score(score: f64) -> PyResult<f64> {
    if (0.0..=1.0).contains(&score) {
        return Ok(elo_from_score(score));
    }
    Err(OutOfRange::new_err(format!("score={score}: expected a number from 0 to 1")))
}

/// The expected score, from 0 to 1, at an Elo difference.
#[pyfunction]
pub fn score_of_elo(elo: f64) -> f64 {
    score_from_elo(elo)
}
