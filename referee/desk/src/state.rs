//! The state of the desk: a fold of the session's lines.

use super::action::{Action, JournalLine, Why};
use super::game::{DeskGame, DeskGameEnd, Proposal};
use super::setup::Setup;
use agon_games::arbiter::game;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_matches::events::ClockScope;
use agon_matchlog::rule_pairs;
use agon_web::clocks::{Clocks, Flag};

/// A remark with the number of its game; 0 before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The game.
    pub game: u32,
    /// When: milliseconds of the Unix clock.
    pub at: u64,
    /// What.
    pub action: Action,
}

/// The state after some lines.
#[derive(Clone)]
pub struct DeskState {
    /// The first line.
    pub setup: Setup,
    /// The games that were played before the one on the board.
    pub finished: Vec<DeskGame>,
    /// The game on the board; it stays there after its end until the next one begins.
    pub game: Option<DeskGame>,
    /// The number of lines.
    pub n: u64,
    /// When the last line was written.
    pub at: u64,
    /// Everything that is not a ply: clocks that were set, engines that failed, remarks.
    pub remarks: Vec<Remark>,
}

impl DeskState {
    /// The state before the first action.
    ///
    /// # Errors
    /// What is wrong with the set-up.
    pub fn new(setup: Setup) -> Result<DeskState, Phrase> {
        setup.check()?;
        let state =
            DeskState { setup, finished: Vec::new(), game: None, n: 0, at: 0, remarks: Vec::new() };
        state.start_position().map(|_| state)
    }

    /// The position in which its games begin.
    pub fn start_position(&self) -> Result<Box<dyn agon_games::arbiter::Arbiter>, Phrase> {
        let name = &self.setup.game;
        let kind = game(name).ok_or_else(|| phrase!("unknown game `{name}`", name))?;
        kind.open(None, &rule_pairs(&self.setup.rules)).map_err(|e| e.to_phrase())
    }

    /// All games, the one on the board last.
    pub fn games(&self) -> impl Iterator<Item = &DeskGame> {
        self.finished.iter().chain(&self.game)
    }

    /// The teams' points, doubled so that a draw counts 1.
    pub fn half_points(&self) -> [u32; 2] {
        let mut points = [0; 2];
        for end in self.games().filter_map(|game| game.end.as_ref()) {
            match end.winner {
                Some(team) => points[team] += 2,
                None => points.iter_mut().for_each(|p| *p += 1),
            }
        }
        points
    }

    /// The number of games that have ended.
    pub fn ended(&self) -> u32 {
        self.games().filter(|game| game.end.is_some()).count() as u32
    }

    /// The winner of the match; see [`Setup::decided`].
    pub fn decided(&self) -> Option<Option<usize>> {
        self.setup.decided(self.half_points(), self.ended())
    }

    /// The game in progress.
    ///
    /// # Errors
    /// If there is none.
    pub fn playing(&mut self) -> Result<&mut DeskGame, Phrase> {
        match &mut self.game {
            Some(game) if game.end.is_none() => Ok(game),
            Some(_) => Err(phrase!("the game has ended; begin the next one")),
            None => Err(phrase!("no game has begun")),
        }
    }

    /// The game in progress, if no fallen flag awaits a decision.
    fn undisputed(&mut self) -> Result<&mut DeskGame, Phrase> {
        let teams = self.setup.teams.clone();
        let game = self.playing()?;
        match game.clocks.fallen() {
            None => Ok(game),
            Some(flag) => Err(phrase!(
                "the flag of {team} has fallen: end the game as lost on time, or set that clock if the referee allows more time",
                team = teams[flag.team]
            )),
        }
    }

    /// The line to write if a flag has fallen by this time of day.
    pub fn flag_due(&self, now: u64) -> Option<Action> {
        let game = self.game.as_ref().filter(|game| game.end.is_none())?;
        let flag = game.clocks.falls().filter(|flag| flag.at <= now)?;
        Some(Action::Flag { team: flag.team, fell_at: flag.at })
    }

