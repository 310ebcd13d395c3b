//! What the evaluation weighs by: data that a position carries, so that two evaluations can play
//! against each other in one process. [`crate::tune`] finds such numbers by matches.

use std::fmt;

/// The weights. Values of positions are in sixteenths of a point; a window with one stone is worth
/// about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Open windows with one, two, three and four stones or more.
    pub windows: [i32; 4],
    /// What those with two, three and four or more are worth above that if both ends have room
    /// ([`crate::board::Board::free_windows`]).
    pub free: [i32; 3],
    /// A stone, for each row and column that it lies away from the edge.
    pub centre: i32,
    /// What the windows of the side to move count, in 128ths of what the other side's do.
    pub own: i32,
    /// The right to move.
    pub tempo: i32,
    /// To be taken off where the opponent's threats take one and two stones to stop.
    pub forced: [i32; 2],
    /// What makes a point worth looking at: windows with none, one, two and three stones.
    pub steps: [i32; 4],
    /// What own windows count in choosing points, in 64ths of what the opponent's do.
    pub attack: i32,
}

/// What is known of a number in [`Weights`] for tuning it.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// For people and files.
    pub name: &'static str,
    /// A change that should be felt in play.
    pub step: i32,
    /// The least sensible value.
    pub least: i32,
    /// The greatest.
    pub most: i32,
}

const fn kind(name: &'static str, step: i32, least: i32, most: i32) -> Kind {
    Kind { name, step, least, most }
}

impl Weights {
    /// How many numbers there are.
    pub const COUNT: usize = 17;

    /// By rule of thumb: what a window is worth, twice over.
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

    /// What the engine plays by unless told otherwise: points are chosen by what [`Weights::FULL`] chooses
    /// them by, positions weighed by the rule.
    pub const TUNED: Weights = Weights { steps: Weights::FULL.steps, ..Weights::RULE };

    /// What 2,000 pairs of games made of [`Weights::RULE`], all numbers at once. They see some of what the
    /// solver finds, so that `alphabeta` gains more by them than `best` does.
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

    /// What is known of each number, in the order of [`Weights::numbers`].
    pub const KINDS: [Kind; Weights::COUNT] = [
        kind("windows 1", 6, 0, 400),
        kind("windows 2", 20, 0, 1_000),
        kind("windows 3", 40, 0, 2_000),
        kind("windows 4", 80, 0, 4_000),
        kind("free 2", 16, -500, 1_000),
        kind("free 3", 32, -1_000, 2_000),
        kind("free 4", 64, -2_000, 4_000),
        kind("centre", 4, -100, 200),
        kind("own", 12, 32, 384),
        kind("tempo", 160, -2_000, 8_000),
        kind("forced 1", 160, -4_000, 8_000),
        kind("forced 2", 240, -4_000, 12_000),
        kind("steps 0", 6, 0, 400),
        kind("steps 1", 20, 0, 1_000),
        kind("steps 2", 32, 0, 2_000),
        kind("steps 3", 60, 0, 4_000),
        kind("attack", 8, 16, 320),
    ];

    /// The numbers in a row.
    pub fn numbers(&self) -> [i32; Weights::COUNT] {
        let [w1, w2, w3, w4] = self.windows;
        let [f2, f3, f4] = self.free;
        let [one, two] = self.forced;
        let [s0, s1, s2, s3] = self.steps;
        let &Weights { centre, own, tempo, attack, .. } = self;
        [w1, w2, w3, w4, f2, f3, f4, centre, own, tempo, one, two, s0, s1, s2, s3, attack]
    }

    /// The weights that these are the numbers of.
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

/// As the source has it.
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
