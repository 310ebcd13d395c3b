//! The result of a search, and the principal variation during the search.

use crate::clock::Clock;
use crate::score::Scale;
use agon_games::Game;
use agon_wire::message::{Bound, Info};

/// A search result, final or intermediate. The value is from the point of view of the side to move
/// at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The rank among several lines, from 1; `None` if there is only one.
    pub rank: Option<u32>,
    /// The last completed depth in plies; 0 if none.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// The value.
    pub value: i32,
    /// Whether the value is only a bound, which a later report replaces.
    pub bound: Option<Bound>,
    /// Permille of the transposition table in use; `None` if unknown.
    pub hashfull: Option<u32>,
    /// Nodes visited by all threads.
    pub nodes: u64,
    /// The principal variation; its first move is the one to play. Never empty.
    pub moves: Vec<M>,
}

impl<M: Copy> SearchResult<M> {
    /// A result of one move with unknown value.
    pub fn unknown(m: M) -> SearchResult<M> {
        SearchResult {
            rank: None,
            depth: 0,
            seldepth: 0,
            value: 0,
            bound: None,
            hashfull: None,
            nodes: 0,
            moves: vec![m],
        }
    }

    /// The move to play.
    pub fn best(&self) -> M {
        self.moves[0]
    }

    /// The report of this result, with its value on this scale, for a search of `root` under
    /// `clock`.
    pub fn info<G: Game<Move = M>>(&self, root: &G, clock: &Clock, scale: Scale) -> Info {
        let time = clock.elapsed();
        let nps = (self.nodes as u128 * 1_000_000_000) / time.as_nanos().max(1);
        let mut state = root.clone();
        let pv = self.moves.iter().map(|&m| {
            let token = state.move_token(m);
            state.play(m);
            token
        });
        Info {
            pv: pv.collect(),
            multipv: self.rank,
            depth: Some(self.depth),
            seldepth: Some(self.seldepth),
            time: Some(time),
            nodes: Some(self.nodes),
            nps: Some(nps as u64),
            hashfull: self.hashfull,
            bound: self.bound,
            score: (self.depth > 0).then(|| scale.score(self.value)),
            text: scale.text(self.value).filter(|_| self.depth > 0),
            ..Info::default()
        }
    }
}

/// The triangular table of principal variations: row `p` is the best line from ply `p`.
#[derive(Clone, Debug)]
pub struct PvTable<M> {
    rows: Vec<Vec<M>>,
}

impl<M: Copy> Default for PvTable<M> {
    fn default() -> Self {
        PvTable { rows: Vec::new() }
    }
}

impl<M: Copy> PvTable<M> {
    /// Starts a node with an empty line.
    #[inline]
    pub fn clear(&mut self, ply: u32) {
        let ply = ply as usize;
        if self.rows.len() < ply + 2 {
            self.rows.resize_with(ply + 2, Vec::new);
        }
        self.rows[ply].clear();
        self.rows[ply + 1].clear();
    }

    /// Sets the best line: `m`, then the line of the child node.
    pub fn set(&mut self, ply: u32, m: M) {
        let (upper, lower) = self.rows.split_at_mut(ply as usize + 1);
        let row = &mut upper[ply as usize];
        row.clear();
        row.push(m);
        row.extend_from_slice(&lower[0]);
    }

    /// The best line from this ply on.
    pub fn line(&self, ply: u32) -> &[M] {
        self.rows.get(ply as usize).map_or(&[], Vec::as_slice)
    }

    /// Sets the best line from this ply on, where a node has been started.
    pub fn set_line(&mut self, ply: u32, line: &[M]) {
        self.rows[ply as usize].clear();
        self.rows[ply as usize].extend_from_slice(line);
    }

    /// The line from the root.
    pub fn root(&self) -> &[M] {
        self.line(0)
    }
}
