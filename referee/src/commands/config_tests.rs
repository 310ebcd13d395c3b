//! Tests of `--config`: for every flag of every subcommand, the command line wins.

use super::*;
use crate::commands::Cli;
use crate::commands::flags::{EngineFlags, LimitFlags};
use agon_engine::EngineSpec;
use agon_matchlog::EngineEntry;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::io::Write;

/// The program with its subcommands, built once.
fn program() -> &'static Command {
    static PROGRAM: std::sync::OnceLock<Command> = std::sync::OnceLock::new();
    PROGRAM.get_or_init(Cli::command)
}

fn expanded(subcommand: &[&str], toml: &str, arguments: &[&str]) -> Result<Expanded> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(toml.as_bytes()).unwrap();
    let path = file.path().display().to_string();
    let mut all = vec!["referee"];
    all.extend(subcommand);
    all.extend(["--config", &path]);
    all.extend(arguments);
    expand(all.into_iter().map(String::from).collect(), program())
}

fn arguments(toml: &str, arguments: &[&str]) -> Vec<String> {
    expanded(&["tournament"], toml, arguments).unwrap().arguments
}

/// The values of a flag of the expanded command line; `None` if it is not there.
fn values(expanded: &Expanded, long: &str) -> Option<Vec<String>> {
    let (at, command) = subcommand(&expanded.arguments, program()).unwrap();
    let matches = matches_of(&expanded.arguments[at..], command).unwrap();
    let arg = command.get_arguments().find(|a| a.get_long() == Some(long)).unwrap();
    let id = arg.get_id().as_str();
    if matches.value_source(id) != Some(ValueSource::CommandLine) {
        return None;
    }
    let raw = matches.get_raw(id).into_iter().flatten();
    Some(raw.map(|v| v.to_string_lossy().into_owned()).collect())
}

/// Two valid values of a flag of a subcommand; `None` if none of those that are tried is valid.
fn samples(arg: &Arg, command: &Command) -> Option<[String; 2]> {
    if let [a, .., b] = arg.get_possible_values().as_slice() {
        return Some([a, b].map(|value| value.get_name().to_string()));
    }
    let is_valid = |value: &str| {
        let flag = format!("--{}={value}", arg.get_long().unwrap_or_default());
        let matches = matches_of(&[flag], command);
        matches.and_then(|m| m.get_raw(arg.get_id().as_str())?.next().map(|_| ())).is_some()
    };
    let pairs =
        [["3", "4"], ["yes", "no"], ["1/3", "2/3"], ["3M", "4M"], ["3s", "4s"], ["a=3", "b=4"]];
    let valid = pairs.into_iter().find(|pair| pair.iter().all(|value| is_valid(value)));
    valid.map(|pair| pair.map(String::from))
}

/// All subcommands without subcommands of their own, as words.
fn leaves(command: &Command, path: &[String], out: &mut Vec<Vec<String>>) {
    for inner in command.get_subcommands() {
        let path = [path, &[inner.get_name().to_string()]].concat();
        if inner.has_subcommands() { leaves(inner, &path, out) } else { out.push(path) }
    }
}

