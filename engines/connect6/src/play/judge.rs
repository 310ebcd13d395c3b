//! What searches are told about Connect6: the worth of the open windows of both sides, and how
//! turns are numbered.

use super::{Play, Weights};
use agon_protocol::Player;
use agon_protocol::connect6::{Connect6Move, POINTS, Point};
use agon_search::evaluator::{Evaluator, MoveEncoding, StagedMoves};
use agon_search::mcts::MctsEvaluator;
use agon_search::score::{WIN, clamp_static};
use std::ops::ControlFlow;

/// The pattern evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judge;

impl Judge {
    /// The value for the side to move, by the position's weights.
    pub fn value(play: &Play) -> i32 {
        Judge::weigh(play, Judge::threats(play))
    }

    /// The stones that it takes to stop the opponent's threats, 3 for any number above 2.
    fn threats(play: &Play) -> usize {
        let (board, them) = (play.board(), 1 - play.side());
        if board.has_four(them) { board.threats(them).number() } else { 0 }
    }

    fn weigh(play: &Play, threats: usize) -> i32 {
        let Weights { windows, free, centre, own, tempo, forced, .. } = play.weights();
        let side = |colour: usize| {
            let tally = play.board().tally(colour);
            let all: i32 = tally.windows().iter().zip(windows).map(|(n, w)| n * w).sum();
            let room: i32 = match free {
                [0, 0, 0] => 0,
                _ => play.board().free_windows(colour).iter().zip(free).map(|(n, w)| n * w).sum(),
            };
            all + room + centre * tally.inward()
        };
        let us = play.side();
        let bound = if threats == 0 { 0 } else { forced[usize::from(threats > 1)] };
        clamp_static((side(us) * own / 128 - side(1 - us) + tempo - bound) / 16)
    }

    /// The result, where the threats on the board decide it: in plies from here, positive for the
    /// side to move.
    pub fn decided(play: &Play) -> Option<i32> {
        let (side, board) = (play.side(), play.board());
        if play.game().stones_due() < 2 {
            return None;
        }
        if board.has_four(side) {
            return Some(1);
        }
        (Judge::threats(play) >= 3).then_some(-2)
    }
}

impl Evaluator<Play> for Judge {
    fn evaluate(&mut self, play: &Play) -> i32 {
        if play.game().stones_due() < 2 {
            return Judge::value(play);
        }
        if play.board().has_four(play.side()) {
            return clamp_static(WIN);
        }
        match Judge::threats(play) {
            3.. => clamp_static(-WIN),
            threats => Judge::weigh(play, threats),
        }
    }

    fn solve(&mut self, play: &Play) -> Option<i32> {
        Judge::decided(play).map(|plies| if plies > 0 { WIN - plies } else { -WIN - plies })
    }
}

impl MoveEncoding<Play> for Judge {
    const HISTORY_KEYS: [usize; 2] = [POINTS, POINTS + 1];

    fn history_keys(m: Connect6Move) -> [usize; 2] {
        [m.first.index(), m.second.map_or(POINTS, Point::index)]
    }

    fn pack(m: Connect6Move) -> u32 {
        let [a, b] = Judge::history_keys(m);
        (a << 9 | b) as u32
    }

    fn unpack(bits: u32) -> Option<Connect6Move> {
        let first = Point::from_index(bits as usize >> 9)?;
        match bits as usize & 511 {
            POINTS => Some(Connect6Move::one(first)),
            b => Some(Connect6Move { first, second: Some(Point::from_index(b)?) }),
        }
    }
}

impl StagedMoves<Play> for Judge {
    type PartialMove = Connect6Move;

    fn visit_partial_moves<B>(
        play: &Play,
        visit: &mut impl FnMut(Connect6Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        play.sensible().into_iter().try_for_each(visit)
    }

    fn visit_completions<B>(
        _play: &Play,
        part: Connect6Move,
        visit: &mut impl FnMut(Connect6Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit(part)
    }

    fn evaluate_partial(&mut self, play: &Play, part: Connect6Move) -> i32 {
        part.stones().map(|p| play.promise(p.index() as u16)).sum::<i32>() / 16
    }

    fn partial_key(part: Connect6Move) -> usize {
        part.first.index()
    }
}

/// What Monte Carlo tree search is told: values in place of playouts.
#[derive(Clone, Copy, Debug, Default)]
pub struct UctGuide;

/// The difference in windows' worth that makes the odds about three to one.
const SCALE: f32 = 90.0;

impl MctsEvaluator<Play> for UctGuide {
    /// The value, in as many halves of a point as the simulations have.
    fn play_out(
        &mut self,
        leaves: &[(Play, u64)],
        simulations: u32,
        half_points: &mut Vec<u32>,
        stopped: &dyn Fn() -> bool,
    ) -> bool {
        half_points.clear();
        for (play, _) in leaves {
            let share = self.value(play, Player::First);
            half_points.push((share * 2.0 * simulations as f32).round() as u32);
        }
        !stopped()
    }

    fn value(&mut self, play: &Play, player: Player) -> f32 {
        let for_mover = match Judge::decided(play) {
            Some(plies) => f32::from(u8::from(plies > 0)),
            None => 1.0 / (1.0 + (-(Judge::value(play) as f32) / SCALE).exp()),
        };
        if play.side() == player.index() { for_mover } else { 1.0 - for_mover }
    }

    fn outcome_class(&self, _play: &Play, outcome: Connect6Move) -> u32 {
        Judge::pack(outcome)
    }
}
