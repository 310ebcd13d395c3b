//! Chance events: both games of a pair get the same random outcomes.

use agon_protocol::arbiter::Arbiter;
use agon_protocol::hash::mix;
use agon_protocol::rng;
use rand_core::Rng;

/// Picks one of the weighted outcomes at random. The outcome depends only on the match's seed, the
/// pair and the number of earlier chance events: the k-th die is the same in both games of a pair.
/// If the two games offer different outcomes, both take the same quantile.
pub fn draw(seed: u64, pair: u64, event: u64, outcomes: &[(String, u32)]) -> Option<&str> {
    let total: u64 = outcomes.iter().map(|(_, w)| u64::from(*w)).sum();
    let point = rng::stream(mix(seed) ^ pair, event, "chance").next_u64();
    // The bias is below 2^-32 for totals below 2^32. Rejection sampling would use different numbers
    // of random words in the two games.
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

/// For games whose chance events reveal a shuffle made before the game: returns every decision from
/// `board` on that leads to a chance event, with its outcome. Both games of a pair get the same
/// shuffle. Empty for other games.
pub fn deal(seed: u64, pair: u64, board: &dyn Arbiter) -> Vec<(String, String)> {
    board.deal(mix(seed) ^ pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_protocol::arbiter;

    #[test]
    fn both_games_of_a_pair_have_the_same_shuffle_whatever_is_turned_over_first() {
        let board = arbiter::game("darkchess").unwrap().open(None, &[]).unwrap();
        let shuffle = deal(5, 3, &*board);
        assert_eq!(shuffle.len(), 32);
        assert_eq!(shuffle, deal(5, 3, &*board));
        assert_ne!(shuffle, deal(5, 4, &*board));
        let die = arbiter::game("einstein").unwrap().open(None, &[]).unwrap();
        assert!(deal(5, 3, &*die).is_empty());
    }

    fn die() -> Vec<(String, u32)> {
        (1..=6).map(|n| (n.to_string(), 1)).collect()
    }

    #[test]
    fn both_games_of_a_pair_see_the_same_dice_and_pairs_differ() {
        let die = die();
        let dice = |pair| (0..20).map(|k| draw(5, pair, k, &die).unwrap()).collect::<String>();
        assert_eq!(dice(3), dice(3));
        assert_ne!(dice(3), dice(4));
    }

    #[test]
    fn outcomes_come_as_often_as_their_weights_say() {
        let weighted = [("a".to_string(), 1), ("b".to_string(), 3)];
        let b = (0..10_000).filter(|&k| draw(1, 0, k, &weighted) == Some("b")).count();
        // Five standard deviations of a binomial distribution with p = 3/4 are 217.
        assert!(b.abs_diff(7500) < 217, "{b}");
        assert_eq!(draw(1, 0, 0, &[]), None);
    }
}
