//! The board that searches work on: every line's windows are kept up to date as stones come and go,
//! 4 lines a stone, so that threats and where they can be made are read off instead of looked for.

pub mod geometry;
pub mod pattern;
mod threats;

pub use threats::{Covers, Threat, Threats};

use agon_protocol::Player;
use agon_protocol::connect6::{Connect6, POINTS, Point};
use agon_protocol::hash::{mix, zobrist};
use arrayvec::ArrayVec;
use geometry::{FULL, LINES, PLACES, point_of, valid};
use pattern::{Bits, Pattern, containing, cover};

/// Zobrist keys of (black, white) times the points.
static KEYS: [u64; 2 * POINTS] = zobrist(0x636f_6e6e_6563_7438);

/// The value of open windows with one, two, three and four or more stones; see [`Board::score`].
pub const WORTH: [i32; 4] = [1, 6, 14, 30];

/// A set of lines.
pub type LineSet = u128;

/// One line: its stones and its windows, for both colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Line {
    own: [u32; 2],
    patterns: [Pattern; 2],
}

/// The lines that have windows with two, three, four stones, and the sum of all windows' worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Totals {
    two: [LineSet; 2],
    three: [LineSet; 2],
    four: [LineSet; 2],
    score: [i32; 2],
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

/// A line through a stone as it would be without it.
#[derive(Clone, Copy, Debug)]
pub struct Lifted {
    slot: usize,
    line: u8,
    own: u32,
    blocked: u32,
    around: u32,
}

impl Lifted {
    /// Whether stones on `new` would make a window with four that contains the stone.
    #[inline]
    pub fn stops_four(&self, new: &[u16]) -> bool {
        let own = self.own | bits_on(self.slot, self.line, new);
        own != self.own && Pattern::of(own, self.blocked).four & self.around != 0
    }
}

