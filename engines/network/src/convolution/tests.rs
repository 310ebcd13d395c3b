//! Tests of inference, of the gradient and of files, on small boards.

use super::model::BoardModel;
use super::network::{BoardNetwork, UNIT};
use super::positions::BoardPositions;
use super::*;
use crate::file::NetworkHeader;
use crate::train::{PositionSet, SHARE_ONE, Trainable};
use agon_games::rng::{self, below};

const SHAPE: BoardShape = BoardShape { game: "tiles-1", side: 3, blocks: 1 };

fn grid() -> Grid {
    Grid { side: SHAPE.side }
}

/// Random sets of points.
fn planes(grid: Grid, index: u64) -> [u128; 3] {
    let stream = &mut rng::stream(index, 0, "planes");
    let mut set = || grid.points().filter(|_| below(stream, 2) == 0).fold(0, |set, p| set | 1 << p);
    [set(), set(), set()]
}

/// Random positions with a result, two in three with a policy.
fn positions() -> BoardPositions {
    let mut positions = BoardPositions::new(&SHAPE);
    for index in 0..24 {
        let stream = &mut rng::stream(index, 1, "targets");
        let share = rng::unit(stream) as f32;
        let policy = [(5, share), (0, 1.0 - share), (10, 0.0)];
        let policy = if index % 3 > 0 { &policy[..] } else { &[] };
        positions.push(&planes(grid(), index), rng::unit(stream) as f32, policy, index % 8 == 7);
    }
    positions
}

fn model() -> BoardModel {
    let mut model = BoardModel::start(&SHAPE, None, &mut rng::stream(2, 0, "model"));
    // Biases too, so that no unit stays closed.
    for (number, weight) in model.weights_mut().iter_mut().enumerate() {
        *weight += [0.03, -0.02, 0.01][number % 3];
    }
    model
}

/// The network in plain sums, as the file says.
fn written_out(side: usize, weights: &[i16], planes: &[u128]) -> (i64, Vec<i64>) {
    let side = side as i64;
    let points: Vec<(i64, i64)> = (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).collect();
    let has = |plane: usize, (x, y): (i64, i64)| {
        planes.get(plane).is_some_and(|set| set >> (y * (side + 1) + x) & 1 == 1)
    };
    let mut state: Vec<Vec<i64>> = points
        .iter()
        .map(|&at| (0..PLANES).map(|plane| i64::from(has(plane, at)) * 256).collect())
        .collect();
    let mut rest = weights.iter().map(|&w| i64::from(w));
    let mut take = |count: usize| -> Vec<i64> { rest.by_ref().take(count).collect() };
    let mut skip: Option<Vec<Vec<i64>>> = None;
    for layer in 0..3 {
        let inputs = state[0].len();
        let (weights, bias) = (take(9 * inputs * CHANNELS), take(CHANNELS));
        let sum = |at: usize, channel: usize| {
            let mut sum = bias[channel] * 128 + 512;
            for tap in 0..9 {
                let (x, y) = (points[at].0 + tap % 3 - 1, points[at].1 + tap / 3 - 1);
                if (0..side).contains(&x) && (0..side).contains(&y) {
                    let from = &state[(y * side + x) as usize];
                    for (input, active) in from.iter().enumerate() {
                        sum +=
                            active * weights[(tap as usize * inputs + input) * CHANNELS + channel];
                    }
                }
            }
            let skip =
                skip.as_ref().filter(|_| layer == 2).map_or(0, |skip| skip[at][channel] * 1024);
            ((sum + skip) >> 10).clamp(0, 2047)
        };
        let next = (0..points.len())
            .map(|at| (0..CHANNELS).map(|channel| sum(at, channel)).collect())
            .collect();
        if layer == 0 {
            skip = Some(Vec::clone(&next));
        }
        state = next;
    }
    let (policy, policy_bias) = (take(CHANNELS), take(1)[0]);
    let logit = |row: &Vec<i64>| {
        (row.iter().zip(&policy).map(|(a, w)| a * w).sum::<i64>() >> 5) + 2 * policy_bias
    };
    let logits = state.iter().map(logit).collect();
    let (hidden, biases) = (take(CHANNELS * CHANNELS), take(CHANNELS));
    let (value, value_bias) = (take(CHANNELS), take(1)[0]);
    let means: Vec<i64> = (0..CHANNELS)
        .map(|c| state.iter().map(|row| row[c]).sum::<i64>() * 16 / (side * side))
        .collect();
    let unit = |unit: usize| {
        let sum: i64 = (0..CHANNELS).map(|c| hidden[unit * CHANNELS + c] * means[c]).sum();
        (sum / 512 + biases[unit] * 2).clamp(0, 8 * 4096)
    };
    let sum: i64 = (0..CHANNELS).map(|n| unit(n) * value[n]).sum();
    ((sum + value_bias * 2 * 512) / 512, logits)
}

