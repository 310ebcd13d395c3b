//! Accompanies a match: the live display, interim results at an interval, and the PGN file.

use super::live::Live;
use super::pgn_out::PgnOut;
use super::{sprt, standings};
use agon_games::arbiter::Arbiter;
use agon_matches::after_ply::AfterPly;
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ScheduledGame;
use agon_matches::session::{MatchOutcome, MatchSession, Observer, working_log};
use agon_matchlog::GameRecord;
use anyhow::Result;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Plays a match according to its flags, displays it and writes its PGN file. `also` receives the events
/// too.
pub fn play(session: &MatchSession<'_>, also: Option<&dyn Observer>) -> Result<MatchOutcome> {
    if let Some(path) = &session.run.pgnout {
        PgnOut::check(path)?;
    }
    let recorder = Recorder {
        live: Live::new(session),
        session,
        also,
        log: working_log(&session.log, session.header.shard),
        total: AtomicU64::new(0),
        pgn: Mutex::new(None),
    };
    let played = session.play(&recorder)?;
    // The lock on the file ends here.
    drop(recorder);
    if let Some(path) = &session.run.pgnout {
        // Adds what could not be written, such as games that ended while the disk was full.
        PgnOut::open(path, &played.log, &session.run.pgn_form)?;
    }
    Ok(played)
}

struct Recorder<'a> {
    live: Live<'a>,
    session: &'a MatchSession<'a>,
    also: Option<&'a dyn Observer>,
    /// The log during the run.
    log: PathBuf,
    total: AtomicU64,
    pgn: Mutex<Option<PgnOut>>,
}

impl Recorder<'_> {
    fn open_pgn(&self, in_log: u64) {
        let Some(path) = &self.session.run.pgnout else { return };
        let form = &self.session.run.pgn_form;
        if form.fresh && in_log == 0 {
            // Opening it says what is wrong.
            let _ = std::fs::File::create(path);
        }
        match PgnOut::open(path, &self.log, form) {
            Ok(out) => *self.pgn.lock().unwrap_or_else(PoisonError::into_inner) = Some(out),
            Err(e) => log::warn!("{e}; it is tried again at the end"),
        }
    }

    fn write_pgn(&self, game: &GameRecord) {
        let mut pgn = self.pgn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(e)) = pgn.as_mut().map(|out| out.game(game)) {
            log::warn!("{e}; it is tried again at the end");
            *pgn = None;
        }
    }

    /// The results so far, printed after every N games.
    fn interim(&self, progress: &MatchProgress) {
        let (interval, games) = (self.session.run.interval, progress.games());
        if interval == 0 || !games.is_multiple_of(interval) {
            return;
        }
        let total = self.total.load(Ordering::Relaxed);
        if self.session.run.json {
            let mut event = standings::json(&self.session.header, progress);
            if let Some(fields) = event.as_object_mut() {
                fields.insert("event".into(), "interim".into());
                fields.extend(progress.test.as_ref().map(|t| ("sprt".into(), sprt::test_json(t))));
                let beside = progress.beside.as_ref().map(sprt::test_json);
                fields.extend(beside.map(|test| ("beside".into(), test)));
            }
            self.live.suspend(|| println!("{event}"));
            return;
        }
        let mut text = format!("after {}:\n", self.session.header.extent(games, total));
        text.push_str(&standings::tables(&self.session.header, progress));
        if let Some(test) = &progress.beside {
            text.push_str(&sprt::beside(test));
            text.push('\n');
        }
        self.live.suspend(|| println!("{text}"));
    }
}

impl Observer for Recorder<'_> {
    fn begin(&self, in_log: u64, total: u64) -> bool {
        self.total.store(total, Ordering::Relaxed);
        self.open_pgn(in_log);
        let watched = self.also.is_some_and(|also| also.begin(in_log, total));
        self.live.begin(in_log, total) || watched
    }

    fn started(&self, job: &ScheduledGame) {
        if let Some(also) = self.also {
            also.started(job);
        }
    }

    fn ply(&self, job: &ScheduledGame, board: &dyn Arbiter, token: &str, after: &AfterPly) {
        self.live.ply(job, board, token, after);
        if let Some(also) = self.also {
            also.ply(job, board, token, after);
        }
    }

    fn wants_end(&self) -> bool {
        self.also.is_some_and(Observer::wants_end)
    }

    fn game(&self, game: &GameRecord, progress: &MatchProgress) {
        self.write_pgn(game);
        if let Some(also) = self.also {
            also.game(game, progress);
        }
        self.live.game(game, progress);
        self.interim(progress);
    }

    fn end(&self) {
        self.live.end();
        if let Some(also) = self.also {
            also.end();
        }
    }
}
