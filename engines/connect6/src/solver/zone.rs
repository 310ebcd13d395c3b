//! Relevance zones (section 2.1): where a further stone of the defender's could matter to a win.
//! A stone anywhere else leaves the win as it is, so it need not be tried.
//!
//! A zone holds every point that the win uses (the attacker's stones, the empty points of its
//! threats) and every point from which the defender could come to a threat that the win does not
//! reckon with: with `free` stones of its choice it makes one of any open window with `4 - free`.

use super::Solver;
use super::attacks::PointSet;
use super::proof::Step;
use crate::board::geometry::point_of;
use crate::board::pattern::Bits;

impl Solver<'_> {
    /// The zone of a win of the attacker's, who is to move on the board, when `free` stones of the
    /// defender's are still to be put anywhere.
    pub(super) fn zone(&mut self, step: &Step, free: usize) -> PointSet {
        let mut zone = PointSet::default();
        self.collect(step, free, &mut zone);
        zone
    }

    fn collect(&mut self, step: &Step, free: usize, zone: &mut PointSet) {
        let from = self.board.placed();
        for &p in &step.stones {
            zone.insert(p);
            if !self.board.is_empty(p) {
                return self.board.rewind(from);
            }
            self.place(self.attacker, p);
        }
        let threats = self.board.threats(self.attacker);
        for threat in threats.edges() {
            zone.insert(threat.a);
            zone.insert(threat.b);
        }
        if !threats.is_six() {
            self.board.visit_windows(self.defender(), 4usize.saturating_sub(free), |line, bits| {
                for bit in Bits(bits) {
                    zone.insert(point_of(line, bit));
                }
            });
            let all = threats.covers().points();
            for answer in &step.answers {
                let before = self.board.placed();
                let together = answer.to.is_empty() && threats.number() >= 2;
                let defence: &[u16] = if together { &all } else { &answer.to };
                if defence.iter().all(|p| self.board.is_empty(*p)) {
                    for &p in defence {
                        zone.insert(p);
                        self.place(self.defender(), p);
                    }
                    self.collect(&answer.step, free, zone);
                }
                self.board.rewind(before);
            }
        }
        self.board.rewind(from);
    }
}
