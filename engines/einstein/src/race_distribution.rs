//! The race: the number of turns a side needs to bring a stone to its goal without interference.
//!
//! Without captures, only the living stones and their distances from the goal matter (at most 4
//! moves, as a diagonal step covers a row and a column). That is 5^6 states per side. For each
//! state the table stores the exact distribution of the number of turns under the policy that
//! minimises its mean. Two distributions give the exact probability of winning the race.

use agon_games::Player;
use agon_games::einstein::{EinStein, MissingDie, SIDE, movable_stones};
use std::sync::OnceLock;

/// 5 possibilities for each stone: captured, or 1 to 4 moves away.
const STATES: usize = 5usize.pow(6);
/// The number of turns that are distinguished: the last slot holds the tail, which is below one in
/// a million for every reachable state.
const TURNS: usize = 16;

/// The distribution of the number of turns to the goal.
#[derive(Clone, Copy, Debug)]
struct Turns {
    /// The probability of needing exactly `t + 1` turns.
    exactly: [f32; TURNS],
    /// The probability of needing at least `t + 1` turns.
    at_least: [f32; TURNS],
    mean: f32,
}

/// The distributions of every state under one rule about missing numbers.
#[derive(Debug)]
pub struct RaceDistributions {
    turns: Vec<Turns>,
}

/// The number of moves that a stone of `player` on `square` needs to its goal.
#[inline]
pub fn distance(player: Player, square: u8) -> u8 {
    DISTANCE[player.index()][usize::from(square)]
}

static DISTANCE: [[u8; 25]; 2] = {
    let mut table = [[0; 25]; 2];
    let mut square = 0;
    while square < 25 {
        let (row, column) = (square / SIDE, square % SIDE);
        let (down, right) = (SIDE - 1 - row, SIDE - 1 - column);
        table[0][square] = if down > right { down } else { right } as u8;
        table[1][square] = if row > column { row } else { column } as u8;
        square += 1;
    }
    table
};

const POWERS: [usize; 6] = [1, 5, 25, 125, 625, 3125];

fn digits(state: usize) -> [u8; 6] {
    POWERS.map(|p| (state / p % 5) as u8)
}

/// One side's stones.
#[derive(Clone, Copy, Debug)]
pub struct SideStones<'a> {
    /// Their owner.
    pub player: Player,
    /// Their squares; valid for living stones only.
    pub squares: &'a [u8; 6],
    /// The set of living stones.
    pub alive: u8,
}

impl SideStones<'_> {
    /// A player's stones in a position.
    #[inline]
    pub fn of(game: &EinStein, player: Player) -> SideStones<'_> {
        SideStones { player, squares: game.squares(player), alive: game.alive(player) }
    }
}

