//! All programs of the workspace in one; it runs the program by whose name it was started.
//!
//! Cargo builds it together with the tests; the tests link it under the names of the
//! programs. So no test has to run cargo.

use std::path::Path;
use std::process::ExitCode;

type Main = fn() -> ExitCode;

const PROGRAMS: &[(&str, Main)] = &[
    ("amazons", agon_amazons::main),
    ("connect6", connect6_program::main),
    ("darkchess", agon_darkchess::main),
    ("einstein", agon_einstein::main),
    ("nogo", agon_nogo::main),
    ("referee", agon_referee::main),
    ("xiangqi", agon_xiangqi::main),
];

fn main() -> ExitCode {
    agon_protocol::version::set_commit(agon_protocol::commit!());
    let started_as = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&started_as).file_stem().unwrap_or_default();
    match PROGRAMS.iter().find(|(program, _)| name == *program) {
        Some((_, main)) => main(),
        None => {
            let names: Vec<&str> = PROGRAMS.iter().map(|(name, _)| *name).collect();
            eprintln!("{}: start it under one of the names {}", name.display(), names.join(", "));
            ExitCode::FAILURE
        }
    }
}
