//! The tree: the moves of a node in one block of an arena that all threads share without locks.
//!
//! Counts are relaxed atomics. A count of the playouts through a move is exact; one of those in which the move was
//! played later may lose updates of other threads, which does no harm (Enzenberger and Mueller 2009).

use crate::board::point;
use agon_games::nogo::NoGoPoint;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

const RELAXED: Ordering = Ordering::Relaxed;
/// Moves in a chunk of the arena. A block of moves lies in one chunk.
const CHUNK: usize = 1 << 15;
/// In the high half of a count: one win.
const WIN: u64 = 1 << 32;

/// The prior and the value that stand for 1.
const PRIOR_ONE: f32 = (1 << 20) as f32;
const VALUE_ONE: f32 = (1 << 16) as f32;

/// What is known of a move for certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Nothing.
    Open,
    /// Its player wins.
    Won,
    /// Its player loses.
    Lost,
}

/// A move with its statistics, from its player's point of view.
#[derive(Debug, Default)]
pub struct Edge {
    /// Playouts, with those that are under way, and wins in the high half; of a guided move evaluations and the prior.
    direct: AtomicU64,
    /// The same of playouts in which the player made the move at any time from here on; of a guided move the sum of the
    /// values.
    amaf: AtomicU64,
    /// The site, then the fields of [`Link`].
    link: AtomicU64,
}

/// Bits of [`Edge::link`]: site 0 to 7, count 8 to 15, state from 16, start from 24.
const CLAIMED: u64 = 1 << 16;
const EXPANDED: u64 = 1 << 17;
const WON: u64 = 1 << 18;
const LOST: u64 = 1 << 19;
const SITE: u64 = 0xff;

/// The moves after a move, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Link(u64);

impl Link {
    /// The site of the move.
    #[inline]
    pub fn site(self) -> u8 {
        (self.0 & SITE) as u8
    }

    /// What is known.
    #[inline]
    pub fn proof(self) -> Proof {
        match self.0 & (WON | LOST) {
            0 => Proof::Open,
            LOST => Proof::Lost,
            _ => Proof::Won,
        }
    }

    /// Whether the moves after it are known.
    #[inline]
    pub fn is_expanded(self) -> bool {
        self.0 & EXPANDED != 0
    }

    fn block(self) -> (usize, usize) {
        ((self.0 >> 24) as usize, (self.0 >> 8 & 0xff) as usize)
    }
}

impl Edge {
    /// A move with counts from prior knowledge: games in which it was played later, and wins among them.
    pub fn new(site: u8, games: u32, wins: u32) -> Edge {
        let amaf = AtomicU64::new(u64::from(games) + u64::from(wins) * WIN);
        Edge { direct: AtomicU64::new(0), amaf, link: AtomicU64::new(site.into()) }
    }

    /// A move with the probability, 0 to 1, that a network gives it.
    pub fn guided(site: u8, prior: f32) -> Edge {
        let prior = (prior * PRIOR_ONE) as u64 * WIN;
        Edge {
            direct: AtomicU64::new(prior),
            amaf: AtomicU64::new(0),
            link: AtomicU64::new(site.into()),
        }
    }

    /// Evaluations, with those that are under way, and the prior probability, of a guided move.
    #[inline]
    pub fn guide(&self) -> (u32, f32) {
        let (visits, prior) = self.direct();
        (visits, prior as f32 / PRIOR_ONE)
    }

    /// Adds a value, 0 to 1, for the player of a guided move.
    #[inline]
    pub fn add_value(&self, value: f32) {
        self.amaf.fetch_add((value * VALUE_ONE) as u64, RELAXED);
    }

    /// The sum of the values of a guided move.
    #[inline]
    pub fn values(&self) -> f64 {
        self.amaf.load(RELAXED) as f64 / f64::from(VALUE_ONE)
    }

    /// The point of the move.
    pub fn point(&self) -> NoGoPoint {
        point(self.link().site())
    }

    /// The moves after it.
    #[inline]
    pub fn link(&self) -> Link {
        Link(self.link.load(Ordering::Acquire))
    }

    /// Playouts and wins.
    #[inline]
    pub fn direct(&self) -> (u32, u32) {
        halves(self.direct.load(RELAXED))
    }

    /// Playouts and wins in which the move was played later.
    #[inline]
    pub fn amaf(&self) -> (u32, u32) {
        halves(self.amaf.load(RELAXED))
    }

    /// Counts a playout that begins, as a loss: other threads take other ways.
    #[inline]
    pub fn enter(&self) {
        self.direct.fetch_add(1, RELAXED);
    }

    /// Counts the playout that began as a win.
    #[inline]
    pub fn win(&self) {
        self.direct.fetch_add(WIN, RELAXED);
    }

