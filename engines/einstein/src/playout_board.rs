//! Fast random games.
//!
//! A [`PlayoutBoard`] holds only what a playout needs: no hash, no undo, no stage. A playout draws
//! a 64-bit random number per turn: its high half gives the die, its low half the move.

use agon_games::Player;
use agon_games::einstein::{
    EinStein, EinSteinMove, EinSteinRules, Layout, MissingDie, Stage, TARGETS, goal, movable_stones,
};
use agon_games::game::Game;
use agon_games::rng::{self, Stream};
use rand_core::Rng;

/// A position in a playout, always before a roll.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutBoard {
    /// Encoded as in [`EinStein::cells`].
    pub cells: [u8; 25],
    /// The square of each stone; invalid if its bit in `alive` is clear.
    pub squares: [[u8; 6]; 2],
    /// The living stones of both players.
    pub alive: [u8; 2],
    /// The player to roll.
    pub side: usize,
    /// The rule about missing numbers.
    pub rule: MissingDie,
}

/// The result of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutResult {
    /// The winner.
    pub winner: Player,
    /// The number of moves played.
    pub moves: u32,
}

impl PlayoutBoard {
    /// Converts a position before a roll or, with the die ignored, before a move. The game must not
    /// be over and both sides must have set up.
    pub fn new(game: &EinStein) -> PlayoutBoard {
        debug_assert!(matches!(game.stage(), Stage::Roll(_) | Stage::Decide(..)));
        PlayoutBoard {
            cells: *game.cells(),
            squares: [*game.squares(Player::First), *game.squares(Player::Second)],
            alive: [game.alive(Player::First), game.alive(Player::Second)],
            side: game.player().index(),
            rule: game.missing_die(),
        }
    }

    /// A random set-up of both sides.
    pub fn random_start(rule: MissingDie, stream: &mut Stream) -> PlayoutBoard {
        let mut game = EinStein::start(&EinSteinRules { missing_die: rule });
        for _ in 0..2 {
            let rank = rng::below(stream, u64::from(Layout::COUNT)) as u16;
            if let Some(layout) = Layout::from_rank(rank) {
                game.play(EinSteinMove::SetUp(layout));
            }
        }
        PlayoutBoard::new(&game)
    }

    /// The stones that may move with this die.
    #[inline]
    pub fn movable(&self, die: u8) -> u8 {
        movable_stones(self.rule, self.alive[self.side], die)
    }

    /// Moves the stone of this index of the side to roll; returns the winner if the game ends.
    #[inline]
    pub fn step(&mut self, stone: usize, to: u8) -> Option<Player> {
        let side = self.side;
        let target = &mut self.cells[usize::from(to)];
        let taken = *target;
        *target = (stone + 1 + 6 * side) as u8;
        if taken != 0 {
            let owner = usize::from(taken > 6);
            self.alive[owner] &= !(1 << (taken as usize - 1 - 6 * owner));
        }
        self.cells[usize::from(self.squares[side][stone])] = 0;
        self.squares[side][stone] = to;
        let player = Player::BOTH[side];
        self.side = 1 - side;
        (to == goal(player) || self.alive[1 - side] == 0).then_some(player)
    }

    /// Calls `visit` with the stone and target square of each move for a die.
    #[inline]
    pub fn visit_moves(&self, die: u8, visit: &mut impl FnMut(usize, u8)) {
        let mut stones = self.movable(die);
        while stones != 0 {
            let stone = stones.trailing_zeros() as usize;
            stones &= stones - 1;
            self.visit_stone(stone, &mut |to| visit(stone, to));
        }
    }

    /// Calls `visit` with each target square of a living stone of the side to roll.
    #[inline]
    pub fn visit_stone(&self, stone: usize, visit: &mut impl FnMut(u8)) {
        let from = usize::from(self.squares[self.side][stone]);
        TARGETS[self.side][from].as_slice().iter().for_each(|&to| visit(to));
    }

