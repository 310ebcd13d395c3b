//! The engine's interface for the search: compact positions, playouts and board values.

use agon_games::Player;
use agon_games::einstein::EinStein;

/// Plays positions out and evaluates them.
pub trait Simulator: Send {
    /// A position before a roll.
    type Board: Copy;

    /// Converts a position before a roll or, with the die ignored, before a move.
    fn board(game: &EinStein) -> Self::Board;

    /// Calls `visit` with every move of every living stone of the side to roll: its source and
    /// target squares, the board after it, and the winner if it ends the game.
    fn visit_moves(
        board: &Self::Board,
        visit: &mut impl FnMut(u8, u8, Self::Board, Option<Player>),
    );

    /// `V(b)` (section 3.7): the winning rate, 0 to 1, of the player who has just moved, on a board
    /// that is not over.
    fn value(&self, board: &Self::Board) -> f32;

    /// Runs `simulations` playouts of each leaf, with random streams seeded by the leaf's key, and
    /// stores each leaf's wins of the first player in `wins`. Checks `stopped` every few
    /// milliseconds; once it returns true, returns false and leaves `wins` undefined.
    fn play_out(
        &self,
        leaves: &[(Self::Board, u64)],
        simulations: u32,
        wins: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool;
}

/// A slow simulator that uses only the protocol's rules, for the tests of the search.
#[cfg(test)]
pub(crate) mod test_simulator {
    use super::*;
    use agon_games::einstein::{EinSteinMove, EinSteinRules};
    use agon_games::game::{Game, Turn, chance_outcomes, legal_moves};
    use agon_games::rng;

    #[derive(Clone, Copy)]
    pub struct RandomGames;

    /// A position from its FEN.
    pub fn position(fen: &str) -> EinStein {
        EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap()
    }

    impl Simulator for RandomGames {
        type Board = EinStein;

        fn board(game: &EinStein) -> EinStein {
            let fen = game.fen();
            let (before_die, _) = fen.rsplit_once(' ').unwrap();
            position(&format!("{before_die} -"))
        }

        fn visit_moves(board: &EinStein, visit: &mut impl FnMut(u8, u8, EinStein, Option<Player>)) {
            for stone in (0..6).filter(|s| board.alive(board.player()) & 1 << s != 0) {
                // The die of a living stone moves that stone and no other.
                let mut rolled = *board;
                rolled.play(EinSteinMove::Roll(stone + 1));
                for m in legal_moves(&rolled) {
                    let EinSteinMove::Step { from, to } = m else { continue };
                    let mut next = rolled;
                    next.play(m);
                    let winner = next.turn().outcome().map(|_| board.player());
                    visit(from, to, next, winner);
                }
            }
        }

        fn value(&self, _: &EinStein) -> f32 {
            0.5
        }

        fn play_out(
            &self,
            leaves: &[(EinStein, u64)],
            simulations: u32,
            wins: &mut Vec<u32>,
            _: &dyn Fn() -> bool,
        ) -> bool {
            wins.clear();
            for (start, key) in leaves {
                let won = |simulation: &u32| {
                    let mut stream = rng::stream(*key, u64::from(*simulation), "test playout");
                    let mut game = *start;
                    loop {
                        let moves = match game.turn() {
                            Turn::Over(outcome) => return outcome.sign_for(Player::First) > 0,
                            Turn::Chance => chance_outcomes(&game).iter().map(|o| o.0).collect(),
                            Turn::Player(_) => legal_moves(&game),
                        };
                        let at = rng::below(&mut stream, moves.len() as u64);
                        game.play(moves[at as usize]);
                    }
                };
                wins.push((0..simulations).filter(won).count() as u32);
            }
            true
        }
    }
}
