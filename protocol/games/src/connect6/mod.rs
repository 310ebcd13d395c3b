//! The rules of Connect6 (Wu and Huang 2005), for square boards from 6x6 to 19x19.
//!
//! Black, [`Player::First`], starts with one stone; then both players place two per turn. Six or
//! more in a row win, also if the first stone of a turn completes them, so a turn may be that one
//! stone alone. A full board is a draw. The number of earlier turns does not matter: an empty board
//! takes one stone, any other two, or one if only one point is empty.

mod actions;
mod fen;
mod notation;
mod point;
pub mod sgf;
#[cfg(test)]
mod tests;

pub use notation::read_points;
pub use point::{Connect6Move, MAX_SIZE, MIN_SIZE, POINTS, Point};

use crate::game::{FenError, Game, MoveError, Outcome, Player, Turn};
use crate::hash::{mix, zobrist};
use crate::option::{OptionSpec, OptionValue, RuleSet};
use crate::refereed::{Ending, Refereed};
use std::ops::ControlFlow;

/// Number of stones in a row that wins.
pub const SIX: usize = 6;

/// Zobrist keys for (black, white) times the points.
static KEYS: [u64; 2 * POINTS] = zobrist(0x636f_6e6e_6563_7436);
const SIDE_KEY: u64 = mix(0x636f_6e6e_6563_7437);

/// The steps along the four lines through a point: columns, rows.
const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Connect6 {
    /// One bit per row, for each column, for each player.
    stones: [[u32; MAX_SIZE]; 2],
    hash: u64,
    empty: u16,
    size: u8,
    side: Player,
    winner: Option<Player>,
}

impl Connect6 {
    fn empty_board(size: usize, side: Player) -> Connect6 {
        let mut game = Connect6 {
            stones: [[0; MAX_SIZE]; 2],
            hash: 0,
            empty: (size * size) as u16,
            size: size as u8,
            side,
            winner: None,
        };
        game.hash = game.hash_from_scratch();
        game
    }

    /// The number of columns and of rows.
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The side to move, also after the end of the game.
    pub fn side_to_move(&self) -> Player {
        self.side
    }

    /// The number of empty points.
    pub fn empty_points(&self) -> usize {
        usize::from(self.empty)
    }

    /// The number of stones in the next turn, unless its first stone wins: 1 on an empty board or
    /// if only one point is empty.
    pub fn stones_due(&self) -> usize {
        let empty = self.empty_points();
        if empty == self.size() * self.size() { 1 } else { empty.min(2) }
    }

    /// The owner of the stone on a point; `None` if the point is empty or off the board.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Player> {
        Player::BOTH.into_iter().find(|p| self.has(*p, point.column(), point.row()))
    }

    /// Whether a point is on this board.
    pub fn contains(&self, point: Point) -> bool {
        point.column() < self.size() && point.row() < self.size()
    }

    /// Whether a point is on this board and empty.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.contains(point) && self.stone(point).is_none()
    }

    /// All points of this board, in order.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size();
        let all = (0..size).flat_map(move |c| (0..size).map(move |r| (c, r)));
        all.filter_map(|(c, r)| Point::new(c, r))
    }

    /// The empty points, in order.
    pub fn empties(&self) -> impl Iterator<Item = Point> + '_ {
        self.points().filter(|p| self.stone(*p).is_none())
    }

    #[inline]
    fn has(&self, player: Player, column: usize, row: usize) -> bool {
        self.stones[player.index()][column] >> row & 1 != 0
    }

    /// Whether a stone of `player` on `point` has, or would have, six or more in a row.
    pub fn makes_six(&self, player: Player, point: Point) -> bool {
        STEPS.into_iter().any(|(dc, dr)| {
            let run = |sign: isize| {
                (1..SIX as isize)
                    .take_while(|k| {
                        let column = point.column() as isize + sign * k * dc;
                        let row = point.row() as isize + sign * k * dr;
                        (0..MAX_SIZE as isize).contains(&column)
                            && (0..MAX_SIZE as isize).contains(&row)
                            && self.has(player, column as usize, row as usize)
                    })
                    .count()
            };
            run(1) + run(-1) + 1 >= SIX
        })
    }

    /// Places or removes a stone and updates the hash.
    fn toggle(&mut self, player: Player, point: Point) {
        self.stones[player.index()][point.column()] ^= 1 << point.row();
        self.hash ^= KEYS[player.index() * POINTS + point.index()];
    }

    /// [`Game::turn`] for the submodules.
    fn turn_now(&self) -> Turn {
        match self.winner {
            Some(winner) => Turn::Over(Outcome::Win(winner)),
            None if self.empty == 0 => Turn::Over(Outcome::Draw),
            None => Turn::Player(self.side),
        }
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.empty == 0
    }

    /// The players with six in a row.
    fn winners(&self) -> impl Iterator<Item = Player> + '_ {
        Player::BOTH.into_iter().filter(|&player| {
            self.points().any(|p| self.stone(p) == Some(player) && self.makes_six(player, p))
        })
    }
}

