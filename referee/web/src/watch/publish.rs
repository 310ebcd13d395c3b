//! A running match as static files that any web host can serve: the page of the match, what it shows, and the replays
//! of finished games. A file takes the place of an older one at once; nothing here can end the match.
//!
//! ```text
//! index.html, assets/       the page
//! match.json                the number of the last change of each topic, and the number of finished games
//! now/TOPIC.json            the topics of the live page: summary, run, board-0 and so on
//! list/D/K.json             the list of finished games, 200 in a file
//! games/D/N.json            the replay of game N; D is the thousand of K or N
//! games.pgn                 all games, once the match has ended
//! ```

use super::super::assets;
use super::super::feed::Listener;
use super::live::{LiveMatch, MatchNews};
use super::log::{LogFile, brief, pgn};
use agon_base::files;
use agon_matches::session::MatchSession;
use agon_matchlog::{GameRecord, MatchHeader, match_key, open};
use agon_report::report::replay;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often changes are written, at most.
const PAUSE: Duration = Duration::from_millis(100);
/// How long to wait after a failure.
const FAILED: Duration = Duration::from_secs(1);
/// Finished games in a file of the list, as in `published-app.js`.
const CHUNK: usize = 200;
/// Files in a folder, as there.
const FOLDER: u64 = 1000;

/// What a published match consists of.
const OWN: [&str; 7] = ["index.html", "assets", "match.json", "now", "list", "games", "games.pgn"];
/// The file that says whose the others are.
const MARK: &str = "match.json";

