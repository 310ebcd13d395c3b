//! `lab darkchess solve`: exact values of games on boards of at most 8 squares.

use agon_darkchess::small_board::{MAX_SQUARES, SmallBoardSolver};
use agon_games::darkchess::{BoardSize, DarkChess, DarkRules};
use agon_games::game::{Game, Turn, legal_moves};
use agon_search::expectimax::UNIT;
use anyhow::{Context, Result, bail};
use std::io::{Write, stdout};
use std::time::Instant;

/// Print the exact value of a small game, with its hidden pieces, and of each of its moves
///
/// Values are expected outcomes under best play for the side to move: 1 is a win, 0 a draw, -1 a
/// loss. Endless play is a draw, as under any sufficiently long draw limit.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A position on a board of at most 8 squares; default: 2 by 4 with all pieces face down
    fen: Option<String>,
}

/// Runs `lab darkchess solve ...`.
pub fn run(args: &Args) -> Result<()> {
    let rules = DarkRules { draw_plies: 0, occurrences: 0, board: BoardSize::Quarter };
    let game = match &args.fen {
        Some(fen) => DarkChess::parse_fen(fen, &rules)?,
        None => DarkChess::start(&rules),
    };
    match game.turn() {
        Turn::Over(outcome) => bail!("the game is over: {outcome:?}"),
        Turn::Chance => bail!("a flip is in progress: give the position before or after it"),
        Turn::Player(_) => {}
    }
    let (files, ranks) = game.size();
    let mut solver = SmallBoardSolver::new(&game).with_context(|| {
        format!(
            "a board of {files} by {ranks} is too large: at most {MAX_SQUARES} squares are solved"
        )
    })?;
    let begun = Instant::now();
    let shown = |value: i32| f64::from(value) / f64::from(UNIT);
    let value = solver.value(&game);
    let mut out = stdout().lock();
    writeln!(
        out,
        "{:+.6} for the side to move; {} positions (one of each set of images), {:.1} s",
        shown(value),
        solver.len(),
        begun.elapsed().as_secs_f64()
    )?;
    for m in legal_moves(&game) {
        writeln!(out, "{} {:+.6}", game.move_token(m), shown(solver.value_after(&game, m)))?;
    }
    Ok(())
}
