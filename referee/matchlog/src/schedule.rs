//! The games of a match in its header: pairings, rounds, the policy of openings, shards.

use serde::{Deserialize, Serialize};

/// The maximum number of games of a schedule.
pub const MAX_GAMES: u64 = 1_000_000_000;

/// The name of the knockout format in the header.
pub const KNOCKOUT: &str = "knockout";
/// The name of the Swiss format in the header.
pub const SWISS: &str = "swiss";

/// The games of a match, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// `match`, `sprt`, `round-robin`, `gauntlet`, `knockout` or `swiss`.
    pub form: String,
    /// The pairings that do not depend on results, in order.
    #[serde(default)]
    pub pairings: Vec<Pairing>,
    /// The rounds of the formats whose pairings depend on results (`knockout`, `swiss`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Rounds>,
    /// When the next opening is taken.
    #[serde(default, skip_serializing_if = "OpeningPolicy::is_round")]
    pub opening_policy: OpeningPolicy,
}

/// When the next opening is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpeningPolicy {
    /// The pairs of an encounter take one after another; all encounters of a round share them.
    #[default]
    Round,
    /// All games of an encounter have one opening, and every encounter has its own.
    Encounter,
    /// Every pair of games of the whole match takes the next one.
    Pair,
}

impl OpeningPolicy {
    /// Whether it is the default.
    pub fn is_round(&self) -> bool {
        *self == OpeningPolicy::Round
    }

    /// The index of a pair's opening, given its index in its encounter by the default policy, its
    /// number in the whole match, and the number of its encounter.
    pub fn index(self, in_round: u64, pair: u64, encounter: u64) -> u64 {
        match self {
            OpeningPolicy::Round => in_round,
            OpeningPolicy::Encounter => encounter,
            OpeningPolicy::Pair => pair,
        }
    }
}

/// The size of a tournament whose pairings depend on results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    /// The number of participants: the first engines of the header, in seed order.
    pub entrants: usize,
    /// Number of rounds.
    pub rounds: u64,
    /// Games per pairing.
    pub games: u64,
    /// Knockout: maximum number of pairs of games that are added to a tied pairing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tiebreak_pairs: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Games between two engines: first pairs from the same opening with sides swapped, then the
/// surplus games of the engine that is first player more often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairing {
    /// Indices into [`MatchHeader::engines`](crate::MatchHeader::engines).
    pub engines: [usize; 2],
    /// Number of games that each engine plays as the first player.
    pub games: [u64; 2],
    /// The index of the first opening.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub opening: u64,
    /// Whether every game has its own opening and chance outcomes, with alternating sides, instead
    /// of sharing them within a pair.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unpaired: bool,
}

/// Part `part` of `of` parts of a schedule, counted from 1. Pairs are never split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// From 1 to `of`.
    pub part: u64,
    /// The number of parts.
    pub of: u64,
}

impl Schedule {
    /// A match with these pairings.
    pub fn of_pairings(pairings: Vec<Pairing>) -> Schedule {
        Schedule { form: "match".into(), pairings, rounds: None, ..Schedule::default() }
    }

    /// A match between two engines; `games`: see [`Pairing::games`].
    pub fn of_two(games: [u64; 2]) -> Schedule {
        Schedule::of_pairings(vec![Pairing { engines: [0, 1], games, ..Pairing::default() }])
    }

    /// The number of games; an upper bound if pairings depend on results.
    pub fn games(&self) -> u64 {
        let fixed: u64 = self.pairings.iter().map(|p| p.games[0] + p.games[1]).sum();
        fixed + self.rounds.as_ref().map_or(0, |r| r.slots(&self.form) * r.slot_games())
    }

    /// Whether the engines of a pairing begin about the same number of games. If not, the score
    /// contains the advantage of moving first.
    pub fn swaps_sides(&self) -> bool {
        let one_begins_all = |p: &Pairing| p.games.contains(&0) && p.games[0] + p.games[1] > 1;
        !self.pairings.iter().any(one_begins_all)
    }

    /// The number of openings that the games use; an upper bound if pairings depend on results.
    pub fn openings(&self) -> u64 {
        let fixed = self.pairings.iter().map(|p| p.opening + p.pairs());
        let in_round = self.rounds.as_ref().map(|r| r.rounds * r.slot_games().div_ceil(2));
        let in_round = fixed.chain(in_round).max().unwrap_or(0);
        let slots = self.rounds.as_ref().map_or(0, |r| r.slots(&self.form));
        let slot_pairs = self.rounds.as_ref().map_or(0, Rounds::slot_pairs);
        let pairs = self.pairings.iter().map(Pairing::pairs).sum::<u64>() + slots * slot_pairs;
        self.opening_policy.index(in_round, pairs, self.pairings.len() as u64 + slots)
    }

    /// Whether pairings depend on results.
    pub fn needs_results(&self) -> bool {
        self.rounds.is_some()
    }

    /// The number of game numbers that the schedule needs; `None` if they do not fit.
    pub(super) fn checked_games(&self) -> Option<u64> {
        let pairings = self.pairings.iter().try_fold(0u64, |sum, p| {
            p.opening.checked_add(MAX_GAMES)?;
            sum.checked_add(p.games[0])?.checked_add(p.games[1])
        })?;
        let Some(r) = &self.rounds else { return Some(pairings) };
        let encounters = r.rounds.max(1).checked_mul(r.entrants as u64)?;
        let games = r.tiebreak_pairs.checked_mul(2)?.checked_add(r.games)?;
        pairings.checked_add(encounters.checked_mul(games)?)
    }
}

impl Pairing {
    /// The number of pair numbers that the pairing uses.
    pub fn pairs(&self) -> u64 {
        let [a, b] = self.games;
        if self.unpaired { a + b } else { a.max(b) }
    }
}

impl Rounds {
    /// The number of game numbers reserved for each encounter.
    pub fn slot_games(&self) -> u64 {
        self.games + 2 * self.tiebreak_pairs
    }

    /// The number of pair numbers reserved for each encounter.
    pub fn slot_pairs(&self) -> u64 {
        self.slot_games().div_ceil(2)
    }

    /// The maximum number of encounters.
    pub fn slots(&self, form: &str) -> u64 {
        if form == KNOCKOUT {
            (self.entrants.next_power_of_two() as u64).saturating_sub(1)
        } else {
            self.rounds * (self.entrants as u64 / 2)
        }
    }
}
