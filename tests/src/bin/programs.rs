//! All programs of the workspace in one; it runs the program by whose name it was started.
//!
//! Cargo builds it together with the tests; the tests link it under the names of the
//! programs. So no test has to run cargo. Under its own name it writes the manual pages and the completions
//! of all programs, for archives.

use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::ExitCode;

struct Program {
    name: &'static str,
    main: fn() -> ExitCode,
    /// Its command line.
    command: fn() -> Command,
    /// Whether its subcommands have manual pages of their own.
    pages: bool,
}

macro_rules! program {
    ($name:literal, $library:ident, pages: $pages:literal) => {
        Program { name: $name, main: $library::main, command: $library::command, pages: $pages }
    };
}

const PROGRAMS: &[Program] = &[
    program!("amazons", agon_amazons, pages: false),
    program!("connect6", agon_connect6, pages: false),
    program!("darkchess", agon_darkchess, pages: false),
    program!("einstein", agon_einstein, pages: false),
    program!("lab", agon_lab, pages: true),
    program!("nogo", agon_nogo, pages: false),
    program!("referee", agon_referee, pages: true),
    program!("xiangqi", agon_xiangqi, pages: false),
];

fn main() -> ExitCode {
    agon_wire::version::set_commit(agon_wire::commit!());
    let mut arguments = std::env::args_os();
    let started_as = arguments.next().unwrap_or_default();
    let name = Path::new(&started_as).file_stem().unwrap_or_default();
    if let Some(program) = PROGRAMS.iter().find(|program| name == program.name) {
        return (program.main)();
    }
    if ["fastchess", "fastchess-ob", "cutechess-cli"].iter().any(|face| name == *face) {
        return agon_referee::main();
    }
    match &arguments.collect::<Vec<OsString>>()[..] {
        [word, folder] if word == "describe" => match describe(Path::new(folder)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", folder.display());
                ExitCode::FAILURE
            }
        },
        _ => {
            let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
            eprintln!(
                "{}: start it under one of the names {}, or as `{0} describe FOLDER`",
                name.display(),
                names.join(", ")
            );
            ExitCode::FAILURE
        }
    }
}

/// Writes the manual pages into `man` and the completions into `completions`, folders in `folder`.
fn describe(folder: &Path) -> io::Result<()> {
    let [man, completions] = ["man", "completions"].map(|name| folder.join(name));
    fs::create_dir_all(&man)?;
    fs::create_dir_all(&completions)?;
    for &Program { name, command, pages, .. } in PROGRAMS {
        if pages {
            clap_mangen::generate_to(command(), &man)?;
        } else {
            Man::new(command()).render(&mut File::create(man.join(format!("{name}.1")))?)?;
        }
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
            let ending =
                shell.to_possible_value().map_or_else(String::new, |v| v.get_name().into());
            let mut file = File::create(completions.join(format!("{name}.{ending}")))?;
            clap_complete::generate(shell, &mut command(), name, &mut file);
        }
    }
    Ok(())
}
