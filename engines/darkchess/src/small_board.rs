//! The exact values of small games with hidden pieces, computed without search, by visiting every
//! reachable position in layers.
//!
//! A layer is a set of positions connected by steps onto empty squares. Captures and flips leave it
//! permanently, to layers that are solved first. Within a layer the values are the fixed point of
//! value iteration from 0, the value of endless play. What a side can force within n steps only
//! grows with n, so the iteration converges to the value of the game without draw limits.
//!
//! Boards have at most [`MAX_SQUARES`] squares. Only one position is kept of its images under board
//! symmetry and exchange of colours: 5,807,358 positions of the 2 by 4 game with 8 different hidden
//! pieces (`lab darkchess solve`).

use agon_games::darkchess::{DarkChess, DarkMove, KINDS, PIECES, Squares};
use agon_games::game::{Game, Turn, chance_outcomes, legal_moves};
use agon_games::hash::FastMap;
use agon_search::expectimax::UNIT;

/// The maximum number of squares of a board.
pub const MAX_SQUARES: usize = 8;

/// The codes of an empty square and of a hidden piece; smaller codes are piece indices.
const EMPTY: u64 = 15;
const HIDDEN: u64 = 14;

/// A solver with memoized values. Its positions must have no draw limits (`DrawPlies` and
/// `RepetitionCount` 0) and share one board.
pub struct SmallBoardSolver {
    /// The values for the side to move, by [`SmallBoardSolver::key`].
    values: FastMap<u64, i32>,
    /// The board's squares, in the reading order of each symmetry.
    squares: Vec<u8>,
    images: Vec<Vec<usize>>,
}

/// A position of a layer.
struct Member {
    game: DarkChess,
    /// The best value of a capture or flip; below every value if there is none.
    exit: i32,
    /// The members reached by steps onto empty squares.
    steps: Vec<u32>,
}

impl SmallBoardSolver {
    /// A solver for games on this game's board; `None` if it has more than [`MAX_SQUARES`] squares.
    pub fn new(game: &DarkChess) -> Option<SmallBoardSolver> {
        let squares: Vec<u8> = Squares(game.board()).collect();
        if squares.len() > MAX_SQUARES {
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
        Some(SmallBoardSolver { values: FastMap::default(), squares, images })
    }

    /// The expected outcome for the side to move, -UNIT to UNIT, under best play by both; endless
    /// play is a draw.
    pub fn value(&mut self, game: &DarkChess) -> i32 {
        if let Turn::Over(outcome) = game.turn() {
            return outcome.sign_for(game.mover()) * UNIT;
        }
        if game.colour_to_move().is_none() {
            // Only flips are legal here. The key of a position requires the colour to move.
            let flips = legal_moves(game).into_iter().map(|m| self.value_after(game, m));
            return flips.max().unwrap_or(-UNIT);
        }
        let key = self.key(game);
        if let Some(&value) = self.values.get(&key) {
            return value;
        }
        self.solve_layer(game);
        self.values.get(&key).copied().unwrap_or(0)
    }

    /// The value of a legal move for the side that makes it.
    pub fn value_after(&mut self, game: &DarkChess, m: DarkMove) -> i32 {
        let mut next = *game;
        next.play(m);
        match next.turn() {
            Turn::Over(outcome) => outcome.sign_for(game.mover()) * UNIT,
            Turn::Chance => self.flip_value(&next),
            Turn::Player(_) => -self.value(&next),
        }
    }

    /// The number of solved positions, counting symmetric images once.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no position has been solved.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The key of a position, unique up to its images: four bits for each square, then four for
    /// each hidden piece. The side to move plays the role of red.
    fn key(&self, game: &DarkChess) -> u64 {
        let exchange = game.colour_to_move().map_or(0, |colour| colour.index() * KINDS);
        let own = |index: usize| ((index + exchange) % PIECES) as u64;
        let mut cells = [EMPTY; MAX_SQUARES];
        for (cell, &square) in cells.iter_mut().zip(&self.squares) {
            if game.hidden() >> square & 1 == 1 {
                *cell = HIDDEN;
            } else if let Some(piece) = game.piece_at(square) {
                *cell = own(piece.index());
            }
        }
        let mut key = u64::MAX;
        for image in &self.images {
            key = key.min(image.iter().fold(0, |key, &i| key << 4 | cells[i & (MAX_SQUARES - 1)]));
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
                    _ => exit = exit.max(self.value_after(&game, m)),
                }
            }
            (members[at].exit, members[at].steps) = (exit, steps);
            at += 1;
        }
        self.values.extend(keys.into_iter().zip(fixed_point(&members)));
    }

    /// The average over the outcomes of a flip, for the side that made it.
    fn flip_value(&mut self, game: &DarkChess) -> i32 {
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

/// The values of a layer's members for their sides to move: value iteration in rounds that
/// recompute only members with a changed successor.
fn fixed_point(members: &[Member]) -> Vec<i32> {
    let mut predecessors = vec![Vec::new(); members.len()];
    for (at, member) in (0u32..).zip(members) {
        for &step in &member.steps {
            predecessors[step as usize].push(at);
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
            // A side without a legal move has lost.
            let value = steps.chain([member.exit]).max().unwrap_or(-UNIT).max(-UNIT);
            if value != values[at as usize] {
                changes.push((at, value));
            }
        }
        due.clear();
        for &(at, value) in &changes {
            values[at as usize] = value;
            for &earlier in &predecessors[at as usize] {
                if !std::mem::replace(&mut waiting[earlier as usize], true) {
                    due.push(earlier);
                }
            }
        }
    }
    values
}
