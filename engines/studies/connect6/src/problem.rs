//! Problems: a position with its known result, how the result is determined, and how the set is
//! selected.

use super::source::Source;
use agon_connect6::proof::{ProofError, Step};
use agon_connect6::solver::{SolverLimits, SolverSettings, Verdict, WinKind, solve};
use agon_connect6::verify::{Budget, Refuted, Verified, verify};
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_games::record::RecordError;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The problem classes; each has a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    /// A win by double threats, found without a stone limit.
    #[serde(rename = "VCDT")]
    Double,
    /// A win that needs a single threat.
    #[serde(rename = "VCST")]
    Single,
    /// No win is known, and the plain search for double threats ends without one.
    #[serde(rename = "unknown")]
    Open,
}

/// A position with its known result: a line of the problem file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Its number in the file; 0 for a candidate.
    pub number: usize,
    /// The game up to the position: `startpos moves ...`.
    pub position: String,
    /// The side to move, `black` or `white`.
    pub side: String,
    /// The known result.
    pub result: Class,
    /// The length of the known win in attacking turns.
    pub turns: Option<usize>,
    /// The moves of the plain search: for [`Class::Double`] of a search for double threats only
    /// without limit, for the others with the default limits.
    pub plain_moves: u64,
    /// The game that it comes from.
    pub origin: String,
    /// How the random first turns of this game were made.
    pub opening: String,
    /// The player of Black.
    pub black: String,
    /// The player of White.
    pub white: String,
    /// The proof of the win.
    pub proof: Option<String>,
}

/// Why a line of the problem file is wrong.
#[derive(Debug, thiserror::Error)]
pub enum ProblemError {
    /// Not the beginning of a legal game.
    #[error("the position: {0}")]
    Position(#[from] RecordError),
    /// The position is not in the expected form.
    #[error("the position is `{0}`, expected `startpos moves ...`")]
    Form(String),
    /// The line names the wrong side to move.
    #[error("{0} is to move in the position, not the side that the line says")]
    Side(&'static str),
    /// A win without a proof, or a proof without a win.
    #[error("a win needs a proof, an unknown result has none")]
    Unproved,
    /// The proof cannot be parsed.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The proof is invalid.
    #[error("the proof does not hold: {0}")]
    Refuted(#[from] Refuted),
}

/// The settings of the problem set, with which its results were found.
fn settings() -> SolverSettings {
    SolverSettings { line_pairs: false, ..SolverSettings::default() }
}

/// Settings of a plain search, with or without single threats.
fn plain(limits: SolverLimits, single_threats: u32) -> SolverSettings {
    SolverSettings { limits, dependency: None, single_threats, ..settings() }
}

impl Problem {
    /// A candidate: the game up to a turn.
    pub fn new(
        record: &Record<Connect6>,
        turn: usize,
        result: Class,
        plain_moves: u64,
        source: &Source,
    ) -> Problem {
        let tokens = record.tokens();
        let before = tokens.get(..turn).unwrap_or(&tokens);
        Problem {
            number: 0,
            position: format!("startpos moves {}", before.join(" ")),
            // Black moves first, and turns alternate.
            side: SIDES[turn % 2].into(),
            result,
            turns: None,
            plain_moves,
            origin: format!("self-play seed {} game {}, {turn} turns", source.seed, source.game),
            opening: source.opening.clone(),
            black: source.black.clone(),
            white: source.white.clone(),
            proof: None,
        }
    }

    /// The position.
    ///
    /// # Errors
    /// The game is illegal, or its side to move is not the one given.
    pub fn game(&self, rules: &Connect6Rules) -> Result<Connect6, ProblemError> {
        let form = || ProblemError::Form(self.position.clone());
        let moves = self.position.strip_prefix("startpos moves ").ok_or_else(form)?;
        let tokens: Vec<&str> = moves.split_whitespace().collect();
        let record = Record::<Connect6>::from_text(None, &tokens, rules)?;
        let side = SIDES[tokens.len() % 2];
        if side != self.side {
            return Err(ProblemError::Side(side));
        }
        Ok(record.current().clone())
    }

    /// Solves the problem: sets its result, its proof and the moves of the plain search. Candidates
    /// for a win by double threats are searched for double threats without a limit, the others with
    /// the default limits. The plain search runs first and, if it finds no win, the
    /// dependency-based search.
    ///
    /// # Errors
    /// The game is illegal.
    pub fn solve(&mut self, rules: &Connect6Rules) -> Result<(), ProblemError> {
        let game = self.game(rules)?;
        let never = || false;
        let first = match self.result {
            Class::Double => plain(SolverLimits::unlimited(), 0),
            Class::Single | Class::Open => plain(SolverLimits::default(), 1),
        };
        let mut solution = solve(&game, first, &never);
        self.plain_moves = solution.counters.moves;
        if solution.verdict.proof().is_none() {
            solution = solve(&game, settings(), &never);
        }
        self.result = match &solution.verdict {
            Verdict::Win { kind: WinKind::DoubleThreats, .. } => Class::Double,
            Verdict::Win { .. } => Class::Single,
            _ => Class::Open,
        };
        let proof = solution.verdict.proof();
        self.turns = proof.map(|p| p.depth());
        self.proof = proof.map(|p| p.to_string());
        Ok(())
    }

    /// Replays the position and verifies the proof.
    ///
    /// # Errors
    /// The first error.
    pub fn check(&self, rules: &Connect6Rules) -> Result<Verified, ProblemError> {
        let game = self.game(rules)?;
        match (&self.proof, self.result) {
            (Some(proof), Class::Double | Class::Single) => {
                Ok(verify(&game, &Step::parse(proof)?, Budget::default())?)
            }
            (None, Class::Open) => Ok(Verified::default()),
            _ => Err(ProblemError::Unproved),
        }
    }
}

const SIDES: [&str; 2] = ["black", "white"];

/// Candidates solved for every four wanted: the hardest in screening are not always the hardest
/// when solved.
const SOLVED_PER_FOUR: usize = 5;

/// Selects the wanted number of problems of each class, starting with the hardest for the plain
/// search. `solve` solves a candidate.
///
/// # Errors
/// An error of `solve`.
pub fn choose<E>(
    candidates: Vec<Problem>,
    wanted: [usize; 3],
    mut solve: impl FnMut(&mut Problem) -> Result<(), E>,
) -> Result<Vec<Problem>, E> {
    let mut taken = BTreeSet::new();
    let mut solved = Vec::new();
    for (class, number) in CLASSES.into_iter().zip(wanted) {
        let mut own: Vec<&Problem> = candidates.iter().filter(|c| c.result == class).collect();
        own.sort_by_key(|c| (Reverse(c.plain_moves), &c.position));
        for candidate in own.into_iter().take((SOLVED_PER_FOUR * number).div_ceil(4)) {
            if taken.insert(candidate.position.clone()) {
                let mut problem = candidate.clone();
                solve(&mut problem)?;
                solved.push(problem);
            }
        }
    }
    let mut all = Vec::new();
    for (class, number) in CLASSES.into_iter().zip(wanted) {
        let mut own: Vec<&Problem> = solved.iter().filter(|c| c.result == class).collect();
        own.sort_by_key(|c| (Reverse(c.plain_moves), &c.position));
        all.extend(own.into_iter().take(number).cloned());
    }
    (1..).zip(&mut all).for_each(|(number, problem)| problem.number = number);
    Ok(all)
}

const CLASSES: [Class; 3] = [Class::Double, Class::Single, Class::Open];
