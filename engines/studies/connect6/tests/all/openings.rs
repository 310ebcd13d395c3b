//! The files of openings.

use agon_connect6::solver::{SolverSettings, Verdict, solve};
use agon_games::connect6::{Connect6, Connect6Rules};
use agon_games::{Player, Turn};
use agon_search::program::read_openings;
use std::path::Path;

#[test]
fn every_file_is_read_and_no_contest_opening_is_won_by_the_solver() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../openings/connect6");
    let rules = Connect6Rules::default();
    for (name, openings) in [("balanced.txt", 50), ("near.txt", 200)] {
        let read = read_openings::<Connect6>(&folder.join(name), &rules).expect(name);
        assert_eq!(read.len(), openings, "{name}");
    }
    let balanced = read_openings::<Connect6>(&folder.join("balanced.txt"), &rules).unwrap();
    let black = balanced.iter().filter(|o| o.turn() == Turn::Player(Player::First)).count();
    assert_eq!(black, 25, "openings with Black to move");
    let contest =
        read_openings::<Connect6>(&folder.join("contest.txt"), &rules).expect("contest.txt");
    assert_eq!(contest.len(), 61);
    for opening in contest {
        let settings = SolverSettings { splits: 2, ..SolverSettings::default() };
        let verdict = solve(opening.current(), settings, &|| false).verdict;
        assert!(matches!(verdict, Verdict::NoWin | Verdict::Unknown), "{:?}", opening.tokens());
    }
}
