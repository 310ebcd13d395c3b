//! `referee serve`: pages in the browser to play against engines, to watch matches and to replay games.

use super::flags::{EngineFlags, ReadyFlag, ServeFlags};
use super::provenance;
use agon_analysis::GameFile;
use agon_desk::DeskPlace;
use agon_engine::driver::Timeouts;
use agon_matchlog::Limit;
use agon_web::{EngineList, Logs, PageServer, log_routes, play_routes, position_routes};
use agon_wire::input_file;
use anyhow::Result;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// Play against engines, watch matches and replay games in the browser
///
/// Prints an address that only this machine can open, and serves it until Ctrl-C. Its first page leads to all the others: it
/// finds the engines beside this program and the logs of the folder in which it was started, and opens the desk of an event.
#[derive(clap::Args)]
pub struct Args {
    /// Match logs to watch and to replay, which may still grow, and files of games to open, as PGN, SGF, WXF or in the
    /// national form. Without any: the logs of this folder
    #[arg(value_name = "LOG|FILE")]
    files: Vec<PathBuf>,
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
    let (names, games) = sorted(&args.files)?;
    let logs = match args.files.is_empty() {
        true => Logs::of_folder(".".into())?,
        false => Logs::open(&names)?,
    };
    let desk = DeskPlace::default();
    let routes = position_routes()
        .merge(agon_desk::door_routes(desk.clone(), engines.clone(), ready))
        .merge(agon_desk::routes(desk))
        .merge(agon_analysis::routes(engines.clone(), timeouts, games))
        .merge(play_routes(engines, timeouts))
        .merge(log_routes(logs));
    let server = PageServer::start(&args.serve.settings(), routes)?;
    provenance::unchecked(&names)?.iter().for_each(|line| eprintln!("{line}"));
    println!("{}", server.url());
    server.wait();
    Ok(ExitCode::SUCCESS)
}

/// The logs, and the files of games, which are read: a log is named as logs are or begins as they do, or is still empty.
fn sorted(paths: &[PathBuf]) -> Result<(Vec<PathBuf>, Vec<GameFile>)> {
    let (mut logs, mut games) = (Vec::new(), Vec::new());
    for path in paths {
        let end = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_named = ["pgn", "sgf", "wxf"].contains(&end.as_str());
        let is_log = |begin: &[u8]| end == "jsonl" || begin.is_empty() || begin.starts_with(b"{\"");
        let is_game = |begin: &[u8]| is_named || !is_log(begin);
        let begin =
            input_file::open(path).and_then(|file| input_file::read_to_end(file.take(2), 2));
        // What cannot be read is for the reader of logs to say.
        match begin {
            Ok(begin) if is_game(&begin) => games.push(GameFile::read(path)?),
            _ => logs.push(path.clone()),
        }
    }
    Ok((logs, games))
}
