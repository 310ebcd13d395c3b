//! A line of a log becomes values, and all its texts become safe to show.

use agon_games::text::{visible, visible_lines};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a line of a log, and makes all its texts safe to show: a log may come from anywhere.
///
/// # Errors
///
/// Fails if the line is not JSON or does not fit the type.
pub fn from_line<T: DeserializeOwned>(line: &str) -> serde_json::Result<T> {
    let read = serde_json::from_str(line)?;
    if !may_be_unsafe(line) {
        return Ok(read);
    }
    let mut value = serde_json::from_str(line)?;
    make_visible(&mut value, false);
    serde_json::from_value(value)
}

/// Whether a JSON line may hold an unsafe character, as it is or as an escape.
fn may_be_unsafe(line: &str) -> bool {
    let mut rest = line.trim_end_matches('\n');
    if visible(rest) != rest {
        return true;
    }
    while let Some(at) = rest.find('\\') {
        match rest.as_bytes().get(at + 1) {
            Some(b'"' | b'\\' | b'/') => rest = &rest[at + 2..],
            _ => return true,
        }
    }
    false
}

/// Makes all strings of a value visible; only the output of an engine has several lines.
fn make_visible(value: &mut Value, is_output: bool) {
    match value {
        Value::String(text) if is_output => *text = visible_lines(text).into_owned(),
        Value::String(text) => *text = visible(text).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(|v| make_visible(v, is_output)),
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(name, v)| make_visible(v, ["stdout", "stderr"].contains(&name.as_str()))),
        _ => {}
    }
}
