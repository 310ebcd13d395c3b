//! Tests of the rules: conformance, a second implementation, and single cases.

use super::*;
use crate::game::{Game, Outcome, Player, Turn, chance_outcomes, legal_moves};
use crate::perft::perft;
use crate::refereed::Refereed;
use crate::{Record, arbiter, conformance, rng};

const START: &str =
    "????/????/????/????/????/????/????/???? - - KGGMMRRNNCCPPPPPkggmmrrnnccppppp - 0";

fn parse(fen: &str) -> DarkChess {
    DarkChess::parse_fen(fen, &DarkRules::default()).unwrap()
}

fn rules(board: BoardSize) -> DarkRules {
    DarkRules { board, ..DarkRules::default() }
}

/// The tokens of all moves, sorted.
fn tokens(state: &DarkChess) -> Vec<String> {
    let mut all: Vec<String> =
        legal_moves(state).into_iter().map(|m| state.move_token(m)).collect();
    all.sort();
    all
}

/// The targets of the piece on a square.
fn from(state: &DarkChess, square: &str) -> Vec<String> {
    let starts = |t: &&String| t.len() == 4 && t.starts_with(square);
    tokens(state).iter().filter(starts).map(|t| t[2..].to_string()).collect()
}

#[test]
fn the_contracts_hold_in_random_games_on_every_board() {
    for (board, games) in [(BoardSize::Full, 30), (BoardSize::Half, 30), (BoardSize::Quarter, 60)] {
        let rules = rules(board);
        let checked = conformance::check(&DarkChess::start(&rules), games, 600, &rules).unwrap();
        assert!(checked > 20 * games, "{checked}");
    }
}

#[test]
fn the_contracts_hold_under_tight_limits() {
    let rules = DarkRules { draw_plies: 7, occurrences: 2, board: BoardSize::Quarter };
    conformance::check(&DarkChess::start(&rules), 60, 200, &rules).unwrap();
}

/// A second implementation on letters: the side's moves as (from, to), a flip as (s, s).
fn plain_moves(cells: &[char; 32], files: i32, ranks: i32, red: bool) -> Vec<(usize, usize)> {
    let own = |c: char| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == red;
    let enemy = |c: char| c.is_ascii_alphabetic() && c.is_ascii_uppercase() != red;
    let rank = |c: char| "KGMRNCP".find(c.to_ascii_uppercase()).unwrap();
    let mut moves = Vec::new();
    for from in 0..32usize {
        let c = cells[from];
        if c == '?' {
            moves.push((from, from));
        }
        if !own(c) {
            continue;
        }
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut x, mut y, mut seen) = (from as i32 % 4, from as i32 / 4, 0);
            let mut first = true;
            loop {
                (x, y) = (x + dx, y + dy);
                if !(0..files).contains(&x) || !(0..ranks).contains(&y) {
                    break;
                }
                let to = (y * 4 + x) as usize;
                let there = cells[to];
                if first && there == '.' {
                    moves.push((from, to));
                }
                if first && enemy(there) && rank(c) != 5 {
                    let (a, b) = (rank(c), rank(there));
                    if (a <= b || (a, b) == (6, 0)) && (a, b) != (0, 6) {
                        moves.push((from, to));
                    }
                }
                first = false;
                if there != '.' {
                    seen += 1;
                    if seen == 2 {
                        if rank(c) == 5 && enemy(there) {
                            moves.push((from, to));
                        }
                        break;
                    }
                }
            }
        }
    }
    moves.sort_unstable();
    moves
}

fn cells(state: &DarkChess) -> [char; 32] {
    std::array::from_fn(|s| match state.piece_at(s as u8) {
        Some(piece) => piece.letter(),
        None if state.hidden() >> s & 1 != 0 => '?',
        None => '.',
    })
}

