//! Games between players who look for wins by double threats before every turn, their own and the
//! opponent's: what wins come about in such games are those that the players could not see.

use super::selfplay::{Style, Styled, near_a_point, salt};
use crate::play::{Play, Weights};
use crate::solver::{Limits as Stones, Settings, Threatener};
use agon_protocol::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_protocol::game::Game;
use agon_protocol::message::Limits;
use agon_protocol::rng::{self, Stream};
use agon_protocol::{Record, Turn};
use agon_search::clock::Clock;
use agon_search::pvs::Pvs;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};
use std::fmt;

/// A careful player: its search, and how far it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Careful {
    /// The search behind what the solver decides.
    pub style: Style,
    /// Stones that the solver may place whenever it is asked.
    pub sight: u64,
}

/// Strengths and styles, combined at random.
pub const PLAYERS: [Careful; 6] = [
    Careful { style: Style { nodes: 300, attack: 100, noise: 12 }, sight: 1_500 },
    Careful { style: Style { nodes: 600, attack: 135, noise: 8 }, sight: 4_000 },
    Careful { style: Style { nodes: 600, attack: 75, noise: 8 }, sight: 4_000 },
    Careful { style: Style { nodes: 1_000, attack: 100, noise: 6 }, sight: 10_000 },
    Careful { style: Style { nodes: 1_500, attack: 115, noise: 6 }, sight: 25_000 },
    Careful { style: Style { nodes: 1_500, attack: 85, noise: 6 }, sight: 25_000 },
];

/// How the first turns are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Near the middle: two or three turns.
    Near,
    /// Anywhere but near the edges: three or four turns.
    Wide,
    /// Near two points far from one another: four or five turns.
    Camps,
}

const OPENINGS: [Opening; 3] = [Opening::Near, Opening::Wide, Opening::Camps];

/// A game without a winner by then is given up.
const MOST_TURNS: usize = 70;
/// Turns of the search that the solver may refute before one is played all the same.
const TRIES: usize = 6;

impl fmt::Display for Careful {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Style { nodes, attack, .. } = self.style;
        write!(f, "{nodes} nodes, attack {attack}, sees {} stones", self.sight)
    }
}

impl Opening {
    /// For files.
    pub fn name(self) -> &'static str {
        match self {
            Opening::Near => "near",
            Opening::Wide => "wide",
            Opening::Camps => "camps",
        }
    }

    fn play(self, record: &mut Record<Connect6>, stream: &mut Stream) {
        let middle = record.current().size() / 2;
        let (low, high) = (middle / 2, middle + middle.div_ceil(2));
        let camps = [(low, low), (high, high), (low, high), (high, low)];
        let (least, reach, centres) = match self {
            Opening::Near => (2, 4.min(middle), [(middle, middle); 2]),
            Opening::Wide => (3, middle.saturating_sub(2).max(1), [(middle, middle); 2]),
            Opening::Camps => {
                let first = rng::below(stream, 4) as usize;
                (4, 3.min(low), [camps[first], camps[first ^ 1]])
            }
        };
        for turn in 0..least + rng::below(stream, 2) as usize {
            let m = near_a_point(record.current(), centres[turn / 2 % 2], reach as u64, stream);
            record.push(m);
        }
    }
}

/// A game and who played it.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game; it may have been given up unfinished.
    pub record: Record<Connect6>,
    /// Black and White.
    pub players: [Careful; 2],
    /// Its first turns.
    pub opening: Opening,
}

/// Plays game number `index` of the series named by `seed`.
///
/// # Errors
/// Memory for a search's table is missing.
pub fn play(seed: u64, index: u64, rules: &Connect6Rules) -> Result<Played, AllocationError> {
    let mut stream = rng::stream(seed, index, "connect6 careful play");
    let mut record = Record::new(Connect6::start(rules));
    let opening = OPENINGS[rng::below(&mut stream, OPENINGS.len() as u64) as usize];
    opening.play(&mut record, &mut stream);
    let players = [0; 2].map(|_: u8| {
        let number = rng::below(&mut stream, PLAYERS.len() as u64) as usize;
        PLAYERS[number]
    });
    let mut searches = Vec::new();
    for player in players {
        searches.push(Pvs::new(
            Styled::new(player.style, salt(&mut stream)),
            TranspositionTable::new(1)?,
        ));
    }
    while let Turn::Player(side) = record.turn() {
        if record.moves().len() >= MOST_TURNS {
            break;
        }
        let i = side.index();
        let m = choose(record.current(), players[i], &mut searches[i]);
        record.push(m);
    }
    Ok(Played { record, players, opening })
}

fn choose(game: &Connect6, player: Careful, search: &mut Pvs<Play, Styled>) -> Connect6Move {
    let play = Play::weighed(game, Weights::RULE);
    let (us, them) = (play.side(), 1 - play.side());
    let settings = looks(player.sight);
    let go_on = || false;
    let mut turns = play.sensible();
    if game.stones_due() == 2 && turns.len() > 1 {
        let own = Threatener::new(play.board(), us, settings).win(&go_on);
        if let Some(m) = own.and_then(|step| step.turn()) {
            return m;
        }
        if !play.board().has_four(them) {
            let mut danger = Threatener::new(play.board(), them, settings);
            if let Some(win) = danger.win(&go_on) {
                turns = play.touching(&danger.zone(&win, 2));
            }
        }
    }
    let limits = Limits::with_nodes(player.style.nodes);
    let mut first = None;
    for _ in 0..TRIES {
        let narrowed = Record::new(play.clone().with_turns(turns.clone()));
        let m = search.run(&Root::new(&narrowed), &Clock::unmanaged(&limits), &mut |_| {}).best();
        let mut board = play.board().clone();
        m.stones().for_each(|p| board.place(us, p.index() as u16));
        let refuted = Threatener::new(&board, them, settings).win(&go_on).is_some();
        first = first.or(Some(m));
        turns.retain(|other| *other != m);
        if !refuted || turns.is_empty() {
            return if refuted { first.unwrap_or(m) } else { m };
        }
    }
    first.unwrap_or(turns[0])
}

/// What a player looks for: wins by double threats, by a plain search of so many stones.
fn looks(sight: u64) -> Settings {
    let limits = Stones { depth: 12, iteration: sight, total: sight };
    Settings { limits, dependency: None, splits: 0, single_threats: 0, ..Settings::default() }
}
