//! The options of an engine that a page may set: those that the engine lists, without those that name
//! files or belong to the page itself, and within limits on memory and threads.

use super::answer::Refusal;
use agon_engine::check::EngineUnderTest;
use agon_engine::driver::Timeouts;
use agon_engine::settings::listed_spec;
use agon_games::arbiter::GameKind;
use agon_games::option::{self, OptionError, OptionKind, OptionSpec, OptionValue};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::visible;
use agon_matchlog::{EngineEntry, Setting};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum MiB of an option that asks for memory.
const MAX_MEMORY: i64 = 512;
/// Maximum number of options of a request.
const MAX_SET: usize = 64;
/// Maximum number of characters of an option's name or word.
const MAX_WORD: usize = 100;

/// Options that pages do not set: the analysis has its own number of lines, and a board of another size
/// belongs to the position.
const WITHHELD: [&str; 4] = ["MultiPV", "Ponder", "Board", "BoardSize"];

/// Starts the engine and reads the options that it lists. Those set on the command line have their
/// value as default.
///
/// # Errors
///
/// Fails if the engine does not start or does not identify itself in time.
pub fn of_engine(
    entry: EngineEntry,
    kind: GameKind,
    timeouts: Timeouts,
) -> Result<Vec<OptionSpec>, Phrase> {
    let given = entry.options.clone();
    let subject = EngineUnderTest::new(entry, kind, Vec::new(), timeouts, Duration::ZERO)?;
    let rules = kind.rule_options();
    let listed = subject.listed_options().map_err(Phrase::Plain)?;
    let own = listed.iter().filter(|(name, _)| option::find(&rules, name).is_err());
    let mut specs: Vec<OptionSpec> = own.filter_map(|(name, rest)| offered(name, rest)).collect();
    for spec in &mut specs {
        let value = given.iter().find(|s| s.name.eq_ignore_ascii_case(&spec.name));
        let value = value.and_then(|setting| spec.parse(&setting.value).ok());
        match (&mut spec.kind, value) {
            (OptionKind::Check { default }, Some(OptionValue::Check(on))) => *default = on,
            (OptionKind::Spin { default, .. }, Some(OptionValue::Spin(n))) => *default = n,
            (OptionKind::Combo { default, .. }, Some(OptionValue::Text(word))) => *default = word,
            _ => {}
        }
    }
    specs.iter_mut().for_each(limit);
    Ok(specs)
}

/// The option if pages may set it. A text may name a file, so none is offered.
fn offered(name: &str, rest: &str) -> Option<OptionSpec> {
    let is_plain = |word: &str| {
        visible(word) == word && word.chars().count() <= MAX_WORD && !word.contains(['/', '\\'])
    };
    let is_withheld = WITHHELD.iter().any(|own| own.eq_ignore_ascii_case(name))
        || name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("UCI_"));
    if is_withheld || !is_plain(name) {
        return None;
    }
    let spec = listed_spec(name, rest)?;
    let is_offered = match &spec.kind {
        OptionKind::Check { .. } => true,
        OptionKind::Spin { default, min, max } => (min..=max).contains(&default),
        OptionKind::Combo { default, choices } => {
            choices.contains(default) && choices.iter().all(|word| is_plain(word))
        }
        OptionKind::Text { .. } | OptionKind::Button => false,
    };
    is_offered.then_some(spec)
}

/// Bounds memory and threads; the default stays possible.
fn limit(spec: &mut OptionSpec) {
    let name = spec.name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let most = if has(&["hash", "memory", "cache"]) {
        MAX_MEMORY
    } else if has(&["thread", "cores", "worker"]) {
        std::thread::available_parallelism().map_or(1, |n| n.get() as i64)
    } else {
        return;
    };
    if let OptionKind::Spin { default, max, .. } = &mut spec.kind {
        *max = (*max).min(most).max(*default);
    }
}

