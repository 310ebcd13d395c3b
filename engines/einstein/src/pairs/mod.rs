//! The evaluation of `best`: the race, corrected by trained weights of pairs of stones.
//!
//! The chance of winning is `1 / (1 + exp(-z))`, where `z` is a constant, plus a factor times the
//! log odds of winning the race ([`crate::race`]), plus a weight for every pair of living stones
//! on their squares, plus a weight for the sets of living numbers. That is a network of 2-tuples
//! over stones rather than squares: it sees who can take whom and who guards what, which the race
//! cannot.
//!
//! Positions are seen by the side that rolls next. Three symmetries leave a position's value alone:
//! mirroring the board in the diagonal, and renumbering either side's stones from d to 7 - d. Pairs
//! that they map on each other share a weight.
//!
//! The weights come from self-play, [`Learner`]; those that the program brings along were made by
//! the command in this crate's README.

mod file;
mod learn;

pub use file::{from_bytes, to_bytes};
pub use learn::{Course, Learner};

use crate::playout_board::PlayoutBoard;
use crate::race_distribution::{RaceDistributions, SideStones};
use agon_protocol::Player;
use agon_protocol::einstein::transpose;
use std::sync::OnceLock;

/// A stone on a square: `stone * 25 + square` for the roller's, 150 more for the other side's.
const ATOMS: usize = 300;
/// Pairs in any order.
const TABLE: usize = ATOMS * ATOMS;
/// Sets of living numbers of both sides.
const MASKS: usize = 64 * 64;
/// No race counts for more than these log odds.
const CERTAIN: f32 = 8.0;

/// Which weight each pair and each two sets of numbers has.
struct Sharing {
    pair: Vec<u16>,
    masks: Vec<u16>,
    pairs: usize,
    mask_sets: usize,
}

/// The symmetries: mirror the board, renumber the roller's stones, renumber the other's.
fn image(atom: usize, symmetry: usize) -> usize {
    let (side, stone, square) = (atom / 150, atom / 25 % 6, atom % 25);
    let square = if symmetry & 1 != 0 { usize::from(transpose(square as u8)) } else { square };
    let stone = if symmetry & (2 << side) != 0 { 5 - stone } else { stone };
    side * 150 + stone * 25 + square
}

fn sharing() -> &'static Sharing {
    static SHARING: OnceLock<Sharing> = OnceLock::new();
    SHARING.get_or_init(|| {
        let (pair, pairs) = number_orbits(TABLE, |code, symmetry| {
            let (a, b) = (image(code / ATOMS, symmetry), image(code % ATOMS, symmetry));
            a.min(b) * ATOMS + a.max(b)
        });
        let reversed = |mask: usize| (0..6).fold(0, |r, i| r | (mask >> i & 1) << (5 - i));
        let (masks, mask_sets) = number_orbits(MASKS, |code, symmetry| {
            let (own, other) = (code / 64, code % 64);
            let own = if symmetry & 2 != 0 { reversed(own) } else { own };
            let other = if symmetry & 4 != 0 { reversed(other) } else { other };
            own * 64 + other
        });
        Sharing { pair, masks, pairs, mask_sets }
    })
}

/// Numbers the orbits of `codes` codes under the eight symmetries.
fn number_orbits(codes: usize, image: impl Fn(usize, usize) -> usize) -> (Vec<u16>, usize) {
    let mut numbers = vec![u16::MAX; codes];
    let mut next = 0;
    for code in 0..codes {
        let least = (0..8).map(|s| image(code, s)).min().unwrap_or(code);
        if numbers[least] == u16::MAX {
            numbers[least] = next;
            next += 1;
        }
        numbers[code] = numbers[least];
    }
    (numbers, usize::from(next))
}

/// Weights, one for each orbit.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Added to every position's log odds: the value of the roll.
    pub constant: f32,
    /// The factor of the race's log odds.
    pub race: f32,
    pairs: Vec<f32>,
    masks: Vec<f32>,
}

impl Default for Weights {
    /// Knows the race only.
    fn default() -> Weights {
        let shared = sharing();
        Weights {
            constant: 0.0,
            race: 1.0,
            pairs: vec![0.0; shared.pairs],
            masks: vec![0.0; shared.mask_sets],
        }
    }
}

/// The stones of a position as the roller sees them.
struct Atoms {
    list: [u16; 12],
    len: usize,
    masks: usize,
    race: f32,
}

impl Atoms {
    #[inline]
    fn of(board: &PlayoutBoard) -> Atoms {
        let mut atoms = Atoms { list: [0; 12], len: 0, masks: 0, race: 0.0 };
        for (i, side) in [board.side, 1 - board.side].into_iter().enumerate() {
            let mut alive = board.alive[side];
            while alive != 0 {
                let stone = alive.trailing_zeros() as usize;
                alive &= alive - 1;
                let square = board.squares[side][stone];
                let square = if board.side == 0 { square } else { 24 - square };
                atoms.list[atoms.len] = (i * 150 + stone * 25) as u16 + u16::from(square);
                atoms.len += 1;
            }
        }
        atoms.masks =
            usize::from(board.alive[board.side]) * 64 + usize::from(board.alive[1 - board.side]);
        atoms.race = race_odds(board);
        atoms
    }

