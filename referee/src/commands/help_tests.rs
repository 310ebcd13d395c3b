//! Tests of the help in Chinese.

use super::localize::{of_arguments, refusal};
use super::{Cli, in_language};
use agon_base::language::{Language, help};
use clap::{Command, CommandFactory};
use std::collections::BTreeSet;

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
        texts.extend(page.render_usage().to_string().split(' ').map(String::from));
    }
    let unused = help().filter(|(text, _)| !texts.contains(text.trim_end_matches('.')));
    let unused: Vec<_> = unused.map(|(text, _)| text).collect();
    assert!(unused.is_empty(), "texts in help.zh.txt that no help has: {unused:#?}");
}
