//! An engine that misbehaves in one chosen way, for tests of referees and managers.
//!
//! Until the fault it plays legal Amazons: its moves depend only on the position and the option
//! `Seed`, so honest games can be repeated. `rogue honest` never misbehaves.

mod attack;
mod output;
mod texts;

use agon_games::amazons::Amazons;
use agon_games::game::{Game, Outcome, Player, Turn, legal_moves};
use agon_games::hash::mix;
use agon_games::option::OptionSpec;
use agon_games::record::Record;
use agon_wire::dialect::{Dialect, DialectError, detect};
use agon_wire::message::{Command, Query, Reply};
use clap::{Parser, ValueEnum};
use output::{write, write_for_ever};
use std::io::{self, BufRead, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::thread::sleep;
use std::time::Duration;

#[derive(Parser)]
struct Flags {
    /// The kind of misbehaviour
    fault: Fault,
    /// The move of each game, counted from 1, at which a search fault occurs
    #[arg(long, default_value_t = 3)]
    at: u32,
    /// Misbehave only in games in which the engine plays this side
    #[arg(long)]
    side: Option<Side>,
    /// Extra milliseconds per move of `slow` from then on
    #[arg(long, default_value_t = 1500)]
    delay: u64,
    /// File for the process id of the child of `orphan`, `crash-with-child`, `daemon` and `kill-parent`,
    /// and for the findings of `inspect`
    #[arg(long)]
    note: Option<PathBuf>,
    /// Part of the command lines of the processes that `kill-others` and `stop-others` attack
    #[arg(long, default_value = "rogue")]
    target: String,
    /// A file that `inspect` tries to read, as `file:PATH`: a referee does not see that it is one
    #[arg(long)]
    file: Option<String>,
    /// A port of this machine to which `inspect` tries to connect
    #[arg(long)]
    port: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    First,
    Second,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Fault {
    /// None
    Honest,
    /// None, but every line ends with CR LF
    Crlf,
    /// Abort in the search
    Crash,
    /// Abort in the search in the middle of its output
    CrashAfterOutput,
    /// Abort in the search and leave a child that keeps the streams open
    CrashWithChild,
    /// Exit with status 0 in the search
    Leave,
    /// Exit with status 7 before the first line is read
    ExitEarly,
    /// Send nothing once the search has started
    Hang,
    /// Send info on the search, then nothing
    HangAfterOutput,
    /// Send a move without a line break, and keep waiting
    NoNewline,
    /// Send a move without a line break, and exit
    NoNewlineAtEnd,
    /// Never reply to the handshake
    HangAtHandshake,
    /// Never answer `isready`
    HangAtReady,
    /// Write endless `info` lines instead of a move
    Flood,
    /// Write 100 MB of `info` lines, then move
    #[value(name = "flood-100mb")]
    Flood100Mb,
    /// From a search on write blank lines for ever beside everything else, asked or not
    BackgroundBlanks,
    /// The same with `info` lines
    BackgroundInfo,
    /// Write one endless line
    EndlessLine,
    /// Play a move that contains a NUL byte and invalid UTF-8
    Garbled,
    /// Play a move of the opponent
    WrongSide,
    /// Play an illegal move
    Illegal,
    /// Play a text that is not a move
    Nonsense,
    /// Report that there is no move
    GiveUp,
    /// Resign, which is possible only in UCCI
    Resign,
    /// Offer a draw with every move, in UCCI
    OfferDraws,
    /// Report a win for the first player from the start, and keep playing
    Lie,
    /// Exceed the time limit on every move
    Slow,
    /// Allocate a gigabyte of memory, and exit if that fails
    Hoard,
    /// Start children that use 60 MB each, and hang
    HoardInChildren,
    /// Use 60 MB for ten minutes: a child of `hoard-in-children`
    Hog,
    /// Write files of 300 MB to /tmp, and hang; exit if that fails
    HoardInFiles,
    /// Make empty files in /tmp, up to two million, and hang
    HoardInNames,
    /// Start 400 children, and hang
    Multiply,
    /// Write bytes that are not text before every move
    Garbage,
    /// Write a megabyte to stderr before every move
    SpamStderr,
    /// Abort on `quit`
    DieAtQuit,
    /// Keep running after `quit` and the end of input
    IgnoreQuit,
    /// Start a child that keeps the streams open and outlives its parent
    Orphan,
    /// Sleep for ten minutes: the child of `orphan`
    Linger,
    /// Start a child in a session of its own whose parent exits
    Daemon,
    /// Leave the session, start `linger` and exit: the child of `daemon`
    Detach,
    /// Send every move twice
    DoubleBestmove,
    /// Send a move after the `readyok` of every new game, before any `go`
    EarlyBestmove,
    /// Stop itself with SIGSTOP in the search
    Freeze,
    /// Identify with control characters and a very long name
    HostileName,
    /// List malformed options, and thousands of them
    HostileOptions,
    /// Report absurd numbers and variations with control characters
    HostileVariations,
    /// Close the standard input in the search, and keep running
    CloseInput,
    /// Close the standard output in the search, and keep running
    CloseOutput,
    /// Replace the own program file in the search, and abort
    Change,
    /// Remove the own program file in the search, and abort
    Vanish,
    /// Start a child in a session of its own, and kill the own parent process in the search
    KillParent,
    /// Kill other processes in the search, such as the opponent and the referee
    KillOthers,
    /// Stop other processes in the search
    StopOthers,
    /// Write down what the engine can see and reach: at the start to the note, or in the search to
    /// stderr, and abort
    Inspect,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    match flags.fault {
        Fault::ExitEarly => return ExitCode::from(7),
        Fault::Linger => {
            sleep(Duration::from_secs(600));
            return ExitCode::SUCCESS;
        }
        Fault::Hog => {
            let used = vec![7; 60 << 20];
            sleep(Duration::from_secs(600));
            return ExitCode::from(used[7]);
        }
        Fault::Detach => {
            attack::become_daemon(flags.note.as_deref());
            return ExitCode::SUCCESS;
        }
        Fault::Orphan => attack::start_orphan("linger", flags.note.as_deref()),
        Fault::Daemon | Fault::KillParent => {
            attack::start_orphan("detach", flags.note.as_deref());
            flags.note.iter().for_each(|note| attack::await_note(note));
        }
        Fault::Inspect => {
            flags.note.iter().for_each(|note| attack::write_note(note, &findings(&flags)));
        }
        _ => {}
    }
    let stays = flags.fault == Fault::IgnoreQuit;
    let result = Rogue::new(flags).serve();
    if stays {
        sleep_for_ever();
    }
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn findings(flags: &Flags) -> String {
    let file = flags.file.as_ref().map(|text| Path::new(text.trim_start_matches("file:")));
    attack::inspect(file, flags.port)
}

fn sleep_for_ever() -> ! {
    loop {
        sleep(Duration::from_secs(3600));
    }
}

struct Rogue {
    flags: Flags,
    seed: u64,
    record: Record<Amazons>,
    searches: u32,
    /// Whether a new game was announced since the last `isready`.
    is_new: bool,
    /// Whether a thread writes for ever.
    floods: bool,
}

impl Rogue {
    fn new(flags: Flags) -> Rogue {
        let record = Record::new(Amazons::start(&Default::default()));
        Rogue { flags, seed: 0, record, searches: 0, is_new: false, floods: false }
    }

    fn serve(&mut self) -> io::Result<()> {
        let mut dialect: Option<Box<dyn Dialect>> = None;
        for line in stdin().lock().lines() {
            let line = line?;
            let dialect = dialect.get_or_insert_with(|| detect(&line, Amazons::NAME));
            let replies = match dialect.read_command(&line) {
                Ok(commands) if commands.contains(&Command::Quit) => {
                    if self.flags.fault == Fault::DieAtQuit {
                        process::abort();
                    }
                    return Ok(());
                }
                Ok(commands) => commands.iter().flat_map(|c| self.answer(c)).collect(),
                Err(DialectError(reason)) => vec![Reply::Error(reason)],
            };
            for line in replies.iter().flat_map(|r| dialect.write_reply(r)) {
                writeln!(stdout(), "{line}{}", self.line_end())?;
            }
        }
        Ok(())
    }

    fn answer(&mut self, command: &Command) -> Vec<Reply> {
        match command {
            Command::Identify if self.flags.fault == Fault::HangAtHandshake => sleep_for_ever(),
            Command::IsReady if self.flags.fault == Fault::HangAtReady => sleep_for_ever(),
            Command::Identify => {
                if self.flags.fault == Fault::HostileOptions {
                    write(texts::options().as_bytes());
                }
                vec![
                    Reply::Id { name: self.name(), author: "tests".into() },
                    Reply::Option(OptionSpec::spin("Seed", 0, 0, i64::MAX)),
                    Reply::Identified,
                ]
            }
            Command::SetOption { name, value } => match (name.as_str(), value.parse()) {
                ("Seed", Ok(seed)) => {
                    self.seed = seed;
                    Vec::new()
                }
                _ => vec![Reply::Error(format!("unknown option `{name}`; known options: Seed"))],
            },
            Command::IsReady => {
                let mut replies = vec![Reply::Ready];
                if self.flags.fault == Fault::EarlyBestmove && std::mem::take(&mut self.is_new) {
                    replies.push(Reply::BestMove(self.fair_move()));
                }
                replies
            }
            Command::NewGame => {
                self.searches = 0;
                self.is_new = true;
                self.record = Record::new(Amazons::start(&Default::default()));
                Vec::new()
            }
            Command::Position { fen, moves } => {
                match Record::from_text(fen.as_deref(), moves, &Default::default()) {
                    Ok(record) => self.record = record,
                    Err(error) => return vec![Reply::Error(error.to_string())],
                }
                Vec::new()
            }
            Command::Go(_) => self.search(),
            Command::Query(query) => vec![Reply::Response(self.respond(*query))],
            _ => Vec::new(),
        }
    }

    fn respond(&self, query: Query) -> String {
        let turn = self.record.turn();
        let turn = if self.flags.fault == Fault::Lie && turn.outcome() != Some(WHITE_WINS) {
            match query {
                Query::GameOver | Query::Result => Turn::Over(WHITE_WINS),
                _ => turn,
            }
        } else {
            turn
        };
        match query {
            Query::P1Turn => (turn == Turn::Player(Player::First)).to_string(),
            Query::P2Turn => (turn == Turn::Player(Player::Second)).to_string(),
            Query::GameOver => turn.outcome().is_some().to_string(),
            Query::Fen => self.record.current().fen(),
            Query::Tablebase => "none".into(),
            Query::Result => match turn.outcome() {
                None => "none".into(),
                Some(Outcome::Draw) => "draw".into(),
                Some(Outcome::Win(Player::First)) => "p1win".into(),
                Some(Outcome::Win(Player::Second)) => "p2win".into(),
            },
        }
    }

    fn search(&mut self) -> Vec<Reply> {
        self.searches += 1;
        let side = match self.flags.side {
            None => true,
            Some(Side::First) => self.record.turn() == Turn::Player(Player::First),
            Some(Side::Second) => self.record.turn() == Turn::Player(Player::Second),
        };
        let fault = side && self.searches >= self.flags.at;
        let token = match fault.then(|| self.misbehave()).flatten() {
            Some(token) => token,
            None => self.fair_move(),
        };
        let twice = fault && self.flags.fault == Fault::DoubleBestmove;
        vec![Reply::BestMove(token); if twice { 2 } else { 1 }]
    }

    /// What stands before the line break.
    fn line_end(&self) -> &'static str {
        if self.flags.fault == Fault::Crlf { "\r" } else { "" }
    }

    fn name(&self) -> String {
        match self.flags.fault {
            Fault::HostileName => texts::name(),
            fault => format!("Rogue {fault:?}"),
        }
    }

    fn fair_move(&self) -> Option<String> {
        let state = self.record.current();
        let moves = legal_moves(state);
        let index = mix(state.hash() ^ mix(self.seed)) as usize % moves.len().max(1);
        moves.get(index).map(|m| state.move_token(*m))
    }

    /// A move that would be legal if it were the other side's turn.
    fn opponents_move(&self) -> Option<String> {
        let fen = self.record.current().fen();
        let (board, side) = fen.split_once(' ')?;
        let other = if side.starts_with('w') { "b" } else { "w" };
        let state = Amazons::parse_fen(&format!("{board} {other}"), &Default::default()).ok()?;
        legal_moves(&state).first().map(|m| state.move_token(*m))
    }

    /// The fault of a search. `None`: play a legal move; otherwise the text to play.
    fn misbehave(&mut self) -> Option<Option<String>> {
        self.exit_or_hang();
        write_too_much(self.flags.fault);
        match self.flags.fault {
            Fault::WrongSide => Some(self.opponents_move()),
            Fault::Illegal => Some(Some("a1a1,a1a1".into())),
            Fault::Nonsense => Some(Some("\u{1b}[31mcheckmate".into())),
            Fault::GiveUp => Some(None),
            Fault::Resign => Some(self.fair_move().map(|token| token + " resign")),
            Fault::OfferDraws => Some(self.fair_move().map(|token| token + " draw")),
            Fault::BackgroundBlanks | Fault::BackgroundInfo if !self.floods => {
                let blank = self.flags.fault == Fault::BackgroundBlanks;
                let line: &[u8] = if blank { b"\n" } else { b"info depth 1 nodes 1 score cp 0\n" };
                self.floods = true;
                std::thread::spawn(move || write_for_ever(line));
                None
            }
            Fault::Slow => {
                sleep(Duration::from_millis(self.flags.delay));
                None
            }
            _ => None,
        }
    }

    /// Faults that never return.
    fn exit_or_hang(&self) {
        match self.flags.fault {
            Fault::Crash => {
                eprintln!("rogue: crashing on purpose");
                process::abort()
            }
            Fault::CrashAfterOutput => abort_after(b"info depth 1 score cp 0\nbestmove d1"),
            Fault::CrashWithChild => {
                attack::start_orphan("linger", self.flags.note.as_deref());
                process::abort();
            }
            Fault::Leave => process::exit(0),
            Fault::Hang => sleep_for_ever(),
            Fault::HangAfterOutput => {
                write(b"info depth 1 score cp 0\n");
                sleep_for_ever();
            }
            Fault::NoNewline | Fault::NoNewlineAtEnd => {
                write(format!("bestmove {}", self.fair_move().unwrap_or_default()).as_bytes());
                if self.flags.fault == Fault::NoNewline {
                    sleep_for_ever();
                }
                process::exit(0);
            }
            Fault::Hoard if Vec::<u8>::new().try_reserve(1 << 30).is_err() => {
                eprintln!("rogue: no memory");
                process::exit(12);
            }
            Fault::HoardInChildren => attack::multiply(6, "hog"),
            Fault::Multiply => attack::multiply(400, "linger"),
            Fault::HoardInFiles => attack::fill("/tmp", 300, 1 << 20),
            Fault::HoardInNames => attack::fill("/tmp", 2_000_000, 0),
            Fault::Flood => write_for_ever(b"info depth 1 nodes 1 score cp 0\n"),
            Fault::Freeze => attack::freeze(),
            Fault::CloseInput | Fault::CloseOutput => {
                let closed = match self.flags.fault {
                    Fault::CloseInput => attack::close_input(),
                    _ => attack::close_output(),
                };
                closed.expect("the null device can be opened");
                sleep_for_ever();
            }
            Fault::Change | Fault::Vanish => {
                let done = match self.flags.fault {
                    Fault::Change => attack::change_program(),
                    _ => attack::remove_program(),
                };
                done.expect("the folder of the program can be written");
                process::abort();
            }
            Fault::KillParent => attack::kill_parent(),
            Fault::KillOthers => attack::attack(&self.flags.target, attack::Blow::Kill),
            Fault::StopOthers => attack::attack(&self.flags.target, attack::Blow::Stop),
            Fault::Inspect if self.flags.note.is_none() => {
                eprintln!("{}", findings(&self.flags));
                process::abort();
            }
            Fault::EndlessLine => write_for_ever(b"info string and so on "),
            _ => {}
        }
    }
}

fn abort_after(bytes: &[u8]) -> ! {
    write(bytes);
    process::abort()
}

/// Faults that write unrequested output before a legal move.
fn write_too_much(fault: Fault) {
    match fault {
        Fault::Flood100Mb => {
            let many = b"info depth 1 nodes 1 score cp 0\n".repeat(4096);
            (0..100_000_000 / many.len()).for_each(|_| write(&many));
        }
        // The legal move that follows is too late: the first `bestmove` counts.
        Fault::Garbled => write(b"bestmove d1\0d7,\xff\xfe\x80\n"),
        Fault::HostileVariations => write(texts::variations().as_bytes()),
        Fault::Garbage => {
            let bytes: Vec<u8> = (0..2000u64).map(|i| mix(i) as u8).collect();
            write(&bytes);
            write(b"\n");
        }
        Fault::SpamStderr => {
            let line = "rogue: nothing to see here\n".repeat(400);
            for _ in 0..100 {
                let _ = io::stderr().write_all(line.as_bytes());
            }
        }
        _ => {}
    }
}

const WHITE_WINS: Outcome = Outcome::Win(Player::First);
