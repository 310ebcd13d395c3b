//! PVS against alpha-beta in Amazons: Table 1 and figures 2 and 3 of Li, Li, Ran and Wang, "Amazons
//! game system based on PVS search algorithm" (2018), section 2.

mod claims;
mod report;
pub mod run;

pub use report::report;

use crate::engine::EngineSpec;
use crate::matches::chance::Chance;
use crate::matches::openings::{Openings, OpeningsError, Order};
use crate::matchlog::{Experiment, Limit, Setting};
use agon_protocol::arbiter::GameKind;
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
/// Number of games in the quick run: as many as fit into its time.
pub const QUICK_GAMES: [u64; 2] = [30, 30];
/// The quick run starts no game after this many seconds, so that the last games and the report are
/// finished within five minutes.
pub const QUICK_SECONDS: u64 = 260;

/// The random openings of every run, used in this order.
const OPENINGS_FILE: &str = "openings/amazons/random.txt";
const OPENINGS: &str = include_str!("../../../../openings/amazons/random.txt");

/// Time use of alpha-beta: the paper gives it a maximum depth and no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Reading {
    /// One search straight to depth 11; when the time is up, it plays the best root move so far.
    Fixed,
    /// Iterative deepening up to depth 11 with the same time limit.
    Deepening,
}

impl Reading {
    /// The name in flags and logs.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Fixed => "fixed",
            Reading::Deepening => "deepening",
        }
    }

    /// The quick run's time per move, in milliseconds: deepening makes games twice as long.
    pub fn quick_move_ms(self) -> u64 {
        match self {
            Reading::Fixed => 200,
            Reading::Deepening => 100,
        }
    }

    /// Notes for the reader of the report.
    fn words(name: &str) -> &'static str {
        if name == "deepening" {
            "alpha-beta deepens iteratively up to depth 11 under the same clock as PVS"
        } else {
            "alpha-beta searches straight to depth 11 under the same clock as PVS, and plays the \
             best root move so far when time runs out"
        }
    }
}

/// The two engines, PVS first; both run the program at `path`.
pub fn engines(path: &Path, reading: Reading, limit: &Limit) -> [EngineSpec; 2] {
    let option = |name: &str, value: &str| Setting { name: name.into(), value: value.to_string() };
    let spec = |name: &str, options: Vec<Setting>| EngineSpec {
        name: Some(name.into()),
        command: vec![path.display().to_string()],
        options,
        limit: Some(limit.clone()),
        ..EngineSpec::default()
    };
    let deepening = (reading == Reading::Deepening).to_string();
    let depth = PAPER_DEPTH.to_string();
    [
        spec("PVS", vec![option("Algorithm", "pvs"), option("MoveOverhead", "0")]),
        spec(
            "alpha-beta",
            vec![
                option("Algorithm", "alphabeta"),
                option("MaxDepth", &depth),
                option("Deepening", &deepening),
                option("MoveOverhead", "0"),
            ],
        ),
    ]
}

/// The experiment's entry in the log header.
pub fn experiment(reading: Reading) -> Experiment {
    let reading = Setting { name: "reading".into(), value: reading.name().into() };
    Experiment { name: NAME.into(), settings: vec![reading] }
}

/// The openings embedded in the program.
pub fn openings(kind: GameKind) -> Result<Openings, OpeningsError> {
    Openings::parse(
        Path::new(OPENINGS_FILE),
        OPENINGS,
        kind,
        &[],
        Order::Sequential,
        &Chance::seeded(0, true),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::arbiter::game;

    #[test]
    fn there_are_different_openings_for_every_game_of_the_paper() {
        let openings = openings(game(NAME).unwrap()).unwrap();
        let pairings = PAPER_GAMES[0].max(PAPER_GAMES[1]);
        assert!(openings.count() >= pairings, "{} openings", openings.count());
    }
}
