//! Self-play games by several workers, delivered in the order of their numbers: the same seed gives
//! the same games with any number of workers.

use crate::cli::progress_bar;
use agon_games::game::{Game, Player, Turn, chance_outcomes, legal_moves};
use agon_games::rng::{self, Stream};
use agon_games::{Outcome, Record};
use agon_search::clock::Clock;
use agon_search::result::SearchResult;
use agon_search::root::Root;
use agon_search::searcher::Searcher;
use agon_wire::message::Limits;
use anyhow::{Result, anyhow};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// Maximum number of finished games that wait for an earlier one.
const WAITING: usize = 64;

/// Plays games 0 to `games`, at most `jobs` at a time. `player` makes each worker's player, `play`
/// plays the game of a given number, and `receive` takes the results in order.
///
/// # Errors
/// The first error of `player` or `receive`; the remaining games are not played.
pub fn play_games<P, T: Send>(
    games: u64,
    jobs: usize,
    player: impl Fn() -> Result<P> + Sync,
    play: impl Fn(&mut P, u64) -> T + Sync,
    mut receive: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let bar = progress_bar(games, "games")?;
    let next = AtomicU64::new(0);
    let work = |send: mpsc::SyncSender<Result<(u64, T)>>| {
        let mut own = match player() {
            Ok(own) => own,
            Err(error) => return drop(send.send(Err(error))),
        };
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= games || send.send(Ok((index, play(&mut own, index)))).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        let (send, received) = mpsc::sync_channel(WAITING);
        for _ in 0..jobs.max(1) {
            let (send, work) = (send.clone(), &work);
            scope.spawn(move || work(send));
        }
        drop(send);
        let mut early = BTreeMap::new();
        for wanted in 0..games {
            while !early.contains_key(&wanted) {
                let (index, game) = received
                    .recv()
                    .map_err(|_| anyhow!("game {} was not played", wanted + 1))??;
                early.insert(index, game);
            }
            early.remove(&wanted).map_or(Ok(()), &mut receive)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    })
}

/// Plays `least` to `least + spread - 1` random moves of the players; `None` if the game ends
/// before.
pub fn random_opening<G: Game>(
    start: G,
    least: u64,
    spread: u64,
    rng: &mut Stream,
) -> Option<Record<G>> {
    let mut record = Record::new(start);
    for _ in 0..least + rng::below(rng, spread) {
        let moves = legal_moves(record.current());
        let m = *moves.get(rng::below(rng, moves.len().max(1) as u64) as usize)?;
        record.push(m);
        while record.turn() == Turn::Chance {
            let outcome = chance_outcome(record.current(), rng)?;
            record.push(outcome);
        }
    }
    matches!(record.turn(), Turn::Player(_)).then_some(record)
}

/// A random chance outcome, drawn by weight.
pub fn chance_outcome<G: Game>(game: &G, rng: &mut Stream) -> Option<G::Move> {
    let outcomes = chance_outcomes(game);
    let chosen = rng::weighted_index(rng, outcomes.iter().map(|outcome| outcome.1))?;
    Some(outcomes[chosen].0)
}

/// Searches a position with a node limit.
pub fn search<G: Game>(
    searcher: &mut (impl Searcher<G> + ?Sized),
    record: &Record<G>,
    nodes: u64,
) -> SearchResult<G::Move> {
    searcher.run(&Root::new(record), &Clock::unmanaged(&Limits::with_nodes(nodes)), &mut |_| {})
}

/// Plays a game without chance nodes to its end. `choose` gets the record and the side to move, and
/// returns the move, or the outcome if it adjudicates the game. `None`: the game reached a chance
/// node.
pub fn play_out<G: Game>(
    record: &mut Record<G>,
    mut choose: impl FnMut(&Record<G>, Player) -> ControlFlow<Outcome, G::Move>,
) -> Option<Outcome> {
    loop {
        match record.turn() {
            Turn::Over(outcome) => return Some(outcome),
            Turn::Chance => return None,
            Turn::Player(side) => match choose(record, side) {
                ControlFlow::Continue(m) => record.push(m),
                ControlFlow::Break(outcome) => return Some(outcome),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_arrive_in_order_and_an_error_ends_the_run() {
        let mut arrived = Vec::new();
        let receive = |game: u64| {
            arrived.push(game);
            Ok(())
        };
        play_games(100, 3, || Ok(()), |(), index| index * index, receive).unwrap();
        assert!(arrived.into_iter().eq((0..100).map(|i| i * i)));
        let refuse = |game| if game < 5 { Ok(()) } else { Err(anyhow!("full")) };
        let error = play_games(1000, 2, || Ok(()), |(), index| index, refuse).unwrap_err();
        assert_eq!(error.to_string(), "full");
        let none = play_games(1, 2, || Err::<(), _>(anyhow!("no memory")), |(), i| i, |_| Ok(()));
        assert_eq!(none.unwrap_err().to_string(), "no memory");
    }
}
