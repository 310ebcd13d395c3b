//! One program for all x86-64 processors: an engine's build script calls [`compile`], which compiles
//! the engine's library, with all crates that it depends on, once more for each of [`LEVELS`]. The
//! engine's `main.rs` includes the generated list `PATHS` of the `main` functions, and
//! `agon_protocol::cpu::run` calls the one for the processor.
//!
//! Whole programs are compiled anew because that is the only cut without loss: a function with
//! `#[target_feature]` does not pass its features on to what it calls unless that is inlined, and a
//! recursive search is not.
//!
//! Only the profile `release` on x86-64 has several paths: that of the build's own flags, which is the
//! baseline unless `RUSTFLAGS` choose a processor, and the levels above it. Other builds have the first.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The levels of the x86-64 ABI supplement above the baseline, the lowest first, each with an
/// instruction set that it has and the one below lacks.
pub const LEVELS: [(&str, &str); 2] = [("x86-64-v2", "sse4.2"), ("x86-64-v3", "avx2")];

/// The allocator of the program; that of musl is slow.
const ALLOCATOR: &str = "#[cfg(target_env = \"musl\")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
";

/// If this variable is set, a build has the path of its flags only: set by a build script for the builds
/// that it starts, and by anyone who wants a `release` build sooner.
const ONE_PATH: &str = "AGON_ONE_PATH";

/// Compiles the library of this package, the crate `library`, for each level, and writes `paths.rs`
/// to `OUT_DIR`: `PATHS`, the highest level first, and the allocator.
///
/// # Panics
///
/// If the environment is not that of a build script, or a compiler fails.
pub fn compile(library: &str) {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={ONE_PATH}");
    println!("cargo::rerun-if-env-changed=AGON_COMMIT");
    let out = PathBuf::from(variable("OUT_DIR"));
    let mut crates = String::new();
    let mut paths = format!("    (agon_protocol::cpu::LEVEL, {library}::main),\n");
    for level in levels(&out) {
        let name = level.replace('-', "_");
        link(library, &compile_library(library, level, &out), &name, &out);
        crates += &format!("extern crate {name};\n");
        paths.insert_str(0, &format!("    (\"{level}\", {name}::main),\n"));
    }
    let text =
        format!("{crates}{ALLOCATOR}const PATHS: &[agon_protocol::cpu::Path] = &[\n{paths}];\n");
    fs::write(out.join("paths.rs"), text).expect("OUT_DIR is writable");
    println!("cargo::rustc-link-search=crate={}", out.display());
}

/// The levels above that of the build's own flags; none in other profiles than `release`.
fn levels(out: &Path) -> Vec<&'static str> {
    let features = variable("CARGO_CFG_TARGET_FEATURE");
    let whole = profile(out).ends_with("release") && env::var_os(ONE_PATH).is_none();
    if variable("CARGO_CFG_TARGET_ARCH") != "x86_64" || !whole {
        return Vec::new();
    }
    let has = |feature: &str| features.split(',').any(|f| f == feature);
    LEVELS.iter().filter(|(_, feature)| !has(feature)).map(|(level, _)| *level).collect()
}

/// The folder of the profile, such as `target/release`: `OUT_DIR` is `build/...` in it.
fn profile(out: &Path) -> &Path {
    let build = out.ancestors().find(|folder| folder.ends_with("build"));
    build.and_then(Path::parent).expect("OUT_DIR is in the folder `build` of a profile")
}

