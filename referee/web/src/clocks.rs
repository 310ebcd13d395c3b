//! Times of the desk: times of day that never run backwards, and the clocks of a game as a function of the times
//! of its actions.

use agon_games::arbiter::Arbiter;
use agon_games::{Player, Turn};
use agon_matches::events::ClockScope;
use serde::{Deserialize, Serialize};
use std::time::{Instant, SystemTime};

/// The system's clock when it was made, and the time that has passed since.
pub struct DayClock {
    begin: Instant,
    begin_ms: u64,
}

impl DayClock {
    /// A clock that shows no time before `earliest`, in milliseconds of the Unix clock: the system's
    /// clock may have been set back since a session was written.
    pub fn new(earliest: u64) -> DayClock {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        DayClock { begin: Instant::now(), begin_ms: now.max(earliest) }
    }

    /// Milliseconds of the Unix clock.
    pub fn now(&self) -> u64 {
        let passed = u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(0);
        self.begin_ms.saturating_add(passed)
    }
}

/// The player whose clock runs: the one that moves, or that moves after the roll that is due. `None`: the game is over.
pub fn on_duty(board: &dyn Arbiter) -> Option<Player> {
    match board.turn() {
        Turn::Player(player) => Some(player),
        Turn::Over(_) => None,
        Turn::Chance => {
            let (outcome, _) = board.chance_tokens().into_iter().next()?;
            let mut after = board.boxed_clone();
            after.push(&outcome).ok()?;
            after.turn().player()
        }
    }
}

/// Whether a token is an EinStein set-up, which is entered before the clocks start.
pub fn is_set_up(token: &str) -> bool {
    token.len() == 6 && token.bytes().all(|b| b.is_ascii_digit())
}

/// The time that a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockRule {
    /// Milliseconds per side; 0: the clocks count up from zero, and nobody loses on time.
    pub time_ms: u64,
    /// Milliseconds added after each move.
    pub increment_ms: u64,
    /// For which games the time is.
    pub per: ClockScope,
}

/// What starts and stops the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They have not started: the first roll or move starts them.
    Waiting,
    /// One of them runs.
    Running,
    /// Stopped by hand.
    Paused,
}

/// A flag that fell: a team's time ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Flag {
    /// Whose.
    pub team: usize,
    /// When: milliseconds of the Unix clock.
    pub at: u64,
}

/// The clocks of both teams, in milliseconds; times of day are milliseconds of the Unix clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    rule: ClockRule,
    left: [i64; 2],
    running: Option<usize>,
    since: u64,
    mode: Mode,
    /// The number of plies that the clocks have followed. While fewer are on the board, a mistake is
    /// being corrected, and the clocks stay as they are.
    followed: usize,
    /// The flag that fell and about which nobody has decided yet.
    fallen: Option<Flag>,
}

impl Clocks {
    /// Both clocks before a game.
    pub fn new(rule: ClockRule, left: [i64; 2]) -> Clocks {
        let mode = Mode::Waiting;
        Clocks { rule, left, running: None, since: 0, mode, followed: 0, fallen: None }
    }

    /// The time at the start of a match.
    pub fn full(rule: ClockRule) -> [i64; 2] {
        [i64::try_from(rule.time_ms).unwrap_or(i64::MAX); 2]
    }

    /// What is left at a time of day; not negative once the flag is recorded, which stops the clocks.
    pub fn left(&self, now: u64) -> [i64; 2] {
        let mut left = self.left;
        if let Some(team) = self.running {
            let passed = i64::try_from(now.saturating_sub(self.since)).unwrap_or(i64::MAX);
            left[team] = left[team].saturating_sub(passed);
        }
        left
    }

    /// The team whose clock runs.
    pub fn running(&self) -> Option<usize> {
        self.running
    }

    /// What starts and stops the clocks.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The flag that fell, until that clock is set to some time.
    pub fn fallen(&self) -> Option<Flag> {
        self.fallen
    }

    /// The flag that falls next, or has fallen unrecorded, if nothing happens meanwhile.
    pub fn falls(&self) -> Option<Flag> {
        let team = self.running.filter(|_| self.rule.time_ms > 0)?;
        let left = u64::try_from(self.left[team]).unwrap_or(0);
        Some(Flag { team, at: self.since.saturating_add(left) })
    }

    /// Records a flag that fell: both clocks stop as they stood then.
    pub fn fall(&mut self, flag: Flag) {
        self.stop(flag.at);
        self.fallen = Some(flag);
    }

    /// Whether a mistake is being corrected, with this many plies on the board.
    pub fn is_correcting(&self, plies: usize) -> bool {
        plies < self.followed
    }

    /// Subtracts the time that has passed, and lets another clock run.
    fn turn_to(&mut self, now: u64, team: Option<usize>) {
        self.left = self.left(now);
        self.since = now;
        self.running = team;
    }

    /// A ply was entered; now `plies` are on the board. `mover` made it, `None` for chance. `next` is
    /// the team that has to act; `None`: the game is over.
    pub fn played(&mut self, now: u64, plies: usize, mover: Option<usize>, next: Option<usize>) {
        if plies < self.followed {
            return;
        }
        let corrected = plies == self.followed;
        self.followed = plies;
        if self.mode == Mode::Paused {
            return;
        }
        // The clocks of a corrected ply have moved on when it was entered first.
        let gains = mover.filter(|_| self.mode == Mode::Running && !corrected);
        self.mode = Mode::Running;
        self.turn_to(now, next);
        if let Some(team) = gains {
            let increment = i64::try_from(self.rule.increment_ms).unwrap_or(0);
            self.left[team] = self.left[team].saturating_add(increment);
        }
    }

