//! The command `tune` of `lab` for an engine with a network: plays games against itself into compact files,
//! and trains networks on them, also from nothing in generations: each is trained on games that the
//! one before it played. Every complete file is kept, so that the same command resumes. The engine
//! says how its games are played and read ([`learner`]).

pub mod explore;
pub mod games;
pub mod learner;
pub mod selfplay;
pub mod training;

use crate::cli::{BATCH, TrainFlags};
use crate::file::MAX_BYTES;
use crate::train::Trainable;
use agon_tuning::cli::SelfPlayFlags;
use agon_tuning::shard::{self, Numbers};
use agon_wire::input_file::{self, MAX_TEXT};
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, Subcommand};
use games::{Magic, read_game, read_head};
use learner::{Learner, NetworkOf, SelfPlayPlan};
use selfplay::play;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use training::train_network;

/// The subcommands of `tune`.
#[derive(Debug, Subcommand)]
pub enum Tune {
    /// Play games against itself into a file; the same seed and engine play the same games
    Play(SelfPlayFlags),
    /// Train a network on such files; the same command resumes an interrupted training
    Train(Train),
    /// Make a network from nothing: play and train in turns, beginning without a learned network; the
    /// same command resumes
    Generations(Generations),
}

/// The flags of `tune train`.
#[derive(Debug, Args)]
pub struct Train {
    /// Files written by `tune play`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The network file to write; the state of the training is kept beside it, in OUT.state
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    train: TrainFlags,
}

/// Runs a subcommand of `tune`. `network`: that of the players; training does without, so that a
/// network of a new shape can be trained.
///
/// # Errors
/// A wrong flag or file, or a file that cannot be written.
pub fn run<L: Learner>(
    tune: &Tune,
    learner: &L,
    network: impl FnOnce() -> Arc<NetworkOf<L>>,
) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match tune {
        Tune::Play(flags) => {
            let plan = SelfPlayPlan { nodes: flags.nodes, seed: flags.seed };
            let mut file = flags.create()?;
            let games = flags.numbers();
            let network = network();
            let player = || learner.player(&network);
            let sum = play(learner, plan, games, player, flags.jobs, &mut file)?;
            file.flush()?;
            Ok(writeln!(out, "{} games, {sum}", games.count())?)
        }
        Tune::Train(flags) => {
            train_network(learner, &flags.files, None, &flags.out, &flags.train, &mut out)
        }
        Tune::Generations(flags) => run_generations(learner, flags, &mut out),
    }
}

/// The flags of `tune generations`.
#[derive(Debug, Args)]
pub struct Generations {
    /// The folder of the games and networks; the last network is `generation-N.network`
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    /// Generations
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Files of 2,000 games in each generation
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    files: u32,
    /// Nodes per move of the games
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// A network learns from the games of this many generations, the last ones
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,
    /// Games played in parallel
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Continue from this network, such as the last one of another run: it plays the games of generation 1, and networks
    /// of convolutions are trained on from its weights
    #[arg(long, value_name = "NETWORK")]
    from: Option<PathBuf>,
    /// Play only a part of the files, such as 2/8: every eighth from the second; copy those of the other
    /// shards into the folder and run the command again
    #[arg(long, value_name = "K/N", value_parser = shard::parse, default_value = "1/1")]
    shard: (u64, u64),
    #[command(flatten)]
    train: TrainFlags,
}

/// Games in a file.
const GAMES: u64 = 2_000;

