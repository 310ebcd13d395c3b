//! A position for playouts: whether a point is legal for either side is known without following groups stone
//! by stone, because groups are joined as stones are placed.
//!
//! An illegal point stays illegal for its side to the end of the game: a group in atari is only extended by
//! filling its last liberty, and nothing is captured. So a playout need never look at a point twice.

use agon_games::Player;
use agon_games::nogo::{BOARD, NoGo, NoGoPoint, Points, SIDE, neighbours};

/// From one row to the next.
const STRIDE: usize = SIDE + 1;
/// The site of point 0: a row and a column are outside the board on each side.
const MARGIN: usize = STRIDE + 1;
/// The number of sites.
pub const SITES: usize = 112;
/// The colour of an empty site; those of stones are [`Player::index`].
const EMPTY: u8 = 2;
/// The colour outside the board.
const OUTSIDE: u8 = 3;

/// The set of each site's point.
const BITS: [u128; SITES] = {
    let (mut bits, mut site) = ([0; SITES], MARGIN);
    while site < SITES {
        bits[site] = (1 << (site - MARGIN)) & BOARD;
        site += 1;
    }
    bits
};

/// The neighbours of each site.
const BESIDE: [u128; SITES] = {
    let (mut beside, mut site) = ([0; SITES], 0);
    while site < SITES {
        beside[site] = neighbours(BITS[site]);
        site += 1;
    }
    beside
};

/// A point as an index of arrays with a margin.
#[inline]
pub fn site(point: NoGoPoint) -> u8 {
    (point.index() + MARGIN) as u8
}

/// The point of a site on the board.
pub fn point(site: u8) -> NoGoPoint {
    let index = usize::from(site) - MARGIN;
    NoGoPoint::new(index % STRIDE, index / STRIDE).expect("a site on the board")
}

/// The sites of a set, in ascending order.
#[inline]
pub fn sites(set: u128) -> impl ExactSizeIterator<Item = u8> {
    Points(set).map(site)
}

/// Stones, their groups and what is legal for each side.
#[derive(Clone, Debug)]
pub struct Board {
    colours: [u8; SITES],
    /// Leads from a stone to the first of its group.
    parents: [u8; SITES],
    /// The liberties of the groups, by their first stones.
    liberties: [u128; SITES],
    stones: [u128; 2],
    empty: u128,
    /// The single liberties of each side's groups in atari, perhaps with points that are filled since.
    atari: [u128; 2],
}

impl Board {
    /// The stones of a position.
    pub fn new(game: &NoGo) -> Board {
        let (colours, parents) = ([OUTSIDE; SITES], [0; SITES]);
        let (liberties, stones, atari) = ([0; SITES], [0; 2], [0; 2]);
        let mut board = Board { colours, parents, liberties, stones, empty: BOARD, atari };
        sites(BOARD).for_each(|site| board.colours[usize::from(site)] = EMPTY);
        for player in Player::BOTH {
            sites(game.stones(player)).for_each(|site| board.place(player.index(), site));
        }
        board
    }

    /// A side's stones.
    pub fn stones(&self, side: usize) -> u128 {
        self.stones[side]
    }

    /// The empty points.
    pub fn empty(&self) -> u128 {
        self.empty
    }

    /// Places a stone of `side`; the move must be legal.
    #[inline]
    pub fn place(&mut self, side: usize, site: u8) {
        let at = usize::from(site);
        let (bit, other) = (BITS[at], side ^ 1);
        self.empty &= !bit;
        self.stones[side] |= bit;
        self.colours[at] = side as u8;
        self.parents[at] = site;
        let mut liberties = BESIDE[at];
        let mut first = site;
        for beside in [site - STRIDE as u8, site - 1, site + 1, site + STRIDE as u8] {
            let colour = usize::from(self.colours[usize::from(beside)]);
            if colour == side {
                let group = self.first_of(beside);
                liberties |= self.liberties[usize::from(group)];
                if first == site {
                    first = group;
                    self.parents[at] = group;
                } else {
                    self.parents[usize::from(group)] = first;
                }
            } else if colour == other {
                let group = usize::from(self.first_of(beside));
                let left = self.liberties[group] & !bit;
                self.liberties[group] = left;
                self.atari[other] |= single(left);
            }
        }
        let liberties = liberties & self.empty;
        self.liberties[usize::from(first)] = liberties;
        self.atari[side] |= single(liberties);
    }

    /// The first stone of a stone's group; the next search for it is short.
    #[inline]
    fn first_of(&mut self, site: u8) -> u8 {
        let first = self.group(site);
        self.parents[usize::from(site)] = first;
        first
    }

    #[inline]
    fn group(&self, site: u8) -> u8 {
        let mut first = site;
        while self.parents[usize::from(first)] != first {
            first = self.parents[usize::from(first)];
        }
        first
    }

    /// Whether both sides may play on a site.
    #[inline]
    pub fn is_shared(&self, site: u8) -> bool {
        let at = usize::from(site);
        let bit = BITS[at];
        if self.empty & bit == 0 {
            return false;
        }
        if BESIDE[at] & self.empty != 0 {
            return (self.atari[0] | self.atari[1]) & bit == 0;
        }
        (0..2).all(|side| self.atari[side ^ 1] & bit == 0 && self.saves(side, site))
    }

    /// Whether a stone of `side` on an empty site without empty neighbours has a liberty.
    #[inline]
    fn saves(&self, side: usize, site: u8) -> bool {
        let bit = BITS[usize::from(site)];
        let mut beside = BESIDE[usize::from(site)] & self.stones[side];
        if self.atari[side] & bit == 0 {
            return beside != 0;
        }
        while beside != 0 {
            let stone = beside.trailing_zeros() as usize + MARGIN;
            let group = usize::from(self.group(stone as u8));
            if self.liberties[group] != bit {
                return true;
            }
            beside &= beside - 1;
        }
        false
    }

    /// The legal moves of each side.
    pub fn legal(&self) -> [u128; 2] {
        let open = neighbours(self.empty);
        [0, 1].map(|side| {
            let free = self.empty & !self.atari[side ^ 1];
            let own = neighbours(self.stones[side]);
            let mut legal = free & (open | own & !self.atari[side]);
            for point in Points(free & !open & own & self.atari[side]) {
                if self.saves(side, site(point)) {
                    legal |= point.bit();
                }
            }
            legal
        })
    }
}

/// The set, if it has one point only.
#[inline]
fn single(set: u128) -> u128 {
    if set & set.wrapping_sub(1) == 0 { set } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::random_game;
    use agon_games::Game;

    #[test]
    fn legal_moves_of_both_sides_are_those_of_the_rules() {
        for index in 0..200 {
            let moves = random_game(index);
            let mut game = NoGo::start(&agon_games::option::NoRules);
            let mut board = Board::new(&game);
            for m in moves {
                board.place(game.side_to_move().index(), site(m));
                game.play(m);
                let legal = Player::BOTH.map(|player| game.legal_for(player));
                assert_eq!(board.legal(), legal, "{}", game.fen());
                assert_eq!(Board::new(&game).legal(), legal, "{}", game.fen());
                for at in sites(BOARD) {
                    let shared = legal[0] & legal[1] & point(at).bit() != 0;
                    assert_eq!(board.is_shared(at), shared, "{} {}", game.fen(), point(at));
                }
            }
        }
    }
}
