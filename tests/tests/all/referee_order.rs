//! A move that comes before its `go`, or twice, is a fault of its own and never answers the next
//! `go`.

use crate::support::matches::Match;

/// Plays two games of `a` against a `b` that sends moves nobody asked for; both end in protocol
/// faults of `b` after this number of plies, whichever side `b` plays.
fn is_a_fault(fault: &str, plies: [usize; 2]) {
    for dialect in ["ugi", "uci", "ucci"] {
        let engine = format!("{fault},dialect={dialect}");
        let games = Match::between("honest", &engine, 2).games();
        assert_eq!(games.len(), 2);
        for (game, plies) in games.iter().zip(plies) {
            let winner = if game["players"][0] == 0 { "first" } else { "second" };
            assert_eq!((&game["reason"], &game["result"]), (&"protocol".into(), &winner.into()));
            let detail = game["detail"].as_str().unwrap_or_default();
            assert!(detail.starts_with("b breaks the protocol during its move"), "{detail}");
            assert!(detail.contains("an unrequested move, `"), "{detail}");
            let moves = game["moves"].as_str().unwrap_or_default();
            assert_eq!(moves.split_whitespace().count(), plies, "{dialect} {fault}: {moves}");
            let last = game["stdout"].as_str().unwrap_or_default();
            assert!(last.contains("bestmove"), "what it said last is not in the log: {game}");
        }
    }
}

#[test]
fn a_move_before_go_is_a_fault() {
    is_a_fault("early-bestmove", [1, 0]);
}

/// Its third move counts; the copy is found before its fourth.
#[test]
fn a_second_move_is_a_fault_before_the_next_one() {
    is_a_fault("double-bestmove", [7, 6]);
}

/// The game is over: there is nothing that the move could answer.
#[test]
fn a_second_move_after_the_end_of_a_game_loses_nothing() {
    let m = Match::between("honest", "double-bestmove --side first", 4).with("--max-plies", "5");
    let games = m.games();
    let reasons: Vec<_> = games.iter().map(|g| g["reason"].as_str().unwrap_or("")).collect();
    assert_eq!(reasons, ["length"; 4]);
}
