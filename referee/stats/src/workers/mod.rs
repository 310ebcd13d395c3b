//! Results by worker, the machine that played a game: collected from games in any order, and compared with each other.

mod design;
mod residual;

pub use residual::{FALSE_ALARMS, Residual};

use super::{GameScore, Pentanomial, Spread, Wdl};
use agon_games::hash::{FastMap, mix};
use design::Sample;
use residual::findings;
use std::collections::BTreeMap;

/// A game, as far as its worker is judged by it.
#[derive(Clone, Copy, Debug)]
pub struct WorkerGame<'a> {
    /// Who played it; `None`: unknown.
    pub worker: Option<&'a str>,
    /// Its pair.
    pub pair: u64,
    /// Its engines, the first player first.
    pub players: [usize; 2],
    /// Its opening.
    pub opening: &'a str,
    /// The first player's score.
    pub score: GameScore,
    /// Whether a fault lost it.
    pub fault: bool,
}

/// The results of all workers of a match.
#[derive(Clone, Debug, Default)]
pub struct Workers {
    /// Whether games are counted one by one.
    singles: bool,
    /// The workers by name.
    numbers: BTreeMap<String, usize>,
    /// Games of each worker, and those that were lost by faults.
    games: Vec<[u64; 2]>,
    samples: Vec<Sample>,
    /// First games of pairs.
    waiting: FastMap<u64, Half>,
    unnamed: u64,
}

/// A game whose partner is still to come.
#[derive(Clone, Copy, Debug)]
struct Half {
    worker: usize,
    players: [usize; 2],
    opening: u64,
    /// The first player's score.
    score: GameScore,
}

/// A worker and its results.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkerRow {
    /// Its name.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Those that a fault lost.
    pub faults: u64,
    /// The results that are compared, from the point of view of the engine that comes first in the log. Single games
    /// are counted as pairs with twice the points.
    pub results: Pentanomial,
    /// The results of those that it is compared with.
    pub others: Pentanomial,
    /// How far they are from each other; `None`: there are too few.
    pub residual: Option<Residual>,
}

/// The workers of a match, compared with each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// All workers, by name.
    pub rows: Vec<WorkerRow>,
    /// Those that differ from the others, most unusual first, as indices into `rows`.
    pub differ: Vec<usize>,
    /// Two that differ from each other, though nothing tells which of them from the rest.
    pub undecided: Option<[usize; 2]>,
    /// All together.
    pub together: Option<Residual>,
    /// Those that do not differ, together, if any does.
    pub rest: Option<Residual>,
    /// Whether games are counted one by one.
    pub singles: bool,
    /// Games of known workers that belong to no complete pair of one worker.
    pub outside: u64,
    /// Games of unknown workers.
    pub unnamed: u64,
}

impl Workers {
    /// No games yet. `singles`: the match has no pairs of games with swapped sides.
    pub fn new(singles: bool) -> Workers {
        Workers { singles, ..Workers::default() }
    }

    /// Counts a game.
    pub fn push(&mut self, game: WorkerGame<'_>) {
        let Some(name) = game.worker else {
            self.unnamed += 1;
            return;
        };
        let worker = self.number(name);
        self.games[worker][0] += 1;
        self.games[worker][1] += u64::from(game.fault);
        let opening = hash(game.opening);
        let half = Half { worker, players: game.players, opening, score: game.score };
        if self.singles {
            self.samples.push(half.alone());
        } else {
            self.pair_up(game.pair, half);
        }
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.games.len();
        self.numbers.insert(name.into(), number);
        self.games.push([0; 2]);
        number
    }

    /// Finds the other game of a pair. A pair of two workers belongs to none.
    fn pair_up(&mut self, pair: u64, half: Half) {
        match self.waiting.remove(&pair) {
            None => {
                self.waiting.insert(pair, half);
            }
            Some(other) => self.samples.extend(half.with(other)),
        }
    }

    /// Adds games of another part of the match.
    pub fn absorb(&mut self, other: Workers) {
        let mut numbers = vec![0; other.games.len()];
        for (name, &theirs) in &other.numbers {
            numbers[theirs] = self.number(name);
        }
        for (&mine, games) in numbers.iter().zip(other.games) {
            self.games[mine].iter_mut().zip(games).for_each(|(a, b)| *a += b);
        }
        let renamed = |s: Sample| Sample { worker: numbers[s.worker], ..s };
        self.samples.extend(other.samples.into_iter().map(renamed));
        for (pair, half) in other.waiting {
            self.pair_up(pair, Half { worker: numbers[half.worker], ..half });
        }
        self.unnamed += other.unnamed;
    }

    /// The names of all workers, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.numbers.keys().map(String::as_str)
    }

    /// Whether the worker of any game is known.
    pub fn are_known(&self) -> bool {
        !self.games.is_empty()
    }

    /// Compares the results of each worker with the others'. Costs a second at most, unless one differs and has
    /// millions of games.
    pub fn compare(&self) -> Comparison {
        // By name, so that the order of games does not matter.
        let mut ranks = vec![0; self.games.len()];
        self.numbers.values().zip(0..).for_each(|(&number, rank)| ranks[number] = rank);
        let ranked = |s: &Sample| Sample { worker: ranks[s.worker], ..*s };
        let samples: Vec<Sample> = self.samples.iter().map(ranked).collect();
        let found = findings(&samples, ranks.len());
        let mut results = vec![Pentanomial::default(); ranks.len()];
        for sample in &samples {
            results[sample.worker].counts[usize::from(sample.result)] += 1;
        }
        let named = self.numbers.iter().zip(&results).zip(found.residuals);
        let rows = named.enumerate().map(|(rank, (((name, &number), &mine), residual))| {
            let [games, faults] = self.games[number];
            let is_other = |i: &usize| *i != rank && !found.differ.contains(i);
            let others = (0..results.len()).filter(is_other).map(|i| results[i]).sum();
            WorkerRow { name: name.clone(), games, faults, results: mine, others, residual }
        });
        let games: u64 = self.games.iter().map(|[games, _]| games).sum();
        let per_sample = if self.singles { 1 } else { 2 };
        Comparison {
            rows: rows.collect(),
            differ: found.differ,
            undecided: found.undecided,
            together: found.together,
            rest: found.rest,
            singles: self.singles,
            outside: games - per_sample * samples.len() as u64,
            unnamed: self.unnamed,
        }
    }
}

