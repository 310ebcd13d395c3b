//! Games of the engine against itself in several strengths and styles, from different openings:
//! where positions with hard wins come from.

use crate::play::{Judge, Play, Weights};
use agon_protocol::connect6::{Connect6, Connect6Move, Connect6Rules, Point};
use agon_protocol::game::Game;
use agon_protocol::message::Limits;
use agon_protocol::rng::{self, Stream};
use agon_protocol::{Record, Turn};
use agon_search::clock::Clock;
use agon_search::evaluator::{Evaluator, MoveEncoding};
use agon_search::pvs::Pvs;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};

/// How a player differs from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Nodes a turn.
    pub nodes: u64,
    /// The worth of own windows against 100 for the opponent's: more attacks, less defends.
    pub attack: i32,
    /// Up to so much is added to each value by lot.
    pub noise: u64,
}

/// Strengths and styles, combined at random.
pub const STYLES: [Style; 5] = [
    Style { nodes: 400, attack: 100, noise: 12 },
    Style { nodes: 1500, attack: 100, noise: 6 },
    Style { nodes: 4000, attack: 100, noise: 4 },
    Style { nodes: 1500, attack: 140, noise: 6 },
    Style { nodes: 1500, attack: 75, noise: 6 },
];

/// Stones of the opening lie at most so far from the middle.
const OPENING_REACH: u64 = 4;
/// A game without a winner by then is given up.
const MOST_TURNS: usize = 60;

/// The pattern evaluation with a style.
#[derive(Clone, Debug)]
pub struct Styled {
    style: Style,
    salt: u64,
}

impl Styled {
    /// `salt` names what is added by lot.
    pub fn new(style: Style, salt: u64) -> Styled {
        Styled { style, salt }
    }
}

/// A number by lot for [`Styled::new`].
pub fn salt(stream: &mut Stream) -> u64 {
    rng::below(stream, u64::MAX)
}

impl Evaluator<Play> for Styled {
    fn evaluate(&mut self, play: &Play) -> i32 {
        if Judge::decided(play).is_some() {
            return Judge.evaluate(play);
        }
        let (side, board) = (play.side(), play.board());
        let noise = agon_protocol::hash::mix(play.hash() ^ self.salt) % (self.style.noise + 1);
        let own = board.score(side) * self.style.attack / 100;
        own - board.score(1 - side) + noise as i32
    }

    fn solve(&mut self, play: &Play) -> Option<i32> {
        Judge.solve(play)
    }
}

impl MoveEncoding<Play> for Styled {
    const HISTORY_KEYS: [usize; 2] = <Judge as MoveEncoding<Play>>::HISTORY_KEYS;

    fn history_keys(m: Connect6Move) -> [usize; 2] {
        Judge::history_keys(m)
    }

    fn pack(m: Connect6Move) -> u32 {
        Judge::pack(m)
    }

    fn unpack(bits: u32) -> Option<Connect6Move> {
        Judge::unpack(bits)
    }
}

/// A game and who played it.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The game; it may have been given up unfinished.
    pub record: Record<Connect6>,
    /// Black's and White's style, as indices into [`STYLES`].
    pub styles: [usize; 2],
}

/// Plays game number `index` of the series named by `seed`.
///
/// # Errors
/// Memory for the search's table is missing.
pub fn play(seed: u64, index: u64, rules: &Connect6Rules) -> Result<SelfPlay, AllocationError> {
    let mut stream = rng::stream(seed, index, "connect6 self-play");
    let mut record = Record::new(Connect6::start(rules));
    open(&mut record, &mut stream);
    let styles = [0; 2].map(|_: usize| rng::below(&mut stream, STYLES.len() as u64) as usize);
    let mut players = Vec::new();
    for style in styles {
        let evaluator = Styled::new(STYLES[style], salt(&mut stream));
        players.push(Pvs::new(evaluator, TranspositionTable::new(1)?));
    }
    while let Turn::Player(side) = record.turn() {
        if record.moves().len() >= MOST_TURNS {
            break;
        }
        let limits = Limits::with_nodes(STYLES[styles[side.index()]].nodes);
        let position = Record::new(Play::weighed(record.current(), Weights::RULE));
        let searcher = &mut players[side.index()];
        let line = searcher.run(&Root::new(&position), &Clock::unmanaged(&limits), &mut |_| {});
        record.push(line.best());
    }
    Ok(SelfPlay { record, styles })
}

/// The first turns, by lot: stones near the middle.
fn open(record: &mut Record<Connect6>, stream: &mut Stream) {
    let turns = 2 + rng::below(stream, 2);
    by_lot(record, turns, OPENING_REACH, stream);
}

/// Plays so many turns by lot, whose stones are at most `reach` from the middle.
pub fn by_lot(record: &mut Record<Connect6>, turns: u64, reach: u64, stream: &mut Stream) {
    let middle = record.current().size() / 2;
    for _ in 0..turns {
        let m = near_a_point(record.current(), (middle, middle), reach.min(middle as u64), stream);
        record.push(m);
    }
}

/// A turn by lot whose stones are at most `reach` from a column and row.
pub fn near_a_point(
    game: &Connect6,
    (column, row): (usize, usize),
    reach: u64,
    stream: &mut Stream,
) -> Connect6Move {
    let mut near = || {
        let (c, r) = (
            rng::below(stream, 2 * reach + 1) as usize + column,
            rng::below(stream, 2 * reach + 1) as usize + row,
        );
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
