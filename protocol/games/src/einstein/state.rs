//! The game state and its queries.

use super::board::{CELLS, Cell, Layout, goal, home};
use super::rules::MissingDie;
use crate::game::Player;
use crate::hash::zobrist;

/// The next step of a game that is not over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// This player chooses its set-up.
    SetUp(Player),
    /// The first player's hidden set-up is revealed to the second.
    Reveal,
    /// The die is rolled for this player.
    Roll(Player),
    /// This player moves with this die.
    Decide(Player, u8),
}

impl Stage {
    fn key(self) -> u64 {
        let index = match self {
            Stage::SetUp(p) => p.index(),
            Stage::Reveal => 2,
            Stage::Roll(p) => 3 + p.index(),
            Stage::Decide(p, die) => 4 + 6 * p.index() + usize::from(die),
        };
        STAGE_KEYS[index]
    }
}

static STONE_KEYS: [u64; 13 * CELLS] = zobrist(0x0e15_7e11);
static STAGE_KEYS: [u64; 17] = zobrist(0x0e15_7e12);
const NEAREST_KEY: u64 = zobrist::<1>(0x0e15_7e13)[0];

/// The square of a captured stone.
pub(super) const GONE: u8 = 255;

/// A position of 64 bytes, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EinStein {
    pub(super) cells: [Cell; CELLS],
    pub(super) squares: [[u8; 6]; 2],
    pub(super) alive: [u8; 2],
    pub(super) stage: Stage,
    pub(super) winner: Option<Player>,
    pub(super) rule: MissingDie,
    pub(super) hash: u64,
}

/// Why a set of stones is not a valid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A square or a number is out of range.
    #[error("stone {number} on square {square}: numbers are 1 to 6, squares 0 to 24")]
    Range {
        /// The stone's number.
        number: u8,
        /// Its square.
        square: u8,
    },
    /// Two stones on one square.
    #[error("two stones stand on square {0}")]
    SameSquare(u8),
    /// A stone number occurs twice on one side.
    #[error("a player has two stones of number {0}")]
    SameNumber(u8),
    /// Neither player has a stone, or both have reached their goals.
    #[error("{0}")]
    NoResult(&'static str),
}

impl EinStein {
    /// The position with these stones (number and square), before `to_move` rolls.
    pub fn with_stones(
        first: &[(u8, u8)],
        second: &[(u8, u8)],
        to_move: Player,
        rule: MissingDie,
    ) -> Result<EinStein, SetupError> {
        let mut state = EinStein::empty(Stage::Roll(to_move), rule);
        for (player, stones) in [(Player::First, first), (Player::Second, second)] {
            for &(number, square) in stones {
                state.place_checked(player, number, square)?;
            }
        }
        state.winner = state.find_winner()?;
        Ok(state)
    }

    pub(super) fn empty(stage: Stage, rule: MissingDie) -> EinStein {
        let rule_key = if rule == MissingDie::Nearest { NEAREST_KEY } else { 0 };
        EinStein {
            cells: [0; CELLS],
            squares: [[GONE; 6]; 2],
            alive: [0; 2],
            stage,
            winner: None,
            rule,
            hash: stage.key() ^ rule_key,
        }
    }

    pub(super) fn place_checked(
        &mut self,
        player: Player,
        number: u8,
        square: u8,
    ) -> Result<(), SetupError> {
        if !(1..=6).contains(&number) || usize::from(square) >= CELLS {
            return Err(SetupError::Range { number, square });
        }
        if self.cells[usize::from(square)] != 0 {
            return Err(SetupError::SameSquare(square));
        }
        if self.alive[player.index()] & 1 << (number - 1) != 0 {
            return Err(SetupError::SameNumber(number));
        }
        self.place(player, number, square);
        Ok(())
    }

