//! The JSON of requests and answers: `{"ok": ...}` or `{"error": "...", "message": ...}`.

use agon_games::phrase::{Phrase, phrase};
use agon_games::text::{excerpt, visible};
use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The answer to a request; a success becomes `{"ok": value}`.
pub type HttpAnswer = Result<Value, Refusal>;

/// Why a request is refused: a status and a text that names what was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    text: Phrase,
    /// More fields of the answer, such as the legal moves.
    more: Option<Value>,
}

impl Refusal {
    fn new(status: StatusCode, text: Phrase) -> Refusal {
        Refusal { status, text: text.map(&|text| visible(text).into_owned()), more: None }
    }

    /// 400: the request itself is wrong.
    pub fn bad(text: Phrase) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, text)
    }

    /// 403: this sender may not ask.
    pub fn forbidden(text: Phrase) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, text)
    }

    /// 404: no such thing.
    pub fn unknown(text: Phrase) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, text)
    }

    /// 409: not now.
    pub fn conflict(text: Phrase) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, text)
    }

    /// 408: the request does not come to its end.
    pub fn slow(text: Phrase) -> Refusal {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, text)
    }

    /// The same with more fields beside `error`; `more` is an object.
    #[must_use]
    pub fn with(mut self, more: Value) -> Refusal {
        self.more = Some(more);
        self
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.text, "message": message(&self.text) });
        if let (Some(fields), Some(Value::Object(more))) = (body.as_object_mut(), self.more) {
            fields.extend(more);
        }
        (self.status, Json(body)).into_response()
    }
}

/// A text for a page, which says it in its own language: its key and what stands in the holes, or the text
/// itself if it has no key.
pub fn message(text: &Phrase) -> Value {
    match text {
        Phrase::Plain(text) => json!(text),
        Phrase::Keyed(key, args) => {
            let args = args.iter().map(|(name, arg)| ((*name).to_string(), message(arg)));
            json!({ "key": key, "args": args.collect::<serde_json::Map<_, _>>() })
        }
    }
}

/// Makes the response of an answer.
pub fn respond(answer: HttpAnswer) -> Response {
    match answer {
        Ok(value) => Json(json!({ "ok": value })).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

/// Makes the response of an answer that a thread works out, which may wait for files and programs.
pub async fn respond_later(answer: impl FnOnce() -> HttpAnswer + Send + 'static) -> Response {
    let answer = tokio::task::spawn_blocking(answer).await;
    respond(answer.unwrap_or_else(|e| Err(Refusal::bad(Phrase::Plain(excerpt(&e.to_string()))))))
}

/// A file for the reader's disk.
pub fn attachment(name: &str, kind: &'static str, text: Vec<u8>) -> Response {
    let place = format!("attachment; filename*=UTF-8''{}", percent(name));
    ([(CONTENT_TYPE, kind.to_string()), (CONTENT_DISPOSITION, place)], text).into_response()
}

/// Percent-encoding of everything but letters, digits, `-` and `.` (RFC 8187).
fn percent(name: &str) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    name.bytes()
        .map(|b| if plain(&b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

/// The JSON body of a request. A body that is too large or not of this form is refused.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refusal> {
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            Refusal::new(
                rejection.status(),
                phrase!("the body: {cause}", cause = rejection.body_text()),
            )
        })?;
        let value = serde_json::from_slice(&bytes);
        value.map(Body).map_err(|e| {
            Refusal::bad(phrase!("the body: {cause}", cause = excerpt(&e.to_string())))
        })
    }
}
