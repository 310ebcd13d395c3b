//! A minimal engine that plays legal Amazons, for measuring the overhead of a referee.
//!
//! It supports just enough UGI. It keeps the game between moves, so that a `position` line costs
//! only its new moves, and plays one of the first legal moves, chosen by the position's hash and the seed, its
//! first argument. With `drifts` as the second one, the seed grows with every move, from game to game too.

use agon_games::amazons::Amazons;
use agon_games::game::Game;
use agon_games::hash::mix;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

fn main() -> io::Result<()> {
    let seed: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(0);
    let drifts = std::env::args().nth(2).is_some_and(|a| a == "drifts");
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = String::new();
    let mut player =
        Trivial { seed, known: String::new(), state: Amazons::start(&Default::default()) };
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let text = line.trim_end();
        match text.split(' ').next() {
            Some("ugi") => output.write_all(b"id name Trivial\nid author tests\nugiok\n")?,
            Some("isready") => output.write_all(b"readyok\n")?,
            Some("position") => {
                if let Err(e) = player.follow(text) {
                    writeln!(output, "info string error: {e}")?;
                }
            }
            Some("go") => {
                writeln!(output, "bestmove {}", player.choose())?;
                player.seed += u64::from(drifts);
            }
            Some("quit") => return Ok(()),
            _ => continue,
        }
        output.flush()?;
    }
}

struct Trivial {
    seed: u64,
    /// The last `position` line.
    known: String,
    state: Amazons,
}

impl Trivial {
    fn follow(&mut self, line: &str) -> Result<(), String> {
        let new = match line.strip_prefix(&self.known) {
            Some(rest) if !self.known.is_empty() => rest,
            _ => {
                let text = line.strip_prefix("position ").ok_or("no position")?;
                let (place, moves) = text.split_once(" moves ").unwrap_or((text, ""));
                let rules = Default::default();
                self.state = match place.strip_prefix("fen ") {
                    Some(fen) => Amazons::parse_fen(fen, &rules).map_err(|e| e.to_string())?,
                    None => Amazons::start(&rules),
                };
                moves
            }
        };
        for token in new.split_whitespace().filter(|t| *t != "moves") {
            let m = self.state.parse_move(token).map_err(|e| e.to_string())?;
            self.state.play(m);
        }
        self.known.clear();
        self.known.push_str(line);
        Ok(())
    }

    fn choose(&self) -> String {
        let mut left = mix(self.state.hash() ^ mix(self.seed)) % 32;
        let mut chosen = None;
        let _ = self.state.visit_moves::<()>(&mut |m| {
            chosen = Some(m);
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        chosen.map_or("0000".into(), |m| self.state.move_token(m))
    }
}
