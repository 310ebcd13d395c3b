//! One game: two engines, one judge, two clocks.

use crate::engine::driver::memory_note;
use crate::engine::{Answer, Driver, Fault};
use crate::matches::adjudicate::{Adjudicator, Ruling};
use crate::matches::chance;
use crate::matches::clock::{RunningClock, go_limits};
use crate::matches::openings::open_checked;
use crate::matches::overhead::Overhead;
use crate::matches::schedule::Job;
use crate::matches::slot::{EngineSlot, GameAborted};
use crate::matches::tablebase::TablebaseAdjudicator;
use crate::matchlog::rule_pairs;
use crate::matchlog::{
    Adjudication, GameRecord, GameResult, OutputTail, PlyScore, PlyStats, Reason, Setting,
};
use agon_protocol::arbiter::{Arbiter, GameKind};
use agon_protocol::message::{Annotation, Info, Limits};
use agon_protocol::text::excerpt;
use agon_protocol::{Player, Turn};

/// What all games of a match have in common.
pub struct MatchContext {
    /// The rules.
    pub kind: GameKind,
    /// The rule options.
    pub rules: Vec<Setting>,
    /// The match's seed.
    pub seed: u64,
    /// What ends a game before the rules do.
    pub adjudication: Adjudication,
    /// What the games cost the referee.
    pub overhead: Overhead,
}

/// Somebody who watches a game; called after every move and chance outcome.
pub type Watch<'a> = &'a (dyn Fn(&Job, &dyn Arbiter, &str) + Sync);

/// How a game ended without anybody's fault.
type End = (GameResult, Reason, Option<String>);

/// How a game ended by an engine's fault.
struct Forfeit {
    culprit: Player,
    reason: Reason,
    detail: String,
}

struct Game<'a> {
    context: &'a MatchContext,
    job: Job,
    board: Box<dyn Arbiter>,
    /// What `position` names as the start; `None` for the game's own.
    fen: Option<String>,
    /// Moves since `fen`, those of the opening first.
    tokens: Vec<String>,
    opening_tokens: usize,
    by: String,
    clocks: [RunningClock; 2],
    stats: PlyStats,
    chance_events: u64,
    /// Who has offered a draw with the last move.
    offers: [bool; 2],
    /// What lies under the squares, where chance only uncovers: see [`chance::deal`].
    shuffle: Vec<(String, String)>,
}

/// Plays a game of a schedule. `seats` are the players', the first player's first; `tables` are
/// asked after every move if the match's terms say so.
pub fn play(
    context: &MatchContext,
    job: Job,
    opening: &str,
    mut seats: [&mut EngineSlot; 2],
    tables: Option<&mut TablebaseAdjudicator>,
    watch: Option<Watch<'_>>,
) -> Result<GameRecord, GameAborted> {
    let rules = rule_pairs(&context.rules);
    let board = open_checked(context.kind, opening, &rules)
        .map_err(|reason| GameAborted::Opening { opening: excerpt(opening), reason })?;
    let tokens = board.tokens();
    let mut game = Game {
        context,
        job,
        fen: (!opening.starts_with("startpos")).then(|| board.start_fen()),
        opening_tokens: tokens.len(),
        tokens,
        by: String::new(),
        clocks: [0, 1].map(|i| RunningClock::new(&seats[i].entry.limit)),
        stats: PlyStats::default(),
        chance_events: 0,
        offers: [false; 2],
        shuffle: chance::deal(context.seed, job.pair, &*board),
        board,
    };
    let end = game.run(&mut seats, tables, watch)?;
    context.overhead.game(game.stats.us.len());
    Ok(game.record(opening, end, &mut seats))
}