/// Plays and trains all generations.
///
/// # Errors
/// A file cannot be read or written, or belongs to a run with other flags.
pub fn run_generations<L: Learner>(
    learner: &L,
    flags: &Generations,
    out: &mut impl Write,
) -> Result<()> {
    fs::create_dir_all(&flags.folder).with_context(|| name(&flags.folder))?;
    let open = |path: &Path| -> Result<Arc<NetworkOf<L>>> {
        Ok(Arc::new(L::Model::open(path, &L::SHAPE).map_err(|error| anyhow!(error))?))
    };
    let mut network = flags.from.as_deref().map(open).transpose()?;
    check_flags(flags)?;
    let mut files = Vec::new();
    for generation in 1..=flags.generations {
        // The games of earlier generations are too weak to learn from.
        let earlier = (flags.window - 1) as usize * flags.files as usize;
        files.drain(..files.len().saturating_sub(earlier));
        let mut missing = Vec::new();
        for number in 1..=flags.files {
            let path = flags.folder.join(format!("generation-{generation}-{number}.games"));
            if path.exists() {
                check_games(&path, &L::MAGIC).with_context(|| name(&path))?;
            } else if u64::from(number - 1) % flags.shard.1 != flags.shard.0 - 1 {
                missing.push(name(&path));
            } else {
                play_file(learner, flags, &path, (generation, number), network.as_ref(), out)
                    .with_context(|| name(&path))?;
            }
            files.push(path);
        }
        let missing = missing.join(", ");
        ensure!(
            missing.is_empty(),
            "{missing}: other shards play these; copy them and run the command again"
        );
        let path = flags.folder.join(format!("generation-{generation}.network"));
        if !path.exists() {
            train_network(learner, &files, network.as_deref(), &path, &flags.train, out)?;
        }
        network = Some(open(&path)?);
    }
    Ok(())
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// Writes the flags that the files depend on into the folder, or compares them with those that are
/// there.
fn check_flags(flags: &Generations) -> Result<()> {
    let Generations { files, nodes, window, train, from, .. } = flags;
    let TrainFlags { passes, batch, result, seed } = train;
    // Runs of versions without the flag have its default and do not mention it.
    let batch = if *batch == BATCH { String::new() } else { format!("--batch {batch} ") };
    let from = match from {
        None => String::new(),
        Some(path) => {
            let bytes = input_file::read(path, MAX_BYTES).with_context(|| name(path))?;
            format!(" --from NETWORK with the CRC-32 {:08x}", crc32fast::hash(&bytes))
        }
    };
    let given = format!(
        "--files {files} --nodes {nodes} --window {window} --passes {passes} {batch}--result {result} --seed {seed}{from}\n"
    );
    let path = flags.folder.join("flags");
    match input_file::read_text(&path, MAX_TEXT) {
        Ok(found) => ensure!(
            found == given,
            "{} holds files made with {}: use these flags, or another folder",
            name(&flags.folder),
            found.trim_end()
        ),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::write(&path, given).with_context(|| name(&path))?;
        }
        Err(error) => return Err(error).with_context(|| name(&path)),
    }
    Ok(())
}

/// Refuses a file that does not hold all its games.
fn check_games(path: &Path, magic: &Magic) -> Result<()> {
    let mut file = BufReader::new(input_file::open_stream(path)?);
    read_head(&mut file, magic)?;
    let mut games = 0;
    while read_game(&mut file)?.is_some() {
        games += 1;
    }
    ensure!(
        games == GAMES,
        "{games} whole games, expected {GAMES}: remove the file to play them again"
    );
    Ok(())
}

/// Plays the games of a file, under another name until it is complete.
fn play_file<L: Learner>(
    learner: &L,
    flags: &Generations,
    path: &Path,
    (generation, number): (u32, u32),
    network: Option<&Arc<NetworkOf<L>>>,
    out: &mut impl Write,
) -> Result<()> {
    let aside = path.with_extension("part");
    let mut file = BufWriter::new(File::create(&aside)?);
    let seed = flags.train.seed + u64::from(generation) * 1_000_000 + u64::from(number);
    let plan = SelfPlayPlan { nodes: flags.nodes, seed };
    let player = || network.map_or_else(|| learner.first_player(), |of| learner.player(of));
    let sum = play(learner, plan, Numbers::all(GAMES), player, flags.jobs, &mut file)?;
    file.flush()?;
    file.get_ref().sync_data()?;
    fs::rename(&aside, path)?;
    Ok(writeln!(out, "generation {generation}, file {number}: {GAMES} games, {sum}")?)
}

#[cfg(test)]
mod generation_tests;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_a_run_with_other_flags_is_refused() {
        let folder = tempfile::TempDir::new().unwrap();
        let train = TrainFlags { passes: 2, batch: 4096, result: 30, seed: 1 };
        let mut flags = Generations {
            folder: folder.path().to_path_buf(),
            generations: 2,
            files: 1,
            nodes: 100,
            window: 2,
            jobs: 1,
            from: None,
            shard: (1, 1),
            train,
        };
        check_flags(&flags).unwrap();
        // More generations continue a run, and the number of jobs changes no file.
        flags.generations = 3;
        flags.jobs = 2;
        check_flags(&flags).unwrap();
        flags.train.batch = 512;
        let error = check_flags(&flags).unwrap_err().to_string();
        assert!(error.contains("--window 2 --passes 2 --result 30 --seed 1: use"), "{error}");
        flags.train.batch = 4096;
        flags.from = Some(folder.path().join("flags"));
        let error = check_flags(&flags).unwrap_err().to_string();
        assert!(error.ends_with("--seed 1: use these flags, or another folder"), "{error}");
        flags.from = None;
        flags.nodes = 200;
        let error = check_flags(&flags).unwrap_err().to_string();
        assert!(error.contains("made with --files 1 --nodes 100 --window 2 --passes 2"), "{error}");
    }
}
