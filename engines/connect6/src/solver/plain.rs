//! Generation of double threats in the plain search, which places the stones of every turn.

use super::double_threat::{DoubleThreat, Points};
use super::generate::LinePairs;
use super::state::Solver;
use crate::board::{Defences, PointSet};

impl Solver<'_> {
    /// The attacker's double threats when the defender has no threat.
    pub(super) fn plain_attacks(&mut self, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        let mut singles = PointSet::default();
        let mut firsts = Points::new();
        self.three_points(&mut singles, &mut firsts);
        for &p in &firsts {
            self.place(self.attacker, p);
            let win = self.try_seconds(p, |q| q > p || !singles.has(q), list);
            self.board.remove();
            if win.is_some() || self.expired() {
                return win;
            }
        }
        // Both stones in windows with two stones: they share a line.
        let mut pairs = LinePairs::new();
        self.line_pairs(&singles, &mut pairs);
        pairs.iter().find_map(|&pair| self.try_both(pair, list))
    }

    /// The attacker's double threats that stop the defender's threats.
    pub(super) fn forced_plain_attacks(
        &mut self,
        forced: &Defences,
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        if let Some(win) = forced.pairs.iter().find_map(|&pair| self.try_both(pair, list)) {
            return Some(win);
        }
        for (i, &p) in forced.single.iter().enumerate() {
            let earlier = &forced.single[..i];
            self.place(self.attacker, p);
            let win = self.try_seconds(p, |q| !earlier.contains(&q), list);
            self.board.remove();
            if win.is_some() || self.expired() {
                return win;
            }
        }
        None
    }

    /// Tries the possible second stones for `p`, which is on the board.
    fn try_seconds(
        &mut self,
        p: u16,
        wanted: impl Fn(u16) -> bool,
        list: &mut Vec<DoubleThreat>,
    ) -> Option<[u16; 2]> {
        let mut seen = PointSet::default();
        let mut seconds = Points::new();
        self.three_points(&mut seen, &mut seconds);
        let win = seconds.iter().filter(|q| wanted(**q)).find_map(|&q| self.try_pair(p, q, list));
        win.or_else(|| {
            let free = self.free_stones(&mut seen, &wanted, list.is_empty());
            free.into_iter().find_map(|q| self.try_pair(p, q, list))
        })
    }

    fn try_both(&mut self, [p, q]: [u16; 2], list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        self.place(self.attacker, p);
        let win = self.try_pair(p, q, list);
        self.board.remove();
        win
    }

    /// Adds the turn `p`, `q` if it makes two threats and stops the defender's; `p` is on the
    /// board. Returns the turn if it makes more.
    #[inline]
    fn try_pair(&mut self, p: u16, q: u16, list: &mut Vec<DoubleThreat>) -> Option<[u16; 2]> {
        self.place(self.attacker, q);
        let threats = self.board.threats(self.attacker);
        let mut win = None;
        match threats.count() {
            0 | 1 => {}
            _ if self.board.has_four(self.defender()) => {}
            2 => {
                let score = self.board.score(self.attacker);
                list.push(DoubleThreat::plain([p, q], &threats, score));
            }
            _ => {
                self.counters.moves += 1;
                win = Some([p, q]);
            }
        }
        self.board.remove();
        win
    }
}
