//! Choosing the own set-up, not knowing the other side's.

use crate::options::Options;
use crate::race::{RaceTable, Side};
use agon_protocol::Player;
use agon_protocol::Record;
use agon_protocol::einstein::{EinStein, Layout, Move, home};
use agon_protocol::rng;

/// `random` sets up at random; everyone else takes one of the set-ups with the shortest mean race,
/// by lot.
pub fn choose(options: &Options, record: &Record<EinStein>, player: Player) -> Move {
    let ply = record.moves().len() as u64;
    let mut stream = rng::stream(options.seed, ply, "set-up");
    let all = (0..Layout::COUNT).filter_map(Layout::from_rank);
    let layouts: Vec<Layout> = if options.algorithm == "random" {
        all.collect()
    } else {
        let race = RaceTable::of(record.current().missing_die());
        let scored: Vec<(f32, Layout)> = all.map(|l| (mean_turns(race, player, l), l)).collect();
        let least = scored.iter().map(|s| s.0).fold(f32::INFINITY, f32::min);
        scored.into_iter().filter(|s| s.0 <= least + 1e-4).map(|s| s.1).collect()
    };
    let pick = rng::below(&mut stream, layouts.len().max(1) as u64) as usize;
    Move::SetUp(layouts[pick])
}

fn mean_turns(race: &RaceTable, player: Player, layout: Layout) -> f32 {
    let mut squares = [0; 6];
    for (square, number) in home(player).into_iter().zip(layout.numbers()) {
        squares[usize::from(number) - 1] = square;
    }
    race.mean(Side { player, squares: &squares, alive: 63 })
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
                let m = choose(&options, &record, player);
                assert!(record.current().is_legal(m));
                assert_eq!(m, choose(&options, &record, player));
            }
            let best = choose(&Options::default(), &record, player);
            record.push(best);
        }
    }
}
