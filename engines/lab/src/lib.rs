//! What is done with the games and engines besides playing, as one program: `lab GAME COMMAND`.
//!
//! Counting and solving is in the libraries of `engines/studies`, fitting and training in those of
//! `engines/tuning` and `engines/network`. Here are the commands, and what an engine does in them.

mod amazons;
mod connect6;
mod darkchess;
mod einstein;
mod nogo;
mod xiangqi;

use agon_amazons::engine::AmazonsEngine;
use agon_connect6::engine::Connect6Engine;
use agon_darkchess::engine::DarkChessEngine;
use agon_einstein::engine::EinSteinEngine;
use agon_games::game::Game;
use agon_nogo::engine::NoGoEngine;
use agon_search::program::{exit_code, with_options};
use agon_wire::engine::Engine;
use agon_wire::version::{self, VERSION};
use agon_xiangqi::engine::XiangqiEngine;
use anyhow::Result;
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Studies of the games and work on the engines: counts, solves small games, makes books, openings and
/// problem sets, tunes and trains
#[derive(Parser)]
#[command(name = "lab", version = VERSION, long_version = version::long())]
#[command(after_help = "`lab GAME --help` lists the commands of a game.")]
struct Lab {
    #[command(subcommand)]
    game: GameCommand,
}

#[derive(Subcommand)]
#[command(subcommand_value_name = "GAME", subcommand_help_heading = "Games")]
enum GameCommand {
    /// The Game of the Amazons: tune the evaluation
    Amazons(Study<amazons::Command>),
    /// Connect6: problem sets, openings, opening books, values of lines
    Connect6(Study<connect6::Command>),
    /// Chinese dark chess: equivalence classes of material, exact values of small games, training
    Darkchess(Study<darkchess::Command>),
    /// EinStein wuerfelt nicht: exact losses of players, the free set-up, training
    Einstein(Study<einstein::Command>),
    /// NoGo: train the network
    Nogo(Study<nogo::Command>),
    /// Xiangqi: count and number all positions, tactical suites, training
    Xiangqi(Study<xiangqi::Command>),
}

#[derive(Args)]
#[command(
    after_help = "`GAME options` lists the options of a game's engine, such as `darkchess options`."
)]
struct Study<C: Subcommand> {
    /// Set an option of the game's engine or a rule limit; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", global = true)]
    options: Vec<String>,
    #[command(subcommand)]
    command: C,
}

impl<C: Subcommand> Study<C> {
    /// Runs the command with the engine and the rule limits, with every `--option` applied.
    fn run<E: Engine>(
        self,
        engine: E,
        run: impl FnOnce(C, E, <E::Game as Game>::Rules) -> Result<()>,
    ) -> Result<()> {
        let (engine, rules) = with_options(engine, &self.options)?.into_parts();
        run(self.command, engine, rules)
    }
}

/// The command line of the `lab` program.
pub fn command() -> clap::Command {
    Lab::command()
}

/// The `lab` program.
pub fn main() -> ExitCode {
    exit_code(|| match Lab::parse().game {
        GameCommand::Amazons(study) => {
            study.run(AmazonsEngine::new(), |c, engine, rules| amazons::run(c, &engine, &rules))
        }
        GameCommand::Connect6(study) => {
            study.run(Connect6Engine::new(), |c, engine, rules| connect6::run(c, engine, &rules))
        }
        GameCommand::Darkchess(study) => {
            study.run(DarkChessEngine::new(), |c, engine, rules| darkchess::run(c, &engine, &rules))
        }
        GameCommand::Einstein(study) => {
            study.run(EinSteinEngine::new(), |c, engine, rules| einstein::run(c, &engine, &rules))
        }
        GameCommand::Nogo(study) => study.run(NoGoEngine::new(), |c, _, _| nogo::run(&c)),
        GameCommand::Xiangqi(study) => {
            study.run(XiangqiEngine::new(), |c, engine, rules| xiangqi::run(c, &engine, &rules))
        }
    })
}
