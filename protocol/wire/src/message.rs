//! The core messages between a manager and an engine, independent of any dialect's spelling.
//!
//! A dialect translates its lines to and from [`Command`]s and [`Reply`]s; engines and the referee
//! see only these.

use agon_games::option::OptionSpec;
use std::time::Duration;

/// A message from a manager to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Send the name and the list of options.
    Identify,
    /// Set an option.
    SetOption {
        /// The option's name.
        name: String,
        /// The value; empty for a button.
        value: String,
    },
    /// Answer [`Reply::Ready`] once all earlier commands are done; during a search, at once.
    IsReady,
    /// Forget everything about the game so far.
    NewGame,
    /// The position to search.
    Position {
        /// The position before the moves; `None` is the game's start position.
        fen: Option<String>,
        /// Decisions and chance outcomes from there.
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
    /// Print the position in human-readable form.
    Show,
    /// End the program.
    Quit,
    /// Answer [`Reply::Acknowledged`] at once, in dialects in which every line is answered.
    Acknowledge,
    /// A line that the dialect accepts but that has no effect (an empty line, a comment).
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
    /// How does it end with best play, if an endgame tablebase has it?
    Tablebase,
}

/// The limits of a search. Every field that is set applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on each player's clock, first player first.
    pub time: [Option<Duration>; 2],
    /// Increment after each move, first player first.
    pub increment: [Duration; 2],
    /// Moves until the next time control; `None`: the clock is for the whole game.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of visited nodes.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time until [`Command::PonderHit`] or [`Command::Stop`].
    pub ponder: bool,
    /// Tokens of moves that must not be played unless there is no other move.
    pub ban_moves: Vec<String>,
    /// Tokens of the only moves that may be played; empty: all.
    pub search_moves: Vec<String>,
    /// The opponent offers a draw.
    pub draw_offered: bool,
}

/// A score from the point of view of the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns, or 1/100 of the natural unit of the game (a stone, a square of territory).
    Cp(i32),
    /// A forced result in N plies; negative: being mated. 0 is a lost position without moves.
    Mate(i32),
}

/// A score that is only one side of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// A progress report of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Completed depth in plies.
    pub depth: Option<u32>,
    /// Deepest ply reached.
    pub seldepth: Option<u32>,
    /// The rank of the line, from 1, if several are reported (MultiPV).
    pub multipv: Option<u32>,
    /// Time since `go`.
    pub time: Option<Duration>,
    /// Visited nodes.
    pub nodes: Option<u64>,
    /// Visited leaves: nodes with a static evaluation or a finished game.
    pub leaves: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Permille of the transposition table in use.
    pub hashfull: Option<u32>,
    /// The score.
    pub score: Option<Score>,
    /// Whether the score is a bound; `None` if it is exact.
    pub bound: Option<Bound>,
    /// Win, draw and loss in permille, from the point of view of the side to move.
    pub wdl: Option<[u32; 3]>,
    /// Principal variation, as tokens.
    pub pv: Vec<String>,
    /// Free text.
    pub text: Option<String>,
}

impl Info {
    /// The expected score of the side to move in permille: wins and half of the draws, as the engine
    /// reports them. Shares that do not add up to 1000 are scaled.
    pub fn expected_score(&self) -> Option<u32> {
        let [win, draw, loss] = self.wdl?.map(u64::from);
        let all = win + draw + loss;
        u32::try_from(((2 * win + draw) * 500 + all / 2).checked_div(all)?).ok()
    }
}

/// Additional information with an engine's move, in dialects that support it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    /// The predicted reply, to ponder on.
    PonderMove(String),
    /// It offers a draw, or accepts the opponent's offer.
    DrawOffer,
    /// It resigns; the move does not count.
    Resignation,
}

/// A message from an engine to a manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The engine's name and author.
    Id {
        /// Program and version.
        name: String,
        /// The author.
        author: String,
    },
    /// An option that can be set. Sent by our engines.
    Option(OptionSpec),
    /// An option as written by another author's engine: its name and the rest of the line.
    RawOption {
        /// The name; may contain blanks.
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
    /// The search's result; `None` if there is no legal move.
    BestMove(Option<String>),
    /// An annotation of the preceding [`Reply::BestMove`].
    Annotation(Annotation),
    /// The answer to a [`Query`].
    Response(String),
    /// A human-readable line (a diagram, a perft table).
    Text(String),
    /// A line was rejected: the error and the expected form.
    Error(String),
    /// The engine failed and recovered; not a reply to a line.
    EngineError(String),
    /// The answer to [`Command::Acknowledge`].
    Acknowledged,
    /// The last line of a conversation, in dialects that have one.
    Bye,
}

impl Limits {
    /// A fixed time per move.
    pub fn with_move_time(time: Duration) -> Limits {
        Limits { move_time: Some(time), ..Limits::default() }
    }

    /// Whether anything limits the search, including `stop`. Managers of dialects without clocks
    /// send no limit.
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
