//! Retrograde analysis, a ply at a time and a set of squares at a time.
//!
//! For every frame there is the set of the single's squares where the attacker, to move, is not
//! known to win, and the same for the defender, to move, not known to lose. After ply n they are
//! exact for mates within n plies. An attacker's position is won if some move leads into what was
//! found lost the ply before; a defender's is lost if a move led into what was found won the ply
//! before and no move leads into what is still unknown. Captures lead into smaller sets, whose
//! values are known from the start and take effect at their ply.
//!
//! Stalemate is a loss, and a move after which the kings see each other is illegal. Values are
//! codes: 0 for no mate, otherwise 1 more than the plies to mate, so that a winner's code is even.
//! The defender can win too ([`upsets`]); that is sought among what is left.

mod upsets;

pub use upsets::{loses, wins};

use super::error::TableError;
use super::format::MAX_PLIES;
use super::frame::{Frame, Frames, Others, as_sets, image};
use super::layout::{Attackers, Layout};
use super::sets::{attackers, movers};
use super::work::{Cells, SideWork};
use agon_protocol::Player;
use agon_protocol::xiangqi::{Kind, SQUARES, Square, Squares};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The code of a defender's capture that saves him for good.
pub const SAVED: u8 = u8::MAX;

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
    /// The code of a position by its places and attacking pieces.
    pub fn code(&self, s: usize, w: usize, attackers: Attackers) -> u8 {
        let number = self.layout.rank(s, w, attackers);
        self.codes.get(number as usize).copied().unwrap_or(0)
    }
}

impl AfterCaptures {
    fn get(&self, captured: Kind) -> Option<&Smaller> {
        self.sets.iter().find(|s| s.0 == captured).map(|s| &s.1)
    }
}

/// The analysis of one set.
pub struct Solver<'a> {
    frames: Frames<'a>,
    after: &'a AfterCaptures,
    /// The places of each pair.
    pairs: Vec<(u32, u32)>,
    too_long: AtomicBool,
}

/// A frame and its numbers.
#[derive(Clone, Copy)]
struct Spot<'a> {
    pair: usize,
    s: usize,
    w: usize,
    number: usize,
    frame: &'a Frame<'a>,
}

/// By the attacker's place, whether there is anything new for the side to move in its frames.
type Stirred = Vec<bool>;

