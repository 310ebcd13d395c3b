//! The board that searches work on: every line's windows are kept up to date as stones come and go,
//! 4 lines a stone, so that threats and where they can be made are read off instead of looked for.

pub mod geometry;
mod lines;
pub mod pattern;
mod sketch;
mod tally;
mod threats;
mod visit;

pub use lines::{Company, Lifted};
pub use sketch::Sketch;
pub use tally::Tally;
pub use threats::{Covers, Threat, Threats};

use agon_protocol::connect6::{Connect6, POINTS, Point};
use agon_protocol::hash::{mix, zobrist};
use geometry::{LINES, PLACES, valid};
use pattern::{Bits, Pattern, containing};

/// Zobrist keys of (black, white) times the points.
static KEYS: [u64; 2 * POINTS] = zobrist(0x636f_6e6e_6563_7438);

/// The value of open windows with one, two, three and four or more stones, by rule of thumb: what the
/// solver orders its turns by. What positions are worth is for [`crate::play::Weights`] to say.
pub const WORTH: [i32; 4] = [1, 6, 14, 30];

/// A set of lines.
pub type LineSet = u128;

/// One line: its stones and its windows, for both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Line {
    own: [u32; 2],
    patterns: [Pattern; 2],
}

/// The lines that have windows with two, three, four stones, and the numbers of such windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Totals {
    two: [LineSet; 2],
    three: [LineSet; 2],
    four: [LineSet; 2],
    tally: [Tally; 2],
}

/// What a stone changed: what [`Board::remove`] puts back.
#[derive(Clone, Copy, Debug)]
struct Change {
    point: u16,
    colour: u8,
    lines: [Line; 4],
    totals: Totals,
}

/// A board with its tables. Colours are 0 for Black and 1 for White, points [`Point::index`].
#[derive(Clone, Debug)]
pub struct Board {
    lines: [Line; LINES],
    valid: [u32; LINES],
    totals: Totals,
    /// 0 empty, 1 Black, 2 White, 3 beyond the board.
    cells: [u8; POINTS],
    hash: u64,
    empty: usize,
    size: usize,
    changes: Vec<Change>,
}

/// [`Board::cell`] of a point beyond the board.
const BEYOND: u8 = 3;

impl Board {
    /// An empty board of `size` columns and rows.
    pub fn new(size: usize) -> Board {
        let mut cells = [BEYOND; POINTS];
        for column in 0..size {
            for row in 0..size {
                if let Some(point) = Point::new(column, row) {
                    cells[point.index()] = 0;
                }
            }
        }
        Board {
            lines: [Line::default(); LINES],
            valid: valid(size),
            totals: Totals::default(),
            cells,
            hash: mix(size as u64),
            empty: size * size,
            size,
            changes: Vec::with_capacity(256),
        }
    }

    /// A position's stones.
    pub fn from_game(game: &Connect6) -> Board {
        let mut board = Board::new(game.size());
        for point in game.points() {
            if let Some(player) = game.stone(point) {
                board.place(player.index(), point.index() as u16);
            }
        }
        board.changes.clear();
        board
    }

    /// Columns and rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of empty points.
    pub fn empty_points(&self) -> usize {
        self.empty
    }

    /// Whether a point is on the board and empty.
    #[inline]
    pub fn is_empty(&self, point: u16) -> bool {
        self.cells[usize::from(point)] == 0
    }

    /// The colour on a point.
    pub fn colour(&self, point: u16) -> Option<usize> {
        match self.cells[usize::from(point)] {
            1 => Some(0),
            2 => Some(1),
            _ => None,
        }
    }

