//! The files of the pages, embedded in the program.

use super::answer::Refusal;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// The files by name.
const ASSETS: &[(&str, &str)] = &[("app.js", include_str!("assets/app.js"))];

/// The first page.
pub const INDEX: &str = include_str!("assets/index.html");

/// The response of a page.
pub fn page(text: &'static str) -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

/// The response of a file.
pub async fn asset(Path(name): Path<String>) -> Response {
    let Some((_, text)) = ASSETS.iter().find(|(known, _)| *known == name) else {
        return Refusal::unknown("no such file").into_response();
    };
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    ([(CONTENT_TYPE, kind)], *text).into_response()
}
