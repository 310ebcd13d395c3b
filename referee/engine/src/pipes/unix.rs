//! Non-blocking pipes, polled by the thread that plays a game. Without reader threads, no thread
//! switch delays an engine's answer on its way to the clock.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{ErrorKind, Result};
use std::os::fd::AsFd;
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

/// The open pipes of a process.
#[derive(Debug)]
pub struct Pipes {
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
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

impl Pipes {
    /// Takes the pipes over.
    ///
    /// # Errors
    ///
    /// Fails with the system's error.
    pub fn new(stdin: ChildStdin, stdout: ChildStdout, stderr: ChildStderr) -> Result<Pipes> {
        rustix::io::ioctl_fionbio(&stdout, true)?;
        rustix::io::ioctl_fionbio(&stdin, true)?;
        rustix::io::ioctl_fionbio(&stderr, true)?;
        Ok(Pipes { stdin: Some(stdin), stdout, stderr: Some(stderr) })
    }

    /// Writes as many bytes as the process's input has room for.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if there is no room, `Interrupted`, or an error that means that the input is
    /// closed.
    pub fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let stdin = self.stdin.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        Ok(rustix::io::write(stdin, bytes)?)
    }

    /// Reads from the standard output: the number of bytes, 0 at the end, and when they arrived.
    ///
    /// # Errors
    ///
    /// `WouldBlock` if there is nothing yet, `Interrupted`, or an error that means that the output is
    /// closed.
    pub fn read_output(&mut self, chunk: &mut [u8]) -> Result<(usize, Instant)> {
        let n = rustix::io::read(&self.stdout, chunk)?;
        Ok((n, Instant::now()))
    }

    /// Reads from the standard error: the number of bytes, 0 if there is nothing.
    pub fn read_errors(&mut self, chunk: &mut [u8]) -> usize {
        let Some(stderr) = &self.stderr else { return 0 };
        match rustix::io::read(stderr, chunk) {
            Ok(n @ 1..) => n,
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => 0,
            Ok(0) | Err(_) => {
                self.stderr = None;
                0
            }
        }
    }

    /// Waits until data can be read (or written, if `writing`), at most this long.
    pub fn poll(&self, writing: bool, wait: Duration) -> Readiness {
        let mut fds = Vec::with_capacity(3);
        fds.push(PollFd::from_borrowed_fd(self.stdout.as_fd(), PollFlags::IN));
        if let Some(stderr) = &self.stderr {
            fds.push(PollFd::from_borrowed_fd(stderr.as_fd(), PollFlags::IN));
        }
        if let (true, Some(stdin)) = (writing, &self.stdin) {
            fds.push(PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::OUT));
        }
        let timeout = Timespec {
            tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: wait.subsec_nanos().into(),
        };
        // An interrupted call means "nothing yet": the caller checks its deadline and polls again.
        let any = poll(&mut fds, Some(&timeout)).is_ok_and(|n| n > 0);
        let ready = |i: usize| any && fds.get(i).is_some_and(|f| !f.revents().is_empty());
        Readiness { any, stdout: ready(0), stderr: self.stderr.is_some() && ready(1) }
    }

    /// Waits until the last output of a process that has ended can be read: here it can at once.
    pub fn await_last_output(&self) {}

    /// Closes the process's input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }
}
