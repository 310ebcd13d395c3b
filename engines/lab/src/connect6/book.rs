//! `lab connect6 book`: makes, shows and verifies opening books.

use agon_connect6::book::file::{self, Header};
use agon_connect6::book::{Book, Ranked};
use agon_connect6::cli::read_position;
use agon_connect6::engine::Connect6Engine;
use agon_connect6_studies::book::{BookMaker, MakeSettings, Preference};
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_games::game::Game;
use agon_games::option::{OptionKind, OptionValue};
use agon_search::score::Scale;
use agon_wire::engine::{Control, Engine};
use agon_wire::message::{Limits, Score};
use agon_wire::version;
use anyhow::{Context, Result, anyhow, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::io::{ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to do with a book.
#[derive(Debug, clap::Subcommand)]
pub enum BookCommand {
    /// Make a book by searching positions from the empty board on, the most relevant first; run the
    /// same command to resume
    Make(Make),
    /// Print the turns of a position in a book, the best first
    Show {
        /// The book
        file: PathBuf,
        /// The position: `startpos moves ...`, `fen F`, or a FEN; default: the empty board
        position: Vec<String>,
        /// Print JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Check a book's checksum, the legality of its turns, and its values by minimax
    Verify {
        /// The book
        file: PathBuf,
    },
}

impl BookCommand {
    /// Runs the command with the engine as its options describe it.
    ///
    /// # Errors
    /// A file that cannot be read or written, is damaged or belongs to another run; a position that
    /// is not in the book; an interruption.
    pub fn run(self, engine: Connect6Engine, rules: &Connect6Rules) -> Result<()> {
        match self {
            BookCommand::Make(make) => make.run(engine, rules),
            BookCommand::Show { file, position, json } => {
                let (_, book) = open(&file, rules)?;
                let text = if position.is_empty() { "startpos".into() } else { position.join(" ") };
                let game = read_position(text.trim(), rules)
                    .with_context(|| format!("position `{text}`"))?;
                let ranked = book.ranked(&game);
                let ranked = ranked.with_context(|| format!("`{text}` is not in the book"))?;
                show(&game, &ranked, json)
            }
            BookCommand::Verify { file } => {
                let (header, book) = open(&file, rules)?;
                let mut out = stdout().lock();
                writeln!(out, "{}: sound; {}", file.display(), summary(&book))?;
                writeln!(out, "made by commit {}: {}", header.commit, header.command)?;
                Ok(())
            }
        }
    }
}

/// The flags of `lab connect6 book make`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("length").required(true).args(["hours", "positions"])))]
pub struct Make {
    /// The file of the book; an existing one is continued
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Seed of the choice among positions of equal relevance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Hours from now on
    #[arg(long)]
    hours: Option<f64>,
    /// Positions in the book
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1 << 31))]
    positions: Option<u64>,
    /// Turns of each position
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=100))]
    turns: u8,
    /// Nodes of the search for each turn
    #[arg(long, default_value_t = 400_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Milliseconds of the search for each turn, in place of nodes; the book is then not reproducible
    #[arg(long, conflicts_with = "nodes", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// A turn deeper in the book is worth as much as a turn better by this many centipoints
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(..=10_000))]
    ply_cost: u64,
    /// Positions searched at a time; the book depends on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    threads: u8,
}

impl Make {
    /// Makes or continues the book.
    fn run(&self, mut engine: Connect6Engine, rules: &Connect6Rules) -> Result<()> {
        let hours = self.hours.map(|hours| Duration::try_from_secs_f64(3600.0 * hours));
        let hours = hours.transpose().context("--hours: expected a positive number")?;
        // The searches must not play from a book, and be reproducible.
        engine.set_option("Book", &OptionValue::Text(String::new()))?;
        engine.set_option("Threads", &OptionValue::Spin(1))?;
        let control = Control::new();
        let interrupt = control.clone();
        agon_wire::interrupt::on_interrupt(move || interrupt.stop())
            .context("preparing to be interrupted")?;
        let header = self.header(&engine);
        let mut book = self.begin(&header, rules)?;
        let searchers = (0..self.threads).map(|_| engine.build()).collect::<Result<_, _>>()?;
        let mut maker = BookMaker::new(self.settings(), searchers, control);
        let (begun, bar) = (Instant::now(), self.bar(hours)?);
        let mut saved = begun;
        let outcome = loop {
            let count = book.entries().len() as u64;
            bar.set_position(if self.positions.is_some() {
                count
            } else {
                begun.elapsed().as_secs()
            });
            bar.set_message(summary(&book));
            if self.positions.is_some_and(|most| count >= most)
                || hours.is_some_and(|most| begun.elapsed() >= most)
            {
                break Ok(());
            }
            match maker.grow(&mut book) {
                Ok(0) => break Ok(()),
                Ok(_) => {}
                Err(_) => break Err(anyhow!("interrupted; run the same command to resume")),
            }
            if saved.elapsed() > SAVE_EVERY {
                self.save(&header, &book)?;
                saved = Instant::now();
            }
        };
        bar.finish_and_clear();
        self.save(&header, &book)?;
        let name = self.out.display();
        outcome.with_context(|| format!("{name}: {}", summary(&book)))?;
        Ok(writeln!(stdout(), "{name}: {}", summary(&book))?)
    }

