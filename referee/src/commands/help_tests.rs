//! Tests of the help: its groups, examples and lengths, and its Chinese.

use super::help::WIDTH;
use super::localize::{of_arguments, refusal};
use super::{Cli, in_language};
use agon_base::language::{Language, help};
use agon_fastchess::Persona;
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory};
use std::collections::BTreeSet;

/// Maximum number of lines of the short help.
const SHORT: usize = 60;

/// All commands without commands of their own, as words of the command line.
fn leaves(command: &Command, path: &str, out: &mut Vec<(String, Command)>) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let path = format!("{path} {}", inner.get_name());
        match inner.has_subcommands() {
            true => leaves(inner, &path, out),
            false => out.push((path, inner.clone())),
        }
    }
}

fn all_commands() -> Vec<(String, Command)> {
    let mut all = Vec::new();
    leaves(&in_language(Language::English), "referee", &mut all);
    assert!(all.len() > 20, "{}", all.len());
    all
}

/// The flags that a user sees, besides those of clap.
fn flags(command: &Command) -> impl Iterator<Item = &Arg> {
    let own = |a: &&Arg| !matches!(a.get_id().as_str(), "help" | "version");
    command.get_arguments().filter(|a| !a.is_positional() && !a.is_hide_set()).filter(own)
}

#[test]
fn every_flag_has_a_group_and_every_group_an_example_that_is_accepted() {
    for (path, command) in all_commands() {
        for flag in flags(&command) {
            let heading = flag.get_help_heading().unwrap_or_default();
            let example = heading.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(')'));
            let Some(example) = example else {
                panic!("{path} {}: its group `{heading}` has no example", flag.get_id());
            };
            let words = path.split(' ').skip(1).chain(example.split(' '));
            let words: Vec<&str> = std::iter::once("referee").chain(words).collect();
            match in_language(Language::English).try_get_matches_from(&words) {
                // The example is of one group, not of a whole command line.
                Err(e) if e.kind() != ErrorKind::MissingRequiredArgument => {
                    panic!("{words:?}: {e}")
                }
                _ => {}
            }
        }
        let places = command.get_arguments().filter(|a| a.is_positional());
        places.for_each(|a| assert_eq!(a.get_help_heading(), None, "{path} {}", a.get_id()));
    }
}

#[test]
fn every_command_has_an_example_that_is_accepted() {
    for (path, command) in all_commands() {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let Some(example) = text.strip_prefix("Example:\n  ") else { panic!("{path}: {text}") };
        assert!(example.starts_with(&format!("{path} ")), "{path}: {example}");
        // As a shell does it with the one example that has quotes.
        let quoted = example.split('\'').enumerate();
        let words: Vec<&str> = quoted
            .flat_map(
                |(i, part)| if i % 2 == 0 { part.trim().split(' ').collect() } else { vec![part] },
            )
            .filter(|word| !word.is_empty())
            .collect();
        if let ["referee", "fastchess", words @ ..] = words.as_slice() {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            agon_fastchess::Command::read(&words, Persona::Fastchess, 1).map(drop).unwrap();
            continue;
        }
        let parsed = in_language(Language::English).try_get_matches_from(&words);
        assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
    }
}

#[test]
fn short_help_is_short_and_no_line_is_wider_than_a_terminal() {
    let mut pages = all_commands();
    pages.push(("referee".into(), in_language(Language::English)));
    for (path, mut command) in pages {
        command = command.term_width(WIDTH);
        let [short, long] =
            [command.render_help(), command.render_long_help()].map(|t| t.to_string());
        assert!(short.lines().count() <= SHORT, "{path}: {} lines\n{short}", short.lines().count());
        for line in short.lines().chain(long.lines()) {
            assert!(line.chars().count() <= WIDTH, "{path}: {line}");
        }
        for flag in flags(&command) {
            let name = format!("--{}", flag.get_long().unwrap_or_default());
            assert!(long.contains(&name), "{path}: --help has no {name}");
            let is_rare = flag.is_hide_short_help_set();
            let line =
                short.lines().any(|line| line.trim_start().split([' ', '[']).any(|w| w == name));
            assert_ne!(line, is_rare, "{path} {name}: -h\n{short}");
        }
    }
}

/// The pages that are in Chinese: the program's own and those of commands for the board.
fn pages() -> Vec<Command> {
    let command = in_language(Language::Chinese);
    let names = ["check", "desk", "events", "serve"];
    let subcommands = names.map(|name| command.find_subcommand(name).unwrap().clone());
    [command.clone()].into_iter().chain(subcommands).collect()
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c))
}

