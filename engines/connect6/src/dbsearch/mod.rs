//! Dependency-based search as Allis (1994) has it, for any single-agent problem (Kang 2012, 2.3).
//!
//! A state is a set of attributes. An operator has three sets of them: what it needs, what it
//! deletes, what it adds. Instead of every order of independent operators the search keeps a graph
//! in which an operator stands below the one whose addition it needs (dependency stage), and below
//! two at once where it needs something of both and neither has it alone (combination stage). The
//! stages alternate until a goal is met or nothing is new.

pub mod gomoku;
pub mod letters;

use agon_protocol::hash::FastSet;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::hash::Hash;

/// A set of attributes.
pub type State<A> = BTreeSet<A>;

/// An operator `f = <f_pre, f_del, f_add>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operator<A> {
    /// What a state must hold.
    pub pre: Vec<A>,
    /// What it takes away; each is also needed.
    pub del: Vec<A>,
    /// What it adds.
    pub add: Vec<A>,
}

/// A problem with one agent.
pub trait Problem {
    /// What states are made of.
    type Attribute: Copy + Ord + Hash + Debug;

    /// The initial state.
    fn start(&self) -> State<Self::Attribute>;

    /// All operators that a state allows, in a fixed order.
    fn operators(&self, state: &State<Self::Attribute>) -> Vec<Operator<Self::Attribute>>;

    /// Whether a state is a goal.
    fn is_goal(&self, state: &State<Self::Attribute>) -> bool;
}

/// A node: the state after an operator, or after two that were combined.
#[derive(Clone, Debug)]
struct Node<A> {
    state: State<A>,
    /// The operators from the start, in an order that can be played.
    path: Vec<Operator<A>>,
    /// What the next operator must need some of: what the node's own operator added.
    fresh: Vec<A>,
    /// The level at which it was made.
    level: usize,
    combination: bool,
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<A> {
    /// The operators that lead to a goal, if one was found.
    pub solution: Option<Vec<Operator<A>>>,
    /// Nodes of the dependency stages, the root included.
    pub dependency_nodes: usize,
    /// Nodes of the combination stages.
    pub combination_nodes: usize,
    /// Pairs of stages.
    pub levels: usize,
}

struct Search<'p, P: Problem> {
    problem: &'p P,
    nodes: Vec<Node<P::Attribute>>,
    /// The sets of operators that nodes stand for: each is made once.
    seen: FastSet<Vec<Operator<P::Attribute>>>,
    most: usize,
}

/// Searches until a goal, the end, or `most` nodes.
pub fn search<P: Problem>(problem: &P, most: usize) -> Outcome<P::Attribute> {
    let root = Node {
        state: problem.start(),
        path: Vec::new(),
        fresh: Vec::new(),
        level: 0,
        combination: false,
    };
    let mut search = Search { problem, nodes: vec![root], seen: FastSet::default(), most };
    let mut level = 0;
    let goal = loop {
        level += 1;
        let from = search.nodes.len();
        if let Some(goal) =
            search.dependency_stage(level).or_else(|| search.combination_stage(level))
        {
            break Some(goal);
        }
        if search.nodes.len() == from || search.nodes.len() >= most {
            break None;
        }
    };
    let combination_nodes = search.nodes.iter().filter(|n| n.combination).count();
    Outcome {
        solution: goal.map(|g| search.nodes[g].path.clone()),
        dependency_nodes: search.nodes.len() - combination_nodes,
        combination_nodes,
        levels: level,
    }
}

