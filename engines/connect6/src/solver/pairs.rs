//! Which pairs are sensible (section 3.6.5). Where many threes lie about, most pairs of single
//! threats have nothing to do with each other: one of the two is there only because a turn needs a
//! second threat, and a few such companions say as much as all. The same holds for the many ways
//! to play a live two whose stones build nothing else.
//!
//! The thesis keeps a pair if one of its threes has not been tried at the node, if the two may meet
//! in the future, or if a stone does more than its threat. Here each stone has a number of
//! companions instead, the best by evaluation; two that may meet are always tried.

use super::attacks::{Attack, List, PointSet};
use super::hypergraph::{Area, Name};
use super::prune::Type;
use super::{Dependency, Solver};
use crate::board::Sketch;
use agon_protocol::connect6::POINTS;

/// Companions of a stone that does more than its threat.
const COMPANIONS: u8 = 4;
/// Companions of any other stone.
const BARE_COMPANIONS: u8 = 1;
/// Ways to play a live two that build nothing else.
const BARE_DOUBLES: usize = 3;

/// What a turn is in this respect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// Always tried.
    #[default]
    Other,
    /// Two independent single threats.
    Pair {
        /// Which of them belong to the path: only those count.
        belongs: [bool; 2],
        /// Which stones do more than their threat.
        builds: [bool; 2],
    },
    /// A live two, by its line and the stones there before, with stones that build nothing else.
    Bare {
        /// The line.
        line: u8,
        /// The attacker's stones on it.
        own: u32,
    },
}

/// What has been kept at a node so far.
#[derive(Clone, Debug)]
pub struct Tried {
    companions: [u8; POINTS],
    doubles: Vec<(u8, u32)>,
    /// Star zones of stones that were asked for.
    stars: Vec<(u16, PointSet)>,
}

impl Default for Tried {
    fn default() -> Tried {
        Tried { companions: [0; POINTS], doubles: Vec::new(), stars: Vec::new() }
    }
}

impl Tried {
    /// For another node.
    pub fn clear(&mut self) {
        self.companions.fill(0);
        self.doubles.clear();
        self.stars.clear();
    }
}

impl Solver<'_> {
    /// The role of a turn.
    pub(super) fn role(&self, turn: &Sketch, kind: Type, belongs: [bool; 2]) -> Role {
        let (p, q) = (turn.stones[0], turn.stones[1]);
        let builds = |a, b| self.board.would_build(self.attacker, a, b);
        match kind {
            Type::Independent => Role::Pair { belongs, builds: [builds(p, q), builds(q, p)] },
            Type::Double if !builds(p, q) && !builds(q, p) => {
                turn.line_with_both().map_or(Role::Other, |(line, own)| Role::Bare { line, own })
            }
            _ => Role::Other,
        }
    }

    /// Drops what is not sensible from the turns of a node, the best of which come first, and makes the
    /// others ready to be tried.
    pub(super) fn select(&mut self, list: &mut List) {
        let Some(Dependency { pairs, .. }) = self.settings.dependency else { return };
        if pairs {
            self.tried.clear();
            let before = list.order.len();
            list.order.retain(|&i| self.sensible(&list.all[i as usize]));
            self.counters.pruned += (before - list.order.len()) as u64;
        }
        for &i in &list.order {
            self.memory.complete(&mut list.all[i as usize]);
        }
    }

    fn sensible(&mut self, attack: &Attack) -> bool {
        match attack.role {
            Role::Other => true,
            Role::Bare { line, own } => {
                let tried = &mut self.tried.doubles;
                let many = tried.iter().filter(|t| **t == (line, own)).count() >= BARE_DOUBLES;
                tried.push((line, own));
                !many
            }
            Role::Pair { belongs, builds } => {
                let mut alone = true;
                for (i, p) in attack.stones.into_iter().enumerate().filter(|(i, _)| belongs[*i]) {
                    let most = if builds[i] { COMPANIONS } else { BARE_COMPANIONS };
                    let tried = &mut self.tried.companions[usize::from(p)];
                    alone &= *tried >= most;
                    *tried = tried.saturating_add(1);
                }
                !alone || self.may_meet(attack)
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

    /// Whether two independent threats may come together: their futures, or the future of one and
    /// the star zone of the other. If they may not, the hypergraph remembers what would change it.
    fn may_meet(&mut self, attack: &Attack) -> bool {
        let mut futures = [Area::default(); 2];
        let mut stars = [PointSet::default(); 2];
        let mut names = [Name::default(); 2];
        let mut edges = [None; 2];
        for (i, p) in attack.stones.into_iter().enumerate() {
            futures[i].insert(p);
            stars[i] = self.star(p);
            (names[i], edges[i]) = self.memory.edge(attack, i, &self.graph);
            if let Some(id) = edges[i] {
                futures[i].unite(self.graph.future(id));
            }
        }
        let meet = futures[0].meets(&futures[1])
            || futures[0].meets(&stars[1])
            || futures[1].meets(&stars[0]);
        if !meet {
            for (i, name) in names.into_iter().enumerate() {
                let mut area = futures[1 - i];
                area.unite(&stars[1 - i]);
                self.graph.deny(name, edges[i], &area);
            }
        }
        meet
    }
}
