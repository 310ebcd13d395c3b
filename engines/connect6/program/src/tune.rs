//! `connect6 tune`.

use agon_connect6::play::Weights;
use agon_connect6::tune::{Run, Settings};
use agon_protocol::connect6::Connect6Rules;
use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// How long and how fine.
#[derive(Debug, clap::Args)]
pub struct Tune {
    /// Pairs of games, each from its own opening
    #[arg(long, default_value_t = 4_000)]
    pairs: u64,
    /// Stop after so many of them: what is found by then is printed, and the same command with a
    /// greater number goes on
    #[arg(long, value_name = "N")]
    until: Option<u64>,
    /// Nodes a move
    #[arg(long, default_value_t = 1_500)]
    nodes: u64,
    /// Names openings and perturbations
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What the last pair moves a weight by for a point, in thousandths of its perturbation
    #[arg(long, default_value_t = 8)]
    rate: u32,
    /// Begin at the rule of thumb (`Evaluation=rule`) instead of what was found before (`tuned`)
    #[arg(long)]
    rule: bool,
    /// Tune these weights only, by name (a name that is none lists them); may be repeated
    #[arg(long, value_name = "WEIGHT")]
    only: Vec<String>,
    /// Begin pairs with openings of this file, drawn by lot, instead of turns by lot
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Keep how far it is in this file, after every pair: the same command goes on where it was
    /// interrupted
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

impl Tune {
    /// Plays and prints the weights as the source has them.
    pub fn run(&self, rules: &Connect6Rules) -> Result<()> {
        let &Tune { pairs, nodes, seed, rate, .. } = self;
        ensure!(pairs >= 1, "--pairs 0: at least one pair is needed");
        ensure!(nodes >= 1, "--nodes 0: at least one node a move is needed");
        let openings = match &self.openings {
            Some(path) => agon_connect6_studies::commands::read_openings(path, rules)?,
            None => Vec::new(),
        };
        let only = self.only.clone();
        let settings = Settings { seed, pairs, nodes, rate, size: rules.size, only, openings };
        let start = if self.rule { Weights::RULE } else { Weights::TUNED };
        let mut run = Run::open(settings, start, rules, self.state.as_deref())?;
        // Draws on a terminal only.
        let until = self.until.unwrap_or(pairs).min(pairs);
        let bar = ProgressBar::new(until);
        let style = "{bar:40} {pos}/{len} pairs, {per_sec}, {eta} left";
        bar.set_style(ProgressStyle::with_template(style)?);
        bar.set_position(run.done());
        bar.reset_eta();
        while run.done() < until && run.step()? {
            bar.inc(1);
        }
        bar.finish_and_clear();
        let [last, mean] = run.found();
        let [lost, behind, level, ahead, won] = run.results();
        let mut out = stdout().lock();
        writeln!(
            out,
            "// {} of {pairs} pairs, seed {seed}, {nodes} nodes a move, rate {rate}: the perturbed won both games \
             of {won} and lost both of {lost};",
            run.done()
        )?;
        writeln!(out, "// a game was drawn in {}, {level} were shared.", behind + ahead)?;
        writeln!(out, "// The last step: {:?}", last.numbers())?;
        writeln!(out, "// The mean of the second half:")?;
        writeln!(out, "{mean}")?;
        Ok(())
    }
}
