//! Command-line flags that describe a match, shared by the subcommands, and their values.

use crate::engine::EngineSpec;
use crate::engine::driver::{EngineContext, Timeouts};
use crate::matches::chance::{Chance, MatchChance, SectionChance, yes_or_no};
use crate::matches::openings::generate::{Recipe, Shortage};
use crate::matches::openings::{Openings, OpeningsSource, Order};
use crate::matches::tablebase;
use crate::matchlog::limits;
use crate::matchlog::{
    Adjudication, DrawRule, EngineEntry, Limit, OpeningPolicy, ResignRule, Setting,
};
use agon_protocol::arbiter::{GAMES, GameKind, game};
use agon_protocol::text::excerpt;
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::matches::run_flags::{RoundFlags, RunFlags};

/// The default time margin in milliseconds. It covers scheduling delays on a busy machine, but not
/// a search that exceeds its time.
const DEFAULT_MARGIN_MS: u64 = 100;

/// The game and its rules.
#[derive(clap::Args, Clone)]
pub struct GameFlags {
    /// Game to play
    #[arg(long, value_name = "NAME", help = format!("Game to play: {}", game_names(", ")))]
    pub game: String,
    /// Rule that differs from the game's default; repeatable
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    pub rules: Vec<String>,
}

impl GameFlags {
    /// Returns the game and its rule options after checking them.
    pub fn resolve(&self) -> Result<(GameKind, Vec<Setting>)> {
        let kind = find_game(&self.game)?;
        let rules = self.rules.iter().map(|text| setting(text)).collect::<Result<Vec<_>>>()?;
        kind.open(None, &crate::matchlog::rule_pairs(&rules)).context("--rule")?;
        Ok((kind, rules))
    }
}

/// The line of help that lists the games.
pub fn game_help() -> String {
    format!("Games: {}", game_names(", "))
}

/// The names of all games.
fn game_names(separator: &str) -> String {
    let names: Vec<&str> = GAMES.iter().map(|g| g.name).collect();
    names.join(separator)
}

/// Finds a game by name.
///
/// # Errors
///
/// Fails for an unknown name and lists the known games.
pub fn find_game(name: &str) -> Result<GameKind> {
    game(name).ok_or_else(|| {
        anyhow!("unknown game `{}`; known games: {}", excerpt(name), game_names(", "))
    })
}

/// Parses `NAME=VALUE`.
pub fn setting(text: &str) -> Result<Setting> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok(Setting { name: name.trim().into(), value: value.trim().into() })
        }
        _ => bail!("`{}`: expected NAME=VALUE", excerpt(text)),
    }
}

/// Sides in the second game of a pair.
#[derive(clap::Args)]
pub struct SwapFlag {
    /// Whether the engines swap sides in the second game of a pair. With `no`, the first engine of
    /// each pairing begins all games, every game has its own opening, and no game belongs to a pair
    #[arg(long, value_name = "yes|no", default_value = "yes", value_parser = yes_or_no,
          action = clap::ArgAction::Set)]
    pub swap: bool,
}

