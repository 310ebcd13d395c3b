//! Numbers of games, pairs and rounds as people see them: counted from 1. A log and a schedule count
//! from 0.

use serde::Serialize;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// The place of a game, a pair or a round in its list, shown, read and sent to pages as counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "u64")]
pub struct Ordinal(u64);

/// Error: 0, or no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a whole number; games are counted from 1")]
pub struct NoOrdinal;

impl Ordinal {
    /// The place with this index, which counts from 0.
    pub fn of_index(index: u64) -> Ordinal {
        Ordinal(index)
    }

    /// The index, counted from 0.
    pub fn index(self) -> u64 {
        self.0
    }
}

impl From<Ordinal> for u64 {
    fn from(place: Ordinal) -> u64 {
        // Only a damaged log has such an index.
        place.0.saturating_add(1)
    }
}

impl TryFrom<u64> for Ordinal {
    type Error = NoOrdinal;

    fn try_from(number: u64) -> Result<Ordinal, NoOrdinal> {
        number.checked_sub(1).map(Ordinal).ok_or(NoOrdinal)
    }
}

impl Display for Ordinal {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        u64::from(*self).fmt(f)
    }
}

impl FromStr for Ordinal {
    type Err = NoOrdinal;

    fn from_str(text: &str) -> Result<Ordinal, NoOrdinal> {
        text.parse::<u64>().map_err(|_| NoOrdinal)?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_count_from_1_in_text_and_in_json() {
        let first = Ordinal::of_index(0);
        assert_eq!(first.to_string(), "1");
        assert_eq!("1".parse(), Ok(first));
        assert_eq!(serde_json::to_value(first).unwrap(), 1);
        assert_eq!(Ordinal::try_from(7).unwrap().index(), 6);
        for wrong in ["0", "-1", "", "one"] {
            assert_eq!(wrong.parse::<Ordinal>(), Err(NoOrdinal), "{wrong}");
        }
        assert_eq!(Ordinal::of_index(u64::MAX).to_string(), u64::MAX.to_string());
    }
}