#[test]
fn the_outputs_are_the_sums_written_out() {
    // Small weights, and large ones with which the activations reach their limit.
    for (side, share, limits) in [(3, 0.2, 1), (3, 1.0, 0), (4, 0.2, 1)] {
        let shape = BoardShape { side, ..SHAPE };
        let network = BoardNetwork::random(&shape, share, &mut rng::stream(1, 0, "network"));
        let mut workspace = network.workspace();
        let mut different = 0;
        for index in 0..20 {
            let planes = planes(shape.grid(), index);
            let value = network.evaluate(&planes, &mut workspace);
            let policy = network.policy(&workspace, shape.grid().points());
            let policy: Vec<i64> = policy.map(i64::from).collect();
            let expected = written_out(side, network.weights(), &planes);
            assert_eq!((i64::from(value), policy), expected);
            different += usize::from(value.abs() > UNIT / 100);
        }
        assert!(different > 10 * limits, "{different}");
    }
}

#[test]
fn the_quantised_network_has_nearly_the_same_loss() {
    let (model, positions) = (model(), positions());
    let network = model.network();
    let again = BoardModel::start(&SHAPE, Some(&network), &mut rng::stream(9, 0, "unused"));
    assert_eq!(again.network(), network);
    let numbers: Vec<u32> = positions.held_out();
    let (exact, rounded) = (model.loss(&positions, &numbers), again.loss(&positions, &numbers));
    assert!((exact.value - rounded.value).abs() < 0.002, "{exact:?} {rounded:?}");
    assert!((exact.policy.unwrap() - rounded.policy.unwrap()).abs() < 0.005);
    let mut workspace = network.workspace();
    for &number in &numbers {
        let position = positions.get(number);
        let value = network.evaluate(&planes(grid(), u64::from(number / 8)), &mut workspace) as f32
            / UNIT as f32;
        let logit = again.logit(&position);
        assert!((value - logit).abs() < 0.03, "{value} {logit}");
    }
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let (mut model, positions) = (model(), positions());
    let batch = positions.order(&mut rng::stream(5, 0, "order"));
    assert_eq!(batch.len(), 21);
    let gradient = model.gradient(&positions, &batch);
    let entropies =
        |model: &BoardModel| batch.iter().map(|&n| model.entropy(&positions.get(n))).sum::<f64>();
    let mut steep = 0;
    for i in (0..model.weights().len()).step_by(37) {
        let weight = model.weights()[i];
        let mut at = |to: f32| {
            model.weights_mut()[i] = to;
            entropies(&model)
        };
        let slope = (at(weight + 1e-3) - at(weight - 1e-3)) / 2e-3;
        at(weight);
        let given = f64::from(gradient.weights[i]);
        assert!((given - slope).abs() < 0.02 + 0.05 * slope.abs(), "{i}: {given} {slope}");
        steep += u32::from(slope.abs() > 0.1);
    }
    assert!(steep > 20, "{steep}");
}

