//! The levels of the x86-64 ABI supplement, and which one to run.

use std::ffi::OsStr;

/// The environment variable that names the level to run instead of the highest.
pub const VARIABLE: &str = "AGON_CPU";

/// The levels that engines are compiled for, the highest first.
pub const LEVELS: [&str; 3] = ["x86-64-v3", "x86-64-v2", "x86-64"];

/// The level to run: the one that the variable names or, without it, the first that the processor
/// supports. `lacks` returns an instruction set of a level that the processor does not have.
pub fn choose(
    forced: Option<&OsStr>,
    lacks: impl Fn(&str) -> Option<&'static str>,
) -> Result<&'static str, String> {
    let supported: Vec<&str> = LEVELS.into_iter().filter(|level| lacks(level).is_none()).collect();
    let Some(forced) = forced else {
        let first = supported.first().copied();
        return first.ok_or_else(|| format!("this processor lacks {}", LEVELS.join(", ")));
    };
    let forced = forced.to_string_lossy();
    let names = supported.join(", ");
    match LEVELS.into_iter().find(|level| *level == forced) {
        None => Err(format!("{VARIABLE}={forced}: expected one of {names}")),
        Some(level) => match lacks(level) {
            None => Ok(level),
            Some(part) => {
                Err(format!("{VARIABLE}={level}: this processor lacks {part}; expected {names}"))
            }
        },
    }
}

/// The first instruction set of a level that the processor lacks.
#[cfg(target_arch = "x86_64")]
pub fn lacks(level: &str) -> Option<&'static str> {
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

/// Other architectures have no archive with levels.
#[cfg(not(target_arch = "x86_64"))]
pub fn lacks(_level: &str) -> Option<&'static str> {
    Some("x86-64")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The level that a processor of a level runs, 1 being the lowest.
    fn chosen(processor: usize, forced: Option<&str>) -> Result<&'static str, String> {
        let lacks = |level: &str| (!LEVELS[3 - processor..].contains(&level)).then_some("AVX2");
        choose(forced.map(OsStr::new), lacks)
    }

    #[test]
    fn a_processor_runs_its_highest_level() {
        assert_eq!(chosen(1, None), Ok("x86-64"));
        assert_eq!(chosen(2, None), Ok("x86-64-v2"));
        assert_eq!(chosen(3, None), Ok("x86-64-v3"));
        assert_eq!(
            chosen(0, None),
            Err("this processor lacks x86-64-v3, x86-64-v2, x86-64".into())
        );
    }

    #[test]
    fn a_lower_level_can_be_forced() {
        assert_eq!(chosen(3, Some("x86-64-v2")), Ok("x86-64-v2"));
        assert_eq!(chosen(3, Some("x86-64")), Ok("x86-64"));
    }

    #[test]
    fn a_level_above_the_processor_is_refused_with_what_is_missing() {
        let text = "AGON_CPU=x86-64-v3: this processor lacks AVX2; expected x86-64-v2, x86-64";
        assert_eq!(chosen(2, Some("x86-64-v3")), Err(text.into()));
    }

    #[test]
    fn an_unknown_level_is_refused_with_the_known_ones() {
        let text = "AGON_CPU=avx: expected one of x86-64-v2, x86-64";
        assert_eq!(chosen(2, Some("avx")), Err(text.into()));
        assert!(chosen(2, Some("")).is_err());
    }

    /// All features that the compiler may use at a level are checked, so that a processor never runs
    /// into an instruction that it lacks. The standard library cannot ask for `lahfsahf`, which all
    /// processors with SSE4.2 have.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn all_instruction_sets_of_a_level_are_checked() {
        let cfg = |cpu: &str| {
            let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            let target = ["--print=cfg", "--target=x86_64-unknown-linux-gnu"];
            let output = std::process::Command::new(rustc)
                .args(target)
                .arg(format!("-Ctarget-cpu={cpu}"))
                .output();
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let source = include_str!("level.rs");
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
