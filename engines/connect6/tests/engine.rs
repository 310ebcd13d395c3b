//! Every algorithm plays and reports only turns that the manager allows.

#![allow(clippy::unwrap_used)]

use agon_connect6::engine::Connect6Engine;
use agon_protocol::Record;
use agon_protocol::connect6::{Connect6, Connect6Rules};
use agon_protocol::engine::{Control, Engine};
use agon_protocol::message::Limits;
use agon_protocol::option::OptionValue;
use agon_search::host::conformance::check_root_moves;

fn record(fen: &str) -> Record<Connect6> {
    Record::from_text::<&str>(Some(fen), &[], &Connect6Rules::default()).unwrap()
}

/// A quiet position, and one whose only candidate is a winning turn.
const POSITIONS: [&str; 2] = ["9/9/3O5/4X4/4X4/5O3/9/9/9 x", "9/9/9/O8/O1XXXX3/O8/9/9/8O x"];

#[test]
fn banned_turns_are_not_played_and_only_named_ones_are() {
    for fen in POSITIONS {
        check_root_moves(Connect6Engine::new, &record(fen), &Limits::with_nodes(300)).unwrap();
    }
}

#[test]
fn multi_pv_reports_as_many_different_turns_as_it_is_told() {
    for algorithm in ["best", "pvs", "alphabeta"] {
        for fen in POSITIONS {
            let mut engine = Connect6Engine::new();
            engine.set_option("Algorithm", &OptionValue::Text(algorithm.into())).unwrap();
            engine.set_option("MultiPV", &OptionValue::Spin(3)).unwrap();
            let mut turns = Vec::new();
            let m =
                engine.search(&record(fen), &Limits::with_depth(2), &Control::new(), &mut |i| {
                    let rank = i.multipv.unwrap() as usize;
                    turns.resize(turns.len().max(rank), String::new());
                    turns[rank - 1].clone_from(&i.pv[0]);
                });
            assert_eq!(turns.len(), 3, "{algorithm} `{fen}`: {turns:?}");
            assert_eq!(m.to_string(), turns[0], "{algorithm} `{fen}`");
            assert!(turns[0] != turns[1] && turns[0] != turns[2] && turns[1] != turns[2]);
        }
    }
}