impl<P: Problem> Search<'_, P> {
    /// Below the root (at first) and below every combination of the last level, everything that
    /// depends on what is above it.
    fn dependency_stage(&mut self, level: usize) -> Option<usize> {
        if level == 1 && self.problem.is_goal(&self.nodes[0].state) {
            return Some(0);
        }
        let begin = |n: &Node<P::Attribute>| n.combination && n.level + 1 == level;
        let mut open: Vec<usize> = match level {
            1 => vec![0],
            _ => (0..self.nodes.len()).filter(|&i| begin(&self.nodes[i])).collect(),
        };
        while let Some(at) = open.pop() {
            let node = &self.nodes[at];
            let is_root = node.path.is_empty();
            let operators = self.problem.operators(&node.state);
            let fresh = node.fresh.clone();
            for operator in operators {
                let depends = is_root || operator.pre.iter().any(|a| fresh.contains(a));
                if !depends || self.nodes.len() >= self.most {
                    continue;
                }
                if let Some(new) = self.apply(at, &operator, level) {
                    if self.problem.is_goal(&self.nodes[new].state) {
                        return Some(new);
                    }
                    open.push(new);
                }
            }
        }
        None
    }

    fn apply(
        &mut self,
        at: usize,
        operator: &Operator<P::Attribute>,
        level: usize,
    ) -> Option<usize> {
        let node = &self.nodes[at];
        let mut path = node.path.clone();
        path.push(operator.clone());
        let mut name = path.clone();
        name.sort_unstable();
        if !self.seen.insert(name) {
            return None;
        }
        let mut state = node.state.clone();
        change(&mut state, operator);
        let fresh = operator.add.clone();
        self.nodes.push(Node { state, path, fresh, level, combination: false });
        Some(self.nodes.len() - 1)
    }

    /// Pairs of nodes whose operators do not conflict and allow, together, an operator that needs
    /// something of both. At least one of the two is of this level: older pairs have been tried.
    fn combination_stage(&mut self, level: usize) -> Option<usize> {
        let many = self.nodes.len();
        for a in 1..many {
            for b in 1..a {
                if self.nodes[a].level != level && self.nodes[b].level != level {
                    continue;
                }
                if self.nodes.len() >= self.most {
                    return None;
                }
                let Some(merged) = self.merge(a, b, level) else { continue };
                let goal = self.problem.is_goal(&merged.state);
                self.nodes.push(merged);
                if goal {
                    return Some(self.nodes.len() - 1);
                }
            }
        }
        None
    }

    fn merge(&mut self, a: usize, b: usize, level: usize) -> Option<Node<P::Attribute>> {
        let (x, y) = (&self.nodes[a], &self.nodes[b]);
        let mut path = x.path.clone();
        path.extend(y.path.iter().filter(|f| !x.path.contains(f)).cloned());
        if path.len() == x.path.len() || path.len() == y.path.len() {
            return None;
        }
        // Played one after the other from the start: operators that conflict do not go together.
        let mut state = self.nodes[0].state.clone();
        for operator in &path {
            if !operator.pre.iter().all(|p| state.contains(p)) {
                return None;
            }
            change(&mut state, operator);
        }
        let allows = self.problem.operators(&state).into_iter().any(|f| {
            let needs = |n: &Node<P::Attribute>| f.pre.iter().any(|p| n.fresh.contains(p));
            let alone = |n: &Node<P::Attribute>| f.pre.iter().all(|p| n.state.contains(p));
            needs(x) && needs(y) && !alone(x) && !alone(y)
        });
        let fresh: Vec<P::Attribute> = x.fresh.iter().chain(&y.fresh).copied().collect();
        let mut name = path.clone();
        name.sort_unstable();
        (allows && self.seen.insert(name)).then_some(Node {
            state,
            path,
            fresh,
            level,
            combination: true,
        })
    }
}

fn change<A: Ord + Copy>(state: &mut State<A>, operator: &Operator<A>) {
    operator.del.iter().for_each(|a| {
        state.remove(a);
    });
    state.extend(&operator.add);
}

/// Plays a solution from the start; the final state if every operator finds what it needs.
pub fn replay<P: Problem>(
    problem: &P,
    solution: &[Operator<P::Attribute>],
) -> Option<State<P::Attribute>> {
    let mut state = problem.start();
    for operator in solution {
        if !problem.operators(&state).contains(operator) {
            return None;
        }
        change(&mut state, operator);
    }
    Some(state)
}

#[cfg(test)]
mod tests;
