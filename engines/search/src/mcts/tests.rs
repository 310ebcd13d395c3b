//! Monte Carlo tree search on EinStein with random playouts.

use super::tree::TreeNode;
use super::*;
use agon_games::Turn;
use agon_games::einstein::{EinStein, EinSteinMove, Stage, movable_stones};
use agon_games::game::{chance_outcomes, legal_moves};
use agon_wire::message::Limits;
use rand_core::SeedableRng;
use std::collections::VecDeque;

#[derive(Clone)]
struct RandomGames;

impl MctsEvaluator<EinStein> for RandomGames {
    fn play_out(
        &mut self,
        leaves: &[(EinStein, u64)],
        simulations: u32,
        points: &mut Vec<u32>,
        _stopped: &dyn Fn() -> bool,
    ) -> bool {
        points.clear();
        for (game, key) in leaves {
            let mut stream = Stream::seed_from_u64(*key);
            points.push((0..simulations).map(|_| random_game(*game, &mut stream)).sum());
        }
        true
    }
    fn value(&mut self, _game: &EinStein, _player: Player) -> f32 {
        0.5
    }
    fn outcome_class(&self, game: &EinStein, outcome: EinSteinMove) -> u32 {
        match (game.stage(), outcome) {
            (Stage::Roll(p), EinSteinMove::Roll(die)) => {
                movable_stones(game.missing_die(), game.alive(p), die).into()
            }
            _ => 0,
        }
    }
}

/// The same, with batches that are played out when they are collected.
#[derive(Default)]
struct BatchedGames {
    waiting: VecDeque<(Vec<(EinStein, u64)>, u32)>,
    /// The maximum number of batches that waited at once, and the number of positions.
    seen: (usize, usize),
}

impl MctsEvaluator<EinStein> for BatchedGames {
    fn play_out(
        &mut self,
        leaves: &[(EinStein, u64)],
        simulations: u32,
        points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        RandomGames.play_out(leaves, simulations, points, stopped)
    }
    fn parallel(&mut self) -> Option<&mut dyn ParallelPlayouts<EinStein>> {
        Some(self)
    }
    fn value(&mut self, game: &EinStein, player: Player) -> f32 {
        RandomGames.value(game, player)
    }
    fn outcome_class(&self, game: &EinStein, outcome: EinSteinMove) -> u32 {
        RandomGames.outcome_class(game, outcome)
    }
}

impl ParallelPlayouts<EinStein> for BatchedGames {
    fn submit(&mut self, leaves: &[(EinStein, u64)], simulations: u32) {
        self.waiting.push_back((leaves.to_vec(), simulations));
        self.seen = (self.seen.0.max(self.waiting.len()), self.seen.1 + leaves.len());
    }
    fn collect(&mut self, points: &mut Vec<u32>) {
        let (leaves, simulations) = self.waiting.pop_front().unwrap();
        RandomGames.play_out(&leaves, simulations, points, &|| false);
    }
}

fn random_game(mut game: EinStein, stream: &mut Stream) -> u32 {
    loop {
        let moves: Vec<EinSteinMove> = match game.turn() {
            Turn::Over(outcome) => return (outcome.sign_for(Player::First) + 1) as u32,
            Turn::Player(_) => legal_moves(&game),
            Turn::Chance => chance_outcomes(&game).into_iter().map(|o| o.0).collect(),
        };
        game.play(moves[rng::below(stream, moves.len() as u64) as usize]);
    }
}

fn settings(iterations: u64) -> MctsSettings {
    MctsSettings {
        simulations: 2,
        exploration: 1.4,
        bias: None,
        prior: None,
        iterations: Some(iterations),
        memory: 1 << 24,
        seed: 1,
    }
}

fn record(fen: &str, moves: &[&str]) -> Record<EinStein> {
    Record::from_text(Some(fen), moves, &Default::default()).unwrap()
}

fn clock() -> Clock {
    Clock::unmanaged(&Limits::default())
}

const OPEN: &str = "BFA2/CD3/E3e/3dc/2afb u -";

#[test]
fn a_winning_step_is_found() {
    let mut mcts = Mcts::new(settings(50), RandomGames);
    let record = record("1f3/5/5/3A1/5 u 6", &[]);
    let line = mcts.run(&Root::new(&record), &clock(), &mut |_| {});
    assert_eq!(record.current().move_token(line.best()), "d2e1");
    assert_eq!(line.value, UNIT);
}

#[test]
fn the_value_of_a_small_position_comes_out() {
    // Second's only stone, on d4, wins unless it is captured: First's stone b5 cannot reach it.
    // First needs four moves, Second three, and Second moves after this one: lost.
    let mut mcts = Mcts::new(settings(3000), RandomGames);
    let line = mcts.run(&Root::new(&record("1A3/3f1/5/5/5 u 1", &[])), &clock(), &mut |_| {});
    assert!(line.value < -UNIT * 9 / 10, "{}", line.value);
}