impl<'a> Solver<'a> {
    /// A solver for the frames of a set.
    pub fn new(frames: Frames<'a>, after: &'a AfterCaptures) -> Solver<'a> {
        let layout = frames.layout;
        let pair = |n| {
            let (s, w) = layout.pair(n);
            (s as u32, w as u32)
        };
        let pairs = (0..layout.pairs()).map(pair).collect();
        Solver { frames, after, pairs, too_long: AtomicBool::new(false) }
    }

    /// The frames.
    pub fn frames(&self) -> &Frames<'a> {
        &self.frames
    }

    /// Runs until no ply finds anything more, and returns the codes with the attacker and with the
    /// defender to move. `tick` is told the ply and may stop it.
    ///
    /// # Errors
    ///
    /// If a mate is too long for a code, and what `tick` says.
    pub fn run(
        &self,
        tick: &mut dyn FnMut(u32) -> Result<(), TableError>,
    ) -> Result<[SideWork; 2], TableError> {
        let frames = self.pairs.len() * self.frames.of_pair;
        let (mut strong, mut weak) = (SideWork::new(frames), SideWork::new(frames));
        self.prepare(&mut strong, &mut weak);
        let mut stirred = vec![true; self.frames.layout.strong.len()];
        let mut idle = 0;
        for ply in 0.. {
            self.check_length(ply)?;
            tick(ply)?;
            let code = ply as u8 + 1;
            stirred = if ply % 2 == 0 {
                self.defend(&mut weak, &strong, &stirred, code)
            } else {
                self.attack(&mut strong, &weak.fresh, &stirred, code)
            };
            idle = if stirred.contains(&true) { 0 } else { idle + 1 };
            if idle >= 2 && !strong.waits() && !weak.waits() {
                break;
            }
        }
        strong.settle();
        weak.settle();
        self.upsets(&mut strong, &mut weak, tick)?;
        Ok([strong, weak])
    }

    fn check_length(&self, ply: u32) -> Result<(), TableError> {
        if self.too_long.load(Ordering::Relaxed) || ply > MAX_PLIES {
            return Err(TableError::TooLong { set: self.frames.layout.set.to_string() });
        }
        Ok(())
    }

    /// Legal positions, and what captures do.
    fn prepare(&self, strong: &mut SideWork, weak: &mut SideWork) {
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
                self.captures(s as usize, &frame, attacks, strong.row(number));
                let row = weak.row(number);
                self.losses(s as usize, &frame, legal, &mut |p, code| {
                    let until = if wins(code) { self.later(code) } else { SAVED };
                    row[p.index()] = row[p.index()].max(until);
                });
                strong.look_ahead(number, 0);
                weak.look_ahead(number, 0);
            }
        });
    }

    /// One more than a code, which a capture makes of the code of what it leads to.
    fn later(&self, code: u8) -> u8 {
        if u32::from(code) > MAX_PLIES {
            self.too_long.store(true, Ordering::Relaxed);
        }
        code.saturating_add(1).min(SAVED - 1)
    }

    /// The attacker's captures: the earliest win by one, as a code for each square.
    fn captures(&self, s: usize, frame: &Frame<'_>, legal: u128, codes: &mut [u8]) {
        for loss in &frame.weak.losses {
            let Some(smaller) = self.after.get(loss.kind) else { continue };
            let mut win = |code: u8, set: u128| {
                if loses(code) {
                    let code = self.later(code);
                    for p in Squares(set) {
                        let old = &mut codes[p.index()];
                        *old = if *old == 0 { code } else { code.min(*old) };
                    }
                }
            };
            let t = loss.square;
            let from = attackers(self.frames.single, t.index(), frame.occupied) & legal;
            if from != 0 && !frame.faces_with(frame.occupied) {
                let pieces = frame.others.iter().copied().chain([(self.frames.single, t)]);
                win(smaller.code(s, loss.home, as_sets(pieces)), from);
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
                    win(smaller.code(s, loss.home, as_sets(pieces)), p.bit());
                }
            });
        }
    }

    /// The defender's captures: visits the single's square and the code, with the attacker to
    /// move, of what each leads to.
    fn losses(&self, s: usize, frame: &Frame<'_>, legal: u128, visit: &mut impl FnMut(Square, u8)) {
        let others = frame.occupied & !(frame.strong.occupied | frame.weak.occupied);
        for step in frame.weak.steps.iter().filter(|step| step.eye & others == 0) {
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
                if let Some(code) = self.after_loss(s, step.home, &left, captured) {
                    visit(p, code);
                }
            }
        }
    }

    /// The code with the attacker to move after one of his pieces has been captured; `None` if the
    /// capture is illegal.
    fn after_loss(&self, s: usize, w: usize, left: &Others, captured: Kind) -> Option<u8> {
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
    fn look(&self, sets: &[u128], s: usize, w: usize, number: usize) -> u128 {
        let (pair, flip) = self.frames.layout.find_pair(s, w);
        let number = if flip { self.frames.mirrored(number) } else { number };
        image(sets[pair * self.frames.of_pair + number], flip)
    }

    /// From which squares of the single the attacker has a quiet move into `targets`, positions
    /// with the defender to move.
    fn leads(&self, at: Spot<'_>, targets: &[u128]) -> u128 {
        let Spot { pair, s, w, number, frame } = at;
        let own = targets[pair * self.frames.of_pair + number];
        let mut set = movers(self.frames.single, own, frame.occupied) & frame.free;
        let others = frame.occupied & !(frame.strong.occupied | frame.weak.occupied);
        for step in &frame.strong.steps {
            if others & (step.to | step.eye) == 0 {
                set |= self.look(targets, step.home, w, number) & !step.eye;
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
    fn escapes(&self, at: Spot<'_>, targets: &[u128], wanted: u128) -> u128 {
        let Spot { s, number, frame, .. } = at;
        let others = frame.occupied & !(frame.strong.occupied | frame.weak.occupied);
        let mut set = 0;
        for step in &frame.weak.steps {
            if others & (step.to | step.eye) == 0 {
                set |= self.look(targets, s, step.home, number) & !step.eye;
                if wanted & !set == 0 {
                    break;
                }
            }
        }
        set
    }

    /// The attacker's places from which he can move to one of `near`, in one of them to stay.
    fn attackers_near(&self, near: &Stirred) -> Stirred {
        let places = &self.frames.layout.strong.list;
        let kept = |home: usize| home.min(places[home].mirror);
        let leads = |s: usize| places[s].steps.iter().any(|step| near[kept(step.home)]);
        (0..near.len()).map(|s| near[s] || leads(s)).collect()
    }

    /// A ply of the attacker: he wins where a move leads into what the defender has just lost.
    fn attack(&self, side: &mut SideWork, lost: &[u128], near: &Stirred, code: u8) -> Stirred {
        let stirred = self.attackers_near(near);
        self.ply(side, &stirred, code, |at, cells| {
            let waking = cells.waking(at.number, code);
            if stirred[at.s] { waking | self.leads(at, lost) } else { waking }
        })
    }

    /// A ply of the defender: he loses where a move led into what the attacker has just won, and
    /// none leads anywhere else.
    fn defend(
        &self,
        side: &mut SideWork,
        strong: &SideWork,
        stirred: &Stirred,
        code: u8,
    ) -> Stirred {
        self.ply(side, stirred, code, |at, cells| {
            let unknown = cells.unknown[at.number];
            let mut found = unknown;
            if code > 1 {
                found &= cells.waking(at.number, code) | self.escapes(at, &strong.fresh, unknown);
            }
            for p in Squares(found) {
                // A capture still holds out there.
                if cells.codes[at.number * SQUARES + p.index()] > code {
                    found &= !p.bit();
                }
            }
            if found == 0 { 0 } else { found & !self.escapes(at, &strong.unknown, found) }
        })
    }

    /// A ply: settles what `find` finds in the frames that something has happened to.
    fn ply(
        &self,
        side: &mut SideWork,
        stirred: &Stirred,
        code: u8,
        find: impl Fn(Spot<'_>, &Cells<'_>) -> u128 + Sync,
    ) -> Stirred {
        let news: Vec<AtomicBool> = stirred.iter().map(|_| AtomicBool::new(false)).collect();
        side.by_pair(self.frames.of_pair).enumerate().for_each(|(pair, mut cells)| {
            let (s, w) = (self.pairs[pair].0 as usize, self.pairs[pair].1 as usize);
            cells.fresh.fill(0);
            let wakes = cells.wakes(code);
            if !stirred[s] && !wakes {
                return;
            }
            for number in 0..self.frames.of_pair {
                if cells.unknown[number] == 0 {
                    continue;
                }
                let Some(frame) = self.frames.frame(s, w, number) else { continue };
                let at = Spot { pair, s, w, number, frame: &frame };
                let found = find(at, &cells) & cells.unknown[number];
                if found != 0 {
                    cells.found(number, found, code);
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