    /// The action that begins the next game.
    ///
    /// # Errors
    /// If a game is in progress, or the match is over.
    pub fn next_game(&self) -> Result<Action, Phrase> {
        if self.game.as_ref().is_some_and(|game| game.end.is_none()) {
            return Err(phrase!("a game is in progress; end it first"));
        }
        if self.decided().is_some() {
            return Err(phrase!("the match is over"));
        }
        let game = self.ended() + 1;
        Ok(Action::Begin { game, first: self.setup.first_team(game) })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// Why the line does not follow from those before; the state is then of no use.
    pub fn apply(&mut self, line: &JournalLine) -> Result<(), Phrase> {
        if line.n != self.n + 1 {
            return Err(phrase!(
                "it has the number {n}, expected {expected}",
                n = line.n,
                expected = self.n + 1
            ));
        }
        if line.at < self.at {
            return Err(phrase!(
                "its time {time} lies before that of the line above",
                time = line.at
            ));
        }
        self.act(&line.action, line.at)?;
        self.n = line.n;
        self.at = line.at;
        Ok(())
    }

    fn act(&mut self, action: &Action, at: u64) -> Result<(), Phrase> {
        match action {
            Action::Begin { game, first } => self.begin(*game, *first, at)?,
            Action::Play { token, by } => self.undisputed()?.play(token, *by, at)?,
            Action::Back { plies } => self.playing()?.back(*plies)?,
            Action::SetClock { team, left_ms, note } => {
                self.set_clock(*team, *left_ms, note, at)?
            }
            Action::Flag { team, fell_at } => {
                self.flag_fell(Flag { team: *team, at: *fell_at }, at)?;
            }
            Action::Run { team } => {
                team.map_or(Ok(()), check_team)?;
                let game = self.undisputed()?;
                let plies = game.plies.len();
                game.clocks.run(at, plies, *team);
            }
            Action::End { winner, why, note } => {
                winner.map_or(Ok(()), check_team)?;
                self.end(*winner, *why, note, at)?;
            }
            Action::Reopen => match &mut self.game {
                Some(game) if game.end.is_some() => game.end = None,
                _ => return Err(phrase!("no game has ended that could be reopened")),
            },
            Action::Propose { token, by, score, expected, depth, ms } => {
                let game = self.playing()?;
                game.proposal = Some(Proposal {
                    texts: game.board.move_texts(token).map_err(|e| e.to_phrase())?,
                    by: *by,
                    score: score.clone(),
                    expected: *expected,
                    depth: *depth,
                    ms: *ms,
                });
            }
            Action::Commit { player, hash } => {
                check_team(*player)?;
                self.chance_due()?.agreement.commit(*player, hash)?;
            }
            Action::Reveal { player, secret } => {
                check_team(*player)?;
                self.chance_due()?.agreement.reveal(*player, secret)?;
            }
            Action::Engine { .. } | Action::Resumed { .. } | Action::Note { .. } => {}
        }
        if !matches!(action, Action::Play { .. } | Action::Propose { .. } | Action::Begin { .. }) {
            let game = self.game.as_ref().map_or(0, |game| game.number);
            self.remarks.push(Remark { game, at, action: action.clone() });
        }
        Ok(())
    }

    fn set_clock(&mut self, team: usize, left_ms: i64, note: &str, at: u64) -> Result<(), Phrase> {
        check_team(team)?;
        if note.trim().is_empty() {
            return Err(phrase!("a clock is set with a note that says why"));
        }
        if left_ms.unsigned_abs() > 7 * 86_400_000 {
            return Err(phrase!("a clock holds at most a week"));
        }
        self.playing()?.clocks.set(at, team, left_ms);
        Ok(())
    }

    fn flag_fell(&mut self, flag: Flag, at: u64) -> Result<(), Phrase> {
        let clocks = &mut self.playing()?.clocks;
        if clocks.falls() != Some(flag) || flag.at > at {
            return Err(phrase!("by the clocks no flag fell then"));
        }
        clocks.fall(flag);
        Ok(())
    }

    fn chance_due(&mut self) -> Result<&mut DeskGame, Phrase> {
        let game = self.undisputed()?;
        match game.board.turn() {
            agon_games::Turn::Chance => Ok(game),
            _ => Err(phrase!("no roll is due")),
        }
    }

    fn begin(&mut self, number: u32, first: usize, at: u64) -> Result<(), Phrase> {
        let Action::Begin { game, first: due } = self.next_game()? else {
            return Err(phrase!("no game can begin"));
        };
        if (game, due) != (number, first) {
            let team = ["A", "B"][due];
            return Err(phrase!("game {n} is next, and team {team} moves first", n = game, team));
        }
        let rule = self.setup.clock;
        let left = match (rule.per, &self.game) {
            (ClockScope::Match, Some(last)) => last.clocks.left(at),
            _ => Clocks::full(rule),
        };
        let clocks = Clocks::new(rule, left);
        let begun = DeskGame::new(number, first, self.start_position()?, clocks, at);
        self.finished.extend(self.game.replace(begun));
        Ok(())
    }

    fn end(&mut self, winner: Option<usize>, why: Why, note: &str, at: u64) -> Result<(), Phrase> {
        let game = self.playing()?;
        match (why, game.ruled()) {
            (Why::Rules, None) => return Err(phrase!("by the rules the game is not over")),
            (Why::Rules, Some(ruled)) if ruled != winner => {
                return Err(phrase!("by the rules the game has another result"));
            }
            (Why::Resigned | Why::Time, _) if winner.is_none() => {
                return Err(phrase!("a team that resigns or loses on time leaves a winner"));
            }
            (Why::Agreed, _) if winner.is_some() => {
                return Err(phrase!("an agreed game is a draw"));
            }
            _ => {}
        }
        game.clocks.stop(at);
        game.end = Some(DeskGameEnd { winner, why, note: note.into(), at });
        game.proposal = None;
        Ok(())
    }
}

fn check_team(team: usize) -> Result<(), Phrase> {
    if team > 1 { Err(phrase!("team {n}: expected 0 for A or 1 for B", n = team)) } else { Ok(()) }
}
