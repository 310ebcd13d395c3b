//! The board used by the searches. It updates the counts of all windows of every line as stones are
//! placed and removed (four lines per stone), so threats are read from the counts without a search.
//!
//! A window is a run of six points on a line; it is open to a colour if it holds no stone of the
//! opponent.

pub mod geometry;
mod incremental;
mod lines;
pub mod pattern;
mod preview;
mod threats;
mod visit;
mod window_counts;

pub use geometry::PointSet;
pub use incremental::{WINDOW_VALUES, WindowBoard, name};
pub use lines::{LineWithoutStone, ThreatStones};
pub use preview::ThreatPreview;
pub use threats::{Defences, FourWindow, Threats};
pub use window_counts::WindowCounts;

#[cfg(test)]
pub(crate) mod tests;