    /// The empty points, rising.
    pub fn empties(&self) -> impl Iterator<Item = u16> + '_ {
        self.cells.iter().enumerate().filter(|(_, c)| **c == 0).map(|(i, _)| i as u16)
    }

    /// A hash of the stones alone.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The sum, over all windows that are open to a colour, of [`WORTH`].
    #[inline]
    pub fn score(&self, colour: usize) -> i32 {
        self.totals.tally[colour].windows().into_iter().zip(WORTH).map(|(n, w)| n * w).sum()
    }

    /// How many windows are open to a colour, by kind.
    #[inline]
    pub fn tally(&self, colour: usize) -> Tally {
        self.totals.tally[colour]
    }

    /// How many of a colour's open windows with two, three and four stones or more are free: a step to
    /// either side there is another one open, so that both ends have room. Counted anew.
    pub fn free_windows(&self, colour: usize) -> [i32; 3] {
        let t = &self.totals;
        let mut numbers = [0; 3];
        for line in lines_of(t.two[colour] | t.three[colour] | t.four[colour]) {
            let p = &self.lines[line].patterns[colour];
            // Neighbours of a window with two stones hold one at least: they are open if they are here.
            let open = p.one | p.two | p.three | p.four;
            let between = open << 1 & open >> 1;
            for (number, set) in numbers.iter_mut().zip([p.two, p.three, p.four]) {
                *number += (set & between).count_ones() as i32;
            }
        }
        numbers
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn place(&mut self, colour: usize, point: u16) {
        let at = usize::from(point);
        debug_assert!(self.cells[at] == 0, "{point} is not empty");
        let places = &PLACES[at];
        let lines = places.map(|p| self.lines[usize::from(p.line)]);
        let saved = Change { point, colour: colour as u8, lines, totals: self.totals };
        self.changes.push(saved);
        self.cells[at] = colour as u8 + 1;
        self.hash ^= KEYS[colour * POINTS + at];
        self.empty -= 1;
        // The first two places name the column and the row.
        let (column, row) = (usize::from(places[0].line), usize::from(places[0].bit));
        let last = self.size - 1;
        let inward = column.min(row).min(last - column).min(last - row);
        self.totals.tally[colour].add_stone(inward);
        for place in places {
            let number = usize::from(place.line);
            self.lines[number].own[colour] |= 1 << place.bit;
            self.refresh(number);
        }
    }

    /// Counts a line's windows anew.
    #[inline]
    fn refresh(&mut self, number: usize) {
        let line = &mut self.lines[number];
        let bit: LineSet = 1 << number;
        let beyond = !self.valid[number];
        for colour in 0..2 {
            let old = line.patterns[colour];
            let new = Pattern::of(line.own[colour], line.own[1 - colour] | beyond);
            if new == old {
                continue;
            }
            line.patterns[colour] = new;
            let t = &mut self.totals;
            t.tally[colour].change(Tally::of(&old), Tally::of(&new));
            let set = |lines: &mut LineSet, has: bool| {
                *lines = if has { *lines | bit } else { *lines & !bit };
            };
            set(&mut t.two[colour], new.two != 0);
            set(&mut t.three[colour], new.three != 0);
            set(&mut t.four[colour], new.four != 0);
        }
    }

    /// Takes back the last stone placed.
    #[inline]
    pub fn remove(&mut self) {
        let Some(change) = self.changes.pop() else { return };
        let at = usize::from(change.point);
        for (place, line) in PLACES[at].iter().zip(change.lines) {
            self.lines[usize::from(place.line)] = line;
        }
        self.totals = change.totals;
        self.cells[at] = 0;
        self.hash ^= KEYS[usize::from(change.colour) * POINTS + at];
        self.empty += 1;
    }

    /// The stones placed since the board was made that have not been taken back.
    pub fn placed(&self) -> usize {
        self.changes.len()
    }

    /// Takes back stones until `placed` are left of those placed since the board was made.
    pub fn rewind(&mut self, placed: usize) {
        while self.changes.len() > placed {
            self.remove();
        }
    }

    /// Whether a colour has a window with four stones or more: it can make six in one turn.
    #[inline]
    pub fn has_four(&self, colour: usize) -> bool {
        self.totals.four[colour] != 0
    }

    /// Whether a line through `point` holds windows with three stones of a colour around it or a live
    /// two: three windows or more with two stones, so that there is room on both sides.
    #[inline]
    pub fn has_attack_line_at(&self, colour: usize, point: u16) -> bool {
        PLACES[usize::from(point)].iter().any(|p| {
            let windows = &self.lines[usize::from(p.line)].patterns[colour];
            let around = containing(u32::from(p.bit));
            windows.three & around != 0 || (windows.two & around).count_ones() >= 3
        })
    }

    /// The number of windows with exactly three stones of a colour that contain `point`.
    #[inline]
    pub fn threes_at(&self, colour: usize, point: u16) -> u32 {
        self.windows_at(colour, point, |p| p.three)
    }

    /// The number of windows with exactly two stones of a colour that contain `point`.
    #[inline]
    pub fn twos_at(&self, colour: usize, point: u16) -> u32 {
        self.windows_at(colour, point, |p| p.two)
    }

    /// What a stone of `colour` on an empty point would add to its windows' [`WORTH`].
    pub fn gain(&self, colour: usize, point: u16) -> i32 {
        let [one, two, three, four] = WORTH;
        self.gain_by(&[one, two - one, three - two, four - three], colour, point)
    }

    /// The same with what a stone adds to a window that holds none, one, two and three.
    #[inline]
    pub fn gain_by(&self, steps: &[i32; 4], colour: usize, point: u16) -> i32 {
        let places = PLACES[usize::from(point)].iter();
        places
            .map(|p| {
                let (windows, around) = (
                    self.lines[usize::from(p.line)].patterns[colour],
                    containing(u32::from(p.bit)),
                );
                let number = |set: u32| (set & around).count_ones() as i32;
                let open = self.open_at(usize::from(p.line), colour, around);
                let [one, two, three, four] =
                    [windows.one, windows.two, windows.three, windows.four].map(number);
                let none = open - one - two - three - four;
                none * steps[0] + one * steps[1] + two * steps[2] + three * steps[3]
            })
            .sum()
    }

    /// The number of windows among `starts` that are open to a colour.
    fn open_at(&self, line: usize, colour: usize, starts: u32) -> i32 {
        (self.open_windows(line, colour) & starts).count_ones() as i32
    }

    /// The windows of a line that are open to a colour.
    #[inline]
    fn open_windows(&self, line: usize, colour: usize) -> u32 {
        let blocked = self.lines[line].own[1 - colour] | !self.valid[line];
        let pair = blocked | blocked >> 1;
        !(pair | pair >> 2 | pair >> 4) & ((1 << 14) - 1)
    }

    #[inline]
    fn windows_at(&self, colour: usize, point: u16, of: impl Fn(&Pattern) -> u32) -> u32 {
        let places = PLACES[usize::from(point)].iter();
        places
            .map(|p| {
                let windows = of(&self.lines[usize::from(p.line)].patterns[colour]);
                (windows & containing(u32::from(p.bit))).count_ones()
            })
            .sum()
    }

    /// The windows with four stones or more of a colour, as what is still empty in them.
    #[inline]
    pub fn threats(&self, colour: usize) -> Threats {
        let mut threats = Threats::default();
        for line in lines_of(self.totals.four[colour]) {
            let l = &self.lines[line];
            for start in Bits(l.patterns[colour].four) {
                let empty = pattern::window(start) & !l.own[colour];
                threats.push(line, empty);
            }
        }
        threats
    }
}

/// The numbers in a set of lines, rising.
#[inline]
pub fn lines_of(mut set: LineSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let line = set.trailing_zeros() as usize;
            set &= set - 1;
            line
        })
    })
}

/// A point's text.
pub fn name(point: u16) -> String {
    Point::from_index(usize::from(point)).map_or_else(|| "-".into(), |p| p.to_string())
}

#[cfg(test)]
pub(crate) mod tests;
