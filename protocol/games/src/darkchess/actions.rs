//! Turns as numbers: 32 times the origin plus the destination; a flip is a piece that stays where it is. The squares are
//! those of the full board, whose lower left corner a smaller board is. The chance outcome is the number of the piece
//! revealed.

use super::board::{FILES, SQUARES, Squares};
use super::{Colour, DarkChess, DarkMove, Kind, PIECES, Piece};
use crate::actions::{ActionSet, Chosen, Frame, Planes, Staged, turn_text};
use crate::game::Player;
use std::ops::ControlFlow;

const FRAME: Frame = Frame { columns: FILES, rows: SQUARES / FILES };

/// The number of a square; the same function gives the square of a number.
const fn number(square: u8) -> usize {
    FRAME.number(square as usize % FILES, square as usize / FILES)
}

/// The numbers of a set of squares as bits: the ranks in reverse order.
const fn numbers(squares: u32) -> u32 {
    let bytes = squares.swap_bytes();
    (bytes & 0x0f0f_0f0f) << 4 | bytes >> 4 & 0x0f0f_0f0f
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
        FRAME
    }

    fn action_count(&self) -> usize {
        SQUARES * SQUARES
    }

    fn stage(&self, _chosen: &[u16]) -> &'static str {
        "flip or move"
    }

    #[inline]
    fn legal_actions(&self, _chosen: &[u16], set: &mut ActionSet) {
        if let Some(own) = self.colour_to_move() {
            let _ = self.visit_targets::<()>(own, &mut |from, targets| {
                set.insert_bits(SQUARES * number(from), numbers(targets));
                ControlFlow::Continue(())
            });
        }
        for square in Squares(self.hidden()) {
            set.insert((SQUARES + 1) * number(square));
        }
    }

    fn complete(&self, _chosen: &[u16], action: u16) -> Option<DarkMove> {
        let square = |n: usize| number(n as u8) as u8;
        let action = usize::from(action);
        let (from, to) = (square(action / SQUARES % SQUARES), square(action % SQUARES));
        Some(if from == to { DarkMove::Flip(from) } else { DarkMove::Step { from, to } })
    }

    fn actions_of(&self, m: DarkMove) -> Chosen {
        let (from, to) = match m {
            DarkMove::Flip(square) => (square, square),
            DarkMove::Step { from, to } => (from, to),
            DarkMove::Reveal(_) => return Chosen::new(),
        };
        std::iter::once((SQUARES * number(from) + number(to)) as u16).collect()
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
        // Before the first flip no piece is anybody's, and the hidden ones are alike on both sides.
        let own = self.colour_of(player).unwrap_or(Colour::Red);
        let sides = [own, own.other()];
        let pieces = || sides.into_iter().flat_map(|c| Kind::ALL.map(|kind| Piece::new(c, kind)));
        for piece in pieces() {
            planes.squares(Squares(self.pieces(piece)).map(number));
        }
        planes.squares(Squares(self.hidden()).map(number));
        planes.squares(self.turning().map(number));
        for piece in pieces() {
            planes.number(self.pool()[piece.index()].into());
        }
        planes.number(self.quiet_plies().into());
    }
}
