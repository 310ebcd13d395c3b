//! `connect6 solve`.

use crate::missed_win::{MissedWin, diagnose};
use crate::solver::{
    DependencyRules, Solution, SolverLimits, SolverSettings, Verdict, search, solve,
};
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_games::game::Game;
use agon_games::record::Record;
use anyhow::{Context, Result, bail};
use cpu_time::ThreadTime;
use serde_json::json;
use std::io::{Write, stdin, stdout};
use std::time::Instant;

/// The positions, and the solver's settings.
#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    /// A position: `startpos moves ...`, `fen F`, or a FEN; default: one per line on standard input
    position: Vec<String>,
    /// Print JSON lines
    #[arg(long)]
    json: bool,
    /// Missed-win diagnosis: report the pruned turn if the plain search wins by double threats and
    /// this one does not
    #[arg(long, alias = "blame")]
    missed_wins: bool,
    /// Print the proof tree
    #[arg(long)]
    proof: bool,
    /// Use the plain search, without dependency-based pruning
    #[arg(long)]
    plain: bool,
    /// Switch off a part of the method; may be repeated
    #[arg(long, value_name = "PART", value_enum)]
    without: Vec<MethodPart>,
    /// Search double threats only (VCDT)
    #[arg(long)]
    vcdt: bool,
    /// Also search turns without a threat (VCNT)
    #[arg(long)]
    vcnt: bool,
    /// Also search for long wins by single threats, in the order of proof numbers, until the maximum
    /// number of stones is placed
    #[arg(long, conflicts_with = "vcdt")]
    proof_numbers: bool,
    /// Do not limit the stones per iteration
    #[arg(long)]
    unlimited: bool,
    /// Depth limit: maximum number of attacking turns on a path
    #[arg(long, default_value_t = 20)]
    depth: u32,
    /// Stones placed in an iteration after which no further iteration starts
    #[arg(long, default_value_t = 130_000)]
    iteration: u64,
    /// Maximum number of stones placed
    #[arg(long, default_value_t = 7_200_000)]
    total: u64,
    /// Maximum number of conservative defences split on a path
    #[arg(long, default_value_t = 2)]
    splits: u32,
    /// Maximum number of single threats on a path
    #[arg(long, default_value_t = 1)]
    single_threats: u32,
}

/// The parts that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MethodPart {
    /// The transposition table
    Table,
    /// The conservative defence; without it every single defence is searched
    Conservative,
    /// Splitting of conservative defences
    Split,
    /// The extension after an inversion
    Extension,
    /// Turns that may combine with previous turns
    Combination,
    /// Post-block inversions
    PostBlock,
    /// Pre-block inversions
    PreBlock,
    /// The rule on reasonable pairs of single threats
    Pairs,
    /// The pruning of the last turn of the depth
    Horizon,
    /// Single threats of two stones on a line with two
    LinePairs,
}

impl SolveArgs {
    fn settings(&self) -> SolverSettings {
        let has = |part| !self.without.contains(&part);
        let iteration = if self.unlimited { u64::MAX } else { self.iteration };
        let dependency = DependencyRules {
            combination: has(MethodPart::Combination),
            post_block: has(MethodPart::PostBlock),
            pre_block: has(MethodPart::PreBlock),
            pairs: has(MethodPart::Pairs),
            horizon: has(MethodPart::Horizon),
        };
        SolverSettings {
            limits: SolverLimits { depth: self.depth, iteration, total: self.total },
            dependency: (!self.plain).then_some(dependency),
            table: has(MethodPart::Table),
            conservative: has(MethodPart::Conservative),
            splits: if has(MethodPart::Split) { self.splits } else { 0 },
            extension: has(MethodPart::Extension),
            single_threats: if self.vcdt { 0 } else { self.single_threats },
            line_pairs: has(MethodPart::LinePairs),
            proof_numbers: self.proof_numbers,
            quiet_moves: self.vcnt,
            ..SolverSettings::default()
        }
    }

    /// Solves the positions and prints the results.
    pub(super) fn run(&self, rules: &Connect6Rules) -> Result<()> {
        if self.proof_numbers && self.single_threats == 0 {
            bail!("--proof-numbers searches single threats: --single-threats must be at least 1");
        }
        let mut refuted = 0;
        if self.position.is_empty() {
            for line in stdin().lines() {
                let line = line.context("standard input")?;
                if !line.trim().is_empty() {
                    refuted += usize::from(self.solve_one(line.trim(), rules)?);
                }
            }
        } else {
            refuted += usize::from(self.solve_one(self.position.join(" ").trim(), rules)?);
        }
        if refuted > 0 {
            bail!("the verifier refuted {refuted} claimed wins");
        }
        Ok(())
    }

