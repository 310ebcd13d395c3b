//! The trained weights and their file.
//!
//! The file: `AGONPAIR`, the numbers of pair and mask weights (4 bytes each), then constant, race
//! factor, pair weights and mask weights as 16-bit numbers in units of 1/2048, then 8 bytes of
//! checksum ([`checksum`]). All little-endian.

use super::sharing::{FEATURES, sharing};
use super::stones::{StoneFeatures, chance};
use crate::ntuple::checksum;
use crate::playout_board::PlayoutBoard;

const MAGIC: &[u8; 8] = b"AGONPAIR";
const UNITS: f32 = 2048.0;

/// One weight per orbit.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Added to the log odds of every position: the value of having the roll.
    pub constant: f32,
    /// The factor of the race's log odds.
    pub race: f32,
    /// Indexed by [`WeightSharing::pair`](super::WeightSharing).
    pub pairs: Vec<f32>,
    /// Indexed by its `masks`.
    pub masks: Vec<f32>,
}

impl Default for Weights {
    /// Race-only weights.
    fn default() -> Weights {
        let shared = sharing();
        Weights {
            constant: 0.0,
            race: 1.0,
            pairs: vec![0.0; shared.pairs],
            masks: vec![0.0; shared.mask_sets],
        }
    }
}

impl Weights {
    /// The log odds of winning.
    pub fn odds(&self, features: &StoneFeatures) -> f32 {
        let shared = sharing();
        let mut odds = self.constant
            + self.race * features.race
            + self.masks[usize::from(shared.masks[features.masks])];
        for (i, &a) in features.stones().iter().enumerate() {
            for &b in &features.stones()[i + 1..] {
                odds += self.pairs
                    [usize::from(shared.pair[usize::from(a) * FEATURES + usize::from(b)])];
            }
        }
        odds
    }

    /// The roller's winning probability in a position that is not over.
    pub fn chance(&self, board: &PlayoutBoard) -> f32 {
        chance(self.odds(&StoneFeatures::of(board)))
    }
}

/// Writes weights, rounded to the format's units and clamped to +-16.
pub fn to_bytes(weights: &Weights) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((weights.pairs.len() as u32).to_le_bytes());
    bytes.extend((weights.masks.len() as u32).to_le_bytes());
    let all = [weights.constant, weights.race].into_iter();
    for w in all.chain(weights.pairs.iter().copied()).chain(weights.masks.iter().copied()) {
        bytes.extend(((w * UNITS).round() as i16).to_le_bytes());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Reads weights.
///
/// # Errors
///
/// If the bytes are not complete weights of this format.
pub fn from_bytes(bytes: &[u8]) -> Result<Weights, String> {
    let shared = sharing();
    let (pairs, masks) = (shared.pairs, shared.mask_sets);
    let length = 16 + 2 * (2 + pairs + masks) + 8;
    if !bytes.starts_with(MAGIC) {
        return Err("no weights of pairs: expected a file written by `lab einstein learn`".into());
    }
    if bytes.len() != length {
        return Err(format!("{} bytes; expected {length}", bytes.len()));
    }
    let (body, sum) = bytes.split_at(length - 8);
    if sum != checksum(body).to_le_bytes() {
        return Err("damaged: the checksum does not fit".into());
    }
    let mut numbers =
        body[16..].chunks_exact(2).map(|b| f32::from(i16::from_le_bytes([b[0], b[1]])) / UNITS);
    let mut next = || numbers.next().unwrap_or(0.0);
    let (constant, race) = (next(), next());
    let pairs = (0..pairs).map(|_| next()).collect();
    let masks = (0..masks).map(|_| next()).collect();
    Ok(Weights { constant, race, pairs, masks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_the_weights_back_and_damage_is_noticed() {
        let mut weights = Weights { constant: 0.25, race: 0.5, ..Weights::default() };
        weights.pairs[7] = -1.5;
        weights.masks[3] = 2.0;
        let bytes = to_bytes(&weights);
        assert_eq!(from_bytes(&bytes).unwrap(), weights);
        for at in [0, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(from_bytes(&damaged).is_err(), "byte {at}");
        }
        assert!(from_bytes(&bytes[1..]).is_err() && from_bytes(&bytes[..40]).is_err());
    }
}
