//! Self-play games.

use agon_games::game::{Game, Outcome, Player};
use agon_games::rng;
use agon_games::xiangqi::{Xiangqi, XiangqiRules};
use agon_network::tune::games::{GameLog, UNKNOWN};
use agon_network::tune::learner::SelfPlayPlan;
use agon_search::searcher::Searcher;
use agon_tuning::selfplay::{play_out, random_opening, search};
use agon_xiangqi::evaluation::features::XiangqiNetwork;
use agon_xiangqi::position::Move;
use agon_xiangqi::search::{SearchSettings, XiangqiSearch};
use anyhow::Result;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A side wins by adjudication once the search value has been this far in its favour, in
/// centipawns, for [`RESIGN_PLIES`] plies.
const RESIGN: i32 = 1800;
const RESIGN_PLIES: u32 = 5;
/// An opening with a larger absolute value is replaced by another.
const FAIR: i32 = 350;
/// The transposition table in MiB, enough for this few nodes.
const HASH: usize = 2;

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
    let opening = record.moves().iter().map(|&m| (Move::from_rules(m).0, UNKNOWN));
    let mut log = GameLog { result: 1, plies: opening.collect(), ..GameLog::default() };
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
        log.plies.push((Move::from_rules(found.best()).0, value));
        ControlFlow::Continue(found.best())
    });
    log.result = (1 + outcome.map_or(0, |o| o.sign_for(Player::First))) as u8;
    log
}
