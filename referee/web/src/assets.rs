//! The files of the pages, embedded in the program: their own and those that they share with reports.

use super::answer::Refusal;
use agon_base::language::{Language, current, messages};
use agon_games::phrase::phrase;
use agon_report::assets::{BOARD_STYLE, SHARED};
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, json};
use std::sync::LazyLock;

/// The files that only these pages have, by name.
const ASSETS: &[(&str, &str)] = &[
    ("app.js", include_str!("assets/app.js")),
    ("board.css", BOARD_STYLE),
    ("clock-text.js", include_str!("assets/clock-text.js")),
    ("desk-clock.js", include_str!("assets/desk-clock.js")),
    ("desk-dialogs.js", include_str!("assets/desk-dialogs.js")),
    ("desk-lists.js", include_str!("assets/desk-lists.js")),
    ("desk-sound.js", include_str!("assets/desk-sound.js")),
    ("desk-status.js", include_str!("assets/desk-status.js")),
    ("desk.css", include_str!("assets/desk.css")),
    ("desk.js", include_str!("assets/desk.js")),
    ("door.js", include_str!("assets/door.js")),
    ("i18n-desk.js", include_str!("assets/i18n-desk.js")),
    ("i18n-door.js", include_str!("assets/i18n-door.js")),
    ("i18n-play.js", include_str!("assets/i18n-play.js")),
    ("i18n-study.js", include_str!("assets/i18n-study.js")),
    ("i18n-watch.js", include_str!("assets/i18n-watch.js")),
    ("main.js", include_str!("assets/main.js")),
    ("play-ahead.js", include_str!("assets/play-ahead.js")),
    ("play-ask.js", include_str!("assets/play-ask.js")),
    ("play-clock.js", include_str!("assets/play-clock.js")),
    ("play-drag.js", include_str!("assets/play-drag.js")),
    ("play-form.js", include_str!("assets/play-form.js")),
    ("play-levels.js", include_str!("assets/play-levels.js")),
    ("play-lines.js", include_str!("assets/play-lines.js")),
    ("play-options.js", include_str!("assets/play-options.js")),
    ("play-players.js", include_str!("assets/play-players.js")),
    ("play-saved.js", include_str!("assets/play-saved.js")),
    ("play-sound.js", include_str!("assets/play-sound.js")),
    ("play.js", include_str!("assets/play.js")),
    ("router.js", include_str!("assets/router.js")),
    ("sound.js", include_str!("assets/sound.js")),
    ("style.css", include_str!("assets/style.css")),
    ("study-engine.js", include_str!("assets/study-engine.js")),
    ("study-files.js", include_str!("assets/study-files.js")),
    ("study-form.js", include_str!("assets/study-form.js")),
    ("study-marks.js", include_str!("assets/study-marks.js")),
    ("study-moves.js", include_str!("assets/study-moves.js")),
    ("study-note.js", include_str!("assets/study-note.js")),
    ("study-outcomes.js", include_str!("assets/study-outcomes.js")),
    ("study-tree.js", include_str!("assets/study-tree.js")),
    ("study.js", include_str!("assets/study.js")),
    ("watch-board.js", include_str!("assets/watch-board.js")),
    ("watch-charts.js", include_str!("assets/watch-charts.js")),
    ("watch.css", include_str!("assets/watch.css")),
    ("watch.js", include_str!("assets/watch.js")),
];

/// The first page.
pub const INDEX: &str = include_str!("assets/index.html");

/// The page of the desk.
pub const DESK: &str = include_str!("assets/desk.html");

/// The files of the server that a published match has, too.
const WATCHING: [&str; 9] = [
    "board.css",
    "clock-text.js",
    "i18n-watch.js",
    "router.js",
    "style.css",
    "watch-board.js",
    "watch-charts.js",
    "watch.css",
    "watch.js",
];

/// The files that only a published match has. Where the server answers requests, `app.js` reads files.
const PUBLISHED: [(&str, &str); 2] = [
    ("app.js", include_str!("assets/published-app.js")),
    ("published.js", include_str!("assets/published.js")),
];

/// The files of the page of a published match, by name.
pub fn published() -> impl Iterator<Item = (&'static str, &'static str)> {
    let watching = ASSETS.iter().filter(|(name, _)| WATCHING.contains(name));
    watching.chain(&SHARED).chain(&PUBLISHED).copied()
}

/// Its page: everything comes from its own host.
pub fn published_index() -> String {
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                  connect-src 'self'; base-uri 'none'; form-action 'none'";
    let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let charset = "<meta charset=\"utf-8\">";
    let page = INDEX.replacen(charset, &format!("{charset}\n    {meta}"), 1);
    in_language(&page.replacen("assets/main.js", "assets/published.js", 1))
}

