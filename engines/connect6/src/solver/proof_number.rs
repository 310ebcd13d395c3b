//! Proof-number search (Allis, van der Meulen and van den Herik 1994) for long wins by single threats:
//! where a proof of one turn after another would stop at the first hard one, the turn and the defence
//! that seem to need the least are searched next, at any distance from the root.
//!
//! The attacker's positions are OR nodes: a win by double threats proves one, otherwise its children
//! are single threats. A single threat is an AND node: its children are the positions after the
//! stones that stop the threat. A win there, with the free stone omitted, adds those with this stone
//! on each point of the win's relevance zone (as in [`super::vcst`]).

use super::state::{ThreatCandidate, ThreatSolver};
use crate::params;
use crate::proof::{Answer, Step};
use std::sync::Arc;

/// The number of a node that cannot be proved or disproved, and the greatest sum.
const INFINITE: u32 = u32::MAX;

/// The root's index.
const ROOT: usize = 0;

/// A position of the attacker (OR), or a turn of it (AND).
struct ProofNode {
    parent: usize,
    kind: ProofNodeKind,
    /// The stones that lead here: the attacker's turn, or the defender's that answer it, ascending.
    stones: Vec<u16>,
    /// The free stones of the defender on the path.
    free: usize,
    proof: u32,
    disproof: u32,
    children: Vec<usize>,
    is_expanded: bool,
    /// The win of a proved position.
    win: Option<Arc<Step>>,
}

#[derive(Clone, Copy)]
enum ProofNodeKind {
    /// A position in which the defender may still place this number of stones anywhere.
    Position(usize),
    /// A turn; at the root, after the path of this candidate.
    Turn(Option<usize>),
}

struct ProofTree {
    nodes: Vec<ProofNode>,
    candidates: Vec<ThreatCandidate>,
}

impl ProofTree {
    /// Adds a child, and returns its index.
    fn add(&mut self, parent: usize, kind: ProofNodeKind, stones: Vec<u16>, free: usize) -> usize {
        let index = self.nodes.len();
        self.nodes.push(ProofNode {
            parent,
            kind,
            stones,
            free,
            proof: 1,
            disproof: 1,
            children: Vec::new(),
            is_expanded: false,
            win: None,
        });
        if index > ROOT {
            self.nodes[parent].children.push(index);
        }
        index
    }

    /// The child to search next.
    fn next(&self, node: &ProofNode) -> usize {
        let effort = |i: &usize| match node.kind {
            ProofNodeKind::Position(_) => self.nodes[*i].proof,
            ProofNodeKind::Turn(_) => self.nodes[*i].disproof,
        };
        node.children.iter().copied().min_by_key(effort).unwrap_or(ROOT)
    }

    /// Sets the numbers of an expanded node by those of its children.
    fn update(&mut self, index: usize) {
        let node = &self.nodes[index];
        let children = || node.children.iter().map(|i| &self.nodes[*i]);
        let sum = |sum: u32, n: u32| sum.saturating_add(n);
        let proofs = || children().map(|child| child.proof);
        let disproofs = || children().map(|child| child.disproof);
        let (proof, disproof) = match node.kind {
            ProofNodeKind::Position(_) => (proofs().min(), disproofs().reduce(sum)),
            ProofNodeKind::Turn(_) => (proofs().reduce(sum), disproofs().min()),
        };
        let (proof, disproof) = (proof.unwrap_or(INFINITE), disproof.unwrap_or(0));
        let node = &mut self.nodes[index];
        (node.proof, node.disproof) = (proof, disproof);
    }

    /// The proved turn with its answers.
    fn step(&self, turn: usize) -> Step {
        let node = &self.nodes[turn];
        let answer = |i: &usize| {
            let child = &self.nodes[*i];
            Some(Answer { to: child.stones.clone(), step: child.win.clone()? })
        };
        let answers = node.children.iter().filter_map(answer).collect();
        Step { stones: node.stones.clone(), answers }
    }
}

