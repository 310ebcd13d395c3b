//! What the page of an analysis sends.

use agon_games::mark::Mark;
use agon_web::PagePosition;
use serde::Deserialize;

/// A new analysis.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewStudy {
    /// Where it begins; its moves become the main line.
    pub position: PagePosition,
    /// The names of the players.
    #[serde(default)]
    pub players: [String; 2],
}

/// The question for the tree.
#[derive(Debug, Default, Deserialize)]
pub struct Since {
    /// The number of the last change that the page knows.
    #[serde(default)]
    pub since: u64,
}

/// The question for a file of an analysis.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// The name of the form.
    pub form: String,
    /// Whether what the engine said is written, too.
    #[serde(default)]
    pub lines: bool,
}

/// The name of a file that a page sends.
#[derive(Debug, Deserialize)]
pub struct FileName {
    /// The name.
    pub name: String,
}

/// Some games of a file.
#[derive(Debug, Deserialize)]
pub struct Range {
    /// The index of the first.
    #[serde(default)]
    pub from: usize,
    /// Their number.
    pub count: usize,
}

/// A command to an analysis. Positions are numbers of nodes.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum StudyCommand {
    /// Play moves or chance outcomes, the first of them after the position `at`.
    Play {
        /// The position.
        at: usize,
        /// The moves.
        tokens: Vec<String>,
    },
    /// Let the server draw the die or the piece.
    Roll {
        /// The position.
        at: usize,
    },
    /// Remove a position with all that follows.
    Remove {
        /// The position.
        at: usize,
    },
    /// Make its line the main line.
    Promote {
        /// The position.
        at: usize,
    },
    /// Write a comment.
    Comment {
        /// The position.
        at: usize,
        /// The comment.
        text: String,
        /// The comment that it replaces, as the page knows it.
        was: String,
    },
    /// Draw a mark on the board, or take it away.
    Mark {
        /// The position.
        at: usize,
        /// The mark.
        mark: Mark,
    },
    /// Take all marks of a position away.
    Unmark {
        /// The position.
        at: usize,
    },
    /// Analyse a position.
    Analyse {
        /// The position.
        at: usize,
        /// Number of lines; 0 ends the analysis.
        lines: u32,
        /// The engine's name.
        #[serde(default)]
        engine: String,
    },
    /// Analyse each outcome of chance.
    Outcomes {
        /// The position in which chance decides.
        at: usize,
        /// Milliseconds for each outcome.
        ms: u64,
        /// The engine's name.
        engine: String,
    },
    /// Let an engine that failed think again.
    Retry {},
    /// End the session; the tree is gone.
    Close {},
}
