//! What cannot be won, compared with tablebases, with exact values of small games with hidden pieces
//! and with the search.

use super::SearchMode;
use super::tests::{best, parse, random_positions, searched, small_solver, small_table};
use crate::evaluation::{self, DarkChessNetworkEvaluator, UNIT};
use crate::fortress::cannot_win;
use crate::small_board::SmallBoardSolver;
use crate::tablebase::{DarkChessIndexer, DarkChessSolver, DarkChessTablebase};
use agon_games::darkchess::{Colour, DarkChess, DarkMove, DarkRules, Kind, Piece};
use agon_games::game::{Game, Turn, chance_outcomes, legal_moves};
use agon_games::rng;

/// Nothing that Black has left captures a king.
const LONE_KING: &str = "4/r3/3g/1K2/4/2g1/r2m/n3 b b - GGMMRRNNCCPPPPPkmnccppppp 0";

/// Black cannot win these, whoever is to move.
const DRAWN: [&str; 7] = [
    LONE_KING,
    "4/r3/3g/1K2/4/2g1/r2m/n3 r b - GGMMRRNNCCPPPPPkmnccppppp 0",
    // The king is next to an enemy, which it captures.
    "Kg2/m3/4/4/4/4/4/4 b b - - 0",
    // A guard against all that a guard captures; other red pieces do not matter.
    "4/4/1G2/2mr/npp1/4/P3/4 b b - - 0",
    // A pawn against a king.
    "P3/4/4/2k1/4/4/4/4 b b - - 0",
    // A face-down piece that does not help, on either side.
    "?K2/4/4/1g2/4/4/2m1/4 b b r - 0",
    "?K2/4/4/1g2/4/4/2m1/4 b b R - 0",
];

/// Near misses of the same: Black wins these, or can still turn over what wins.
const OPEN: [&str; 6] = [
    // One more pawn, face up or face down.
    "4/r3/3p/1K2/4/2g1/r2m/n3 b b - - 0",
    "?K2/4/4/1g2/4/4/2m1/4 b b p - 0",
    // A cannon captures everything.
    "4/r3/3c/1K2/4/2g1/r2m/n3 b b - - 0",
    // The king has no square to step to and from: b3b2 leaves Red without a legal move.
    "4/4/4/4/4/gg2/P3/KPm1 b b - - 0",
    // No pawn captures a cannon, but pawns shut it in: b2b1.
    "4/4/4/4/4/4/pp2/C3 b b - - 0",
    // The king is face down.
    "?3/4/4/1g2/4/4/2m1/4 b b K - 0",
];

fn evaluate(game: &DarkChess) -> i32 {
    DarkChessNetworkEvaluator::new(evaluation::built_in()).evaluate(game)
}

fn drawn(fen: &str) -> DarkChess {
    DarkChess::parse_fen(fen, &DarkRules::default()).unwrap()
}

#[test]
fn fortresses_are_drawn_and_near_misses_are_not() {
    for fen in DRAWN {
        assert!(cannot_win(&drawn(fen), Colour::Black), "{fen}");
    }
    for fen in OPEN {
        assert!(!cannot_win(&drawn(fen), Colour::Black), "{fen}");
    }
    let mut player = best(SearchMode::Play, None);
    // A draw is slightly bad for the side at the root.
    for fen in &DRAWN[..2] {
        let value = searched(&mut player, &drawn(fen), 8).value;
        assert!(value.abs() <= UNIT / 20, "{fen}: {value}");
        assert_eq!(evaluate(&drawn(fen)), 0, "{fen}");
    }
    for fen in [OPEN[0], OPEN[2]] {
        assert!(evaluate(&drawn(fen)) > 0, "{fen}");
    }
    for (fen, win) in [(OPEN[3], "b3b2"), (OPEN[4], "b2b1")] {
        let game = drawn(fen);
        let line = searched(&mut player, &game, 4);
        assert_eq!(game.move_token(line.best()), win);
        assert!(line.value > UNIT / 10 * 9, "{fen}: {}", line.value);
    }
}

