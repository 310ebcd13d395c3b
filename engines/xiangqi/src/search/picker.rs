//! The order in which moves are tried: the table's, good captures, killers and the answer to the
//! last move, the others by history, and captures that lose material.

use super::history::{Before, Histories};
use crate::position::{MOST_MOVES, Move, MoveList, Position, VALUES};
use arrayvec::ArrayVec;

/// A move and what it is tried by.
#[derive(Clone, Copy)]
struct Ranked {
    m: Move,
    rank: i32,
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
    list: ArrayVec<Ranked, MOST_MOVES>,
    next: usize,
    bad: ArrayVec<Move, MOST_MOVES>,
    next_bad: usize,
    before: Before,
    skip_quiets: bool,
}

impl Picker {
    /// A picker for a node. `table` and `specials` may be any moves.
    pub fn new(
        position: &Position,
        which: Which,
        table: Move,
        specials: [Move; 3],
        before: Before,
    ) -> Picker {
        let usable = table != Move::NONE
            && position.is_pseudo_legal(table)
            && (which == Which::All || position.is_capture(table));
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
            skip_quiets: false,
        }
    }

    /// From now on moves that capture nothing are left out.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the moves that come now are captures that lose material.
    pub fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
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
                    self.rank_quiets(position, histories);
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
        let mut moves = MoveList::new();
        position.captures(&mut moves);
        for m in moves {
            if m != self.table {
                let value = position.victim(m).map_or(0, |kind| VALUES[kind.index()]);
                let rank = 16 * value + histories.capture(position, m) / 4;
                let _ = self.list.try_push(Ranked { m, rank });
            }
        }
    }

    fn good_capture(&mut self, position: &Position) -> Option<Move> {
        let least = match self.which {
            Which::Captures(least) => least,
            _ => 0,
        };
        while let Some(m) = self.pick() {
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

    fn rank_quiets(&mut self, position: &Position, histories: &Histories) {
        self.list.clear();
        self.next = 0;
        if self.skip_quiets {
            return;
        }
        let mut moves = MoveList::new();
        if self.which == Which::All {
            position.quiets(&mut moves);
        } else {
            position.quiet_checks(&mut moves);
        }
        let tried = |m: Move| m == self.table || self.specials.contains(&m);
        for m in moves {
            if self.which != Which::All || !tried(m) {
                let rank = histories.quiet(position, m, self.before);
                let _ = self.list.try_push(Ranked { m, rank });
            }
        }
    }

    fn quiet(&mut self, position: &Position) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        while let Some(m) = self.pick() {
            if self.which == Which::All || position.see_at_least(m, 0) {
                return Some(m);
            }
        }
        None
    }

    /// The best of what is left of the list.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let rest = self.list.get_mut(self.next..)?;
        let (best, _) = rest.iter().enumerate().max_by_key(|(i, r)| (r.rank, usize::MAX - i))?;
        rest.swap(0, best);
        self.next += 1;
        rest.first().map(|r| r.m)
    }
}
