//! The admission rules of dependency-based search (sections 3.5 and 3.6), and what they do to a known
//! win. A double threat is admitted if it depends on the previous turn (M_D), may combine with it later
//! (M_C), or blocks an inversion of the past (post-block) or of the future (pre-block).
//!
//! Among the admitted pairs of single threats the rule on reasonable pairs (2ST, section 3.6.5) selects.
//! On boards with many threes most pairs of single threats are unrelated: one is played only because a
//! turn needs a second threat, and a few such pairs are as good as all. The same holds for the many ways
//! to play a live two whose stones build nothing else. The thesis keeps a pair if one of its threes has
//! not been tried at the position, if the two may meet later, or if a stone makes an attack line in
//! addition to its threat. Here each stone has a limited number of pairs, the best by score; pairs that
//! may meet are always kept.

use super::double_threat::{Defence, DoubleThreat, MoveType, Pairing, ThreatEdges};
use super::hypergraph::{EdgeKey, ThreatEdge};
use super::settings::DependencyRules;
use super::state::{Admission, PathMove, ThreatSolver, inversions_before};
use crate::board::{PointSet, ThreatPreview, ThreatStones, Threats, name};
use crate::params;
use crate::proof::Step;
use arrayvec::ArrayVec;

impl ThreatSolver<'_> {
    /// Prepares the context of the position on the board before turns are generated.
    pub(super) fn start_position(&mut self, depth: u32) {
        let Some(rules) = self.settings.dependency else { return };
        self.context.horizon = rules.horizon && self.at_horizon(depth);
        self.context.unrestricted = self.is_unrestricted(rules);
        self.context.has_last_star = false;
        self.context.complete = false;
    }

    /// Computes the area that the previous turns reach, and which of their stones may block the
    /// defender.
    fn complete_context(&mut self) {
        if self.context.complete {
            return;
        }
        self.update_last_star();
        let context = &mut self.context;
        context.complete = true;
        context.star = PointSet::default();
        context.blockers.clear();
        for turn in inversions_before(&self.path) {
            context.star.unite(&turn.star);
            context.blockers.extend(turn.stones.iter().map(|p| (*p, None)));
        }
    }

    /// Completes the last turn before further turns are played: if it caused an inversion, later
    /// turns may refer to it, and its star zone is the one in this position.
    pub(super) fn finish_position(&mut self) {
        if self.path.last().is_some_and(|turn| turn.inversion) {
            self.update_last_star();
        }
    }

    /// Computes the star zone of the last turn, whose defence is on the board.
    fn update_last_star(&mut self) {
        if std::mem::replace(&mut self.context.has_last_star, true) {
            return;
        }
        let Some(turn) = self.path.last_mut() else { return };
        turn.star = PointSet::default();
        for &p in &turn.related {
            self.board.visit_star(self.attacker, p, |s| {
                turn.star.insert(s);
            });
        }
    }

    /// Whether to skip turns that do not use a stone of the last turn, since only a turn that
    /// leaves no defence counts: unless the last turn was forced, such a turn would have won in its
    /// place, and was searched there.
    pub(super) fn at_horizon(&self, depth: u32) -> bool {
        let forced_before = match self.path.as_slice() {
            [] => return false,
            [_] => self.root_inversion,
            [.., before, _] => before.inversion,
        };
        depth == 1 && !forced_before && !self.board.has_four(self.defender())
    }

    /// Whether every turn is admissible here.
    fn is_unrestricted(&self, rules: DependencyRules) -> bool {
        let Some(last) = self.path.last() else { return true };
        // Turns forced from the root on chose no region; the next turn does. Every turn generated
        // after an inversion stops it (post-block).
        last.inversion && rules.post_block
            || self.root_inversion
                && self.path[1..].iter().zip(&self.path).all(|(_, turn)| turn.inversion)
    }

    /// The stones of the previous turn.
    pub(super) fn last_stones(&self) -> Option<[u16; 2]> {
        self.path.last().map(|turn| turn.stones)
    }

    /// Tests a turn that makes exactly two threats; `None` if it is pruned.
    pub(super) fn admit(
        &mut self,
        turn: &ThreatPreview,
        conservative: &Defence,
    ) -> Option<Admission> {
        let rules = self.settings.dependency.unwrap_or_default();
        let (kind, apart) = MoveType::of(turn);
        let mut edges = ThreatEdges::new();
        match &apart {
            Some(defences) => {
                let stones = turn.stones.iter().zip(defences);
                edges.extend(stones.map(|(p, defence)| ThreatEdge::new(&[*p], defence)));
            }
            None => edges.push(ThreatEdge::new(&turn.stones, conservative)),
        }
        if self.context.horizon {
            return Some(Admission { edges, pairing: Pairing::default() });
        }
        let mut admissible = [false; 2];
        for (i, (admissible, edge)) in admissible.iter_mut().zip(&mut edges).enumerate() {
            let defence = apart.as_ref().map_or(conservative, |defences| &defences[i]);
            let of = if apart.is_some() { [i == 0, i == 1] } else { [true; 2] };
            *admissible = self.is_admissible(turn, of, edge, defence);
        }
        if admissible == [false; 2] {
            return None;
        }
        let pairing =
            if rules.pairs { self.pairing(turn, kind, admissible) } else { Pairing::default() };
        Some(Admission { edges, pairing })
    }

    /// Whether a threat of a turn, made by its first stone, its second or both (`of`), is
    /// admissible: by dependency, combination or pre-block; after an inversion every threat is
    /// (post-block). An inadmissible single threat can still be the second of a pair.
    pub(super) fn is_admissible(
        &mut self,
        turn: &ThreatPreview,
        of: [bool; 2],
        edge: &mut ThreatEdge,
        defence: &[u16],
    ) -> bool {
        let Some(last) = self.path.last().filter(|_| !self.context.unrestricted) else {
            return true;
        };
        if last.related.iter().any(|p| turn.uses(of, *p)) {
            return true;
        }
        let rules = self.settings.dependency.unwrap_or_default();
        self.complete_context();
        let id = edge.find(&self.graph);
        let star = &self.context.star;
        let combines = rules.combination
            && match id {
                Some(id) => self.graph.development(id).meets(star),
                None => edge.stones.iter().any(|p| star.has(*p)),
            };
        if combines || rules.pre_block && self.is_pre_block(id, turn, defence) {
            return true;
        }
        if rules.combination {
            self.graph.add_unreached(edge.key, id, &self.context.star);
        }
        false
    }

    /// Pre-block: whether a stone of the previous turns stops an inversion that this threat's
    /// defence would make or, if the defence makes one anyway, an inversion that followed it
    /// before.
    fn is_pre_block(&mut self, id: Option<u32>, turn: &ThreatPreview, defence: &[u16]) -> bool {
        let (board, defender) = (&self.board, 1 - self.attacker);
        let zone = id.map(|id| self.graph.block_zone(id));
        let later = |p: u16| {
            zone.is_some_and(|z| z.has(p)) && board.makes_four(defender, defence, &turn.stones)
        };
        self.context.blockers.iter_mut().any(|(p, lines)| {
            let lines = lines.get_or_insert_with(|| board.lines_without_stone(defender, *p));
            lines.iter().any(|l| l.stops_four(defence)) || later(*p)
        })
    }

    /// Adds a turn, which is on the board without its defence, to the path and the hypergraph
    /// (3.4.2).
    pub(super) fn enter(&mut self, stones: [u16; 2], threats: &ThreatEdges) {
        let near = stones.map(|p| self.board.threat_stones(self.attacker, p));
        let mut edges = ArrayVec::<u32, 2>::new();
        for threat in threats {
            let id = self.graph.enter(threat);
            let own = stones.iter().zip(&near).filter(|(p, _)| threat.stones.contains(p));
            for p in own.flat_map(|(_, lines)| lines).flat_map(ThreatStones::points) {
                // Counted from 1.
                if let Some(parent) = self.edge_of[usize::from(p)].checked_sub(1) {
                    self.graph.add_parent(id, parent);
                }
            }
            edges.push(id);
        }
        for (id, threat) in edges.iter().zip(threats) {
            threat.stones.iter().for_each(|p| self.edge_of[usize::from(*p)] = id + 1);
        }
        // Of two independent threats only those that depend on the previous turn are related, if
        // any does (3.3.2).
        let mut related = ArrayVec::from(stones);
        if let (2, Some(last)) = (edges.len(), self.path.last()) {
            let depends = |near: &[ThreatStones]| {
                last.related.iter().any(|r| near.iter().any(|line| line.has(*r)))
            };
            let depend = [depends(&near[0]), depends(&near[1])];
            if depend != [false; 2] {
                related.clear();
                related.extend(stones.into_iter().zip(depend).filter(|(_, d)| *d).map(|(p, _)| p));
            }
        }
        let star = PointSet::default();
        self.path.push(PathMove { stones, related, edges, inversion: false, star });
    }

    /// Begins the path with a turn of the attacker that is on the board with its answer.
    pub(super) fn begin_after(&mut self, stones: [u16; 2]) {
        self.path.push(PathMove {
            stones,
            related: ArrayVec::from(stones),
            edges: ArrayVec::new(),
            inversion: self.board.has_four(self.defender()),
            star: PointSet::default(),
        });
    }

    /// Removes the last turn from the path.
    pub(super) fn leave(&mut self) {
        let Some(turn) = self.path.pop() else { return };
        turn.stones.iter().for_each(|p| self.edge_of[usize::from(*p)] = 0);
    }

    /// Records the defence of the last turn, which is on the board; `threats` is its inversion, if
    /// it makes one.
    pub(super) fn record_defence(&mut self, threats: Option<&Threats>) {
        if let Some(turn) = self.path.last_mut() {
            turn.inversion = threats.is_some();
        }
        if let Some(threats) = threats {
            self.spread_block_zone(threats);
        }
    }

    /// Adds the points where the inversion on the board could have been stopped to the block zones
    /// of the last turn and of the previous turns whose inversions led here (3.6.3, figure 40).
    fn spread_block_zone(&mut self, threats: &Threats) {
        let mut zone = PointSet::default();
        for window in threats.windows() {
            zone.insert(window.a);
            zone.insert(window.b);
        }
        let inversions = self.path.iter().rev().take_while(|turn| turn.inversion);
        for id in inversions.flat_map(|turn: &PathMove| &turn.edges) {
            self.graph.grow_block_zone(*id, &zone);
        }
    }

    /// Drops unreasonable pairs, then fills in the postponed fields of the turns to search. The
    /// best turns come first in the list.
    pub(super) fn select(&mut self, list: &mut [DoubleThreat], order: &mut Vec<u32>) {
        let Some(DependencyRules { pairs, .. }) = self.settings.dependency else { return };
        if pairs {
            self.tried.clear();
            let before = order.len();
            order.retain(|&i| self.is_reasonable(&list[i as usize]));
            self.counters.pruned += (before - order.len()) as u64;
            self.limited |= order.len() < before;
        }
        for &i in order.iter() {
            self.threat_cache.complete(&mut list[i as usize]);
        }
    }
}

