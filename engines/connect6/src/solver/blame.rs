//! Why a dependency-based search lost a win that the plain search has: the first turn of the plain
//! win that it leaves out, and by which rule.

use super::attacks::Attack;
use super::proof::Step;
use super::{Settings, Solver};
use crate::board::{Board, name};
use agon_protocol::connect6::Connect6;
use std::fmt;

/// The rule that left the turn out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// No turn of this win is left out: a limit, or a turn that the search counts as complete.
    None,
    /// The turn neither depends on the one before nor is known to combine with it.
    Combination,
    /// The same after an inversion on the path: the thesis's first hole (3.5.3).
    Inversion,
    /// The rule on senseless pairs: its second hole (3.5.4).
    Pairs,
}

impl Rule {
    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Rule::None => "limit",
            Rule::Combination => "combination",
            Rule::Inversion => "inversion",
            Rule::Pairs => "2ST pair",
        }
    }
}

/// The turn of the win that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// The rule.
    pub rule: Rule,
    /// Counted from 1; 0 for none.
    pub turn: usize,
    /// The stones.
    pub stones: String,
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (turn {} {})", self.rule.name(), self.turn, self.stones)
    }
}

/// Follows a plain win through a dependency-based search that has been completed before.
pub fn blame(game: &Connect6, settings: Settings, win: &Step) -> Blame {
    let settings = Settings { single_threats: 0, quiet_moves: false, ..settings };
    let go_on = || false;
    let board = Board::from_game(game);
    let mut solver = Solver::new(board, game.side_to_move(), settings, &go_on);
    let _ = solver.deepen();
    solver.stopped = false;
    solver.follow(win)
}

impl Solver<'_> {
    fn follow(&mut self, win: &Step) -> Blame {
        let mut step = win;
        let mut turn = 0;
        let mut inverted = self.root_inversion;
        loop {
            turn += 1;
            let &[p, q] = step.stones.as_slice() else { break };
            let Some(answer) = step.answers.first() else { break };
            self.marks.clear();
            self.place(self.attacker, p);
            self.place(self.attacker, q);
            if !self.wanted([p, q]) {
                let pairs = self.settings.dependency.is_some_and(|d| d.pairs);
                let without =
                    self.settings.dependency.map(|d| super::Dependency { pairs: false, ..d });
                self.settings.dependency = without;
                let rule = if pairs && self.wanted([p, q]) {
                    Rule::Pairs
                } else if inverted {
                    Rule::Inversion
                } else {
                    Rule::Combination
                };
                return Blame { rule, turn, stones: name(p) + &name(q) };
            }
            let covers = self.board.threats(self.attacker).covers();
            let defence = covers.points();
            let attack = Attack { stones: [p, q], covers, defence: defence.clone(), order: 0 };
            self.enter(&attack);
            let played: &[u16] = if answer.to.is_empty() { &defence } else { &answer.to };
            for &d in played {
                self.place(self.defender(), d);
            }
            self.defended();
            inverted |= self.board.has_four(self.defender());
            step = &answer.step;
        }
        Blame { rule: Rule::None, turn: 0, stones: String::new() }
    }
}
