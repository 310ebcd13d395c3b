//! The order in which moves are tried: the table's, good captures, killers and the answer to the
//! last move, the others by history, and captures that lose material.

use super::history::{Before, Histories};
use super::params;
use crate::position::{
    CheckInfo, Evasions, MAX_MOVES, Move, MoveList, Position, Quiets, SEE_VALUES,
};
use arrayvec::ArrayVec;

/// A rank above the place of its move in the list: one number to compare.
type Key = i32;

const PLACE_BITS: u32 = 7;
const PLACES: usize = 1 << PLACE_BITS;
/// Keys that are compared at a time.
const ROW: usize = 16;
/// The largest rank that a key has room for.
const MOST_RANK: i32 = (1 << (31 - PLACE_BITS)) - 1;
/// A key whose move is gone; below all others.
const GONE: Key = i32::MIN;

/// Moves with what they are tried by.
struct Ranked {
    keys: [Key; PLACES],
    moves: [Move; PLACES],
    number: usize,
    /// The greatest key.
    best: Key,
}

impl Ranked {
    #[inline]
    fn new() -> Ranked {
        Ranked { keys: [GONE; PLACES], moves: [Move::NONE; PLACES], number: 0, best: GONE }
    }

    /// Adds a move. `rank`: less than [`MOST_RANK`] in size.
    #[inline]
    fn push(&mut self, rank: i32, from: usize, to: usize) {
        debug_assert!(rank.abs() <= MOST_RANK && self.number < PLACES);
        // No position has more moves than there are places.
        let place = self.number & (PLACES - 1);
        let key = rank << PLACE_BITS | place as Key;
        self.keys[place] = key;
        self.best = self.best.max(key);
        self.moves[place] = Move::new(from, to);
        self.number += 1;
    }

    /// Looks for the greatest key by whole rows: what is beyond the last move is as good as gone.
    #[inline]
    fn find_best(&mut self) {
        let mut best = [GONE; ROW];
        for row in self.keys.chunks_exact(ROW).take(self.number.div_ceil(ROW)) {
            for (best, &key) in best.iter_mut().zip(row) {
                *best = key.max(*best);
            }
        }
        self.best = best.into_iter().fold(GONE, i32::max);
    }

    fn clear(&mut self) {
        if self.best != GONE {
            self.keys.fill(GONE);
        }
        self.number = 0;
        self.best = GONE;
    }

    /// The best move that is left, and its rank. The next one is looked for now, while its memory is near and
    /// nobody waits for it.
    #[inline(never)]
    fn pick(&mut self) -> Option<(Move, i32)> {
        let best = self.best;
        if best == GONE {
            return None;
        }
        let place = best as usize & (PLACES - 1);
        self.keys[place] = GONE;
        self.find_best();
        Some((self.moves[place], best >> PLACE_BITS))
    }

