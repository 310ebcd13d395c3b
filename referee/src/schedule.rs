//! The list of games of a match, made up front: a game's number says everything about it.

use crate::matchlog::{Schedule, Shard};

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its place in the schedule, from 0.
    pub game: u64,
    /// Its pair, from 0: same opening, same chance draws, sides swapped.
    pub pair: u64,
    /// The number of the pair within its pairing, which picks the opening.
    pub opening: u64,
    /// The engines, the first player first.
    pub players: [usize; 2],
}

/// All games of a schedule, in order. The games of a pairing alternate sides pair by pair; what
/// one side has more comes last, each game a pair of its own.
pub fn jobs(schedule: &Schedule) -> impl Iterator<Item = Job> + Send + use<> {
    let mut first_game = 0;
    let mut first_pair = 0;
    schedule.pairings.clone().into_iter().flat_map(move |pairing| {
        let [a, b] = pairing.engines;
        let [games_a, games_b] = pairing.games;
        let pairs = games_a.min(games_b);
        let surplus = games_a.max(games_b) - pairs;
        let (game0, pair0) = (first_game, first_pair);
        first_game += 2 * pairs + surplus;
        first_pair += pairs + surplus;
        (0..2 * pairs + surplus).map(move |i| {
            let number = if i < 2 * pairs { i / 2 } else { i - pairs };
            let a_first = if i < 2 * pairs { i % 2 == 0 } else { games_a > games_b };
            Job {
                game: game0 + i,
                pair: pair0 + number,
                opening: number,
                players: if a_first { [a, b] } else { [b, a] },
            }
        })
    })
}

/// Whether a job belongs to a shard. Pairs go round the shards, so that all get the same share of
/// every pairing.
pub fn in_shard(job: &Job, shard: Option<Shard>) -> bool {
    shard.is_none_or(|s| job.pair % s.of == s.part - 1)
}

/// Reads `K/N`, part K of N counted from 1.
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
    use crate::matchlog::Pairing;

    fn schedule(games: &[[u64; 2]]) -> Schedule {
        let pairings = games.iter().map(|&games| Pairing { engines: [0, 1], games }).collect();
        Schedule { form: "match".into(), pairings }
    }

    #[test]
    fn pairs_swap_sides_and_the_surplus_comes_last() {
        let jobs: Vec<Job> = jobs(&schedule(&[[4, 2], [0, 1]])).collect();
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