    fn settings(&self) -> MakeSettings {
        let limits = match self.movetime {
            Some(ms) => Limits::with_move_time(Duration::from_millis(ms)),
            None => Limits::with_nodes(self.nodes),
        };
        let preference = Preference { ply_cost: self.ply_cost, seed: self.seed };
        MakeSettings { preference, turns: self.turns.into(), limits }
    }

    /// How the book is made.
    fn header(&self, engine: &Connect6Engine) -> Header {
        let &Make { seed, turns, nodes, movetime, ply_cost, threads, .. } = self;
        let limit = movetime.map_or(format!("{nodes} nodes"), |ms| format!("{ms} ms"));
        let options = changed_options(engine);
        let search = format!(
            "seed {seed}, {turns} turns, {limit}, ply cost {ply_cost}, {threads} at a time{options}"
        );
        let plain = |word: String| word.rsplit(['/', '\\']).next().unwrap_or(&word).to_string();
        let command = std::env::args().map(plain).collect::<Vec<String>>().join(" ");
        Header { search, commit: version::commit().into(), command }
    }

    /// The book to continue; an empty one if there is no file.
    fn begin(&self, header: &Header, rules: &Connect6Rules) -> Result<Book> {
        if let Err(error) = std::fs::metadata(&self.out)
            && error.kind() == ErrorKind::NotFound
        {
            let book = Book::new(rules.size);
            // Reports a file that cannot be written before it spends hours.
            self.save(header, &book)?;
            return Ok(book);
        }
        let (found, book) = open(&self.out, rules)?;
        let name = self.out.display();
        for (what, found, ours) in
            [("settings", &found.search, &header.search), ("commit", &found.commit, &header.commit)]
        {
            ensure!(
                found == ours,
                "{name} was made with other {what}: `{found}`, not `{ours}`; name another file"
            );
        }
        Ok(book)
    }

    fn save(&self, header: &Header, book: &Book) -> Result<()> {
        file::save(&self.out, header, book).with_context(|| self.out.display().to_string())
    }

    /// The progress: of the positions, or of the seconds.
    fn bar(&self, hours: Option<Duration>) -> Result<ProgressBar> {
        let length = self.positions.or(hours.map(|time| time.as_secs()));
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len}, ETA {eta}; {msg}")?;
        Ok(ProgressBar::new(length.unwrap_or_default()).with_style(style))
    }
}

/// The file is written this often, and at the end.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// The engine's options that are not at their defaults: `, Name=Value` each.
fn changed_options(engine: &Connect6Engine) -> String {
    let value = |kind: &OptionKind| match kind {
        OptionKind::Check { default } => default.to_string(),
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
        OptionKind::Button => String::new(),
    };
    let pairs = engine.options().into_iter().zip(Connect6Engine::new().options());
    pairs
        .map(|(ours, usual)| (ours.name, value(&ours.kind), value(&usual.kind)))
        .filter(|(_, ours, usual)| ours != usual)
        .map(|(name, ours, _)| format!(", {name}={ours}"))
        .collect()
}

fn open(path: &Path, rules: &Connect6Rules) -> Result<(Header, Book)> {
    file::open(path, rules.size).map_err(|error| anyhow!(error))
}

/// The number of positions, the value of the empty board and the best line.
fn summary(book: &Book) -> String {
    let Some(start) = book.entries().first() else { return "0 positions".into() };
    let (count, value) = (book.entries().len(), value_text(start.value));
    format!("{count} positions, {value} for Black: {}", text(&book.line(&start.game)))
}

fn text(line: &[Connect6Move]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A value in centipoints, or a mate in plies.
fn value_text(value: i32) -> String {
    match Scale::Evaluation.score(value) {
        Score::Cp(value) => format!("{value:+}"),
        Score::Mate(plies) => format!("mate {plies}"),
    }
}

/// Prints the turns of a position.
fn show(game: &Connect6, ranked: &[Ranked], json: bool) -> Result<()> {
    let mut out = stdout().lock();
    if !json {
        writeln!(out, "{}\n", game.diagram().trim_end())?;
        writeln!(out, "{:8}{:>8}{:>7}{:>11}  line", "turn", "value", "depth", "positions")?;
    }
    for Ranked { turn, value, depth, positions, line } in ranked {
        if json {
            let (cp, mate) = match Scale::Evaluation.score(*value) {
                Score::Cp(value) => (Some(value), None),
                Score::Mate(plies) => (None, Some(plies)),
            };
            let line: Vec<String> = line.iter().map(ToString::to_string).collect();
            let row = json!({
                "turn": turn.to_string(), "value": cp, "mate": mate, "depth": depth,
                "positions": positions, "line": line,
            });
            writeln!(out, "{row}")?;
        } else {
            let (turn, value, line) = (turn.to_string(), value_text(*value), text(line));
            writeln!(out, "{turn:8}{value:>8}{depth:>7}{positions:>11}  {line}")?;
        }
    }
    Ok(())
}
