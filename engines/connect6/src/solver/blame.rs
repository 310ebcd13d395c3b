//! Why a dependency-based search lost a win that the plain search has: the first turn of the plain
//! win that it leaves out, and by which rule.

use super::attacks::Attack;
use super::pairs::Role;
use super::proof::Step;
use super::{Dependency, Settings, Solver, solve};
use crate::board::{Board, Threats, name};
use agon_protocol::connect6::Connect6;
use std::fmt;

/// The rule that left the turn out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// No rule: a limit.
    None,
    /// The turn neither depends on the one before nor is known to combine with it.
    Combination,
    /// The same after an inversion on the path: the thesis's first hole (3.5.3).
    Inversion,
    /// The rule on senseless pairs: its second hole (3.5.4). Without the rule the win is found.
    Pairs,
    /// A position was met before by another way, after which other turns were left out. Without
    /// the table the win is found.
    Table,
}

impl Rule {
    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Rule::None => "limit",
            Rule::Combination => "combination",
            Rule::Inversion => "inversion",
            Rule::Pairs => "2ST pair",
            Rule::Table => "table",
        }
    }
}

/// The turn of the win that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blame {
    /// The rule.
    pub rule: Rule,
    /// Counted from 1; 0 if the rule does not name one.
    pub turn: usize,
    /// The stones.
    pub stones: String,
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule.name())?;
        if self.turn > 0 { write!(f, " (turn {} {})", self.turn, self.stones) } else { Ok(()) }
    }
}

/// Stones that a search without a rule may place to show that the rule is to blame.
const MOST_STONES: u64 = 20_000_000;

/// Follows a plain win through a dependency-based search that has been completed before.
pub fn blame(game: &Connect6, settings: Settings, win: &Step) -> Blame {
    let settings = Settings { single_threats: 0, quiet_moves: false, ..settings };
    let go_on = || false;
    let board = Board::from_game(game);
    let mut solver = Solver::new(board, game.side_to_move(), settings, &go_on);
    let _ = solver.deepen();
    solver.stopped = false;
    if let Some(blame) = solver.follow(win) {
        return blame;
    }
    let mut limits = settings.limits;
    limits.total = limits.total.min(MOST_STONES);
    let dependency = settings.dependency.map(|d| Dependency { pairs: false, ..d });
    let without = [
        (Rule::Pairs, Settings { dependency, limits, ..settings }),
        (Rule::Table, Settings { table: false, limits, ..settings }),
    ];
    let found =
        without.into_iter().find(|(_, s)| solve(game, *s, &go_on).verdict.proof().is_some());
    Blame { rule: found.map_or(Rule::None, |(r, _)| r), turn: 0, stones: String::new() }
}

impl Solver<'_> {
    fn follow(&mut self, win: &Step) -> Option<Blame> {
        let mut step = win;
        let mut turn = 0;
        let mut inverted = self.root_inversion;
        loop {
            turn += 1;
            let &[p, q] = step.stones.as_slice() else { return None };
            let answer = step.answers.first()?;
            self.look_back(u32::MAX);
            let sketch = self.board.sketch(self.attacker, [p, q])?;
            let mut threats = Threats::default();
            sketch.threats(&mut threats);
            let covers = threats.covers();
            let defence = covers.points();
            let Some((parts, _)) = self.judge(&sketch, &defence) else {
                let rule = if inverted { Rule::Inversion } else { Rule::Combination };
                return Some(Blame { rule, turn, stones: name(p) + &name(q) });
            };
            self.leave_behind();
            let played = if answer.to.is_empty() { defence.to_vec() } else { answer.to.clone() };
            let role = Role::default();
            self.place(self.attacker, p);
            self.place(self.attacker, q);
            self.enter(&Attack {
                stones: [p, q],
                covers,
                defence,
                order: 0,
                parts,
                role,
                halves: None,
            });
            for d in played {
                self.place(self.defender(), d);
            }
            let threats = self.inversion();
            self.defended(threats.as_ref());
            inverted |= threats.is_some();
            step = &answer.step;
        }
    }
}
