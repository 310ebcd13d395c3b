//! Conducts a match: makes its header and chance, reads its openings, plays it or resumes it from its log
//! with the display and the pages that the flags want, and prints how it ended.

use agon_games::arbiter::GameKind;
use agon_matches::chance::ChanceSettings;
use agon_matches::openings::OpeningChoice;
use agon_matches::run_settings::{RoundSettings, RunSettings};
use agon_matches::session::{MatchOutcome, MatchSession, working_log};
use agon_matchlog::{Adjudication, EngineEntry, MatchHeader, Schedule, Setting, SprtEntry};
use agon_report::outcome;
use agon_web::play_match;
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// What the flags of a command say about its match.
pub struct Conduct {
    /// The game and its rules.
    pub game: (GameKind, Vec<Setting>),
    /// The engines.
    pub engines: Vec<EngineEntry>,
    /// The games; their policy of openings is that of `openings`.
    pub schedule: Schedule,
    /// The openings.
    pub openings: OpeningChoice,
    /// Where chance comes from.
    pub chance: ChanceSettings,
    /// Which games end before the rules end them.
    pub adjudication: Adjudication,
    /// The sequential test that ends the match.
    pub sprt: Option<SprtEntry>,
    /// The width of the confidence sequence that ends the match, in Elo.
    pub until_width: Option<f64>,
    /// The log.
    pub log: PathBuf,
    /// The part of the schedule that is played now.
    pub round: RoundSettings,
    /// How it is run.
    pub run: RunSettings,
}

impl Conduct {
    /// Plays what is not yet in the log, and prints the result; returns the exit code.
    pub fn play(self) -> Result<ExitCode> {
        let run = self.run.clone();
        Ok(outcome::conclude(&self.outcome(play_match)?, &run))
    }

    /// Plays what is not yet in the log with `play`.
    pub fn outcome(
        self,
        play: impl FnOnce(&MatchSession<'_>) -> Result<MatchOutcome>,
    ) -> Result<MatchOutcome> {
        let Conduct { engines, sprt, until_width, adjudication, log, round, run, .. } = self;
        let ((kind, rules), shard) = (self.game, run.shard);
        let schedule = Schedule { opening_policy: self.openings.policy(), ..self.schedule };
        let working = working_log(&log, shard);
        let chance = self.chance.resolve(&working, shard, &engines, &schedule)?;
        let openings = self.openings.of_sections(kind, &rules, &chance)?;
        let header = MatchHeader {
            rules,
            shard,
            sprt,
            until_width,
            adjudication,
            ..MatchHeader::new(kind.name, engines, schedule)
        };
        let header = chance.header(header, openings.iter().map(|o| o.entry.clone()))?;
        // The number of games of a test is a bound that few tests reach.
        if header.sprt.is_none() {
            openings.last().iter().for_each(|o| o.warn_about_repeats(&header.schedule));
        }
        let session = MatchSession::new(header, kind, openings, chance, &run, log);
        play(&MatchSession { round, ..session })
    }
}
