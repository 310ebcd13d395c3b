//! Knockout tournaments with the usual bracket: engines are seeded in the order in which they are
//! listed, and seeds meet as late as possible. If the number of engines is not a power of two, the
//! best seeds have a bye in the first round.
//!
//! A drawn encounter is extended by pairs of games, one at a time, up to the schedule's limit. If
//! it is still drawn, the better seed advances.

use super::results::encounter;
use super::{KnownGames, Results, ScheduledGame};
use agon_matchlog::Rounds;

/// An entry of the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BracketEntry {
    /// An engine, as an index into the header's list.
    Engine(usize),
    /// Nobody: the other entry advances.
    Bye,
    /// Not decided yet.
    Open,
}

/// An encounter of the bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The two entries, upper one first.
    pub entries: [BracketEntry; 2],
    /// Its known games, tiebreaks included; none unless both entries are engines.
    pub jobs: Vec<ScheduledGame>,
    /// Half points of the two entries in the finished games.
    pub half_points: [u64; 2],
    /// The number of finished games.
    pub finished: usize,
    /// Who advances.
    pub winner: BracketEntry,
    /// Whether the winner advances as the better seed after a drawn encounter.
    pub by_seed: bool,
}

/// The entries of the first round, in order.
fn bracket(entrants: usize) -> Vec<BracketEntry> {
    let mut seeds = vec![0];
    while seeds.len() < entrants {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|&s| [s, last - s]).collect();
    }
    seeds
        .iter()
        .map(|&s| if s < entrants { BracketEntry::Engine(s) } else { BracketEntry::Bye })
        .collect()
}

/// The games whose engines are known.
pub(super) fn known(rounds: &Rounds, results: &Results) -> KnownGames {
    let rounds = encounters(rounds, results);
    let complete = last(&rounds) != BracketEntry::Open;
    let mut jobs: Vec<ScheduledGame> = rounds.into_iter().flatten().flat_map(|e| e.jobs).collect();
    jobs.sort_by_key(|job| job.game);
    KnownGames { jobs: Box::new(jobs.into_iter()), complete }
}

/// The winner, if the tournament is finished.
pub(super) fn winner(rounds: &Rounds, results: &Results) -> Option<usize> {
    match last(&encounters(rounds, results)) {
        BracketEntry::Engine(winner) => Some(winner),
        _ => None,
    }
}

fn last(rounds: &[Vec<Encounter>]) -> BracketEntry {
    rounds.last().and_then(|round| round.first()).map_or(BracketEntry::Open, |last| last.winner)
}

/// The encounters of each round, as far as the results decide them.
pub(super) fn encounters(rounds: &Rounds, results: &Results) -> Vec<Vec<Encounter>> {
    let mut field = bracket(rounds.entrants);
    let (mut all, mut slot) = (Vec::new(), 0);
    while field.len() > 1 {
        let round = all.len() as u64;
        let encounters: Vec<Encounter> = field
            .chunks_exact(2)
            .map(|two| {
                let number = (slot, round);
                slot += 1;
                let entries = [two[0], two[1]];
                match entries {
                    [BracketEntry::Engine(a), BracketEntry::Engine(b)] => {
                        meet(rounds, results, number, [a, b])
                    }
                    [one, BracketEntry::Bye] | [BracketEntry::Bye, one] => {
                        without_games(entries, one)
                    }
                    _ => without_games(entries, BracketEntry::Open),
                }
            })
            .collect();
        field = encounters.iter().map(|e| e.winner).collect();
        all.push(encounters);
    }
    all
}

fn without_games(entries: [BracketEntry; 2], winner: BracketEntry) -> Encounter {
    let (jobs, half_points) = (Vec::new(), [0, 0]);
    Encounter { entries, jobs, half_points, finished: 0, winner, by_seed: false }
}

