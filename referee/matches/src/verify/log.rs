//! Reads a log line by line and checks every line; the games of a batch are replayed in parallel.

use super::game::GameChecker;
use super::place::Places;
use crate::openings::Openings;
use crate::progress::MatchProgress;
use agon_base::counted;
use agon_matchlog::{
    ChanceEntry, GameReader, GameSet, LogEnd, LogError, LogGames, MatchHeader, Reason,
};
use rayon::prelude::*;
use std::path::Path;

/// Number of lines that are checked together.
const BATCH: usize = 1024;
/// Fewer lines than this are not worth other threads.
const FEW: usize = 16;

/// Something wrong in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// Line number, counted from 1.
    pub line: u64,
    /// What is wrong and what would be right.
    pub reason: String,
}

/// What the verification of a log found.
#[derive(Debug, Default)]
pub struct LogFindings {
    /// What is wrong, in the order of lines.
    pub defects: Vec<Defect>,
    /// Number of games.
    pub games: u64,
    /// Number of plies, chance outcomes included.
    pub plies: u64,
    /// Number of games that a tablebase ended.
    pub tablebase_games: u64,
    /// The numbers of the games without a defect.
    pub done: GameSet,
}

impl LogFindings {
    /// The first defect as an error.
    pub fn first(&self, path: &Path) -> Result<(), LogError> {
        self.defects.first().map_or(Ok(()), |d| {
            Err(LogError::BadLine {
                path: path.display().to_string(),
                line: d.line,
                reason: d.reason.clone(),
            })
        })
    }
}

/// The lines of a log that is verified.
pub struct GameLines<'a> {
    /// The match.
    pub header: &'a MatchHeader,
    /// Replays the games.
    pub checker: &'a GameChecker<'a>,
    /// The openings of each section of the log, where they are known.
    pub openings: Vec<Option<&'a Openings>>,
    /// Whether to stop after the first batch with a defect.
    pub stop_early: bool,
    /// Whether games may be missing, because the match is not finished.
    pub partial: bool,
}

/// A line that was read.
struct LogLine {
    number: u64,
    text: String,
}

