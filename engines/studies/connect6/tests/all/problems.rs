//! Making problem sets, and checking the set in `openings/connect6/problems`.

use agon_connect6_studies::problem::{Class, Problem, choose};
use agon_connect6_studies::{screen, source::Source};
use agon_games::connect6::Connect6Rules;
use std::collections::BTreeSet;
use std::convert::Infallible;

const KEPT: &str = include_str!("../../../../../openings/connect6/problems/problems.jsonl");

fn rules() -> Connect6Rules {
    Connect6Rules::default()
}

fn kept() -> Vec<Problem> {
    KEPT.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_safe_game_is_played_again_by_its_numbers_and_gives_problems_that_hold() {
    let mut found = Vec::new();
    for game in 0..12 {
        let source = Source::play(1, game, &rules()).unwrap();
        assert_eq!(source, Source::play(1, game, &rules()).unwrap());
        let text = serde_json::to_string(&source).unwrap();
        assert_eq!(serde_json::from_str::<Source>(&text).unwrap(), source);
        let record = source.record(&rules()).unwrap();
        assert!(record.moves().len() > 5, "{text}");
        found.extend(screen::candidates(&record, &source));
    }
    let doubles = found.iter_mut().filter(|p| p.result == Class::Double);
    let mut proved = 0;
    for problem in doubles {
        problem.solve(&rules()).unwrap();
        assert_eq!(problem.result, Class::Double, "{}", problem.origin);
        assert!(problem.check(&rules()).unwrap().defences > 0);
        proved += 1;
    }
    assert!(proved > 2, "{proved}");
}

#[test]
fn of_each_class_the_hardest_are_chosen_by_what_they_turn_out_to_be() {
    let source = Source::play(1, 0, &rules()).unwrap();
    let record = source.record(&rules()).unwrap();
    let candidate = |turn, class, moves| Problem::new(&record, turn, class, moves, &source);
    let all = vec![
        candidate(5, Class::Double, 10),
        candidate(6, Class::Double, 30),
        candidate(7, Class::Double, 20),
        candidate(8, Class::Open, 50),
        candidate(8, Class::Open, 50),
        candidate(9, Class::Single, 40),
    ];
    let solve = |problem: &mut Problem| {
        // The single threat turns out to be unnecessary; the win by double threats is easy.
        if problem.result == Class::Single {
            (problem.result, problem.plain_moves) = (Class::Double, 5);
        }
        Ok::<(), Infallible>(())
    };
    let Ok(chosen) = choose(all, [2, 1, 3], solve);
    let moves: Vec<(usize, u64)> = chosen.iter().map(|p| (p.number, p.plain_moves)).collect();
    assert_eq!(moves, [(1, 30), (2, 20), (3, 50)]);
}

#[test]
fn a_problem_that_was_tampered_with_is_refused() {
    let all = kept();
    let won = all.iter().find(|p| p.result == Class::Double).unwrap();
    let open = all.iter().find(|p| p.result == Class::Open).unwrap();
    let refused = |problem: Problem, reason: &str| {
        let fault = problem.check(&rules()).unwrap_err().to_string();
        assert!(fault.contains(reason), "{fault}");
    };
    let other = if won.side == "black" { "white" } else { "black" };
    refused(Problem { side: other.into(), ..won.clone() }, "is to move in the position");
    refused(Problem { proof: None, ..won.clone() }, "a win needs a proof");
    refused(Problem { proof: won.proof.clone(), ..open.clone() }, "an unknown result has none");
    refused(Problem { proof: Some("k9l8(".into()), ..won.clone() }, "bad proof at byte 5");
    refused(Problem { proof: Some("a1b1".into()), ..won.clone() }, "the proof does not hold");
    refused(Problem { position: "fen x".into(), ..won.clone() }, "expected `startpos moves");
    let mut far = won.clone();
    far.position += " z99";
    refused(far, "the position: ");
}

#[test]
fn the_set_that_is_kept_is_balanced_and_every_twelfth_of_its_proofs_holds() {
    let all = kept();
    assert!(all.len() >= 260, "{}", all.len());
    let count = |class| all.iter().filter(|p| p.result == class).count();
    assert!(count(Class::Double) >= 72, "{}", count(Class::Double));
    assert!(count(Class::Single) >= 72, "{}", count(Class::Single));
    let positions: BTreeSet<&str> = all.iter().map(|p| p.position.as_str()).collect();
    assert_eq!(positions.len(), all.len(), "a position stands twice");
    assert!(all.iter().zip(1..).all(|(p, number)| p.number == number));
    for side in ["black", "white"] {
        assert!(all.iter().filter(|p| p.side == side).count() > all.len() / 4, "{side}");
    }
    for opening in ["near", "wide", "camps"] {
        assert!(all.iter().filter(|p| p.opening == opening).count() > all.len() / 8, "{opening}");
    }
    // `lab connect6 problems check` checks all of them in half a minute.
    for problem in &all {
        assert!(problem.game(&rules()).is_ok(), "number {}", problem.number);
        if problem.number % 12 == 0 {
            let done = problem.check(&rules());
            assert!(done.is_ok(), "number {}: {done:?}", problem.number);
        }
    }
}