#[test]
fn every_flag_on_the_command_line_replaces_the_value_of_the_file() {
    let mut all = Vec::new();
    leaves(program(), &[], &mut all);
    let (mut tested, mut unknown) = (0, Vec::new());
    for path in &all {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let mut command = program();
        for word in &words {
            command = command.find_subcommand(word).unwrap();
        }
        let visible =
            |a: &&Arg| !a.is_hide_set() && !matches!(a.get_long(), Some("help" | "version"));
        for arg in command.get_arguments().filter(visible) {
            let Some(long) = arg.get_long() else { continue };
            let place = format!("{path:?} --{long}");
            // A key may be written with dashes or with underscores.
            let key = long.replace('-', "_");
            tested += 1;
            if matches!(arg.get_action(), ArgAction::SetTrue) {
                let on = |toml: &str, flag: &str| {
                    let all = expanded(&words, &format!("{key} = {toml}"), &[flag]).unwrap();
                    values(&all, long).is_some()
                };
                assert!(on("false", &format!("--{long}")), "{place}");
                assert!(on("true", &format!("--{long}")), "{place}");
                assert!(on("false", &format!("--{long}=true")), "{place}");
                assert!(!on("true", &format!("--{long}=false")), "{place}");
                assert!(on("true", "--no-such-flag=false"), "{place}");
                continue;
            }
            let Some([a, b]) = samples(arg, command) else {
                unknown.push(place);
                continue;
            };
            let of_file = expanded(&words, &format!("{key} = \"{a}\""), &[]).unwrap();
            assert_eq!(values(&of_file, long), Some(vec![a.clone()]), "{place}");
            let mut spellings = vec![vec![format!("--{long}={b}")]];
            if !arg.is_require_equals_set() {
                spellings.push(vec![format!("--{long}"), b.clone()]);
            }
            spellings.extend(arg.get_short().map(|s| vec![format!("-{s}{b}")]));
            for spelling in spellings {
                let words_of_flag: Vec<&str> = spelling.iter().map(String::as_str).collect();
                let toml = format!("{key} = \"{a}\"");
                let both = values(&expanded(&words, &toml, &words_of_flag).unwrap(), long);
                // Shared fields are joined: the later ones win.
                let expected =
                    if long == "each" { vec![a.clone(), b.clone()] } else { vec![b.clone()] };
                assert_eq!(both, Some(expected), "{place} {spelling:?}");
            }
        }
    }
    assert!(unknown.len() < 5, "no valid values are known of {unknown:?}");
    assert!(all.len() >= 14 && tested > 150, "{tested} flags of {} subcommands", all.len());
}

#[test]
fn a_flag_replaces_the_flags_of_the_file_that_conflict_with_it() {
    let toml = "openings = \"a.txt\"\ngame = \"amazons\"";
    let all = expanded(&["match"], toml, &["--random-plies", "4"]).unwrap();
    assert_eq!(values(&all, "openings"), None);
    assert_eq!(values(&all, "game"), Some(vec!["amazons".into()]));
    let all = expanded(&["match"], "random-plies = 4", &["--openings", "a.txt"]).unwrap();
    assert_eq!(values(&all, "random-plies"), None);
}

#[test]
fn short_flags_and_groups_of_them_replace_the_file() {
    let toml = "concurrency = 2\nquiet = false";
    let all = expanded(&["match"], toml, &["-qj4"]).unwrap();
    assert_eq!(values(&all, "concurrency"), Some(vec!["4".into()]));
    assert!(values(&all, "quiet").is_some());
}

/// The engines that the command line and the file describe together.
fn engines(toml: &str, flags: &[&str]) -> Vec<EngineEntry> {
    let all = arguments(toml, flags);
    let command = Cli::command().find_subcommand("tournament").unwrap().clone();
    let lenient = command.ignore_errors(true).no_binary_name(true);
    let matches = lenient.try_get_matches_from(&all[2..]).unwrap();
    let limits = LimitFlags::from_arg_matches(&matches).unwrap().resolve().unwrap();
    EngineFlags::from_arg_matches(&matches).unwrap().resolve(&limits).unwrap()
}

const TWO: &str = r#"
    movetime = 50
    [each]
    tc = "60+0.5"
    margin = "200ms"
    option.Hash = 16
    [[engine]]
    name = "a"
    cmd = "/bin/sh"
    [[engine]]
    name = "b"
    cmd = "/bin/sh"
    tc = "40/120"
    depth = 9
    memory = "1G"
    option.Hash = 32
    [[engine]]
    name = "c"
    cmd = "/bin/sh"
    nodes = 5
"#;

