//! Turns as numbers: one stone, then the other. A first stone that makes six ends the turn and the game.

use super::{Connect6, Connect6Move, Point};
use crate::actions::{ActionSet, Chosen, Frame, Planes, Staged, square_text};
use crate::game::Player;

fn number(frame: Frame, point: Point) -> usize {
    frame.number(point.column(), point.row())
}

fn point(frame: Frame, number: u16) -> Option<Point> {
    let (column, row) = frame.place(usize::from(number));
    Point::new(column, row)
}

/// Bit c of word r becomes bit r of word c (Warren, Hacker's Delight, 7-3), from blocks of 16 down to single bits.
fn transpose(words: &mut [u32; 32]) {
    let (mut width, mut low) = (16, 0x0000_ffff_u32);
    while width != 0 {
        for block in (0..32).step_by(2 * width) {
            for i in block..block + width {
                let swapped = (words[i] >> width ^ words[i + width]) & low;
                words[i + width] ^= swapped;
                words[i] ^= swapped << width;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

impl Staged for Connect6 {
    const PLANES: &'static [&'static str] = &[
        "own stones",
        "enemy stones",
        "first stone of the turn",
        "stones that the turn still has",
    ];
    const PLACES: bool = true;

    fn frame(&self) -> Frame {
        Frame { columns: self.size(), rows: self.size() }
    }

    fn action_count(&self) -> usize {
        self.frame().squares()
    }

    fn stage(&self, chosen: &[u16]) -> &'static str {
        if chosen.is_empty() { "stone" } else { "second stone" }
    }

    #[inline]
    fn legal_actions(&self, chosen: &[u16], set: &mut ActionSet) {
        let mut rows = [0; 32];
        let full = (1u32 << self.size()) - 1;
        let [black, white] = &self.stones;
        for (column, (black, white)) in
            rows.iter_mut().zip(black.iter().zip(white)).take(self.size())
        {
            *column = full & !(black | white);
        }
        transpose(&mut rows);
        for (i, row) in rows[..self.size()].iter().rev().enumerate() {
            set.insert_bits(i * self.size(), *row);
        }
        chosen.iter().for_each(|&stone| set.remove(usize::from(stone)));
    }

    fn complete(&self, chosen: &[u16], action: u16) -> Option<Connect6Move> {
        let last = point(self.frame(), action)?;
        match chosen.first() {
            Some(&first) => Some(Connect6Move::two(point(self.frame(), first)?, last)),
            None if self.stones_due() == 1 || self.makes_six(self.side_to_move(), last) => {
                Some(Connect6Move::one(last))
            }
            None => None,
        }
    }

    /// A stone that makes six comes last; of two such stones the second one is never placed.
    fn actions_of(&self, m: Connect6Move) -> Chosen {
        let mut actions: Chosen = m.stones().map(|p| number(self.frame(), p) as u16).collect();
        if self.makes_six(self.side_to_move(), m.first) {
            actions.reverse();
        }
        actions
    }

    fn action_text(&self, _chosen: &[u16], action: u16) -> String {
        square_text(self.frame(), usize::from(action), 1)
    }

    fn write_planes(&self, chosen: &[u16], player: Player, planes: &mut Planes) {
        let frame = self.frame();
        for owner in [player, player.opponent()] {
            let stones = self.points().filter(|p| self.stone(*p) == Some(owner));
            planes.squares(stones.map(|p| number(frame, p)));
        }
        planes.squares(chosen.first().map(|n| usize::from(*n)));
        planes.number(self.stones_due() - chosen.len().min(self.stones_due()));
    }
}
