//! Which engines cannot be expected to play the same game twice.

use agon_matchlog::EngineEntry;

/// Why the games of this engine cannot be played again with the same moves; `None` if they can.
pub fn irreproducible(entry: &EngineEntry) -> Option<String> {
    let (name, limit) = (&entry.name, &entry.limit);
    let because = |why: String| Some(format!("engine {name} {why}"));
    if limit.clock.is_some() || limit.move_ms.is_some() {
        return because(format!(
            "thinks by the clock ({limit}): how far it searches in that time differs each time; only \
             games at fixed depth or nodes can be played again"
        ));
    }
    if limit.is_unbounded() {
        return because("has neither a depth nor a number of nodes as its limit".into());
    }
    if entry.ponder {
        return because("ponders: what it finds depends on the opponent's time".into());
    }
    if let Some((setting, value)) = several_threads(entry) {
        return because(format!(
            "searches with several threads ({setting}={value}): they meet at another node each time"
        ));
    }
    entry.command.is_empty().then(|| format!("engine {name} has no program in the log"))
}

/// The option, argument or variable that gives an engine several threads, and its value.
fn several_threads(entry: &EngineEntry) -> Option<(String, String)> {
    let settings = entry.options.iter().chain(&entry.env);
    let settings = settings.map(|s| (s.name.as_str(), s.value.as_str()));
    let words = &entry.command[entry.command.len().min(1)..];
    let joined = words.iter().filter_map(|word| word.split_once('='));
    let apart = words.iter().zip(words.iter().skip(1)).filter(|(flag, _)| flag.starts_with('-'));
    let apart = apart.map(|(flag, value)| (flag.as_str(), value.as_str()));
    // The last value of an option counts, but any of several is reason enough.
    let mut all = settings.chain(joined).chain(apart);
    let (name, value) = all.find(|(name, value)| is_threads(name) && is_several(value))?;
    Some((name.trim_start_matches('-').into(), value.into()))
}

/// Whether a setting of this name is a number of threads: `Threads`, `numSearchThreads`, `cores`.
fn is_threads(name: &str) -> bool {
    let name = name.trim_start_matches('-').to_lowercase();
    name.ends_with("threads") || ["cores", "cpus", "ncpu", "smp"].contains(&name.as_str())
}

/// Whether it asks for several, or lets the program choose.
fn is_several(value: &str) -> bool {
    let value = value.trim().to_lowercase();
    value.parse::<u64>().map_or(["auto", "all", "max"].contains(&value.as_str()), |n| n != 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::{MatchHeader, Setting, TimeControl};

    fn entry(edit: impl FnOnce(&mut EngineEntry)) -> Option<String> {
        let mut entry = MatchHeader::example().engines[0].clone();
        edit(&mut entry);
        irreproducible(&entry)
    }

    #[test]
    fn clocks_pondering_threads_and_missing_limits_are_named() {
        assert_eq!(entry(|_| {}), None);
        let clock = TimeControl { time_ms: 60_000, increment_ms: 500, moves: None };
        assert!(entry(|e| e.limit.clock = Some(clock)).unwrap().contains("60+0.5 s"));
        // A time beside the nodes may end a search first.
        assert!(entry(|e| e.limit.move_ms = Some(100)).unwrap().contains("100 ms per move"));
        assert!(entry(|e| e.limit.depth = None).unwrap().contains("neither"));
        assert!(entry(|e| e.ponder = true).unwrap().contains("ponders"));
        assert!(entry(|e| e.command.clear()).unwrap().contains("no program"));
    }

    #[test]
    fn threads_are_found_in_options_arguments_and_the_environment() {
        let set = |name: &str, value: &str| Setting { name: name.into(), value: value.into() };
        for (name, value, several) in [
            ("threads", "4", true),
            ("Threads", "1", false),
            ("Threads", "0", true),
            ("cores", "auto", true),
            ("Hash", "4", false),
            ("Thread Affinity", "2", false),
        ] {
            let found = entry(|e| e.options.push(set(name, value)));
            assert_eq!(found.is_some(), several, "{name} {value}");
        }
        assert!(entry(|e| e.env.push(set("OMP_NUM_THREADS", "2"))).is_some());
        for (words, several) in [
            (&["--threads", "2"][..], true),
            (&["--option", "Threads=2"], true),
            (&["--threads=2"], true),
            (&["--threads", "1", "--hash", "2"], false),
            (&["threads", "2"], false),
        ] {
            let found = entry(|e| e.command.extend(words.iter().map(|w| (*w).to_string())));
            assert_eq!(found.is_some(), several, "{words:?}");
        }
    }
}