impl ThreatSolver<'_> {
    /// The pairing of a turn of this type, at least one of whose threats is admissible.
    pub(super) fn pairing(
        &self,
        turn: &ThreatPreview,
        kind: MoveType,
        admissible: [bool; 2],
    ) -> Pairing {
        let (p, q) = (turn.stones[0], turn.stones[1]);
        let line = |a, b| self.board.creates_attack_line(self.attacker, a, b);
        match kind {
            MoveType::Independent => {
                Pairing::SingleThreats { admissible, attack_line: [line(p, q), line(q, p)] }
            }
            MoveType::Double if !line(p, q) && !line(q, p) => turn
                .line_with_both()
                .map_or(Pairing::Other, |(line, own)| Pairing::LiveTwo { line, own }),
            _ => Pairing::Other,
        }
    }

    /// Whether to keep a turn; turns must be passed best first.
    pub(super) fn is_reasonable(&mut self, turn: &DoubleThreat) -> bool {
        match turn.pairing {
            Pairing::Other => true,
            Pairing::LiveTwo { line, own } => {
                let tried = &mut self.tried.live_twos;
                let same = tried.iter().filter(|t| **t == (line, own)).count();
                tried.push((line, own));
                same < params::bare_live_twos()
            }
            Pairing::SingleThreats { admissible, attack_line } => {
                let mut exhausted = true;
                let stones = turn.stones.into_iter().enumerate();
                for (i, p) in stones.filter(|(i, _)| admissible[*i]) {
                    let limit =
                        if attack_line[i] { params::pairings() } else { params::bare_pairings() };
                    let pairs = &mut self.tried.pairs[usize::from(p)];
                    exhausted &= *pairs >= limit;
                    *pairs = pairs.saturating_add(1);
                }
                !exhausted || self.may_meet(turn)
            }
        }
    }

    /// The star zone of a stone on an empty point.
    fn star(&mut self, point: u16) -> PointSet {
        if let Some((_, star)) = self.tried.stars.iter().find(|(p, _)| *p == point) {
            return *star;
        }
        let mut star = PointSet::default();
        self.board.visit_star(self.attacker, point, |p| {
            star.insert(p);
        });
        self.tried.stars.push((point, star));
        star
    }

    /// Whether two independent threats may meet: their development zones intersect, or the
    /// development zone of one intersects the star zone of the other. If not, the hypergraph
    /// records what would change this.
    fn may_meet(&mut self, turn: &DoubleThreat) -> bool {
        let mut developments = [PointSet::default(); 2];
        let mut stars = [PointSet::default(); 2];
        let mut edges = [(EdgeKey::default(), None); 2];
        for (i, p) in turn.stones.into_iter().enumerate() {
            developments[i].insert(p);
            stars[i] = self.star(p);
            edges[i] = self.threat_cache.edge(turn, i, &self.graph);
            if let (_, Some(id)) = edges[i] {
                developments[i].unite(self.graph.development(id));
            }
        }
        let meet = developments[0].meets(&developments[1])
            || developments[0].meets(&stars[1])
            || developments[1].meets(&stars[0]);
        if !meet {
            for (i, (key, id)) in edges.into_iter().enumerate() {
                let mut area = developments[1 - i];
                area.unite(&stars[1 - i]);
                self.graph.add_unreached(key, id, &area);
            }
        }
        meet
    }
}

