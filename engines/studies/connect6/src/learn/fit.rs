//! The fit of line values: of the candidate turns of a node, the evaluation should prefer those that the
//! search prefers, and the value of its best turn should be that of the search's. The loss is the cross
//! entropy of the softmax of both and the error of the soft maximum, minimised by Adam (Kingma and Ba 2015).

use super::play::RatedNode;
use agon_connect6::board::WindowBoard;
use agon_connect6::play::{LineValues, PATTERNS, patterns};
use agon_games::connect6::MAX_SIZE;
use agon_games::rng::{self, Stream};

/// Parameters: a value of each pattern for the side to move and for its opponent, then an offset by the
/// number of threats of the turn, then the factor of the evaluation in the softmax. Only the values of patterns
/// are kept.
const VALUES: usize = 2 * PATTERNS;
const FACTOR: usize = VALUES + 3;
const PARAMETERS: usize = FACTOR + 1;
/// Values and offsets are in units of this many centipoints.
const UNIT: f32 = 30.0;
/// Sixteenths of a point in a centipoint of the evaluation.
const SIXTEENTHS: f32 = 16.0;
/// The temperature of the softmax in centipoints.
const TEMPERATURE: f32 = 12.0;
/// The weight of the error of the soft maximum, and the centipoints from which on it is linear.
const MAXIMUM: f32 = 0.5;
const LINEAR: f32 = 60.0;
/// The weight of the squares of the values in the loss.
const RIDGE: f32 = 3e-5;
/// Nodes in a step, and the factor of the rates after each pass.
const BATCH: usize = 128;
const COOLING: f32 = 0.6;
/// The learning rates of the values and of the other parameters.
const RATES: [f32; 2] = [6e-3, 1e-2];

/// A candidate turn as numbers.
struct Row {
    /// Where its patterns begin and end.
    from: usize,
    to: usize,
    /// The evaluation by windows for the side that has played it.
    windows: f32,
    threats: usize,
    /// The value by the search.
    value: f32,
}

/// The candidate turns of nodes.
#[derive(Default)]
pub struct Examples {
    /// The turns of each node.
    nodes: Vec<Vec<Row>>,
    /// The patterns of the rows with their numbers.
    patterns: Vec<(u16, u16)>,
}

/// The logarithm of the sum of the exponentials, and the share of each in it.
fn softmax(values: impl Iterator<Item = f32>) -> (f32, Vec<f32>) {
    let mut shares: Vec<f32> = values.collect();
    let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    shares.iter_mut().for_each(|x| *x = libm::expf(*x - most));
    let sum: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|x| *x /= sum);
    (most + libm::logf(sum), shares)
}

impl Examples {
    /// The passes over the nodes of a fit.
    pub const PASSES: u32 = 6;

