//! The king, advisors and elephants of one side in all their places, with the moves from place to
//! place. They never leave their half, so the other side's never stand in their way.

use super::sets::mirrored;
use agon_protocol::Player;
use agon_protocol::xiangqi::{Kind, Square, Squares, tables};
use agon_xiangqi_studies::numbering::home::{HomeCounts, HomeIndex, HomePieces, rotated};

/// One move of a home piece.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The number of the place that it leads to.
    pub home: usize,
    /// The square that it leads to.
    pub to: u128,
    /// The square that must be empty for it: an elephant's eye, or none.
    pub eye: u128,
}

/// The capture of a home piece.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// What is captured, an advisor or an elephant.
    pub kind: Kind,
    /// Where.
    pub square: Square,
    /// The number of what is left in the places with one piece of this kind less.
    pub home: usize,
}

/// One place.
#[derive(Clone, Debug)]
pub struct Place {
    /// The king's square.
    pub king: Square,
    /// All pieces, the king included.
    pub occupied: u128,
    /// The advisors.
    pub advisors: u128,
    /// The elephants.
    pub elephants: u128,
    /// The number of the mirror image.
    pub mirror: usize,
    /// The moves.
    pub steps: Vec<Step>,
    /// The pieces that can be captured.
    pub losses: Vec<Loss>,
}

/// All places of a side's home pieces, in the order of [`HomeIndex`].
#[derive(Clone, Debug)]
pub struct Places {
    /// By number.
    pub list: Vec<Place>,
}

impl Places {
    /// All places of so many advisors and elephants of a side.
    pub fn new(homes: &HomeIndex, side: Player, advisors: usize, elephants: usize) -> Places {
        let class = HomeCounts { advisors, elephants, pawns: 0 };
        let finder = Finder { homes, side, class };
        let list = (0..homes.size(class)).map(|n| finder.place(n)).collect();
        Places { list }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none, which never happens.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Numbers the homes of one class on a side's real squares.
struct Finder<'a> {
    homes: &'a HomeIndex,
    side: Player,
    class: HomeCounts,
}

/// A side's squares as Red's, and back.
fn as_red(side: Player, set: u128) -> u128 {
    if side == Player::First { set } else { rotated(set) }
}

/// The number of home pieces, on their real squares, among all places of as many pieces.
pub fn place_number(
    homes: &HomeIndex,
    side: Player,
    king: u128,
    advisors: u128,
    elephants: u128,
) -> usize {
    let class = HomeCounts {
        advisors: advisors.count_ones() as usize,
        elephants: elephants.count_ones() as usize,
        pawns: 0,
    };
    let home = HomePieces {
        king: as_red(side, king),
        advisors: as_red(side, advisors),
        elephants: as_red(side, elephants),
        pawns: 0,
    };
    homes.rank(class, home) as usize
}

impl Finder<'_> {
    fn number(&self, king: u128, advisors: u128, elephants: u128) -> usize {
        place_number(self.homes, self.side, king, advisors, elephants)
    }

    fn place(&self, number: u64) -> Place {
        let home = self.homes.unrank(self.class, number);
        let [king, advisors, elephants] =
            [home.king, home.advisors, home.elephants].map(|set| as_red(self.side, set));
        let mut place = Place {
            king: Square::from_index(king.trailing_zeros() as usize),
            occupied: king | advisors | elephants,
            advisors,
            elephants,
            mirror: self.number(mirrored(king), mirrored(advisors), mirrored(elephants)),
            steps: Vec::new(),
            losses: Vec::new(),
        };
        for from in Squares(place.occupied) {
            self.add_steps(&mut place, from);
        }
        for square in Squares(advisors) {
            let home = self.number(king, advisors ^ square.bit(), elephants);
            place.losses.push(Loss { kind: Kind::Advisor, square, home });
        }
        for square in Squares(elephants) {
            let home = self.number(king, advisors, elephants ^ square.bit());
            place.losses.push(Loss { kind: Kind::Elephant, square, home });
        }
        place
    }

    fn add_steps(&self, place: &mut Place, from: Square) {
        let (king, bit) = (place.king.bit(), from.bit());
        let targets = if bit == king {
            tables::king(from.index())
        } else if bit & place.advisors != 0 {
            tables::advisor(from.index())
        } else {
            tables::elephant(from.index(), place.occupied)
        };
        for to in Squares(targets & !place.occupied) {
            let change = bit | to.bit();
            let moved = |set: u128| if set & bit != 0 { set ^ change } else { set };
            let home = self.number(moved(king), moved(place.advisors), moved(place.elephants));
            // Two squares on diagonally: the eye is half way.
            let jumps = bit & place.elephants != 0;
            let eye = if jumps { 1 << ((from.index() + to.index()) / 2) } else { 0 };
            place.steps.push(Step { home, to: to.bit(), eye });
        }
    }
}
