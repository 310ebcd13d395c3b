//! The actions at the desk: one line of the session file each.

use agon_games::phrase::Phrase;
use serde::{Deserialize, Serialize};

/// A line of a session file after the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalLine {
    /// Counted from 1.
    pub n: u64,
    /// When: milliseconds of the Unix clock; never before the line above.
    pub at: u64,
    /// What was done.
    #[serde(rename = "do")]
    pub action: Action,
}

/// Who or what gave a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Entered by hand.
    Hand,
    /// The engine's proposal.
    Engine,
    /// The stand-by engine's proposal.
    Standby,
    /// Drawn by this program.
    Rolled,
    /// Derived from what both sides committed to.
    Agreed,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// By the rules.
    Rules,
    /// A team resigned.
    Resigned,
    /// A team lost on time.
    Time,
    /// Both teams agreed.
    Agreed,
    /// A referee decided.
    Adjudicated,
}

/// What happened to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineEvent {
    /// It crashed, hung or sent no legal move.
    Failed,
    /// It was started again.
    Restarted,
    /// The stand-by engine plays from now on.
    StandbyUsed,
    /// The first engine plays from now on.
    MainUsed,
    /// No engine answers; moves are entered by hand.
    GaveUp,
    /// It wants to resign.
    Resigns,
}

/// What was done. Teams are 0 (A) and 1 (B), players 0 (moves first) and 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// A game began.
    Begin {
        /// Counted from 1.
        game: u32,
        /// The team that moves first.
        first: usize,
    },
    /// A set-up, a roll, a revealed piece or a move was entered.
    Play {
        /// The canonical token.
        token: String,
        /// Who gave it.
        by: By,
    },
    /// The last plies were taken back; the clocks stay.
    Back {
        /// How many.
        plies: usize,
    },
    /// A clock was set.
    SetClock {
        /// Whose.
        team: usize,
        /// Milliseconds left.
        left_ms: i64,
        /// Why.
        note: String,
    },
    /// A team's time ran out: both clocks stop until the game ends or that clock is set.
    Flag {
        /// Whose.
        team: usize,
        /// When: milliseconds of the Unix clock; before the line's own time if no desk ran then.
        fell_at: u64,
    },
    /// A clock was started by hand, or both were stopped.
    Run {
        /// Whose runs; `None`: nobody's.
        team: Option<usize>,
    },
    /// The game ended.
    End {
        /// The winner; `None`: a draw.
        winner: Option<usize>,
        /// Why.
        why: Why,
        /// A remark; may be empty.
        note: String,
    },
    /// The end of the last game was taken back.
    Reopen,
    /// The engine proposed a move.
    Propose {
        /// The canonical token.
        token: String,
        /// [`By::Engine`] or [`By::Standby`].
        by: By,
        /// Its score as in a match log (`35`, `#-3`), in earlier sessions as text; empty if it sent none.
        score: String,
        /// Its expected score in permille, if it sent one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected: Option<u32>,
        /// The depth.
        depth: Option<u32>,
        /// Milliseconds that it took.
        ms: u64,
    },
    /// A player committed to a secret for the next roll.
    Commit {
        /// The player.
        player: usize,
        /// SHA-256 of the secret, in hexadecimal.
        hash: String,
    },
    /// A player revealed its secret.
    Reveal {
        /// The player.
        player: usize,
        /// The secret.
        secret: String,
    },
    /// Something happened to an engine.
    Engine {
        /// What.
        event: EngineEvent,
        /// The engine's name.
        name: String,
        /// More about it; may be empty.
        detail: Phrase,
    },
    /// The desk was started again.
    Resumed {
        /// Milliseconds since the line above; a running clock ran on meanwhile.
        gap_ms: u64,
    },
    /// A remark.
    Note {
        /// The text.
        text: String,
    },
}
