//! Learning the line values of the evaluation: all candidate turns of nodes as a search meets them, each
//! searched ([`play`]), their files ([`mod@file`]), and the fit of values that prefer the turns of the highest
//! value ([`fit`]).

pub mod file;
pub mod fit;
pub mod play;
