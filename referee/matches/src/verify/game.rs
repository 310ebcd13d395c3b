//! Checks one game of a log: every move, chance event and clock by the rules, and the end, which must follow from the
//! last position, the clocks and the adjudication rules.

use crate::adjudicate::{Adjudicator, Ruling};
use crate::chance::Chance;
use crate::clock::RunningClock;
use crate::openings::open_checked;
use crate::schedule::ScheduledGame;
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::text::excerpt;
use agon_games::{Player, Turn};
use agon_matchlog::{GameRecord, GameResult, MatchHeader, Reason, rule_pairs};
use std::time::Duration;

/// Checks games of one match, each by itself.
pub struct GameChecker<'a> {
    header: &'a MatchHeader,
    kind: GameKind,
    rules: Vec<(String, String)>,
    /// The source of chance of each section of the log, where it is known.
    chances: Vec<Option<Chance>>,
}

/// A game on the way through its moves.
struct Replay<'a> {
    game: &'a GameRecord,
    job: ScheduledGame,
    board: Box<dyn Arbiter>,
    shuffle: Vec<(String, String)>,
    clocks: [RunningClock; 2],
    adjudicator: Option<Adjudicator<'a>>,
    /// What the adjudicator says after the last move.
    ruling: Option<Ruling>,
    events: u64,
    decisions: usize,
    last: Option<String>,
}

impl<'a> GameChecker<'a> {
    /// For the games of a log with this header. `chances` are the sources of the log's sections; where
    /// one is missing, dice and deals are not checked.
    pub fn new(
        header: &'a MatchHeader,
        kind: GameKind,
        chances: Vec<Option<Chance>>,
    ) -> GameChecker<'a> {
        GameChecker { header, kind, rules: rule_pairs(&header.rules), chances }
    }

    /// The source of chance of a game, if it is known.
    fn chance(&self, game: u64) -> Option<&Chance> {
        self.chances.get(self.header.section_of(game))?.as_ref()
    }

    /// Checks a game by the rules of the match, once [`agon_matchlog::GameReader`] has read it.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the first thing that is.
    pub fn check(&self, game: &GameRecord) -> Result<(), String> {
        let tokens: Vec<&str> = game.moves.split_whitespace().collect();
        let mut replay = self.start(game)?;
        for (ply, (token, by)) in tokens.iter().zip(game.by.bytes()).enumerate() {
            let is_last = ply + 1 == tokens.len();
            self.ply(&mut replay, token, by, is_last)
                .map_err(|reason| format!("ply {}: {reason}", ply + 1))?;
        }
        let fen = replay.board.fen();
        if game.fen != fen {
            return Err(format!("fen is `{}`: the moves lead to `{fen}`", excerpt(&game.fen)));
        }
        let end = Final {
            header: self.header,
            game,
            board: &*replay.board,
            ruling: replay.ruling,
            clocks: &replay.clocks,
        };
        end.check()
    }

    fn start<'g>(&'g self, game: &'g GameRecord) -> Result<Replay<'g>, String> {
        let board = open_checked(self.kind, &game.opening, &self.rules)
            .map_err(|reason| format!("opening `{}`: {reason}", excerpt(&game.opening)))?;
        let job =
            ScheduledGame { game: game.game, pair: game.pair, opening: 0, players: game.players };
        let shuffle = self.chance(game.game).map_or(Vec::new(), |c| c.deal(&job, &*board));
        let rules = &self.header.adjudication;
        Ok(Replay {
            game,
            job,
            last: board.tokens().pop(),
            board,
            shuffle,
            clocks: game.players.map(|p| RunningClock::new(&self.header.engines[p].limit)),
            adjudicator: (!rules.is_off()).then(|| Adjudicator::new(rules)),
            ruling: None,
            events: 0,
            decisions: 0,
        })
    }

    fn ply(&self, r: &mut Replay<'_>, token: &str, by: u8, is_last: bool) -> Result<(), String> {
        let mover = match (r.board.turn(), by) {
            (Turn::Over(_), _) => return Err("the game is over before it".into()),
            (Turn::Player(Player::First), b'1') => Some(Player::First),
            (Turn::Player(Player::Second), b'2') => Some(Player::Second),
            (Turn::Chance, b'c') => None,
            (turn, by) => {
                return Err(format!(
                    "`by` says {}: it is the turn of {}",
                    char::from(by),
                    match turn {
                        Turn::Player(Player::First) => "the first player (1)",
                        Turn::Player(Player::Second) => "the second player (2)",
                        _ => "chance (c)",
                    }
                ));
            }
        };
        if mover.is_none() {
            self.check_chance(r, token)?;
        }
        let canonical = r.board.push(token).map_err(|e| e.to_string())?;
        if canonical != token {
            return Err(format!("`{}` is written `{canonical}`", excerpt(token)));
        }
        r.last = Some(canonical);
        if let Some(mover) = mover {
            r.decided(mover, is_last)?;
        }
        Ok(())
    }

    /// Compares a chance outcome with the one that the seed or the secret gives.
    fn check_chance(&self, r: &mut Replay<'_>, token: &str) -> Result<(), String> {
        let event = r.events;
        r.events += 1;
        let Some(chance) = self.chance(r.job.game) else { return Ok(()) };
        let outcomes = r.board.chance_tokens();
        let dealt = r.shuffle.iter().find(|(decision, _)| Some(decision) == r.last.as_ref());
        let wanted = match dealt {
            Some((_, outcome)) => Some(outcome.as_str()),
            None => chance.draw(&r.job, event, &outcomes),
        };
        if wanted != Some(token) {
            let wanted = wanted.unwrap_or("nothing");
            return Err(format!("chance gave `{}`: expected `{wanted}`", excerpt(token)));
        }
        Ok(())
    }
}

impl Replay<'_> {
    /// Counts a decision that was played: its time and what the adjudicator says.
    fn decided(&mut self, mover: Player, is_last: bool) -> Result<(), String> {
        let time = self.game.stats.us.get(self.decisions).copied().unwrap_or(0);
        let score = self.game.stats.score.get(self.decisions).copied().flatten();
        self.decisions += 1;
        let clock = &mut self.clocks[mover.index()];
        let budget = clock.budget();
        if let Some(over) = clock.spend(Duration::from_micros(time)) {
            let left = budget.map_or(0.0, milliseconds);
            return Err(format!(
                "it took {:.3} ms with {left:.3} ms left, {:.3} ms more than clock and margin allow: \
                 expected a loss on time",
                milliseconds(Duration::from_micros(time)),
                milliseconds(over),
            ));
        }
        let Some(adjudicator) = &mut self.adjudicator else { return Ok(()) };
        let ruling = adjudicator.after(mover, score, &*self.board);
        self.ruling = ruling.filter(|_| !matches!(self.board.turn(), Turn::Over(_)));
        match &self.ruling {
            Some((_, _, detail)) if !is_last => {
                Err(format!("the game continues after its adjudication ({detail})"))
            }
            _ => Ok(()),
        }
    }
}

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
        // The reader of the log has refused draws.
        let Some(winner) = self.game.result.winner() else { return Ok(()) };
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
