//! Gomoku's threat sequences as a db-search problem (Allis 1994; Kang 2012, figures 3 to 6): each
//! operator is a four, or a three that all the defender's answers are put against at once, and the
//! goal is a five or a straight four.

use super::{Operator, Problem, State};

/// What is on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum On {
    /// Nothing.
    Empty,
    /// The attacker's stone.
    Attacker,
    /// The defender's stone.
    Defender,
}

/// A point, `width * row + column`, and what is on it.
pub type Cell = (u16, On);

/// A position with the attacker to move.
#[derive(Clone, Debug)]
pub struct Gomoku {
    width: usize,
    height: usize,
    cells: Vec<On>,
    threes: bool,
    fives: Vec<Vec<u16>>,
    sixes: Vec<Vec<u16>>,
}

impl Gomoku {
    /// Rows from the top: `X` attacker, `O` defender, `.` empty. `threes` lets threes be threats;
    /// without it only fours are. `None` if rows differ in length or hold anything else.
    pub fn new(rows: &[&str], threes: bool) -> Option<Gomoku> {
        let width = rows.first()?.len();
        let mut cells = Vec::new();
        for row in rows {
            if row.len() != width {
                return None;
            }
            for b in row.bytes() {
                cells.push(match b {
                    b'.' => On::Empty,
                    b'X' => On::Attacker,
                    b'O' => On::Defender,
                    _ => return None,
                });
            }
        }
        let (fives, sixes) = (Vec::new(), Vec::new());
        let mut game = Gomoku { width, height: rows.len(), cells, threes, fives, sixes };
        (game.fives, game.sixes) = (game.runs(5), game.runs(6));
        Some(game)
    }

    /// All runs of `length` points.
    fn runs(&self, length: usize) -> Vec<Vec<u16>> {
        let (w, h) = (self.width as isize, self.height as isize);
        let mut all = Vec::new();
        for i in 0..w * h {
            for (dc, dr) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let at = |k: isize| {
                    let (c, r) = (i % w + k * dc, i / w + k * dr);
                    ((0..w).contains(&c) && r < h).then_some((r * w + c) as u16)
                };
                let run: Vec<u16> = (0..length as isize).filter_map(at).collect();
                if run.len() == length {
                    all.push(run);
                }
            }
        }
        all
    }

    /// The attacker moves on `gain`, where a line has what it needs on `line`; the defender
    /// answers on all of `costs`.
    fn operator(line: &[u16], own: &[u16], gain: u16, costs: &[u16]) -> Operator<Cell> {
        let stones = own.iter().map(|&p| (p, On::Attacker));
        let empty = line.iter().filter(|p| !own.contains(p)).map(|&p| (p, On::Empty));
        let taken = costs.iter().chain([&gain]).map(|&p| (p, On::Empty));
        let answers = costs.iter().map(|&p| (p, On::Defender));
        Operator {
            pre: stones.chain(empty).collect(),
            del: taken.collect(),
            add: std::iter::once((gain, On::Attacker)).chain(answers).collect(),
        }
    }
}

impl Problem for Gomoku {
    type Attribute = Cell;

    fn start(&self) -> State<Cell> {
        self.cells.iter().enumerate().map(|(i, on)| (i as u16, *on)).collect()
    }

    fn operators(&self, state: &State<Cell>) -> Vec<Operator<Cell>> {
        let is = |p: u16, on: On| state.contains(&(p, on));
        let mut all = Vec::new();
        let split = |run: &[u16]| {
            let own: Vec<u16> = run.iter().copied().filter(|&p| is(p, On::Attacker)).collect();
            let empty: Vec<u16> = run.iter().copied().filter(|&p| is(p, On::Empty)).collect();
            (own.len() + empty.len() == run.len()).then_some((own, empty))
        };
        for run in &self.fives {
            let Some((own, empty)) = split(run) else { continue };
            match (own.len(), empty.as_slice()) {
                (4, &[gain]) => all.push(Gomoku::operator(run, &own, gain, &[])),
                (3, &[a, b]) => {
                    all.push(Gomoku::operator(run, &own, a, &[b]));
                    all.push(Gomoku::operator(run, &own, b, &[a]));
                }
                _ => {}
            }
        }
        // A three: six points, the outer ones empty, a stone makes three of the inner four. The
        // defender answers on the fourth and on both ends.
        for run in self.sixes.iter().filter(|_| self.threes) {
            let Some((own, empty)) = split(run) else { continue };
            let ends = [run[0], run[5]];
            if own.len() != 2 || own.iter().any(|p| ends.contains(p)) {
                continue;
            }
            let inner: Vec<u16> = empty.iter().copied().filter(|p| !ends.contains(p)).collect();
            for &gain in &inner {
                let costs: Vec<u16> = empty.iter().copied().filter(|p| *p != gain).collect();
                all.push(Gomoku::operator(run, &own, gain, &costs));
            }
        }
        all
    }

    /// Five in a row, or four with both ends empty.
    fn is_goal(&self, state: &State<Cell>) -> bool {
        let own = |p: &u16| state.contains(&(*p, On::Attacker));
        let free = |p: u16| state.contains(&(p, On::Empty));
        self.fives.iter().any(|run| run.iter().all(own))
            || self
                .sixes
                .iter()
                .any(|run| free(run[0]) && free(run[5]) && run[1..5].iter().all(own))
    }
}
