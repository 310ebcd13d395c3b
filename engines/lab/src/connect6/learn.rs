//! `lab connect6 learn`.

use agon_connect6_studies::learn::file;
use agon_connect6_studies::learn::fit::{Examples, Fitted};
use agon_connect6_studies::learn::play::{RatedNode, Teacher};
use agon_games::rng;
use agon_wire::input_file::{self, MAX_TEXT};
use agon_wire::version;
use anyhow::{Context, Result, anyhow, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// The flags of `lab connect6 learn`.
#[derive(Debug, clap::Args)]
pub struct LearnArgs {
    /// The folder of the searched nodes and of the result, `values.txt`; run the same command to resume
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Seed of games, nodes and the fit
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Files of nodes, each from five games; the first of every twelve measures the fit
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u64).range(2..=10_000))]
    files: u64,
    /// Nodes per turn of the games
    #[arg(long, default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Depth in plies of the search after each candidate turn
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Games played in parallel; the result does not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    jobs: u8,
}

/// Games in a file.
const GAMES: u64 = 5;
/// One file in this many is not learned from, but measures the fit.
const HELD_OUT: usize = 12;

impl LearnArgs {
    /// Plays, searches and fits.
    pub(super) fn run(&self) -> Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| self.folder.display().to_string())?;
        self.check_flags()?;
        let paths: Vec<PathBuf> =
            (0..self.files).map(|n| self.folder.join(format!("{n:04}.nodes"))).collect();
        self.play(&paths)?;
        self.fit(&paths)
    }

    /// The flags on which the nodes depend.
    fn flags(&self) -> String {
        let LearnArgs { seed, nodes, depth, .. } = self;
        format!("--seed {seed} --nodes {nodes} --depth {depth}")
    }

    /// Refuses a folder of a run with other flags, whose nodes would be mixed with this one's.
    fn check_flags(&self) -> Result<()> {
        let path = self.folder.join("flags.txt");
        let flags = self.flags();
        if !path.exists() {
            return file::replace(&path, flags.as_bytes());
        }
        let found =
            input_file::read_text(&path, MAX_TEXT).with_context(|| path.display().to_string())?;
        ensure!(
            found == flags,
            "{} is the folder of a run with {found}; this run has {flags}: use another folder",
            self.folder.display(),
        );
        Ok(())
    }

    /// Makes the files that are missing.
    fn play(&self, paths: &[PathBuf]) -> Result<()> {
        let bar = progress_bar(self.files, "files of nodes")?;
        let next = AtomicU64::new(0);
        let work = || -> Result<()> {
            let mut teacher = Teacher::new(self.nodes, self.depth, self.seed)?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = paths.get(number as usize) else { return Ok(()) };
                if !path.exists() {
                    let games = number * GAMES..(number + 1) * GAMES;
                    let nodes: Vec<RatedNode> = games.flat_map(|game| teacher.game(game)).collect();
                    file::write(path, &nodes)?;
                }
                bar.inc(1);
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|w| w.join().map_err(|_| anyhow!("a game failed"))?)
        })?;
        bar.finish_and_clear();
        Ok(())
    }

    /// Fits values to all nodes and writes them.
    fn fit(&self, files: &[PathBuf]) -> Result<()> {
        let [mut train, mut test] = [Examples::default(), Examples::default()];
        for (number, path) in files.iter().enumerate() {
            let examples = if number % HELD_OUT == 0 { &mut test } else { &mut train };
            file::read(path)?.iter().for_each(|node| examples.add(node));
        }
        ensure!(train.nodes() > 0 && test.nodes() > 0, "too few nodes: more --files");
        let bar = progress_bar(u64::from(Examples::PASSES), "passes of the fit")?;
        let mut losses = Vec::new();
        let mut stream = rng::stream(self.seed, 0, "connect6 fit");
        let fitted = train.fit(&mut stream, |loss| {
            losses.push(format!("{loss:.4}"));
            bar.inc(1);
        });
        bar.finish_and_clear();
        let [windows, lines] = [&Fitted::windows(), &fitted].map(|f| test.regret(f));
        let report = format!(
            "{} nodes with {} turns to fit, loss {}; {} nodes held out: the turn with the highest evaluation is worth \
             {windows:.1} less than the best by windows, {lines:.1} by windows and lines",
            train.nodes(),
            train.turns(),
            losses.join(", "),
            test.nodes(),
        );
        println!("{report}");
        let commit = version::commit();
        let command = format!(
            "made by commit {commit}: lab connect6 learn {} --files {}",
            self.flags(),
            self.files
        );
        let text = fitted.line_values().to_text(&format!("{command}\n{report}"));
        file::replace(&self.folder.join("values.txt"), text.as_bytes())
    }
}

/// A progress bar, drawn only on a terminal.
fn progress_bar(length: u64, unit: &str) -> Result<ProgressBar> {
    let style = format!("{{bar:40}} {{pos}}/{{len}} {unit}, ETA {{eta}}");
    Ok(ProgressBar::new(length).with_style(ProgressStyle::with_template(&style)?))
}
