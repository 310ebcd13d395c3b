//! Processor affinity: the cores that a program or a thread may run on.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
#[cfg_attr(not(any(target_os = "linux", windows)), path = "other.rs")]
mod system;

use agon_games::phrase::{Phrase, phrase};
pub use system::{pin_thread, restrict};

/// Parses `0-3`, `0+2` or `0,2-3`.
pub fn parse(text: &str) -> Result<Vec<usize>, Phrase> {
    let bad =
        || phrase!("bad cores `{text}`: expected numbers and ranges such as 0-3 or 0+2", text);
    let mut cores = Vec::new();
    for part in text.split([',', '+']) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number = |t: &str| t.trim().parse::<usize>().map_err(|_| bad());
        let (first, last) = (number(first)?, number(last)?);
        if first > last || last >= MAX_CORES {
            return Err(bad());
        }
        cores.extend(first..=last);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

/// Upper bound of core numbers, exclusive.
const MAX_CORES: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read() {
        assert_eq!(parse("0-3"), Ok(vec![0, 1, 2, 3]));
        assert_eq!(parse("5+1,2-3"), Ok(vec![1, 2, 3, 5]));
        for bad in ["", "x", "3-1", "1-", "0-99999"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
