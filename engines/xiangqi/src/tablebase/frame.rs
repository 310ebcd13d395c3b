//! A frame: all pieces on the board except one attacking piece, the single. A set of squares then
//! holds a property for all squares of the single at once. The moves of the other pieces depend on
//! the single only where it blocks them or is a cannon's screen: a mask.

use super::layout::{Attackers, SetLayout};
use super::material::ATTACKERS;
use super::palace::PalaceConfiguration;
use super::square_sets::{attackers, between, mirrored};
use agon_games::Player;
use agon_games::xiangqi::tables::{self, Ray};
use agon_games::xiangqi::{BOARD, FILE_A, Kind, RED_HALF, SQUARES, Square, Squares};
use arrayvec::ArrayVec;

/// Maximum number of attacking pieces besides the single.
pub const MOST_OTHERS: usize = 10;

/// Attacking pieces besides the single.
pub type Others = ArrayVec<(Kind, Square), MOST_OTHERS>;

/// The frames of a set: for each kept pair of palace configurations, every placement of the other
/// attackers, with their squares as base-90 digits. Impossible placements are empty.
#[derive(Debug)]
pub struct Frames<'a> {
    /// The set's indexing.
    pub layout: &'a SetLayout,
    /// The kind of the single, the last of the attacking pieces.
    pub single: Kind,
    others: Vec<Kind>,
    /// Frames per pair.
    pub of_pair: usize,
}

/// One frame.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// The attacker's king, advisors and elephants.
    pub strong: &'a PalaceConfiguration,
    /// The defender's.
    pub weak: &'a PalaceConfiguration,
    /// The attacking pieces besides the single.
    pub others: Others,
    /// All pieces but the single.
    pub occupied: u128,
    /// The squares where the single can stand.
    pub free: u128,
}

/// A move of an attacker other than the single.
#[derive(Clone, Copy, Debug)]
pub struct OtherMove {
    /// The index of the moving piece in [`Frame::others`].
    pub index: usize,
    /// The target square.
    pub to: Square,
    /// The squares of the single for which the move is possible.
    pub mask: u128,
    /// Whether it captures a defender.
    pub captures: bool,
}

impl<'a> Frames<'a> {
    /// The frames of a set; `None` if their number overflows.
    pub fn new(layout: &'a SetLayout) -> Option<Frames<'a>> {
        let mut others = layout.set.attacking();
        let single = others.pop()?;
        let of_pair = SQUARES.checked_pow(others.len() as u32)?;
        of_pair.checked_mul(layout.pairs())?.checked_mul(SQUARES)?;
        Some(Frames { layout, single, others, of_pair })
    }

    /// The frame of two configurations and an index within the pair; `None` if pieces would share a
    /// square or stand on an impossible one.
    pub fn frame(&self, s: usize, w: usize, number: usize) -> Option<Frame<'a>> {
        let mut rest = number;
        let mut others = Others::new();
        for &kind in &self.others {
            others.push((kind, Square::from_index(rest % SQUARES)));
            rest /= SQUARES;
        }
        self.frame_of(s, w, others)
    }

    /// A frame by its pieces.
    pub fn frame_of(&self, s: usize, w: usize, others: Others) -> Option<Frame<'a>> {
        let (strong, weak) = (&self.layout.strong.list[s], &self.layout.weak.list[w]);
        Frame::new(strong, weak, others, self.single)
    }

    /// The index within the pair after a move of another attacker.
    pub fn moved(&self, number: usize, m: &OtherMove, from: Square) -> usize {
        let weight = SQUARES.pow(m.index as u32);
        number + m.to.index() * weight - from.index() * weight
    }

    /// The mirror image's index within its pair.
    #[inline]
    pub fn mirrored(&self, number: usize) -> usize {
        let (mut rest, mut image, mut weight) = (number, 0, 1);
        for _ in &self.others {
            image += Square::from_index(rest % SQUARES).mirrored().index() * weight;
            rest /= SQUARES;
            weight *= SQUARES;
        }
        image
    }

    /// The index within the pair and the square of the single, for attackers given as sets.
    pub fn number(&self, attackers: Attackers) -> (usize, Square) {
        let mut sets = attackers;
        let (mut number, mut weight) = (0, 1);
        let mut take = |kind: Kind| {
            let set = &mut sets[slot(kind)];
            let square = Square::from_index(set.trailing_zeros() as usize);
            *set &= set.wrapping_sub(1);
            square
        };
        for &kind in &self.others {
            number += take(kind).index() * weight;
            weight *= SQUARES;
        }
        (number, take(self.single))
    }
}

/// The index of a kind in [`Attackers`].
pub fn slot(kind: Kind) -> usize {
    ATTACKERS.iter().position(|&k| k == kind).unwrap_or(0)
}

