//! `referee export`: writes the games of a log in other formats.

use super::flags::choice;
use super::provenance;
use agon_base::files;
use agon_base::ordinal::Ordinal;
use agon_games::ccgc::file_name;
use agon_games::connect6::sgf::Form;
use agon_matches::encoding::Encoding;
use agon_matchlog::{GameRecord, MatchHeader, SortedGames, open_sorted};
use agon_report::export::Occasion;
use agon_report::export::{ccgc, csv, pgn, sgf, wxf};
use anyhow::{Context, Result, bail};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The values of `--encoding`.
const ENCODINGS: [(&str, &str, Encoding); 2] = [
    ("utf-8", "UTF-8 without a byte order mark", Encoding::Utf8),
    ("gb18030", "GB18030, which programs for GB2312 and GBK read, too", Encoding::Gb18030),
];

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ExportFormat {
    /// PGN tags and moves of any game; Ordo and BayesElo can read it
    Pgn,
    /// Connect6 (one turn per node), Amazons and NoGo
    Sgf,
    /// Connect6, one stone per node, with Go coordinates
    SgfStones,
    /// Xiangqi, in the format of the World Xiangqi Federation
    Wxf,
    /// Connect6, Amazons, EinStein and NoGo, in the form of China's national championship
    Ccgc,
    /// One line per game
    Csv,
}

/// Write the games of a log in another format: PGN, SGF, WXF, CCGC or CSV
#[derive(clap::Args)]
pub struct Args {
    /// The match log
    log: PathBuf,
    /// The format
    #[arg(long, short, value_enum, help_heading = "Output")]
    format: ExportFormat,
    /// The output file; default: standard output. With `--format ccgc` it may be a folder: each game gets a
    /// file of its own with the name that the event asks for
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Export only game N, counted from 1
    #[arg(long, value_name = "N", help_heading = "Games")]
    game: Option<Ordinal>,
    /// With `--format ccgc`: the encoding of the text [default: utf-8]
    #[arg(long, value_parser = choice(&ENCODINGS), help_heading = "CCGC")]
    encoding: Option<Encoding>,
    /// With `--format ccgc`: the place
    #[arg(long, value_name = "TEXT", help_heading = "CCGC")]
    place: Option<String>,
    /// With `--format ccgc`: the event, such as "2026 CCGC"
    #[arg(long, value_name = "TEXT", help_heading = "CCGC")]
    event: Option<String>,
    /// With `--format ccgc` and EinStein: the first player is Blue, in the lower right corner
    #[arg(long, help_heading = "CCGC")]
    blue_first: bool,
}

/// Writes the games in schedule order.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.format == ExportFormat::Ccgc {
        return national(args);
    }
    for (flag, given) in [
        ("--encoding", args.encoding.is_some()),
        ("--place", args.place.is_some()),
        ("--event", args.event.is_some()),
        ("--blue-first", args.blue_first),
    ] {
        if given {
            bail!("{flag}: only with --format ccgc");
        }
    }
    let (header, games) = chosen(&args)?;
    to_file_or_screen(args.out.as_deref(), |out| write(out, &header, games, args.format))?;
    provenance::print_beside(&args.log)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes to a file, which is there only once it is whole, or to standard output.
fn to_file_or_screen(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    if let Some(path) = path {
        return files::write_whole(path, write).with_context(|| path.display().to_string());
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    write(&mut out)?;
    Ok(out.flush()?)
}

/// The header and the games that are exported: all, or the one with a number.
fn chosen(args: &Args) -> Result<(MatchHeader, SortedGames)> {
    let (header, games) = open_sorted(&args.log)?;
    Ok((header, games.only(args.game)))
}

fn write(
    out: &mut dyn Write,
    header: &MatchHeader,
    games: SortedGames,
    format: ExportFormat,
) -> Result<()> {
    if format == ExportFormat::Csv {
        out.write_all(csv::HEAD.as_bytes())?;
    }
    let occasion = Occasion::default();
    for game in games {
        let game = &game?;
        let text = match format {
            ExportFormat::Pgn => pgn::game(header, game, &occasion)?,
            ExportFormat::Sgf => sgf::game(header, game, Form::LittleGolem, &occasion)?,
            ExportFormat::SgfStones => sgf::game(header, game, Form::StoneANode, &occasion)?,
            ExportFormat::Wxf => wxf::game(header, game, &occasion)?,
            ExportFormat::Csv => csv::game(header, game),
            ExportFormat::Ccgc => ccgc::game(header, game, &occasion)?,
        };
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Writes records in the national form, into one file or each into a file of a folder.
fn national(args: Args) -> Result<ExitCode> {
    let (header, games) = chosen(&args)?;
    let encoding = args.encoding.unwrap_or(Encoding::Utf8);
    let occasion = Occasion {
        place: args.place.unwrap_or_default(),
        event: args.event.unwrap_or_default(),
        blue_first: args.blue_first,
        ..Occasion::default()
    };
    let folder = args.out.as_deref().filter(|path| path.is_dir());
    let bytes = |game: &GameRecord| -> Result<Vec<u8>> {
        Ok(encoding.encode(&ccgc::game(&header, game, &occasion)?))
    };
    let Some(folder) = folder else {
        to_file_or_screen(args.out.as_deref(), |out| {
            for game in games {
                out.write_all(&bytes(&game?)?)?;
            }
            Ok(())
        })?;
        provenance::print_beside(&args.log)?;
        return Ok(ExitCode::SUCCESS);
    };
    for game in games {
        let game = game?;
        let record = ccgc::record(&header, &game, &occasion)?;
        let path = free(folder, &file_name(&record));
        std::fs::write(&path, bytes(&game)?).with_context(|| path.display().to_string())?;
        println!("{}", path.display());
    }
    provenance::print_beside(&args.log)?;
    Ok(ExitCode::SUCCESS)
}

/// The path of a file that does not exist yet: with ` (2)` and so on before the extension.
fn free(folder: &Path, name: &str) -> PathBuf {
    let stem = name.trim_end_matches(".txt");
    let names = (2..).map(|n| format!("{stem} ({n}).txt"));
    let paths = std::iter::once(name.to_string()).chain(names).map(|name| folder.join(name));
    paths.into_iter().find(|path| !path.exists()).unwrap_or_else(|| folder.join(name))
}
