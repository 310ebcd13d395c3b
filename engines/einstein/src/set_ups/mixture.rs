//! The mixed strategies for the set-up, from the file that `lab einstein set-ups` writes.

use super::classes::{CLASSES, Numbers, images, layout};
use agon_games::Player;
use agon_games::einstein::Layout;
use agon_games::rng::{self, Stream};
use std::sync::OnceLock;

/// A class of layouts, as a line of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassLine {
    /// Its smallest layout.
    pub numbers: Numbers,
    /// The probabilities with which the first and the second player choose it, in units of 1/10000.
    pub weights: [u32; 2],
    /// The first player's winning probability if the first, or the second, player chooses it and
    /// the other one any layout at random.
    pub against_random: [f64; 2],
}

/// The file that is compiled into the program.
const OWN: &str = include_str!("mixture.txt");

/// The compiled strategies.
pub fn own() -> &'static [ClassLine] {
    static LINES: OnceLock<Vec<ClassLine>> = OnceLock::new();
    LINES.get_or_init(|| {
        parse(OWN).unwrap_or_else(|error| {
            log::error!("the compiled set-ups: {error}; playing random ones");
            Vec::new()
        })
    })
}

/// A random layout of a player by the weights, among those that `allows` accepts; `None` if it
/// accepts none that has a weight.
pub fn choose(
    lines: &[ClassLine],
    player: Player,
    allows: impl Fn(Layout) -> bool,
    stream: &mut Stream,
) -> Option<Layout> {
    let mut layouts = Vec::new();
    for line in lines.iter().filter(|line| line.weights[player.index()] > 0) {
        let images = images(line.numbers).into_iter().filter_map(|image| layout(player, image));
        let weight = line.weights[player.index()];
        layouts.extend(images.filter(|&l| allows(l)).map(|l| (l, weight)));
    }
    let chosen = rng::weighted_index(stream, layouts.iter().map(|l| l.1))?;
    layouts.get(chosen).map(|l| l.0)
}

/// Reads a file; `#` begins a comment.
///
/// # Errors
///
/// A line or the number of lines is wrong: what, and where.
pub fn parse(text: &str) -> Result<Vec<ClassLine>, String> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#'));
    let lines: Vec<ClassLine> = lines
        .map(|(i, line)| {
            parse_line(line).ok_or_else(|| {
                format!("line {}: expected six numbers, two weights and two means", i + 1)
            })
        })
        .collect::<Result<_, _>>()?;
    if lines.len() != CLASSES {
        return Err(format!("{} classes, not {CLASSES}", lines.len()));
    }
    Ok(lines)
}

fn parse_line(line: &str) -> Option<ClassLine> {
    let mut words = line.split_whitespace();
    let digits = words.next()?.bytes().map(|b| b.wrapping_sub(b'0'));
    let numbers: Numbers = digits.collect::<Vec<u8>>().try_into().ok()?;
    Layout::from_numbers(numbers)?;
    let mut weight = || words.next()?.parse().ok();
    let weights = [weight()?, weight()?];
    let mut mean = || words.next()?.parse().ok();
    let against_random = [mean()?, mean()?];
    words.next().is_none().then_some(ClassLine { numbers, weights, against_random })
}

/// The line of the file.
pub fn line(class: &ClassLine) -> String {
    let digits: String = class.numbers.iter().map(u8::to_string).collect();
    let ([first, second], [as_first, as_second]) = (class.weights, class.against_random);
    format!("{digits} {first:5} {second:5} {as_first:.4} {as_second:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set_ups::classes::representatives;

    #[test]
    fn the_compiled_file_has_every_class_and_weights_that_sum_to_one() {
        let lines = parse(OWN).unwrap();
        assert!(lines.iter().map(|l| l.numbers).eq(representatives()));
        for player in 0..2 {
            let sum: u32 = lines.iter().map(|l| l.weights[player]).sum();
            assert!(sum.abs_diff(10_000) < 100, "{sum}");
        }
        assert_eq!(parse_line(&line(&lines[17])), Some(lines[17]));
        assert_eq!(own(), lines);
    }

    #[test]
    fn bad_files_are_refused() {
        let error = parse("123456 1 2 0.5 0.5\n123455 1 2 0.5 0.5\n").unwrap_err();
        assert!(error.contains("line 2"), "{error}");
        assert!(parse("123456 1 2 0.5\n").unwrap_err().contains("line 1"));
        assert_eq!(parse("# nothing\n").unwrap_err(), "0 classes, not 180");
    }
}
