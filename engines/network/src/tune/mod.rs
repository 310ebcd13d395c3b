//! The `tune` subcommand of an engine with a network: plays games against itself into compact files,
//! and trains networks on them. The engine says how its games are played and read ([`learner`]).

pub mod games;
mod generations;
pub mod learner;
pub mod selfplay;
pub mod training;

use crate::cli::TrainFlags;
use crate::network::Network;
use agon_tuning::cli::SelfPlayFlags;
use anyhow::Result;
use clap::{Args, Subcommand};
use generations::Generations;
use learner::{Learner, SelfPlayPlan};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The subcommands of `tune`.
#[derive(Debug, Subcommand)]
pub enum Tune {
    /// Play games against itself into a file; the same seed and engine play the same games
    Play(SelfPlayFlags),
    /// Train a network on such files; the same command resumes an interrupted training
    Train(Train),
    /// Make a network from nothing: play and train in turns, beginning with piece values; the same
    /// command resumes
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

/// Runs a subcommand of `tune`. `network`: that of the players; training does without, so that a
/// network of a new shape can be trained.
///
/// # Errors
/// A wrong flag or file, or a file that cannot be written.
pub fn run<const H: usize>(
    tune: &Tune,
    learner: &impl Learner<H>,
    network: impl FnOnce() -> Arc<Network<H>>,
) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match tune {
        Tune::Play(flags) => {
            let plan = SelfPlayPlan { nodes: flags.nodes, seed: flags.seed };
            let mut file = flags.create()?;
            let games = flags.numbers();
            let sum = selfplay::play(learner, plan, games, &network(), flags.jobs, &mut file)?;
            file.flush()?;
            Ok(writeln!(out, "{} games, {sum}", games.count())?)
        }
        Tune::Train(flags) => {
            training::train_network(learner, &flags.files, &flags.out, &flags.train, &mut out)
        }
        Tune::Generations(flags) => generations::run(learner, flags, &mut out),
    }
}
