//! The header line of a log, which specifies the match, including the hashes of the engines'
//! binaries.

use super::LogError;
use super::entries::{Adjudication, ChanceEntry, EngineEntry, Limit, Origin, Setting, SprtEntry};
use super::schedule::{MAX_GAMES, Schedule, Shard};
use agon_base::counted;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the log format that this program writes. It also reads format 2, in which a resumption
/// leaves no line, and format 1, whose lines are not chained and which has no end line.
pub const FORMAT: u32 = 3;

/// The header line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchHeader {
    /// [`FORMAT`]; this key identifies the file as a match log.
    pub agon_match_log: u32,
    /// Version of the referee.
    pub referee: String,
    /// The game's name.
    pub game: String,
    /// Rule options that differ from the game's defaults.
    pub rules: Vec<Setting>,
    /// The engines; games refer to them by index.
    pub engines: Vec<EngineEntry>,
    /// Seed of all random choices of the referee; `None`: they follow from a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How dice and deals are decided.
    #[serde(default = "ChanceEntry::seeded")]
    pub chance: ChanceEntry,
    /// Which games are played.
    pub schedule: Schedule,
    /// The openings file; `None`: every game begins at the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningsEntry>,
    /// The part of the schedule that this log contains; `None`: all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The published experiment that the match reproduces, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<Experiment>,
    /// The sequential test that ends the match, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtEntry>,
    /// The width in Elo of the confidence sequence at which the match ends, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_width: Option<f64>,
    /// The adjudication settings.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
    /// When and where the match was begun; not part of what the match is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The continuations that follow in the log; [`MatchHeader::schedule`] has the games of the last one.
    #[serde(skip)]
    pub continuations: Vec<Continuation>,
}

/// A continuation line: from it on, a match between two engines has more games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Continuation {
    /// The games of the match before it; see [`Pairing::games`](crate::Pairing::games).
    pub from: [u64; 2],
    /// The games of the whole match after it.
    pub to: [u64; 2],
    /// When and where the match was continued.
    pub origin: Origin,
    /// How dice and deals of the games after the first `from` are decided.
    pub chance: ChanceEntry,
    /// The openings of these games; absent if they begin at the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningsEntry>,
}

/// An openings file and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningsEntry {
    /// The file's name, without its folder.
    pub file: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Number of positions in it.
    pub count: u64,
    /// `sequential` or `random` (shuffled by the seed).
    pub order: String,
    /// The first opening that is used, from 1, in the order of use.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub start: u64,
    /// The number of decisions that are kept of each game of the file; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The seed of a random order of its own, which several matches share; absent: the match's chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

fn one() -> u64 {
    1
}

fn is_one(n: &u64) -> bool {
    *n == 1
}

impl OpeningsEntry {
    /// The number of random plies, if the openings are made of them and not from a file.
    pub fn random_plies(&self) -> Option<u32> {
        self.file.strip_suffix(" random plies")?.parse().ok()
    }
}

/// A published experiment that a match reproduces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Its name, as in `referee reproduce amazons`.
    pub name: String,
    /// The settings chosen where the paper does not specify them.
    pub settings: Vec<Setting>,
}

impl MatchHeader {
    /// The header of a match from the start position by the game's default rules, with seed 1 and
    /// without a test or adjudication. The caller sets the fields that differ.
    pub fn new(game: &str, engines: Vec<EngineEntry>, schedule: Schedule) -> MatchHeader {
        MatchHeader {
            agon_match_log: FORMAT,
            referee: env!("CARGO_PKG_VERSION").into(),
            game: game.into(),
            rules: Vec::new(),
            engines,
            seed: Some(1),
            chance: ChanceEntry::seeded(),
            schedule,
            openings: None,
            shard: None,
            experiment: None,
            sprt: None,
            until_width: None,
            adjudication: Adjudication::default(),
            origin: None,
            continuations: Vec::new(),
        }
    }

    /// The header of a small match between two engines, as tests need one.
    pub fn example() -> MatchHeader {
        let engine = |name: &str| EngineEntry {
            command: vec![format!("/some/where/{name}")],
            sha256: "ab".into(),
            ..EngineEntry::without_program(name, Limit { depth: Some(1), ..Limit::default() })
        };
        let engines = vec![engine("a"), engine("b")];
        MatchHeader {
            referee: "0".into(),
            ..MatchHeader::new("amazons", engines, Schedule::of_two([2, 2]))
        }
    }

    /// The number of games in the whole schedule, regardless of the shard; an upper bound if
    /// pairings depend on results.
    pub fn scheduled_games(&self) -> u64 {
        self.schedule.games()
    }

    /// Whether the match is to end before its last game: with the decision of a test, or at a width.
    pub fn ends_early(&self) -> bool {
        self.sprt.is_some() || self.until_width.is_some()
    }

