//! Turns as numbers: three times the stone, from 0, plus the direction: along the row, along the file, diagonally. A
//! set-up is six choices from 18 on, the numbers of the stones on the home squares in reading order. Chance outcomes
//! are the die less one, or the rank of a set-up that is revealed.

use super::board::{CELLS, EinSteinMove, Layout, SIDE, TARGETS, home};
use super::rules::movable_stones;
use super::state::{EinStein, Stage};
use crate::actions::{ActionSet, Chosen, Frame, Planes, Staged, turn_text};
use crate::game::Player;

const FRAME: Frame = Frame { columns: SIDE, rows: SIDE };
/// The first action of a set-up.
const NUMBERS: u16 = 18;
const ACTIONS: usize = NUMBERS as usize + 6;

/// 0 along the row, 1 along the file, 2 diagonally.
fn direction(from: u8, to: u8) -> usize {
    match usize::from(from.abs_diff(to)) {
        1 => 0,
        SIDE => 1,
        _ => 2,
    }
}

impl EinStein {
    /// The destination of a stone in a direction.
    fn target(&self, player: Player, stone: usize, towards: usize) -> Option<EinSteinMove> {
        let from = self.squares(player)[stone];
        let targets = TARGETS[player.index()].get(usize::from(from))?.as_slice();
        let to = *targets.iter().find(|to| direction(from, **to) == towards)?;
        Some(EinSteinMove::Step { from, to })
    }

    /// The squares and the numbers of the stones that a player has set up so far in this turn.
    fn being_set_up<'a>(&self, chosen: &'a [u16]) -> impl Iterator<Item = (usize, usize)> + 'a {
        let squares = home(self.player()).into_iter().map(usize::from);
        squares.zip(chosen).map(|(square, action)| (square, usize::from(*action - NUMBERS)))
    }
}

impl Staged for EinStein {
    const PLANES: &'static [&'static str] = &[
        "own stone 1",
        "own stone 2",
        "own stone 3",
        "own stone 4",
        "own stone 5",
        "own stone 6",
        "enemy stone 1",
        "enemy stone 2",
        "enemy stone 3",
        "enemy stone 4",
        "enemy stone 5",
        "enemy stone 6",
        "die 1",
        "die 2",
        "die 3",
        "die 4",
        "die 5",
        "die 6",
        "goes to the upper left",
    ];
    const OUTCOMES: usize = Layout::COUNT as usize;

    fn frame(&self) -> Frame {
        FRAME
    }

    fn action_count(&self) -> usize {
        ACTIONS
    }

    fn stage(&self, _chosen: &[u16]) -> &'static str {
        match self.stage {
            Stage::SetUp(_) => "set-up",
            _ => "stone and direction",
        }
    }

    #[inline]
    fn legal_actions(&self, chosen: &[u16], set: &mut ActionSet) {
        match self.stage {
            Stage::SetUp(_) => {
                (NUMBERS..ACTIONS as u16)
                    .filter(|n| !chosen.contains(n))
                    .for_each(|n| set.insert(n.into()));
            }
            Stage::Decide(player, die) => {
                let stones = movable_stones(self.rule, self.alive(player), die);
                for stone in (0..6).filter(|stone| stones >> stone & 1 != 0) {
                    let from = self.squares(player)[stone];
                    for &to in TARGETS[player.index()][usize::from(from) % CELLS].as_slice() {
                        set.insert(3 * stone + direction(from, to));
                    }
                }
            }
            Stage::Reveal | Stage::Roll(_) => {}
        }
    }

    fn complete(&self, chosen: &[u16], action: u16) -> Option<EinSteinMove> {
        if let Stage::SetUp(_) = self.stage {
            let all = chosen.iter().copied().chain([action]);
            let numbers: Chosen = all.map(|n| n.saturating_sub(NUMBERS) + 1).collect();
            let numbers = numbers.into_inner().ok()?.map(|n| n as u8);
            return Layout::from_numbers(numbers).map(EinSteinMove::SetUp);
        }
        let action = usize::from(action);
        self.target(self.player(), action / 3 % 6, action % 3)
    }

    fn actions_of(&self, m: EinSteinMove) -> Chosen {
        match m {
            EinSteinMove::SetUp(layout) => {
                layout.numbers().map(|n| NUMBERS + u16::from(n) - 1).into_iter().collect()
            }
            EinSteinMove::Step { from, to } => {
                let cell = self.cells()[usize::from(from) % CELLS].max(1);
                let stone = usize::from(cell - 1) % 6;
                std::iter::once((3 * stone + direction(from, to)) as u16).collect()
            }
            EinSteinMove::Roll(_) => Chosen::new(),
        }
    }

    fn action_text(&self, chosen: &[u16], action: u16) -> String {
        match self.stage {
            Stage::SetUp(_) => (action.saturating_sub(NUMBERS) + 1).to_string(),
            _ => turn_text(self, chosen, action),
        }
    }

    fn outcome_number(&self, m: EinSteinMove) -> u16 {
        match m {
            EinSteinMove::Roll(die) => u16::from(die) - 1,
            EinSteinMove::SetUp(layout) => layout.rank(),
            EinSteinMove::Step { .. } => 0,
        }
    }

    fn outcome(&self, number: u16) -> Option<EinSteinMove> {
        match self.stage {
            Stage::Reveal => Layout::from_rank(number).map(EinSteinMove::SetUp),
            _ => (number < 6).then(|| EinSteinMove::Roll(number as u8 + 1)),
        }
    }

    fn write_planes(&self, chosen: &[u16], player: Player, planes: &mut Planes) {
        // The second player must not see the first one's set-up before its own.
        let hides = player == Player::Second && matches!(self.stage, Stage::SetUp(_));
        for owner in [player, player.opponent()] {
            let unfinished = matches!(self.stage, Stage::SetUp(p) if p == owner && p == player);
            for stone in 0..6 {
                let chosen = if unfinished { chosen } else { &[] };
                let new = self.being_set_up(chosen).filter(|s| s.1 == stone).map(|s| s.0);
                let square = usize::from(self.squares(owner)[stone]);
                let seen = square < CELLS && !(hides && owner != player);
                planes.squares(new.chain(seen.then_some(square)));
            }
        }
        let die = match self.stage {
            Stage::Decide(_, die) => usize::from(die),
            _ => 0,
        };
        (1..=6).for_each(|n| planes.number(usize::from(n == die)));
        planes.number(player.index());
    }
}
