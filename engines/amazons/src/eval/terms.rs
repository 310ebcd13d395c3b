//! The terms of Lieberum's evaluation (Theoretical Computer Science 349, 2005), measured on a
//! position: territory t1 and t2, position c1 and c2, each amazon's mobility, and the phase w.

use super::distance::{Layers, Slider, dilate, king_distances, neighbour_counts};
use super::lanes::{Pair, Portable};
use agon_games::amazons::{Amazons, Squares};
use agon_games::game::Player;

/// One square, in the fixed-point unit of [`Terms`].
pub const ONE: i32 = 1024;

/// The terms of a position, from the first player's point of view, in 1/1024 squares unless stated
/// otherwise. D1 and D2 are queen and king distances of a player's nearest amazon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// Squares that the first player's queens reach sooner, minus those the second's do (squares).
    pub t1: i32,
    /// Squares that both reach with the same D1 (squares).
    pub ties1: i32,
    /// As `t1`, with kings (squares).
    pub t2: i32,
    /// Squares that both reach with the same D2 (squares).
    pub ties2: i32,
    /// c1 = 2 sum(2^-D1first - 2^-D1second).
    pub c1: i32,
    /// c2 = sum clip((D2second - D2first) / 6, -1, 1), in **sixths** of a square.
    pub c2: i32,
    /// w = sum over squares that both reach of 2^-|D1first - D1second|; 0 exactly if no square is
    /// reached by both, i.e. the players are separated.
    pub w: i32,
    /// The mobility of each player's up to four amazons: the sum, over the squares one move away
    /// that the opponent can also reach, of 2^-(king distance) times empty neighbours, in 1/1024;
    /// -1 for amazons that smaller boards lack.
    pub mobility: [[i32; 4]; 2],
}

impl Terms {
    /// Measures a position.
    #[inline]
    pub fn of(game: &Amazons) -> Terms {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            if is_x86_feature_detected!("avx512vl") && is_x86_feature_detected!("avx512vpopcntdq") {
                // SAFETY: the processor supports the features that the function is compiled for.
                return unsafe { measure_avx512(game) };
            }
            // SAFETY: as above.
            return unsafe { measure_avx2(game) };
        }
        Terms::of_portable(game)
    }

    /// The same without special instructions.
    // One copy is enough: `measure` is large and inlines everything.
    #[inline(never)]
    pub fn of_portable(game: &Amazons) -> Terms {
        measure::<Portable>(game)
    }

    /// Whether no empty square can be reached by both players.
    pub fn separated(&self) -> bool {
        self.w == 0
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
#[inline(never)]
fn measure_avx2(game: &Amazons) -> Terms {
    measure::<super::lanes::Avx2>(game)
}

/// The same lanes with the three-operand logic and the bit counts of AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,avx512vl,avx512vpopcntdq")]
#[inline(never)]
fn measure_avx512(game: &Amazons) -> Terms {
    measure::<super::lanes::Avx2>(game)
}

#[inline(always)]
fn measure<P: Pair>(game: &Amazons) -> Terms {
    let amazons = P::new(Player::BOTH.map(|p| game.amazons(p)));
    let empty = P::splat(game.empty());
    let within = king_distances(amazons, empty);
    let Some(&all) = within.last() else { return Terms::default() };
    let shared = all.and(all.swap());
    let mut terms = Terms { mobility: [[-1; 4]; 2], ..Terms::default() };

    let slider = Slider::new(empty);
    let first = mobility(game, &slider, shared, empty, &mut terms);
    king_terms(&within, all, shared, &mut terms);
    let layers = slider.queen_distances(first, all);
    queen_terms(&layers, shared, &mut terms);
    terms
}

/// Measures each amazon's mobility and returns the squares at queen distance 1.
#[inline(always)]
fn mobility<P: Pair>(
    game: &Amazons,
    slider: &Slider<P>,
    shared: P,
    empty: P,
    terms: &mut Terms,
) -> P {
    let digits = neighbour_counts(empty).map(|d| d.and(shared));
    let mut reach = empty.without(empty);
    let queens = Squares(game.white()).zip(Squares(game.black()));
    for (i, (white, black)) in queens.enumerate().take(4) {
        let mut sums = [0; 2];
        let mut weight = ONE;
        let own = slider.walk(P::new([white.bit(), black.bit()]), |ring| {
            weight /= 2;
            for (digit, &set) in digits.iter().enumerate() {
                let [a, b] = ring.and(set).counts();
                sums[0] += (a * weight) << digit;
                sums[1] += (b * weight) << digit;
            }
        });
        terms.mobility[0][i] = sums[0];
        terms.mobility[1][i] = sums[1];
        reach = reach.or(own);
    }
    reach
}

#[inline(always)]
fn king_terms<P: Pair>(within: &Layers<P>, all: P, shared: P, terms: &mut Terms) {
    let alone = all.without(shared);
    let mut closer = alone;
    let mut sixths = 6 * difference(alone.counts());
    if !shared.is_empty() {
        for (k, &near) in within.iter().enumerate() {
            let sooner = near.without(near.swap());
            closer = closer.or(sooner);
            sixths += difference(sooner.and(shared).counts());
            // The clip: a difference of more than six steps counts as six.
            if let Some(&later) = within.get(k + 6) {
                let much = near.and(shared).without(later.swap());
                sixths -= difference(much.counts());
            }
        }
    }
    terms.c2 = sixths;
    terms.t2 = difference(closer.counts());
    terms.ties2 = shared.without(closer).without(closer.swap()).counts()[0];
}

#[inline(always)]
fn queen_terms<P: Pair>(layers: &Layers<P>, shared: P, terms: &mut Terms) {
    let nothing = shared.without(shared);
    let (mut reached, mut closer) = (nothing, nothing);
    let mut weight = 2 * ONE;
    for &layer in layers {
        weight /= 2;
        terms.c1 += weight * difference(layer.counts());
        reached = reached.or(layer);
        closer = closer.or(reached.without(reached.swap()));
    }
    terms.t1 = difference(closer.counts());
    if shared.is_empty() {
        return;
    }
    terms.ties1 = shared.without(closer).without(closer.swap()).counts()[0];
    terms.w = ONE * terms.ties1;
    let mut weight = ONE;
    for gap in 1..layers.len() {
        let mut apart = nothing;
        for (near, far) in layers.iter().zip(&layers[gap..]) {
            apart = apart.or(near.and(far.swap()));
        }
        // A shared square counts, however far apart: w is 0 only if the players are separated.
        weight = (weight / 2).max(1);
        let [a, b] = apart.counts();
        terms.w += weight * (a + b);
    }
}

#[inline(always)]
fn difference([first, second]: [i32; 2]) -> i32 {
    first - second
}

/// The empty squares that each player can ever reach if nobody else moves.
pub fn reachable(game: &Amazons) -> [u128; 2] {
    Player::BOTH.map(|p| {
        let mut reached = 0;
        let mut next = dilate(Portable::splat(game.amazons(p))).sets()[0] & game.empty();
        while next != reached {
            reached = next;
            next = dilate(Portable::splat(reached)).sets()[0] & game.empty();
        }
        reached
    })
}
