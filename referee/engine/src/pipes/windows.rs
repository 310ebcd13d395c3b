//! Pipes with one thread each: Windows cannot poll them. The thread that reads an engine's output
//! notes when it arrived, so that a late switch to the thread that plays the game costs no time on
//! the clock.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Result, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes that wait for the reader at most; then the engine waits, too.
const MAX_WAITING: usize = 1 << 18;
/// How long a writer waits to learn whether the input is closed.
const HANDOVER: Duration = Duration::from_millis(10);
/// How long the last output of a process that has ended may take to arrive.
const LAST_OUTPUT_TIMEOUT: Duration = Duration::from_millis(100);

/// The open pipes of a process.
#[derive(Debug)]
pub struct Pipes {
    shared: Arc<Shared>,
}

/// What can be done without waiting.
#[derive(Clone, Copy, Debug)]
pub struct Readiness {
    /// Whether there is anything to do.
    pub any: bool,
    /// Whether the standard output has bytes, or has ended.
    pub stdout: bool,
    /// Whether the standard error has bytes, or has ended.
    pub stderr: bool,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    input: Input,
    output: Output,
    errors: Output,
    /// Nobody reads or writes any more.
    abandoned: bool,
}

#[derive(Debug, Default)]
struct Input {
    /// What is being written.
    bytes: Vec<u8>,
    /// No more will be written.
    closing: bool,
    /// The process has closed its input.
    broken: bool,
}

#[derive(Debug, Default)]
struct Output {
    bytes: VecDeque<u8>,
    /// When the last bytes arrived.
    received: Option<Instant>,
    ended: bool,
    /// The end is known, and no news any more.
    is_end_known: bool,
}

impl Output {
    fn is_ready(&self) -> bool {
        !self.bytes.is_empty() || (self.ended && !self.is_end_known)
    }
}

impl Pipes {
    /// Takes the pipes over.
    ///
    /// # Errors
    ///
    /// Fails if no thread can be started.
    pub fn new(stdin: ChildStdin, stdout: ChildStdout, stderr: ChildStderr) -> Result<Pipes> {
        let pipes = Pipes { shared: Arc::default() };
        let thread = |name: &str| std::thread::Builder::new().name(name.into());
        let shared = Arc::clone(&pipes.shared);
        thread("engine-input").spawn(move || shared.send(stdin))?;
        let shared = Arc::clone(&pipes.shared);
        thread("engine-output").spawn(move || shared.receive(stdout, |state| &mut state.output))?;
        let shared = Arc::clone(&pipes.shared);
        thread("engine-errors").spawn(move || shared.receive(stderr, |state| &mut state.errors))?;
        Ok(pipes)
    }

    /// Writes the bytes; they may reach the process's input later.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if the process has not taken earlier bytes, or `BrokenPipe` if its input is
    /// closed.
    pub fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut state = self.shared.lock();
        if state.input.broken || state.input.closing {
            return Err(ErrorKind::BrokenPipe.into());
        }
        if !state.input.bytes.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        state.input.bytes = bytes.to_vec();
        self.shared.changed.notify_all();
        let is_busy = |state: &mut State| !state.input.bytes.is_empty() && !state.input.broken;
        let waited = self.shared.changed.wait_timeout_while(state, HANDOVER, is_busy);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.input.broken {
            true => Err(ErrorKind::BrokenPipe.into()),
            false => Ok(bytes.len()),
        }
    }

    /// Reads from the standard output: the number of bytes, 0 at the end, and when they arrived.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if there is nothing yet.
    pub fn read_output(&mut self, chunk: &mut [u8]) -> Result<(usize, Instant)> {
        let mut state = self.shared.lock();
        let output = &mut state.output;
        if !output.is_ready() {
            return Err(ErrorKind::WouldBlock.into());
        }
        let n = output.bytes.read(chunk)?;
        let received = output.received.unwrap_or_else(Instant::now);
        self.shared.changed.notify_all();
        Ok((n, received))
    }

    /// Reads from the standard error: the number of bytes, 0 if there is nothing.
    pub fn read_errors(&mut self, chunk: &mut [u8]) -> usize {
        let mut state = self.shared.lock();
        // Reading from memory cannot fail.
        let n = state.errors.bytes.read(chunk).unwrap_or(0);
        state.errors.is_end_known |= n == 0 && state.errors.ended;
        self.shared.changed.notify_all();
        n
    }

    /// Waits until data can be read (or written, if `writing`), at most this long.
    pub fn poll(&self, writing: bool, wait: Duration) -> Readiness {
        let look = |state: &State| {
            let writable = writing && (state.input.bytes.is_empty() || state.input.broken);
            let (stdout, stderr) = (state.output.is_ready(), state.errors.is_ready());
            Readiness { any: stdout || stderr || writable, stdout, stderr }
        };
        let nothing = |state: &mut State| !look(state).any;
        let waited = self.shared.changed.wait_timeout_while(self.shared.lock(), wait, nothing);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        look(&state)
    }

    /// Waits until the last output of a process that has ended can be read.
    pub fn await_last_output(&self) {
        let is_open = |state: &mut State| !state.output.ended || !state.errors.ended;
        // A timeout means that another process holds the pipe.
        let _ = self.shared.changed.wait_timeout_while(
            self.shared.lock(),
            LAST_OUTPUT_TIMEOUT,
            is_open,
        );
    }

    /// Closes the process's input.
    pub fn close_input(&mut self) {
        self.shared.lock().input.closing = true;
        self.shared.changed.notify_all();
    }
}

impl Drop for Pipes {
    /// The threads end when they have noticed; a thread that waits for a pipe ends with the process.
    fn drop(&mut self) {
        self.shared.lock().abandoned = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while `waits` is true; `None` if nobody needs the pipe any more.
    fn wait(&self, mut waits: impl FnMut(&mut State) -> bool) -> Option<MutexGuard<'_, State>> {
        let waits = |state: &mut State| !state.abandoned && waits(state);
        let state = self.changed.wait_while(self.lock(), waits);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (!state.abandoned).then_some(state)
    }

    /// Reads a pipe to its end.
    fn receive(&self, mut pipe: impl Read, output: fn(&mut State) -> &mut Output) {
        let mut chunk = [0; 1 << 14];
        loop {
            let read = pipe.read(&mut chunk);
            let now = Instant::now();
            let is_full = |state: &mut State| output(state).bytes.len() >= MAX_WAITING;
            let Some(mut state) = self.wait(is_full) else { return };
            let output = output(&mut state);
            match read {
                Ok(n @ 1..) => {
                    output.bytes.extend(&chunk[..n]);
                    output.received = Some(now);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => output.ended = true,
            }
            let ended = output.ended;
            drop(state);
            self.changed.notify_all();
            if ended {
                return;
            }
        }
    }

    /// Writes to a pipe until it is closed.
    fn send(&self, mut pipe: ChildStdin) {
        loop {
            let is_idle = |state: &mut State| state.input.bytes.is_empty() && !state.input.closing;
            let Some(state) = self.wait(is_idle) else { return };
            if state.input.bytes.is_empty() {
                return;
            }
            // They stay in their place while they are written: there is no room for others.
            let bytes = state.input.bytes.clone();
            drop(state);
            let broken = pipe.write_all(&bytes).is_err();
            let mut state = self.lock();
            state.input.bytes.clear();
            state.input.broken = broken;
            drop(state);
            self.changed.notify_all();
            if broken {
                return;
            }
        }
    }
}
