//! Chance events: every roll, deal and random opening is a function of the seed or of the secret,
//! and of its place in the match.

use crate::schedule::ScheduledGame;
use agon_games::arbiter::Arbiter;
use agon_games::hash::mix;
use agon_games::rng;
use hmac::digest::Key;
use hmac::{Hmac, KeyInit, Mac};
use rand_core::{Rng, TryRng};
use sha2::Sha256;
use std::convert::Infallible;
use std::fmt::Write;

/// The source of all random events of a match.
#[derive(Clone)]
pub struct Chance {
    key: ChanceKey,
    /// Whether the two games of a pair have the same dice and the same deal.
    shared: bool,
}

#[derive(Clone)]
enum ChanceKey {
    Seed(u64),
    Secret(Hmac<Sha256>),
}

impl Chance {
    /// Chance that follows from a seed.
    pub fn seeded(seed: u64, shared: bool) -> Chance {
        Chance { key: ChanceKey::Seed(seed), shared }
    }

    /// Chance that follows from a key of 32 bytes.
    pub fn keyed(key: &[u8; 32], shared: bool) -> Chance {
        Chance { key: ChanceKey::Secret(keyed(key)), shared }
    }

    /// Picks one of the weighted outcomes at random. The outcome depends only on the source, the pair
    /// (or the game, if games do not share chance) and the number of earlier chance events: the k-th
    /// die is the same in both games of a pair. `None` if there are no outcomes.
    pub fn draw<'a>(
        &self,
        job: &ScheduledGame,
        event: u64,
        outcomes: &'a [(String, u32)],
    ) -> Option<&'a str> {
        match &self.key {
            ChanceKey::Seed(seed) if self.shared => {
                seeded(mix(*seed) ^ job.pair, event, "chance", outcomes)
            }
            ChanceKey::Seed(seed) => {
                seeded(mix(*seed) ^ job.game, event, "chance of a game", outcomes)
            }
            ChanceKey::Secret(_) => {
                let mut stream =
                    self.secret_stream(&format!("roll {} event {event}", self.place(job)));
                let i = rng::weighted_index(&mut stream, outcomes.iter().map(|(_, w)| *w))?;
                outcomes.get(i).map(|(token, _)| token.as_str())
            }
        }
    }

    /// For games whose chance events reveal a shuffle made before the game: returns every decision
    /// from `board` on that leads to a chance event, with its outcome. Empty for other games.
    pub fn deal(&self, job: &ScheduledGame, board: &dyn Arbiter) -> Vec<(String, String)> {
        let mut stream = match &self.key {
            ChanceKey::Seed(seed) if self.shared => seed_stream(mix(*seed) ^ job.pair, 0, "deal"),
            ChanceKey::Seed(seed) => seed_stream(mix(*seed) ^ job.game, 0, "deal of a game"),
            ChanceKey::Secret(_) => self.secret_stream(&format!("deal {}", self.place(job))),
        };
        board.deal(&mut stream)
    }

    /// The stream that shuffles the openings.
    pub fn openings(&self) -> ChanceStream {
        match &self.key {
            ChanceKey::Seed(seed) => seed_stream(*seed, 0, "openings"),
            ChanceKey::Secret(_) => self.secret_stream("openings"),
        }
    }

    /// The stream of the random plies of the opening with this number.
    pub fn opening(&self, number: u64) -> ChanceStream {
        match &self.key {
            ChanceKey::Seed(seed) => seed_stream(*seed, number, "opening"),
            ChanceKey::Secret(_) => self.secret_stream(&format!("opening {number}")),
        }
    }

    /// Picks the outcome of a chance event within a random opening.
    pub fn draw_in_opening<'a>(
        &self,
        number: u64,
        event: u64,
        outcomes: &'a [(String, u32)],
    ) -> Option<&'a str> {
        match &self.key {
            ChanceKey::Seed(seed) => seeded(mix(*seed) ^ number, event, "chance", outcomes),
            ChanceKey::Secret(_) => {
                let mut stream = self.secret_stream(&format!("opening {number} event {event}"));
                let i = rng::weighted_index(&mut stream, outcomes.iter().map(|(_, w)| *w))?;
                outcomes.get(i).map(|(token, _)| token.as_str())
            }
        }
    }

    /// A fingerprint of a text that does not betray it before the secret is known: 32 bytes in
    /// hexadecimal. `None` if chance follows from a seed.
    pub fn seal(&self, text: &str) -> Option<String> {
        let ChanceKey::Secret(key) = &self.key else { return None };
        let bytes = key.clone().chain_update("agon 1 seal\n").chain_update(text).finalize();
        Some(hexadecimal(&bytes.into_bytes()))
    }

    /// The name of what shares dice and deal, with the numbers of the log, which count from 0.
    fn place(&self, job: &ScheduledGame) -> String {
        if self.shared { format!("pair {}", job.pair) } else { format!("game {}", job.game) }
    }

    fn secret_stream(&self, name: &str) -> ChanceStream {
        match &self.key {
            ChanceKey::Seed(seed) => seed_stream(*seed, 0, name),
            ChanceKey::Secret(key) => ChanceStream(RandomWords::Words {
                key: key.clone(),
                name: format!("agon 1 {name} word "),
                word: 0,
            }),
        }
    }
}

