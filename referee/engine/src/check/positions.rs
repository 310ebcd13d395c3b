//! Test positions for the checks, taken from random games.

use super::EngineUnderTest;
use agon_games::arbiter::Arbiter;
use agon_games::{Player, Turn, rng};
use agon_wire::message::Command;

/// The maximum length of a random game.
const MAX_PLIES: usize = 300;

/// A position and the moves that lead to it.
pub(super) struct TestPosition {
    fen: Option<String>,
    moves: Vec<String>,
    /// The board, used to check the engine's answers.
    pub board: Box<dyn Arbiter>,
}

impl TestPosition {
    /// The dialect's start position.
    pub fn start(subject: &EngineUnderTest) -> Result<TestPosition, String> {
        let fen = subject.dialect()?.start_fen().map(String::from);
        let board = subject
            .kind
            .open(fen.as_deref(), &subject.rule_pairs())
            .map_err(|e| format!("the start position: {e}"))?;
        Ok(TestPosition { fen, moves: Vec::new(), board })
    }

    /// The player to move; the first player if neither is to move.
    pub fn mover(&self) -> Player {
        self.board.turn().player().unwrap_or(Player::First)
    }

    /// The `position` command, or the player's view where the rules hide part of the position.
    pub fn command(&self) -> Command {
        match self.board.player_view_fen(self.mover()) {
            Some(fen) => Command::Position { fen: Some(fen), moves: Vec::new() },
            None => Command::Position { fen: self.fen.clone(), moves: self.moves.clone() },
        }
    }

    /// Plays a move or a chance outcome, if it is legal.
    pub fn push(&mut self, token: &str) -> Result<(), String> {
        let canonical = self.board.push(token).map_err(|e| e.to_string())?;
        self.moves.push(canonical);
        Ok(())
    }

    /// Plays chance outcomes until a player is to move or the game is over.
    pub fn play_chance(&mut self, stream: &mut rng::Stream) -> Result<(), String> {
        while self.board.turn() == Turn::Chance {
            let outcomes = self.board.chance_tokens();
            let weights = outcomes.iter().map(|o| o.1);
            let drawn = rng::weighted_index(stream, weights).and_then(|i| outcomes.get(i));
            let (token, _) = drawn.ok_or("chance has no outcome")?;
            self.push(token)?;
        }
        Ok(())
    }

    /// Plays a random legal move; returns `false` if the game is over.
    pub fn push_random(&mut self, stream: &mut rng::Stream) -> Result<bool, String> {
        let legal = self.board.legal_tokens();
        if legal.is_empty() {
            return Ok(false);
        }
        let token = &legal[rng::below(stream, legal.len() as u64) as usize];
        self.push(token)?;
        self.play_chance(stream)?;
        Ok(self.board.turn().player().is_some())
    }

    fn copy(&self) -> TestPosition {
        let board = self.board.boxed_clone();
        TestPosition { fen: self.fen.clone(), moves: self.moves.clone(), board }
    }
}

/// Positions of random games. Each game contributes the positions after a quarter, half and three
/// quarters, the one with the fewest moves, and the last one.
pub(super) fn random_game_positions(
    subject: &EngineUnderTest,
    games: u64,
) -> Result<Vec<TestPosition>, String> {
    let mut found = Vec::new();
    for game in 0..games {
        let mut stream = rng::stream(1, game, "positions of a check");
        let mut position = TestPosition::start(subject)?;
        position.play_chance(&mut stream)?;
        let mut all = vec![position.copy()];
        while all.len() < MAX_PLIES && position.push_random(&mut stream)? {
            all.push(position.copy());
        }
        let fewest = (0..all.len()).min_by_key(|&i| all[i].board.count_moves()).unwrap_or(0);
        let n = all.len();
        let mut wanted = vec![n / 4, n / 2, 3 * n / 4, fewest, n - 1];
        wanted.sort_unstable();
        wanted.dedup();
        found.extend(wanted.into_iter().map(|i| all[i].copy()));
    }
    Ok(found)
}
