//! The defence at the root, by relevance zones: if the opponent wins after a null move, only turns
//! with a stone in the zone of this win may stop it; if it still wins after one such stone, the
//! second must lie in the zone of that win. The turns left are checked one by one. If all are
//! refuted, the wins together prove that the position is lost.

use super::refutation::{PartialTurn, Refutation, RefutationCheck, Refuter};
use crate::board::{Defences, PointSet};
use crate::params;
use crate::play::{PlacementValues, SearchPosition};
use crate::proof::{Answer, Step};
use crate::solver::SolverSettings;
use agon_games::connect6::{Connect6Move, Point};
use std::collections::BTreeMap;

/// The turns at the root, and what is known of them.
#[derive(Debug, Default)]
pub struct RootDefence {
    /// The turns to search, most promising first: those that hold, or those that were not checked
    /// if none holds. Empty if all are refuted.
    pub turns: Vec<Connect6Move>,
    /// The opponent has a win to be stopped.
    pub danger: bool,
    /// The turn after which the opponent's win takes longest, if every turn is refuted, with the
    /// number of turns of the win.
    pub longest: Option<(Connect6Move, usize)>,
    /// The opponent's answers to all turns, if they refute every legal one: not yet verified.
    pub loss: Option<Step>,
}

/// The settings of the searches.
#[derive(Clone, Copy, Debug)]
pub struct DefenceSettings {
    /// After the null move, and after the only stone that stops a threat.
    pub root: SolverSettings,
    /// After one stone or a whole turn.
    pub after_turn: SolverSettings,
}

/// Analyses a position with two stones to place. `first` searches before any turn is known to lose,
/// `refuter` after that.
pub fn analyse(
    position: &SearchPosition,
    [first, refuter]: [&Refuter; 2],
    settings: DefenceSettings,
    each: &(dyn Fn(&RefutationCheck) + Sync),
) -> RootDefence {
    let forced = position.board().threats(1 - position.side()).defences();
    let mut analysis = DefenceAnalysis::new(position, refuter, settings);
    if forced.threats > 0 {
        let turns = analysis.forced_turns(&forced);
        return analysis.check(turns, each);
    }
    let RefutationCheck::Refuted(win) = first.check(&[], settings.root) else {
        return RootDefence { turns: position.candidates_at_root(), ..RootDefence::default() };
    };
    let zone = refuter.zone(&[], &win, 2);
    analysis.refutations.insert(PartialTurn::new(), win);
    // The best points of the zone first, the others only if no turn with one of them holds.
    let best = analysis.free_turns(&zone, params::zone_points());
    let defence = analysis.check(best, each);
    if !defence.turns.is_empty() || analysis.complete {
        return defence;
    }
    analysis.complete = true;
    let all = analysis.free_turns(&zone, usize::MAX);
    analysis.check(all, each)
}

/// The results of a check of given turns only.
pub fn check_turns(
    position: &SearchPosition,
    turns: Vec<Connect6Move>,
    refuter: &Refuter,
    settings: DefenceSettings,
    each: &(dyn Fn(&RefutationCheck) + Sync),
) -> RootDefence {
    let mut analysis = DefenceAnalysis::new(position, refuter, settings);
    analysis.complete = false;
    analysis.check(turns.iter().map(stones_of).collect(), each)
}

/// The stones of a turn.
pub fn stones_of(m: &Connect6Move) -> PartialTurn {
    m.stones().map(|p| p.index() as u16).collect()
}

fn turn_of(stones: &[u16]) -> Option<Connect6Move> {
    match *stones {
        [a] => Some(Connect6Move::one(Point::from_index(a.into())?)),
        [a, b] => {
            Some(Connect6Move::two(Point::from_index(a.into())?, Point::from_index(b.into())?))
        }
        _ => None,
    }
}

fn pair(a: u16, b: u16) -> PartialTurn {
    PartialTurn::from([a.min(b), a.max(b)])
}

struct DefenceAnalysis<'a> {
    position: &'a SearchPosition,
    refuter: &'a Refuter<'a>,
    settings: DefenceSettings,
    /// The wins found, by the stones that they answer.
    refutations: BTreeMap<PartialTurn, Refutation>,
    /// No turn has been left out that the refutations do not answer.
    complete: bool,
    /// Order the turns.
    values: PlacementValues,
}