#[test]
fn moves_agree_with_a_plain_second_implementation() {
    let mut compared = 0;
    for (board, files, ranks) in
        [(BoardSize::Full, 4, 8), (BoardSize::Half, 4, 4), (BoardSize::Quarter, 2, 4)]
    {
        for game in 0..40 {
            let mut rng = rng::stream(game, 0, "darkchess tests");
            let mut record = Record::new(DarkChess::start(&rules(board)));
            while !matches!(record.turn(), Turn::Over(_)) {
                let state = record.current();
                let list: Vec<DarkMove> = if record.turn() == Turn::Chance {
                    chance_outcomes(state).into_iter().map(|o| o.0).collect()
                } else {
                    let ours = legal_moves(state);
                    let red = state.colour_to_move().is_none_or(|c| c == Colour::Red);
                    let mut pairs: Vec<_> = ours
                        .iter()
                        .map(|m| match *m {
                            DarkMove::Step { from, to } => (from.into(), to.into()),
                            DarkMove::Flip(s) => (usize::from(s), s.into()),
                            DarkMove::Reveal(_) => unreachable!(),
                        })
                        .collect();
                    pairs.sort_unstable();
                    assert_eq!(pairs, plain_moves(&cells(state), files, ranks, red));
                    compared += 1;
                    ours
                };
                record.push(list[rng::below(&mut rng, list.len() as u64) as usize]);
            }
        }
    }
    assert!(compared > 5000, "{compared}");
}

#[test]
fn perft_of_the_start_counts_flips_and_pieces() {
    let mut state = DarkChess::start(&DarkRules::default());
    assert_eq!(state.fen(), START);
    // 32 squares, 14 kinds, then 31 flips; the second player has no piece to move yet.
    assert_eq!(perft(&mut state, 1), 32);
    assert_eq!(perft(&mut state, 2), 32 * 14);
    assert_eq!(perft(&mut state, 3), 32 * 14 * 31);
    // The remaining kinds: 13 after a king, 14 after any other.
    assert_eq!(perft(&mut state, 4), 32 * 31 * (2 * 13 + 12 * 14));
}

#[test]
fn known_perft_counts_do_not_change() {
    let mut small = DarkChess::start(&rules(BoardSize::Quarter));
    let counts: Vec<u64> = (1..=8).map(|d| perft(&mut small, d)).collect();
    assert_eq!(counts, QUARTER);
    let mut open = parse("k2P/1c2/4/2R1/n3/1C1p/4/K1g1 r r - GGMMRNNCPPPPgmmrrncpppp 3");
    let counts: Vec<u64> = (1..=5).map(|d| perft(&mut open, d)).collect();
    assert_eq!(counts, OPEN);
}

const QUARTER: [u64; 8] = [8, 64, 448, 3136, 19_200, 115_200, 619_776, 3_126_624];
const OPEN: [u64; 5] = [12, 180, 2152, 30_705, 356_580];

#[test]
fn ranks_decide_what_takes_what_but_kings_and_pawns_are_peculiar() {
    let takes = |kind: Kind| {
        Kind::ALL.into_iter().filter(|k| kind.takes(*k)).map(|k| k.index()).collect::<Vec<_>>()
    };
    assert_eq!(takes(Kind::King), [0, 1, 2, 3, 4, 5]);
    assert_eq!(takes(Kind::Guard), [1, 2, 3, 4, 5, 6]);
    assert_eq!(takes(Kind::Minister), [2, 3, 4, 5, 6]);
    assert_eq!(takes(Kind::Rook), [3, 4, 5, 6]);
    assert_eq!(takes(Kind::Knight), [4, 5, 6]);
    assert_eq!(takes(Kind::Cannon), [0usize; 0]);
    assert_eq!(takes(Kind::Pawn), [0, 6]);
    let colour = Colour::Red;
    for kind in Kind::ALL {
        let pieces = Kind::ALL.into_iter().enumerate();
        let all = pieces.map(|(i, k)| (4 + i as u8, Piece::new(Colour::Black, k)));
        let state = DarkChess::revealed(all, colour, &DarkRules::default());
        let prey: Vec<usize> =
            Squares(state.capturable(colour, kind)).map(|s| usize::from(s) - 4).collect();
        assert_eq!(prey, takes(kind), "{kind:?}");
    }
}

