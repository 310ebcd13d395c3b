//! `referee serve`: pages in the browser to play against engines, to watch matches and to replay games.

use super::flags::{EngineFlags, ReadyFlag, ServeFlags};
use super::provenance;
use agon_engine::driver::Timeouts;
use agon_matchlog::Limit;
use agon_web::desk::{self, DeskPlace};
use agon_web::{EngineList, Logs, PageServer, log_routes, play_routes, position_routes};
use anyhow::Result;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play against engines, watch matches and replay games in the browser
///
/// Prints an address that only this machine can open, and serves it until Ctrl-C. Its first page leads to all the others: it
/// finds the engines beside this program and the logs of the folder in which it was started, and opens the desk of an event.
#[derive(clap::Args)]
pub struct Args {
    /// Match logs to watch and to replay; they may still grow. Without any: those of this folder
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    engines: EngineFlags,
    #[command(flatten)]
    ready: ReadyFlag,
    #[command(flatten)]
    serve: ServeFlags,
}

/// Serves the pages.
pub fn run(args: &Args) -> Result<ExitCode> {
    // The level comes from the page.
    let level = Limit { move_ms: Some(1000), ..Limit::default() };
    let engines = EngineList::new(args.engines.resolve(&level)?);
    let ready = args.ready.time()?;
    let timeouts = Timeouts { ready, ..Timeouts::default() };
    let logs = match args.logs.is_empty() {
        true => Logs::of_folder(".".into())?,
        false => Logs::open(&args.logs)?,
    };
    let desk = DeskPlace::default();
    let routes = position_routes()
        .merge(desk::door_routes(desk.clone(), engines.clone(), ready))
        .merge(desk::routes(desk))
        .merge(play_routes(engines, timeouts))
        .merge(log_routes(logs));
    let server = PageServer::start(&args.serve.settings(), routes)?;
    provenance::unchecked(&args.logs)?.iter().for_each(|line| eprintln!("{line}"));
    println!("{}", server.url());
    server.wait();
    Ok(ExitCode::SUCCESS)
}
