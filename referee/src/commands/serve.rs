//! `referee serve`: pages in the browser to play against engines, to watch matches and to replay games.

use crate::web::{ServeFlags, Server, position_routes};
use anyhow::Result;
use std::process::ExitCode;

/// Play against engines, watch matches and replay games in the browser
///
/// Prints an address that only this machine can open, and serves it until Ctrl-C.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    serve: ServeFlags,
}

/// Serves the pages.
pub fn run(args: &Args) -> Result<ExitCode> {
    let server = Server::start(&args.serve, position_routes())?;
    println!("{}", server.url());
    server.wait();
    Ok(ExitCode::SUCCESS)
}
