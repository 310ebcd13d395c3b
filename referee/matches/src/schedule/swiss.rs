//! Swiss tournaments. A round is paired when all games of the earlier rounds are finished.
//!
//! Engines are ranked by points, then by seed (the order in which they are listed). From the top,
//! each engine meets the first opponent that it has not met. Within its own score group the lower
//! half comes first, so that in the first round the upper half meets the lower. The search
//! backtracks from a choice that leaves an engine without an opponent; rematches happen only if
//! they are unavoidable. If the number of engines is odd, the lowest-ranked engine among those with
//! the fewest byes has a bye, which scores as a won encounter. If the number of games is odd, the
//! engine that was first player less often moves first.

use super::results::encounter;
use super::{KnownGames, Results, ScheduledGame};
use agon_matchlog::Rounds;
use std::cmp::Reverse;

/// The search budget, in choices, before one more rematch is allowed.
const BUDGET: u32 = 100_000;

/// The state of the tournament after some rounds.
struct SwissStandings {
    half_points: Vec<u64>,
    /// The number of encounters of each pair of engines.
    met: Vec<Vec<u32>>,
    byes: Vec<u32>,
    as_first: Vec<u32>,
}

/// The games whose engines are known.
pub(super) fn known(rounds: &Rounds, results: &Results) -> KnownGames {
    let (jobs, complete, _) = play_on(rounds, results);
    KnownGames { jobs: Box::new(jobs.into_iter()), complete }
}

/// Half points from byes, by engine.
pub(super) fn byes(rounds: &Rounds, results: &Results) -> Vec<u64> {
    let (_, _, standings) = play_on(rounds, results);
    standings.byes.iter().map(|&n| 2 * rounds.games * u64::from(n)).collect()
}

/// Plays through the rounds as far as the results allow. Returns the games, whether they are all
/// games, and the standings.
fn play_on(rounds: &Rounds, results: &Results) -> (Vec<ScheduledGame>, bool, SwissStandings) {
    let n = rounds.entrants;
    let mut standings = SwissStandings {
        half_points: vec![0; n],
        met: vec![vec![0; n]; n],
        byes: vec![0; n],
        as_first: vec![0; n],
    };
    let mut jobs: Vec<ScheduledGame> = Vec::new();
    let meetings = n as u64 / 2;
    for round in 0..rounds.rounds {
        let (pairs, bye) = standings.pair();
        let mut over = true;
        for (pair, slot) in pairs.into_iter().zip(round * meetings..) {
            let engines = standings.sides(pair, rounds.games);
            let games = encounter(rounds, (slot, round), engines, 0..rounds.games);
            match results.half_points(engines, &games) {
                Some(points) => standings.count(engines, points),
                None => over = false,
            }
            jobs.extend(games);
        }
        if let Some(bye) = bye {
            standings.half_points[bye] += 2 * rounds.games;
            standings.byes[bye] += 1;
        }
        if !over {
            return (jobs, false, standings);
        }
    }
    (jobs, true, standings)
}

impl SwissStandings {
    fn count(&mut self, [a, b]: [usize; 2], points: [u64; 2]) {
        self.half_points[a] += points[0];
        self.half_points[b] += points[1];
        self.met[a][b] += 1;
        self.met[b][a] += 1;
        self.as_first[a] += 1;
    }

    /// The engines of an encounter, the first player of the first game first.
    fn sides(&self, [a, b]: [usize; 2], games: u64) -> [usize; 2] {
        if games % 2 == 1 && self.as_first[b] < self.as_first[a] { [b, a] } else { [a, b] }
    }

    /// Pairs the next round; returns the encounters and the engine with a bye.
    fn pair(&self) -> (Vec<[usize; 2]>, Option<usize>) {
        let mut ranking: Vec<usize> = (0..self.half_points.len()).collect();
        ranking.sort_by_key(|&i| (Reverse(self.half_points[i]), i));
        let bye = (ranking.len() % 2 == 1)
            .then(|| ranking.iter().copied().rev().min_by_key(|&i| self.byes[i]))
            .flatten();
        ranking.retain(|i| Some(*i) != bye);
        let mut most = 0;
        loop {
            let mut pairs = Vec::new();
            let mut budget = BUDGET;
            if self.pair_rest(&ranking, most, &mut budget, &mut pairs) {
                pairs.reverse();
                return (pairs, bye);
            }
            most += 1;
        }
    }

