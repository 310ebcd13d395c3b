//! Tunes a search's parameters by SPSA: matches between two parameter sets in one process. Needs a
//! tuning build (`--features tune`).

use super::cli::SpsaFlags;
use super::run::{SpsaRun, tune_only};
use super::selfplay::{chance_outcome, random_opening, search};
use super::spsa::Parameter;
use agon_games::game::{Game, Turn};
use agon_games::rng::{self, Stream};
use agon_games::{Player, Record};
use agon_search::host::{GameEngine, Host, params};
use agon_search::params::Param;
use agon_search::program::read_openings;
use agon_search::searcher::Searcher;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Longer games count as draws.
const MAX_PLIES: usize = 400;
/// Random plies of an opening: the minimum, and the number of possible lengths.
const OPENING: (u64, u64) = (4, 4);
/// The perturbation of a parameter is its range divided by this.
const STEPS: i32 = 20;

/// Everything that the games depend on besides the parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ArenaSettings {
    seed: u64,
    pairs: u64,
    nodes: u64,
    rate: u32,
    only: Vec<String>,
    #[serde(default)]
    openings: Option<PathBuf>,
}

/// Tunes an engine's search parameters by games of the searcher that its options select, and prints
/// the resulting values.
///
/// # Errors
/// Not a tuning build, a wrong flag or state file, or too little memory.
pub fn tune<E: GameEngine>(
    flags: &SpsaFlags,
    engine: &Host<E>,
    rules: &<E::Game as Game>::Rules,
) -> Result<()> {
    let params: Vec<&'static Param> = params::<E>().collect();
    let start = E::Game::start(rules);
    let searcher = || Ok(engine.build()?);
    ensure!(!params.is_empty(), "no parameter can be set: build with `--features tune`");
    let mut parameters: Vec<Parameter> = params
        .iter()
        .map(|p| {
            let step = ((p.max - p.min) / STEPS).max(1);
            Parameter { name: p.name.into(), start: p.get(), step, min: p.min, max: p.max }
        })
        .collect();
    tune_only(&mut parameters, &flags.only)?;
    let &SpsaFlags { seed, pairs, nodes, rate, .. } = flags;
    let listed: Vec<Record<E::Game>> = match &flags.openings {
        Some(path) => read_openings(path, rules)?,
        None => Vec::new(),
    };
    let (only, openings) = (flags.only.clone(), flags.openings.clone());
    let settings = ArenaSettings { seed, pairs, nodes, rate, only, openings };
    let starts: Vec<i32> = parameters.iter().map(|parameter| parameter.start).collect();
    let mut run = SpsaRun::open(settings, parameters, flags.plan()?, flags.state.as_deref())?;
    let mut out = stdout().lock();
    flags.play(&mut run, &mut out, |index, sides| {
        let mut stream = rng::stream(seed, index, "spsa opening");
        let opening = match listed.len() as u64 {
            0 => loop {
                let (least, spread) = OPENING;
                if let Some(record) = random_opening(start.clone(), least, spread, &mut stream) {
                    break record;
                }
            },
            count => listed[rng::below(&mut stream, count) as usize].clone(),
        };
        let mut points = 0;
        for (first, way) in [(0, 1), (1, -1)] {
            let set = |player: Player| {
                let side = &sides[(player.index() + first) % 2];
                params.iter().zip(side).for_each(|(param, &value)| param.set(value));
            };
            // Both games of a pair use the same dice.
            let dice = rng::stream(seed, index, "spsa dice");
            points += way * game(opening.clone(), nodes, dice, set, searcher)?;
        }
        Ok(points)
    })?;
    params.iter().zip(starts).for_each(|(param, start)| param.set(start));
    for (param, value) in params.iter().zip(&run.values()[1]) {
        writeln!(out, "{} = {value}", param.name)?;
    }
    Ok(())
}

/// Plays a game: 1 if the first player wins, -1 if the second wins. `set` sets the parameters of
/// the side to move.
fn game<G: Game>(
    mut record: Record<G>,
    nodes: u64,
    mut dice: Stream,
    set: impl Fn(Player),
    searcher: impl Fn() -> Result<Box<dyn Searcher<G>>>,
) -> Result<i32> {
    let mut players = Vec::new();
    for player in Player::BOTH {
        set(player);
        players.push(searcher()?);
    }
    while record.moves().len() < MAX_PLIES {
        match record.turn() {
            Turn::Over(outcome) => return Ok(outcome.sign_for(Player::First)),
            Turn::Chance => {
                let Some(outcome) = chance_outcome(record.current(), &mut dice) else { break };
                record.push(outcome);
            }
            Turn::Player(player) => {
                set(player);
                let best = search(players[player.index()].as_mut(), &record, nodes).best();
                record.push(best);
            }
        }
    }
    Ok(0)
}
