//! Recorded matches of Fairy-Stockfish: Debian's 11.1 in Xiangqi; npm's `fairy-stockfish-nnue.wasm`
//! 1.1.12 in Amazons and, after `ucicyclone`, in Xiangqi. Option lists and most reports are
//! omitted.

use super::*;
use crate::dialect::test_messages::position;
use crate::message::{Limits, Score};
use std::time::Duration;

/// The lines sent by the manager (`>`) and by the engine (`<`).
struct Recorded {
    dialect: fn(&str) -> Uci,
    game: &'static str,
    lines: &'static str,
    /// The position before each `go`, and the engine's best moves, in the core's notation.
    positions: [&'static str; 2],
    moves: [&'static str; 2],
    /// The score and the line of the last report before the first best move.
    report: (Score, &'static str),
}

const XIANGQI: Recorded = Recorded {
    dialect: Uci::new,
    game: "xiangqi",
    lines: "\
> uci
< Fairy-Stockfish 11.1 LB 64 by Fabian Fichter
< id name Fairy-Stockfish 11.1 LB 64
< id author Fabian Fichter
<
< option name UCI_Variant type combo default chess var 3check var xiangqi
< uciok
> setoption name UCI_Variant value xiangqi
> isready
< readyok
> ucinewgame
> isready
< readyok
> position startpos
> go wtime 10000 btime 10000 winc 0 binc 0
< info depth 8 seldepth 9 multipv 1 score cp 54 nodes 15057 nps 57911 tbhits 0 time 260 pv c1e3 b10c8 h3h5
< bestmove c1e3 ponder c7c6
> position startpos moves c1e3 c7c6
> go wtime 9584 btime 9992 winc 0 binc 0
< bestmove g4g5 ponder h10g8
> quit",
    positions: ["", "c0e2 c6c5"],
    moves: ["c0e2 c6c5", "g3g4 h9g7"],
    report: (Score::Cp(54), "c0e2 b9c7 h2h4"),
};

const CYCLONE_XIANGQI: Recorded = Recorded {
    dialect: Uci::cyclone,
    game: "xiangqi",
    lines: "\
> ucicyclone
> uci
< Fairy-Stockfish [commit: b2e693ef, upstream: , emscripten: 2.0.26] LB by Fabian Fichter
< id name Fairy-Stockfish [commit: b2e693ef, upstream: , emscripten: 2.0.26] LB
< id author Fabian Fichter
<
< option name UCI_Variant type combo default xiangqi var 3check var xiangqi
< uciok
> setoption name UCI_Variant value xiangqi
> isready
< readyok
> ucinewgame
> isready
< readyok
> position startpos
> go depth 2
< info string classical evaluation enabled
< info depth 2 seldepth 2 multipv 1 score cp 223 nodes 99 nps 614 tbhits 0 time 161 pv b0c2 a9a8 b2b9
< bestmove b0c2 ponder a9a8
> position startpos moves b0c2 b7d7
> go depth 2
< info string classical evaluation enabled
< bestmove b2b6 ponder a9a8
> quit",
    positions: ["", "b0c2 b7d7"],
    moves: ["b0c2 a9a8", "b2b6 a9a8"],
    report: (Score::Cp(223), "b0c2 a9a8 b2b9"),
};

const AMAZONS: Recorded = Recorded {
    dialect: Uci::new,
    game: "amazons",
    lines: "\
> uci
< id name Fairy-Stockfish [commit: b2e693ef, upstream: , emscripten: 2.0.26] LB
< id author Fabian Fichter
< option name UCI_Variant type combo default chess var 3check var amazon var amazons
< uciok
> setoption name UCI_Variant value amazons
> isready
< info string variant amazons files 10 ranks 10 pocket 0 template fairy startpos 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1
< readyok
> ucinewgame
> isready
< readyok
> position startpos
> go depth 1
< info string classical evaluation enabled
< info depth 1 seldepth 1 multipv 1 score cp 0 nodes 2176 nps 6495 tbhits 0 time 335 pv d1a1,a1b1
< bestmove d1a1,a1b1
> position startpos moves d1a1,a1b1 g10g5,g5e7
> go depth 1
< bestmove a1a2,a2a1
> quit",
    positions: ["", "d1a1,a1b1 g10g5,g5e7"],
    moves: ["d1a1,a1b1", "a1a2,a2a1"],
    report: (Score::Cp(0), "d1a1,a1b1"),
};

const ALL: [Recorded; 3] = [XIANGQI, CYCLONE_XIANGQI, AMAZONS];

/// The clock or depth limit of the recorded `go`.
fn limits(line: &str) -> Limits {
    let number = |word: &str| {
        let mut words = line.split(' ').skip_while(|w| *w != word).skip(1);
        words.next().and_then(|n| n.parse::<u64>().ok())
    };
    let time = |word: &str| number(word).map(Duration::from_millis);
    let depth = number("depth").and_then(|n| n.try_into().ok());
    Limits { time: [time("wtime"), time("btime")], depth, ..Limits::default() }
}

/// Our engine understands the lines sent to the recorded engine.
#[test]
fn an_engine_understands_the_recorded_manager() {
    for record in ALL {
        let mut engine = (record.dialect)(record.game);
        let (mut positions, mut moves) = (record.positions.iter(), record.moves.iter());
        for line in record.lines.lines() {
            let (side, text) = line.split_at(1);
            let text = text.trim();
            if side == "<" {
                if text.starts_with("bestmove") {
                    let answered: Vec<&str> = moves.next().unwrap().split(' ').collect();
                    let pv = answered.iter().map(|m| (*m).to_string()).collect();
                    engine.write_reply(&Reply::Info(crate::message::Info {
                        pv,
                        ..Default::default()
                    }));
                    let best = Reply::BestMove(Some(answered[0].into()));
                    assert_eq!(engine.write_reply(&best), [text]);
                }
                continue;
            }
            let expected = match text.split(' ').next().unwrap() {
                "uci" => vec![Command::Identify],
                "isready" => vec![Command::IsReady],
                "ucinewgame" => vec![Command::NewGame],
                "quit" => vec![Command::Quit],
                "ucicyclone" => Vec::new(),
                "setoption" => vec![Command::Nothing],
                "go" => vec![Command::Go(limits(text))],
                _ => vec![position(positions.next().unwrap())],
            };
            assert_eq!(engine.read_command(text), Ok(expected), "{text}");
        }
        assert!(positions.next().is_none() && moves.next().is_none());
    }
}

/// The referee sends the recorded commands again and understands the engine's replies.
#[test]
fn a_manager_sends_what_was_recorded_and_understands_the_engine() {
    for record in ALL {
        let mut manager = (record.dialect)(record.game);
        let (mut positions, mut moves) = (record.positions.iter(), record.moves.iter());
        let mut said: Vec<String> = Vec::new();
        let mut report = None;
        for line in record.lines.lines() {
            let (side, text) = line.split_at(1);
            let text = text.trim();
            if side == "<" {
                assert!(said.is_empty(), "{said:?} was not recorded");
                match manager.read_reply(text) {
                    Some(Reply::Info(info)) if info.score.is_some() => report = Some(info),
                    Some(Reply::BestMove(Some(token))) => {
                        let answered: Vec<&str> = moves.next().unwrap().split(' ').collect();
                        assert_eq!(token, answered[0]);
                        let expects =
                            |m: &&str| Reply::Annotation(Annotation::PonderMove((*m).into()));
                        assert_eq!(manager.poll_reply(), answered.get(1).map(expects));
                        if let Some(info) = report.take() {
                            assert_eq!(info.score, Some(record.report.0));
                            assert_eq!(info.pv.join(" "), record.report.1);
                        }
                    }
                    _ => {}
                }
                continue;
            }
            if said.is_empty() {
                let command = match text.split(' ').next().unwrap() {
                    "uci" | "ucicyclone" => Command::Identify,
                    // The variant is sent before the next command.
                    "isready" | "setoption" => Command::IsReady,
                    "ucinewgame" => Command::NewGame,
                    "quit" => Command::Quit,
                    "go" => Command::Go(limits(text)),
                    _ => position(positions.next().unwrap()),
                };
                said = manager.write_command(&command, Player::First);
            }
            assert_eq!(said.remove(0), text);
        }
        assert!(said.is_empty() && moves.next().is_none());
    }
}
