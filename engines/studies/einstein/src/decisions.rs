//! Decisions sampled from games, and what each player loses by its move.

use super::exact::{ExactSolver, Unsolved};
use agon_einstein::engine::EinSteinEngine;
use agon_games::Record;
use agon_games::einstein::{EinStein, EinSteinMove, EinSteinRules, Layout};
use agon_games::game::{Game, Player, Turn, chance_outcomes, legal_moves};
use agon_games::option::find;
use agon_games::rng::{self, Stream};
use agon_wire::engine::{Control, Engine};
use agon_wire::message::Limits;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// The minimum and maximum number of stones of the sampled positions.
pub const STONES: [u32; 2] = [4, 7];

/// A player of the study: an engine with options and limits.
pub struct LossPlayer {
    /// Its name.
    pub name: String,
    engine: EinSteinEngine,
    limits: Limits,
}

impl LossPlayer {
    /// Reads `name=N,option.O=V,depth=D,nodes=N`; the engine has default options except for these.
    ///
    /// # Errors
    ///
    /// A field is unknown or its value is bad: which, and what would be right.
    pub fn parse(fields: &str, seed: u64) -> Result<LossPlayer> {
        let (mut name, mut limits) = (None, Limits::default());
        let mut engine = EinSteinEngine::new();
        set(&mut engine, "Seed", &seed.to_string())?;
        for field in fields.split(',') {
            let (key, value) = field
                .split_once('=')
                .with_context(|| format!("player field `{field}`: expected KEY=VALUE"))?;
            let number = || value.parse().with_context(|| format!("`{field}`: expected a number"));
            match key {
                "name" => name = Some(value.to_string()),
                "depth" => limits.depth = Some(number()?),
                "nodes" => limits.nodes = Some(number()?.into()),
                _ => match key.strip_prefix("option.") {
                    Some(option) => set(&mut engine, option, value)?,
                    None => {
                        bail!("player field `{key}`: expected name, depth, nodes or option.NAME")
                    }
                },
            }
        }
        let name = name.with_context(|| format!("player `{fields}`: it has no name"))?;
        Ok(LossPlayer { name, engine, limits })
    }

    /// Its move after a roll.
    fn choose(&mut self, rolled: &EinStein) -> EinSteinMove {
        self.engine.new_game();
        let record = Record::new(*rolled);
        self.engine.search(&record, &self.limits, &Control::new(), &mut |_| {})
    }
}

fn set(engine: &mut impl Engine, name: &str, value: &str) -> Result<()> {
    let options = engine.options();
    let spec = find(&options, name)?;
    Ok(engine.set_option(&spec.name, &spec.parse(value)?)?)
}

/// A sampled decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The number of stones on the board.
    pub stones: u32,
    /// The position after the roll.
    pub fen: String,
    /// The best winning probability of the side to move; `None` if the position was not solved.
    pub best: Option<f64>,
    /// What each player's move gives away, in the order of the players; empty if not solved.
    pub losses: Vec<f64>,
}

/// Samples decisions and measures losses. One per thread.
pub struct LossStudy<'t> {
    /// The players.
    pub players: Vec<LossPlayer>,
    /// Plays the games.
    pub guide: LossPlayer,
    /// Solves the positions.
    pub solver: ExactSolver<'t>,
    /// The rules.
    pub rules: EinSteinRules,
    /// The numbers of stones, from and to.
    pub stones: [u32; 2],
    /// Names the games.
    pub seed: u64,
}

impl LossStudy<'_> {
    /// One game between two copies of the guide from random set-ups with random dice, and for each
    /// number of stones one of its decisions with that many, if there is one. A decision without a
    /// choice counts as well: it loses nothing.
    pub fn game(&mut self, number: u64) -> Vec<Decision> {
        let sampled = self.sample(number);
        self.solver.clear();
        // The largest first: the others are often below it.
        sampled.into_iter().rev().map(|(stones, rolled)| self.measure(stones, &rolled)).collect()
    }

    /// The decisions of one number of stones do not depend on which other numbers are sampled.
    fn sample(&mut self, number: u64) -> Vec<(u32, EinStein)> {
        let seen = self.play(&mut rng::stream(self.seed, number, "loss study"));
        let [from, to] = self.stones;
        (from..=to)
            .filter_map(|stones| {
                let all: Vec<&EinStein> = seen.iter().filter(|s| count(s) == stones).collect();
                let purpose = format!("loss study, {stones} stones");
                let mut stream = rng::stream(self.seed, number, &purpose);
                let at = rng::below(&mut stream, all.len().max(1) as u64) as usize;
                all.get(at).map(|&&state| (stones, state))
            })
            .collect()
    }

    /// The decisions of a game.
    fn play(&mut self, stream: &mut Stream) -> Vec<EinStein> {
        let mut state = EinStein::start(&self.rules);
        for _ in Player::BOTH {
            let rank = rng::below(stream, Layout::COUNT.into()) as u16;
            if let Some(layout) = Layout::from_rank(rank) {
                state.play(EinSteinMove::SetUp(layout));
            }
        }
        let mut seen: Vec<EinStein> = Vec::new();
        loop {
            match state.turn() {
                Turn::Over(_) => break,
                Turn::Chance => {
                    let outcomes = chance_outcomes(&state);
                    let at = rng::below(stream, outcomes.len() as u64) as usize;
                    state.play(outcomes[at].0);
                }
                Turn::Player(_) => {
                    seen.push(state);
                    state.play(self.guide.choose(&state));
                }
            }
        }
        seen
    }

    fn measure(&mut self, stones: u32, rolled: &EinStein) -> Decision {
        let chosen: Vec<EinSteinMove> = match legal_moves(rolled)[..] {
            [only] => vec![only; self.players.len()],
            _ => self.players.iter_mut().map(|player| player.choose(rolled)).collect(),
        };
        let (best, losses) = match self.losses(rolled, &chosen) {
            Ok((best, losses)) => (Some(best), losses),
            Err(Unsolved) => (None, Vec::new()),
        };
        Decision { stones, fen: rolled.fen(), best, losses }
    }

    /// The best winning probability, and what each of these moves gives away.
    fn losses(
        &mut self,
        rolled: &EinStein,
        moves: &[EinSteinMove],
    ) -> Result<(f64, Vec<f64>), Unsolved> {
        let mut values: Vec<(EinSteinMove, f64)> = Vec::new();
        for &m in moves {
            if values.iter().all(|known| known.0 != m) {
                values.push((m, self.solver.value_after(rolled, m)?));
            }
        }
        let start = values.iter().fold(None, |best: Option<(EinSteinMove, f64)>, &v| match best {
            Some(best) if best.1 >= v.1 => Some(best),
            _ => Some(v),
        });
        let first = start.map_or_else(|| legal_moves(rolled)[0], |v| v.0);
        let best = self.solver.best(rolled, first)?;
        let value =
            |m: &EinSteinMove| values.iter().find(|known| known.0 == *m).map_or(best, |v| v.1);
        Ok((rounded(best), moves.iter().map(|m| rounded((best - value(m)).max(0.0))).collect()))
    }
}

/// To 1e-9: what is beyond is rounding, and short decimals read back from a file are the same.
fn rounded(probability: f64) -> f64 {
    (probability * 1e9).round() / 1e9
}

/// The number of stones on the board.
fn count(state: &EinStein) -> u32 {
    Player::BOTH.into_iter().map(|p| state.alive(p).count_ones()).sum()
}
