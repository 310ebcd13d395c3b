//! UGI, the Universal Game Interface (`kz04px/ugi`): the project's own dialect.
//!
//! Extensions, never sent to engines that do not need them: `query p2turn` and `query fen`, `perft
//! N` and `go perft N`, `d`, pondering and `movestogo`. Our `bestmove` has exactly two words, since
//! existing managers count them; other engines may name the move to ponder on, `bestmove X ponder Y`.
//! Mates are counted in plies.

use super::family::{EngineNames, Family, read_ponder};
use super::{Dialect, DialectError};
use crate::message::{Annotation, Command, Reply};
use agon_games::game::Player;

static UGI: Family = Family {
    name: "ugi",
    identified: "ugiok",
    new_game: "uginewgame",
    times: ["p1time", "p2time"],
    increments: ["p1inc", "p2inc"],
    no_move: "0000",
    mate_in_moves: false,
};

/// One conversation in UGI.
#[derive(Debug, Default)]
pub struct Ugi {
    names: EngineNames,
    /// Manager side: the engine's ponder move, not yet polled.
    expected: Option<Reply>,
}

impl Dialect for Ugi {
    fn name(&self) -> &'static str {
        UGI.name
    }
    fn read_command(&mut self, line: &str) -> Result<Vec<Command>, DialectError> {
        UGI.read_command(line).map(|c| vec![c])
    }
    fn has_ready(&self) -> bool {
        true
    }

    fn write_reply(&mut self, reply: &Reply) -> Vec<String> {
        UGI.write_reply(reply)
    }
    fn write_command(&mut self, command: &Command, _mover: Player) -> Vec<String> {
        UGI.write_command(command).into_iter().collect()
    }
    fn read_reply(&mut self, line: &str) -> Option<Reply> {
        let expected = read_ponder(line).map(|reply| Annotation::PonderMove(reply.into()));
        self.expected = expected.map(Reply::Annotation).or(self.expected.take());
        UGI.read_reply(line, &mut self.names)
    }
    fn poll_reply(&mut self) -> Option<Reply> {
        self.expected.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Info, Limits, Query, Score};
    use std::time::Duration;

    /// The specification's own example, as a dialogue of a manager and an engine.
    #[test]
    fn the_example_dialogue_of_the_specification_is_spoken() {
        let mut ugi = Ugi::default();
        let set = Command::SetOption { name: "hash".into(), value: "512".into() };
        let after = |moves: &[&str]| Command::Position {
            fen: None,
            moves: moves.iter().map(|m| (*m).to_string()).collect(),
        };
        for (line, command) in [
            ("ugi", Command::Identify),
            ("setoption name hash value 512", set),
            ("isready", Command::IsReady),
            ("uginewgame", Command::NewGame),
            ("position startpos", after(&[])),
            ("query p1turn", Command::Query(Query::P1Turn)),
            ("go depth 4", Command::Go(Limits::with_depth(4))),
            ("position startpos moves f1", after(&["f1"])),
            ("query result", Command::Query(Query::Result)),
            ("quit", Command::Quit),
        ] {
            assert_eq!(ugi.read_command(line), Ok(vec![command.clone()]));
            assert_eq!(ugi.write_command(&command, Player::First), [line]);
        }
        let info = Info {
            depth: Some(4),
            seldepth: Some(4),
            score: Some(Score::Cp(200)),
            time: Some(Duration::ZERO),
            nodes: Some(473),
            pv: ["f1", "b1", "g2", "a2"].map(String::from).into(),
            ..Info::default()
        };
        for (line, reply) in [
            ("readyok", Reply::Ready),
            ("response true", Reply::Response("true".into())),
            (
                "info depth 4 seldepth 4 time 0 nodes 473 score cp 200 pv f1 b1 g2 a2",
                Reply::Info(info.clone()),
            ),
            ("bestmove f1", Reply::BestMove(Some("f1".into()))),
        ] {
            assert_eq!(ugi.write_reply(&reply), [line]);
            assert_eq!(ugi.read_reply(line), Some(reply));
        }
        let theirs = "info depth 4 seldepth 4 score cp 200 time 0 nodes 473 pv f1 b1 g2 a2";
        assert_eq!(ugi.read_reply(theirs), Some(Reply::Info(info)));
    }

    #[test]
    fn a_best_move_has_exactly_two_words() {
        let line = Ugi::default().write_reply(&Reply::BestMove(None)).join("");
        assert_eq!(line, "bestmove 0000");
    }

    #[test]
    fn another_engine_names_the_move_to_ponder_on() {
        for line in ["bestmove f1 ponder b1", "bestmove\tf1\tponder  b1 extra"] {
            let mut ugi = Ugi::default();
            assert_eq!(ugi.read_reply(line), Some(Reply::BestMove(Some("f1".into()))));
            let expected = Annotation::PonderMove("b1".into());
            assert_eq!(ugi.poll_reply(), Some(Reply::Annotation(expected)));
            assert_eq!(ugi.poll_reply(), None);
        }
        for line in ["bestmove f1", "bestmove f1 ponder", "info string bestmove f1 ponder b1"] {
            let mut ugi = Ugi::default();
            ugi.read_reply(line);
            assert_eq!(ugi.poll_reply(), None, "{line}");
        }
    }

    #[test]
    fn mates_are_counted_in_plies() {
        let info = |n| Reply::Info(Info { score: Some(Score::Mate(n)), ..Info::default() });
        for n in [-4, 0, 3, 4] {
            assert_eq!(Ugi::default().write_reply(&info(n)), [format!("info score mate {n}")]);
        }
    }
}