#[test]
fn the_tree_is_kept_along_the_moves_played_and_only_there() {
    let mut mcts = Mcts::new(settings(2000), RandomGames);
    let before = record(OPEN, &["4"]);
    mcts.run(&Root::new(&before), &clock(), &mut |_| {});
    let rooted = mcts.tree.root_visits();
    assert!(rooted >= 2000.0);
    // Two plies later, the tree's statistics of the position are available before any new
    // iteration.
    let m = before.current().move_token(mcts.tree.ranked(Player::First, 1)[0].0[0]);
    let after = record(OPEN, &["4", &m, "2"]);
    mcts.reuse_tree(&Root::new(&after));
    let kept = mcts.tree.root_visits();
    assert!(kept > 100.0 && kept < rooted, "{kept} of {rooted}");
    let below: f64 = mcts.tree.root_nodes().iter().map(|n| n.statistics().1).sum();
    assert!((below - kept).abs() <= 4.0, "{below} {kept}");
    mcts.reuse_tree(&Root::new(&record(OPEN, &["5"])));
    assert_eq!(mcts.tree.root_visits(), 0.0);
}

#[test]
fn points_of_the_children_add_up_to_the_parents() {
    let mut mcts = Mcts::new(settings(500), RandomGames);
    mcts.run(&Root::new(&record(OPEN, &["4"])), &clock(), &mut |_| {});
    let nodes = mcts.tree.root_nodes();
    let visits: f64 = nodes.iter().map(|n| n.statistics().1).sum();
    assert_eq!(visits, mcts.tree.root_visits());
    assert!(nodes.iter().all(|n| (0.0..=n.statistics().1).contains(&n.statistics().0)));
}

#[test]
fn a_search_in_batches_uses_every_playout_once() {
    for (fen, iterations, memory) in [
        (OPEN, 1, 1 << 24),
        (OPEN, 17, 1 << 24),
        (OPEN, 900, 1 << 24),
        (OPEN, 6000, 0),
        ("1f3/5/5/3A1/5 u 6", 50, 1 << 24),
    ] {
        let settings = MctsSettings { memory, ..settings(iterations) };
        let mut mcts = Mcts::new(settings, BatchedGames::default());
        let fen = fen.replace(" -", " 4");
        let line = mcts.run(&Root::new(&record(&fen, &[])), &clock(), &mut |_| {});
        assert!(mcts.evaluator.waiting.is_empty() && mcts.evaluator.seen.0 <= 2);
        assert_eq!(mcts.tree.iterations(), iterations);
        let nodes = mcts.tree.root_nodes();
        let sums =
            nodes.iter().map(TreeNode::statistics).fold((0.0, 0.0), |s, n| (s.0 + n.0, s.1 + n.1));
        assert_eq!(sums.1, mcts.tree.root_visits(), "{fen}");
        // Nothing assumed is left: points are whole numbers, at most one per visit.
        let mut all = mcts.tree.nodes.iter().map(TreeNode::statistics);
        assert!(all.all(|(points, visits)| points.fract() == 0.0 && points <= visits), "{fen}");
        assert!(
            fen.starts_with("BFA2")
                || line.best() == record(&fen, &[]).current().parse_move("d2e1").unwrap()
        );
    }
}

#[test]
fn batches_find_the_value_of_a_small_position() {
    let mut mcts = Mcts::new(settings(3000), BatchedGames::default());
    let line = mcts.run(&Root::new(&record("1A3/3f1/5/5/5 u 1", &[])), &clock(), &mut |_| {});
    assert!(line.value < -UNIT * 9 / 10, "{}", line.value);
}

#[test]
fn a_node_limit_and_a_stop_end_a_search_in_batches() {
    let mut mcts = Mcts::new(settings(u64::MAX), BatchedGames::default());
    let clock = Clock::unmanaged(&Limits::with_nodes(5000));
    let line = mcts.run(&Root::new(&record(OPEN, &["4"])), &clock, &mut |_| {});
    assert_eq!(line.nodes, 5000);
    assert!(mcts.evaluator.waiting.is_empty());
}

#[test]
fn a_small_memory_stops_growth_but_not_the_search() {
    let mut small = Mcts::new(MctsSettings { memory: 0, ..settings(6000) }, RandomGames);
    let line = small.run(&Root::new(&record(OPEN, &["4"])), &clock(), &mut |_| {});
    assert!(small.hashfull().unwrap() >= 990);
    assert!(line.nodes >= 6000);
}

#[test]
fn the_same_seed_finds_the_same() {
    let run = |seed| {
        let mut mcts = Mcts::new(MctsSettings { seed, ..settings(300) }, RandomGames);
        mcts.run(&Root::new(&record(OPEN, &["4"])), &clock(), &mut |_| {})
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).value, run(2).value);
}
