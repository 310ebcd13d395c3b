//! Self-play games and their positions.

use agon_amazons::engine::AmazonsEngine;
use agon_amazons::eval::Terms;
use agon_amazons::territory::separated;
use agon_games::amazons::Amazons;
use agon_games::game::{Game, Outcome, Player};
use agon_games::option::NoRules;
use agon_games::rng;
use agon_tuning::selfplay::{play_out, random_opening};
use agon_wire::engine::{Control, Engine};
use agon_wire::message::{Limits, Score};
use std::ops::ControlFlow;

/// A position of a game, and whether the side to move won.
#[derive(Clone, Copy, Debug)]
pub struct FitPosition {
    pub terms: Terms,
    pub side: Player,
    pub won: bool,
    /// The index of the game.
    pub game: u64,
}

/// Plays game number `index` of the series with this seed: two to seven random moves, then the
/// engine until it has proved a result. Returns the positions in which territories are still in
/// contact.
pub fn play(seed: u64, nodes: u64, index: u64, engine: &mut AmazonsEngine) -> Vec<FitPosition> {
    engine.new_game();
    let mut rng = rng::stream(seed, index, "tune");
    let Some(mut record) = random_opening(Amazons::start(&NoRules), 2, 6, &mut rng) else {
        return Vec::new();
    };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut positions: Vec<FitPosition> = Vec::new();
    let outcome = play_out(&mut record, |record, side| {
        let terms = Terms::of(record.current());
        if !separated(record.current()) && terms.w > 0 {
            positions.push(FitPosition { terms, side, won: false, game: index });
        }
        let mut score = Score::Cp(0);
        let m = engine.search(record, &limits, &Control::new(), &mut |info| {
            score = info.score.unwrap_or(score);
        });
        match score {
            Score::Mate(plies) if plies > 0 => ControlFlow::Break(Outcome::Win(side)),
            Score::Mate(_) => ControlFlow::Break(Outcome::Win(side.opponent())),
            Score::Cp(_) => ControlFlow::Continue(m),
        }
    });
    for position in &mut positions {
        position.won = outcome == Some(Outcome::Win(position.side));
    }
    positions
}