    /// Leaves out all moves but some; returns how many went.
    fn keep(&mut self, moves: &[Move]) -> usize {
        let number = self.number & (PLACES - 1);
        let left = self.keys[..number].iter().filter(|&&key| key != GONE).count();
        let mut kept: ArrayVec<(usize, Key), PLACES> = ArrayVec::new();
        for m in moves {
            if let Some(place) = self.moves[..number].iter().position(|other| other == m)
                && self.keys[place] != GONE
            {
                let _ = kept.try_push((place, self.keys[place]));
            }
        }
        self.keys[..number].fill(GONE);
        for &(place, key) in &kept {
            self.keys[place] = key;
        }
        self.find_best();
        left - kept.len()
    }
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
    list: Ranked,
    bad: ArrayVec<Move, MAX_MOVES>,
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
    #[inline(always)]
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
            list: Ranked::new(),
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
    pub fn keep_only_checks(&mut self, position: &Position, check_info: &mut CheckInfo) {
        if self.only_checks {
            return;
        }
        self.only_checks = true;
        if self.stage == Stage::Quiets {
            let mut checks = MoveList::new();
            position.each_quiet(Quiets::Checks, check_info.evasions(position), |_, from, to| {
                let _ = checks.try_push(Move::new(from, to));
            });
            self.dropped += self.list.keep(&checks);
        }
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
        histories: &Histories,
        check_info: &mut CheckInfo,
    ) -> Option<Move> {
        self.history = None;
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    return Some(self.table);
                }
                Stage::MakeCaptures => {
                    self.rank_captures(position, histories, check_info.evasions(position));
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
                    if !self.skip_quiets {
                        self.rank_quiets(position, histories, check_info.evasions(position));
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

    // Not inlined: what it needs of the position would be looked up before every move.
    #[inline(never)]
    fn rank_captures(
        &mut self,
        position: &Position,
        histories: &Histories,
        evasions: Option<&Evasions>,
    ) {
        position.each_capture(evasions, |piece, from, to| {
            let victim = position.piece_at(to) % 7;
            let rank = params::order_victim() * SEE_VALUES[victim]
                + histories.capture_by(piece, to, victim) / 4;
            self.list.push(rank, from, to);
        });
    }

    fn good_capture(&mut self, position: &Position) -> Option<Move> {
        let least = match self.which {
            Which::Captures(least) => least,
            _ => 0,
        };
        while let Some((m, _)) = self.list.pick() {
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

    #[inline(never)]
    fn rank_quiets(
        &mut self,
        position: &Position,
        histories: &Histories,
        evasions: Option<&Evasions>,
    ) {
        let rank = histories.quiets(position.side(), self.before);
        let which = match self.which {
            Which::All if self.only_checks => Quiets::Checks,
            Which::All => Quiets::All,
            _ => Quiets::DirectChecks,
        };
        let list = &mut self.list;
        position.each_quiet(which, evasions, |piece, from, to| {
            list.push(rank(piece, from, to), from, to);
        });
        if which == Quiets::Checks {
            self.dropped += position.count_quiets(evasions) - self.list.number;
        }
    }

    fn quiet(&mut self, position: &Position) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        while let Some((m, rank)) = self.list.pick() {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_by_rank_and_each_once() {
        let mut list = Ranked::new();
        let ranks = [-MOST_RANK, -57_344, -1, 0, 1, 57_344, MOST_RANK, 7, 7, 8];
        for (i, rank) in ranks.into_iter().enumerate() {
            list.push(rank, i, 89);
        }
        let picked: Vec<_> = std::iter::from_fn(|| list.pick()).collect();
        let order: Vec<usize> = picked.iter().map(|(m, _)| m.from()).collect();
        assert_eq!(order, [6, 5, 9, 8, 7, 4, 3, 2, 1, 0]);
        assert_eq!((picked[0].1, picked[1].1, picked[9].1), (MOST_RANK, 57_344, -MOST_RANK));
    }

    #[test]
    fn what_is_left_out_is_not_picked_and_a_list_begins_anew() {
        let mut list = Ranked::new();
        for number in [PLACES - 1, 5 * ROW + 3, ROW + 1, ROW, ROW - 1, 1] {
            // Ranks all different, in no order.
            let rank = |from: usize| (from * 37 % 128) as i32 - 60;
            let mut moves: Vec<Move> = (0..number).map(|from| Move::new(from, 89)).collect();
            moves.iter().for_each(|m| list.push(rank(m.from()), m.from(), m.to()));
            moves.sort_by_key(|m| -rank(m.from()));
            assert_eq!(list.pick(), Some((moves[0], rank(moves[0].from()))));
            // The one that is gone does not come back.
            let kept: Vec<Move> = moves.iter().copied().step_by(3).collect();
            assert_eq!(list.keep(&kept), number - 1 - (kept.len() - 1), "{number}");
            let picked: Vec<Move> = std::iter::from_fn(|| list.pick()).map(|p| p.0).collect();
            assert_eq!(picked, kept[1..], "{number}");
            // Not all are picked before the list is used again.
            list.clear();
            (0..=ROW).for_each(|from| list.push(100, from, 2));
            assert!(list.pick().is_some());
            list.clear();
            assert_eq!(list.pick(), None);
        }
    }
}