    /// Counts `played`, 0 or 1, playouts in which the move was played later.
    #[inline]
    pub fn note(&self, played: u8, is_won: bool) {
        let played = u64::from(played);
        let added = played | (played * u64::from(is_won)) << 32;
        self.amaf.store(self.amaf.load(RELAXED).wrapping_add(added), RELAXED);
    }

    /// Notes who wins.
    pub fn prove(&self, wins: bool) {
        self.link.fetch_or(if wins { WON } else { LOST }, Ordering::AcqRel);
    }

    /// Whether this thread may expand the move.
    pub fn claim(&self) -> bool {
        self.link.fetch_or(CLAIMED, Ordering::AcqRel) & CLAIMED == 0
    }

    /// A copy that may be expanded again if that failed for want of memory.
    fn copied(&self) -> Edge {
        let link = self.link.load(RELAXED);
        let link = if link & EXPANDED == 0 { link & !CLAIMED } else { link };
        let [direct, amaf] =
            [&self.direct, &self.amaf].map(|count| AtomicU64::new(count.load(RELAXED)));
        Edge { direct, amaf, link: AtomicU64::new(link) }
    }
}

#[inline]
fn halves(count: u64) -> (u32, u32) {
    (count as u32, (count >> 32) as u32)
}

/// The first free place at or after `place` for a block of `count` moves.
fn fitting(place: usize, count: usize) -> usize {
    if place % CHUNK + count > CHUNK { (place / CHUNK + 1) * CHUNK } else { place }
}

/// The tree.
#[derive(Debug)]
pub struct Tree {
    /// The position that is searched, as the move that led there.
    pub root: Edge,
    /// A chunk is empty where the system refused its memory.
    chunks: Box<[OnceLock<Box<[Edge]>>]>,
    /// The moves in use.
    used: AtomicUsize,
    /// The longest path of the search.
    pub deepest: AtomicUsize,
}

impl Tree {
    /// An empty tree of about so many bytes at most.
    pub fn new(bytes: usize) -> Tree {
        let chunks = (bytes / (CHUNK * size_of::<Edge>())).max(1);
        let chunks = std::iter::repeat_with(OnceLock::new).take(chunks).collect();
        let (used, deepest) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Tree { root: Edge::default(), chunks, used, deepest }
    }

    /// Forgets everything; the memory stays.
    pub fn clear(&mut self) {
        self.root = Edge::default();
        *self.used.get_mut() = 0;
    }

    /// Permille of the memory in use.
    pub fn permille(&self) -> u32 {
        (self.used.load(RELAXED) * 1000 / (self.chunks.len() * CHUNK)).min(1000) as u32
    }

    /// The moves after a move; none if it is not expanded.
    #[inline]
    pub fn children(&self, link: Link) -> &[Edge] {
        if !link.is_expanded() {
            return &[];
        }
        let (start, count) = link.block();
        let chunk = self.chunks[start / CHUNK].get();
        chunk.map_or(&[], |chunk| &chunk[start % CHUNK..][..count])
    }

    /// Adds the moves after a claimed move; false if there is no memory left.
    pub fn expand(&self, parent: &Edge, count: usize, moves: impl Iterator<Item = Edge>) -> bool {
        let Some(start) = self.allocate(count) else { return false };
        let chunk = self.chunks[start / CHUNK].get_or_init(new_chunk);
        let Some(block) = chunk.get(start % CHUNK..start % CHUNK + count) else { return false };
        for (edge, new) in block.iter().zip(moves) {
            edge.direct.store(new.direct.into_inner(), RELAXED);
            edge.amaf.store(new.amaf.into_inner(), RELAXED);
            edge.link.store(new.link.into_inner(), RELAXED);
        }
        let found = EXPANDED | (start as u64) << 24 | (count as u64) << 8;
        parent.link.fetch_or(found, Ordering::AcqRel);
        true
    }

    fn allocate(&self, count: usize) -> Option<usize> {
        let room = self.chunks.len() * CHUNK;
        let end = |used| Some(fitting(used, count) + count).filter(|&end| end <= room);
        let used = self.used.fetch_update(RELAXED, RELAXED, end).ok()?;
        Some(fitting(used, count))
    }

    /// Makes the position after these moves the root and drops what does not follow it; false if it is not in the
    /// tree.
    pub fn descend(&mut self, moves: &[NoGoPoint]) -> bool {
        let mut at = &self.root;
        for &m in moves {
            let Some(next) = self.children(at.link()).iter().find(|e| e.point() == m) else {
                return false;
            };
            at = next;
        }
        self.root = at.copied();
        self.compact();
        true
    }

