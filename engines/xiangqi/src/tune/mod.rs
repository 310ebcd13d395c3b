//! The `tune` subcommand: plays games against itself into compact files, and trains the network of
//! the evaluation on them.

mod games;
mod generations;
mod positions;
pub(crate) mod selfplay;
#[cfg(test)]
mod tests;
mod training;

pub(crate) use games::{GameLog, UNKNOWN};

use crate::search::SearchSettings;
use agon_network::cli::TrainFlags;
use agon_protocol::xiangqi::XiangqiRules;
use agon_tuning::cli::SelfPlayFlags;
use anyhow::Result;
use clap::{Args, Subcommand};
use generations::Generations;
use std::io::Write;
use std::path::PathBuf;
use training::train_network;

/// The subcommands of `tune`.
#[derive(Debug, Subcommand)]
pub enum Tune {
    /// Play games against itself into a file; the same seed and engine play the same games
    Play(SelfPlayFlags),
    /// Train a network on such files; the same command resumes an interrupted training
    Train(Train),
    /// Make a network from nothing: play and train in turns, beginning with material and squares;
    /// the same command resumes
    Generations(Generations),
}

/// The flags of `tune train`.
#[derive(Debug, Args)]
pub struct Train {
    /// Files written by `tune play`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The network file to write; the state of the training is kept beside it, in OUT.state
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    train: TrainFlags,
}

/// Runs a subcommand of `tune`. `settings`: those of the players; training does without, so that a
/// network of a new shape can be trained.
///
/// # Errors
/// A wrong flag or file, or a file that cannot be written.
pub fn run(
    tune: Tune,
    rules: &XiangqiRules,
    settings: impl FnOnce() -> SearchSettings,
) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match tune {
        Tune::Play(flags) => {
            let plan = selfplay::SelfPlayPlan { nodes: flags.nodes, seed: flags.seed };
            let mut file = flags.create()?;
            let (games, network) = (flags.numbers(), &settings().network);
            let sum = selfplay::play(plan, games, rules, network, flags.jobs, &mut file)?;
            file.flush()?;
            Ok(writeln!(out, "{} games, {sum}", games.count())?)
        }
        Tune::Train(flags) => train_network(&flags.files, &flags.out, &flags.train, &mut out),
        Tune::Generations(flags) => generations::run(&flags, rules, &mut out),
    }
}