    /// A uniformly random die, and 32 random bits for the move.
    #[inline]
    pub fn roll(stream: &mut Stream) -> (u8, u64) {
        let word = stream.next_u64();
        // 2^32 is not a multiple of 6; the bias of 2^-30 is negligible for any number of playouts.
        let die = ((word >> 32) * 6) >> 32;
        (die as u8 + 1, word & 0xffff_ffff)
    }

    /// A uniformly random move for a die, from 32 random bits.
    #[inline]
    pub fn random_move(&self, die: u8, bits: u64) -> (usize, u8) {
        let stones = self.movable(die);
        let low = stones.trailing_zeros() as usize;
        let high = 7 - stones.leading_zeros() as usize;
        let squares = &self.squares[self.side];
        let targets = TARGETS[self.side][usize::from(squares[low])].as_slice();
        if low == high {
            return (low, targets[((bits * targets.len() as u64) >> 32) as usize]);
        }
        let more = TARGETS[self.side][usize::from(squares[high])].as_slice();
        let at = ((bits * (targets.len() + more.len()) as u64) >> 32) as usize;
        match targets.get(at) {
            Some(&to) => (low, to),
            None => (high, more[at - targets.len()]),
        }
    }

    /// Plays random moves to the end of the game.
    #[inline]
    pub fn playout(mut self, stream: &mut Stream) -> PlayoutResult {
        let mut moves = 0;
        loop {
            let (die, bits) = PlayoutBoard::roll(stream);
            let (stone, to) = self.random_move(die, bits);
            moves += 1;
            if let Some(winner) = self.step(stone, to) {
                return PlayoutResult { winner, moves };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::einstein::{EinSteinMove, EinSteinRules};
    use agon_games::game::{Game, Turn, legal_moves};
    use agon_games::rng;

    #[test]
    fn every_step_of_a_playout_is_a_legal_move_of_the_rules() {
        let fen = "BFA2/CD3/E3e/3dc/2afb u -";
        for index in 0..500 {
            let mut stream = rng::stream(1, index, "playout test");
            let mut game = EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap();
            let mut fast = PlayoutBoard::new(&game);
            loop {
                let (die, bits) = PlayoutBoard::roll(&mut stream);
                game.play(EinSteinMove::Roll(die));
                let mut listed = Vec::new();
                fast.visit_moves(die, &mut |stone, to| {
                    listed.push(EinSteinMove::Step { from: fast.squares[fast.side][stone], to });
                });
                assert_eq!(listed, legal_moves(&game));
                let (stone, to) = fast.random_move(die, bits);
                let m = EinSteinMove::Step { from: fast.squares[fast.side][stone], to };
                assert!(game.is_legal(m), "{m:?} in {}", game.fen());
                game.play(m);
                let winner = fast.step(stone, to);
                assert_eq!(winner.map(agon_games::Outcome::Win), game.turn().outcome());
                assert_eq!((&fast.cells, fast.alive[0]), (game.cells(), game.alive(Player::First)));
                if let Turn::Over(_) = game.turn() {
                    break;
                }
            }
        }
    }

    #[test]
    fn every_move_of_a_position_is_drawn_equally_often() {
        // With a 3, stones 2 and 5 may move: three targets and one.
        let fen = "1B3/5/4E/f4/5 u -";
        let game = EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap();
        let fast = PlayoutBoard::new(&game);
        let mut stream = rng::stream(2, 0, "playout test");
        let mut counts = [0u32; 25];
        for _ in 0..40_000 {
            let (_, bits) = PlayoutBoard::roll(&mut stream);
            counts[usize::from(fast.random_move(3, bits).1)] += 1;
        }
        let drawn: Vec<u32> = counts.into_iter().filter(|&n| n > 0).collect();
        assert_eq!(drawn.len(), 4);
        // Five standard deviations of 10,000 in 40,000 draws are 433.
        assert!(drawn.iter().all(|n| n.abs_diff(10_000) < 433), "{drawn:?}");
    }
}
