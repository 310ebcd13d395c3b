//! Commands that an engine's program had and the program `lab` has now: an error that says so.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// The error to print: where the command went if it is one of `moved`, otherwise `error` itself.
pub(super) fn explained(
    error: Error,
    program: &Command,
    arguments: &[OsString],
    moved: &[&str],
) -> Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    // `table random` is no command that has moved.
    let before = arguments.iter().take_while(|word| *word != name.as_str());
    if !moved.contains(&name.as_str())
        || before.skip(1).any(|w| program.find_subcommand(w).is_some())
    {
        return error;
    }
    let game = program.get_name();
    let text = format!("the command `{name}` has moved to another program: lab {game} {name}\n");
    Error::raw(ErrorKind::InvalidSubcommand, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(arguments: &[&str]) -> String {
        let table = Command::new("table").subcommand(Command::new("build"));
        let program = Command::new("xiangqi").subcommand(table);
        let arguments: Vec<OsString> =
            ["xiangqi"].iter().chain(arguments).map(OsString::from).collect();
        let error = program.clone().try_get_matches_from(&arguments).unwrap_err();
        explained(error, &program, &arguments, &["random"]).to_string()
    }

    #[test]
    fn a_command_that_has_moved_is_named_with_its_place() {
        let moved =
            "error: the command `random` has moved to another program: lab xiangqi random\n";
        assert_eq!(message(&["random"]), moved);
        assert_eq!(message(&["random", "--count", "3"]), moved);
        assert_eq!(message(&["random", "--help"]), moved);
    }

    #[test]
    fn other_unknown_commands_are_so_as_before() {
        assert!(message(&["randon"]).starts_with("error: unrecognized subcommand 'randon'"));
        let nested = message(&["table", "random"]);
        assert!(nested.starts_with("error: unrecognized subcommand 'random'"), "{nested}");
    }
}
