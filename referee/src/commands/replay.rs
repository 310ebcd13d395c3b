//! `referee replay`: shows a game of a log, one board per move.

use super::provenance;
use agon_base::counted;
use agon_base::ordinal::Ordinal;
use agon_matches::games::find_game;
use agon_matches::openings::open_checked;
use agon_matches::schedule::ScheduledGame;
use agon_matchlog::rule_pairs;
use agon_matchlog::{GameRecord, MatchHeader, PlyScore, open_sorted};
use agon_report::live::position_text;
use agon_report::plot::PieceStyle;
use agon_wire::message::Score;
use anyhow::{Context, Result, anyhow, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use std::slice;
use std::time::Duration;

/// Show a game of a match log, one board per move
#[derive(clap::Args)]
pub struct Args {
    /// The match log
    log: PathBuf,
    /// The number of the game, counted from 1; without it, games are listed
    #[arg(long, value_name = "N", help_heading = "Games")]
    game: Option<Ordinal>,
    /// Milliseconds between boards
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Output")]
    pause: u64,
    /// Show the pieces of Xiangqi and dark chess as letters instead of Chinese characters
    #[arg(long, help_heading = "Output")]
    letters: bool,
}

/// Prints the boards, or the list of games.
pub fn run(args: Args) -> Result<ExitCode> {
    let (header, games) = open_sorted(&args.log)?;
    let mut games = games.only(args.game).peekable();
    if let (Some(number), None) = (args.game, games.peek()) {
        bail!("{}: the log has no game {number}", args.log.display());
    }
    let logs = slice::from_ref(&args.log);
    provenance::print_unchecked(logs)?;
    for game in games {
        match args.game {
            None => println!("{}", summary(&header, &game?)),
            Some(_) => {
                let pieces = PieceStyle::from_flag(args.letters);
                show(&header, &game?, Duration::from_millis(args.pause), pieces)?;
            }
        }
    }
    provenance::print_heads(logs)?;
    Ok(ExitCode::SUCCESS)
}

fn summary(header: &MatchHeader, game: &GameRecord) -> String {
    let name = |i: usize| header.engines.get(i).map_or("?", |e| e.name.as_str());
    let [first, second] = game.players.map(name);
    let result = match game.result.winner() {
        Some(winner) => format!("{} wins", name(game.players[winner.index()])),
        None => "draw".into(),
    };
    let how = match &game.detail {
        Some(detail) => format!(" ({}: {detail})", game.reason.name()),
        None => String::new(),
    };
    let plies = game.by.len();
    format!(
        "game {}, {first} - {second}: {result} after {plies}{how}",
        game.number(),
        plies = counted(plies, "ply")
    )
}

fn show(
    header: &MatchHeader,
    game: &GameRecord,
    pause: Duration,
    pieces: PieceStyle,
) -> Result<()> {
    let kind = find_game(&header.game)?;
    let rules = rule_pairs(&header.rules);
    let mut board = open_checked(kind, &game.opening, &rules)
        .map_err(|e| anyhow!("game {}: opening: {e}", game.number()))?;
    let job = ScheduledGame { game: game.game, pair: game.pair, opening: 0, players: game.players };
    println!("{}", position_text(header, &job, &*board, &game.opening, pieces));
    let mut decision = 0;
    for (token, by) in game.moves.split(' ').filter(|t| !t.is_empty()).zip(game.by.chars()) {
        std::thread::sleep(pause);
        board.push(token).with_context(|| format!("game {}", game.number()))?;
        println!("{}", position_text(header, &job, &*board, token, pieces));
        if by != 'c' {
            println!("{}\n", engine_report(game, decision));
            decision += 1;
        }
    }
    println!("{}", summary(header, game));
    let said = game.output_tail().to_string();
    if !said.is_empty() {
        println!("{}", said.trim_start());
    }
    Ok(())
}

/// The engine's report on a move.
fn engine_report(game: &GameRecord, decision: usize) -> String {
    let stats = &game.stats;
    let us = stats.us.get(decision).copied().unwrap_or(0);
    let mut parts = vec![format!("{:.1} ms", us as f64 / 1000.0)];
    if let Some(Some(depth)) = stats.depth.get(decision) {
        parts.push(format!("depth {depth}"));
    }
    if let Some(Some(nodes)) = stats.nodes.get(decision) {
        parts.push(counted(nodes, "node"));
    }
    if let Some(Some(PlyScore(score))) = stats.score.get(decision) {
        parts.push(match score {
            Score::Cp(x) => format!("score {:+.2}", f64::from(*x) / 100.0),
            Score::Mate(n) if *n > 0 => format!("wins in {n}", n = counted(n, "ply")),
            Score::Mate(n) => format!("loses in {}", counted(n.unsigned_abs(), "ply")),
        });
    }
    parts.join(", ")
}
