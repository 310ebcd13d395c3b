//! Continuations: lines of a log after which a match has more games than its header says.
//!
//! A continuation divides the log into sections. It may follow any line. Games from its number on draw
//! their chance and their openings from it; if the secret before it is revealed, it commits to a new one.

use super::entries::ChanceEntry;
use super::header::{Continuation, MatchHeader, OpeningsEntry};
use super::schedule::{MAX_GAMES, Pairing, Schedule};

/// A section of a log: what its games depend on, apart from the rest of the header.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The number of its first game.
    pub first: u64,
    /// The schedule of the match up to its end.
    pub schedule: Schedule,
    /// How dice and deals are decided.
    pub chance: ChanceEntry,
    /// The openings.
    pub openings: Option<OpeningsEntry>,
}

impl Continuation {
    /// The number of the first game after it.
    pub fn first(&self) -> u64 {
        self.from[0] + self.from[1]
    }
}

impl Pairing {
    /// Whether the games of `shorter` are the first ones of this pairing. In a pair that is not
    /// complete, the missing game comes next.
    fn extends(&self, shorter: &Pairing) -> bool {
        let same = Pairing { games: shorter.games, ..self.clone() } == *shorter;
        let [[a, b], [c, d]] = [shorter.games, self.games];
        let (pairs, more) = (a.min(b), c.min(d));
        let surplus = a.abs_diff(b);
        let fits = match more > pairs {
            true => surplus == 0 || surplus == 1 && a > b,
            false => surplus == 0 || (a > b) == (c > d),
        };
        same && more >= pairs && fits && c.checked_add(d).is_some_and(|n| n > a + b)
    }

    /// Whether one game of a pair of `self` is in `shorter` and the other one is not.
    fn divides_a_pair(&self, shorter: &Pairing) -> bool {
        let [[a, b], [c, d]] = [shorter.games, self.games];
        !self.unpaired && a != b && c.min(d) > a.min(b)
    }
}

impl Schedule {
    /// The only pairing of a match that can be continued.
    fn only_pairing(&self) -> Option<&Pairing> {
        match (self.pairings.as_slice(), &self.rounds) {
            ([pairing], None) => Some(pairing),
            _ => None,
        }
    }

    /// Whether this is the schedule of a match between two engines that begins with the games of
    /// `shorter` and has more of them.
    pub fn extends(&self, shorter: &Schedule) -> bool {
        let same = Schedule { pairings: shorter.pairings.clone(), ..self.clone() } == *shorter;
        let pairings = self.only_pairing().zip(shorter.only_pairing());
        same && pairings.is_some_and(|(longer, shorter)| longer.extends(shorter))
    }
}

impl MatchHeader {
    /// The sections of the log in order, at least one.
    pub fn sections(&self) -> Vec<Section> {
        let first = self.first();
        let mut sections = vec![Section {
            first: 0,
            schedule: first.schedule.clone(),
            chance: self.chance.clone(),
            openings: self.openings.clone(),
        }];
        sections.extend(self.continuations.iter().map(|c| Section {
            first: c.first(),
            schedule: with_games(&first.schedule, c.to),
            chance: c.chance.clone(),
            openings: c.openings.clone(),
        }));
        sections
    }

    /// The index of the section whose chance and openings a game has.
    pub fn section_of(&self, game: u64) -> usize {
        self.continuations.iter().take_while(|c| c.first() <= game).count()
    }

    /// The header as the log's first line has it.
    pub fn first(&self) -> MatchHeader {
        let mut first = MatchHeader { continuations: Vec::new(), ..self.clone() };
        if let Some(next) = self.continuations.first() {
            first.schedule = with_games(&self.schedule, next.from);
        }
        first
    }

    /// The header of the same games in one section; `None` if they draw from several secrets.
    pub fn in_one_section(&self) -> Option<MatchHeader> {
        let mut header = MatchHeader { continuations: Vec::new(), ..self.clone() };
        for continuation in &self.continuations {
            if continuation.chance != self.chance {
                return None;
            }
            header.openings.clone_from(&continuation.openings);
            if let Some(origin) = &mut header.origin {
                origin.join(continuation.origin.clone());
            }
        }
        Some(header)
    }

    /// Adds a continuation. `revealed`: whether the secret of the games before it is in the log.
    ///
    /// # Errors
    ///
    /// Says why no log of this match can have it.
    pub fn extend(&mut self, next: Continuation, revealed: bool) -> Result<(), String> {
        let Some(before) = self.schedule.only_pairing().cloned() else {
            return Err("only a match between two engines can be continued".into());
        };
        let now = Pairing { games: next.to, ..before.clone() };
        let (was, from, to) = (before.games, next.from, next.to);
        if from != was {
            return Err(format!("continue.from is {from:?}: expected {was:?}"));
        }
        if !now.extends(&before) || to[0] + to[1] > MAX_GAMES {
            return Err(format!(
                "continue.to is {to:?}: expected more games than {was:?} that begin with these, at \
                 most {MAX_GAMES}"
            ));
        }
        let last = self.continuations.last().map_or(&self.chance, |c| &c.chance);
        let is_known = |secret: &Option<String>| {
            let mut earlier = self.continuations.iter().map(|c| &c.chance);
            self.chance.commitment == *secret || earlier.any(|c| c.commitment == *secret)
        };
        if last.shared != next.chance.shared {
            return Err(format!("continue.chance.shared: expected {}", last.shared));
        }
        if !revealed && next.chance != *last {
            return Err("continue.chance: expected that of the games before".into());
        }
        if revealed && (next.chance.commitment.is_none() || is_known(&next.chance.commitment)) {
            return Err(
                "continue.chance: the secret before it is revealed: expected the commitment to \
                        another one"
                    .into(),
            );
        }
        if revealed && now.divides_a_pair(&before) {
            return Err(format!(
                "the second game of the last pair would have other dice and another opening than the \
                 first: only an even number of games can be continued, and there are {}",
                next.first()
            ));
        }
        if self.openings.is_some() != next.openings.is_some()
            || next.openings.as_ref().is_some_and(|o| o.count == 0)
        {
            return Err("continue.openings: expected openings as in the header".into());
        }
        self.schedule.pairings = vec![now];
        self.continuations.push(next);
        Ok(())
    }
}

/// A schedule with another number of games; others than those of two engines are left as they are.
fn with_games(schedule: &Schedule, games: [u64; 2]) -> Schedule {
    let mut schedule = schedule.clone();
    if let [pairing] = schedule.pairings.as_mut_slice() {
        pairing.games = games;
    }
    schedule
}
