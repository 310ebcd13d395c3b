//! Checking tables against the rules alone: every value against the values of its successors, and
//! samples against a forward search that knows no table.

use super::Value;
use super::build::Monitor;
use super::error::TableError;
use super::file::{TableFile, path_of};
use super::layout::{Attackers, Layout, Shared};
use super::set::EndgameSet;
use super::solve::Smaller;
use agon_protocol::Player;
use agon_protocol::rng;
use agon_protocol::xiangqi::{Board, XiangqiMove, movegen, print_placement};
use arrayvec::ArrayVec;
use rand_core::Rng;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How thorough to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thoroughness {
    /// Numbers to compare with their successors, for each side to move; a set that has no more is
    /// gone through whole.
    pub successors: u64,
    /// Positions to search.
    pub searches: u64,
    /// Plies to search.
    pub depth: u16,
    /// Which ones.
    pub seed: u64,
}

impl Default for Thoroughness {
    fn default() -> Thoroughness {
        Thoroughness { successors: 200_000, searches: 40, depth: 5, seed: 1 }
    }
}

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Legal positions that agree with their successors.
    pub successors: u64,
    /// Positions that agree with the forward search: mates within its depth.
    pub mates: u64,
    /// Positions of which the search and the table say that there is no mate within its depth.
    pub others: u64,
}

/// The numbers of both places, and the attacking pieces.
type Parts = (usize, usize, Attackers);

/// The longest list of moves of either side.
const MOST_MOVES: usize = 256;

/// Checks one set's table in a folder: its checksum, successors, searches.
///
/// # Errors
///
/// For a missing or damaged file, a wrong value, and if the monitor says stop.
pub fn verify(
    dir: &Path,
    set: EndgameSet,
    how: Thoroughness,
    monitor: &Monitor<'_>,
) -> Result<Checked, TableError> {
    monitor.say(&format!("{set}: checksum"))?;
    let file = TableFile::open(&path_of(dir, set))?;
    file.check()?;
    monitor.say(&format!("{set}: reading"))?;
    let verifier = Verifier::new(dir, set, &file)?;
    monitor.say(&format!("{set}: successors"))?;
    let mut checked = Checked { successors: verifier.successors(how)?, ..Checked::default() };
    monitor.say(&format!("{set}: searches"))?;
    verifier.searches(how, &mut checked)?;
    Ok(checked)
}

/// A set and what captures lead to, unpacked.
struct Verifier {
    shared: Shared,
    set: EndgameSet,
    own: [Smaller; 2],
    /// Sets after a capture of the attacker, whose codes are of the defender to move, and the
    /// other way round.
    after: Vec<(EndgameSet, Smaller)>,
}

impl Verifier {
    fn new(dir: &Path, set: EndgameSet, file: &TableFile) -> Result<Verifier, TableError> {
        let shared = Shared::default();
        let side = |set, file: &TableFile, side| -> Result<Smaller, TableError> {
            Ok(Smaller { layout: Layout::new(&shared, set), codes: file.read_side(side)? })
        };
        let own = [side(set, file, 0)?, side(set, file, 1)?];
        let mut after = Vec::new();
        for smaller in set.after_captures() {
            let path: PathBuf = path_of(dir, smaller);
            if !path.exists() {
                let (dir, set) = (dir.to_path_buf(), smaller.to_string());
                return Err(TableError::Missing { dir, set });
            }
            let mover = usize::from(smaller.attacker() == set.attacker());
            after.push((smaller, side(smaller, &TableFile::open(&path)?, mover)?));
        }
        Ok(Verifier { shared, set, own, after })
    }

    /// The value of a position of this set, or after a capture from it.
    fn value(&self, board: &Board, to_move: Player) -> Value {
        let Some((set, _)) = EndgameSet::of(board) else { return Value::Draw };
        let table = if set == self.set {
            Some(&self.own[to_move.index()])
        } else {
            self.after.iter().find(|t| t.0 == set).map(|t| &t.1)
        };
        let code = table.map_or(0, |table| {
            let (s, w, attackers) = self.shared.places_on(board);
            table.code(s, w, attackers)
        });
        Value::from_code(code)
    }

