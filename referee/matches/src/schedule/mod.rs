//! The schedule of a match: a game's number determines its engines, opening and chance events.
//!
//! Most formats fix the list of games in advance. In a knockout or a Swiss tournament, results
//! decide the pairings, but not the numbers of the games of an encounter. The list is a function of
//! the log, so these tournaments can also be resumed, split into shards and merged.

pub mod forms;
mod knockout;
mod results;
mod swiss;

pub use knockout::{BracketEntry, Encounter};
pub use results::Results;

use agon_base::ordinal::Ordinal;
use agon_matchlog::{KNOCKOUT, Pairing, SWISS, Schedule, Shard};

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its index in the schedule, from 0; people see [`ScheduledGame::number`].
    pub game: u64,
    /// Its pair, from 0: same opening, same chance events, sides swapped.
    pub pair: u64,
    /// The index of its opening; by default that of the pair within its pairing.
    pub opening: u64,
    /// The engines, the first player first.
    pub players: [usize; 2],
}

impl ScheduledGame {
    /// The number of the game as people see it.
    pub fn number(&self) -> Ordinal {
        Ordinal::of_index(self.game)
    }
}

/// All games that do not depend on results, in order. Sides alternate within each pair. Surplus
/// games of one side come last, each with its own pair number.
pub fn jobs(schedule: &Schedule) -> impl Iterator<Item = ScheduledGame> + Send + use<> {
    let mut first_game = 0;
    let mut first_pair = 0;
    let policy = schedule.opening_policy;
    schedule.pairings.clone().into_iter().zip(0..).flat_map(move |(pairing, encounter)| {
        let (game, pair) = (first_game, first_pair);
        first_game += pairing.games[0] + pairing.games[1];
        first_pair += pairing.pairs();
        (0..pairing.games[0] + pairing.games[1]).map(move |i| {
            let job = job(&pairing, i, game, pair);
            ScheduledGame { opening: policy.index(job.opening, job.pair, encounter), ..job }
        })
    })
}

/// Returns game `i` of a pairing; `game` and `pair` are its first numbers in the schedule.
fn job(pairing: &Pairing, i: u64, game: u64, pair: u64) -> ScheduledGame {
    let [games_a, games_b] = pairing.games;
    let in_pairs = 2 * games_a.min(games_b);
    let alternates = i < in_pairs;
    let number = match (alternates, pairing.unpaired) {
        (_, true) => i,
        (true, false) => i / 2,
        (false, false) => i - in_pairs / 2,
    };
    let a_first = if alternates { i.is_multiple_of(2) } else { games_a > games_b };
    let [a, b] = pairing.engines;
    ScheduledGame {
        game: game + i,
        pair: pair + number,
        opening: pairing.opening + number,
        players: if a_first { [a, b] } else { [b, a] },
    }
}

/// Finds the games that do not depend on results by their number.
pub struct JobIndex {
    /// Each pairing with its first game and its first pair, in order.
    pairings: Vec<(u64, u64, Pairing)>,
}

impl JobIndex {
    /// Of the pairings of a schedule.
    pub fn new(schedule: &Schedule) -> JobIndex {
        let (mut game, mut pair) = (0, 0);
        let pairings = schedule.pairings.iter().map(|pairing| {
            let at = (game, pair, pairing.clone());
            game += pairing.games[0] + pairing.games[1];
            pair += pairing.pairs();
            at
        });
        JobIndex { pairings: pairings.collect() }
    }

    /// The game with this number; `None` if it is not in the schedule.
    pub fn get(&self, number: u64) -> Option<ScheduledGame> {
        let after = self.pairings.partition_point(|(first, _, _)| *first <= number);
        let (game, pair, pairing) = self.pairings[..after].last()?;
        let i = number - game;
        (i < pairing.games[0] + pairing.games[1]).then(|| job(pairing, i, *game, *pair))
    }
}

