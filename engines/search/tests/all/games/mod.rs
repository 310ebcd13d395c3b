//! Two small games for testing searches: a random tree with transpositions in which sides do not
//! alternate, and Domineering.
#![allow(dead_code, reason = "each test file uses its part of this")]

use agon_games::hash::mix;
use agon_games::option::NoRules;
use agon_games::phrase::phrase;
use agon_games::{FenError, Game, MoveError, Outcome, Player, Turn};
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves};
use std::ops::ControlFlow;

/// A game whose rules are derived from hashes: the state is the XOR of the keys of the moves made,
/// so that different orders of the same moves transpose; the side to move is also random.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeGame {
    pub sum: u64,
    pub ply: u64,
    pub length: u64,
}

impl TreeGame {
    pub fn new(seed: u64, length: u64) -> TreeGame {
        TreeGame { sum: mix(seed), ply: 0, length }
    }

    fn draw(&self, salt: u64, n: u64) -> u64 {
        mix(mix(self.sum ^ self.ply << 32) ^ salt) % n
    }
}

impl Game for TreeGame {
    const NAME: &'static str = "tree";
    const HAS_CHANCE: bool = false;
    type Move = u8;
    type Undo = ();
    type Rules = NoRules;

    fn start(_rules: &NoRules) -> TreeGame {
        TreeGame::new(0, 8)
    }
    fn turn(&self) -> Turn {
        if self.ply >= self.length || self.ply > 2 && self.draw(1, 9) == 0 {
            return Turn::Over(match self.draw(2, 3) {
                0 => Outcome::Draw,
                1 => Outcome::Win(Player::First),
                _ => Outcome::Win(Player::Second),
            });
        }
        // Usually the sides alternate; every fourth time they do not.
        let odd = self.ply % 2 == 1;
        let second = if self.draw(3, 4) == 0 { !odd } else { odd };
        Turn::Player(Player::BOTH[usize::from(second)])
    }
    fn visit_moves<B>(&self, visit: &mut impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.turn().player().is_none() {
            return ControlFlow::Continue(());
        }
        (0..1 + self.draw(4, 5) as u8).try_for_each(visit)
    }
    fn is_legal(&self, m: u8) -> bool {
        agon_games::game::legal_moves(self).contains(&m)
    }
    fn play(&mut self, m: u8) {
        self.sum ^= mix(u64::from(m) + 77);
        self.ply += 1;
    }
    fn undo(&mut self, m: u8, _undo: ()) {
        self.sum ^= mix(u64::from(m) + 77);
        self.ply -= 1;
    }
    fn hash(&self) -> u64 {
        mix(self.sum ^ mix(self.ply ^ self.length << 32))
    }
    fn hash_from_scratch(&self) -> u64 {
        self.hash()
    }
    fn parse_fen(fen: &str, _rules: &NoRules) -> Result<TreeGame, FenError> {
        let numbers: Vec<u64> = fen.split(' ').filter_map(|w| w.parse().ok()).collect();
        match numbers[..] {
            [sum, ply, length] => Ok(TreeGame { sum, ply, length }),
            _ => Err(FenError::new(fen, "expected three numbers")),
        }
    }
    fn fen(&self) -> String {
        format!("{} {} {}", self.sum, self.ply, self.length)
    }
    fn parse_move(&self, text: &str) -> Result<u8, MoveError> {
        let m = text.parse().map_err(|_| MoveError::syntax(text, phrase!("expected a number")))?;
        self.is_legal(m)
            .then_some(m)
            .ok_or_else(|| MoveError::illegal(text, phrase!("no such branch")))
    }
    fn move_token(&self, m: u8) -> String {
        m.to_string()
    }
    fn diagram(&self) -> String {
        self.fen() + "\n"
    }
}

/// Domineering on a board with 6 columns: the first player places dominoes vertically, the second
/// horizontally; a player who cannot move loses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domineering {
    pub taken: u64,
    pub rows: u8,
    pub second: bool,
}

const COLUMNS: u8 = 6;

impl Domineering {
    pub fn new(rows: u8) -> Domineering {
        Domineering { taken: 0, rows, second: false }
    }

    fn domino(&self, cell: u8) -> u64 {
        1 << cell | 1 << (cell + if self.second { 1 } else { COLUMNS })
    }

    fn fits(&self, cell: u8) -> bool {
        let inside = if self.second {
            cell < self.rows * COLUMNS && cell % COLUMNS + 1 < COLUMNS
        } else {
            u32::from(cell) + u32::from(COLUMNS) < u32::from(self.rows) * u32::from(COLUMNS)
        };
        inside && self.taken & self.domino(cell) == 0
    }

