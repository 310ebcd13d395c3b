//! Relevance zones (RZones, section 2.1): the points where an additional stone of the defender
//! could matter to a win. A stone anywhere else does not affect the win, so it need not be tried.
//!
//! A zone contains every point that the win uses (the attacker's stones, the empty points of its
//! threats) and every point from which the defender could make a threat that the win does not
//! consider: with `free` stones of its choice the defender turns any open window with `4 - free`
//! stones into a threat.

use super::state::Solver;
use crate::board::PointSet;
use crate::board::geometry::point_of;
use crate::board::pattern::Bits;
use crate::proof::Step;

impl Solver<'_> {
    /// The zone of a win of the attacker, who is to move on the board, while the defender may still
    /// place `free` stones anywhere.
    pub(super) fn zone(&mut self, step: &Step, free: usize) -> PointSet {
        let mut zone = PointSet::default();
        self.extend_zone(step, free, &mut zone);
        zone
    }

    fn extend_zone(&mut self, step: &Step, free: usize, zone: &mut PointSet) {
        let from = self.board.placed();
        for &p in &step.stones {
            zone.insert(p);
            if !self.board.is_empty(p) {
                return self.board.rewind(from);
            }
            self.place(self.attacker, p);
        }
        let threats = self.board.threats(self.attacker);
        for window in threats.windows() {
            zone.insert(window.a);
            zone.insert(window.b);
        }
        if !threats.is_six() {
            self.board.visit_windows(self.defender(), 4usize.saturating_sub(free), |line, bits| {
                for bit in Bits(bits) {
                    zone.insert(point_of(line, bit));
                }
            });
            let conservative = threats.defences().conservative();
            for answer in &step.answers {
                let before = self.board.placed();
                let together = answer.to.is_empty() && threats.count() >= 2;
                let defence: &[u16] = if together { &conservative } else { &answer.to };
                if defence.iter().all(|p| self.board.is_empty(*p)) {
                    for &p in defence {
                        zone.insert(p);
                        self.place(self.defender(), p);
                    }
                    self.extend_zone(&answer.step, free, zone);
                }
                self.board.rewind(before);
            }
        }
        self.board.rewind(from);
    }
}
