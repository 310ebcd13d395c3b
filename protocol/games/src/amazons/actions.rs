//! Turns as numbers: an amazon's square, its destination, the arrow's target.

use super::{Amazons, AmazonsMove, AmazonsSquare, Squares, geometry::dilate};
use crate::actions::{ActionSet, Chosen, Frame, Planes, Staged, square_text};
use crate::game::Player;

/// The square with a number; off the board if there is none.
fn square(frame: Frame, number: u16) -> AmazonsSquare {
    let (column, row) = frame.place(usize::from(number));
    AmazonsSquare::new(column, row).unwrap_or(AmazonsMove::NONE.from)
}

fn number(frame: Frame, square: AmazonsSquare) -> usize {
    frame.number(square.column(), square.row())
}

impl Staged for Amazons {
    const PLANES: &'static [&'static str] =
        &["own amazons", "enemy amazons", "arrows", "chosen amazon", "chosen destination"];

    fn frame(&self) -> Frame {
        Frame { columns: self.columns(), rows: self.rows() }
    }

    fn action_count(&self) -> usize {
        self.frame().squares()
    }

    fn stage(&self, chosen: &[u16]) -> &'static str {
        ["from", "to", "arrow"][chosen.len().min(2)]
    }

    #[inline]
    fn legal_actions(&self, chosen: &[u16], set: &mut ActionSet) {
        let frame = self.frame();
        let squares = match *chosen {
            [] => {
                let own = Squares(self.amazons(self.side_to_move()));
                own.filter(|s| dilate(s.bit()) & self.empty() != 0).fold(0, |set, s| set | s.bit())
            }
            [from] => self.amazon_targets(square(frame, from)),
            [from, to, ..] => self.arrow_targets(square(frame, from), square(frame, to)),
        };
        Squares(squares).for_each(|s| set.insert(number(frame, s)));
    }

    fn complete(&self, chosen: &[u16], action: u16) -> Option<AmazonsMove> {
        let [from, to] = *chosen else { return None };
        let at = |number| square(self.frame(), number);
        Some(AmazonsMove { from: at(from), to: at(to), arrow: at(action) })
    }

    fn actions_of(&self, m: AmazonsMove) -> Chosen {
        [m.from, m.to, m.arrow].map(|s| number(self.frame(), s) as u16).into_iter().collect()
    }

    fn action_text(&self, _chosen: &[u16], action: u16) -> String {
        square_text(self.frame(), usize::from(action), 1)
    }

    fn write_planes(&self, chosen: &[u16], player: Player, planes: &mut Planes) {
        let frame = self.frame();
        for set in [self.amazons(player), self.amazons(player.opponent()), self.arrows()] {
            planes.squares(Squares(set).map(|s| number(frame, s)));
        }
        planes.squares(chosen.first().map(|n| usize::from(*n)));
        planes.squares(chosen.get(1).map(|n| usize::from(*n)));
    }
}
