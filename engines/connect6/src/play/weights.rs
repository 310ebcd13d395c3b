//! The weights of the evaluation. A position carries them, so that two evaluations can play each
//! other in one process.

use crate::params;

/// The weights, in sixteenths of a point unless noted; a window with one stone is worth about one
/// point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowWeights {
    /// Open windows with one, two, three and four or more stones.
    pub windows: [i32; 4],
    /// The bonus of windows with two, three and four or more stones with room at both ends
    /// ([`crate::board::WindowBoard::free_windows`]).
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
    /// Whether a search that has learned values of lines adds them ([`super::LineValues`]).
    pub lines: bool,
}

impl WindowWeights {
    /// Set by hand: each additional stone roughly doubles the value of a window.
    pub const RULE: WindowWeights = WindowWeights {
        windows: [16, 96, 224, 480],
        free: [0, 0, 0],
        centre: 0,
        own: 128,
        tempo: 640,
        forced: [0, 0],
        steps: [16, 80, 128, 256],
        attack: 80,
        lines: false,
    };

    /// The default, tuned by matches. A tuning build can set each.
    pub fn tuned() -> WindowWeights {
        WindowWeights {
            windows: [
                params::windows_1(),
                params::windows_2(),
                params::windows_3(),
                params::windows_4(),
            ],
            free: [params::free_2(), params::free_3(), params::free_4()],
            centre: params::centre(),
            own: params::own(),
            tempo: params::tempo(),
            forced: [params::forced_1(), params::forced_2()],
            steps: [params::steps_0(), params::steps_1(), params::steps_2(), params::steps_3()],
            attack: params::attack(),
            lines: true,
        }
    }
}
