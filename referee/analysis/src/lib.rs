//! Analyses: games with variations, comments, marks and engine lines. The rules check every move as it is added.
//!
//! - [`GameTree`]: a start position and its variations
//! - [`games`]: the games of a file in any form; [`FileGame::tree`] reads one, what is illegal is left out and named
//! - [`write()`]: a tree as a file
//! - [`routes`]: analyses for pages, each a thread with a tree and an engine; [`GameFile`]: a file that pages open

mod comment;
mod file;
mod read;
mod study;
mod tree;
mod write;

pub use file::{FileGame, MAX_GAMES, games};
pub use read::ReadTree;
pub use study::{GameFile, routes};
pub use tree::{EngineLines, GameTree, MAX_COMMENT, MAX_MARKS, MAX_NODES, Node, TreeError};
pub use write::{TreeFile, TreeForm, write};
