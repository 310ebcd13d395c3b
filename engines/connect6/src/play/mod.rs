//! Connect6 for game searches: the position with its candidate turns, the evaluation, and its
//! weights.

mod evaluator;
mod line_values;
mod position;
mod position_search;
mod solved;
mod weights;

pub use evaluator::{Connect6Evaluator, Connect6MctsEvaluator, TreeSolver, UNPROVED_WIN, unproved};
pub use line_values::{LinePattern, LineValues, LineValuesError, PATTERNS, patterns};
pub use position::{PlacementValues, SearchPosition};
pub use position_search::{EVALUATION, PositionSearch};
pub use weights::WindowWeights;
