//! Turns as numbers: on a board of N squares, N times the origin plus the destination; a flip is a piece that
//! stays where it is. The chance outcome is the number of the piece revealed.

use super::board::{FILES, Squares};
use super::{Colour, DarkChess, DarkMove, Kind, PIECES, Piece};
use crate::actions::{ActionSet, Chosen, Frame, Planes, Staged, turn_text};
use crate::game::Player;
use std::ops::ControlFlow;

fn number(frame: Frame, square: u8) -> usize {
    frame.number(usize::from(square) % FILES, usize::from(square) / FILES)
}

fn square(frame: Frame, number: usize) -> u8 {
    let (file, rank) = frame.place(number);
    (rank * FILES + file) as u8
}

impl DarkChess {
    fn action(&self, frame: Frame, m: DarkMove) -> usize {
        let (from, to) = match m {
            DarkMove::Flip(square) => (square, square),
            DarkMove::Step { from, to } => (from, to),
            DarkMove::Reveal(_) => (0, 0),
        };
        number(frame, from) * frame.squares() + number(frame, to)
    }
}

impl Staged for DarkChess {
    const PLANES: &'static [&'static str] = &[
        "own king",
        "own guards",
        "own ministers",
        "own rooks",
        "own knights",
        "own cannons",
        "own pawns",
        "enemy king",
        "enemy guards",
        "enemy ministers",
        "enemy rooks",
        "enemy knights",
        "enemy cannons",
        "enemy pawns",
        "face down",
        "being flipped",
        "own kings face down",
        "own guards face down",
        "own ministers face down",
        "own rooks face down",
        "own knights face down",
        "own cannons face down",
        "own pawns face down",
        "enemy kings face down",
        "enemy guards face down",
        "enemy ministers face down",
        "enemy rooks face down",
        "enemy knights face down",
        "enemy cannons face down",
        "enemy pawns face down",
        "plies without a capture or flip",
    ];
    const OUTCOMES: usize = PIECES;

    fn frame(&self) -> Frame {
        let (columns, rows) = self.size();
        Frame { columns, rows }
    }

    fn action_count(&self) -> usize {
        self.frame().squares() * self.frame().squares()
    }

    fn stage(&self, _chosen: &[u16]) -> &'static str {
        "flip or move"
    }

    #[inline]
    fn legal_actions(&self, _chosen: &[u16], set: &mut ActionSet) {
        let frame = self.frame();
        let squares = frame.squares();
        if let Some(own) = self.colour_to_move() {
            let _ = self.visit_steps::<()>(own, &mut |from, to| {
                set.insert(number(frame, from) * squares + number(frame, to));
                ControlFlow::Continue(())
            });
        }
        for square in Squares(self.hidden()) {
            set.insert(number(frame, square) * (squares + 1));
        }
    }

    fn complete(&self, _chosen: &[u16], action: u16) -> Option<DarkMove> {
        let frame = self.frame();
        let squares = frame.squares();
        let (from, to) = (usize::from(action) / squares, usize::from(action) % squares);
        let (from, to) = (square(frame, from), square(frame, to));
        Some(if from == to { DarkMove::Flip(from) } else { DarkMove::Step { from, to } })
    }

    fn actions_of(&self, m: DarkMove) -> Chosen {
        std::iter::once(self.action(self.frame(), m) as u16).collect()
    }

    fn action_text(&self, chosen: &[u16], action: u16) -> String {
        turn_text(self, chosen, action)
    }

    fn outcome_number(&self, m: DarkMove) -> u16 {
        match m {
            DarkMove::Reveal(piece) => piece.index() as u16,
            _ => 0,
        }
    }

    fn outcome(&self, number: u16) -> Option<DarkMove> {
        Piece::from_index(usize::from(number)).map(DarkMove::Reveal)
    }

    fn write_planes(&self, _chosen: &[u16], player: Player, planes: &mut Planes) {
        let frame = self.frame();
        // Before the first flip no piece is anybody's, and the hidden ones are alike on both sides.
        let own = self.colour_of(player).unwrap_or(Colour::Red);
        let sides = [own, own.other()];
        let pieces = || sides.into_iter().flat_map(|c| Kind::ALL.map(|kind| Piece::new(c, kind)));
        for piece in pieces() {
            planes.squares(Squares(self.pieces(piece)).map(|s| number(frame, s)));
        }
        planes.squares(Squares(self.hidden()).map(|s| number(frame, s)));
        planes.squares(self.turning().map(|s| number(frame, s)));
        for piece in pieces() {
            planes.number(self.pool()[piece.index()].into());
        }
        planes.number(self.quiet_plies().into());
    }
}
