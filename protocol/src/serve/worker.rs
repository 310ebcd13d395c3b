//! The thread that owns the engine: it does one job after another and reports events.

use crate::engine::{Control, Engine};
use crate::game::{Game, Outcome, Turn, chance_outcomes, legal_moves};
use crate::lines::Line;
use crate::message::{Info, Limits};
use crate::option::OptionValue;
use crate::perft::perft;
use crate::record::Record;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};

/// What the engine is asked to do.
pub(super) enum Job<G: Game> {
    SetOption { name: String, value: OptionValue },
    NewGame,
    Ready,
    Search { record: Record<G>, limits: Limits, control: Control },
    Perft { state: G, depth: u32, control: Control },
    Table { record: Record<G> },
    Farewell,
}

/// What happened: on the input, or in the engine.
pub(super) enum Event<G: Game> {
    Line(Line),
    EndOfInput,
    Report(Info),
    /// Something went wrong and was survived.
    Trouble(String),
    /// The end of a search; `None` where the rules allow no move.
    Best(Option<G::Move>),
    Ready,
    Text(String),
    PerftDone,
    /// What a table of endgames says, if it knows.
    Table(Option<Outcome>),
    Farewell,
}

/// Works until nobody gives jobs any more. Sending fails only when nobody listens, which means
/// the end of the conversation too.
pub(super) fn work<E: Engine>(
    mut engine: E,
    jobs: &Receiver<Job<E::Game>>,
    events: &SyncSender<Event<E::Game>>,
) {
    let tell = |event| drop(events.send(event));
    for job in jobs {
        match job {
            Job::SetOption { name, value } => {
                match guarded("setting an option", || engine.set_option(&name, &value)) {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tell(Event::Trouble(error.to_string())),
                    Err(trouble) => tell(Event::Trouble(trouble)),
                }
            }
            Job::NewGame => start_anew(&mut engine, &tell),
            Job::Ready => {
                if let Err(trouble) = guarded("preparing to search", || engine.prepare()) {
                    tell(Event::Trouble(trouble));
                }
                tell(Event::Ready);
            }
            Job::Search { record, limits, control } => {
                let best = search(&mut engine, &record, &limits, &control, &tell);
                tell(Event::Best(best));
            }
            Job::Perft { state, depth, control } => {
                if let Err(trouble) = guarded("perft", || count(state, depth, &control, &tell)) {
                    tell(Event::Trouble(trouble));
                }
                tell(Event::PerftDone);
            }
            Job::Table { record } => {
                let known = guarded("looking into the table", || engine.tablebase_outcome(&record));
                let known = known.unwrap_or_else(|trouble| {
                    tell(Event::Trouble(trouble));
                    None
                });
                tell(Event::Table(known));
            }
            Job::Farewell => tell(Event::Farewell),
        }
    }
}

fn start_anew<E: Engine>(engine: &mut E, tell: &dyn Fn(Event<E::Game>)) {
    if let Err(trouble) = guarded("starting a new game", || engine.new_game()) {
        tell(Event::Trouble(trouble));
    }
}

/// The move, or the first one that the manager permits if this one is barred and there is another.
fn permitted<G: Game>(state: &G, m: G::Move, limits: &Limits) -> G::Move {
    let (excluded, only) = (&limits.ban_moves, &limits.search_moves);
    if excluded.is_empty() && only.is_empty() {
        return m;
    }
    let barred = |m: &G::Move| {
        let token = state.move_token(*m);
        excluded.contains(&token) || !(only.is_empty() || only.contains(&token))
    };
    if !barred(&m) {
        return m;
    }
    legal_moves(state).into_iter().find(|m| !barred(m)).unwrap_or(m)
}

/// The engine's move if it is legal, and otherwise some legal move: a fault in a search must not
/// lose the game on the spot.
fn search<E: Engine>(
    engine: &mut E,
    record: &Record<E::Game>,
    limits: &Limits,
    control: &Control,
    tell: &dyn Fn(Event<E::Game>),
) -> Option<<E::Game as Game>::Move> {
    let found = guarded("the search", || {
        engine.search(record, limits, control, &mut |info| tell(Event::Report(info)))
    });
    let state = record.current();
    let trouble = match found {
        Ok(m) if state.is_legal(m) => return Some(permitted(state, m, limits)),
        Ok(m) => format!("the search returned the illegal move {m:?}"),
        Err(trouble) => {
            start_anew(engine, tell);
            trouble
        }
    };
    tell(Event::Trouble(format!("{trouble}; playing the first legal move")));
    legal_moves(state).first().copied()
}

fn count<G: Game>(mut state: G, depth: u32, control: &Control, tell: &dyn Fn(Event<G>)) {
    let children = match state.turn() {
        _ if depth == 0 => Vec::new(),
        Turn::Player(_) => legal_moves(&state),
        Turn::Chance => chance_outcomes(&state).into_iter().map(|(m, _)| m).collect(),
        Turn::Over(_) => Vec::new(),
    };
    let mut total = u64::from(depth == 0);
    for m in children {
        if control.stopped() {
            return tell(Event::Text(format!("perft {depth}: stopped after {total} leaves")));
        }
        let token = state.move_token(m);
        let undo = state.play(m);
        let leaves = perft(&mut state, depth - 1);
        state.undo(m, undo);
        total += leaves;
        tell(Event::Text(format!("{token}: {leaves}")));
    }
    tell(Event::Text(format!("perft {depth}: {total}")));
}

/// Turns a panic into a sentence. The engine's state may be half changed afterwards: the caller
/// clears it.
fn guarded<T>(what: &str, f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f))
        .map_err(|payload| format!("{what} failed: {}", panic_text(payload.as_ref())))
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no reason given")
}
