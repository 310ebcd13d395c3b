//! Dependency-based search of any state space of attributes, as section 2.3 of the thesis describes
//! it (Kang 2012, figures 14 to 18, after Allis 1994). [`letters`] is the thesis's example.
//!
//! A state is a set of attributes; an [`Operator`] needs some, deletes some and adds some. An operator
//! depends on another if it needs an attribute that the other adds. (The thesis prints the definition
//! with the two exchanged.) The search keeps a graph of nodes in memory and alternates two stages until
//! there is no new node (figure 14):
//!
//! - dependency: below each new node, every operator that depends on the operator of its parent, or on
//!   every parent of a combination;
//! - combination: nodes that are not in conflict become the parents of a combination if some operator
//!   needs attributes of each of them, and is below none of them (the meta-operator F(N, f)).
//!
//! So operators that have nothing to do with each other are not tried in every order and mixture, as
//! the [`plain`] search does. No solution is lost if the space is monotonous: on no path is an
//! attribute added that was there before.
//!
//! The solver of the engine shares none of this: it searches depth first and keeps a hypergraph of
//! threats instead of nodes (chapter 3), which the thesis names as its difference from Allis
//! (chapter 5).

pub mod letters;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// An operator: f = <pre, del, add>.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operator<A: Ord> {
    /// The attributes that a state must have.
    pub pre: BTreeSet<A>,
    /// Those that it loses.
    pub del: BTreeSet<A>,
    /// Those that it gets.
    pub add: BTreeSet<A>,
}

impl<A: Clone + Ord> Operator<A> {
    /// The state after this operator; `None` if the operator cannot be applied.
    pub fn apply(&self, state: &BTreeSet<A>) -> Option<BTreeSet<A>> {
        let kept = || state.difference(&self.del).chain(&self.add).cloned().collect();
        self.pre.is_subset(state).then(kept)
    }

    /// Whether this operator depends on `other`.
    pub fn depends_on(&self, other: &Operator<A>) -> bool {
        !self.pre.is_disjoint(&other.add)
    }
}

/// A state space of attributes, in which the goal is one attribute.
pub trait AttributeSpace {
    /// What a state has or has not.
    type Attribute: Clone + Ord;

    /// The initial state.
    fn start(&self) -> BTreeSet<Self::Attribute>;

    /// The operators that need only attributes of this set, which is a state or a union of states.
    fn operators(&self, of: &BTreeSet<Self::Attribute>) -> Vec<Operator<Self::Attribute>>;

    /// Whether a state with this attribute is a goal.
    fn is_goal(&self, attribute: &Self::Attribute) -> bool;
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct Node<A: Ord> {
    /// The stage that made it: 0 is the root, odd stages are of dependency, even ones of combination.
    pub stage: usize,
    /// Its parents: none of the root, one of a dependent node, several of a combination.
    pub parents: Vec<usize>,
    /// The operator of a dependent node.
    pub operator: Option<Operator<A>>,
    /// The state: the initial one after the operators of the node and of all above it.
    pub state: BTreeSet<A>,
    /// These operators.
    operators: BTreeSet<Operator<A>>,
}

/// The graph of a search.
#[derive(Clone, Debug)]
pub struct DependencyGraph<A: Ord> {
    /// The nodes; the first is the root.
    pub nodes: Vec<Node<A>>,
    /// Those that are goals.
    pub goals: Vec<usize>,
    /// Whether the search ended by itself: there is no further node.
    pub complete: bool,
    /// The number of nodes and combinations that may still be tried.
    left: usize,
}

/// Searches a space by dependency, trying at most `most` nodes and combinations.
pub fn search<S: AttributeSpace>(space: &S, most: usize) -> DependencyGraph<S::Attribute> {
    let root = Node {
        stage: 0,
        parents: Vec::new(),
        operator: None,
        state: space.start(),
        operators: BTreeSet::new(),
    };
    let goals = if root.state.iter().any(|a| space.is_goal(a)) { vec![0] } else { Vec::new() };
    let mut graph = DependencyGraph { nodes: vec![root], goals, complete: true, left: most };
    let mut new = 0;
    for stage in (1..).step_by(2) {
        let dependent = graph.nodes.len();
        graph.dependency_stage(space, stage, new);
        new = graph.nodes.len();
        graph.combination_stage(space, stage + 1, dependent);
        if !graph.complete || graph.nodes.len() == new {
            break;
        }
    }
    graph
}

impl<A: Clone + Ord> DependencyGraph<A> {
    /// The operators of a node and of all above it, in an order in which they apply.
    pub fn path(&self, node: usize) -> Vec<Operator<A>> {
        let all = self.nodes.get(node).map(|node| &node.operators);
        all.and_then(|all| in_order(&self.nodes[0].state, all)).unwrap_or_default().0
    }

    /// Counts one more try; false if there were too many.
    fn may_try(&mut self) -> bool {
        self.complete &= self.left > 0;
        self.left = self.left.saturating_sub(1);
        self.complete
    }

    /// Adds the dependent nodes below the nodes from `first` on, and below those added.
    fn dependency_stage<S>(&mut self, space: &S, stage: usize, first: usize)
    where
        S: AttributeSpace<Attribute = A>,
    {
        let mut at = first;
        while at < self.nodes.len() {
            for operator in space.operators(&self.nodes[at].state) {
                if !self.depends(&operator, at) {
                    continue;
                }
                let node = &self.nodes[at];
                let Some(state) = operator.apply(&node.state) else { continue };
                let mut operators = node.operators.clone();
                if !operators.insert(operator.clone()) {
                    continue;
                }
                if !self.may_try() {
                    return;
                }
                if operator.add.iter().any(|a| space.is_goal(a)) {
                    self.goals.push(self.nodes.len());
                }
                let (parents, operator) = (vec![at], Some(operator));
                self.nodes.push(Node { stage, parents, operator, state, operators });
            }
            at += 1;
        }
    }

