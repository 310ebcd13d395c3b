//! Self-play games.

use super::games::{GameLog, UNKNOWN, write_game, write_head};
use crate::evaluation::features::XiangqiNetwork;
use crate::position::Move;
use crate::search::{SearchSettings, XiangqiSearch};
use agon_protocol::game::{Game, Outcome, Player};
use agon_protocol::rng;
use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};
use agon_search::searcher::Searcher;
use agon_tuning::selfplay::{play_games, play_out, random_opening, search};
use agon_tuning::shard::Numbers;
use anyhow::Result;
use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The parameters of self-play.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlayPlan {
    /// Nodes per move.
    pub nodes: u64,
    pub seed: u64,
}

/// The self-play statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    pub plies: u64,
    /// By result: Black won, drawn, Red won.
    pub results: [u64; 3],
}

/// A side wins by adjudication once the search value has been this far in its favour, in
/// centipawns, for [`RESIGN_PLIES`] plies.
const RESIGN: i32 = 1800;
const RESIGN_PLIES: u32 = 5;
/// An opening with a larger absolute value is replaced by another.
const FAIR: i32 = 350;
/// The transposition table in MiB, enough for this few nodes.
const HASH: usize = 2;

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, drawn, red] = self.results;
        write!(f, "{} plies: {red} won by Red, {drawn} drawn, {black} by Black", self.plies)
    }
}

/// Plays the games with these numbers, `jobs` at a time, and writes them in order.
pub fn play(
    plan: SelfPlayPlan,
    games: Numbers,
    rules: &XiangqiRules,
    network: &Arc<XiangqiNetwork>,
    jobs: usize,
    out: &mut impl Write,
) -> Result<Sum> {
    write_head(out)?;
    let mut sum = Sum::default();
    let play =
        |searcher: &mut XiangqiSearch, index| one_game(plan, games.number(index), rules, searcher);
    play_games(
        games.count(),
        jobs,
        || player(network),
        play,
        |game| {
            sum.plies += game.plies.len() as u64;
            sum.results[usize::from(game.result)] += 1;
            write_game(out, &game)
        },
    )?;
    Ok(sum)
}

/// Creates a player for [`one_game`].
pub fn player(network: &Arc<XiangqiNetwork>) -> Result<XiangqiSearch> {
    let settings = SearchSettings { hash: HASH, network: network.clone(), ..Default::default() };
    Ok(XiangqiSearch::new(settings)?)
}

/// Plays one game: six to eleven random plies, then the search until the rules or a clear lead end
/// it.
pub fn one_game(
    plan: SelfPlayPlan,
    index: u64,
    rules: &XiangqiRules,
    searcher: &mut XiangqiSearch,
) -> GameLog {
    searcher.new_game();
    let mut rng = rng::stream(plan.seed, index, "xiangqi tune");
    let mut record = loop {
        if let Some(record) = random_opening(Xiangqi::start(rules), 6, 6, &mut rng)
            && search(searcher, &record, plan.nodes).value.abs() <= FAIR
        {
            break record;
        }
    };
    let opening = record.moves().iter().map(|&m| (Move::from_rules(m), UNKNOWN));
    let mut log = GameLog { result: 1, plies: opening.collect() };
    let mut ahead: (i32, u32) = (0, 0);
    let outcome = play_out(&mut record, |record, side| {
        let found = search(searcher, record, plan.nodes);
        let for_red = if side == Player::First { found.value } else { -found.value };
        ahead = match for_red {
            v if v.abs() < RESIGN => (0, 0),
            v if v.signum() == ahead.0 => (ahead.0, ahead.1 + 1),
            v => (v.signum(), 1),
        };
        if ahead.1 >= RESIGN_PLIES || log.plies.len() >= usize::from(u16::MAX) {
            return ControlFlow::Break(match ahead.0 {
                0 => Outcome::Draw,
                red => Outcome::Win(if red > 0 { Player::First } else { Player::Second }),
            });
        }
        let value = found.value.clamp(-30_000, 30_000) as i16;
        log.plies.push((Move::from_rules(found.best()), value));
        ControlFlow::Continue(found.best())
    });
    log.result = (1 + outcome.map_or(0, |o| o.sign_for(Player::First))) as u8;
    log
}
