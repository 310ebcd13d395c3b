//! The numbered commands. Engines based on the course's skeleton use the number, not the name.

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    ProtocolVersion,
    Name,
    Version,
    KnownCommand,
    ListCommands,
    Quit,
    BoardSize,
    ResetBoard,
    NumRepetition,
    NumMovesToDraw,
    Move,
    Flip,
    Genmove,
    GameOver,
    Ready,
    TimeSettings,
    TimeLeft,
    ShowBoard,
    InitBoard,
}

/// Every command with its name and its arguments, ordered by number from 0.
pub(super) static COMMANDS: [(Verb, &str, &str); 19] = [
    (Verb::ProtocolVersion, "protocol_version", ""),
    (Verb::Name, "name", ""),
    (Verb::Version, "version", ""),
    (Verb::KnownCommand, "known_command", " NAME"),
    (Verb::ListCommands, "list_commands", ""),
    (Verb::Quit, "quit", ""),
    (Verb::BoardSize, "boardsize", " 4 8"),
    (Verb::ResetBoard, "reset_board", ""),
    (Verb::NumRepetition, "num_repetition", " COUNT"),
    (Verb::NumMovesToDraw, "num_moves_to_draw", " PLIES"),
    (Verb::Move, "move", " FROM TO"),
    (Verb::Flip, "flip", " SQUARE PIECE"),
    (Verb::Genmove, "genmove", " red|black|unknown"),
    (Verb::GameOver, "game_over", " RESULT"),
    (Verb::Ready, "ready", ""),
    (Verb::TimeSettings, "time_settings", " MS"),
    (Verb::TimeLeft, "time_left", " red|black MS"),
    (Verb::ShowBoard, "showboard", ""),
    (Verb::InitBoard, "init_board", " X (32 times; nothing else can be set up)"),
];

/// A command's number.
pub(super) fn number(verb: Verb) -> u32 {
    verb as u32
}

/// A command's name.
pub(super) fn name(verb: Verb) -> &'static str {
    COMMANDS[verb as usize].1
}

/// A command with its arguments, for error messages.
pub(super) fn form(verb: Verb) -> String {
    let (_, name, arguments) = COMMANDS[verb as usize];
    format!("{} {name}{arguments}", number(verb))
}

/// The command of a line: by its name, or by its number if the name is unknown.
pub(super) fn find(id: Option<u32>, name: &str) -> Option<Verb> {
    // The manager's own spelling lacks the `s`.
    let name = if name == "time_setting" { "time_settings" } else { name };
    let named = COMMANDS.iter().find(|c| c.1 == name);
    let numbered = || COMMANDS.get(usize::try_from(id?).ok()?);
    named.or_else(numbered).map(|c| c.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_skeleton() {
        for (i, (verb, name, _)) in COMMANDS.iter().enumerate() {
            assert_eq!(number(*verb) as usize, i, "{name}");
        }
        assert_eq!(find(Some(12), "genmove"), Some(Verb::Genmove));
        assert_eq!(find(None, "time_setting"), Some(Verb::TimeSettings));
        assert_eq!(find(Some(12), "whatever"), Some(Verb::Genmove));
        assert_eq!(find(Some(99), "whatever"), None);
    }
}
