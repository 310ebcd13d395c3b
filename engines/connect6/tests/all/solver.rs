//! Compares the solver's wins with the verifier and an exhaustive search, with every part switched
//! off in turn.

use agon_connect6::proof::Step;
use agon_connect6::solver::{
    DependencyRules, SolverCounters, SolverLimits, SolverSettings, Verdict, WinKind, solve,
};
use agon_connect6::verify::{Budget, verify};
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules, Point};
use agon_games::game::{Game, legal_moves};
use agon_games::{Outcome, Player, Record, Turn, rng};

/// Positions of the self-play games in these lines of `games.txt`, from the fifth turn on.
fn positions(lines: std::ops::Range<usize>) -> Vec<Connect6> {
    let mut all = Vec::new();
    for line in include_str!("games.txt").lines().skip(lines.start).take(lines.len()) {
        let tokens: Vec<&str> = line.split_whitespace().skip(2).collect();
        let record =
            Record::<Connect6>::from_text(None, &tokens, &Connect6Rules::default()).unwrap();
        let mut game = record.start().clone();
        for (i, m) in record.moves().iter().enumerate() {
            if i >= 5 {
                all.push(game.clone());
            }
            game.play(*m);
        }
    }
    all
}

fn small() -> SolverSettings {
    let limits = SolverLimits { depth: 12, iteration: 30_000, total: 60_000 };
    SolverSettings { limits, ..SolverSettings::default() }
}

fn run(game: &Connect6, settings: SolverSettings) -> (Verdict, SolverCounters) {
    let solution = solve(game, settings, &|| false);
    if let Verdict::Refuted(why) = &solution.verdict {
        panic!("a false win of `{}`: {why}", game.fen());
    }
    (solution.verdict, solution.counters)
}

#[test]
fn no_setting_claims_a_win_that_does_not_hold() {
    let plain = SolverSettings { dependency: None, ..small() };
    let bare = DependencyRules {
        combination: false,
        post_block: false,
        pre_block: false,
        pairs: false,
        horizon: false,
    };
    let variants = [
        small(),
        plain,
        SolverSettings { table: false, ..small() },
        SolverSettings { conservative: false, ..small() },
        SolverSettings { splits: 0, extension: false, ..plain },
        SolverSettings { splits: 9, ..small() },
        SolverSettings { dependency: Some(bare), ..small() },
        SolverSettings { single_threats: 2, ..small() },
        SolverSettings { quiet_moves: true, ..small() },
        SolverSettings { proof_numbers: true, ..small() },
    ];
    let mut wins = [0; 10];
    for game in positions(0..16) {
        for (i, settings) in variants.iter().enumerate() {
            let (verdict, _) = run(&game, *settings);
            wins[i] += usize::from(verdict.proof().is_some());
        }
    }
    println!("wins by setting: {wins:?}");
    assert!(wins.iter().all(|n| *n > 60), "{wins:?}");
    assert!(wins[9] > wins[0], "{wins:?}");
}

#[test]
fn a_win_stays_a_win_when_played_out_against_random_defences() {
    let mut played = 0;
    for (index, game) in positions(12..20).into_iter().enumerate() {
        let (Verdict::Win { proof, .. }, _) = run(&game, small()) else { continue };
        let mut stream = rng::stream(index as u64, 0, "defence");
        for _ in 0..20 {
            let (mut state, mut step) = (game.clone(), proof.clone());
            let winner = game.side_to_move();
            loop {
                state.play(step.turn().unwrap());
                if let Turn::Over(outcome) = state.turn() {
                    assert_eq!(outcome, Outcome::Win(winner));
                    break;
                }
                // Half of the defences are random, half stop the threats.
                let empties: Vec<Point> = state.empties().collect();
                let draw = |s: &mut _| empties[rng::below(s, empties.len() as u64) as usize];
                let (a, mut b) = (draw(&mut stream), draw(&mut stream));
                while a == b {
                    b = draw(&mut stream);
                }
                let stopping = defences(&state);
                let m = if stopping.is_empty() || rng::below(&mut stream, 2) == 0 {
                    Connect6Move::two(a, b)
                } else {
                    stopping[rng::below(&mut stream, stopping.len() as u64) as usize]
                };
                state.play(m);
                assert!(!matches!(state.turn(), Turn::Over(Outcome::Win(w)) if w != winner));
                if let Some(six) = winning_turn(&state) {
                    state.play(six);
                    assert_eq!(state.turn(), Turn::Over(Outcome::Win(winner)));
                    break;
                }
                let defence: Vec<u16> = m.stones().map(|p| p.index() as u16).collect();
                step = step.answer(&defence).unwrap().clone();
            }
            played += 1;
        }
    }
    assert!(played > 300, "{played}");
}

