//! Retrograde analysis of the defender's wins. The defender cannot give check, but an attacker who
//! blocks himself can be stalemated: a horse in front of its king that must not leave the file on
//! which the kings face each other, with advisors on the squares beside. Such positions and their
//! predecessors are few; they are searched among the positions that the attacker does not win.

use super::analysis::{AfterCaptures, Analysis, Changed, FrameAt};
use super::frame::as_sets;
use super::side_state::SideState;
use agon_games::Player;
use agon_games::xiangqi::{Kind, Square, Squares, movegen};
use agon_tablebase::{Dtm, TablebaseError};
use rayon::prelude::*;
use std::ops::ControlFlow;

impl AfterCaptures {
    /// The maximum code of a position of a smaller set that the defender wins.
    fn longest_defender_win(&self) -> u8 {
        let wins = self.sets.iter().flat_map(|(kind, smaller)| {
            let attacker_to_move = !matches!(kind, Kind::Advisor | Kind::Elephant);
            let codes = smaller.codes.par_iter().copied();
            codes
                .filter(move |&c| {
                    if attacker_to_move {
                        Dtm::from_code(c).is_loss()
                    } else {
                        Dtm::from_code(c).is_win()
                    }
                })
                .max()
        });
        wins.max().unwrap_or(0)
    }
}

impl Analysis<'_> {
    /// Decides the positions that the defender wins; all others are draws or already decided.
    pub fn defender_wins(
        &self,
        [strong, weak]: &mut [SideState; 2],
        on_ply: &mut dyn FnMut(u32) -> Result<(), TablebaseError>,
    ) -> Result<(), TablebaseError> {
        let captures_until = self.after.longest_defender_win().saturating_add(1);
        if captures_until > 1 {
            self.winning_captures(weak);
        }
        let mut changed = vec![true; self.frames.layout.strong.len()];
        let mut idle = 0;
        for ply in 0.. {
            self.check_length(ply)?;
            on_ply(ply)?;
            let code = ply as u8 + 1;
            changed = if ply % 2 == 0 {
                let all = code <= captures_until;
                self.stalemate(strong, weak, &changed, (code, all))
            } else {
                self.ply(weak, &changed, code, |at, cells| {
                    let unknown = cells.unknown[at.number];
                    let waking = cells.waking(at.number, code);
                    waking | self.escapes(at, &strong.fresh, unknown)
                })
            };
            idle = if changed.contains(&true) { 0 } else { idle + 1 };
            if idle >= 2 && code > captures_until {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The defender's captures that win for him take effect at their code.
    fn winning_captures(&self, weak: &mut SideState) {
        let n = self.frames.of_pair;
        weak.by_pair(n).enumerate().for_each(|(pair, mut cells)| {
            let (s, w) = (self.pairs[pair].0 as usize, self.pairs[pair].1 as usize);
            for number in 0..n {
                let unknown = cells.unknown[number];
                let frame = self.frames.frame(s, w, number).filter(|_| unknown != 0);
                let Some(frame) = frame else { continue };
                let row = cells.row(number);
                self.captures_of_attackers(s, &frame, unknown, &mut |p, code| {
                    if Dtm::from_code(code).is_loss() {
                        let old = &mut row[p.index()];
                        let code = self.code_before(code);
                        *old = if *old == 0 { code } else { code.min(*old) };
                    }
                });
                cells.look_ahead(number, 0);
            }
        });
    }

    /// One ply of a losing attacker: every move leads to a position that the defender wins. With
    /// `all`, checks every position, not only predecessors of the defender's newest wins.
    fn stalemate(
        &self,
        strong: &mut SideState,
        weak: &SideState,
        near: &Changed,
        (code, all): (u8, bool),
    ) -> Changed {
        let changed = if all { vec![true; near.len()] } else { self.attackers_near(near) };
        self.ply(strong, &changed, code, |at, cells| {
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

    /// Whether every capture by the attacker leads to a win of the defender with a code of at most
    /// `code`.
    fn captures_lose(&self, at: FrameAt<'_>, single: Square, code: u8) -> bool {
        let FrameAt { s, w, frame, .. } = at;
        let pieces = || frame.others.iter().copied().chain([(self.frames.single, single)]);
        let board = self.frames.layout.board(s, w, as_sets(pieces()));
        let held = movegen::visit(&board, Player::First, &mut |m| {
            let Some(taken) = frame.weak.captures.iter().find(|taken| taken.square == m.to) else {
                return ControlFlow::Continue(());
            };
            let moved =
                pieces().map(|(kind, square)| (kind, if square == m.from { m.to } else { square }));
            let after = self.after.get(taken.kind);
            let after =
                after.map_or(0, |smaller| smaller.code(s, taken.configuration, as_sets(moved)));
            if Dtm::from_code(after).is_win() && after < code {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        held.is_continue()
    }
}
