//! The core messages between a manager and an engine, independent of any dialect's spelling.
//!
//! A dialect turns its lines into [`Command`]s and [`Reply`]s and back; engines and the referee
//! only ever see these.

use crate::option::OptionSpec;
use std::time::Duration;

/// What a manager tells an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Name yourself and list your options.
    Identify,
    /// Set an option.
    SetOption {
        /// The option's name.
        name: String,
        /// The value; empty for a button.
        value: String,
    },
    /// Answer [`Reply::Ready`] once everything before is done; during a search, at once.
    IsReady,
    /// Forget everything about the game so far.
    NewGame,
    /// The position to think about.
    Position {
        /// The start of the list of moves; `None` is the game's start position.
        fen: Option<String>,
        /// Decisions and chance outcomes since.
        moves: Vec<String>,
    },
    /// Search.
    Go(Limits),
    /// End the search with the best move so far.
    Stop,
    /// The expected move was played: a pondering search becomes a normal one.
    PonderHit,
    /// A question about the position.
    Query(Query),
    /// Count the leaves of the game tree.
    Perft(u32),
    /// Print the position for people.
    Show,
    /// End the program.
    Quit,
    /// Say [`Reply::Acknowledged`] at once, in dialects in which every line is answered.
    Acknowledge,
    /// A line that the dialect knows and that asks for nothing (an empty line, a comment).
    Nothing,
}

/// Questions about the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is it the first player's turn?
    P1Turn,
    /// Is it the second player's turn?
    P2Turn,
    /// Is the game over?
    GameOver,
    /// How did it end?
    Result,
    /// What is the position's FEN?
    Fen,
    /// How does it end with best play, if an endgame tablebase knows?
    Tablebase,
}

/// How long a search may take. Every field that is set binds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on each player's clock, first player first.
    pub time: [Option<Duration>; 2],
    /// Added to the clock after each move, first player first.
    pub increment: [Duration; 2],
    /// Moves until the next time control; `None`: the clock is for the whole game.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// Greatest number of visited nodes.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time until [`Command::PonderHit`] or [`Command::Stop`].
    pub ponder: bool,
    /// Tokens of moves that must not be played, unless there is no other.
    pub ban_moves: Vec<String>,
    /// Tokens of the only moves that may be played; empty: all.
    pub search_moves: Vec<String>,
    /// The opponent offers a draw.
    pub draw_offered: bool,
}

/// A value from the point of view of the side that is to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns, or hundredths of the game's natural unit (a stone, a square of territory).
    Cp(i32),
    /// A forced result in so many plies; negative: being beaten. 0 is a lost position with no
    /// moves left.
    Mate(i32),
}

/// What a search reports on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Finished depth in plies.
    pub depth: Option<u32>,
    /// Deepest ply reached.
    pub seldepth: Option<u32>,
    /// The rank of the line, from 1, where several are reported (MultiPV).
    pub multipv: Option<u32>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// Visited nodes.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// Permille of the table in use.
    pub hashfull: Option<u32>,
    /// The value.
    pub score: Option<Score>,
    /// Principal variation, as tokens.
    pub pv: Vec<String>,
    /// Free text.
    pub text: Option<String>,
}

/// What an engine sends along with its move, in dialects that have words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    /// The reply that it expects, to ponder on.
    PonderMove(String),
    /// It offers a draw, or accepts the opponent's offer.
    DrawOffer,
    /// It resigns; the move does not count.
    Resignation,
}

/// What an engine tells a manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The engine's name and author.
    Id {
        /// Program and version.
        name: String,
        /// Who wrote it.
        author: String,
    },
    /// An option that can be set. Sent by our engines.
    Option(OptionSpec),
    /// An option as another author's engine wrote it: its name and the rest of the line.
    RawOption {
        /// The name; may hold blanks.
        name: String,
        /// Type, default and range as written.
        rest: String,
    },
    /// The end of the answer to [`Command::Identify`].
    Identified,
    /// The answer to [`Command::IsReady`].
    Ready,
    /// A report from the search.
    Info(Info),
    /// The search's result; `None`: there is no legal move.
    BestMove(Option<String>),
    /// What the engine adds to the [`Reply::BestMove`] before it.
    Annotation(Annotation),
    /// The answer to a [`Query`].
    Response(String),
    /// A line for people (a diagram, a perft table).
    Text(String),
    /// A line that was refused: what was wrong and what would be right.
    Error(String),
    /// The engine failed and recovered; not the answer to a line.
    EngineError(String),
    /// The answer to [`Command::Acknowledge`].
    Acknowledged,
    /// The last word of a conversation, in dialects that have one.
    Bye,
}

impl Limits {
    /// A fixed time a move.
    pub fn with_move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// Whether anything bounds the search, `stop` included. Managers of dialects without clocks say
    /// nothing at all.
    pub fn is_bounded(&self) -> bool {
        self.time != [None, None]
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.infinite
            || self.ponder
    }

    /// A fixed depth.
    pub fn with_depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// A fixed number of nodes.
    pub fn with_nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}