/// An encounter of two engines with its known games.
fn meet(rounds: &Rounds, results: &Results, number: (u64, u64), engines: [usize; 2]) -> Encounter {
    let mut jobs = encounter(rounds, number, engines, 0..rounds.games);
    let mut by_seed = false;
    let winner = loop {
        match results.half_points(engines, &jobs) {
            None => break BracketEntry::Open,
            Some([a, b]) if a > b => break BracketEntry::Engine(engines[0]),
            Some([a, b]) if a < b => break BracketEntry::Engine(engines[1]),
            Some(_) => {
                let n = jobs.len() as u64;
                if n >= rounds.slot_games() {
                    by_seed = true;
                    break BracketEntry::Engine(engines[0].min(engines[1]));
                }
                jobs.extend(encounter(rounds, number, engines, n..n + 2));
            }
        }
    };
    let (half_points, finished) = results.so_far(engines, &jobs);
    Encounter {
        entries: engines.map(BracketEntry::Engine),
        jobs,
        half_points,
        finished,
        winner,
        by_seed,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ByResults as _;
    use super::super::results::tests::{game, play_all};
    use super::super::{KNOCKOUT, Schedule};
    use super::*;
    use agon_matchlog::GameResult;

    fn schedule(entrants: usize, tiebreak_pairs: u64) -> Schedule {
        let rounds = Rounds { entrants, rounds: 0, games: 2, tiebreak_pairs };
        Schedule {
            form: KNOCKOUT.into(),
            pairings: Vec::new(),
            rounds: Some(rounds),
            ..Schedule::default()
        }
    }

    #[test]
    fn the_best_seeds_meet_last() {
        let places = |n| {
            bracket(n).into_iter().map(|p| match p {
                BracketEntry::Engine(s) => s + 1,
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
    fn a_level_meeting_is_prolonged_and_then_the_better_seed_advances() {
        let schedule = schedule(4, 2);
        let (played, _) = play_all(&schedule, |_, _| std::cmp::Ordering::Equal);
        // Three encounters of two games and two more pairs each; 0 and 1 are in the final.
        assert_eq!(played.len(), 18);
        assert!(played[12..].iter().all(|j| j.players.contains(&0) && j.players.contains(&1)));
        let mut results = Results::default();
        let first: Vec<ScheduledGame> = schedule.known(&results).jobs.collect();
        assert_eq!(first.len(), 4, "nothing else is known before the first results");
        results.push(&game(&first[0], GameResult::Draw));
        results.push(&game(&first[1], GameResult::First));
        let now: Vec<ScheduledGame> = schedule.known(&results).jobs.collect();
        assert_eq!(now.len(), 4, "the decided meeting needs no more games: {now:?}");
    }

    #[test]
    fn the_bracket_shows_scores_and_who_advances() {
        let schedule = schedule(3, 1);
        let bracket = |results: &Results| schedule.bracket(results).unwrap();
        let mut results = Results::default();
        let first = bracket(&results);
        assert_eq!(first.len(), 2);
        assert_eq!(first[0][0].entries, [BracketEntry::Engine(0), BracketEntry::Bye]);
        assert_eq!(first[0][0].winner, BracketEntry::Engine(0));
        assert_eq!(first[1][0].entries, [BracketEntry::Engine(0), BracketEntry::Open]);
        assert_eq!(schedule.expected_games(&results), 4, "two games in each encounter");
        for job in first[0][1].jobs.clone() {
            results.push(&game(&job, GameResult::Draw));
        }
        let drawn = bracket(&results)[0][1].clone();
        assert_eq!((drawn.half_points, drawn.finished, drawn.jobs.len()), ([2, 2], 2, 4));
        assert_eq!(schedule.expected_games(&results), 6, "and a tiebreak");
        for job in &drawn.jobs[2..] {
            results.push(&game(job, GameResult::Draw));
        }
        let decided = &bracket(&results)[0][1];
        assert!(decided.by_seed && decided.winner == BracketEntry::Engine(1), "{decided:?}");
        assert_eq!(
            bracket(&results)[1][0].entries,
            [BracketEntry::Engine(0), BracketEntry::Engine(1)]
        );
    }
}
