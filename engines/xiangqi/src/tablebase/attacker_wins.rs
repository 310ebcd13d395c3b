//! Retrograde analysis of the attacker's wins.
//!
//! Each frame has two sets of the single's squares: those where the attacker, to move, is not known
//! to win, and those where the defender, to move, is not known to lose. After ply n they are exact
//! for mates within n plies. A position of the attacker is won if some move leads to a position
//! found lost on the ply before. A position of the defender is lost if some move leads to a
//! position found won on the ply before and no move leads to an unknown one. Stalemate is a loss,
//! and a move after which the kings face each other is illegal.

use super::analysis::{Analysis, Changed};
use super::frame::{Frame, as_sets};
use super::side_state::{SAVED, SideState};
use super::square_sets::attackers;
use agon_games::xiangqi::{SQUARES, Squares};
use agon_tablebase::{Dtm, TablebaseError};
use rayon::prelude::*;

impl Analysis<'_> {
    /// Runs until a ply finds nothing new, and returns the states with the attacker and with the
    /// defender to move. `on_ply` receives the number of each ply and may stop the analysis.
    ///
    /// # Errors
    ///
    /// If a mate is too long for a code, and any error of `on_ply`.
    pub fn attacker_wins(
        &self,
        on_ply: &mut dyn FnMut(u32) -> Result<(), TablebaseError>,
    ) -> Result<[SideState; 2], TablebaseError> {
        let frames = self.pairs.len() * self.frames.of_pair;
        let (mut strong, mut weak) = (SideState::new(frames), SideState::new(frames));
        self.prepare(&mut strong, &mut weak);
        let mut changed = vec![true; self.frames.layout.strong.len()];
        let mut idle = 0;
        for ply in 0.. {
            self.check_length(ply)?;
            on_ply(ply)?;
            let code = ply as u8 + 1;
            changed = if ply % 2 == 0 {
                self.defend(&mut weak, &strong, &changed, code)
            } else {
                self.attack(&mut strong, &weak.fresh, &changed, code)
            };
            idle = if changed.contains(&true) { 0 } else { idle + 1 };
            if idle >= 2 && !strong.waits() && !weak.waits() {
                break;
            }
        }
        strong.mark_draws();
        weak.mark_draws();
        Ok([strong, weak])
    }

    /// Initialises the legal positions and the effects of captures.
    fn prepare(&self, strong: &mut SideState, weak: &mut SideState) {
        let n = self.frames.of_pair;
        let cells = strong.by_pair(n).zip(weak.by_pair(n)).enumerate();
        cells.for_each(|(pair, (mut strong, mut weak))| {
            let (s, w) = self.pairs[pair];
            for number in 0..n {
                let frame = self.frames.frame(s as usize, w as usize, number);
                let Some(frame) = frame else { continue };
                let legal = frame.free & !frame.facing();
                let attacks = legal & !frame.check(self.frames.single);
                weak.unknown[number] = legal;
                strong.unknown[number] = attacks;
                self.captures_of_defenders(s as usize, &frame, attacks, strong.row(number));
                let row = weak.row(number);
                self.captures_of_attackers(s as usize, &frame, legal, &mut |p, code| {
                    let until =
                        if Dtm::from_code(code).is_win() { self.code_before(code) } else { SAVED };
                    row[p.index()] = row[p.index()].max(until);
                });
                strong.look_ahead(number, 0);
                weak.look_ahead(number, 0);
            }
        });
    }

    /// The attacker's captures: the fastest win by a capture, as a code for each square.
    fn captures_of_defenders(&self, s: usize, frame: &Frame<'_>, legal: u128, codes: &mut [u8]) {
        for taken in &frame.weak.captures {
            let Some(smaller) = self.after.get(taken.kind) else { continue };
            let mut win = |code: u8, set: u128| {
                if Dtm::from_code(code).is_loss() {
                    let code = self.code_before(code);
                    for p in Squares(set) {
                        let old = &mut codes[p.index()];
                        *old = if *old == 0 { code } else { code.min(*old) };
                    }
                }
            };
            let t = taken.square;
            let from = attackers(self.frames.single, t.index(), frame.occupied) & legal;
            if from != 0 && !frame.faces_with(frame.occupied) {
                let pieces = frame.others.iter().copied().chain([(self.frames.single, t)]);
                win(smaller.code(s, taken.configuration, as_sets(pieces)), from);
            }
            frame.other_moves(&mut |m| {
                if !m.captures || m.to != t {
                    return;
                }
                let mut others = frame.others.clone();
                let from = std::mem::replace(&mut others[m.index].1, t);
                let occupied = frame.occupied & !from.bit();
                for p in Squares(m.mask & legal).filter(|p| !frame.faces_with(occupied | p.bit())) {
                    let pieces = others.iter().copied().chain([(self.frames.single, p)]);
                    win(smaller.code(s, taken.configuration, as_sets(pieces)), p.bit());
                }
            });
        }
    }

    /// One ply of the attacker: wins where a move leads to a position just lost by the defender.
    fn attack(&self, side: &mut SideState, lost: &[u128], near: &Changed, code: u8) -> Changed {
        let changed = self.attackers_near(near);
        self.ply(side, &changed, code, |at, cells| {
            let waking = cells.waking(at.number, code);
            if changed[at.s] { waking | self.leads(at, lost) } else { waking }
        })
    }

    /// One ply of the defender: loses where some move leads to a position just won by the attacker
    /// and no move leads to an undecided one.
    fn defend(
        &self,
        side: &mut SideState,
        strong: &SideState,
        changed: &Changed,
        code: u8,
    ) -> Changed {
        self.ply(side, changed, code, |at, cells| {
            let unknown = cells.unknown[at.number];
            let mut found = unknown;
            if code > 1 {
                found &= cells.waking(at.number, code) | self.escapes(at, &strong.fresh, unknown);
            }
            for p in Squares(found) {
                // A capture still avoids the loss there.
                if cells.codes[at.number * SQUARES + p.index()] > code {
                    found &= !p.bit();
                }
            }
            if found == 0 { 0 } else { found & !self.escapes(at, &strong.unknown, found) }
        })
    }
}
