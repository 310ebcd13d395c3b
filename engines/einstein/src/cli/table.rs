//! `einstein table`: the endgame tablebase of every position of at most 6 stones.

use crate::tablebase::{
    EinSteinIndexer, EinSteinSolver, EinSteinTablebase, MAX_ERROR, Needs, WinProbability, verify,
};
use agon_games::einstein::{EinStein, EinSteinRules};
use agon_games::game::{Game, Turn, legal_moves};
use agon_search::program::NoExtra;
use agon_tablebase::cli::{
    FileLocation, ProbedMove, TableCommand, TableProgram, describe, list_moves, parse_size,
};
use agon_tablebase::{Monitor, Scratch, build, resume, scratch_folder};
use anyhow::{Context, Error, Result, bail};

/// Arguments of `build`.
#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    /// Maximum number of stones in a position: 5 stones take 0.87 GB of disk and 0.5 GB of memory, 6
    /// stones 29.8 GB of disk with the scratch files, of which 22.5 GB remain, and an hour or more
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=6))]
    stones: u8,
    /// Memory for values. A tablebase that needs more is built with scratch files in the folder
    /// FILE.building, which the system reads as far as it has memory; however such a build ended, the
    /// same command continues it
    #[arg(long, default_value = "2GB", value_name = "SIZE", value_parser = parse_size)]
    memory: u64,
}

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// Positions of 4 or 5 stones to recompute by plain expectimax, in addition to all smaller
    /// ones; a thousand times as many are compared with their successors
    #[arg(long, default_value_t = 200)]
    samples: u64,
}

/// `einstein table ...`.
pub type Command = TableCommand<FileLocation, BuildArgs, VerifyArgs, NoExtra>;

/// The rule about missing numbers, from the option `MissingDie`.
pub struct Program(pub EinSteinRules);

impl TableProgram for Program {
    type Location = FileLocation;
    type Build = BuildArgs;
    type Verify = VerifyArgs;
    type Other = NoExtra;

    fn build(
        &self,
        FileLocation { file }: &FileLocation,
        what: &BuildArgs,
        threads: usize,
        monitor: &Monitor<'_>,
    ) -> Result<String> {
        let indexer = EinSteinIndexer::new(what.stones.into(), self.0.missing_die);
        let indexer = indexer.map_err(Error::msg)?;
        let needs = Needs::of(&indexer);
        let header = if needs.memory <= what.memory {
            build(file, &indexer, &EinSteinSolver::default(), threads, monitor)?
        } else {
            let scratch = Scratch::open(file, needs.disk)?;
            let (folder, gigabytes) = (scratch_folder(file), needs.disk as f64 / 1e9);
            log::info!("scratch files in {}, {gigabytes:.1} GB in all", folder.display());
            let solver = EinSteinSolver { scratch: Some(&scratch) };
            resume(file, &indexer, (&solver, &scratch), threads, monitor)?
        };
        describe(file, &header, format_args!("positions of at most {} stones", what.stones))
    }

    fn verify(
        &self,
        FileLocation { file }: &FileLocation,
        how: &VerifyArgs,
        seed: u64,
        monitor: &Monitor<'_>,
    ) -> Result<String> {
        let report = verify(&EinSteinTablebase::open(file)?, how.samples, seed, monitor)?;
        Ok(format!(
            "all checksums match; {} positions of at most 3 stones (all) and {} of 4 or 5 agree \
             with expectimax within {:.2e} (bound {MAX_ERROR:.2e}); {} agree with their successors",
            report.exhaustive, report.sampled, report.max_error, report.one_ply,
        ))
    }

    fn probe(&self, FileLocation { file }: &FileLocation, fen: &str) -> Result<String> {
        let tablebase = EinSteinTablebase::open(file)?;
        let state = EinStein::parse_fen(fen, &self.0)?;
        let (rule, stones) = (tablebase.indexer().rule(), tablebase.indexer().stones());
        if rule != self.0.missing_die {
            bail!("{} is for MissingDie {rule:?}: set the option to it", file.display());
        }
        let absent = || format!("no value: the tablebase holds at most {stones} stones");
        let mover = match state.turn() {
            Turn::Over(outcome) => bail!("the game is over: {outcome:?}"),
            Turn::Chance => {
                let value = tablebase.probe(&state).with_context(absent)?;
                return Ok(format!("{:.6}", value.probability()));
            }
            Turn::Player(mover) => mover,
        };
        let mut moves = Vec::new();
        for m in legal_moves(&state) {
            let mut next = state;
            next.play(m);
            let value = match next.turn() {
                Turn::Over(outcome) if outcome.sign_for(mover) > 0 => u16::MAX,
                Turn::Over(_) => 0,
                _ => u16::MAX - tablebase.probe(&next).with_context(absent)?.0,
            };
            moves.push(ProbedMove { token: state.move_token(m), value: Some(value) });
        }
        let probability = |value: &u16| format!("{:.6}", WinProbability(*value).probability());
        Ok(list_moves(moves, probability).join("\n"))
    }

    fn other(&self, command: &NoExtra) -> Result<String> {
        match *command {}
    }
}
