//! Text form of limits on thinking: `60+0.5`, `100ms`, `depth 6`.

use super::entries::{Limit, TimeControl};
use agon_base::counted;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;

/// Error: invalid text of a limit.
fn bad(what: Phrase, text: &str, expected: Phrase) -> Phrase {
    phrase!("bad {what} `{text}`: expected {expected}", what, text = excerpt(text), expected)
}

/// Parses a time in milliseconds: `100ms`, `2s`, `1.5s`, `3min`, or a plain number of units of
/// `unit_ms` milliseconds.
pub fn milliseconds(text: &str, unit_ms: u32) -> Result<u64, Phrase> {
    let units = [("ms", 1), ("min", 60_000), ("m", 60_000), ("s", 1000), ("h", 3_600_000)];
    let (number, unit) = units
        .into_iter()
        .find_map(|(suffix, ms)| text.strip_suffix(suffix).map(|n| (n, ms)))
        .unwrap_or((text, unit_ms));
    let value: f64 = number.trim().parse().unwrap_or(f64::NAN);
    let ms = value * f64::from(unit);
    // The maximum is one week, for which whole milliseconds are still exact.
    if (0.0..=6.048e8).contains(&ms) {
        Ok(ms.round() as u64)
    } else {
        Err(bad(phrase!("time"), text, phrase!("a time such as 500ms, 2s or 3min")))
    }
}

/// Parses a size in MiB: `512`, `512M` or `2G`.
pub fn mebibytes(text: &str) -> Result<u64, Phrase> {
    let (number, factor) = match text.strip_suffix(['G', 'g']) {
        Some(number) => (number, 1024),
        None => (text.strip_suffix(['M', 'm']).unwrap_or(text), 1),
    };
    let size = number.parse::<u64>().ok().and_then(|n| n.checked_mul(factor));
    size.filter(|&mib| (1..1 << 40).contains(&mib)).ok_or_else(|| {
        bad(phrase!("memory limit"), text, phrase!("a whole number of MiB such as 512, or 2G"))
    })
}

/// Parses the time of a clock: as [`milliseconds`] in seconds, or `m:ss` or `h:mm:ss`, each with a
/// fraction if wanted.
fn clock_time(text: &str) -> Option<u64> {
    let Some((rest, seconds)) = text.rsplit_once(':') else {
        return milliseconds(text, 1000).ok();
    };
    let (hours, minutes) = rest.split_once(':').unwrap_or(("0", rest));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit()).then(|| t.parse().ok()).flatten();
    let (hours, minutes): (u32, u32) = (digits(hours)?, digits(minutes)?);
    let is_plain = seconds.starts_with(|c: char| c.is_ascii_digit());
    let seconds = seconds.parse::<f64>().ok().filter(|s| is_plain && *s < 60.0)?;
    if rest.contains(':') && minutes >= 60 {
        return None;
    }
    let whole = f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + seconds;
    milliseconds(&whole.to_string(), 1000).ok()
}

/// Parses a time control: `TIME+INCREMENT`, `MOVES/TIME+INCREMENT` or `TIME`; times are in seconds
/// or as in `5:00`.
fn clock(text: &str) -> Result<TimeControl, Phrase> {
    let error = || {
        let expected = phrase!(
            "TIME, TIME+INCREMENT or MOVES/TIME+INCREMENT in seconds or as m:ss, such as 60+0.5 or 40/5:00+3"
        );
        bad(phrase!("time control"), text, expected)
    };
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => {
            let moves = moves.parse::<u32>().ok().filter(|&n| n > 0).ok_or_else(error)?;
            (Some(moves), rest)
        }
        None => (None, text),
    };
    let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let part = |t: &str| clock_time(t).ok_or_else(error);
    let clock = TimeControl { time_ms: part(time)?, increment_ms: part(increment)?, moves };
    if clock.time_ms == 0 { Err(error()) } else { Ok(clock) }
}

/// Sets one of the limits `tc`, `movetime`, `depth` and `nodes`.
pub fn set(limit: &mut Limit, key: &str, value: &str) -> Result<(), Phrase> {
    fn positive<T: std::str::FromStr + PartialOrd + From<u8>>(
        what: Phrase,
        value: &str,
    ) -> Result<T, Phrase> {
        let number = value.parse::<T>().ok().filter(|n| *n >= T::from(1));
        number.ok_or_else(|| bad(what, value, phrase!("a whole number from 1")))
    }
    match key {
        "tc" => limit.clock = Some(clock(value)?),
        "movetime" => {
            let ms = milliseconds(value, 1)?;
            let expected = || phrase!("milliseconds from 1, such as 100, or 2s");
            let ms = (ms > 0).then_some(ms);
            limit.move_ms = Some(ms.ok_or_else(|| bad(phrase!("movetime"), value, expected()))?);
        }
        "depth" => limit.depth = Some(positive(phrase!("depth"), value)?),
        _ => limit.nodes = Some(positive(phrase!("number of nodes"), value)?),
    }
    Ok(())
}

impl Limit {
    /// Whether thinking is unlimited.
    pub fn is_unbounded(&self) -> bool {
        self.clock.is_none()
            && self.move_ms.is_none()
            && self.depth.is_none()
            && self.nodes.is_none()
    }
}

impl std::fmt::Display for Limit {
    /// Human-readable form: `60+0.5 s`, `100 ms per move`, `depth 6`, ...
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let mut parts = Vec::new();
        if let Some(clock) = &self.clock {
            let moves = clock.moves.map_or(String::new(), |m| format!("{m}/"));
            let (time, increment) = (seconds(clock.time_ms), seconds(clock.increment_ms));
            parts.push(format!("{moves}{time}+{increment} s"));
        }
        parts.extend(self.move_ms.map(|ms| format!("{ms} ms per move")));
        parts.extend(self.depth.map(|d| format!("depth {d}")));
        parts.extend(self.nodes.map(|n| format!("{n} per move", n = counted(n, "node"))));
        if parts.is_empty() {
            parts.push("no limit".into());
        }
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(pairs: &[(&str, &str)]) -> Limit {
        let mut limit = Limit::default();
        for (key, value) in pairs {
            set(&mut limit, key, value).unwrap();
        }
        limit
    }

    #[test]
    fn texts_become_limits() {
        let clock = limit(&[("tc", "40/60+0.5")]).clock.unwrap();
        assert_eq!(clock, TimeControl { time_ms: 60_000, increment_ms: 500, moves: Some(40) });
        assert_eq!(limit(&[("movetime", "1s")]).move_ms, Some(1000));
        assert_eq!(limit(&[("movetime", "250")]).move_ms, Some(250));
        let time =
            |text| limit(&[("tc", text)]).clock.map(|c| (c.moves, c.time_ms, c.increment_ms));
        assert_eq!(time("40/5:00+3"), Some((Some(40), 300_000, 3000)));
        assert_eq!(time("0:01.5"), Some((None, 1500, 0)));
        assert_eq!(time("1:30:00+0:30"), Some((None, 5_400_000, 30_000)));
        let wrong = ["0", "x+1", "0/1", "1:60", "1:-5", ":30", "1:", "1:75:00", "0:00", "1:2:3:4"];
        for (key, value) in wrong.map(|text| ("tc", text)).into_iter().chain([("movetime", "-1")]) {
            assert!(set(&mut Limit::default(), key, value).is_err(), "{key} {value}");
        }
        assert!(milliseconds("inf", 1).is_err() && milliseconds("nan", 1).is_err());
    }
}
