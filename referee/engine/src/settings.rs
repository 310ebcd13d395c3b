//! Whether an engine can be told what its fields say: values of the options that it lists, and times in the
//! unit that its dialect sends.

use super::dialogue::ListedOption;
use agon_games::option::{OptionError, OptionKind, OptionSpec, OptionValue};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::excerpt;
use agon_matchlog::{EngineEntry, Limit, Setting};
use agon_wire::dialect::Dialect;

/// The words in the line of an option that begin a field.
const FIELDS: [&str; 5] = ["type", "default", "min", "max", "var"];

/// An option as an engine lists it, from the text after its name; `None` if the text gives no bounds.
pub fn listed_spec(name: &str, rest: &str) -> Option<OptionSpec> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in rest.split_whitespace() {
        match fields.last_mut() {
            _ if FIELDS.contains(&word) => fields.push((word, String::new())),
            Some((_, value)) if value.is_empty() => value.push_str(word),
            Some((_, value)) => value.extend([" ", word]),
            None => return None,
        }
    }
    let all = |key: &str| -> Vec<&str> {
        fields.iter().filter(|(own, _)| *own == key).map(|(_, value)| value.as_str()).collect()
    };
    let field = |key| all(key).first().copied();
    let number = |key| field(key)?.parse::<i64>().ok();
    match field("type")? {
        "check" => Some(OptionSpec::check(name, field("default") == Some("true"))),
        "spin" => {
            let (min, max) = (number("min")?, number("max")?);
            Some(OptionSpec::spin(name, number("default").unwrap_or(min), min, max))
        }
        "combo" if !all("var").is_empty() => {
            Some(OptionSpec::combo(name, field("default").unwrap_or_default(), &all("var")))
        }
        "string" => Some(OptionSpec::text(name, field("default").unwrap_or_default())),
        "button" => Some(OptionSpec::button(name)),
        _ => None,
    }
}

/// The value as the engine spells it.
///
/// # Errors
///
/// Fails if the engine does not list it.
fn checked(option: &ListedOption, value: &str) -> Result<String, OptionError> {
    let Some(spec) = listed_spec(&option.name, &option.rest) else { return Ok(value.into()) };
    let is_word = |word: &&str| word.eq_ignore_ascii_case(value);
    if let OptionKind::Check { .. } = spec.kind {
        // Our engines know more words than others.
        return ["true", "false"].into_iter().find(is_word).map(String::from).ok_or_else(|| {
            let (name, value) = (option.name.clone(), excerpt(value));
            OptionError::BadValue { name, value, expected: "true or false".into() }
        });
    }
    Ok(match spec.parse(value)? {
        OptionValue::Spin(n) => n.to_string(),
        OptionValue::Text(word) => word,
        OptionValue::Check(_) | OptionValue::Pressed => String::new(),
    })
}

/// The options to set, in the engine's own spelling: rules that it has options for, its own fields, then
/// what the referee itself asks for: pondering if the engine is to, and chances to win.
///
/// # Errors
///
/// Names the first option that the engine does not list, or whose value is not one that it lists.
pub fn to_set(
    listed: &[ListedOption],
    dialect: &dyn Dialect,
    rules: &[Setting],
    entry: &EngineEntry,
) -> Result<Vec<Setting>, Phrase> {
    let find = |wanted: &str| listed.iter().find(|own| dialect.is_option(&own.name, wanted));
    let mut settings: Vec<Setting> = Vec::new();
    let mut set = |option: &ListedOption, value: &str| {
        let value = checked(option, value).map_err(|error| error.to_phrase())?;
        settings.push(Setting { name: option.name.clone(), value });
        Ok::<(), Phrase>(())
    };
    for Setting { name, value } in rules {
        match find(name) {
            Some(option) => set(option, value)?,
            None => log::warn!(
                "engine {} has no option for the rule {name}: it may play by other rules",
                entry.name
            ),
        }
    }
    for Setting { name, value } in &entry.options {
        let Some(option) = find(name) else {
            let names: Vec<&str> = listed.iter().map(|own| own.name.as_str()).collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            let name = excerpt(name);
            return Err(phrase!("it has no option `{name}`; its options: {known}", name, known));
        };
        set(option, value)?;
    }
    let ponder = find("Ponder").filter(|_| entry.ponder);
    // The unit of a score is the engine's own secret; chances to win mean the same for all.
    for option in [ponder, find("UCI_ShowWDL")].into_iter().flatten() {
        if settings.iter().all(|s| s.name != option.name) {
            settings.push(Setting { name: option.name.clone(), value: "true".into() });
        }
    }
    Ok(settings)
}