/// The games whose engines are known.
pub struct KnownGames {
    /// The games in the order of their numbers, including finished games.
    pub jobs: Box<dyn Iterator<Item = ScheduledGame> + Send>,
    /// Whether these are all games of the schedule.
    pub complete: bool,
}

/// What a schedule is once there are results.
pub trait ByResults {
    /// The games that are known, given these results.
    fn known(&self, results: &Results) -> KnownGames;

    /// Half points from byes, by engine.
    fn byes(&self, results: &Results) -> Vec<u64>;

    /// The winner of a knockout; `None` for other formats and before the end.
    fn winner(&self, results: &Results) -> Option<usize>;

    /// The rounds of a knockout with their encounters; `None` for other formats.
    fn bracket(&self, results: &Results) -> Option<Vec<Vec<Encounter>>>;

    /// The number of games if no further encounter of a knockout needs a tiebreak; for other
    /// formats that of the schedule.
    fn expected_games(&self, results: &Results) -> u64;
}

impl ByResults for Schedule {
    fn known(&self, results: &Results) -> KnownGames {
        let (known, pairs) = match &self.rounds {
            None => return KnownGames { jobs: Box::new(jobs(self)), complete: true },
            Some(rounds) if self.form == KNOCKOUT => {
                (knockout::known(rounds, results), rounds.slot_pairs())
            }
            Some(rounds) => (swiss::known(rounds, results), rounds.slot_pairs()),
        };
        let policy = self.opening_policy;
        let jobs = known.jobs.map(move |job| {
            let encounter = job.pair / pairs.max(1);
            ScheduledGame { opening: policy.index(job.opening, job.pair, encounter), ..job }
        });
        KnownGames { jobs: Box::new(jobs), complete: known.complete }
    }

    fn byes(&self, results: &Results) -> Vec<u64> {
        match &self.rounds {
            Some(rounds) if self.form == SWISS => swiss::byes(rounds, results),
            _ => Vec::new(),
        }
    }

    fn winner(&self, results: &Results) -> Option<usize> {
        let rounds = self.rounds.as_ref().filter(|_| self.form == KNOCKOUT)?;
        knockout::winner(rounds, results)
    }

    fn bracket(&self, results: &Results) -> Option<Vec<Vec<Encounter>>> {
        let rounds = self.rounds.as_ref().filter(|_| self.form == KNOCKOUT)?;
        Some(knockout::encounters(rounds, results))
    }

    fn expected_games(&self, results: &Results) -> u64 {
        let (Some(bracket), Some(rounds)) = (self.bracket(results), &self.rounds) else {
            return self.games();
        };
        let games = |encounter: &Encounter| match encounter.entries {
            [BracketEntry::Engine(_), BracketEntry::Engine(_)] => encounter.jobs.len() as u64,
            [BracketEntry::Bye, _] | [_, BracketEntry::Bye] => 0,
            _ => rounds.games,
        };
        bracket.iter().flatten().map(games).sum()
    }
}

/// Whether a job belongs to a shard. Pairs are assigned to the shards cyclically, so that all get
/// the same share of every pairing.
pub fn in_shard(job: &ScheduledGame, shard: Option<Shard>) -> bool {
    shard.is_none_or(|s| job.pair % s.of == s.part - 1)
}

