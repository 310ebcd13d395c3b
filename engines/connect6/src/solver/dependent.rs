//! Generation of double threats in dependency-based search. Most turns are pairs of independent
//! single threats: each stone is examined once, and pairs are combined without placing them. All
//! other turns are previewed.
//!
//! In the last turn within the depth limit, only a turn that leaves no defence counts, and it uses a
//! stone of the previous turn (see [`ThreatSolver::at_horizon`]). The lines give the maximum number of
//! threats that two stones make, so few turns need a preview.

use super::double_threat::{Defence, DoubleThreat, Pairing, ThreatEdges, ThreatPoints};
use super::generate::LinePairs;
use super::state::{Admission, ThreatSolver};
use super::threat_cache::{SingleThreat, ThreatCache};
use crate::board::geometry::{LINE_BITS, point_of};
use crate::board::pattern::{Bits, containing, cover};
use crate::board::{Defences, PointSet, Threats};
use agon_games::connect6::POINTS;
use arrayvec::ArrayVec;

impl ThreatSolver<'_> {
    /// The attacker's double threats when the defender has no threat.
    pub(super) fn dependent_attacks(&mut self, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        let mut single_threats = self.single_lists.pop().unwrap_or_default();
        let mut points = PointSet::default();
        self.single_threats(&mut points, &mut single_threats);
        let mut win = None;
        let cache = std::mem::take(&mut self.threat_cache);
        for (i, first) in single_threats.iter().enumerate() {
            win = self.pair_with(*first, &single_threats[i + 1..], &cache, &points, list);
            if win.is_some() || self.expired() {
                break;
            }
        }
        self.threat_cache = cache;
        self.single_lists.push(single_threats);
        if self.stopped {
            return win;
        }
        win.or_else(|| {
            let mut pairs = LinePairs::new();
            self.line_pairs(&points, &mut pairs);
            pairs.iter().find_map(|turn| self.consider_both(*turn, list))
        })
    }

    /// The attacker's double threats that stop the defender's threats.
    pub(super) fn forced_dependent_attacks(
        &mut self,
        forced: &Defences,
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        if let Some(win) = forced.pairs.iter().find_map(|turn| self.consider_both(*turn, list)) {
            return Some(win);
        }
        for (i, &p) in forced.single.iter().enumerate() {
            let earlier = &forced.single[..i];
            self.counters.stones += 1;
            let mut alone = Threats::default();
            self.board.preview_stone(self.attacker, p).threats(&mut alone);
            let mut seen = PointSet::default();
            let mut seconds = ThreatPoints::new();
            self.board.place(self.attacker, p);
            self.three_points(&mut seen, &mut seconds);
            self.board.remove();
            for &q in seconds.iter().filter(|q| !earlier.contains(q)) {
                if let Some(win) = self.consider([p, q], list) {
                    return Some(win);
                }
            }
            if alone.count() > 1
                && let Some(win) =
                    self.pair_with_free_stone(p, &mut seen, |q| !earlier.contains(&q), list)
            {
                return Some(win);
            }
            if self.expired() {
                return None;
            }
        }
        None
    }

    /// Considers turns of a stone that makes two threats alone with each possible second stone.
    fn pair_with_free_stone(
        &mut self,
        p: u16,
        seen: &mut PointSet,
        wanted: impl Fn(u16) -> bool,
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        self.board.place(self.attacker, p);
        let free = self.free_stones(seen, wanted, list.is_empty());
        self.board.remove();
        free.into_iter().find_map(|q| self.consider([p, q], list))
    }

    /// [`ThreatSolver::consider`] for a turn whose first stone has not been counted yet.
    pub(super) fn consider_both(
        &mut self,
        stones: [u16; 2],
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        self.counters.stones += 1;
        self.consider(stones, list)
    }

    /// Adds a turn that stops the defender's threats if it makes two threats and is admissible.
    /// Returns the turn if it makes more.
    #[inline]
    fn consider(&mut self, stones: [u16; 2], list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        self.counters.stones += 1;
        let turn = self.board.preview(self.attacker, stones)?;
        let mut threats = Threats::default();
        turn.threats(&mut threats);
        match threats.count() {
            0 | 1 => return None,
            2 => {}
            _ => {
                self.counters.moves += 1;
                return Some(stones);
            }
        }
        let defences = threats.defences();
        let conservative = defences.conservative();
        if let Some(Admission { edges, pairing }) = self.admit(&turn, &conservative) {
            let [p, q] = stones.map(|p| self.delta(p));
            let delta = p + q + self.board.joint_delta(self.attacker, stones);
            let score = self.board.score(self.attacker) + delta;
            let cached = None;
            let turn =
                DoubleThreat { stones, defences, conservative, score, edges, pairing, cached };
            list.push(turn);
        } else {
            self.counters.pruned += 1;
        }
        None
    }

    /// Lists the stones that alone make a threat.
    fn single_threats(&mut self, set: &mut PointSet, list: &mut Vec<SingleThreat>) {
        list.clear();
        let mut cache = std::mem::take(&mut self.threat_cache);
        let mut points = ThreatPoints::new();
        self.three_points(set, &mut points);
        for &point in &points {
            self.counters.stones += 1;
            let entry = cache.look_up(&self.board, self.attacker, point);
            let stone = cache.get_mut(entry);
            let admissible = !stone.double
                && self.is_admissible(
                    &stone.preview,
                    [true, false],
                    &mut stone.edge,
                    &stone.defence,
                );
            let delta = self.delta(point);
            list.push(SingleThreat { point, admissible, entry, delta });
        }
        self.threat_cache = cache;
    }

    /// Considers the turns of this stone with one of `others`, with a stone in a window in which it
    /// is the third stone, and with a free stone.
    fn pair_with(
        &mut self,
        first: SingleThreat,
        others: &[SingleThreat],
        cache: &ThreatCache,
        singles: &PointSet,
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        let p = first.point;
        let base = self.board.score(self.attacker);
        self.counters.stones += 1;
        let stone = cache.get(first.entry);
        for other in others {
            let second = cache.get(other.entry);
            let independent = !stone.double
                && !second.double
                && !stone.window_points.meets(&second.window_points)
                && !self.board.would_share_window(self.attacker, p, other.point);
            if !independent {
                if let Some(win) = self.consider([p, other.point], list) {
                    return Some(win);
                }
            } else if first.admissible || other.admissible {
                list.push(DoubleThreat {
                    stones: [p, other.point],
                    defences: Defences::default(),
                    conservative: Defence::new(),
                    score: base + first.delta + other.delta,
                    edges: ThreatEdges::new(),
                    pairing: Pairing::SingleThreats {
                        admissible: [first.admissible, other.admissible],
                        attack_line: [stone.attack_line, second.attack_line],
                    },
                    cached: Some([first.entry, other.entry]),
                });
            } else {
                self.counters.pruned += 1;
            }
        }
        let mut seen = *singles;
        let mut seconds: ArrayVec<u16, 64> = ArrayVec::new();
        self.board.visit_new_three_points(self.attacker, p, |q| {
            if seen.insert(q) {
                let _ = seconds.try_push(q);
            }
        });
        if let Some(win) = seconds.iter().find_map(|&q| self.consider([p, q], list)) {
            return Some(win);
        }
        if stone.double { self.pair_with_free_stone(p, &mut seen, |_| true, list) } else { None }
    }
}

