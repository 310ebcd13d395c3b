//! Threat-space search (Kang 2012, chapters 2 to 4): wins by continuous threats.
//!
//! [`solve`] deepens a search of double threats (VCDT), each answered by the conservative
//! defence, and then tries single threats (VCST) through relevance zones. Every part can be
//! switched off in [`Settings`]. Whatever it claims comes with a proof for [`crate::verify`].

mod attacks;
pub mod blame;
mod gains;
mod halves;
mod horizon;
mod hypergraph;
mod pairs;
pub mod proof;
mod prune;
mod single;
mod table;
mod vcdt;
mod zone;

pub use hypergraph::Area;
pub use vcdt::Found;

use crate::board::Board;
use crate::verify::{Budget, Refuted, verify};
use agon_protocol::connect6::{Connect6, POINTS};
use agon_protocol::game::Game;
use agon_protocol::{Player, Turn};
use hypergraph::Hypergraph;
use proof::Step;
use prune::Frame;
use std::sync::Arc;
use table::Table;

/// What the dependency-based search leaves out (sections 3.5 and 3.6). Only moves that pass one of
/// the first three tests are searched; a test that is switched off lets nothing pass. `pairs` and
/// `horizon` switched off leave nothing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Moves whose future may combine with the moves before it (3.6.2).
    pub combination: bool,
    /// Moves after an inversion, which they stop (post-block, 3.6.3).
    pub post_block: bool,
    /// Moves whose later inversions the moves before it may have stopped (pre-block, 3.6.3).
    pub pre_block: bool,
    /// Leave senseless pairs of single threats out (3.6.5).
    pub pairs: bool,
    /// In the last turn of the depth look only at turns that use the turn before and may leave no
    /// defence.
    pub horizon: bool,
}

impl Default for Dependency {
    fn default() -> Dependency {
        Dependency {
            combination: true,
            post_block: true,
            pre_block: true,
            pairs: true,
            horizon: true,
        }
    }
}

/// How much a search may do (section 4.1). The thesis counts 100,000 stones placed as a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Attacking turns on a path.
    pub depth: u32,
    /// No further iteration follows one in which so many stones were placed.
    pub iteration: u64,
    /// Stones placed in all.
    pub total: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 20, iteration: 130_000, total: 7_200_000 }
    }
}

impl Limits {
    /// The thesis's third experiment: depth 20, no other limit.
    pub const fn unlimited() -> Limits {
        Limits { depth: 20, iteration: u64::MAX, total: u64::MAX }
    }
}

/// Which parts of the method are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Limits of the search.
    pub limits: Limits,
    /// Dependency-based search; `None` is the plain one.
    pub dependency: Option<Dependency>,
    /// Remember positions without a win (3.1).
    pub table: bool,
    /// Answer with all defences at once first (2.2); otherwise with each alone, always.
    pub conservative: bool,
    /// Answer with each defence alone where the conservative one causes an inversion or blocks an
    /// attack line (2.2, 3.6.4), this often at most on a path; 0: never.
    pub splits: u32,
    /// An inversion costs no depth (3.6.4).
    pub extension: bool,
    /// Second stones tried beside a stone that makes two threats alone.
    pub free_stones: usize,
    /// Single threats when double ones do not win (3.1); the number of such turns on a path.
    pub single_threats: u32,
    /// Turns without a threat when nothing else wins.
    pub quiet_moves: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits::default(),
            dependency: Some(Dependency::default()),
            table: true,
            conservative: true,
            splits: 1,
            extension: true,
            free_stones: 8,
            single_threats: 1,
            quiet_moves: false,
        }
    }
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Attacking turns found and not left out: double threats, and the turn that wins.
    pub moves: u64,
    /// Stones placed, and those of turns that were read off the lines as if they were placed: the
    /// thesis's count of stones simulated.
    pub stones: u64,
    /// Iterations begun.
    pub iterations: u64,
    /// Defences searched one by one after the conservative one.
    pub splits: u64,
    /// Attacking turns that dependency-based search left out.
    pub pruned: u64,
}

