//! Checks that every game of a log is one of its schedule, that each is there once, and that none is
//! missing.

use crate::openings::Openings;
use crate::progress::MatchProgress;
use crate::schedule::ByResults as _;
use crate::schedule::{JobIndex, ScheduledGame, in_shard};
use agon_base::ordinal::Ordinal;
use agon_games::hash::FastMap;
use agon_games::text::excerpt;
use agon_matchlog::{GameRecord, MatchHeader, Schedule};

/// The places of a schedule and the games that were found for them.
pub struct Places<'a> {
    header: &'a MatchHeader,
    /// The schedule up to the end of the section that is being read.
    schedule: &'a Schedule,
    /// The number of lines before the section that are no games.
    other_lines: u64,
    /// The games by number, if pairings do not depend on results.
    fixed: Option<JobIndex>,
    /// The openings of each section of the log, where they are known.
    openings: &'a [Option<&'a Openings>],
    /// Without the openings: the text that each index had first in its section.
    seen: FastMap<(usize, u64), String>,
    /// Games whose place is known only when all results are: line, game, pair, players, opening.
    waiting: Vec<(u64, GameRecord)>,
}

impl<'a> Places<'a> {
    /// For a log with this header; `openings` are those of its sections, where they are known.
    pub fn new(header: &'a MatchHeader, openings: &'a [Option<&'a Openings>]) -> Places<'a> {
        let depends = header.schedule.needs_results();
        Places {
            header,
            schedule: &header.schedule,
            other_lines: 1,
            fixed: (!depends).then(|| JobIndex::new(&header.schedule)),
            openings,
            seen: FastMap::default(),
            waiting: Vec::new(),
        }
    }

    /// The lines of a section follow; `other_lines` before it are no games.
    pub fn enter(&mut self, schedule: &'a Schedule, other_lines: u64) {
        (self.schedule, self.other_lines) = (schedule, other_lines);
    }

    /// Checks the place of the game in a line.
    ///
    /// # Errors
    ///
    /// Says which field does not fit the schedule.
    pub fn check(&mut self, line: u64, game: &GameRecord) -> Result<(), String> {
        let scheduled = self.schedule.games();
        if game.game >= scheduled {
            let number = game.number();
            return Err(format!("game {number}: expected a number from 1 to {scheduled}"));
        }
        let Some(fixed) = &self.fixed else {
            let known = GameRecord { moves: String::new(), by: String::new(), ..game.clone() };
            self.waiting.push((line, known));
            return Ok(());
        };
        match fixed.get(game.game) {
            Some(job) => self.compare(&job, game),
            None => Err(format!("game {} is not in the schedule", game.number())),
        }
    }

    /// Checks the games whose place depends on results. Calls `defect` with a line and what is wrong.
    pub fn check_waiting(&mut self, progress: &MatchProgress, mut defect: impl FnMut(u64, String)) {
        let known = self.header.schedule.known(&progress.results);
        let jobs: FastMap<u64, ScheduledGame> = known.jobs.map(|job| (job.game, job)).collect();
        for (line, game) in std::mem::take(&mut self.waiting) {
            let compared = match jobs.get(&game.game) {
                Some(job) => self.compare(job, &game),
                // The results of other shards decide its pairing.
                None if self.header.shard.is_some() => Ok(()),
                None => Err(format!("game {}: the results do not lead to it", game.number())),
            };
            if let Err(reason) = compared {
                defect(line, reason);
            }
        }
    }

    fn compare(&mut self, job: &ScheduledGame, game: &GameRecord) -> Result<(), String> {
        let number = game.number();
        if !in_shard(job, self.header.shard) {
            return Err(format!("game {number} is in another shard"));
        }
        if game.pair != job.pair {
            let [is, wanted] = [game.pair, job.pair].map(Ordinal::of_index);
            return Err(format!("game {number} is in pair {is}: expected pair {wanted}"));
        }
        if game.players != job.players {
            let (is, wanted) = (game.players, job.players);
            return Err(format!("game {number}: players are {is:?}: expected {wanted:?}"));
        }
        let section = self.header.section_of(game.game);
        let entry = match section.checked_sub(1) {
            None => &self.header.openings,
            Some(i) => self.header.continuations.get(i).map_or(&None, |c| &c.openings),
        };
        let wanted = match (self.openings.get(section).copied().flatten(), entry) {
            (Some(openings), _) => openings.of_pair(job.opening),
            (None, None) => "startpos",
            (None, Some(entry)) => {
                let first = self.seen.entry((section, job.opening % entry.count));
                first.or_insert_with(|| game.opening.clone())
            }
        };
        if game.opening != wanted {
            let (is, wanted) = (excerpt(&game.opening), excerpt(wanted));
            return Err(format!("game {number}: opening is `{is}`: expected `{wanted}`"));
        }
        Ok(())
    }

    /// The games that should be in the log and are not; `None` if there are none, or if the test of
    /// the match is decided.
    pub fn missing(&self, progress: &MatchProgress) -> Option<Missing> {
        if progress.is_decided() {
            return None;
        }
        let known = self.schedule.known(&progress.results);
        let shard = self.header.shard;
        let absent =
            |job: &ScheduledGame| in_shard(job, shard) && !progress.done.contains(job.game);
        let mut gaps = known.jobs.filter(absent).map(|job| job.number());
        let numbers: Vec<Ordinal> = gaps.by_ref().take(10).collect();
        let more = gaps.count() as u64;
        let first = *numbers.first()?;
        let before = progress.done.iter().take_while(|&n| n < first.index()).count() as u64;
        let line = before + self.other_lines + 1;
        Some(Missing { line, count: numbers.len() as u64 + more, numbers })
    }
}

/// Games that are missing in a log.
pub struct Missing {
    /// The line where the first of them would be, if the log is sorted.
    pub line: u64,
    /// How many there are.
    pub count: u64,
    /// The first ten.
    pub numbers: Vec<Ordinal>,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown: Vec<String> = self.numbers.iter().map(Ordinal::to_string).collect();
        let more = if self.count > self.numbers.len() as u64 { ", ..." } else { "" };
        let (n, s) = (self.count, if self.count == 1 { " is" } else { "s are" });
        write!(f, "{n} game{s} missing: {}{more}", shown.join(", "))
    }
}
