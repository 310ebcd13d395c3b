//! The analysis of one set, a ply at a time and a set of squares at a time: what the search for the
//! attacker's wins and that for the defender's have in common.
//!
//! Values are the codes of [`Dtm`]: 0 for no mate, otherwise 1 more than the plies to mate, so that
//! a winner's code is even. Captures lead into smaller sets, whose values are known from the start
//! and take effect at their ply.

use super::frame::{Frame, Frames, Others, as_sets, image};
use super::layout::{Attackers, Layout};
use super::side_state::{Cells, SAVED, SideState};
use super::square_sets::movers;
use agon_protocol::Player;
use agon_protocol::xiangqi::{Kind, Square, Squares};
use agon_tablebase::{Dtm, TablebaseError};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// A smaller set: its numbers, and one side's codes by number.
#[derive(Debug)]
pub struct Smaller {
    /// The numbers.
    pub layout: Layout,
    /// The codes with one side to move: the defender where the attacker has captured, the attacker
    /// where the defender has.
    pub codes: Vec<u8>,
}

/// What captures lead to.
#[derive(Debug, Default)]
pub struct AfterCaptures {
    /// By what has been captured: a defender (advisor, elephant), codes with the defender to move;
    /// an attacker, codes with the attacker to move. No entry where no attacker is left.
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
    /// The configurations of each pair.
    pub(super) pairs: Vec<(u32, u32)>,
    too_long: AtomicBool,
}

/// A frame and its numbers.
#[derive(Clone, Copy)]
pub(super) struct FrameAt<'a> {
    pub pair: usize,
    pub s: usize,
    pub w: usize,
    pub number: usize,
    pub frame: &'a Frame<'a>,
}

/// By the attacker's configuration, whether there is anything new for the side to move in its frames.
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

    /// One more than a code, which a capture makes of the code of what it leads to.
    pub(super) fn code_before(&self, code: u8) -> u8 {
        if u32::from(code) > Dtm::MAX_PLIES {
            self.too_long.store(true, Ordering::Relaxed);
        }
        code.saturating_add(1).min(SAVED - 1)
    }

    /// The defender's captures: visits the single's square and the code, with the attacker to
    /// move, of what each leads to.
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

    /// The code with the attacker to move after one of his pieces has been captured; `None` if the
    /// capture is illegal.
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

    /// A set of another frame, seen from this one.
    #[inline]
    pub(super) fn look(&self, sets: &[u128], s: usize, w: usize, number: usize) -> u128 {
        let (pair, flip) = self.frames.layout.find_pair(s, w);
        let number = if flip { self.frames.mirrored(number) } else { number };
        image(sets[pair * self.frames.of_pair + number], flip)
    }

    /// From which squares of the single the attacker has a quiet move into `targets`, positions
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

    /// From which squares of the single the defender has a quiet move into `targets`, positions
    /// with the attacker to move; enough to cover `wanted` or to leave nothing of it uncovered.
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

    /// The attacker's configurations from which he can move to one of `near`, in one of them to stay.
    pub(super) fn attackers_near(&self, near: &Changed) -> Changed {
        let all = &self.frames.layout.strong.list;
        let kept = |home: usize| home.min(all[home].mirror);
        let leads = |s: usize| all[s].moves.iter().any(|step| near[kept(step.configuration)]);
        (0..near.len()).map(|s| near[s] || leads(s)).collect()
    }

    /// A ply: decides what `find` finds in the frames that may have changed.
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