impl Half {
    /// A game that counts by itself: who moves first matters.
    fn alone(self) -> Sample {
        let score =
            if self.players[0] < self.players[1] { self.score } else { self.score.flipped() };
        Sample {
            encounter: self.players,
            opening: self.opening,
            worker: self.worker,
            result: 2 * score.half_points(),
        }
    }

    /// A pair of one worker.
    fn with(self, other: Half) -> Option<Sample> {
        let [a, b] = self.players;
        let meet = [[a, b], [b, a]].contains(&other.players);
        let of_lower = |half: Half| {
            let swapped = half.players[0] > half.players[1];
            if swapped { half.score.flipped() } else { half.score }.half_points()
        };
        (self.worker == other.worker && meet).then(|| Sample {
            encounter: [a.min(b), a.max(b)],
            opening: self.opening.min(other.opening),
            worker: self.worker,
            result: of_lower(self) + of_lower(other),
        })
    }
}

impl Comparison {
    /// All that were not named, together, if equal workers are seldom as unusual: they differ, and none stands out.
    pub fn vague(&self) -> Option<Residual> {
        let left = if self.differ.is_empty() { self.together } else { self.rest };
        left.filter(|r| r.p <= FALSE_ALARMS && self.undecided.is_none())
    }

    /// The Elo difference of a worker's results and of those that it is compared with; `None` without any.
    pub fn spreads(&self, row: &WorkerRow) -> [Option<Spread>; 2] {
        [row.results, row.others].map(|results| match (self.singles, results.counts) {
            (false, _) => Spread::of_pairs(results),
            (true, [losses, _, draws, _, wins]) => Spread::of_games(Wdl { wins, draws, losses }),
        })
    }
}

/// A hash of an opening.
fn hash(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| mix(hash ^ u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameScore::{Draw, Loss, Win};

    fn game(worker: &str, pair: u64, players: [usize; 2], score: GameScore) -> WorkerGame<'_> {
        WorkerGame { worker: Some(worker), pair, players, opening: "startpos", score, fault: false }
    }

    #[test]
    fn pairs_belong_to_the_worker_of_both_games() {
        let mut workers = Workers::new(false);
        workers.push(game("b", 0, [0, 1], Win));
        workers.push(game("a", 1, [0, 1], Draw));
        workers.push(WorkerGame { fault: true, ..game("b", 0, [1, 0], Loss) });
        // A pair of two workers, a game without its partner, and one of nobody knows whom.
        workers.push(game("b", 1, [1, 0], Loss));
        workers.push(game("a", 2, [0, 1], Loss));
        workers.push(WorkerGame { worker: None, ..game("a", 3, [0, 1], Win) });
        let found = workers.compare();
        let row =
            |i: usize| (found.rows[i].name.as_str(), found.rows[i].games, found.rows[i].faults);
        assert_eq!([row(0), row(1)], [("a", 2, 0), ("b", 3, 1)]);
        assert_eq!(found.rows[1].results, Pentanomial::new([0, 0, 0, 0, 1]));
        assert_eq!(found.rows[0].others, found.rows[1].results);
        assert_eq!((found.outside, found.unnamed), (3, 1));
    }

    #[test]
    fn single_games_are_compared_with_those_of_the_same_sides() {
        let mut workers = Workers::new(true);
        workers.push(game("a", 0, [0, 1], Win));
        workers.push(game("b", 1, [1, 0], Win));
        workers.push(game("b", 2, [1, 0], Draw));
        let found = workers.compare();
        assert_eq!(found.rows[0].results, Pentanomial::new([0, 0, 0, 0, 1]));
        assert_eq!(found.rows[1].results, Pentanomial::new([1, 0, 1, 0, 0]));
        assert_eq!(found.outside, 0);
        let spread = found.spreads(&found.rows[1])[0].unwrap();
        assert_eq!((spread.samples, spread.games_per_sample, spread.mean), (2, 1, 0.25));
        let sides: Vec<_> = workers.samples.iter().map(|s| s.encounter).collect();
        assert_eq!(sides, [[0, 1], [1, 0], [1, 0]]);
    }

    #[test]
    fn parts_in_any_order_are_the_whole() {
        let results = [Win, Draw, Loss, Draw, Win, Win, Loss];
        let names = ["x", "y", "z"];
        let played = |g: u64| {
            let players = if g.is_multiple_of(2) { [0, 1] } else { [1, 0] };
            game(names[(g / 2 % 3) as usize], g / 2, players, results[(g * g % 7) as usize])
        };
        let gather = |games: &mut dyn Iterator<Item = u64>| {
            let mut workers = Workers::new(false);
            games.for_each(|g| workers.push(played(g)));
            workers
        };
        let whole = gather(&mut (0..200));
        let mut parts = gather(&mut (77..200).rev());
        parts.absorb(gather(&mut (0..77)));
        assert_eq!(parts.compare(), whole.compare());
        assert_eq!(whole.compare().rows.iter().map(|r| r.games).sum::<u64>(), 200);
        assert!(whole.are_known() && !Workers::new(false).are_known());
    }
}
