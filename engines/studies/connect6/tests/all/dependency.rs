//! Dependency-based search of attributes: the thesis's example, and a comparison with a plain search.

use agon_connect6_studies::dependency::letters::{BadWord, Letter, LettersPuzzle, replace, word};
use agon_connect6_studies::dependency::{AttributeSpace, DependencyGraph, Operator, plain, search};
use agon_games::rng;
use std::collections::BTreeSet;

const MOST: usize = 200_000;

fn stage(graph: &DependencyGraph<Letter>, stage: usize) -> Vec<String> {
    graph.nodes.iter().filter(|node| node.stage == stage).map(|node| word(&node.state)).collect()
}

/// Whether the searches agree, and every goal of the graph can be reached by its path. Returns `None` if
/// one of them was cut off.
fn agree<S: AttributeSpace>(space: &S) -> Option<bool> {
    let (graph, all) = (search(space, MOST), plain(space, MOST));
    if !graph.complete || !all.complete {
        return None;
    }
    assert_eq!(!graph.goals.is_empty(), all.solved);
    for goal in &graph.goals {
        let mut state = space.start();
        for operator in graph.path(*goal) {
            state = operator.apply(&state).expect("a path applies");
        }
        assert!(state.iter().any(|a| space.is_goal(a)) && state == graph.nodes[*goal].state);
    }
    Some(all.solved)
}

#[test]
fn the_thesis_s_puzzle_has_the_stages_of_its_figures() {
    let puzzle = LettersPuzzle::new("aaccadd").unwrap();
    let graph = search(&puzzle, MOST);
    // Figure 16: the six operators that apply to the root; nothing depends on them.
    assert_eq!(stage(&graph, 0), ["aaccadd"]);
    let first = ["Eccadd", "Bccadd", "aaBadd", "aaDadd", "aaccaC", "aaccaE"];
    assert_eq!(stage(&graph, 1), first);
    assert_eq!(graph.nodes[1].operator, Some(replace(0, 0, 1, 'a', 'e')));
    // Figure 17: BBadd is the only combination, of f1 = (2, 2, 3, c, b) and f2 = (0, 0, 1, a, b), and
    // makes f = (0, 1, 3, b, a) possible.
    assert_eq!(stage(&graph, 2), ["BBadd"]);
    let parents = graph.nodes[7].parents.iter().map(|i| graph.nodes[*i].operator.clone().unwrap());
    let parents: BTreeSet<_> = parents.collect();
    assert_eq!(parents, BTreeSet::from([replace(2, 2, 3, 'c', 'b'), replace(0, 0, 1, 'a', 'b')]));
    assert_eq!(graph.nodes[8].operator, Some(replace(0, 1, 3, 'b', 'a')));
    // Figure 18: the final graph.
    assert_eq!(stage(&graph, 3), ["Aadd", "Cadd", "Edd", "Bdd"]);
    assert_eq!(stage(&graph, 4), ["EE"]);
    assert_eq!(stage(&graph, 5), ["D", "A"]);
    assert!(graph.complete && graph.nodes.len() == 15 && graph.goals == [13, 14]);
    assert_eq!(graph.path(13).len(), 6);
    assert_eq!((agree(&puzzle), plain(&puzzle, MOST).states), (Some(true), 41));
    // The other example of the section.
    assert_eq!(agree(&LettersPuzzle::new("aabdee").unwrap()), Some(true));
}

