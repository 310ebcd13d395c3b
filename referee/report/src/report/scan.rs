//! Reads a log of any size: one thread splits the file into chunks of lines, the others parse and
//! count them, and their sums are added up.

use super::aggregate::{Aggregate, SizeLimits};
use agon_matchlog::{GameReader, LogError, LogGames, MatchHeader};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// A batch of lines.
struct Chunk {
    /// The line number of the first one in the file.
    line: u64,
    text: String,
}

/// Minimum length in bytes of a chunk that is handed over.
const CHUNK: usize = 256 << 10;

/// Reads a log and collects the data of a report.
pub fn scan(path: &Path, room: SizeLimits) -> Result<(MatchHeader, Aggregate), LogError> {
    let (header, mut games) = agon_matchlog::open(path)?;
    let workers = thread::available_parallelism().map_or(1, |n| n.get());
    let empty = Aggregate::new(&header, room);
    let bad = |line: u64, reason: String| LogError::BadLine {
        path: path.display().to_string(),
        line,
        reason,
    };
    let total = thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Chunk>(2 * workers);
        let receiver = Arc::new(Mutex::new(receiver));
        let handles: Vec<_> = (0..workers)
            .map(|_| {
                let (receiver, part) = (Arc::clone(&receiver), empty.clone());
                let reader = GameReader::new(&header);
                scope.spawn(move || count(&receiver, &reader, part))
            })
            .collect();
        // Only the workers hold receivers: if all of them fail, sending fails and reading ends.
        drop(receiver);
        let read = send_chunks(&mut games, &sender);
        drop(sender);
        let mut total = empty.clone();
        let mut first_error: Option<(u64, String)> = None;
        for handle in handles {
            match handle.join() {
                Ok(Ok(part)) => total.merge(part).map_err(|reason| bad(0, reason))?,
                Ok(Err(e)) => {
                    if first_error.as_ref().is_none_or(|(line, _)| e.0 < *line) {
                        first_error = Some(e);
                    }
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        match first_error {
            Some((line, reason)) => Err(bad(line, reason)),
            None => read.map(|()| total),
        }
    })?;
    Ok((header, total))
}

/// Sends the lines of the log until they end or there are no receivers.
fn send_chunks(games: &mut LogGames, sender: &SyncSender<Chunk>) -> Result<(), LogError> {
    let mut chunk = Chunk { line: 2, text: String::with_capacity(CHUNK + CHUNK / 4) };
    let mut next_line = 2;
    while games.next_line()? {
        let line = games.line();
        // The lines of a chunk follow each other, so one ends where a match was continued.
        let follows = std::mem::replace(&mut next_line, line + 1) == line;
        if chunk.text.len() >= CHUNK || !follows {
            let next = Chunk { line, text: String::with_capacity(CHUNK + CHUNK / 4) };
            if sender.send(std::mem::replace(&mut chunk, next)).is_err() {
                return Ok(());
            }
        }
        chunk.text.push_str(games.last_line());
    }
    // Sending fails only if a worker has found an error. What a worker finds is reported first.
    let _ = sender.send(chunk);
    games.expect_sound()
}

/// Counts chunks until there are none; the error has the number of a bad line and the reason.
fn count(
    chunks: &Mutex<Receiver<Chunk>>,
    reader: &GameReader,
    mut part: Aggregate,
) -> Result<Aggregate, (u64, String)> {
    loop {
        let next = match chunks.lock() {
            Ok(receiver) => receiver.recv(),
            Err(_) => return Ok(part),
        };
        let Ok(chunk) = next else { return Ok(part) };
        for (i, line) in chunk.text.lines().enumerate() {
            let added = reader.read(line).and_then(|game| part.push(game));
            added.map_err(|reason| (chunk.line + i as u64, reason))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const ROOM: SizeLimits = SizeLimits { first: 2, faults: 1 };

    fn log_file(games: u64, spoil: impl Fn(u64, String) -> String) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let entry = |name: &str| {
            format!(
                r#"{{"name":"{name}","command":["x"],"sha256":"","dialect":"ugi","options":[],"limit":{{"move_ms":10}}}}"#
            )
        };
        writeln!(
            file,
            r#"{{"agon_match_log":1,"referee":"0","game":"amazons","rules":[],"engines":[{},{}],"seed":1,"schedule":{{"form":"match","pairings":[{{"engines":[0,1],"games":[{},{}]}}]}}}}"#,
            entry("a"),
            entry("b"),
            games / 2,
            games / 2
        )
        .unwrap();
        for g in 0..games {
            let line = format!(
                r#"{{"game":{g},"pair":{},"players":[{},{}],"opening":"startpos","moves":"d1d7,d7g7","by":"1","result":"first","reason":"rules","fen":"x","stats":{{"us":[{g}],"depth":[1],"nodes":[5],"score":[null]}}}}"#,
                g / 2,
                g % 2,
                1 - g % 2
            );
            writeln!(file, "{}", spoil(g, line)).unwrap();
        }
        file
    }

    #[test]
    fn a_log_of_many_chunks_is_counted_completely() {
        let file = log_file(6000, |_, line| line);
        let (header, all) = scan(file.path(), ROOM).unwrap();
        assert_eq!(header.engines.len(), 2);
        assert_eq!(all.games(), 6000);
        assert_eq!(all.meetings[&[0, 1]].tally().pairs.pairs(), 3000);
        let us: u128 = all.searches.iter().map(|e| e.total.us.sum).sum();
        assert_eq!(us, (0..6000u128).sum());
        assert_eq!(all.sample.len(), 2);
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_a_bad_one_is_named() {
        let mut file = log_file(10, |_, line| line);
        write!(file, "{{\"game\":10,").unwrap();
        assert_eq!(scan(file.path(), ROOM).unwrap().1.games(), 10);
        let file = log_file(3000, |g, line| if g == 2500 { "oops".into() } else { line });
        let error = scan(file.path(), ROOM).unwrap_err().to_string();
        assert!(error.contains("line 2502: expected value"), "{error}");
    }
}
