//! The flags that describe engines and the limits on their thinking.

use agon_engine::EngineSpec;
use agon_matchlog::limits;
use agon_matchlog::{EngineEntry, Limit};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// The default time margin in milliseconds. It covers scheduling delays on a busy machine, but not
/// a search that exceeds its time.
const DEFAULT_MARGIN_MS: u64 = 100;

/// Limits on the thinking of engines that have none of their own.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Clocks")]
pub struct LimitFlags {
    /// Time control in seconds or m:ss, such as 60+0.5
    ///
    /// The forms are TIME, TIME+INCREMENT and MOVES/TIME+INCREMENT, such as 40/5:00+3.
    #[arg(long, value_name = "CLOCK")]
    pub tc: Option<String>,
    /// Time per move: milliseconds, or with a unit such as 2s
    #[arg(long, value_name = "TIME")]
    pub movetime: Option<String>,
    /// Depth limit in plies
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<String>,
    /// Node limit per move
    #[arg(long, value_name = "COUNT")]
    pub nodes: Option<String>,
    /// How far a move may exceed its time without losing
    ///
    /// In milliseconds, or with a unit; the default is 100 ms.
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    pub margin: Option<String>,
}

impl LimitFlags {
    /// Builds the limits.
    pub fn resolve(&self) -> Result<Limit> {
        let mut limit = Limit { margin_ms: DEFAULT_MARGIN_MS, ..Limit::default() };
        if let Some(margin) = &self.margin {
            limit.margin_ms = limits::milliseconds(margin, 1).context("--margin")?;
        }
        let flags = [
            ("tc", &self.tc),
            ("movetime", &self.movetime),
            ("depth", &self.depth),
            ("nodes", &self.nodes),
        ];
        for (key, value) in flags {
            if let Some(value) = value {
                limits::set(&mut limit, key, value).with_context(|| format!("--{key}"))?;
            }
        }
        Ok(limit)
    }
}

/// The engines.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Engines")]
pub struct EngineFlags {
    /// An engine: a command line or fields; repeatable
    ///
    /// Comma-separated key=value fields, given once for each engine. Keys: cmd (program and
    /// arguments), arg, name, dialect (ugi, uci, ucicyclone, ucci, sau, cloudict, gtp, gtp-stages,
    /// mgtp, ntu, botzone, botzone-simple), option.NAME, tc, movetime, depth, nodes, margin, dir,
    /// env.NAME, memory (MiB; on Linux), cpus (such as 0-3; on Linux and Windows), ponder (true),
    /// sandbox (true; on Linux). Text without keys is a command line.
    #[arg(long = "engine", value_name = "FIELDS")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub shared: SharedFlags,
}

/// Fields for all engines.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Engines")]
pub struct SharedFlags {
    /// Fields for all engines, such as option.Hash=64
    ///
    /// Every field, cmd included; the values of a single engine override these, except those of a
    /// --config file.
    #[arg(long, value_name = "FIELDS")]
    pub each: Vec<String>,
    /// Run every engine in a sandbox (on Linux)
    ///
    /// It needs bubblewrap: no network, no other processes, no files but its own; the same as
    /// `sandbox=true` for every engine.
    #[arg(long)]
    pub sandbox: bool,
    /// Fields that replace those of every engine; set for the engines of a --config file
    #[arg(long = "override", value_name = "FIELDS", hide = true)]
    pub overrides: Vec<String>,
}

impl SharedFlags {
    /// Parses the fields of [`SharedFlags::each`] and of [`SharedFlags::overrides`].
    fn resolve(&self) -> Result<[EngineSpec; 2]> {
        let joined = |texts: &[String]| EngineSpec::parse_shared(&texts.join(","));
        let replaced = "flags that replace those of the file's engines";
        let mut overrides = joined(&self.overrides).context(replaced)?;
        overrides.sandbox = overrides.sandbox.or(self.sandbox.then_some(true));
        Ok([joined(&self.each).context("--each")?, overrides])
    }
}

impl EngineFlags {
    /// Builds the header's engine entries; see [`engine_entries`].
    pub fn resolve(&self, limit: &Limit) -> Result<Vec<EngineEntry>> {
        let specs = self.engines.iter().map(|text| EngineSpec::parse(text));
        engine_entries(specs.collect::<Result<_, _>>()?, &self.shared, limit)
    }
}

/// Builds the header's entries of engines with shared fields.
///
/// # Errors
///
/// Fails if a program cannot be found or hashed, or an engine has no limit on its thinking.
pub fn engine_entries(
    specs: Vec<EngineSpec>,
    shared: &SharedFlags,
    limit: &Limit,
) -> Result<Vec<EngineEntry>> {
    let [shared, overrides] = shared.resolve()?;
    let mut entries: Vec<EngineEntry> = Vec::new();
    for spec in specs {
        let mut entry = spec.with_shared(&shared).overridden(&overrides).entry(limit)?;
        entry.name = unique_name(entry.name, &entries);
        if entry.limit.is_unbounded() {
            bail!(
                "engine {}: no time control; give --tc, --movetime, --depth or --nodes",
                entry.name
            );
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn unique_name(name: String, others: &[EngineEntry]) -> String {
    let taken = |n: &str| others.iter().any(|e| e.name == n);
    if !taken(&name) {
        return name;
    }
    (2..).map(|i| format!("{name}-{i}")).find(|n| !taken(n)).unwrap_or(name)
}

/// The default path of a match log: GAME-ENGINE-ENGINE-SEED.jsonl, or without the seed.
pub fn default_log(game: &str, engines: &[EngineEntry], seed: Option<u64>) -> PathBuf {
    let names: Vec<String> = engines
        .iter()
        .map(|e| e.name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '.', "_"))
        .collect();
    let seed = seed.map_or(String::new(), |seed| format!("-{seed}"));
    format!("{game}-{}{seed}.jsonl", names.join("-")).into()
}
