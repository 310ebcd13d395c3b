//! Flags and output shared by the tuning commands.

use super::run::SpsaRun;
use super::shard::{Numbers, parse};
use super::spsa::SpsaPlan;
use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// A progress bar of the given length, drawn only on a terminal.
///
/// # Errors
/// None: the template is valid.
pub fn progress_bar(length: u64, unit: &str) -> Result<ProgressBar> {
    let style = format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{per_sec}}, ETA {{eta}}");
    Ok(ProgressBar::new(length).with_style(ProgressStyle::with_template(&style)?))
}

/// Flags of self-play whose games are written to a file.
#[derive(Clone, Debug, clap::Args)]
pub struct SelfPlayFlags {
    /// The file to write; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Games to play
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Seed of the random opening moves and of chance
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games played in parallel
    #[arg(long, default_value_t = 1)]
    pub jobs: usize,
    /// Play only a part of the games, such as 2/8: every eighth from the second
    #[arg(long, value_name = "K/N", value_parser = parse, default_value = "1/1")]
    pub shard: (u64, u64),
}

impl SelfPlayFlags {
    /// The numbers of the games to play.
    pub fn numbers(&self) -> Numbers {
        Numbers { games: self.games, shard: self.shard }
    }

    /// Creates the file.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(&self) -> Result<BufWriter<File>> {
        let file = File::create(&self.out).with_context(|| format!("--out {}", self.out.display()));
        file.map(BufWriter::new)
    }
}

/// Flags of an SPSA run.
#[derive(Clone, Debug, clap::Args)]
pub struct SpsaFlags {
    /// Game pairs to play; each pair has its own opening
    #[arg(long, default_value_t = 4_000)]
    pub pairs: u64,
    /// Stop after this pair and print the result so far; run the same command with a larger number
    /// to continue
    #[arg(long, value_name = "N")]
    pub until: Option<u64>,
    /// Nodes per move
    #[arg(long, default_value_t = 1_500)]
    pub nodes: u64,
    /// Seed of the openings and perturbations
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Step of the last pair per point of its result, in thousandths of the parameter's
    /// perturbation
    #[arg(long, default_value_t = 8)]
    pub rate: u32,
    /// Tune only these parameters, by name; may be repeated (an unknown name prints the list)
    #[arg(long, value_name = "WEIGHT")]
    pub only: Vec<String>,
    /// Start pairs from random openings in this file instead of 4 to 7 random plies
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Save the state to this file after every pair; run the same command to resume
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
}

impl SpsaFlags {
    /// The plan of the run.
    ///
    /// # Errors
    /// The number of pairs or nodes is zero.
    pub fn plan(&self) -> Result<SpsaPlan> {
        ensure!(self.pairs >= 1, "--pairs 0: at least one pair is needed");
        ensure!(self.nodes >= 1, "--nodes 0: at least one node per move is needed");
        let rate = f64::from(self.rate) / 1000.0;
        Ok(SpsaPlan { seed: self.seed, iterations: self.pairs, rate })
    }

    /// Plays up to `--until` or the end, and prints the results and the final values.
    ///
    /// # Errors
    /// An error of `play`, or the state or the output cannot be written.
    pub fn play<S: Serialize + DeserializeOwned + PartialEq + Clone>(
        &self,
        run: &mut SpsaRun<S>,
        out: &mut impl Write,
        mut play: impl FnMut(u64, [Vec<i32>; 2]) -> Result<i32>,
    ) -> Result<()> {
        let until = self.until.unwrap_or(self.pairs).min(self.pairs);
        let bar = progress_bar(until, "pairs")?;
        bar.set_position(run.state().done);
        bar.reset_eta();
        while run.state().done < until && run.step(&mut play)? {
            bar.inc(1);
        }
        bar.finish_and_clear();
        let SpsaFlags { pairs, nodes, seed, rate, .. } = self;
        let state = run.state();
        let [lost, behind, level, ahead, won] = state.results;
        writeln!(
            out,
            "// {} of {pairs} pairs, seed {seed}, {nodes} nodes per move, rate {rate}: the side with the \
             perturbation added won both games of {won} and lost both of {lost};",
            state.done
        )?;
        writeln!(out, "// one game was drawn in {}, {level} were shared.", behind + ahead)?;
        writeln!(out, "// The last iterate: {:?}", run.values()[0])?;
        writeln!(out, "// The mean of the second half:")?;
        Ok(())
    }
}
