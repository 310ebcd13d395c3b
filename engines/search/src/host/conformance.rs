//! A conformance check for every engine's tests: every algorithm searches and plays only the moves
//! that the manager allows.

use agon_games::game::{Game, legal_moves};
use agon_games::option::{OptionKind, OptionValue};
use agon_games::record::Record;
use agon_wire::engine::{Control, Engine};
use agon_wire::message::Limits;

/// Searches the record's position with every algorithm of the engine: unrestricted, with the best
/// move banned, and with only two moves allowed.
///
/// # Errors
///
/// Names the algorithm that plays or reports a move that is not allowed.
pub fn check_root_moves<E: Engine>(
    make: impl Fn() -> E,
    record: &Record<E::Game>,
    limits: &Limits,
) -> Result<(), String> {
    let specs = make().options();
    let choices = specs.iter().find(|spec| spec.name == "Algorithm").map(|spec| &spec.kind);
    let Some(OptionKind::Combo { choices, .. }) = choices else {
        return Err("there is no option Algorithm".into());
    };
    let game = record.current();
    let moves: Vec<String> = legal_moves(game).into_iter().map(|m| game.move_token(m)).collect();
    for algorithm in choices {
        let mut engine = make();
        let value = OptionValue::Text(algorithm.clone());
        engine.set_option("Algorithm", &value).map_err(|error| error.to_string())?;
        let best = play(&mut engine, record, limits)?.0;
        let ban_moves = vec![best.clone()];
        let banned = Limits { ban_moves, ..limits.clone() };
        let named: Vec<String> = moves.iter().filter(|m| **m != best).take(2).cloned().collect();
        let only = Limits { search_moves: named.clone(), ..limits.clone() };
        for (limits, is_allowed) in [
            (banned, Box::new(|m: &String| *m != best) as Box<dyn Fn(&String) -> bool>),
            (only, Box::new(|m| named.contains(m))),
        ] {
            let (m, reported) = play(&mut engine, record, &limits)?;
            if let Some(m) = reported.iter().chain([&m]).find(|m| !is_allowed(m)) {
                let fen = game.fen();
                return Err(format!("{algorithm} looks at {m}, which is forbidden, in `{fen}`"));
            }
        }
    }
    Ok(())
}

/// The move that is played, and the first moves of all variations reported.
fn play<E: Engine>(
    engine: &mut E,
    record: &Record<E::Game>,
    limits: &Limits,
) -> Result<(String, Vec<String>), String> {
    let mut reported = Vec::new();
    let m = engine.search(record, limits, &Control::new(), &mut |info| {
        reported.extend(info.pv.first().cloned());
    });
    let game = record.current();
    if !game.is_legal(m) {
        return Err(format!("an illegal move in `{}`", game.fen()));
    }
    Ok((game.move_token(m), reported))
}
