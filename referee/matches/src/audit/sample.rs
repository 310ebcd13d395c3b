//! Which games of a log are played again.

use agon_games::rng;
use agon_matchlog::GameSet;
use std::str::FromStr;

/// How many games are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// This many.
    Games(u64),
    /// This part of all, in percent; at least one.
    Percent(f64),
}

impl FromStr for Sample {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Sample, &'static str> {
        const EXPECTED: &str = "expected a number of games such as 20, or a percentage such as 1%";
        let sample = match text.strip_suffix('%') {
            None => text.parse().ok().filter(|n| *n > 0).map(Sample::Games),
            Some(number) => {
                let percent = number.trim_end().parse().ok();
                percent.filter(|p| *p > 0.0 && *p <= 100.0).map(Sample::Percent)
            }
        };
        sample.ok_or(EXPECTED)
    }
}

impl Sample {
    /// Draws from these games; the seed names the sample.
    pub fn draw(self, mut games: Vec<u64>, seed: u64) -> GameSet {
        let count = match self {
            Sample::Games(n) => usize::try_from(n).unwrap_or(usize::MAX),
            Sample::Percent(p) => (games.len() as f64 * p / 100.0).ceil() as usize,
        };
        games.sort_unstable();
        rng::shuffle(&mut rng::stream(seed, 0, "audit"), &mut games);
        let mut drawn = GameSet::default();
        for game in games.into_iter().take(count.max(1)) {
            drawn.insert(game);
        }
        drawn
    }
}

/// A seed from the system's generator: nobody can foresee which games it draws.
///
/// # Errors
///
/// The system gives no random bytes.
pub fn draw_seed() -> Result<u64, getrandom::Error> {
    // Programs that read JSON keep 53 bits of a number.
    Ok(getrandom::u64()? >> 11)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_and_drawn() {
        let sample = |text: &str| text.parse::<Sample>();
        assert_eq!(sample("1%"), Ok(Sample::Percent(1.0)));
        assert_eq!(sample("0.5 %"), Ok(Sample::Percent(0.5)));
        assert_eq!(sample("20"), Ok(Sample::Games(20)));
        for wrong in ["0", "0%", "101%", "-1", "1.5", "%", "", "NaN%", "inf%"] {
            assert!(sample(wrong).is_err(), "{wrong}");
        }
        let all: Vec<u64> = (0..1000).collect();
        let drawn = |text: &str, seed| {
            let set = sample(text).unwrap().draw(all.clone(), seed);
            set.iter().collect::<Vec<_>>()
        };
        assert_eq!(drawn("1%", 1).len(), 10);
        assert_eq!(drawn("0.01%", 1).len(), 1);
        assert_eq!(drawn("100%", 1), all);
        assert_eq!(drawn("2000", 1), all);
        assert_eq!(drawn("20", 1), drawn("20", 1));
        assert_ne!(drawn("20", 1), drawn("20", 2));
    }
}