    /// Pairs all of `rest`, in ranked order, so that no two have met more than `most` times before.
    /// The pairs are in reverse order.
    fn pair_rest(
        &self,
        rest: &[usize],
        most: u32,
        budget: &mut u32,
        pairs: &mut Vec<[usize; 2]>,
    ) -> bool {
        let Some((&first, others)) = rest.split_first() else { return true };
        let group = rest.iter().take_while(|i| self.half_points[**i] == self.half_points[first]);
        let group = group.count();
        // Indices into `others`: the group's lower half, its upper half from the bottom, the rest.
        let half = (group / 2).max(1) - 1;
        let candidates = (half..group - 1).chain((0..half).rev()).chain(group - 1..others.len());
        for at in candidates {
            *budget = budget.saturating_sub(1);
            if *budget == 0 {
                return false;
            }
            let other = others[at];
            if self.met[first][other] > most {
                continue;
            }
            let left: Vec<usize> = others.iter().copied().filter(|i| *i != other).collect();
            if self.pair_rest(&left, most, budget, pairs) {
                pairs.push([first, other]);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::ByResults as _;
    use super::super::results::tests::play_all;
    use super::super::{SWISS, Schedule};
    use super::*;
    use std::collections::BTreeSet;

    fn schedule(entrants: usize, rounds: u64, games: u64) -> Schedule {
        let rounds = Rounds { entrants, rounds, games, tiebreak_pairs: 0 };
        Schedule {
            form: SWISS.into(),
            pairings: Vec::new(),
            rounds: Some(rounds),
            ..Schedule::default()
        }
    }

    fn meetings(jobs: &[ScheduledGame]) -> Vec<[usize; 2]> {
        jobs.iter()
            .map(|j| [j.players[0].min(j.players[1]), j.players[0].max(j.players[1])])
            .collect()
    }

    #[test]
    fn the_first_round_is_upper_half_against_lower_half() {
        let jobs: Vec<ScheduledGame> = schedule(8, 3, 1).known(&Results::default()).jobs.collect();
        assert_eq!(meetings(&jobs), [[0, 4], [1, 5], [2, 6], [3, 7]]);
    }

    #[test]
    fn nobody_meets_anybody_twice_while_that_is_possible() {
        for n in 4..13 {
            for rounds in 1..n as u64 / 2 + 1 {
                let (played, _) = play_all(&schedule(n, rounds, 1), |a, b| b.cmp(&a));
                let met = meetings(&played);
                assert_eq!(played.len() as u64, rounds * (n as u64 / 2));
                let different: BTreeSet<_> = met.iter().collect();
                assert_eq!(different.len(), met.len(), "{n} engines, {rounds} rounds: {met:?}");
            }
        }
    }

    #[test]
    fn a_whole_round_robin_of_rounds_pairs_everybody_and_more_rounds_repeat() {
        let (played, _) = play_all(&schedule(4, 6, 1), |a, b| a.cmp(&b));
        let met = meetings(&played);
        for pair in [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] {
            assert_eq!(met.iter().filter(|m| **m == pair).count(), 2, "{pair:?} in {met:?}");
        }
    }

    #[test]
    fn byes_go_round() {
        let (played, _) = play_all(&schedule(5, 5, 1), |a, b| a.cmp(&b));
        for round in played.chunks(2) {
            assert_eq!(meetings(round).iter().flatten().collect::<BTreeSet<_>>().len(), 4);
        }
        let games = |i| played.iter().filter(|j| j.players.contains(&i)).count();
        assert!((0..5).all(|i| games(i) == 4), "everybody rested once");
    }

    #[test]
    fn a_round_waits_for_all_games_of_the_one_before() {
        let s = schedule(4, 2, 2);
        let mut results = Results::default();
        let first: Vec<ScheduledGame> = s.known(&results).jobs.collect();
        assert_eq!(first.len(), 4);
        for job in &first[..3] {
            results.push(&super::super::results::tests::game(job, agon_matchlog::GameResult::Draw));
        }
        assert_eq!(s.known(&results).jobs.count(), 4);
    }
}