/// A turn that makes six, found by trying all turns.
fn winning_turn(state: &Connect6) -> Option<Connect6Move> {
    let side = state.side_to_move();
    let empties: Vec<Point> = state.empties().collect();
    empties.iter().find_map(|&a| {
        if state.makes_six(side, a) {
            return Some(Connect6Move::one(a));
        }
        let near = |b: &&Point| {
            let (c, r) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
            **b > a && c.max(r) < 6 && (c == 0 || r == 0 || c == r)
        };
        empties.iter().filter(near).find_map(|&b| {
            let m = Connect6Move::two(a, b);
            let mut after = state.clone();
            after.play(m);
            (after.turn() == Turn::Over(Outcome::Win(side))).then_some(m)
        })
    })
}

/// The turns after which the opponent cannot make six; all turns if the opponent has no threat.
fn defences(state: &Connect6) -> Vec<Connect6Move> {
    let board = agon_connect6::board::WindowBoard::from_game(state);
    let defences = board.threats(state.side_to_move().opponent().index()).defences();
    let point = |i: &u16| Point::from_index(usize::from(*i)).unwrap();
    defences.pairs.iter().map(|[a, b]| Connect6Move::two(point(a), point(b))).collect()
}

/// Whether the side to move wins by double threats within `turns`, found by trying every turn and
/// every defence.
fn wins_by_trying(state: &Connect6, turns: u32) -> bool {
    let side = state.side_to_move();
    if winning_turn(state).is_some() {
        return true;
    }
    turns > 0
        && legal_moves(state).into_iter().any(|m| {
            let mut after = state.clone();
            after.play(m);
            if winning_turn(&after).is_some() || number_of_threats(&after, side) < 2 {
                return false;
            }
            legal_moves(&after).into_iter().all(|d| {
                let mut next = after.clone();
                next.play(d);
                matches!(next.turn(), Turn::Player(_)) && wins_by_trying(&next, turns - 1)
            })
        })
}

/// The number of threats of `side`; 2 means two or more.
fn number_of_threats(state: &Connect6, side: Player) -> u32 {
    let (mut board, size) = (state.clone(), state.size() as i32);
    let threatens = |s: &Connect6| {
        (0..size * size).any(|i| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(dc, dr)| {
                let at = |k: i32| {
                    let (c, r) = (i / size + k * dc, i % size + k * dr);
                    let inside = (0..size).contains(&c) && (0..size).contains(&r);
                    inside.then(|| Point::new(c as usize, r as usize)).flatten()
                };
                let run: Vec<Point> = (0..6).filter_map(at).collect();
                let own = run.iter().filter(|p| s.stone(**p) == Some(side)).count();
                let free = run.iter().all(|p| s.stone(*p).is_none_or(|o| o == side));
                run.len() == 6 && free && own >= 4
            })
        })
    };
    if !threatens(state) {
        return 0;
    }
    // A turn has two stones: the first stops the threats alone if it does so with every second
    // stone.
    let empties: Vec<Point> = state.empties().collect();
    for &p in &empties {
        let stops = empties.iter().filter(|q| **q != p).all(|&q| {
            board.clone_from(state);
            board.play(Connect6Move::two(p, q));
            !threatens(&board)
        });
        if stops {
            return 1;
        }
    }
    2
}