#[test]
fn all_help_of_the_commands_at_the_board_is_in_chinese() {
    for page in pages() {
        let name = page.get_name();
        let long_about = page.get_long_about().map(ToString::to_string).unwrap_or_default();
        let about = page.get_about().unwrap().to_string();
        for paragraph in long_about.split("\n\n").filter(|p| !p.is_empty()).chain([&*about]) {
            assert!(is_chinese(paragraph), "{name}: {paragraph}");
        }
        for argument in page.get_arguments().filter(|a| !a.is_hide_set()) {
            let id = argument.get_id();
            let help = argument.get_help().unwrap_or_else(|| panic!("{name} {id}: no help"));
            assert!(is_chinese(&help.to_string()), "{name} {id}: {help}");
            let long = argument.get_long_help().map(ToString::to_string).unwrap_or_default();
            for paragraph in long.split("\n\n").filter(|p| !p.is_empty()) {
                assert!(is_chinese(paragraph), "{name} {id}: {paragraph}");
            }
        }
    }
}

#[test]
fn the_program_lists_every_command_in_chinese() {
    let command = in_language(Language::Chinese);
    for sub in command.get_subcommands() {
        let about = sub.get_about().unwrap().to_string();
        assert!(is_chinese(&about), "{}: {about}", sub.get_name());
    }
}

#[test]
fn headings_defaults_and_usage_are_in_chinese_too() {
    for mut page in pages() {
        let name = page.get_name().to_string();
        for heading in page.get_arguments().filter_map(Arg::get_help_heading) {
            assert!(is_chinese(heading), "{name}: {heading}");
        }
        for text in [page.render_help().to_string(), page.render_long_help().to_string()] {
            for english in
                ["Usage:", "Options:", "Arguments:", "Commands:", "[default", "[OPTIONS]"]
            {
                assert!(!text.contains(english), "{name}: {english} in\n{text}");
            }
            assert!(text.contains("用法：") && text.contains("选项:"), "{text}");
        }
    }
    let mut desk = pages().into_iter().find(|page| page.get_name() == "desk").unwrap();
    let help = desk.render_help().to_string();
    assert!(help.contains("[默认：A] [可选值：A, B]"), "{help}");
}

#[test]
fn a_wrong_command_line_is_explained_in_chinese() {
    let command = in_language(Language::Chinese);
    for (line, expected) in [
        ("referee desk --team C --game nogo", ["'--team <A|B>' 的值 'C' 无效", "[可选值：A, B]"]),
        ("referee desk", ["缺少下列必需的参数：", "用法：referee desk"]),
        ("referee desk --gmae nogo", ["不认识的参数 '--gmae'", "相近的参数：'--game'"]),
        (
            "referee check a --event e --games 0",
            ["的值 '0' 无效：0 不在范围 1..=99 内", "'--help'"],
        ),
        ("referee serve --port x", ["'--port <PORT>' 的值 'x' 无效：应为整数", "详细说明见"]),
    ] {
        let error = command.clone().try_get_matches_from(line.split(' ')).unwrap_err();
        let text = refusal(&error, Language::Chinese);
        for part in expected {
            assert!(text.contains(part), "{line}: {part} in\n{text}");
        }
    }
}

#[test]
fn commands_for_the_development_of_engines_stay_in_english() {
    let language = |line: &str| {
        let arguments: Vec<String> = line.split(' ').map(String::from).collect();
        of_arguments(&arguments, Language::Chinese, &Cli::command())
    };
    for line in ["referee match --game nogo", "referee sprt"] {
        assert_eq!(language(line), Language::English, "{line}");
    }
    for line in ["referee", "referee desk --game nogo", "referee check x", "referee nonsense"] {
        assert_eq!(language(line), Language::Chinese, "{line}");
    }
}

#[test]
fn every_text_of_the_help_in_chinese_is_used() {
    let mut command = in_language(Language::English);
    command.build();
    let mut texts = BTreeSet::new();
    let pages: Vec<Command> =
        [command.clone()].into_iter().chain(command.get_subcommands().cloned()).collect();
    for mut page in pages {
        let arguments = page.get_arguments().flat_map(|a| [a.get_help(), a.get_long_help()]);
        let all = arguments.chain([page.get_about(), page.get_long_about()]).flatten();
        for text in all.map(ToString::to_string) {
            texts.extend(text.split("\n\n").map(|part| part.trim_end_matches('.').to_string()));
        }
        texts.extend(page.get_arguments().filter_map(Arg::get_help_heading).map(String::from));
        texts.extend(page.render_usage().to_string().split(' ').map(String::from));
    }
    let unused = help().filter(|(text, _)| !texts.contains(text.trim_end_matches('.')));
    let unused: Vec<_> = unused.map(|(text, _)| text).collect();
    assert!(unused.is_empty(), "texts in help.zh.txt that no help has: {unused:#?}");
}