#[test]
fn a_word_is_solved_if_and_only_if_a_plain_search_solves_it() {
    let mut words: Vec<String> = vec![String::new()];
    let mut compared = [0, 0];
    for _ in 0..5 {
        words =
            words.iter().flat_map(|w| "abcde".chars().map(move |c| format!("{w}{c}"))).collect();
        for word in &words {
            compared[usize::from(agree(&LettersPuzzle::new(word).unwrap()).unwrap())] += 1;
        }
    }
    assert!(compared[0] > 3000 && compared[1] > 50, "{compared:?}");
    // Longer words: made from one letter by replacing it by pairs, so that many have solutions.
    let mut stream = rng::stream(1, 0, "double letters");
    let mut compared = [0, 0, 0];
    for _ in 0..200 {
        let mut word = vec![rng::below(&mut stream, 5)];
        for _ in 0..5 {
            let at = rng::below(&mut stream, word.len() as u64) as usize;
            let pair = (word[at] + if rng::below(&mut stream, 2) == 0 { 1 } else { 4 }) % 5;
            word.splice(at..=at, [pair, pair]);
        }
        if rng::below(&mut stream, 2) == 0 {
            let at = rng::below(&mut stream, word.len() as u64) as usize;
            word[at] = rng::below(&mut stream, 5);
        }
        let word: String = word.iter().map(|l| char::from(b'a' + *l as u8)).collect();
        match agree(&LettersPuzzle::new(&word).unwrap()) {
            Some(solved) => compared[usize::from(solved)] += 1,
            None => compared[2] += 1,
        }
    }
    assert!(compared[0] > 20 && compared[1] > 100 && compared[2] == 0, "{compared:?}");
}

/// Numbered operators over numbers.
struct Chain {
    start: BTreeSet<u64>,
    operators: Vec<Operator<u64>>,
    goal: u64,
}

impl AttributeSpace for Chain {
    type Attribute = u64;

    fn start(&self) -> BTreeSet<u64> {
        self.start.clone()
    }

    fn operators(&self, of: &BTreeSet<u64>) -> Vec<Operator<u64>> {
        self.operators.iter().filter(|o| o.pre.is_subset(of)).cloned().collect()
    }

    fn is_goal(&self, attribute: &u64) -> bool {
        *attribute == self.goal
    }
}

/// A space in which operator i uses up the attribute 100 + i, so that it applies once, and adds i. It
/// needs up to three of the attributes before i, and deletes some of them and of others: operators may be
/// in conflict, or possible in one order only.
fn random_chain(index: u64) -> Chain {
    let mut stream = rng::stream(2, index, "attributes");
    let (given, made) = (3, 7);
    let mut operators = Vec::new();
    for i in given..given + made {
        let token = 100 + i;
        let mut pre = BTreeSet::from([token]);
        for _ in 0..=rng::below(&mut stream, 3) {
            pre.insert(rng::below(&mut stream, i));
        }
        let mut del = BTreeSet::from([token]);
        del.extend(pre.iter().copied().filter(|_| rng::below(&mut stream, 4) == 0));
        if rng::below(&mut stream, 4) == 0 {
            del.insert(rng::below(&mut stream, given));
        }
        operators.push(Operator { pre, del, add: BTreeSet::from([i]) });
    }
    let start = (0..given).chain((given..given + made).map(|i| 100 + i)).collect();
    Chain { start, operators, goal: given + made - 1 }
}

#[test]
fn operators_with_several_conditions_and_conflicts_are_combined_as_in_a_plain_search() {
    let mut compared = [0, 0];
    for index in 0..2000 {
        compared[usize::from(agree(&random_chain(index)).unwrap())] += 1;
    }
    assert!(compared.iter().all(|n| *n > 300), "{compared:?}");
}

#[test]
fn a_search_that_is_cut_off_says_so_and_a_bad_word_is_refused() {
    let puzzle = LettersPuzzle::new("aaccadd").unwrap();
    for most in 0..14 {
        let graph = search(&puzzle, most);
        assert!(!graph.complete && graph.nodes.len() <= most + 1, "{most}");
        assert!(plain(&puzzle, most + 1).states <= most + 1);
    }
    assert!(!plain(&puzzle, 5).complete);
    assert_eq!(LettersPuzzle::new("").unwrap_err(), BadWord::Length(0));
    assert_eq!(LettersPuzzle::new("abf").unwrap_err(), BadWord::Letter(3, 'f'));
    assert_eq!(LettersPuzzle::new(&"a".repeat(65)).unwrap_err(), BadWord::Length(65));
    let one = search(&LettersPuzzle::new("e").unwrap(), MOST);
    assert!(one.goals == [0] && one.path(0).is_empty());
}
