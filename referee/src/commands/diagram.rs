//! `referee diagram`: shows a position as text or as an SVG picture.

use crate::matches::flags::find_game;
use crate::output::plot::{Board, standalone};
use agon_protocol::text::excerpt;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::ExitCode;

/// Show a position as text, or write it as an SVG picture
#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, value_name = "NAME")]
    game: String,
    /// `startpos` or a FEN, with or without `moves ...`; the last move is marked
    #[arg(default_value = "startpos")]
    position: String,
    /// Write an SVG picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Prints the board or writes the picture.
pub fn run(args: Args) -> Result<ExitCode> {
    let kind = find_game(&args.game)?;
    let position = kind.open_text(&args.position, &[])?;
    let Some(path) = args.svg else {
        print!("{}", position.diagram());
        return Ok(ExitCode::SUCCESS);
    };
    let board = Board::parse(kind.name, &position.fen())?;
    let last = position.tokens().pop().map_or(Vec::new(), |token| board.squares_of(&token));
    let title = format!("{}, {}", kind.name, excerpt(&position.fen()));
    std::fs::write(&path, standalone(&board.with_marks(&last).svg(&title)))
        .with_context(|| format!("writing the picture to {}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}
