//! PVS against alpha-beta in Amazons: Table 1 and figures 2 and 3 of Li, Li, Ran and Wang, "Amazons
//! game system based on PVS search algorithm" (2018), section 2.
//!
//! The paper gives PVS a second per move, and alpha-beta a maximum depth and no clock. One match
//! holds the games of three readings of this, each between a pair of engines of its own.

mod branching;
mod claims;
mod findings;
mod fitting;
mod pseudo_code;
mod report;
pub mod run;
mod table_one;

pub use report::report;

use crate::conduct::Plan;
use agon_engine::EngineSpec;
use agon_games::arbiter::GameKind;
use agon_matches::chance::Chance;
use agon_matches::openings::{Openings, OpeningsError};
use agon_matchlog::{Experiment, Limit, MatchHeader, Pairing, Setting};
use std::path::Path;

/// The names of the game and of the experiment.
pub const NAME: &str = "amazons";
/// Table 1: number of games in which PVS moved first and second.
pub const PAPER_GAMES: [u64; 2] = [610, 498];
/// Table 1: number of these games that PVS won.
pub const PAPER_WINS: [u64; 2] = [606, 492];
/// The paper's time per move for PVS, in milliseconds.
pub const PAPER_MOVE_MS: u64 = 1000;
/// The paper's maximum depth of alpha-beta.
pub const PAPER_DEPTH: u32 = 11;
/// The quick run's time per move, in milliseconds.
pub const QUICK_MOVE_MS: u64 = 100;
/// The quick run's number of games per reading.
pub const QUICK_GAMES: [u64; 2] = [6, 6];
/// The quick run starts no pair after this many seconds, so that the last games and the report are
/// finished within two minutes.
pub const QUICK_SECONDS: u64 = 95;
/// Number of rounds in which the games of the readings are mixed, so that an unfinished run has
/// about the same number of each.
const ROUNDS: u64 = 50;

/// How alpha-beta uses its time: the paper gives it a maximum depth and no time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reading {
    /// The paper's words: one search straight to depth 11; when the time is up, alpha-beta plays the
    /// best root move so far.
    Literal,
    /// One search to the greatest fixed depth that alpha-beta finishes in time.
    Fitting,
    /// The fair one: iterative deepening with the same time as PVS.
    Deepening,
}

impl Reading {
    /// All readings, in the order of the tables.
    pub const ALL: [Reading; 3] = [Reading::Literal, Reading::Fitting, Reading::Deepening];

    /// The name in flags and logs.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Literal => "literal",
            Reading::Fitting => "fitting",
            Reading::Deepening => "deepening",
        }
    }

    /// Notes for the reader of the report.
    fn words(self) -> &'static str {
        match self {
            Reading::Literal => {
                "alpha-beta searches straight to depth 11 under the same clock as PVS, and plays \
                 the best root move so far when time runs out"
            }
            Reading::Fitting => {
                "alpha-beta searches to the greatest fixed depth that it finishes within the move \
                 time in 95% of the first moves"
            }
            Reading::Deepening => {
                "the fair one: alpha-beta deepens iteratively up to depth 11 under the same clock \
                 as PVS"
            }
        }
    }
}

/// The openings of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningSet {
    /// Four random plies, as in the paper.
    Random,
    /// Four random plies after which a search of depth 2 sees no advantage over 2 squares.
    Balanced,
}

impl OpeningSet {
    /// The name in the log's file name; empty for the paper's.
    fn suffix(self) -> &'static str {
        match self {
            OpeningSet::Random => "",
            OpeningSet::Balanced => "-balanced",
        }
    }
}

/// The depth of alpha-beta in the reading `fitting`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FittingDepth {
    /// In plies.
    pub depth: u32,
    /// How it was found, for the report.
    pub evidence: String,
}

