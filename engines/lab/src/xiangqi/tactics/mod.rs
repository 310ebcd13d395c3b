//! `lab xiangqi tactics`: makes tactical suites from self-play, and measures how many nodes the
//! search needs to solve them, if wanted without one of its rules (ablation).

mod make;
mod rules;
mod solve;
mod suite;

use crate::xiangqi::tune::selfplay;
use agon_games::xiangqi::XiangqiRules;
use agon_network::tune::learner::SelfPlayPlan;
use agon_search::params::TUNING;
use agon_tuning::selfplay::play_games;
use agon_wire::version;
use agon_xiangqi::search::{SearchSettings, XiangqiSearch};
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand, ValueEnum};
use make::{Players, Search, VERIFY};
use solve::{Summary, nodes_to_solve};
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The commands of `tactics`.
#[derive(Debug, Subcommand)]
pub enum Tactics {
    /// Find positions with a single winning move in games against itself, and write them to a file;
    /// the same flags and engine find the same positions
    Make(Make),
    /// Print how many positions of a file are solved, and in how many nodes
    Run(Run),
    /// List the rules that `tactics run --without` switches off
    Rules,
}

/// A position given by `--add` is verified with this many times the nodes.
const ADDED: u64 = 100;

/// The flags of `tactics make`.
#[derive(Debug, Args)]
pub struct Make {
    /// The file to write; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions to find, at most one in each game
    #[arg(long, default_value_t = 320)]
    count: usize,
    /// Games to play at most
    #[arg(long, default_value_t = 5_000)]
    games: u64,
    /// Nodes per move of the games: few, so that both sides miss winning moves
    #[arg(long, default_value_t = 500)]
    play_nodes: u64,
    /// Nodes of the search that misses the win; searches of a hundred times as many verify it
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Seed of the random opening moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played in parallel; the result does not depend on it
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Verify this position with a hundred times the nodes of the others and write it first; may be
    /// repeated
    #[arg(long, value_name = "FEN")]
    add: Vec<String>,
}

/// The flags of `tactics run`.
#[derive(Debug, Args)]
pub struct Run {
    /// A file written by `tactics make`
    file: PathBuf,
    /// The limit of each search in nodes
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Only every second position: the first, third, ... (to choose a change by), or the others (to
    /// confirm it by)
    #[arg(long, value_enum)]
    half: Option<Half>,
    /// Searches run in parallel
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print the nodes of each position
    #[arg(long)]
    each: bool,
    /// Switch off a rule of the search, named as in `tactics rules`; may be repeated. Only in a
    /// build with `--features tune`
    #[arg(long, value_name = "RULE")]
    without: Vec<String>,
}

/// Half of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Half {
    /// The first, third, ... position.
    Odd,
    /// The second, fourth, ... position.
    Even,
}

/// Runs a command of `tactics`. `settings`: those of the
/// verification and of solving.
///
/// # Errors
/// A wrong flag or file, or too little memory.
pub fn run(tactics: Tactics, rules: &XiangqiRules, settings: &SearchSettings) -> Result<()> {
    let out = &mut std::io::stdout().lock();
    match tactics {
        Tactics::Make(flags) => write_suite(&flags, rules, settings, out),
        Tactics::Run(flags) => solve_suite(&flags, rules, settings, out),
        Tactics::Rules => list_rules(out),
    }
}

fn list_rules(out: &mut impl Write) -> Result<()> {
    for rule in rules::RULES {
        writeln!(out, "{:22} {}", rule.name, rule.about)?;
    }
    Ok(())
}

fn searcher(settings: &SearchSettings) -> Result<XiangqiSearch> {
    let settings = SearchSettings { threads: 1, tablebase: None, ..settings.clone() };
    Ok(XiangqiSearch::new(settings)?)
}

