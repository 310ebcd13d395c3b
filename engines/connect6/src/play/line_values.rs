//! Values learned from searches for what a line looks like from an empty point: the codebook of the
//! evaluation. The studies' `learn` makes it.

use crate::board::WindowBoard;
use agon_games::text::excerpt;
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

/// What an empty point sees of one colour on one line: the next five points in both directions, up to
/// the edge or a stone of the opponent. The same if seen from the other side. Below [`PATTERNS`].
pub type LinePattern = u16;

/// The bound of [`LinePattern`].
pub const PATTERNS: usize = 64 * 64;

/// The points that are seen in each direction.
const REACH: u32 = 5;

/// The values of patterns of the side to move and of its opponent, in sixteenths of a point as those of
/// [`super::WindowWeights`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineValues(Vec<[i16; 2]>);

/// The first line of a file.
const HEAD: &str = "agon connect6 line values, version 1";

/// The values that are part of the program.
const BUILT_IN: &str = include_str!("line_values.txt");

/// An error in a file of values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineValuesError {
    /// The first line is another.
    #[error("not a file of line values: the first line is not `{HEAD}`")]
    Head,
    /// A line that is no value of a pattern.
    #[error("line {0}: `{1}`: expected a pattern and two numbers, such as `.x.x_..... 12 -8`")]
    Row(usize, String),
    /// The last line is missing or has another number of patterns.
    #[error("the file is torn: its last line is not `end {0}`, the number of its patterns")]
    Torn(usize),
    /// The checksum in the last line is another.
    #[error("damaged: the checksum in its last line does not match")]
    Damaged,
}

impl Default for LineValues {
    /// All values are 0.
    fn default() -> LineValues {
        LineValues(vec![[0; 2]; PATTERNS])
    }
}

impl LineValues {
    /// The values that are part of the program.
    pub fn built_in() -> Arc<LineValues> {
        static VALUES: OnceLock<Arc<LineValues>> = OnceLock::new();
        Arc::clone(VALUES.get_or_init(|| Arc::new(LineValues::parse(BUILT_IN).unwrap_or_default())))
    }

    /// Values by pattern: of the side to move, and of its opponent.
    pub fn new(value: impl Fn(LinePattern) -> [i16; 2]) -> LineValues {
        let mut values = LineValues::default();
        for (pattern, pair) in values.0.iter_mut().enumerate() {
            if text(pattern as LinePattern).is_some() {
                *pair = value(pattern as LinePattern);
            }
        }
        values
    }

    /// The maximum size of a file, far above that of all patterns.
    pub const MAX_BYTES: u64 = 1 << 20;

    /// Reads the content of a file.
    ///
    /// # Errors
    /// It is not a complete file of values.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<LineValues, LineValuesError> {
        LineValues::parse(&String::from_utf8(bytes).map_err(|_| LineValuesError::Head)?)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// It is not a complete file of values.
    pub fn parse(text: &str) -> Result<LineValues, LineValuesError> {
        let mut lines = text.lines().enumerate().filter(|(_, l)| !l.starts_with('#'));
        if lines.next().is_none_or(|(_, line)| line != HEAD) {
            return Err(LineValuesError::Head);
        }
        let (mut values, mut rows, mut ended) = (LineValues::default(), 0, false);
        let mut sum = crc32fast::Hasher::new();
        for (number, line) in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let row = |pattern: &str, values: [&str; 2]| {
                let [mover, other] = values.map(|v| v.parse().ok());
                Some((pattern_of(pattern)?, [mover?, other?]))
            };
            match words[..] {
                ["end", n] | ["end", n, _] if !ended => {
                    if n.parse() != Ok(rows) {
                        return Err(LineValuesError::Torn(rows));
                    }
                    // Files of version 0.1.0 have no checksum.
                    let sum = format!("{:08x}", sum.clone().finalize());
                    if words.get(2).is_some_and(|word| *word != sum) {
                        return Err(LineValuesError::Damaged);
                    }
                    ended = true;
                }
                [pattern, mover, other] if !ended => {
                    let (pattern, pair) = row(pattern, [mover, other])
                        .ok_or_else(|| LineValuesError::Row(number + 1, excerpt(line)))?;
                    values.0[usize::from(pattern)] = pair;
                    rows += 1;
                    sum.update(format!("{line}\n").as_bytes());
                }
                _ => return Err(LineValuesError::Row(number + 1, excerpt(line))),
            }
        }
        if ended { Ok(values) } else { Err(LineValuesError::Torn(rows)) }
    }

    /// The text of a file, without patterns of value 0. Every line of `about` becomes a comment.
    pub fn to_text(&self, about: &str) -> String {
        let mut out: String = about.lines().map(|line| format!("# {line}\n")).collect();
        let _ = writeln!(out, "{HEAD}");
        let (mut rows, first) = (0, out.len());
        for (pattern, [mover, other]) in self.0.iter().enumerate() {
            if let Some(name) = text(pattern as LinePattern)
                && [*mover, *other] != [0, 0]
            {
                let _ = writeln!(out, "{name} {mover} {other}");
                rows += 1;
            }
        }
        let sum = crc32fast::hash(&out.as_bytes()[first..]);
        let _ = writeln!(out, "end {rows} {sum:08x}");
        out
    }

    /// The sums of the values on a line: by colour, if it is to move and if it is not.
    fn of_line(&self, own: [u32; 2], valid: u32) -> [[i16; 2]; 2] {
        let mut sums = [[0i16; 2]; 2];
        visit_patterns(own, valid, |colour, pattern| {
            for (sum, value) in sums[colour].iter_mut().zip(self.0[usize::from(pattern)]) {
                *sum = sum.saturating_add(value);
            }
        });
        sums
    }
}