impl Game for Connect6 {
    const NAME: &'static str = "connect6";
    const HAS_CHANCE: bool = false;

    type Move = Connect6Move;
    type Undo = ();
    type Rules = Connect6Rules;

    fn start(rules: &Connect6Rules) -> Connect6 {
        Connect6::empty_board(rules.size.clamp(MIN_SIZE, MAX_SIZE), Player::First)
    }

    fn turn(&self) -> Turn {
        self.turn_now()
    }

    fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(Connect6Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        let alone = self.stones_due() == 1;
        for first in self.empties() {
            if alone || self.makes_six(self.side, first) {
                visit(Connect6Move::one(first))?;
            }
            if !alone {
                for second in self.empties().filter(|p| *p > first) {
                    visit(Connect6Move { first, second: Some(second) })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn is_legal(&self, m: Connect6Move) -> bool {
        if self.is_over() || !self.is_empty(m.first) {
            return false;
        }
        match m.second {
            None => self.stones_due() == 1 || self.makes_six(self.side, m.first),
            Some(second) => self.stones_due() == 2 && m.first < second && self.is_empty(second),
        }
    }

    fn play(&mut self, m: Connect6Move) {
        let mover = self.side;
        for point in m.stones() {
            self.toggle(mover, point);
            self.empty = self.empty.saturating_sub(1);
        }
        if m.stones().any(|p| self.makes_six(mover, p)) {
            self.winner = Some(mover);
        }
        self.side = mover.opponent();
        self.hash ^= SIDE_KEY;
    }

    fn undo(&mut self, m: Connect6Move, _undo: ()) {
        self.side = self.side.opponent();
        self.hash ^= SIDE_KEY;
        self.winner = None;
        for point in m.stones() {
            self.toggle(self.side, point);
            self.empty += 1;
        }
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn hash_from_scratch(&self) -> u64 {
        let side = if self.side == Player::First { 0 } else { SIDE_KEY };
        self.points().fold(mix(u64::from(self.size)) ^ side, |hash, p| {
            let key = self.stone(p).map(|player| KEYS[player.index() * POINTS + p.index()]);
            hash ^ key.unwrap_or(0)
        })
    }

    fn count_moves(&self) -> u64 {
        let empty = u64::from(self.empty);
        if self.is_over() {
            return 0;
        }
        if self.stones_due() == 1 {
            return empty;
        }
        let alone = self.empties().filter(|&p| self.makes_six(self.side, p)).count();
        empty * (empty - 1) / 2 + alone as u64
    }

    fn parse_fen(fen: &str, _rules: &Connect6Rules) -> Result<Connect6, FenError> {
        fen::parse(fen)
    }

    fn fen(&self) -> String {
        fen::print(self)
    }

    fn parse_move(&self, text: &str) -> Result<Connect6Move, MoveError> {
        notation::parse(self, text)
    }

    fn move_token(&self, m: Connect6Move) -> String {
        m.to_string()
    }

    fn diagram(&self) -> String {
        fen::diagram(self)
    }
}

impl Refereed for Connect6 {
    fn ending(&self) -> Ending {
        if self.winner.is_some() { Ending::Line } else { Ending::FullBoard }
    }
}

/// The rules of a match. A position read from a FEN has the size given by the FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect6Rules {
    /// Columns and rows of the start position's board, 6 to 19.
    pub size: usize,
}

impl Default for Connect6Rules {
    fn default() -> Connect6Rules {
        Connect6Rules { size: MAX_SIZE }
    }
}

const SIZE: &str = "BoardSize";

impl RuleSet for Connect6Rules {
    fn options() -> Vec<OptionSpec> {
        let most = MAX_SIZE as i64;
        let spec = OptionSpec::spin(SIZE, most, MIN_SIZE as i64, most);
        vec![spec.with_help("Columns and rows of the start position's board")]
    }

    fn set(&mut self, name: &str, value: &OptionValue) {
        if let (SIZE, OptionValue::Spin(n)) = (name, value) {
            self.size = (*n as usize).clamp(MIN_SIZE, MAX_SIZE);
        }
    }
}
