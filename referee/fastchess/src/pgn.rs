//! The flag `-pgnout`.

use crate::read::boolean;
use crate::words::{Given, Meaning};
use agon_matches::run_settings::{PgnForm, RunnerComments};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// The file and its words; `ignored` gets the keys that change nothing.
pub fn read(given: &Given<'_>, ignored: &mut Vec<String>) -> Result<(PathBuf, PgnForm)> {
    let mut file = None;
    let mut form = PgnForm::default();
    let mut comments = RunnerComments::default();
    for (key, value, meaning) in given.pgn_pairs()? {
        if let Meaning::Harmless(why) = meaning {
            ignored.push(format!("-pgnout {key}=: {why}"));
            continue;
        }
        let flag = || boolean(value).with_context(|| format!("-pgnout {key}={value}"));
        match key {
            "file" => file = Some(PathBuf::from(value)),
            "append" => form.fresh = !flag()?,
            "nodes" => comments.nodes = flag()?,
            "seldepth" => comments.seldepth = flag()?,
            "nps" => comments.nps = flag()?,
            "min" => comments.min = flag()?,
            "notation" if value == "san" => {}
            "notation" => bail!(
                "-pgnout notation={value}: refused: moves are written in the notation of the game, which is san"
            ),
            _ => {}
        }
    }
    form.runner = Some(comments);
    Ok((file.context("-pgnout: give file=FILE")?, form))
}