/// Checks a folder before the match, and makes it if need be.
///
/// # Errors
///
/// Says why the match cannot be published there: it holds other files or another match, cannot be written, or the log
/// lies in it and with it the secret that decides dice and deals.
pub fn check(folder: &Path, session: &MatchSession<'_>) -> Result<()> {
    let place = || format!("--publish {}", folder.display());
    if folder.exists() && !folder.is_dir() {
        bail!("{}: expected a folder, and this is a file", place());
    }
    std::fs::create_dir_all(folder).with_context(place)?;
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(place)? {
        names.push(entry.with_context(place)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mark = std::fs::read(folder.join(MARK)).ok();
    let mark: Option<Value> = mark.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let key = mark.as_ref().and_then(|mark| mark["match"].as_str());
    // Hidden files, such as `.git` and `.nojekyll`, are the host's.
    let is_strange =
        |name: &&String| !name.starts_with('.') && (key.is_none() || !OWN.contains(&name.as_str()));
    if let Some(name) = names.iter().find(is_strange) {
        bail!(
            "{}: the folder holds `{name}`, which is not of a published match: give a new or an empty folder",
            place()
        );
    }
    if key.is_some_and(|key| key != match_key(&session.header)) {
        bail!("{}: the folder holds another match: give a new or an empty folder", place());
    }
    let real = folder.canonicalize().with_context(place)?;
    let files = [Some(session.log.as_path()), session.chance.secret_file()];
    for file in files.into_iter().flatten() {
        let its = files::folder_of(file);
        if its.canonicalize().is_ok_and(|its| its.starts_with(&real)) {
            bail!(
                "{}: {} lies in it, and whoever reads the secret beside the log knows all dice and deals of the match: \
                 keep the log elsewhere",
                place(),
                file.display()
            );
        }
    }
    files::public_temporary(folder)
        .with_context(|| format!("{}: it cannot be written", place()))?;
    Ok(())
}

/// A thread that publishes a match until it has ended.
pub struct Publisher {
    thread: JoinHandle<()>,
}

impl Publisher {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// Fails if the machine has no thread left.
    pub fn start(
        folder: &Path,
        live: &LiveMatch,
        topics: Listener,
        events: Receiver<MatchNews>,
    ) -> Result<Publisher> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut files = PublishedFiles {
            folder: folder.into(),
            header: live.header().clone(),
            name: live.name().into(),
            log: live.log().into(),
            boards: live.slots(),
            base: u64::try_from(since.as_millis()).unwrap_or_default(),
            begun: false,
            is_over: false,
            is_framed: false,
            has_pgn: false,
            versions: BTreeMap::new(),
            changed: BTreeMap::new(),
            waiting: VecDeque::new(),
            listed: 0,
            chunk: Vec::new(),
            is_unsaved: false,
            marked: None,
            warned: false,
        };
        let run = move || files.follow(topics, &events);
        Ok(Publisher { thread: Builder::new().name("publish".into()).spawn(run)? })
    }

    /// Waits until the end of the match is written.
    pub fn wait(self) {
        // A panic of the thread has been reported already.
        let _ = self.thread.join();
    }
}

/// What is written, and what is still to be written.
struct PublishedFiles {
    folder: PathBuf,
    header: MatchHeader,
    name: String,
    /// The log during the run.
    log: PathBuf,
    boards: usize,
    /// Added to the numbers of changes, so that those of a resumed match are greater.
    base: u64,
    /// Whether a game of the match is, or was, played.
    begun: bool,
    /// Whether the match has ended.
    is_over: bool,
    /// Whether the page itself is written.
    is_framed: bool,
    /// Whether the games are written as PGN.
    has_pgn: bool,
    /// The topics that are written, with the number of their last change.
    versions: BTreeMap<String, u64>,
    /// Those that have changed since; `None`: the topic has ended.
    changed: BTreeMap<String, (u64, Option<Arc<str>>)>,
    /// Games that are not in the list yet.
    waiting: VecDeque<GameRecord>,
    /// The number of games in the list.
    listed: u64,
    /// The last ones, those of a file that is not full.
    chunk: Vec<Value>,
    /// Whether they are to be written.
    is_unsaved: bool,
    /// The mark as it was last written.
    marked: Option<Value>,
    warned: bool,
}

impl PublishedFiles {
    /// Writes all changes until the match has ended.
    fn follow(&mut self, mut topics: Listener, events: &Receiver<MatchNews>) {
        let mut pause = PAUSE;
        loop {
            let ended = self.hear(events, Instant::now() + pause);
            for (topic, number, state) in topics.news() {
                self.changed.insert(topic, (self.base + number, state));
            }
            if let Some(Some(log)) = &ended {
                self.finish(log);
            }
            pause = PAUSE;
            if let Err(cause) = self.write() {
                pause = FAILED;
                self.warn(&cause);
            }
            if ended.is_some() {
                return;
            }
        }
    }

    /// Takes what is told until a time. Returns the log of a match that has ended, `Some(None)` if nobody tells more.
    fn hear(&mut self, events: &Receiver<MatchNews>, until: Instant) -> Option<Option<PathBuf>> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match events.recv_timeout(left) {
                Ok(MatchNews::Begun(games)) => self.begin(games),
                Ok(MatchNews::Game(game)) => self.waiting.push_back(*game),
                Ok(MatchNews::Ended(log)) => return Some(Some(log)),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => return Some(None),
            }
        }
    }

    /// One warning is enough: the match goes on, and what could not be written is tried again.
    fn warn(&mut self, cause: &anyhow::Error) {
        if !std::mem::replace(&mut self.warned, true) {
            let folder = self.folder.display();
            log::warn!(
                "--publish {folder}: {cause:#}; the match goes on, and the pages follow once they can be written"
            );
        }
    }

    /// The match begins with this number of games in its log.
    fn begin(&mut self, games: u64) {
        self.begun = true;
        self.read(usize::try_from(games).unwrap_or(usize::MAX));
    }

    /// Takes the first games of the log.
    fn read(&mut self, games: usize) {
        match open(&self.log).map(|(_, all)| all.take(games).collect::<Result<Vec<_>, _>>()) {
            Ok(Ok(all)) => self.waiting.extend(all),
            Ok(Err(cause)) | Err(cause) => self.warn(&cause.into()),
        }
    }

    /// The match has ended; a part of one has its last name only now.
    fn finish(&mut self, log: &Path) {
        self.log = log.into();
        self.is_over = true;
        if !self.begun && self.log.exists() {
            // It was complete before.
            self.begin(u64::MAX);
        }
        let mut log = LogFile::new(log);
        log.name.clone_from(&self.name);
        if let (true, Ok(summary)) = (self.begun, log.summary()) {
            let number =
                self.changed.values().map(|(n, _)| *n).chain(self.versions.values().copied()).max();
            let number = number.unwrap_or(self.base) + 1;
            self.changed.insert("summary".into(), (number, Some(summary.to_string().into())));
        }
    }

    /// Writes all that has changed; what fails stays to be written.
    fn write(&mut self) -> Result<()> {
        if !self.begun {
            return Ok(());
        }
        if !self.is_framed {
            self.mark()?;
            for (name, text) in assets::published() {
                self.put(&format!("assets/{name}"), text)?;
            }
            self.put("index.html", &assets::published_index())?;
            self.is_framed = true;
        }
        self.list()?;
        if self.is_over && !self.has_pgn {
            let (header, games) = open(&self.log)?;
            let games = games.map(|game| Ok(pgn(&header, &game?)));
            self.put("games.pgn", &games.collect::<Result<String>>()?)?;
            self.has_pgn = true;
        }
        while let Some((topic, (number, state))) = self.changed.pop_first() {
            // The page asks for the list when it gets a summary: the list must have all of its games.
            let written = match &state {
                Some(text) if topic != "summary" || self.has_all(text) => {
                    self.put(&format!("now/{topic}.json"), text)
                }
                Some(_) => {
                    self.changed.insert(topic, (number, state));
                    break;
                }
                None => Ok(()),
            };
            if let Err(cause) = written {
                self.changed.insert(topic, (number, state));
                return Err(cause);
            }
            match state {
                Some(_) => drop(self.versions.insert(topic, number)),
                None => drop(self.versions.remove(&topic)),
            }
        }
        self.mark()
    }

    /// Whether the list has all games of a summary.
    fn has_all(&self, summary: &str) -> bool {
        let summary: Value = serde_json::from_str(summary).unwrap_or_default();
        self.is_over || summary["played"].as_u64().is_none_or(|played| played <= self.listed)
    }

    /// Writes the finished games and the list of them.
    fn list(&mut self) -> Result<()> {
        loop {
            let is_full = self.chunk.len() == CHUNK;
            if self.is_unsaved && (is_full || self.waiting.is_empty()) {
                let place = place("list", self.listed.saturating_sub(1) / CHUNK as u64);
                self.put(&place, &Value::from(self.chunk.clone()).to_string())?;
                self.is_unsaved = false;
            }
            if is_full {
                self.chunk.clear();
            }
            let Some(game) = self.waiting.front() else { return Ok(()) };
            if let Some(data) = replay::of(&self.header, game) {
                self.put(&place("games", game.number().into()), &data.to_string())?;
            }
            self.chunk.push(brief(&self.header, game));
            self.listed += 1;
            self.is_unsaved = true;
            self.waiting.pop_front();
        }
    }

    /// Says what there is, after it is written.
    fn mark(&mut self) -> Result<()> {
        let mark = json!({
            "match": match_key(&self.header),
            "name": self.name,
            "boards": self.boards,
            "games": self.listed,
            "pgn": self.has_pgn,
            "topics": self.versions,
        });
        if self.marked.as_ref() != Some(&mark) {
            self.put(MARK, &mark.to_string())?;
            self.marked = Some(mark);
        }
        Ok(())
    }

    /// Writes a file aside and puts it in its place.
    fn put(&self, name: &str, text: &str) -> Result<()> {
        let path = self.folder.join(name);
        let write = || {
            std::fs::create_dir_all(files::folder_of(&path))?;
            files::write_whole(&path, |out| out.write_all(text.as_bytes()))
        };
        write().with_context(|| name.to_string())
    }
}

/// The file of a number, in the folder of its thousand.
fn place(kind: &str, n: u64) -> String {
    format!("{kind}/{}/{n}.json", n / FOLDER)
}
