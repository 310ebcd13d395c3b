//! `darkchess table`: the endgame tablebase of all positions of at most 4 or 5 pieces.

use crate::tablebase::{DarkChessIndexer, DarkChessSolver, DarkChessTablebase, verify};
use agon_games::darkchess::{DarkChess, DarkRules};
use agon_games::game::{Game, Outcome, Turn, legal_moves};
use agon_search::program::NoExtra;
use agon_tablebase::cli::{
    FileLocation, ProbedMove, TableCommand, TableProgram, describe, list_moves,
};
use agon_tablebase::{Dtm, Monitor, build};
use anyhow::{Context, Error, Result, bail};

/// Arguments of `build`.
#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    /// Maximum number of pieces in a position
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=5))]
    pieces: u8,
}

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// Positions to compare with a 7-ply forward search, in addition to comparing every position
    /// with its successors
    #[arg(long, default_value_t = 2000)]
    samples: u64,
}

/// `darkchess table ...`.
pub type Command = TableCommand<FileLocation, BuildArgs, VerifyArgs, NoExtra>;

/// The rule limits of the match, for parsing positions.
pub struct Program(pub DarkRules);

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
        let indexer = DarkChessIndexer::new(what.pieces.into(), 4, 8).map_err(Error::msg)?;
        let header = build(file, &indexer, &DarkChessSolver::default(), threads, monitor)?;
        let (classes, sets) = (indexer.classes.len(), indexer.materials());
        let pieces = what.pieces;
        let contents = format_args!(
            "positions of at most {pieces} pieces, {classes} classes of {sets} sets with a side to \
             move"
        );
        describe(file, &header, contents)
    }

    fn verify(
        &self,
        FileLocation { file }: &FileLocation,
        how: &VerifyArgs,
        seed: u64,
        monitor: &Monitor<'_>,
    ) -> Result<String> {
        let report = verify(&DarkChessTablebase::open(file)?, how.samples, seed, monitor)?;
        let [lost, drawn, won] = report.results;
        Ok(format!(
            "all checksums match; {} positions (all; {} indexes are unused) agree with their \
             successors, {} random ones with forward search of 7 plies; {won} won, {drawn} drawn, \
             {lost} lost for the side to move, longest win {} plies",
            report.positions, report.unused, report.searched, report.longest,
        ))
    }

    fn probe(&self, FileLocation { file }: &FileLocation, fen: &str) -> Result<String> {
        let tablebase = DarkChessTablebase::open(file)?;
        let state = DarkChess::parse_fen(fen, &self.0)?;
        if let Turn::Over(outcome) = state.turn() {
            bail!("the game is over: {outcome:?}");
        }
        let value = tablebase.probe(&state).with_context(|| {
            format!(
                "no value: the tablebase holds positions of the full board with at most {} \
                 pieces, none of them face down",
                tablebase.indexer().pieces()
            )
        })?;
        let moves = legal_moves(&state).into_iter().map(|m| {
            let mut next = state;
            next.play(m);
            // The tablebase has no draw limits, so a game that is over is lost for the next player.
            let reply = match next.turn() {
                Turn::Over(Outcome::Win(_)) => Some(Dtm::LOST),
                _ => tablebase.probe(&next),
            };
            ProbedMove { token: state.move_token(m), value: reply.map(Dtm::before) }
        });
        let lines = list_moves(moves.collect(), Dtm::to_string);
        Ok([value.to_string()].into_iter().chain(lines).collect::<Vec<_>>().join("\n"))
    }

    fn other(&self, command: &NoExtra) -> Result<String> {
        match *command {}
    }
}
