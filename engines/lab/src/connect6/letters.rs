//! `lab connect6 letters`: the Double Letter Puzzle of section 2.3 of the thesis, which shows what
//! dependency-based search does.

use agon_connect6_studies::dependency::letters::{LettersPuzzle, word};
use agon_connect6_studies::dependency::{AttributeSpace, plain, search};
use anyhow::{Context, Result};
use std::io::{Write, stdout};

/// The maximum number of nodes and combinations of one search, and of states of the other.
const MOST: usize = 300_000;

/// The maximum number of nodes printed of each stage.
const SHOWN: usize = 20;

/// The puzzle.
#[derive(Debug, clap::Args)]
pub struct LettersArgs {
    /// A word of the letters a to e
    #[arg(default_value = "aaccadd")]
    word: String,
}

impl LettersArgs {
    /// Prints the nodes of each stage, a solution, and the effort of both searches.
    pub(super) fn run(&self) -> Result<()> {
        let puzzle = LettersPuzzle::new(&self.word)
            .with_context(|| format!("word `{}`", self.word.escape_default()))?;
        let graph = search(&puzzle, MOST);
        let mut out = stdout().lock();
        let show = |i: usize| {
            let node = &graph.nodes[i];
            let parents: Vec<String> =
                node.parents.iter().map(|p| word(&graph.nodes[*p].state)).collect();
            match node.operator {
                Some(_) => word(&node.state),
                None => format!("{} ({})", word(&node.state), parents.join(" + ")),
            }
        };
        for stage in 1..=graph.nodes.last().map_or(0, |node| node.stage) {
            let all: Vec<usize> =
                (0..graph.nodes.len()).filter(|i| graph.nodes[*i].stage == stage).collect();
            let kind = if stage % 2 == 1 { "dependency" } else { "combination" };
            let words: Vec<String> = all.iter().take(SHOWN).map(|i| show(*i)).collect();
            let more = match all.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            writeln!(out, "stage {stage}, {kind}: {}{more}", words.join(" "))?;
        }
        match graph.goals.first() {
            Some(goal) => {
                let mut state = puzzle.start();
                let mut words = vec![word(&state)];
                for operator in graph.path(*goal) {
                    state = operator.apply(&state).context("an operator does not apply")?;
                    words.push(word(&state));
                }
                writeln!(out, "solution: {}", words.join(" -> "))?;
            }
            None if graph.complete => writeln!(out, "no solution")?,
            None => writeln!(out, "no solution within {MOST} steps")?,
        }
        let all = plain(&puzzle, MOST);
        let at_least = |complete: bool| if complete { "" } else { "at least " };
        writeln!(
            out,
            "dependency-based search: {}{} nodes; plain search: {}{} states",
            at_least(graph.complete),
            graph.nodes.len(),
            at_least(all.complete),
            all.states
        )?;
        Ok(())
    }
}
