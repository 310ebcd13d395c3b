//! The tuned evaluation's weights. Until a fit is landed here they are the paper's.

use super::paper::paper_weights;
use super::weights::Weights;

/// The tuned weights.
pub fn tuned_weights() -> Weights {
    paper_weights()
}
