//! The players' clocks during a game.

use agon_games::Player;
use agon_matchlog::Limit;
use agon_wire::message::Limits;
use std::time::Duration;

/// The time that each player has left, first player first; `None` without a clock.
pub type ClocksLeft = [Option<Duration>; 2];

/// A player's clock during a game.
#[derive(Clone, Debug)]
pub struct RunningClock {
    limit: Limit,
    left: Duration,
    moves: u32,
}

impl RunningClock {
    /// The clock at the start of a game.
    pub fn new(limit: &Limit) -> RunningClock {
        let left = limit.clock.as_ref().map_or(0, |c| c.time_ms);
        RunningClock { limit: limit.clone(), left: Duration::from_millis(left), moves: 0 }
    }

    /// The time left on the clock; `None` without a clock.
    pub fn left(&self) -> Option<Duration> {
        self.limit.clock.as_ref().map(|_| self.left)
    }

    /// The time limit of the next move, without the margin; `None` if unlimited.
    pub fn budget(&self) -> Option<Duration> {
        let per_move = self.limit.move_ms.map(Duration::from_millis);
        match (&self.limit.clock, per_move) {
            (Some(_), Some(t)) => Some(self.left.min(t)),
            (Some(_), None) => Some(self.left),
            (None, per_move) => per_move,
        }
    }

    /// The time margin: how far a move may exceed its limit without losing.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.limit.margin_ms)
    }

    /// Subtracts the time of a move. Returns the excess over limit and margin, if any.
    pub fn spend(&mut self, time: Duration) -> Option<Duration> {
        let allowed = self.budget().map(|b| b + self.margin());
        self.moves += 1;
        if let Some(clock) = &self.limit.clock {
            self.left = self.left.saturating_sub(time) + Duration::from_millis(clock.increment_ms);
            if clock.moves.is_some_and(|n| self.moves.is_multiple_of(n)) {
                self.left += Duration::from_millis(clock.time_ms);
            }
        }
        allowed.and_then(|a| time.checked_sub(a)).filter(|over| !over.is_zero())
    }
}

/// Builds the limits of the `go` command for `mover`.
pub fn go_limits(clocks: &[RunningClock; 2], mover: Player) -> Limits {
    let own = &clocks[mover.index()];
    let time = RunningClock::left;
    let increment = |c: &RunningClock| {
        Duration::from_millis(c.limit.clock.as_ref().map_or(0, |c| c.increment_ms))
    };
    let mut limits = Limits {
        move_time: own.limit.move_ms.map(Duration::from_millis),
        depth: own.limit.depth,
        nodes: own.limit.nodes,
        ..Limits::default()
    };
    if let Some(clock) = &own.limit.clock {
        // Dialects send both clocks or none: for an opponent without a clock, send the mover's.
        limits.time = [0, 1].map(|i| time(&clocks[i]).or(Some(own.left)));
        limits.increment = [0, 1].map(|i| increment(&clocks[i]));
        limits.moves_to_go = clock.moves.map(|n| n - own.moves % n);
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::limits::set;

    fn limit(key: &str, value: &str) -> Limit {
        let mut limit = Limit::default();
        set(&mut limit, key, value).unwrap();
        limit
    }

    #[test]
    fn a_clock_gains_its_increment_and_a_new_control() {
        let ms = Duration::from_millis;
        let mut clock = RunningClock::new(&limit("tc", "2/1+0.1"));
        assert_eq!(clock.budget(), Some(ms(1000)));
        assert_eq!(clock.spend(ms(600)), None);
        assert_eq!(clock.budget(), Some(ms(500)));
        assert_eq!(clock.spend(ms(500)), None);
        assert_eq!(clock.budget(), Some(ms(1100)));
        assert_eq!(clock.spend(ms(1200)), Some(ms(100)));
    }

    #[test]
    fn a_move_within_the_margin_does_not_lose() {
        let ms = Duration::from_millis;
        let mut rules = limit("movetime", "100");
        rules.margin_ms = 50;
        let mut clock = RunningClock::new(&rules);
        assert_eq!(clock.spend(ms(150)), None);
        assert_eq!(clock.spend(ms(151)), Some(ms(1)));
    }
}
