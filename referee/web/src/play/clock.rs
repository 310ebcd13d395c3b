//! The clocks of a game against an engine: those of the desk. A move that is taken back gives its time back.

use super::super::answer::Refusal;
use super::super::clocks::{ClockRule, Clocks, Mode, is_set_up, on_duty};
use super::request::Level;
use agon_games::Player;
use agon_games::arbiter::Arbiter;
use agon_games::phrase::phrase;
use agon_games::text::excerpt;
use agon_matches::events::ClockScope;
use agon_matchlog::{Limit, limits};
use agon_wire::message::Limits;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The time for an engine's set-up, which is made before the clocks start.
const SET_UP: Duration = Duration::from_secs(1);

/// The least time that an engine is told.
const LEAST: Duration = Duration::from_millis(50);

/// The clocks of both players.
pub struct GameClock {
    rule: ClockRule,
    clocks: Clocks,
    /// The clocks count milliseconds from here.
    begin: Instant,
    /// What was left when each number of plies was on the board.
    history: Vec<[i64; 2]>,
}

/// Reads the time of each side, as `--tc` has it.
///
/// # Errors
///
/// Fails if it is none, or one for a number of moves.
pub fn rule(text: &str) -> Result<ClockRule, Refusal> {
    let mut limit = Limit::default();
    let is_read = limits::set(&mut limit, "tc", text.trim()).is_ok();
    let clock = limit.clock.filter(|clock| is_read && clock.moves.is_none());
    let clock = clock.ok_or_else(|| {
        Refusal::bad(phrase!(
            "clock `{text}`: expected TIME or TIME+INCREMENT in seconds or as m:ss, such as 5:00+3",
            text = excerpt(text)
        ))
    })?;
    let (time_ms, increment_ms) = (clock.time_ms, clock.increment_ms);
    Ok(ClockRule { time_ms, increment_ms, per: ClockScope::Game })
}

