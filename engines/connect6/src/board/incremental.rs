//! [`WindowBoard`]: stones, lines and window counts, updated incrementally.

use super::geometry::{LINE_BITS, LINES, LineBit, valid};
use super::pattern::{self, Bits, WindowPattern, containing};
use super::threats::Threats;
use super::window_counts::{LinesByStones, WindowCounts};
use agon_games::connect6::{Connect6, POINTS, Point};
use agon_games::hash::{mix, zobrist};
use std::array::from_fn;

/// Zobrist keys by colour (black, white) and point.
static KEYS: [u64; 2 * POINTS] = zobrist(0x636f_6e6e_6563_7438);

/// The value of an open window with one, two, three and four or more stones. The solver orders its
/// turns by the sum ([`WindowBoard::score`]); game searches evaluate positions with
/// [`crate::play::WindowWeights`] instead.
pub const WINDOW_VALUES: [i32; 4] = [1, 6, 14, 30];

/// The stones and windows of one line, by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct LineState {
    pub(super) own: [u32; 2],
    pub(super) patterns: [WindowPattern; 2],
}

/// The lines with windows of two, three, and four or more stones, and the counts of all windows, of a
/// colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Totals {
    pub(super) lines: LinesByStones,
    pub(super) window_counts: WindowCounts,
}

/// What [`WindowBoard::remove`] restores; the rest follows from the point and the patterns.
#[derive(Clone, Copy, Debug)]
struct UndoRecord {
    point: u16,
    colour: u8,
    patterns: [[WindowPattern; 2]; 4],
    window_counts: [WindowCounts; 2],
}

/// The changes since the board was created. A clone has room for a turn: it is made to play on.
#[derive(Debug)]
struct UndoStack(Vec<UndoRecord>);

impl Clone for UndoStack {
    fn clone(&self) -> UndoStack {
        let mut records = Vec::with_capacity(self.0.len() + 2);
        records.extend_from_slice(&self.0);
        UndoStack(records)
    }
}

/// A board with incremental window counts. Colours are 0 for Black and 1 for White; points are
/// [`Point::index`].
#[derive(Clone, Debug)]
pub struct WindowBoard {
    pub(super) lines: [LineState; LINES],
    /// The bits of each line that are on the board.
    pub(super) valid: [u32; LINES],
    /// The number of windows that contain each point.
    pub(super) room: [u8; POINTS],
    pub(super) totals: [Totals; 2],
    /// 0 empty, 1 Black, 2 White, 3 off the board.
    pub(super) cells: [u8; POINTS],
    pub(super) hash: u64,
    empty: usize,
    size: usize,
    changes: UndoStack,
}

/// The cell value of a point off the board.
const OFF_BOARD: u8 = 3;

impl WindowBoard {
    /// An empty board with `size` columns and rows.
    pub fn new(size: usize) -> WindowBoard {
        let mut cells = [OFF_BOARD; POINTS];
        for column in 0..size {
            for row in 0..size {
                if let Some(point) = Point::new(column, row) {
                    cells[point.index()] = 0;
                }
            }
        }
        let valid = valid(size);
        let room = LINE_BITS.map(|line_bits| {
            let through = |p: LineBit| {
                let windows = pattern::open(!valid[usize::from(p.line)]);
                (windows & containing(u32::from(p.bit))).count_ones() as u8
            };
            line_bits.map(through).iter().sum()
        });
        WindowBoard {
            lines: [LineState::default(); LINES],
            valid,
            room,
            totals: [Totals::default(); 2],
            cells,
            hash: mix(size as u64),
            empty: size * size,
            size,
            changes: UndoStack(Vec::with_capacity(256)),
        }
    }

    /// A board with the stones of a position.
    pub fn from_game(game: &Connect6) -> WindowBoard {
        let mut board = WindowBoard::new(game.size());
        for point in game.points() {
            if let Some(player) = game.stone(point) {
                board.place(player.index(), point.index() as u16);
            }
        }
        board.changes.0.clear();
        board
    }

    /// The number of columns and of rows.
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

