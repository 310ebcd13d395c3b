//! The end of a conversation: what was asked before it is still answered.

use std::time::{Duration, Instant};

/// Timeout for a stopped search, which must end within 10 ms, and for jobs that owe no answer.
const STOP_DEADLINE: Duration = Duration::from_secs(5);

/// An end that was asked for.
pub(super) struct Closing {
    /// Whether `quit` ended it, not the end of the input.
    pub by_quit: bool,
    /// Whether the engine has received [`super::worker::EngineJob::Finish`].
    pub finishing: bool,
    /// When the remaining answers are given up; `None` during a search that may use its time.
    pub deadline: Option<Instant>,
}

impl Closing {
    /// An end now; `at_once` stops a running search.
    pub fn new(by_quit: bool, at_once: bool) -> Closing {
        Closing { by_quit, finishing: false, deadline: at_once.then(Closing::later) }
    }

    /// The deadline of what begins now.
    fn later() -> Instant {
        Instant::now() + STOP_DEADLINE
    }

    /// Everything is answered: only the engine's last job is waited for.
    pub fn finish(&mut self) {
        (self.finishing, self.deadline) = (true, Some(Closing::later()));
    }

    /// An answer has come that no deadline counted for.
    pub fn renew(&mut self) {
        self.deadline = self.deadline.map(|_| Closing::later());
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Control, Engine};
    use crate::message::{Info, Limits};
    use crate::serve::serve;
    use agon_games::Record;
    use agon_games::amazons::{Amazons, AmazonsMove};
    use agon_games::game::legal_moves;
    use agon_games::option::{OptionError, OptionSpec, OptionValue};
    use std::io::Cursor;
    use std::thread::sleep;
    use std::time::Duration;

    /// Is ready only when the conversation ends, or after a time.
    struct Builder(Option<Duration>);

    impl Engine for Builder {
        type Game = Amazons;
        fn name(&self) -> String {
            "Builder 1".into()
        }
        fn options(&self) -> Vec<OptionSpec> {
            Vec::new()
        }
        fn set_option(&mut self, _: &str, _: &OptionValue) -> Result<(), OptionError> {
            Ok(())
        }
        fn new_game(&mut self) {}
        fn prepare(&mut self, control: &Control, report: &mut dyn FnMut(Info)) {
            match self.0 {
                Some(time) => sleep(time),
                None => {
                    while !control.stopped() {
                        sleep(Duration::from_micros(200));
                    }
                }
            }
            report(Info { text: Some("prepared".into()), ..Info::default() });
        }
        fn search(
            &mut self,
            record: &Record<Amazons>,
            _: &Limits,
            _: &Control,
            _: &mut dyn FnMut(Info),
        ) -> AmazonsMove {
            legal_moves(record.current())[0]
        }
    }

    fn said(engine: Builder, script: &str) -> Vec<String> {
        let mut out = Vec::new();
        serve(engine, Cursor::new(script.to_string()), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines().skip_while(|l| *l != "ugiok").skip(1).map(String::from).collect()
    }

    #[test]
    fn everything_before_the_end_is_answered_however_long_the_engine_prepares() {
        let late = super::STOP_DEADLINE + Duration::from_millis(100);
        for (time, end) in [(None, "quit\n"), (None, ""), (Some(late), "quit\n")] {
            let script = "ugi\nisready\ngo nodes 100\nquery p1turn\n";
            let lines = said(Builder(time), &[script, end].concat());
            assert_eq!(lines[..2], ["info string prepared", "readyok"], "{lines:?}");
            assert!(lines[2].starts_with("bestmove "), "{lines:?}");
            assert_eq!(lines[3..], ["response true"], "{lines:?}");
        }
    }
}
