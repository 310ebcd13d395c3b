//! An engine for any game and dialect that sends every move twice, for tests of referees.
//!
//! The second copy follows after a pause in which it reads nothing, as from a program that writes
//! its output late.

use agon_games::arbiter::{Arbiter, GameKind, game};
use agon_games::hash::mix;
use agon_wire::dialect::by_name;
use agon_wire::message::{Command, Reply};
use anyhow::{Context, Result};
use clap::Parser;
use std::io::{self, BufRead, Write, stdin, stdout};
use std::thread::sleep;
use std::time::Duration;

#[derive(Parser)]
struct Flags {
    /// The game
    game: String,
    /// The dialect
    dialect: String,
    /// Milliseconds before the second copy of a move; 0 sends both copies at once
    #[arg(long, default_value_t = 0)]
    pause: u64,
    /// The move of the process, counted from 1, from which on moves are sent twice
    #[arg(long, default_value_t = 1)]
    at: u32,
}

fn main() -> Result<()> {
    let flags = Flags::parse();
    let kind = game(&flags.game).context("unknown game")?;
    let mut dialect = by_name(&flags.dialect, &flags.game).context("unknown dialect")?;
    let mut board = kind.open(None, &[])?;
    let mut searches = 0;
    for line in stdin().lock().lines() {
        let commands = dialect.read_command(&line?)?;
        for command in commands {
            let replies = match command {
                Command::Quit => return Ok(()),
                Command::Position { fen, moves } => {
                    board = open(kind, fen.as_deref(), &moves)?;
                    continue;
                }
                command => answer(&command, &*board),
            };
            let text: Vec<String> = replies.iter().flat_map(|r| dialect.write_reply(r)).collect();
            let mut text: String = text.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            if let [Reply::BestMove(_)] = replies[..] {
                searches += 1;
                if searches >= flags.at && flags.pause == 0 {
                    text = text.repeat(2);
                } else if searches >= flags.at {
                    write(&text)?;
                    sleep(Duration::from_millis(flags.pause));
                }
            }
            write(&text)?;
        }
    }
    Ok(())
}

/// Writes whole lines in one piece.
fn write(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn open(kind: GameKind, fen: Option<&str>, moves: &[String]) -> Result<Box<dyn Arbiter>> {
    let mut board = kind.open(fen, &[])?;
    for token in moves {
        board.push(token)?;
    }
    Ok(board)
}

fn answer(command: &Command, board: &dyn Arbiter) -> Vec<Reply> {
    match command {
        Command::Identify => {
            let id = Reply::Id { name: "Stutter 1".into(), author: "tests".into() };
            vec![id, Reply::Identified]
        }
        Command::IsReady => vec![Reply::Ready],
        Command::Acknowledge => vec![Reply::Acknowledged],
        Command::Go(_) => {
            let mut moves = board.legal_tokens();
            let index = mix(board.hash()) as usize % moves.len().max(1);
            vec![Reply::BestMove((index < moves.len()).then(|| moves.swap_remove(index)))]
        }
        _ => Vec::new(),
    }
}
