//! The language in which a page reads refusals and troubles: the page names it with each request.

use crate::language::{Language, current};
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use serde_json::Value;
use std::borrow::Cow;

/// The fields of a state that are messages.
const MESSAGES: [&str; 3] = ["detail", "error", "trouble"];

tokio::task_local! {
    static PAGE: Language;
}

/// The language that a request names: `lang=` in its address, as event streams have no headers of their own,
/// or the first one of its header, or the user's.
pub fn wanted(query: Option<&str>, headers: &HeaderMap) -> Language {
    let mut fields = query.unwrap_or_default().split('&');
    let named = fields.find_map(|field| field.strip_prefix("lang="));
    let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    named.or(header).map_or_else(current, Language::of_tag)
}

/// Runs the handler of a request from a page in this language.
pub async fn in_language<T>(language: Language, handler: impl Future<Output = T>) -> T {
    PAGE.scope(language, handler).await
}

/// The language of the page whose request is handled.
pub fn of_page() -> Language {
    PAGE.try_with(|language| *language).unwrap_or_else(|_| current())
}

/// The JSON of a state with its messages in a language.
pub fn of_state(json: &str, language: Language) -> Cow<'_, str> {
    if language == Language::English {
        return json.into();
    }
    let Ok(mut state) = serde_json::from_str(json) else { return json.into() };
    word(&mut state, language);
    state.to_string().into()
}

fn word(value: &mut Value, language: Language) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if MESSAGES.contains(&name.as_str()) => {
                        *text = language.text(text).into_owned();
                    }
                    _ => word(field, language),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| word(item, language)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_its_language_in_its_address_or_its_header() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, "zh-CN,en;q=0.5".parse().unwrap());
        assert_eq!(wanted(None, &headers), Language::Chinese);
        assert_eq!(wanted(Some("page=2&lang=en"), &headers), Language::English);
        headers.insert(ACCEPT_LANGUAGE, "en".parse().unwrap());
        assert_eq!(wanted(Some("page=2"), &headers), Language::English);
        assert_eq!(wanted(Some("lang=zh"), &headers), Language::Chinese);
    }

    #[test]
    fn only_the_messages_of_a_state_are_translated() {
        let state =
            r#"{"name":"no roll is due","trouble":"no roll is due","list":[{"detail":"by hand"}]}"#;
        assert_eq!(of_state(state, Language::English), state);
        let chinese =
            r#"{"name":"no roll is due","trouble":"现在不该掷骰子","list":[{"detail":"手动"}]}"#;
        assert_eq!(of_state(state, Language::Chinese), chinese);
    }
}
