//! One engine process: waits with deadlines, bounded output, and termination of all child processes.

use super::environment::environment;
use super::guard::{Exit, Guard, Launch, SpawnError};
use super::interrupt::{self, interrupted};
use super::lines::{LineSplitter, TooLong};
use super::pipes::Pipes;
use super::tail::Tail;
use super::transcript::{EngineStream, EngineTranscript};
use super::{sandbox, stall};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::SafeText;
use agon_matchlog::{EngineEntry, OutputTail};
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Bytes of output allowed for one answer before it counts as a flood.
const BURST: u64 = 8 << 20;
/// Additional bytes allowed for each second that the answer takes.
const BYTES_PER_SECOND: u64 = 4 << 20;
/// The same for lines: each costs processor time, also a blank one.
const LINES_BURST: u64 = 50_000;
const LINES_PER_SECOND: u64 = 20_000;
/// Interval at which a wait checks whether the process has exited while a child keeps its pipes
/// open, and whether the user has interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A fault of an engine process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.to_phrase())]
pub enum Fault {
    /// The process exited or closed its output.
    Gone(Phrase),
    /// The process did not answer, or did not read its input, before the deadline.
    Silent(Phrase),
    /// The process wrote more than the bound on output.
    Flood(Phrase),
    /// The engine sent a move that nobody had requested.
    Unrequested(Phrase),
    /// The program cannot be started again; no fault of the engine.
    Machine(Phrase),
    /// The user interrupted the referee.
    Interrupted,
}

impl ToPhrase for Fault {
    fn to_phrase(&self) -> Phrase {
        match self {
            Fault::Gone(what)
            | Fault::Silent(what)
            | Fault::Flood(what)
            | Fault::Unrequested(what)
            | Fault::Machine(what) => what.clone(),
            Fault::Interrupted => phrase!("interrupted"),
        }
    }
}

/// A running engine program.
#[derive(Debug)]
pub struct Process {
    guard: Guard,
    sandbox: bool,
    pipes: Pipes,
    lines: LineSplitter,
    /// The end of its standard output and of its standard error.
    tails: [Tail; 2],
    /// When the last bytes arrived.
    received: Instant,
    /// When the last command was sent, and the bytes and lines read since then, for the bound on output.
    sent: Instant,
    bytes: u64,
    taken: u64,
    /// Records the dialogue, if wanted.
    pub transcript: Option<EngineTranscript>,
}

impl Process {
    /// Starts the program at `path` with the entry's arguments, folder and environment, under a
    /// guard. Ctrl-C in the terminal reaches the referee only.
    pub fn spawn(entry: &EngineEntry, path: &Path) -> Result<Process, SpawnError> {
        interrupt::catch();
        stall::watch();
        let arguments = entry.command.iter().skip(1).map(Into::into);
        let (command, dir) = if entry.sandbox {
            (sandbox::command(entry, path)?, None)
        } else {
            (std::iter::once(path.into()).chain(arguments).collect(), entry.dir.as_ref())
        };
        let launch = Launch {
            command,
            dir: dir.map(Into::into),
            env: environment(entry),
            memory_mib: entry.memory_mib,
            scratch: if entry.sandbox {
                sandbox::SCRATCH.map(Into::into).into()
            } else {
                Vec::new()
            },
            cpus: entry.cpus.clone(),
        };
        let (guard, (stdin, stdout, stderr)) = Guard::start(&launch)?;
        Ok(Process {
            guard,
            sandbox: entry.sandbox,
            pipes: Pipes::new(stdin, stdout, stderr)?,
            lines: LineSplitter::default(),
            tails: Default::default(),
            received: Instant::now(),
            sent: Instant::now(),
            bytes: 0,
            taken: 0,
            transcript: None,
        })
    }

