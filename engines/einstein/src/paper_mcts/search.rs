//! The search as a [`Searcher`]: a tree for each root move, rounds in all trees, the best rate.

use super::settings::PaperMctsSettings;
use super::simulator::Simulator;
use super::tree::{Node, Round, Tree, play_round};
use agon_games::einstein::{EinStein, EinSteinMove};
use agon_games::game::Game;
use agon_games::hash::mix;
use agon_games::{Player, rng};
use agon_search::clock::{Clock, NodeCounter};
use agon_search::expectimax::UNIT;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::Scale;
use agon_search::searcher::{Searcher, side_to_move};

/// The paper's search with the engine's playouts.
#[derive(Clone, Debug)]
pub struct PaperMcts<S> {
    /// The paper's parameters.
    pub settings: PaperMctsSettings,
    /// Playouts and `V(b)`.
    pub simulator: S,
}

impl<S: Simulator> Searcher<EinStein> for PaperMcts<S> {
    fn run(
        &mut self,
        root: &Root<EinStein>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<EinSteinMove>),
    ) -> SearchResult<EinSteinMove> {
        let game = root.game();
        let engine = side_to_move(game);
        let ply = root.record().moves().len() as u64;
        let moves = root.allowed_moves();
        let root_tree = |&m: &EinSteinMove| {
            let mut next = *game;
            next.play(m);
            let winner = next.turn().outcome().map(|_| engine);
            let key = mix(self.settings.seed ^ mix(ply)) ^ next.hash();
            Tree::new(Node::new(S::board(&next), engine.opponent(), winner, key))
        };
        let mut trees: Vec<Tree<S::Board>> = moves.iter().map(root_tree).collect();
        let mut counter = NodeCounter::new(clock);
        let mut result = SearchResult::unknown(moves[0]);
        let mut round = Round::default();
        let (settings, simulator) = (&self.settings, &self.simulator);
        for number in 1..=settings.iterations {
            let played =
                play_round(&mut trees, &mut round, settings, simulator, engine, &mut counter);
            if played.is_err() {
                break;
            }
            if number.is_power_of_two() || number == settings.iterations {
                result = self.best(&trees, &moves, engine, ply, counter.nodes());
                report(&result);
            }
        }
        self.best(&trees, &moves, engine, ply, counter.nodes().max(result.nodes))
    }

    fn scale(&self) -> Scale {
        Scale::ExpectedOutcome
    }
}

impl<S: Simulator> PaperMcts<S> {
    /// The root move with the best winning rate; ties are broken at random.
    fn best(
        &self,
        trees: &[Tree<S::Board>],
        moves: &[EinSteinMove],
        engine: Player,
        ply: u64,
        nodes: u64,
    ) -> SearchResult<EinSteinMove> {
        let mut stream = rng::stream(self.settings.seed, ply, "mcts-paper tie");
        let mut best = (-1.0, 0);
        let mut ties = 0;
        for (i, tree) in trees.iter().enumerate() {
            let rate = tree.root().winning_rate(engine);
            ties = if rate > best.0 { 1 } else { ties + u64::from(rate == best.0) };
            if rate > best.0 || (rate == best.0 && rng::below(&mut stream, ties) == 0) {
                best = (rate, i);
            }
        }
        let depth = trees[best.1].depth();
        SearchResult {
            depth: depth.max(1),
            seldepth: depth,
            value: ((best.0.max(0.0) * 2.0 - 1.0) * f64::from(UNIT)) as i32,
            nodes,
            ..SearchResult::unknown(moves[best.1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulator::test_simulator::{RandomGames, position};
    use super::*;
    use agon_games::Record;
    use agon_wire::message::Limits;

    #[test]
    fn a_winning_step_is_found() {
        let settings = PaperMctsSettings { iterations: 2, ..PaperMctsSettings::for_tests() };
        let record = Record::new(position("1f3/5/5/3A1/5 u 6"));
        let mut search = PaperMcts { settings, simulator: RandomGames };
        let clock = Clock::unmanaged(&Limits::default());
        let result = search.run(&Root::new(&record), &clock, &mut |_| {});
        assert_eq!(record.current().move_token(result.best()), "d2e1");
    }
}
