//! Which positions of a self-play game are problems: of each game at most the hardest win by double
//! threats, one that needs a single threat, and the hardest that stays undecided. Hard is what
//! costs the plain search many moves.

use super::selfplay::{self, STYLES};
use crate::solver::{Kind, Limits, Settings, Solution, Verdict, solve};
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::game::Game;
use agon_search::table::TableError;
use serde_json::json;

/// No position before this turn is looked at.
const FIRST_TURN: usize = 5;
/// What a problem costs the plain search at least, in moves.
const LEAST_MOVES: u64 = 300;
/// Limits of the searches that choose: the thesis's, with less in all.
const LIMITS: Limits = Limits { depth: 20, iteration: 130_000, total: 1_500_000 };
/// Positions of a game in which a win by single threats is looked for.
const SINGLE_TRIES: usize = 2;

/// A position with what is known of it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The position.
    pub game: Connect6,
    /// Number of turns played before it.
    pub turn: usize,
    /// What the plain search found, and what it cost.
    pub solution: Solution,
}

/// What kind of problem it is; each has a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A win by double threats.
    Double,
    /// A win that needs a single threat.
    Single,
    /// Undecided at the limits.
    Open,
}

impl Problem {
    /// What kind it is; `None` where the search was completed without a win.
    pub fn class(&self) -> Option<Class> {
        match &self.solution.verdict {
            Verdict::Win { kind: Kind::DoubleThreats, .. } => Some(Class::Double),
            Verdict::Win { .. } => Some(Class::Single),
            Verdict::Unknown => Some(Class::Open),
            Verdict::NoWin | Verdict::Refuted(_) => None,
        }
    }

    /// The line of the problem file.
    pub fn line(&self, seed: u64, index: u64, styles: [usize; 2]) -> serde_json::Value {
        let result = match self.class() {
            Some(Class::Double) => "VCDT",
            Some(Class::Single) => "VCST",
            _ => "unknown",
        };
        let proof = self.solution.verdict.proof();
        let style = |i: usize| {
            let s = STYLES[styles[i]];
            format!("{} nodes, attack {}", s.nodes, s.attack)
        };
        json!({
            "fen": self.game.fen(),
            "result": result,
            "turns": proof.map(|p| p.depth()),
            "plain_moves": self.solution.counters.moves,
            "origin": format!("self-play seed {seed} game {index} after turn {}", self.turn),
            "black": style(0),
            "white": style(1),
            "proof": proof.map(|p| p.to_string()),
        })
    }
}

/// The problems of one game, and who played it.
///
/// # Errors
/// Memory for the players' tables is missing.
pub fn from_game(
    seed: u64,
    index: u64,
    rules: &Connect6Rules,
) -> Result<(Vec<Problem>, [usize; 2]), TableError> {
    let played = selfplay::play(seed, index, rules)?;
    let doubles =
        Settings { limits: LIMITS, dependency: None, single_threats: 0, ..Settings::default() };
    let mut all = Vec::new();
    let mut game = played.record.start().clone();
    for (turn, m) in played.record.moves().iter().enumerate() {
        if turn >= FIRST_TURN {
            let solution = solve(&game, doubles, &|| false);
            all.push(Problem { game: game.clone(), turn, solution });
        }
        game.play(*m);
    }
    let hardest = |class: Class| {
        let fits =
            |p: &&Problem| p.class() == Some(class) && p.solution.counters.moves >= LEAST_MOVES;
        all.iter().filter(fits).max_by_key(|p| p.solution.counters.moves).cloned()
    };
    let mut problems: Vec<Problem> =
        [Class::Double, Class::Open].into_iter().filter_map(hardest).collect();
    problems.extend(single(&all));
    Ok((problems, played.styles))
}

/// A win by single threats: looked for a turn before a win by double threats.
fn single(all: &[Problem]) -> Option<Problem> {
    let won = |p: &Problem| p.class() == Some(Class::Double);
    let before = all.windows(3).filter(|w| !won(&w[0]) && won(&w[2])).map(|w| &w[0]);
    let settings = Settings { limits: LIMITS, dependency: None, ..Settings::default() };
    before.take(SINGLE_TRIES).find_map(|p| {
        let solution = solve(&p.game, settings, &|| false);
        let found = Problem { solution, ..p.clone() };
        let hard = found.solution.counters.moves >= LEAST_MOVES;
        (hard && found.class() == Some(Class::Single)).then_some(found)
    })
}
