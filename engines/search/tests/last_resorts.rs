//! Where a narrow search finds that all its moves lose, the evaluator's last resorts are tried too.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]
#![allow(dead_code, reason = "the games have more than this test needs")]

mod games;

use agon_protocol::hash::mix;
use agon_protocol::message::Limits;
use agon_protocol::{Game, Record};
use agon_search::clock::Clock;
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves, collect_moves};
use agon_search::negamax::negamax;
use agon_search::root::Root;
use agon_search::score::is_decisive;
use agon_search::searcher::Searcher;
use agon_search::selective::{SelectiveSearch, SelectiveSettings, Selectivity};
use agon_search::transposition::TranspositionTable;
use games::{Domineering, Noise};
use std::ops::ControlFlow;

const NOISE: Noise = Noise(5);

/// [`Noise`], with all moves as last resorts or none.
#[derive(Clone)]
struct Resorts<const ALL: bool>;

impl<const ALL: bool> Evaluator<Domineering> for Resorts<ALL> {
    fn evaluate(&mut self, game: &Domineering) -> i32 {
        NOISE.clone().evaluate(game)
    }
}

impl<const ALL: bool> MoveEncoding<Domineering> for Resorts<ALL> {
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

impl<const ALL: bool> StagedMoves<Domineering> for Resorts<ALL> {
    type PartialMove = u8;

    fn visit_partial_moves(
        &mut self,
        game: &Domineering,
        depth: u32,
        visit: &mut impl FnMut(u8, Option<i32>),
    ) {
        NOISE.clone().visit_partial_moves(game, depth, visit);
    }

    fn last_resorts(&self, game: &Domineering, _depth: u32) -> Vec<u8> {
        let mut moves = Vec::new();
        if ALL {
            collect_moves(game, &mut moves);
        }
        moves
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

/// Whether a search of all moves at the root, and of the best one below, finds a win.
fn wins<const ALL: bool>(game: &Domineering, depth: u32) -> bool {
    let selectivity = Some(Selectivity {
        partial_moves: [1, 0],
        moves: [1, 0],
        root_factor: 256,
        beam: [1000, 0],
        futility_margin: 100_000,
        reverse_futility_margin: 100_000,
        reverse_futility_depth: 0,
        lmr_divisor: 0,
        history_divisor: 64,
    });
    let settings = SelectiveSettings { selectivity, ..SelectiveSettings::default() };
    let table = TranspositionTable::new(1).unwrap();
    let mut searcher = SelectiveSearch::new(Resorts::<ALL>, table, settings);
    let clock = Clock::unmanaged(&Limits::with_depth(depth));
    let record = Record::new(game.clone());
    let value = searcher.run(&Root::new(&record), &clock, &mut |_| {}).value;
    is_decisive(value) && value > 0
}

#[test]
fn with_all_moves_as_last_resorts_no_win_is_false() {
    let [mut right, mut wrong] = [0, 0];
    for i in 0..60 {
        let taken = mix(i) & mix(i + 100);
        let game = Domineering { taken, rows: 3 + (i % 2) as u8, second: i % 2 == 0 };
        if game.turn().player().is_none() {
            continue;
        }
        for depth in 2..=6 {
            let (value, _) = negamax(&game, depth, &mut NOISE.clone());
            let won = is_decisive(value) && value > 0;
            if wins::<true>(&game, depth) {
                assert!(won, "depth {depth} of {}", game.fen());
                right += 1;
            }
            wrong += u32::from(wins::<false>(&game, depth) && !won);
        }
    }
    assert!(right > 5 && wrong > 5, "{right} wins, {wrong} false wins without last resorts");
}
