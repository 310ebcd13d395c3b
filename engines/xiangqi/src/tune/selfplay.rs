//! Games of the engine against itself.

use super::games::{GameLog, UNKNOWN, write_game, write_head};
use crate::position::Move;
use crate::search::{SearchSettings, XiangqiSearch};
use agon_protocol::Record;
use agon_protocol::game::{Game, Outcome, Player, Turn, legal_moves};
use agon_protocol::message::Limits;
use agon_protocol::rng::{self, Stream};
use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};
use agon_search::clock::Clock;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// Which games to play.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub games: u64,
    /// Nodes a move.
    pub nodes: u64,
    pub seed: u64,
}

/// What was played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    pub plies: u64,
    /// By result: Black won, drawn, Red won.
    pub results: [u64; 3],
}

/// A side this far ahead has won, once the search has said so for [`RESIGN_PLIES`] plies.
const RESIGN: i32 = 1800;
const RESIGN_PLIES: u32 = 5;
/// A random start that is more one-sided than this is drawn again.
const FAIR: i32 = 350;
/// Plies of a table's size that keep up with so few nodes.
const MEGABYTES: usize = 2;
/// Games that may wait for an earlier one to be written.
const AHEAD: usize = 64;

/// Plays the games, `jobs` at a time, and writes them in order.
pub fn play(plan: Plan, rules: &XiangqiRules, jobs: usize, out: &mut impl Write) -> Result<Sum> {
    write_head(out)?;
    let bar = ProgressBar::new(plan.games);
    let style = "{bar:40} {pos}/{len} games, {per_sec}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style)?);
    let next = AtomicU64::new(0);
    let (send, receive) = mpsc::sync_channel(AHEAD);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || worker(plan, rules, next, &send));
        }
        drop(send);
        let mut sum = Sum::default();
        let mut early = std::collections::BTreeMap::new();
        for wanted in 0..plan.games {
            let game = loop {
                if let Some(game) = early.remove(&wanted) {
                    break game;
                }
                let (index, game) =
                    receive.recv().map_err(|_| anyhow!("game {wanted} was not played"))??;
                early.insert(index, game);
            };
            write_game(out, &game)?;
            sum.plies += game.plies.len() as u64;
            sum.results[usize::from(game.result)] += 1;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(sum)
    })
}

type Played = Result<(u64, GameLog)>;

fn worker(plan: Plan, rules: &XiangqiRules, next: &AtomicU64, send: &mpsc::SyncSender<Played>) {
    let settings = SearchSettings { threads: 1, hash: MEGABYTES, tablebase: None };
    let mut searcher = match XiangqiSearch::new(settings) {
        Ok(searcher) => searcher,
        Err(e) => {
            let _ = send.send(Err(e.into()));
            return;
        }
    };
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= plan.games {
            return;
        }
        searcher.new_game();
        let game = one_game(plan, index, rules, &mut searcher);
        if send.send(Ok((index, game))).is_err() {
            return;
        }
    }
}

/// Plays one game: some random plies, then the search until the rules or a clear lead end it.
pub fn one_game(
    plan: Plan,
    index: u64,
    rules: &XiangqiRules,
    searcher: &mut XiangqiSearch,
) -> GameLog {
    let mut rng = rng::stream(plan.seed, index, "xiangqi tune");
    let limits = Limits::with_nodes(plan.nodes);
    let mut search = |record: &Record<Xiangqi>| {
        let line = searcher.run(&Root::new(record), &Clock::unmanaged(&limits), &mut |_| {});
        (line.best(), line.value)
    };
    let (mut record, mut log) = loop {
        if let Some((record, log)) = random_start(rules, &mut rng)
            && search(&record).1.abs() <= FAIR
        {
            break (record, log);
        }
    };
    let mut ahead: (i32, u32) = (0, 0);
    log.result = loop {
        let side = match record.turn() {
            Turn::Over(outcome) => break result(outcome),
            Turn::Player(side) => side,
            // There is no chance in this game.
            Turn::Chance => break 1,
        };
        let (m, value) = search(&record);
        let for_red = if side == Player::First { value } else { -value };
        ahead = match for_red {
            v if v.abs() < RESIGN => (0, 0),
            v if v.signum() == ahead.0 => (ahead.0, ahead.1 + 1),
            v => (v.signum(), 1),
        };
        if ahead.1 >= RESIGN_PLIES || log.plies.len() >= usize::from(u16::MAX) {
            break (1 + ahead.0) as u8;
        }
        log.plies.push((Move::from_rules(m), value.clamp(-30_000, 30_000) as i16));
        record.push(m);
    };
    log
}

fn result(outcome: Outcome) -> u8 {
    (1 + outcome.sign_for(Player::First)) as u8
}

/// Six to eleven random plies; `None` if the game ended on the way.
fn random_start(rules: &XiangqiRules, rng: &mut Stream) -> Option<(Record<Xiangqi>, GameLog)> {
    let mut record = Record::new(Xiangqi::start(rules));
    let mut log = GameLog::default();
    for _ in 0..6 + rng::below(rng, 6) {
        let moves = legal_moves(record.current());
        let m = *moves.get(rng::below(rng, moves.len().max(1) as u64) as usize)?;
        record.push(m);
        log.plies.push((Move::from_rules(m), UNKNOWN));
    }
    matches!(record.turn(), Turn::Player(_)).then_some((record, log))
}
