//! The help of the command line in the user's language.

use agon_base::language::Language;
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::error::Error;
use std::net::AddrParseError;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

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
    let usage = words(&usage, language);
    let template = "{about-with-newline}\n用法：{usage}\n\n{all-args}{after-help}";
    command
        .override_usage(usage)
        .help_template(template)
        .mut_args(|argument| described(argument, language))
}

/// A line on usage with its words such as `[OPTIONS]`.
fn words(usage: &str, language: Language) -> String {
    let words = usage.trim_start_matches("Usage: ").split(' ');
    words.map(|word| language.of_key(word).unwrap_or(word)).collect::<Vec<_>>().join(" ")
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
    let mut argument = argument.hide_default_value(true).hide_possible_values(true);
    // Groups of flags are translated with their examples.
    if argument.get_help_heading().is_none() {
        argument = argument.help_heading(heading);
    }
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
    if !default.is_empty() {
        notes += " ";
        notes += &language.say(&phrase!("[default: {values}]", values = default));
    }
    if !possible.is_empty() {
        notes += " ";
        notes += &language.say(&phrase!("[possible values: {values}]", values = possible));
    }
    notes
}

/// The paragraphs of a text. Clap takes the full stop from the end of some.
fn translated(text: &StyledStr, language: Language) -> String {
    let text = text.to_string();
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let whole = language.of_key(paragraph).map(String::from);
        let sentence = || Some(language.of_key(paragraph.strip_suffix('.')?)?.to_string() + "。");
        whole.or_else(sentence).unwrap_or_else(|| paragraph.into())
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Why a command line is refused, in another language, of the parts that clap's English text has.
pub fn refusal(error: &clap::Error, language: Language) -> String {
    let Some(what) = what_is_wrong(error) else { return error.to_string() };
    let mut text = language.say(&phrase!("error: {what}", what));
    if error.kind() == ErrorKind::MissingRequiredArgument {
        for argument in values(error, ContextKind::InvalidArg) {
            text += &format!("\n  {argument}");
        }
    }
    let possible = values(error, ContextKind::ValidValue);
    if !possible.is_empty() {
        let values = possible.join(", ");
        text += "\n  ";
        text += &language.say(&phrase!("[possible values: {values}]", values));
    }
    let tips = tips(error);
    text += if tips.is_empty() { "" } else { "\n" };
    for tip in tips {
        text += "\n  ";
        text += &language.say(&phrase!("tip: {tip}", tip));
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = words(&usage.to_string(), language);
        text += "\n\n";
        text += &language.say(&phrase!("Usage: {usage}", usage));
    }
    text + "\n\n" + &language.say(&phrase!("For more information, try '--help'."))
}

/// The texts of a part of an error.
fn values(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::StyledStrs(texts)) => texts.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// The first line of an error; `None` for a page of help and for what no command of this program refuses.
fn what_is_wrong(error: &clap::Error) -> Option<Phrase> {
    let part = |kind| values(error, kind).into_iter().next();
    let argument = part(ContextKind::InvalidArg);
    let value = part(ContextKind::InvalidValue);
    Some(match error.kind() {
        ErrorKind::UnknownArgument => {
            phrase!("unexpected argument '{argument}' found", argument = argument?)
        }
        ErrorKind::InvalidSubcommand => {
            let name = part(ContextKind::InvalidSubcommand)?;
            phrase!("unrecognized subcommand '{name}'", name)
        }
        ErrorKind::MissingSubcommand => {
            let name = part(ContextKind::InvalidSubcommand)?;
            phrase!("'{name}' requires a subcommand but one was not provided", name)
        }
        ErrorKind::MissingRequiredArgument => {
            phrase!("the following required arguments were not provided:")
        }
        ErrorKind::InvalidValue if value.as_ref()?.is_empty() => {
            phrase!(
                "a value is required for '{argument}' but none was supplied",
                argument = argument?
            )
        }
        ErrorKind::InvalidValue => phrase!(
            "invalid value '{value}' for '{argument}'",
            value = value?,
            argument = argument?
        ),
        ErrorKind::ValueValidation => {
            let (value, argument) = (value?, argument?);
            let cause = unreadable(error.source()?, &value);
            phrase!("invalid value '{value}' for '{argument}': {cause}", value, argument, cause)
        }
        ErrorKind::TooManyValues => phrase!(
            "unexpected value '{value}' for '{argument}' found; no more were expected",
            value = value?,
            argument = argument?
        ),
        ErrorKind::ArgumentConflict => {
            let argument = argument?;
            let others = values(error, ContextKind::PriorArg);
            if others.contains(&argument) {
                phrase!("the argument '{argument}' cannot be used multiple times", argument)
            } else {
                let others = others.join("', '");
                phrase!(
                    "the argument '{argument}' cannot be used with '{others}'",
                    argument,
                    others
                )
            }
        }
        _ => return None,
    })
}

/// Why a value cannot be read.
fn unreadable(cause: &(dyn Error + 'static), value: &str) -> Phrase {
    let text = cause.to_string();
    if let Some(range) = text.strip_prefix(value).and_then(|rest| rest.strip_prefix(" is not in "))
    {
        return phrase!("{value} is not in {range}", value, range);
    }
    if let Some(phrase) = cause.downcast_ref::<Phrase>() {
        return phrase.to_phrase();
    }
    match cause.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::Empty) => phrase!("cannot parse integer from empty string"),
        Some(IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
            phrase!("number too large to fit in target type")
        }
        Some(_) => phrase!("invalid digit found in string"),
        None if cause.is::<ParseFloatError>() => phrase!("invalid float literal"),
        None if cause.is::<AddrParseError>() => phrase!("invalid IP address syntax"),
        None => Phrase::Plain(text),
    }
}

/// What the user may have meant.
fn tips(error: &clap::Error) -> Vec<Phrase> {
    let mut tips = Vec::new();
    let mut similar = |kind, one: fn(String) -> Phrase| {
        let names = values(error, kind);
        if !names.is_empty() {
            tips.push(one(names.join("', '")));
        }
    };
    similar(ContextKind::SuggestedSubcommand, |name| {
        phrase!("a similar subcommand exists: '{name}'", name)
    });
    similar(ContextKind::SuggestedArg, |name| phrase!("a similar argument exists: '{name}'", name));
    similar(ContextKind::SuggestedValue, |name| phrase!("a similar value exists: '{name}'", name));
    let argument = values(error, ContextKind::InvalidArg).concat();
    let as_value = phrase!("to pass '{value}' as a value, use '-- {value}'", value = argument);
    for tip in values(error, ContextKind::Suggested) {
        let is_known = tip == as_value.to_string();
        tips.push(if is_known { as_value.clone() } else { Phrase::Plain(tip) });
    }
    tips
}
