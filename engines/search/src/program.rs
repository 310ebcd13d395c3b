//! The command line of every engine program: it runs the engine on stdin and stdout, or one of
//! `perft`, `bench`, `options` and `replay`, or a subcommand specific to the engine.
//!
//! An engine's `main` calls [`Program::main`]; an engine with its own subcommands derives
//! [`clap::Subcommand`] for an enum of them and calls [`Program::main_with`].

mod moved;
mod positions;

pub use clap::Command;
pub use positions::{Bench, read_openings, read_text};

use agon_games::game::Game;
use agon_games::perft::{divide, perft};
use agon_games::text::visible_lines;
use agon_wire::dialect::for_game;
use agon_wire::engine::Engine;
use agon_wire::serve::Server;
use agon_wire::version::{self, VERSION};
use anyhow::{Context, Result, anyhow, bail};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, BufReader, Write, stdin, stdout};
use std::process::ExitCode;
use std::time::Instant;

/// An engine program.
#[derive(Clone, Copy, Debug)]
pub struct Program<F> {
    /// The engine with its default options.
    pub engine: F,
    /// A one-line description of the engine, for `--help`.
    pub about: &'static str,
    /// The workload of `bench`.
    pub bench: Bench,
    /// Commands that the program `lab` has now; this one says so.
    pub moved: &'static [&'static str],
}

/// The empty set of subcommands, for engines without their own.
#[derive(Debug, Subcommand)]
pub enum NoExtra {}

#[derive(Parser)]
struct Cli<X: Subcommand> {
    /// Set an engine option or a rule limit; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", global = true)]
    options: Vec<String>,
    /// The protocol dialect; by default the first input line selects it
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    #[command(subcommand)]
    command: Option<CliCommand<X>>,
}

#[derive(Subcommand)]
enum CliCommand<X: Subcommand> {
    /// Count the leaves of the game tree
    Perft {
        /// Depth in plies
        depth: u32,
        /// A position instead of the start position
        #[arg(long)]
        fen: Option<String>,
        /// Print the count of every move
        #[arg(long)]
        divide: bool,
    },
    /// Search a fixed workload; print the node count and nodes/s
    Bench(positions::BenchFlags),
    /// List the options of `--option` and `setoption`
    Options,
    /// Read games, one per line (`startpos moves ...` or `fen F moves ...`), and print one JSON
    /// line for each: every position's FEN, turn and legal moves
    Replay {
        /// Omit the legal moves
        #[arg(long)]
        no_moves: bool,
    },
    #[command(flatten)]
    Extra(X),
}

impl<E: Engine, F: FnOnce() -> E> Program<F> {
    /// Runs the program with the process's own arguments and streams.
    pub fn main(self) -> ExitCode {
        self.main_with(|extra: NoExtra, _| match extra {})
    }

    /// Like [`Program::main`], with the engine's own subcommands. `extra` receives the engine and
    /// the rule limits with every `--option` applied, through [`Server::into_parts`].
    pub fn main_with<X: Subcommand>(
        self,
        extra: impl FnOnce(X, Server<E>) -> Result<()>,
    ) -> ExitCode {
        exit_code(|| self.run(std::env::args_os(), extra))
    }

    /// The command line, for those who describe it; `X` are the engine's own subcommands.
    pub fn command<X: Subcommand>(self) -> Command {
        command_line::<E, X>(self.about, &(self.engine)())
    }