    /// The winner shown by the stones alone; an error if both or neither would win.
    pub(super) fn find_winner(&self) -> Result<Option<Player>, SetupError> {
        let arrived = |p: Player| self.owner(goal(p)) == Some(p);
        match (arrived(Player::First), arrived(Player::Second)) {
            (true, true) => Err(SetupError::NoResult("both players have reached their goals")),
            (true, false) if self.alive[0] != 0 => Ok(Some(Player::First)),
            (false, true) if self.alive[1] != 0 => Ok(Some(Player::Second)),
            _ => match self.alive {
                [0, 0] => Err(SetupError::NoResult("there are no stones")),
                [0, _] => Ok(Some(Player::Second)),
                [_, 0] => Ok(Some(Player::First)),
                _ => Ok(None),
            },
        }
    }

    pub(super) fn set_winner(&mut self, winner: Option<Player>) {
        self.winner = winner;
    }

    /// The next step; after the end of the game, the roll that would follow.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The player who rolls or moves next; in the reveal stage, the first one.
    pub fn player(&self) -> Player {
        match self.stage {
            Stage::SetUp(p) | Stage::Roll(p) | Stage::Decide(p, _) => p,
            Stage::Reveal => Player::First,
        }
    }

    /// The living stones of a player, bit 0 for stone 1.
    #[inline]
    pub fn alive(&self, player: Player) -> u8 {
        self.alive[player.index()]
    }

    /// The square of each of a player's stones 1 to 6; at least 25 for a captured stone.
    #[inline]
    pub fn squares(&self, player: Player) -> &[u8; 6] {
        &self.squares[player.index()]
    }

    /// The content of each square.
    #[inline]
    pub fn cells(&self) -> &[Cell; CELLS] {
        &self.cells
    }

    /// The rule for missing numbers.
    pub fn missing_die(&self) -> MissingDie {
        self.rule
    }

    /// The player whose stone stands on a square.
    pub fn owner(&self, square: u8) -> Option<Player> {
        match self.cells[usize::from(square)] {
            0 => None,
            1..=6 => Some(Player::First),
            _ => Some(Player::Second),
        }
    }

    #[inline]
    pub(super) fn toggle(&mut self, cell: Cell, square: u8) {
        self.hash ^= STONE_KEYS[usize::from(cell) * CELLS + usize::from(square)];
    }

    #[inline]
    fn place(&mut self, player: Player, number: u8, square: u8) {
        let cell = number + 6 * player.index() as u8;
        self.cells[usize::from(square)] = cell;
        self.squares[player.index()][usize::from(number - 1)] = square;
        self.alive[player.index()] |= 1 << (number - 1);
        self.toggle(cell, square);
    }

    #[inline]
    fn remove(&mut self, square: u8) {
        let cell = self.cells[usize::from(square)];
        if cell == 0 {
            return;
        }
        let (side, stone) = (usize::from(cell > 6), usize::from((cell - 1) % 6));
        self.cells[usize::from(square)] = 0;
        self.squares[side][stone] = GONE;
        self.alive[side] &= !(1 << stone);
        self.toggle(cell, square);
    }

    pub(super) fn set_stage(&mut self, stage: Stage) {
        self.hash ^= self.stage.key() ^ stage.key();
        self.stage = stage;
    }

    pub(super) fn set_up(&mut self, player: Player, layout: Layout) {
        for (square, number) in home(player).into_iter().zip(layout.numbers()) {
            self.place(player, number, square);
        }
    }

    /// Moves a stone; the player wins on the goal or by capturing the last enemy stone.
    #[inline]
    pub(super) fn step(&mut self, from: u8, to: u8) {
        let cell = self.cells[usize::from(from) % CELLS];
        if cell == 0 || usize::from(to) >= CELLS {
            return;
        }
        let mover = if cell <= 6 { Player::First } else { Player::Second };
        self.remove(to);
        let (side, stone) = (mover.index(), usize::from((cell - 1) % 6));
        self.cells[usize::from(from)] = 0;
        self.toggle(cell, from);
        self.cells[usize::from(to)] = cell;
        self.squares[side][stone] = to;
        self.toggle(cell, to);
        let other = mover.opponent();
        if to == goal(mover) || self.alive[other.index()] == 0 {
            self.winner = Some(mover);
        }
        self.set_stage(Stage::Roll(other));
    }
}
