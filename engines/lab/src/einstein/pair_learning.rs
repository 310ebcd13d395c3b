//! Learning the engine's weights of pairs from self-play: each position moves its weights towards its one-ply
//! expectimax value over all dice and replies (temporal differences with full backups, as in Veness
//! et al. 2009, "Bootstrapping from game tree search").

use agon_einstein::pairs::{FEATURES, StoneFeatures, Weights, chance, sharing};
use agon_einstein::playout_board::PlayoutBoard;
use agon_games::Player;
use agon_games::einstein::MissingDie;
use agon_games::rng::{self, Stream};
use rand_core::Rng;

/// The learning parameters.
#[derive(Clone, Copy, Debug)]
pub struct LearningSettings {
    /// The number of self-play games.
    pub games: u64,
    /// The initial step size of a weight; it falls to a hundredth by the end.
    pub rate: f32,
    /// The probability of a random move, times 2^32.
    pub epsilon: u64,
    /// The seed of the games' random streams.
    pub seed: u64,
    /// The rule about missing numbers.
    pub rule: MissingDie,
}

/// Learning in progress.
#[derive(Debug)]
pub struct Learner {
    settings: LearningSettings,
    weights: Weights,
    games: u64,
    /// The sum of squared errors and the number of positions since the last query.
    errors: (f64, u64),
}

impl Learner {
    /// Starts from the race-only evaluation.
    pub fn new(settings: LearningSettings) -> Learner {
        Learner { settings, weights: Weights::default(), games: 0, errors: (0.0, 0) }
    }

    /// The current weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The root mean squared difference between a position's value and its backup since the last
    /// call.
    pub fn error(&mut self) -> f64 {
        let (sum, count) = std::mem::take(&mut self.errors);
        (sum / count.max(1) as f64).sqrt()
    }

    /// Plays a self-play game and learns from each of its positions; returns false after the last
    /// game.
    pub fn play(&mut self) -> bool {
        if self.games >= self.settings.games {
            return false;
        }
        let mut stream = rng::stream(self.settings.seed, self.games, "pair learning");
        let mut board = PlayoutBoard::random_start(self.settings.rule, &mut stream);
        let done = self.games as f32 / self.settings.games as f32;
        let step = self.settings.rate * libm::powf(0.01, done);
        loop {
            let replies = Replies::of(&self.weights, &board);
            self.learn(&board, replies.expected(&board), step);
            let (die, bits) = PlayoutBoard::roll(&mut stream);
            let (stone, to) = self.choose(&board, &replies, die, bits, &mut stream);
            if board.step(stone, to).is_some() {
                break;
            }
        }
        self.games += 1;
        true
    }

    fn choose(
        &self,
        board: &PlayoutBoard,
        replies: &Replies,
        die: u8,
        bits: u64,
        stream: &mut Stream,
    ) -> (usize, u8) {
        if stream.next_u64() >> 32 < self.settings.epsilon {
            return board.random_move(die, bits);
        }
        let stones = board.movable(die);
        let best = (0..6)
            .filter(|s| stones & 1 << s != 0)
            .max_by(|&a, &b| replies.best[a].0.total_cmp(&replies.best[b].0));
        best.map_or_else(|| board.random_move(die, bits), |stone| (stone, replies.best[stone].1))
    }

    /// One step down the gradient of the cross entropy between value and target.
    fn learn(&mut self, board: &PlayoutBoard, target: f32, step: f32) {
        let features = StoneFeatures::of(board);
        let error = target - chance(self.weights.odds(&features));
        self.errors.0 += f64::from(error * error);
        self.errors.1 += 1;
        let shared = sharing();
        let change = step * error;
        let weights = &mut self.weights;
        weights.constant += change;
        weights.race += change * features.race * 0.1;
        weights.masks[usize::from(shared.masks[features.masks])] += change;
        for (i, &a) in features.stones().iter().enumerate() {
            for &b in &features.stones()[i + 1..] {
                let pair = shared.pair[usize::from(a) * FEATURES + usize::from(b)];
                weights.pairs[usize::from(pair)] += change;
            }
        }
    }
}

/// The best move of each stone, by the winning probability after it.
struct Replies {
    best: [(f32, u8); 6],
}

impl Replies {
    fn of(weights: &Weights, board: &PlayoutBoard) -> Replies {
        let mut best = [(-1.0, 0); 6];
        let mover = Player::BOTH[board.side];
        for (stone, entry) in best.iter_mut().enumerate() {
            if board.alive[board.side] & 1 << stone == 0 {
                continue;
            }
            board.visit_stone(stone, &mut |to| {
                let mut next = *board;
                let value = match next.step(stone, to) {
                    Some(winner) => f32::from(u8::from(winner == mover)),
                    None => 1.0 - weights.chance(&next),
                };
                if value > entry.0 {
                    *entry = (value, to);
                }
            });
        }
        Replies { best }
    }

    /// The roller's winning probability with uniform dice and best play for each die.
    fn expected(&self, board: &PlayoutBoard) -> f32 {
        let best = |die| {
            let stones = board.movable(die);
            (0..6).filter(|s| stones & 1 << s != 0).map(|s| self.best[s].0).fold(0.0, f32::max)
        };
        (1..=6).map(best).sum::<f32>() / 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(games: u64) -> LearningSettings {
        LearningSettings { games, rate: 0.005, epsilon: 1 << 29, seed: 1, rule: MissingDie::Next }
    }

    /// Whether `weights[0]`, playing as `player`, beats `weights[1]`, both looking one move ahead.
    fn wins(weights: [&Weights; 2], player: usize, number: u64) -> bool {
        let mut stream = rng::stream(9, number, "pair test");
        let mut board = PlayoutBoard::random_start(MissingDie::Next, &mut stream);
        loop {
            let replies = Replies::of(weights[usize::from(board.side != player)], &board);
            let (die, _) = PlayoutBoard::roll(&mut stream);
            let stones = board.movable(die);
            let best = (0..6)
                .filter(|s| stones & 1 << s != 0)
                .max_by(|&a, &b| replies.best[a].0.total_cmp(&replies.best[b].0))
                .unwrap();
            if let Some(winner) = board.step(best, replies.best[best].1) {
                return winner.index() == player;
            }
        }
    }

    #[test]
    fn what_is_learnt_beats_the_race_alone() {
        let mut learner = Learner::new(settings(15_000));
        while learner.play() {}
        let race = Weights::default();
        let sides = [learner.weights(), &race];
        let won = (0..2000u64).filter(|&i| wins(sides, (i % 2) as usize, i / 2)).count();
        // Two standard deviations of 2,000 coin tosses are 45.
        assert!(won > 1090, "{won} of 2000");
    }

    #[test]
    fn the_same_seed_learns_the_same() {
        let run = || {
            let mut learner = Learner::new(settings(50));
            while learner.play() {}
            learner.weights
        };
        assert_eq!(run(), run());
    }
}
