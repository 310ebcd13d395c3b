//! The choice of the engine's own set-up, without knowledge of the opponent's. All other positions
//! are delegated to another search.

use crate::set_ups::mixture;
use agon_games::einstein::{EinStein, EinSteinMove, MissingDie, Stage};
use agon_games::{Player, rng};
use agon_search::clock::Clock;
use agon_search::host::{Options, SEED, Setting};
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::searcher::{Searcher, Wrapper};

/// The option of how to choose.
pub const SET_UP: Setting<&str> =
    Setting::choice("SetUp", &["equilibrium", "random"], "The choice of the own set-up");

/// Chooses the set-up.
#[derive(Debug)]
pub struct SetUpSearch {
    seed: u64,
    /// Whether any allowed set-up is as good as another.
    is_random: bool,
    /// The rule for which the search was last used.
    rule: Option<MissingDie>,
}

impl SetUpSearch {
    /// The choice that the options describe.
    pub fn new(options: &Options) -> SetUpSearch {
        let is_random = options.get(&SET_UP) == "random";
        SetUpSearch { seed: options.get(&SEED), is_random, rule: None }
    }

    /// A random choice from the equilibrium of [`crate::set_ups`]; any allowed set-up if that has
    /// none of them.
    fn choose_layout(&self, root: &Root<EinStein>, player: Player) -> EinSteinMove {
        let ply = root.record().moves().len() as u64;
        let mut stream = rng::stream(self.seed, ply, "set-up");
        let allowed = root.allowed_moves();
        let allows = |layout| allowed.contains(&EinSteinMove::SetUp(layout));
        let lines = if self.is_random { &[] } else { mixture::own() };
        match mixture::choose(lines, player, allows, &mut stream) {
            Some(layout) => EinSteinMove::SetUp(layout),
            None => allowed[rng::below(&mut stream, allowed.len().max(1) as u64) as usize],
        }
    }
}

impl Wrapper<EinStein> for SetUpSearch {
    type Inner = EinStein;

    fn run(
        &mut self,
        search: &mut dyn Searcher<EinStein>,
        root: &Root<EinStein>,
        clock: &Clock,
        report: &mut dyn FnMut(&SearchResult<EinSteinMove>),
    ) -> SearchResult<EinSteinMove> {
        if let Stage::SetUp(player) = root.game().stage() {
            return SearchResult::unknown(self.choose_layout(root, player));
        }
        let rule = root.game().missing_die();
        if self.rule.replace(rule).is_some_and(|before| before != rule) {
            search.new_game();
        }
        search.run(root, clock, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::Record;
    use agon_games::game::Game;
    use agon_search::baseline::Random;
    use agon_search::searcher::Wrapped;
    use agon_wire::message::Limits;

    #[test]
    fn a_set_up_is_legal_and_named_by_the_seed() {
        let clock = Clock::unmanaged(&Limits::default());
        let set_up = |record: &Record<EinStein>, is_random| {
            let mut search =
                Wrapped(SetUpSearch { seed: 1, is_random, rule: None }, Random { seed: 1 });
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
