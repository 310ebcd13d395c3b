//! Turns as numbers: the origin, then the destination.

use super::{BOARD, FILES, Kind, RANKS, Square, Squares, Xiangqi, XiangqiMove, movegen};
use crate::actions::{ActionSet, Chosen, Frame, Planes, Staged, square_text};
use crate::game::{Player, Turn};

const FRAME: Frame = Frame { columns: FILES, rows: RANKS };

fn number(square: Square) -> usize {
    FRAME.number(square.file(), square.rank())
}

fn square(number: u16) -> Square {
    let (file, rank) = FRAME.place(usize::from(number));
    Square::from_index(rank * FILES + file)
}

/// The numbers of a set of squares as bits: the ranks in reverse order.
fn numbers(squares: u128) -> u128 {
    const fn ranks(low: usize, high: usize) -> u128 {
        let rank = (1 << FILES) - 1;
        rank << (low * FILES) | rank << (high * FILES)
    }
    // Both halves change places, then the ranks within each half.
    let swapped = squares >> (5 * FILES) | (squares << (5 * FILES)) & BOARD;
    swapped & ranks(2, 7)
        | (swapped & ranks(0, 5)) << (4 * FILES)
        | (swapped & ranks(1, 6)) << (2 * FILES)
        | (swapped >> (2 * FILES)) & ranks(1, 6)
        | (swapped >> (4 * FILES)) & ranks(0, 5)
}

impl Staged for Xiangqi {
    const PLANES: &'static [&'static str] = &[
        "own king",
        "own advisors",
        "own elephants",
        "own pawns",
        "own rooks",
        "own horses",
        "own cannons",
        "enemy king",
        "enemy advisors",
        "enemy elephants",
        "enemy pawns",
        "enemy rooks",
        "enemy horses",
        "enemy cannons",
        "chosen piece",
        "plies without a capture",
        "red",
    ];

    fn frame(&self) -> Frame {
        FRAME
    }

    fn action_count(&self) -> usize {
        FRAME.squares()
    }

    fn stage(&self, chosen: &[u16]) -> &'static str {
        if chosen.is_empty() { "from" } else { "to" }
    }

    #[inline]
    fn legal_actions(&self, chosen: &[u16], set: &mut ActionSet) {
        let (board, us) = (self.board(), self.side_to_move());
        let squares = match chosen.first() {
            None => movegen::origins(board, us),
            Some(&from) => movegen::targets(board, us, square(from)),
        };
        set.insert_wide(numbers(squares));
    }

    #[inline]
    fn turn_and_actions(&self, set: &mut ActionSet) -> Turn {
        let origins = movegen::origins(self.board(), self.side_to_move());
        let turn = self.turn_if(origins != 0);
        if let Turn::Player(_) = turn {
            set.insert_wide(numbers(origins));
        }
        turn
    }

    fn complete(&self, chosen: &[u16], action: u16) -> Option<XiangqiMove> {
        chosen.first().map(|&from| XiangqiMove { from: square(from), to: square(action) })
    }

    fn actions_of(&self, m: XiangqiMove) -> Chosen {
        [m.from, m.to].map(|s| number(s) as u16).into_iter().collect()
    }

    fn action_text(&self, _chosen: &[u16], action: u16) -> String {
        square_text(FRAME, usize::from(action), 0)
    }

    fn write_planes(&self, chosen: &[u16], player: Player, planes: &mut Planes) {
        for owner in [player, player.opponent()] {
            for kind in Kind::ALL {
                planes.squares(Squares(self.board().pieces(owner, kind)).map(number));
            }
        }
        planes.squares(chosen.first().map(|n| usize::from(*n)));
        planes.number(self.quiet_plies().into());
        planes.number(1 - player.index());
    }
}
