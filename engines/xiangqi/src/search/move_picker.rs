//! Staged move generation: the table move, good captures, killers and the countermove, the other
//! quiet moves by history, and captures that lose material.

use super::histories::{Histories, PreviousMoves};
use super::params;
use super::scored_moves::ScoredMoves;
use crate::position::{
    CheckInfo, Evasions, MAX_MOVES, Move, MoveList, Position, Quiets, SEE_VALUES, ThreatSquares,
};
use arrayvec::ArrayVec;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum PickStage {
    TableMove,
    GenerateCaptures,
    GoodCaptures,
    Refutations,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    End,
}

/// The moves that a picker generates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveSelection {
    /// All.
    All,
    /// Captures whose static exchange evaluation is at least this.
    Captures(i32),
    /// Captures that lose nothing, then quiet moves that give check and lose nothing.
    CapturesAndChecks,
}

/// Returns pseudo-legal moves one by one, without duplicates.
pub struct MovePicker {
    stage: PickStage,
    selection: MoveSelection,
    tt_move: Move,
    /// Killers and countermove.
    refutations: [Move; 3],
    next_refutation: usize,
    list: ScoredMoves,
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    next_bad_capture: usize,
    previous: PreviousMoves,
    /// The history score of the last move returned, if it has been looked up.
    history: Option<i32>,
    skip_quiets: bool,
    only_checks: bool,
    dropped: usize,
}

impl MovePicker {
    /// A picker for a node. `tt_move` and `refutations` may be any moves.
    #[inline(always)]
    pub fn new(
        position: &Position,
        selection: MoveSelection,
        tt_move: Move,
        refutations: [Move; 3],
        previous: PreviousMoves,
    ) -> MovePicker {
        let usable = tt_move != Move::NONE
            && (selection == MoveSelection::All || position.is_capture(tt_move))
            && position.is_pseudo_legal(tt_move);
        MovePicker {
            stage: if usable { PickStage::TableMove } else { PickStage::GenerateCaptures },
            selection,
            tt_move: if usable { tt_move } else { Move::NONE },
            refutations,
            next_refutation: 0,
            list: ScoredMoves::new(),
            bad_captures: ArrayVec::new(),
            next_bad_capture: 0,
            previous,
            history: None,
            skip_quiets: false,
            only_checks: false,
            dropped: 0,
        }
    }

    /// Skips all further quiet moves.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Skips all further quiet moves that give no check.
    pub fn keep_only_checks(&mut self, position: &Position, checks: &mut CheckInfo) {
        if self.only_checks {
            return;
        }
        self.only_checks = true;
        if self.stage == PickStage::Quiets {
            let mut kept = MoveList::new();
            position.each_quiet(Quiets::Checks, checks.evasions(position), |_, from, to| {
                let _ = kept.try_push(Move::new(from, to));
            });
            self.dropped += self.list.retain(&kept);
        }
    }

    /// The number of moves that [`MovePicker::keep_only_checks`] has skipped since the last call.
    pub fn take_dropped(&mut self) -> usize {
        std::mem::take(&mut self.dropped)
    }

    /// [`Histories::quiet`] of the last move returned, if it has been looked up.
    pub fn history(&self) -> Option<i32> {
        self.history
    }

    /// The moves before the node, for continuation history.
    pub fn previous(&self) -> PreviousMoves {
        self.previous
    }

    /// Whether the picker has reached the captures that lose material.
    pub fn is_at_bad_captures(&self) -> bool {
        self.stage == PickStage::BadCaptures
    }

