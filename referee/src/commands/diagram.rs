//! `referee diagram`: shows a position as text or as an SVG picture.

use crate::matches::flags::find_game;
use crate::output::plot::{Board, PieceStyle, standalone, text_board};
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
    /// Show the pieces of Xiangqi and dark chess as letters instead of Chinese characters
    #[arg(long)]
    letters: bool,
}

/// Prints the board or writes the picture.
pub fn run(args: Args) -> Result<ExitCode> {
    let kind = find_game(&args.game)?;
    let position = kind.open_text(&args.position, &[])?;
    let pieces = PieceStyle::from_flag(args.letters);
    let Some(path) = args.svg else {
        print!("{}", text_board(kind.name, &*position, pieces));
        return Ok(ExitCode::SUCCESS);
    };
    let board = Board::parse(kind.name, &position.fen())?.with_pieces(pieces);
    let title = format!("{}, {}", kind.name, excerpt(&position.fen()));
    let picture = board.with_last_move(&position.tokens()).svg(&title);
    std::fs::write(&path, standalone(&picture))
        .with_context(|| format!("writing the picture to {}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}
