//! A session: a thread that owns its state and gets commands over a channel.

use super::answer::{HttpAnswer, Refusal};
use agon_games::phrase::phrase;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use tokio::sync::oneshot;

/// A command with the place for its answer.
pub struct Call<C> {
    /// The command.
    pub command: C,
    reply: oneshot::Sender<HttpAnswer>,
}

impl<C> Call<C> {
    /// Whether somebody still waits for the answer.
    pub fn is_awaited(&self) -> bool {
        !self.reply.is_closed()
    }

    /// Answers the request that brought the command.
    pub fn answer(self, answer: HttpAnswer) {
        // A page that has gone needs no answer.
        let _ = self.reply.send(answer);
    }
}

/// What a session's thread receives: commands of pages, and its own events, such as what an engine
/// reports.
pub enum Message<C, E> {
    /// A command of a page.
    Call(Call<C>),
    /// An event.
    Event(E),
}

/// The end of a session that others hold. The thread ends when all are dropped, or by itself.
pub struct SessionThread<C, E> {
    messages: Sender<Message<C, E>>,
}

impl<C, E> Clone for SessionThread<C, E> {
    fn clone(&self) -> Self {
        SessionThread { messages: self.messages.clone() }
    }
}

impl<C: Send + 'static, E: Send + 'static> SessionThread<C, E> {
    /// Starts the thread. `run` gets the messages and the sender of events; it returns when the
    /// session ends.
    ///
    /// # Errors
    ///
    /// Fails if the machine has no thread left.
    pub fn start(
        name: &str,
        run: impl FnOnce(Receiver<Message<C, E>>, Sender<Message<C, E>>) + Send + 'static,
    ) -> std::io::Result<SessionThread<C, E>> {
        let (messages, receiver) = channel();
        let events = messages.clone();
        thread::Builder::new().name(name.into()).spawn(move || run(receiver, events))?;
        Ok(SessionThread { messages })
    }

    /// Sends a command whose answer nobody needs.
    pub fn tell(&self, command: C) {
        let call = Call { command, reply: oneshot::channel().0 };
        // A session that has ended needs no commands.
        let _ = self.messages.send(Message::Call(call));
    }

    /// Sends a command and waits for its answer.
    pub async fn ask(&self, command: C) -> HttpAnswer {
        let ended = || Refusal::unknown(phrase!("this session has ended; begin a new one"));
        let (reply, answer) = oneshot::channel();
        let call = Call { command, reply };
        self.messages.send(Message::Call(call)).map_err(|_| ended())?;
        answer.await.unwrap_or_else(|_| Err(ended()))
    }
}
