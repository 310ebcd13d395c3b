//! The groups of flags in the help with an example each, and an example of every command.

use agon_base::language::Language;
use agon_games::phrase::phrase;
use clap::{Arg, Command};

/// Lines of help have at most this many columns.
pub const WIDTH: usize = 80;

/// The headings of groups of flags, with an example; a command gets the first one of a group whose flags it has there.
const GROUPS: [&str; 43] = [
    "Game (--game nogo)",
    "Game (--rule DrawPlies=60)",
    "Engines (--engine ./a --second-engine ./b)",
    "Engines (--engine ./a --each option.Hash=64)",
    "Engines (--new ./new --base ./old)",
    "Engines (--engine ./a)",
    "Engines (--engine-dir bin)",
    "Clocks (--tc 60+0.5)",
    "Clocks (--movetime 100ms)",
    "Openings (--openings book.pgn)",
    "Openings (--plies 4 --count 100)",
    "Opening set (--openings balanced)",
    "Chance (--seed 7)",
    "Chance (--secret match.secret)",
    "Adjudication (--resign 600,4 --draw 10,8,80)",
    "Test (--elo0 0 --elo1 5)",
    "Tournament (--form swiss --rounds 5)",
    "Output (--serve --pgnout games.pgn)",
    "Output (--out file)",
    "Output (--format pgn)",
    "Output (--pause 500)",
    "Output (--folder run)",
    "Output (--json)",
    "Machine (--concurrency 2 --pin)",
    "Machine (--concurrency 2)",
    "Machine (--ready-time 60)",
    "Server (--port 8000 --open)",
    "Games (--sample 5)",
    "Games (--game 1)",
    "Games (--games 50)",
    "Games (--without cellar)",
    "Event (--event ccgc-nogo)",
    "Checks (--only options)",
    "Teams (--team-a Red --team-b Blue)",
    "Records (--records games)",
    "Position (--game nogo)",
    "CCGC (--place Beijing)",
    "Log (--partial)",
    "Model (--anchor base=0)",
    "Pairs (--pentanomial 3,20,50,25,2)",
    "Self-test (--self-test --quick)",
    "Scale (--quick)",
    "Scale (--limit 10)",
];

/// An example of each command.
const COMMANDS: [(&str, &str); 24] = [
    ("match", "--game nogo --engine ./a --engine ./b --tc 10+0.1"),
    ("sprt", "--game nogo --new ./nogo-new --base ./nogo-old --tc 10+0.1"),
    ("tournament", "--game nogo --movetime 100 --engine ./a --engine ./b"),
    ("fastchess", "-engine cmd=./a -engine cmd=./b -each tc=10+0.1 -rounds 10"),
    ("check", "./nogo --game nogo"),
    ("openings", "--game nogo --plies 4 --count 100 --out nogo.txt"),
    ("replay", "match.jsonl --game 1"),
    ("diagram", "--game nogo 'startpos moves e5 c3'"),
    ("report", "match.jsonl --out match.html"),
    ("merge", "part1.jsonl part2.jsonl --out match.jsonl"),
    ("verify", "match.jsonl"),
    ("audit", "match.jsonl --sample 5"),
    ("ratings", "logs --out list.html"),
    ("stats", "match.jsonl"),
    ("events", "ccgc-amazons"),
    ("export", "match.jsonl --format pgn --out games.pgn"),
    ("desk", "--event ccgc-amazons --engine ./amazons"),
    ("serve", "--open"),
    ("reproduce all", "--quick"),
    ("reproduce amazons", "--quick -j 2"),
    ("reproduce connect6", "-j 2 --out connect6.html"),
    ("reproduce darkchess", "--no-spark"),
    ("reproduce einstein", "--quick -j 2"),
    ("reproduce xiangqi", "--out xiangqi.html"),
];

/// The command line with its groups and examples; `path` are the words of a command without the program's name.
pub fn with_examples(mut command: Command, path: &str, language: Language) -> Command {
    // This adds `--help`.
    command.build();
    if let Some((_, line)) = COMMANDS.iter().find(|(known, _)| *known == path) {
        let head = language.say(&phrase!("Example:"));
        command = command.after_help(format!("{head}\n  referee {path} {line}"));
    }
    let headed = command.clone();
    let command = command.mut_args(|argument| headed_with_example(argument, &headed, language));
    command.mut_subcommands(|inner| {
        let path = format!("{path} {}", inner.get_name());
        with_examples(inner, path.trim_start(), language)
    })
}

/// The argument with the example of its group in the heading.
fn headed_with_example(argument: Arg, command: &Command, language: Language) -> Arg {
    let headings = GROUPS.iter().filter_map(|whole| {
        let (name, example) = whole.trim_end_matches(')').split_once(" (")?;
        Some((*whole, name, example))
    });
    let is_own = |name: &str| argument.get_help_heading() == Some(name);
    let mut own =
        headings.filter(|(_, name, example)| is_own(name) && fits(example, name, command));
    match own.next() {
        Some((whole, ..)) => argument.help_heading(language.of_key(whole).unwrap_or(whole)),
        None => argument,
    }
}

/// Whether a group of a command has the flags of an example.
fn fits(example: &str, group: &str, command: &Command) -> bool {
    let has = |name: &str| {
        let mut arguments = command.get_arguments().filter(|a| !a.is_hide_set());
        arguments.any(|a| a.get_long() == Some(name) && a.get_help_heading() == Some(group))
    };
    example.split(' ').filter_map(|word| word.strip_prefix("--")).all(has)
}
