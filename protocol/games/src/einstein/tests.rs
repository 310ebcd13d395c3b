//! The rules and notation of EinStein: set-ups, dice, captures, FEN, known perft counts.

use super::*;
use crate::arbiter;
use crate::conformance;
use crate::game::{Game, Outcome, Player, Turn, chance_outcomes, legal_moves};
use crate::option::{OptionValue, RuleSet};
use crate::perft::perft;
use crate::record::Record;
use crate::rng;

const FIXED: &str = "BFA2/CD3/E3e/3dc/2afb u -";

fn rules(word: &str) -> EinSteinRules {
    let mut rules = EinSteinRules::default();
    rules.set("MissingDie", &OptionValue::Text(word.into()));
    rules
}

fn parse(fen: &str) -> EinStein {
    EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap()
}

fn tokens(state: &EinStein) -> Vec<String> {
    legal_moves(state).into_iter().map(|m| state.move_token(m)).collect()
}

#[test]
fn every_contract_of_the_game_trait_holds_on_random_games() {
    for word in ["next", "nearest"] {
        let rules = rules(word);
        let fixed = EinStein::parse_fen(FIXED, &rules).unwrap();
        assert!(conformance::check(&fixed, 400, 200, &rules).unwrap() > 4000);
        assert!(conformance::check(&EinStein::start(&rules), 30, 200, &rules).unwrap() > 300);
        let concealed = EinStein::parse_fen("5/5/5/5/5 l setup", &rules).unwrap();
        conformance::check(&concealed, 10, 200, &rules).unwrap();
    }
}

#[test]
fn set_ups_and_dice_multiply_as_they_should() {
    let mut start = EinStein::start(&EinSteinRules::default());
    assert_eq!(
        [perft(&mut start, 1), perft(&mut start, 2), perft(&mut start, 3)],
        [720, 720 * 720, 720 * 720 * 6]
    );
}

/// A second implementation in the simplest form: a list of stones and a search for the numbers. It
/// shares only the squares with the module.
fn plain_perft(stones: &[(usize, u8, u8)], side: usize, depth: u32, nearest: bool) -> u64 {
    let corner = [24u8, 0];
    let lost = (0..2).any(|s| !stones.iter().any(|t| t.0 == s));
    let arrived = stones.iter().any(|&(s, _, square)| square == corner[s]);
    if depth == 0 {
        return 1;
    }
    if lost || arrived {
        return 0;
    }
    if depth == 1 {
        return 6;
    }
    let own: Vec<(u8, u8)> = stones.iter().filter(|t| t.0 == side).map(|t| (t.1, t.2)).collect();
    let mut total = 0;
    for die in 1..=6i32 {
        let numbers = own.iter().map(|s| i32::from(s.0));
        let up = numbers.clone().filter(|&n| n >= die).min();
        let down = numbers.filter(|&n| n <= die).max();
        let mut choice: Vec<i32> = up.into_iter().chain(down).collect();
        choice.dedup();
        if nearest && let (Some(u), Some(d)) = (up, down) {
            let best = (u - die).min(die - d);
            choice.retain(|&n| (n - die).abs() == best);
        }
        for &(number, square) in &own {
            if !choice.contains(&i32::from(number)) {
                continue;
            }
            let (row, column) = (i32::from(square) / 5, i32::from(square) % 5);
            for (dr, dc) in [(0, 1), (1, 0), (1, 1)] {
                let (r, c) =
                    if side == 0 { (row + dr, column + dc) } else { (row - dr, column - dc) };
                if !(0..5).contains(&r) || !(0..5).contains(&c) {
                    continue;
                }
                let to = (r * 5 + c) as u8;
                let mut next: Vec<_> = stones.iter().copied().filter(|t| t.2 != to).collect();
                next.retain(|t| (t.0, t.1) != (side, number));
                next.push((side, number, to));
                total += plain_perft(&next, 1 - side, depth - 2, nearest);
            }
        }
    }
    total
}

