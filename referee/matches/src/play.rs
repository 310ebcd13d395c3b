//! Plays one game: two engines and two clocks, with every move checked against the rules.

use crate::adjudicate::{Adjudicator, Ruling};
use crate::after_ply::{AfterPly, MoveReport};
use crate::chance::GameChance;
use crate::clock::{RunningClock, go_limits};
use crate::openings::open_checked;
use crate::overhead::Overhead;
use crate::schedule::ScheduledGame;
use crate::slot::{EngineSlot, GameAborted};
use crate::tablebase::TablebaseAdjudicator;
use agon_engine::{Driver, Fault, GoAnswer, StartFault, memory_note, stall};
use agon_games::arbiter::{Arbiter, GameKind};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use agon_games::{MoveError, Player, Turn};
use agon_matchlog::rule_pairs;
use agon_matchlog::{
    Adjudication, EngineEntry, GameRecord, GameResult, OutputTail, PlyScore, PlyStats, Reason,
    RuleEnding, Setting, Timestamp, now,
};
use agon_wire::message::{Annotation, Info, Limits};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The settings that all games of a match share.
pub struct MatchContext {
    /// The rules.
    pub kind: GameKind,
    /// The rule options.
    pub rules: Vec<Setting>,
    /// The source of dice and deals.
    pub chance: GameChance,
    /// The adjudication settings.
    pub adjudication: Adjudication,
    /// The referee's overhead: processor time and round-trip latency.
    pub overhead: Overhead,
}

/// Callback after every move and chance outcome of a game.
pub type GameWatch<'a> = &'a (dyn Fn(&ScheduledGame, &dyn Arbiter, &str, &AfterPly) + Sync);

/// The end of a game without a fault.
type GameEnding = (GameResult, Reason, Option<Phrase>);

/// A game that an engine loses by a fault or by resigning.
struct Forfeit {
    loser: Player,
    reason: Reason,
    /// The cause; in messages it follows the engine's name.
    detail: Phrase,
}

/// The cause for which a game stops before the rules or an adjudication end it.
enum StopCause {
    Forfeit(Forfeit),
    Abort(GameAborted),
}

impl StopCause {
    fn forfeit(loser: Player, reason: Reason, detail: Phrase) -> StopCause {
        StopCause::Forfeit(Forfeit { loser, reason, detail })
    }
}

impl From<GameAborted> for StopCause {
    fn from(cause: GameAborted) -> StopCause {
        StopCause::Abort(cause)
    }
}

struct GameInPlay<'a> {
    context: &'a MatchContext,
    job: ScheduledGame,
    board: Box<dyn Arbiter>,
    /// The start position in the `position` command; `None` for the game's start position.
    fen: Option<String>,
    /// Moves and chance outcomes since `fen`, including the opening's moves.
    tokens: Vec<String>,
    opening_tokens: usize,
    by: String,
    clocks: [RunningClock; 2],
    stats: PlyStats,
    /// The principal variation of the last decision.
    line: Vec<String>,
    chance_events: u64,
    /// Whether each player offered a draw with its last move.
    offers: [bool; 2],
    /// The outcomes of a game that is dealt before it begins; see [`Chance::deal`].
    shuffle: Vec<(String, String)>,
    start: Timestamp,
    begun: Instant,
}

/// Plays a game of a schedule. `slots` are the engines, the first player's first. With tablebase
/// adjudication, `tablebase` is probed after every move.
pub fn play(
    context: &MatchContext,
    job: ScheduledGame,
    opening: &str,
    mut slots: [&mut EngineSlot; 2],
    tablebase: Option<&mut TablebaseAdjudicator>,
    watch: Option<GameWatch<'_>>,
) -> Result<GameRecord, GameAborted> {
    let rules = rule_pairs(&context.rules);
    let board = open_checked(context.kind, opening, &rules)
        .map_err(|reason| GameAborted::Opening { opening: excerpt(opening), reason })?;
    let tokens = board.tokens();
    let mut game = GameInPlay {
        context,
        job,
        fen: (!opening.starts_with("startpos")).then(|| board.start_fen()),
        opening_tokens: tokens.len(),
        tokens,
        by: String::new(),
        clocks: [0, 1].map(|i| RunningClock::new(&slots[i].entry.limit)),
        stats: PlyStats::default(),
        line: Vec::new(),
        chance_events: 0,
        offers: [false; 2],
        shuffle: context.chance.deal(&job, &*board),
        start: now(),
        begun: Instant::now(),
        board,
    };
    let end = match game.run(&mut slots, tablebase, watch) {
        Ok(end) => Ok(end),
        Err(StopCause::Forfeit(forfeit)) => Err(forfeit),
        Err(StopCause::Abort(cause)) => {
            if matches!(cause, GameAborted::Stalled(_)) {
                // An engine may still think about its move.
                slots.iter_mut().for_each(|slot| drop(slot.kill()));
            }
            return Err(cause);
        }
    };
    context.overhead.game(game.stats.us.len());
    Ok(game.record(opening, end, &mut slots))
}