#[test]
fn wins_on_a_small_board_are_those_of_a_search_that_tries_everything() {
    let mut agree = [0; 2];
    for index in 0..600 {
        let mut stream = rng::stream(index, 0, "small boards");
        let mut game = Connect6::start(&Connect6Rules { size: 6 });
        for _ in 0..4 + rng::below(&mut stream, 9) {
            let moves = legal_moves(&game);
            game.play(moves[rng::below(&mut stream, moves.len() as u64) as usize]);
            if game.turn().player().is_none() {
                break;
            }
        }
        if game.turn().player().is_none() || game.stones_due() < 2 || game.empty_points() > 16 {
            continue;
        }
        let settings = SolverSettings {
            limits: SolverLimits { depth: 2, ..SolverLimits::unlimited() },
            dependency: None,
            conservative: false,
            extension: false,
            free_stones: 36,
            single_threats: 0,
            ..SolverSettings::default()
        };
        let (verdict, _) = run(&game, settings);
        let truth = wins_by_trying(&game, 2);
        // The last turn within the solver's depth is one that leaves no defence.
        assert_eq!(verdict.proof().is_some(), truth, "{}", game.fen());
        agree[usize::from(truth)] += 1;
    }
    println!("no wins, wins: {agree:?}");
    assert!(agree.iter().all(|n| *n > 10), "{agree:?}");
}

fn after(moves: &str) -> Connect6 {
    let tokens: Vec<&str> = moves.split_whitespace().collect();
    let record = Record::<Connect6>::from_text(None, &tokens, &Connect6Rules::default()).unwrap();
    record.current().clone()
}

#[test]
fn a_turn_that_stops_threats_and_makes_one_wins() {
    for moves in [
        "f12 i7m12 f11g12 f10i12 e11g11 i9i11",
        "g17 f8g4 c7h14 g7g9 g8g13 e9h6 d10j4 f9h9 c9i9",
        "j14 k14l8 j15k13 i15j13 h12i12 g12l11 g11i13 f10l16 h10i11 i14k12 h15n9 l12l14",
        "k6 j6k10 j11n13 i10j10 l10m13 i11j9 l13o13 k13p13 k9n12",
    ] {
        let game = after(moves);
        let board = agon_connect6::board::WindowBoard::from_game(&game);
        let defender = game.side_to_move().opponent().index();
        assert!(board.has_four(defender), "{moves}");
        let (verdict, counters) = run(&game, SolverSettings::default());
        assert!(verdict.proof().is_some(), "{moves}: {verdict:?}");
        assert!(counters.stones < 10_000, "{moves}: {counters:?}");
    }
}

#[test]
fn a_search_that_no_limit_ends_is_not_unknown() {
    // White must stop two threats, and neither way gives it a threat.
    let game = after("j10 i9l8 k9j8 i7j6 k7i6 h8g9 k5f10 g7f8 k6k8 k4k10 j7h5 l9g4 l5i8 h9m4 l6m5");
    assert_eq!(run(&game, SolverSettings::default()).0, Verdict::NoWin);
    // The limit of stones ends the search of a position with a long win.
    let game = after("m13 g13l13 i8k10 k14m12 i10n11");
    let win = run(&game, SolverSettings::default());
    assert!(win.0.proof().is_some());
    let limits = SolverLimits { total: win.1.stones / 2, ..SolverLimits::default() };
    let settings = SolverSettings { limits, ..SolverSettings::default() };
    assert_eq!(run(&game, settings).0, Verdict::Unknown);
}

#[test]
fn a_search_is_repeated_to_the_stone() {
    for game in positions(3..5) {
        assert_eq!(run(&game, small()), run(&game, small()));
    }
}

#[test]
fn a_proof_that_lost_an_answer_is_refuted() {
    let mut tried = 0;
    for game in positions(0..6) {
        let (Verdict::Win { proof, .. }, _) = run(&game, small()) else { continue };
        if proof.answers.is_empty() {
            continue;
        }
        let mut torn = (*proof).clone();
        torn.answers.pop();
        assert!(verify(&game, &torn, Budget::default()).is_err(), "{}: {proof}", game.fen());
        tried += 1;
    }
    assert!(tried > 5, "{tried}");
}