fn sum(threats: [u8; 4]) -> u32 {
    threats.iter().map(|n| u32::from(*n)).sum()
}

impl ThreatSolver<'_> {
    /// A turn that leaves no defence and uses a stone of the previous turn.
    pub(super) fn last_turn(&mut self, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        let last = self.last_stones()?;
        let mut points = ThreatPoints::new();
        self.three_points(&mut PointSet::default(), &mut points);
        // The points in windows with three stones, at least one of them from the last turn.
        let mut fresh = PointSet::default();
        for stone in last {
            self.board.visit_three_points_with(self.attacker, stone, |p| {
                fresh.insert(p);
            });
        }
        let mut made = std::mem::take(&mut self.stone_threats);
        made.resize(POINTS, [0; 4]);
        for &p in &points {
            made[usize::from(p)] = self.board.threats_by_line(self.attacker, p);
        }
        let mut candidates: Vec<[u16; 2]> = std::mem::take(&mut self.last_pairs);
        candidates.clear();
        for &p in points.iter().filter(|p| sum(made[usize::from(**p)]) >= 2) {
            for &q in &points {
                let twice = q < p && sum(made[usize::from(q)]) >= 2;
                if q != p && !twice && (fresh.has(p) || fresh.has(q)) {
                    candidates.push([p, q]);
                }
            }
            if sum(made[usize::from(p)]) >= 3 && fresh.has(p) && points.len() == 1 {
                candidates.extend(self.board.empties().find(|q| *q != p).map(|q| [p, q]));
            }
        }
        for &p in &points {
            self.pairs_on_a_line(p, last, fresh.has(p), &made, &mut candidates);
        }
        for &p in &points {
            made[usize::from(p)] = [0; 4];
        }
        self.stone_threats = made;
        let mut win = None;
        for &turn in &candidates {
            win = self.consider_both(turn, list);
            if win.is_some() || self.expired() {
                break;
            }
        }
        self.last_pairs = candidates;
        win
    }

    /// Adds the turns of `p` with a second stone on a shared line that makes threats together with
    /// it. Unless `p` makes a threat with a stone of the previous turn (`is_fresh`), the windows
    /// must contain such a stone.
    fn pairs_on_a_line(
        &self,
        p: u16,
        last: [u16; 2],
        is_fresh: bool,
        made: &[[u8; 4]],
        candidates: &mut Vec<[u16; 2]>,
    ) {
        let made_p = made[usize::from(p)];
        for (direction, at) in LINE_BITS[usize::from(p)].iter().enumerate() {
            let mut around = containing(u32::from(at.bit));
            if !is_fresh {
                let on_line = last.iter().map(|f| LINE_BITS[usize::from(*f)][direction]);
                let near = on_line
                    .filter(|f| f.line == at.line)
                    .fold(0, |set, f| set | containing(u32::from(f.bit)));
                around &= near;
            }
            let windows = self.board.growing_windows(self.attacker, at.line, around);
            let others = sum(made_p) - u32::from(made_p[direction]);
            for bit in Bits(cover(windows) & self.board.empties_on(at.line)) {
                let q = point_of(usize::from(at.line), bit);
                if q == p {
                    continue;
                }
                let made_q = made[usize::from(q)];
                let rest = others + sum(made_q) - u32::from(made_q[direction]);
                let here = || self.board.threats_with(self.attacker, at.line, [at.bit, bit as u8]);
                if rest > 0 && rest + here() >= 3 {
                    candidates.push([p, q]);
                }
            }
        }
    }
}