/// The options for a page.
pub fn list(specs: &[OptionSpec]) -> Value {
    let fields = |spec: &OptionSpec| match &spec.kind {
        OptionKind::Check { default } => json!({ "type": "check", "default": default.to_string() }),
        OptionKind::Spin { default, min, max } => {
            // Numbers as text: a browser's are not exact beyond 2^53.
            let [default, min, max] = [default, min, max].map(ToString::to_string);
            json!({ "type": "spin", "default": default, "min": min, "max": max })
        }
        OptionKind::Combo { default, choices } => {
            json!({ "type": "combo", "default": default, "choices": choices })
        }
        OptionKind::Text { .. } | OptionKind::Button => Value::Null,
    };
    let named = specs.iter().map(|spec| {
        let mut fields = fields(spec);
        fields["name"] = json!(spec.name);
        fields
    });
    named.collect()
}

/// The settings of a request in the engine's own spelling.
///
/// # Errors
///
/// Names the first option that is not offered, or whose value is not possible.
pub fn check(
    specs: &[OptionSpec],
    wanted: &BTreeMap<String, String>,
) -> Result<Vec<Setting>, Refusal> {
    if wanted.len() > MAX_SET {
        return Err(Refusal::bad(phrase!("more than {n} options", n = MAX_SET)));
    }
    let setting = |(name, value): (&String, &String)| {
        let spec = option::find(specs, name)?;
        let value = match spec.parse(value)? {
            OptionValue::Check(on) => on.to_string(),
            OptionValue::Spin(n) => n.to_string(),
            OptionValue::Text(word) => word,
            OptionValue::Pressed => String::new(),
        };
        Ok(Setting { name: spec.name.clone(), value })
    };
    wanted
        .iter()
        .map(setting)
        .collect::<Result<_, OptionError>>()
        .map_err(|e| Refusal::bad(e.to_phrase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_could_name_a_file_is_offered() {
        for (name, rest) in [
            ("TableFile", "type string default <empty>"),
            ("Book", "type combo default a.bin var a.bin var /etc/passwd"),
            ("Net", "type combo default x var x var ..\\y"),
            ("Clear Hash", "type button"),
            ("MultiPV", "type spin default 1 min 1 max 500"),
            ("UCI_ShowWDL", "type check default false"),
            ("evil\u{1b}[2J", "type check default false"),
            ("Odd", "type spin default 9 min 1 max 5"),
            ("Odd", "type spin default x"),
            ("Odd", ""),
        ] {
            assert_eq!(offered(name, rest), None, "{name} {rest}");
        }
    }

    #[test]
    fn listed_options_become_fields_with_limits() {
        let mut hash = offered("Hash", "type spin default 64 min 1 max 1048576").unwrap();
        limit(&mut hash);
        assert_eq!(hash, OptionSpec::spin("Hash", 64, 1, MAX_MEMORY));
        let mut threads = offered("Threads", "type spin default 1 min 1 max 1000000").unwrap();
        limit(&mut threads);
        let OptionKind::Spin { max, .. } = threads.kind else { panic!("{threads:?}") };
        assert!((1..1_000_000).contains(&max), "{max}");
        let style =
            offered("Style", "type combo default very safe var very safe var bold").unwrap();
        assert_eq!(style, OptionSpec::combo("Style", "very safe", &["very safe", "bold"]));
        let specs = [hash, style];
        assert_eq!(
            list(&specs),
            json!([
                { "name": "Hash", "type": "spin", "default": "64", "min": "1", "max": "512" },
                { "name": "Style", "type": "combo", "default": "very safe", "choices": ["very safe", "bold"] },
            ])
        );
        let set = |name: &str, value: &str| check(&specs, &[(name.into(), value.into())].into());
        assert_eq!(
            set("hash", "32"),
            Ok(vec![Setting { name: "Hash".into(), value: "32".into() }])
        );
        assert!(set("Hash", "513").is_err() && set("Hash", "1\nquit").is_err());
        assert!(set("Style", "reckless").is_err() && set("TableFile", "/etc/passwd").is_err());
        let many = (0..=MAX_SET).map(|i| (i.to_string(), String::new())).collect();
        assert!(check(&specs, &many).is_err());
    }
}
