//! The choice of the engine's own set-up, without knowing the opponent's.

use crate::options::Options;
use crate::race_distribution::{RaceDistributions, SideStones};
use agon_protocol::Player;
use agon_protocol::Record;
use agon_protocol::einstein::{EinStein, Layout, Move, home};
use agon_protocol::rng;

/// The set-up: a random one for the algorithm `random`, otherwise a random one of those with the
/// shortest mean race.
pub fn choose_layout(options: &Options, record: &Record<EinStein>, player: Player) -> Move {
    let ply = record.moves().len() as u64;
    let mut stream = rng::stream(options.seed, ply, "set-up");
    let all = (0..Layout::COUNT).filter_map(Layout::from_rank);
    let layouts: Vec<Layout> = if options.algorithm == "random" {
        all.collect()
    } else {
        let race = RaceDistributions::of(record.current().missing_die());
        let scored: Vec<(f32, Layout)> = all.map(|l| (mean_turns(race, player, l), l)).collect();
        let least = scored.iter().map(|s| s.0).fold(f32::INFINITY, f32::min);
        scored.into_iter().filter(|s| s.0 <= least + 1e-4).map(|s| s.1).collect()
    };
    let pick = rng::below(&mut stream, layouts.len().max(1) as u64) as usize;
    Move::SetUp(layouts[pick])
}

fn mean_turns(race: &RaceDistributions, player: Player, layout: Layout) -> f32 {
    let mut squares = [0; 6];
    for (square, number) in home(player).into_iter().zip(layout.numbers()) {
        squares[usize::from(number) - 1] = square;
    }
    race.mean(SideStones { player, squares: &squares, alive: 63 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::game::Game;

    #[test]
    fn a_set_up_is_legal_and_named_by_the_seed() {
        let mut record = Record::new(EinStein::start(&Default::default()));
        for player in Player::BOTH {
            for algorithm in ["random", "best"] {
                let options = Options { algorithm: algorithm.into(), ..Options::default() };
                let m = choose_layout(&options, &record, player);
                assert!(record.current().is_legal(m));
                assert_eq!(m, choose_layout(&options, &record, player));
            }
            let best = choose_layout(&Options::default(), &record, player);
            record.push(best);
        }
    }
}
