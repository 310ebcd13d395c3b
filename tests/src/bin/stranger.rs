//! A NoGo program in GTP as it is met, with one habit, for tests of referees. It plays one of the legal
//! points, chosen by the position's hash.
//!
//! `words` behaves as `HaHaNoGo`, champion of TAAI 2016 (github.com/lclan1024/HaHaNoGo): it reads words, not
//! lines, answers every word that it does not know by an empty `=`, and puts no blank after the mark.

use agon_games::arbiter::{Arbiter, game};
use agon_games::hash::mix;
use anyhow::{Context, Result, bail};
use std::io::{self, BufRead, Write, stdin, stdout};
use std::thread::sleep;
use std::time::Duration;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let habit = args.next().context("expected a habit")?;
    let seed = args.next().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let mut player = Player { board: open()?, seed, answers: 0, habit };
    for line in stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace().map(str::to_lowercase);
        let more = match player.habit.as_str() {
            "words" => player.read_words(&mut words)?,
            _ => player.read_line(&words.collect::<Vec<_>>())?,
        };
        if !more {
            break;
        }
    }
    Ok(())
}

struct Player {
    board: Box<dyn Arbiter>,
    seed: u64,
    answers: u32,
    habit: String,
}

fn open() -> Result<Box<dyn Arbiter>> {
    Ok(game("nogo").context("no NoGo")?.open(None, &[])?)
}

impl Player {
    /// Every word is a command, or the argument of one. There is no `quit`.
    fn read_words(&mut self, words: &mut dyn Iterator<Item = String>) -> Result<bool> {
        while let Some(word) = words.next() {
            let answer = match word.as_str() {
                "play" | "p" => {
                    let point = words.nth(1).context("a point")?;
                    self.board.push(&point)?;
                    String::new()
                }
                "boardsize" | "komi" | "time" => {
                    words.next();
                    String::new()
                }
                "time_left" => {
                    words.nth(2);
                    String::new()
                }
                "protocol_version" => "2".into(),
                "name" => "haha25_rn0_bn10".into(),
                word if word.starts_with('c') => {
                    self.board = open()?;
                    String::new()
                }
                word if word.starts_with('g') => {
                    words.next();
                    self.choose()?
                }
                _ => String::new(),
            };
            write(&format!("={answer}\n\n"))?;
        }
        Ok(true)
    }

    fn read_line(&mut self, words: &[String]) -> Result<bool> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = match words.as_slice() {
            ["quit", ..] => return Ok(false),
            ["name"] => "Stranger".into(),
            ["list_commands"] if self.habit == "lists" => {
                "name\nlist_commands\nplay\ngenmove\ntime_left".into()
            }
            ["boardsize", "9"] => String::new(),
            ["clear_board"] => {
                self.board = open()?;
                String::new()
            }
            ["play", _, point] => {
                self.board.push(point)?;
                String::new()
            }
            ["genmove", _] => self.choose()?,
            ["time_left", _, _, "0"] if self.habit == "lists" => String::new(),
            _ => return self.refuse(&words),
        };
        self.answer(&answer)
    }

    fn refuse(&mut self, words: &[&str]) -> Result<bool> {
        match self.habit.as_str() {
            "silent" => {}
            "each-word" => words.iter().try_for_each(|_| write("? unknown command\n\n"))?,
            // It ends at a line that it does not list.
            "lists" if words != ["version"] => bail!("{words:?}"),
            _ => write("? unknown command\n\n")?,
        }
        Ok(true)
    }

    fn answer(&mut self, text: &str) -> Result<bool> {
        self.answers += 1;
        let text = match self.habit.as_str() {
            // An id that nobody sent.
            "own-id" => format!("={} {text}\n\n", self.answers),
            "chatter" => format!("thinking\neval = 3\n\n= {text}\n\nscore 0.5\n\n\n"),
            "crlf" => format!("= {text}\r\n\r\n"),
            // A program that flushes each line, as KataGo does.
            "late-blank" => {
                write(&format!("= {text}\n"))?;
                sleep(Duration::from_millis(20));
                "\n".into()
            }
            "one-line" => format!("={text}\n"),
            // A second acknowledgement.
            "double" if text.is_empty() => "=\n\n=\n\n".into(),
            "comment" if text.len() == 2 => format!("= {text} # 0.5\n\n"),
            _ => format!("= {text}\n\n"),
        };
        write(&text)?;
        Ok(true)
    }

    fn choose(&mut self) -> Result<String> {
        let mut moves = self.board.legal_tokens();
        if moves.is_empty() {
            return Ok("resign".into());
        }
        let at = mix(self.board.hash() ^ self.seed) % moves.len() as u64;
        let token = moves.swap_remove(at as usize);
        self.board.push(&token)?;
        Ok(token.to_uppercase())
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
