//! The three pipes of an engine process. Reading and writing never wait; one call waits for all of
//! them.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::Pipes;

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// The child is this test program, which lists its tests and reads no input.
    #[test]
    fn output_is_read_to_its_end_and_a_closed_input_is_an_error() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--list", "--format", "terse"]);
        let piped = Stdio::piped;
        let mut child = command.stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else { panic!("no pipes") };
        let mut pipes = Pipes::new(stdin, stdout, stderr).unwrap();
        let (begin, mut all, mut chunk) = (Instant::now(), Vec::new(), [0; 512]);
        loop {
            assert!(begin.elapsed() < Duration::from_secs(60), "no end");
            pipes.poll(false, Duration::from_millis(100));
            match pipes.read_output(&mut chunk) {
                Ok((0, _)) => break,
                Ok((n, received)) => {
                    assert!((begin..=Instant::now()).contains(&received));
                    all.extend(&chunk[..n]);
                }
                Err(e) => assert_eq!(e.kind(), ErrorKind::WouldBlock),
            }
        }
        let all = String::from_utf8(all).unwrap();
        assert!(all.contains("a_closed_input_is_an_error: test"), "{all}");
        child.wait().unwrap();
        while pipes.write(b"x").is_ok() {
            assert!(begin.elapsed() < Duration::from_secs(60), "the input is never closed");
        }
        pipes.close_input();
        assert_eq!(pipes.write(b"x").unwrap_err().kind(), ErrorKind::BrokenPipe);
        pipes.await_last_output();
        assert_eq!(pipes.read_errors(&mut chunk), 0);
    }
}
