//! The puzzles and figures of the thesis, and db-search against searching all orders.

use super::gomoku::Gomoku;
use super::letters::Letters;
use super::*;
use agon_protocol::rng;

/// The number of different states that a search of all orders sees, and whether one is a goal.
fn all_orders<P: Problem>(problem: &P) -> (usize, bool) {
    let mut seen = BTreeSet::from([problem.start()]);
    let mut open = vec![problem.start()];
    let mut goal = false;
    while let Some(state) = open.pop() {
        goal |= problem.is_goal(&state);
        for operator in problem.operators(&state) {
            let mut next = state.clone();
            change(&mut next, &operator);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    (seen.len(), goal)
}

#[test]
fn the_puzzle_of_figures_16_to_18_is_solved() {
    let puzzle = Letters::new("aaccadd").unwrap();
    let outcome = search(&puzzle, 10_000);
    let solution = outcome.solution.unwrap();
    assert_eq!(solution.len(), 6);
    assert!(puzzle.is_goal(&replay(&puzzle, &solution).unwrap()));
    assert!(outcome.combination_nodes > 0);
}

#[test]
fn the_first_stage_of_figure_16_has_the_nodes_of_the_figure() {
    // aa to e or b, cc to b or d, dd to c or e, and what depends on them alone.
    let puzzle = Letters::new("aaccadd").unwrap();
    let mut search = Search {
        problem: &puzzle,
        nodes: vec![Node {
            state: puzzle.start(),
            path: Vec::new(),
            fresh: Vec::new(),
            level: 0,
            combination: false,
        }],
        seen: FastSet::default(),
        most: 1000,
    };
    assert_eq!(search.dependency_stage(1), None);
    assert_eq!(search.nodes.len(), 1 + 6);
    assert_eq!(search.combination_stage(1), None);
    // B and B of the first four letters can be reduced together: the only combination (figure 17).
    assert_eq!(search.nodes.len(), 1 + 6 + 1);
}

#[test]
fn the_puzzle_in_the_text_is_solved_and_an_unsolvable_one_is_not() {
    let solved = search(&Letters::new("aabdee").unwrap(), 10_000);
    assert!(solved.solution.is_some());
    for word in ["ab", "abab", "aaccad"] {
        assert_eq!(search(&Letters::new(word).unwrap(), 10_000).solution, None, "{word}");
    }
    assert!(Letters::new("abf").is_none() && Letters::new("").is_none());
}

#[test]
fn db_search_solves_exactly_the_words_that_all_orders_solve() {
    let mut solved = 0;
    for index in 0..400 {
        let mut stream = rng::stream(index, 0, "letters");
        let length = 2 + rng::below(&mut stream, 6) as usize;
        let word: String =
            (0..length).map(|_| char::from(b'a' + rng::below(&mut stream, 3) as u8)).collect();
        let puzzle = Letters::new(&word).unwrap();
        let outcome = search(&puzzle, 2_000);
        assert_eq!(outcome.solution.is_some(), all_orders(&puzzle).1, "{word}");
        if let Some(solution) = outcome.solution {
            assert!(puzzle.is_goal(&replay(&puzzle, &solution).unwrap()), "{word}");
            solved += 1;
        }
    }
    assert!(solved > 40, "{solved}");
}

/// Eight threes closed at one end, far from each other: as figure 3, no win.
const FIGURE_3: [&str; 15] = [
    "OXXX.......XXXO",
    "...............",
    "...............",
    "OXXX.......XXXO",
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "...............",
    "OXXX.......XXXO",
    "...............",
    "...............",
    "OXXX.......XXXO",
];

#[test]
fn regions_that_have_nothing_to_do_with_each_other_are_searched_apart() {
    let position = Gomoku::new(&FIGURE_3, false).unwrap();
    let outcome = search(&position, 1000);
    assert_eq!(outcome.solution, None);
    // Two fours for each of eight threes. All orders, even with every position seen once only,
    // are 3^8 = 6,561.
    assert_eq!((outcome.dependency_nodes, outcome.combination_nodes), (17, 0));
    assert_eq!(all_orders(&position), (6561, false));
}

#[test]
fn a_chain_of_threats_that_depend_on_each_other_wins() {
    // As figure 4: a four gives the next one its third stone; no combination is needed.
    let rows = [
        ".........",
        "..O......",
        "..X......",
        "..X......",
        "..X......",
        "...XX....",
        ".........",
        ".........",
    ];
    let position = Gomoku::new(&rows, false).unwrap();
    let outcome = search(&position, 1000);
    let solution = outcome.solution.unwrap();
    assert!(position.is_goal(&replay(&position, &solution).unwrap()));
    assert_eq!(outcome.combination_nodes, 0);
}

#[test]
fn two_chains_that_meet_must_be_combined() {
    // As figures 5 and 6: neither four leads on alone; with both on the board a third one does.
    let rows = [
        ".........",
        "..O..O...",
        "..X..X...",
        "..X..X...",
        "..X.OX...",
        "...X.....",
        ".........",
        ".........",
    ];
    let position = Gomoku::new(&rows, false).unwrap();
    let outcome = search(&position, 1000);
    let solution = outcome.solution.unwrap();
    assert!(position.is_goal(&replay(&position, &solution).unwrap()));
    assert!(outcome.combination_nodes > 0 && outcome.levels > 1);
    // Without the lonely stone there is nothing to meet in.
    let without = rows.map(|r| if r == "...X....." { "........." } else { r });
    let position = Gomoku::new(&without, false).unwrap();
    assert_eq!(search(&position, 1000).solution, None);
}

#[test]
fn a_three_is_answered_on_all_its_points_at_once() {
    let rows = [".......", ".......", "..XX...", ".......", ".......", ".......", "......."];
    let threes = Gomoku::new(&rows, true).unwrap();
    let operators = threes.operators(&threes.start());
    // Three runs of six hold both stones inside, with two points each to make three.
    assert!(!operators.is_empty() && operators.iter().all(|f| f.add.len() == 4));
    let fours = Gomoku::new(&rows, false).unwrap();
    assert!(fours.operators(&fours.start()).is_empty());
}
