//! The defender's wins. He cannot give check, but an attacker who blocks himself can be
//! stalemated: a horse before its king that must not leave the file on which the kings look at
//! each other, advisors on the squares beside. Such positions and those that lead to them are few;
//! they are sought among what the attacker's wins have left unknown.

use super::{AfterCaptures, Solver, Spot, Stirred};
use crate::endgame::error::TableError;
use crate::endgame::frame::as_sets;
use crate::endgame::work::SideWork;
use agon_protocol::Player;
use agon_protocol::xiangqi::{Kind, Square, Squares, movegen};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Whether a code says that the side that has it wins.
pub fn wins(code: u8) -> bool {
    code > 0 && code.is_multiple_of(2)
}

/// Whether a code says that the side that has it loses.
pub fn loses(code: u8) -> bool {
    !code.is_multiple_of(2)
}

impl AfterCaptures {
    /// The greatest code of a smaller set's position that the defender wins.
    fn longest_upset(&self) -> u8 {
        let upsets = self.sets.iter().flat_map(|(kind, smaller)| {
            let attacker_to_move = !matches!(kind, Kind::Advisor | Kind::Elephant);
            let codes = smaller.codes.par_iter().copied();
            codes.filter(move |&c| if attacker_to_move { loses(c) } else { wins(c) }).max()
        });
        upsets.max().unwrap_or(0)
    }
}

impl Solver<'_> {
    /// Settles the positions that the defender wins, all others being drawn or settled.
    pub(super) fn upsets(
        &self,
        strong: &mut SideWork,
        weak: &mut SideWork,
        tick: &mut dyn FnMut(u32) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let captures_until = self.after.longest_upset().saturating_add(1);
        if captures_until > 1 {
            self.winning_losses(weak);
        }
        let mut stirred = vec![true; self.frames.layout.strong.len()];
        let mut idle = 0;
        for ply in 0.. {
            self.check_length(ply)?;
            tick(ply)?;
            let code = ply as u8 + 1;
            stirred = if ply % 2 == 0 {
                let all = code <= captures_until;
                self.stalemate(strong, weak, &stirred, (code, all))
            } else {
                self.ply(weak, &stirred, code, |at, cells| {
                    let unknown = cells.unknown[at.number];
                    let waking = cells.waking(at.number, code);
                    waking | self.escapes(at, &strong.fresh, unknown)
                })
            };
            idle = if stirred.contains(&true) { 0 } else { idle + 1 };
            if idle >= 2 && code > captures_until {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The defender's captures that win for him take effect at their code.
    fn winning_losses(&self, weak: &mut SideWork) {
        let n = self.frames.of_pair;
        weak.by_pair(n).enumerate().for_each(|(pair, mut cells)| {
            let (s, w) = (self.pairs[pair].0 as usize, self.pairs[pair].1 as usize);
            for number in 0..n {
                let unknown = cells.unknown[number];
                let frame = self.frames.frame(s, w, number).filter(|_| unknown != 0);
                let Some(frame) = frame else { continue };
                let row = cells.row(number);
                self.losses(s, &frame, unknown, &mut |p, code| {
                    if loses(code) {
                        let old = &mut row[p.index()];
                        let code = self.later(code);
                        *old = if *old == 0 { code } else { code.min(*old) };
                    }
                });
                cells.look_ahead(number, 0);
            }
        });
    }

    /// A ply of an attacker who loses: no move leads to anything but what the defender wins. `all`
    /// says to look at every position, not only at those that lead to what the defender has just
    /// won.
    fn stalemate(
        &self,
        strong: &mut SideWork,
        weak: &SideWork,
        near: &Stirred,
        (code, all): (u8, bool),
    ) -> Stirred {
        let stirred = if all { vec![true; near.len()] } else { self.attackers_near(near) };
        self.ply(strong, &stirred, code, |at, cells| {
            let unknown = cells.unknown[at.number];
            let mut found = if all { unknown } else { self.leads(at, &weak.fresh) & unknown };
            if found != 0 {
                found &= !self.leads(at, &weak.unknown);
            }
            for p in Squares(found) {
                if !self.captures_lose(at, p, code) {
                    found &= !p.bit();
                }
            }
            found
        })
    }

    /// Whether all captures of the attacker lead to what the defender wins within a code.
    fn captures_lose(&self, at: Spot<'_>, single: Square, code: u8) -> bool {
        let Spot { s, w, frame, .. } = at;
        let pieces = || frame.others.iter().copied().chain([(self.frames.single, single)]);
        let board = self.frames.layout.board(s, w, as_sets(pieces()));
        let held = movegen::visit(&board, Player::First, &mut |m| {
            let Some(loss) = frame.weak.losses.iter().find(|loss| loss.square == m.to) else {
                return ControlFlow::Continue(());
            };
            let moved =
                pieces().map(|(kind, square)| (kind, if square == m.from { m.to } else { square }));
            let after = self.after.get(loss.kind);
            let after = after.map_or(0, |smaller| smaller.code(s, loss.home, as_sets(moved)));
            if wins(after) && after < code {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        held.is_continue()
    }
}
