//! Verification against the rules alone: compares values with those of the successors, and samples
//! with a forward search that uses no table.

use super::analysis::Smaller;
use super::layout::{Attackers, SetLayout, configuration_on, parts_of};
use super::material::MaterialKey;
use super::probe::XiangqiTablebase;
use super::slice::{XiangqiSlice, read_side};
use agon_games::Player;
use agon_games::game::Game;
use agon_games::rng;
use agon_games::xiangqi::{Board, Xiangqi, XiangqiMove, XiangqiRules, movegen, print_placement};
use agon_tablebase::verify::{ForwardSearch, VerifyCounts, count_all};
use agon_tablebase::{Dtm, Monitor, OpenSlice, Slice, TablebaseError};
use arrayvec::ArrayVec;
use rand_core::Rng;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;

/// How thorough to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thoroughness {
    /// Indices to compare with their successors, for each side to move; a slice with no more than
    /// this is checked completely.
    pub successors: u64,
    /// Positions to search.
    pub searches: u64,
    /// Search depth in plies.
    pub depth: u8,
    /// The seed of the samples.
    pub seed: u64,
}

impl Default for Thoroughness {
    fn default() -> Thoroughness {
        Thoroughness { successors: 200_000, searches: 40, depth: 5, seed: 1 }
    }
}

/// The number of checks done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Legal positions that agree with their successors.
    pub successors: u64,
    /// Positions that agree with the forward search: mates within its depth.
    pub mates: u64,
    /// Positions for which search and table agree that there is no mate within the depth.
    pub others: u64,
}

/// The witness of a folder: positions that are compared with their successors, in all and for each side to move
/// in a slice; and those of a slice that forward search solves anew within a few plies.
const COMPARED: u64 = 2_000;
const COMPARED_IN_SLICE: [u64; 2] = [4, 30];
const SOLVED_ANEW: u64 = 6;
const WITNESS_DEPTH: u8 = 3;
/// The seed of these positions.
const WITNESS_SEED: u64 = 0xa907;

/// Compares a sample of each file's values with those of their successors and with forward search: the
/// checksums of a file say that its values are those that were written, not that they are right. Positions
/// whose successors are in no file or in a damaged one are left out.
///
/// # Errors
///
/// A value is wrong: the file, the position and both values.
pub fn witness(tables: &XiangqiTablebase) -> Result<(), TablebaseError> {
    let mut slices: Vec<_> = tables.folder().slices().collect();
    slices.sort_by_key(|slice| slice.indexer.key());
    let [least, most] = COMPARED_IN_SLICE;
    let count = (COMPARED / (2 * slices.len().max(1) as u64)).clamp(least, most);
    let check = |slice: &&OpenSlice<XiangqiSlice>| {
        let check_side = |side| witness_slice(tables, slice, side, count);
        Player::BOTH.into_iter().try_for_each(check_side)
    };
    // The first error in this order, whichever thread is first.
    let checks: Vec<Result<(), TablebaseError>> = slices.par_iter().map(check).collect();
    checks.into_iter().collect()
}

fn witness_slice(
    tables: &XiangqiTablebase,
    slice: &OpenSlice<XiangqiSlice>,
    side: Player,
    count: u64,
) -> Result<(), TablebaseError> {
    let layout = slice.indexer.layout();
    for i in 0..count {
        let number = random_number(layout.len(), side, i, WITNESS_SEED);
        let (s, w, attackers) = layout.unrank(number);
        let mut board = layout.board(s, w, attackers);
        if board.kings_face() || board.in_check(side.opponent()) {
            continue;
        }
        let best = best_of(&mut board, side, |board| tables.probe_board(board, side.opponent()));
        let (Some(found), Some(best)) = (tables.probe_board(&board, side), best) else { continue };
        let wrong = |expected: Dtm, how| TablebaseError::Value {
            name: slice.file.path().display().to_string(),
            fen: fen(&board, side),
            found: found.to_string(),
            how,
            expected: expected.to_string(),
        };
        if found != best {
            return Err(wrong(best, "the best of its successors"));
        }
        if i < SOLVED_ANEW {
            let mate = found.plies().is_some_and(|n| n <= WITNESS_DEPTH);
            let solved = forward_search(&board, side, WITNESS_DEPTH);
            if solved != if mate { found } else { Dtm::DRAW } {
                return Err(wrong(solved, "forward search"));
            }
        }
    }
    Ok(())
}

