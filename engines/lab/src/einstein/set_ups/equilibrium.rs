//! The equilibrium of a zero-sum game in matrix form, by regret matching (Tammelin 2014, CFR+).

/// A pair of mixed strategies.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// The row player's probabilities, which maximise the payoff.
    pub rows: Vec<f64>,
    /// The column player's probabilities, which minimise it.
    pub columns: Vec<f64>,
    /// The payoff that the rows are certain of, whatever the column.
    pub low: f64,
    /// The payoff that the columns allow at most, whatever the row. The value of the game lies
    /// between the two.
    pub high: f64,
}

/// Finds mixed strategies whose guarantees differ by at most `gap`, or the ones after `rounds`
/// rounds.
pub fn solve(payoffs: &[Vec<f64>], gap: f64, rounds: u32) -> Equilibrium {
    let columns = payoffs.first().map_or(0, Vec::len);
    let mut row_regrets = vec![0.0; payoffs.len()];
    let mut column_regrets = vec![0.0; columns];
    let (mut row_sum, mut column_sum) = (vec![0.0; payoffs.len()], vec![0.0; columns]);
    let mut column_strategy = matched(&column_regrets);
    for round in 1..=rounds {
        let values = row_values(payoffs, &column_strategy);
        let row_strategy = matched(&row_regrets);
        improve(&mut row_regrets, &row_strategy, &values);
        let row_strategy = matched(&row_regrets);
        let losses: Vec<f64> =
            column_values(payoffs, &row_strategy).into_iter().map(|v| -v).collect();
        improve(&mut column_regrets, &column_strategy, &losses);
        column_strategy = matched(&column_regrets);
        // Later rounds are better: they weigh more.
        add(&mut row_sum, &row_strategy, round.into());
        add(&mut column_sum, &column_strategy, round.into());
        if round.is_multiple_of(256) {
            let found = equilibrium(payoffs, &row_sum, &column_sum);
            if found.high - found.low <= gap {
                return found;
            }
        }
    }
    equilibrium(payoffs, &row_sum, &column_sum)
}

/// Both strategies with small probabilities removed, and their guarantees.
fn equilibrium(payoffs: &[Vec<f64>], rows: &[f64], columns: &[f64]) -> Equilibrium {
    let (rows, columns) = (normal(rows), normal(columns));
    let low = column_values(payoffs, &rows).into_iter().fold(f64::INFINITY, f64::min);
    let high = row_values(payoffs, &columns).into_iter().fold(f64::NEG_INFINITY, f64::max);
    Equilibrium { rows, columns, low, high }
}

/// The payoff of each row against a mixed column.
pub fn row_values(payoffs: &[Vec<f64>], columns: &[f64]) -> Vec<f64> {
    payoffs.iter().map(|row| row.iter().zip(columns).map(|(a, p)| a * p).sum()).collect()
}

/// The payoff of each column against a mixed row.
pub fn column_values(payoffs: &[Vec<f64>], rows: &[f64]) -> Vec<f64> {
    let mut values = vec![0.0; payoffs.first().map_or(0, Vec::len)];
    for (row, p) in payoffs.iter().zip(rows) {
        add(&mut values, row, *p);
    }
    values
}

fn add(sum: &mut [f64], values: &[f64], weight: f64) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
}

/// Adds the regret for not having played each choice; regrets stay above 0.
fn improve(regrets: &mut [f64], strategy: &[f64], values: &[f64]) {
    let mean: f64 = strategy.iter().zip(values).map(|(p, v)| p * v).sum();
    regrets.iter_mut().zip(values).for_each(|(r, v)| *r = (*r + v - mean).max(0.0));
}

/// Choices in proportion to their regrets; all alike if there are none.
fn matched(regrets: &[f64]) -> Vec<f64> {
    if regrets.iter().all(|&r| r <= 0.0) {
        return vec![1.0 / regrets.len().max(1) as f64; regrets.len()];
    }
    normal(regrets)
}

fn normal(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|w| w / sum.max(f64::MIN_POSITIVE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_games_have_their_known_values() {
        // Rock, paper, scissors with a rock that wins double.
        let rps = [vec![0.0, -1.0, 2.0], vec![1.0, 0.0, -1.0], vec![-2.0, 1.0, 0.0]];
        let found = solve(&rps, 1e-4, 200_000);
        assert!(found.high - found.low <= 1e-4 && found.low.abs() < 1e-4, "{found:?}");
        for (p, expected) in found.rows.iter().zip([0.25, 0.5, 0.25]) {
            assert!((p - expected).abs() < 1e-2, "{found:?}");
        }
        // The second row and the first column are better whatever the other does.
        let saddle = [vec![1.0, 3.0], vec![2.0, 4.0]];
        let found = solve(&saddle, 1e-6, 10_000);
        assert!((found.low - 2.0).abs() < 1e-3 && (found.high - 2.0).abs() < 1e-3, "{found:?}");
    }
}
