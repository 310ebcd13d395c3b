//! Rating lists of verified logs: one for each game with its rules, each limit on thinking, and each group of engines
//! that met.

use super::engines::{ListEngine, label, program_of};
use crate::{CheckedLog, LogError, MatchHeader, OneMatch, Setting, open};
use agon_stats::{GameScore, Meetings, Model, Parameter, Ratings, Wdl, rate};
use std::collections::{BTreeMap, BTreeSet};

/// A game that counts.
#[derive(Clone, Copy)]
pub struct CountedGame {
    /// The index of its match.
    of_match: usize,
    /// The index of its log.
    pub log: usize,
    /// Its number, from 0.
    pub game: u64,
    pair: u64,
    /// Its engines in the list, the first player first.
    pub players: [usize; 2],
    score: GameScore,
}

/// What a list had to assume because its games do not determine the ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// Nothing.
    Nothing,
    /// One draw of every engine.
    Draws,
    /// That, and no advantage of moving first.
    NoAdvantage,
    /// There are no ratings, for this reason.
    All(String),
}

/// What all games of a list have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListKey {
    /// The game's name.
    pub game: String,
    /// The rules that differ from the default, as `NAME=VALUE`.
    pub rules: Vec<String>,
    has_own_limits: bool,
    /// The limits on thinking; empty if the engines of a match have their own.
    pub limit: String,
}

/// A rating list.
pub struct RatedList {
    /// What its games have in common.
    pub key: ListKey,
    /// The engines.
    pub engines: Vec<ListEngine>,
    /// The games.
    pub games: Vec<CountedGame>,
    /// The same, counted.
    pub meetings: Meetings,
    /// Results of the first player by both players.
    met: BTreeMap<[usize; 2], Wdl>,
    /// The ratings; `None` if the games determine none.
    pub ratings: Option<Ratings>,
    /// What they assume.
    pub assumed: Assumed,
    /// The engine with a given rating.
    pub anchor: Option<usize>,
}

/// The games of a list before they are divided into groups of engines that met.
#[derive(Default)]
struct Draft {
    /// The engines by name and program.
    places: BTreeMap<(String, String), usize>,
    engines: Vec<ListEngine>,
    games: Vec<CountedGame>,
}

/// The lists of the games of these matches, in an order that depends only on what the logs hold. One point of a list is
/// `1 / factor` Elo.
///
/// # Errors
///
/// Fails if a log cannot be read any more.
pub fn lists(
    logs: &[CheckedLog],
    matches: &[OneMatch],
    model: &Model,
    factor: f64,
) -> Result<Vec<RatedList>, LogError> {
    let mut drafts: BTreeMap<ListKey, Draft> = BTreeMap::new();
    for (of_match, one) in matches.iter().enumerate() {
        for (log, counted) in &one.logs {
            let header = &logs[*log].header;
            let key = key_of(header);
            let draft = drafts.entry(key.clone()).or_default();
            let places: Vec<usize> = header
                .engines
                .iter()
                .map(|e| draft.place(program_of(e, key.has_own_limits)))
                .collect();
            for game in open(&logs[*log].path)?.1 {
                let game = game?;
                if counted.contains(game.game) {
                    let (log, pair, score) = (*log, game.pair, game.result.score_of_first());
                    let players = game.players.map(|player| places[player]);
                    let game = game.game;
                    draft.games.push(CountedGame { of_match, log, game, pair, players, score });
                }
            }
        }
    }
    let mut all: Vec<RatedList> = Vec::new();
    for (key, draft) in drafts {
        all.extend(
            draft.groups().into_iter().map(|(e, g)| rated(key.clone(), e, g, model, factor)),
        );
    }
    Ok(all)
}

fn key_of(header: &MatchHeader) -> ListKey {
    let limits: BTreeSet<String> = header.engines.iter().map(|e| e.limit.to_string()).collect();
    let has_own_limits = limits.len() > 1;
    let text = |rule: &Setting| format!("{}={}", rule.name, rule.value);
    let mut rules: Vec<String> = header.rules.iter().map(text).collect();
    rules.sort_unstable();
    let limit = limits.into_iter().next().filter(|_| !has_own_limits).unwrap_or_default();
    ListKey { game: header.game.clone(), rules, has_own_limits, limit }
}

