//! Counts of games by side and by pair: of one player, and between many engines, the input of the rating list.

use super::{GameScore, Pentanomial, Spread, Wdl};
use agon_games::Player;
use agon_games::hash::FastMap;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// Games by side, and complete pairs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games in which the player moved first.
    pub as_first: Wdl,
    /// Games in which the player moved second.
    pub as_second: Wdl,
    /// Complete pairs.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Counts a game in which the player was on `side`. Complete pairs are added separately.
    pub fn push(&mut self, score: GameScore, side: Player) {
        match side {
            Player::First => self.as_first += score,
            Player::Second => self.as_second += score,
        }
    }

    /// All games.
    pub fn wdl(&self) -> Wdl {
        self.as_first + self.as_second
    }

    /// Games that belong to no complete pair.
    pub fn outside_pairs(&self) -> u64 {
        self.wdl().games().saturating_sub(2 * self.pairs.pairs())
    }

    /// The input of Elo and LOS: complete pairs if there are any, else single games; `None` without
    /// games.
    pub fn spread(&self) -> Option<Spread> {
        Spread::of_pairs(self.pairs).or_else(|| Spread::of_games(self.wdl()))
    }

    /// The same games from the opponent's point of view.
    #[must_use]
    pub fn flipped(&self) -> Tally {
        Tally {
            as_first: self.as_second.flipped(),
            as_second: self.as_first.flipped(),
            pairs: self.pairs.flipped(),
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.as_first += other.as_first;
        self.as_second += other.as_second;
        self.pairs += other.pairs;
    }
}

/// Counts of games between many engines.
#[derive(Clone, Debug, Default)]
pub struct Meetings {
    engines: usize,
    /// Results of the first player, indexed by first and second player.
    ordered: BTreeMap<[usize; 2], Wdl>,
    /// Complete pairs. The key holds the two engines, the smaller index first, and the first
    /// player's scores in the game in which that engine moved first and in the other.
    pairs: BTreeMap<([usize; 2], [GameScore; 2]), u64>,
    /// First games of incomplete pairs.
    waiting: FastMap<u64, ([usize; 2], GameScore)>,
    /// Games outside pairs.
    alone: BTreeMap<([usize; 2], GameScore), u64>,
}

/// Games that are not independent of each other. The fields are the engines, the first player's
/// scores in the games in which the first and the second engine moved first, and the number of such
/// pairs.
pub type Cluster = ([usize; 2], [Option<GameScore>; 2], u64);

impl Meetings {
    /// Extends the table to this number of engines.
    pub fn make_room(&mut self, engines: usize) {
        self.engines = self.engines.max(engines);
    }

    /// Counts a game of a pair. `players` lists the first player first; `score` is its score.
    pub fn push(&mut self, pair: u64, players: [usize; 2], score: GameScore) {
        self.make_room(players[0].max(players[1]) + 1);
        *self.ordered.entry(players).or_default() += score;
        self.pair_up(pair, players, score);
    }

    /// Adds the games of another part of the same log.
    pub fn absorb(&mut self, other: Meetings) {
        self.make_room(other.engines);
        for (players, results) in other.ordered {
            *self.ordered.entry(players).or_default() += results;
        }
        for (key, n) in other.pairs {
            *self.pairs.entry(key).or_default() += n;
        }
        for (key, n) in other.alone {
            *self.alone.entry(key).or_default() += n;
        }
        for (pair, (players, score)) in other.waiting {
            self.pair_up(pair, players, score);
        }
    }

    /// Finds the other game of a pair.
    fn pair_up(&mut self, pair: u64, players: [usize; 2], score: GameScore) {
        match self.waiting.remove(&pair) {
            Some(([a, b], other)) if [b, a] == players => {
                let (key, scores) =
                    if a < b { ([a, b], [other, score]) } else { ([b, a], [score, other]) };
                *self.pairs.entry((key, scores)).or_default() += 1;
            }
            Some((others, other)) => {
                *self.alone.entry((others, other)).or_default() += 1;
                *self.alone.entry((players, score)).or_default() += 1;
            }
            None => {
                self.waiting.insert(pair, (players, score));
            }
        }
    }

    /// Marks the end of a log: the next log has its own pair numbers.
    pub fn end_log(&mut self) {
        for (_, (players, score)) in self.waiting.drain() {
            *self.alone.entry((players, score)).or_default() += 1;
        }
    }

    /// Counts results without pairing information.
    #[cfg(test)]
    pub fn add(&mut self, players: [usize; 2], results: Wdl) {
        self.make_room(players[0].max(players[1]) + 1);
        *self.ordered.entry(players).or_default() += results;
        for (score, n) in [
            (GameScore::Win, results.wins),
            (GameScore::Draw, results.draws),
            (GameScore::Loss, results.losses),
        ] {
            *self.alone.entry((players, score)).or_default() += n;
        }
    }

    /// The number of engines.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.ordered.values().map(|w| w.games()).sum()
    }

    /// All games from the first player's point of view.
    pub fn first_player(&self) -> Wdl {
        self.ordered.values().copied().sum()
    }

    /// All games of one engine, from its point of view.
    pub fn of(&self, engine: usize) -> Wdl {
        let seen = |(players, wdl): (&[usize; 2], &Wdl)| match players {
            [first, _] if *first == engine => Some(*wdl),
            [_, second] if *second == engine => Some(wdl.flipped()),
            _ => None,
        };
        self.ordered.iter().filter_map(seen).sum()
    }

    /// Results of the first player, indexed by first and second player, for engines that met.
    pub fn ordered(&self) -> Vec<([usize; 2], Wdl)> {
        let met = self.ordered.iter().filter(|(_, wdl)| wdl.games() > 0);
        met.map(|(players, wdl)| (*players, *wdl)).collect()
    }

    /// All games, with the two games of a pair combined.
    pub fn clusters(&self) -> Vec<Cluster> {
        let pairs =
            self.pairs.iter().map(|((players, [a, b]), n)| (*players, [Some(*a), Some(*b)], *n));
        let alone = self.alone.iter().map(|((players, s), n)| (*players, [Some(*s), None], *n));
        let waiting = self.waiting.values().map(|(players, s)| (*players, [Some(*s), None], 1));
        pairs.chain(alone).chain(waiting).filter(|c| c.2 > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_pairs_are_counted_in_the_score_and_left_out_of_the_spread() {
        let mut t = Tally::default();
        t.push(GameScore::Win, Player::First);
        t.push(GameScore::Loss, Player::Second);
        t.pairs.push(GameScore::Win, GameScore::Loss);
        t.push(GameScore::Win, Player::First);
        assert_eq!(t.wdl(), Wdl::new(2, 0, 1));
        assert_eq!(t.outside_pairs(), 1);
        let s = t.spread().unwrap();
        assert_eq!((s.samples, s.games_per_sample, s.mean), (1, 2, 0.5));
        assert_eq!(t.flipped().flipped(), t);
        assert_eq!(t.flipped().as_second, Wdl::new(0, 0, 2));
    }

    #[test]
    fn without_pairs_games_count_one_by_one() {
        let mut t = Tally::default();
        t.push(GameScore::Draw, Player::First);
        t.push(GameScore::Win, Player::First);
        assert_eq!(t.spread().unwrap().games_per_sample, 1);
    }
}
