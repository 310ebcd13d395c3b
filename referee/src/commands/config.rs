//! `--config FILE`: any subcommand's flags from a TOML file.
//!
//! A key is a flag without its dashes (`movetime = "100ms"`), `true` is a flag without a value, and
//! an array repeats a flag. `[[engine]]` tables hold the fields of an engine, `[each]` those that
//! all engines share; `option` and `env` are tables in them.
//!
//! The command line wins: a flag on it replaces the file's value of the same flag and of every flag
//! that conflicts with it, and `--FLAG=false` turns off a flag of the file. `--tc` and `--movetime` replace
//! each other. `--tc`, `--movetime`,
//! `--depth`, `--nodes`, `--margin` and the fields of `--each` also replace the values of single
//! engines in the file.

use agon_wire::input_file::{self, MAX_TEXT};
use anyhow::{Context, Result, anyhow, bail};
use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// The flags whose values the engines of a file may set, too.
const LIMITS: [&str; 5] = ["tc", "movetime", "depth", "nodes", "margin"];

/// The limits of time: one on the command line replaces both of the file.
const TIMES: [&str; 2] = ["tc", "movetime"];

/// The arguments of a command line with those of its file.
#[derive(Debug)]
pub struct Expanded {
    /// All arguments.
    pub arguments: Vec<String>,
    /// The file and the flags that it sets, without their dashes.
    pub file: Option<(String, Vec<String>)>,
}

impl Expanded {
    /// The file and the key to which an error of the command line belongs, if the file set it.
    pub fn place(&self, error: &clap::Error) -> Option<String> {
        let (file, keys) = self.file.as_ref()?;
        let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else {
            return None;
        };
        let name = flag.trim_start_matches('-').split([' ', '=']).next()?;
        keys.iter().any(|key| key == name).then(|| format!("{file}, {name}"))
    }
}

/// Adds the flags of the file named by `--config` to the arguments, if there is one. `program` is
/// the whole program with its subcommands.
///
/// # Errors
///
/// Fails if the file cannot be read, is not TOML, or has a key that is not a flag of the subcommand.
pub fn expand(arguments: Vec<String>, program: &Command) -> Result<Expanded> {
    let mut arguments = arguments;
    let file = take_file(&mut arguments)?;
    let Some((at, command)) = subcommand(&arguments, program) else {
        return Ok(Expanded { arguments, file: None });
    };
    let off = take_negations(&mut arguments, command);
    let (Some(file), Some(matches)) = (file, matches_of(&arguments[at..], command)) else {
        return Ok(Expanded { arguments, file: None });
    };
    let given = Given { off, matches };
    let text = input_file::read_stream_text(Path::new(&file), MAX_TEXT)
        .with_context(|| format!("--config {file}"))?;
    let table = DeTable::parse(&text).with_context(|| format!("--config {file}"))?;
    let (mut flags_of_file, mut keys) = (Vec::new(), Vec::new());
    for (key, value) in table.get_ref() {
        let line = 1 + text[..key.span().start].matches('\n').count();
        let name = key.get_ref().replace('_', "-");
        let place = || format!("{file}, line {line}: {name}");
        let flag = command.get_arguments().find(|a| is_named(a, &name) && !a.is_hide_set());
        let flag = flag.with_context(|| {
            format!("{}: not a flag of `referee {}`", place(), command.get_name())
        })?;
        if !given.replaces(flag, command) {
            flags(flag, &name, value.get_ref(), &mut flags_of_file).with_context(place)?;
            keys.push(name);
        }
    }
    // Commands whose flags set no limits of engines (desk, serve) have no --override.
    let overrides = command.get_arguments().any(|a| a.get_long() == Some("override"));
    if overrides && keys.iter().any(|k| matches!(k.as_str(), "engine" | "new" | "base")) {
        let fields = given.engine_fields(command);
        flags_of_file.extend(fields.into_iter().map(|f| format!("--override={f}")));
    }
    arguments.splice(at..at, flags_of_file);
    Ok(Expanded { arguments, file: Some((file, keys)) })
}

/// Removes `--config FILE` from the arguments and returns the file.
fn take_file(arguments: &mut Vec<String>) -> Result<Option<String>> {
    let is_config = |a: &String| a == "--config" || a.starts_with("--config=");
    let Some(at) = arguments.iter().position(is_config) else { return Ok(None) };
    let word = arguments.remove(at);
    if let Some(file) = word.strip_prefix("--config=") {
        return Ok(Some(file.into()));
    }
    if at == arguments.len() {
        bail!("--config: the file is missing");
    }
    Ok(Some(arguments.remove(at)))
}

/// The subcommand and the index of the argument after its name; `None` without a subcommand.
fn subcommand<'a>(arguments: &[String], program: &'a Command) -> Option<(usize, &'a Command)> {
    let (mut at, mut command) = (1, program);
    while let Some(inner) = command.find_subcommand(arguments.get(at)?) {
        (at, command) = (at + 1, inner);
        if !command.has_subcommands() {
            return Some((at, command));
        }
    }
    None
}

/// The flags of a subcommand on the command line, whatever else is wrong with it; `None` if only its
/// help is wanted.
fn matches_of(arguments: &[String], command: &Command) -> Option<ArgMatches> {
    let lenient = command.clone().ignore_errors(true).no_binary_name(true);
    lenient.try_get_matches_from(arguments).ok()
}