    /// How much of a match has been played: `3 of 8 games`, or `23 games, at most 100000` if a decision ends it.
    pub fn extent(&self, played: u64, total: u64) -> String {
        match self.ends_early() {
            true => format!("{played}, at most {total}", played = counted(played, "game")),
            false => format!("{played} of {total}", total = counted(total, "game")),
        }
    }

    /// Where chance comes from, in a few words.
    pub fn chance_source(&self) -> String {
        let secrets: Vec<&str> = std::iter::once(&self.chance)
            .chain(self.continuations.iter().map(|c| &c.chance))
            .filter_map(|chance| chance.commitment.as_deref())
            .collect();
        match (self.seed, secrets.as_slice()) {
            (Some(seed), _) => format!("seed {seed} (foreseeable)"),
            (None, [hash]) => format!("a secret with the SHA-256 {hash}"),
            (None, []) => "unknown".into(),
            (None, many) => format!("secrets with the SHA-256 {}", many.join(", then ")),
        }
    }

    /// Checks what a schedule's arithmetic relies on.
    ///
    /// # Errors
    ///
    /// Names the field that no match can have.
    pub fn check(&self) -> Result<(), String> {
        let engines = self.engines.len();
        for (i, p) in self.schedule.pairings.iter().enumerate() {
            if p.engines.iter().any(|&e| e >= engines) || p.engines[0] == p.engines[1] {
                let pair = p.engines;
                return Err(format!(
                    "schedule.pairings[{i}].engines is {pair:?}: expected two of {engines}",
                    engines = counted(engines, "engine")
                ));
            }
        }
        if let Some(r) = &self.schedule.rounds {
            if !(2..=engines).contains(&r.entrants) {
                let n = r.entrants;
                return Err(format!("schedule.rounds.entrants is {n}: expected 2 to {engines}"));
            }
            if r.games == 0 {
                return Err("schedule.rounds.games is 0: expected a whole number from 1".into());
            }
        }
        if self.schedule.checked_games().is_none_or(|n| n > MAX_GAMES) {
            return Err(format!("the schedule has more than {MAX_GAMES} games"));
        }
        if let Some(Shard { part, of }) = self.shard.filter(|s| !(1..=s.of).contains(&s.part)) {
            return Err(format!("shard is {part}/{of}: expected K/N with K from 1 to N"));
        }
        if self.openings.as_ref().is_some_and(|o| o.count == 0) {
            return Err("openings.count is 0: expected a whole number from 1".into());
        }
        match (&self.chance.commitment, self.seed) {
            (Some(_), Some(_)) => Err("it has both a seed and the commitment to a secret".into()),
            (None, None) => Err("it has neither a seed nor the commitment to a secret".into()),
            _ => Ok(()),
        }
    }

    /// The fields that differ from the header `there` of a log, one sentence each; empty if both
    /// describe the same match, which one of them may continue further. The folder of an engine's
    /// program is ignored, because its hash identifies it, and so is the origin.
    pub fn differences(&self, there: &MatchHeader) -> Vec<String> {
        if self.agon_match_log != there.agon_match_log {
            let (old, new) = (there.agon_match_log, self.agon_match_log);
            return vec![format!(
                "its format is {old}, and this program writes format {new}: finish it with the program \
                 that began it, or begin another match with another --log"
            )];
        }
        let mut found = Vec::new();
        let here = serde_json::to_value(self.identity());
        if let (Ok(here), Ok(there)) = (here, serde_json::to_value(there.identity())) {
            compare("", &there, &here, &mut found);
        }
        for (mine, other) in self.continuations.iter().zip(&there.continuations) {
            let without_origin = |c: &Continuation| {
                let mut value = serde_json::to_value(c).unwrap_or_default();
                value["origin"].take();
                value
            };
            compare("continue", &without_origin(other), &without_origin(mine), &mut found);
        }
        found
    }

    /// Checks that `there`, the header of the log at `path`, describes the same match.
    ///
    /// # Errors
    /// Fails with all [differences](MatchHeader::differences).
    pub fn expect_same_match(&self, there: &MatchHeader, path: &Path) -> Result<(), LogError> {
        let differences = self.differences(there);
        if differences.is_empty() {
            return Ok(());
        }
        let (path, differences) = (path.display().to_string(), differences.join("; "));
        Err(LogError::OtherMatch { path, differences })
    }

    /// What makes it this match: the header without its continuations, origin, and the folders of programs.
    pub(crate) fn identity(&self) -> MatchHeader {
        let mut header = MatchHeader { origin: None, ..self.first() };
        let tables = header.adjudication.tables.as_mut().map(|t| &mut t.engine);
        let programs = header.engines.iter_mut().chain(tables);
        for program in programs.filter_map(|e| e.command.first_mut()) {
            if let Some((_, name)) = program.rsplit_once('/') {
                *program = name.to_string();
            }
        }
        header
    }

