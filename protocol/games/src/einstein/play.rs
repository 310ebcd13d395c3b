//! The [`Game`] implementation.

use super::board::{EinSteinMove, Layout, TARGETS, goal};
use super::rules::{EinSteinRules, movable_stones};
use super::state::{EinStein, Stage};
use super::{fen, notation};
use crate::game::{FenError, Game, MoveError, Outcome, Player, Turn};
use crate::refereed::{Ending, Refereed};
use std::ops::ControlFlow;

impl Game for EinStein {
    const NAME: &'static str = "einstein";
    const HAS_CHANCE: bool = true;

    type Move = EinSteinMove;
    type Undo = EinStein;
    type Rules = EinSteinRules;

    fn start(rules: &EinSteinRules) -> EinStein {
        EinStein::empty(Stage::SetUp(Player::First), rules.missing_die)
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.winner, self.stage) {
            (Some(p), _) => Turn::Over(Outcome::Win(p)),
            (None, Stage::SetUp(p) | Stage::Decide(p, _)) => Turn::Player(p),
            (None, Stage::Reveal | Stage::Roll(_)) => Turn::Chance,
        }
    }

    #[inline]
    fn visit_moves<B>(
        &self,
        visit: &mut impl FnMut(EinSteinMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match (self.winner, self.stage) {
            (None, Stage::Decide(player, die)) => {
                let side = player.index();
                let mut stones = movable_stones(self.rule, self.alive[side], die);
                while stones != 0 {
                    let stone = stones.trailing_zeros() as usize;
                    stones &= stones - 1;
                    let from = self.squares[side][stone];
                    for &to in TARGETS[side][usize::from(from)].as_slice() {
                        visit(EinSteinMove::Step { from, to })?;
                    }
                }
                ControlFlow::Continue(())
            }
            (None, Stage::SetUp(_)) => (0..Layout::COUNT)
                .filter_map(Layout::from_rank)
                .map(EinSteinMove::SetUp)
                .try_for_each(visit),
            _ => ControlFlow::Continue(()),
        }
    }

    #[inline]
    fn visit_chance<B>(
        &self,
        visit: &mut impl FnMut(EinSteinMove, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match (self.winner, self.stage) {
            (None, Stage::Roll(_)) => (1..=6).try_for_each(|die| visit(EinSteinMove::Roll(die), 1)),
            (None, Stage::Reveal) => (0..Layout::COUNT)
                .filter_map(Layout::from_rank)
                .try_for_each(|layout| visit(EinSteinMove::SetUp(layout), 1)),
            _ => ControlFlow::Continue(()),
        }
    }

    fn is_legal(&self, m: EinSteinMove) -> bool {
        match (self.winner, self.stage, m) {
            (None, Stage::Roll(_), EinSteinMove::Roll(die)) => (1..=6).contains(&die),
            (None, Stage::SetUp(_) | Stage::Reveal, EinSteinMove::SetUp(_)) => true,
            (None, Stage::Decide(..), EinSteinMove::Step { .. }) => self
                .visit_moves(&mut |legal| {
                    if legal == m { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .is_break(),
            _ => false,
        }
    }

    #[inline]
    fn play(&mut self, m: EinSteinMove) -> EinStein {
        let before = *self;
        match (m, self.stage) {
            (EinSteinMove::Step { from, to }, _) => self.step(from, to),
            (EinSteinMove::Roll(die), Stage::Roll(p)) => {
                self.set_stage(Stage::Decide(p, die.clamp(1, 6)))
            }
            (EinSteinMove::SetUp(layout), Stage::SetUp(Player::First)) => {
                self.set_up(Player::First, layout);
                self.set_stage(Stage::SetUp(Player::Second));
            }
            (EinSteinMove::SetUp(layout), Stage::SetUp(Player::Second)) => {
                self.set_up(Player::Second, layout);
                let concealed = self.alive[0] == 0;
                let next = if concealed { Stage::Reveal } else { Stage::Roll(Player::First) };
                self.set_stage(next);
            }
            (EinSteinMove::SetUp(layout), Stage::Reveal) => {
                self.set_up(Player::First, layout);
                self.set_stage(Stage::Roll(Player::First));
            }
            _ => debug_assert!(false, "{m:?} in {self:?}"),
        }
        before
    }

    #[inline]
    fn undo(&mut self, _m: EinSteinMove, undo: EinStein) {
        *self = undo;
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn hash_from_scratch(&self) -> u64 {
        let mut fresh = EinStein::empty(self.stage, self.rule);
        for (square, &cell) in self.cells.iter().enumerate() {
            if cell != 0 {
                fresh.toggle(cell, square as u8);
            }
        }
        fresh.hash
    }

    fn parse_fen(text: &str, rules: &EinSteinRules) -> Result<EinStein, FenError> {
        fen::parse(text, rules)
    }

    fn fen(&self) -> String {
        fen::print(self)
    }

    fn parse_move(&self, text: &str) -> Result<EinSteinMove, MoveError> {
        notation::parse(self, text)
    }

    fn move_token(&self, m: EinSteinMove) -> String {
        notation::token(m)
    }

    fn display_move(&self, m: EinSteinMove) -> String {
        notation::for_people(self, m)
    }

    fn diagram(&self) -> String {
        notation::diagram(self)
    }
}

impl Refereed for EinStein {
    fn ending(&self) -> Ending {
        let arrived = |p: Player| self.owner(goal(p)) == Some(p);
        if Player::BOTH.into_iter().any(arrived) { Ending::Goal } else { Ending::Elimination }
    }

    fn player_view(&self, player: Player) -> Option<EinStein> {
        let hides = player == Player::Second && self.stage == Stage::SetUp(Player::Second);
        hides.then(|| EinStein::empty(self.stage, self.rule))
    }
}
