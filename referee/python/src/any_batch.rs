//! Many games of one kind behind one interface.

use crate::any_game::{AnyGame, replayed};
use crate::outcome::{CHANCE, OVER, number, returns};
use agon_games::actions::{ActionError, Frame, Staged};
use agon_games::arbiter::{OpenError, start};
use agon_games::numbered::{Back, COMMON_PLANES, ForGame, Numbered};
use agon_games::{Player, Turn, rng};

/// Games that are played together.
pub trait AnyBatch: Send {
    fn len(&self) -> usize;
    fn frame(&self) -> Frame;
    fn action_count(&self) -> usize;
    fn plane_count(&self) -> usize;
    /// Plays an action in each game that is not over.
    ///
    /// # Errors
    /// The first game whose action is illegal; no action has then been played.
    fn play(&mut self, actions: &[i64]) -> Result<(), (usize, ActionError)>;
    fn pick(&self, units: &[f64], out: &mut [i64]);
    fn turns(&self, out: &mut [i8]);
    fn returns(&self, out: &mut [f32]);
    fn masks(&self, out: &mut [u8]);
    fn planes(&self, player: Option<Player>, out: &mut [u8]);
    fn is_over(&self, index: usize) -> bool;
    fn reset(&mut self, index: usize);
    fn game(&self, index: usize) -> Option<Box<dyn AnyGame>>;
}

struct Games<G: Staged> {
    start: Numbered<G>,
    games: Vec<Numbered<G>>,
    /// Whose turn it is in each game, to know it without a look at the game.
    turns: Vec<i8>,
    /// How to take back what one call plays; empty between calls.
    backs: Vec<(usize, Back<G::Undo>)>,
    /// The stream of each game's chance, if the batch draws it.
    streams: Vec<rng::Stream>,
}

impl<G: Staged> Games<G> {
    /// Draws chance outcomes until a player is to move.
    fn resolve_chance(&mut self, index: usize) {
        let game = &mut self.games[index];
        while let Some(stream) = self.streams.get_mut(index)
            && game.turn() == Turn::Chance
            && let Some(outcome) = game.pick(rng::unit(stream))
            && game.play(outcome.into()).is_ok()
        {}
        self.turns[index] = number(game.turn());
    }
}

impl<G: Staged> AnyBatch for Games<G> {
    fn len(&self) -> usize {
        self.games.len()
    }
    fn frame(&self) -> Frame {
        self.start.record().current().frame()
    }
    fn action_count(&self) -> usize {
        self.start.legal().size()
    }
    fn plane_count(&self) -> usize {
        G::PLANES.len() + COMMON_PLANES.len()
    }
    fn play(&mut self, actions: &[i64]) -> Result<(), (usize, ActionError)> {
        self.backs.clear();
        for (i, &action) in actions.iter().enumerate().take(self.games.len()) {
            if self.turns[i] == OVER {
                continue;
            }
            match self.games[i].play(action) {
                Ok(back) => {
                    self.turns[i] = number(self.games[i].turn());
                    self.backs.push((i, back));
                }
                Err(error) => {
                    for (i, back) in self.backs.drain(..).rev() {
                        self.games[i].take_back(back);
                        self.turns[i] = number(self.games[i].turn());
                    }
                    return Err((i, error));
                }
            }
        }
        if !self.streams.is_empty() {
            for i in 0..self.games.len() {
                if self.turns[i] == CHANCE {
                    self.resolve_chance(i);
                }
            }
        }
        Ok(())
    }
    fn pick(&self, units: &[f64], out: &mut [i64]) {
        for ((game, &unit), out) in self.games.iter().zip(units).zip(out) {
            *out = game.pick(unit).map_or(-1, i64::from);
        }
    }
    fn turns(&self, out: &mut [i8]) {
        out.copy_from_slice(&self.turns);
    }
    fn returns(&self, out: &mut [f32]) {
        for (game, out) in self.games.iter().zip(out.chunks_exact_mut(2)) {
            out.copy_from_slice(&returns(game.turn()));
        }
    }
    fn masks(&self, out: &mut [u8]) {
        let rows = out.chunks_exact_mut(self.action_count());
        self.games.iter().zip(rows).for_each(|(game, row)| game.legal().write_mask(row));
    }
    fn planes(&self, player: Option<Player>, out: &mut [u8]) {
        let size = self.plane_count() * self.frame().squares();
        for (game, out) in self.games.iter().zip(out.chunks_exact_mut(size)) {
            let player = player.or(game.turn().player()).unwrap_or(Player::First);
            game.write_planes(player, out);
        }
    }
    fn is_over(&self, index: usize) -> bool {
        self.turns.get(index) == Some(&OVER)
    }
    fn reset(&mut self, index: usize) {
        if let Some(game) = self.games.get_mut(index) {
            game.restart();
            self.resolve_chance(index);
        }
    }
    fn game(&self, index: usize) -> Option<Box<dyn AnyGame>> {
        self.games.get(index).map(replayed)
    }
}

struct Open<'a> {
    size: usize,
    fen: Option<&'a str>,
    seed: Option<u64>,
    settings: &'a [(String, String)],
}

impl ForGame for Open<'_> {
    type Output = Result<Box<dyn AnyBatch>, OpenError>;
    fn call<G: Staged>(self) -> Self::Output {
        let start = Numbered::new(start::<G>(self.fen, self.settings)?);
        let streams = self.seed.into_iter().flat_map(|seed| {
            (0..self.size as u64).map(move |index| rng::stream(seed, index, "batch"))
        });
        let games = vec![start.clone(); self.size];
        let turns = vec![number(start.turn()); self.size];
        let (streams, backs) = (streams.collect(), Vec::new());
        let mut batch = Games { start, games, turns, backs, streams };
        (0..self.size).for_each(|index| batch.resolve_chance(index));
        Ok(Box::new(batch))
    }
}

/// Opens so many games; `None` if there is none of this name.
pub fn open(
    name: &str,
    size: usize,
    fen: Option<&str>,
    seed: Option<u64>,
    settings: &[(String, String)],
) -> Option<Result<Box<dyn AnyBatch>, OpenError>> {
    agon_games::numbered::for_game(name, Open { size, fen, seed, settings })
}
