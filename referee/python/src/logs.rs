//! Match logs: read, summed up as the referee does it, and verified. `agon/logs.py` makes objects of them.

use crate::errors::{LogError, OutOfRange};
use agon_matches::openings::OpeningsSource;
use agon_matches::progress::MatchProgress;
use agon_matches::verify::{Verified, VerifySettings, verify_log};
use agon_matchlog::{MatchHeader, read};
use agon_report::standings;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

fn refused(error: impl Into<anyhow::Error>) -> PyErr {
    LogError::new_err(format!("{:#}", error.into()))
}

/// A log: its header, its games in the order of the schedule, its score (all as JSON) and its table.
#[pyfunction]
pub fn read_log(py: Python<'_>, path: PathBuf) -> PyResult<(String, Vec<String>, String, String)> {
    py.detach(|| contents(&path)).map_err(refused)
}

fn contents(path: &std::path::Path) -> anyhow::Result<(String, Vec<String>, String, String)> {
    let log = read(path)?;
    let mut progress = MatchProgress::new(&log.header)?;
    for game in &log.games {
        progress.take(game);
    }
    let games = log.games.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    let score = standings::json(&log.header, &progress).to_string();
    let table = standings::tables(&log.header, &progress);
    Ok((serde_json::to_string::<MatchHeader>(&log.header)?, games, score, table))
}

/// Replays every game of a log and checks every line.
#[pyfunction]
#[pyo3(signature = (path, openings=None, secret=None, partial=false, heads=Vec::new()))]
pub fn verify<'py>(
    py: Python<'py>,
    path: PathBuf,
    openings: Option<&str>,
    secret: Option<PathBuf>,
    partial: bool,
    heads: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    if let Some(wrong) = heads.iter().find(|head| !is_hash(head)) {
        return Err(OutOfRange::new_err(format!(
            "heads: {wrong:?}: expected 32 hexadecimal digits"
        )));
    }
    let openings = openings.map(OpeningsSource::parse).transpose();
    let openings = openings.map_err(|error| OutOfRange::new_err(format!("openings: {error}")))?;
    let settings = VerifySettings { openings, secret, partial, heads };
    let verified = py.detach(|| verify_log(&path, &settings)).map_err(refused)?;
    dictionary(py, &verified)
}

fn is_hash(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn dictionary<'py>(py: Python<'py>, verified: &Verified) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let findings = &verified.findings;
    let defects: Vec<(u64, &str)> =
        findings.defects.iter().map(|d| (d.line, d.reason.as_str())).collect();
    all.set_item("verdict", verified.verdict())?;
    all.set_item("defects", defects)?;
    all.set_item("games", findings.games)?;
    all.set_item("plies", findings.plies)?;
    all.set_item("seconds", verified.seconds)?;
    all.set_item("head", &verified.head)?;
    all.set_item("unchecked", &verified.unchecked)?;
    all.set_item("cannot_be_checked", &verified.weak)?;
    all.set_item("unknown", &verified.unknown)?;
    all.set_item("remarks", &verified.remarks)?;
    Ok(all)
}