/// A turn that dependency-based search prunes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedTurn {
    /// The number of the attacker's turn, counted from 1.
    pub turn: usize,
    /// Its stones.
    pub stones: String,
    /// The defender made a threat before this turn.
    pub after_inversion: bool,
}

impl ThreatSolver<'_> {
    /// The first turn of a win that is not admissible. The position must have been searched before;
    /// the path of the win is left on the board.
    pub fn first_pruned_turn(&mut self, win: &Step) -> Option<PrunedTurn> {
        let mut step = win;
        let mut after_inversion = self.root_inversion;
        for turn in 1.. {
            let &[p, q] = step.stones.as_slice() else { return None };
            let answer = step.answers.first()?;
            self.start_position(u32::MAX);
            let preview = self.board.preview(self.attacker, [p, q])?;
            let mut threats = Threats::default();
            preview.threats(&mut threats);
            let conservative = threats.defences().conservative();
            let Some(Admission { edges, .. }) = self.admit(&preview, &conservative) else {
                return Some(PrunedTurn { turn, stones: name(p) + &name(q), after_inversion });
            };
            self.finish_position();
            self.place(self.attacker, p);
            self.place(self.attacker, q);
            self.enter([p, q], &edges);
            let defence = if answer.to.is_empty() { &conservative[..] } else { &answer.to };
            for &d in defence {
                self.place(self.defender(), d);
            }
            let threats = self.inversion();
            self.record_defence(threats.as_ref());
            after_inversion |= threats.is_some();
            step = &answer.step;
        }
        None
    }
}