    /// The log's first line, including the line break.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        let text = serde_json::to_string(&self.first())? + "\n";
        if self.agon_match_log > 1 {
            return Ok(text);
        }
        // Format 1 has no such field.
        let chance = serde_json::to_string(&self.chance)?;
        Ok(text.replacen(&format!("\"chance\":{chance},"), "", 1))
    }
}

/// Fields that the headers of format 1 did not have; `*` stands for each engine.
const NEWER_THAN_1: [&str; 10] = [
    "/chance",
    "/until_width",
    "/engines/*/sandbox",
    "/engines/*/files",
    "/openings/start",
    "/openings/plies",
    "/openings/seed",
    "/schedule/opening_policy",
    "/sprt/test",
    "/adjudication/resign/one_sided",
];

/// The first field of a header line that headers of its format do not have.
pub fn newer_field(line: &str, header: &MatchHeader) -> Option<String> {
    if header.agon_match_log > 1 {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let engines = 0..header.engines.len();
    let each = |path: &'static str| engines.clone().map(move |i| path.replace('*', &i.to_string()));
    let mut paths = NEWER_THAN_1.iter().flat_map(|path| match path.contains('*') {
        true => each(path).collect(),
        false => vec![path.to_string()],
    });
    let found = paths.find(|path| value.pointer(path).is_some())?;
    Some(found.trim_start_matches('/').replace('/', "."))
}

/// Compares two values recursively and collects the differences.
fn compare(
    path: &str,
    there: &serde_json::Value,
    here: &serde_json::Value,
    found: &mut Vec<String>,
) {
    use serde_json::Value::{Array, Null, Object};
    let nothing = Object(serde_json::Map::new());
    // Settings that are off as a whole are off one by one.
    let is_off = |value: &serde_json::Value| *value == Null && path == "adjudication";
    let there = if is_off(there) { &nothing } else { there };
    let here = if is_off(here) { &nothing } else { here };
    match (there, here) {
        (Object(x), Object(y)) => {
            let keys = x.keys().chain(y.keys().filter(|k| !x.contains_key(*k)));
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(&path, x.get(key).unwrap_or(&Null), y.get(key).unwrap_or(&Null), found);
            }
        }
        (Array(x), Array(y)) if x.len() == y.len() => {
            for (i, (x, y)) in x.iter().zip(y).enumerate() {
                compare(&format!("{path}[{i}]"), x, y, found);
            }
        }
        _ if there == here => {}
        _ => {
            let flag = flag_of(path).map_or(String::new(), |flag| format!(" ({flag})"));
            found.push(format!("{path} is {there} there and {here} here{flag}"));
        }
    }
}

/// The flag that sets a field of the header, or what else makes it differ, for messages.
fn flag_of(path: &str) -> Option<&'static str> {
    const FLAGS: [(&str, &str); 17] = [
        ("game", "--game"),
        ("rules", "--rule"),
        ("engines[].limit.clock", "--tc"),
        ("engines[].limit.move_ms", "--movetime"),
        ("engines[].limit.depth", "--depth"),
        ("engines[].limit.nodes", "--nodes"),
        ("engines[].limit.margin_ms", "--margin"),
        ("engines[].sha", "another program"),
        ("engines", "the engine's fields or --each"),
        ("seed", "--seed"),
        ("schedule", "--games and the other flags of the schedule"),
        ("openings", "--openings, --order or --random-plies"),
        ("shard", "--shard"),
        ("adjudication.resign", "--resign"),
        ("adjudication.draw", "--draw"),
        ("adjudication.max_plies", "--max-plies"),
        ("adjudication.tables", "--tables"),
    ];
    let without_numbers: String = path.chars().filter(|c| !c.is_ascii_digit()).collect();
    let found = FLAGS.iter().find(|(prefix, _)| without_numbers.starts_with(prefix));
    let sprt = [("elo0", "--elo0"), ("elo1", "--elo1"), ("alpha", "--alpha"), ("beta", "--beta")];
    let of_test = sprt.iter().find(|(name, _)| path.strip_prefix("sprt.") == Some(name));
    found.or(of_test).map(|(_, flag)| *flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_the_field() {
        let here = MatchHeader::example();
        let mut there = MatchHeader::example();
        assert_eq!(here.differences(&there), Vec::<String>::new());
        there.engines[1].command[0] = "/else/where/b".into();
        assert_eq!(here.differences(&there), Vec::<String>::new());
        there.engines[1].sha256 = "cd".into();
        there.seed = Some(2);
        assert_eq!(
            here.differences(&there),
            [
                r#"engines[1].sha256 is "cd" there and "ab" here (another program)"#,
                "seed is 2 there and 1 here (--seed)"
            ]
        );
        there.engines[1] = here.engines[1].clone();
        there.engines[0].limit.depth = Some(9);
        assert!(here.differences(&there)[0].ends_with("(--depth)"));
    }
}
