//! `referee export`: writes the games of a log in other formats.

use crate::matchlog::{GameRecord, Header, read};
use crate::output::export::{csv, pgn, sgf, wxf};
use agon_protocol::connect6::sgf::Form;
use anyhow::{Context, Result};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// PGN tags and moves of any game; Ordo and BayesElo can read it
    Pgn,
    /// Connect6 (one turn per node), Amazons and NoGo
    Sgf,
    /// Connect6, one stone per node, with Go coordinates
    SgfStones,
    /// Xiangqi, in the format of the World Xiangqi Federation
    Wxf,
    /// One line per game
    Csv,
}

/// Write the games of a log in another format: PGN, SGF, WXF or CSV
#[derive(clap::Args)]
pub struct Args {
    /// The match log
    log: PathBuf,
    /// The format
    #[arg(long, short, value_enum)]
    format: Format,
    /// The output file; default: standard output
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Export only this game
    #[arg(long, value_name = "N")]
    game: Option<u64>,
}

/// Writes the games in schedule order.
pub fn run(args: Args) -> Result<ExitCode> {
    let log = read(&args.log)?;
    let out: Box<dyn Write> = match &args.out {
        Some(path) => {
            let file = std::fs::File::create(path);
            Box::new(file.with_context(|| path.display().to_string())?)
        }
        None => Box::new(std::io::stdout().lock()),
    };
    let mut out = BufWriter::new(out);
    let games = log.games.iter().filter(|g| args.game.is_none_or(|n| n == g.game));
    write(&mut out, &log.header, games, args.format)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write<'a>(
    out: &mut impl Write,
    header: &Header,
    games: impl Iterator<Item = &'a GameRecord>,
    format: Format,
) -> Result<()> {
    if format == Format::Csv {
        out.write_all(csv::HEAD.as_bytes())?;
    }
    for game in games {
        let text = match format {
            Format::Pgn => pgn::game(header, game)?,
            Format::Sgf => sgf::game(header, game, Form::LittleGolem)?,
            Format::SgfStones => sgf::game(header, game, Form::StoneANode)?,
            Format::Wxf => wxf::game(header, game)?,
            Format::Csv => csv::game(header, game),
        };
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
