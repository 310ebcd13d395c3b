//! Checks of the handshake, options and readiness.

use super::conversation::{Conversation, text};
use super::{CheckResult, EngineUnderTest, passed, remark, skipped};
use crate::dialogue::{Identity, ListedOption};
use agon_base::counted;
use agon_games::text::excerpt;
use agon_wire::message::Command;
use std::time::Duration;

/// A slower `readyok`, once everything is loaded, delays a match.
const PROMPT: Duration = Duration::from_millis(100);

/// The engine starts and completes its identification.
pub(super) fn handshake(subject: &EngineUnderTest) -> CheckResult {
    let begin = std::time::Instant::now();
    let mut engine = Conversation::start(subject)?;
    let identity = engine.identify()?;
    let taken = text(begin.elapsed());
    let Identity { name, author, options } = identity;
    let by = if author.is_empty() { String::new() } else { format!(" by {}", excerpt(&author)) };
    let said =
        format!("`{}`{by}, {}, in {taken}", excerpt(&name), counted(options.len(), "option"));
    if name.is_empty() && subject.supports(&Command::Identify) {
        return remark(format!("no name; {}, in {taken}", counted(options.len(), "option")));
    }
    if subject.supports(&Command::Stop)
        && let Some(line) = engine.unasked(PROMPT)
    {
        return remark(format!("{said}; it sends `{line}` after its identification"));
    }
    passed(said)
}

/// The options are consistent, the engine accepts their defaults, and ignores an unknown option.
pub(super) fn options(subject: &EngineUnderTest) -> CheckResult {
    if !subject.supports(&Command::Stop) {
        return skipped(format!("the dialect {} has no options", subject.entry.dialect));
    }
    let mut engine = Conversation::start(subject)?;
    let options = engine.identify()?.options;
    for (i, option) in options.iter().enumerate() {
        if options[..i].iter().any(|o| o.name.eq_ignore_ascii_case(&option.name)) {
            return Err(format!("the option `{}` is listed twice", excerpt(&option.name)));
        }
        option_makes_sense(option)?;
    }
    let settable: Vec<(&ListedOption, String)> =
        options.iter().filter_map(|o| Some((o, default_of(o)?))).collect();
    for (option, value) in &settable {
        engine.send(&Command::SetOption { name: option.name.clone(), value: value.clone() })?;
        engine
            .ready()
            .map_err(|e| format!("after `{}` was set to its default: {e}", option.name))?;
        if let Some(last_error) = engine.take_error() {
            let name = &option.name;
            return Err(format!(
                "it refuses the default `{value}` of its option {name}: {last_error}"
            ));
        }
    }
    let unknown = Command::SetOption { name: "NoSuchOption".into(), value: "1".into() };
    engine.send(&unknown)?;
    engine.ready().map_err(|e| format!("after an option that it does not have: {e}"))?;
    passed(format!(
        "{} listed, {} defaults accepted, an unknown option ignored",
        options.len(),
        settable.len()
    ))
}

/// The word after `key` in an option's line.
fn field<'a>(option: &'a ListedOption, key: &str) -> Option<&'a str> {
    let mut words = option.rest.split_whitespace();
    words.find(|w| *w == key)?;
    words.next()
}

/// A default that can be set. Buttons have none, and a string may name a file.
fn default_of(option: &ListedOption) -> Option<String> {
    let kind = field(option, "type")?;
    ["check", "spin", "combo"].contains(&kind).then(|| field(option, "default"))?.map(String::from)
}

fn option_makes_sense(option: &ListedOption) -> Result<(), String> {
    let name = excerpt(&option.name);
    let wrong = |what: String| {
        Err(format!("option `{name}`: {what}; the line is `{}`", excerpt(&option.rest)))
    };
    // Some dialects define the rule options themselves and list no types.
    if option.rest.is_empty() {
        return Ok(());
    }
    let default = field(option, "default");
    match field(option, "type") {
        Some("check") if !matches!(default, Some("true" | "false")) => {
            wrong("a check needs a default, true or false".into())
        }
        Some("spin") => {
            let number = |key| field(option, key).and_then(|v| v.parse::<i64>().ok());
            match (number("min"), number("default"), number("max")) {
                (Some(min), Some(value), Some(max)) if min <= value && value <= max => Ok(()),
                (Some(_), Some(_), Some(_)) => wrong("the default is not in its range".into()),
                _ => wrong("a spin needs a default, min and max, whole numbers".into()),
            }
        }
        Some("combo") => {
            let words: Vec<&str> = option.rest.split_whitespace().collect();
            let mut vars = words.windows(2).filter(|w| w[0] == "var").map(|w| w[1]);
            let listed = vars.any(|v| Some(v) == default);
            if listed { Ok(()) } else { wrong("the default is not among its values".into()) }
        }
        Some("check" | "string" | "button" | "label") => Ok(()),
        kind => wrong(format!("unknown type `{}`", excerpt(kind.unwrap_or("none")))),
    }
}

/// The engine answers every `isready` and sends nothing unasked.
pub(super) fn readiness(subject: &EngineUnderTest) -> CheckResult {
    if !subject.supports(&Command::IsReady) {
        let dialect = &subject.entry.dialect;
        return skipped(format!("the dialect {dialect} has no `isready`"));
    }
    let mut engine = Conversation::open(subject)?;
    let mut worst = Duration::ZERO;
    for _ in 0..5 {
        worst = worst.max(engine.ready()?);
    }
    if let Some(line) = engine.unasked(PROMPT) {
        return Err(format!("it sent `{line}` unasked"));
    }
    let said = format!("five answers, the slowest after {}", text(worst));
    if worst > PROMPT { remark(said) } else { passed(said) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_contradict_themselves_are_found() {
        let check_legal = |rest: &str| {
            option_makes_sense(&ListedOption { name: "Hash".into(), rest: rest.into() }).is_ok()
        };
        for right in [
            "type spin default 16 min 1 max 1024",
            "type spin min 16 max 1024 default 16",
            "type check default true",
            "type combo default a var a var b",
            "type string default <empty>",
            "type button",
            "",
        ] {
            assert!(check_legal(right), "{right}");
        }
        for wrong in [
            "type spin default 0 min 1 max 1024",
            "type spin default 16",
            "type check",
            "type combo default c var a var b",
            "type dial",
            "default 3",
        ] {
            assert!(!check_legal(wrong), "{wrong}");
        }
    }
}
