//! Valid and invalid proofs.

use super::*;
use agon_games::connect6::Connect6Rules;
use agon_games::game::Game;
use agon_games::rng;
use rand_core::Rng;

fn check(fen: &str, proof: &str) -> Result<Verified, String> {
    let game = Connect6::parse_fen(fen, &Connect6Rules::default()).unwrap();
    verify(&game, &Step::parse(proof).unwrap(), Budget::default()).map_err(|e| e.to_string())
}

#[test]
fn a_win_in_one_turn_holds() {
    assert!(check("9/9/9/9/2XXXX3/9/9/9/9 x", "g5h5").is_ok());
    assert!(check("9/9/9/9/1XXXXX3/9/9/9/9 x", "a5").is_ok());
}

#[test]
fn three_threats_need_no_answer_and_two_do() {
    let fen = "XXX6/9/9/9/2XXX4/9/9/9/O7O x";
    let open = check(fen, "d9f5").unwrap();
    assert_eq!(open.defences, 0);
    let fen = "9/9/9/9/2XXX4/9/9/9/O7O x";
    let error = check(fen, "f5a9").unwrap_err();
    assert_eq!(error, "after f5a9: no answer to the defence a5g5");
    let error = check(fen, "f5a9(>b5g5)").unwrap_err();
    assert!(error.ends_with("the proof plays g5, not empty"), "{error}");
    let error = check(fen, "f5a9(>a1b2)").unwrap_err();
    assert!(error.contains("a1, not empty"), "{error}");
}

#[test]
fn a_split_four_of_the_defender_left_uncovered_refutes_a_win() {
    // White's OOO.O. makes six next turn, whatever Black's threats.
    let fen = "XXX6/9/9/9/2XXX4/9/OOO1O4/9/9 x";
    let error = check(fen, "d9f5").unwrap_err();
    assert_eq!(error, "after d9f5: the defender makes six");
    assert!(check(&fen.replace("OOO1O4", "OOOXO4"), "d9f5").is_ok());
}

#[test]
fn every_defence_is_replayed_and_a_forgotten_one_found() {
    // Two fours, each open at one end: two defences to each, four in all.
    let fen = "OXXX5/9/9/OXXX5/9/9/9/9/9 x";
    let error = check(fen, "e9e6(f9g9>a1a2)").unwrap_err();
    assert!(error.starts_with("after e9e6 "), "{error}");
    let error = check(fen, "e9e6(f9>a1a2,g9>a1a2)").unwrap_err();
    assert!(error.contains("no answer to the defence") || error.contains("not"), "{error}");
}

#[test]
fn a_turn_against_the_rules_is_no_proof() {
    let fen = "9/9/9/9/2XXX4/9/9/9/O7O x";
    for (proof, fault) in [
        ("f5", "a turn of 1 stones that does not make six"),
        ("f5f5", "the proof plays f5, not empty"),
        ("c5f5", "the proof plays c5, not empty"),
        ("f5k1", "the proof plays k1, not empty"),
    ] {
        let error = check(fen, proof).unwrap_err();
        assert!(error.contains(fault), "{proof}: {error}");
    }
    assert!(check("9/9/9/9/9/9/9/9/9 x", "e5e6").is_err());
}

#[test]
fn a_full_board_is_no_win() {
    let fen = "XXOOXX/OOXXOO/XXOOXX/OOXXOO/XXOOXX/OOXX2 x";
    assert!(check(fen, "e1f1").unwrap_err().contains("the board is full"));
}

#[test]
fn the_windows_near_six_are_those_found_by_looking_at_each() {
    let game = Connect6::parse_fen("9/9/9/9/2XXX4/4X4/9/9/O7O x", &Connect6Rules::default());
    let mut replay = Replay::new(&game.unwrap(), Player::First, Budget::default());
    let mut stream = rng::stream(1, 0, "windows");
    let mut put: Vec<u16> = Vec::new();
    let mut most = 0;
    for _ in 0..20_000 {
        let p = replay.points[stream.next_u64() as usize % replay.points.len()];
        if replay.cells[usize::from(p)] == b'.' && put.len() < 40 {
            // Mostly stones of one side, so that there are windows with four stones.
            replay.put(&[p], LETTERS[usize::from(stream.next_u64().is_multiple_of(8))]);
            put.push(p);
        } else if let Some(p) = put.pop() {
            replay.take(&[p]);
        }
        for letter in LETTERS {
            let looked_at: BTreeSet<Vec<u16>> = replay
                .windows
                .iter()
                .map(|w| w.points.to_vec())
                .filter(|w| {
                    let on =
                        |c: u8| w.iter().filter(|p| replay.cells[usize::from(**p)] == c).count();
                    on(letter) >= 4 && on(letter) + on(b'.') == 6
                })
                .map(|w| w.into_iter().filter(|p| replay.cells[usize::from(*p)] == b'.').collect())
                .collect();
            let needs = replay.needs(letter, 2);
            most = most.max(needs.len());
            assert!(needs.iter().map(|w| w.to_vec()).eq(looked_at));
        }
    }
    assert!(most > 10, "{most}");
}