    /// Writes `text` while reading, so that two full pipes cannot deadlock. The bound on output
    /// counts from this call.
    pub fn send(&mut self, text: &[u8], deadline: Instant) -> Result<(), Fault> {
        self.sent = Instant::now();
        (self.bytes, self.taken) = (0, 0);
        let mut rest = text;
        while !rest.is_empty() {
            match self.pipes.write(rest) {
                Ok(n) => rest = &rest[n..],
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(Fault::Silent(phrase!("does not read its input")));
                    }
                    self.serve(true, deadline)?;
                }
                Err(_) => return Err(self.gone()),
            }
        }
        if let Some(transcript) = &self.transcript {
            transcript.sent(text);
        }
        Ok(())
    }

    /// Returns the next line and the arrival time of its last bytes.
    pub fn read_line(&mut self, deadline: Instant) -> Result<(SafeText, Instant), Fault> {
        loop {
            match self.lines.next() {
                Ok(Some(line)) => {
                    self.count_line()?;
                    return Ok((line, self.received));
                }
                Ok(None) => {}
                Err(TooLong) => {
                    return Err(Fault::Flood(phrase!("a line without end")));
                }
            }
            let is_last = Instant::now() >= deadline;
            // If this process was stopped, the answer may have arrived meanwhile.
            self.serve(false, deadline)?;
            if is_last && !self.lines.has_line() {
                return Err(Fault::Silent(phrase!("did not answer in time")));
            }
        }
    }

    /// Returns a complete line that has already arrived, if any. What is left unread costs nothing: the
    /// engine waits once its pipe is full.
    pub fn pending_line(&mut self) -> Option<SafeText> {
        if !self.lines.has_line() {
            // The next call that needs the process reports the fault.
            let _ = self.read_stdout();
        }
        self.lines.next().ok().flatten()
    }

    /// Waits until data can be read (or written, if `writing`), at most until the deadline or for
    /// one poll interval, and reads it.
    fn serve(&mut self, writing: bool, deadline: Instant) -> Result<(), Fault> {
        if interrupted() {
            return Err(Fault::Interrupted);
        }
        let wait = deadline.saturating_duration_since(Instant::now()).min(POLL_INTERVAL);
        let readiness = self.pipes.poll(writing, wait);
        if readiness.stderr {
            self.read_stderr()?;
        }
        if readiness.stdout {
            self.read_stdout()?;
        } else if !readiness.any && self.has_exited() {
            // A child may keep the pipe open: read the available data, and do not wait for more.
            self.pipes.await_last_output();
            self.read_stdout()?;
            if !self.lines.has_line() {
                return Err(self.gone());
            }
        }
        Ok(())
    }

    fn read_stdout(&mut self) -> Result<(), Fault> {
        let mut chunk = [0; 1 << 14];
        match self.pipes.read_output(&mut chunk) {
            Ok((0, _)) => Err(self.gone()),
            Ok((n, received)) => {
                self.received = received;
                self.lines.extend(&chunk[..n]);
                self.tails[0].extend(&chunk[..n]);
                if let Some(transcript) = &mut self.transcript {
                    transcript.received(EngineStream::Output, &chunk[..n]);
                }
                self.count(n)
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(()),
            Err(_) => Err(self.gone()),
        }
    }

    fn read_stderr(&mut self) -> Result<(), Fault> {
        let mut chunk = [0; 1 << 14];
        let n = self.pipes.read_errors(&mut chunk);
        if n == 0 {
            return Ok(());
        }
        self.tails[1].extend(&chunk[..n]);
        if let Some(transcript) = &mut self.transcript {
            transcript.received(EngineStream::Error, &chunk[..n]);
        }
        self.count(n)
    }

    fn count(&mut self, n: usize) -> Result<(), Fault> {
        self.bytes += n as u64;
        let allowed = BURST + BYTES_PER_SECOND * self.sent.elapsed().as_secs();
        if self.bytes > allowed {
            return Err(Fault::Flood(phrase!("{n} bytes for one answer", n = self.bytes)));
        }
        Ok(())
    }

    fn count_line(&mut self) -> Result<(), Fault> {
        self.taken += 1;
        if self.taken <= LINES_BURST {
            return Ok(());
        }
        let allowed = LINES_BURST + LINES_PER_SECOND * self.sent.elapsed().as_secs();
        if self.taken > allowed {
            return Err(Fault::Flood(phrase!("{n} lines for one answer", n = self.taken)));
        }
        Ok(())
    }

    fn has_exited(&mut self) -> bool {
        self.guard.exit().is_some()
    }

    /// The fault of a process with a closed pipe, with its exit status if it exits soon.
    fn gone(&mut self) -> Fault {
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.has_exited() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        if interrupted() {
            // The second Ctrl-C kills all engines.
            return Fault::Interrupted;
        }
        self.pipes.await_last_output();
        self.drain_stderr();
        Fault::Gone(self.exit().unwrap_or_else(|| phrase!("closed its input or output")))
    }

    /// Describes the exit; `None` if the process still runs.
    fn exit(&mut self) -> Option<Phrase> {
        let mut exit = self.guard.exit()?;
        if let Some(code @ 129..) = exit.code.filter(|_| self.sandbox) {
            // The sandbox's program reports the signal that killed the engine in this way.
            (exit.code, exit.signal) = (None, Some(code - 128));
        }
        Some(exit.to_phrase())
    }

    /// Reads the rest of the standard error, within bounds.
    fn drain_stderr(&mut self) {
        for _ in 0..64 {
            let before = self.bytes;
            if self.read_stderr().is_err() || self.bytes == before {
                return;
            }
        }
    }

    /// Clears the tail of the output. The tail covers one game, so that it does not depend on the
    /// process's earlier games.
    pub fn clear_output_tail(&mut self) {
        self.drain_stderr();
        self.tails.iter_mut().for_each(Tail::clear);
    }

    /// The end of the output since [`Process::clear_output_tail`].
    pub fn output_tail(&mut self) -> OutputTail {
        self.drain_stderr();
        OutputTail { stdout: self.tails[0].lines(10), stderr: self.tails[1].lines(20) }
    }

    /// Closes the process's input.
    pub fn close_input(&mut self) {
        self.pipes.close_input();
    }

    /// Waits for the exit and describes it; `None` if the process still runs. Discards output
    /// meanwhile, so that a process blocked on writing can exit.
    pub fn wait(&mut self, within: Duration) -> Option<Phrase> {
        let deadline = Instant::now() + within;
        while !self.has_exited() && Instant::now() < deadline {
            let wait = deadline.saturating_duration_since(Instant::now());
            let readiness = self.pipes.poll(false, wait.min(Duration::from_millis(5)));
            if readiness.stdout && self.read_stdout().is_err() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        self.exit()
    }

    /// Whether descendants still ran when the program exited.
    pub fn has_survivors(&mut self) -> bool {
        self.guard.exit().is_some_and(|Exit { survivors, .. }| survivors > 0)
    }

    /// Closes the input, waits `grace` for the exit, and kills the program and its descendants.
    pub fn end(&mut self, grace: Duration) {
        self.pipes.close_input();
        self.wait(grace);
        self.guard.end();
    }
}