/// Refuses times that an engine cannot be told, once it is ready.
///
/// # Errors
///
/// Names the time and one that would be right.
pub fn check_times(limit: &Limit, dialect: &dyn Dialect) -> Result<(), Phrase> {
    let unit = u64::try_from(dialect.time_unit().as_millis()).unwrap_or(u64::MAX).max(1);
    let clock = limit.clock.as_ref();
    let told = clock.filter(|_| dialect.tells_increments());
    let times = [
        (limit.move_ms, phrase!("a time per move")),
        (clock.map(|clock| clock.time_ms), phrase!("a clock")),
        (told.map(|clock| clock.increment_ms), phrase!("an increment")),
    ];
    let seconds = |ms: u64| format!("{}", ms as f64 / 1000.0);
    for (ms, what) in times {
        if let Some(ms) = ms.filter(|ms| !ms.is_multiple_of(unit)) {
            return Err(phrase!(
                "it is told times in whole seconds: {what} of {time} s cannot be sent to it; {right} s can",
                what,
                time = seconds(ms),
                right = seconds(ms.next_multiple_of(unit))
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::game::Player;
    use agon_matchlog::limits::set;
    use agon_wire::dialect::by_name;
    use agon_wire::message::Command;

    fn option(name: &str, rest: &str) -> ListedOption {
        ListedOption { name: name.into(), rest: rest.into() }
    }

    #[test]
    fn values_are_those_that_the_engine_lists_in_its_spelling() {
        for (rest, value, expected) in [
            ("type spin default 20 min 0 max 20", "20", Some("20")),
            ("type spin min 0 max 20 default 1", "21", None),
            ("type spin default 20 min 0 max 20", "many", None),
            ("type spin default 20", "21", Some("21")),
            ("type check default true", "False", Some("false")),
            ("type check default true", "1", None),
            (
                "type combo default Solid var Solid var Very Risky var Mad",
                "very risky",
                Some("Very Risky"),
            ),
            ("type combo var solid var normal default normal", "normal", Some("normal")),
            ("type combo var solid var normal default normal", "default", None),
            ("type combo default Solid var Solid var Very Risky", "Very", None),
            ("type string default <empty>", "any text", Some("any text")),
            ("type button", "", Some("")),
            ("type button", "now", None),
            ("type dial", "x", Some("x")),
            ("", "x", Some("x")),
        ] {
            let found = checked(&option("A", rest), value);
            assert_eq!(found.as_ref().ok().map(String::as_str), expected, "{rest}: {value}");
            if let Err(error) = found {
                assert!(error.to_phrase().to_string().contains("option A: bad value"), "{rest}");
            }
        }
    }

    #[test]
    fn chances_to_win_are_asked_for_where_they_are_offered_and_not_refused() {
        let mut entry = EngineEntry::default();
        let dialect = by_name("uci", "xiangqi").unwrap();
        let listed = [option("UCI_ShowWDL", "type check default false")];
        let set = |listed: &[ListedOption], entry: &EngineEntry| {
            let settings = to_set(listed, &*dialect, &[], entry).unwrap();
            settings.into_iter().map(|s| format!("{}={}", s.name, s.value)).collect::<Vec<_>>()
        };
        assert_eq!(set(&listed, &entry), ["UCI_ShowWDL=true"]);
        assert_eq!(set(&[], &entry), [""; 0]);
        entry.options.push(Setting { name: "uci_showwdl".into(), value: "false".into() });
        assert_eq!(set(&listed, &entry), ["UCI_ShowWDL=false"]);
    }

    #[test]
    fn an_engine_that_counts_seconds_is_told_whole_ones() {
        let of = |key: &str, value: &str, dialect: &str, line: &str| {
            let mut limit = Limit::default();
            set(&mut limit, key, value).unwrap();
            let game = if dialect.starts_with("gtp") { "nogo" } else { "xiangqi" };
            let mut dialect = by_name(dialect, game).unwrap();
            dialect.write_command(&Command::Identify, Player::First);
            line.lines().for_each(|line| drop(dialect.read_reply(line)));
            check_times(&limit, &*dialect).map_err(|e| e.to_string())
        };
        for (key, value, right) in
            [("movetime", "500ms", "0.5 s"), ("tc", "10+0.1", "0.1 s"), ("tc", "40/90.5", "90.5 s")]
        {
            let error = of(key, value, "ucci", "id name x").unwrap_err();
            assert!(error.contains(right), "{error}");
            assert_eq!(
                of(key, value, "ucci", "option usemillisec type check default false"),
                Ok(())
            );
            assert_eq!(of(key, value, "uci", "id name x"), Ok(()));
        }
        // The handshake of an engine that lists commands.
        let lists = |commands: &str| format!("= {commands}\n= x\n= 1\n= x\n= x");
        let (clocked, other) = (lists("time_settings time_left"), lists("time_left"));
        for (key, value) in [("movetime", "500ms"), ("tc", "90.5")] {
            assert!(of(key, value, "gtp", &clocked).unwrap_err().contains("whole seconds"));
            assert_eq!(of(key, value, "gtp", &other), Ok(()));
            assert_eq!(of(key, value, "gtp-stages", &clocked), Ok(()));
        }
        assert_eq!(of("tc", "10+0.1", "gtp", &clocked), Ok(()));
        for (key, value) in [("movetime", "2s"), ("tc", "10+1"), ("depth", "3")] {
            assert_eq!(of(key, value, "ucci", "id name x"), Ok(()));
        }
    }
}