/// The bits of those points that lie on a line; `slot` is the place of such lines among a point's.
#[inline]
fn bits_on(slot: usize, line: u8, points: &[u16]) -> u32 {
    points.iter().fold(0, |bits, p| {
        let place = PLACES[usize::from(*p)][slot];
        if place.line == line { bits | 1 << place.bit } else { bits }
    })
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
        self.totals.score[colour]
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
            t.score[colour] += worth(new) - worth(old);
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

    /// Whether a window with four stones or more of a colour contains `point`.
    #[inline]
    pub fn four_contains(&self, colour: usize, point: u16) -> bool {
        PLACES[usize::from(point)].iter().any(|p| {
            let four = self.lines[usize::from(p.line)].patterns[colour].four;
            four & containing(u32::from(p.bit)) != 0
        })
    }

    /// Whether a window with four stones or more of a colour contains both points.
    #[inline]
    pub fn four_contains_both(&self, colour: usize, a: u16, b: u16) -> bool {
        // Points on a common line have it in the same place of the four.
        PLACES[usize::from(a)].iter().zip(&PLACES[usize::from(b)]).any(|(x, y)| {
            let four = self.lines[usize::from(x.line)].patterns[colour].four;
            let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
            x.line == y.line && four & both != 0
        })
    }

    /// Whether a line through `point` holds a live two of a colour around it: three windows or
    /// more with two stones, so that there is room on both sides.
    pub fn has_live_two_at(&self, colour: usize, point: u16) -> bool {
        PLACES[usize::from(point)].iter().any(|p| {
            let two = self.lines[usize::from(p.line)].patterns[colour].two;
            (two & containing(u32::from(p.bit))).count_ones() >= 3
        })
    }

    /// Whether a stone on `point` makes a three or a live two (three windows or more with two
    /// stones) on a line on which it lies in no window with four.
    pub fn builds_beside_fours(&self, colour: usize, point: u16) -> bool {
        PLACES[usize::from(point)].iter().any(|p| {
            let windows = &self.lines[usize::from(p.line)].patterns[colour];
            let around = containing(u32::from(p.bit));
            windows.four & around == 0
                && (windows.three & around != 0 || (windows.two & around).count_ones() >= 3)
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

    /// What a stone of `colour` on an empty point would add to its windows' worth.
    pub fn gain(&self, colour: usize, point: u16) -> i32 {
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
                none * WORTH[0]
                    + one * (WORTH[1] - WORTH[0])
                    + two * (WORTH[2] - WORTH[1])
                    + three * (WORTH[3] - WORTH[2])
            })
            .sum()
    }

    /// The number of windows among `starts` that are open to a colour.
    fn open_at(&self, line: usize, colour: usize, starts: u32) -> i32 {
        let blocked = self.lines[line].own[1 - colour] | !self.valid[line];
        let pair = blocked | blocked >> 1;
        let open = !(pair | pair >> 2 | pair >> 4) & ((1 << 14) - 1);
        (open & starts).count_ones() as i32
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

    /// Calls `visit` with every empty point, possibly more than once, that lies in a window with
    /// exactly three stones of a colour: a stone there makes a threat.
    #[inline]
    pub fn visit_three_points(&self, colour: usize, mut visit: impl FnMut(u16)) {
        for line in lines_of(self.totals.three[colour]) {
            let l = &self.lines[line];
            for bit in Bits(cover(l.patterns[colour].three) & !l.own[colour]) {
                visit(point_of(line, bit));
            }
        }
    }

    /// The same for the windows that contain `stone`.
    #[inline]
    pub fn visit_three_points_with(&self, colour: usize, stone: u16, mut visit: impl FnMut(u16)) {
        for p in &PLACES[usize::from(stone)] {
            let (number, around) = (usize::from(p.line), containing(u32::from(p.bit)));
            let line = &self.lines[number];
            for bit in Bits(cover(line.patterns[colour].three & around) & !line.own[colour]) {
                visit(point_of(number, bit));
            }
        }
    }

    /// The same for the windows with exactly two stones that contain `stone`.
    #[inline]
    pub fn visit_two_points_with(&self, colour: usize, stone: u16, mut visit: impl FnMut(u16)) {
        for p in &PLACES[usize::from(stone)] {
            let (number, around) = (usize::from(p.line), containing(u32::from(p.bit)));
            let line = &self.lines[number];
            for bit in Bits(cover(line.patterns[colour].two & around) & !line.own[colour]) {
                visit(point_of(number, bit));
            }
        }
    }

    /// The same for windows with exactly two stones.
    #[inline]
    pub fn visit_two_points(&self, colour: usize, mut visit: impl FnMut(u16)) {
        for line in lines_of(self.totals.two[colour]) {
            let l = &self.lines[line];
            for bit in Bits(cover(l.patterns[colour].two) & !l.own[colour]) {
                visit(point_of(line, bit));
            }
        }
    }

    /// Calls `visit` with every pair of empty points of one line, each once, that together make
    /// two threats or more on that line out of windows with two stones.
    pub fn visit_line_doubles(&self, colour: usize, mut visit: impl FnMut(u16, u16)) {
        for line in lines_of(self.totals.two[colour]) {
            self.line_doubles(colour, line, u32::MAX, &mut visit);
        }
    }

    /// The same for the windows that contain `stone`.
    pub fn visit_line_doubles_with(
        &self,
        colour: usize,
        stone: u16,
        mut visit: impl FnMut(u16, u16),
    ) {
        for p in &PLACES[usize::from(stone)] {
            let around = containing(u32::from(p.bit));
            self.line_doubles(colour, usize::from(p.line), around, &mut visit);
        }
    }

    /// The same for the windows of a line that start in `starts`.
    fn line_doubles(
        &self,
        colour: usize,
        line: usize,
        starts: u32,
        visit: &mut impl FnMut(u16, u16),
    ) {
        let l = &self.lines[line];
        let (own, two) = (l.own[colour], l.patterns[colour].two & starts);
        let blocked = l.own[1 - colour] | !self.valid[line];
        let empty = FULL & !own & !blocked;
        for a in Bits(cover(two) & empty) {
            let with_a = two & containing(a);
            for b in Bits(cover(with_a) & empty & !((2 << a) - 1)) {
                if with_a & containing(b) == 0 {
                    continue;
                }
                let new = own | 1 << a | 1 << b;
                let fours = Pattern::of(new, blocked).four;
                // Two threats: no single empty point is in all windows.
                let common = Bits(fours).fold(!new, |set, s| set & pattern::window(s));
                if fours != 0 && common == 0 {
                    visit(point_of(line, a), point_of(line, b));
                }
            }
        }
    }

    /// Calls `visit` with the empty points, as bits of a line, of every window that has `least`
    /// stones of a colour or more (1 to 4) and none of the other.
    pub fn visit_windows(&self, colour: usize, least: usize, mut visit: impl FnMut(usize, u32)) {
        for (number, line) in self.lines.iter().enumerate() {
            let p = &line.patterns[colour];
            let sets = [p.one, p.two, p.three, p.four];
            let starts = sets.iter().skip(least.clamp(1, 4) - 1).fold(0, |all, set| all | set);
            if starts != 0 {
                visit(number, cover(starts) & !line.own[colour]);
            }
        }
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

    /// The same windows, as far as they contain `point`.
    pub fn threats_at(&self, colour: usize, point: u16) -> Threats {
        let mut threats = Threats::default();
        self.visit_fours_at(colour, point, |line, start, own| {
            threats.push(line, pattern::window(start) & !own);
        });
        threats
    }

    /// Calls `visit` with the line, the start and the line's own stones of every window with four
    /// stones or more of a colour that contains `point`.
    #[inline]
    pub fn visit_fours_at(
        &self,
        colour: usize,
        point: u16,
        mut visit: impl FnMut(usize, u32, u32),
    ) {
        for p in &PLACES[usize::from(point)] {
            let (number, around) = (usize::from(p.line), containing(u32::from(p.bit)));
            let line = &self.lines[number];
            for start in Bits(line.patterns[colour].four & around) {
                visit(number, start, line.own[colour]);
            }
        }
    }

    /// Whether a window with four stones or more of a colour does not contain `point`.
    pub fn four_without(&self, colour: usize, point: u16) -> bool {
        let places = &PLACES[usize::from(point)];
        lines_of(self.totals.four[colour]).any(|number| {
            let here = places.iter().find(|p| usize::from(p.line) == number);
            let around = here.map_or(0, |p| containing(u32::from(p.bit)));
            self.lines[number].patterns[colour].four & !around != 0
        })
    }

    /// Whether stones of `colour` on `new`, which are empty, would make a window with four.
    pub fn makes_four(&self, colour: usize, new: &[u16]) -> bool {
        new.iter().any(|p| {
            PLACES[usize::from(*p)].iter().enumerate().any(|(slot, place)| {
                let number = usize::from(place.line);
                let line = &self.lines[number];
                let own = line.own[colour] | bits_on(slot, place.line, new);
                let blocked = line.own[1 - colour] | !self.valid[number];
                Pattern::of(own, blocked).four & containing(u32::from(place.bit)) != 0
            })
        })
    }

    /// The lines on which the stone on `point` may keep `colour`, the other one, from a window with
    /// four: without it there would be windows through it with two stones or more.
    pub fn lifted(&self, colour: usize, point: u16) -> ArrayVec<Lifted, 4> {
        let mut lines = ArrayVec::new();
        for (slot, place) in PLACES[usize::from(point)].iter().enumerate() {
            let number = usize::from(place.line);
            let line = &self.lines[number];
            let blocked = (line.own[1 - colour] & !(1 << place.bit)) | !self.valid[number];
            let pattern = Pattern::of(line.own[colour], blocked);
            let around = containing(u32::from(place.bit));
            if (pattern.two | pattern.three | pattern.four) & around != 0 {
                lines.push(Lifted {
                    slot,
                    line: place.line,
                    own: line.own[colour],
                    blocked,
                    around,
                });
            }
        }
        lines
    }

    /// The threats that a stone on an empty point would make alone on each of its four lines.
    pub fn threats_by_line(&self, colour: usize, point: u16) -> [u8; 4] {
        PLACES[usize::from(point)].map(|p| {
            let three = self.lines[usize::from(p.line)].patterns[colour].three;
            match three & containing(u32::from(p.bit)) {
                0 => 0,
                _ => self.threats_with(colour, p.line, [p.bit; 2]) as u8,
            }
        })
    }

    /// The threats on a line with stones on two of its points: what they make together there.
    pub fn threats_with(&self, colour: usize, line: u8, bits: [u8; 2]) -> u32 {
        let l = &self.lines[usize::from(line)];
        let own = l.own[colour] | 1 << bits[0] | 1 << bits[1];
        let fours = Pattern::of(own, l.own[1 - colour] | !self.valid[usize::from(line)]).four;
        let common = |starts: u32| Bits(starts).fold(!own, |set, s| set & pattern::window(s));
        if fours == 0 {
            return 0;
        }
        if common(fours) != 0 {
            return 1;
        }
        // A stone in the first window leaves those without it; one more stops them, or not.
        let first = pattern::window(fours.trailing_zeros()) & !own;
        let two = Bits(first).any(|b| common(fours & !containing(b)) != 0);
        if two { 2 } else { 3 }
    }

    /// The windows of a line that start in `starts` and have exactly two or three stones.
    pub fn building(&self, colour: usize, line: u8, starts: u32) -> u32 {
        let windows = &self.lines[usize::from(line)].patterns[colour];
        (windows.two | windows.three) & starts
    }

    /// The empty points of a line, as bits.
    pub fn empties_on(&self, line: u8) -> u32 {
        let l = &self.lines[usize::from(line)];
        self.valid[usize::from(line)] & !(l.own[0] | l.own[1])
    }

    /// Whether a window with three stones or more of a colour contains both points.
    pub fn windows_share(&self, colour: usize, a: u16, b: u16) -> bool {
        PLACES[usize::from(a)].iter().zip(&PLACES[usize::from(b)]).any(|(x, y)| {
            let windows = &self.lines[usize::from(x.line)].patterns[colour];
            let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
            x.line == y.line && (windows.three | windows.four) & both != 0
        })
    }

    /// The line on which both points lie in a window with four stones or more of a colour, and the
    /// colour's other stones there.
    pub fn line_with_both(&self, colour: usize, [a, b]: [u16; 2]) -> Option<(u8, u32)> {
        let (at_a, at_b) = (&PLACES[usize::from(a)], &PLACES[usize::from(b)]);
        at_a.iter().zip(at_b).find_map(|(x, y)| {
            let line = &self.lines[usize::from(x.line)];
            let both = containing(u32::from(x.bit)) & containing(u32::from(y.bit));
            (x.line == y.line && line.patterns[colour].four & both != 0)
                .then_some((x.line, line.own[colour] & !(1 << x.bit | 1 << y.bit)))
        })
    }

    /// The empty points that a stone on `point` may combine with: those of the eight directions, as far
    /// as five steps and up to the first stone of the other colour, along lines with room for six
    /// (section 3.6.2's star zone).
    pub fn visit_star(&self, colour: usize, point: u16, mut visit: impl FnMut(u16)) {
        for p in &PLACES[usize::from(point)] {
            let (number, bit) = (usize::from(p.line), u32::from(p.bit));
            let blocked = self.lines[number].own[1 - colour] | !self.valid[number];
            let pair = blocked | blocked >> 1;
            let open = !(pair | pair >> 2 | pair >> 4) & containing(bit);
            for b in Bits(cover(open) & !self.lines[number].own[colour]) {
                visit(point_of(number, b));
            }
        }
    }

    /// The stones of a colour in windows with four of them or more.
    pub fn visit_threat_stones(&self, colour: usize, mut visit: impl FnMut(u16)) {
        for line in lines_of(self.totals.four[colour]) {
            let l = &self.lines[line];
            for bit in Bits(cover(l.patterns[colour].four) & l.own[colour]) {
                visit(point_of(line, bit));
            }
        }
    }
}

#[inline]
fn worth(p: Pattern) -> i32 {
    let number = |set: u32| set.count_ones() as i32;
    number(p.one) * WORTH[0]
        + number(p.two) * WORTH[1]
        + number(p.three) * WORTH[2]
        + number(p.four) * WORTH[3]
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

/// The colour of a player.
pub fn colour_of(player: Player) -> usize {
    player.index()
}

#[cfg(test)]
mod tests;
