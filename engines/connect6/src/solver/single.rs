//! Victory by continuous single threats, and turns without a threat (sections 2.1 and 3.1): turns
//! that leave the defender stones of its choice. Candidates are gathered during the search for
//! double threats, the most promising is taken first, and its win is verified through relevance
//! zones: first without the free stone, then with it on every point of that win's zone.

use super::attacks::{PointSet, Points};
use super::proof::{Answer, Step};
use super::prune::Defence;
use super::{Found, Limits, Solver};
use agon_protocol::hash::FastSet;
use std::sync::Arc;

/// Turns gathered at one position.
const PER_POSITION: usize = 8;
/// Positions are looked at up to so many turns below the root.
const GATHER_PLIES: usize = 2;
/// Second stones tried beside one that makes a threat.
const SECONDS: usize = 10;
/// Candidates tried below another single threat.
const NESTED: usize = 3;

/// A turn of the path to a candidate: the stones, and the conservative defence.
type PathTurn = ([u16; 2], Defence);

/// A single threat to be tried, and how the search got there.
#[derive(Clone, Debug)]
struct Candidate {
    score: i32,
    path: Vec<PathTurn>,
    stones: [u16; 2],
}

/// What was gathered.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    candidates: Vec<Candidate>,
    seen: FastSet<u64>,
    /// The turns from the root to the position being searched.
    pub(super) path: Vec<PathTurn>,
    /// Gather at all.
    pub(super) open: bool,
}