/// The steps of a proof, each with the path to it: the index of the answer at each step.
fn ways(step: &Step, way: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    all.push(way.clone());
    for (i, answer) in step.answers.iter().enumerate() {
        way.push(i);
        ways(&answer.step, way, all);
        way.pop();
    }
}

/// The proof with one step changed.
fn changed(step: &Step, way: &[usize], change: &dyn Fn(&mut Step)) -> Step {
    let mut new = step.clone();
    match way {
        [] => change(&mut new),
        [i, rest @ ..] => {
            new.answers[*i].step = changed(&step.answers[*i].step, rest, change).into();
        }
    }
    new
}

#[test]
fn all_defences_at_once_prove_true_wins_and_no_others() {
    let (mut proofs, mut steps, mut refuted, mut still_true) = (0, 0, 0, 0);
    for (index, game) in positions(0..8).into_iter().enumerate() {
        let (Verdict::Win { proof, .. }, _) = run(&game, small()) else { continue };
        // No defence is played individually: every step with a single answer plays all defences
        // together.
        let together = |p: &Step| verify(&game, p, Budget { defences: 0, ..Budget::default() });
        let done = together(&proof).unwrap_or_else(|e| panic!("`{}` {proof}: {e}", game.fen()));
        proofs += 1;
        steps += done.together;
        let mut all = Vec::new();
        ways(&proof, &mut Vec::new(), &mut all);
        let mut stream = rng::stream(index as u64, 0, "mutations");
        for way in all.iter().take(6) {
            let far = rng::below(&mut stream, 361) as u16;
            let which = rng::below(&mut stream, 2) as usize;
            let mutations: [&dyn Fn(&mut Step); 4] = [
                // A stone is moved elsewhere.
                &|s| {
                    let n = s.stones.len();
                    s.stones[which % n] = far;
                },
                // The end of the plan is missing.
                &|s| s.answers.clear(),
                // A turn is missing.
                &|s| {
                    if let Some(next) = s.answers.first().map(|a| a.step.clone()) {
                        *s = (*next).clone();
                    }
                },
                // A stone is missing.
                &|s| s.stones.truncate(1),
            ];
            for mutation in mutations {
                let wrong = changed(&proof, way, mutation);
                let truth = verify(&game, &wrong, Budget::default());
                match (together(&wrong), truth) {
                    // A changed plan may still win, but both ways of verification must agree.
                    (Ok(_), Ok(_)) => still_true += 1,
                    (Ok(_), Err(why)) => panic!("`{}` {wrong}: {why}", game.fen()),
                    (Err(_), _) => refuted += 1,
                }
            }
        }
    }
    println!("{proofs} proofs, {steps} steps at once; {refuted} refuted, {still_true} still true");
    assert!(proofs > 40 && steps > 50 && refuted > 300, "{proofs} {steps} {refuted}");
}

/// After this quiet turn White wins by n9p7, two stones on a line with m10 and o8: one threat, which
/// q6 stops. From a game that Black lost.
const PAIR: &str = "k11 l8m10 l10m9 n8o8 j12k12 i13m8 j8p8";

#[test]
fn a_single_threat_of_two_stones_on_a_line_with_two_wins() {
    let game = after(PAIR);
    let (verdict, _) = run(&game, SolverSettings::default());
    assert!(matches!(&verdict, Verdict::Win { kind: WinKind::SingleThreats, .. }), "{verdict:?}");
    let without = SolverSettings { line_pairs: false, ..SolverSettings::default() };
    assert!(run(&game, without).0.proof().is_none());
}