/// HMAC-SHA256 with a key of 32 bytes.
pub fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    let mut block = Key::<Hmac<Sha256>>::default();
    block[..key.len()].copy_from_slice(key);
    // A key shorter than a block is padded with zeros, by definition of HMAC.
    Hmac::new(&block)
}

/// Lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn seed_stream(seed: u64, index: u64, purpose: &str) -> ChanceStream {
    ChanceStream(RandomWords::Seeded(rng::stream(seed, index, purpose)))
}

/// Picks an outcome by its quantile, so that both games of a pair use the same number of random
/// words even if they offer different outcomes. The bias is below 2^-32 for totals below 2^32.
fn seeded<'a>(
    seed: u64,
    event: u64,
    purpose: &str,
    outcomes: &'a [(String, u32)],
) -> Option<&'a str> {
    let total: u64 = outcomes.iter().map(|(_, w)| u64::from(*w)).sum();
    let point = rng::stream(seed, event, purpose).next_u64();
    let mut ticket = ((u128::from(point) * u128::from(total)) >> 64) as u64;
    outcomes.iter().find_map(|(token, weight)| {
        let weight = u64::from(*weight);
        if ticket < weight {
            return Some(token.as_str());
        }
        ticket -= weight;
        None
    })
}

/// A stream of random words.
#[derive(Clone)]
pub struct ChanceStream(RandomWords);

#[derive(Clone)]
enum RandomWords {
    Seeded(rng::Stream),
    /// Word k is the first 8 bytes of the HMAC of the stream's name and k.
    Words {
        key: Hmac<Sha256>,
        name: String,
        word: u64,
    },
}

impl TryRng for ChanceStream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(match &mut self.0 {
            RandomWords::Seeded(stream) => stream.next_u64(),
            RandomWords::Words { key, name, word } => {
                let message = format!("{name}{word}");
                *word += 1;
                let bytes = key.clone().chain_update(message).finalize().into_bytes();
                bytes[..8].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
            }
        })
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Infallible> {
        for part in target.chunks_mut(8) {
            let word = self.try_next_u64()?.to_be_bytes();
            part.copy_from_slice(&word[..part.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::arbiter;

    fn sources() -> [Chance; 2] {
        [Chance::seeded(5, true), Chance::keyed(&[7; 32], true)]
    }

    fn job(game: u64) -> ScheduledGame {
        ScheduledGame { game, pair: game / 2, opening: 0, players: [0, 1] }
    }

    fn alone(chance: &Chance) -> Chance {
        Chance { shared: false, ..chance.clone() }
    }

    #[test]
    fn both_games_of_a_pair_have_the_same_shuffle_unless_games_do_not_share_chance() {
        let board = arbiter::game("darkchess").unwrap().open(None, &[]).unwrap();
        let die = arbiter::game("einstein").unwrap().open(None, &[]).unwrap();
        for chance in sources() {
            let shuffle = chance.deal(&job(6), &*board);
            assert_eq!(shuffle.len(), 32);
            assert_eq!(shuffle, chance.deal(&job(7), &*board));
            assert_ne!(shuffle, chance.deal(&job(8), &*board));
            assert!(chance.deal(&job(6), &*die).is_empty());
            let chance = alone(&chance);
            assert_ne!(chance.deal(&job(6), &*board), chance.deal(&job(7), &*board));
        }
    }

    fn die() -> Vec<(String, u32)> {
        (1..=6).map(|n| (n.to_string(), 1)).collect()
    }

    #[test]
    fn both_games_of_a_pair_see_the_same_dice_unless_games_do_not_share_chance() {
        let die = die();
        let dice = |chance: &Chance, game| {
            (0..20).map(|k| chance.draw(&job(game), k, &die).unwrap()).collect::<String>()
        };
        for chance in sources() {
            assert_eq!(dice(&chance, 6), dice(&chance, 7));
            assert_ne!(dice(&chance, 6), dice(&chance, 8));
            let chance = alone(&chance);
            assert_ne!(dice(&chance, 6), dice(&chance, 7));
        }
    }

    #[test]
    fn outcomes_come_as_often_as_their_weights_say() {
        let weighted = [("a".to_string(), 1), ("b".to_string(), 3)];
        for chance in sources() {
            let hit = |&k: &u64| chance.draw(&job(0), k, &weighted) == Some("b");
            let b = (0..10_000).filter(hit).count();
            // Five standard deviations of a binomial distribution with p = 3/4 are 217.
            assert!(b.abs_diff(7500) < 217, "{b}");
            assert_eq!(chance.draw(&job(0), 0, &[]), None);
        }
    }
}
