//! How games against itself differ from each other where a search with a policy plays them: moves drawn by visits, and
//! noise among the prior probabilities.

use agon_games::rng::{Stream, unit, weighted_index};

/// The share of the noise in the prior probabilities at the root.
const NOISE: f32 = 0.25;
/// The concentration of the noise, divided by the number of moves: a few moves get most of it.
const CONCENTRATION: f64 = 10.0;

/// Mixes noise into prior probabilities. Its distribution is nearly that of Dirichlet: a variable of the gamma
/// distribution with parameter a < 1 is U^(1/a) times one with parameter 1 + a, which is taken as 1.
pub fn add_noise<'a>(priors: impl Iterator<Item = &'a mut f32>, stream: &mut Stream) {
    let mut priors: Vec<&mut f32> = priors.collect();
    let exponent = priors.len() as f64 / CONCENTRATION;
    // A draw of 0 gives a share of 0; the sum is 0 only if all are, and then there is no noise.
    let draws: Vec<f64> = priors
        .iter()
        .map(|_| libm::pow(unit(stream), exponent) * -libm::log(1.0 - unit(stream)))
        .collect();
    let sum: f64 = draws.iter().sum();
    if sum > 0.0 {
        for (prior, draw) in priors.iter_mut().zip(draws) {
            **prior = (1.0 - NOISE) * **prior + NOISE * (draw / sum) as f32;
        }
    }
}

/// A move drawn in proportion to its visits; `None` without visits.
pub fn draw(visits: &[(u16, u16)], stream: &mut Stream) -> Option<u16> {
    let drawn = weighted_index(stream, visits.iter().map(|&(_, count)| u32::from(count)))?;
    Some(visits[drawn].0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::rng;

    #[test]
    fn noise_goes_to_a_few_moves_and_the_sum_stays() {
        let mut favoured = 0;
        for index in 0..200 {
            let stream = &mut rng::stream(1, index, "noise");
            let mut priors = [1.0 / 50.0; 50];
            add_noise(priors.iter_mut(), stream);
            assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{priors:?}");
            assert!(priors.iter().all(|&p| (0.0149..=0.2651).contains(&p)), "{priors:?}");
            favoured += priors.iter().filter(|&&p| p > 0.04).count();
        }
        // With 10 of them a move gets 0.025 on average.
        assert!((200..2000).contains(&favoured), "{favoured}");
    }

    #[test]
    fn moves_are_drawn_by_their_visits() {
        let stream = &mut rng::stream(2, 0, "draw");
        let visits = [(7, 0), (3, 100), (5, 300)];
        let drawn: Vec<u16> = (0..4000).filter_map(|_| draw(&visits, stream)).collect();
        let fives = drawn.iter().filter(|&&m| m == 5).count();
        assert!(!drawn.contains(&7) && fives.abs_diff(3000) < 150, "{fives}");
        assert_eq!(draw(&[(7, 0)], stream), None);
    }
}
