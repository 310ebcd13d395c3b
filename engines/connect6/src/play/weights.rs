//! The weights of the evaluation. A position carries them, so that two evaluations can play each
//! other in one process; [`crate::tune`] tunes them by matches.

use std::fmt;

/// The weights, in sixteenths of a point unless noted; a window with one stone is worth about one
/// point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Open windows with one, two, three and four or more stones.
    pub windows: [i32; 4],
    /// The bonus of windows with two, three and four or more stones with room at both ends
    /// ([`crate::board::Board::free_windows`]).
    pub free: [i32; 3],
    /// The bonus of a stone per row or column of distance from the nearest edge.
    pub centre: i32,
    /// The factor of the windows of the side to move, in 128ths.
    pub own: i32,
    /// The bonus of the side to move.
    pub tempo: i32,
    /// The penalty if the opponent has one threat, and if it has two.
    pub forced: [i32; 2],
    /// Placement value: the gain of a stone in an open window with none, one, two and three stones.
    pub steps: [i32; 4],
    /// The factor of own windows when choosing points, in 64ths.
    pub attack: i32,
}

/// The tuning range of a weight.
#[derive(Clone, Copy, Debug)]
pub struct WeightRange {
    /// Its name.
    pub name: &'static str,
    /// A change large enough to affect play.
    pub step: i32,
    /// The minimum.
    pub min: i32,
    /// The maximum.
    pub max: i32,
}

const fn range(name: &'static str, step: i32, min: i32, max: i32) -> WeightRange {
    WeightRange { name, step, min, max }
}

impl Weights {
    /// The number of weights.
    pub const COUNT: usize = 17;

    /// Set by hand: each additional stone roughly doubles the value of a window.
    pub const RULE: Weights = Weights {
        windows: [16, 96, 224, 480],
        free: [0, 0, 0],
        centre: 0,
        own: 128,
        tempo: 640,
        forced: [0, 0],
        steps: [16, 80, 128, 256],
        attack: 80,
    };

    /// The default: the placement values of [`Weights::FULL`], all other weights set by hand.
    pub const TUNED: Weights = Weights { steps: Weights::FULL.steps, ..Weights::RULE };

    /// All weights tuned from [`Weights::RULE`] in 2,000 pairs of games. They capture some of what
    /// the solver finds, so `alphabeta`, which has no solver, gains more from them than `best`.
    pub const FULL: Weights = Weights {
        windows: [8, 101, 256, 526],
        free: [20, 6, 76],
        centre: 0,
        own: 128,
        tempo: 570,
        forced: [229, 430],
        steps: [12, 56, 189, 297],
        attack: 96,
    };

    /// The tuning range of each weight, in the order of [`Weights::numbers`].
    pub const RANGES: [WeightRange; Weights::COUNT] = [
        range("windows 1", 6, 0, 400),
        range("windows 2", 20, 0, 1_000),
        range("windows 3", 40, 0, 2_000),
        range("windows 4", 80, 0, 4_000),
        range("free 2", 16, -500, 1_000),
        range("free 3", 32, -1_000, 2_000),
        range("free 4", 64, -2_000, 4_000),
        range("centre", 4, -100, 200),
        range("own", 12, 32, 384),
        range("tempo", 160, -2_000, 8_000),
        range("forced 1", 160, -4_000, 8_000),
        range("forced 2", 240, -4_000, 12_000),
        range("steps 0", 6, 0, 400),
        range("steps 1", 20, 0, 1_000),
        range("steps 2", 32, 0, 2_000),
        range("steps 3", 60, 0, 4_000),
        range("attack", 8, 16, 320),
    ];

    /// All weights as a list.
    pub fn numbers(&self) -> [i32; Weights::COUNT] {
        let [w1, w2, w3, w4] = self.windows;
        let [f2, f3, f4] = self.free;
        let [one, two] = self.forced;
        let [s0, s1, s2, s3] = self.steps;
        let &Weights { centre, own, tempo, attack, .. } = self;
        [w1, w2, w3, w4, f2, f3, f4, centre, own, tempo, one, two, s0, s1, s2, s3, attack]
    }

    /// The weights from a list.
    pub fn from_numbers(numbers: [i32; Weights::COUNT]) -> Weights {
        let [w1, w2, w3, w4, f2, f3, f4, centre, own, tempo, one, two, s0, s1, s2, s3, attack] =
            numbers;
        Weights {
            windows: [w1, w2, w3, w4],
            free: [f2, f3, f4],
            centre,
            own,
            tempo,
            forced: [one, two],
            steps: [s0, s1, s2, s3],
            attack,
        }
    }
}

/// Prints the weights as Rust source.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Weights { windows, free, centre, own, tempo, forced, steps, attack } = self;
        writeln!(f, "Weights {{")?;
        writeln!(f, "    windows: {windows:?},")?;
        writeln!(f, "    free: {free:?},")?;
        writeln!(f, "    centre: {centre},")?;
        writeln!(f, "    own: {own},")?;
        writeln!(f, "    tempo: {tempo},")?;
        writeln!(f, "    forced: {forced:?},")?;
        writeln!(f, "    steps: {steps:?},")?;
        writeln!(f, "    attack: {attack},")?;
        write!(f, "}}")
    }
}