/// Limits on the thinking of engines that have none of their own.
#[derive(clap::Args, Clone, Default)]
pub struct LimitFlags {
    /// Time control: TIME, TIME+INCREMENT or MOVES/TIME+INCREMENT, in seconds or as m:ss, such as
    /// 60+0.5 or 40/5:00+3
    #[arg(long, value_name = "CLOCK")]
    pub tc: Option<String>,
    /// Time per move in milliseconds, or with a unit such as 2s
    #[arg(long, value_name = "TIME")]
    pub movetime: Option<String>,
    /// Depth limit in plies
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<String>,
    /// Node limit per move
    #[arg(long, value_name = "COUNT")]
    pub nodes: Option<String>,
    /// Time margin: how far a move may exceed its time without losing, in milliseconds or with a unit
    #[arg(long, value_name = "TIME")]
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

/// Which games end before the rules end them.
#[derive(clap::Args, Clone, Default)]
pub struct AdjudicationFlags {
    /// Resign adjudication: end a game as lost once both engines report a score of SCORE centipawns or
    /// more for the same side for MOVES consecutive moves each, such as 600,4; with 600,4,one-sided,
    /// or movecount=4,score=600,twosided=false, once the losing engine does
    #[arg(long, value_name = "SCORE,MOVES")]
    pub resign: Option<String>,
    /// Draw adjudication: end a game as drawn once both engines report scores within SCORE centipawns
    /// of 0 for MOVES consecutive moves each, but not before ply AFTER, such as 10,8,80
    #[arg(long, value_name = "SCORE,MOVES,AFTER")]
    pub draw: Option<String>,
    /// Move limit: a game of this many plies is a draw
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_plies: Option<u64>,
    /// Territory adjudication (Amazons): end a game once the territories are separate, and count them
    #[arg(long)]
    pub territory: bool,
    /// Tablebase adjudication: query this program after every move and end the game once its endgame
    /// tablebase knows the result; fields as for --engine, with the option that names the tables
    #[arg(long, value_name = "FIELDS")]
    pub tables: Option<String>,
}

impl AdjudicationFlags {
    /// Builds the header's adjudication entry.
    pub fn resolve(&self, kind: GameKind) -> Result<Adjudication> {
        if self.territory && kind.name != "amazons" {
            bail!("--territory: {} has no territory adjudication", kind.name);
        }
        let resign = self.resign.as_deref().map(|text| {
            let expected = "--resign: expected SCORE,MOVES or SCORE,MOVES,one-sided, such as 600,4";
            resign_rule(text).context(expected)
        });
        let draw = self.draw.as_deref().map(|text| {
            let [score, moves, after] =
                numbers(text).context("--draw: expected SCORE,MOVES,AFTER such as 10,8,80")?;
            let (moves, after) = (moves.max(1), after.into());
            Ok::<_, anyhow::Error>(DrawRule { score, moves, after })
        });
        let tables = self.tables.as_deref().map(tablebase::entry).transpose();
        Ok(Adjudication {
            resign: resign.transpose()?,
            draw: draw.transpose()?,
            max_plies: self.max_plies,
            territory: self.territory,
            tables: tables.context("--tables")?,
        })
    }
}

/// Parses `SCORE,MOVES`, with `one-sided` after it, or fields with the names of other programs.
fn resign_rule(text: &str) -> Option<ResignRule> {
    let mut rule = ResignRule { score: 0, moves: 1, one_sided: false };
    if !text.contains('=') {
        let numbers_alone = text.strip_suffix(",one-sided");
        rule.one_sided = numbers_alone.is_some();
        [rule.score, rule.moves] = numbers(numbers_alone.unwrap_or(text))?;
    }
    for field in text.split(',').filter(|_| text.contains('=')) {
        match field.split_once('=').map(|(key, value)| (key.trim(), value.trim()))? {
            ("score", value) => rule.score = value.parse().ok()?,
            ("moves" | "movecount", value) => rule.moves = value.parse().ok()?,
            ("twosided", value) => rule.one_sided = !value.parse::<bool>().ok()?,
            _ => return None,
        }
    }
    rule.moves = rule.moves.max(1);
    Some(rule)
}

/// Parses exactly N whole numbers separated by commas.
fn numbers<const N: usize>(text: &str) -> Option<[u32; N]> {
    let all: Option<Vec<u32>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    all?.try_into().ok()
}

/// The engines.
#[derive(clap::Args, Clone)]
pub struct EngineFlags {
    /// Engine, given once for each: comma-separated key=value fields. Keys: cmd (program and
    /// arguments), arg, name, dialect (ugi, uci, ucicyclone, ucci, sau, cloudict, gtp, mgtp, ntu,
    /// botzone, botzone-simple),
    /// option.NAME, tc, movetime, depth, nodes, margin, dir, env.NAME, memory (MiB; on Linux),
    /// cpus (such as 0-3; on Linux and Windows), ponder (true), sandbox (true; on Linux). Text without
    /// keys is a command line
    #[arg(long = "engine", value_name = "FIELDS")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub shared: SharedFlags,
}

/// Fields for all engines.
#[derive(clap::Args, Clone, Default)]
pub struct SharedFlags {
    /// Fields for all engines; per-engine values override these, except those of a --config file
    #[arg(long, value_name = "FIELDS")]
    pub each: Vec<String>,
    /// Run every engine in a sandbox (needs bubblewrap, on Linux): no network, no other processes, no
    /// files but its own; the same as `sandbox=true` for every engine
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

/// The openings of a match.
#[derive(clap::Args, Clone)]
pub struct OpeningFlags {
    /// Openings; both games of a pair start from the same one. A file, or fields: file=FILE,
    /// format=text|pgn|sgf|wxf (default: by the name), order=sequential|random, start=N (the first
    /// one that is used, from 1), plies=N (moves that are kept of each game),
    /// policy=round|encounter|pair (encounters share the openings, have one each, or every pair takes
    /// the next)
    #[arg(long, value_name = "FILE|FIELDS", value_parser = OpeningsSource::parse)]
    pub openings: Option<OpeningsSource>,
    /// Order in which pairs take the openings [default: sequential]
    #[arg(long, value_enum)]
    pub order: Option<Order>,
    /// Without a file: start after N random legal moves, the same for both games of a pair
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    pub random_plies: Option<u32>,
}

impl OpeningFlags {
    /// When the next opening is taken.
    pub fn policy(&self) -> OpeningPolicy {
        self.openings.as_ref().map_or(OpeningPolicy::default(), |o| o.policy)
    }