/// The engines and games. Reading number `i` of `readings` is played by the engines `2 i` (PVS) and
/// `2 i + 1`; both run the program at `path`. `games` holds for each reading.
pub fn plan(
    path: &Path,
    readings: &[Reading],
    fitting: Option<&FittingDepth>,
    games: [u64; 2],
) -> Plan {
    let mut plan = Plan::default();
    for &reading in readings {
        let pvs = plan.add(pvs(path, reading));
        let depth = match (reading, fitting) {
            (Reading::Fitting, Some(fitting)) => fitting.depth,
            _ => PAPER_DEPTH,
        };
        let other = plan.add(alpha_beta(path, reading, depth));
        plan.pairings.push(Pairing { engines: [pvs, other], games, ..Pairing::default() });
    }
    let pairs = games[0].min(games[1]).max(1);
    plan.in_rounds(pairs.min(ROUNDS))
}

fn engine(path: &Path, name: String, options: &[(&str, &str)]) -> EngineSpec {
    let common = [("MoveOverhead", "0")];
    let options = options.iter().chain(&common);
    EngineSpec {
        name: Some(name),
        command: vec![path.display().to_string()],
        options: options
            .map(|(name, value)| Setting { name: (*name).into(), value: (*value).into() })
            .collect(),
        ..EngineSpec::default()
    }
}

fn pvs(path: &Path, reading: Reading) -> EngineSpec {
    engine(path, format!("PVS, {}", reading.name()), &[("Algorithm", "pvs")])
}

fn alpha_beta(path: &Path, reading: Reading, depth: u32) -> EngineSpec {
    let deepening = (reading == Reading::Deepening).to_string();
    let depth = depth.to_string();
    let options =
        [("Algorithm", "alphabeta"), ("MaxDepth", depth.as_str()), ("Deepening", &deepening)];
    engine(path, format!("alpha-beta, {}", reading.name()), &options)
}

/// The limit of every engine. The paper has no loss on time, so machine load must not decide a game.
pub fn limit(move_ms: u64) -> Limit {
    Limit { move_ms: Some(move_ms), margin_ms: move_ms.max(2000), ..Limit::default() }
}

/// The setting of the log header that lists the readings.
const READINGS: &str = "readings";
/// The setting that holds [`FittingDepth::evidence`].
const EVIDENCE: &str = "fitting depth";

/// The experiment's entry in the log header.
pub fn experiment(readings: &[Reading], fitting: Option<&FittingDepth>) -> Experiment {
    let names: Vec<&str> = readings.iter().map(|r| r.name()).collect();
    let list = Setting { name: READINGS.into(), value: names.join(" ") };
    let evidence = fitting.map(|f| Setting { name: EVIDENCE.into(), value: f.evidence.clone() });
    let settings = std::iter::once(list).chain(evidence).collect();
    Experiment { name: NAME.into(), settings }
}

/// The log is not of this experiment as the present version plays it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ForeignLog {
    /// The header names a reading that does not exist.
    #[error(
        "unknown reading `{0}` of the Amazons paper; known readings: literal, fitting, deepening"
    )]
    Reading(String),
    /// The readings are missing, or the engines are not two for each.
    #[error(
        "the log has {engines} engines for {readings} readings of the Amazons paper, and needs two \
         for each; an earlier version may have played it: report it with `--match`"
    )]
    Engines {
        /// Number of engines.
        engines: usize,
        /// Number of readings.
        readings: usize,
    },
}

fn setting<'a>(header: &'a MatchHeader, name: &str) -> Option<&'a str> {
    let settings = header.experiment.as_ref().map_or(&[][..], |e| &e.settings);
    settings.iter().find(|s| s.name == name).map(|s| s.value.as_str())
}

/// The readings of a log.
///
/// # Errors
///
/// If the header does not fit this experiment.
pub fn readings_of(header: &MatchHeader) -> Result<Vec<Reading>, ForeignLog> {
    let words = setting(header, READINGS).unwrap_or_default().split_whitespace();
    let known = |word: &str| Reading::ALL.into_iter().find(|r| r.name() == word);
    let readings = words
        .map(|word| known(word).ok_or_else(|| ForeignLog::Reading(word.into())))
        .collect::<Result<Vec<_>, _>>()?;
    if readings.is_empty() || header.engines.len() != 2 * readings.len() {
        let (engines, readings) = (header.engines.len(), readings.len());
        return Err(ForeignLog::Engines { engines, readings });
    }
    Ok(readings)
}

