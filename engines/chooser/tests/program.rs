//! The program in an archive's folder, with the system's shell in the place of engines.

#![cfg(all(unix, target_arch = "x86_64"))]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder `bin` with the chooser as `amazons`, and the programs of these levels.
fn archive(levels: &[&str]) -> (TempDir, PathBuf) {
    let built = Path::new(env!("CARGO_BIN_EXE_chooser"));
    // On the same file system, so that the program can be linked; a copy might still be open when it runs.
    let place = built.parent().expect("a program is in a folder");
    let folder = tempfile::tempdir_in(place).expect("the folder can be written");
    for level in levels {
        let place = folder.path().join("bin/levels").join(level);
        fs::create_dir_all(&place).expect("the folder can be written");
        symlink("/bin/sh", place.join("amazons")).expect("a link can be made");
    }
    let program = folder.path().join("bin/amazons");
    fs::create_dir_all(folder.path().join("bin")).expect("the folder can be written");
    fs::hard_link(built, &program).expect("a link can be made");
    (folder, program)
}

/// Runs a command of the shell, at a level.
fn run(program: &Path, level: Option<&str>, script: &[&str]) -> (Output, u32) {
    let mut command = Command::new(program);
    command.arg("-c").args(script).env_remove("AGON_CPU").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(level) = level {
        command.env("AGON_CPU", level);
    }
    let child = command.spawn().expect("the program starts");
    let id = child.id();
    (child.wait_with_output().expect("the program ends"), id)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_engine_takes_the_place_of_the_program_with_its_arguments_and_status() {
    let (_folder, program) = archive(&["x86-64"]);
    let script = "echo $$ $#,$0,$1; exit 7";
    let (output, id) = run(&program, Some("x86-64"), &[script, "a b", "\u{1b}'\""]);
    assert_eq!(text(&output.stdout), format!("{id} 1,a b,\u{1b}'\"\n"));
    assert_eq!(output.status.code(), Some(7));
    let (output, _) = run(&program, Some("x86-64"), &["echo $0"]);
    assert_eq!(text(&output.stdout), format!("{}\n", program.display()));
}

#[test]
fn without_the_variable_a_level_of_the_processor_runs() {
    let (_folder, program) = archive(&["x86-64-v3", "x86-64-v2", "x86-64"]);
    let (output, _) = run(&program, None, &["echo $AGON_CPU."]);
    assert_eq!(text(&output.stdout), ".\n", "{output:?}");
}

#[test]
fn a_symbolic_link_finds_the_levels_of_the_program() {
    let (folder, program) = archive(&["x86-64"]);
    let link = folder.path().join("a");
    symlink(&program, &link).unwrap();
    let (output, _) = run(&link, Some("x86-64"), &["echo $0"]);
    assert_eq!(text(&output.stdout), format!("{}\n", link.display()));
}

#[test]
fn an_unknown_level_and_a_missing_program_are_told() {
    let (_folder, program) = archive(&[]);
    let (output, _) = run(&program, Some("avx\u{1b}"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.starts_with("error: AGON_CPU=avx\\u{1b}: expected one of x86-64"), "{told}");
    let (output, _) = run(&program, Some("x86-64"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains("bin/levels/x86-64/amazons: No such file"), "{told}");
    assert!(told.contains("keep the archive's folder `levels` beside"), "{told}");
}