/// Parses `K/N`: part K of N, counted from 1.
pub fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err("expected K/N with K from 1 to N, such as 2/8".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::{Pairing, Rounds};

    fn schedule(games: &[[u64; 2]]) -> Schedule {
        let pairings = games
            .iter()
            .map(|&games| Pairing { engines: [0, 1], games, ..Pairing::default() })
            .collect();
        Schedule { form: "match".into(), pairings, rounds: None, ..Schedule::default() }
    }

    #[test]
    fn pairs_swap_sides_and_the_surplus_comes_last() {
        let jobs: Vec<ScheduledGame> = jobs(&schedule(&[[4, 2], [0, 1]])).collect();
        let index = JobIndex::new(&schedule(&[[4, 2], [0, 0], [0, 1]]));
        assert!(jobs.iter().all(|job| index.get(job.game) == Some(*job)));
        assert_eq!(index.get(7), None);
        let seen: Vec<_> = jobs.iter().map(|j| (j.game, j.pair, j.opening, j.players)).collect();
        assert_eq!(
            seen,
            [
                (0, 0, 0, [0, 1]),
                (1, 0, 0, [1, 0]),
                (2, 1, 1, [0, 1]),
                (3, 1, 1, [1, 0]),
                (4, 2, 2, [0, 1]),
                (5, 3, 3, [0, 1]),
                (6, 4, 0, [1, 0]),
            ]
        );
    }

    #[test]
    fn unpaired_games_alternate_sides_and_share_no_opening() {
        let pairing = Pairing { engines: [0, 1], games: [2, 1], opening: 5, unpaired: true };
        let schedule = Schedule {
            form: "sprt".into(),
            pairings: vec![pairing.clone(), pairing],
            ..Schedule::default()
        };
        let seen: Vec<_> =
            jobs(&schedule).map(|j| (j.game, j.pair, j.opening, j.players[0])).collect();
        let expected =
            [(0, 0, 5, 0), (1, 1, 6, 1), (2, 2, 7, 0), (3, 3, 5, 0), (4, 4, 6, 1), (5, 5, 7, 0)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_schedule_uses_as_many_openings_as_its_longest_pairing_has_pairs() {
        assert_eq!(schedule(&[[1, 1]]).openings(), 1);
        assert_eq!(schedule(&[[4, 2], [0, 1]]).openings(), 4);
        for schedule in [schedule(&[[4, 2], [7, 1]]), schedule(&[])] {
            let used = jobs(&schedule).map(|job| job.opening + 1).max();
            assert_eq!(used.unwrap_or(0), schedule.openings());
        }
    }

    #[test]
    fn openings_are_taken_by_the_policy() {
        use agon_matchlog::OpeningPolicy::{Encounter, Pair, Round};
        for (policy, expected) in [
            (Round, [0, 0, 1, 1, 0, 0, 1, 1]),
            (Encounter, [0, 0, 0, 0, 1, 1, 1, 1]),
            (Pair, [0, 0, 1, 1, 2, 2, 3, 3]),
        ] {
            let schedule = Schedule { opening_policy: policy, ..schedule(&[[2, 2], [2, 2]]) };
            let openings: Vec<u64> = jobs(&schedule).map(|job| job.opening).collect();
            assert_eq!(openings, expected, "{policy:?}");
            assert_eq!(schedule.openings(), expected[7] + 1, "{policy:?}");
            let rounds = Rounds { entrants: 4, rounds: 2, games: 4, tiebreak_pairs: 0 };
            let swiss = Schedule {
                form: SWISS.into(),
                rounds: Some(rounds),
                opening_policy: policy,
                ..Schedule::default()
            };
            let known: Vec<ScheduledGame> = swiss.known(&Results::default()).jobs.collect();
            let openings: Vec<u64> = known.iter().map(|job| job.opening).collect();
            assert_eq!(openings, expected, "{policy:?}");
            assert!(known.iter().all(|job| job.opening < swiss.openings()));
        }
    }

    #[test]
    fn every_game_is_in_exactly_one_shard_and_pairs_stay_together() {
        let schedule = schedule(&[[610, 498]]);
        for of in [1, 2, 3, 7] {
            for job in jobs(&schedule) {
                let holders: Vec<u64> =
                    (1..=of).filter(|&part| in_shard(&job, Some(Shard { part, of }))).collect();
                assert_eq!(holders, [job.pair % of + 1]);
            }
        }
    }

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(parse_shard("2/8"), Ok(Shard { part: 2, of: 8 }));
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(parse_shard(bad).is_err(), "{bad}");
        }
    }
}
