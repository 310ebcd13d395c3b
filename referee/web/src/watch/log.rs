//! A match log as pages see it: the score, the test, the schedule, failures, and its games. Everything
//! is a function of the file, which may still grow.

use super::super::answer::{HttpAnswer, Refusal};
use super::super::feed::Feed;
use super::live::{MAX_BOARDS, log_name};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ByResults as _;
use agon_matches::schedule::in_shard;
use agon_matchlog::{GameRecord, MatchHeader};
use agon_report::export::{self, Occasion};
use agon_report::report::replay;
use agon_report::shown::MoveCount;
use agon_report::{sprt, standings};
use agon_stats::{ConfidenceSequence, Sequential, TestSample};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Maximum number of games of one answer.
const MAX_GAMES: usize = 200;
/// Maximum number of failures in a summary, and of scheduled games besides those that run.
const LISTED: usize = 50;

/// The media type of PGN.
const PGN: &str = "application/x-chess-pgn";

/// A file for the reader's disk.
pub struct Download {
    /// Its name there.
    pub name: String,
    /// Its media type.
    pub kind: &'static str,
    /// What it holds.
    pub text: Vec<u8>,
}

/// A log file.
pub struct LogFile {
    /// The name on pages: the file's name without its ending.
    pub name: String,
    path: PathBuf,
    /// The events of this log: `summary`, and those of a running match.
    pub feed: Feed,
    digest: Mutex<Option<Arc<Digest>>>,
    /// The state of the file that was last sent.
    sent: Mutex<Option<LogChange>>,
}

/// Length and time of the last change of a file.
type LogChange = (u64, Option<SystemTime>);

/// What is kept of a log.
pub struct Digest {
    stamp: LogChange,
    /// How long it took to read the file.
    effort: Duration,
    summary: Value,
    /// The games in the order of the file.
    games: Vec<Value>,
}

