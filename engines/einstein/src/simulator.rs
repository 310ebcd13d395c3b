//! Playouts and board values for the two tree searches, `mcts` and `mcts-paper`.

use crate::evaluation::outcome_class;
use crate::paper_mcts::Simulator;
use crate::playout_board::PlayoutBoard;
use crate::playout_policy::{BoardValue, PlayoutPolicy};
use crate::playout_pool::{PlayoutJob, PlayoutLeaf, PlayoutPool};
use agon_games::Player;
use agon_games::einstein::{EinStein, EinSteinMove, Stage};
use agon_search::mcts::{MctsEvaluator, ParallelPlayouts};
use std::collections::VecDeque;
use std::sync::Arc;

/// Playouts on a thread pool, and board values from a network or the race.
#[derive(Debug)]
pub struct EinSteinSimulator {
    pool: PlayoutPool,
    policy: Arc<PlayoutPolicy>,
    board_value: BoardValue,
    leaves: Vec<PlayoutLeaf>,
    /// The jobs that were submitted and not collected, oldest first.
    jobs: VecDeque<Arc<PlayoutJob>>,
}

impl EinSteinSimulator {
    /// A simulator with a pool of `threads` threads.
    pub fn new(threads: usize, policy: PlayoutPolicy, board_value: BoardValue) -> Self {
        let pool = PlayoutPool::new(threads);
        let (policy, leaves, jobs) = (Arc::new(policy), Vec::new(), VecDeque::new());
        EinSteinSimulator { pool, policy, board_value, leaves, jobs }
    }
}

impl MctsEvaluator<EinStein> for EinSteinSimulator {
    fn play_out(
        &mut self,
        leaves: &[(EinStein, u64)],
        simulations: u32,
        half_points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        self.leaves.clear();
        // If a die has been rolled already, the playout starts before the roll. Such positions
        // occur only once the tree has used up its memory.
        self.leaves.extend(leaves.iter().map(|(game, key)| (PlayoutBoard::new(game), *key)));
        let finished = self.pool.run(&self.leaves, simulations, &self.policy, half_points, stopped);
        half_points.iter_mut().for_each(|wins| *wins *= 2);
        finished
    }

    fn parallel(&mut self) -> Option<&mut dyn ParallelPlayouts<EinStein>> {
        if self.pool.threads() > 1 { Some(self) } else { None }
    }

    fn value(&mut self, game: &EinStein, player: Player) -> f32 {
        match game.stage() {
            Stage::SetUp(_) | Stage::Reveal => 0.5,
            Stage::Roll(roller) | Stage::Decide(roller, _) => {
                let last_mover = self.board_value.value(&PlayoutBoard::new(game));
                if player == roller { 1.0 - last_mover } else { last_mover }
            }
        }
    }

    fn outcome_class(&self, game: &EinStein, outcome: EinSteinMove) -> u32 {
        outcome_class(game, outcome)
    }
}

impl ParallelPlayouts<EinStein> for EinSteinSimulator {
    fn submit(&mut self, leaves: &[(EinStein, u64)], simulations: u32) {
        let leaves = leaves.iter().map(|(game, key)| (PlayoutBoard::new(game), *key)).collect();
        let job = Arc::new(PlayoutJob::new(leaves, simulations, Arc::clone(&self.policy)));
        self.pool.submit(&job);
        self.jobs.push_back(job);
    }

    fn collect(&mut self, half_points: &mut Vec<u32>) {
        half_points.clear();
        let job = self.jobs.pop_front();
        half_points.extend(job.iter().flat_map(|job| job.finish()).map(|wins| 2 * wins));
    }
}

impl Simulator for EinSteinSimulator {
    type Board = PlayoutBoard;

    fn board(game: &EinStein) -> PlayoutBoard {
        PlayoutBoard::new(game)
    }

    fn visit_moves(
        board: &PlayoutBoard,
        visit: &mut impl FnMut(u8, u8, PlayoutBoard, Option<Player>),
    ) {
        for stone in (0..6).filter(|s| board.alive[board.side] & 1 << s != 0) {
            let from = board.squares[board.side][stone];
            board.visit_stone(stone, &mut |to| {
                let mut next = *board;
                let winner = next.step(stone, to);
                visit(from, to, next, winner);
            });
        }
    }

    fn value(&self, board: &PlayoutBoard) -> f32 {
        self.board_value.value(board)
    }

    fn play_out(
        &self,
        leaves: &[PlayoutLeaf],
        simulations: u32,
        wins: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        self.pool.run(leaves, simulations, &self.policy, wins, stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_mcts::{PaperMcts, PaperMctsSettings, WinsOf};
    use agon_games::Record;
    use agon_games::einstein::EinSteinRules;
    use agon_games::game::Game;
    use agon_search::clock::Clock;
    use agon_search::mcts::{Mcts, MctsSettings};
    use agon_search::root::Root;
    use agon_search::searcher::Searcher;
    use agon_wire::message::Limits;

    fn paper_search(threads: usize, fen: &str) -> (String, u64, i32) {
        let settings = PaperMctsSettings {
            iterations: 60,
            simulations: 10,
            exploration: std::f64::consts::SQRT_2,
            bias: None,
            prior: None,
            wins_of: WinsOf::Mover,
            seed: 1,
        };
        let simulator = EinSteinSimulator::new(threads, PlayoutPolicy::Random, BoardValue::Race);
        let game = EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap();
        let mut search = PaperMcts { settings, simulator };
        let clock = Clock::unmanaged(&Limits::default());
        let found = search.run(&Root::new(&Record::new(game)), &clock, &mut |_| {});
        (game.move_token(found.best()), found.nodes, found.value)
    }

    #[test]
    fn the_papers_search_finds_the_same_with_any_number_of_threads() {
        let open = "BFA2/CD3/E3e/3dc/2afb u 4";
        let alone = paper_search(1, open);
        for threads in [2, 5] {
            assert_eq!(paper_search(threads, open), alone);
        }
    }

    fn tree_search(threads: usize) -> (EinSteinMove, u64, i32) {
        let settings = MctsSettings {
            simulations: 10,
            exploration: std::f64::consts::SQRT_2,
            bias: None,
            prior: None,
            iterations: Some(700),
            memory: 1 << 24,
            seed: 1,
        };
        let simulator = EinSteinSimulator::new(threads, PlayoutPolicy::Random, BoardValue::Race);
        let open = EinStein::parse_fen("BFA2/CD3/E3e/3dc/2afb u 4", &EinSteinRules::default());
        let record = Record::new(open.unwrap());
        let clock = Clock::unmanaged(&Limits::default());
        let found = Mcts::new(settings, simulator).run(&Root::new(&record), &clock, &mut |_| {});
        (found.best(), found.nodes, found.value)
    }

    #[test]
    fn the_tree_search_in_batches_does_not_depend_on_the_number_of_threads() {
        let two = tree_search(2);
        for threads in [3, 7, 2] {
            assert_eq!(tree_search(threads), two, "{threads} threads");
        }
    }

    #[test]
    fn the_papers_search_finds_a_winning_step() {
        assert_eq!(paper_search(1, "1f3/5/5/3A1/5 u 6").0, "d2e1");
    }
}
