//! The claims of the papers: what each says, by which rule our figures judge it, and the pages that show it.
//!
//! - [`verdict`]: the one rule; [`claim`]: the words of a claim, its place in the paper, its share of the experiment
//! - [`report`]: a paper's tables, figures and claims; [`all`]: the claims of all papers on one page

pub mod all;
pub mod claim;
pub mod report;
pub mod verdict;
