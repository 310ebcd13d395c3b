//! Adjudication of repeated positions.
//!
//! The moves from the first counted occurrence to the last are replayed. A side has checked
//! perpetually if all of its moves gave check. It has chased perpetually if all of its moves, checks
//! included, newly attacked one and the same piece that is worth taking. Checking is worse than
//! chasing, chasing worse than neither; the worse side loses, equal conduct is a draw.
//!
//! "Worth taking" summarises the Asian rules: the attacker is not a king or a pawn, the target is
//! not a king or a pawn before the river, and the capture is legal; and either no legal recapture
//! exists, or the target is worth more in any case (a rook attacked by a horse or cannon; a rook,
//! horse or cannon attacked by an advisor or elephant). Two pieces of a kind that attack each other
//! offer an exchange, which is not a chase, unless a pin or a blocked leg keeps one from capturing.
//!
//! An attack is new if it was not there before the move, or if the target has lost its protection.
//! But a piece that stays does not attack anew what was protected only through it, by a piece that
//! attacks it: whoever shields his rook from a cannon does not thereby chase what stood behind it.
//! `protocol/RULES.md` names the diagrams.

use super::piece::{Kind, home_half};
use super::square::{SQUARES, Square, Squares, XiangqiMove};
use super::{Board, Repetition, Xiangqi, movegen};
use crate::game::{Game, Outcome, Path, Player};

/// The conduct of a side in a repetition, in order of severity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Conduct {
    Quiet,
    Chase,
    Check,
}

/// The outcome by the rules if the path's last position has been repeated often enough.
pub fn outcome(path: &Path<Xiangqi>) -> Option<Outcome> {
    let game = path.current;
    let rules = *game.rules();
    let hashes = path.hashes;
    let (&last, before) = hashes.split_last()?;
    // No position from before a capture can recur.
    let window = before.len().min(usize::from(game.quiet_plies()));
    // Nearly always too few: they are counted several at a time.
    let recent = &before[before.len() - window..];
    if recent.iter().filter(|h| **h == last).count() + 1 < usize::from(rules.occurrences) {
        return None;
    }
    let earlier = before.iter().enumerate().rev().take(window).filter(|(_, h)| **h == last);
    let first = earlier.map(|(i, _)| i).nth(usize::from(rules.occurrences).saturating_sub(2))?;
    let (past, cycle) = path.moves.split_at(first);
    let mut start = path.start.clone();
    for &m in past {
        start.play(m);
    }
    Some(cycle_outcome(start.board(), start.side_to_move(), cycle, rules.repetition))
}

/// The outcome of a cycle: moves without a capture that lead from `board`, with `side` to move,
/// back to itself.
pub fn cycle_outcome(
    board: &Board,
    side: Player,
    cycle: &[XiangqiMove],
    rule: Repetition,
) -> Outcome {
    if rule == Repetition::Draw {
        return Outcome::Draw;
    }
    let conduct = conduct(board.clone(), side, cycle, rule == Repetition::Asian);
    match conduct[0].cmp(&conduct[1]) {
        std::cmp::Ordering::Equal => Outcome::Draw,
        std::cmp::Ordering::Greater => Outcome::Win(Player::Second),
        std::cmp::Ordering::Less => Outcome::Win(Player::First),
    }
}

/// The conduct of each side in a cycle.
fn conduct(mut board: Board, side: Player, cycle: &[XiangqiMove], chases: bool) -> [Conduct; 2] {
    let mut names = Names::of(&board);
    let mut checks = [true; 2];
    let mut chased = [u32::MAX; 2];
    let mut us = side;
    for &m in cycle {
        let p = us.index();
        let look = chases && chased[p] != 0;
        let before = if look { threats(&board, us, &names, Some(m.from)) } else { [0; 32] };
        board.make_move(m);
        names.shift(m);
        checks[p] &= board.in_check(us.opponent());
        if look {
            let after = threats(&board, us, &names, None);
            let new = (0..32).filter(|&t| after[t] & !before[t] != 0);
            chased[p] &= new.fold(0, |set, t| set | 1 << t);
        }
        us = us.opponent();
    }
    [0, 1].map(|p| match (checks[p], chased[p]) {
        (true, _) => Conduct::Check,
        (false, chased) if chases && chased != 0 => Conduct::Chase,
        _ => Conduct::Quiet,
    })
}

