//! The connections of the server: a limited number, each ended after a time without traffic, so that
//! clients that neither send nor read keep nobody out.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// The pause after an error of the system, such as no free file descriptor.
const PAUSE: Duration = Duration::from_millis(200);

/// A listener with a limit of connections; more of them wait until one ends.
pub struct Listener {
    inner: TcpListener,
    free: Arc<Semaphore>,
    idle: Duration,
}

impl Listener {
    /// At most `most` connections at a time; each ends after the time `idle` without traffic.
    pub fn new(inner: TcpListener, most: usize, idle: Duration) -> Listener {
        Listener { inner, free: Arc::new(Semaphore::new(most)), idle }
    }
}

impl axum::serve::Listener for Listener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            let permit = Arc::clone(&self.free).acquire_owned().await;
            match (permit, self.inner.accept().await) {
                (Ok(permit), Ok((stream, address))) => {
                    let (idle, timer) = (self.idle, Box::pin(sleep(self.idle)));
                    return (Connection { stream, idle, timer, _permit: permit }, address);
                }
                (_, Err(e)) => {
                    log::warn!("a connection cannot be accepted: {e}");
                    sleep(PAUSE).await;
                }
                // Nothing closes the semaphore.
                (Err(_), _) => sleep(PAUSE).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// A connection that fails after a time without traffic.
pub struct Connection {
    stream: TcpStream,
    idle: Duration,
    timer: Pin<Box<Sleep>>,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    /// The result, which restarts the timer, or an error if it has run out.
    fn timed<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        match result {
            Poll::Ready(result) => {
                let deadline = Instant::now() + self.idle;
                self.timer.as_mut().reset(deadline);
                Poll::Ready(result)
            }
            Poll::Pending => {
                let is_over = self.timer.as_mut().poll(context);
                is_over.map(|()| Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_read(context, buffer);
        this.timed(context, result)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.timed(context, result)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net;

    /// A server that answers `/`, with these limits, and its address.
    fn serve(most: usize, idle: Duration) -> SocketAddr {
        let listener = net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = Listener::new(TcpListener::from_std(listener).unwrap(), most, idle);
                let app = axum::Router::new().route("/", axum::routing::get(async || "hello"));
                axum::serve(listener, app).await.unwrap();
            });
        });
        address
    }

    fn connect(address: SocketAddr) -> net::TcpStream {
        let stream = net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    #[test]
    fn clients_that_send_nothing_are_dropped_and_others_get_their_turn() {
        let address = serve(2, Duration::from_millis(100));
        let mut silent: Vec<net::TcpStream> = (0..4).map(|_| connect(address)).collect();
        write!(silent[1], "GET / HTTP/1.1\r\nHost: x").unwrap();
        let mut client = connect(address);
        write!(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        client.read_to_string(&mut text).unwrap();
        assert!(text.ends_with("hello"), "{text}");
        for mut stream in silent {
            let mut rest = Vec::new();
            // The end of the connection, perhaps after an answer that the request is not whole.
            let _ = stream.read_to_end(&mut rest);
            assert!(!String::from_utf8_lossy(&rest).contains("hello"));
        }
    }
}
