//! The winning probability for every pair of set-up classes, estimated by the search of `best`.

use agon_einstein::evaluation::EinSteinEvaluator;
use agon_einstein::set_ups::classes::{Numbers, layout, reflect};
use agon_games::einstein::{EinStein, EinSteinMove, EinSteinRules};
use agon_games::game::Game;
use agon_games::{Player, Record};
use agon_search::clock::Clock;
use agon_search::expectimax::{Expectimax, UNIT};
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_wire::message::Limits;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The first player's winning probability, by its own class (row) and the opponent's (column), if
/// both reflect their layouts at random.
pub type Payoffs = Vec<Vec<f64>>;

/// Searches every pair of classes `depth` decisions deep after each roll, on the threads of the
/// current rayon pool. Calls `progress` with the rows done after each.
pub fn estimate(
    classes: &[Numbers],
    depth: u32,
    rules: &EinSteinRules,
    progress: &(dyn Fn(u64) + Sync),
) -> Payoffs {
    let done = AtomicU64::new(0);
    let row = |&first: &Numbers| {
        let mut search = searcher();
        let cell = |&second: &Numbers| {
            let straight = value(&mut search, first, second, depth, rules);
            let reflected = value(&mut search, first, reflect(second), depth, rules);
            (straight + reflected) / 2.0
        };
        let row: Vec<f64> = classes.iter().map(cell).collect();
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        row
    };
    classes.par_iter().map(row).collect()
}

fn searcher() -> Expectimax<EinSteinEvaluator> {
    let evaluator = EinSteinEvaluator::pairs(None);
    Expectimax { evaluator, table: None, max_depth: u32::MAX, seed: 1, threads: 1 }
}

/// The first player's winning probability before the first roll.
fn value(
    search: &mut Expectimax<EinSteinEvaluator>,
    first: Numbers,
    second: Numbers,
    depth: u32,
    rules: &EinSteinRules,
) -> f64 {
    let mut start = EinStein::start(rules);
    for (player, numbers) in [(Player::First, first), (Player::Second, second)] {
        let Some(layout) = layout(player, numbers) else { return 0.5 };
        start.play(EinSteinMove::SetUp(layout));
    }
    let mut sum = 0;
    for die in 1..=6 {
        let mut rolled = start;
        rolled.play(EinSteinMove::Roll(die));
        let clock = Clock::unmanaged(&Limits::with_depth(depth));
        let record = Record::new(rolled);
        let found = search.run(&Root::new(&record), &clock, &mut |_| {});
        sum += i64::from(found.value);
    }
    0.5 + sum as f64 / 12.0 / f64::from(UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_einstein::set_ups::classes::{images, representatives};

    #[test]
    fn the_payoff_is_that_of_a_class_whichever_image_is_taken() {
        let rules = EinSteinRules::default();
        let classes = representatives();
        let [a, b] = [classes[7], classes[101]];
        let table = |a, b| estimate(&[a, b], 2, &rules, &|_| {});
        let expected = table(a, b);
        assert!(expected.iter().flatten().all(|&p| (0.3..0.8).contains(&p)), "{expected:?}");
        for i in 0..4 {
            let found = table(images(a)[i], images(b)[3 - i]);
            for (x, y) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!((x - y).abs() < 1e-5, "{found:?} {expected:?}");
            }
        }
    }
}