impl RaceDistributions {
    /// The table for one rule, computed on first use in a few milliseconds.
    pub fn of(rule: MissingDie) -> &'static RaceDistributions {
        static TABLES: [OnceLock<RaceDistributions>; 2] = [OnceLock::new(), OnceLock::new()];
        TABLES[rule as usize].get_or_init(|| RaceDistributions::new(rule))
    }

    /// Computes both tables in advance, so that no search has to.
    pub fn prepare() {
        RaceDistributions::of(MissingDie::Next);
        RaceDistributions::of(MissingDie::Nearest);
    }

    fn new(rule: MissingDie) -> RaceDistributions {
        let empty = Turns { exactly: [0.0; TURNS], at_least: [0.0; TURNS], mean: 0.0 };
        let mut table = RaceDistributions { turns: vec![empty; STATES] };
        let mut order: Vec<usize> = (1..STATES).collect();
        // A step leads to a state with a smaller digit sum, or to the goal.
        order.sort_by_key(|&state| digits(state).iter().sum::<u8>());
        for state in order {
            table.turns[state] = table.solve(rule, state);
        }
        table
    }

    fn solve(&self, rule: MissingDie, state: usize) -> Turns {
        let away = digits(state);
        let alive = (0..6).filter(|&i| away[i] > 0).fold(0u8, |mask, i| mask | 1 << i);
        let mut exactly = [0f64; TURNS];
        for die in 1..=6 {
            let stones = movable_stones(rule, alive, die);
            let choice = (0..6).filter(|i| stones & 1 << i != 0).min_by(|&a, &b| {
                let mean = |i: usize| self.mean_after(state, &away, i);
                mean(a).total_cmp(&mean(b))
            });
            let Some(stone) = choice else { continue };
            if away[stone] == 1 {
                exactly[0] += 1.0 / 6.0;
                continue;
            }
            let next = &self.turns[state - POWERS[stone]];
            for t in 0..TURNS {
                exactly[(t + 1).min(TURNS - 1)] += f64::from(next.exactly[t]) / 6.0;
            }
        }
        let mut at_least = [1.0; TURNS];
        for t in 1..TURNS {
            at_least[t] = at_least[t - 1] - exactly[t - 1];
        }
        Turns {
            exactly: exactly.map(|p| p as f32),
            at_least: at_least.map(|p| p as f32),
            mean: at_least.iter().sum::<f64>() as f32,
        }
    }

    fn mean_after(&self, state: usize, away: &[u8; 6], stone: usize) -> f32 {
        if away[stone] == 1 { 0.0 } else { self.turns[state - POWERS[stone]].mean }
    }

    #[inline]
    fn state(&self, side: SideStones) -> &Turns {
        let mut state = 0;
        for (i, (&square, power)) in side.squares.iter().zip(POWERS).enumerate() {
            if side.alive & 1 << i != 0 {
                state += usize::from(distance(side.player, square)) * power;
            }
        }
        &self.turns[state.min(STATES - 1)]
    }

    /// The probability that the side to roll wins the race. Both sides need living stones.
    #[inline]
    pub fn roller_wins(&self, roller: SideStones, other: SideStones) -> f32 {
        let (own, other) = (self.state(roller), self.state(other));
        own.exactly.iter().zip(&other.at_least).map(|(e, a)| e * a).sum()
    }

    /// The probability that `player` wins the race, whoever rolls next.
    #[inline]
    pub fn wins(&self, game: &EinStein, player: Player) -> f32 {
        let roller = game.player();
        let chance =
            self.roller_wins(SideStones::of(game, roller), SideStones::of(game, roller.opponent()));
        if roller == player { chance } else { 1.0 - chance }
    }

    /// The mean number of turns of a side.
    pub fn mean(&self, side: SideStones) -> f32 {
        self.state(side).mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::einstein::EinSteinRules;
    use agon_games::game::Game;
    use agon_games::rng;

    fn parse(fen: &str) -> EinStein {
        EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap()
    }

    #[test]
    fn a_lone_stone_needs_exactly_its_distance() {
        let race = RaceDistributions::of(MissingDie::Next);
        for (fen, turns) in [("C4/5/5/5/4f u -", 4.0), ("5/5/2C2/5/4f u -", 2.0)] {
            assert!((race.mean(SideStones::of(&parse(fen), Player::First)) - turns).abs() < 1e-6);
        }
        // With equal distances the side that rolls first wins.
        let even = parse("C4/5/5/5/4f u -");
        assert!((race.wins(&even, Player::First) - 1.0).abs() < 1e-6);
        assert!(race.wins(&even, Player::Second).abs() < 1e-6);
    }

    #[test]
    fn two_stones_one_step_away_share_the_die() {
        // Stones 1 (one step away) and 6 (four away): dice 1 to 5 may move stone 1.
        let state = parse("5/f4/5/3A1/F3e u -");
        let race = RaceDistributions::of(MissingDie::Next);
        let expected = 5.0 / 6.0;
        assert!(
            (f64::from(race.state(SideStones::of(&state, Player::First)).exactly[0]) - expected)
                .abs()
                < 1e-6
        );
    }

    #[test]
    fn the_distribution_agrees_with_simulated_races() {
        let race = RaceDistributions::of(MissingDie::Next);
        let state = parse("BFA2/CD3/E3e/3dc/2afb u -");
        let mut stream = rng::stream(5, 0, "race test");
        let mut total = 0;
        let games = 40_000;
        for _ in 0..games {
            total += simulate(race, &state, &mut stream);
        }
        let mean = f64::from(total) / f64::from(games);
        let exact = f64::from(race.mean(SideStones::of(&state, Player::First)));
        // The standard deviation of a race is below 2 turns; the tolerance is five standard errors.
        assert!((mean - exact).abs() < 5.0 * 2.0 / f64::from(games).sqrt(), "{mean} {exact}");
    }

    fn simulate(race: &RaceDistributions, game: &EinStein, stream: &mut rng::Stream) -> u32 {
        let mut away = game.squares(Player::First).map(|s| usize::from(distance(Player::First, s)));
        for turn in 1.. {
            let die = rng::below(stream, 6) as usize;
            // All six stones stay alive, so the die leaves no choice.
            away[die] -= 1;
            if away[die] == 0 {
                return turn;
            }
        }
        race.turns.len() as u32
    }
}