impl LogFile {
    /// A log at this path. It may not exist yet.
    pub fn new(path: &Path) -> LogFile {
        LogFile {
            name: log_name(path),
            path: path.to_path_buf(),
            feed: Feed::default(),
            digest: Mutex::default(),
            sent: Mutex::default(),
        }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its game, its engines, and how many seconds ago it changed; null if it is no longer readable. The games are not read.
    pub fn brief(&self) -> Value {
        let Ok((header, _)) = agon_matchlog::open(&self.path) else { return Value::Null };
        let changed = self.stamp().ok().and_then(|(_, changed)| changed?.elapsed().ok());
        json!({
            "game": header.game,
            "engines": header.engines.iter().map(|e| &e.name).collect::<Vec<_>>(),
            "seconds": changed.map(|age| age.as_secs()),
        })
    }

    fn stamp(&self) -> Result<LogChange, Refusal> {
        let data = self.path.metadata();
        let data = data.map_err(|cause| {
            Refusal::unknown(phrase!("{path}: {cause}", path = self.path.display(), cause))
        })?;
        Ok((data.len(), data.modified().ok()))
    }

    /// The digest of the file as it is now.
    pub fn digest(&self) -> Result<Arc<Digest>, Refusal> {
        let stamp = self.stamp()?;
        let mut kept = self.digest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = kept.as_ref().filter(|digest| digest.stamp == stamp) {
            return Ok(Arc::clone(digest));
        }
        let digest = Arc::new(self.read(stamp).map_err(Refusal::bad)?);
        *kept = Some(Arc::clone(&digest));
        Ok(digest)
    }

    fn read(&self, stamp: LogChange) -> Result<Digest, Phrase> {
        let begin = Instant::now();
        let (header, games) = agon_matchlog::open(&self.path).map_err(|e| e.to_phrase())?;
        let mut progress = MatchProgress::new(&header).map_err(|e| Phrase::Plain(e.to_string()))?;
        let mut failures = VecDeque::new();
        let mut briefs = Vec::new();
        for game in games {
            let game = game.map_err(|e| e.to_phrase())?;
            if !progress.take(&game) {
                continue;
            }
            if game.reason.is_fault() {
                failures.push_back(failure(&header, &game));
                if failures.len() > LISTED {
                    failures.pop_front();
                }
            }
            briefs.push(brief(&header, &game));
        }
        let summary = summary(&self.name, &header, &progress, &failures);
        Ok(Digest { stamp, effort: begin.elapsed(), summary, games: briefs })
    }

    /// The games from the `from`th of the file on, and their number.
    pub fn games(&self, from: usize, count: usize) -> HttpAnswer {
        let digest = self.digest()?;
        let games = &digest.games;
        let begin = from.min(games.len());
        let end = (begin + count.min(MAX_GAMES)).min(games.len());
        Ok(json!({ "total": games.len(), "from": begin, "games": games[begin..end] }))
    }

    /// The summary.
    pub fn summary(&self) -> HttpAnswer {
        Ok(self.digest()?.summary.clone())
    }

    /// One game for the replay, by its number from 1.
    pub fn game(&self, number: u64) -> HttpAnswer {
        let bad = |e: agon_matchlog::LogError| Refusal::bad(e.to_phrase());
        // The whole file must be sound.
        self.digest()?;
        let (header, games) = agon_matchlog::open(&self.path).map_err(bad)?;
        for game in games {
            let game = game.map_err(bad)?;
            if u64::from(game.number()) == number {
                return replay::of(&header, &game)
                    .ok_or_else(|| Refusal::bad(phrase!("game {n} cannot be drawn", n = number)));
            }
        }
        Err(Refusal::unknown(phrase!("game {n} is not in this log", n = number)))
    }

    /// The file.
    pub fn download(&self) -> Result<Download, Refusal> {
        let text = std::fs::read(&self.path).map_err(|cause| {
            Refusal::unknown(phrase!("{path}: {cause}", path = self.path.display(), cause))
        })?;
        Ok(Download { name: format!("{}.jsonl", self.name), kind: "application/jsonl", text })
    }

    /// The games as PGN; one that cannot be written so is left out.
    pub fn pgn(&self) -> Result<Download, Refusal> {
        let bad = |e: agon_matchlog::LogError| Refusal::bad(e.to_phrase());
        let (header, games) = agon_matchlog::open(&self.path).map_err(bad)?;
        let mut text = String::new();
        for game in games {
            text.push_str(&pgn(&header, &game.map_err(bad)?));
        }
        Ok(Download { name: format!("{}.pgn", self.name), kind: PGN, text: text.into() })
    }

    /// Sends the summary if the file has changed and somebody listens. Returns how long to wait before
    /// the next call: a large file is not read all the time.
    pub fn refresh(&self) -> Duration {
        let pause = Duration::from_millis(500);
        if !self.feed.has_listeners() {
            return pause;
        }
        match self.digest() {
            Ok(digest) => {
                let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
                if sent.replace(digest.stamp) != Some(digest.stamp) {
                    self.feed.send("summary", &digest.summary);
                }
                pause.max(10 * digest.effort)
            }
            // The log of a match that begins has no header yet.
            Err(_) => pause,
        }
    }
}

/// A game as PGN; of one that cannot be written so nothing.
pub fn pgn(header: &MatchHeader, game: &GameRecord) -> String {
    export::pgn::game(header, game, &Occasion::default()).unwrap_or_default()
}

fn name(header: &MatchHeader, engine: usize) -> &str {
    header.engines.get(engine).map_or("?", |e| e.name.as_str())
}

/// A game in a list.
pub fn brief(header: &MatchHeader, game: &GameRecord) -> Value {
    json!({
        "number": game.number(),
        "players": game.players.map(|engine| name(header, engine)),
        "winner": game.result.winner().map(|player| player.index()),
        "reason": game.ending.map_or(game.reason.name(), |ending| ending.0.name()),
        "moves": MoveCount::of(&game.by, &game.moves),
        "fault": game.reason.is_fault(),
    })
}

/// A game that an engine lost by a fault, with the tail of its standard error.
fn failure(header: &MatchHeader, game: &GameRecord) -> Value {
    let loser = game.result.winner().map(|winner| game.players[winner.opponent().index()]);
    json!({
        "number": game.number(),
        "engine": loser.map(|engine| name(header, engine)),
        "reason": game.reason.name(),
        "detail": game.detail,
        "said": game.output_tail().to_string().trim_start(),
    })
}

/// The interval that holds at all times; `None` without pairs.
fn confidence(sequence: &Sequential) -> Option<Value> {
    let pairs = sequence.pairs();
    let is_known = sequence.sample() == TestSample::Pair && pairs.pairs() > 0;
    let interval = || sprt::confidence_json(ConfidenceSequence::of_pairs(pairs));
    is_known.then(|| json!({ "interval": interval(), "pairs": pairs.pairs() }))
}

fn summary(
    log: &str,
    header: &MatchHeader,
    progress: &MatchProgress,
    failures: &VecDeque<Value>,
) -> Value {
    let engines = header.engines.iter();
    let total = match (header.shard, header.schedule.needs_results()) {
        (None, true) => header.schedule.expected_games(&progress.results),
        (None, false) => header.scheduled_games(),
        (shard, _) => {
            let known = header.schedule.known(&progress.results);
            known.jobs.filter(|job| in_shard(job, shard)).count() as u64
        }
    };
    let known = header.schedule.known(&progress.results);
    // A test that is decided needs no more games.
    let open = known.jobs.filter(|job| {
        !progress.is_decided() && in_shard(job, header.shard) && !progress.done.contains(job.game)
    });
    let schedule: Vec<Value> = open
        .take(LISTED + MAX_BOARDS)
        .map(|job| json!({ "number": job.number(), "players": job.players.map(|e| name(header, e)) }))
        .collect();
    let test = progress.test.as_ref().map(|test| {
        let path = test.path();
        let finite = path.iter().filter(|point| point.evidence.is_finite());
        let points: Vec<_> = finite.map(|point| (point.samples, point.evidence)).collect();
        let beside = progress.beside.as_ref().map(sprt::test_json);
        json!({ "state": sprt::test_json(test), "beside": beside, "waiting": test.waiting(), "path": points })
    });
    json!({
        "name": log,
        "game": header.game,
        "engines": engines.map(|e| json!({ "name": e.name, "limit": e.limit })).collect::<Vec<_>>(),
        "played": progress.games(),
        "total": total,
        "score": standings::json(header, progress),
        "confidence": progress.sequence().and_then(confidence),
        "test": test,
        "schedule": schedule,
        "failures": failures,
    })
}
