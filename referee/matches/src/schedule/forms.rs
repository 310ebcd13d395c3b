//! Tournament formats and their schedules.

use super::{KNOCKOUT, SWISS};
use agon_matchlog::{Pairing, Rounds, Schedule};

/// A tournament format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Every two engines meet.
    RoundRobin,
    /// The first engines, the seeds, meet all others.
    Gauntlet,
    /// Losers are eliminated.
    Knockout,
    /// Engines with equal points meet, without rematches while that is possible.
    Swiss,
}

/// The format of a tournament and its parameters.
#[derive(Clone, Copy, Debug)]
pub struct TournamentFormat {
    /// The format.
    pub form: Form,
    /// The number of engines, at least two.
    pub entrants: usize,
    /// Games per encounter, at least one.
    pub games: u64,
    /// Whether the engines swap sides within a pair of games.
    pub swap: bool,
    /// Round robin and gauntlet: number of encounters of each pairing.
    pub cycles: u64,
    /// Gauntlet: number of seeds, which are the first engines.
    pub seeds: usize,
    /// Swiss: number of rounds; `None`: the minimum that can leave one unbeaten engine.
    pub rounds: Option<u64>,
    /// Knockout: maximum number of pairs that are added to a drawn encounter.
    pub tiebreak_pairs: u64,
}

