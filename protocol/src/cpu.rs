//! The CPU paths of a program. An engine is compiled for several levels of x86-64 processors (see
//! `engines/levels`), and [`run`] calls the highest that the processor supports.

use crate::text::visible;
use std::env;
use std::ffi::OsStr;
use std::io::{Write, stderr};
use std::process::ExitCode;

/// The environment variable that names the path to run instead of the highest.
pub const VARIABLE: &str = "AGON_CPU";

/// A CPU path: the level that it is compiled for, and its `main`.
pub type Path = (&'static str, fn() -> ExitCode);

/// The level that this copy of the library is compiled for: a level of the x86-64 ABI supplement, or
/// the name of another architecture.
pub const LEVEL: &str = if cfg!(not(target_arch = "x86_64")) {
    env::consts::ARCH
} else if cfg!(all(target_feature = "avx512bw", target_feature = "avx512vl")) {
    "x86-64-v4"
} else if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
    "x86-64-v3"
} else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
    "x86-64-v2"
} else {
    "x86-64"
};

/// Runs the first of the paths that the processor supports, or the one that [`VARIABLE`] names. A
/// name that is not in the list, or a level above the processor, ends the program with status 1 and
/// a message on stderr.
pub fn run(paths: &[Path]) -> ExitCode {
    match choose(paths, env::var_os(VARIABLE).as_deref(), lacks) {
        Ok(main) => main(),
        Err(text) => {
            // If stderr is closed, there is nowhere to write to.
            let _ = writeln!(stderr(), "error: {text}");
            ExitCode::FAILURE
        }
    }
}

/// The path to run. `lacks` returns an instruction set of a level that the processor does not have.
fn choose(
    paths: &[Path],
    forced: Option<&OsStr>,
    lacks: impl Fn(&str) -> Option<&'static str>,
) -> Result<fn() -> ExitCode, String> {
    let supported = || paths.iter().filter(|(level, _)| lacks(level).is_none());
    let names = || supported().map(|(level, _)| *level).collect::<Vec<_>>().join(", ");
    let Some(forced) = forced else {
        let first = supported().next();
        return first.map(|path| path.1).ok_or_else(|| "no path for this processor".into());
    };
    let forced = forced.to_string_lossy();
    match paths.iter().find(|(level, _)| *level == forced) {
        None => Err(format!("{VARIABLE}={}: expected one of {}", visible(&forced), names())),
        Some((level, main)) => match lacks(level) {
            None => Ok(*main),
            Some(part) => Err(format!(
                "{VARIABLE}={level}: this processor lacks {part}; expected {}",
                names()
            )),
        },
    }
}

/// The first instruction set of a level that the processor lacks.
#[cfg(target_arch = "x86_64")]
fn lacks(level: &str) -> Option<&'static str> {
    macro_rules! missing {
        ($($feature:tt)*) => {
            [$(($feature, is_x86_feature_detected!($feature))),*]
                .into_iter().find(|(_, has)| !has).map(|(feature, _)| feature)
        };
    }
    let v2 = || missing!("sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "cmpxchg16b");
    let v3 = || missing!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "xsave");
    match level {
        "x86-64-v2" => v2(),
        "x86-64-v3" => v2().or_else(v3),
        _ => None,
    }
}

/// Other architectures have one path.
#[cfg(not(target_arch = "x86_64"))]
fn lacks(_level: &str) -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["x86-64-v3", "x86-64-v2", "x86-64"];

    fn third() -> ExitCode {
        ExitCode::from(3)
    }
    fn second() -> ExitCode {
        ExitCode::from(2)
    }
    fn first() -> ExitCode {
        ExitCode::from(1)
    }
    const PATHS: [Path; 3] = [(NAMES[0], third), (NAMES[1], second), (NAMES[2], first)];

    /// The number of the path that a processor of a level runs, 1 being the lowest.
    fn chosen(processor: usize, forced: Option<&str>) -> Result<ExitCode, String> {
        let lacks = |level: &str| (!NAMES[3 - processor..].contains(&level)).then_some("AVX2");
        choose(&PATHS, forced.map(OsStr::new), lacks).map(|main| main())
    }

    #[test]
    fn a_processor_runs_its_highest_level() {
        for level in 1..=3 {
            assert_eq!(chosen(level, None), Ok(ExitCode::from(level as u8)));
        }
    }

    #[test]
    fn a_lower_level_can_be_forced() {
        assert_eq!(chosen(3, Some("x86-64-v2")), Ok(ExitCode::from(2)));
        assert_eq!(chosen(3, Some("x86-64")), Ok(ExitCode::from(1)));
    }

    #[test]
    fn a_level_above_the_processor_is_refused_with_what_is_missing() {
        let text = "AGON_CPU=x86-64-v3: this processor lacks AVX2; expected x86-64-v2, x86-64";
        assert_eq!(chosen(2, Some("x86-64-v3")), Err(text.into()));
    }

    #[test]
    fn an_unknown_level_is_refused_with_the_known_ones() {
        let text = "AGON_CPU=avx\\u{1b}: expected one of x86-64-v2, x86-64";
        assert_eq!(chosen(2, Some("avx\u{1b}")), Err(text.into()));
        assert!(chosen(2, Some("")).is_err());
    }

    /// All features that the compiler may use at a level are checked, so that a processor never runs
    /// into an instruction that it lacks. The standard library cannot ask for `lahfsahf`, which all
    /// processors with SSE4.2 have.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn all_instruction_sets_of_a_level_are_checked() {
        let cfg = |cpu: &str| {
            let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            let target = ["--print=cfg", "--target=x86_64-unknown-linux-gnu"];
            let output = std::process::Command::new(rustc)
                .args(target)
                .arg(format!("-Ctarget-cpu={cpu}"))
                .output();
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let source = include_str!("cpu.rs");
        let source = source.split("#[cfg(test)]").next().unwrap();
        let Ok(base) = cfg("x86-64") else {
            println!("SKIPPED: no rustc here");
            return;
        };
        for level in ["x86-64-v2", "x86-64-v3"] {
            let listed = cfg(level).unwrap();
            let new = listed.lines().filter(|line| !base.contains(line));
            let features: Vec<&str> = new
                .filter_map(|line| line.strip_prefix("target_feature=\"")?.strip_suffix('"'))
                .filter(|feature| *feature != "lahfsahf")
                .collect();
            assert!(features.len() > 4, "{level}: {listed}");
            for feature in features {
                assert!(source.contains(&format!("\"{feature}\"")), "{level}: {feature}");
            }
        }
    }
}
