//! `referee diagram`: shows a position as text.

use agon_matches::games::find_game;
use agon_report::plot::{PieceStyle, text_board};
use anyhow::Result;
use std::process::ExitCode;

/// Show a position as text
#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, value_name = "NAME", help_heading = "Position")]
    game: String,
    /// `startpos` or a FEN, with or without `moves ...`; the last move is marked
    #[arg(default_value = "startpos")]
    position: String,
    /// Show the pieces of Xiangqi and dark chess as letters instead of Chinese characters
    #[arg(long, help_heading = "Position")]
    letters: bool,
}

/// Prints the board.
pub fn run(args: Args) -> Result<ExitCode> {
    let kind = find_game(&args.game)?;
    let position = kind.open_text(&args.position, &[])?;
    print!("{}", text_board(kind.name, &*position, PieceStyle::from_flag(args.letters)));
    Ok(ExitCode::SUCCESS)
}