    fn run<X: Subcommand>(
        self,
        arguments: impl IntoIterator<Item = OsString>,
        extra: impl FnOnce(X, Server<E>) -> Result<()>,
    ) -> Result<()> {
        let engine = (self.engine)();
        let command = command_line::<E, X>(self.about, &engine);
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let matches = command.clone().try_get_matches_from(&arguments);
        let matches = matches
            .unwrap_or_else(|e| moved::explained(e, &command, &arguments, self.moved).exit());
        let cli = Cli::<X>::from_arg_matches(&matches).map_err(|e| anyhow!("{e}"))?;
        let mut server = with_options(engine, &cli.options)?;
        if let Some(dialect) = &cli.dialect
            && !server.set_dialect(dialect)
        {
            let known = for_game(E::Game::NAME).join(", ");
            bail!("--dialect `{dialect}`: expected one of {known}");
        }
        match cli.command {
            None => Ok(server.run(BufReader::new(stdin()), stdout())?),
            Some(CliCommand::Perft { depth, fen, divide }) => {
                count::<E::Game>(&server.into_parts().1, depth, fen.as_deref(), divide)
            }
            Some(CliCommand::Bench(flags)) => self.bench.run(server, &flags),
            Some(CliCommand::Options) => {
                for option in server.options() {
                    writeln!(stdout(), "{option}")?;
                    option.help.lines().try_for_each(|line| writeln!(stdout(), "    {line}"))?;
                }
                Ok(())
            }
            Some(CliCommand::Replay { no_moves }) => positions::replay::<E::Game>(
                &server.into_parts().1,
                stdin().lock(),
                stdout().lock(),
                !no_moves,
            ),
            Some(CliCommand::Extra(x)) => extra(x, server),
        }
    }
}

/// The command line of a program with this engine and the subcommands `X` besides the common ones.
fn command_line<E: Engine, X: Subcommand>(about: &'static str, engine: &E) -> Command {
    Cli::<X>::command()
        .name(E::Game::NAME)
        .about(about)
        .version(VERSION)
        .long_version(version::long())
        .after_help(after_help(engine))
}

/// Starts the log on stderr, runs a program, and reports its error there. A closed pipe is none.
pub fn exit_code(run: impl FnOnce() -> Result<()>) -> ExitCode {
    let _ = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .target(env_logger::Target::Stderr)
        .format(|out, record| {
            let (level, text) = (record.level(), record.args().to_string());
            writeln!(out, "[{level} {}] {}", record.target(), visible_lines(&text))
        })
        .try_init();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If stderr is closed as well, ignore the error.
            let text = format!("error: {error:#}");
            let _ = writeln!(io::stderr(), "{}", visible_lines(&text));
            ExitCode::FAILURE
        }
    }
}

/// An engine and its rule limits, with every `NAME=VALUE` of the flag `--option` applied.
///
/// # Errors
/// A setting is no `NAME=VALUE`, or its name or value is wrong; which, and what would be right.
pub fn with_options<E: Engine>(engine: E, settings: &[String]) -> Result<Server<E>> {
    let mut server = Server::new(engine);
    for setting in settings {
        let (name, value) = setting
            .split_once('=')
            .with_context(|| format!("--option `{setting}`: expected NAME=VALUE"))?;
        server.set_option(name.trim(), value.trim()).context("--option")?;
    }
    Ok(server)
}

/// The game and the algorithms, for `--help`.
fn after_help<E: Engine>(engine: &E) -> String {
    let options = engine.options();
    let algorithms = options.iter().find(|option| option.name == "Algorithm");
    let lines = algorithms.map(|option| option.help.lines().skip(1)).into_iter().flatten();
    let lines: String = lines.map(|line| format!("\n  {line}")).collect();
    format!("Game: {}\nAlgorithms (--option Algorithm=NAME):{lines}", E::Game::NAME)
}

/// A closed pipe, as in `amazons options | head -1`, is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|e| e.downcast_ref::<io::Error>())
        .any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// The `perft` subcommand.
fn count<G: Game>(rules: &G::Rules, depth: u32, fen: Option<&str>, each: bool) -> Result<()> {
    let mut game = match fen {
        None => G::start(rules),
        Some(fen) => G::parse_fen(fen, rules)?,
    };
    let mut out = stdout().lock();
    let from = Instant::now();
    let leaves = if each && depth > 0 {
        let table = divide(&mut game, depth);
        for (m, leaves) in &table {
            writeln!(out, "{}: {leaves}", game.move_token(*m))?;
        }
        table.iter().map(|(_, leaves)| leaves).sum()
    } else {
        perft(&mut game, depth)
    };
    let seconds = from.elapsed().as_secs_f64();
    writeln!(out, "perft {depth}: {leaves}")?;
    let rate = leaves as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "{seconds:.3} s, {rate:.1} million leaves/s")?;
    Ok(())
}

#[cfg(test)]
mod tests;