/// The best value of a position's successors for its side to move, as `value` tells those for the other side.
fn best_of(board: &mut Board, side: Player, value: impl Fn(&Board) -> Option<Dtm>) -> Option<Dtm> {
    let mut best = Dtm::LOST;
    for m in moves(board, side) {
        let captured = board.make_move(m);
        let found = value(board);
        board.unmake_move(m, captured);
        best = best.max(found?.before());
    }
    Some(best)
}

/// The `i`-th index of a sample with one side to move.
fn random_number(len: u64, side: Player, i: u64, seed: u64) -> u64 {
    let purpose = if side == Player::First { "verify strong" } else { "verify weak" };
    let mut stream = rng::stream(seed, i, purpose);
    ((u128::from(stream.next_u64()) * u128::from(len)) >> 64) as u64
}

/// The indices of both palace configurations, and the attacking pieces.
type Parts = (usize, usize, Attackers);

/// Indices per job.
const CHUNK: u64 = 1 << 12;
/// The maximum number of moves of either side.
const MOST_MOVES: usize = 256;

impl VerifyCounts for Checked {
    fn join(self, other: Checked) -> Checked {
        Checked {
            successors: self.successors + other.successors,
            mates: self.mates + other.mates,
            others: self.others + other.others,
        }
    }
}

/// Verifies one slice of a folder: checksums, successors, forward searches. Uses rayon's current
/// thread pool.
///
/// # Errors
///
/// If a file is missing or damaged, a value is wrong, or the monitor stops the run.
pub fn verify(
    dir: &Path,
    key: MaterialKey,
    how: Thoroughness,
    monitor: &Monitor<'_>,
) -> Result<Checked, TablebaseError> {
    let slice = OpenSlice::open(dir, key)?;
    slice.file.preload()?;
    let verifier = Verifier::new(dir, key, &slice)?;
    let successors = verifier.successors(how, monitor)?;
    monitor.report(format!("{key}: searches"))?;
    let mut checked = Checked { successors, ..Checked::default() };
    verifier.searches(how, &mut checked)?;
    Ok(checked)
}

/// A slice and those that captures lead to, decompressed.
struct Verifier {
    key: MaterialKey,
    own: [Smaller; 2],
    /// The slices after a capture: with the codes for the defender to move after a capture by the
    /// attacker, and for the attacker to move otherwise.
    after: Vec<(MaterialKey, Smaller)>,
}

impl Verifier {
    fn new(
        dir: &Path,
        key: MaterialKey,
        slice: &OpenSlice<XiangqiSlice>,
    ) -> Result<Verifier, TablebaseError> {
        let side = |key, slice: &OpenSlice<XiangqiSlice>, side| {
            Ok(Smaller { layout: SetLayout::new(key), codes: read_side(slice, side)? })
        };
        let own = [side(key, slice, 0)?, side(key, slice, 1)?];
        let mut after = Vec::new();
        for smaller in key.after_captures() {
            let mover = usize::from(smaller.attacker() == key.attacker());
            after.push((smaller, side(smaller, &OpenSlice::open(dir, smaller)?, mover)?));
        }
        Ok(Verifier { key, own, after })
    }

    /// The value of a position of this set, or after a capture from it.
    fn value(&self, board: &Board, to_move: Player) -> Dtm {
        let Some((key, _)) = MaterialKey::of(board) else { return Dtm::DRAW };
        let slice = if key == self.key {
            Some(&self.own[to_move.index()])
        } else {
            self.after.iter().find(|t| t.0 == key).map(|t| &t.1)
        };
        let code = slice.map_or(0, |slice| {
            let (s, w, attackers) = parts_of(board);
            slice.code(s, w, attackers)
        });
        Dtm::from_code(code)
    }

    /// The value after a quiet move, given the configurations and attackers before it.
    fn after_quiet(&self, board: &Board, side: Player, m: XiangqiMove, before: Parts) -> Dtm {
        let (mut s, mut w, mut attackers) = before;
        let change = m.from.bit() | m.to.bit();
        if side == Player::Second {
            w = configuration_on(board, side);
        } else if let Some(set) = attackers.iter_mut().find(|set| **set & m.from.bit() != 0) {
            *set ^= change;
        } else {
            s = configuration_on(board, side);
        }
        Dtm::from_code(self.own[side.opponent().index()].code(s, w, attackers))
    }

