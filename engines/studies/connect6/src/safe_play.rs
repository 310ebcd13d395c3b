//! Safe self-play: before every turn the players search for wins by double threats, their own and
//! the opponent's. Wins that occur in such games are those that the players could not find.

use super::self_play::{Style, Styled, salt};
use crate::random_turns::random_turn_near;
use agon_connect6::play::{SearchPosition, WindowWeights};
use agon_connect6::solver::{SolverLimits, SolverSettings, ThreatSearch};
use agon_games::connect6::{Connect6, Connect6Move, Connect6Rules};
use agon_games::game::Game;
use agon_games::rng::{self, Stream};
use agon_games::{Record, Turn};
use agon_search::clock::Clock;
use agon_search::pvs::Pvs;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_search::transposition::{AllocationError, TranspositionTable};
use agon_wire::message::Limits;
use std::fmt;

/// A safe player: its search, and its solver's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SafePlayer {
    /// The search that plays when the solver does not decide.
    pub style: Style,
    /// Stones that the solver may place per search.
    pub solver_stones: u64,
}

/// The players, paired at random.
pub const PLAYERS: [SafePlayer; 6] = [
    SafePlayer { style: Style { nodes: 300, attack: 100, noise: 12 }, solver_stones: 1_500 },
    SafePlayer { style: Style { nodes: 600, attack: 135, noise: 8 }, solver_stones: 4_000 },
    SafePlayer { style: Style { nodes: 600, attack: 75, noise: 8 }, solver_stones: 4_000 },
    SafePlayer { style: Style { nodes: 1_000, attack: 100, noise: 6 }, solver_stones: 10_000 },
    SafePlayer { style: Style { nodes: 1_500, attack: 115, noise: 6 }, solver_stones: 25_000 },
    SafePlayer { style: Style { nodes: 1_500, attack: 85, noise: 6 }, solver_stones: 25_000 },
];

/// Where the random first turns are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Near the centre: two or three turns.
    Near,
    /// Anywhere but near the edges: three or four turns.
    Wide,
    /// Near two points far from each other: four or five turns.
    Camps,
}

const OPENINGS: [Opening; 3] = [Opening::Near, Opening::Wide, Opening::Camps];

/// Games without a winner stop after this many turns.
const MAX_TURNS: usize = 70;
/// After this many of the search's turns are refuted by the solver, one is played anyway.
const MAX_REFUTED: usize = 6;

impl fmt::Display for SafePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Style { nodes, attack, .. } = self.style;
        write!(f, "{nodes} nodes, attack {attack}, sees {} stones", self.solver_stones)
    }
}

impl Opening {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Opening::Near => "near",
            Opening::Wide => "wide",
            Opening::Camps => "camps",
        }
    }

    fn play(self, record: &mut Record<Connect6>, stream: &mut Stream) {
        let centre = record.current().size() / 2;
        let (low, high) = (centre / 2, centre + centre.div_ceil(2));
        let camps = [(low, low), (high, high), (low, high), (high, low)];
        let (least, reach, centres) = match self {
            Opening::Near => (2, 4.min(centre), [(centre, centre); 2]),
            Opening::Wide => (3, centre.saturating_sub(2).max(1), [(centre, centre); 2]),
            Opening::Camps => {
                let first = rng::below(stream, 4) as usize;
                (4, 3.min(low), [camps[first], camps[first ^ 1]])
            }
        };
        for turn in 0..least + rng::below(stream, 2) as usize {
            let m = random_turn_near(record.current(), centres[turn / 2 % 2], reach as u64, stream);
            record.push(m);
        }
    }
}

/// A game and its players.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game; it may be unfinished.
    pub record: Record<Connect6>,
    /// The players of Black and White.
    pub players: [SafePlayer; 2],
    /// Where its first turns are.
    pub opening: Opening,
}

/// Plays game number `index` of the series with this seed.
///
/// # Errors
/// The search's table cannot be allocated.
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
        if record.moves().len() >= MAX_TURNS {
            break;
        }
        let i = side.index();
        let m = choose(record.current(), players[i], &mut searches[i]);
        record.push(m);
    }
    Ok(Played { record, players, opening })
}

fn choose(
    game: &Connect6,
    player: SafePlayer,
    search: &mut Pvs<SearchPosition, Styled>,
) -> Connect6Move {
    let position = SearchPosition::with_weights(game, WindowWeights::RULE);
    let (us, them) = (position.side(), 1 - position.side());
    let settings = double_threats(player.solver_stones);
    let go_on = || false;
    let mut turns = position.candidates();
    if game.stones_due() == 2 && turns.len() > 1 {
        let own = ThreatSearch::new(position.board(), us, settings).win(&go_on);
        if let Some(m) = own.and_then(|step| step.turn()) {
            return m;
        }
        if !position.board().has_four(them) {
            let danger = ThreatSearch::new(position.board(), them, settings);
            if let Some(win) = danger.win(&go_on) {
                turns = position.candidates_in_zone(&danger.zone(&win, 2));
            }
        }
    }
    let limits = Limits::with_nodes(player.style.nodes);
    let mut first = None;
    for _ in 0..MAX_REFUTED {
        let narrowed = Record::new(position.clone().with_candidates(turns.clone()));
        let m = search.run(&Root::new(&narrowed), &Clock::unmanaged(&limits), &mut |_| {}).best();
        let mut board = position.board().clone();
        m.stones().for_each(|p| board.place(us, p.index() as u16));
        let refuted = ThreatSearch::new(&board, them, settings).win(&go_on).is_some();
        first = first.or(Some(m));
        turns.retain(|other| *other != m);
        if !refuted || turns.is_empty() {
            return if refuted { first.unwrap_or(m) } else { m };
        }
    }
    first.unwrap_or(turns[0])
}

/// A player's plain search for wins by double threats.
fn double_threats(stones: u64) -> SolverSettings {
    let limits = SolverLimits { depth: 12, iteration: stones, total: stones };
    SolverSettings { splits: 0, ..SolverSettings::double_threats(limits).plain() }
}
