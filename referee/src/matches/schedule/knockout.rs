//! Knockout tournaments with the usual bracket: engines are seeded in the order in which they are
//! listed, and seeds meet as late as possible. If the number of engines is not a power of two, the
//! best seeds have a bye in the first round.
//!
//! A drawn encounter is extended by pairs of games, one at a time, up to the schedule's limit. If
//! it is still drawn, the better seed advances.

use super::{Job, KnownGames, Results};
use crate::matchlog::Rounds;

/// An entry of the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Engine(usize),
    Bye,
    /// Not decided yet.
    Open,
}

/// The entries of the first round, in order.
fn bracket(entrants: usize) -> Vec<Entry> {
    let mut seeds = vec![0];
    while seeds.len() < entrants {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|&s| [s, last - s]).collect();
    }
    seeds.iter().map(|&s| if s < entrants { Entry::Engine(s) } else { Entry::Bye }).collect()
}

/// The games whose engines are known.
pub(super) fn known(rounds: &Rounds, results: &Results) -> KnownGames {
    let (jobs, last) = play_down(rounds, results);
    KnownGames { jobs: Box::new(jobs.into_iter()), complete: last != Entry::Open }
}

/// The winner, if the tournament is finished.
pub(super) fn winner(rounds: &Rounds, results: &Results) -> Option<usize> {
    match play_down(rounds, results).1 {
        Entry::Engine(winner) => Some(winner),
        _ => None,
    }
}

/// Plays through the bracket as far as the results allow.
fn play_down(rounds: &Rounds, results: &Results) -> (Vec<Job>, Entry) {
    let mut field = bracket(rounds.entrants);
    let (mut jobs, mut slot, mut round) = (Vec::new(), 0, 0);
    while field.len() > 1 {
        field = field
            .chunks(2)
            .map(|two| {
                let number = (slot, round);
                slot += 1;
                match two {
                    [Entry::Engine(a), Entry::Engine(b)] => {
                        meet(rounds, results, number, [*a, *b], &mut jobs)
                    }
                    [one, Entry::Bye] | [Entry::Bye, one] => *one,
                    _ => Entry::Open,
                }
            })
            .collect();
        round += 1;
    }
    jobs.sort_by_key(|job: &Job| job.game);
    (jobs, field.first().copied().unwrap_or(Entry::Open))
}

/// Adds the known games of an encounter; returns the engine that advances.
fn meet(
    rounds: &Rounds,
    results: &Results,
    number: (u64, u64),
    engines: [usize; 2],
    jobs: &mut Vec<Job>,
) -> Entry {
    let mut games = rounds.encounter(number, engines, 0..rounds.games);
    let winner = loop {
        match results.half_points(engines, &games) {
            None => break Entry::Open,
            Some([a, b]) if a > b => break Entry::Engine(engines[0]),
            Some([a, b]) if a < b => break Entry::Engine(engines[1]),
            Some(_) => {
                let n = games.len() as u64;
                if n >= rounds.slot_games() {
                    break Entry::Engine(engines[0].min(engines[1]));
                }
                games.extend(rounds.encounter(number, engines, n..n + 2));
            }
        }
    };
    jobs.extend(games);
    winner
}

#[cfg(test)]
mod tests {
    use super::super::results::tests::{game, play_all};
    use super::super::{KNOCKOUT, Schedule};
    use super::*;
    use crate::matchlog::GameResult;

    fn schedule(entrants: usize, tiebreak_pairs: u64) -> Schedule {
        let rounds = Rounds { entrants, rounds: 0, games: 2, tiebreak_pairs };
        Schedule { form: KNOCKOUT.into(), pairings: Vec::new(), rounds: Some(rounds) }
    }

    #[test]
    fn the_best_seeds_meet_last() {
        let places = |n| {
            bracket(n).into_iter().map(|p| match p {
                Entry::Engine(s) => s + 1,
                _ => 0,
            })
        };
        assert_eq!(places(8).collect::<Vec<_>>(), [1, 8, 4, 5, 2, 7, 3, 6]);
        assert_eq!(places(6).collect::<Vec<_>>(), [1, 0, 4, 5, 2, 0, 3, 6]);
    }

    #[test]
    fn the_strongest_wins_whatever_the_number_of_entrants() {
        for n in 2..20 {
            let schedule = schedule(n, 1);
            // The last engine listed is the strongest: seeding must not affect who wins.
            let (played, results) = play_all(&schedule, |a, b| a.cmp(&b));
            let meetings =
                played.iter().map(|j| j.game / 4).collect::<std::collections::BTreeSet<_>>();
            assert_eq!(meetings.len(), n - 1, "each meeting throws one engine out");
            let last = played.last().unwrap();
            assert!(last.players.contains(&(n - 1)), "{n}: {last:?}");
            assert!(schedule.known(&results).complete);
            assert!(played.iter().all(|j| j.game < schedule.games()));
        }
    }

    #[test]
    fn a_level_meeting_is_prolonged_and_then_the_better_seed_goes_on() {
        let schedule = schedule(4, 2);
        let (played, _) = play_all(&schedule, |_, _| std::cmp::Ordering::Equal);
        // Three encounters of two games and two more pairs each; 0 and 1 are in the final.
        assert_eq!(played.len(), 18);
        assert!(played[12..].iter().all(|j| j.players.contains(&0) && j.players.contains(&1)));
        let mut results = Results::default();
        let first: Vec<Job> = schedule.known(&results).jobs.collect();
        assert_eq!(first.len(), 4, "nothing else is known before the first results");
        results.push(&game(&first[0], GameResult::Draw));
        results.push(&game(&first[1], GameResult::First));
        let now: Vec<Job> = schedule.known(&results).jobs.collect();
        assert_eq!(now.len(), 4, "the decided meeting needs no more games: {now:?}");
    }
}
