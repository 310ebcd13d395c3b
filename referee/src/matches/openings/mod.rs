//! Openings files: one position per line, `startpos` or a FEN, with or without `moves ...`; `#` starts
//! a comment.

pub mod generate;

use crate::engine::hash::hash_text;
use crate::matches::chance::Chance;
use crate::matchlog::{OpeningsEntry, Schedule, Setting, rule_pairs};
use agon_protocol::arbiter::{Arbiter, GameKind};
use agon_protocol::rng;
use std::path::{Path, PathBuf};

/// The openings of a match; all are legal.
#[derive(Clone, Debug)]
pub struct Openings {
    /// The openings in the order in which pairs use them.
    texts: Vec<String>,
    /// The header's entry; `None` if all games begin at the start position.
    pub entry: Option<OpeningsEntry>,
}

/// The order in which pairs take the openings of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Order {
    /// In the order of the file.
    Sequential,
    /// Shuffled by the match's chance.
    Random,
}

/// Error: an invalid openings file.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("openings file {path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// A line is not a position from which a game can start.
    #[error("openings file {path}, line {line}: {reason}")]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The file contains no position.
    #[error("openings file {path}: it holds no position")]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Sets up a game at an opening.
///
/// # Errors
///
/// Fails if the position is illegal or the game is already over.
pub fn open_checked(
    kind: GameKind,
    text: &str,
    rules: &[(String, String)],
) -> Result<Box<dyn Arbiter>, String> {
    let game = kind.open_text(text, rules).map_err(|e| e.to_string())?;
    match game.turn().outcome() {
        Some(_) => Err("the game is already over in this position".into()),
        None => Ok(game),
    }
}

/// The lines of a text that contain positions, with their numbers from 1.
fn lines(text: &str) -> Vec<(usize, String)> {
    let without_comments = text.lines().map(|l| l.split('#').next().unwrap_or("").trim());
    without_comments
        .enumerate()
        .filter(|(_, l)| !l.is_empty())
        .map(|(i, l)| (i + 1, l.to_string()))
        .collect()
}

impl Openings {
    /// Every game begins at the start position.
    pub fn start_position() -> Openings {
        Openings { texts: vec!["startpos".into()], entry: None }
    }

    /// Reads a file and checks all its positions.
    pub fn read(
        path: &Path,
        kind: GameKind,
        rules: &[Setting],
        order: Order,
        chance: &Chance,
    ) -> Result<Openings, OpeningsError> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| OpeningsError::Io { path: path.into(), cause })?;
        Openings::parse(path, &text, kind, rules, order, chance)
    }

    /// Checks all positions in the text of a file; `path` only identifies it in errors.
    pub fn parse(
        path: &Path,
        text: &str,
        kind: GameKind,
        rules: &[Setting],
        order: Order,
        chance: &Chance,
    ) -> Result<Openings, OpeningsError> {
        let sha256 = hash_text(text);
        let rules = rule_pairs(rules);
        let mut texts = Vec::new();
        for (line, text) in lines(text) {
            open_checked(kind, &text, &rules).map_err(|reason| OpeningsError::BadLine {
                path: path.into(),
                line,
                reason,
            })?;
            texts.push(text);
        }
        if texts.is_empty() {
            return Err(OpeningsError::Empty { path: path.into() });
        }
        if order == Order::Random {
            rng::shuffle(&mut chance.openings(), &mut texts);
        }
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let order = if order == Order::Random { "random" } else { "sequential" };
        let count = texts.len() as u64;
        Ok(Openings {
            texts,
            entry: Some(OpeningsEntry { file, sha256, count, order: order.into() }),
        })
    }

    /// The opening of pair number `pair`; pairs beyond the last opening start again with the first.
    pub fn of_pair(&self, pair: u64) -> &str {
        let i = pair % self.texts.len() as u64;
        &self.texts[i as usize]
    }

    /// All openings in the order in which pairs use them.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Warns if a schedule needs more openings than there are.
    pub fn warn_about_repeats(&self, schedule: &Schedule) {
        let (needed, count) = (schedule.openings(), self.count());
        if needed > count && self.entry.is_some() {
            log::warn!("{needed} pairs share {count} openings");
        }
    }

    /// The number of different openings.
    pub fn count(&self) -> u64 {
        self.texts.len() as u64
    }
}