    /// Solves a position and prints the result; returns whether the verifier refuted a claimed win.
    fn solve_one(&self, text: &str, rules: &Connect6Rules) -> Result<bool> {
        let game = read_position(text, rules).with_context(|| format!("position `{text}`"))?;
        let (clock, start) = (Instant::now(), ThreadTime::now());
        let claim = search(&game, self.settings(), &|| false);
        let searched = ThreadTime::now();
        let solution = claim.verified();
        let seconds = clock.elapsed().as_secs_f64();
        let cpu_seconds = searched.duration_since(start).as_secs_f64();
        let verify_seconds = searched.elapsed().as_secs_f64();
        let missed =
            if self.missed_wins { missed_win(&game, self.settings(), &solution) } else { None };
        let mut out = stdout().lock();
        if self.json {
            let mut row = row(&game, &solution, self.proof);
            row["seconds"] = json!(seconds);
            // Processor time of the search alone, and of the verifier.
            row["cpu_seconds"] = json!(cpu_seconds);
            row["verify_seconds"] = json!(verify_seconds);
            if self.missed_wins {
                row["lost_by"] = json!(missed.as_ref().map(|m| m.cause.name()));
                row["lost_turn"] = json!(missed.as_ref().map(|m| m.to_string()));
            }
            writeln!(out, "{row}")?;
        } else {
            let c = solution.counters;
            let (result, turn) = summary(&solution);
            // Only a complete search may say that there is none.
            let result = if result == "unknown" { "none within these limits" } else { result };
            writeln!(
                out,
                "{result}{turn}; depth {}, {} moves, {} stones, {seconds:.3} s",
                solution.depth, c.moves, c.stones
            )?;
            if let Some(missed) = missed {
                writeln!(out, "lost by {missed}")?;
            }
            if let (true, Some(proof)) = (self.proof, solution.verdict.proof()) {
                writeln!(out, "{proof}")?;
            }
        }
        Ok(matches!(solution.verdict, Verdict::Refuted(_)))
    }
}

/// Parses a position as after the protocol's `position`, or a bare FEN.
///
/// # Errors
/// A malformed FEN, or a malformed or illegal turn.
pub fn read_position(text: &str, rules: &Connect6Rules) -> Result<Connect6> {
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let start = start.trim();
    let start = start.strip_prefix("fen ").unwrap_or(start);
    let fen = (start != "startpos").then_some(start);
    let tokens: Vec<&str> = moves.split_whitespace().collect();
    let record = Record::<Connect6>::from_text(fen, &tokens, rules)?;
    Ok(record.current().clone())
}

/// Diagnoses a solution without a win if the plain search has one.
fn missed_win(game: &Connect6, settings: SolverSettings, solution: &Solution) -> Option<MissedWin> {
    if solution.verdict.proof().is_some() {
        return None;
    }
    let double = SolverSettings { single_threats: 0, quiet_moves: false, ..settings };
    let win = solve(game, double.plain(), &|| false).verdict;
    Some(diagnose(game, settings, win.proof()?))
}

/// The result as a word, and the winning turn with the length of the win.
fn summary(solution: &Solution) -> (&'static str, String) {
    match &solution.verdict {
        Verdict::Win { kind, proof } => {
            let turn = proof.turn().map(|t| t.to_string()).unwrap_or_default();
            let length = proof.depth();
            (kind.name(), format!(" {turn}, {length} turns"))
        }
        Verdict::NoWin => ("none", String::new()),
        Verdict::Unknown => ("unknown", String::new()),
        Verdict::Refuted(why) => ("refuted", format!(" {why}")),
    }
}

fn row(game: &Connect6, solution: &Solution, with_proof: bool) -> serde_json::Value {
    let (result, _) = summary(solution);
    let c = solution.counters;
    let proof = solution.verdict.proof();
    let mut row = json!({
        "fen": game.fen(),
        "result": result,
        "win": proof.and_then(|p| p.turn()).map(|t| t.to_string()),
        "turns": proof.map(|p| p.depth()),
        "depth": solution.depth,
        "moves": c.moves,
        "stones": c.stones,
        "iterations": c.iterations,
        "splits": c.splits,
        "pruned": c.pruned,
    });
    if with_proof {
        row["proof"] = json!(proof.map(|p| p.to_string()));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::connect6::Connect6Rules;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        solve: SolveArgs,
    }

    #[test]
    fn by_default_two_defences_on_a_path_are_split() {
        let args = Line::try_parse_from(["solve"]).unwrap_or_else(|e| panic!("{e}")).solve;
        assert_eq!(args.settings().splits, 2);
        let text = "startpos moves j10 k9j12 i11k11 i9j11 l9g9 h10g11 f12l6 l12k12 m12h12";
        let game = read_position(text, &Connect6Rules::default()).unwrap_or_else(|e| panic!("{e}"));
        let solution = solve(&game, args.settings(), &|| false);
        assert_eq!(summary(&solution), ("VCDT", " l13m14, 4 turns".to_string()));
    }
}
