//! Victory by continuous double threats: iterative deepening over the attacker's turns, each
//! answered by the conservative defence (section 2.2), the win backed up as in figure 19.

use super::Solver;
use super::attacks::{Attack, List};
use super::proof::{Answer, Step};
use super::prune::Defence;
use super::table::COMPLETE;
use crate::board::Threats;
use agon_protocol::hash::mix;
use std::sync::Arc;

/// What a search of a position says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The attacker wins.
    Win(Arc<Step>),
    /// No win within the depth; `complete`: nor within any.
    Nothing {
        /// Whether nothing was cut off by the depth.
        complete: bool,
    },
    /// A limit ended the search.
    Stopped,
}

impl Found {
    pub(super) fn win(stones: Vec<u16>) -> Found {
        Found::Win(Arc::new(Step::last(stones)))
    }
}

/// Inversions that cost no depth, on one path.
const MOST_EXTENSIONS: u32 = 2;

impl Solver<'_> {
    /// Deepens until a win, the end of all moves, or a limit. Returns the last depth too.
    pub(super) fn deepen(&mut self) -> (Found, u32) {
        let limits = self.settings.limits;
        self.root_inversion = self.board.has_four(self.defender());
        let mut last = 0;
        for depth in 1..=limits.depth {
            self.counters.iterations += 1;
            let before = self.counters.stones;
            last = depth;
            let found = self.attack(depth);
            let learned = self.graph.take_changed();
            match found {
                Found::Win(_) | Found::Stopped => return (found, depth),
                Found::Nothing { complete: true } if !learned => return (found, depth),
                // What was learned may let turns in that were left out before.
                Found::Nothing { complete: true } => {
                    self.table.clear_failures();
                    self.graph.forget_denials();
                }
                Found::Nothing { .. } => {}
            }
            if self.counters.stones - before > limits.iteration {
                break;
            }
        }
        (Found::Nothing { complete: false }, last)
    }

    /// A position's name in the table. In a dependency-based search its result depends on the turns
    /// before too; telling those apart was worse: the same positions were searched again (on 39
    /// hard positions 1.21 times fewer moves than the plain search instead of 1.45).
    fn key(&self) -> u64 {
        mix(self.board.hash() ^ (self.attacker as u64) << 63)
    }

    /// The attacker is to move and has `depth` turns.
    pub(super) fn attack(&mut self, depth: u32) -> Found {
        if let Some(stones) = self.six() {
            return Found::win(stones);
        }
        if depth == 0 {
            return Found::Nothing { complete: false };
        }
        if self.expired() {
            return Found::Stopped;
        }
        let key = self.key();
        if self.settings.table {
            if let Some(proof) = self.table.win(key) {
                return Found::Win(proof.clone());
            }
            if let Some(searched) = self.table.fails(key, depth) {
                return Found::Nothing { complete: searched == COMPLETE };
            }
        }
        self.gather();
        let mut list = self.lists.pop().unwrap_or_default();
        list.all.clear();
        self.look_back(depth);
        let found = self.attacks(&mut list.all);
        let horizon = self.past.horizon;
        list.order.clear();
        list.order.extend(0..list.all.len() as u32);
        if found.is_none() && !self.stopped && !list.order.is_empty() {
            list.order.sort_unstable_by_key(|&i| (-list.all[i as usize].order, i));
            self.select(&mut list);
        }
        if self.settings.dependency.is_some() && !list.order.is_empty() {
            self.leave_behind();
        }
        self.counters.moves += list.order.len() as u64;
        let found = match found {
            Some(found) => found,
            None if self.stopped => Found::Stopped,
            None if list.order.is_empty() => Found::Nothing { complete: !horizon },
            None => match self.try_all(&list, depth) {
                // Turns without a stone of the last one's have not been looked at.
                Found::Nothing { .. } if horizon => Found::Nothing { complete: false },
                found => found,
            },
        };
        self.lists.push(list);
        if self.settings.table {
            match &found {
                Found::Win(proof) => self.table.won(key, proof.clone()),
                Found::Nothing { complete } => {
                    self.table.fail(key, if *complete { COMPLETE } else { depth });
                }
                Found::Stopped => {}
            }
        }
        found
    }

    /// The stones that make six now.
    pub(super) fn six(&self) -> Option<Vec<u16>> {
        if !self.board.has_four(self.attacker) {
            return None;
        }
        let threats = self.board.threats(self.attacker);
        let threat = threats.edges().first()?;
        let one = threats.edges().iter().find(|t| t.a == t.b).unwrap_or(threat);
        Some(if one.a == one.b { vec![one.a] } else { vec![one.a, one.b] })
    }

    fn try_all(&mut self, list: &List, depth: u32) -> Found {
        let mut complete = true;
        for &i in &list.order {
            match self.try_one(&list.all[i as usize], depth) {
                Found::Nothing { complete: c } => complete &= c,
                found => return found,
            }
        }
        Found::Nothing { complete }
    }

    /// One turn of the attacker and its defences.
    fn try_one(&mut self, attack: &Attack, depth: u32) -> Found {
        if depth == 1 && !(self.settings.extension && self.may_invert(attack)) {
            // The defence leaves no six, and there is no turn left for anything else.
            return Found::Nothing { complete: false };
        }
        let from = self.board.placed();
        for p in attack.stones {
            self.place(self.attacker, p);
        }
        let dependency = self.settings.dependency.is_some();
        if dependency {
            self.enter(attack);
        }
        let found = self.try_defences(attack, depth);
        if dependency {
            self.leave();
        }
        self.board.rewind(from);
        match found {
            Ok(answers) => Found::Win(Arc::new(Step { stones: attack.stones.to_vec(), answers })),
            Err(found) => found,
        }
    }

    /// Whether the conservative defence may make a threat.
    fn may_invert(&self, attack: &Attack) -> bool {
        let defender = self.defender();
        attack.defence.iter().any(|&p| self.board.threes_at(defender, p) > 0)
            || attack.defence.iter().filter(|&&p| self.board.twos_at(defender, p) > 0).count() > 1
    }

    /// The answers to every defence, or why there are none.
    fn try_defences(&mut self, attack: &Attack, depth: u32) -> Result<Vec<Answer>, Found> {
        let mut complete = true;
        let mut split = !self.settings.conservative;
        if self.settings.conservative {
            match self.one_defence(attack, &attack.defence, depth) {
                (Found::Win(step), _) => return Ok(vec![Answer { to: Vec::new(), step }]),
                (Found::Stopped, _) => return Err(Found::Stopped),
                (Found::Nothing { complete: c }, inverts) => {
                    complete = c;
                    split = self.split_levels < self.settings.splits
                        && self.must_split(attack, inverts);
                }
            }
        }
        if !split {
            return Err(Found::Nothing { complete });
        }
        // A path of single defences is no way to a single threat: all of them must be answered.
        let gathers = std::mem::take(&mut self.queue.open);
        self.split_levels += 1;
        let mut answers = Vec::new();
        let mut failed = None;
        for pair in &attack.covers.pairs {
            self.counters.splits += 1;
            match self.one_defence(attack, pair, depth).0 {
                Found::Win(step) => answers.push(Answer { to: pair.to_vec(), step }),
                // One defence that holds is enough.
                found => {
                    failed = Some(found);
                    break;
                }
            }
        }
        self.split_levels -= 1;
        self.queue.open = gathers;
        failed.map_or(Ok(answers), Err)
    }

    /// A defence and what the attacker finds after it, and whether it makes a threat.
    fn one_defence(&mut self, attack: &Attack, defence: &[u16], depth: u32) -> (Found, bool) {
        let from = self.board.placed();
        for &p in defence {
            self.place(self.defender(), p);
        }
        let threats = self.inversion();
        if self.settings.dependency.is_some() {
            self.defended(threats.as_ref());
        }
        if self.queue.open {
            self.queue.path.push((attack.stones, defence.iter().copied().collect()));
        }
        let inverts = threats.is_some();
        let extend = inverts && self.settings.extension && self.extensions < MOST_EXTENSIONS;
        let found = if threats.is_some_and(|t| t.is_six()) {
            // More stones at once than anybody has: only the single defences say something.
            Found::Nothing { complete: true }
        } else if extend {
            self.extensions += 1;
            let found = self.attack(depth);
            self.extensions -= 1;
            found
        } else {
            self.attack(depth - 1)
        };
        if self.queue.open {
            self.queue.path.pop();
        }
        self.board.rewind(from);
        (found, inverts)
    }

    /// What the defender threatens, if it does.
    #[inline]
    pub(super) fn inversion(&self) -> Option<Threats> {
        let defender = self.defender();
        self.board.has_four(defender).then(|| self.board.threats(defender))
    }

    /// Whether the conservative defence to the turn on the board, which has held, must be split:
    /// each single defence must leave the attacker more, be it that it does not make the threat
    /// that all stones together make, or that it leaves a point of an attack line (a three or a
    /// live two) open. A single defence that leaves no more holds as well, and decides.
    fn must_split(&mut self, attack: &Attack, inverts: bool) -> bool {
        let (board, attacker) = (&self.board, self.attacker);
        let on_a_line = |p: &u16| board.has_attack_line_at(attacker, *p);
        let open: Defence = attack.defence.iter().copied().filter(on_a_line).collect();
        attack.covers.pairs.iter().all(|pair| {
            let line = open.iter().any(|p| !pair.contains(p));
            line || inverts && !self.inverts(pair)
        })
    }

    /// Whether these stones make a threat of the defender's.
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
