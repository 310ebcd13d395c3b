//! Separated positions, in which the two sides can never meet again: the side that can fill its own
//! regions for longer wins, which is solved exactly.
//!
//! It is not enough that no empty square is within reach of both (w = 0 in the evaluation): an
//! amazon that leaves its square may open a way for an adjacent enemy. Here sides are separated if
//! no connected part of the board without arrows contains both an empty square and amazons of both
//! sides.

use crate::filling::{Bounds, Filler};
use crate::params;
use agon_games::Player;
use agon_games::amazons::geometry::dilate;
use agon_games::amazons::{Amazons, AmazonsMove};
use agon_games::game::Game;
use std::ops::ControlFlow;

/// The solution of a separated position: the number of moves of each side in its own regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerritorySolution {
    /// The number of moves that each player can make.
    pub moves: [Bounds; 2],
}

impl TerritorySolution {
    /// The winner with `side` to move, if the bounds decide it: with equal numbers of moves, the
    /// side to move runs out first.
    pub fn winner(&self, side: Player) -> Option<Player> {
        let (own, other) = (self.moves[side.index()], self.moves[side.opponent().index()]);
        if own.at_least > other.at_most {
            Some(side)
        } else if own.at_most <= other.at_least {
            Some(side.opponent())
        } else {
            None
        }
    }

    /// Plies to the end with `side` to move, if both play as many moves as possible; `None` if the
    /// bounds do not give the winner and the loser's exact number.
    pub fn plies(&self, side: Player) -> Option<u32> {
        let loser = self.winner(side)?.opponent();
        let moves = self.moves[loser.index()].exact()?;
        Some(2 * moves + u32::from(loser != side))
    }
}

/// Whether the two sides can never meet again. Fast if they are in contact.
pub fn separated(game: &Amazons) -> bool {
    let open = !(game.arrows() | !game.board());
    Player::BOTH.into_iter().all(|player| {
        let enemies = game.amazons(player.opponent());
        let mut reached = dilate(game.amazons(player)) & game.empty();
        loop {
            if reached & enemies != 0 {
                return false;
            }
            let next = dilate(reached) & open;
            if next == reached {
                return true;
            }
            reached = next;
        }
    })
}

/// Solves a position if its sides are separated; `None` if they are not. Visits at most `budget`
/// positions of fillings for each side; `filler` keeps regions of earlier calls.
pub fn solve_with(filler: &mut Filler, game: &Amazons, budget: u64) -> Option<TerritorySolution> {
    separated(game).then(|| TerritorySolution {
        moves: Player::BOTH.map(|p| filler.longest(game.amazons(p), game.empty(), &mut { budget })),
    })
}

/// In a separated position that about `budget` positions suffice to solve: a move with which the
/// side to move keeps its maximum number of moves, and the position's solution. `None` otherwise,
/// and as soon as `stop` returns true.
pub fn best_filling_move(
    filler: &mut Filler,
    game: &Amazons,
    budget: u64,
    stop: impl Fn() -> bool,
) -> Option<(AmazonsMove, TerritorySolution)> {
    let solution = solve_with(filler, game, budget)?;
    let side = game.side_to_move();
    let moves = solution.moves[side.index()].exact()?;
    solution.plies(side)?;
    let mut left = budget;
    let found = game.visit_moves(&mut |m| {
        if stop() || left == 0 {
            return ControlFlow::Break(None);
        }
        let mut next = game.clone();
        next.play(m);
        let mut slice = left.min(params::filling_move_budget());
        let before = slice;
        let rest = filler.longest(next.amazons(side), next.empty(), &mut slice);
        left -= before - slice;
        if rest.at_least + 1 >= moves {
            ControlFlow::Break(Some(m))
        } else {
            ControlFlow::Continue(())
        }
    });
    found.break_value().flatten().map(|m| (m, solution))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::game::{Turn, legal_moves};
    use agon_games::option::NoRules;
    use agon_games::rng;
    use agon_search::score::WIN;

    fn solve_separated(game: &Amazons, budget: u64) -> Option<TerritorySolution> {
        solve_with(&mut Filler::default(), game, budget)
    }

    /// The value for the side to move by exhaustive search: a win in n plies is `WIN - n`.
    fn by_trying(game: &mut Amazons) -> i32 {
        let Turn::Player(_) = game.turn() else { return -WIN };
        let mut best = -WIN;
        for m in legal_moves(game) {
            game.play(m);
            let value = -by_trying(game);
            game.undo(m, ());
            // One ply further away.
            best = best.max(if value > 0 { value - 1 } else { value + 1 });
        }
        best
    }

    /// Random positions with few empty squares.
    fn tight(index: u64) -> Amazons {
        let mut rng = rng::stream(index, 0, "territory");
        let fen = ["q4/5/5/5/4Q w", "1q1q/4/4/Q1Q1 w", "2q2/5/q3Q/5/2Q2 b"][index as usize % 3];
        let mut game = Amazons::parse_fen(fen, &NoRules).unwrap();
        while game.empty().count_ones() > 7 {
            let moves = legal_moves(&game);
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
        }
        game
    }

    #[test]
    fn a_separated_position_has_the_value_that_trying_everything_gives() {
        let (mut solved, mut wins) = (0, 0);
        for index in 0..3000 {
            let mut game = tight(index);
            let Some(result) = solve_separated(&game, 1_000_000) else { continue };
            let side = game.side_to_move();
            let plies = result.plies(side).unwrap() as i32;
            let won = result.winner(side) == Some(side);
            let expected = by_trying(&mut game);
            assert_eq!(if won { WIN - plies } else { plies - WIN }, expected, "{}", game.fen());
            solved += 1;
            wins += i32::from(won);
        }
        assert!(solved > 300 && wins > 50 && wins < solved, "{wins} of {solved}");
    }

    #[test]
    fn solved_games_last_exactly_as_long_as_predicted() {
        let mut filler = Filler::default();
        let mut played = 0;
        for index in 0..300 {
            let mut game = tight(index);
            let Some(first) = solve_separated(&game, 100_000) else { continue };
            let Turn::Player(side) = game.turn() else { continue };
            let (winner, plies) = (first.winner(side).unwrap(), first.plies(side).unwrap());
            for left in (1..=plies).rev() {
                let (m, solution) =
                    best_filling_move(&mut filler, &game, 100_000, || false).unwrap();
                assert_eq!(solution.plies(game.side_to_move()), Some(left), "{}", game.fen());
                game.play(m);
            }
            assert_eq!(game.turn(), Turn::Over(agon_games::Outcome::Win(winner)));
            played += 1;
        }
        assert!(played > 20, "only {played} games");
    }

    #[test]
    fn an_enemy_next_to_an_amazon_that_may_leave_is_contact() {
        // No empty square is shared, but after b1 leaves, c1 can follow.
        let game = Amazons::parse_fen("4/***1/1***/1qQ* b", &NoRules).unwrap();
        let reach = crate::eval::reachable(&game);
        assert_eq!(reach[0] & reach[1], 0);
        assert!(!separated(&game));
    }

    #[test]
    fn the_start_is_not_separated() {
        assert_eq!(solve_separated(&Amazons::start(&NoRules), 10), None);
    }
}
