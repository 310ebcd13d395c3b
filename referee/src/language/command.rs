//! The help of the command line in the user's language.

use super::locale::Language;
use clap::builder::StyledStr;
use clap::{Arg, Command};

/// The commands that people use at the board. The others are for those who develop engines and stay
/// in English.
const AT_THE_BOARD: [&str; 4] = ["check", "desk", "events", "serve"];

/// The language of the messages of a command line: a command that is not for the board has English
/// ones.
pub fn of_arguments(arguments: &[String], user: Language, command: &Command) -> Language {
    let name = arguments.get(1).map_or("", String::as_str);
    let is_command = command.get_subcommands().any(|sub| sub.get_name() == name);
    if is_command && !AT_THE_BOARD.contains(&name) { Language::English } else { user }
}

/// The command line with its help in a language.
pub fn localized(mut command: Command, language: Language) -> Command {
    if language == Language::English {
        return command;
    }
    // This adds `--help`, `--version` and `help`.
    command.build();
    let subcommands = |sub: Command| match AT_THE_BOARD.contains(&sub.get_name()) {
        true => page(sub, language),
        false => abouts(sub, language),
    };
    page(command, language).subcommand_help_heading("命令").mut_subcommands(subcommands)
}

/// The page of a command: its descriptions, its arguments and the headings.
fn page(command: Command, language: Language) -> Command {
    let mut command = abouts(command, language);
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").split(' ').map(|word| language.text(word));
    let usage = usage.collect::<Vec<_>>().join(" ");
    let after = command.get_after_help().map(|text| translated(text, language));
    if let Some(after) = after {
        command = command.after_help(after);
    }
    let template = "{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";
    command
        .override_usage(usage)
        .help_template(template)
        .mut_args(|argument| described(argument, language))
}

/// The short and the long description of a command.
fn abouts(mut command: Command, language: Language) -> Command {
    let short = command.get_about().map(|text| translated(text, language));
    let long = command.get_long_about().map(|text| translated(text, language));
    if let Some(short) = short {
        command = command.about(short);
    }
    match long {
        Some(long) => command.long_about(long),
        None => command,
    }
}

/// An argument with its help; clap's own notes on values are in English, so they are written here.
fn described(argument: Arg, language: Language) -> Arg {
    let heading = if argument.is_positional() { "参数" } else { "选项" };
    let notes = notes(&argument, language);
    let with_notes = |help: &StyledStr| translated(help, language) + &notes;
    let short = argument.get_help().map(with_notes);
    let long = argument.get_long_help().map(with_notes);
    let mut argument =
        argument.help_heading(heading).hide_default_value(true).hide_possible_values(true);
    if let Some(short) = short {
        argument = argument.help(short);
    }
    match long {
        Some(long) => argument.long_help(long),
        None => argument,
    }
}

/// The default and the possible values of an argument.
fn notes(argument: &Arg, language: Language) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let list = |values: Vec<String>| values.join(", ");
    let default = list(
        argument.get_default_values().iter().map(|v| v.to_string_lossy().into_owned()).collect(),
    );
    let possible =
        list(argument.get_possible_values().iter().map(|v| v.get_name().to_string()).collect());
    let mut notes = String::new();
    for (form, values) in [("default", default), ("possible values", possible)] {
        if !values.is_empty() {
            notes += " ";
            notes += &language.text(&format!("[{form}: {values}]"));
        }
    }
    notes
}

/// The paragraphs of a text. Clap takes the full stop from the end of some.
fn translated(text: &StyledStr, language: Language) -> String {
    let text = text.to_string();
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let found = language.text(paragraph);
        if found != paragraph {
            return found.into_owned();
        }
        match paragraph.strip_suffix('.') {
            Some(sentence) if language.text(sentence) != sentence => {
                language.text(sentence).into_owned() + "。"
            }
            _ => found.into_owned(),
        }
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}