fn write_suite(
    flags: &Make,
    rules: &XiangqiRules,
    settings: &SearchSettings,
    out: &mut impl Write,
) -> Result<()> {
    let &Make { count, games, play_nodes, nodes, seed, threads, .. } = flags;
    ensure!(games > 0 && play_nodes > 0 && nodes > 0, "games and nodes must not be 0");
    let name = || format!("--out {}", flags.out.display());
    // An unwritable file must not cost a long run.
    OpenOptions::new().append(true).create(true).open(&flags.out).with_context(name)?;
    let plan = SelfPlayPlan { nodes: play_nodes, seed };
    let plan = Search { games: plan, nodes };
    let mut found = Vec::new();
    let mut players =
        Players { weak: selfplay::player(&settings.network)?, verifier: searcher(settings)? };
    for fen in &flags.add {
        let puzzle = players.verify(fen, ADDED * nodes, false, rules).context("--add")?;
        found.push(puzzle.with_context(|| format!("--add `{fen}`: no single move wins"))?);
    }
    let (full, mut played) = (AtomicBool::new(found.len() >= count), 0);
    let player = || {
        Ok(Players { weak: selfplay::player(&settings.network)?, verifier: searcher(settings)? })
    };
    let find = |players: &mut Players, index| {
        let done = full.load(Ordering::Relaxed);
        (!done).then(|| players.find(plan, index, rules)).transpose()
    };
    play_games(games, threads, player, find, |game| {
        let Some(puzzle) = game? else { return Ok(()) };
        if found.len() < count {
            played += 1;
            found.extend(puzzle.filter(|p| found.iter().all(|other| other.fen != p.fen)));
        }
        full.store(found.len() >= count, Ordering::Relaxed);
        Ok(())
    })?;
    let mut text = head(found.len(), nodes);
    for puzzle in &found {
        writeln!(text, "{}", puzzle.line(rules)?)?;
    }
    std::fs::write(&flags.out, text).with_context(name)?;
    writeln!(out, "{} positions from {played} games", found.len())?;
    Ok(())
}

/// The head of a file: its contents, and the command and the engine that made it.
fn head(count: usize, nodes: u64) -> String {
    // Omit folders, which depend on the user's machine.
    let plain = |word: String| word.rsplit('/').next().unwrap_or(&word).to_string();
    let is_fen = |word: &str| word.contains(' ');
    let quoted = |word: String| match is_fen(&word) {
        true => format!("'{word}'"),
        false => plain(word),
    };
    let command: Vec<String> = std::env::args().skip(1).map(quoted).collect();
    format!(
        "# {count} positions of xiangqi, from games of the engine against itself, in which one \
         move wins and a search of\n\
         # {nodes} nodes misses it.\n\
         # After each position: the best move, its value, and the value of the best other move, in \
         centipawns for the\n\
         # side to move ({FORCED}: a forced win), by searches of {} nodes.\n\
         # Made by: lab {}\n\
         # Engine: Agon Xiangqi {}, commit {}\n",
        VERIFY * nodes,
        command.join(" "),
        version::VERSION,
        version::commit(),
        FORCED = suite::FORCED,
    )
}

fn solve_suite(
    flags: &Run,
    rules: &XiangqiRules,
    settings: &SearchSettings,
    out: &mut impl Write,
) -> Result<()> {
    ensure!(flags.nodes > 0, "--nodes must not be 0");
    for name in &flags.without {
        let rule = rules::by_name(name)?;
        ensure!(TUNING, "--without {name}: build with `--features tune`");
        rule.switch_off();
    }
    let name = flags.file.display();
    let text = agon_search::program::read_text(&flags.file)?;
    let mut puzzles = suite::parse(&text, rules).with_context(|| name.to_string())?;
    if let Some(half) = flags.half {
        let mut odd = half == Half::Even;
        puzzles.retain(|_| {
            odd = !odd;
            odd
        });
    }
    let mut nodes = Vec::with_capacity(puzzles.len());
    let solve = |searcher: &mut XiangqiSearch, index: u64| {
        nodes_to_solve(searcher, &puzzles[index as usize], rules, flags.nodes)
    };
    play_games(
        puzzles.len() as u64,
        flags.threads,
        || searcher(settings),
        solve,
        |solved| {
            nodes.push(solved?);
            Ok(())
        },
    )?;
    if flags.each {
        for (puzzle, nodes) in puzzles.iter().zip(&nodes) {
            let nodes = nodes.map_or_else(|| "unsolved".into(), |n| n.to_string());
            writeln!(out, "{nodes:>10} {}", puzzle.line(rules)?)?;
        }
    }
    let Summary { positions, solved, median, sum, mean } = Summary::new(&nodes, flags.nodes);
    writeln!(
        out,
        "{solved} of {positions} solved; nodes to solve, {} if unsolved: median {median}, sum \
         {sum}, geometric mean {mean}",
        flags.nodes
    )?;
    Ok(())
}

#[cfg(test)]
mod tests;