#[test]
fn a_capture_that_leaves_nothing_to_win_with_is_no_gain() {
    // The pawn is the only piece that captures the king: exchanging it for the rook draws.
    let game = drawn("K3/4/4/4/4/1m2/Rp2/gr2 b b - - 0");
    let after = drawn("K3/4/4/4/4/1m2/R3/gr2 b b - - 0");
    assert!(evaluate(&game) > evaluate(&after));
    // Black is not ahead any more.
    assert!(evaluate(&after) <= 0);
}

/// No position that a side cannot win is won in the tablebase; returns how many were compared.
fn compare(table: &DarkChessTablebase, games: impl IntoIterator<Item = DarkChess>) -> usize {
    let mut compared = 0;
    for game in games {
        let value = table.probe(&game).unwrap();
        let own = game.colour_to_move().unwrap();
        if cannot_win(&game, own) {
            assert!(!value.is_win(), "{value} {}", game.fen());
        }
        if cannot_win(&game, own.other()) {
            assert!(!value.is_loss(), "{value} {}", game.fen());
        }
        compared += usize::from(cannot_win(&game, own) || cannot_win(&game, own.other()));
    }
    compared
}

#[test]
fn no_tablebase_wins_what_cannot_be_won() {
    let small = small_table(4);
    for pieces in 2..=4 {
        let compared = compare(&small, random_positions(3000, pieces));
        assert!(compared > 500, "{pieces} pieces: {compared}");
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("three.table");
    let indexer = DarkChessIndexer::new(3, 4, 8).unwrap();
    let monitor = agon_tablebase::Monitor::hidden();
    agon_tablebase::build(&path, &indexer, &DarkChessSolver::default(), 2, &monitor).unwrap();
    let table = DarkChessTablebase::open(&path).unwrap();
    let mut stream = rng::stream(1, 0, "fortresses");
    let piece = |stream: &mut rng::Stream, colour| {
        Piece::new(colour, Kind::ALL[rng::below(stream, 7) as usize])
    };
    let game = || {
        let colours =
            [Colour::Red, Colour::Black, Colour::BOTH[rng::below(&mut stream, 2) as usize]];
        let mut squares: Vec<u8> = (0..32).collect();
        rng::shuffle(&mut stream, &mut squares);
        let pieces: Vec<(u8, Piece)> =
            squares.into_iter().zip(colours.map(|colour| piece(&mut stream, colour))).collect();
        let to_move = Colour::BOTH[rng::below(&mut stream, 2) as usize];
        DarkChess::revealed(pieces, to_move, &DarkRules::default())
    };
    let games = std::iter::repeat_with(game).take(20_000);
    // The tablebase has no position with two kings of a colour.
    let games =
        games.filter(|game| DarkChess::parse_fen(&game.fen(), &DarkRules::default()).is_ok());
    let compared = compare(&table, games);
    assert!(compared > 5000, "{compared}");
}

#[test]
fn no_hidden_piece_wins_what_cannot_be_won() {
    let mut compared = 0;
    for (at, start) in
        ["??/2/2/?? - - KPgm - 0", "??/2/2/?? - - GNmp - 0", "??/1?/2/?? - - KGmrn - 0"]
            .into_iter()
            .enumerate()
    {
        let mut solver: SmallBoardSolver = small_solver();
        for index in 0..40 {
            let mut stream = rng::stream(index, at as u64, "fortresses with hidden pieces");
            let mut game = parse(start);
            for _ in 0..30 {
                let list: Vec<DarkMove> = match game.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance => chance_outcomes(&game).iter().map(|o| o.0).collect(),
                    Turn::Player(_) => {
                        if let Some(own) = game.colour_to_move() {
                            let value = solver.value(&game);
                            let sides = [own, own.other()].map(|c| cannot_win(&game, c));
                            assert!(!sides[0] || value <= 0, "{value} {}", game.fen());
                            assert!(!sides[1] || value >= 0, "{value} {}", game.fen());
                            compared += usize::from(sides[0] || sides[1]);
                        }
                        legal_moves(&game)
                    }
                };
                game.play(list[rng::below(&mut stream, list.len() as u64) as usize]);
            }
        }
    }
    assert!(compared > 200, "{compared}");
}
