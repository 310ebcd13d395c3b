//! `best` at the root: it avoids turns that lose by force, shows lost positions, and reports only
//! verified wins.

use agon_connect6::best::Best;
use agon_connect6::play::{SearchPosition, UNPROVED_WIN};
use agon_connect6::solver::{SolverLimits, SolverSettings, Verdict, solve};
use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_games::game::Game;
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::{Root, RootMoves};
use agon_search::score::{WIN, is_decisive};
use agon_search::searcher::Searcher;
use agon_search::transposition::TranspositionTable;
use agon_wire::message::Limits;

fn after(moves: &str) -> Connect6 {
    let tokens: Vec<&str> = moves.split_whitespace().collect();
    let record = Record::<Connect6>::from_text(None, &tokens, &Connect6Rules::default()).unwrap();
    record.current().clone()
}

fn best(
    game: &Connect6,
    moves: RootMoves<Connect6Move>,
    threads: usize,
) -> SearchResult<Connect6Move> {
    best_within(game, moves, threads, &Limits::with_nodes(200_000))
}

fn best_within(
    game: &Connect6,
    moves: RootMoves<Connect6Move>,
    threads: usize,
    limits: &Limits,
) -> SearchResult<Connect6Move> {
    let record = Record::new(SearchPosition::from(game));
    let root = Root::with_moves(&record, moves);
    let mut best = Best::new(TranspositionTable::new(4).unwrap(), threads);
    best.run(&root, &Clock::unmanaged(limits), &mut |_| {})
}

/// The opponent's win after a turn, in turns.
fn refutation(game: &Connect6, m: Connect6Move) -> Option<usize> {
    let mut next = game.clone();
    next.play(m);
    solve(&next, SolverSettings::default(), &|| false).verdict.proof().map(|p| p.depth())
}

/// White loses by single threats after most turns, among them the one that looks best.
const SINGLE_THREATS: &str = "m13 g13l13 i8k10 k14m12";
/// White must stop two threats, and loses by double threats after every turn.
const LOST: &str = "j10 i9l8 k9j8 i7j6 k7i6 h8g9 k5f10 g7f8 k6k8 k4k10 j7h5 l9g4 l5i8 h9m4 l6m5";

/// j8p8 looks best, but then White wins by n9p7, which makes one threat of two stones on a line with
/// two. These are not among the best quiet points.
const PAIR: &str = "k11 l8m10 l10m9 n8o8 j12k12 i13m8";

#[test]
fn turns_that_make_a_threat_of_two_stones_on_a_line_are_candidates() {
    let game = after(&format!("{PAIR} j8p8"));
    let position = SearchPosition::from(&game);
    let win = game.parse_move("n9p7").unwrap();
    assert!(!position.candidates().contains(&win));
    let fours = position.fours(&position.placement_values(), 12, 10);
    assert!(fours.contains(&win), "{fours:?}");
    assert!(fours.iter().all(|m| position.candidates_at_root().contains(m)));
    for m in fours {
        assert!(!position.candidates().contains(&m), "{m}");
        let mut next = position.clone();
        next.play(m);
        assert!(next.board().has_four(position.side()), "{m}");
        // A threat must be stopped first.
        assert!(next.fours(&next.placement_values(), 12, 10).is_empty(), "{m}");
    }
    let m = best(&after(PAIR), RootMoves::All, 1).best();
    assert_ne!(m.to_string(), "j8p8");
    assert_eq!(refutation(&after(PAIR), m), None, "{m}");
}

/// Black has three stones on a line. After k11l11 White threatens to win, and Black answers with a stone that
/// makes a threat on this line and one on a point of low value.
const THREE: &str = "j10 j9l10 h8i9";
/// After h11i12 Black must stop a threat, all candidates lose, and h13j13 holds.
const ALL_BUT_ONE: &str = "k10 g7i13 h7l10 j9j10 j11l9 k8m8";

#[test]
fn an_answer_that_makes_a_threat_with_one_stone_refutes_a_false_win() {
    for (start, turn, saving) in [(THREE, "k11l11", "g7l14"), (ALL_BUT_ONE, "h11i12", "h13j13")] {
        let game = after(&format!("{start} {turn}"));
        let position = SearchPosition::from(&game);
        let saving = game.parse_move(saving).unwrap();
        assert_eq!(refutation(&game, saving), None);
        let candidates = position.candidates();
        assert!(!candidates.contains(&saving));
        if start == ALL_BUT_ONE {
            assert!(candidates.iter().all(|m| refutation(&game, *m).is_some()));
        }
        let more = position.last_resorts();
        assert!(more.contains(&saving), "{more:?}");
        assert!(more.iter().all(|m| game.is_legal(*m)));
        let result = best_within(&after(start), RootMoves::All, 1, &Limits::with_depth(7));
        assert!(result.value < 15_000, "{} {}", result.best(), result.value);
    }
}