    /// A ply of the set-up was entered, which does not start the clocks.
    pub fn set_up(&mut self, plies: usize) {
        self.followed = self.followed.max(plies);
    }

    /// Sets a clock. More time for the team whose flag fell lets its clock run again.
    pub fn set(&mut self, now: u64, team: usize, left_ms: i64) {
        let running = self.running;
        self.turn_to(now, running);
        self.left[team] = left_ms;
        if left_ms > 0 && self.fallen.is_some_and(|flag| flag.team == team) {
            (self.fallen, self.running, self.mode) = (None, Some(team), Mode::Running);
        }
    }

    /// Starts a team's clock by hand, or stops both. With `plies` on the board, a correction is over.
    pub fn run(&mut self, now: u64, plies: usize, team: Option<usize>) {
        self.turn_to(now, team);
        self.followed = plies;
        self.mode = if team.is_some() { Mode::Running } else { Mode::Paused };
    }

    /// Stops both: the game has ended.
    pub fn stop(&mut self, now: u64) {
        self.turn_to(now, None);
        self.mode = Mode::Paused;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: ClockRule = ClockRule { time_ms: 10_000, increment_ms: 500, per: ClockScope::Game };

    fn clocks() -> Clocks {
        Clocks::new(RULE, Clocks::full(RULE))
    }

    #[test]
    fn the_first_move_starts_the_clocks_and_each_move_gains_the_increment() {
        let mut clocks = clocks();
        assert_eq!(clocks.left(99_000), [10_000, 10_000]);
        clocks.played(100_000, 1, Some(0), Some(1));
        assert_eq!(clocks.left(102_000), [10_000, 8_000]);
        clocks.played(103_000, 2, Some(1), Some(0));
        assert_eq!(clocks.left(104_000), [9_000, 7_500]);
        clocks.played(115_000, 3, Some(0), Some(1));
        assert_eq!(clocks.left(115_000), [-1_500, 7_500], "the flag has fallen");
    }

    /// A saved game, a session file and a request may have any number.
    #[test]
    fn no_time_is_too_long_or_too_short_to_count() {
        for left in [i64::MIN, i64::MAX] {
            let mut clocks = Clocks::new(RULE, [left; 2]);
            clocks.played(1000, 1, Some(0), Some(1));
            clocks.played(u64::MAX, 2, Some(1), Some(0));
            clocks.set(u64::MAX, 0, left);
            assert!(clocks.left(u64::MAX)[0] == left && clocks.falls().is_some());
        }
    }

    #[test]
    fn a_roll_belongs_to_the_player_who_moves_next_and_gains_nothing() {
        let mut clocks = clocks();
        clocks.played(1000, 1, None, Some(0));
        clocks.played(3000, 2, Some(0), Some(1));
        clocks.played(4000, 3, None, Some(1));
        assert_eq!(clocks.left(5000), [8_500, 8_000]);
    }

    #[test]
    fn a_correction_leaves_the_clocks_as_if_the_right_move_had_been_typed() {
        let (mut wrong, mut right) = (clocks(), clocks());
        for clocks in [&mut wrong, &mut right] {
            clocks.played(1000, 1, Some(0), Some(1));
            clocks.played(2000, 2, Some(1), Some(0));
        }
        // Two plies are taken back and entered again at 3 and 4 seconds.
        assert!(wrong.is_correcting(0) && wrong.is_correcting(1) && !wrong.is_correcting(2));
        wrong.played(3000, 1, Some(0), Some(1));
        wrong.played(4000, 2, Some(1), Some(0));
        assert_eq!(wrong.left(5000), right.left(5000));
        for clocks in [&mut wrong, &mut right] {
            clocks.played(6000, 3, Some(0), Some(1));
        }
        assert_eq!(wrong.left(7000), right.left(7000));
    }

    #[test]
    fn a_pause_lasts_until_a_clock_is_started_by_hand() {
        let mut clocks = clocks();
        clocks.played(0, 1, Some(0), Some(1));
        clocks.run(1000, 1, None);
        clocks.played(5000, 2, Some(1), Some(0));
        assert_eq!((clocks.left(60_000), clocks.mode()), ([10_000, 9_000], Mode::Paused));
        clocks.run(60_000, 2, Some(0));
        assert_eq!(clocks.left(61_000), [9_000, 9_000]);
        clocks.set(62_000, 0, 5_000);
        assert_eq!(clocks.left(63_000), [4_000, 9_000], "a clock that is set keeps running");
    }

    #[test]
    fn a_flag_stops_both_clocks_until_there_is_more_time() {
        let mut clocks = clocks();
        assert_eq!(clocks.falls(), None, "no clock runs");
        clocks.played(1000, 1, Some(0), Some(1));
        let flag = Flag { team: 1, at: 11_000 };
        assert_eq!(clocks.falls(), Some(flag));
        // It is noticed two seconds late.
        clocks.fall(flag);
        assert_eq!((clocks.left(13_000), clocks.running()), ([10_000, 0], None));
        assert_eq!((clocks.fallen(), clocks.falls()), (Some(flag), None));
        clocks.set(14_000, 0, 7_000);
        assert_eq!(clocks.fallen(), Some(flag), "the other clock");
        clocks.set(15_000, 1, 2_000);
        assert_eq!((clocks.left(16_000), clocks.fallen()), ([7_000, 1_000], None));
        assert_eq!(clocks.falls(), Some(Flag { team: 1, at: 17_000 }));
        // A clock that counts up has no flag.
        let rule = ClockRule { time_ms: 0, ..RULE };
        let mut free = Clocks::new(rule, Clocks::full(rule));
        free.played(1000, 1, Some(0), Some(1));
        assert_eq!(free.falls(), None);
    }
}
