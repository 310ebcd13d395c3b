//! Self-play games with several strengths and styles, from random openings.

use crate::random_turns::play_random_turns;
use agon_connect6::play::{Connect6Evaluator, SearchPosition, WindowWeights};
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_games::game::Game;
use agon_games::rng::{self, Stream};
use agon_games::{Record, Turn};
use agon_search::clock::Clock;
use agon_search::evaluator::{Evaluator, MoveEncoding};
use agon_search::pvs::Pvs;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};
use agon_wire::message::Limits;

/// The strength and style of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Nodes per turn.
    pub nodes: u64,
    /// The value of own windows in percent of the opponent's: attacking above 100, defensive below.
    pub attack: i32,
    /// The maximum random number added to each evaluation.
    pub noise: u64,
}

/// The styles, paired at random.
pub const STYLES: [Style; 5] = [
    Style { nodes: 400, attack: 100, noise: 12 },
    Style { nodes: 1500, attack: 100, noise: 6 },
    Style { nodes: 4000, attack: 100, noise: 4 },
    Style { nodes: 1500, attack: 140, noise: 6 },
    Style { nodes: 1500, attack: 75, noise: 6 },
];

/// The maximum distance of the opening's stones from the centre, in columns and rows.
const OPENING_REACH: u64 = 4;
/// Games without a winner stop after this many turns.
const MAX_TURNS: usize = 60;

/// The evaluation by open windows with a style.
#[derive(Clone, Debug)]
pub struct Styled {
    style: Style,
    salt: u64,
}

impl Styled {
    /// `salt` is the seed of the random numbers added.
    pub fn new(style: Style, salt: u64) -> Styled {
        Styled { style, salt }
    }
}

/// A random seed for [`Styled::new`].
pub fn salt(stream: &mut Stream) -> u64 {
    rng::below(stream, u64::MAX)
}

impl Evaluator<SearchPosition> for Styled {
    fn evaluate(&mut self, position: &SearchPosition) -> i32 {
        if Connect6Evaluator::decided(position).is_some() {
            return Connect6Evaluator::default().evaluate(position);
        }
        let (side, board) = (position.side(), position.board());
        let noise = agon_games::hash::mix(position.hash() ^ self.salt) % (self.style.noise + 1);
        let own = board.score(side) * self.style.attack / 100;
        own - board.score(1 - side) + noise as i32
    }

    fn solve(&mut self, position: &SearchPosition, depth: u32) -> Option<i32> {
        Connect6Evaluator::default().solve(position, depth)
    }
}

impl MoveEncoding<SearchPosition> for Styled {
    const HISTORY_KEYS: [usize; 2] =
        <Connect6Evaluator as MoveEncoding<SearchPosition>>::HISTORY_KEYS;

    fn history_keys(m: Connect6Move) -> [usize; 2] {
        Connect6Evaluator::history_keys(m)
    }

    fn pack(m: Connect6Move) -> u32 {
        Connect6Evaluator::pack(m)
    }

    fn unpack(bits: u32) -> Option<Connect6Move> {
        Connect6Evaluator::unpack(bits)
    }
}

/// A game and its players.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The game; it may be unfinished.
    pub record: Record<Connect6>,
    /// Black's and White's style, as indices into [`STYLES`].
    pub styles: [usize; 2],
}

/// Plays game number `index` of the series with this seed.
///
/// # Errors
/// The search's table cannot be allocated.
pub fn play(seed: u64, index: u64, rules: &Connect6Rules) -> Result<SelfPlay, AllocationError> {
    let mut stream = rng::stream(seed, index, "connect6 self-play");
    let mut record = Record::new(Connect6::start(rules));
    let turns = 2 + rng::below(&mut stream, 2);
    play_random_turns(&mut record, turns, OPENING_REACH, &mut stream);
    let styles = [0; 2].map(|_: usize| rng::below(&mut stream, STYLES.len() as u64) as usize);
    let mut players = Vec::new();
    for style in styles {
        let evaluator = Styled::new(STYLES[style], salt(&mut stream));
        players.push(Pvs::new(evaluator, TranspositionTable::new(1)?));
    }
    while let Turn::Player(side) = record.turn() {
        if record.moves().len() >= MAX_TURNS {
            break;
        }
        let limits = Limits::with_nodes(STYLES[styles[side.index()]].nodes);
        let position =
            Record::new(SearchPosition::with_weights(record.current(), WindowWeights::RULE));
        let searcher = &mut players[side.index()];
        let line = searcher.run(&Root::new(&position), &Clock::unmanaged(&limits), &mut |_| {});
        record.push(line.best());
    }
    Ok(SelfPlay { record, styles })
}