impl ThreatSolver<'_> {
    /// Searches the collected single threats until a win or a limit.
    pub(super) fn search_by_proof_numbers(
        &mut self,
        candidates: Vec<ThreatCandidate>,
    ) -> Option<Arc<Step>> {
        let mut tree = ProofTree { nodes: Vec::new(), candidates };
        tree.add(ROOT, ProofNodeKind::Position(0), Vec::new(), 0);
        for i in 0..tree.candidates.len() {
            let stones = tree.candidates[i].stones.to_vec();
            tree.add(ROOT, ProofNodeKind::Turn(Some(i)), stones, 1);
        }
        tree.nodes[ROOT].is_expanded = true;
        tree.update(ROOT);
        let from = self.board.placed();
        while tree.nodes[ROOT].proof > 0 && tree.nodes[ROOT].disproof > 0 {
            if self.expired() {
                self.limited = true;
                return None;
            }
            let (leaf, ends) = self.descend(&tree);
            self.expand(&mut tree, leaf);
            self.ascend(&mut tree, leaf, ends);
            self.board.rewind(from);
        }
        let root = &tree.nodes[ROOT];
        let proved = root.children.iter().find(|i| tree.nodes[**i].proof == 0)?;
        let ProofNodeKind::Turn(Some(candidate)) = tree.nodes[*proved].kind else { return None };
        Some(Arc::new(tree.candidates[candidate].after_path(tree.step(*proved))))
    }

    /// Places the stones on the way to the next leaf. Also returns the number of stones on the board
    /// before those of each node on the way, from the root on.
    fn descend(&mut self, tree: &ProofTree) -> (usize, Vec<usize>) {
        let (mut at, mut ends) = (ROOT, Vec::new());
        loop {
            let node = &tree.nodes[at];
            ends.push(self.board.placed());
            let colour = match node.kind {
                ProofNodeKind::Position(_) => self.defender(),
                ProofNodeKind::Turn(candidate) => {
                    for (stones, defence) in
                        candidate.iter().flat_map(|i| &tree.candidates[*i].path)
                    {
                        stones.iter().for_each(|p| self.place(self.attacker, *p));
                        defence.iter().for_each(|p| self.place(self.defender(), *p));
                    }
                    self.attacker
                }
            };
            node.stones.iter().for_each(|p| self.place(colour, *p));
            if !node.is_expanded {
                return (at, ends);
            }
            at = tree.next(node);
        }
    }

    /// Expands the leaf on the board.
    fn expand(&mut self, tree: &mut ProofTree, leaf: usize) {
        let free = tree.nodes[leaf].free;
        match tree.nodes[leaf].kind {
            ProofNodeKind::Position(_) => {
                tree.nodes[leaf].win =
                    self.double_threats_here(params::proof_stones(), params::proof_stones());
                if tree.nodes[leaf].win.is_none() {
                    let mut turns = self.turns_with_threats(1, params::proof_turns());
                    turns.extend(self.line_pairs_with_a_threat());
                    for (rank, (_, stones)) in (0..).zip(turns) {
                        let turn =
                            tree.add(leaf, ProofNodeKind::Turn(None), stones.to_vec(), free + 1);
                        tree.nodes[turn].proof = params::proof_turn() + params::proof_rank() * rank;
                    }
                }
            }
            ProofNodeKind::Turn(_) => {
                let defences = self.board.threats(self.attacker).defences();
                for &p in &defences.single {
                    tree.add(leaf, ProofNodeKind::Position(1), vec![p], free);
                }
                for &[a, b] in &defences.pairs {
                    tree.add(leaf, ProofNodeKind::Position(0), vec![a.min(b), a.max(b)], free);
                }
            }
        }
        tree.nodes[leaf].is_expanded = true;
    }

    /// Updates the nodes from the leaf, which is on the board, to the root.
    fn ascend(&mut self, tree: &mut ProofTree, leaf: usize, ends: Vec<usize>) {
        let mut at = leaf;
        for end in ends.into_iter().rev() {
            tree.update(at);
            if let ProofNodeKind::Position(remaining) = tree.nodes[at].kind {
                let proved = tree.nodes[at].children.iter().find(|i| tree.nodes[**i].proof == 0);
                let step = proved.map(|turn| Arc::new(tree.step(*turn)));
                let win = tree.nodes[at].win.clone().or(step);
                if let Some(win) = win.filter(|_| at != ROOT) {
                    if remaining > 0 {
                        self.add_defences(tree, at, &win, remaining - 1);
                    }
                    let node = &mut tree.nodes[at];
                    (node.proof, node.disproof, node.win) = (0, INFINITE, Some(win));
                }
            }
            self.board.rewind(end);
            at = tree.nodes[at].parent;
        }
    }

    /// Adds the positions with one more stone in the zone of a win to the turn that it answers,
    /// strongest defences first.
    fn add_defences(&mut self, tree: &mut ProofTree, at: usize, win: &Step, remaining: usize) {
        let ProofNode { parent, free, .. } = tree.nodes[at];
        for point in self.defences_in_zone(win, free) {
            let mut stones = tree.nodes[at].stones.clone();
            stones.push(point);
            stones.sort_unstable();
            let known = |i: &usize| tree.nodes[*i].stones == stones;
            if !tree.nodes[parent].children.iter().any(known) {
                tree.add(parent, ProofNodeKind::Position(remaining), stones, free);
            }
        }
    }
}