#[test]
fn a_limit_on_the_command_line_replaces_that_of_every_engine_of_the_file() {
    let limits = |flags: &[&str]| -> Vec<String> {
        engines(TWO, flags).iter().map(|e| e.limit.to_string()).collect()
    };
    assert_eq!(limits(&[]), ["60+0.5 s", "40/120+0 s, depth 9", "5 nodes per move"]);
    assert_eq!(
        limits(&["--tc", "1+0.01"]),
        ["1+0.01 s", "1+0.01 s, depth 9", "1+0.01 s, 5 nodes per move"]
    );
    assert_eq!(limits(&["--each=tc=1+0.01"])[1], "1+0.01 s, depth 9");
    let margins = |flags: &[&str]| engines(TWO, flags).iter().map(|e| e.limit.margin_ms).max();
    assert_eq!(margins(&[]), Some(200));
    assert_eq!(margins(&["--margin", "7"]), Some(7));
    for (flag, value, shown) in [
        ("--movetime", "30", "30 ms per move"),
        ("--depth", "3", "depth 3"),
        ("--nodes", "77", "77 nodes per move"),
    ] {
        let all = limits(&[flag, value]);
        assert!(all.iter().all(|limit| limit.contains(shown)), "{flag}: {all:?}");
    }
}

#[test]
fn shared_fields_on_the_command_line_replace_those_of_every_engine_of_the_file() {
    let all = engines(TWO, &["--each", "option.Hash=64,memory=2G", "--tc", "2"]);
    for engine in &all {
        assert_eq!(engine.options.len(), 1, "{engine:?}");
        assert_eq!(engine.options[0].value, "64");
        assert_eq!(engine.memory_mib, Some(2048));
        assert_eq!(engine.limit.clock.as_ref().map(|c| c.time_ms), Some(2000));
        assert_eq!(engine.limit.margin_ms, 200, "the file's own value stays");
    }
}

#[test]
fn an_engine_on_the_command_line_replaces_those_of_the_file_and_keeps_its_own_limit() {
    let all = engines(TWO, &["--engine", "name=x,cmd=/bin/sh,depth=1", "--tc", "3"]);
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].limit.to_string(), "depth 1");
}

/// Whether the file sets the clock for one engine, for all engines or as a flag.
#[test]
fn a_time_per_move_on_the_command_line_replaces_a_clock_of_the_file_and_the_other_way_round() {
    let file = |limits: [&str; 3]| {
        let [flag, each, own] = limits;
        format!(
            "{flag}\n[each]\nmargin = 7\n{each}\n[[engine]]\nname = \"a\"\ncmd = \"/bin/sh\"\n{own}"
        )
    };
    for limits in [["tc = \"60\"", "", ""], ["", "tc = \"60\"", ""], ["", "", "tc = \"60\""]] {
        let all = engines(&file(limits), &["--movetime", "500ms"]);
        assert_eq!((&all[0].limit.clock, all[0].limit.move_ms), (&None, Some(500)), "{limits:?}");
    }
    let movetime = "movetime = \"2s\"".to_string();
    for limits in [[&*movetime, "", ""], ["", &*movetime, ""], ["", "", &*movetime]] {
        let all = engines(&file(limits), &["--tc", "9"]);
        let clock = all[0].limit.clock.as_ref().map(|clock| clock.time_ms);
        assert_eq!((clock, all[0].limit.move_ms), (Some(9000), None), "{limits:?}");
    }
    // Other limits hold beside it.
    let all = engines(&file(["", "", "tc = \"60\"\ndepth = 3"]), &["--movetime", "500ms"]);
    assert_eq!((all[0].limit.move_ms, all[0].limit.depth), (Some(500), Some(3)));
}

#[test]
fn a_field_of_one_engine_is_no_field_of_all() {
    let all = arguments("each.name = \"x\"", &[]);
    let message = EngineSpec::parse_shared(all[2].strip_prefix("--each=").unwrap());
    assert!(message.unwrap_err().to_string().contains("one engine"));
}