impl<'a> DefenceAnalysis<'a> {
    fn new(
        position: &'a SearchPosition,
        refuter: &'a Refuter<'a>,
        settings: DefenceSettings,
    ) -> DefenceAnalysis<'a> {
        let values = position.placement_values();
        let refutations = BTreeMap::new();
        DefenceAnalysis { position, refuter, settings, refutations, complete: true, values }
    }

    /// The turns to check if no threat is to be stopped and the opponent wins after a null move:
    /// those with one of the `most` best points of its zone.
    fn free_turns(&mut self, zone: &PointSet, most: usize) -> Vec<PartialTurn> {
        let mut firsts = self.empty_points(zone);
        firsts.sort_unstable_by_key(|p| (-self.value(&[*p]), *p));
        self.complete &= firsts.len() <= most;
        firsts.truncate(most);
        let singles: Vec<PartialTurn> =
            firsts.iter().map(|p| PartialTurn::from_iter([*p])).collect();
        let checks = self.check_new(&singles, &|_| {});
        let mut zones: BTreeMap<u16, PointSet> = BTreeMap::new();
        for (stones, check) in singles.iter().zip(checks) {
            if let RefutationCheck::Refuted(win) = check {
                zones.insert(stones[0], self.refuter.zone(stones, &win, 1));
                self.refutations.insert(stones.clone(), win);
            }
        }
        let mut turns = Vec::new();
        for &v in &firsts {
            let Some(seconds) = zones.get(&v) else {
                // This stone may stop the win alone.
                self.complete = false;
                let best = self.position.second_points();
                turns.extend(best.into_iter().filter(|w| *w != v).map(|w| pair(v, w)));
                continue;
            };
            for w in self.empty_points(seconds) {
                // The win after `w` must not answer `v` either.
                let answered = zones.get(&w).is_some_and(|zone| !zone.has(v));
                if w != v && zone.has(w) && !answered {
                    turns.push(pair(v, w));
                }
            }
            // A second stone outside the zone of the null move: its win is the first one.
            let outside = self.empty_points(seconds).into_iter().filter(|w| !zone.has(*w));
            turns.extend(outside.map(|w| pair(v, w)));
        }
        self.in_order(turns)
    }

    /// The turns to check that stop all of the opponent's threats.
    fn forced_turns(&mut self, forced: &Defences) -> Vec<PartialTurn> {
        let mut turns: Vec<PartialTurn> = forced.pairs.iter().map(|&[a, b]| pair(a, b)).collect();
        for &u in &forced.single {
            match self.refuter.check(&[u], self.settings.root) {
                RefutationCheck::Refuted(win) => {
                    let zone = self.refuter.zone(&[u], &win, 1);
                    self.refutations.insert(PartialTurn::from_iter([u]), win);
                    let seconds = self.empty_points(&zone).into_iter().filter(|w| *w != u);
                    turns.extend(seconds.map(|w| pair(u, w)));
                }
                _ => {
                    self.complete = false;
                    let all = self.position.candidates();
                    turns.extend(all.iter().map(stones_of).filter(|t| t.contains(&u)));
                }
            }
        }
        if turns.is_empty() && forced.threats < 3 {
            self.complete = false;
        }
        if forced.threats >= 3 {
            turns.extend(self.position.candidates().iter().map(stones_of));
        }
        self.in_order(turns)
    }

    fn empty_points(&self, zone: &PointSet) -> Vec<u16> {
        zone.iter().filter(|p| self.position.board().is_empty(*p)).collect()
    }

    /// Each turn once, those with the highest placement values first.
    fn in_order(&self, mut turns: Vec<PartialTurn>) -> Vec<PartialTurn> {
        turns.sort_by_cached_key(|t| (-self.value(t), t.clone()));
        turns.dedup();
        turns
    }

    /// [`Refuter::check_all`] of the stones that are not refuted yet.
    fn check_new(
        &self,
        list: &[PartialTurn],
        each: &(dyn Fn(&RefutationCheck) + Sync),
    ) -> Vec<RefutationCheck> {
        let known = |stones: &PartialTurn| self.refutations.get(stones).cloned();
        let new: Vec<PartialTurn> = list.iter().filter(|s| known(s).is_none()).cloned().collect();
        let mut checks = self.refuter.check_all(&new, self.settings.after_turn, each).into_iter();
        let old = |stones| known(stones).map(RefutationCheck::Refuted);
        list.iter()
            .map(|stones| {
                old(stones).or_else(|| checks.next()).unwrap_or(RefutationCheck::Unchecked)
            })
            .collect()
    }

    /// Checks the turns.
    fn check(
        &mut self,
        turns: Vec<PartialTurn>,
        each: &(dyn Fn(&RefutationCheck) + Sync),
    ) -> RootDefence {
        let checks = self.check_new(&turns, each);
        let mut defence = RootDefence { danger: true, ..RootDefence::default() };
        let mut unchecked = Vec::new();
        let mut longest: Option<(usize, u64, Connect6Move)> = None;
        for (stones, check) in turns.iter().zip(checks) {
            let Some(m) = turn_of(stones) else { continue };
            match check {
                RefutationCheck::Holds => defence.turns.push(m),
                RefutationCheck::Unchecked => unchecked.push(m),
                RefutationCheck::Refuted(win) => {
                    let key = (win.win.depth(), win.effort);
                    if longest.is_none_or(|(depth, effort, _)| key > (depth, effort)) {
                        longest = Some((key.0, key.1, m));
                    }
                    self.refutations.insert(stones.clone(), win);
                }
            }
        }
        if defence.turns.is_empty() {
            defence.turns = unchecked;
        }
        if defence.turns.is_empty() {
            self.lose(&mut defence, longest);
        }
        defence
    }

    /// Every turn checked is refuted.
    fn lose(&self, defence: &mut RootDefence, longest: Option<(usize, u64, Connect6Move)>) {
        let base = longest.map(|(turns, _, m)| (m, turns));
        // A turn outside the zone of the first win loses to that win, perhaps later.
        let first = self.refutations.get(&PartialTurn::new());
        let elsewhere = first.map(|r| r.win.depth()).filter(|n| base.is_none_or(|(_, m)| *n > m));
        let other = || {
            let quiet = self.position.candidates().into_iter();
            let answered = |m: &Connect6Move| self.refutations.contains_key(&stones_of(m));
            quiet.filter(|m| !answered(m)).max_by_key(|m| self.value(&stones_of(m)))
        };
        let outside = elsewhere.and_then(|turns| Some((other()?, turns)));
        defence.longest = outside.or(base);
        if self.complete {
            let answer = |(to, r): (&PartialTurn, &Refutation)| Answer {
                to: to.to_vec(),
                step: r.win.clone(),
            };
            let answers = self.refutations.iter().map(answer).collect();
            defence.loss = Some(Step { stones: Vec::new(), answers });
        }
    }

    fn value(&self, stones: &[u16]) -> i32 {
        stones.iter().map(|p| self.values[usize::from(*p)]).sum()
    }
}
