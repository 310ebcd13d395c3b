//! A game as a UGI manager (cutegames) runs it: its queries to both engines before and after every
//! move, and the two words that it expects in each reply.

use crate::support::Process;

/// A manager that sends the same queries as cutegames.
struct Manager {
    engines: [Process; 2],
    moves: Vec<String>,
}

impl Manager {
    fn new(options: [&[&str]; 2]) -> Manager {
        let mut engines = options.map(|o| Process::open("amazons", o, "ugi"));
        for engine in &mut engines {
            request(engine, "isready", "readyok");
        }
        for engine in &mut engines {
            request(engine, "isready", "readyok");
            engine.send("uginewgame");
        }
        Manager { engines, moves: Vec::new() }
    }

    fn position(&self) -> String {
        match self.moves.as_slice() {
            [] => "position startpos".into(),
            moves => format!("position startpos moves {}", moves.join(" ")),
        }
    }

    fn query(&mut self, engine: usize, question: &str) -> String {
        let position = self.position();
        self.engines[engine].send(&position);
        let answer = self.engines[engine].request(&format!("query {question}"));
        let words: Vec<&str> = answer.split(' ').collect();
        assert_eq!((words.len(), words[0]), (2, "response"), "{answer}");
        words[1].into()
    }

    /// Plays to the end; returns the result that both engines report.
    fn play(&mut self) -> [String; 2] {
        loop {
            let mover = usize::from(self.query(0, "p1turn") != "true");
            let over = [mover, 1 - mover].map(|engine| {
                request(&mut self.engines[engine], "isready", "readyok");
                self.query(engine, "gameover")
            });
            assert_eq!(over[0], over[1], "after {:?}", self.moves);
            if over[0] == "true" {
                return [0, 1].map(|engine| self.query(engine, "result"));
            }
            self.engines[mover].send("go p1time 9000 p2time 9000 p1inc 10 p2inc 10");
            let best = self.engines[mover].until("bestmove");
            let words: Vec<&str> = best.split(' ').collect();
            assert_eq!(words.len(), 2, "{best}");
            self.moves.push(words[1].into());
        }
    }
}

fn request(engine: &mut Process, question: &str, answer: &str) {
    assert_eq!(engine.request(question), answer);
}

#[test]
fn an_existing_manager_runs_our_engines_unchanged() {
    let mut manager = Manager::new([
        &["--option", "Algorithm=random", "--option", "Seed=3"],
        &["--option", "Algorithm=greedy"],
    ]);
    let results = manager.play();
    assert_eq!(results, ["p2win", "p2win"], "greedy beats random: {:?}", manager.moves);
    assert!(manager.moves.len() >= 20, "{:?}", manager.moves);
    for engine in &mut manager.engines {
        engine.send("quit");
        assert!(engine.end().0.success());
    }
}
