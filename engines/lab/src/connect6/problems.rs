//! `lab connect6 games` and `lab connect6 problems`.

use agon_connect6_studies::problem::{Problem, choose};
use agon_connect6_studies::source::Source;
use agon_connect6_studies::{screen, self_play};
use agon_games::connect6::Connect6Rules;
use agon_wire::input_file;
use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};

/// The steps in making a problem set.
#[derive(Debug, clap::Subcommand)]
pub enum ProblemsCommand {
    /// Read games printed by `games --safe`, and print the candidates in them
    Screen,
    /// Read candidates, and print the problem set: the hardest of each class, with proofs
    Choose {
        /// Number of wins by double threats
        #[arg(long, default_value_t = 100)]
        double: usize,
        /// Number of wins that need a single threat
        #[arg(long, default_value_t = 100)]
        single: usize,
        /// Number of positions without a known win
        #[arg(long, default_value_t = 72)]
        open: usize,
        /// Save solved candidates in this file; run the same command to resume
        #[arg(long, value_name = "FILE")]
        solved_file: Option<PathBuf>,
    },
    /// Read a problem set, replay its games and verify its proofs
    Check,
}

/// Number and kind of games.
#[derive(Debug, clap::Args)]
pub struct GamesArgs {
    /// Number of games
    #[arg(long, default_value_t = 10)]
    count: u64,
    /// Number of the first game
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Seed of the series
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print only this many turns; at least the first two are random
    #[arg(long, conflicts_with = "safe")]
    turns: Option<usize>,
    /// Safe self-play: players search for wins by double threats before every turn; prints JSON
    /// lines
    #[arg(long, alias = "careful")]
    safe: bool,
}

impl GamesArgs {
    /// Plays and prints the games.
    pub(super) fn run(&self, rules: &Connect6Rules) -> Result<()> {
        let mut out = stdout().lock();
        for index in self.from..self.from + self.count {
            if self.safe {
                print(&mut out, &Source::play(self.seed, index, rules)?)?;
                continue;
            }
            let mut tokens = self_play::play(self.seed, index, rules)?.record.tokens();
            tokens.truncate(self.turns.unwrap_or(usize::MAX));
            writeln!(out, "startpos moves {}", tokens.join(" "))?;
        }
        Ok(())
    }
}

impl ProblemsCommand {
    /// Runs the step on its input and prints the result.
    pub(super) fn run(&self, rules: &Connect6Rules) -> Result<()> {
        let mut out = stdout().lock();
        match self {
            ProblemsCommand::Screen => lines(stdin(), |number, source: Source| {
                let record = source.record(rules).with_context(|| format!("line {number}"))?;
                let found = screen::candidates(&record, &source);
                found.iter().try_for_each(|problem| print(&mut out, problem))
            }),
            ProblemsCommand::Choose { double, single, open, solved_file } => {
                let mut candidates = Vec::new();
                lines(stdin(), |_, problem: Problem| {
                    candidates.push(problem);
                    Ok(())
                })?;
                let mut solved = SolvedProblems::open(solved_file.as_deref())?;
                let chosen = choose(candidates, [*double, *single, *open], |problem| {
                    solved.solve(problem, rules).with_context(|| problem.origin.clone())
                })?;
                chosen.iter().try_for_each(|problem| print(&mut out, problem))
            }
            ProblemsCommand::Check => {
                let (mut proofs, mut faults, mut defences) = (0, 0, 0);
                lines(stdin(), |number, problem: Problem| {
                    match problem.check(rules) {
                        Ok(done) => {
                            proofs += u64::from(problem.proof.is_some());
                            defences += done.defences + done.together;
                        }
                        Err(fault) => {
                            writeln!(out, "line {number}: {fault}")?;
                            faults += 1;
                        }
                    }
                    Ok(())
                })?;
                writeln!(out, "{proofs} proofs hold against {defences} defences")?;
                if faults > 0 {
                    bail!("{faults} problems are wrong");
                }
                Ok(())
            }
        }
    }
}

fn print(out: &mut impl Write, row: &impl serde::Serialize) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string(row)?)?;
    Ok(out.flush()?)
}

/// The problems solved so far, by position.
struct SolvedProblems {
    known: BTreeMap<String, Problem>,
    file: Option<File>,
}

impl SolvedProblems {
    fn open(path: Option<&Path>) -> Result<SolvedProblems> {
        let mut solved = SolvedProblems { known: BTreeMap::new(), file: None };
        let Some(path) = path else { return Ok(solved) };
        let name = || path.display().to_string();
        if path.exists() {
            lines(input_file::open(path).with_context(name)?, |_, problem: Problem| {
                solved.known.insert(problem.position.clone(), problem);
                Ok(())
            })
            .with_context(name)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        solved.file = Some(file.with_context(name)?);
        Ok(solved)
    }

    fn solve(&mut self, problem: &mut Problem, rules: &Connect6Rules) -> Result<()> {
        if let Some(known) = self.known.get(&problem.position) {
            problem.clone_from(known);
            return Ok(());
        }
        problem.solve(rules)?;
        self.file.as_mut().map_or(Ok(()), |file| print(file, problem))
    }
}

/// Calls `each` with the number and the value of every JSON line.
fn lines<T: DeserializeOwned>(
    from: impl Read,
    mut each: impl FnMut(usize, T) -> Result<()>,
) -> Result<()> {
    for (number, line) in (1..).zip(BufReader::new(from).lines()) {
        let line = line.with_context(|| format!("line {number}"))?;
        if !line.trim().is_empty() {
            let row = serde_json::from_str(&line).with_context(|| format!("line {number}"))?;
            each(number, row)?;
        }
    }
    Ok(())
}
