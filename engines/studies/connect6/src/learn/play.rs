//! Nodes to learn from: self-play games with random openings and now and then a short search, so that games
//! differ; from each position a few turns that look good, as in a search; and after each candidate turn of the
//! position that is reached, the value that a search finds.

use crate::random_turns::{play_random_turns, random_turn_near};
use agon_connect6::best::{Best, SolverBudgets};
use agon_connect6::play::{Connect6Evaluator, LineValues, SearchPosition};
use agon_connect6::solver::SolverLimits;
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_games::rng::{self, Stream};
use agon_games::{Game, Record};
use agon_search::clock::Clock;
use agon_search::evaluator::Evaluator;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::selective::SelectiveSearch;
use agon_search::transposition::{AllocationError, TranspositionTable};
use agon_wire::message::Limits;
use std::sync::Arc;

/// A game ends without a result after this many turns.
const MAX_TURNS: usize = 45;
/// Random stones of an opening are at most this far from the centre.
const REACH: u64 = 4;
/// A later random turn is at most this far from a stone.
const NEAR: u64 = 2;
/// Random turns are played among this many turns.
const OPENING: usize = 6;
/// One search in this many is short, with a fortieth of the nodes.
const SHORT: u64 = 5;
const SHORTER: u64 = 40;
/// The tables of the searches in MiB.
const HASH: usize = 16;
/// Walks from each position of a game, the most turns of one, and the number of best turns that each is drawn
/// from.
const WALKS: usize = 6;
const WALK: u64 = 3;
const WIDTH: usize = 8;
/// One forced node in this many is kept: they are more common than they are worth.
const FORCED: u64 = 3;
/// The turns that make a threat and whose points are not the best: as many as a search tries at depth 2.
const FOURS: usize = 12;
/// The solver's limits at leaves: less than in a match, so that there are more nodes.
const LEAF: SolverLimits = SolverLimits { depth: 3, iteration: 200, total: 200 };
/// The best points whose pairs are candidates.
const QUIET: usize = 10;
/// Values are kept up to this many centipoints; a turn that loses has this value too.
pub const MOST: i32 = 150;
/// Evaluations and values beyond this are wins and losses.
const DECIDED: i32 = 5_000;

/// A candidate turn and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedTurn {
    /// Its points.
    pub stones: [u16; 2],
    /// The evaluation by windows after it, for the opponent.
    pub windows: i16,
    /// The threats that it makes, at most 2.
    pub threats: u8,
    /// Its value in the search, up to [`MOST`].
    pub value: i16,
}

/// A node with its candidate turns. None of them wins, and not all lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedNode {
    /// The points with stones of the side to move, and of its opponent.
    pub stones: [Vec<u16>; 2],
    /// The candidate turns that the evaluation and the solver leave open.
    pub turns: Vec<RatedTurn>,
}

/// Plays games and searches nodes near them.
pub struct Teacher {
    best: Best,
    search: SelectiveSearch<SearchPosition, Connect6Evaluator>,
    evaluator: Connect6Evaluator,
    nodes: u64,
    depth: u32,
    seed: u64,
}

impl Teacher {
    /// With `nodes` per turn of a game and searches of `depth` plies after a candidate turn. The evaluation is
    /// by windows.
    ///
    /// # Errors
    /// The tables cannot be allocated.
    pub fn new(nodes: u64, depth: u32, seed: u64) -> Result<Teacher, AllocationError> {
        let mut budgets = SolverBudgets::default();
        budgets.tree.leaf = LEAF;
        let lines = Arc::new(LineValues::default());
        let best = Best::with_lines(lines.clone(), budgets, TranspositionTable::new(HASH)?, 1);
        let evaluator = Connect6Evaluator::with_solver(budgets.tree, lines);
        let table = TranspositionTable::new(HASH)?;
        let search = SelectiveSearch::new(evaluator.clone(), table, Best::tree_settings(1));
        Ok(Teacher { best, search, evaluator, nodes, depth, seed })
    }

    /// The nodes near a game. The seed and the game's number determine them.
    pub fn game(&mut self, number: u64) -> Vec<RatedNode> {
        let mut stream = rng::stream(self.seed, number, "connect6 learn");
        let mut record = Record::new(Connect6::start(&Connect6Rules::default()));
        let turns = 2 + rng::below(&mut stream, 2);
        play_random_turns(&mut record, turns, REACH, &mut stream);
        let mut random = rng::below(&mut stream, 3);
        self.best.new_game();
        let mut nodes = Vec::new();
        while record.moves().len() < MAX_TURNS && record.turn().player().is_some() {
            if random > 0 && record.moves().len() < OPENING && rng::below(&mut stream, 2) == 0 {
                random -= 1;
                random_turn(&mut record, &mut stream);
                continue;
            }
            let short = rng::below(&mut stream, SHORT) == 0;
            let limit = if short { self.nodes / SHORTER } else { self.nodes };
            let position = Record::new(SearchPosition::from(record.current()));
            let clock = Clock::unmanaged(&Limits::with_nodes(limit.max(1)));
            let result = self.best.run(&Root::new(&position), &clock, &mut |_| {});
            if result.value.abs() > DECIDED {
                break;
            }
            record.push(result.best());
            for _ in 0..WALKS {
                nodes.extend(self.walk(record.current(), &mut stream));
            }
        }
        nodes
    }