#[test]
fn a_cannon_takes_by_jumping_over_exactly_one_piece_and_never_what_lies_face_down() {
    let state = parse("p3/?3/1k2/p3/4/1R2/C?gp/4 r r Pm - 0");
    // On the red rook's file: nothing; on b2 to c2: over a face-down piece. On a2-a5 there is no
    // screen, on a8 there are two.
    assert_eq!(from(&state, "a2"), ["a1", "a3", "c2"]);
    let behind = parse("4/4/4/4/?3/4/k3/C3 r r P - 0");
    assert_eq!(from(&behind, "a1"), ["b1"]);
    let far = parse("k3/4/4/P3/4/4/4/C2p r r - - 0");
    assert_eq!(from(&far, "a1"), ["a2", "a8", "b1"]);
}

#[test]
fn the_first_piece_turned_over_gives_the_first_player_its_colour() {
    let mut record =
        Record::<DarkChess>::from_text(None, &["b3", "=k"], &DarkRules::default()).unwrap();
    let state = record.current();
    assert_eq!(state.colour_of(Player::First), Some(Colour::Black));
    assert_eq!(record.turn(), Turn::Player(Player::Second));
    assert_eq!(
        state.fen(),
        "????/????/????/????/????/?k??/????/???? r b KGGMMRRNNCCPPPPPggmmrrnnccppppp - 0"
    );
    assert!(record.push_text("b3b4").is_err_and(|e| e.to_string().contains("no red piece")));
    assert_eq!(tokens(record.current()).len(), 31);
}

#[test]
fn what_is_being_turned_over_is_one_of_the_pieces_that_lie_face_down() {
    let mut state = parse("?1/1?/2/2 r r Pk - 4");
    state.play(state.parse_move("a4").unwrap());
    assert_eq!(state.turn(), Turn::Chance);
    assert_eq!(state.fen(), "?1/1?/2/2 r r Pk - 4 a4");
    assert_eq!(chance_outcomes(&state).len(), 2);
    assert!(state.parse_move("=K").is_err() && state.parse_move("a4").is_err());
    state.play(state.parse_move("k").unwrap());
    assert_eq!(state.fen(), "k1/1?/2/2 b r P - 0");
}

#[test]
fn who_has_no_piece_left_or_no_move_has_lost() {
    let mut state = parse("2/2/Rp/2 r r - - 5");
    state.play(state.parse_move("a2xb2").unwrap());
    assert_eq!(state.turn(), Turn::Over(Outcome::Win(Player::First)));
    // The pieces left face down belong to the winner.
    let mut state = parse("2/?1/Rp/2 r r P - 5");
    state.play(state.parse_move("a2xb2").unwrap());
    assert_eq!(state.turn(), Turn::Over(Outcome::Win(Player::First)));
    let shut_in = parse("2/2/P1/kP b r - - 5");
    assert_eq!(from(&shut_in, "a1"), [""; 0]);
    assert_eq!(shut_in.turn(), Turn::Over(Outcome::Win(Player::First)));
}

#[test]
fn plies_without_capture_or_flip_draw_the_game() {
    let rules = DarkRules { draw_plies: 4, ..DarkRules::default() };
    let mut state = DarkChess::parse_fen("k3/4/4/K3 r r - - 3", &rules).unwrap();
    state.play(state.parse_move("a1b1").unwrap());
    assert_eq!(state.turn(), Turn::Over(Outcome::Draw));
    let never = DarkRules { draw_plies: 0, ..DarkRules::default() };
    let state = DarkChess::parse_fen("k3/4/4/K3 r r - - 60000", &never).unwrap();
    assert_eq!(state.turn(), Turn::Player(Player::First));
}

