//! A small HTTP client for the tests of the pages.

use super::server::{PageServer, ServerSettings};
use axum::Router;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A server and its address.
pub struct Client {
    /// The server; it ends with the client.
    _server: PageServer,
    /// IP and port.
    pub host: String,
    /// The path of the first page, `/TOKEN/`.
    pub root: String,
}

/// A response.
pub struct HttpReply {
    /// The status.
    pub status: u16,
    /// The headers as text.
    pub head: String,
    /// The body.
    pub body: String,
}

impl HttpReply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }

    /// The text of the error.
    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_else(|| panic!("no error: {}", self.body)).into()
    }

    /// What the answer holds.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.json()["ok"].clone()
    }
}

impl Client {
    /// Starts a server with these routes.
    pub fn start(routes: Router) -> Client {
        let server = PageServer::start(&ServerSettings::default(), routes).unwrap();
        let rest = server.url().strip_prefix("http://").unwrap().to_string();
        let (host, _) = rest.split_once('/').unwrap();
        let root = rest[host.len()..].to_string();
        Client { host: host.into(), root, _server: server }
    }

    /// Sends a request with these headers besides the length; `path` is absolute.
    pub fn raw(&self, method: &str, path: &str, headers: &str, body: &str) -> HttpReply {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        // A server that refuses a large body may close the connection before it has read it.
        let _ = stream.read_to_string(&mut text);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        HttpReply { status, head: head.to_lowercase(), body: body.into() }
    }

    /// The headers of this server's own page.
    pub fn own(&self) -> String {
        format!("Host: {0}\r\nOrigin: http://{0}\r\n", self.host)
    }

    /// Gets a path below the token.
    pub fn get(&self, path: &str) -> HttpReply {
        self.raw("GET", &format!("{}{path}", self.root), &self.own(), "")
    }

    /// Posts JSON to a path below the token.
    pub fn post(&self, path: &str, body: &Value) -> HttpReply {
        self.raw("POST", &format!("{}{path}", self.root), &self.own(), &body.to_string())
    }

    /// Opens a stream of events, which ends when it is dropped.
    pub fn open(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request = format!("GET {}{path} HTTP/1.1\r\n{}\r\n", self.root, self.own());
        stream.write_all(request.as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        assert_eq!(&status[9..], b"200");
        stream
    }

    /// Listens to events until `wanted` accepts one; returns its data.
    pub fn until(&self, path: &str, mut wanted: impl FnMut(&str, &Value) -> bool) -> Value {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request = format!("GET {}{path} HTTP/1.1\r\n{}\r\n", self.root, self.own());
        stream.write_all(request.as_bytes()).unwrap();
        let lines = std::io::BufRead::lines(std::io::BufReader::new(stream));
        let mut topic = String::new();
        for line in lines {
            let line = line.expect("an event within a minute");
            if let Some(name) = line.strip_prefix("event: ") {
                topic = name.into();
            } else if let Some(data) = line.strip_prefix("data: ") {
                let data = serde_json::from_str(data).unwrap();
                if wanted(&topic, &data) {
                    return data;
                }
            }
        }
        panic!("the events of {path} ended");
    }
}