/// Error: an invalid tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// Fewer than two engines.
    #[error("a tournament needs at least two engines; {0} given")]
    TooFew(usize),
    /// A knockout encounter must consist of pairs.
    #[error("a knockout needs an even number of games per encounter; {0} given")]
    OddEncounter(u64),
    /// Without swapped sides nobody can tell who is stronger in such a tournament.
    #[error("{0} needs games in pairs with swapped sides")]
    NoSwap(&'static str),
    /// Every engine is a seed.
    #[error("seeds: {seeds}, engines: {entrants}: there are no opponents")]
    Seeds {
        /// As given.
        seeds: usize,
        /// As given.
        entrants: usize,
    },
    /// There would be no games.
    #[error("{0} is 0: nothing would be played")]
    Nothing(&'static str),
}

impl TournamentFormat {
    /// Builds the schedule.
    pub fn schedule(&self) -> Result<Schedule, FormError> {
        if self.entrants < 2 {
            return Err(FormError::TooFew(self.entrants));
        }
        for (what, n) in
            [("the number of games", self.games), ("the number of cycles", self.cycles)]
        {
            if n == 0 {
                return Err(FormError::Nothing(what));
            }
        }
        let needs_swaps = match self.form {
            Form::Knockout => Some("a knockout"),
            Form::Swiss => Some("a Swiss tournament"),
            _ if self.cycles > 1 => Some("a double round"),
            _ => None,
        };
        if let (Some(form), false) = (needs_swaps, self.swap) {
            return Err(FormError::NoSwap(form));
        }
        match self.form {
            Form::RoundRobin => Ok(self.fixed("round-robin", &round_robin(self.entrants))),
            Form::Gauntlet => {
                if self.seeds == 0 || self.seeds >= self.entrants {
                    let TournamentFormat { seeds, entrants, .. } = *self;
                    return Err(FormError::Seeds { seeds, entrants });
                }
                let others = self.seeds..self.entrants;
                let encounters: Vec<[usize; 2]> =
                    others.flat_map(|o| (0..self.seeds).map(move |s| [s, o])).collect();
                Ok(self.fixed("gauntlet", &encounters))
            }
            Form::Knockout if !self.games.is_multiple_of(2) => {
                Err(FormError::OddEncounter(self.games))
            }
            Form::Knockout => Ok(self.by_results(KNOCKOUT, log2_up(self.entrants))),
            Form::Swiss => match self.rounds {
                Some(0) => Err(FormError::Nothing("the number of rounds")),
                rounds => {
                    Ok(self.by_results(SWISS, rounds.unwrap_or_else(|| log2_up(self.entrants))))
                }
            },
        }
    }

    /// Each cycle has its own openings and swaps the first player.
    fn fixed(&self, form: &str, encounters: &[[usize; 2]]) -> Schedule {
        let [more, fewer] = games_of_each(self.games, self.swap);
        let pairing = |cycle: u64, [a, b]: [usize; 2]| Pairing {
            engines: if cycle.is_multiple_of(2) { [a, b] } else { [b, a] },
            games: [more, fewer],
            opening: cycle * more,
            unpaired: false,
        };
        let cycles = (0..self.cycles).flat_map(|c| encounters.iter().map(move |m| pairing(c, *m)));
        Schedule { form: form.into(), pairings: cycles.collect(), ..Schedule::default() }
    }

    fn by_results(&self, form: &str, rounds: u64) -> Schedule {
        let tiebreak_pairs = if form == KNOCKOUT { self.tiebreak_pairs } else { 0 };
        let TournamentFormat { entrants, games, .. } = *self;
        Schedule {
            form: form.into(),
            rounds: Some(Rounds { entrants, rounds, games, tiebreak_pairs }),
            ..Schedule::default()
        }
    }
}

/// The number of games that each of two engines begins, if it is the first or the second of them.
pub fn games_of_each(games: u64, swap: bool) -> [u64; 2] {
    if swap { [games.div_ceil(2), games / 2] } else { [games, 0] }
}

/// The smallest n for which 2^n is at least the argument.
fn log2_up(n: usize) -> u64 {
    n.next_power_of_two().trailing_zeros().into()
}

/// All pairings of `n` engines, round by round. Nobody plays twice in a round, and the numbers of
/// games as first and as second player differ by at most one (circle method, as in Berger's
/// tables).
fn round_robin(n: usize) -> Vec<[usize; 2]> {
    let places = n.next_multiple_of(2);
    let mut encounters = Vec::new();
    for round in 0..places - 1 {
        for i in 0..places / 2 {
            let place = |k: usize| if k == 0 { places - 1 } else { (round + k) % (places - 1) };
            let (a, b) = (place(i), place(if i == 0 { places - 1 } else { places - 1 - i }));
            // The fixed place alternates by round, all others by their index in the round.
            let swap = if i == 0 { round % 2 == 1 } else { i % 2 == 1 };
            if a < n && b < n {
                encounters.push(if swap { [b, a] } else { [a, b] });
            }
        }
    }
    encounters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::jobs;
    use std::collections::BTreeMap;

    fn frame(form: Form, entrants: usize, games: u64) -> TournamentFormat {
        TournamentFormat {
            form,
            entrants,
            games,
            swap: true,
            cycles: 1,
            seeds: 1,
            rounds: None,
            tiebreak_pairs: 2,
        }
    }

    #[test]
    fn in_a_round_robin_everybody_meets_everybody_once_and_begins_half_the_time() {
        for n in 2..12 {
            let mut met = BTreeMap::new();
            let mut begun = vec![0i64; n];
            for [a, b] in round_robin(n) {
                *met.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
                begun[a] += 1;
                begun[b] -= 1;
            }
            assert_eq!(met.len(), n * (n - 1) / 2, "{n}");
            assert!(met.values().all(|&times| times == 1), "{n}: {met:?}");
            assert!(begun.iter().all(|d| d.abs() <= 1), "{n}: {begun:?}");
        }
    }

    #[test]
    fn nobody_plays_twice_in_a_round() {
        for n in [4, 6, 8] {
            for round in round_robin(n).chunks(n / 2) {
                let mut seen: Vec<usize> = round.iter().flatten().copied().collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..n).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_second_cycle_swaps_sides_and_takes_other_openings() {
        let twice = TournamentFormat { cycles: 2, ..frame(Form::RoundRobin, 3, 1) };
        let games: Vec<_> = jobs(&twice.schedule().unwrap()).collect();
        assert_eq!(games.len(), 6);
        for (one, other) in games[..3].iter().zip(&games[3..]) {
            assert_eq!(one.players, [other.players[1], other.players[0]]);
            assert_eq!((one.opening, other.opening), (0, 1));
        }
    }

    #[test]
    fn without_swaps_one_engine_of_each_pairing_begins_all_games() {
        let still = TournamentFormat { swap: false, ..frame(Form::RoundRobin, 3, 2) };
        let schedule = still.schedule().unwrap();
        assert!(!schedule.swaps_sides());
        assert!(frame(Form::RoundRobin, 3, 2).schedule().unwrap().swaps_sides());
        let games: Vec<_> = jobs(&schedule).collect();
        assert_eq!(games.len(), 6);
        for two in games.chunks(2) {
            assert_eq!(two[0].players, two[1].players);
            assert_ne!(two[0].pair, two[1].pair);
        }
    }

    #[test]
    fn in_a_gauntlet_seeds_meet_the_others_and_nobody_else_meets() {
        let two_seeds = TournamentFormat { seeds: 2, ..frame(Form::Gauntlet, 5, 4) };
        let schedule = two_seeds.schedule().unwrap();
        let encounters: Vec<_> = schedule.pairings.iter().map(|p| p.engines).collect();
        assert_eq!(encounters, [[0, 2], [1, 2], [0, 3], [1, 3], [0, 4], [1, 4]]);
        assert_eq!(schedule.games(), 24);
    }

    #[test]
    fn tournaments_that_cannot_be_played_are_refused() {
        let error = |f: TournamentFormat| f.schedule().unwrap_err();
        assert_eq!(error(frame(Form::Swiss, 1, 2)), FormError::TooFew(1));
        assert_eq!(error(frame(Form::Knockout, 4, 3)), FormError::OddEncounter(3));
        for form in [Form::Knockout, Form::Swiss] {
            let frame = TournamentFormat { swap: false, ..frame(form, 4, 2) };
            assert!(matches!(error(frame), FormError::NoSwap(_)));
        }
        assert!(matches!(
            error(TournamentFormat { seeds: 4, ..frame(Form::Gauntlet, 4, 2) }),
            FormError::Seeds { .. }
        ));
    }
}