impl Draft {
    /// The place of an engine.
    fn place(&mut self, engine: ListEngine) -> usize {
        let next = self.engines.len();
        let key = (engine.name.clone(), engine.program.clone());
        *self.places.entry(key).or_insert_with(|| {
            self.engines.push(engine);
            next
        })
    }

    /// Engines that met, directly or through others, with their games.
    fn groups(mut self) -> Vec<(Vec<ListEngine>, Vec<CountedGame>)> {
        let mut group: Vec<usize> = (0..self.engines.len()).collect();
        for game in &self.games {
            let [a, b] = game.players.map(|player| root(&group, player));
            group[a.max(b)] = a.min(b);
        }
        let played: BTreeSet<usize> = self.games.iter().flat_map(|game| game.players).collect();
        let mut groups: BTreeMap<usize, (Vec<ListEngine>, Vec<CountedGame>)> = BTreeMap::new();
        let mut number = vec![0; self.engines.len()];
        let (mut of_group, places) = (BTreeMap::new(), std::mem::take(&mut self.places));
        // By name and program, so that the order of the logs does not matter.
        for place in places.into_values().filter(|place| played.contains(place)) {
            let next = of_group.len();
            let at = *of_group.entry(root(&group, place)).or_insert(next);
            let (engines, _) = groups.entry(at).or_default();
            number[place] = engines.len();
            engines.push(self.engines[place].clone());
        }
        for game in self.games {
            let at = of_group[&root(&group, game.players[0])];
            let players = game.players.map(|player| number[player]);
            groups.entry(at).or_default().1.push(CountedGame { players, ..game });
        }
        groups.into_values().collect()
    }
}

/// The first engine of the group of an engine.
fn root(group: &[usize], mut at: usize) -> usize {
    while group[at] != at {
        at = group[at];
    }
    at
}

/// Labels the engines, counts the games and computes the ratings.
fn rated(
    key: ListKey,
    mut engines: Vec<ListEngine>,
    games: Vec<CountedGame>,
    model: &Model,
    factor: f64,
) -> RatedList {
    label(&mut engines);
    let mut meetings = Meetings::default();
    meetings.make_room(engines.len());
    let mut of_match = None;
    for game in &games {
        if of_match.replace(game.of_match).is_some_and(|before| before != game.of_match) {
            meetings.end_log();
        }
        meetings.push(game.pair, game.players, game.score);
    }
    meetings.end_log();
    let (ratings, assumed) = ratings_of(&meetings, model);
    let ratings = ratings.map(|ratings| ratings.scaled(factor));
    let met = meetings.ordered().into_iter().collect();
    RatedList { key, engines, games, meetings, met, ratings, assumed, anchor: None }
}

/// The ratings by the model, or by the nearest one that the games determine: a list that recomputes itself must not
/// fail because an engine has lost all its games so far.
fn ratings_of(meetings: &Meetings, model: &Model) -> (Option<Ratings>, Assumed) {
    let credited = Model { prior: model.prior.max(1.0), ..*model };
    let plain = Model { advantage: Parameter::Given(0.0), ..credited };
    let tries =
        [(*model, Assumed::Nothing), (credited, Assumed::Draws), (plain, Assumed::NoAdvantage)];
    let mut reason = String::new();
    for (model, assumed) in tries {
        match rate(meetings, &model) {
            Ok(ratings) => return (Some(ratings), assumed),
            Err(error) => reason = error.to_string(),
        }
    }
    (None, Assumed::All(reason))
}

impl RatedList {
    /// The names in tables.
    pub fn labels(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.label.clone()).collect()
    }

    /// All games of an engine against another one.
    pub fn against(&self, engine: usize, other: usize) -> Wdl {
        let met = |players: [usize; 2]| self.met.get(&players).copied().unwrap_or_default();
        met([engine, other]) + met([other, engine]).flipped()
    }

    /// Fixes the rating of an engine, unless there are no ratings or one is fixed.
    pub fn fix(&mut self, engine: usize, elo: f64) {
        if self.anchor.is_none()
            && let Some(ratings) = self.ratings.take()
        {
            self.ratings = Some(ratings.anchored(engine, elo));
            self.anchor = Some(engine);
        }
    }
}
