//! The reports of a search, by the rank of their line, and a report as a dictionary.

use agon_engine::driver::merge_line;
use agon_wire::message::{Bound as ScoreBound, Info, Score};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// More lines than any engine reports.
const MOST: u32 = 1000;

/// The last values of each line.
#[derive(Default)]
pub struct Lines(Vec<Info>);

impl Lines {
    /// Takes a report; returns it as a whole line if it is about one.
    pub fn take(&mut self, news: Option<&Info>) -> Option<&Info> {
        let news = news?;
        let rank = news.multipv.unwrap_or(1);
        // A text, or the use of the table, is no line.
        if !(1..=MOST).contains(&rank) || (news.score.is_none() && news.pv.is_empty()) {
            return None;
        }
        let at = rank as usize - 1;
        if self.0.len() <= at {
            self.0.resize(at + 1, Info::default());
        }
        let line = &mut self.0[at];
        let bound = bound_of(line, news);
        merge_line(line, news.clone());
        (line.multipv, line.bound, line.nps) = (Some(rank), bound, news.nps.or(line.nps));
        Some(line)
    }

    /// The best line has all that was reported of it, and the move if nothing else is known.
    pub fn finish(&mut self, best: &Info, chosen: Option<&str>) {
        if self.0.is_empty() {
            self.0.push(Info { multipv: Some(1), ..Info::default() });
        }
        let line = &mut self.0[0];
        let bound = line.bound;
        merge_line(line, Info { bound: None, ..best.clone() });
        line.bound = bound;
        if line.pv.is_empty() {
            line.pv.extend(chosen.map(String::from));
        }
    }

    /// The lines that were reported, the best first.
    pub fn all(&self) -> impl Iterator<Item = &Info> {
        self.0.iter().filter(|line| line.multipv.is_some())
    }
}

/// Whether the score of a line is a bound once a report is merged into it.
fn bound_of(line: &Info, news: &Info) -> Option<ScoreBound> {
    match news.score {
        Some(Score::Mate(_)) => news.bound,
        Some(Score::Cp(_)) if news.bound.is_none() => None,
        _ => line.bound,
    }
}

/// A line as a dictionary, for `Variation` of `agon/engine.py`.
pub fn dictionary<'py>(py: Python<'py>, line: &Info) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let (cp, mate) = match line.score {
        Some(Score::Cp(n)) => (Some(n), None),
        Some(Score::Mate(n)) => (None, Some(n)),
        None => (None, None),
    };
    let bound = line.bound.map(|bound| match bound {
        ScoreBound::Lower => "lower",
        ScoreBound::Upper => "upper",
    });
    all.set_item("rank", line.multipv.unwrap_or(1))?;
    all.set_item("cp", cp)?;
    all.set_item("mate", mate)?;
    all.set_item("bound", bound)?;
    all.set_item("wdl", line.wdl)?;
    all.set_item("depth", line.depth)?;
    all.set_item("seldepth", line.seldepth)?;
    all.set_item("nodes", line.nodes)?;
    all.set_item("nps", line.nps)?;
    all.set_item("seconds", line.time.map(|time| time.as_secs_f64()))?;
    all.set_item("moves", &line.pv)?;
    Ok(all)
}