#[test]
fn a_pass_has_each_position_in_one_of_its_eight_images() {
    let positions = positions();
    let order = positions.order(&mut rng::stream(5, 0, "order"));
    let mut images = [0; 8];
    let mut seen: Vec<u32> = order.iter().map(|number| number / 8).collect();
    order.iter().for_each(|number| images[(number % 8) as usize] += 1);
    seen.sort_unstable();
    let expected: Vec<u32> = (0..24).filter(|n| n % 8 != 7).collect();
    assert_eq!(seen, expected);
    assert!(images.iter().filter(|&&count| count > 0).count() > 5, "{images:?}");
    for image in 0..8 {
        let (plain, turned) = (positions.get(8), positions.get(8 + image));
        let at = |point: usize| point + grid().margin();
        let mut points: Vec<usize> =
            grid().points().map(|point| grid().image(point, image as usize)).collect();
        for (point, &to) in grid().points().zip(&points) {
            assert_eq!(plain.input[at(point)], turned.input[at(to)]);
        }
        let moved =
            plain.policy.iter().map(|&(point, share)| (grid().image(point, image as usize), share));
        assert_eq!(moved.collect::<Vec<_>>(), turned.policy);
        points.sort_unstable();
        assert_eq!(points, grid().points().collect::<Vec<_>>());
    }
    let share: f32 = positions.get(8).policy.iter().map(|(_, share)| share).sum();
    assert!((share - 1.0).abs() < 2.0 / f32::from(SHARE_ONE));
}

#[test]
fn other_and_damaged_files_are_refused() {
    let network = BoardNetwork::random(&SHAPE, 0.5, &mut rng::stream(3, 0, "network"));
    let mut bytes = Vec::new();
    let made = vec![("command".to_string(), "train a".to_string())];
    network
        .write(&mut bytes, &NetworkHeader { game: "tiles-1".into(), made: made.clone() })
        .unwrap();
    let (header, same) = BoardNetwork::read(&bytes, &SHAPE).unwrap();
    assert!(same == network && header.made == made);
    let refused = |shape: BoardShape| BoardNetwork::read(&bytes, &shape).unwrap_err().to_string();
    assert_eq!(refused(BoardShape { side: 4, ..SHAPE }), "side is 3; this program expects 4");
    assert_eq!(refused(BoardShape { blocks: 2, ..SHAPE }), "blocks is 1; this program expects 2");
    let other = refused(BoardShape { game: "nogo-2", ..SHAPE });
    assert_eq!(other, "game is tiles-1; this program expects nogo-2");
    let header = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
    for at in (header + 2..bytes.len()).step_by(101) {
        assert!(BoardNetwork::read(&bytes[..at], &SHAPE).is_err(), "cut at {at}");
        let mut flipped = bytes.clone();
        flipped[at] ^= 4;
        assert!(BoardNetwork::read(&flipped, &SHAPE).is_err(), "at {at}");
    }
    // Weights that are too large, one or in the sum of a channel, with a checksum that is right.
    let crc = |weights: &[u8]| format!("{:08x}", crc32fast::hash(weights));
    for (first, step, weight, count) in
        [(0, 1, 1024i16, 1), (Layout::STEM + CHANNELS, 32, 1000, 288)]
    {
        let mut weights = bytes[header + 2..].to_vec();
        for at in (2 * first..).step_by(2 * step).take(count) {
            weights[at..at + 2].copy_from_slice(&weight.to_le_bytes());
        }
        let text = String::from_utf8(bytes[..header + 2].to_vec()).unwrap();
        let text = text.replace(&crc(&bytes[header + 2..]), &crc(&weights));
        let large = [text.as_bytes(), &weights].concat();
        let error = BoardNetwork::read(&large, &SHAPE).unwrap_err().to_string();
        assert!(error.starts_with("damaged"), "{error}");
    }
}