#[test]
fn a_threat_may_be_answered_by_a_stone_that_stops_it_and_one_that_threatens() {
    let game = after("m9 g10k9 j10l10 k11m10 k7l8 j6l9 k8n8 j11m8 n7o7");
    let position = SearchPosition::from(&game);
    let side = position.side();
    assert!(position.board().has_four(1 - side));
    let counter = game.parse_move("k10q5").unwrap();
    assert!(!position.candidates().contains(&counter));
    let fours = position.fours(&position.placement_values(), usize::MAX, 10);
    assert!(fours.contains(&counter), "{fours:?}");
    for m in fours {
        let mut next = position.clone();
        next.play(m);
        assert!(next.board().has_four(side) && !next.board().has_four(1 - side), "{m}");
    }
}

#[test]
fn a_turn_that_loses_by_single_threats_is_avoided() {
    let game = after(SINGLE_THREATS);
    let losing = game.parse_move("i10n11").unwrap();
    assert!(refutation(&game, losing).is_some());
    for threads in [1, 2] {
        let m = best(&game, RootMoves::All, threads).best();
        assert_eq!(refutation(&game, m), None, "{threads} threads: {m}");
    }
    // The same among named turns only.
    let safe = game.parse_move("j10j15").unwrap();
    assert_eq!(best(&game, RootMoves::Only(vec![losing, safe]), 1).best(), safe);
}

#[test]
fn a_lost_position_is_defended_as_long_as_possible_and_shown_as_lost() {
    let game = after(LOST);
    let result = best(&game, RootMoves::All, 1);
    let board = agon_connect6::board::WindowBoard::from_game(&game);
    let defences = board.threats(game.side_to_move().index() ^ 1).defences();
    let point = |i: u16| agon_games::connect6::Point::from_index(i.into()).unwrap();
    let lengths: Vec<usize> = (defences.pairs.iter())
        .map(|&[a, b]| refutation(&game, Connect6Move::two(point(a), point(b))).unwrap())
        .collect();
    let longest = *lengths.iter().max().unwrap();
    assert!(lengths.len() > 1, "{lengths:?}");
    assert_eq!(refutation(&game, result.best()), Some(longest));
    assert_eq!(result.value, 2 * longest as i32 - WIN);
}

#[test]
fn a_forced_result_is_reported_only_if_the_verifier_has_replayed_it() {
    let (mut won, mut lost, mut open) = (0, 0, 0);
    for line in include_str!("games.txt").lines().skip(4).take(3) {
        let tokens: Vec<&str> = line.split_whitespace().skip(2).collect();
        for end in 3..tokens.len() {
            let game = after(&tokens[..end].join(" "));
            let record = Record::new(SearchPosition::from(&game));
            let mut best = Best::new(TranspositionTable::new(1).unwrap(), 1);
            let mut values = Vec::new();
            let clock = Clock::unmanaged(&Limits::with_nodes(300));
            let last = best.run(&Root::new(&record), &clock, &mut |r| values.push(r.value));
            values.push(last.value);
            if !values.iter().any(|v| is_decisive(*v)) {
                assert!(values.iter().all(|v| v.abs() <= UNPROVED_WIN), "{values:?}");
                open += 1;
                continue;
            }
            // Winning: the solver's proof. Losing: the opponent wins whatever is played.
            if last.value > 0 {
                let limits = SolverLimits { total: 300_000, ..SolverLimits::default() };
                let settings = SolverSettings { limits, ..SolverSettings::default() };
                let verdict = solve(&game, settings, &|| false).verdict;
                assert!(matches!(verdict, Verdict::Win { .. }), "{}", game.fen());
                won += 1;
            } else {
                for m in SearchPosition::from(&game).candidates() {
                    assert!(refutation(&game, m).is_some(), "{m} in `{}`", game.fen());
                }
                lost += 1;
            }
        }
    }
    println!("{won} won, {lost} lost, {open} open");
    assert!(won > 5 && lost > 2 && open > 5, "{won} won, {lost} lost, {open} open");
}