impl GameLines<'_> {
    /// Checks all games; counts those without a defect in `progress`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or is no text.
    pub fn verify(
        &self,
        games: &mut LogGames,
        progress: &mut MatchProgress,
    ) -> Result<LogFindings, LogError> {
        let mut findings = LogFindings::default();
        let mut places = Places::new(self.header, &self.openings);
        let sections = self.header.sections();
        for (i, section) in sections.iter().enumerate() {
            places.enter(&section.schedule, games.line() - findings.games);
            let last = self.check_games(games, &mut places, progress, &mut findings)?;
            while let Some((line, reason)) = games.take_broken_link() {
                findings.defects.push(Defect { line, reason });
            }
            if self.stop_early && !findings.defects.is_empty() {
                break;
            }
            let continuation = games.line();
            let end = games.ends().get(i).cloned().flatten();
            let end = end.as_ref();
            let secret = (&section.chance, end);
            self.check_secret(secret, last + 1, &mut findings);
            if !games.next_section() {
                self.check_end(end, last + 1, &mut places, progress, &mut findings);
                break;
            }
            if end.is_some() {
                self.check_end(end, last + 1, &mut places, progress, &mut findings);
            }
            if progress.is_decided() {
                let reason = "the test was decided before: no more games belong to it".into();
                findings.defects.push(Defect { line: continuation, reason });
            }
        }
        // A continuation may have been torn; whoever continues writes it again.
        if games.after_end() > 0 && !self.stop_early && !self.partial {
            let reason = format!("{} after the end of the log", counted(games.after_end(), "byte"));
            findings.defects.push(Defect { line: games.line() + 1, reason });
        }
        findings.defects.sort_by_key(|d| d.line);
        Ok(findings)
    }

    /// Checks the games of a section. Returns the number of its last line before the end line.
    fn check_games(
        &self,
        games: &mut LogGames,
        places: &mut Places<'_>,
        progress: &mut MatchProgress,
        findings: &mut LogFindings,
    ) -> Result<u64, LogError> {
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH && games.next_in_section()? {
                while let Some((line, reason)) = games.take_broken_link() {
                    findings.defects.push(Defect { line, reason });
                }
                batch.push(LogLine { number: games.line(), text: games.last_line().into() });
            }
            if batch.is_empty() {
                return Ok(games.last_of_section());
            }
            self.check_batch(batch, places, progress, findings);
            if self.stop_early && !findings.defects.is_empty() {
                return Ok(games.last_of_section());
            }
        }
    }

    fn check_batch(
        &self,
        batch: Vec<LogLine>,
        places: &mut Places<'_>,
        progress: &mut MatchProgress,
        findings: &mut LogFindings,
    ) {
        let reader = GameReader::new(self.header);
        let replay = |line: &LogLine| {
            let game = reader.read(&line.text);
            let defect = game.as_ref().ok().and_then(|game| self.checker.check(game).err());
            (game, defect)
        };
        let checked: Vec<_> = if batch.len() < FEW {
            batch.iter().map(replay).collect()
        } else {
            batch.par_iter().map(replay).collect()
        };
        for (line, (game, defect)) in batch.into_iter().zip(checked) {
            let mut report = |reason| findings.defects.push(Defect { line: line.number, reason });
            let game = match game {
                Ok(game) => game,
                Err(reason) => {
                    findings.games += 1;
                    report(reason);
                    continue;
                }
            };
            // The place comes first: a line of another match has other players or another opening.
            let place = places.check(line.number, &game);
            let is_new = place.is_ok() && defect.is_none() && progress.take(&game);
            let twice = place.is_ok() && !is_new && progress.done.contains(game.game);
            match place {
                Err(reason) => report(reason),
                Ok(()) if twice => report(format!("game {} is in the log already", game.number())),
                Ok(()) => {}
            }
            if let Some(reason) = defect {
                report(format!("game {}: {reason}", game.number()));
            }
            if is_new {
                findings.done.insert(game.game);
            }
            findings.games += 1;
            findings.plies += game.by.len() as u64;
            findings.tablebase_games += u64::from(game.reason == Reason::Tablebase);
        }
    }

    /// Checks that a section that is finished reveals its secret. Parts of a match do not: others depend on
    /// it.
    fn check_secret(
        &self,
        (chance, end): (&ChanceEntry, Option<&LogEnd>),
        line: u64,
        findings: &mut LogFindings,
    ) {
        let hidden = chance.commitment.is_some() && end.is_some_and(|end| end.secret.is_none());
        if hidden && self.header.shard.is_none() {
            let reason = "the end line does not reveal the secret to which the log is committed: \
                          without it anybody could have chosen the dice"
                .into();
            findings.defects.push(Defect { line, reason });
        }
    }

    /// Checks that a section is complete and that its end line tells the truth. `line` is the number of
    /// the line after its last game.
    fn check_end(
        &self,
        end: Option<&LogEnd>,
        line: u64,
        places: &mut Places<'_>,
        progress: &MatchProgress,
        findings: &mut LogFindings,
    ) {
        // After a defect the results lead elsewhere.
        if findings.defects.is_empty() {
            let defects = &mut findings.defects;
            places.check_waiting(progress, |line, reason| defects.push(Defect { line, reason }));
        }
        let mut report = |line, reason| findings.defects.push(Defect { line, reason });
        let chained = self.header.agon_match_log > 1;
        match end {
            None if chained && !self.partial => {
                report(line, "the end line is missing: the match is not finished".into());
            }
            _ => {}
        }
        if end.is_none() && self.partial {
            return;
        }
        // A game that is in the log with a defect is not missing.
        if findings.defects.is_empty()
            && let Some(missing) = places.missing(progress)
        {
            findings.defects.push(Defect { line: missing.line, reason: missing.to_string() });
        }
    }
}