    /// The empty points in ascending order.
    pub fn empties(&self) -> impl Iterator<Item = u16> + '_ {
        self.cells.iter().enumerate().filter(|(_, c)| **c == 0).map(|(i, _)| i as u16)
    }

    /// The points with stones of a colour in ascending order.
    pub fn stones(&self, colour: usize) -> impl Iterator<Item = u16> + '_ {
        let cells = self.cells.iter().enumerate();
        cells.filter(move |(_, c)| usize::from(**c) == colour + 1).map(|(i, _)| i as u16)
    }

    /// A Zobrist hash of the stones, independent of the side to move.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The sum of [`WINDOW_VALUES`] over all windows that are open to a colour.
    #[inline]
    pub fn score(&self, colour: usize) -> i32 {
        self.totals[colour]
            .window_counts
            .windows()
            .into_iter()
            .zip(WINDOW_VALUES)
            .map(|(n, w)| n * w)
            .sum()
    }

    /// The number of windows open to a colour, by the number of its stones in them.
    #[inline]
    pub fn window_counts(&self, colour: usize) -> WindowCounts {
        self.totals[colour].window_counts
    }

    /// The number of a colour's open windows with two, three and four or more stones that have room
    /// at both ends: the windows shifted by one to either side are open too. Not incremental.
    pub fn free_windows(&self, colour: usize) -> [i32; 3] {
        let t = &self.totals[colour].lines;
        let mut numbers = [0; 3];
        for line in t.two.or(t.three).or(t.four).lines() {
            let p = &self.lines[line].patterns[colour];
            // A neighbour of a window with two stones holds at least one, so if open it is in this
            // set.
            let open = p.any();
            let between = open << 1 & open >> 1;
            for (number, set) in numbers.iter_mut().zip([p.two(), p.three(), p.four()]) {
                *number += (set & between).count_ones() as i32;
            }
        }
        numbers
    }

    /// The lines that have stones: the stones of both colours, and the bits of the line that are on the
    /// board.
    pub fn lines_with_stones(&self) -> impl Iterator<Item = ([u32; 2], u32)> + '_ {
        let lines = self.lines.iter().zip(&self.valid).map(|(line, valid)| (line.own, *valid));
        lines.filter(|(own, _)| *own != [0, 0])
    }

    /// Places a stone on an empty point.
    #[inline]
    pub fn place(&mut self, colour: usize, point: u16) {
        let at = usize::from(point);
        debug_assert!(self.cells[at] == 0, "{point} is not empty");
        let line_bits = &LINE_BITS[at];
        let patterns = from_fn(|i| self.lines[usize::from(line_bits[i].line)].patterns);
        let window_counts = self.totals.map(|t| t.window_counts);
        self.changes.0.push(UndoRecord { point, colour: colour as u8, patterns, window_counts });
        self.cells[at] = colour as u8 + 1;
        self.hash ^= KEYS[colour * POINTS + at];
        self.empty -= 1;
        // The first line is the column, where the bit is the row.
        let (column, row) = (usize::from(line_bits[0].line), usize::from(line_bits[0].bit));
        let last = self.size - 1;
        let edge_distance = column.min(row).min(last - column).min(last - row);
        let own: [WindowPattern; 4] = from_fn(|i| patterns[i][colour]);
        let other: [WindowPattern; 4] = from_fn(|i| patterns[i][1 - colour]);
        let windows = from_fn(|i| {
            let on = line_bits[i];
            self.open_windows(usize::from(on.line), colour) & containing(u32::from(on.bit))
        });
        let grown = from_fn(|i| own[i].around(line_bits[i].bit));
        let closed = from_fn(|i| other[i].around(line_bits[i].bit));
        let [ours, theirs] = match &mut self.totals {
            [a, b] if colour == 0 => [a, b],
            [a, b] => [b, a],
        };
        ours.window_counts.add_stone(windows, grown, edge_distance);
        theirs.window_counts.close(closed);
        let own: [WindowPattern; 4] = from_fn(|i| own[i].with_stone(line_bits[i].bit, windows[i]));
        let other: [WindowPattern; 4] = from_fn(|i| other[i].without(line_bits[i].bit));
        ours.lines.set(line_bits, own);
        theirs.lines.set(line_bits, other);
        for (i, on) in line_bits.iter().enumerate() {
            let line = &mut self.lines[usize::from(on.line)];
            line.own[colour] |= 1 << on.bit;
            line.patterns[colour] = own[i];
            line.patterns[1 - colour] = other[i];
        }
    }

    /// Removes the last stone placed.
    #[inline]
    pub fn remove(&mut self) {
        let Some(change) = self.changes.0.pop() else { return };
        let (at, colour) = (usize::from(change.point), usize::from(change.colour));
        let line_bits = &LINE_BITS[at];
        for (on, patterns) in line_bits.iter().zip(change.patterns) {
            let line = &mut self.lines[usize::from(on.line)];
            line.own[colour] ^= 1 << on.bit;
            line.patterns = patterns;
        }
        for (colour, totals) in self.totals.iter_mut().enumerate() {
            totals.lines.set(line_bits, from_fn(|i| change.patterns[i][colour]));
            totals.window_counts = change.window_counts[colour];
        }
        self.cells[at] = 0;
        self.hash ^= KEYS[colour * POINTS + at];
        self.empty += 1;
    }

    /// The number of stones that can be removed: those placed since the board was created.
    pub fn placed(&self) -> usize {
        self.changes.0.len()
    }

    /// The stones of a colour's last turn, the one before the last on the board; `None` if it is
    /// older than the board or not of two stones.
    pub fn last_turn_of(&self, colour: usize) -> Option<[u16; 2]> {
        let [.., a, b, c, d] = self.changes.0[..] else { return None };
        let own = |r: &UndoRecord| usize::from(r.colour) == colour;
        (own(&a) && own(&b) && !own(&c) && !own(&d)).then_some([a.point, b.point])
    }

    /// Removes stones until [`WindowBoard::placed`] is `placed`.
    pub fn rewind(&mut self, placed: usize) {
        while self.changes.0.len() > placed {
            self.remove();
        }
    }

    /// Whether a colour has a window with four or more stones, so that it can make six in one turn.
    #[inline]
    pub fn has_four(&self, colour: usize) -> bool {
        !self.totals[colour].lines.four.is_empty()
    }

    /// Whether an attack line of a colour passes through `point`: a window with three stones that
    /// contains it, or a live two (at least three windows with two stones, so that there is room on
    /// both sides).
    #[inline]
    pub fn has_attack_line_at(&self, colour: usize, point: u16) -> bool {
        LINE_BITS[usize::from(point)].iter().any(|p| {
            let windows = &self.lines[usize::from(p.line)].patterns[colour];
            let around = containing(u32::from(p.bit));
            windows.three() & around != 0 || (windows.two() & around).count_ones() >= 3
        })
    }

    /// The number of windows with exactly three stones of a colour that contain `point`.
    #[inline]
    pub fn threes_at(&self, colour: usize, point: u16) -> u32 {
        self.windows_at(colour, point, |p| p.three())
    }

    /// The number of windows with exactly two stones of a colour that contain `point`.
    #[inline]
    pub fn twos_at(&self, colour: usize, point: u16) -> u32 {
        self.windows_at(colour, point, |p| p.two())
    }

    /// The gain in [`WindowBoard::score`] by a stone of `colour` on an empty point.
    pub fn delta(&self, colour: usize, point: u16) -> i32 {
        let [one, two, three, four] = WINDOW_VALUES;
        self.delta_by(&[one, two - one, three - two, four - three], colour, point)
    }

    /// [`WindowBoard::delta`] with other values: the gain of a stone in an open window with none, one,
    /// two and three stones.
    #[inline]
    pub(super) fn delta_by(&self, steps: &[i32; 4], colour: usize, point: u16) -> i32 {
        let line_bits = LINE_BITS[usize::from(point)].iter();
        line_bits
            .map(|p| {
                let (windows, around) = (
                    self.lines[usize::from(p.line)].patterns[colour],
                    containing(u32::from(p.bit)),
                );
                let number = |set: u32| (set & around).count_ones() as i32;
                let open = self.open_at(usize::from(p.line), colour, around);
                let [one, two, three, four] =
                    [windows.one(), windows.two(), windows.three(), windows.four()].map(number);
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
    pub(super) fn open_windows(&self, line: usize, colour: usize) -> u32 {
        pattern::open(self.lines[line].own[1 - colour] | !self.valid[line])
    }

    #[inline]
    fn windows_at(&self, colour: usize, point: u16, of: impl Fn(&WindowPattern) -> u32) -> u32 {
        let line_bits = LINE_BITS[usize::from(point)].iter();
        line_bits
            .map(|p| {
                let windows = of(&self.lines[usize::from(p.line)].patterns[colour]);
                (windows & containing(u32::from(p.bit))).count_ones()
            })
            .sum()
    }

    /// The windows with four or more stones of a colour.
    #[inline]
    pub fn threats(&self, colour: usize) -> Threats {
        let mut threats = Threats::default();
        for line in self.totals[colour].lines.four.lines() {
            let l = &self.lines[line];
            for start in Bits(l.patterns[colour].four()) {
                let empty = pattern::window(start) & !l.own[colour];
                threats.push(line, empty);
            }
        }
        threats
    }
}

/// The name of a point; `-` if the number is not a point.
pub fn name(point: u16) -> String {
    Point::from_index(usize::from(point)).map_or_else(|| "-".into(), |p| p.to_string())
}
