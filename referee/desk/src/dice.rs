//! Rolls and revealed pieces: drawn here, or derived from what both sides committed to.
//!
//! **Committed rolls.** Each side chooses a secret text and tells the other its SHA-256; then both
//! reveal. The outcome is number `h mod w` of the possible ones in the order of the rules, each
//! counted as often as its weight, where `w` is the sum of the weights and `h` the first eight bytes,
//! most significant first, of SHA-256 of the first player's secret, a line feed, and the second
//! player's secret. Neither side can choose the outcome, because each commits before it knows the
//! other's secret.

use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;
use agon_matches::chance::hexadecimal;
use sha2::{Digest, Sha256};

/// The maximum length of a secret in bytes.
const MAX_SECRET: usize = 200;

/// The commitments and secrets for one roll, by player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// SHA-256 of each secret, in lower-case hexadecimal.
    pub hashes: [Option<String>; 2],
    /// The secrets.
    pub secrets: [Option<String>; 2],
}

/// SHA-256 of a secret, in hexadecimal.
pub fn commitment(secret: &str) -> String {
    hexadecimal(&Sha256::digest(secret))
}

impl Agreement {
    /// Notes a player's commitment.
    ///
    /// # Errors
    /// If it is not 64 hexadecimal digits, or a secret has been revealed already.
    pub fn commit(&mut self, player: usize, hash: &str) -> Result<(), Phrase> {
        let hash = hash.trim().to_ascii_lowercase();
        if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(phrase!("a commitment is the SHA-256 of a secret: 64 hexadecimal digits"));
        }
        if self.secrets.iter().any(Option::is_some) {
            return Err(phrase!("a secret has been revealed; finish this roll first"));
        }
        self.hashes[player] = Some(hash);
        Ok(())
    }

    /// Notes a player's secret.
    ///
    /// # Errors
    /// If a commitment is missing, or the secret is not the one that the player committed to.
    pub fn reveal(&mut self, player: usize, secret: &str) -> Result<(), Phrase> {
        let [Some(_), Some(_)] = &self.hashes else {
            return Err(phrase!("both sides commit before either reveals"));
        };
        if secret.len() > MAX_SECRET {
            return Err(phrase!("a secret has at most {n} bytes", n = MAX_SECRET));
        }
        let hash = commitment(secret);
        if self.hashes[player].as_ref() != Some(&hash) {
            return Err(phrase!(
                "the SHA-256 of `{secret}` is {hash}, which is not what this side committed to",
                secret = excerpt(secret),
                hash
            ));
        }
        self.secrets[player] = Some(secret.into());
        Ok(())
    }

    /// The outcome, once both secrets are revealed.
    pub fn outcome(&self, outcomes: &[(String, u32)]) -> Option<String> {
        let [Some(first), Some(second)] = &self.secrets else { return None };
        let digest = Sha256::digest(format!("{first}\n{second}"));
        let head = digest.iter().take(8).fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
        let total: u64 = outcomes.iter().map(|(_, w)| u64::from(*w)).sum();
        pick(outcomes, head.checked_rem(total)?)
    }
}

/// The outcome with this number, each counted as often as its weight.
fn pick(outcomes: &[(String, u32)], mut at: u64) -> Option<String> {
    for (token, weight) in outcomes {
        match at.checked_sub(u64::from(*weight)) {
            Some(rest) => at = rest,
            None => return Some(token.clone()),
        }
    }
    None
}

/// Draws an outcome with the system's random numbers.
///
/// # Errors
/// If the system gives none, or there are no outcomes.
pub fn roll(outcomes: &[(String, u32)]) -> Result<String, Phrase> {
    let total: u64 = outcomes.iter().map(|(_, w)| u64::from(*w)).sum();
    if total == 0 {
        return Err(phrase!("no roll is due"));
    }
    // Numbers above the last whole multiple of the total would favour small outcomes.
    let limit = u64::MAX - u64::MAX % total;
    loop {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(no_random)?;
        let number = u64::from_le_bytes(bytes);
        if let Some(token) = pick(outcomes, number % total).filter(|_| number < limit) {
            return Ok(token);
        }
    }
}

fn no_random(cause: getrandom::Error) -> Phrase {
    phrase!("the system gives no random bytes: {cause}", cause = cause.to_string())
}

/// A secret of 64 random bits, easy to read out.
///
/// # Errors
/// If the system gives no random bytes.
pub fn secret() -> Result<String, Phrase> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(no_random)?;
    let text = hexadecimal(&bytes);
    Ok(text.as_bytes().chunks(4).map(String::from_utf8_lossy).collect::<Vec<_>>().join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die() -> Vec<(String, u32)> {
        (1..=6).map(|n| (n.to_string(), 1)).collect()
    }

    #[test]
    fn a_roll_is_what_both_secrets_make_of_it() {
        let mut agreement = Agreement::default();
        assert!(agreement.reveal(0, "heads").is_err(), "nobody has committed");
        agreement.commit(0, &commitment("heads")).unwrap();
        agreement.commit(1, &commitment("tails").to_uppercase()).unwrap();
        assert!(agreement.reveal(1, "Tails").unwrap_err().to_string().contains("committed"));
        assert_eq!(agreement.outcome(&die()), None);
        agreement.reveal(1, "tails").unwrap();
        assert!(agreement.commit(0, &commitment("other")).is_err(), "too late to change");
        agreement.reveal(0, "heads").unwrap();
        // printf 'heads\ntails' | sha256sum begins with this number.
        let digest = Sha256::digest("heads\ntails");
        let head = u64::from_be_bytes(digest[..8].try_into().unwrap());
        assert_eq!(agreement.outcome(&die()), Some((head % 6 + 1).to_string()));
    }

    #[test]
    fn outcomes_come_as_often_as_their_weight() {
        let weighted = [("a".to_string(), 1), ("b".to_string(), 3)];
        let picks: String = (0..4).filter_map(|at| pick(&weighted, at)).collect();
        assert_eq!(picks, "abbb");
        assert_eq!(pick(&weighted, 4), None);
        let mut counts = [0; 6];
        for _ in 0..600 {
            counts[roll(&die()).unwrap().parse::<usize>().unwrap() - 1] += 1;
        }
        assert!(counts.iter().all(|&n| n > 40), "{counts:?}");
        assert!(roll(&[]).is_err());
    }
}
