//! Exact values of small games with pieces face down, by another way than any search: every
//! position that can be reached, in layers.
//!
//! A layer is what steps onto empty squares connect; captures and flips leave it for good, to
//! layers that are solved first. Within a layer the values are the fixed point that is reached
//! from 0, the value of going on for ever: what a side can force within so many steps only grows
//! with their number, so the iteration ends, and at the value of the game without draw limits.
//!
//! Boards have at most [`SQUARES`] squares. Of a position, its images under the symmetries of the
//! board and the same with the colours exchanged one is kept: of the 2 by 4 game with 8 different
//! pieces face down that leaves 5,807,358 (`darkchess solve`).

use crate::eval::UNIT;
use agon_protocol::darkchess::{DarkChess, DarkMove, KINDS, PIECES, Squares};
use agon_protocol::game::{Game, Turn, chance_outcomes, legal_moves};
use agon_protocol::hash::FastMap;

/// The most squares of a board.
pub const SQUARES: usize = 8;

/// A cell without a piece, and one with a piece face down; below are the pieces' indices.
const EMPTY: u64 = 15;
const HIDDEN: u64 = 14;

/// Values of positions, remembered. Positions must come without draw limits (`DrawPlies` and
/// `RepetitionCount` 0), and all on one board.
pub struct Exact {
    /// For the side to move, by [`Exact::key`].
    values: FastMap<u64, i32>,
    /// The board's squares, and for each symmetry the places to read them from.
    squares: Vec<u8>,
    images: Vec<Vec<usize>>,
}

/// A position of a layer.
struct Member {
    game: DarkChess,
    /// The best that captures and flips give; below every value where there are none.
    exit: i32,
    /// Members that steps lead to.
    steps: Vec<u32>,
}

impl Exact {
    /// For games on the board of this one; nothing if it has more than [`SQUARES`] squares.
    pub fn new(game: &DarkChess) -> Option<Exact> {
        let squares: Vec<u8> = Squares(game.board()).collect();
        if squares.len() > SQUARES {
            return None;
        }
        let (files, ranks) = game.size();
        let image = |mirror_files: bool, mirror_ranks: bool| -> Vec<usize> {
            let flip = |on: bool, at: usize, count: usize| if on { count - 1 - at } else { at };
            let place = |i: usize| {
                flip(mirror_ranks, i / files, ranks) * files + flip(mirror_files, i % files, files)
            };
            (0..squares.len()).map(place).collect()
        };
        let images = [(false, false), (true, false), (false, true), (true, true)];
        let images = images.into_iter().map(|(f, r)| image(f, r)).collect();
        Some(Exact { values: FastMap::default(), squares, images })
    }

    /// The expected outcome for the side to move, -UNIT to UNIT, under best play by both; going on
    /// for ever is a draw.
    pub fn value(&mut self, game: &DarkChess) -> i32 {
        if let Turn::Over(outcome) = game.turn() {
            return outcome.sign_for(game.mover()) * UNIT;
        }
        if game.colour_to_move().is_none() {
            // Nothing but flips, and whose colours they show is not to be kept under any key.
            let flips = legal_moves(game).into_iter().map(|m| self.after(game, m));
            return flips.max().unwrap_or(-UNIT);
        }
        let key = self.key(game);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        self.solve_layer(game);
        self.values.get(&key).copied().unwrap_or(0)
    }

    /// What a legal move is worth to the side that makes it.
    pub fn after(&mut self, game: &DarkChess, m: DarkMove) -> i32 {
        let mut next = *game;
        next.play(m);
        match next.turn() {
            Turn::Over(outcome) => outcome.sign_for(game.mover()) * UNIT,
            Turn::Chance => self.flip(&next),
            Turn::Player(_) => -self.value(&next),
        }
    }

