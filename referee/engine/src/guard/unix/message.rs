//! The messages between the referee and a guard: JSON lines on a socket.

use crate::guard::launch::Exit;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};
use std::io::{IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// A message of a guard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum GuardMessage {
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