/// A page in the language of the program.
fn in_language(text: &str) -> String {
    match current() {
        Language::English => text.into(),
        Language::Chinese => text.replacen("<html lang=\"en\">", "<html lang=\"zh-CN\">", 1),
    }
}

/// The response of a page. Its language, which a choice in the browser overrides, is that of the program.
pub fn page(text: &'static str) -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], in_language(text)).into_response()
}

/// `messages.js`: the Chinese texts of messages by key.
static MESSAGES: LazyLock<String> = LazyLock::new(|| {
    let texts = messages().map(|(key, chinese)| (key.to_string(), json!(chinese)));
    format!("export default {};\n", json!(texts.collect::<Map<_, _>>()))
});

/// The response of a file.
pub async fn asset(Path(name): Path<String>) -> Response {
    if name == "messages.js" {
        let kind = "text/javascript; charset=utf-8";
        return ([(CONTENT_TYPE, kind)], MESSAGES.as_str()).into_response();
    }
    let Some((_, text)) = ASSETS.iter().chain(&SHARED).find(|(known, _)| *known == name) else {
        return Refusal::unknown(phrase!("no such file")).into_response();
    };
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    ([(CONTENT_TYPE, kind)], *text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Letters have the sizes of one scale and spaces those of another, both of `board.css`, on every page.
    #[test]
    fn all_pages_have_one_type_scale_and_one_spacing() {
        let report = ("page.css", include_str!("../../report/src/report/page.css"));
        let styles = ASSETS.iter().filter(|(name, _)| name.ends_with(".css")).chain([&report]);
        let mut sizes = 0;
        for (name, text) in styles {
            for declaration in text.split(['{', '}', ';', '\n']) {
                let Some((property, value)) = declaration.split_once(':') else { continue };
                let is_space = ["margin", "padding"].iter().any(|p| property.starts_with(p))
                    || ["gap", "row-gap", "column-gap"].contains(&property);
                assert!(
                    !is_space || !value.contains("rem"),
                    "{name}: {declaration}: use --space-N"
                );
                // A drawing and the figures of a clock have the size of their place; `em` is that of the text around it.
                let is_relative = value.ends_with("em") && !value.contains("rem");
                let is_known =
                    ["--text-", "--fit", "26px", "vw + 9px"].iter().any(|k| value.contains(k));
                if property == "font-size" {
                    sizes += 1;
                    assert!(is_relative || is_known, "{name}: {declaration}: use --text-SIZE");
                }
            }
        }
        assert!(sizes > 30, "{sizes} sizes were found");
    }

    /// What stands between backticks on a terminal is quoted on a page.
    #[test]
    fn no_text_of_a_page_has_backticks() {
        let tables = ASSETS.iter().chain(&SHARED).filter(|(_, text)| text.contains("addTexts({"));
        let is_text = |line: &&str| line.trim_start().starts_with('\'');
        for (name, text) in tables {
            for line in text.lines().filter(is_text) {
                assert!(!line.contains('`'), "{name}: {line}");
            }
        }
        assert!(ASSETS.iter().any(|(name, _)| name.starts_with("i18n")));
    }

    /// A published page is whole: what its modules import is published, and nothing else is asked for.
    #[test]
    fn a_published_page_has_all_that_its_modules_import() {
        let names: BTreeSet<&str> = published().map(|(name, _)| name).collect();
        assert_eq!(names.len(), published().count(), "a name twice");
        for (name, text) in published().filter(|(name, _)| name.ends_with(".js")) {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let from = line.trim_end_matches("';").rsplit("'./").next().unwrap_or_default();
                assert!(names.contains(from), "{name} imports {from}");
            }
        }
        let page = published_index();
        for part in page.split(['"', '\'']).filter(|part| part.starts_with("assets/")) {
            assert!(names.contains(part.trim_start_matches("assets/")), "{part}");
        }
        assert!(page.contains("assets/published.js") && page.contains("Content-Security-Policy"));
    }

    /// The two modules of the name `app.js` offer what the pages import from it.
    #[test]
    fn the_published_app_has_the_functions_that_the_page_imports() {
        let [(_, ours), _] = PUBLISHED;
        for (name, text) in published() {
            let imports = text.lines().filter(|line| line.ends_with("from './app.js';"));
            for word in imports
                .flat_map(|line| line.split(['{', '}']).nth(1).unwrap_or_default().split(','))
            {
                let function = format!("function {}(", word.trim());
                assert!(ours.contains(&function), "{name}: {function}");
            }
        }
    }
}