    /// The board of an index and its parts; `None` if the position is illegal.
    fn legal(&self, side: Player, number: u64) -> Option<(Board, Parts)> {
        let layout = &self.own[side.index()].layout;
        let parts = layout.unrank(number);
        let board = layout.board(parts.0, parts.1, parts.2);
        (!board.kings_face() && !board.in_check(side.opponent())).then_some((board, parts))
    }

    fn wrong(
        &self,
        board: &Board,
        side: Player,
        expected: Dtm,
        how: &'static str,
    ) -> TablebaseError {
        TablebaseError::Value {
            name: self.key.to_string(),
            fen: fen(board, side),
            found: self.value(board, side).to_string(),
            how,
            expected: expected.to_string(),
        }
    }

    /// The `i`-th index of a sample with one side to move.
    fn random_number(&self, side: Player, i: u64, seed: u64) -> u64 {
        random_number(self.own[0].layout.len(), side, i, seed)
    }

    fn successors(&self, how: Thoroughness, monitor: &Monitor<'_>) -> Result<u64, TablebaseError> {
        let all = self.own[0].layout.len();
        let len = all.min(how.successors);
        let mut sum = 0;
        for side in Player::BOTH {
            let message = "values against their successors'";
            sum += count_all(monitor, message, len.div_ceil(CHUNK), |job, count: &mut u64| {
                for i in job * CHUNK..len.min((job + 1) * CHUNK) {
                    let number = if len == all { i } else { self.random_number(side, i, how.seed) };
                    let Some((mut board, parts)) = self.legal(side, number) else { continue };
                    let best = self.best_successor(&mut board, side, parts);
                    let code = self.own[side.index()].codes[number as usize];
                    if best != Dtm::from_code(code) {
                        return Err(self.wrong(&board, side, best, "the best of its successors"));
                    }
                    *count += 1;
                }
                Ok(())
            })?;
        }
        Ok(sum)
    }

    fn best_successor(&self, board: &mut Board, side: Player, parts: Parts) -> Dtm {
        let mut best = Dtm::LOST;
        for m in moves(board, side) {
            let captured = board.make_move(m);
            let value = if captured.is_none() {
                self.after_quiet(board, side, m, parts)
            } else {
                self.value(board, side.opponent())
            };
            board.unmake_move(m, captured);
            best = best.max(value.before());
        }
        best
    }

    fn searches(&self, how: Thoroughness, checked: &mut Checked) -> Result<(), TablebaseError> {
        let wanted = how.searches / 2;
        for side in Player::BOTH {
            let (mut mates, mut others) = (0, 0);
            // Short mates may be rare or absent, so the number of samples is bounded.
            for i in 0..2000 * how.searches {
                let Some((board, _)) = self.legal(side, self.random_number(side, i, how.seed))
                else {
                    continue;
                };
                let value = self.value(&board, side);
                let mate = value.plies().is_some_and(|n| n <= how.depth);
                let count = if mate { &mut mates } else { &mut others };
                if *count >= wanted / 2 {
                    continue;
                }
                *count += 1;
                let found = forward_search(&board, side, how.depth);
                let expected = if mate { value } else { Dtm::DRAW };
                if found != expected {
                    return Err(self.wrong(&board, side, found, "forward search"));
                }
            }
            checked.mates += mates;
            checked.others += others;
        }
        Ok(())
    }
}

fn moves(board: &Board, side: Player) -> ArrayVec<XiangqiMove, MOST_MOVES> {
    let mut moves = ArrayVec::new();
    let _ = movegen::visit::<()>(board, side, &mut |m| {
        moves.push(m);
        ControlFlow::Continue(())
    });
    moves
}

fn fen(board: &Board, side: Player) -> String {
    let letter = if side == Player::First { 'w' } else { 'b' };
    format!("{} {letter}", print_placement(board))
}

/// By the rules of the game: the value of a position with a mate within `plies` plies, otherwise a
/// draw. A position that the rules reject is a draw.
fn forward_search(board: &Board, side: Player, plies: u8) -> Dtm {
    let endless = XiangqiRules { draw_plies: 0, ..XiangqiRules::default() };
    let state = Xiangqi::parse_fen(&fen(board, side), &endless);
    state.map_or(Dtm::DRAW, |state| ForwardSearch::default().value(&state, plies))
}