impl GameInPlay<'_> {
    /// Plays until the rules or an adjudication end the game, or an engine forfeits it.
    fn run(
        &mut self,
        slots: &mut [&mut EngineSlot; 2],
        mut tablebase: Option<&mut TablebaseAdjudicator>,
        watch: Option<GameWatch<'_>>,
    ) -> Result<GameEnding, StopCause> {
        let context = self.context;
        let mut adjudicator =
            (!context.adjudication.is_off()).then(|| Adjudicator::new(&context.adjudication));
        for player in Player::BOTH {
            self.begin(player, slots[player.index()])?;
        }
        loop {
            let mut ruling = None;
            match self.board.turn() {
                Turn::Over(outcome) => return Ok((outcome.into(), Reason::Rules, None)),
                Turn::Chance => self.roll(),
                Turn::Player(player) => {
                    self.turn(player, slots[player.index()])?;
                    ruling = adjudicator.as_mut().and_then(|a| self.adjudicate(a, player));
                    ruling = self.agreed_draw().or(ruling);
                    if let (Some(tablebase), false) = (&mut tablebase, self.is_over()) {
                        ruling = tablebase.ruling(self.fen.as_deref(), &self.tokens)?.or(ruling);
                    }
                }
            }
            if let (Some(watch), Some(token)) = (watch, self.tokens.last()) {
                watch(&self.job, &*self.board, token, &self.after_ply());
            }
            if let Some((result, reason, detail)) = ruling {
                return Ok((result, reason, Some(Phrase::Plain(detail))));
            }
        }
    }

    fn after_ply(&self) -> AfterPly {
        let mover = match self.by.as_bytes().last() {
            Some(b'1') => Some(Player::First),
            Some(b'2') => Some(Player::Second),
            _ => None,
        };
        let report = mover.map(|mover| MoveReport::last(mover, &self.stats, &self.line));
        AfterPly { clocks: [0, 1].map(|i| self.clocks[i].left()), report }
    }

    /// Returns the ruling after a decision that did not end the game by the rules.
    fn adjudicate(&self, adjudicator: &mut Adjudicator<'_>, mover: Player) -> Option<Ruling> {
        let score = self.stats.score.last().copied().flatten();
        let ruling = adjudicator.after(mover, score, &*self.board);
        ruling.filter(|_| !self.is_over())
    }

    /// Whether the rules have ended the game.
    fn is_over(&self) -> bool {
        matches!(self.board.turn(), Turn::Over(_))
    }

    /// Returns a draw if both engines offered one with their last moves.
    fn agreed_draw(&self) -> Option<Ruling> {
        let agreed = !self.is_over() && self.offers == [true; 2];
        agreed.then(|| (GameResult::Draw, Reason::Agreement, "both engines offer a draw".into()))
    }

    /// Starts the engine if it does not run and announces a new game.
    fn begin(&self, player: Player, slot: &mut EngineSlot) -> Result<(), StopCause> {
        let (begin, entry) = (Instant::now(), Arc::clone(&slot.entry));
        let driver = slot.driver().map_err(|e| match e.cause {
            StartFault::Interrupted => StopCause::Abort(GameAborted::Interrupted),
            StartFault::Machine => StopCause::Abort(GameAborted::Machine(e.to_phrase())),
            StartFault::Engine | StartFault::Fields => match long_stall(begin) {
                Some(stall) => GameAborted::Stalled(stalled(stall, &entry)).into(),
                None => {
                    let detail = phrase!("does not start: {reason}", reason = e.reason);
                    StopCause::forfeit(player, Reason::Crash, detail)
                }
            },
        })?;
        driver.enter_game(Some(self.job.number()));
        let overhead = &self.context.overhead;
        let latency = driver.new_game().map_err(|f| {
            excuse_hang(stop_by_fault(player, f, phrase!("before the game")), begin, &entry)
        })?;
        if let Some(latency) = latency.filter(|_| overhead.wants_latency()) {
            overhead.latency(latency);
        }
        Ok(())
    }

    /// Plays a chance outcome.
    fn roll(&mut self) {
        let outcomes = self.board.chance_tokens();
        let last = self.tokens.last();
        let dealt = self.shuffle.iter().find(|(decision, _)| Some(decision) == last);
        let drawn = match dealt {
            Some((_, outcome)) => Some(outcome.as_str()),
            None => self.context.chance.draw(&self.job, self.chance_events, &outcomes),
        };
        self.chance_events += 1;
        // The rules list only outcomes that they accept.
        if let Some(token) = drawn.and_then(|t| self.board.push(t).ok()) {
            self.tokens.push(token);
            self.by.push('c');
        }
    }

    /// Requests a move from an engine and plays it if it is legal and in time.
    fn turn(&mut self, player: Player, slot: &mut EngineSlot) -> Result<(), StopCause> {
        let forfeit = |reason, detail: Phrase| Err(StopCause::forfeit(player, reason, detail));
        let Some(driver) = &mut slot.driver else {
            return forfeit(Reason::Crash, phrase!("is not running"));
        };
        let clock = &self.clocks[player.index()];
        let allowed = clock.budget().map(|b| b + clock.margin());
        let limits = Limits {
            draw_offered: self.offers[player.opponent().index()],
            ..go_limits(&self.clocks, player)
        };
        let begin = Instant::now();
        // If the rules hide part of the position from a player, its engine gets that player's view.
        let view = self.board.player_view_fen(player);
        let answer = match &view {
            Some(fen) => driver.go(Some(fen), &[], player, &limits, allowed),
            None => driver.go(self.fen.as_deref(), &self.tokens, player, &limits, allowed),
        };
        let answer = answer.map_err(|f| {
            excuse_hang(stop_by_fault(player, f, phrase!("during its move")), begin, &slot.entry)
        })?;
        let stall = stall::between(begin, Instant::now());
        let error = driver.last_error().map_or(String::new(), |e| format!("; engine error: {e}"));
        let over = self.clocks[player.index()].spend(answer.time);
        self.push_stats(&answer, stall);
        if let Some(over) = over.or_else(|| answer.late.then_some(answer.time)) {
            if over <= stall {
                return Err(GameAborted::Stalled(stalled(stall, &slot.entry)).into());
            }
            let over = over.as_micros() as f64 / 1000.0;
            let detail = phrase!("loses on time by {over} ms{error}", over, error);
            return forfeit(Reason::Time, detail);
        }
        if answer.annotations.contains(&Annotation::Resignation) {
            self.pop_stats();
            return forfeit(Reason::Resignation, phrase!("resigns"));
        }
        self.offers[player.index()] = answer.annotations.contains(&Annotation::DrawOffer);
        let Some(token) = answer.token.clone() else {
            self.pop_stats();
            let moves = self.board.count_moves();
            let detail =
                phrase!("no move in a position with {moves} legal moves{error}", moves, error);
            return forfeit(Reason::IllegalMove, detail);
        };
        match self.board.push(&token) {
            Ok(canonical) => {
                self.tokens.push(canonical);
                self.by.push(if player == Player::First { '1' } else { '2' });
                if slot.entry.ponder && view.is_none() {
                    self.ponder(player, slot, &answer)?;
                }
                Ok(())
            }
            Err(MoveError::Syntax { text, reason } | MoveError::Illegal { text, reason }) => {
                self.pop_stats();
                forfeit(
                    Reason::IllegalMove,
                    phrase!("`{text}` ({reason}){error}", text, reason, error),
                )
            }
        }
    }

    /// Starts pondering: the engine that has just moved thinks about the reply that it predicts.
    fn ponder(
        &self,
        player: Player,
        slot: &mut EngineSlot,
        answer: &GoAnswer,
    ) -> Result<(), StopCause> {
        let Some(driver) = &mut slot.driver else { return Ok(()) };
        let mut board = self.board.boxed_clone();
        // A reply that is not legal is not pondered on.
        let expected = answer.expected().and_then(|token| board.push(token).ok());
        // Before a chance event there is no position to ponder on.
        let (Some(expected), Turn::Player(next)) = (expected, board.turn()) else {
            return Ok(());
        };
        if next != player || self.board.turn() != Turn::Player(player.opponent()) {
            return Ok(());
        }
        let mut moves = self.tokens.clone();
        moves.push(expected);
        let limits = go_limits(&self.clocks, player);
        let ponder = driver.ponder(self.fen.as_deref(), moves, player, limits);
        ponder.map_err(|f| stop_by_fault(player, f, phrase!("when told to ponder")))
    }

    /// Appends the search info of a move.
    fn push_stats(&mut self, answer: &GoAnswer, stall: Duration) {
        let Info { depth, nodes, leaves, score, .. } = answer.info;
        self.line.clone_from(&answer.info.pv);
        self.stats.us.push(u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX));
        self.stats.depth.push(depth);
        self.stats.nodes.push(nodes);
        self.stats.leaves.push(leaves);
        self.stats.score.push(score.map(PlyScore));
        self.stats.expected.push(answer.info.expected_score());
        self.stats.stall_ms.push(u64::try_from(stall.as_millis()).unwrap_or(u64::MAX));
    }

    /// Removes the search info of a move that was not played.
    fn pop_stats(&mut self) {
        self.stats.us.pop();
        self.stats.depth.pop();
        self.stats.nodes.pop();
        self.stats.leaves.pop();
        self.stats.score.pop();
        self.stats.expected.pop();
        self.stats.stall_ms.pop();
    }

    fn record(
        mut self,
        opening: &str,
        end: Result<GameEnding, Forfeit>,
        slots: &mut [&mut EngineSlot; 2],
    ) -> GameRecord {
        if self.stats.stall_ms.iter().all(|&ms| ms == 0) {
            self.stats.stall_ms.clear();
        }
        let (result, reason, detail, tail) = match end {
            Ok((result, reason, detail)) => (result, reason, detail, OutputTail::default()),
            Err(Forfeit { loser, reason, detail }) => {
                let slot = &mut slots[loser.index()];
                let mut detail = match reason {
                    Reason::IllegalMove => {
                        phrase!("illegal move by {name}: {detail}", name = slot.entry.name, detail)
                    }
                    _ => phrase!("{name} {detail}", name = slot.entry.name, detail),
                };
                if reason == Reason::Crash && slot.driver.is_some() {
                    detail = phrase!("{detail}{note}", detail, note = memory_note(&slot.entry));
                }
                let tail = if needs_restart(reason) {
                    slot.kill()
                } else if !reason.is_fault() {
                    OutputTail::default()
                } else {
                    slot.driver.as_mut().map_or_else(OutputTail::default, Driver::output_tail)
                };
                (GameResult::won_by(loser.opponent()), reason, Some(detail), tail)
            }
        };
        GameRecord {
            game: self.job.game,
            pair: self.job.pair,
            players: self.job.players,
            opening: opening.to_string(),
            moves: self.tokens[self.opening_tokens..].join(" "),
            by: self.by,
            result,
            reason,
            ending: self.board.ending().filter(|_| reason == Reason::Rules).map(RuleEnding),
            detail,
            fen: self.board.fen(),
            start: Some(self.start),
            // By the clock that times the moves: the system's may be set meanwhile.
            end: self.start.checked_add(whole_milliseconds(self.begun.elapsed())).ok(),
            worker: None,
            stats: self.stats,
            stderr: tail.stderr,
            stdout: tail.stdout,
        }
    }
}

