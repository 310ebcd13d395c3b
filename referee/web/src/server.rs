//! The local server: one random token in the address, one host, no other origin, small requests.

use super::answer::Refusal;
use super::assets;
use super::listener::Listener;
use agon_engine::{catch_interrupts, interrupted};
use agon_games::phrase::{Phrase, phrase};
use anyhow::{Result, bail};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Maximum size of a request's body in bytes.
const MAX_BODY: usize = 64 << 10;

/// Maximum number of connections; a page has one for its events and some for its requests.
const MAX_CONNECTIONS: usize = 256;

/// A connection without traffic ends after this time. Streams of events send something more often.
const IDLE: Duration = Duration::from_secs(60);

/// The longest time for a request, from its head to the head of its answer.
pub const MAX_REQUEST: Duration = Duration::from_secs(60);

/// How long the server waits for the last answers when it ends.
const FAREWELL: Duration = Duration::from_millis(100);

/// Everything comes from this server, and no page of another one shows it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// Where the server listens.
#[derive(Clone, Debug, Default)]
pub struct ServerSettings {
    /// Port of the server; 0: a free one.
    pub port: u16,
    /// The address it listens on; `None`: 127.0.0.1.
    pub address: Option<IpAddr>,
    /// The name or IP by which browsers reach the server; `None`: the address it listens on.
    pub host: Option<String>,
    /// Open the page in the browser.
    pub open: bool,
}

/// A running server; it ends when it is dropped.
pub struct PageServer {
    url: String,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl PageServer {
    /// Starts a server in a thread of its own. `routes` lie below the token, beside `/`,
    /// `/assets/NAME` and the pages.
    ///
    /// # Errors
    ///
    /// Fails if the address cannot be listened on, or is no address that a browser can open.
    pub fn start(settings: &ServerSettings, routes: Router) -> Result<PageServer> {
        catch_interrupts();
        let ip = settings.address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        if ip.is_unspecified() && settings.host.is_none() {
            bail!(phrase!(
                "--address {ip}: also give --host, the name or IP that browsers open",
                ip
            ));
        }
        let listener = TcpListener::bind(SocketAddr::new(ip, settings.port)).map_err(|cause| {
            phrase!("cannot listen on {ip}, port {port}: {cause}", ip, port = settings.port, cause)
        })?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let host = match (&settings.host, ip) {
            (Some(name), _) => checked_host(name)?,
            (None, IpAddr::V6(ip)) => format!("[{ip}]"),
            (None, ip) => ip.to_string(),
        };
        let host = if port == 80 { host } else { format!("{host}:{port}") };
        let token = random_token()?;
        let url = format!("http://{host}/{token}/");
        let app = router(&token, host, routes);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let end = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&end);
        let serve = move || {
            runtime.block_on(async {
                match tokio::net::TcpListener::from_std(listener) {
                    Ok(listener) => {
                        let listener = Listener::new(listener, MAX_CONNECTIONS, IDLE);
                        tokio::spawn(axum::serve(listener, app).into_future())
                    }
                    Err(e) => return log::error!("the server does not run: {e}"),
                };
                while !ended.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                tokio::time::sleep(FAREWELL).await;
            });
            // Streams of events never end by themselves.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("web".into()).spawn(serve)?;
        let server = PageServer { url, end, thread: Some(thread) };
        if settings.open {
            server.open();
        }
        Ok(server)
    }

    /// The address of the first page; it ends with a slash.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until the user interrupts the program.
    pub fn wait(&self) {
        while !interrupted() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Opens the page with the desktop's program for addresses.
    fn open(&self) {
        let opener = match std::env::consts::OS {
            "macos" => "open",
            "windows" => "explorer",
            _ => "xdg-open",
        };
        let mut command = std::process::Command::new(opener);
        let quiet = std::process::Stdio::null;
        command.arg(&self.url).stdin(quiet()).stdout(quiet()).stderr(quiet());
        match command.spawn() {
            // Its exit status is collected, but nobody waits for it.
            Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
            Err(e) => log::warn!("--open: cannot run {opener}: {e}; open the address yourself"),
        }
    }
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of the server has been reported already.
            let _ = thread.join();
        }
    }
}

/// Checks a host name for an address and for the comparison with the header.
fn checked_host(name: &str) -> Result<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.[]:".contains(c);
    if name.is_empty() || name.len() > 255 || !name.chars().all(is_plain) {
        bail!(phrase!("--host: expected a name or an IP address without port, such as desk.local"));
    }
    Ok(name.to_ascii_lowercase())
}

/// The refusal of the system to give random numbers.
pub fn no_random(cause: getrandom::Error) -> Phrase {
    phrase!("the system has no random numbers: {cause}", cause = cause.to_string())
}

/// 128 random bits in hexadecimal digits.
fn random_token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(no_random)?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// The routes below the token, with all checks.
fn router(token: &str, host: String, routes: Router) -> Router {
    let pages = Router::new()
        .route("/", get(async || assets::page(assets::INDEX)))
        .route("/assets/{name}", get(assets::asset))
        .merge(routes);
    let nothing =
        async || Refusal::unknown(phrase!("nothing here; open the address that was printed"));
    Router::new()
        // A nested root answers `/TOKEN/` only as its own route.
        .nest(&format!("/{token}"), pages.clone())
        .route(&format!("/{token}/"), get(async || assets::page(assets::INDEX)))
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn_with_state(Arc::<str>::from(host), check))
}

/// Refuses requests to another host or from a page of another origin, and adds the headers.
async fn check(State(host): State<Arc<str>>, request: Request, next: Next) -> Response {
    let mut response = match permitted(&host, request.method(), request.headers()) {
        Ok(()) => match tokio::time::timeout(MAX_REQUEST, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Refusal::slow(phrase!("the request took too long")).into_response(),
        },
        Err(refusal) => refusal.into_response(),
    };
    let fixed: [(HeaderName, &'static str); 6] = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "same-origin"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Checks `Host`, and `Origin` of all requests that change something.
fn permitted(host: &str, method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let is_only = headers.get_all(HOST).iter().count() == 1;
    if !is_only || !text(HOST).is_some_and(|h| h.eq_ignore_ascii_case(host)) {
        return Err(Refusal::forbidden(phrase!(
            "another host; this server is http://{host}",
            host
        )));
    }
    let origin_is_own = match headers.get(ORIGIN) {
        None => true,
        Some(origin) => origin
            .to_str()
            .ok()
            .and_then(|o| o.strip_prefix("http://"))
            .is_some_and(|o| o.eq_ignore_ascii_case(host)),
    };
    if *method != Method::GET && *method != Method::HEAD && !origin_is_own {
        return Err(Refusal::forbidden(phrase!("a page of another origin may not send commands")));
    }
    Ok(())
}