/// How a position was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By double threats throughout.
    DoubleThreats,
    /// A single threat was needed.
    SingleThreats,
    /// A turn without a threat was needed.
    Quiet,
}

impl Kind {
    /// The field's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::DoubleThreats => "VCDT",
            Kind::SingleThreats => "VCST",
            Kind::Quiet => "VCNT",
        }
    }
}

/// What is known about a position after a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side to move wins; the independent verifier has replayed the proof.
    Win {
        /// By which threats.
        kind: Kind,
        /// The proof.
        proof: Arc<Step>,
    },
    /// The search was completed, and its moves do not win.
    NoWin,
    /// A limit ended the search.
    Unknown,
    /// A win was claimed, and refuted by the verifier: a fault of the search. Never a win.
    Refuted(Refuted),
}

impl Verdict {
    /// The proof of a win.
    pub fn proof(&self) -> Option<&Arc<Step>> {
        match self {
            Verdict::Win { proof, .. } => Some(proof),
            _ => None,
        }
    }
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What was found.
    pub verdict: Verdict,
    /// What it took.
    pub counters: Counters,
    /// The depth of the last iteration.
    pub depth: u32,
}

/// Stones placed between two questions whether to stop: a fraction of a millisecond.
const POLL: u64 = 2000;

/// A search in progress.
pub struct Solver<'s> {
    pub(crate) board: Board,
    settings: Settings,
    /// The attacker's colour.
    attacker: usize,
    counters: Counters,
    /// Stones placed at which the search ends.
    budget: u64,
    table: Table,
    frames: Vec<Frame>,
    /// The edge, counted from 1, that each stone of those turns belongs to; 0: none.
    edge_of: Vec<u32>,
    graph: Hypergraph,
    /// The defender threatens in the position that the search began at.
    root_inversion: bool,
    lists: Vec<attacks::List>,
    /// What the turns before the position being searched allow there.
    past: prune::Past,
    /// The turns kept there so far.
    tried: pairs::Tried,
    /// Room for the single threats of the positions on the path.
    halves: Vec<Vec<halves::Half>>,
    memory: halves::Memory,
    gains: gains::Gains,
    /// Room for the candidates of a last turn.
    last_pairs: Vec<[u16; 2]>,
    /// The threats that a stone makes there, by point and line; none between positions.
    made: Vec<[u8; 4]>,
    queue: single::Queue,
    extensions: u32,
    split_levels: u32,
    stop: &'s dyn Fn() -> bool,
    next_poll: u64,
    stopped: bool,
}

/// What a search of a position claims; nothing before it is verified.
pub struct Claim<'g> {
    game: &'g Connect6,
    solution: Solution,
}

impl Claim<'_> {
    /// The end of the search, with a win that the independent verifier has replayed, or none.
    pub fn verified(mut self) -> Solution {
        if let Verdict::Win { proof, .. } = &self.solution.verdict
            && let Err(refuted) = verify(self.game, proof, Budget::default())
        {
            log::error!("a claimed win of `{}` does not hold: {refuted}", self.game.fen());
            self.solution.verdict = Verdict::Refuted(refuted);
        }
        self.solution
    }
}

/// Solves a position for its side to move. `stop` is asked now and then; once it says yes, the
/// search ends with [`Verdict::Unknown`].
pub fn solve(game: &Connect6, settings: Settings, stop: &dyn Fn() -> bool) -> Solution {
    search(game, settings, stop).verified()
}

/// The search of [`solve`], for who wants to measure it apart from the verifier.
pub fn search<'g>(game: &'g Connect6, settings: Settings, stop: &dyn Fn() -> bool) -> Claim<'g> {
    let Turn::Player(attacker) = game.turn() else {
        let counters = Counters::default();
        return Claim { game, solution: Solution { verdict: Verdict::NoWin, counters, depth: 0 } };
    };
    let unready = game.stones_due() < 2;
    let mut solver = Solver::new(Board::from_game(game), attacker, settings, stop);
    let (verdict, depth) = if unready { (Verdict::NoWin, 0) } else { solver.find() };
    Claim { game, solution: Solution { verdict, counters: solver.counters, depth } }
}

