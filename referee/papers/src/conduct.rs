//! Plays the match of a reproduction and reports on its log.

use super::publish::{publish, write_page};
use agon_claims::report::PaperReport;
use agon_engine::EngineSpec;
use agon_matches::chance::MatchChance;
use agon_matches::games::find_game;
use agon_matches::openings::Openings;
use agon_matches::run_end::RunEnd;
use agon_matches::run_settings::RunSettings;
use agon_matches::session::{MatchOutcome, MatchSession, Scoreboard};
use agon_matchlog::{Experiment, Limit, MatchHeader, Pairing, Schedule};
use agon_report::command_line::command_line;
use agon_report::outcome;
use agon_report::report::aggregate::Aggregate;
use agon_report::report::{MatchReport, ReportOptions};
use agon_web::play_match;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// The engines and games of an experiment.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The engines, in the order of the log's header.
    pub engines: Vec<EngineSpec>,
    /// The pairings.
    pub pairings: Vec<Pairing>,
}

impl Plan {
    /// Adds an engine and returns its index.
    pub fn add(&mut self, spec: EngineSpec) -> usize {
        self.engines.push(spec);
        self.engines.len() - 1
    }

    /// Adds games between two engines, half of them with each engine as the first player.
    pub fn meet(&mut self, engines: [usize; 2], games: u64) {
        let games = [games.div_ceil(2), games / 2];
        self.pairings.push(Pairing { engines, games, ..Pairing::default() });
    }

    /// Cuts every pairing into `rounds` parts and plays the first part of all pairings, then the
    /// second, and so on, so that an unfinished run has about the same share of each. The games and
    /// their openings stay the same.
    #[must_use]
    pub fn in_rounds(mut self, rounds: u64) -> Plan {
        let part = |pairing: &Pairing, round: u64| {
            let paired = pairing.games[0].min(pairing.games[1]);
            let cut = |round: u64| paired * round / rounds;
            let pairs = cut(round + 1) - cut(round);
            let last = round + 1 == rounds;
            let games = pairing.games.map(|n| pairs + if last { n - paired } else { 0 });
            Pairing { games, opening: pairing.opening + cut(round), ..pairing.clone() }
        };
        let whole = std::mem::take(&mut self.pairings);
        let parts = (0..rounds).flat_map(|round| whole.iter().map(move |p| part(p, round)));
        self.pairings = parts.filter(|p| p.games != [0, 0]).collect();
        self
    }
}

/// How and where the match of an experiment is played.
pub struct Conduct<'a> {
    /// How it is run.
    pub run: &'a RunSettings,
    /// The path of the log.
    pub log: PathBuf,
    /// No pair starts after this time.
    pub until: Option<Instant>,
    /// Shown during the match; `None`: the standings of the engines.
    pub scoreboard: Option<&'a dyn Scoreboard>,
}

/// Plays the games of a plan that are not yet in the log. `limit` applies to the engines that have
/// none of their own.
pub fn play(
    conduct: Conduct<'_>,
    plan: &Plan,
    limit: &Limit,
    openings: Openings,
    experiment: Experiment,
    game: &str,
) -> Result<MatchOutcome> {
    let kind = find_game(game)?;
    let engines = plan.engines.iter().map(|spec| spec.entry(limit)).collect::<Result<_, _>>()?;
    let schedule = Schedule::of_pairings(plan.pairings.clone());
    let header = MatchHeader {
        openings: openings.entry.clone(),
        shard: conduct.run.shard,
        experiment: Some(experiment),
        ..MatchHeader::new(kind.name, engines, schedule)
    };
    let Conduct { run, log, until, scoreboard } = conduct;
    let chance = MatchChance::seeded(1, &header.schedule);
    let openings = vec![openings];
    let session = MatchSession::new(header, kind, openings, chance, run, log);
    play_match(&MatchSession { until, scoreboard, ..session })
}

/// Makes the report of an experiment from the path of its log, the header, the data, and the command
/// that reproduces it.
pub type MakeReport = fn(&Path, &MatchHeader, &Aggregate, &str) -> Result<PaperReport>;

/// The report on a played match.
pub fn report(played: &MatchOutcome, make: MakeReport, command: &str) -> Result<PaperReport> {
    let log =
        MatchReport::of_log(&played.log, ReportOptions { games: 1, ..ReportOptions::default() })?;
    make(&played.log, log.header(), log.aggregate(), command)
}

/// The page of an experiment with this log, unless `out` is another.
pub fn page_of(log: &Path, out: Option<&Path>) -> PathBuf {
    out.map_or_else(|| log.with_extension("html"), Path::to_path_buf)
}

/// Prints the report on a played match, as tables or as JSON rows, and writes its page; a shard gets
/// its score only.
pub fn conclude(
    played: &MatchOutcome,
    make: MakeReport,
    run: &RunSettings,
    out: Option<&Path>,
) -> Result<ExitCode> {
    if run.shard.is_some() {
        return Ok(outcome::conclude(played, run));
    }
    let report = report(played, make, &command_line())?;
    let out = page_of(&played.log, out);
    if run.json {
        write_page(&out, &report.html())?;
        report.json_rows().for_each(|row| println!("{row}"));
        println!("{}", outcome::json(played));
    } else {
        publish(&report, Some(&out))?;
    }
    Ok(outcome::explain(played))
}

/// The report on a played match, whose page goes to `out`.
pub fn reproduced(
    played: &MatchOutcome,
    make: MakeReport,
    out: &Path,
    command: &str,
) -> Result<PaperReport> {
    if let RunEnd::Disturbed(why) = &played.ended {
        bail!("{why} {command}");
    }
    if let RunEnd::Failed(why) = &played.ended {
        bail!("{why}; finished games are saved in {}", played.log.display());
    }
    let report = report(played, make, command)?;
    write_page(out, &report.html())?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matches::schedule::jobs;
    use std::collections::BTreeSet;

    #[test]
    fn rounds_change_the_order_of_the_games_but_not_the_games() {
        let pairings = vec![
            Pairing { engines: [0, 1], games: [7, 5], ..Pairing::default() },
            Pairing { engines: [2, 3], games: [3, 3], opening: 9, ..Pairing::default() },
        ];
        let plan = Plan { pairings, ..Plan::default() };
        let games = |plan: &Plan| -> Vec<_> {
            let jobs = jobs(&Schedule::of_pairings(plan.pairings.clone()));
            jobs.map(|job| (job.players, job.opening)).collect()
        };
        let cut = plan.clone().in_rounds(4);
        let (before, after) = (games(&plan), games(&cut));
        assert_eq!(before.len(), after.len());
        assert_ne!(before, after);
        let set = |games: Vec<_>| games.into_iter().collect::<BTreeSet<_>>();
        assert_eq!(set(before), set(after.clone()));
        let firsts: BTreeSet<_> = after.iter().take(6).map(|(players, _)| players[0] / 2).collect();
        assert_eq!(firsts.len(), 2, "both pairings begin early: {after:?}");
        assert_eq!(cut.pairings.len(), 7, "no empty pairings");
    }
}
