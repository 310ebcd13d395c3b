//! Matches to watch and games to replay: the logs of the command line, and the match that runs in this
//! program.

mod conduct;
mod live;
mod log;
mod logs;
mod publish;
#[cfg(test)]
mod tests;

pub use conduct::play;
pub use logs::{Logs, routes};