impl GameClock {
    /// Clocks that the next move starts, with `plies` on the board; `left` has what is left of a game that was begun
    /// before.
    pub fn new(rule: ClockRule, left: Option<[i64; 2]>, plies: usize) -> GameClock {
        let left = left.unwrap_or_else(|| Clocks::full(rule));
        let clocks = Clocks::new(rule, left);
        GameClock { rule, clocks, begin: Instant::now(), history: vec![left; plies + 1] }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// What is left, in milliseconds.
    pub fn left(&self) -> [i64; 2] {
        self.clocks.left(self.now())
    }

    /// Whether one of them runs.
    pub fn runs(&self) -> bool {
        self.clocks.running().is_some()
    }

    /// A ply is on the board now; `mover` made it, `None`: chance.
    pub fn played(&mut self, board: &dyn Arbiter, mover: Option<Player>) {
        let (now, tokens) = (self.now(), board.tokens());
        if tokens.last().is_some_and(|token| is_set_up(token)) {
            self.clocks.set_up(tokens.len());
        } else {
            let [mover, next] = [mover, on_duty(board)].map(|player| player.map(Player::index));
            self.clocks.played(now, tokens.len(), mover, next);
        }
        self.history.truncate(tokens.len());
        self.history.resize(tokens.len() + 1, self.clocks.left(now));
    }

    /// Plies have been taken back: both sides have what they had then.
    pub fn back(&mut self, board: &dyn Arbiter) {
        let tokens = board.tokens();
        self.history.truncate(tokens.len() + 1);
        let left = self.history.last().copied().unwrap_or_else(|| Clocks::full(self.rule));
        self.clocks = Clocks::new(self.rule, left);
        self.clocks.set_up(tokens.len());
        if tokens.iter().any(|token| !is_set_up(token)) {
            self.clocks.run(self.now(), tokens.len(), on_duty(board).map(Player::index));
        }
    }

    /// Stops both clocks if one runs: the game is over, or its engine is not there.
    pub fn hold(&mut self) {
        if self.runs() {
            self.clocks.stop(self.now());
        }
    }

    /// Lets a clock that was stopped run on.
    pub fn go_on(&mut self, board: &dyn Arbiter) {
        if self.clocks.mode() == Mode::Paused {
            let (now, next) = (self.now(), on_duty(board).map(Player::index));
            self.clocks.run(now, board.tokens().len(), next);
        }
    }

    /// The time until a flag falls.
    pub fn until_flag(&self) -> Option<Duration> {
        let flag = self.clocks.falls()?;
        Some(Duration::from_millis(flag.at.saturating_sub(self.now())))
    }

    /// The player whose flag has fallen just now.
    pub fn flag(&mut self) -> Option<Player> {
        let now = self.now();
        let flag = self.clocks.falls().filter(|flag| flag.at <= now)?;
        self.clocks.fall(flag);
        Some(Player::BOTH[flag.team])
    }

    /// The limits of an engine's search, and the time after which it is stopped: half of what is left, as at the desk.
    pub fn limits(&self, board: &dyn Arbiter, mover: Player, level: Level) -> (Limits, Duration) {
        if board.fen().ends_with(" setup") {
            return (Limits::with_move_time(SET_UP), 2 * SET_UP);
        }
        let time = |ms: i64| Duration::from_millis(u64::try_from(ms).unwrap_or(0)).max(LEAST);
        let left = self.left().map(time);
        let half = left[mover.index()] / 2;
        if let Level::MoveTime(ms) = level {
            return (Limits::with_move_time(Duration::from_millis(ms).min(half)), half);
        }
        let increment = [Duration::from_millis(self.rule.increment_ms); 2];
        let (limits, _) = level.limits();
        (Limits { time: left.map(Some), increment, ..limits }, half)
    }

    /// The clocks for the page.
    pub fn value(&self) -> Value {
        json!({
            "time_ms": self.rule.time_ms,
            "increment_ms": self.rule.increment_ms,
            "left_ms": self.left(),
            "running": self.clocks.running(),
        })
    }

    /// The time of each side as [`rule`] reads it.
    pub fn text(&self) -> String {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        format!("{}+{}", seconds(self.rule.time_ms), seconds(self.rule.increment_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter::game;

    #[test]
    fn a_clock_is_read_as_of_the_command_line() {
        let read = |text| rule(text).map(|rule| (rule.time_ms, rule.increment_ms)).ok();
        assert_eq!(read("5:00+3"), Some((300_000, 3000)));
        assert_eq!(read(" 90 "), Some((90_000, 0)));
        assert_eq!(read("45:00"), Some((2_700_000, 0)));
        for text in ["", "0", "40/5:00", "5 minutes", "-1", "5:00+x"] {
            assert_eq!(read(text), None, "{text}");
        }
        let clock = GameClock::new(rule("1:30+0.5").ok().unwrap(), None, 0);
        assert_eq!((clock.text().as_str(), clock.left()), ("90+0.5", [90_000; 2]));
    }

    #[test]
    fn moves_taken_back_give_their_time_back() {
        let mut board = game("nogo").unwrap().open(None, &[]).unwrap();
        let mut clock = GameClock::new(rule("60").ok().unwrap(), None, 0);
        assert!(!clock.runs() && clock.until_flag().is_none(), "the first move starts it");
        let wait = || std::thread::sleep(Duration::from_millis(200));
        let mut play = |clock: &mut GameClock, token: &str, mover| {
            board.push(token).unwrap();
            clock.played(&*board, Some(mover));
            board.boxed_clone()
        };
        let first = play(&mut clock, "a1", Player::First);
        wait();
        play(&mut clock, "b2", Player::Second);
        let [black, white] = clock.left();
        assert!(black > 59_000 && white <= 59_800, "{black} {white}");
        clock.back(&*first);
        let [black, white] = clock.left();
        assert!(black == 60_000 && white > 59_850, "{black} {white}");
        wait();
        assert!(clock.left()[1] < 60_000, "White's clock runs again");
        clock.hold();
        let held = clock.left();
        wait();
        assert_eq!(clock.left(), held);
        clock.go_on(&*first);
        wait();
        assert!(clock.left()[1] < held[1]);
        clock.back(&*game("nogo").unwrap().open(None, &[]).unwrap());
        assert_eq!((clock.left(), clock.runs()), ([60_000; 2], false));
    }

    #[test]
    fn a_flag_falls_once_and_an_engine_gets_half_of_its_time() {
        let mut board = game("nogo").unwrap().open(None, &[]).unwrap();
        let mut clock = GameClock::new(rule("0.4+1").ok().unwrap(), None, 0);
        board.push("a1").unwrap();
        clock.played(&*board, Some(Player::First));
        assert_eq!(clock.flag(), None);
        std::thread::sleep(clock.until_flag().unwrap() + Duration::from_millis(5));
        assert_eq!(
            (clock.flag(), clock.flag(), clock.left()),
            (Some(Player::Second), None, [400, 0])
        );
        let clock = GameClock::new(rule("10+1").ok().unwrap(), Some([9000, 4000]), 3);
        let (limits, half) = clock.limits(&*board, Player::Second, Level::Clock);
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!((limits.time, limits.nodes, Some(half)), ([ms(9000), ms(4000)], None, ms(2000)));
        let (limits, _) = clock.limits(&*board, Player::Second, Level::Nodes(5));
        assert_eq!((limits.time[1], limits.nodes), (ms(4000), Some(5)));
        let (limits, _) = clock.limits(&*board, Player::Second, Level::MoveTime(9000));
        assert_eq!((limits.time[1], limits.move_time), (None, ms(2000)));
    }
}
