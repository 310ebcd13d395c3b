//! The thread that owns the engine: it runs jobs in order and reports events.

use crate::engine::{Control, Engine};
use crate::lines::InputLine;
use crate::message::{Info, Limits};
use agon_games::game::{Game, Outcome, Turn, legal_moves};
use agon_games::option::OptionValue;
use agon_games::perft::{children, perft};
use agon_games::record::Record;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};

/// A job for the engine.
pub(super) enum EngineJob<G: Game> {
    SetOption {
        name: String,
        value: OptionValue,
    },
    /// A setting that the server handles.
    SetRule {
        name: String,
        value: OptionValue,
    },
    NewGame,
    /// Prepare, only as far as necessary once this is stopped.
    Ready(Control),
    Search {
        record: Record<G>,
        limits: Limits,
        control: Control,
    },
    Perft {
        state: G,
        depth: u32,
        control: Control,
    },
    Tablebase {
        record: Record<G>,
    },
    /// Answer [`ServeEvent::Finished`] once all earlier jobs are done.
    Finish,
}

/// An event from the input or from the engine.
pub(super) enum ServeEvent<G: Game> {
    Line(InputLine),
    EndOfInput,
    Info(Info),
    /// The engine failed and recovered.
    EngineError(String),
    /// The end of a search; `None` if there is no legal move.
    BestMove(Option<G::Move>),
    Ready,
    Text(String),
    /// The end of perft: the sum, or the error.
    PerftDone(Result<String, String>),
    /// The tablebase result, if the position is in a tablebase.
    Tablebase(Option<Outcome>),
    Finished,
}

/// Runs jobs until their sender is dropped. Sending an event fails only if the receiver is gone,
/// and then the conversation is over too.
pub(super) fn work<E: Engine>(
    mut engine: E,
    jobs: &Receiver<EngineJob<E::Game>>,
    events: &SyncSender<ServeEvent<E::Game>>,
) {
    let send = |event| drop(events.send(event));
    for job in jobs {
        match job {
            EngineJob::SetOption { name, value } => {
                let set = catch("setting an option", || engine.set_option(&name, &value));
                if let Err(error) = set.and_then(|set| set.map_err(|e| e.to_string())) {
                    send(ServeEvent::EngineError(error));
                }
            }
            EngineJob::SetRule { name, value } => {
                catch("setting a rule", || engine.set_rule(&name, &value))
                    .unwrap_or_else(|error| send(ServeEvent::EngineError(error)));
            }
            EngineJob::NewGame => new_game(&mut engine, &send),
            EngineJob::Ready(control) => {
                let mut report = |info| send(ServeEvent::Info(info));
                catch("preparing to search", || engine.prepare(&control, &mut report))
                    .unwrap_or_else(|error| send(ServeEvent::EngineError(error)));
                send(ServeEvent::Ready);
            }
            EngineJob::Search { record, limits, control } => {
                let best = search(&mut engine, &record, &limits, &control, &send);
                send(ServeEvent::BestMove(best));
            }
            EngineJob::Perft { state, depth, control } => {
                let sum = catch("perft", || count(state, depth, &control, &send));
                send(ServeEvent::PerftDone(sum));
            }
            EngineJob::Tablebase { record } => {
                let probe = catch("the tablebase probe", || engine.tablebase_outcome(&record));
                let outcome = probe.unwrap_or_else(|error| {
                    send(ServeEvent::EngineError(error));
                    None
                });
                send(ServeEvent::Tablebase(outcome));
            }
            EngineJob::Finish => send(ServeEvent::Finished),
        }
    }
}

fn new_game<E: Engine>(engine: &mut E, send: &dyn Fn(ServeEvent<E::Game>)) {
    catch("starting a new game", || engine.new_game())
        .unwrap_or_else(|error| send(ServeEvent::EngineError(error)));
}

/// The engine's move if it is legal, otherwise any legal move: a bug in a search must not lose the
/// game at once.
fn search<E: Engine>(
    engine: &mut E,
    record: &Record<E::Game>,
    limits: &Limits,
    control: &Control,
    send: &dyn Fn(ServeEvent<E::Game>),
) -> Option<<E::Game as Game>::Move> {
    let found = catch("the search", || {
        engine.search(record, limits, control, &mut |info| send(ServeEvent::Info(info)))
    });
    let state = record.current();
    let error = match found {
        Ok(m) if state.is_legal(m) => return Some(m),
        Ok(m) => format!("the search returned the illegal move {m:?}"),
        Err(error) => {
            new_game(engine, send);
            error
        }
    };
    send(ServeEvent::EngineError(format!("{error}; playing the first legal move")));
    legal_moves(state).first().copied()
}

/// Perft move by move, so that it can be stopped; returns its last line.
fn count<G: Game>(
    mut state: G,
    depth: u32,
    control: &Control,
    send: &dyn Fn(ServeEvent<G>),
) -> String {
    let moves = match state.turn() {
        Turn::Over(_) => Vec::new(),
        _ if depth == 0 => Vec::new(),
        turn => children(&state, turn),
    };
    let mut total = u64::from(depth == 0);
    for m in moves {
        if control.stopped() {
            return format!("perft {depth}: stopped after {total} leaves");
        }
        let token = state.move_token(m);
        let undo = state.play(m);
        let leaves = perft(&mut state, depth - 1);
        state.undo(m, undo);
        total += leaves;
        send(ServeEvent::Text(format!("{token}: {leaves}")));
    }
    format!("perft {depth}: {total}")
}

/// Runs `f` and converts a panic to an error message. The engine's state may be inconsistent
/// afterwards: the caller resets it.
fn catch<T>(what: &str, f: impl FnOnce() -> T) -> Result<T, String> {
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
