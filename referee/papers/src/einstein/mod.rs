//! Monte Carlo tree search in EinStein wuerfelt nicht: figures 10, 16 and 17 of the project report
//! of Hsu, Hsu, Chen and Chang (National Taipei University 2020), and the improvements that its
//! sections 3.6 and 3.7 describe without figures.
//!
//! One match log holds all cells: each is a pairing of its schedule, identified by the names of the
//! engines. The threads of figure 10 have a log of their own, played one game at a time. The exact
//! loss of the players, which no paper has, is measured by `lab einstein loss`.

mod budget;
mod claims;
mod loss;
mod pairing_scores;
mod plan;
mod report;
pub mod run;

pub use budget::report as budget_report;
pub use plan::{BudgetStudy, RunSize, budget_plan, main_plan, thread_plan};
pub use report::report;

use agon_games::arbiter::GameKind;
use agon_matches::chance::Chance;
use agon_matches::openings::{Openings, OpeningsError};
use std::path::{Path, PathBuf};

/// The names of the game and of the experiment.
pub const NAME: &str = "einstein";
/// The name of the experiment in the log of the threads.
pub const THREADS_NAME: &str = "einstein-threads";
/// The name of the experiment in the log of the paper's budget.
pub const BUDGET_NAME: &str = "einstein-paper-budget";
/// Authors and title.
const PAPER: &str = "Hsu Tzu-Yang, Hsu Chia-Jung, Chen Chih-Lin, Chang Chun-Wei: EinStein wuerfelt \
                nicht, a game-playing program (project report, National Taipei University 2020)";
/// The same in Chinese.
const CHINESE_PAPER: &str = "徐子揚、徐家榮、陳治霖、張峻璋：愛因斯坦棋 EinStein würfelt nicht! - 棋類遊戲人工智慧（國立台北大學專題報告，2020）";
/// The win rate that the paper gives as a ceiling (section 4.2).
pub const PAPER_CEILING: f64 = 0.75;

const OPENINGS_FILE: &str = "openings/einstein/layouts.txt";
const OPENINGS: &str = include_str!("../../../../openings/einstein/layouts.txt");

/// The path of the threads' log, beside the main one.
pub fn threads_log(log: &Path) -> PathBuf {
    log.with_extension("threads.jsonl")
}

/// The path of the log of the paper's budget, beside the main one.
pub fn budget_log(log: &Path) -> PathBuf {
    log.with_extension("paper-budget.jsonl")
}

/// The random layouts embedded in the program.
pub fn openings(kind: GameKind) -> Result<Openings, OpeningsError> {
    Openings::parse(Path::new(OPENINGS_FILE), OPENINGS, kind, &[], &Chance::seeded(0, true))
}
