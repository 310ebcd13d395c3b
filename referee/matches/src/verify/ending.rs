//! Checks the end of a game: result and reason must follow from the last position, the clocks and the
//! adjudication rules.

use crate::adjudicate::Ruling;
use crate::clock::RunningClock;
use agon_games::arbiter::Arbiter;
use agon_games::{Player, Turn};
use agon_matchlog::{GameRecord, GameResult, MatchHeader, Reason};
use std::time::Duration;

/// A duration in milliseconds, for messages.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// The state after the last move of a game.
pub struct Final<'a> {
    /// The match.
    pub header: &'a MatchHeader,
    /// The game as the log has it.
    pub game: &'a GameRecord,
    /// The last position.
    pub board: &'a dyn Arbiter,
    /// What the adjudicator says after the last move.
    pub ruling: Option<Ruling>,
    /// The clocks after the last move.
    pub clocks: &'a [RunningClock; 2],
}

impl Final<'_> {
    /// Checks result and reason.
    ///
    /// # Errors
    ///
    /// Says what they should be.
    pub fn check(&self) -> Result<(), String> {
        let (result, reason) = (self.game.result, self.game.reason);
        if let Turn::Over(outcome) = self.board.turn() {
            return self.expect(outcome.into(), Reason::Rules, "the rules ended the game");
        }
        if self.game.ending.is_some() {
            return Err("it names the rule that ended the game: no rule did".into());
        }
        match reason {
            Reason::Rules => {
                Err("reason is rules: the last position is not the end of a game".into())
            }
            Reason::Tablebase if self.header.adjudication.tables.is_some() => Ok(()),
            Reason::Tablebase => Err("reason is table: the match has no tablebase".into()),
            // Offers of a draw are not in the log.
            Reason::Agreement if result == GameResult::Draw => Ok(()),
            Reason::Agreement => Err(format!("result is {result:?}: expected a draw by agreement")),
            _ if reason.is_fault() => self.forfeit(),
            _ => match &self.ruling {
                Some((result, reason, detail)) => self.expect(*result, *reason, detail),
                None if reason == Reason::Resignation => self.forfeit(),
                None => Err(format!("reason is {}: it does not apply here", reason.name())),
            },
        }
    }

    fn expect(&self, result: GameResult, reason: Reason, why: &str) -> Result<(), String> {
        let name = |result| match result {
            GameResult::First => "first",
            GameResult::Second => "second",
            GameResult::Draw => "draw",
        };
        if self.game.result != result {
            let (is, wanted) = (name(self.game.result), name(result));
            return Err(format!("result is {is}: expected {wanted} ({why})"));
        }
        if self.game.reason != reason {
            let (is, wanted) = (self.game.reason.name(), reason.name());
            return Err(format!("reason is {is}: expected {wanted} ({why})"));
        }
        match (self.game.ending, self.board.ending()) {
            (Some(is), wanted) if reason == Reason::Rules && Some(is.0) != wanted => {
                let wanted = wanted.map_or("none", |e| e.name());
                Err(format!("ending is {}: expected {wanted}", is.0.name()))
            }
            _ => Ok(()),
        }
    }

    /// A game that a player lost by a fault or by resigning: the player to move, or one whose program
    /// failed before the game or while it pondered.
    fn forfeit(&self) -> Result<(), String> {
        let reason = self.game.reason;
        let Some(winner) = self.game.result.winner() else {
            return Err(format!("result is draw: expected a loss ({})", reason.name()));
        };
        let loser = winner.opponent();
        let engine = &self.header.engines[self.game.players[loser.index()]];
        let on_move = self.board.turn() == Turn::Player(loser);
        let at_own_move =
            matches!(reason, Reason::IllegalMove | Reason::Time | Reason::Resignation);
        let elsewhere = !at_own_move && (self.game.by.is_empty() || engine.ponder);
        if !on_move && !elsewhere {
            let side = if loser == Player::First { "first" } else { "second" };
            let name = reason.name();
            return Err(format!("the {side} player lost ({name}) without being to move"));
        }
        if reason == Reason::Time { self.exceeded_time(loser) } else { Ok(()) }
    }

    /// The last time in the statistics is that of the move that came too late.
    fn exceeded_time(&self, loser: Player) -> Result<(), String> {
        let time = Duration::from_micros(self.game.stats.us.last().copied().unwrap_or(0));
        let clock = &self.clocks[loser.index()];
        let Some(budget) = clock.budget() else { return Ok(()) };
        // The log has whole microseconds, the clock finer ones.
        let rounding = Duration::from_micros(self.game.by.len() as u64 + 1);
        let allowed = budget + clock.margin();
        if time + rounding < allowed {
            return Err(format!(
                "lost on time after {:.3} ms: clock and margin allow {:.3} ms",
                milliseconds(time),
                milliseconds(allowed)
            ));
        }
        Ok(())
    }
}