fn stones(state: &EinStein) -> Vec<(usize, u8, u8)> {
    let mut list = Vec::new();
    for player in Player::BOTH {
        for (i, &square) in state.squares(player).iter().enumerate() {
            if state.alive(player) & 1 << i != 0 {
                list.push((player.index(), i as u8 + 1, square));
            }
        }
    }
    list
}

#[test]
fn perft_agrees_with_a_plain_second_implementation() {
    let mut rng = rng::stream(3, 0, "einstein tests");
    for word in ["next", "nearest"] {
        let rules = rules(word);
        let mut record = Record::new(EinStein::parse_fen(FIXED, &rules).unwrap());
        for _ in 0..12 {
            let mut state = *record.current();
            if let Stage::Decide(player, _) = state.stage() {
                state.set_stage(Stage::Roll(player));
            }
            let side = state.player().index();
            for depth in [2, 3, 6] {
                let plain = plain_perft(&stones(&state), side, depth, word == "nearest");
                assert_eq!(perft(&mut state, depth), plain, "depth {depth} of {}", state.fen());
            }
            for _ in 0..2 {
                let moves: Vec<EinSteinMove> = match record.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance => {
                        chance_outcomes(record.current()).into_iter().map(|o| o.0).collect()
                    }
                    Turn::Player(_) => legal_moves(record.current()),
                };
                record.push(moves[rng::below(&mut rng, moves.len() as u64) as usize]);
            }
        }
    }
}

#[test]
fn known_perft_counts_do_not_change() {
    let mut state = parse(FIXED);
    let counts: Vec<u64> = (1..=6).map(|d| perft(&mut state, d)).collect();
    assert_eq!(counts, [6, 18, 108, 324, 1944, 6108]);
}

#[test]
fn a_missing_number_lets_the_next_living_ones_move_in_rank_not_in_distance() {
    // Stones 1, 2 and 5 are alive.
    let alive = 0b1_0011;
    assert_eq!(movable_stones(MissingDie::Next, alive, 4), 0b1_0010);
    assert_eq!(movable_stones(MissingDie::Next, alive, 3), 0b1_0010);
    assert_eq!(movable_stones(MissingDie::Next, alive, 6), 0b1_0000);
    assert_eq!(movable_stones(MissingDie::Next, alive, 2), 0b0_0010);
}

#[test]
fn under_the_nearest_reading_only_a_tie_leaves_a_choice() {
    let alive = 0b1_0011;
    assert_eq!(movable_stones(MissingDie::Nearest, alive, 4), 0b1_0000);
    assert_eq!(movable_stones(MissingDie::Nearest, alive, 3), 0b0_0010);
    // Stones 2 and 4: a 3 is equally near to both.
    assert_eq!(movable_stones(MissingDie::Nearest, 0b1010, 3), 0b1010);
}

#[test]
fn stones_move_forward_only_and_stay_on_the_board() {
    let state = parse("4A/5/2f2/5/5 u 3");
    assert_eq!(tokens(&state), ["e5e4"]);
    let state = parse("4A/5/2f2/5/5 l 3");
    assert_eq!(tokens(&state), ["c3b3", "c3c4", "c3b4"]);
}

#[test]
fn an_own_stone_may_be_taken() {
    let mut state = parse("AB3/5/5/5/4f u 1");
    let own = state.parse_move("a5xb5").unwrap();
    assert_eq!(state.display_move(own), "a5xb5");
    state.play(own);
    assert_eq!(state.fen(), "1A3/5/5/5/4f l -");
}

#[test]
fn reaching_the_goal_corner_wins() {
    let mut state = parse("1f3/5/5/3A1/5 u 6");
    state.play(state.parse_move("d2e1").unwrap());
    assert_eq!(state.turn(), Turn::Over(Outcome::Win(Player::First)));
    let mut state = parse("5/1f3/5/3A1/5 l 6");
    state.play(state.parse_move("b4a5").unwrap());
    assert_eq!(state.turn(), Turn::Over(Outcome::Win(Player::Second)));
}

