//! Self-play games.

use super::positions::STORED_UNIT;
use agon_darkchess::evaluation::features::DarkChessNetwork;
use agon_darkchess::evaluator::pack;
use agon_darkchess::search::score::DECISIVE;
use agon_darkchess::search::{DarkChessSearch, SearchMode};
use agon_games::Player;
use agon_games::darkchess::{DarkChess, DarkMove, DarkRules};
use agon_games::game::{Game, Turn};
use agon_games::rng;
use agon_network::tune::games::{GameLog, UNKNOWN};
use agon_network::tune::learner::SelfPlayPlan;
use agon_search::searcher::Searcher;
use agon_search::transposition::TranspositionTable;
use agon_tuning::selfplay::{chance_outcome, random_opening, search};
use anyhow::Result;
use std::sync::Arc;

/// The number of random moves of an opening: the minimum, and the number of possible lengths.
const OPENING: (u64, u64) = (2, 8);
/// The transposition table in MiB, enough for few nodes.
const HASH: usize = 2;

/// Creates a player for [`one_game`].
pub fn player(network: &Arc<DarkChessNetwork>) -> Result<DarkChessSearch> {
    let tt = TranspositionTable::new(HASH)?;
    let (network, mode) = (network.clone(), SearchMode::Play);
    Ok(DarkChessSearch { tt, tablebase: None, network, threads: 1, seed: 1, mode })
}

/// Plays one game: two to nine random moves, then the search until the rules or a forced win end it.
pub fn one_game(
    plan: SelfPlayPlan,
    number: u64,
    rules: &DarkRules,
    player: &mut DarkChessSearch,
) -> GameLog {
    player.new_game();
    let mut stream = rng::stream(plan.seed, number, "dark chess tune");
    let (least, spread) = OPENING;
    let mut record = loop {
        if let Some(record) = random_opening(DarkChess::start(rules), least, spread, &mut stream) {
            break record;
        }
    };
    let code = |m: DarkMove| pack(m) as u16;
    let mut log = GameLog { result: 1, ..GameLog::default() };
    log.plies.extend(record.moves().iter().map(|&m| (code(m), UNKNOWN)));
    while log.plies.len() < usize::from(u16::MAX) {
        let m = match record.turn() {
            Turn::Over(outcome) => {
                log.result = (1 + outcome.sign_for(Player::First)) as u8;
                break;
            }
            Turn::Chance => match chance_outcome(record.current(), &mut stream) {
                Some(outcome) => {
                    log.plies.push((code(outcome), UNKNOWN));
                    outcome
                }
                None => break,
            },
            Turn::Player(side) => {
                let best = search(player, &record, plan.nodes);
                if best.value.abs() >= DECISIVE {
                    log.result = if (best.value > 0) == (side == Player::First) { 2 } else { 0 };
                    break;
                }
                log.plies.push((code(best.best()), (best.value / STORED_UNIT) as i16));
                best.best()
            }
        };
        record.push(m);
    }
    log
}
