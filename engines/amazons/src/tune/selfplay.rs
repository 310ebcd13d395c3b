//! Games of the engine against itself, and the positions in them.

use crate::engine::AmazonsEngine;
use crate::eval::Terms;
use crate::territory::separated;
use agon_protocol::amazons::Amazons;
use agon_protocol::engine::{Control, Engine};
use agon_protocol::game::{Game, Player, Turn, legal_moves};
use agon_protocol::message::{Limits, Score};
use agon_protocol::option::NoRules;
use agon_protocol::{Record, rng};
use std::sync::atomic::{AtomicU64, Ordering};

/// Which games to play.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub games: u64,
    /// Nodes a move.
    pub nodes: u64,
    pub seed: u64,
}

/// A position of a game, and whether the side to move won.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub terms: Terms,
    pub side: Player,
    pub won: bool,
    /// The number of the game.
    pub game: u64,
}

/// Plays the games, `jobs` at a time, and returns their positions in the order of the games.
pub fn play(plan: Plan, jobs: usize) -> Vec<Sample> {
    let next = AtomicU64::new(0);
    let worker = || {
        let mut engine = AmazonsEngine::new();
        let mut samples = Vec::new();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= plan.games {
                return samples;
            }
            engine.new_game();
            one_game(plan, game, &mut engine, &mut samples);
        }
    };
    let mut all = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..jobs).map(|_| scope.spawn(worker)).collect();
        handles.into_iter().filter_map(|h| h.join().ok()).flatten().collect::<Vec<_>>()
    });
    all.sort_by_key(|s| s.game);
    all
}

/// Plays one game: two to seven random plies, then the engine until a result is proved.
fn one_game(plan: Plan, index: u64, engine: &mut AmazonsEngine, samples: &mut Vec<Sample>) {
    let mut rng = rng::stream(plan.seed, index, "tune");
    let mut record = Record::new(Amazons::start(&NoRules));
    for _ in 0..2 + rng::below(&mut rng, 6) {
        let moves = legal_moves(record.current());
        record.push(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
    }
    let limits = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    let first = samples.len();
    let winner = loop {
        let side = match record.turn() {
            Turn::Player(side) => side,
            Turn::Over(outcome) => {
                let first_won = outcome.sign_for(Player::First) > 0;
                break if first_won { Player::First } else { Player::Second };
            }
            // There is no chance in this game.
            Turn::Chance => return,
        };
        let terms = Terms::of(record.current());
        if !separated(record.current()) && terms.w > 0 {
            samples.push(Sample { terms, side, won: false, game: index });
        }
        let mut score = Score::Cp(0);
        let m = engine.search(&record, &limits, &Control::new(), &mut |info| {
            score = info.score.unwrap_or(score);
        });
        match score {
            Score::Mate(plies) if plies > 0 => break side,
            Score::Mate(_) => break side.opponent(),
            Score::Cp(_) => record.push(m),
        }
    };
    for sample in &mut samples[first..] {
        sample.won = sample.side == winner;
    }
}