impl Solver<'_> {
    /// Notes the single threats of the position on the board, where that is wanted.
    pub(super) fn gather(&mut self) {
        let here = self.board.hash();
        let wanted = self.queue.open && self.queue.path.len() <= GATHER_PLIES;
        if !wanted || !self.queue.seen.insert(here) {
            return;
        }
        let path = self.queue.path.clone();
        let turns = self.single_turns(1, PER_POSITION).into_iter();
        let candidates = turns.map(|(score, stones)| {
            // Farther down the road the same score is worth less.
            let score = score - 40 * path.len() as i32;
            Candidate { score, path: path.clone(), stones }
        });
        self.queue.candidates.extend(candidates);
    }

    /// The most promising turns with exactly `number` threats (0 or 1), best first.
    fn single_turns(&mut self, number: usize, most: usize) -> Vec<(i32, [u16; 2])> {
        if self.board.has_four(self.defender()) {
            return Vec::new();
        }
        let attacker = self.attacker;
        let mut firsts = PointSet::default();
        if number == 1 {
            self.board.visit_three_points(attacker, |p| {
                firsts.insert(p);
            });
        } else {
            self.board.visit_two_points(attacker, |p| {
                firsts.insert(p);
            });
        }
        let mut turns: Vec<(i32, [u16; 2])> = Vec::new();
        let mut seen = FastSet::default();
        for p in firsts.iter().collect::<Vec<_>>() {
            self.place(attacker, p);
            for q in self.seconds() {
                if !seen.insert([p.min(q), p.max(q)]) {
                    continue;
                }
                self.place(attacker, q);
                if self.board.threats(attacker).number() == number {
                    let mut points = PointSet::default();
                    self.board.visit_three_points(attacker, |p| {
                        points.insert(p);
                    });
                    let score = self.board.score(attacker) + 4 * points.iter().count() as i32;
                    turns.push((score, [p, q]));
                }
                self.board.remove();
            }
            self.board.remove();
        }
        turns.sort_unstable_by_key(|(score, stones)| (-score, *stones));
        turns.truncate(most);
        turns
    }

    /// Second stones that add most to the attacker's windows.
    fn seconds(&mut self) -> Vec<u16> {
        let mut set = PointSet::default();
        let mut points = Points::new();
        let mut note = |q| {
            if set.insert(q) {
                points.push(q);
            }
        };
        self.board.visit_two_points(self.attacker, &mut note);
        self.board.visit_three_points(self.attacker, &mut note);
        let mut all: Vec<_> = points.iter().map(|&q| (-self.gain(q), q)).collect();
        all.sort_unstable();
        all.truncate(SECONDS);
        all.into_iter().map(|(_, q)| q).collect()
    }

    /// Tries what was gathered, the best first, until a win or a limit.
    pub(super) fn single_threats(&mut self) -> Option<Arc<Step>> {
        self.queue.open = false;
        let mut candidates = std::mem::take(&mut self.queue.candidates);
        candidates.sort_by_key(|c| (-c.score, c.path.len(), c.stones));
        for candidate in candidates {
            if self.expired() {
                return None;
            }
            let from = self.board.placed();
            for (stones, defence) in &candidate.path {
                stones.iter().for_each(|p| self.place(self.attacker, *p));
                defence.iter().for_each(|p| self.place(self.defender(), *p));
            }
            let levels = self.settings.single_threats;
            let step = self.prove(candidate.stones, 1, levels);
            self.board.rewind(from);
            if let Some(mut step) = step {
                for (stones, _) in candidate.path.iter().rev() {
                    let answers = vec![Answer { to: Vec::new(), step: Arc::new(step) }];
                    step = Step { stones: stones.to_vec(), answers };
                }
                return Some(Arc::new(step));
            }
        }
        None
    }

    /// Tries the most promising turns without a threat.
    pub(super) fn quiet_moves(&mut self) -> Option<Arc<Step>> {
        let turns = self.single_turns(0, 2 * PER_POSITION);
        turns.into_iter().find_map(|(_, stones)| {
            if self.expired() {
                return None;
            }
            self.prove(stones, 2, self.settings.single_threats).map(Arc::new)
        })
    }

    /// Whether the turn wins although it leaves the defender free stones. `free` counts those that
    /// may lie about by then, this turn's included; `levels` such turns may follow one another.
    fn prove(&mut self, stones: [u16; 2], free: usize, levels: u32) -> Option<Step> {
        let from = self.board.placed();
        stones.iter().for_each(|p| self.place(self.attacker, *p));
        let covers = self.board.threats(self.attacker).covers();
        let mut answers = Vec::new();
        let won = match covers.number {
            0 => self.prove_free(&[], [2, free], levels, &mut answers),
            1 => {
                let single = covers.single.iter().all(|&u| {
                    self.with(u, |s| s.prove_free(&[u], [1, free], levels, &mut answers))
                });
                single
                    && covers.pairs.iter().all(|&[a, b]| {
                        self.with(a, |s| {
                            s.with(b, |s| s.prove_free(&[a, b], [0, free], levels, &mut answers))
                        })
                    })
            }
            _ => false,
        };
        self.board.rewind(from);
        won.then(|| Step { stones: stones.to_vec(), answers })
    }

    /// Does something with a stone of the defender's on the board.
    fn with(&mut self, point: u16, act: impl FnOnce(&mut Self) -> bool) -> bool {
        self.place(self.defender(), point);
        let result = act(self);
        self.board.remove();
        result
    }

    /// The attacker wins against the defence `to`, which is on the board, and against the same
    /// with `still` more stones anywhere; `[still, free]`, as in [`Solver::prove`].
    fn prove_free(
        &mut self,
        to: &[u16],
        [still, free]: [usize; 2],
        levels: u32,
        answers: &mut Vec<Answer>,
    ) -> bool {
        let Some(step) = self.win_here(free, levels) else { return false };
        let zone = self.zone(&step, free);
        answers.push(Answer { to: to.to_vec(), step });
        if still == 0 {
            return true;
        }
        let value = |s: &Self, p: u16| s.board.gain(s.attacker, p) + s.board.gain(s.defender(), p);
        let mut points: Vec<(i32, u16)> =
            zone.iter().filter(|p| self.board.is_empty(*p)).map(|p| (-value(self, p), p)).collect();
        // The strongest defences first: a turn that fails should fail at once.
        points.sort_unstable();
        points.into_iter().all(|(_, v)| {
            let mut key = to.to_vec();
            key.push(v);
            key.sort_unstable();
            answers.iter().any(|a| a.to == key)
                || self.with(v, |s| s.prove_free(&key, [still - 1, free], levels, answers))
        })
    }

    /// A win from the position on the board within a small limit.
    fn win_here(&mut self, free: usize, levels: u32) -> Option<Arc<Step>> {
        if self.expired() {
            return None;
        }
        debug_assert!(self.frames.is_empty(), "a path was left");
        let (limits, budget) = (self.settings.limits, self.budget);
        self.settings.limits = Limits { depth: limits.depth.min(12), iteration: 8_000, total: 0 };
        self.budget = budget.min(self.counters.stones + 40_000);
        let found = self.deepen().0;
        self.settings.limits = limits;
        self.budget = budget;
        self.stopped = false;
        if let Found::Win(step) = found {
            return Some(step);
        }
        if levels <= 1 {
            return None;
        }
        let turns = self.single_turns(1, NESTED);
        turns
            .into_iter()
            .find_map(|(_, stones)| self.prove(stones, free + 1, levels - 1))
            .map(Arc::new)
    }
}