    /// Plays some of the turns that look best and rates those of the position that is reached. `None` if it is
    /// decided.
    fn walk(&mut self, game: &Connect6, stream: &mut Stream) -> Option<RatedNode> {
        let mut position = SearchPosition::from(game);
        for _ in 0..rng::below(stream, WALK + 1) {
            let turns = position.candidates().into_iter();
            let mut turns: Vec<(i32, Connect6Move)> =
                turns.map(|m| (self.evaluate_after(&mut position, m), m)).collect();
            turns.sort_unstable();
            turns.truncate(WIDTH);
            let drawn = rng::below(stream, turns.len().max(1) as u64) as usize;
            position.play(turns.get(drawn)?.1);
        }
        let forced = Connect6Evaluator::threats(&position);
        if forced > 2 || forced > 0 && rng::below(stream, FORCED) > 0 {
            return None;
        }
        self.evaluator.forget();
        if self.evaluator.solve(&position, 2).is_some() {
            return None;
        }
        self.rate(position)
    }

    /// The evaluation for the opponent after a turn; lowest if the turn ends the game.
    fn evaluate_after(&mut self, position: &mut SearchPosition, m: Connect6Move) -> i32 {
        position.play(m);
        let value = match position.turn().player() {
            Some(_) => self.evaluator.evaluate(position),
            None => -i32::MAX,
        };
        position.undo(m, ());
        value
    }

    /// Searches after each candidate turn that the evaluation and the solver at a leaf leave open.
    fn rate(&mut self, mut position: SearchPosition) -> Option<RatedNode> {
        let values = position.placement_values();
        let mut candidates = position.candidates_by(&values, QUIET);
        candidates.extend(position.fours(&values, FOURS, QUIET));
        Searcher::<SearchPosition>::new_game(&mut self.search);
        let mut turns = Vec::new();
        for m in candidates {
            let points: Vec<u16> = m.stones().map(|p| p.index() as u16).collect();
            let Ok(stones) = <[u16; 2]>::try_from(points) else { continue };
            let windows = self.evaluate_after(&mut position, m);
            if windows.abs() > DECIDED {
                continue;
            }
            position.play(m);
            let open = self.evaluator.solve(&position, 0).is_none();
            let threats = Connect6Evaluator::threats(&position);
            let value = open.then(|| {
                let root = Record::new(position.clone());
                let clock = Clock::unmanaged(&Limits::with_depth(self.depth));
                -self.search.run(&Root::new(&root), &clock, &mut |_| {}).value
            });
            position.undo(m, ());
            let Some(value) = value else { continue };
            if value > DECIDED {
                return None;
            }
            let [windows, value] = [windows, value.clamp(-MOST, MOST)].map(|v| v as i16);
            turns.push(RatedTurn { stones, windows, threats: threats.min(2) as u8, value });
        }
        let is_open = turns.len() > 1 && turns.iter().any(|t| i32::from(t.value) > -MOST);
        let (board, side) = (position.board(), position.side());
        let stones = [side, 1 - side].map(|colour| board.stones(colour).collect());
        is_open.then_some(RatedNode { stones, turns })
    }
}

/// Plays a random turn near a random stone.
fn random_turn(record: &mut Record<Connect6>, stream: &mut Stream) {
    let game = record.current();
    let stones: Vec<_> = game.points().filter(|p| game.stone(*p).is_some()).collect();
    let Some(near) = stones.get(rng::below(stream, stones.len().max(1) as u64) as usize) else {
        return;
    };
    let m = random_turn_near(game, (near.column(), near.row()), NEAR, stream);
    record.push(m);
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_connect6::board::WindowBoard;

    #[test]
    fn a_seed_determines_the_nodes_and_their_turns_are_open() {
        let play = |seed| {
            let mut teacher = Teacher::new(1_000, 1, seed).unwrap();
            teacher.game(0)
        };
        let first = play(1);
        assert_eq!(first, play(1));
        assert_ne!(first, play(2));
        assert!(first.len() >= 5, "{}", first.len());
        for node in first {
            let mut board = WindowBoard::new(19);
            for (colour, stones) in node.stones.iter().enumerate() {
                stones.iter().for_each(|p| board.place(colour, *p));
            }
            assert!(board.placed() % 2 == 1, "whole turns are on the board");
            for turn in &node.turns {
                assert!(turn.threats < 3 && i32::from(turn.value).abs() <= MOST, "{turn:?}");
                turn.stones.iter().for_each(|p| board.place(0, *p));
                let threats = if board.has_four(0) { board.threats(0).count() } else { 0 };
                assert_eq!(usize::from(turn.threats), threats);
                assert!(!board.has_four(1));
                turn.stones.iter().for_each(|_| board.remove());
            }
        }
    }
}
