//! The messages between the referee and a guard: JSON lines on a socket.

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// What a guard starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Launch {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// Working directory, if it differs from the referee's.
    pub dir: Option<OsString>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// Memory limit in MiB.
    pub memory_mib: Option<u64>,
    /// The cores that the program may use; empty: the referee's.
    pub cpus: Vec<usize>,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    /// The exit status; `None` if a signal killed it.
    pub code: Option<i32>,
    /// The signal that killed it.
    pub signal: Option<i32>,
    /// The number of its descendants that still ran; they were killed.
    pub survivors: usize,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit status {code}"),
            (None, Some(signal)) => write!(f, "killed by signal {signal}"),
            (None, None) => f.write_str("exited"),
        }
    }
}

/// A message of a guard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// The program runs.
    Started,
    /// The program cannot be started: the system's error number, if it has one, and its text.
    Failed(Option<i32>, String),
    /// The program has ended.
    Ended(Exit),
}

/// The byte that carries a file descriptor.
const CARRIER: [u8; 1] = [b'\n'];

/// Sends a file descriptor.
pub(super) fn send_descriptor(stream: &UnixStream, descriptor: BorrowedFd<'_>) -> Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor];
    if !ancillary.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(std::io::Error::other("no room for a descriptor"));
    }
    sendmsg(stream, &[IoSlice::new(&CARRIER)], &mut ancillary, SendFlags::empty())?;
    Ok(())
}

/// Receives a file descriptor; `None` if the peer has closed the connection.
pub(super) fn receive_descriptor(stream: &UnixStream) -> Result<Option<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut carrier = CARRIER;
    let mut parts = [IoSliceMut::new(&mut carrier)];
    recvmsg(stream, &mut parts, &mut ancillary, RecvFlags::empty())?;
    let descriptors = ancillary.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    Ok(descriptors.last())
}