    /// Reads and checks the openings of each section of a match's log.
    pub fn of_sections(
        &self,
        kind: GameKind,
        rules: &[Setting],
        chance: &MatchChance,
    ) -> Result<Vec<Openings>> {
        let of = |section: &SectionChance| {
            self.resolve(kind, rules, &section.chance, section.schedule.openings())
        };
        chance.sections().map(of).collect()
    }

    /// Reads and checks the openings.
    ///
    /// `pairs` is the number of openings that the schedule uses.
    pub fn resolve(
        &self,
        kind: GameKind,
        rules: &[Setting],
        chance: &Chance,
        pairs: u64,
    ) -> Result<Openings> {
        let order = self.order.unwrap_or_default();
        if self.order.is_some() && self.openings.as_ref().is_some_and(|o| o.order.is_some()) {
            bail!("--order {order:?}: --openings has an order= of its own; give one of them");
        }
        Ok(match (&self.openings, self.random_plies) {
            (Some(source), _) => Openings::read(source, kind, rules, order, chance)?,
            (None, Some(plies)) if plies > 0 => {
                random_openings(kind, rules, plies, chance, pairs).context("--random-plies")?
            }
            _ => Openings::start_position(),
        })
    }
}

/// Maximum number of random openings; later pairs reuse them from the first on.
const RANDOM_OPENINGS: u64 = 500;

fn random_openings(
    kind: GameKind,
    rules: &[Setting],
    plies: u32,
    chance: &Chance,
    pairs: u64,
) -> Result<Openings> {
    let count = pairs.clamp(1, RANDOM_OPENINGS) as usize;
    let timeouts = Timeouts::default();
    let common = EngineContext::new(kind.name, rules.to_vec(), timeouts);
    let recipe = Recipe { kind, plies, count, chance: chance.clone(), balance: None };
    let made = recipe.generate(&Arc::new(common), Shortage::Accept, |_| ())?;
    let lines = made.openings.iter().map(|o| format!("startpos moves {}\n", o.tokens.join(" ")));
    let name = format!("{plies} random plies");
    let text: String = lines.collect();
    let order = Order::Sequential;
    let mut openings = Openings::parse(Path::new(&name), &text, kind, rules, order, chance)?;
    if let Some(entry) = &mut openings.entry {
        // The hash of a few short openings would betray them to whoever tries all.
        entry.sha256 = chance.seal(&text).unwrap_or_else(|| entry.sha256.clone());
    }
    Ok(openings)
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
