//! Sets of squares for one piece that may stand anywhere: the squares from which it attacks a
//! square, and those from which it moves into a set. Handling all squares of the piece at once
//! makes the generator fast.

use agon_games::Player;
use agon_games::xiangqi::tables::{self, Ray};
use agon_games::xiangqi::{BOARD, FILE_A, FILE_I, FILES, Kind, RED_HALF, Square};

/// Mirrors a set left to right.
pub fn mirrored(set: u128) -> u128 {
    let middle = set & FILE_A << 4;
    (0..4).fold(middle, |image, file| {
        let across = 2 * (4 - file);
        image | (set & FILE_A << file) << across | set >> across & FILE_A << file
    })
}

/// The squares strictly between two squares of a rank or file; `None` if they share neither.
pub fn between(a: Square, b: Square) -> Option<u128> {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let gap = (high.bit() - 1) & !(low.bit() | (low.bit() - 1));
    if a.file() == b.file() {
        Some(gap & FILE_A << a.file())
    } else {
        (a.rank() == b.rank()).then_some(gap)
    }
}

/// The empty squares from which a red piece of a kind attacks square `s`, with other pieces on
/// `occupied`.
pub fn attackers(kind: Kind, s: usize, occupied: u128) -> u128 {
    match kind {
        Kind::Rook => (0..4).fold(0, |set, direction| {
            let ray = Ray::new(direction, s);
            set | ray.before(ray.nearest(occupied & ray.squares()))
        }),
        Kind::Cannon => (0..4).fold(0, |set, direction| {
            let ray = Ray::new(direction, s);
            let pieces = occupied & ray.squares();
            let screen = ray.nearest(pieces);
            if screen == 0 {
                return set;
            }
            let next = ray.nearest(pieces ^ screen);
            set | ray.before(next) & !(ray.before(screen) | screen)
        }),
        Kind::Horse => tables::horse_back(s, occupied) & !occupied,
        Kind::Pawn => tables::pawns_back(Player::First, s) & !occupied,
        Kind::King | Kind::Advisor | Kind::Elephant => 0,
    }
}

/// The empty squares from which a red piece of a kind can move into `targets`, which are all empty.
pub fn movers(kind: Kind, targets: u128, occupied: u128) -> u128 {
    let empty = BOARD & !occupied;
    match kind {
        Kind::Rook | Kind::Cannon => slides(targets, empty),
        Kind::Horse => jumps(targets, empty),
        Kind::Pawn => {
            let beside = shifted::<1, 0>(targets) | shifted::<-1, 0>(targets);
            (targets >> FILES | beside & !RED_HALF) & empty
        }
        Kind::King | Kind::Advisor | Kind::Elephant => 0,
    }
}

/// Shifts all squares of a set by files and ranks, dropping those that leave the board.
fn shifted<const FILE: i32, const RANK: i32>(set: u128) -> u128 {
    let stays = match FILE {
        1 => set & !FILE_I,
        2 => set & !(FILE_I | FILE_I >> 1),
        -1 => set & !FILE_A,
        -2 => set & !(FILE_A | FILE_A << 1),
        _ => set,
    };
    let by = RANK * FILES as i32 + FILE;
    if by >= 0 { stays << by & BOARD } else { stays >> -by }
}

/// The squares from which a rook reaches the set: a Kogge-Stone fill through empty squares.
fn slides(targets: u128, empty: u128) -> u128 {
    if targets == 0 {
        return 0;
    }
    let (mut up, mut up_way) = (targets, empty);
    let (mut down, mut down_way) = (targets, empty);
    let (mut right, mut right_way) = (targets, empty & !FILE_A);
    let (mut left, mut left_way) = (targets, empty & !FILE_I);
    for step in [1, 2, 4, 8] {
        up |= up << (9 * step) & up_way;
        up_way &= up_way << (9 * step);
        down |= down >> (9 * step) & down_way;
        down_way &= down_way >> (9 * step);
        right |= right << step & right_way;
        right_way &= right_way << step;
        left |= left >> step & left_way;
        left_way &= left_way >> step;
    }
    (shifted::<0, 1>(up) | down >> 9 | shifted::<1, 0>(right) | shifted::<-1, 0>(left)) & empty
}

/// The squares from which a horse reaches the set: for each empty leg, the squares beside it and
/// the two targets beyond it.
fn jumps(targets: u128, empty: u128) -> u128 {
    let above = shifted::<0, -1>(empty) & (shifted::<1, -2>(targets) | shifted::<-1, -2>(targets));
    let below = shifted::<0, 1>(empty) & (shifted::<1, 2>(targets) | shifted::<-1, 2>(targets));
    let right = shifted::<-1, 0>(empty) & (shifted::<-2, 1>(targets) | shifted::<-2, -1>(targets));
    let left = shifted::<1, 0>(empty) & (shifted::<2, 1>(targets) | shifted::<2, -1>(targets));
    (above | below | right | left) & empty
}
