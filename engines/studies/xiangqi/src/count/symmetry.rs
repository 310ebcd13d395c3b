//! Counting up to left-right mirror symmetry: placements that are their own mirror image are
//! counted once and the others in pairs, so classes = (all + self-symmetric) / 2.
//!
//! A self-symmetric placement has single pieces on file e and equal pairs elsewhere.

use super::{Number, binomial, half_boards};
use agon_games::Player;
use agon_games::xiangqi::{Kind, RED_HALF, Square, Squares};

/// Home pieces of one half by pawns before the river, squares of file e taken, pairs taken.
type SymmetricTally = [[[u64; 6]; 6]; 6];

/// Self-symmetric placements, by the number of pieces (0 to 32).
pub fn own_images_by_pieces() -> [Number; 33] {
    let tally = symmetric_half();
    let mut total = [Number::ZERO; 33];
    for (red_home, red_mid, red_pairs, red_ways) in entries(&tally) {
        for (black_home, black_mid, black_pairs, black_ways) in entries(&tally) {
            // Free squares of file e and free pairs in either half.
            let mid = [5 - red_mid, 5 - black_mid];
            let pairs = [20 - red_pairs, 20 - black_pairs];
            for (m, p, black_over) in crossed_pawns(mid[0], pairs[0], 5 - black_home) {
                for (n, q, red_over) in crossed_pawns(mid[1], pairs[1], 5 - red_home) {
                    let ways = Number::from(red_ways * black_ways)
                        * Number::from(black_over)
                        * Number::from(red_over);
                    let home = red_mid + black_mid + 2 * (red_pairs + black_pairs);
                    let pieces = (home + m + n + 2 * (p + q)) as usize;
                    let free = free_pieces(mid[0] + mid[1] - m - n, pairs[0] + pairs[1] - p - q);
                    for (more, f) in free.into_iter().enumerate() {
                        total[pieces + more] += ways * f;
                    }
                }
            }
        }
    }
    total
}

/// The number of self-symmetric placements.
pub fn own_images() -> Number {
    half_boards::sum(&own_images_by_pieces())
}

fn entries(tally: &SymmetricTally) -> impl Iterator<Item = (u64, u64, u64, u64)> + '_ {
    (0..216).filter_map(|i| {
        let (home, mid, pairs) = (i / 36, i / 6 % 6, i % 6);
        let ways = tally[home][mid][pairs];
        (ways > 0).then_some((home as u64, mid as u64, pairs as u64, ways))
    })
}

/// Enumerates all symmetric sets of king, advisors, elephants and pawns on their points.
fn symmetric_half() -> SymmetricTally {
    let mut tally = [[[0; 6]; 6]; 6];
    for king in symmetric_sets(Kind::King, 1).into_iter().filter(|k| *k != 0) {
        for advisors in symmetric_sets(Kind::Advisor, 2) {
            for elephants in symmetric_sets(Kind::Elephant, 2) {
                for pawns in symmetric_sets(Kind::Pawn, 5) {
                    let all = king | advisors | elephants | pawns;
                    let sum = [king, advisors, elephants, pawns].map(u128::count_ones);
                    if all.count_ones() == sum.iter().sum::<u32>() && one_a_file(pawns) {
                        let mid = Squares(all).filter(|s| s.file() == 4).count();
                        let pairs = (all.count_ones() as usize - mid) / 2;
                        tally[pawns.count_ones() as usize][mid][pairs] += 1;
                    }
                }
            }
        }
    }
    tally
}

/// The symmetric sets of at most `most` pieces on the points of one kind in its own half.
fn symmetric_sets(kind: Kind, most: u32) -> Vec<u128> {
    let points = kind.domain(Player::First) & RED_HALF;
    let orbits = Squares(points).filter(|s| s.file() <= 4).map(|s| s.bit() | s.mirrored().bit());
    let mut sets = vec![0];
    for orbit in orbits {
        let longer: Vec<u128> = sets.iter().map(|s| s | orbit).collect();
        sets.extend(longer.into_iter().filter(|s| s.count_ones() <= most));
    }
    sets
}

fn one_a_file(pawns: u128) -> bool {
    Squares(pawns).all(|a| Squares(pawns).all(|b| a == b || Square::file(a) != b.file()))
}

/// Symmetric sets of at most `most` pawns on `mid` single squares and `pairs` pairs: the number of
/// each taken, and the ways.
fn crossed_pawns(mid: u64, pairs: u64, most: u64) -> impl Iterator<Item = (u64, u64, u64)> {
    (0..=most.min(mid)).flat_map(move |m| {
        let sets = (0..=(most - m) / 2).map(move |p| (m, p, binomial(mid, m) * binomial(pairs, p)));
        sets.filter(|s| s.2 > 0)
    })
}

/// Symmetric placements of up to two each of six kinds, by the number of pieces.
fn free_pieces(mid: u64, pairs: u64) -> [Number; 13] {
    // By squares of file e and pairs taken so far.
    let mut ways = vec![vec![Number::ZERO; 7]; 13];
    ways[0][0] = Number::from(1);
    for _kind in 0..6 {
        let mut next = vec![vec![Number::ZERO; 7]; 13];
        for (m, row) in ways.iter().enumerate() {
            for (p, &w) in row.iter().enumerate().filter(|e| !e.1.is_zero()) {
                let (mid, pairs) = (mid.saturating_sub(m as u64), pairs - p as u64);
                next[m][p] += w;
                for (more_mid, more_pairs, sets) in
                    [(1, 0, mid), (2, 0, binomial(mid, 2)), (0, 1, pairs)]
                {
                    if sets > 0 {
                        next[m + more_mid][p + more_pairs] += w * Number::from(sets);
                    }
                }
            }
        }
        ways = next;
    }
    let mut by_pieces = [Number::ZERO; 13];
    for (m, row) in ways.iter().enumerate() {
        for (p, &w) in row.iter().enumerate().filter(|e| m + 2 * e.0 <= 12) {
            by_pieces[m + 2 * p] += w;
        }
    }
    by_pieces
}