    fn cells(&self) -> impl Iterator<Item = u8> + '_ {
        (0..self.rows * COLUMNS).filter(|&cell| self.fits(cell))
    }

    fn opponent(&self) -> Domineering {
        Domineering { second: !self.second, ..self.clone() }
    }
}

impl Game for Domineering {
    const NAME: &'static str = "domineering";
    const HAS_CHANCE: bool = false;
    type Move = u8;
    type Undo = ();
    type Rules = NoRules;

    fn start(_rules: &NoRules) -> Domineering {
        Domineering::new(4)
    }
    fn turn(&self) -> Turn {
        let mover = Player::BOTH[usize::from(self.second)];
        if self.cells().next().is_none() {
            Turn::Over(Outcome::Win(mover.opponent()))
        } else {
            Turn::Player(mover)
        }
    }
    fn visit_moves<B>(&self, visit: &mut impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        self.cells().try_for_each(visit)
    }
    fn is_legal(&self, m: u8) -> bool {
        self.fits(m)
    }
    fn play(&mut self, m: u8) {
        self.taken |= self.domino(m);
        self.second = !self.second;
    }
    fn undo(&mut self, m: u8, _undo: ()) {
        self.second = !self.second;
        self.taken ^= self.domino(m);
    }
    fn hash(&self) -> u64 {
        mix(self.taken << 1 | u64::from(self.second)) ^ u64::from(self.rows)
    }
    fn hash_from_scratch(&self) -> u64 {
        self.hash()
    }
    fn parse_fen(fen: &str, _rules: &NoRules) -> Result<Domineering, FenError> {
        let numbers: Vec<u64> = fen.split(' ').filter_map(|w| w.parse().ok()).collect();
        match numbers[..] {
            [taken, rows, second] => {
                Ok(Domineering { taken, rows: rows as u8, second: second == 1 })
            }
            _ => Err(FenError::new(fen, "expected three numbers")),
        }
    }
    fn fen(&self) -> String {
        format!("{} {} {}", self.taken, self.rows, u8::from(self.second))
    }
    fn parse_move(&self, text: &str) -> Result<u8, MoveError> {
        let m = text.parse().map_err(|_| MoveError::syntax(text, phrase!("expected a number")))?;
        self.is_legal(m)
            .then_some(m)
            .ok_or_else(|| MoveError::illegal(text, phrase!("does not fit")))
    }
    fn move_token(&self, m: u8) -> String {
        m.to_string()
    }
    fn diagram(&self) -> String {
        self.fen() + "\n"
    }
}

/// Static evaluations derived from the hash, in a narrow range so that there are many ties.
#[derive(Clone, Debug)]
pub struct Noise(pub u64);

impl<G: Game> Evaluator<G> for Noise {
    fn evaluate(&mut self, game: &G) -> i32 {
        (mix(game.hash() ^ self.0) % 41) as i32 - 20
    }
}

impl<G: Game<Move = u8>> MoveEncoding<G> for Noise {
    const HISTORY_KEYS: [usize; 2] = [256, 1];
    fn history_keys(m: u8) -> [usize; 2] {
        [usize::from(m), 0]
    }
    fn pack(m: u8) -> u32 {
        u32::from(m)
    }
    fn unpack(bits: u32) -> Option<u8> {
        u8::try_from(bits).ok()
    }
}

/// Moves in two parts: the number divided by two, then the rest.
impl<G: Game<Move = u8>> StagedMoves<G> for Noise {
    type PartialMove = u8;
    fn visit_partial_moves(
        &mut self,
        game: &G,
        _depth: u32,
        visit: &mut impl FnMut(u8, Option<i32>),
    ) {
        let mut last = None;
        let _ = game.visit_moves::<()>(&mut |m| {
            let part = m / 2;
            if last.replace(part) != Some(part) {
                visit(part, Some((mix(game.hash() ^ u64::from(part)) % 41) as i32));
            }
            ControlFlow::Continue(())
        });
    }
    fn visit_completions<B>(
        game: &G,
        part: u8,
        visit: &mut impl FnMut(u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        game.visit_moves(&mut |m| if m / 2 == part { visit(m) } else { ControlFlow::Continue(()) })
    }
    fn partial_key(part: u8) -> usize {
        usize::from(part)
    }
}

/// The difference in remaining moves: a real evaluation for Domineering.
#[derive(Clone, Debug)]
pub struct Room;

impl Evaluator<Domineering> for Room {
    fn evaluate(&mut self, game: &Domineering) -> i32 {
        100 * (game.cells().count() as i32 - game.opponent().cells().count() as i32)
    }
}