/// Calls `visit` with a colour and each of its patterns on a line that has stones of this colour. `own`:
/// the stones of both colours, `valid`: the bits of the line on the board.
fn visit_patterns(own: [u32; 2], valid: u32, mut visit: impl FnMut(usize, LinePattern)) {
    let mut empty = valid & !(own[0] | own[1]);
    while empty != 0 {
        let bit = empty.trailing_zeros();
        empty &= empty - 1;
        for colour in 0..2 {
            let open = valid & !own[1 - colour];
            let arm = |next: &dyn Fn(u32) -> Option<u32>| {
                let mut arm = 1;
                for step in 1..=REACH {
                    match next(step).filter(|bit| open >> bit & 1 != 0) {
                        Some(bit) => arm = 2 * arm + (own[colour] >> bit & 1) as u16,
                        None => break,
                    }
                }
                arm
            };
            let arms = [arm(&|step| bit.checked_sub(step)), arm(&|step| Some(bit + step))];
            if let Some(pattern) = pattern(arms) {
                visit(colour, pattern);
            }
        }
    }
}

/// The pattern of two arms, each a one and a bit for each of its points, from the nearest on; `None`
/// if there is no stone, or no room for six.
fn pattern([a, b]: [u16; 2]) -> Option<LinePattern> {
    let length = |arm: u16| arm.ilog2();
    let has_stone = |arm: u16| !arm.is_power_of_two();
    let counts = (has_stone(a) || has_stone(b)) && length(a) + length(b) >= REACH;
    counts.then(|| a.min(b) << 6 | a.max(b))
}

/// The text of a pattern: `x` are stones, `_` is the point from which the line is seen.
fn text(index: LinePattern) -> Option<String> {
    let arms = [index >> 6, index & 63];
    if arms.contains(&0) || arms[0] > arms[1] || pattern(arms).is_none() {
        return None;
    }
    let points =
        |arm: u16| (0..arm.ilog2()).map(move |bit| if arm >> bit & 1 == 1 { 'x' } else { '.' });
    let [left, right] = arms.map(points);
    // The lowest bit of an arm is its farthest point.
    Some(left.chain(['_']).chain(right.rev()).collect())
}

/// The pattern of a text.
fn pattern_of(name: &str) -> Option<LinePattern> {
    let (left, right) = name.split_once('_')?;
    pattern([arm(left.chars().rev())?, arm(right.chars())?])
}

/// The arm of these points, from the nearest on.
fn arm(mut points: impl Iterator<Item = char>) -> Option<u16> {
    points.try_fold(1, |arm, c| match c {
        'x' if arm < 1 << REACH => Some(2 * arm + 1),
        '.' if arm < 1 << REACH => Some(2 * arm),
        _ => None,
    })
}

/// All patterns on a board, with their colours.
pub fn patterns(board: &WindowBoard, mut visit: impl FnMut(usize, LinePattern)) {
    for (own, valid) in board.lines_with_stones() {
        visit_patterns(own, valid, &mut visit);
    }
}

/// The number of lines whose sums are kept.
const LINES: usize = 1 << 14;

/// A line's stones and its sums.
#[derive(Clone, Copy, Debug, Default)]
struct KnownLine {
    /// Both colours' stones and the bits of the line; 0: none.
    key: u64,
    sums: [[i16; 2]; 2],
}

/// The values of positions. The positions of a search have most lines in common, so the sums of lines are
/// kept.
#[derive(Clone, Debug)]
pub struct LineSums {
    values: Arc<LineValues>,
    lines: Vec<KnownLine>,
}

impl LineSums {
    /// With these values of patterns.
    pub fn new(values: Arc<LineValues>) -> LineSums {
        LineSums { values, lines: vec![KnownLine::default(); LINES] }
    }