#[test]
fn the_third_occurrence_of_a_position_draws_the_game() {
    let cycle = ["a1b1", "a4b4", "b1a1", "b4a4"];
    let moves: Vec<&str> = cycle.iter().cycle().take(8).copied().collect();
    let fen = Some("k3/4/4/K3 r r - - 0");
    let play = |n: usize, rules: &DarkRules| {
        Record::<DarkChess>::from_text(fen, &moves[..n], rules).unwrap().turn()
    };
    let rules = DarkRules::default();
    assert_eq!(play(7, &rules), Turn::Player(Player::Second));
    assert_eq!(play(8, &rules), Turn::Over(Outcome::Draw));
    let twice = DarkRules { occurrences: 2, ..rules };
    assert_eq!(play(4, &twice), Turn::Over(Outcome::Draw));
    let never = DarkRules { occurrences: 0, ..rules };
    assert_eq!(play(8, &never), Turn::Player(Player::First));
}

#[test]
fn a_shuffle_lies_under_the_squares_whatever_order_they_are_turned_over_in() {
    let start = DarkChess::start(&DarkRules::default());
    let shuffled = |seed| start.deal(&mut rng::stream(seed, 0, "deal"));
    let deal = shuffled(17);
    let mut left = *start.pool();
    for (place, piece) in &deal {
        assert!(start.is_legal(*place));
        let DarkMove::Reveal(piece) = piece else { panic!("{piece:?}") };
        left[piece.index()] -= 1;
    }
    assert_eq!(left, [0; PIECES]);
    assert_eq!(deal, shuffled(17));
    assert_ne!(deal, shuffled(18));
}

#[test]
fn rule_options_reach_the_game() {
    let game = arbiter::game("darkchess").unwrap();
    let set = |name: &str, value: &str| vec![(name.to_string(), value.to_string())];
    let board = game.open(None, &set("Board", "2x4")).unwrap();
    assert_eq!(board.fen(), "??/??/??/?? - - KGCPkgcp - 0");
    let board = game.open(Some("k3/4/4/K3 r r - - 59"), &set("DrawPlies", "60")).unwrap();
    assert_eq!(board.count_moves(), 2);
    assert!(game.open(None, &set("DrawPlies", "-1")).is_err());
}

#[test]
fn bad_text_is_refused_with_a_reason() {
    let refused = |fen: &str| DarkChess::parse_fen(fen, &DarkRules::default()).unwrap_err().reason;
    assert!(refused("????").contains("1 fields"));
    assert!(refused("??/? r r Pk - 0").contains("rank 1 has 1"));
    assert!(refused("?????/???? r r Pk - 0").contains("more than 4"));
    assert!(refused("?Z/?? r r Pk - 0").contains("`Z`"));
    assert!(refused("??/?? r r Pk - 0").contains("4 squares `?`, but 2"));
    assert!(refused("KK/2 r r - - 0").contains("2 pieces K"));
    assert!(refused("K1/2 - - - - 0").contains("colours are decided"));
    assert!(refused("K1/2 r - - - 0").contains("both"));
    assert!(refused("K1/2 w r - - 0").contains("`w`"));
    assert!(refused("K1/1k r r - - soon").contains("`soon`"));
    assert!(refused("2/2 r r - - 0").contains("no pieces"));
    assert!(refused("K1/1? r r p - 0 a1").contains("face down on `a1`"));
    assert!(refused("K1/1k r r - X 0").contains("`X`"));
    let state = parse("k2P/1c2/4/2R1/n3/1C1p/4/K1g1 r r - - 3");
    let reason = |text: &str| state.parse_move(text).unwrap_err().to_string();
    assert!(reason("a9").contains("not a move"));
    assert!(reason("é1\u{0}").contains("not a move"));
    assert!(reason("a2").contains("face down"));
    assert!(reason("=K").contains("turned over"));
    assert!(reason("c5c7").contains("not next to"));
    assert!(reason("a8a7").contains("no red piece"));
    let hidden = parse("K?/1k r r P - 0");
    assert!(hidden.parse_move("a2b2").unwrap_err().to_string().contains("lies face down"));
    let pawn = parse("Kp/1k r r - - 0");
    assert!(pawn.parse_move("a2xb2").unwrap_err().to_string().contains("does not take"));
}
