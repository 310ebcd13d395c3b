//! Networks from nothing, in generations: each is trained on games that the one before it played.
//! The first games are played by a network that is the reference evaluation's material and squares.
//! Every complete file is kept, so that the same command resumes.

use super::selfplay::{self, SelfPlayPlan};
use super::training::{SHAPE, train_network};
use crate::evaluation::features::XiangqiNetwork;
use crate::evaluation::{self, UNIT};
use crate::reference_eval::piece_square;
use agon_network::cli::TrainFlags;
use agon_protocol::xiangqi::{Kind, SQUARES, XiangqiRules};
use agon_tuning::shard::Numbers;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Games played in parallel
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    #[command(flatten)]
    train: TrainFlags,
}

/// Games in a file.
const GAMES: u64 = 2_000;

/// Plays and trains all generations.
///
/// # Errors
/// A file cannot be read or written.
pub fn run(flags: &Generations, rules: &XiangqiRules, out: &mut impl Write) -> Result<()> {
    let name = |path: &Path| path.display().to_string();
    fs::create_dir_all(&flags.folder).with_context(|| name(&flags.folder))?;
    let mut network = Arc::new(material());
    let mut files = Vec::new();
    for generation in 1..=flags.generations {
        // The games of the generation before last are too weak to learn from.
        files.drain(..files.len().saturating_sub(flags.files as usize));
        for number in 1..=flags.files {
            let path = flags.folder.join(format!("generation-{generation}-{number}.games"));
            if !path.exists() {
                play(flags, &path, (generation, number), rules, &network, out)
                    .with_context(|| name(&path))?;
            }
            files.push(path);
        }
        let path = flags.folder.join(format!("generation-{generation}.network"));
        if !path.exists() {
            train_network(&files, &path, &flags.train, out)?;
        }
        network = Arc::new(evaluation::open(&path).map_err(|error| anyhow!(error))?);
    }
    Ok(())
}

/// Plays the games of a file, under another name until it is complete.
fn play(
    flags: &Generations,
    path: &Path,
    (generation, number): (u32, u32),
    rules: &XiangqiRules,
    network: &Arc<XiangqiNetwork>,
    out: &mut impl Write,
) -> Result<()> {
    let aside = path.with_extension("part");
    let mut file = BufWriter::new(File::create(&aside)?);
    let seed = flags.train.seed + u64::from(generation) * 1_000_000 + u64::from(number);
    let plan = SelfPlayPlan { nodes: flags.nodes, seed };
    let games = Numbers::all(GAMES);
    let sum = selfplay::play(plan, games, rules, network, flags.jobs, &mut file)?;
    file.flush()?;
    fs::rename(&aside, path)?;
    Ok(writeln!(out, "generation {generation}, file {number}: {GAMES} games, {sum}")?)
}

/// The network whose value is the reference evaluation's material and squares.
fn material() -> XiangqiNetwork {
    let value = |feature: usize| {
        let (piece, s) = (feature / SQUARES, feature % SQUARES);
        // Features are seen from the owner's end of the board.
        let (sign, s) = if piece < 7 { (1.0, s) } else { (-1.0, SQUARES - 1 - s) };
        sign * f64::from(piece_square(Kind::ALL[piece % 7], s)) / f64::from(UNIT)
    };
    XiangqiNetwork::linear(SHAPE.features, SHAPE.buckets, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluator;
    use crate::position::Position;
    use crate::reference_eval;
    use agon_protocol::game::{Game, Turn, legal_moves};
    use agon_protocol::rng;
    use agon_protocol::xiangqi::Xiangqi;

    #[test]
    fn the_first_network_is_material_and_squares() {
        let mut evaluator = Evaluator::new(Arc::new(material()));
        let mut rng = rng::stream(3, 0, "material");
        let mut game = Xiangqi::start(&XiangqiRules::default());
        while let Turn::Player(_) = game.turn() {
            let position = Position::from_game(&game);
            let sign = if position.side() == 0 { 1 } else { -1 };
            let value = evaluator.evaluate(&position);
            let expected = sign * reference_eval::material(&position.board());
            // Half a unit of each weight, and a side that cannot attack is not ahead.
            assert!(value == 0 || (value - expected).abs() < 40, "{value} {expected}");
            let moves = legal_moves(&game);
            game.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
        }
    }
}