    /// The value of a position for `side`, which is to move, in sixteenths of a point.
    pub fn value(&mut self, board: &WindowBoard, side: usize) -> i32 {
        let mut sum = 0;
        for (own, valid) in board.lines_with_stones() {
            let key = u64::from(own[0]) << 40 | u64::from(own[1]) << 20 | u64::from(valid);
            let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize;
            let line = &mut self.lines[slot];
            if line.key != key {
                *line = KnownLine { key, sums: self.values.of_line(own, valid) };
            }
            sum += i32::from(line.sums[side][0]) + i32::from(line.sums[1 - side][1]);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::Record;
    use agon_games::connect6::{Connect6, Connect6Rules};
    use agon_games::game::Game;

    #[test]
    fn a_pattern_is_its_text_from_both_sides() {
        let named: Vec<String> = (0..PATTERNS).filter_map(|p| text(p as u16)).collect();
        // Of the 3,840 pairs of arms with room 21 have no stone, and 53 of the others are symmetric.
        assert_eq!(named.len(), 1936);
        for name in &named {
            let mirrored: String = name.chars().rev().collect();
            assert_eq!(pattern_of(name), pattern_of(&mirrored));
            assert_eq!(text(pattern_of(name).unwrap()).as_ref(), Some(name));
        }
        for bad in
            ["", "_", "x.x_.", "......_x", "....x_x.....x", "o_.....", "x.....", "....._....."]
        {
            assert_eq!(pattern_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_value_is_the_sum_of_all_patterns() {
        let values = LineValues::new(|p| [(p % 97) as i16 - 48, (p % 61) as i16 - 20]);
        let mut sums = LineSums::new(Arc::new(values.clone()));
        let tokens: Vec<&str> = "j10 i9l8 k9j8 i7j6 k7i6 h8g9 a1s19".split(' ').collect();
        let mut record =
            Record::<Connect6>::from_text::<&str>(None, &[], &Connect6Rules::default()).unwrap();
        for token in tokens {
            let m = record.current().parse_move(token).unwrap();
            record.push(m);
            let board = WindowBoard::from_game(record.current());
            for side in 0..2 {
                let mut expected = 0;
                patterns(&board, |colour, pattern| {
                    let [mover, other] = values.0[usize::from(pattern)];
                    expected += i32::from(if colour == side { mover } else { other });
                });
                assert_eq!(sums.value(&board, side), expected);
                // Again, from the sums that are kept.
                assert_eq!(sums.value(&board, side), expected);
            }
        }
    }

    #[test]
    fn a_stone_is_seen_from_five_points_in_each_direction() {
        let mut board = WindowBoard::new(19);
        board.place(0, 19 * 9 + 9);
        let mut seen = Vec::new();
        patterns(&board, |colour, pattern| seen.push((colour, text(pattern).unwrap())));
        assert_eq!(seen.len(), 40);
        assert!(seen.iter().all(|(colour, _)| *colour == 0));
        assert_eq!(
            seen.iter().filter(|(_, name)| name.contains("x_") || name.contains("_x")).count(),
            8
        );
    }

    #[test]
    fn a_file_is_read_back_and_damage_is_refused() {
        let values = LineValues::new(|p| [(p % 7) as i16, -((p % 5) as i16)]);
        let text = values.to_text("made by\na test");
        assert_eq!(LineValues::parse(&text), Ok(values));
        assert_eq!(LineValues::parse("README"), Err(LineValuesError::Head));
        for length in (0..text.len()).step_by(211) {
            assert!(LineValues::parse(&text[..length]).is_err(), "{length} bytes");
        }
        let (kept, _) = text.rsplit_once("end").unwrap();
        assert!(matches!(LineValues::parse(kept), Err(LineValuesError::Torn(_))));
        let few = format!("{HEAD}\nend 3\n");
        assert_eq!(LineValues::parse(&few), Err(LineValuesError::Torn(0)));
        let (values, end) = text.split_at(text.rfind("end").unwrap());
        let one_bit = format!("{}{end}", values.replacen(" 2 -", " 3 -", 1));
        assert_ne!(one_bit, text);
        assert_eq!(LineValues::parse(&one_bit), Err(LineValuesError::Damaged));
        let without_sum = text.rsplit_once(' ').unwrap().0;
        assert_eq!(LineValues::parse(without_sum), LineValues::parse(&text));
        let swapped = text.replacen('x', "o", 1);
        assert!(matches!(LineValues::parse(&swapped), Err(LineValuesError::Row(..))));
    }

    #[test]
    fn the_built_in_values_are_a_whole_file() {
        let values = LineValues::parse(BUILT_IN).unwrap();
        assert_ne!(values, LineValues::default());
    }
}