    /// Positions that are solved, one of each class of images.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing has been asked yet.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The same for a position's images, and for no other position: four bits a square, and as
    /// many for each piece face down, of which there are no more than squares for them. The side
    /// to move is made red.
    fn key(&self, game: &DarkChess) -> u64 {
        let exchange = game.colour_to_move().map_or(0, |colour| colour.index() * KINDS);
        let own = |index: usize| ((index + exchange) % PIECES) as u64;
        let mut cells = [EMPTY; SQUARES];
        for (cell, &square) in cells.iter_mut().zip(&self.squares) {
            if game.hidden() >> square & 1 == 1 {
                *cell = HIDDEN;
            } else if let Some(piece) = game.piece_at(square) {
                *cell = own(piece.index());
            }
        }
        let mut key = u64::MAX;
        for image in &self.images {
            key = key.min(image.iter().fold(0, |key, &i| key << 4 | cells[i & (SQUARES - 1)]));
        }
        if game.hidden() != 0 {
            let pool = game.pool();
            for index in 0..PIECES {
                for _ in 0..pool[own(index) as usize] {
                    key = key << 4 | index as u64;
                }
            }
        }
        key
    }

    fn solve_layer(&mut self, start: &DarkChess) {
        let mut members = vec![Member::new(start)];
        let mut keys = vec![self.key(start)];
        let mut places: FastMap<u64, u32> = FastMap::default();
        places.insert(keys[0], 0);
        let mut at = 0;
        while at < members.len() {
            let game = members[at].game;
            let (mut exit, mut steps) = (-UNIT - 1, Vec::new());
            for m in legal_moves(&game) {
                match m {
                    DarkMove::Step { to, .. } if game.piece_at(to).is_none() => {
                        let mut next = game;
                        next.play(m);
                        let key = self.key(&next);
                        let place = *places.entry(key).or_insert_with(|| {
                            members.push(Member::new(&next));
                            keys.push(key);
                            members.len() as u32 - 1
                        });
                        steps.push(place);
                    }
                    _ => exit = exit.max(self.after(&game, m)),
                }
            }
            (members[at].exit, members[at].steps) = (exit, steps);
            at += 1;
        }
        self.values.extend(keys.into_iter().zip(fixed_point(&members)));
    }

    /// The average over what a flip may show, for the side that made it.
    fn flip(&mut self, game: &DarkChess) -> i32 {
        let (mut sum, mut total) = (0, 0);
        for (m, weight) in chance_outcomes(game) {
            let mut next = *game;
            next.play(m);
            sum -= i64::from(self.value(&next)) * i64::from(weight);
            total += i64::from(weight);
        }
        (sum + total / 2).div_euclid(total.max(1)) as i32
    }
}

impl Member {
    fn new(game: &DarkChess) -> Member {
        Member { game: *game, exit: -UNIT - 1, steps: Vec::new() }
    }
}

/// The values of a layer's members for their sides to move: all are reckoned anew from those of the
/// round before until none changes, which only those with a changed successor can.
fn fixed_point(members: &[Member]) -> Vec<i32> {
    let mut before = vec![Vec::new(); members.len()];
    for (at, member) in (0u32..).zip(members) {
        for &step in &member.steps {
            before[step as usize].push(at);
        }
    }
    let mut values = vec![0; members.len()];
    let mut waiting = vec![true; members.len()];
    let mut due: Vec<u32> = (0..members.len() as u32).collect();
    while !due.is_empty() {
        let mut changes = Vec::new();
        for &at in &due {
            waiting[at as usize] = false;
            let member = &members[at as usize];
            let steps = member.steps.iter().map(|&s| -values[s as usize]);
            // Without any move the side to move is shut in: it has lost.
            let value = steps.chain([member.exit]).max().unwrap_or(-UNIT).max(-UNIT);
            if value != values[at as usize] {
                changes.push((at, value));
            }
        }
        due.clear();
        for &(at, value) in &changes {
            values[at as usize] = value;
            for &earlier in &before[at as usize] {
                if !std::mem::replace(&mut waiting[earlier as usize], true) {
                    due.push(earlier);
                }
            }
        }
    }
    values
}
