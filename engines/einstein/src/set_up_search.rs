//! The choice of the engine's own set-up, without knowledge of the opponent's. All other positions
//! are delegated to another search.

use crate::race_distribution::{RaceDistributions, SideStones};
use agon_protocol::einstein::{EinStein, Layout, MissingDie, Move, Stage, home};
use agon_protocol::{Player, rng};
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::Scale;
use agon_search::searcher::Searcher;

/// Set-ups whose mean races differ by less than this count as equal.
const EQUAL_TURNS: f32 = 1e-4;

/// Chooses the set-up, and delegates all other positions to another search.
#[derive(Debug)]
pub struct SetUpSearch<S> {
    search: S,
    seed: u64,
    /// The rule for which `search` was last used.
    rule: Option<MissingDie>,
}

impl<S> SetUpSearch<S> {
    /// Delegates all other positions to `search`.
    pub fn new(search: S, seed: u64) -> SetUpSearch<S> {
        SetUpSearch { search, seed, rule: None }
    }

    /// A random choice among the allowed set-ups with the shortest mean race.
    fn choose_layout(&self, root: &Root<EinStein>, player: Player) -> Move {
        let race = RaceDistributions::of(root.game().missing_die());
        let scored: Vec<(f32, Move)> = root
            .allowed_moves()
            .into_iter()
            .filter_map(|m| match m {
                Move::SetUp(layout) => Some((mean_turns(race, player, layout), m)),
                _ => None,
            })
            .collect();
        let least = scored.iter().map(|s| s.0).fold(f32::INFINITY, f32::min);
        let best: Vec<Move> =
            scored.into_iter().filter(|s| s.0 <= least + EQUAL_TURNS).map(|s| s.1).collect();
        let ply = root.record().moves().len() as u64;
        let mut stream = rng::stream(self.seed, ply, "set-up");
        best[rng::below(&mut stream, best.len().max(1) as u64) as usize]
    }
}

fn mean_turns(race: &RaceDistributions, player: Player, layout: Layout) -> f32 {
    let mut squares = [0; 6];
    for (square, number) in home(player).into_iter().zip(layout.numbers()) {
        squares[usize::from(number) - 1] = square;
    }
    race.mean(SideStones { player, squares: &squares, alive: 63 })
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

    fn new_game(&mut self) {
        self.search.new_game();
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
        let mut record = Record::new(EinStein::start(&Default::default()));
        let clock = Clock::unmanaged(&Limits::default());
        let set_up = |record: &Record<EinStein>| {
            let mut search = SetUpSearch::new(Random { seed: 1 }, 1);
            search.run(&Root::new(record), &clock, &mut |_| {}).best()
        };
        for _ in Player::BOTH {
            let m = set_up(&record);
            assert!(record.current().is_legal(m));
            assert_eq!(m, set_up(&record));
            record.push(m);
        }
    }
}
