//! Conversations with an engine whose behaviour is set by an option.

use super::serve;
use crate::engine::{Control, Engine};
use crate::message::{Info, Limits};
use agon_games::amazons::{Amazons, AmazonsMove};
use agon_games::game::{Game, legal_moves};
use agon_games::option::{OptionError, OptionSpec, OptionValue};
use agon_games::record::Record;
use std::io::{BufRead, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

/// `quick` answers at once, `wait` waits for `stop`, `hit` for the clock to start; the others
/// misbehave.
struct Puppet {
    mode: String,
    games: u32,
    prepared: bool,
}

impl Engine for Puppet {
    type Game = Amazons;

    fn name(&self) -> String {
        "Puppet 1".into()
    }
    fn options(&self) -> Vec<OptionSpec> {
        vec![
            OptionSpec::combo("Mode", "quick", &["quick", "wait", "hit", "panic", "illegal"]),
            OptionSpec::text("File", ""),
            OptionSpec::spin("Delay", 0, 0, 1000),
        ]
    }
    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        match (name, value) {
            ("Mode", OptionValue::Text(mode)) => self.mode = mode.clone(),
            ("Delay", OptionValue::Spin(ms)) => sleep(Duration::from_millis(*ms as u64)),
            ("File", OptionValue::Text(file)) if file == "panic" => panic!("no such thing"),
            _ => {
                let reason = "cannot be read".into();
                return Err(OptionError::Refused { name: name.into(), reason });
            }
        }
        Ok(())
    }
    fn new_game(&mut self) {
        self.games += 1;
    }
    fn prepare(&mut self, _: &Control, _: &mut dyn FnMut(Info)) {
        self.prepared = true;
    }
    fn search(
        &mut self,
        record: &Record<Amazons>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> AmazonsMove {
        let prepared = if self.prepared { "prepared" } else { "unprepared" };
        let said = format!("game {} depth {:?} {prepared}", self.games, limits.depth);
        report(Info { text: Some(said), ..Info::default() });
        let moves = legal_moves(record.current());
        match self.mode.as_str() {
            "panic" => panic!("out of ideas"),
            "wait" => {
                while !control.stopped() {
                    sleep(Duration::from_micros(200));
                }
            }
            "hit" => {
                while !control.stopped() && !control.ponder_was_hit() {
                    sleep(Duration::from_micros(200));
                }
            }
            _ => {}
        }
        let best = moves[moves.len() - 1];
        let nowhere = AmazonsMove { from: best.to, to: best.from, arrow: best.arrow };
        if self.mode == "illegal" { nowhere } else { best }
    }
}

/// A conversation with a served puppet.
struct Talk {
    input: Option<PipeWriter>,
    output: Receiver<String>,
    server: JoinHandle<std::io::Result<()>>,
}

const DEADLINE: Duration = Duration::from_secs(5);

impl Talk {
    fn new() -> Talk {
        let (from_us, to_server) = pipe().unwrap();
        let (from_server, to_us) = pipe().unwrap();
        let puppet = Puppet { mode: "quick".into(), games: 0, prepared: false };
        let server = thread::spawn(move || serve(puppet, BufReader::new(from_us), to_us));
        let (lines, output) = channel();
        thread::spawn(move || {
            for line in BufReader::new(from_server).lines().map_while(Result::ok) {
                let _ = lines.send(line);
            }
        });
        Talk { input: Some(to_server), output, server }
    }

    /// Starts in UGI, with the start position and this mode.
    fn in_mode(mode: &str) -> Talk {
        let mut talk = Talk::new();
        talk.send("ugi");
        talk.until("ugiok");
        talk.send(&format!("setoption name Mode value {mode}"));
        talk.send("position startpos");
        talk
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn receive(&self) -> String {
        self.output.recv_timeout(DEADLINE).expect("the server is silent")
    }

    fn until(&self, start: &str) -> String {
        loop {
            let line = self.receive();
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// The next line with this start, or the next error.
    fn until_or_error(&self, start: &str) -> String {
        loop {
            let line = self.receive();
            if line.starts_with(start) || line.starts_with("info string error") {
                return line;
            }
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.receive()
    }

    /// Expects no output before the answer to `isready`.
    fn is_silent(&mut self) {
        assert_eq!(self.ask("isready"), "readyok");
    }

    fn refuses(&mut self, line: &str, reason: &str) {
        let answer = self.ask(line);
        let right = answer.starts_with("info string error: ") && answer.contains(reason);
        assert!(right, "{line}: {answer}");
        self.is_silent();
    }

    fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the server to return; returns the rest of its output.
    fn end(self) -> Vec<String> {
        let from = Instant::now();
        while !self.server.is_finished() {
            assert!(from.elapsed() < DEADLINE, "the server keeps writing");
            sleep(Duration::from_millis(1));
        }
        self.server.join().unwrap().expect("an orderly end");
        self.output.iter().collect()
    }
}

fn last_token(record: &Record<Amazons>) -> String {
    let moves = legal_moves(record.current());
    record.current().move_token(moves[moves.len() - 1])
}

fn after(moves: &[&str]) -> Record<Amazons> {
    Record::from_text(None, moves, &Default::default()).unwrap()
}

#[test]
fn the_first_line_picks_the_dialect() {
    let mut ugi = Talk::new();
    ugi.send("ugi");
    assert_eq!(ugi.receive(), "id name Puppet 1");
    ugi.until("option name Mode type combo default quick");
    ugi.until("ugiok");
    let mut uci = Talk::new();
    uci.send("");
    uci.send("uci");
    uci.until("option name UCI_Variant type combo default amazons var amazons");
    uci.until("uciok");
    let mut person = Talk::new();
    assert_eq!(person.ask("query p1turn"), "response true");
    assert_eq!(person.ask("query p2turn"), "response false");
}

#[test]
fn a_search_answers_for_the_position_it_was_given() {
    let mut talk = Talk::in_mode("quick");
    talk.send("position startpos moves d1d7,d7g7");
    talk.send("go depth 3");
    assert_eq!(talk.receive(), "info string game 0 depth Some(3) unprepared");
    assert_eq!(talk.receive(), format!("bestmove {}", last_token(&after(&["d1d7,d7g7"]))));
}

#[test]
fn stop_ends_a_search_and_readiness_is_answered_during_one() {
    let mut talk = Talk::in_mode("wait");
    talk.send("go movetime 1");
    talk.until("info");
    assert_eq!(talk.ask("isready"), "readyok");
    let from = Instant::now();
    let best = talk.ask("stop");
    let taken = from.elapsed();
    assert_eq!(best, format!("bestmove {}", last_token(&after(&[]))));
    println!("stop to bestmove: {} us", taken.as_micros());
    assert!(taken < Duration::from_millis(200), "{taken:?}");
    talk.is_silent();
    talk.send("stop");
    talk.is_silent();
}

#[test]
fn what_must_wait_for_the_end_of_a_search_is_refused_once() {
    let mut talk = Talk::in_mode("wait");
    talk.send("go infinite");
    talk.until("info");
    for line in [
        "position startpos",
        "go depth 1",
        "setoption name Mode value quick",
        "uginewgame",
        "ugi",
        "perft 1",
    ] {
        talk.refuses(line, "must wait for the end of the search");
    }
    assert_eq!(talk.ask("query p1turn"), "response true");
    assert!(talk.ask("stop").starts_with("bestmove "));
    talk.send("go infinite");
    talk.until("info");
    assert!(talk.ask("stop").starts_with("bestmove "), "the refused option was set");
}

#[test]
fn an_infinite_search_that_is_finished_waits_for_stop() {
    let mut talk = Talk::in_mode("quick");
    talk.send("go infinite");
    talk.until("info");
    talk.is_silent();
    assert!(talk.ask("stop").starts_with("bestmove "));
}

#[test]
fn a_pondering_search_starts_its_clock_when_the_move_was_played() {
    let mut talk = Talk::in_mode("hit");
    talk.send("go ponder p1time 1000 p2time 1000 p1inc 0 p2inc 0");
    talk.until("info");
    talk.is_silent();
    assert!(talk.ask("ponderhit").starts_with("bestmove "));
    let mut talk = Talk::in_mode("quick");
    talk.send("go ponder movetime 10");
    talk.until("info");
    talk.is_silent();
    assert!(talk.ask("ponderhit").starts_with("bestmove "));
    talk.send("ponderhit");
    talk.is_silent();
}

#[test]
fn quit_stops_the_search_and_says_its_move() {
    for go in ["go infinite", "go movetime 60000", "go ponder movetime 10"] {
        let mut talk = Talk::in_mode("wait");
        talk.send(go);
        talk.until("info");
        talk.send("quit");
        assert_eq!(talk.end(), [format!("bestmove {}", last_token(&after(&[])))]);
    }
}

#[test]
fn a_script_that_does_not_wait_gets_every_answer_in_order() {
    for end in ["quit\n", ""] {
        let mut talk = Talk::new();
        let script = "ugi\nsetoption name Delay value 30\nisready\nposition startpos\n\
                      query p1turn\ngo depth 1\nposition startpos moves d1d7,d7g7\nisready\n\
                      query p1turn\ngo depth 1\nposition fen Q2q/4/4/4 w\nperft 1\nd\n\
                      query table\nquery p1turn\nsetoption name Delay value 30\nisready\n";
        let input = talk.input.as_mut().unwrap();
        input.write_all([script, end].concat().as_bytes()).unwrap();
        talk.until("ugiok");
        talk.close();
        let said = talk.end();
        let said: Vec<&str> =
            said.iter().map(String::as_str).filter(|l| !l.starts_with("info")).collect();
        let [first, second] = [&[][..], &["d1d7,d7g7"]].map(|moves| last_token(&after(moves)));
        let expected = [
            "readyok",
            "response true",
            &format!("bestmove {first}"),
            "readyok",
            "response false",
            &format!("bestmove {second}"),
        ];
        assert_eq!(said[..6], expected);
        let sum = said.iter().position(|l| l.starts_with("perft 1: ")).unwrap();
        let fen = said.iter().position(|l| l.starts_with("fen: ")).unwrap();
        assert!(6 < sum && sum < fen, "{said:?}");
        assert_eq!(said[fen + 1..], ["response none", "response true", "readyok"]);
    }
}

/// The manager reacts to an answer before the server's threads do anything else.
#[test]
fn what_follows_an_answer_at_once_is_never_refused() {
    let mut talk = Talk::in_mode("quick");
    for round in 0..300 {
        for (line, last) in [
            ("position fen Q2q/4/4/4 w", ""),
            ("perft 1", "perft 1: "),
            ("position startpos", ""),
            ("query table", "response"),
            ("setoption name Delay value 0", ""),
            ("isready", "readyok"),
            ("uginewgame", ""),
            ("go depth 1", "bestmove"),
        ] {
            talk.send(line);
            let said = if last.is_empty() { String::new() } else { talk.until_or_error(last) };
            assert!(said.starts_with(last), "round {round}, {line}: {said}");
        }
    }
    talk.is_silent();
}

#[test]
fn the_end_of_input_stops_the_search_and_says_its_move() {
    let mut talk = Talk::in_mode("wait");
    talk.send("go infinite");
    talk.close();
    let said = talk.end();
    assert_eq!(said.last(), Some(&format!("bestmove {}", last_token(&after(&[])))));
    let mut talk = Talk::new();
    talk.close();
    assert!(talk.end().is_empty());
}

#[test]
fn what_was_asked_before_the_end_of_input_is_answered() {
    let mut talk = Talk::new();
    talk.send("setoption name Delay value 50");
    talk.send("isready");
    talk.close();
    assert_eq!(talk.end(), ["readyok"]);
}

#[test]
fn readiness_is_said_after_what_was_asked_before() {
    let mut talk = Talk::in_mode("quick");
    let from = Instant::now();
    talk.send("setoption name Delay value 60");
    talk.is_silent();
    assert!(from.elapsed() >= Duration::from_millis(60));
}

#[test]
fn an_engine_is_prepared_before_it_is_ready() {
    let mut talk = Talk::in_mode("quick");
    talk.send("uginewgame");
    talk.is_silent();
    talk.send("go depth 1");
    assert_eq!(talk.receive(), "info string game 1 depth Some(1) prepared");
}

#[test]
fn a_bad_line_gets_one_answer_and_changes_nothing() {
    let mut talk = Talk::in_mode("quick");
    talk.send("position startpos moves d1d7,d7g7");
    for (line, reason) in [
        ("castle", "unknown command `castle`"),
        ("go depth x", "`depth` needs a whole number"),
        ("setoption name Moode value quick", "unknown option `Moode`; known options: Mode, File"),
        ("setoption name Mode value asleep", "expected one of quick, wait, hit, panic, illegal"),
        ("setoption name Delay value 1001", "expected a whole number from 0 to 1000"),
        ("setoption name File value book.txt", "option File: cannot be read"),
        ("setoption name File value panic", "setting an option failed: no such thing"),
        ("position startpos moves d1d7,d7g7 a7a7,a7a8", "move 2 of the list: illegal move"),
        ("position fen 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q6 w", "bad FEN"),
        ("position fen", "found no FEN"),
        ("\u{1b}[31m\u{7}", "unknown command"),
    ] {
        talk.refuses(line, reason);
    }
    assert_eq!(talk.ask("query p1turn"), "response false");
    let fen = talk.ask("query fen");
    assert_eq!(fen, format!("response {}", after(&["d1d7,d7g7"]).current().fen()));
}

#[test]
fn bytes_that_are_no_text_and_endless_lines_are_refused() {
    let mut talk = Talk::in_mode("quick");
    let input = talk.input.as_mut().unwrap();
    input.write_all(b"\xff\xfe\x00\n").unwrap();
    assert!(talk.receive().starts_with("info string error: unknown command"));
    let long = vec![b'x'; crate::lines::MAX_LINE_BYTES + 1];
    let input = talk.input.as_mut().unwrap();
    input.write_all(&long).unwrap();
    input.write_all(b"\n").unwrap();
    assert!(talk.receive().contains("line of 1048577 bytes refused; the limit is 1048576"));
    talk.is_silent();
}

#[test]
fn a_finished_position_has_no_best_move() {
    for (hello, none) in [("ugi", "bestmove 0000"), ("uci", "bestmove (none)")] {
        let mut talk = Talk::new();
        talk.send(hello);
        talk.until(&format!("{hello}ok"));
        talk.send("position fen Q*q1/**2/4/4 w");
        talk.send("go depth 1");
        assert!(talk.receive().contains("info string the game is over"));
        assert_eq!(talk.receive(), none);
        assert_eq!(talk.ask("query gameover"), "response true");
        assert_eq!(talk.ask("query result"), "response p2win");
        assert_eq!(talk.ask("query p1turn"), "response false");
        talk.send("position startpos");
        assert_eq!(talk.ask("query result"), "response none");
    }
}

#[test]
fn a_failing_search_still_plays_a_legal_move() {
    for (mode, reason) in [
        ("panic", "error: the search failed: out of ideas; playing the first legal move"),
        ("illegal", "error: the search returned the illegal move"),
    ] {
        let mut talk = Talk::in_mode(mode);
        talk.send("go depth 1");
        assert!(talk.until("info string error").contains(reason));
        let first = legal_moves(after(&[]).current())[0];
        assert_eq!(talk.receive(), format!("bestmove {}", after(&[]).current().move_token(first)));
        talk.send("setoption name Mode value quick");
        talk.send("go depth 1");
        assert!(talk.until("bestmove").ends_with(&last_token(&after(&[]))));
    }
}

#[test]
fn perft_lists_the_moves_and_stops_when_told() {
    let mut talk = Talk::in_mode("quick");
    talk.send("position fen Q2q/4/4/4 w");
    talk.send("perft 2");
    let sum = talk.until("perft 2: ");
    let record =
        Record::<Amazons>::from_text::<&str>(Some("Q2q/4/4/4 w"), &[], &Default::default());
    let leaves = agon_games::perft::perft(&mut record.unwrap().current().clone(), 2);
    assert_eq!(sum, format!("perft 2: {leaves}"));
    talk.send("position startpos");
    talk.send("go perft 3");
    talk.until("");
    talk.send("stop");
    assert!(talk.until("perft 3: ").starts_with("perft 3: stopped after"));
    talk.is_silent();
}

#[test]
fn the_board_is_shown_to_people() {
    let mut talk = Talk::in_mode("quick");
    talk.send("d");
    assert_eq!(talk.until("fen: "), format!("fen: {}", after(&[]).current().fen()));
}

#[test]
fn a_reader_that_has_gone_ends_the_program_quietly() {
    let (from_us, mut to_server) = pipe().unwrap();
    let (from_server, to_us) = pipe().unwrap();
    drop(from_server);
    let puppet = Puppet { mode: "quick".into(), games: 0, prepared: false };
    let server = thread::spawn(move || serve(puppet, BufReader::new(from_us), to_us));
    to_server.write_all(b"ugi\n").unwrap();
    assert!(server.join().unwrap().is_ok());
}