#[test]
fn a_search_that_a_limit_of_any_kind_cut_does_not_say_that_there_is_no_win() {
    // Black wins in four turns; on one path two conservative defences must be split.
    let game = after("j10 k9j12 i11k11 i9j11 l9g9 h10g11 f12l6 l12k12 m12h12");
    let double = SolverSettings { single_threats: 0, ..SolverSettings::default() };
    for splits in [0, 1] {
        assert_eq!(run(&game, SolverSettings { splits, ..double }).0, Verdict::Unknown, "{splits}");
    }
    let split = run(&game, SolverSettings { splits: 2, ..double });
    let Verdict::Win { proof, .. } = split.0 else { panic!("{split:?}") };
    assert!(verify(&game, &proof, Budget::default()).is_ok() && proof.depth() == 4, "{proof}");
    // White's only win needs a second single threat on its path.
    let game = after(LONG);
    let limits = SolverLimits { total: 500_000, ..SolverLimits::default() };
    assert_eq!(
        run(&game, SolverSettings { limits, ..SolverSettings::default() }).0,
        Verdict::Unknown
    );
    // No win that a wider search finds is said not to be there.
    let (mut none, mut wins) = (0, 0);
    for game in positions(0..10) {
        if run(&game, small()).0 == Verdict::NoWin {
            let wide = SolverSettings { splits: 9, single_threats: 3, free_stones: 64, ..small() };
            assert!(run(&game, wide.plain()).0.proof().is_none(), "{}", game.fen());
            none += 1;
        } else {
            wins += 1;
        }
    }
    assert!(none > 20 && wins > 40, "{none} {wins}");
}

/// White wins in seven turns, with two single threats on a path. From a game that Black lost.
const LONG: &str = "k10 k11k12 l10l11 l12m12 m13n12 i10i12 h12l13 i9i11 i8i14";

/// The single threats on the path of a win that has the most: of these, one stone stops the threat.
fn single_threats(win: &Step) -> usize {
    let here = win.answers.iter().any(|answer| answer.to.len() == 1);
    let below = win.answers.iter().map(|answer| single_threats(&answer.step)).max();
    usize::from(here) + below.unwrap_or(0)
}

#[test]
fn proof_numbers_find_a_long_win_by_several_single_threats() {
    let game = after(LONG);
    let limits = SolverLimits { total: 1_000_000, ..SolverLimits::default() };
    let settings = SolverSettings { limits, proof_numbers: true, ..SolverSettings::default() };
    // A win is replayed by the verifier, or it is reported as refuted.
    let (verdict, _) = run(&game, settings);
    let Verdict::Win { kind: WinKind::SingleThreats, proof } = verdict else {
        panic!("{verdict:?}")
    };
    assert!(proof.depth() >= 5 && single_threats(&proof) == 2, "{proof}");
    let one = SolverSettings { proof_numbers: false, ..settings };
    assert!(run(&game, one).0.proof().is_none());
    // The limits hold, and the same search gives the same proof.
    let few = SolverLimits { total: 50_000, ..limits };
    assert!(matches!(run(&game, SolverSettings { limits: few, ..settings }).0, Verdict::Unknown));
    assert_eq!(run(&game, settings).0.proof(), Some(&proof));
}

/// A position with many single threats and no known win, from a game lost on time.
const CROWDED: &str = "k13 i12l13 j11k14 j14k11 i10k15 j12k16 g12l10 h11j16 h9l16 g8h14 f12h12 f14g10 e8g14 \
    f16g15 d12i13 c12e12 i16j15 e13f11 c14e15 d11i15 f13g11 e9g7 e10g9 f8h6 d10j4 f6i7 \
    i9j8 e17k7 c19g13 f7j13 f9h7 g6k9 j6j7 j5j10 g4k6 h4h5 e6g5 k12l5 f5k8 d7h15 g16m10 \
    l8m6 j3m7 k5m5 i5n5";

#[test]
fn a_search_that_is_stopped_ends_at_once() {
    let game = after(CROWDED);
    for until in [1, 10, 50, 100, 200] {
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() >= until
        };
        let solution = solve(&game, SolverSettings::default(), &stop);
        assert!(matches!(solution.verdict, Verdict::Unknown), "{:?}", solution.verdict);
        // After the first yes it is asked at most once more.
        assert!((until..=until + 1).contains(&asked.get()), "{until}: {}", asked.get());
    }
}
