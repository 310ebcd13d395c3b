//! The commands that count and number positions.

use agon_games::rng;
use agon_games::xiangqi::{parse_placement, print_placement};
use agon_xiangqi_studies::count::Number;
use agon_xiangqi_studies::count::report::PositionCount;
use agon_xiangqi_studies::numbering::Numbering;
use anyhow::{Context, Result, anyhow, ensure};
use std::io::Write;

/// The commands.
#[derive(Debug, clap::Subcommand)]
pub enum NumberingCommand {
    /// Count all positions in several independent ways
    #[command(alias = "census")]
    Count {
        /// Print JSON lines, one for each table row, instead of a page
        #[arg(long)]
        json: bool,
    },
    /// Print the index of a placement (the first field of a FEN; the rest is ignored)
    Rank {
        /// For example `4k4/9/9/9/9/9/9/9/9/3K5`
        fen: String,
    },
    /// Print the placement with a given index
    Unrank {
        /// A decimal number from 0; commas are ignored
        number: String,
    },
    /// Print uniformly random placements, one per line
    Random {
        /// Number of placements
        #[arg(long, default_value_t = 1)]
        count: u64,
        /// Seed of the random stream
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Print each placement's index before it
        #[arg(long)]
        numbers: bool,
    },
}

/// Runs a command.
///
/// # Errors
/// A bad argument, ways of counting that disagree, or `out` that cannot be written.
pub fn run(command: NumberingCommand, out: &mut impl Write) -> Result<()> {
    match command {
        NumberingCommand::Count { json } => {
            let count = PositionCount::new();
            write!(out, "{}", if json { count.json() } else { count.page() })?;
            ensure!(count.proved(), "the ways of counting disagree");
        }
        NumberingCommand::Rank { fen } => {
            let placement = fen.split_whitespace().next().context("the FEN is empty")?;
            let board = parse_placement(placement).map_err(|e| bad_fen(&fen, &e))?;
            let number = Numbering::new().rank(&board).map_err(|e| bad_fen(&fen, &e))?;
            writeln!(out, "{number}")?;
        }
        NumberingCommand::Unrank { number } => {
            let numbering = Numbering::new();
            let last = numbering.total() - Number::from(1);
            let digits = number.replace(',', "");
            let expected = || format!("`{number}`: expected a number from 0 to {last}");
            ensure!(digits.bytes().all(|b| b.is_ascii_digit()), expected());
            let index = Number::from_str_radix(&digits, 10).ok().with_context(expected)?;
            let board = numbering.unrank(index).with_context(expected)?;
            writeln!(out, "{}", print_placement(&board))?;
        }
        NumberingCommand::Random { count, seed, numbers } => random(out, count, seed, numbers)?,
    }
    Ok(())
}

fn bad_fen(fen: &str, reason: &str) -> anyhow::Error {
    anyhow!("bad placement `{fen}`: {reason}")
}

fn random(out: &mut impl Write, count: u64, seed: u64, numbers: bool) -> Result<()> {
    let numbering = Numbering::new();
    let mut rng = rng::stream(seed, 0, "random placement");
    for _ in 0..count {
        let number = numbering.random(&mut rng);
        let board = numbering.unrank(number).context("a drawn number has no placement")?;
        if numbers {
            write!(out, "{number} ")?;
        }
        writeln!(out, "{}", print_placement(&board))?;
    }
    Ok(())
}