#[test]
fn an_engine_table_is_the_engine_that_its_text_would_be() {
    let toml = r#"
        [[engine]]
        name = "A, the first"
        cmd = ["./my prog", "--x", "a,b"]
        tc = "60+0.5"
        memory = 512
        [engine.option]
        Hash = 0x40
        "Skill Level" = "it's"
        [engine.env]
        X = "1"
    "#;
    let all = arguments(toml, &[]);
    let spec = EngineSpec::parse(all[2].strip_prefix("--engine=").unwrap()).unwrap();
    assert_eq!(spec.name.as_deref(), Some("A, the first"));
    assert_eq!(
        (&spec.command[..], spec.arguments.join(" ")),
        (&["./my prog".into()][..], "--x a,b".into())
    );
    assert_eq!((spec.options[0].name.as_str(), spec.options[0].value.as_str()), ("Hash", "64"));
    assert_eq!(spec.options[1].name, "Skill Level");
    assert_eq!(spec.options[1].value, "it's");
    assert_eq!((spec.env[0].value.as_str(), spec.memory_mib), ("1", Some(512)));
}

#[test]
fn a_command_of_a_file_has_the_words_that_its_quotes_say() {
    for (toml, words) in [
        (r#"cmd = '"/x/My Engines/e"'"#, &["/x/My Engines/e"][..]),
        (r#"cmd = "'/x/My Engines/e'""#, &["/x/My Engines/e"]),
        (r#"cmd = '"/x/My Engines/e" --level 3'"#, &["/x/My Engines/e", "--level", "3"]),
        (r#"cmd = ["/x/My Engines/e"]"#, &["/x/My Engines/e"]),
        (r#"cmd = "/x/e --level a,b""#, &["/x/e", "--level", "a,b"]),
        (r#"cmd = "/x/Bob's Engines/e""#, &["/x/Bob's Engines/e"]),
    ] {
        let all = arguments(&format!("[[engine]]\n{toml}"), &[]);
        let spec = EngineSpec::parse(all[2].strip_prefix("--engine=").unwrap()).unwrap();
        assert_eq!(spec.command, words, "{toml}");
    }
    // Without quotes all of it may be a path, if there is such a file.
    let all = arguments("[[engine]]\ncmd = \"/x/My Engines/e\"", &[]);
    let spec = EngineSpec::parse(all[2].strip_prefix("--engine=").unwrap()).unwrap();
    assert_eq!(spec.unquoted.as_deref(), Some("/x/My Engines/e"));
}

#[test]
fn mistakes_name_the_file_the_line_and_the_key() {
    let message = |toml| format!("{:#}", expanded(&["match"], toml, &[]).unwrap_err());
    let error = message("game = \"amazons\"\nopenings = 1979-05-27\n");
    assert!(error.contains("line 2: openings"), "{error}");
    let error = message("\n\nnumber-of-games = 2\n");
    assert!(
        error.contains("line 3: number-of-games") && error.contains("referee match"),
        "{error}"
    );
    assert!(message("quiet = \"yes\"").contains("expected true or false"));
    assert!(message("game = ").contains("--config"));
    let no_file = vec!["referee".into(), "match".into(), "--config".into()];
    assert!(expand(no_file, program()).is_err());
}

#[test]
fn an_error_about_a_value_of_the_file_says_so() {
    let all = expanded(&["match"], "games = \"many\"", &["--seed", "x"]).unwrap();
    let error = Cli::try_parse_from(&all.arguments).err().unwrap();
    assert!(all.place(&error).is_some_and(|place| place.ends_with(", games")), "{error}");
    let all = expanded(&["match"], "games = 2", &["--seed", "x"]).unwrap();
    let error = Cli::try_parse_from(&all.arguments).err().unwrap();
    assert_eq!(all.place(&error), None, "{error}");
}
