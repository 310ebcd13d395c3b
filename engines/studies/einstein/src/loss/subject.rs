//! What the study takes from the engine that it measures.

use agon_protocol::einstein::{EinStein, EinSteinMove, MissingDie};
use agon_protocol::engine::Engine;

/// An engine with an open endgame tablebase.
pub trait Subject: Sync {
    /// The engine.
    type Engine: Engine<Game = EinStein>;

    /// The engine with default options.
    fn engine() -> Self::Engine;

    /// A key that differs between positions before a roll.
    fn key(state: &EinStein) -> u64;

    /// The engine's move ordering: better moves have greater scores.
    fn ordering_score(rolled: &EinStein, m: EinSteinMove) -> i32;

    /// The engine's estimate of the winning probability of the side to roll.
    fn estimate(&self, state: &EinStein) -> f64;

    /// The winning probability of the side to roll, by the tablebase; `None` if it fails.
    fn probe(&self, state: &EinStein) -> Option<f64>;

    /// The maximum number of stones in the tablebase.
    fn stones(&self) -> usize;

    /// The tablebase's rule about missing numbers.
    fn rule(&self) -> MissingDie;

    /// The tablebase's checksum.
    fn checksum(&self) -> u32;
}
