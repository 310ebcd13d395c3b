//! The file of a study: a header line and one JSON line per game, flushed one by one, so that an
//! interrupted study resumes where it stopped.

use super::decisions::Decision;
use agon_wire::input_file;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The format's version.
pub const VERSION: u32 = 1;

/// The first line: everything that determines the games and the losses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossHeader {
    /// [`VERSION`].
    pub einstein_loss: u32,
    /// The players, as in the flag `--player`.
    pub players: Vec<String>,
    /// The player of the games.
    pub guide: String,
    /// The numbers of stones of the decisions, from and to.
    pub stones: [u32; 2],
    /// The rule about missing numbers.
    pub missing_die: String,
    /// The checksum of the tablebase.
    pub table: u32,
    /// The maximum number of positions of a search.
    pub limit: usize,
    /// The seed.
    pub seed: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LossLine {
    game: u64,
    decisions: Vec<Decision>,
}

/// An open file and the games in it.
pub struct LossFile {
    file: File,
    /// The decisions of each finished game.
    pub games: BTreeMap<u64, Vec<Decision>>,
}

impl LossFile {
    /// Opens a file, or creates it with this header, and locks it. Cuts off a last line without its
    /// line break: that game was not finished.
    ///
    /// # Errors
    ///
    /// Another study, a damaged line, or another process at work on it: which. The file stays as it
    /// is.
    pub fn open(path: &Path, header: &LossHeader) -> Result<LossFile> {
        let name = path.display();
        if path.exists() {
            input_file::open(path).with_context(|| format!("opening {name}"))?;
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("opening {name}"))?;
        file.try_lock().with_context(|| format!("{name}: another process is writing it"))?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("reading {name}"))?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        ensure!(
            whole > 0 || text.is_empty() || text.starts_with("{\"einstein_loss\""),
            "{name} is no file of `lab einstein loss`"
        );
        let games = read(&text[..whole], header, path)?;
        file.set_len(whole as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .with_context(|| format!("writing {name}"))?;
        if whole == 0 {
            writeln!(file, "{}", serde_json::to_string(header)?)
                .with_context(|| format!("writing {name}"))?;
        }
        Ok(LossFile { file, games })
    }

    /// Adds a finished game.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn push(&mut self, game: u64, decisions: Vec<Decision>) -> Result<()> {
        let line = LossLine { game, decisions };
        let text = serde_json::to_string(&line)? + "\n";
        self.file.write_all(text.as_bytes()).context("writing a game")?;
        self.games.insert(game, line.decisions);
        Ok(())
    }
}

/// The games of a file of complete lines.
fn read(text: &str, header: &LossHeader, path: &Path) -> Result<BTreeMap<u64, Vec<Decision>>> {
    let mut games = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), i + 1);
        if i == 0 {
            let found: LossHeader = serde_json::from_str(line).with_context(place)?;
            if found != *header {
                bail!(
                    "{} is of another study: {line}; give its flags or another file",
                    path.display()
                );
            }
            continue;
        }
        let LossLine { game, decisions } = serde_json::from_str(line).with_context(place)?;
        let players = header.players.len();
        let fits = |d: &Decision| d.losses.len() == if d.best.is_some() { players } else { 0 };
        ensure!(decisions.iter().all(fits), "{}: expected {players} losses", place());
        let number = game.saturating_add(1);
        ensure!(games.insert(game, decisions).is_none(), "{}: game {number} again", place());
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(seed: u64) -> LossHeader {
        let players = vec!["name=a".to_string(), "name=b".to_string()];
        let (guide, missing_die) = ("name=g".into(), "Next".into());
        let (einstein_loss, stones) = (VERSION, [4, 7]);
        LossHeader { einstein_loss, players, guide, stones, missing_die, table: 7, limit: 9, seed }
    }

    fn decision(loss: f64) -> Decision {
        Decision { stones: 6, fen: "x".into(), best: Some(0.5), losses: vec![loss, 0.0] }
    }

    #[test]
    fn a_study_resumes_where_it_was_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loss.jsonl");
        let mut file = LossFile::open(&path, &header(1)).unwrap();
        file.push(3, vec![decision(0.25)]).unwrap();
        file.push(1, Vec::new()).unwrap();
        drop(file);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{{\"game\":2,\"deci")).unwrap();
        let mut file = LossFile::open(&path, &header(1)).unwrap();
        assert_eq!(file.games.keys().copied().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(file.games[&3], [decision(0.25)]);
        file.push(2, vec![decision(0.0)]).unwrap();
        let locked = LossFile::open(&path, &header(1)).map(|_| ()).unwrap_err();
        assert!(format!("{locked:#}").contains("another process is writing it"), "{locked:#}");
        drop(file);
        assert_eq!(LossFile::open(&path, &header(1)).unwrap().games.len(), 3);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(&whole));
    }

    #[test]
    fn another_study_and_damaged_lines_are_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loss.jsonl");
        LossFile::open(&path, &header(1)).unwrap().push(0, vec![decision(0.0)]).unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        let refused = |text: &str, seed| {
            std::fs::write(&path, text).unwrap();
            let error = LossFile::open(&path, &header(seed)).map(|_| ()).unwrap_err();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing is lost");
            format!("{error:#}")
        };
        assert!(refused(&good, 2).contains("another study"));
        // Not even the unfinished line of another study is lost.
        assert!(refused(&format!("{good}{{\"game\":1"), 2).contains("another study"));
        assert!(refused("a letter", 1).contains("no file of `lab einstein loss`"));
        assert!(refused(&format!("{good}nonsense\n"), 1).contains("line 3"));
        let short = good.replace("[0.0,0.0]", "[0.0]");
        assert!(refused(&short, 1).contains("line 2: expected 2 losses"));
        let twice = format!("{good}{}\n", good.lines().nth(1).unwrap());
        assert!(refused(&twice, 1).contains("game 1 again"));
    }
}