    /// Adds a node.
    pub fn add(&mut self, node: &RatedNode) {
        let mut board = WindowBoard::new(MAX_SIZE);
        for (colour, stones) in node.stones.iter().enumerate() {
            stones.iter().for_each(|p| board.place(colour, *p));
        }
        let rows = node.turns.iter().map(|turn| {
            turn.stones.iter().for_each(|p| board.place(0, *p));
            let mut found = Vec::new();
            // After the turn, colour 1 is to move.
            patterns(&board, |colour, pattern| {
                found.push((1 - colour) as u16 * PATTERNS as u16 + pattern);
            });
            turn.stones.iter().for_each(|_| board.remove());
            found.sort_unstable();
            let from = self.patterns.len();
            let counted = found.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u16));
            self.patterns.extend(counted);
            Row {
                from,
                to: self.patterns.len(),
                windows: -f32::from(turn.windows),
                threats: usize::from(turn.threats).min(2),
                value: f32::from(turn.value),
            }
        });
        self.nodes.push(rows.collect());
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of turns.
    pub fn turns(&self) -> usize {
        self.nodes.iter().map(Vec::len).sum()
    }

    /// By how many centipoints the search's value of the turn with the highest evaluation is below that of the
    /// best turn, on average.
    pub fn regret(&self, fitted: &Fitted) -> f64 {
        let regrets = self.nodes.iter().map(|rows| {
            let best = |score: &dyn Fn(&Row) -> f32| {
                rows.iter().max_by(|a, b| score(a).total_cmp(&score(b))).map_or(0.0, |r| r.value)
            };
            f64::from(best(&|row| row.value) - best(&|row| self.score(row, &fitted.0)))
        });
        regrets.sum::<f64>() / self.nodes.len().max(1) as f64
    }

    fn row_patterns(&self, row: &Row) -> &[(u16, u16)] {
        &self.patterns[row.from..row.to]
    }

    /// The evaluation of a turn for its side, in centipoints.
    fn score(&self, row: &Row, parameters: &[f32]) -> f32 {
        let lines: f32 = self
            .row_patterns(row)
            .iter()
            .map(|(pattern, number)| parameters[usize::from(*pattern)] * f32::from(*number))
            .sum();
        row.windows - UNIT * (lines + parameters[VALUES + row.threats])
    }

    /// Fits all parameters. `passed` is called after each pass with the mean loss.
    pub fn fit(&self, stream: &mut Stream, mut passed: impl FnMut(f32)) -> Fitted {
        let mut parameters = vec![0.0; PARAMETERS];
        parameters[FACTOR] = 1.0;
        let mut adam = Adam::new();
        let mut rates = RATES;
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        for _ in 0..Examples::PASSES {
            rng::shuffle(stream, &mut order);
            let mut total = 0.0;
            for batch in order.chunks(BATCH) {
                let mut gradient: Vec<f32> =
                    parameters[..VALUES].iter().map(|v| 2.0 * RIDGE * v).collect();
                gradient.resize(PARAMETERS, 0.0);
                for node in batch {
                    let rows = &self.nodes[*node];
                    total += self.descend(rows, &parameters, &mut gradient, batch.len() as f32);
                }
                adam.step(&mut parameters, &gradient, rates);
            }
            rates = rates.map(|rate| rate * COOLING);
            passed(total / self.nodes.len().max(1) as f32);
        }
        Fitted(parameters)
    }

    /// Adds the gradient of a node's loss, divided by `number`, and returns the loss.
    fn descend(&self, rows: &[Row], parameters: &[f32], gradient: &mut [f32], number: f32) -> f32 {
        let factor = parameters[FACTOR];
        let scores: Vec<f32> = rows.iter().map(|row| self.score(row, parameters)).collect();
        let (sum, shares) = softmax(scores.iter().map(|x| x * factor / TEMPERATURE));
        let (wanted_sum, wanted) = softmax(rows.iter().map(|row| row.value / TEMPERATURE));
        let entropies =
            scores.iter().zip(&wanted).map(|(x, q)| q * (sum - x * factor / TEMPERATURE));
        let entropy: f32 = entropies.sum();
        let maximum = TEMPERATURE / factor * sum;
        let error = (maximum - TEMPERATURE * wanted_sum) / LINEAR;
        let slope = MAXIMUM * error.clamp(-1.0, 1.0) / LINEAR;
        let mut mean = 0.0;
        for ((row, score), (share, wanted)) in
            rows.iter().zip(&scores).zip(shares.iter().zip(&wanted))
        {
            let step = (factor / TEMPERATURE * (share - wanted) + slope * share) * -UNIT / number;
            for (pattern, times) in self.row_patterns(row) {
                gradient[usize::from(*pattern)] += step * f32::from(*times);
            }
            gradient[VALUES + row.threats] += step;
            gradient[FACTOR] += (share - wanted) * score / TEMPERATURE / number;
            mean += share * score;
        }
        gradient[FACTOR] += slope * (mean - maximum) / factor / number;
        let far = if error.abs() < 1.0 { error * error / 2.0 } else { error.abs() - 0.5 };
        entropy + MAXIMUM * far
    }
}

/// The parameters of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted(Vec<f32>);