    /// A position of this set after a quiet move from places and attackers that are known.
    fn after_quiet(&self, board: &Board, side: Player, m: XiangqiMove, before: Parts) -> Value {
        let (mut s, mut w, mut attackers) = before;
        let change = m.from.bit() | m.to.bit();
        if side == Player::Second {
            w = self.shared.place_on(board, side);
        } else if let Some(set) = attackers.iter_mut().find(|set| **set & m.from.bit() != 0) {
            *set ^= change;
        } else {
            s = self.shared.place_on(board, side);
        }
        Value::from_code(self.own[side.opponent().index()].code(s, w, attackers))
    }

    /// The board of a number and its parts; `None` if the position is illegal.
    fn legal(&self, side: Player, number: u64) -> Option<(Board, Parts)> {
        let layout = &self.own[side.index()].layout;
        let parts = layout.unrank(number);
        let board = layout.board(parts.0, parts.1, parts.2);
        (!board.kings_face() && !board.in_check(side.opponent())).then_some((board, parts))
    }

    fn wrong(&self, board: &Board, side: Player, expected: Value, how: &'static str) -> TableError {
        let letter = if side == Player::First { 'w' } else { 'b' };
        TableError::Value {
            set: self.set.to_string(),
            fen: format!("{} {letter}", print_placement(board)),
            found: self.value(board, side).to_string(),
            how,
            expected: expected.to_string(),
        }
    }

    /// Numbers of one side to move: all, or a sample.
    fn numbers(
        &self,
        side: Player,
        most: u64,
        how: Thoroughness,
    ) -> Box<dyn Fn(u64) -> u64 + Sync> {
        let len = self.own[0].layout.len();
        if len <= most {
            return Box::new(|i| i);
        }
        let seed = how.seed;
        let purpose = if side == Player::First { "verify strong" } else { "verify weak" };
        Box::new(move |i| {
            let mut stream = rng::stream(seed, i, purpose);
            ((u128::from(stream.next_u64()) * u128::from(len)) >> 64) as u64
        })
    }

    fn successors(&self, how: Thoroughness) -> Result<u64, TableError> {
        let len = self.own[0].layout.len().min(how.successors);
        let mut sum = 0;
        for side in Player::BOTH {
            let numbers = self.numbers(side, how.successors, how);
            let check = |i| -> Result<u64, TableError> {
                let number = numbers(i);
                let Some((mut board, parts)) = self.legal(side, number) else { return Ok(0) };
                let best = self.best_successor(&mut board, side, parts);
                let code = self.own[side.index()].codes[number as usize];
                if best == Value::from_code(code) {
                    return Ok(1);
                }
                Err(self.wrong(&board, side, best, "the best of its successors"))
            };
            let counted = (0..len).into_par_iter().map(check);
            sum += counted.try_reduce(|| 0, |a, b| Ok(a + b))?;
        }
        Ok(sum)
    }

    fn best_successor(&self, board: &mut Board, side: Player, parts: Parts) -> Value {
        let mut best = Value::Loss(0);
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

    fn searches(&self, how: Thoroughness, checked: &mut Checked) -> Result<(), TableError> {
        let wanted = how.searches / 2;
        for side in Player::BOTH {
            let numbers = self.numbers(side, 0, how);
            let (mut mates, mut others) = (0, 0);
            // Short mates may be rare, or absent: a bounded number of draws.
            for i in 0..2000 * how.searches {
                let Some((board, _)) = self.legal(side, numbers(i)) else { continue };
                let value = self.value(&board, side);
                let mate = matches!(value, Value::Win(n) | Value::Loss(n) if n <= how.depth);
                let count = if mate { &mut mates } else { &mut others };
                if *count >= wanted / 2 {
                    continue;
                }
                *count += 1;
                let found = search(&mut board.clone(), side, how.depth);
                let expected = if mate { value } else { Value::Draw };
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

/// Plain negamax: the value of a position if a mate within so many plies decides it, else a draw.
pub fn search(board: &mut Board, side: Player, plies: u16) -> Value {
    let moves = moves(board, side);
    if moves.is_empty() {
        return Value::Loss(0);
    }
    if plies == 0 {
        return Value::Draw;
    }
    let mut best = Value::Loss(0);
    for m in moves {
        let captured = board.make_move(m);
        let value = search(board, side.opponent(), plies - 1).before();
        board.unmake_move(m, captured);
        best = best.max(value);
    }
    best
}
