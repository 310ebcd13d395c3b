//! The rule on reasonable pairs of single threats (2ST, section 3.6.5). On boards with many threes
//! most pairs of single threats are unrelated: one is played only because a turn needs a second
//! threat, and a few such pairs are as good as all. The same holds for the many ways to play a live
//! two whose stones build nothing else.
//!
//! The thesis keeps a pair if one of its threes has not been tried at the position, if the two may
//! meet later, or if a stone makes an attack line in addition to its threat. Here each stone has a
//! limited number of pairs, the best by score; pairs that may meet are always kept.

use super::double_threat::{DoubleThreat, MoveType, Pairing};
use super::hypergraph::EdgeKey;
use super::state::Solver;
use crate::board::{PointSet, ThreatPreview};
use crate::params;

impl Solver<'_> {
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
