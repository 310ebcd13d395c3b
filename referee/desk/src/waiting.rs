//! Requests that wait until an engine is ready. Browsers and the server end a request after a minute, so one that
//! waits longer is answered before: nobody finds a game begun that the page had given up.

use agon_games::phrase::phrase;
use agon_web::Call;
use agon_web::Refusal;
use std::time::{Duration, Instant};

/// How long a request waits.
const MAX_WAIT: Duration = Duration::from_secs(45);

/// The requests that wait.
pub struct Waiting<C> {
    calls: Vec<(Instant, Call<C>)>,
    max_wait: Duration,
}

impl<C> Default for Waiting<C> {
    fn default() -> Self {
        Waiting { calls: Vec::new(), max_wait: MAX_WAIT }
    }
}

impl<C> Waiting<C> {
    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Lets one wait.
    pub fn push(&mut self, call: Call<C>) {
        self.calls.push((Instant::now(), call));
    }

    /// Takes those that somebody still waits for.
    pub fn take(&mut self) -> Vec<Call<C>> {
        let calls = std::mem::take(&mut self.calls).into_iter().map(|(_, call)| call);
        calls.filter(Call::is_awaited).collect()
    }

    /// Refuses those that have waited too long.
    pub fn refuse_late(&mut self) {
        let max_wait = self.max_wait;
        for (_, call) in self.calls.extract_if(.., |(since, _)| since.elapsed() >= max_wait) {
            let text = phrase!("the engine is still starting: begin the game once it is ready");
            call.answer(Err(Refusal::conflict(text)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_web::{Message, SessionThread};

    /// What the page is told for the request, after the session has looked at it with this limit.
    fn told(max_wait: Duration) -> String {
        let session: SessionThread<u32, ()> =
            SessionThread::start("waiting", move |messages, _| {
                let mut waiting = Waiting { max_wait, ..Waiting::default() };
                let Ok(Message::Call(call)) = messages.recv() else { return };
                waiting.push(call);
                waiting.refuse_late();
                for call in waiting.take() {
                    let command: u32 = call.command;
                    call.answer(Ok(command.into()));
                }
            })
            .unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        format!("{:?}", runtime.block_on(session.ask(7)))
    }

    #[test]
    fn a_request_that_waits_too_long_is_refused_in_time() {
        let late = told(Duration::ZERO);
        assert!(late.starts_with("Err") && late.contains("still starting"), "{late}");
        assert!(late.contains("409"), "{late}");
        assert_eq!(told(MAX_WAIT), "Ok(Number(7))");
        assert!(MAX_WAIT < agon_web::MAX_REQUEST);
    }
}