/// Attacking pieces as sets.
pub fn as_sets(pieces: impl IntoIterator<Item = (Kind, Square)>) -> Attackers {
    let mut sets = Attackers::default();
    for (kind, square) in pieces {
        sets[slot(kind)] |= square.bit();
    }
    sets
}

impl<'a> Frame<'a> {
    fn new(
        strong: &'a PalaceConfiguration,
        weak: &'a PalaceConfiguration,
        others: Others,
        single: Kind,
    ) -> Option<Frame<'a>> {
        let mut occupied = strong.occupied | weak.occupied;
        let mut pawns = 0u128;
        for &(kind, square) in &others {
            let crowded = |set| kind == Kind::Pawn && set & FILE_A << square.file() & RED_HALF != 0;
            let stands = kind.domain(Player::First) & square.bit() & !occupied != 0;
            if !stands || square.bit() & RED_HALF != 0 && crowded(pawns) {
                return None;
            }
            occupied |= square.bit();
            pawns |= if kind == Kind::Pawn { square.bit() } else { 0 };
        }
        let mut free = single.domain(Player::First) & !occupied;
        if single == Kind::Pawn {
            for pawn in Squares(pawns & RED_HALF) {
                free &= !(FILE_A << pawn.file() & RED_HALF);
            }
        }
        Some(Frame { strong, weak, others, occupied, free })
    }

    /// The squares of the single for which the kings face each other.
    pub fn facing(&self) -> u128 {
        match between(self.strong.king, self.weak.king) {
            Some(gap) if gap & self.occupied == 0 => self.free & !gap,
            _ => 0,
        }
    }

    /// Whether the kings face each other with pieces on `occupied`.
    pub fn faces_with(&self, occupied: u128) -> bool {
        between(self.strong.king, self.weak.king).is_some_and(|gap| gap & occupied == 0)
    }

    /// The squares of the single for which the defender is in check, from it or another attacker.
    pub fn check(&self, single: Kind) -> u128 {
        let king = self.weak.king;
        let mut set = attackers(single, king.index(), self.occupied);
        for &(kind, square) in &self.others {
            set |= self.checks(kind, square, king);
        }
        set & self.free
    }

    /// The squares of the single for which another attacker gives check.
    fn checks(&self, kind: Kind, square: Square, king: Square) -> u128 {
        match (kind, between(square, king)) {
            (Kind::Rook | Kind::Cannon, Some(gap)) => self.line(kind, gap, true),
            (Kind::Horse, _) if tables::horse_pattern(king.index()) & square.bit() != 0 => {
                let leg = tables::horse_leg(square.index(), king.index());
                if leg & self.occupied == 0 { !leg } else { 0 }
            }
            (Kind::Pawn, _)
                if tables::pawns_back(Player::First, king.index()) & square.bit() != 0 =>
            {
                BOARD
            }
            _ => 0,
        }
    }

    /// The squares of the single for which a rook or cannon can pass over the squares of `gap`.
    fn line(&self, kind: Kind, gap: u128, captures: bool) -> u128 {
        let screens = (gap & self.occupied).count_ones();
        match (kind == Kind::Cannon && captures, screens) {
            (false, 0) | (true, 1) => !gap,
            (true, 0) => gap,
            _ => 0,
        }
    }

    /// The moves of the attackers besides the single.
    pub fn other_moves(&self, visit: &mut impl FnMut(OtherMove)) {
        let own = self.occupied & !self.weak.occupied;
        for (index, &(kind, from)) in self.others.iter().enumerate() {
            let s = from.index();
            let targets = match kind {
                Kind::Rook | Kind::Cannon => lines(s),
                Kind::Horse => tables::horse(s, self.occupied),
                _ => tables::pawns(Player::First, from.bit()),
            };
            for to in Squares(targets & !own) {
                let captures = self.weak.occupied & to.bit() != 0;
                let allowed = match kind {
                    Kind::Rook | Kind::Cannon => {
                        self.line(kind, between(from, to).unwrap_or(0), captures)
                    }
                    Kind::Horse => !tables::horse_leg(s, to.index()),
                    _ => BOARD,
                };
                let mask = allowed & self.free & !to.bit();
                if mask != 0 {
                    visit(OtherMove { index, to, mask, captures });
                }
            }
        }
    }
}

/// The squares of a rank and file.
fn lines(s: usize) -> u128 {
    (0..4).fold(0, |set, direction| set | Ray::new(direction, s).squares())
}

/// Converts a set to the mirror image's frame.
#[inline]
pub fn image(set: u128, flip: bool) -> u128 {
    if flip { mirrored(set) } else { set }
}
