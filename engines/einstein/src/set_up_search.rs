//! The choice of the engine's own set-up, without knowledge of the opponent's. All other positions
//! are delegated to another search.

use crate::set_ups::mixture;
use agon_protocol::einstein::{EinStein, MissingDie, Move, Stage};
use agon_protocol::{Player, rng};
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::Scale;
use agon_search::searcher::Searcher;

/// Chooses the set-up, and delegates all other positions to another search.
#[derive(Debug)]
pub struct SetUpSearch<S> {
    search: S,
    seed: u64,
    /// Whether any allowed set-up is as good as another.
    is_random: bool,
    /// The rule for which `search` was last used.
    rule: Option<MissingDie>,
}

impl<S> SetUpSearch<S> {
    /// Delegates all other positions to `search`.
    pub fn new(search: S, seed: u64, is_random: bool) -> SetUpSearch<S> {
        SetUpSearch { search, seed, is_random, rule: None }
    }

    /// A random choice from the equilibrium of [`crate::set_ups`]; any allowed set-up if that has
    /// none of them.
    fn choose_layout(&self, root: &Root<EinStein>, player: Player) -> Move {
        let ply = root.record().moves().len() as u64;
        let mut stream = rng::stream(self.seed, ply, "set-up");
        let allowed = root.allowed_moves();
        let allows = |layout| allowed.contains(&Move::SetUp(layout));
        let lines = if self.is_random { &[] } else { mixture::own() };
        match mixture::choose(lines, player, allows, &mut stream) {
            Some(layout) => Move::SetUp(layout),
            None => allowed[rng::below(&mut stream, allowed.len().max(1) as u64) as usize],
        }
    }
}

impl<S: Searcher<EinStein>> Searcher<EinStein> for SetUpSearch<S> {
    fn run(
        &mut self,
        root: &Root<EinStein>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<Move>),
    ) -> SearchResult<Move> {
        if let Stage::SetUp(player) = root.game().stage() {
            return SearchResult::unknown(self.choose_layout(root, player));
        }
        let rule = root.game().missing_die();
        if self.rule.replace(rule).is_some_and(|before| before != rule) {
            self.search.new_game();
        }
        self.search.run(root, clock, report)
    }

    fn prepare(&mut self) {
        self.search.prepare();
    }

    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn set_lines(&mut self, lines: usize) -> bool {
        self.search.set_lines(lines)
    }

    fn hashfull(&self) -> Option<u32> {
        self.search.hashfull()
    }

    fn scale(&self) -> Scale {
        self.search.scale()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::Record;
    use agon_protocol::game::Game;
    use agon_protocol::message::Limits;
    use agon_search::baseline::Random;

    #[test]
    fn a_set_up_is_legal_and_named_by_the_seed() {
        let clock = Clock::unmanaged(&Limits::default());
        let set_up = |record: &Record<EinStein>, is_random| {
            let mut search = SetUpSearch::new(Random { seed: 1 }, 1, is_random);
            search.run(&Root::new(record), &clock, &mut |_| {}).best()
        };
        for is_random in [false, true] {
            let mut record = Record::new(EinStein::start(&Default::default()));
            for _ in Player::BOTH {
                let m = set_up(&record, is_random);
                assert!(record.current().is_legal(m));
                assert_eq!(m, set_up(&record, is_random));
                record.push(m);
            }
        }
    }
}