    /// Moves the blocks that follow the root to the beginning of the arena, in the order in which they lie: a
    /// block lies behind that of its parent.
    fn compact(&mut self) {
        let mut left = BinaryHeap::new();
        if self.root.link().is_expanded() {
            left.push(Reverse((self.root.link().block(), None)));
        }
        let mut used = 0;
        while let Some(Reverse(((from, count), parent))) = left.pop() {
            let to = fitting(used, count);
            used = to + count;
            for i in 0..count {
                let Some(edge) = self.at(from + i).map(|edge| edge.copied()) else {
                    return self.clear();
                };
                if edge.link().is_expanded() {
                    left.push(Reverse((edge.link().block(), Some(to + i))));
                }
                if let Some(place) = self.at(to + i) {
                    *place = edge;
                }
            }
            let parent = match parent {
                None => Some(&mut self.root),
                Some(place) => self.at(place),
            };
            if let Some(parent) = parent {
                let link = parent.link.get_mut();
                *link = *link & ((1 << 24) - 1) | (to as u64) << 24;
            }
        }
        *self.used.get_mut() = used;
    }

    fn at(&mut self, place: usize) -> Option<&mut Edge> {
        self.chunks[place / CHUNK].get_mut()?.get_mut(place % CHUNK)
    }
}

/// A chunk; empty if the system refuses the memory.
fn new_chunk() -> Box<[Edge]> {
    let mut chunk = Vec::new();
    if chunk.try_reserve_exact(CHUNK).is_ok() {
        chunk.resize_with(CHUNK, Edge::default);
    }
    chunk.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sites;
    use agon_games::nogo::BOARD;

    /// Expands moves at random places: about `count` nodes of different widths.
    fn grown(bytes: usize, count: usize) -> Tree {
        let tree = Tree::new(bytes);
        let mut edge = &tree.root;
        for n in 0..count {
            let width = 1 + n * 7 % 80;
            let moves = sites(BOARD).map(|site| Edge::new(site, n as u32, 0));
            if edge.claim() && !tree.expand(edge, width, moves) {
                break;
            }
            // Go down again from the root, each time another way.
            edge = &tree.root;
            let mut way = n * 31;
            while !tree.children(edge.link()).is_empty() {
                let children = tree.children(edge.link());
                edge = &children[way % children.len()];
                edge.enter();
                way = way / 3 + n;
            }
        }
        tree
    }

    /// Site, direct and later counts.
    type Told = (u8, (u32, u32), (u32, u32));

    /// All that a tree says below a move.
    fn told(tree: &Tree, edge: &Edge, into: &mut Vec<Told>) {
        for child in tree.children(edge.link()) {
            into.push((child.link().site(), child.direct(), child.amaf()));
            told(tree, child, into);
        }
    }

    #[test]
    fn a_part_of_the_tree_stays_the_same_when_the_rest_is_dropped() {
        let mut tree = grown(64 << 20, 20_000);
        let before = tree.permille();
        for _ in 0..3 {
            let (mut kept, mut seen) = (Vec::new(), Vec::new());
            let widest = tree.children(tree.root.link()).iter().max_by_key(|e| e.direct());
            let Some(next) = widest else { panic!("no move") };
            let (m, counts) = (next.point(), next.direct());
            told(&tree, next, &mut kept);
            assert!(tree.descend(&[m]));
            told(&tree, &tree.root, &mut seen);
            assert_eq!((tree.root.direct(), seen), (counts, kept));
        }
        assert!(tree.permille() < before, "{before} {}", tree.permille());
        // The freed memory can be used again.
        let leaf = Edge::new(11, 0, 0);
        assert!(leaf.claim() && tree.expand(&leaf, 1, [Edge::new(12, 0, 0)].into_iter()));
        assert_eq!(tree.children(leaf.link()).len(), 1);
    }

    #[test]
    fn a_full_tree_expands_nothing_and_a_move_that_is_not_there_is_not_found() {
        let mut tree = grown(1, 100_000);
        assert!(tree.permille() > 950 && tree.permille() <= 1000, "{}", tree.permille());
        let edge = Edge::new(11, 0, 0);
        assert!(!tree.expand(&edge, 81, sites(BOARD).map(|site| Edge::new(site, 0, 0))));
        assert!(tree.children(edge.link()).is_empty());
        assert!(!tree.descend(&[point(109 - 10), point(12), point(12)]));
        tree.clear();
        assert_eq!(tree.permille(), 0);
    }

    #[test]
    fn counts_and_proofs_are_kept_apart() {
        let edge = Edge::new(33, 20, 10);
        (0..5).for_each(|_| edge.enter());
        (0..2).for_each(|_| edge.win());
        edge.note(1, true);
        edge.note(1, false);
        edge.note(0, true);
        assert_eq!((edge.direct(), edge.amaf(), edge.link().site()), ((5, 2), (22, 11), 33));
        assert_eq!(edge.link().proof(), Proof::Open);
        edge.prove(false);
        assert!(edge.link().proof() == Proof::Lost && edge.claim() && !edge.claim());
    }
}