    /// The next move.
    pub fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        checks: &mut CheckInfo,
    ) -> Option<Move> {
        self.history = None;
        loop {
            match self.stage {
                PickStage::TableMove => {
                    self.stage = PickStage::GenerateCaptures;
                    return Some(self.tt_move);
                }
                PickStage::GenerateCaptures => {
                    self.score_captures(position, histories, checks.evasions(position));
                    self.stage = PickStage::GoodCaptures;
                }
                PickStage::GoodCaptures => {
                    if let Some(m) = self.good_capture(position) {
                        return Some(m);
                    }
                    self.stage = match self.selection {
                        MoveSelection::All => PickStage::Refutations,
                        MoveSelection::Captures(_) => PickStage::End,
                        MoveSelection::CapturesAndChecks => PickStage::GenerateQuiets,
                    };
                }
                PickStage::Refutations => match self.refutation(position) {
                    Some(m) => return Some(m),
                    None => self.stage = PickStage::GenerateQuiets,
                },
                PickStage::GenerateQuiets => {
                    self.list.clear();
                    if !self.skip_quiets {
                        self.score_quiets(position, histories, checks.evasions(position));
                    }
                    self.stage = PickStage::Quiets;
                }
                PickStage::Quiets => {
                    if let Some(m) = self.quiet(position) {
                        return Some(m);
                    }
                    self.stage = PickStage::BadCaptures;
                }
                PickStage::BadCaptures => {
                    let m = self.bad_captures.get(self.next_bad_capture).copied();
                    self.next_bad_capture += 1;
                    if m.is_none() {
                        self.stage = PickStage::End;
                    }
                    return m;
                }
                PickStage::End => return None,
            }
        }
    }

    // Not inlined, because the required fields of the position would then be loaded before every
    // move.
    #[inline(never)]
    fn score_captures(
        &mut self,
        position: &Position,
        histories: &Histories,
        evasions: Option<&Evasions>,
    ) {
        position.each_capture(evasions, |piece, from, to| {
            let victim = position.piece_at(to) % 7;
            let score = params::order_victim() * SEE_VALUES[victim]
                + histories.capture_by(piece, to, victim) / params::order_history_divisor();
            self.list.push(score, from, to);
        });
    }

    fn good_capture(&mut self, position: &Position) -> Option<Move> {
        let threshold = match self.selection {
            MoveSelection::Captures(threshold) => threshold,
            _ => 0,
        };
        while let Some((m, _)) = self.list.pick() {
            if m == self.tt_move {
                continue;
            }
            if position.see_at_least(m, threshold) {
                return Some(m);
            }
            if self.selection == MoveSelection::All {
                let _ = self.bad_captures.try_push(m);
            }
        }
        None
    }

    fn refutation(&mut self, position: &Position) -> Option<Move> {
        while self.next_refutation < self.refutations.len() && !self.skip_quiets {
            let i = self.next_refutation;
            self.next_refutation += 1;
            let m = self.refutations[i];
            let new = m != Move::NONE && m != self.tt_move && !self.refutations[..i].contains(&m);
            if new && !position.is_capture(m) && position.is_pseudo_legal(m) {
                return Some(m);
            }
        }
        None
    }

    #[inline(never)]
    fn score_quiets(
        &mut self,
        position: &Position,
        histories: &Histories,
        evasions: Option<&Evasions>,
    ) {
        let score = histories.quiet_scorer(position.side(), self.previous);
        let which = match self.selection {
            MoveSelection::All if self.only_checks => Quiets::Checks,
            MoveSelection::All => Quiets::All,
            _ => Quiets::DirectChecks,
        };
        let threats = (self.selection == MoveSelection::All).then(|| ThreatSquares::of(position));
        let list = &mut self.list;
        position.each_quiet(which, evasions, |piece, from, to| {
            let gain = threats.as_ref().map_or(0, |t| threat_score(t, piece, from, to));
            list.push(score(piece, from, to) + gain, from, to);
        });
        if which == Quiets::Checks {
            self.dropped += position.count_quiets(evasions) - self.list.len();
        }
    }

    fn quiet(&mut self, position: &Position) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        while let Some((m, score)) = self.list.pick() {
            let fits = if self.selection == MoveSelection::All {
                m != self.tt_move && !self.refutations.contains(&m)
            } else {
                position.see_at_least(m, 0)
            };
            if fits {
                self.history = Some(score);
                return Some(m);
            }
        }
        None
    }
}

/// What a quiet move gains at once, in units of history: it gives check, or leaves or enters the
/// attack of a less valuable piece.
#[inline]
fn threat_score(threats: &ThreatSquares, piece: usize, from: usize, to: usize) -> i32 {
    let kind = piece % 7;
    let at = |set: u128, s: usize| (set >> s & 1) as i32;
    let attacked = params::order_escape() * at(threats.attacked[kind], from)
        - params::order_exposed() * at(threats.attacked[kind], to);
    params::order_check() * at(threats.checks[kind], to) + attacked * SEE_VALUES[kind] / 256
}
