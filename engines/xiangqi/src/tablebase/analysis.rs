//! The parts of the retrograde analysis of one set that the attacker's and the defender's wins
//! share. It proceeds ply by ply and handles a set of squares at a time.
//!
//! Values are the codes of [`Dtm`]: 0 for no mate, otherwise 1 more than the plies to mate, so a
//! winner's code is even. Captures lead to smaller sets, whose values are already known and take
//! effect at their ply.

use super::frame::{Frame, Frames, Others, as_sets, image};
use super::layout::{Attackers, SetLayout};
use super::side_state::{Cells, SAVED, SideState};
use super::square_sets::movers;
use agon_games::Player;
use agon_games::xiangqi::{Kind, Square, Squares};
use agon_tablebase::{Dtm, TablebaseError};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A smaller set: its layout, and the codes of one side to move by index.
#[derive(Debug)]
pub struct Smaller {
    /// The position indexing.
    pub layout: SetLayout,
    /// The codes with one side to move: the defender after a capture by the attacker, the attacker
    /// after a capture by the defender.
    pub codes: Vec<u8>,
}

/// The sets that captures lead to.
#[derive(Debug, Default)]
pub struct AfterCaptures {
    /// By captured kind: a defender (advisor, elephant), with the codes for the defender to move;
    /// an attacker, with the codes for the attacker to move. No entry if no attacker is left.
    pub sets: Vec<(Kind, Smaller)>,
}

impl Smaller {
    /// The code of a position by its configurations and attacking pieces.
    pub fn code(&self, s: usize, w: usize, attackers: Attackers) -> u8 {
        let number = self.layout.rank(s, w, attackers);
        self.codes.get(number as usize).copied().unwrap_or(0)
    }
}

impl AfterCaptures {
    pub(super) fn get(&self, captured: Kind) -> Option<&Smaller> {
        self.sets.iter().find(|s| s.0 == captured).map(|s| &s.1)
    }
}

/// The analysis of one set.
pub struct Analysis<'a> {
    pub(super) frames: Frames<'a>,
    pub(super) after: &'a AfterCaptures,
    /// The pairs of configurations.
    pub(super) pairs: Vec<(u32, u32)>,
    too_long: AtomicBool,
}

/// A frame and its index.
#[derive(Clone, Copy)]
pub(super) struct FrameAt<'a> {
    pub pair: usize,
    pub s: usize,
    pub w: usize,
    pub number: usize,
    pub frame: &'a Frame<'a>,
}

/// For each configuration of the attacker, whether its frames have changed for the side to move.
pub(super) type Changed = Vec<bool>;