/// A number below 32 for each piece, which it keeps when it moves: a repetition has no captures.
struct Names([u8; SQUARES]);

impl Names {
    fn of(board: &Board) -> Names {
        let mut names = [0; SQUARES];
        for (i, square) in Squares(board.occupied()).enumerate() {
            names[square.index()] = i as u8 & 31;
        }
        Names(names)
    }

    fn shift(&mut self, m: XiangqiMove) {
        self.0[m.to.index()] = self.0[m.from.index()];
    }
}

/// For each target's number, the set of `us`'s pieces that could capture it profitably.
fn threats(board: &Board, us: Player, names: &Names, mover: Option<Square>) -> [u32; 32] {
    let mut threats = [0; 32];
    let them = us.opponent();
    let look = Look { board, us, mover, checked: board.in_check(them) };
    let home_pawns = board.pieces(them, Kind::Pawn) & home_half(them);
    let targets = board.side(them) & !board.kind(Kind::King) & !home_pawns;
    for kind in [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Advisor, Kind::Elephant] {
        for from in Squares(board.pieces(us, kind)) {
            for to in Squares(board.destinations(us, kind, from.index()) & targets) {
                if look.worth_taking(kind, XiangqiMove { from, to }) {
                    let name = |s: Square| usize::from(names.0[s.index()]);
                    threats[name(to)] |= 1 << name(from);
                }
            }
        }
    }
    threats
}

/// A position in which the attacks of `us` are looked at.
struct Look<'a> {
    board: &'a Board,
    us: Player,
    /// Before a move: the square of the piece that will make it.
    mover: Option<Square>,
    /// The opponent is in check, so that `us` has just moved.
    checked: bool,
}

impl Look<'_> {
    /// Whether a capture of `us` is legal and wins material, as defined in the module's docs.
    fn worth_taking(&self, attacker: Kind, m: XiangqiMove) -> bool {
        let Some(target) = self.board.piece_at(m.to).kind() else { return false };
        if !movegen::is_legal(self.board, self.us, m) {
            return false;
        }
        if target == attacker && self.answers(self.board, m.to, m.from) {
            return false;
        }
        let gains_anyway = match attacker {
            Kind::Horse | Kind::Cannon => target == Kind::Rook,
            Kind::Advisor | Kind::Elephant => {
                matches!(target, Kind::Rook | Kind::Horse | Kind::Cannon)
            }
            _ => false,
        };
        gains_anyway || !self.can_take_back(m)
    }

    /// Whether a piece protects the target of a capture. One that attacks the attacker protects it
    /// through the attacker; if this piece is not the one that moves next, a move that ends that
    /// attack makes no new one, and so such a protection does not count before the move.
    fn can_take_back(&self, m: XiangqiMove) -> bool {
        let mut after = self.board.clone();
        after.make_move(m);
        let stays = self.mover.is_some_and(|mover| mover != m.from);
        Squares(after.side(self.us.opponent())).any(|from| {
            self.answers(&after, from, m.to) && !(stays && self.answers(self.board, from, m.from))
        })
    }

    /// Whether the opponent could make a capture. The check that has just been given is disregarded.
    fn answers(&self, board: &Board, from: Square, to: Square) -> bool {
        let them = self.us.opponent();
        match board.piece_at(from).kind() {
            Some(kind) if self.checked => {
                board.destinations(them, kind, from.index()) & to.bit() != 0
            }
            _ => movegen::is_legal(board, them, XiangqiMove { from, to }),
        }
    }
}