/// The depth of the reading `fitting` in a log; `None` if the log has no such reading.
fn fitting_of(header: &MatchHeader) -> Option<FittingDepth> {
    let evidence = setting(header, EVIDENCE)?.to_string();
    let readings = readings_of(header).ok()?;
    let at = readings.iter().position(|&r| r == Reading::Fitting)?;
    let options = &header.engines.get(2 * at + 1)?.options;
    let depth = options.iter().find(|o| o.name == "MaxDepth")?.value.parse().ok()?;
    Some(FittingDepth { depth, evidence })
}

/// The openings embedded in the program.
pub fn openings(set: OpeningSet, kind: GameKind) -> Result<Openings, OpeningsError> {
    let (file, text) = match set {
        OpeningSet::Random => {
            ("random.txt", include_str!("../../../../openings/amazons/random.txt"))
        }
        OpeningSet::Balanced => {
            ("balanced.txt", include_str!("../../../../openings/amazons/balanced.txt"))
        }
    };
    let path = Path::new("openings/amazons").join(file);
    Openings::parse(&path, text, kind, &[], &Chance::seeded(0, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter::game;
    use agon_matchlog::Schedule;

    #[test]
    fn there_are_different_openings_for_every_game_of_the_paper() {
        for set in [OpeningSet::Random, OpeningSet::Balanced] {
            let openings = openings(set, game(NAME).unwrap()).unwrap();
            let pairs = PAPER_GAMES[0].max(PAPER_GAMES[1]);
            assert!(openings.count() >= pairs, "{} openings", openings.count());
        }
    }

    #[test]
    fn every_reading_has_its_games_on_the_same_openings() {
        let fitting = FittingDepth { depth: 2, evidence: "measured".into() };
        let plan = plan(Path::new("amazons"), &Reading::ALL, Some(&fitting), PAPER_GAMES);
        assert_eq!(plan.engines.len(), 6);
        for i in 0..3 {
            let of_it = || plan.pairings.iter().filter(|p| p.engines == [2 * i, 2 * i + 1]);
            let games = of_it().fold([0, 0], |[a, b], p| [a + p.games[0], b + p.games[1]]);
            assert_eq!(games, PAPER_GAMES);
            assert_eq!(of_it().map(|p| p.opening).min(), Some(0));
        }
        let depths: Vec<&str> = plan
            .engines
            .iter()
            .filter_map(|e| e.options.iter().find(|o| o.name == "MaxDepth"))
            .map(|o| o.value.as_str())
            .collect();
        assert_eq!(depths, ["11", "2", "11"]);
    }

    #[test]
    fn a_log_tells_its_readings_and_depth_and_an_unknown_one_is_refused() {
        let fitting = FittingDepth { depth: 3, evidence: "measured".into() };
        let readings = [Reading::Literal, Reading::Fitting];
        let program = std::env::current_exe().unwrap();
        let plan = plan(&program, &readings, Some(&fitting), [2, 2]);
        let entries = plan.engines.iter().map(|e| e.entry(&limit(10)).unwrap()).collect();
        let schedule = Schedule::of_pairings(plan.pairings);
        let mut header = MatchHeader {
            experiment: Some(experiment(&readings, Some(&fitting))),
            ..MatchHeader::new(NAME, entries, schedule)
        };
        assert_eq!(readings_of(&header), Ok(readings.to_vec()));
        assert_eq!(fitting_of(&header), Some(fitting));
        let list = &mut header.experiment.as_mut().unwrap().settings[0].value;
        *list = "literal fixed".into();
        let error = readings_of(&header).unwrap_err().to_string();
        assert!(
            error.contains("unknown reading `fixed`") && error.contains("deepening"),
            "{error}"
        );
        header.experiment.as_mut().unwrap().settings.clear();
        assert!(readings_of(&header).unwrap_err().to_string().contains("4 engines for 0 readings"));
    }
}
