//! Palace configurations: all placements of one side's king, advisors and elephants, with the moves
//! between them. These pieces never leave their half, so they never block those of the other side.

use super::numbering::palace::{PalaceCounts, PalaceIndex, PalacePieces, rotated};
use super::square_sets::mirrored;
use agon_games::Player;
use agon_games::xiangqi::{Kind, Square, Squares, tables};

/// One move of a king, advisor or elephant.
#[derive(Clone, Copy, Debug)]
pub struct PalaceMove {
    /// The index of the resulting configuration.
    pub configuration: usize,
    /// The target square.
    pub to: u128,
    /// The square that must be empty: an elephant's eye, or none.
    pub eye: u128,
}

/// The capture of an advisor or elephant.
#[derive(Clone, Copy, Debug)]
pub struct PalaceCapture {
    /// The captured kind, advisor or elephant.
    pub kind: Kind,
    /// The captured piece's square.
    pub square: Square,
    /// The index of the remaining pieces among the configurations with one piece of this kind
    /// fewer.
    pub configuration: usize,
}

/// One configuration.
#[derive(Clone, Debug)]
pub struct PalaceConfiguration {
    /// The king's square.
    pub king: Square,
    /// All pieces, the king included.
    pub occupied: u128,
    /// The advisors.
    pub advisors: u128,
    /// The elephants.
    pub elephants: u128,
    /// The index of the mirror image.
    pub mirror: usize,
    /// The moves.
    pub moves: Vec<PalaceMove>,
    /// The pieces that can be captured.
    pub captures: Vec<PalaceCapture>,
}

/// All configurations of a side, in the order of [`PalaceIndex`].
#[derive(Clone, Debug)]
pub struct PalaceConfigurations {
    /// Configurations by index.
    pub list: Vec<PalaceConfiguration>,
}

impl PalaceConfigurations {
    /// All configurations of a side with the given numbers of advisors and elephants.
    pub fn new(
        palaces: &PalaceIndex,
        side: Player,
        advisors: usize,
        elephants: usize,
    ) -> PalaceConfigurations {
        let class = PalaceCounts { advisors, elephants, pawns: 0 };
        let finder = Finder { palaces, side, class };
        let list = (0..palaces.size(class)).map(|n| finder.configuration(n)).collect();
        PalaceConfigurations { list }
    }

    /// The number of configurations.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Always false.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Finds indices of one class for a side's real squares.
struct Finder<'a> {
    palaces: &'a PalaceIndex,
    side: Player,
    class: PalaceCounts,
}

/// Converts a side's squares to Red's, and back.
fn as_red(side: Player, set: u128) -> u128 {
    if side == Player::First { set } else { rotated(set) }
}

/// The index of a configuration, given on its real squares, among all with the same material.
pub fn configuration_number(
    palaces: &PalaceIndex,
    side: Player,
    king: u128,
    advisors: u128,
    elephants: u128,
) -> usize {
    let class = PalaceCounts {
        advisors: advisors.count_ones() as usize,
        elephants: elephants.count_ones() as usize,
        pawns: 0,
    };
    let home = PalacePieces {
        king: as_red(side, king),
        advisors: as_red(side, advisors),
        elephants: as_red(side, elephants),
        pawns: 0,
    };
    palaces.rank(class, home) as usize
}

impl Finder<'_> {
    fn number(&self, king: u128, advisors: u128, elephants: u128) -> usize {
        configuration_number(self.palaces, self.side, king, advisors, elephants)
    }

    fn configuration(&self, number: u64) -> PalaceConfiguration {
        let home = self.palaces.unrank(self.class, number);
        let [king, advisors, elephants] =
            [home.king, home.advisors, home.elephants].map(|set| as_red(self.side, set));
        let mut found = PalaceConfiguration {
            king: Square::from_index(king.trailing_zeros() as usize),
            occupied: king | advisors | elephants,
            advisors,
            elephants,
            mirror: self.number(mirrored(king), mirrored(advisors), mirrored(elephants)),
            moves: Vec::new(),
            captures: Vec::new(),
        };
        for from in Squares(found.occupied) {
            self.add_moves(&mut found, from);
        }
        for square in Squares(advisors) {
            let configuration = self.number(king, advisors ^ square.bit(), elephants);
            found.captures.push(PalaceCapture { kind: Kind::Advisor, square, configuration });
        }
        for square in Squares(elephants) {
            let configuration = self.number(king, advisors, elephants ^ square.bit());
            found.captures.push(PalaceCapture { kind: Kind::Elephant, square, configuration });
        }
        found
    }

    fn add_moves(&self, found: &mut PalaceConfiguration, from: Square) {
        let (king, bit) = (found.king.bit(), from.bit());
        let targets = if bit == king {
            tables::king(from.index())
        } else if bit & found.advisors != 0 {
            tables::advisor(from.index())
        } else {
            tables::elephant(from.index(), found.occupied)
        };
        for to in Squares(targets & !found.occupied) {
            let change = bit | to.bit();
            let moved = |set: u128| if set & bit != 0 { set ^ change } else { set };
            let configuration =
                self.number(moved(king), moved(found.advisors), moved(found.elephants));
            // Two squares diagonally: the eye is half way.
            let jumps = bit & found.elephants != 0;
            let eye = if jumps { 1 << ((from.index() + to.index()) / 2) } else { 0 };
            found.moves.push(PalaceMove { configuration, to: to.bit(), eye });
        }
    }
}