    fn stones(&self) -> &[u16] {
        &self.list[..self.len]
    }
}

/// The log odds of the roller's winning the race.
#[inline]
fn race_odds(board: &PlayoutBoard) -> f32 {
    let side = |i: usize| SideStones {
        player: Player::BOTH[i],
        squares: &board.squares[i],
        alive: board.alive[i],
    };
    let chance =
        RaceDistributions::of(board.rule).roller_wins(side(board.side), side(1 - board.side));
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    (chance / (1.0 - chance)).ln().clamp(-CERTAIN, CERTAIN)
}

#[inline]
fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

impl Weights {
    fn odds(&self, atoms: &Atoms) -> f32 {
        let shared = sharing();
        let mut odds = self.constant
            + self.race * atoms.race
            + self.masks[usize::from(shared.masks[atoms.masks])];
        for (i, &a) in atoms.stones().iter().enumerate() {
            for &b in &atoms.stones()[i + 1..] {
                odds +=
                    self.pairs[usize::from(shared.pair[usize::from(a) * ATOMS + usize::from(b)])];
            }
        }
        odds
    }

    /// The roller's chance of winning a position that is not over.
    pub fn chance(&self, board: &PlayoutBoard) -> f32 {
        chance(self.odds(&Atoms::of(board)))
    }
}

/// Weights laid out for speed.
pub struct Network {
    constant: f32,
    race: f32,
    /// By atom and atom, the lower one first.
    pairs: Vec<f32>,
    masks: Vec<f32>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").field("race", &self.race).finish_non_exhaustive()
    }
}

impl Network {
    /// Unfolds the shared weights.
    pub fn new(weights: &Weights) -> Network {
        let shared = sharing();
        let unfold = |numbers: &[u16], weights: &[f32]| {
            numbers.iter().map(|&n| weights[usize::from(n)]).collect()
        };
        Network {
            constant: weights.constant,
            race: weights.race,
            pairs: unfold(&shared.pair, &weights.pairs),
            masks: unfold(&shared.masks, &weights.masks),
        }
    }

    /// The network that the program brings along, for both readings of the rules.
    pub fn own() -> &'static Network {
        static OWN: OnceLock<Network> = OnceLock::new();
        OWN.get_or_init(|| {
            let weights = from_bytes(include_bytes!("weights.bin")).unwrap_or_else(|error| {
                log::error!("the program's own weights: {error}; playing by the race alone");
                Weights::default()
            });
            Network::new(&weights)
        })
    }

    /// The roller's chance of winning a position that is not over.
    #[inline]
    pub fn chance(&self, board: &PlayoutBoard) -> f32 {
        let atoms = Atoms::of(board);
        let mut odds = self.constant + self.race * atoms.race + self.masks[atoms.masks];
        let stones = atoms.stones();
        for (i, &a) in stones.iter().enumerate() {
            let row = &self.pairs[usize::from(a) * ATOMS..(usize::from(a) + 1) * ATOMS];
            for &b in &stones[i + 1..] {
                odds += row[usize::from(b)];
            }
        }
        chance(odds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::einstein::{EinStein, EinSteinRules};
    use agon_protocol::game::Game;

    fn board(fen: &str) -> PlayoutBoard {
        PlayoutBoard::new(&EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap())
    }

    fn noisy() -> Weights {
        let mut weights = Weights { constant: 0.3, race: 0.8, ..Weights::default() };
        let noise = |i: usize| (agon_protocol::hash::mix(i as u64) % 1000) as f32 / 5000.0 - 0.1;
        for (i, w) in weights.pairs.iter_mut().chain(&mut weights.masks).enumerate() {
            *w = noise(i);
        }
        weights
    }

    #[test]
    fn without_weights_the_race_is_all() {
        let board = board("BFA2/CD3/E3e/3dc/2afb u -");
        let value = Weights::default().chance(&board);
        assert!((value - chance(race_odds(&board))).abs() < 1e-6);
    }

    #[test]
    fn positions_that_mirror_each_other_are_worth_the_same() {
        let weights = noisy();
        let value = |fen: &str| weights.chance(&board(fen));
        let original = value("A1C2/4e/5/1b3/2f2 u -");
        // The diagonal; the roller's numbers; the other's numbers; the colours.
        for fen in [
            "A4/3b1/C3f/5/1e3 u -",
            "F1D2/4e/5/1b3/2f2 u -",
            "A1C2/4b/5/1e3/2a2 u -",
            "2F2/3B1/5/E4/2c1a l -",
        ] {
            assert!((value(fen) - original).abs() < 1e-5, "{fen}: {} {original}", value(fen));
        }
        assert!((value("A1C2/4b/5/1e3/2f2 u -") - original).abs() > 1e-5);
    }

    #[test]
    fn the_fast_layout_gives_the_same_values() {
        let weights = noisy();
        let network = Network::new(&weights);
        for fen in ["BFA2/CD3/E3e/3dc/2afb u -", "A1C2/4e/5/1b3/2f2 l -"] {
            assert!((network.chance(&board(fen)) - weights.chance(&board(fen))).abs() < 1e-5);
        }
    }

    #[test]
    fn the_programs_own_weights_can_be_read() {
        assert!(from_bytes(include_bytes!("weights.bin")).is_ok());
    }
}
