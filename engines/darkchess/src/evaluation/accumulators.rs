//! The accumulators of the position that was evaluated last, changed by what differs in the next
//! one: successive leaves of a search differ in few pieces.

use super::features::{DarkChessNetwork, HIDDEN, bucket, face_down, face_up, hidden_piece};
use agon_network::network::Accumulator;
use agon_protocol::darkchess::{Colour, DarkChess, PIECES, Piece, Squares};

/// The accumulators of both colours' views of a position.
#[derive(Clone, Debug)]
pub struct Accumulators {
    views: [Accumulator<HIDDEN>; 2],
    face_up: [u32; PIECES],
    face_down: u32,
    hidden: [u8; PIECES],
}

impl Accumulators {
    /// Those of an empty board.
    pub fn new(network: &DarkChessNetwork) -> Accumulators {
        Accumulators {
            views: [network.refresh([]); 2],
            face_up: [0; PIECES],
            face_down: 0,
            hidden: [0; PIECES],
        }
    }

    /// The output of the network for a colour to move, in units of 1 / `unit` of the logit.
    pub fn evaluate(
        &mut self,
        network: &DarkChessNetwork,
        game: &DarkChess,
        own: Colour,
        unit: i32,
    ) -> i32 {
        self.update(network, game);
        let views = [own, own.other()].map(|colour| &self.views[colour.index()]);
        network.output(views, bucket(game), unit)
    }

    fn update(&mut self, network: &DarkChessNetwork, game: &DarkChess) {
        for piece in Piece::all() {
            let i = piece.index();
            let now = game.pieces(piece);
            let feature = |view, square| face_up(view, piece, square);
            self.change_squares(network, self.face_up[i], now, feature);
            self.face_up[i] = now;
            let hidden = game.pool()[i];
            while self.hidden[i] != hidden {
                let adds = self.hidden[i] < hidden;
                let number = if adds { self.hidden[i] } else { self.hidden[i] - 1 };
                for view in Colour::BOTH {
                    if let Some(feature) = hidden_piece(view, piece, number) {
                        self.change(network, view, feature, adds);
                    }
                }
                self.hidden[i] = if adds { number + 1 } else { number };
            }
        }
        let now = game.hidden();
        self.change_squares(network, self.face_down, now, |_, square| face_down(square));
        self.face_down = now;
    }

    /// Changes both views where two sets of squares differ.
    #[inline]
    fn change_squares(
        &mut self,
        network: &DarkChessNetwork,
        before: u32,
        now: u32,
        feature: impl Fn(Colour, u8) -> usize,
    ) {
        for square in Squares(before ^ now) {
            for view in Colour::BOTH {
                self.change(network, view, feature(view, square), now >> square & 1 != 0);
            }
        }
    }

    #[inline]
    fn change(&mut self, network: &DarkChessNetwork, view: Colour, feature: usize, adds: bool) {
        let accumulator = &mut self.views[view.index()];
        if adds {
            network.add(accumulator, feature);
        } else {
            network.remove(accumulator, feature);
        }
    }
}
