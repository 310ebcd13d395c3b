//! A cache of the threats that single stones make. Most lines are unchanged at the next position,
//! and so are the threats of a stone on them.

use super::double_threat::{Defence, DoubleThreat, ThreatEdges};
use super::hypergraph::{EdgeKey, Hypergraph, ThreatEdge};
use crate::board::{PointSet, ThreatPreview, Threats, WindowBoard};
use agon_games::connect6::POINTS;

/// A stone that alone makes a threat, at a position.
#[derive(Clone, Copy, Debug)]
pub struct SingleThreat {
    /// Its point.
    pub point: u16,
    /// It makes a single threat that is admissible alone.
    pub admissible: bool,
    /// Its entry in the cache.
    pub entry: u16,
    /// Its gain in score.
    pub delta: i32,
}

/// The threats of a stone on an empty point, valid while the stones on its lines are unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedStone {
    /// The stones on its lines.
    lines: [[u32; 2]; 4],
    /// Its threats.
    pub preview: ThreatPreview,
    /// Its threats as an edge of the hypergraph.
    pub edge: ThreatEdge,
    /// It alone makes two or more threats.
    pub double: bool,
    /// It makes an attack line in addition to its threats.
    pub attack_line: bool,
    /// The points that stop its threats.
    pub defence: Defence,
    /// The empty points of its windows with four.
    pub window_points: PointSet,
}

/// The cached stones of a search, for one colour.
#[derive(Clone, Debug, Default)]
pub struct ThreatCache {
    /// The index of each point's entry, counted from 1; 0: none.
    index: Vec<u16>,
    entries: Vec<CachedStone>,
}

impl ThreatCache {
    /// The index of the entry for a stone on this empty point; the colour has no window with four.
    pub fn look_up(&mut self, board: &WindowBoard, colour: usize, point: u16) -> u16 {
        let lines = board.stones_around(point);
        self.index.resize(POINTS, 0);
        let index = &mut self.index[usize::from(point)];
        if *index == 0 {
            self.entries.push(CachedStone::new(board, colour, point, lines));
            *index = self.entries.len() as u16;
        } else {
            let entry = &mut self.entries[usize::from(*index - 1)];
            if entry.lines != lines {
                *entry = CachedStone::new(board, colour, point, lines);
            }
        }
        *index - 1
    }

    /// The entry with this index.
    #[inline]
    pub fn get(&self, entry: u16) -> &CachedStone {
        &self.entries[usize::from(entry)]
    }

    /// The entry with this index, mutable.
    #[inline]
    pub fn get_mut(&mut self, entry: u16) -> &mut CachedStone {
        &mut self.entries[usize::from(entry)]
    }

    /// The key and edge of threat `i` (0 or 1) of a turn at this position that is a pair of single
    /// threats.
    #[inline]
    pub fn edge(
        &mut self,
        turn: &DoubleThreat,
        i: usize,
        graph: &Hypergraph,
    ) -> (EdgeKey, Option<u32>) {
        match (turn.cached, turn.edges.get(i)) {
            (Some(entries), _) => {
                let edge = &mut self.get_mut(entries[i]).edge;
                (edge.key, edge.find(graph))
            }
            (None, Some(edge)) => (edge.key, edge.id.or_else(|| graph.find(edge.key))),
            (None, None) => (EdgeKey::default(), None),
        }
    }

    /// Fills in the postponed fields of a turn at this position.
    pub fn complete(&self, turn: &mut DoubleThreat) {
        let Some(entries) = turn.cached.take() else { return };
        let [first, second] = entries.map(|entry| self.get(entry));
        let defences = &mut turn.defences;
        defences.threats = 2;
        for &x in &first.defence {
            for &y in &second.defence {
                let _ = defences.pairs.try_push([x.min(y), x.max(y)]);
            }
        }
        turn.conservative = defences.conservative();
        turn.edges = ThreatEdges::from([first.edge.clone(), second.edge.clone()]);
    }
}

impl CachedStone {
    fn new(board: &WindowBoard, colour: usize, point: u16, lines: [[u32; 2]; 4]) -> CachedStone {
        let preview = board.preview_stone(colour, point);
        let mut threats = Threats::default();
        preview.threats(&mut threats);
        let defences = threats.defences();
        let defence = defences.conservative();
        let mut window_points = PointSet::default();
        for window in threats.windows() {
            window_points.insert(window.a);
            window_points.insert(window.b);
        }
        CachedStone {
            lines,
            edge: ThreatEdge::new(&[point], &defence),
            preview,
            double: defences.threats > 1,
            attack_line: board.creates_attack_line(colour, point, point),
            defence,
            window_points,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random_step;
    use agon_games::rng;

    #[test]
    fn a_cached_stone_makes_what_it_makes_now() {
        let mut cache = ThreatCache::default();
        let mut stream = rng::stream(1, 0, "memory");
        let mut board = WindowBoard::new(19);
        let (mut looked_up, mut hits) = (0, 0);
        for _ in 0..4000 {
            random_step(&mut board, &mut stream);
            if board.has_four(0) {
                board.remove();
                continue;
            }
            let mut points = Vec::new();
            board.visit_three_points(0, |p| points.push(p));
            for p in points {
                let lines = board.stones_around(p);
                let index = cache.index.get(usize::from(p)).map_or(0, |n| usize::from(*n));
                let hit = index > 0 && cache.entries[index - 1].lines == lines;
                let entry = cache.look_up(&board, 0, p);
                let fresh = CachedStone::new(&board, 0, p, lines);
                assert_eq!(cache.entries[usize::from(entry)], fresh, "{p}");
                looked_up += 1;
                hits += u32::from(hit);
            }
        }
        assert!(hits > 100 && looked_up - hits > 100, "{hits} of {looked_up}");
    }
}
