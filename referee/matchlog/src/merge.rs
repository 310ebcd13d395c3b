//! Merges logs into one, in schedule order.

use super::chain::{Chain, Mark, linked};
use super::read::{head, open};
use super::record::GameSet;
use super::{EndOf, LogEnd, LogError, LogGames, MatchHeader, MergedPart};
use agon_base::files;
use agon_games::hash::FastMap;
use agon_games::text::visible;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes the games of `logs` to `out` in schedule order, either completely or not at all, with the
/// header and without continuations, and says which logs they are. The games of the workers in `without`
/// are left out. Game lines are copied, duplicates once; only their links are new. The format is that of
/// the logs, so that no log seems to hold more than it did. Memory grows with the disorder of the games, and
/// by one bit per game. Returns the hash of the last line.
pub fn write_sorted(
    logs: &[PathBuf],
    header: &MatchHeader,
    end: Option<&EndOf>,
    without: &[String],
    out: &Path,
) -> Result<String, LogError> {
    let error = |e| LogError::io(out, e);
    let header_line = header.line().map_err(|e| error(e.into()))?;
    let mut chain = Chain::new(&header_line);
    let mut present = GameSet::default();
    let (mut cursors, mut parts) = (Vec::new(), Vec::new());
    for path in logs {
        let (part, mut games) = open(path)?;
        let mut left_out = 0;
        while let Some((number, worker)) = games.next_numbered()? {
            if is_left_out(without, worker) {
                left_out += 1;
            } else {
                present.insert(number);
            }
        }
        let resumed = games.resumptions().len() as u64;
        let (shard, head) = (part.shard, head(path)?);
        parts.push(MergedPart { shard, games: games.games(), left_out, resumed, head });
        cursors.push(Cursor { games: open(path)?.1, last: None, ended: false });
    }
    let aside = files::public_temporary(files::folder_of(out)).map_err(error)?;
    let mut writer = BufWriter::with_capacity(1 << 16, aside);
    writer.write_all(header_line.as_bytes()).map_err(error)?;
    let mut write = |object: &str, chain: &mut Chain| {
        // Format 1 has no chain.
        let line = match header.agon_match_log {
            1 => format!("{}\n", object.trim_end()),
            _ => linked(chain.head(), object),
        };
        chain.push(&line);
        writer.write_all(line.as_bytes()).map_err(error)
    };
    let object = |mark: Mark| serde_json::to_string(&mark).map_err(|e| error(e.into()));
    if header.agon_match_log > 2 {
        write(&object(Mark::Merged(parts))?, &mut chain)?;
    }
    let mut games = 0;
    let mut waiting: FastMap<u64, String> = FastMap::default();
    for number in present.iter() {
        while !waiting.contains_key(&number) {
            // The cursor with the lowest number is the most likely to have the wanted game next.
            let behind = cursors.iter_mut().filter(|c| !c.ended).min_by_key(|c| c.last);
            let Some(cursor) = behind else { break };
            cursor.advance(number, without, &mut waiting)?;
        }
        if let Some(game) = waiting.remove(&number) {
            write(&game, &mut chain)?;
            games += 1;
        }
    }
    if let Some(end) = end.filter(|_| header.agon_match_log > 1) {
        let secret = end.secret.clone();
        write(&object(Mark::End(LogEnd { games, secret }))?, &mut chain)?;
    }
    let aside = writer.into_inner().map_err(|e| error(e.into_error()))?;
    aside.as_file().sync_all().map_err(error)?;
    drop(cursors);
    files::replace(aside, out).map_err(error)?;
    Ok(chain.head().to_string())
}

fn is_left_out(without: &[String], worker: Option<String>) -> bool {
    worker.is_some_and(|worker| without.iter().any(|name| *name == visible(&worker)))
}

/// The read position in one log.
struct Cursor {
    games: LogGames,
    /// The number of the last game read.
    last: Option<u64>,
    ended: bool,
}

impl Cursor {
    /// Reads the next game. Its line waits, unless it is a duplicate of one before `number`, which is
    /// written already.
    fn advance(
        &mut self,
        number: u64,
        without: &[String],
        waiting: &mut FastMap<u64, String>,
    ) -> Result<(), LogError> {
        let Some((next, worker)) = self.games.next_numbered()? else {
            self.ended = true;
            return Ok(());
        };
        self.last = Some(next);
        if next >= number && !is_left_out(without, worker) {
            waiting.entry(next).or_insert_with(|| format!("{{{}", self.games.last_fields()));
        }
        Ok(())
    }
}