    /// Whether an operator depends on a node: on its own operator or, for a combination, on that of
    /// each parent. All depend on the root.
    fn depends(&self, operator: &Operator<A>, node: usize) -> bool {
        let on = |i: usize| self.nodes[i].operator.as_ref().is_none_or(|o| operator.depends_on(o));
        match self.nodes[node].operator {
            Some(_) => on(node),
            None => self.nodes[node].parents.iter().all(|parent| on(*parent)),
        }
    }

    /// Adds the combinations with at least one parent from `first` on.
    fn combination_stage<S>(&mut self, space: &S, stage: usize, first: usize)
    where
        S: AttributeSpace<Attribute = A>,
    {
        // The nodes whose operators add each attribute; the root is one that gives the others.
        let mut makers: BTreeMap<A, Vec<usize>> = BTreeMap::new();
        for attribute in &self.nodes[0].state {
            makers.entry(attribute.clone()).or_default().push(0);
        }
        for (i, node) in self.nodes.iter().enumerate() {
            for attribute in node.operator.iter().flat_map(|operator| &operator.add) {
                makers.entry(attribute.clone()).or_default().push(i);
            }
        }
        let mut known = BTreeSet::new();
        for operator in space.operators(&makers.keys().cloned().collect()) {
            let needed: Vec<&[usize]> =
                operator.pre.iter().filter_map(|a| makers.get(a).map(Vec::as_slice)).collect();
            let mut choice = vec![0; needed.len()];
            loop {
                let chosen = choice.iter().zip(&needed).map(|(i, nodes)| nodes[*i]);
                let parents = self.maximal(chosen.collect());
                if parents.len() > 1 && parents.iter().any(|i| *i >= first) {
                    if !self.may_try() {
                        return;
                    }
                    self.combine(&operator, parents, stage, &mut known);
                }
                if !next_choice(&mut choice, &needed) {
                    break;
                }
            }
        }
    }

    /// The nodes that are above none of the others, without the root.
    fn maximal(&self, nodes: BTreeSet<usize>) -> Vec<usize> {
        let operators = |i: &usize| &self.nodes[*i].operators;
        let below = |i: &usize, j: &usize| {
            let (a, b) = (operators(i), operators(j));
            a.is_subset(b) && (a.len() < b.len() || j < i)
        };
        let all: Vec<usize> = nodes.into_iter().filter(|i| *i > 0).collect();
        let is_maximal = |i: &usize| !all.iter().any(|j| j != i && below(i, j));
        all.iter().copied().filter(is_maximal).collect()
    }

    /// Adds the combination of these nodes, unless it is known, for an operator that needs them all.
    fn combine(
        &mut self,
        operator: &Operator<A>,
        parents: Vec<usize>,
        stage: usize,
        known: &mut BTreeSet<Vec<usize>>,
    ) {
        if known.contains(&parents) {
            return;
        }
        let operators = parents.iter().flat_map(|i| &self.nodes[*i].operators).cloned().collect();
        let Some((_, state)) = in_order(&self.nodes[0].state, &operators) else { return };
        if operator.pre.is_subset(&state) {
            known.insert(parents.clone());
            self.nodes.push(Node { stage, parents, operator: None, state, operators });
        }
    }
}

/// Advances to the next choice of one element of each list; false after the last.
fn next_choice(choice: &mut [usize], of: &[&[usize]]) -> bool {
    for (i, list) in choice.iter_mut().zip(of) {
        *i += 1;
        if *i < list.len() {
            return true;
        }
        *i = 0;
    }
    false
}

/// Operators in an order in which all apply to `start`, and the state after them; `None` if they are in
/// conflict. An operator is taken once it applies and deletes nothing that another still needs.
fn in_order<A: Clone + Ord>(
    start: &BTreeSet<A>,
    operators: &BTreeSet<Operator<A>>,
) -> Option<(Vec<Operator<A>>, BTreeSet<A>)> {
    let mut waiting: Vec<&Operator<A>> = operators.iter().collect();
    let (mut order, mut state) = (Vec::new(), start.clone());
    while !waiting.is_empty() {
        let (next, after) = waiting.iter().enumerate().find_map(|(i, operator)| {
            let mut others = waiting.iter().enumerate().filter(|(j, _)| *j != i);
            let after = operator.apply(&state)?;
            others.all(|(_, other)| other.pre.is_disjoint(&operator.del)).then_some((i, after))
        })?;
        order.push(waiting.remove(next).clone());
        state = after;
    }
    Some((order, state))
}

/// The result of a plain search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainSearch {
    /// The number of states reached.
    pub states: usize,
    /// Whether one of them is a goal.
    pub solved: bool,
    /// Whether these are all.
    pub complete: bool,
}

/// Searches all states breadth first, at most `most` of them.
pub fn plain<S: AttributeSpace>(space: &S, most: usize) -> PlainSearch {
    let start = space.start();
    let mut seen = BTreeSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start]);
    let mut found = PlainSearch { states: 0, solved: false, complete: true };
    while let Some(state) = waiting.pop_front() {
        found.states += 1;
        found.solved |= state.iter().any(|a| space.is_goal(a));
        for next in space.operators(&state).iter().filter_map(|operator| operator.apply(&state)) {
            if seen.len() >= most && !seen.contains(&next) {
                return PlainSearch { complete: false, ..found };
            }
            if seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    found
}