impl Fitted {
    /// The evaluation by windows alone.
    pub fn windows() -> Fitted {
        Fitted(vec![0.0; PARAMETERS])
    }

    /// The values of lines.
    pub fn line_values(&self) -> LineValues {
        LineValues::new(|pattern| {
            [0, PATTERNS].map(|side| {
                let value = self.0[side + usize::from(pattern)] * UNIT * SIXTEENTHS;
                libm::roundf(value) as i16
            })
        })
    }
}

/// The moments of the gradient.
struct Adam {
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new() -> Adam {
        Adam { first: vec![0.0; PARAMETERS], second: vec![0.0; PARAMETERS], steps: 0 }
    }

    fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rates: [f32; 2]) {
        self.steps += 1;
        let scale = |decay: f32| 1.0 / (1.0 - libm::powf(decay, self.steps as f32));
        let (first_scale, second_scale) = (scale(0.9), scale(0.999));
        for (i, (parameter, slope)) in parameters.iter_mut().zip(gradient).enumerate() {
            let rate = rates[usize::from(i >= VALUES)];
            let (first, second) = (&mut self.first[i], &mut self.second[i]);
            *first = 0.9 * *first + 0.1 * slope;
            *second = 0.999 * *second + 0.001 * slope * slope;
            *parameter -=
                rate * *first * first_scale / (libm::sqrtf(*second * second_scale) + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::play::RatedTurn;

    /// Nodes in which the turn that extends the line of three is best, whatever the windows say.
    fn nodes() -> Examples {
        let mut examples = Examples::default();
        for shift in 0..200u16 {
            let at = |column: u16, row: u16| 19 * column + row;
            let row = shift % 13 + 3;
            let stones = [vec![at(5, row), at(6, row), at(7, row)], vec![at(0, 0), at(18, 18)]];
            let turn =
                |a, b, windows, value| RatedTurn { stones: [a, b], windows, threats: 0, value };
            let far = at(16, (row + 9) % 19);
            let windows = 10 * (shift % 3) as i16 - 10;
            let turns = vec![
                turn(at(8, row), far, windows, 40),
                turn(at(11, (row + 5) % 19), far, -10, 0),
                turn(at(3, (row + 5) % 19), far, 0, -10),
            ];
            examples.add(&RatedNode { stones, turns });
        }
        examples
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let examples = nodes();
        let mut parameters: Vec<f32> = (0..PARAMETERS).map(|i| (i % 7) as f32 * 0.01).collect();
        parameters[FACTOR] = 0.8;
        let rows = &examples.nodes[3];
        let mut gradient = vec![0.0; PARAMETERS];
        let loss = |parameters: &[f32]| {
            examples.descend(rows, parameters, &mut vec![0.0; PARAMETERS], 1.0)
        };
        examples.descend(rows, &parameters, &mut gradient, 1.0);
        let mut used: Vec<usize> = rows
            .iter()
            .flat_map(|row| examples.row_patterns(row))
            .map(|(pattern, _)| usize::from(*pattern))
            .collect();
        used.extend([VALUES, FACTOR]);
        for i in used {
            let difference = |by: f32| {
                let mut changed = parameters.clone();
                changed[i] += by;
                loss(&changed)
            };
            let slope = (difference(1e-3) - difference(-1e-3)) / 2e-3;
            let error = (slope - gradient[i]).abs();
            assert!(error < 0.02 + 0.02 * slope.abs(), "{i}: {slope} and {}", gradient[i]);
        }
    }

    #[test]
    fn the_fit_prefers_the_turns_that_the_search_prefers() {
        let examples = nodes();
        let mut losses = Vec::new();
        let mut stream = rng::stream(1, 1, "test");
        let fitted = examples.fit(&mut stream, |loss| losses.push(loss));
        assert_eq!(losses.len(), Examples::PASSES as usize);
        assert!(losses[losses.len() - 1] < losses[0], "{losses:?}");
        assert!(examples.regret(&fitted) < examples.regret(&Fitted::windows()));
        assert_ne!(fitted.line_values(), LineValues::default());
    }
}
