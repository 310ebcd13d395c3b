//! Random opening turns near a point.

use agon_games::Record;
use agon_games::connect6::{Connect6, Connect6Move, Point};
use agon_games::rng::{self, Stream};

/// Plays `turns` random turns whose stones are at most `reach` columns and rows from the centre.
pub fn play_random_turns(
    record: &mut Record<Connect6>,
    turns: u64,
    reach: u64,
    stream: &mut Stream,
) {
    let centre = record.current().size() / 2;
    for _ in 0..turns {
        let reach = reach.min(centre as u64);
        let m = random_turn_near(record.current(), (centre, centre), reach, stream);
        record.push(m);
    }
}

/// A random turn whose stones are at most `reach` columns and rows from a given column and row.
/// This area must have enough empty points.
pub fn random_turn_near(
    game: &Connect6,
    (column, row): (usize, usize),
    reach: u64,
    stream: &mut Stream,
) -> Connect6Move {
    let mut near = || {
        let mut offset = || rng::below(stream, 2 * reach + 1) as usize;
        let (c, r) = (offset() + column, offset() + row);
        let back = reach as usize;
        let point = Point::new(c.checked_sub(back)?, r.checked_sub(back)?);
        point.filter(|p| game.is_empty(*p))
    };
    loop {
        match (game.stones_due(), near(), near()) {
            (1, Some(a), _) => return Connect6Move::one(a),
            (2, Some(a), Some(b)) if a != b => return Connect6Move::two(a, b),
            _ => {}
        }
    }
}