/// Replaces `--FLAG=true` by `--FLAG` and removes `--FLAG=false`, for flags without a value.
/// Returns the removed flags.
fn take_negations(arguments: &mut Vec<String>, command: &Command) -> Vec<String> {
    let mut off = Vec::new();
    arguments.retain_mut(|argument| {
        let Some((name, value)) = argument.strip_prefix("--").and_then(|a| a.split_once('='))
        else {
            return true;
        };
        let is_switch = |a: &Arg| is_named(a, name) && matches!(a.get_action(), ArgAction::SetTrue);
        match (command.get_arguments().any(is_switch), value) {
            (true, "false") => {
                off.push(name.to_string());
                false
            }
            (true, "true") => {
                *argument = format!("--{name}");
                true
            }
            _ => true,
        }
    });
    off
}

fn is_named(arg: &Arg, name: &str) -> bool {
    arg.get_long_and_visible_aliases().is_some_and(|names| names.contains(&name))
}

/// The flags on the command line.
struct Given {
    matches: ArgMatches,
    /// The flags that were turned off.
    off: Vec<String>,
}

impl Given {
    fn has(&self, arg: &Arg) -> bool {
        let source = self
            .matches
            .try_contains_id(arg.get_id().as_str())
            .is_ok()
            .then(|| self.matches.value_source(arg.get_id().as_str()));
        source.flatten() == Some(ValueSource::CommandLine)
            || self.off.iter().any(|name| is_named(arg, name))
    }

    /// Whether the command line replaces the file's value of a flag. Shared fields of engines are
    /// joined instead.
    fn replaces(&self, flag: &Arg, command: &Command) -> bool {
        let joined = flag.get_long() == Some("each");
        self.has(flag) && !joined
            || command.get_arguments().filter(|other| self.has(other)).any(|other| {
                let conflict = |a: &Arg, b: &Arg| {
                    command.get_arg_conflicts_with(a).iter().any(|c| c.get_id() == b.get_id())
                };
                let is_time = |a: &Arg| a.get_long().is_some_and(|name| TIMES.contains(&name));
                conflict(flag, other) || conflict(other, flag) || is_time(flag) && is_time(other)
            })
    }

    /// The fields that replace those of single engines, one text per flag.
    fn engine_fields(&self, command: &Command) -> Vec<String> {
        let values = |name: &str| -> Vec<String> {
            let arg = command.get_arguments().find(|a| is_named(a, name) && self.has(a));
            let raw = arg.and_then(|a| self.matches.get_raw(a.get_id().as_str()));
            raw.into_iter().flatten().map(|v| v.to_string_lossy().into_owned()).collect()
        };
        let limits = LIMITS
            .iter()
            .flat_map(|name| values(name).into_iter().map(move |value| format!("{name}={value}")));
        limits.chain(values("each")).collect()
    }
}

/// Appends the flags for a key.
fn flags(arg: &Arg, key: &str, value: &DeValue<'_>, out: &mut Vec<String>) -> Result<()> {
    let switch = matches!(arg.get_action(), ArgAction::SetTrue);
    match value {
        DeValue::Boolean(true) if switch => out.push(format!("--{key}")),
        DeValue::Boolean(false) if switch => {}
        _ if switch => bail!("expected true or false"),
        DeValue::Array(values) => {
            for value in values {
                flags(arg, key, value.get_ref(), out)?;
            }
        }
        DeValue::Table(fields) => out.push(format!("--{key}={}", engine_text(fields)?)),
        value => out.push(format!("--{key}={}", scalar(value)?)),
    }
    Ok(())
}

/// Converts an engine's table to the syntax of the command line.
fn engine_text(fields: &DeTable<'_>) -> Result<String> {
    let mut parts = Vec::new();
    for (key, value) in fields {
        let key = key.get_ref();
        match value.get_ref() {
            DeValue::Table(settings) => {
                for (name, value) in settings {
                    let name = format!("{key}.{}", name.get_ref());
                    parts.push(field(&name, &scalar(value.get_ref())?)?);
                }
            }
            // A program and its arguments; each is one word, whatever it contains.
            DeValue::Array(words) if key == "cmd" => {
                for (i, word) in words.iter().enumerate() {
                    let word = scalar(word.get_ref())?;
                    if i == 0 {
                        parts.push(field("cmd", &format!("'{word}'"))?);
                    } else {
                        parts.push(field("arg", &word)?);
                    }
                }
            }
            // A command line: quotes around all of it would make one word.
            DeValue::String(line) if key == "cmd" && !line.contains(['\'', '"']) => {
                parts.push(format!("cmd={}", line.replace(',', "\",\"")));
            }
            value => parts.push(field(key, &scalar(value)?)?),
        }
    }
    Ok(parts.join(","))
}

/// One field, quoted if necessary.
fn field(key: &str, value: &str) -> Result<String> {
    let quote = match (value.contains('"'), value.contains('\'')) {
        (false, _) if value.contains([',', '\'']) => "\"",
        (false, _) => "",
        (true, false) => "'",
        (true, true) => bail!("{key} = {value}: a value may hold one kind of quotes only"),
    };
    Ok(format!("{key}={quote}{value}{quote}"))
}

fn scalar(value: &DeValue<'_>) -> Result<String> {
    Ok(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(n) => {
            let number = i128::from_str_radix(n.as_str(), n.radix());
            number.map_err(|_| anyhow!("{n}: the number is out of range"))?.to_string()
        }
        DeValue::Float(x) => {
            let number = x.as_str().parse::<f64>();
            number.map_err(|_| anyhow!("{x}: the number is out of range"))?.to_string()
        }
        DeValue::Boolean(b) => b.to_string(),
        other => bail!("a {} where a text, a number, true or false is expected", other.type_str()),
    })
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
