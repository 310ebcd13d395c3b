//! What the dice and deals of a game that is played follow from: a source, or an earlier record of the game.

use super::source::Chance;
use crate::schedule::ScheduledGame;
use agon_games::arbiter::Arbiter;
use agon_matchlog::GameRecord;

/// The dice and deals of a game.
#[derive(Clone)]
pub enum GameChance {
    /// They follow from a seed or a secret.
    Source(Chance),
    /// They are those of a record, in order. What comes after them, in a game that went another way, is the
    /// first outcome each time.
    Recorded(Vec<String>),
}

impl From<Chance> for GameChance {
    fn from(source: Chance) -> GameChance {
        GameChance::Source(source)
    }
}

impl GameChance {
    /// The chance outcomes of a recorded game.
    pub fn of_record(game: &GameRecord) -> GameChance {
        let tokens = game.moves.split_whitespace().zip(game.by.bytes());
        let outcomes = tokens.filter(|(_, by)| *by == b'c').map(|(token, _)| token.into());
        GameChance::Recorded(outcomes.collect())
    }

    /// As [`Chance::deal`]; a record has the outcomes in the order in which they occur.
    pub fn deal(&self, job: &ScheduledGame, board: &dyn Arbiter) -> Vec<(String, String)> {
        match self {
            GameChance::Source(source) => source.deal(job, board),
            GameChance::Recorded(_) => Vec::new(),
        }
    }

    /// As [`Chance::draw`].
    pub fn draw<'a>(
        &self,
        job: &ScheduledGame,
        event: u64,
        outcomes: &'a [(String, u32)],
    ) -> Option<&'a str> {
        let recorded = match self {
            GameChance::Source(source) => return source.draw(job, event, outcomes),
            GameChance::Recorded(tokens) => {
                usize::try_from(event).ok().and_then(|event| tokens.get(event))
            }
        };
        let known = outcomes.iter().find(|(token, _)| Some(token) == recorded);
        known.or(outcomes.first()).map(|(token, _)| token.as_str())
    }
}
