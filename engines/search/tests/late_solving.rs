//! An evaluator that finds forced wins may be asked before or after the moves: the value is the same.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(dead_code, reason = "the games have more than this test needs")]

mod games;

use agon_protocol::message::Limits;
use agon_protocol::{Game, Record};
use agon_search::clock::Clock;
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves};
use agon_search::negamax::negamax;
use agon_search::root::Root;
use agon_search::score::is_decisive;
use agon_search::searcher::Searcher;
use agon_search::selective::{SelectiveSearch, SelectiveSettings};
use agon_search::transposition::TranspositionTable;
use games::{Domineering, Noise};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// [`Noise`] that finds wins within three plies, and counts how often it was asked for them.
#[derive(Clone, Default)]
struct Solving<const LATE: bool> {
    asked: Arc<AtomicU64>,
}

const NOISE: Noise = Noise(5);

impl<const LATE: bool> Evaluator<Domineering> for Solving<LATE> {
    const SOLVES_LATE: bool = LATE;

    fn evaluate(&mut self, game: &Domineering) -> i32 {
        NOISE.clone().evaluate(game)
    }

    fn solve(&mut self, game: &Domineering, _depth: u32) -> Option<i32> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let (value, _) = negamax(game, 3, &mut NOISE.clone());
        (is_decisive(value) && value > 0).then_some(value)
    }
}

impl<const LATE: bool> MoveEncoding<Domineering> for Solving<LATE> {
    const HISTORY_KEYS: [usize; 2] = <Noise as MoveEncoding<Domineering>>::HISTORY_KEYS;

    fn history_keys(m: u8) -> [usize; 2] {
        <Noise as MoveEncoding<Domineering>>::history_keys(m)
    }

    fn pack(m: u8) -> u32 {
        <Noise as MoveEncoding<Domineering>>::pack(m)
    }

    fn unpack(bits: u32) -> Option<u8> {
        <Noise as MoveEncoding<Domineering>>::unpack(bits)
    }
}

impl<const LATE: bool> StagedMoves<Domineering> for Solving<LATE> {
    type PartialMove = u8;

    fn visit_partial_moves(
        &mut self,
        game: &Domineering,
        depth: u32,
        visit: &mut impl FnMut(u8, Option<i32>),
    ) {
        NOISE.clone().visit_partial_moves(game, depth, visit);
    }

    fn visit_completions<B>(
        game: &Domineering,
        part: u8,
        visit: &mut impl FnMut(u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        Noise::visit_completions(game, part, visit)
    }

    fn partial_key(part: u8) -> usize {
        <Noise as StagedMoves<Domineering>>::partial_key(part)
    }
}

/// The value of a full-width search, and the number of times that the evaluator was asked.
fn search<const LATE: bool>(game: &Domineering, depth: u32) -> (i32, u64) {
    let evaluator = Solving::<LATE>::default();
    let asked = Arc::clone(&evaluator.asked);
    let settings = SelectiveSettings { selectivity: None, ..SelectiveSettings::default() };
    let table = TranspositionTable::new(1).unwrap();
    let mut searcher = SelectiveSearch::new(evaluator, table, settings);
    let clock = Clock::unmanaged(&Limits::with_depth(depth));
    let record = Record::new(game.clone());
    let value = searcher.run(&Root::new(&record), &clock, &mut |_| {}).value;
    (value, asked.load(Ordering::Relaxed))
}

#[test]
fn asking_after_the_moves_changes_no_value_and_asks_less() {
    let (mut early, mut late, mut wins) = (0, 0, 0);
    for i in 0..18 {
        let taken = (i * 0x9e37) & 0x1_0101 | (i % 4) << 7;
        let game = Domineering { taken, rows: 3 + (i % 3) as u8, second: i % 2 == 0 };
        if game.turn().player().is_none() {
            continue;
        }
        for depth in 1..=4 {
            let (first, second) = (search::<false>(&game, depth), search::<true>(&game, depth));
            assert_eq!(first.0, second.0, "depth {depth} of {}", game.fen());
            early += first.1;
            late += second.1;
            wins += u32::from(is_decisive(first.0));
        }
    }
    assert!(3 * late < 2 * early && wins > 0, "{late} of {early}, {wins} wins");
}