impl Game<'_> {
    /// Plays until the rules end the game or somebody offends.
    fn run(
        &mut self,
        seats: &mut [&mut EngineSlot; 2],
        mut tables: Option<&mut TablebaseAdjudicator>,
        watch: Option<Watch<'_>>,
    ) -> Result<Result<End, Forfeit>, GameAborted> {
        let context = self.context;
        let mut judge =
            (!context.adjudication.is_off()).then(|| Adjudicator::new(&context.adjudication));
        for player in Player::BOTH {
            if let Err(forfeit) = self.begin(player, seats[player.index()])? {
                return Ok(Err(forfeit));
            }
        }
        loop {
            let mut ruling = None;
            match self.board.turn() {
                Turn::Over(outcome) => return Ok(Ok((outcome.into(), Reason::Rules, None))),
                Turn::Chance => self.roll(),
                Turn::Player(player) => {
                    if let Err(forfeit) = self.turn(player, seats[player.index()])? {
                        return Ok(Err(forfeit));
                    }
                    ruling = judge.as_mut().and_then(|j| self.adjudicate(j, player));
                    ruling = self.agreed_draw().or(ruling);
                    if let (Some(tables), false) = (&mut tables, self.is_over()) {
                        ruling = tables.ruling(self.fen.as_deref(), &self.tokens)?.or(ruling);
                    }
                }
            }
            if let (Some(watch), Some(token)) = (watch, self.tokens.last()) {
                watch(&self.job, &*self.board, token);
            }
            if let Some((result, reason, detail)) = ruling {
                return Ok(Ok((result, reason, Some(detail))));
            }
        }
    }

    /// What the terms of the match say after a decision that did not end the game.
    fn adjudicate(&self, judge: &mut Adjudicator<'_>, mover: Player) -> Option<Ruling> {
        let score = self.stats.score.last().copied().flatten();
        let ruling = judge.after(mover, score, &*self.board);
        ruling.filter(|_| !self.is_over())
    }

    /// Whether the rules have ended the game.
    fn is_over(&self) -> bool {
        matches!(self.board.turn(), Turn::Over(_))
    }

    /// A draw, if both engines have said so in so many words, one after the other.
    fn agreed_draw(&self) -> Option<Ruling> {
        let agreed = !self.is_over() && self.offers == [true; 2];
        agreed.then(|| (GameResult::Draw, Reason::Agreement, "both engines offer a draw".into()))
    }

    /// Sees that the engine runs and knows that a new game begins.
    fn begin(
        &self,
        player: Player,
        seat: &mut EngineSlot,
    ) -> Result<Result<(), Forfeit>, GameAborted> {
        let started = seat.driver().map_err(|e| (e.interrupted, e.to_string()));
        let driver = match started {
            Ok(driver) => driver,
            Err((true, _)) => return Err(GameAborted::Interrupted),
            Err((false, detail)) => {
                return Ok(Err(Forfeit { culprit: player, reason: Reason::Crash, detail }));
            }
        };
        match driver.new_game() {
            Ok(time) => {
                self.context.overhead.round_trip(time);
                Ok(Ok(()))
            }
            Err(fault) => forfeit_by_fault(player, fault, "before the game").map(Err),
        }
    }

    /// Plays a chance outcome.
    fn roll(&mut self) {
        let outcomes = self.board.chance_tokens();
        let last = self.tokens.last();
        let dealt = self.shuffle.iter().find(|(decision, _)| Some(decision) == last);
        let drawn = match dealt {
            Some((_, outcome)) => Some(outcome.as_str()),
            None => chance::draw(self.context.seed, self.job.pair, self.chance_events, &outcomes),
        };
        self.chance_events += 1;
        // The rules list only outcomes that they accept.
        if let Some(token) = drawn.and_then(|t| self.board.push(t).ok()) {
            self.tokens.push(token);
            self.by.push('c');
        }
    }

    /// Asks a player for a move, and judges it.
    fn turn(
        &mut self,
        player: Player,
        seat: &mut EngineSlot,
    ) -> Result<Result<(), Forfeit>, GameAborted> {
        let forfeit = |reason, detail: String| Ok(Err(Forfeit { culprit: player, reason, detail }));
        let Some(driver) = &mut seat.driver else {
            return forfeit(Reason::Crash, "it is not running".into());
        };
        let clock = &self.clocks[player.index()];
        let allowed = clock.budget().map(|b| b + clock.margin());
        let limits = Limits {
            draw_offered: self.offers[player.opponent().index()],
            ..go_limits(&self.clocks, player)
        };
        // Where the rules hide a set-up from the player, its engine gets the position without it.
        let concealed = self.board.player_view_fen(player);
        let answer = match &concealed {
            Some(fen) => driver.go(Some(fen), &[], player, &limits, allowed),
            None => driver.go(self.fen.as_deref(), &self.tokens, player, &limits, allowed),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => return forfeit_by_fault(player, fault, "while it was to move").map(Err),
        };
        let last_error = driver.last_error().map_or(String::new(), |c| format!("; it said: {c}"));
        let over = self.clocks[player.index()].spend(answer.time);
        self.note(&answer);
        if let Some(over) = over.or_else(|| answer.late.then_some(answer.time)) {
            let over = over.as_micros() as f64 / 1000.0;
            return forfeit(Reason::Time, format!("overstepped its time by {over} ms{last_error}"));
        }
        if answer.remarks.contains(&Annotation::Resignation) {
            self.forget();
            return forfeit(Reason::Resignation, "resigns".into());
        }
        self.offers[player.index()] = answer.remarks.contains(&Annotation::DrawOffer);
        let Some(token) = answer.token.clone() else {
            self.forget();
            let moves = self.board.count_moves();
            let detail = format!("says it has no move, but has {moves}{last_error}");
            return forfeit(Reason::IllegalMove, detail);
        };
        match self.board.push(&token) {
            Ok(canonical) => {
                self.tokens.push(canonical);
                self.by.push(if player == Player::First { '1' } else { '2' });
                if seat.entry.ponder && concealed.is_none() {
                    return self.ponder(player, seat, &answer.info);
                }
                Ok(Ok(()))
            }
            Err(e) => {
                self.forget();
                forfeit(Reason::IllegalMove, format!("{e}{last_error}"))
            }
        }
    }

    /// Sets the engine that has just moved to think about the answer that it expects.
    fn ponder(
        &self,
        player: Player,
        seat: &mut EngineSlot,
        info: &Info,
    ) -> Result<Result<(), Forfeit>, GameAborted> {
        let Some(driver) = &mut seat.driver else { return Ok(Ok(())) };
        let mut board = self.board.boxed_clone();
        let expected = info.pv.get(1).and_then(|token| board.push(token).ok());
        // Nobody can think about dice that have not been cast.
        let (Some(expected), Turn::Player(next)) = (expected, board.turn()) else {
            return Ok(Ok(()));
        };
        if next != player || self.board.turn() != Turn::Player(player.opponent()) {
            return Ok(Ok(()));
        }
        let mut moves = self.tokens.clone();
        moves.push(expected);
        let limits = go_limits(&self.clocks, player);
        match driver.ponder(self.fen.as_deref(), moves, player, limits) {
            Ok(()) => Ok(Ok(())),
            Err(fault) => forfeit_by_fault(player, fault, "when told to ponder").map(Err),
        }
    }

    fn note(&mut self, answer: &Answer) {
        let Info { depth, nodes, score, .. } = answer.info;
        self.stats.us.push(u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX));
        self.stats.depth.push(depth);
        self.stats.nodes.push(nodes);
        self.stats.score.push(score.map(PlyScore));
    }

    /// Drops the figures of a move that was not played.
    fn forget(&mut self) {
        self.stats.us.pop();
        self.stats.depth.pop();
        self.stats.nodes.pop();
        self.stats.score.pop();
    }

    fn record(
        self,
        opening: &str,
        end: Result<End, Forfeit>,
        seats: &mut [&mut EngineSlot; 2],
    ) -> GameRecord {
        let (result, reason, detail, said) = match end {
            Ok((result, reason, detail)) => (result, reason, detail, OutputTail::default()),
            Err(forfeit) => {
                let seat = &mut seats[forfeit.culprit.index()];
                let mut detail = format!("{} {}", seat.entry.name, forfeit.detail);
                if forfeit.reason == Reason::Crash && seat.driver.is_some() {
                    detail.push_str(&memory_note(&seat.entry));
                }
                let said = if needs_restart(forfeit.reason) {
                    seat.discard()
                } else if !forfeit.reason.is_fault() {
                    OutputTail::default()
                } else {
                    seat.driver.as_mut().map_or_else(OutputTail::default, Driver::output_tail)
                };
                let winner = forfeit.culprit.opponent();
                (GameResult::won_by(winner), forfeit.reason, Some(detail), said)
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
            detail,
            fen: self.board.fen(),
            stats: self.stats,
            stderr: said.stderr,
            stdout: said.stdout,
        }
    }
}

/// Whether a program that did this must not play on.
fn needs_restart(reason: Reason) -> bool {
    matches!(reason, Reason::Crash | Reason::Hang | Reason::Flood | Reason::Protocol)
}

/// What a fault of a process means for the game.
fn forfeit_by_fault(culprit: Player, fault: Fault, when: &str) -> Result<Forfeit, GameAborted> {
    let reason = match &fault {
        Fault::Gone(_) => Reason::Crash,
        Fault::Silent(_) => Reason::Hang,
        Fault::Flood(_) => Reason::Flood,
        Fault::Interrupted => return Err(GameAborted::Interrupted),
    };
    Ok(Forfeit { culprit, reason, detail: format!("{when}: {fault}") })
}