impl<'s> Solver<'s> {
    /// A solver of this board for `attacker`, who is to move and has two stones.
    pub fn new(
        board: Board,
        attacker: Player,
        settings: Settings,
        stop: &'s dyn Fn() -> bool,
    ) -> Solver<'s> {
        Solver {
            board,
            settings,
            attacker: attacker.index(),
            counters: Counters::default(),
            budget: settings.limits.total,
            table: Table::new(settings.limits.total),
            frames: Vec::new(),
            edge_of: vec![0; POINTS],
            graph: Hypergraph::default(),
            root_inversion: false,
            lists: Vec::new(),
            past: prune::Past::default(),
            tried: pairs::Tried::default(),
            halves: Vec::new(),
            memory: halves::Memory::default(),
            gains: gains::Gains::default(),
            last_pairs: Vec::new(),
            made: Vec::new(),
            queue: single::Queue::default(),
            extensions: 0,
            split_levels: 0,
            stop,
            next_poll: 0,
            stopped: false,
        }
    }

    /// All stages; what it finds is a claim until it is verified.
    fn find(&mut self) -> (Verdict, u32) {
        self.queue.open = self.settings.single_threats > 0;
        let (found, depth) = self.deepen();
        let mut verdict = match found {
            Found::Win(proof) => {
                return (Verdict::Win { kind: Kind::DoubleThreats, proof }, depth);
            }
            Found::Nothing { complete: true } => Verdict::NoWin,
            _ => Verdict::Unknown,
        };
        if self.settings.single_threats > 0
            && let Some(proof) = self.single_threats()
        {
            return (Verdict::Win { kind: Kind::SingleThreats, proof }, depth);
        }
        if self.settings.quiet_moves
            && let Some(proof) = self.quiet_moves()
        {
            return (Verdict::Win { kind: Kind::Quiet, proof }, depth);
        }
        if self.settings.single_threats > 0 {
            // Single threats are searched by a selection: nothing is complete.
            verdict = Verdict::Unknown;
        }
        (verdict, depth)
    }

    fn defender(&self) -> usize {
        1 - self.attacker
    }

    #[inline]
    fn place(&mut self, colour: usize, point: u16) {
        self.counters.stones += 1;
        self.board.place(colour, point);
    }

    /// Whether the search must end.
    fn expired(&mut self) -> bool {
        if !self.stopped {
            let due = self.counters.stones >= self.next_poll;
            if due {
                self.next_poll = self.counters.stones + POLL;
            }
            self.stopped = due && (self.stop)() || self.counters.stones >= self.budget;
        }
        self.stopped
    }
}

/// The solver as searches of whole games use it: double threats only, for either colour, whoever
/// is to move. What it finds is not verified.
pub struct Threatener {
    board: Board,
    attacker: Player,
    settings: Settings,
}

impl Threatener {
    /// For the threats of `attacker`, a colour, as if it were to move.
    pub fn new(board: &Board, attacker: usize, settings: Settings) -> Threatener {
        let attacker = Player::BOTH[attacker & 1];
        Threatener { board: board.clone(), attacker, settings }
    }

    /// A win by double threats within the limits.
    pub fn win(&mut self, stop: &dyn Fn() -> bool) -> Option<Arc<Step>> {
        let mut solver = Solver::new(self.board.clone(), self.attacker, self.settings, stop);
        match solver.deepen().0 {
            Found::Win(step) => Some(step),
            _ => None,
        }
    }

    /// Where stones could matter to a win of [`Threatener::win`], if `free` may be put anywhere.
    pub fn zone(&self, win: &Step, free: usize) -> Area {
        let go_on = || false;
        let mut solver = Solver::new(self.board.clone(), self.attacker, self.settings, &go_on);
        solver.zone(win, free)
    }
}
