//! What an evaluator adds to selective search. One that finds forced wins may be asked before or after the
//! moves: the value is the same. Its last resorts are tried where all moves of a narrow search lose. Where it
//! sees a threat, reverse futility pruning stops.

use crate::games::{Domineering, Noise};
use agon_games::hash::mix;
use agon_games::{Game, Record};
use agon_search::baseline::negamax;
use agon_search::clock::Clock;
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves, collect_moves};
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::score::is_decisive;
use agon_search::searcher::Searcher;
use agon_search::selective::{SelectiveSearch, SelectiveSettings, Selectivity};
use agon_search::transposition::TranspositionTable;
use agon_wire::message::Limits;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// [`Noise`] that may find wins within three plies, may have all moves as last resorts, and may see a
/// threat everywhere.
#[derive(Clone, Default)]
struct Helpful<const LATE: bool> {
    /// How often it was asked for wins; `None`: it finds none.
    asked: Option<Arc<AtomicU64>>,
    resorts: bool,
    threatened: bool,
}

const NOISE: Noise = Noise(5);

impl<const LATE: bool> Evaluator<Domineering> for Helpful<LATE> {
    const SOLVES_LATE: bool = LATE;

    fn evaluate(&mut self, game: &Domineering) -> i32 {
        NOISE.clone().evaluate(game)
    }

    fn solve(&mut self, game: &Domineering, _depth: u32) -> Option<i32> {
        self.asked.as_ref()?.fetch_add(1, Ordering::Relaxed);
        let (value, _) = negamax(game, 3, &mut NOISE.clone());
        is_win(value).then_some(value)
    }

    fn is_threatened(&self, _game: &Domineering) -> bool {
        self.threatened
    }
}

impl<const LATE: bool> MoveEncoding<Domineering> for Helpful<LATE> {
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

impl<const LATE: bool> StagedMoves<Domineering> for Helpful<LATE> {
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
        if self.resorts {
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

/// The result of a search with this evaluator.
fn run<const LATE: bool>(
    game: &Domineering,
    depth: u32,
    evaluator: Helpful<LATE>,
    selectivity: Option<Selectivity>,
) -> SearchResult<u8> {
    let settings = SelectiveSettings { selectivity, ..SelectiveSettings::default() };
    let table = TranspositionTable::new(1).unwrap();
    let mut searcher = SelectiveSearch::new(evaluator, table, settings);
    let clock = Clock::unmanaged(&Limits::with_depth(depth));
    let record = Record::new(game.clone());
    searcher.run(&Root::new(&record), &clock, &mut |_| {})
}

/// The value of a full-width search, and the number of times that the evaluator was asked.
fn search<const LATE: bool>(game: &Domineering, depth: u32) -> (i32, u64) {
    let asked = Arc::new(AtomicU64::new(0));
    let evaluator = Helpful::<LATE> { asked: Some(Arc::clone(&asked)), ..Helpful::default() };
    (run(game, depth, evaluator, None).value, asked.load(Ordering::Relaxed))
}

fn is_win(value: i32) -> bool {
    is_decisive(value) && value > 0
}

/// A search of all moves at the root, and of at most this number below.
fn with_width(width: usize) -> Selectivity {
    Selectivity {
        partial_moves: [width, 0],
        moves: [width, 0],
        root_factor: 256,
        beam: [1000, 0],
        futility_margin: 100_000,
        reverse_futility_margin: [0, 0],
        reverse_futility_depth: 0,
        lmr_divisor: 0,
        history_divisor: 64,
    }
}

/// Whether a search of all moves at the root, and of the best one below, finds a win.
fn wins(game: &Domineering, depth: u32, resorts: bool) -> bool {
    let evaluator = Helpful::<false> { resorts, ..Helpful::default() };
    is_win(run(game, depth, evaluator, Some(with_width(1))).value)
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
            let won = is_win(negamax(&game, depth, &mut NOISE.clone()).0);
            if wins(&game, depth, true) {
                assert!(won, "depth {depth} of {}", game.fen());
                right += 1;
            }
            wrong += u32::from(wins(&game, depth, false) && !won);
        }
    }
    assert!(right > 5 && wrong > 5, "{right} wins, {wrong} false wins without last resorts");
}

#[test]
fn reverse_futility_pruning_stops_where_the_opponent_threatens() {
    let (mut fewer, mut all) = (0, 0);
    for i in 0..20 {
        let game = Domineering { taken: mix(i) & mix(i + 100), rows: 4, second: i % 2 == 0 };
        if game.turn().player().is_none() {
            continue;
        }
        let search = |reverse_futility_depth, threatened| {
            let selectivity = Selectivity { reverse_futility_depth, ..with_width(256) };
            let evaluator = Helpful::<false> { threatened, ..Helpful::default() };
            run(&game, 5, evaluator, Some(selectivity))
        };
        let [without, pruned, threatened] =
            [(0, false), (5, false), (5, true)].map(|(d, t)| search(d, t));
        assert_eq!((threatened.value, threatened.nodes), (without.value, without.nodes));
        fewer += pruned.nodes;
        all += without.nodes;
    }
    assert!(4 * fewer < 3 * all, "{fewer} of {all} nodes");
}