impl<'a> Analysis<'a> {
    /// An analysis of the frames of a set.
    pub fn new(frames: Frames<'a>, after: &'a AfterCaptures) -> Analysis<'a> {
        let layout = frames.layout;
        let pair = |n| {
            let (s, w) = layout.pair(n);
            (s as u32, w as u32)
        };
        let pairs = (0..layout.pairs()).map(pair).collect();
        Analysis { frames, after, pairs, too_long: AtomicBool::new(false) }
    }

    pub(super) fn check_length(&self, ply: u32) -> Result<(), TablebaseError> {
        if self.too_long.load(Ordering::Relaxed) || ply > Dtm::MAX_PLIES {
            let name = self.frames.layout.set.to_string();
            return Err(TablebaseError::too_long(&name, Dtm::MAX_PLIES));
        }
        Ok(())
    }

    /// The code of a position from which a capture leads to `code`: one more.
    pub(super) fn code_before(&self, code: u8) -> u8 {
        if u32::from(code) > Dtm::MAX_PLIES {
            self.too_long.store(true, Ordering::Relaxed);
        }
        code.saturating_add(1).min(SAVED - 1)
    }

    /// The defender's captures: visits the single's square and the code, with the attacker to move,
    /// of the position after each.
    pub(super) fn captures_of_attackers(
        &self,
        s: usize,
        frame: &Frame<'_>,
        legal: u128,
        visit: &mut impl FnMut(Square, u8),
    ) {
        let others = frame.occupied & !(frame.strong.occupied | frame.weak.occupied);
        for step in frame.weak.moves.iter().filter(|step| step.eye & others == 0) {
            let taken = frame.others.iter().position(|o| o.1.bit() == step.to);
            let squares = if taken.is_some() { legal & !step.eye } else { legal & step.to };
            for p in Squares(squares) {
                let mut left = frame.others.clone();
                let captured = match taken {
                    Some(i) => {
                        left.push((self.frames.single, p));
                        left.swap_remove(i).0
                    }
                    None => self.frames.single,
                };
                if let Some(code) = self.after_loss(s, step.configuration, &left, captured) {
                    visit(p, code);
                }
            }
        }
    }

    /// The code with the attacker to move after one of the attacker's pieces has been captured;
    /// `None` if the capture is illegal.
    pub(super) fn after_loss(
        &self,
        s: usize,
        w: usize,
        left: &Others,
        captured: Kind,
    ) -> Option<u8> {
        let layout = self.frames.layout;
        let sets = as_sets(left.iter().copied());
        let board = layout.board(s, w, sets);
        if board.in_check(Player::Second) {
            return None;
        }
        Some(self.after.get(captured).map_or(0, |smaller| smaller.code(s, w, sets)))
    }

    /// A set of squares of another frame, as seen from this frame.
    #[inline]
    pub(super) fn look(&self, sets: &[u128], s: usize, w: usize, number: usize) -> u128 {
        let (pair, flip) = self.frames.layout.find_pair(s, w);
        let number = if flip { self.frames.mirrored(number) } else { number };
        image(sets[pair * self.frames.of_pair + number], flip)
    }

    /// The squares of the single from which the attacker has a quiet move into `targets`, positions
    /// with the defender to move.
    pub(super) fn leads(&self, at: FrameAt<'_>, targets: &[u128]) -> u128 {
        let FrameAt { pair, s, w, number, frame } = at;
        let own = targets[pair * self.frames.of_pair + number];
        let mut set = movers(self.frames.single, own, frame.occupied) & frame.free;
        let others = frame.occupied & !(frame.strong.occupied | frame.weak.occupied);
        for step in &frame.strong.moves {
            if others & (step.to | step.eye) == 0 {
                set |= self.look(targets, step.configuration, w, number) & !step.eye;
            }
        }
        frame.other_moves(&mut |m| {
            if !m.captures {
                let to = self.frames.moved(number, &m, frame.others[m.index].1);
                set |= self.look(targets, s, w, to) & m.mask;
            }
        });
        set
    }

    /// The squares of the single from which the defender has a quiet move into `targets`, positions
    /// with the attacker to move. Stops once `wanted` is covered.
    pub(super) fn escapes(&self, at: FrameAt<'_>, targets: &[u128], wanted: u128) -> u128 {
        let FrameAt { s, number, frame, .. } = at;
        let others = frame.occupied & !(frame.strong.occupied | frame.weak.occupied);
        let mut set = 0;
        for step in &frame.weak.moves {
            if others & (step.to | step.eye) == 0 {
                set |= self.look(targets, s, step.configuration, number) & !step.eye;
                if wanted & !set == 0 {
                    break;
                }
            }
        }
        set
    }

    /// The attacker's configurations that are in `near` or one move away from one in `near`.
    pub(super) fn attackers_near(&self, near: &Changed) -> Changed {
        let all = &self.frames.layout.strong.list;
        let kept = |home: usize| home.min(all[home].mirror);
        let leads = |s: usize| all[s].moves.iter().any(|step| near[kept(step.configuration)]);
        (0..near.len()).map(|s| near[s] || leads(s)).collect()
    }

    /// One ply: decides the squares that `find` returns for the frames that may have changed.
    pub(super) fn ply(
        &self,
        side: &mut SideState,
        changed: &Changed,
        code: u8,
        find: impl Fn(FrameAt<'_>, &Cells<'_>) -> u128 + Sync,
    ) -> Changed {
        let news: Vec<AtomicBool> = changed.iter().map(|_| AtomicBool::new(false)).collect();
        side.by_pair(self.frames.of_pair).enumerate().for_each(|(pair, mut cells)| {
            let (s, w) = (self.pairs[pair].0 as usize, self.pairs[pair].1 as usize);
            cells.fresh.fill(0);
            let wakes = cells.wakes(code);
            if !changed[s] && !wakes {
                return;
            }
            for number in 0..self.frames.of_pair {
                if cells.unknown[number] == 0 {
                    continue;
                }
                let Some(frame) = self.frames.frame(s, w, number) else { continue };
                let at = FrameAt { pair, s, w, number, frame: &frame };
                let found = find(at, &cells) & cells.unknown[number];
                if found != 0 {
                    cells.decide(number, found, code);
                    news[s].store(true, Ordering::Relaxed);
                }
            }
            if wakes {
                (0..self.frames.of_pair).for_each(|number| cells.look_ahead(number, code));
            }
        });
        news.into_iter().map(AtomicBool::into_inner).collect()
    }
}
