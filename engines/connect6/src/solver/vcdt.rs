//! Victory by continuous double threats (VCDT): iterative deepening over the attacker's turns, each
//! answered with the conservative defence (section 2.2); wins are backed up as in figure 19.

use super::double_threat::{Defence, DoubleThreat, DoubleThreatList};
use super::solution::VcdtResult;
use super::state::ThreatSolver;
use super::transposition::COMPLETE;
use crate::board::Threats;
use crate::params;
use crate::proof::{Answer, Step};
use agon_games::hash::mix;
use std::sync::Arc;

impl ThreatSolver<'_> {
    /// Deepens until a win, the exhaustion of all turns, or a limit. Returns the last depth too.
    pub fn deepen(&mut self) -> (VcdtResult, u32) {
        let limits = self.settings.limits;
        self.root_inversion = self.board.has_four(self.defender());
        let mut last = 0;
        for depth in 1..=limits.depth {
            self.counters.iterations += 1;
            let before = self.counters.stones;
            last = depth;
            let result = self.attack(depth);
            let learned = self.graph.take_changed();
            match result {
                VcdtResult::Win(_) | VcdtResult::Stopped => return (result, depth),
                VcdtResult::NoWin { complete: true } if !learned => return (result, depth),
                // Turns pruned before may be admissible now.
                VcdtResult::NoWin { complete: true } => {
                    self.table.clear_failures();
                    self.graph.clear_unreached();
                }
                VcdtResult::NoWin { .. } => {}
            }
            if self.counters.stones - before > limits.iteration {
                break;
            }
        }
        (VcdtResult::NoWin { complete: false }, last)
    }

    /// The key of the position in the table. In dependency-based search the result also depends on
    /// the path, but distinguishing paths was worse because the same positions were searched again:
    /// on 39 hard positions 1.21 times fewer moves than the plain search instead of 1.45 times.
    fn key(&self) -> u64 {
        mix(self.board.hash() ^ (self.attacker as u64) << 63)
    }

    /// Searches the position for the attacker, who is to move and has `depth` turns left.
    pub(super) fn attack(&mut self, depth: u32) -> VcdtResult {
        if let Some(stones) = self.six() {
            return VcdtResult::last_turn(stones);
        }
        if depth == 0 {
            return VcdtResult::NoWin { complete: false };
        }
        if self.expired() {
            return VcdtResult::Stopped;
        }
        self.counters.nodes += 1;
        let key = self.key();
        if let Some(known) = self.probe(key, depth) {
            return known;
        }
        self.collect_single_threats();
        let mut list = self.lists.pop().unwrap_or_default();
        let result = self.attack_by_list(&mut list, depth);
        self.lists.push(list);
        if self.settings.table {
            match &result {
                VcdtResult::Win(proof) => self.table.store_win(key, proof.clone()),
                VcdtResult::NoWin { complete } => {
                    self.table.store_failure(key, if *complete { COMPLETE } else { depth });
                }
                VcdtResult::Stopped => {}
            }
        }
        result
    }

    /// The table's result for a position.
    fn probe(&self, key: u64, depth: u32) -> Option<VcdtResult> {
        if !self.settings.table {
            return None;
        }
        if let Some(proof) = self.table.win(key) {
            return Some(VcdtResult::Win(proof.clone()));
        }
        let searched = self.table.failure(key, depth)?;
        Some(VcdtResult::NoWin { complete: searched == COMPLETE })
    }

    /// Generates the double threats of the position into `list`, prunes, orders and searches them.
    fn attack_by_list(&mut self, list: &mut DoubleThreatList, depth: u32) -> VcdtResult {
        let DoubleThreatList { all, order } = list;
        all.clear();
        self.start_position(depth);
        let win = self.generate(all);
        let horizon = self.context.horizon;
        order.clear();
        order.extend(0..all.len() as u32);
        if win.is_none() && !self.stopped && !order.is_empty() {
            order.sort_unstable_by_key(|&i| (-all[i as usize].score, i));
            self.select(all, order);
        }
        if self.settings.dependency.is_some() && !order.is_empty() {
            self.finish_position();
        }
        self.counters.moves += order.len() as u64;
        if let Some(stones) = win {
            return VcdtResult::last_turn(stones.to_vec());
        }
        if self.stopped {
            return VcdtResult::Stopped;
        }
        let mut complete = !horizon;
        for &i in order.iter() {
            match self.attack_by(&all[i as usize], depth) {
                // At the horizon, turns without a stone of the last turn have not been searched.
                VcdtResult::NoWin { complete: c } => complete &= c,
                result => return result,
            }
        }
        VcdtResult::NoWin { complete }
    }

    /// The stones that make six immediately.
    pub(super) fn six(&self) -> Option<Vec<u16>> {
        if !self.board.has_four(self.attacker) {
            return None;
        }
        let threats = self.board.threats(self.attacker);
        let window = threats.windows().first()?;
        let one = threats.windows().iter().find(|w| w.a == w.b).unwrap_or(window);
        Some(if one.a == one.b { vec![one.a] } else { vec![one.a, one.b] })
    }

    /// Searches a turn of the attacker and its defences.
    fn attack_by(&mut self, turn: &DoubleThreat, depth: u32) -> VcdtResult {
        if depth == 1 && !(self.settings.extension && self.may_invert(turn)) {
            // The defence leaves no six, and no turn is left for anything else.
            return VcdtResult::NoWin { complete: false };
        }
        let from = self.board.placed();
        for p in turn.stones {
            self.place(self.attacker, p);
        }
        let dependency = self.settings.dependency.is_some();
        if dependency {
            self.enter(turn.stones, &turn.edges);
        }
        let answers = self.defend(turn, depth);
        if dependency {
            self.leave();
        }
        self.board.rewind(from);
        match answers {
            Ok(answers) => {
                VcdtResult::Win(Arc::new(Step { stones: turn.stones.to_vec(), answers }))
            }
            Err(result) => result,
        }
    }

    /// Whether the conservative defence may make a threat.
    fn may_invert(&self, turn: &DoubleThreat) -> bool {
        let (board, defender) = (&self.board, self.defender());
        turn.conservative.iter().any(|&p| board.threes_at(defender, p) > 0)
            || turn.conservative.iter().filter(|&&p| board.twos_at(defender, p) > 0).count() > 1
    }

    /// The attacker's answers to every defence, or the reason why there are none.
    fn defend(&mut self, turn: &DoubleThreat, depth: u32) -> Result<Vec<Answer>, VcdtResult> {
        if self.settings.conservative {
            match self.defend_by(turn, &turn.conservative, depth) {
                (VcdtResult::Win(step), _) => return Ok(vec![Answer { to: Vec::new(), step }]),
                (VcdtResult::NoWin { .. }, inverts)
                    if self.split_levels < self.settings.splits
                        && self.must_split(turn, inverts) => {}
                (result, inverts) => {
                    if matches!(result, VcdtResult::NoWin { .. }) {
                        self.record_split_limit(turn, inverts);
                    }
                    return Err(result);
                }
            }
        }
        // Do not collect single threats here: a win after one of the single defences proves
        // nothing.
        let collecting = std::mem::take(&mut self.queue.collecting);
        self.split_levels += 1;
        let mut answers = Vec::new();
        let mut failure = None;
        for pair in &turn.defences.pairs {
            self.counters.splits += 1;
            match self.defend_by(turn, pair, depth).0 {
                VcdtResult::Win(step) => answers.push(Answer { to: pair.to_vec(), step }),
                // One successful defence is enough.
                result => {
                    failure = Some(result);
                    break;
                }
            }
        }
        self.split_levels -= 1;
        self.queue.collecting = collecting;
        failure.map_or(Ok(answers), Err)
    }

    /// Searches the attacker's turns after a defence. Also returns whether the defence is an
    /// inversion.
    fn defend_by(
        &mut self,
        turn: &DoubleThreat,
        defence: &[u16],
        depth: u32,
    ) -> (VcdtResult, bool) {
        let from = self.board.placed();
        for &p in defence {
            self.place(self.defender(), p);
        }
        let threats = self.inversion();
        if self.settings.dependency.is_some() {
            self.record_defence(threats.as_ref());
        }
        if self.queue.collecting {
            self.queue.path.push((turn.stones, defence.iter().copied().collect()));
        }
        let inverts = threats.is_some();
        let extend =
            inverts && self.settings.extension && self.extensions < params::solver_extensions();
        let result = if threats.is_some_and(|t| t.is_six()) {
            // More stones at once than any real defence has; only the single defences count.
            VcdtResult::NoWin { complete: true }
        } else if extend {
            self.extensions += 1;
            let result = self.attack(depth);
            self.extensions -= 1;
            result
        } else {
            self.attack(depth - 1)
        };
        if self.queue.collecting {
            self.queue.path.pop();
        }
        self.board.rewind(from);
        (result, inverts)
    }

    /// The defender's threats, if it has any.
    #[inline]
    pub(super) fn inversion(&self) -> Option<Threats> {
        let defender = self.defender();
        self.board.has_four(defender).then(|| self.board.threats(defender))
    }

    /// Whether to split the conservative defence to the turn on the board, which has held (3.6.4).
    /// Each single defence must leave the attacker more: it does not make the threat that all
    /// stones together make, or it leaves a point of an attack line open. A single defence that
    /// leaves no more holds as well.
    fn must_split(&mut self, turn: &DoubleThreat, inverts: bool) -> bool {
        let (board, attacker) = (&self.board, self.attacker);
        let on_a_line = |p: &u16| board.has_attack_line_at(attacker, *p);
        let open: Defence = turn.conservative.iter().copied().filter(on_a_line).collect();
        turn.defences.pairs.iter().all(|pair| {
            let line = open.iter().any(|p| !pair.contains(p));
            line || inverts && !self.inverts(pair)
        })
    }

    /// Records that only the limit kept the conservative defence to the turn on the board whole. Its
    /// stones are not counted, so that a search is the same whether this is asked or not.
    fn record_split_limit(&mut self, turn: &DoubleThreat, inverts: bool) {
        if !self.limited && self.split_levels >= self.settings.splits {
            let counted = self.counters.stones;
            self.limited = self.must_split(turn, inverts);
            self.counters.stones = counted;
        }
    }

    /// Whether these stones of the defender make a threat.
    fn inverts(&mut self, pair: &[u16; 2]) -> bool {
        for &p in pair {
            self.place(self.defender(), p);
        }
        let inverts = self.board.has_four(self.defender());
        self.board.remove();
        self.board.remove();
        inverts
    }
}
