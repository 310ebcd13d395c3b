//! Exact values of small games with pieces face down, by another way than any search: every
//! position that can be reached, in layers.
//!
//! A layer is what steps onto empty squares connect; captures and flips leave it for good, to
//! layers that are solved first. Within a layer the values are the fixed point that is reached
//! from 0, the value of going on for ever: what a side can force within so many steps only grows
//! with their number, so the iteration ends, and at the value of the game without draw limits.
//! Memory and time allow boards of 8 squares.

use crate::eval::UNIT;
use agon_protocol::darkchess::{DarkChess, DarkMove};
use agon_protocol::game::{Game, Turn, chance_outcomes, legal_moves};
use agon_protocol::hash::FastMap;

/// Values of positions, remembered. Positions must come without draw limits (`DrawPlies` and
/// `RepetitionCount` 0).
#[derive(Default)]
pub struct Exact {
    /// For the side to move, by hash.
    values: FastMap<u64, i32>,
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
    /// The expected outcome for the side to move, -UNIT to UNIT, under best play by both; going on
    /// for ever is a draw.
    pub fn value(&mut self, game: &DarkChess) -> i32 {
        if let Turn::Over(outcome) = game.turn() {
            return outcome.sign_for(game.mover()) * UNIT;
        }
        if let Some(&value) = self.values.get(&game.hash()) {
            return value;
        }
        self.solve_layer(game);
        self.values.get(&game.hash()).copied().unwrap_or(0)
    }

    /// Positions that are solved.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing has been asked yet.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    fn solve_layer(&mut self, start: &DarkChess) {
        let mut members = vec![Member::new(start)];
        let mut places: FastMap<u64, u32> = FastMap::default();
        places.insert(start.hash(), 0);
        let mut at = 0;
        while at < members.len() {
            let game = members[at].game;
            let (mut exit, mut steps) = (-UNIT - 1, Vec::new());
            for m in legal_moves(&game) {
                let mut next = game;
                next.play(m);
                match m {
                    DarkMove::Step { to, .. } if game.piece_on(to).is_none() => {
                        let place = *places.entry(next.hash()).or_insert_with(|| {
                            members.push(Member::new(&next));
                            members.len() as u32 - 1
                        });
                        steps.push(place);
                    }
                    DarkMove::Step { .. } => exit = exit.max(-self.value(&next)),
                    _ => exit = exit.max(self.flip(&next)),
                }
            }
            (members[at].exit, members[at].steps) = (exit, steps);
            at += 1;
        }
        for (member, value) in members.iter().zip(fixed_point(&members)) {
            self.values.insert(member.game.hash(), value);
        }
    }

    /// The average over what a flip may show, for the side that made it.
    fn flip(&mut self, game: &DarkChess) -> i32 {
        if let Turn::Over(outcome) = game.turn() {
            return outcome.sign_for(game.mover()) * UNIT;
        }
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

/// The values of a layer's members for their sides to move.
fn fixed_point(members: &[Member]) -> Vec<i32> {
    let mut values = vec![0; members.len()];
    loop {
        let better = |member: &Member| {
            if member.game.turn().player().is_none() {
                // The side to move is shut in: it has lost.
                return -UNIT;
            }
            let steps = member.steps.iter().map(|&s| -values[s as usize]);
            steps.chain([member.exit]).max().unwrap_or(-UNIT)
        };
        let next: Vec<i32> = members.iter().map(better).collect();
        if next == values {
            return values;
        }
        values = next;
    }
}