/// Compiles the library and its dependencies for a level, in a folder that the engines share; returns
/// that folder. Cargo runs the script again when one of the sources has changed.
fn compile_library(library: &str, level: &str, out: &Path) -> PathBuf {
    let (target, folder) = (variable("TARGET"), profile(out).join("levels").join(level));
    let features: Vec<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase()))
        .collect();
    // With a target, the flags are not for build scripts and macros, which run on this machine. The
    // metadata keeps the symbols of the levels apart.
    let flags = format!("-Ctarget-cpu={level}\x1f-Cmetadata={level}");
    run(Command::new(variable("CARGO"))
        .args(["build", "--lib", "--release", "--locked", "--target", &target])
        .args(["--features", &features.join(",")])
        .arg("--target-dir")
        .arg(&folder)
        .env(ONE_PATH, level)
        .env("CARGO_ENCODED_RUSTFLAGS", join(&variable("CARGO_ENCODED_RUSTFLAGS"), &flags)));
    let dep_info = folder.join(&target).join("release").join(format!("lib{library}.d"));
    let dep_info = fs::read_to_string(&dep_info).expect("cargo writes it");
    for source in sources(&dep_info) {
        println!("cargo::rerun-if-changed={source}");
        if let Some(package) = source.strip_suffix("lib.rs").and_then(|f| Path::new(f).parent()) {
            println!("cargo::rerun-if-changed={}", package.join("Cargo.toml").display());
        }
    }
    folder
}

/// The crate `name`, which only passes on the `main` of the library in the folder: the engine's own
/// crate has the library's name at its own level already.
fn link(library: &str, folder: &Path, name: &str, out: &Path) {
    let source = out.join(format!("{name}.rs"));
    fs::write(&source, format!("pub use {library}::main;\n")).expect("OUT_DIR is writable");
    let release = folder.join(variable("TARGET")).join("release");
    let file = release.join(format!("lib{library}.rlib"));
    let folders = [release.join("deps"), folder.join("release").join("deps")];
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    run(Command::new(variable("RUSTC"))
        .args(["--crate-type=rlib", "--edition=2024", "--crate-name", name, "-Cmetadata=level"])
        .args(["--target", &variable("TARGET")])
        .args(flags.split('\x1f').filter(|flag| !flag.is_empty()))
        .arg(format!("--extern={library}={}", file.display()))
        .args(folders.iter().map(|folder| format!("-Ldependency={}", folder.display())))
        .arg("-o")
        .arg(out.join(format!("lib{name}.rlib")))
        .arg(source));
    for folder in folders {
        println!("cargo::rustc-link-search=dependency={}", folder.display());
    }
}

/// Two lists of flags in cargo's encoding.
fn join(first: &str, second: &str) -> String {
    if first.is_empty() { second.into() } else { format!("{first}\x1f{second}") }
}

/// The sources in a dep-info file of cargo: `TARGET: SOURCE SOURCE ...`, blanks escaped by `\`.
fn sources(dep_info: &str) -> Vec<String> {
    let list = dep_info.lines().next().and_then(|line| Some(line.split_once(".rlib: ")?.1));
    let list = list.unwrap_or_default().replace("\\ ", "\0");
    list.split(' ').filter(|path| !path.is_empty()).map(|path| path.replace('\0', " ")).collect()
}

/// A variable that cargo sets for build scripts.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Runs a compiler, whose messages cargo shows if the script fails.
fn run(command: &mut Command) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{command:?}: {status}"),
        Err(error) => panic!("{command:?}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_a_dep_info_file_may_have_blanks_in_their_paths() {
        let line = r"/a\ b/libx.rlib: /a\ b/src/lib.rs /c/build.rs";
        assert_eq!(sources(&format!("{line}\n")), ["/a b/src/lib.rs", "/c/build.rs"]);
        let line = r"C:\a\libx.rlib: C:\a\src\lib.rs";
        assert_eq!(sources(line), [r"C:\a\src\lib.rs"]);
        assert_eq!(sources(""), [""; 0]);
    }

    #[test]
    fn the_profile_is_the_folder_around_the_scripts() {
        let out = Path::new("/a/target/release/build/agon-nogo-1/out");
        assert_eq!(profile(out), Path::new("/a/target/release"));
        let in_a_folder_build =
            Path::new("/build/target/x86_64-unknown-linux-gnu/fast/build/p/out");
        assert!(profile(in_a_folder_build).ends_with("fast"));
    }

    #[test]
    fn flags_are_joined_by_cargos_separator() {
        assert_eq!(join("", "-Ca"), "-Ca");
        assert_eq!(join("-Ca", "-Cb"), "-Ca\x1f-Cb");
    }
}