#[test]
fn taking_the_last_enemy_stone_wins() {
    let mut state = parse("5/1A3/2f2/5/5 l 2");
    state.play(state.parse_move("c3b4").unwrap());
    assert_eq!(state.turn(), Turn::Over(Outcome::Win(Player::Second)));
    assert!(state.parse_move("3").is_err());
}

#[test]
fn the_second_player_sets_up_without_seeing_the_first_ones_stones() {
    let game = arbiter::game("einstein").unwrap();
    let mut arbiter = game.open(None, &[]).unwrap();
    assert_eq!(arbiter.player_view_fen(Player::First), None);
    arbiter.push("261345").unwrap();
    assert_eq!(arbiter.player_view_fen(Player::First), None);
    let seen = arbiter.player_view_fen(Player::Second).unwrap();
    assert_eq!(seen, "5/5/5/5/5 l setup");
    arbiter.push("123456").unwrap();
    assert_eq!(arbiter.player_view_fen(Player::Second), None);
    assert_eq!(arbiter.fen(), "BFA2/CD3/E3a/3bc/2def u -");
    assert_eq!(arbiter.tokens(), ["261345", "123456"]);
}

#[test]
fn to_the_second_player_chance_reveals_the_first_ones_set_up() {
    let mut state = parse("5/5/5/5/5 l setup");
    state.play(state.parse_move("123456").unwrap());
    assert_eq!(state.turn(), Turn::Chance);
    assert_eq!(chance_outcomes(&state).len(), 720);
    state.play(state.parse_move("261345").unwrap());
    assert_eq!(state.fen(), "BFA2/CD3/E3a/3bc/2def u -");
}

#[test]
fn layouts_are_ranked_without_gaps() {
    for rank in 0..Layout::COUNT {
        let layout = Layout::from_rank(rank).unwrap();
        assert_eq!(Layout::from_numbers(layout.numbers()), Some(layout));
    }
    assert_eq!(Layout::from_rank(0).unwrap().numbers(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(Layout::from_rank(720), None);
    assert_eq!(Layout::from_numbers([1, 1, 2, 3, 4, 5]), None);
}

#[test]
fn bad_text_is_refused_with_a_reason() {
    let refused = |fen: &str| {
        let error = EinStein::parse_fen(fen, &EinSteinRules::default()).unwrap_err();
        error.reason
    };
    assert!(refused("ABC2/DE3/F3f/3ed/2cba u").contains("three"));
    assert!(refused("ABC2/DE3/F3f/3ed/2cba w -").contains("`u` or `l`"));
    assert!(refused("ABC2/DE3/F3f/3ed/2cba u 7").contains("die `7`"));
    assert!(refused("ABC2/DE3/F3f/3ed/2cb u -").contains("rank 1 has 4"));
    assert!(refused("ABC3/DE3/F3f/3ed/2cba u -").contains("rank 5: more than 5 squares"));
    assert!(refused("AAC2/DE3/F3f/3ed/2cba u -").contains("second stone `A`"));
    assert!(refused("AZC2/DE3/F3f/3ed/2cba u -").contains("`Z`"));
    assert!(refused("5/5/5/5/5 u -").contains("no stones"));
    assert!(refused("f4/5/5/5/4A u -").contains("both"));
    assert!(refused("5/5/5/5/4A l 3").contains("the game is over"));
    assert!(refused("A4/5/5/5/5 u setup").contains("empty board"));
    let state = parse(FIXED);
    assert!(state.parse_move("7").unwrap_err().to_string().contains("not a move"));
    assert!(state.parse_move("a5b5").unwrap_err().to_string().contains("roll of the die"));
    assert!(state.parse_move("").is_err() && state.parse_move("é1\u{0}").is_err());
}
