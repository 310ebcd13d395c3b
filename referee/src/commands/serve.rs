//! `referee serve`: pages in the browser to play against engines, to watch matches and to replay games.

use crate::matches::flags::EngineFlags;
use crate::matchlog::Limit;
use crate::web::{EngineList, ServeFlags, Server, play_routes, position_routes};
use anyhow::Result;
use std::process::ExitCode;

/// Play against engines, watch matches and replay games in the browser
///
/// Prints an address that only this machine can open, and serves it until Ctrl-C.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    engines: EngineFlags,
    #[command(flatten)]
    serve: ServeFlags,
}

/// Serves the pages.
pub fn run(args: &Args) -> Result<ExitCode> {
    // The level comes from the page.
    let level = Limit { move_ms: Some(1000), ..Limit::default() };
    let engines = EngineList::new(args.engines.resolve(&level)?);
    let routes = position_routes().merge(play_routes(engines));
    let server = Server::start(&args.serve, routes)?;
    println!("{}", server.url());
    server.wait();
    Ok(ExitCode::SUCCESS)
}
