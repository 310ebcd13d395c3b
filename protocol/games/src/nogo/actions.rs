//! Turns as numbers: the point of the stone.

use super::{NoGo, NoGoPoint, Points, SIDE, STRIDE};
use crate::actions::{ActionSet, Chosen, Frame, Planes, Staged, turn_text};
use crate::game::Player;

const FRAME: Frame = Frame { columns: SIDE, rows: SIDE };

fn number(point: NoGoPoint) -> usize {
    FRAME.number(point.index() % STRIDE, point.index() / STRIDE)
}

impl Staged for NoGo {
    const PLANES: &'static [&'static str] =
        &["own stones", "enemy stones", "legal for the player to move"];

    fn frame(&self) -> Frame {
        FRAME
    }

    fn action_count(&self) -> usize {
        FRAME.squares()
    }

    fn stage(&self, _chosen: &[u16]) -> &'static str {
        "stone"
    }

    #[inline]
    fn legal_actions(&self, _chosen: &[u16], set: &mut ActionSet) {
        for row in 0..SIDE {
            let bits = (self.legal >> (row * STRIDE)) as u32 & ((1 << SIDE) - 1);
            set.insert_bits(FRAME.number(0, row), bits);
        }
    }

    fn complete(&self, _chosen: &[u16], action: u16) -> Option<NoGoPoint> {
        let (column, row) = FRAME.place(usize::from(action));
        NoGoPoint::new(column, row)
    }

    fn actions_of(&self, m: NoGoPoint) -> Chosen {
        std::iter::once(number(m) as u16).collect()
    }

    fn action_text(&self, chosen: &[u16], action: u16) -> String {
        turn_text(self, chosen, action)
    }

    fn write_planes(&self, _chosen: &[u16], player: Player, planes: &mut Planes) {
        for set in [self.stones(player), self.stones(player.opponent()), self.legal] {
            planes.squares(Points(set).map(number));
        }
    }
}
