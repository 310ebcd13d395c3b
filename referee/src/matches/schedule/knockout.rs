//! Knockouts. The bracket is the usual one: seeds, in the order in which engines are listed, meet
//! as late as possible, and where their number is no power of two the best seeds have a bye in the
//! first round.
//!
//! A meeting that is level after its games is prolonged by a pair of games, then another, up to the
//! number that the schedule allows; if it is level even then, the better seed goes on.

use super::{Job, KnownGames, Results};
use crate::matchlog::Rounds;

/// Who stands at a place of the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Engine(usize),
    Bye,
    /// Results are wanting.
    Open,
}

/// The seeds in the order of the bracket's places.
fn bracket(entrants: usize) -> Vec<Place> {
    let mut seeds = vec![0];
    while seeds.len() < entrants {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|&s| [s, last - s]).collect();
    }
    seeds.iter().map(|&s| if s < entrants { Place::Engine(s) } else { Place::Bye }).collect()
}

/// The games that can be played now, and those that have been.
pub(super) fn known(rounds: &Rounds, results: &Results) -> KnownGames {
    let (jobs, last) = play_down(rounds, results);
    KnownGames { jobs: Box::new(jobs.into_iter()), complete: last != Place::Open }
}

/// Who is left, if only one is.
pub(super) fn winner(rounds: &Rounds, results: &Results) -> Option<usize> {
    match play_down(rounds, results).1 {
        Place::Engine(winner) => Some(winner),
        _ => None,
    }
}

/// Goes through the bracket as far as results reach.
fn play_down(rounds: &Rounds, results: &Results) -> (Vec<Job>, Place) {
    let mut field = bracket(rounds.entrants);
    let (mut jobs, mut slot, mut round) = (Vec::new(), 0, 0);
    while field.len() > 1 {
        field = field
            .chunks(2)
            .map(|two| {
                let number = (slot, round);
                slot += 1;
                match two {
                    [Place::Engine(a), Place::Engine(b)] => {
                        meet(rounds, results, number, [*a, *b], &mut jobs)
                    }
                    [one, Place::Bye] | [Place::Bye, one] => *one,
                    _ => Place::Open,
                }
            })
            .collect();
        round += 1;
    }
    jobs.sort_by_key(|job: &Job| job.game);
    (jobs, field.first().copied().unwrap_or(Place::Open))
}

/// Adds a meeting's games as far as they are known; who goes on.
fn meet(
    rounds: &Rounds,
    results: &Results,
    number: (u64, u64),
    engines: [usize; 2],
    jobs: &mut Vec<Job>,
) -> Place {
    let mut games = rounds.meeting(number, engines, 0..rounds.games);
    let winner = loop {
        match results.half_points(engines, &games) {
            None => break Place::Open,
            Some([a, b]) if a > b => break Place::Engine(engines[0]),
            Some([a, b]) if a < b => break Place::Engine(engines[1]),
            Some(_) => {
                let n = games.len() as u64;
                if n >= rounds.slot_games() {
                    break Place::Engine(engines[0].min(engines[1]));
                }
                games.extend(rounds.meeting(number, engines, n..n + 2));
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
                Place::Engine(s) => s + 1,
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
            // The last listed is the strongest: seeding must not matter to who wins.
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
        // Three meetings of two games and two more pairs each; 0 and 1 are in the final.
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