/// Timestamps of a log have milliseconds.
fn whole_milliseconds(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// Whether the program must be restarted after a game with this end.
fn needs_restart(reason: Reason) -> bool {
    matches!(reason, Reason::Crash | Reason::Hang | Reason::Flood | Reason::Protocol)
}

/// Maps a fault of a process to the end of the game; `when` describes when it happened.
fn stop_by_fault(loser: Player, fault: Fault, when: Phrase) -> StopCause {
    let (reason, detail) = match fault {
        Fault::Gone(what) => (Reason::Crash, phrase!("disconnects {when}: {what}", when, what)),
        Fault::Silent(what) => (Reason::Hang, phrase!("stalls {when}: {what}", when, what)),
        Fault::Flood(what) => {
            (Reason::Flood, phrase!("floods its output {when}: {what}", when, what))
        }
        Fault::Unrequested(what) => {
            (Reason::Protocol, phrase!("breaks the protocol {when}: {what}", when, what))
        }
        Fault::Machine(what) => return StopCause::Abort(GameAborted::Machine(what)),
        Fault::Interrupted => return StopCause::Abort(GameAborted::Interrupted),
    };
    StopCause::forfeit(loser, reason, detail)
}

/// Replaces a hang that a stall of the machine explains: one of at least half of the time since
/// `begin`.
fn excuse_hang(stop: StopCause, begin: Instant, engine: &EngineEntry) -> StopCause {
    match (&stop, long_stall(begin)) {
        (StopCause::Forfeit(Forfeit { reason: Reason::Hang, .. }), Some(stall)) => {
            GameAborted::Stalled(stalled(stall, engine)).into()
        }
        _ => stop,
    }
}

/// The time for which the machine stalled since `begin`, if it is at least half of the time.
fn long_stall(begin: Instant) -> Option<Duration> {
    let now = Instant::now();
    let stall = stall::between(begin, now);
    (!stall.is_zero() && 2 * stall >= now.duration_since(begin)).then_some(stall)
}

fn stalled(stall: Duration, engine: &EngineEntry) -> Phrase {
    phrase!(
        "the machine stalled for {ms} ms while {name} had the move",
        ms = stall.as_millis(),
        name = engine.name
    )
}
