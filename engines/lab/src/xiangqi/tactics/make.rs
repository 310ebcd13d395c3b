//! Finding tactical positions in self-play.
//!
//! Where the value of a game between weak players jumps to a win, the winning move could often be
//! found a few plies before. A position is kept if a search misses the win that a search of
//! [`VERIFY`] times as many nodes finds, and that search values all other moves much less.

use super::suite::{FORCED, Puzzle, WINNING};
use crate::xiangqi::tune::selfplay;
use agon_games::xiangqi::{Xiangqi, XiangqiRules};
use agon_games::{Game, Record, Turn};
use agon_network::tune::games::{GameLog, UNKNOWN};
use agon_network::tune::learner::SelfPlayPlan;
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::{Root, RootMoves};
use agon_search::searcher::Searcher;
use agon_wire::message::Limits;
use agon_xiangqi::position::Move;
use agon_xiangqi::search::XiangqiSearch;
use anyhow::Result;

/// A solution is verified by a search of this many times the nodes of the search that misses it.
pub const VERIFY: u64 = 100;
/// Before it is verified, a position is searched with this many times the nodes.
const SCREEN: u64 = 10;
/// The screening search must give at least this value.
const PROMISING: i32 = 60;
/// Any other move is worth at most this.
const NOT_WINNING: i32 = 150;
/// The value of the best move exceeds that of the best other move by at least this.
const GAP: i32 = 250;
/// How many positions before a jump are examined: those in which the winner is to move.
const BEFORE: usize = 3;

/// How positions are found.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Self-play.
    pub games: SelfPlayPlan,
    /// The nodes of the search that must miss the win.
    pub nodes: u64,
}

/// The players of the games and of the verification.
pub struct Players {
    /// The player of the games.
    pub weak: XiangqiSearch,
    /// The searcher that verifies.
    pub verifier: XiangqiSearch,
}

impl Players {
    /// The first tactical position in a game, if there is one.
    ///
    /// # Errors
    /// The game's log has an illegal move.
    pub fn find(
        &mut self,
        plan: Search,
        index: u64,
        rules: &XiangqiRules,
    ) -> Result<Option<Puzzle>> {
        let log = selfplay::one_game(plan.games, index, rules, &mut self.weak);
        let wanted = candidates(&log);
        let mut record = Record::new(Xiangqi::start(rules));
        for (ply, &(m, _)) in log.plies.iter().enumerate() {
            if wanted.contains(&ply) {
                let fen = record.current().fen();
                if let Some(puzzle) = self.verify(&fen, plan.nodes, true, rules)? {
                    return Ok(Some(puzzle));
                }
            }
            record.push(Move(m).to_rules());
        }
        Ok(None)
    }

    /// The position's solution by a search of [`VERIFY`] times `nodes`, if one move wins and all
    /// others do not. With `hard`, a search of `nodes` must miss the win.
    ///
    /// # Errors
    /// The FEN is illegal.
    pub fn verify(
        &mut self,
        fen: &str,
        nodes: u64,
        hard: bool,
        rules: &XiangqiRules,
    ) -> Result<Option<Puzzle>> {
        let record = Record::new(Xiangqi::parse_fen(fen, rules)?);
        if !matches!(record.turn(), Turn::Player(_)) {
            return Ok(None);
        }
        let root = Root::new(&record);
        if root.allowed_moves().len() < 2
            || hard && self.search(&root, nodes).value >= WINNING
            || hard && self.search(&root, nodes * SCREEN).value < PROMISING
        {
            return Ok(None);
        }
        let found = self.search(&root, nodes * VERIFY);
        if found.value < WINNING {
            return Ok(None);
        }
        let others = Root::with_moves(&record, RootMoves::Except(vec![found.best()]));
        let second = self.search(&others, nodes * VERIFY).value;
        let clear = second <= NOT_WINNING && found.value - second >= GAP;
        Ok(clear.then(|| Puzzle {
            fen: fen.into(),
            best: found.best(),
            value: found.value.min(FORCED),
            second: second.max(-FORCED),
        }))
    }

    fn search(
        &mut self,
        root: &Root<Xiangqi>,
        nodes: u64,
    ) -> SearchResult<<Xiangqi as Game>::Move> {
        self.verifier.new_game();
        let clock = Clock::unmanaged(&Limits::with_nodes(nodes.max(1)));
        self.verifier.run(root, &clock, &mut |_| {})
    }
}

/// The plies of a game in which the mover might already win without having seen it: those shortly
/// before its value jumped.
fn candidates(log: &GameLog) -> Vec<usize> {
    let value = |ply: usize, side: usize| {
        let value = i32::from(log.plies[ply].1);
        (log.plies[ply].1 != UNKNOWN).then_some(if ply % 2 == side { value } else { -value })
    };
    let mut found = Vec::new();
    for side in [0, 1] {
        for ply in 1..log.plies.len() {
            let (before, now) = (value(ply - 1, side), value(ply, side));
            if now.is_none_or(|v| v < WINNING) || before.is_none_or(|v| v > NOT_WINNING) {
                continue;
            }
            let own = (0..ply).rev().filter(|p| p % 2 == side).take(BEFORE);
            found.extend(own.filter(|&p| value(p, side).is_some_and(|v| v <= NOT_WINNING)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_xiangqi::search::SearchSettings;

    #[test]
    fn candidates_are_the_winners_moves_before_a_jump() {
        let values = [UNKNOWN, UNKNOWN, 10, -20, 30, -25, 40, -60, 500, -510];
        let plies = values.map(|value| (Move::NONE.0, value)).to_vec();
        // Red, who moves at even plies, wins at ply 8.
        assert_eq!(candidates(&GameLog { result: 2, plies, ..GameLog::default() }), [2, 4, 6]);
        let plies = [UNKNOWN, 5, 10, 400].map(|value| (Move::NONE.0, value)).to_vec();
        assert_eq!(candidates(&GameLog { result: 0, plies, ..GameLog::default() }), [1]);
    }

    #[test]
    fn only_positions_with_one_winning_move_are_verified() {
        let searcher = || {
            let settings = SearchSettings { hash: 4, ..SearchSettings::default() };
            XiangqiSearch::new(settings).unwrap()
        };
        let mut players = Players { weak: searcher(), verifier: searcher() };
        let rules = XiangqiRules::default();
        let mut verify = |fen| players.verify(fen, 200, false, &rules).unwrap();
        // The king takes the rook, or steps aside to a level endgame.
        let one = verify("3k5/9/9/9/9/9/9/4r4/4K4/R8 w - - 0 1").unwrap();
        assert_eq!(one.best.to_string(), "e1e2");
        assert!(one.value >= WINNING && one.second <= NOT_WINNING, "{one:?}");
        // Both rooks mate.
        assert_eq!(verify("3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1"), None);
        assert_eq!(verify("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"), None);
    }
}
