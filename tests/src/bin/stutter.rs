//! An engine for any game and dialect that sends every move twice, or another line instead, or ponders in
//! its own way, for tests of referees.
//!
//! The second copy follows after a pause in which it reads nothing, as from a program that writes
//! its output late.

use agon_games::arbiter::{Arbiter, GameKind, game};
use agon_games::hash::mix;
use agon_wire::dialect::by_name;
use agon_wire::message::{Command, Limits, Reply};
use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
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
    /// Send this line instead of a move, and moves only once
    #[arg(long)]
    instead: Option<String>,
    /// Name the reply to ponder on, and send moves only once; in UGI, UCI and UCCI
    #[arg(long, value_enum)]
    ponder: Option<Pondering>,
    /// Send no line with this text
    #[arg(long)]
    without: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Pondering {
    /// Names the move that its twin plays, and reports no variation
    Named,
    /// The same, and reports a variation with another reply
    Differs,
    /// Names a reply that is not legal
    Illegal,
    /// Names the move that its twin plays, and answers before `ponderhit` and `stop`
    Early,
}

fn main() -> Result<()> {
    let flags = Flags::parse();
    let kind = game(&flags.game).context("unknown game")?;
    let mut dialect = by_name(&flags.dialect, &flags.game).context("unknown dialect")?;
    let mut board = kind.open(None, &[])?;
    let (mut searches, mut is_pondering) = (0, false);
    for line in stdin().lock().lines() {
        let commands = dialect.read_command(&line?)?;
        for command in commands {
            let replies = match command {
                Command::Quit => return Ok(()),
                Command::Position { fen, moves } => {
                    board = open(kind, fen.as_deref(), &moves)?;
                    continue;
                }
                Command::Go(limits) if limits.ponder && flags.ponder != Some(Pondering::Early) => {
                    is_pondering = true;
                    continue;
                }
                Command::PonderHit | Command::Stop if std::mem::take(&mut is_pondering) => {
                    answer(&Command::Go(Limits::default()), &*board)
                }
                command => answer(&command, &*board),
            };
            let mut text: Vec<String> =
                replies.iter().flat_map(|r| dialect.write_reply(r)).collect();
            text.retain(|line| flags.without.as_ref().is_none_or(|part| !line.contains(part)));
            let mut text: String = text.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
            if let [Reply::BestMove(_)] = replies[..] {
                searches += 1;
                if let Some(line) = &flags.instead {
                    if searches >= flags.at {
                        text = format!("{line}\n\n");
                    }
                } else if let (Some(how), Some(token)) = (flags.ponder, best(&*board)) {
                    text = with_reply(how, &*board, &token)?;
                } else if searches >= flags.at && flags.pause == 0 {
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

/// The move: every twin plays the same one.
fn best(board: &dyn Arbiter) -> Option<String> {
    let mut moves = board.legal_tokens();
    let index = mix(board.hash()) as usize % moves.len().max(1);
    (index < moves.len()).then(|| moves.swap_remove(index))
}

/// The lines of a move with the reply to ponder on.
fn with_reply(how: Pondering, board: &dyn Arbiter, token: &str) -> Result<String> {
    let mut after = board.boxed_clone();
    after.push(token)?;
    let Some(reply) = best(&*after) else { return Ok(format!("bestmove {token}\n")) };
    let other = after.legal_tokens().into_iter().find(|other| *other != reply).unwrap_or_default();
    Ok(match how {
        Pondering::Named | Pondering::Early => format!("bestmove {token} ponder {reply}\n"),
        Pondering::Differs => {
            format!("info depth 2 pv {token} {other}\nbestmove {token} ponder {reply}\n")
        }
        Pondering::Illegal => {
            format!("info depth 2 pv {token} {reply}\nbestmove {token} ponder {token}\n")
        }
    })
}

fn answer(command: &Command, board: &dyn Arbiter) -> Vec<Reply> {
    match command {
        Command::Identify => {
            let id = Reply::Id { name: "Stutter 1".into(), author: "tests".into() };
            vec![id, Reply::Identified]
        }
        Command::IsReady => vec![Reply::Ready],
        Command::Acknowledge => vec![Reply::Acknowledged],
        Command::Go(_) => vec![Reply::BestMove(best(board))],
        _ => Vec::new(),
    }
}
