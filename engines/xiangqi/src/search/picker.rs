//! The order in which moves are tried: the table's, good captures, killers and the answer to the
//! last move, the others by history, and captures that lose material.

use super::history::{Before, Histories};
use crate::position::{MOST_MOVES, Move, Position, Sight, VALUES};
use arrayvec::ArrayVec;

/// A move below what it is tried by: one number to compare.
type Key = i32;

const MOVE_BITS: u32 = Move::PAIRS.trailing_zeros();
/// Ranks are cut off here so that a key has room for them.
const MOST_RANK: i32 = (1 << (31 - MOVE_BITS)) - 1;

#[inline]
fn key(rank: i32, from: usize, to: usize) -> Key {
    rank.clamp(-MOST_RANK, MOST_RANK) << MOVE_BITS | Move::new(from, to).pair() as i32
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Special,
    MakeQuiets,
    Quiets,
    BadCaptures,
    End,
}

/// Which moves a picker gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// All.
    All,
    /// Captures that win at least so much.
    Captures(i32),
    /// Captures that lose nothing, then quiet moves that give check and lose nothing.
    CapturesAndChecks,
}

/// Gives one pseudo-legal move after another, none twice.
pub struct Picker {
    stage: Stage,
    which: Which,
    table: Move,
    specials: [Move; 3],
    next_special: usize,
    list: ArrayVec<Key, MOST_MOVES>,
    next: usize,
    bad: ArrayVec<Move, MOST_MOVES>,
    next_bad: usize,
    before: Before,
    /// The history of the last move given, where it has been looked up.
    history: Option<i32>,
    skip_quiets: bool,
    only_checks: bool,
    dropped: usize,
}

impl Picker {
    /// A picker for a node. `table` and `specials` may be any moves.
    #[inline]
    pub fn new(
        position: &Position,
        which: Which,
        table: Move,
        specials: [Move; 3],
        before: Before,
    ) -> Picker {
        let usable = table != Move::NONE
            && (which == Which::All || position.is_capture(table))
            && position.is_pseudo_legal(table);
        Picker {
            stage: if usable { Stage::Table } else { Stage::MakeCaptures },
            which,
            table: if usable { table } else { Move::NONE },
            specials,
            next_special: 0,
            list: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
            before,
            history: None,
            skip_quiets: false,
            only_checks: false,
            dropped: 0,
        }
    }

    /// From now on moves that capture nothing are left out.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// From now on moves that capture nothing are left out unless they give check.
    pub fn keep_only_checks(&mut self, position: &Position, sight: &Sight) {
        self.only_checks = true;
        if self.stage != Stage::Quiets {
            return;
        }
        let mut kept = self.next;
        for i in self.next..self.list.len() {
            let key = self.list[i];
            if sight.gives_check(position, move_of(key)) {
                self.list[kept] = key;
                kept += 1;
            }
        }
        self.dropped += self.list.len() - kept;
        self.list.truncate(kept);
    }

    /// How many moves [`Picker::keep_only_checks`] has left out since this was asked last.
    pub fn take_dropped(&mut self) -> usize {
        std::mem::take(&mut self.dropped)
    }

    /// What [`Histories::quiet`] says of the last move given, if it has been asked.
    pub fn history(&self) -> Option<i32> {
        self.history
    }

    /// Whether the moves that come now are captures that lose material.
    pub fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// The next move.
    pub fn next(
        &mut self,
        position: &Position,
        sight: &Sight,
        histories: &Histories,
    ) -> Option<Move> {
        self.history = None;
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    return Some(self.table);
                }
                Stage::MakeCaptures => {
                    self.rank_captures(position, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(m) = self.good_capture(position) {
                        return Some(m);
                    }
                    self.stage = match self.which {
                        Which::All => Stage::Special,
                        Which::Captures(_) => Stage::End,
                        Which::CapturesAndChecks => Stage::MakeQuiets,
                    };
                }
                Stage::Special => match self.special(position) {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::MakeQuiets,
                },
                Stage::MakeQuiets => {
                    self.list.clear();
                    self.next = 0;
                    if !self.skip_quiets {
                        self.rank_quiets(position, sight, histories);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(m) = self.quiet(position) {
                        return Some(m);
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    let m = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if m.is_none() {
                        self.stage = Stage::End;
                    }
                    return m;
                }
                Stage::End => return None,
            }
        }
    }

    fn rank_captures(&mut self, position: &Position, histories: &Histories) {
        position.each_capture(|piece, from, to| {
            let victim = position.on(to) % 7;
            let rank = 16 * VALUES[victim] + histories.capture_by(piece, to, victim) / 4;
            let _ = self.list.try_push(key(rank, from, to));
        });
    }

    fn good_capture(&mut self, position: &Position) -> Option<Move> {
        let least = match self.which {
            Which::Captures(least) => least,
            _ => 0,
        };
        while let Some((m, _)) = self.pick() {
            if m == self.table {
                continue;
            }
            if position.see_at_least(m, least) {
                return Some(m);
            }
            if self.which == Which::All {
                let _ = self.bad.try_push(m);
            }
        }
        None
    }

    fn special(&mut self, position: &Position) -> Option<Move> {
        while self.next_special < self.specials.len() && !self.skip_quiets {
            let i = self.next_special;
            self.next_special += 1;
            let m = self.specials[i];
            let fresh = m != Move::NONE && m != self.table && !self.specials[..i].contains(&m);
            if fresh && !position.is_capture(m) && position.is_pseudo_legal(m) {
                return Some(m);
            }
        }
        None
    }

    fn rank_quiets(&mut self, position: &Position, sight: &Sight, histories: &Histories) {
        let rank = histories.quiets(position.side(), self.before);
        let mut push = |piece, from, to| {
            let _ = self.list.try_push(key(rank(piece, from, to), from, to));
        };
        if self.which != Which::All {
            position.each_quiet_check(sight, push);
        } else if self.only_checks {
            position.each_quiet(|piece, from, to| {
                if sight.gives_check(position, Move::new(from, to)) {
                    push(piece, from, to);
                } else {
                    self.dropped += 1;
                }
            });
        } else {
            position.each_quiet(push);
        }
    }

    fn quiet(&mut self, position: &Position) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        while let Some((m, rank)) = self.pick() {
            let fits = if self.which == Which::All {
                m != self.table && !self.specials.contains(&m)
            } else {
                position.see_at_least(m, 0)
            };
            if fits {
                self.history = Some(rank);
                return Some(m);
            }
        }
        None
    }

    /// The best of what is left of the list, and its rank.
    #[inline]
    fn pick(&mut self) -> Option<(Move, i32)> {
        let rest = self.list.get_mut(self.next..)?;
        let best = rest.iter().copied().max()?;
        let at = rest.iter().position(|&key| key == best)?;
        rest.swap(0, at);
        self.next += 1;
        Some((move_of(best), best >> MOVE_BITS))
    }
}

#[inline]
fn move_of(key: Key) -> Move {
    Move((key & (Move::PAIRS - 1) as i32) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_holds_its_rank_and_its_move() {
        for rank in [-MOST_RANK, -57_344, -1, 0, 1, 57_344, MOST_RANK] {
            for m in [Move::new(0, 89), Move::new(89, 0), Move::new(44, 45)] {
                let key = key(rank, m.from(), m.to());
                assert_eq!((move_of(key), key >> MOVE_BITS), (m, rank));
            }
        }
        assert_eq!(key(i32::MAX, 0, 1) >> MOVE_BITS, MOST_RANK);
    }
}
