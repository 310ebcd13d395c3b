//! The independent verifier of claimed wins. It replays a proof against every legal defence on a
//! plain grid, counting the stones in every window. It shares only the form of proofs with the
//! solver, so it detects any bug in the solver's tables or logic.
//!
//! A defence is a pair of empty points (or fewer if the board is full). A defence that leaves a
//! window in which the attacker needs at most two more stones loses at once. The others stop all
//! such windows: each is played, and the proof's answer to it followed to the end. If there are too
//! many ([`Budget`]), a step with a single answer to all defences is followed once with stones on
//! all points of all defences: an additional stone never hurts the defender, so a plan that works
//! against all of them works against any two.

use crate::board::name;
use crate::proof::Step;
use agon_games::Player;
use agon_games::connect6::{Connect6, MAX_SIZE, POINTS};
use arrayvec::ArrayVec;
use std::collections::BTreeSet;

/// Why a proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("after {line}: {fault}")]
pub struct Refuted {
    /// The turns up to the error, starting with the attacker's.
    pub line: String,
    /// What is wrong.
    pub fault: String,
}

/// How many defences are replayed one by one.
#[derive(Clone, Copy)]
pub struct Budget<'b> {
    /// Defences played one by one before the verifier plays all defences of a step together.
    pub defences: u64,
    /// Polled at every defence; if it returns true, the proof counts as refuted.
    pub stop: &'b dyn Fn() -> bool,
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Budget { defences: 2_000_000, stop: &|| false }
    }
}

/// Statistics of the replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Defences played one by one.
    pub defences: u64,
    /// Steps at which all defences were played together.
    pub together: u64,
}

/// Verifies that the side to move wins by this proof.
///
/// # Errors
/// The first defence without a winning answer in the proof, or an illegal step.
pub fn verify(game: &Connect6, proof: &Step, budget: Budget<'_>) -> Result<Verified, Refuted> {
    let attacker = game.side_to_move();
    let mut replay = Replay::new(game, attacker, budget);
    if game.stones_due() == 1 && game.empty_points() > 1 {
        return Err(replay.refuted("the first turn of a game has one stone"));
    }
    replay.step(proof)?;
    Ok(replay.done)
}

/// Verifies that the side to move loses: `answers` has no stones and, for every turn of the side to
/// move, an answer of the opponent that wins.
///
/// # Errors
/// The first turn without a winning answer, or an illegal step.
pub fn verify_loss(
    game: &Connect6,
    answers: &Step,
    budget: Budget<'_>,
) -> Result<Verified, Refuted> {
    let mut replay = Replay::new(game, game.side_to_move().opponent(), budget);
    if game.stones_due() != 2 || !answers.stones.is_empty() {
        return Err(replay.refuted("a loss is proved by answers to turns of two stones"));
    }
    replay.after_attack(answers)?;
    Ok(replay.done)
}

/// A turn, or the empty points of a window: at most two points.
type Points = ArrayVec<u16, 2>;

/// The letters of the two sides on the grid, in the order of [`Window::stones`].
const LETTERS: [u8; 2] = *b"AD";

/// The minimum number of stones in a window that one turn can complete.
const FOUR: u8 = 4;

/// Six points in a row, and the number of stones of each side on them.
struct Window {
    points: [u16; 6],
    stones: [u8; 2],
}

/// A grid of letters, the windows that contain each point, and the path.
struct Replay<'b> {
    /// `.` empty, `A` attacker, `D` defender.
    cells: Vec<u8>,
    windows: Vec<Window>,
    containing: Vec<Vec<usize>>,
    /// Bit sets of the windows with at least four stones of a side and none of the opponent.
    fours: [Vec<u64>; 2],
    points: Vec<u16>,
    empty: usize,
    path: Vec<Vec<u16>>,
    budget: Budget<'b>,
    done: Verified,
}

impl<'b> Replay<'b> {
    fn new(game: &Connect6, attacker: Player, budget: Budget<'b>) -> Replay<'b> {
        let size = game.size() as isize;
        let mut windows = Vec::new();
        for column in 0..size {
            for row in 0..size {
                for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let at = |k: isize| {
                        let (c, r) = (column + k * dc, row + k * dr);
                        let inside = (0..size).contains(&c) && (0..size).contains(&r);
                        inside.then_some((c * MAX_SIZE as isize + r) as u16)
                    };
                    let run: Vec<u16> = (0..6).filter_map(at).collect();
                    let points = <[u16; 6]>::try_from(run);
                    windows.extend(points.map(|points| Window { points, stones: [0; 2] }));
                }
            }
        }
        let mut containing = vec![Vec::new(); POINTS];
        for (i, window) in windows.iter().enumerate() {
            window.points.iter().for_each(|&p| containing[usize::from(p)].push(i));
        }
        let words = windows.len().div_ceil(64);
        let mut replay = Replay {
            cells: vec![b'#'; POINTS],
            windows,
            containing,
            fours: [vec![0; words], vec![0; words]],
            points: game.points().map(|p| p.index() as u16).collect(),
            empty: 0,
            path: Vec::new(),
            budget,
            done: Verified::default(),
        };
        for point in game.points() {
            replay.cells[point.index()] = b'.';
            replay.empty += 1;
        }
        for point in game.points() {
            if let Some(player) = game.stone(point) {
                replay.put(&[point.index() as u16], LETTERS[usize::from(player != attacker)]);
            }
        }
        replay
    }

    fn refuted(&self, fault: impl Into<String>) -> Refuted {
        let text = |turn: &Vec<u16>| {
            let points: String = turn.iter().map(|p| name(*p)).collect();
            // More points than a turn has: all defences are played together.
            if turn.len() > 2 { format!("[{points}]") } else { points }
        };
        let turns: Vec<String> = self.path.iter().map(text).collect();
        let line = if turns.is_empty() { "nothing".into() } else { turns.join(" ") };
        Refuted { line, fault: fault.into() }
    }

    /// The empty points of each window in which `letter` needs at most `stones` (0 to 2) more
    /// stones.
    fn needs(&self, letter: u8, stones: usize) -> Vec<Points> {
        let side = usize::from(letter != LETTERS[0]);
        let mut all = Vec::new();
        for (word, &bits) in self.fours[side].iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                let window = &self.windows[64 * word + rest.trailing_zeros() as usize];
                rest &= rest - 1;
                if usize::from(window.stones[side]) + stones >= 6 {
                    let empty = |p: &u16| self.cells[usize::from(*p)] == b'.';
                    all.push(window.points.into_iter().filter(empty).collect());
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Places stones on empty points.
    fn put(&mut self, points: &[u16], letter: u8) {
        for &p in points {
            self.cells[usize::from(p)] = letter;
            self.update(p, letter, true);
        }
        self.empty -= points.len();
    }

    /// Removes stones of one letter.
    fn take(&mut self, points: &[u16]) {
        for &p in points {
            let letter = std::mem::replace(&mut self.cells[usize::from(p)], b'.');
            self.update(p, letter, false);
        }
        self.empty += points.len();
    }

    /// Updates the windows of a point where a stone was placed or removed.
    fn update(&mut self, point: u16, letter: u8, put: bool) {
        let side = usize::from(letter != LETTERS[0]);
        for &w in &self.containing[usize::from(point)] {
            let stones = &mut self.windows[w].stones;
            if put {
                stones[side] += 1;
            } else {
                stones[side] -= 1;
            }
            let [a, d] = *stones;
            let (word, bit) = (w / 64, w % 64);
            for (fours, [own, other]) in self.fours.iter_mut().zip([[a, d], [d, a]]) {
                let is_four = u64::from(other == 0 && own >= FOUR);
                fours[word] = fours[word] & !(1 << bit) | is_four << bit;
            }
        }
    }

    /// Plays the attacker's turn and every defence to it, then restores the board.
    fn step(&mut self, step: &Step) -> Result<(), Refuted> {
        self.check_legal(step)?;
        self.path.push(step.stones.clone());
        self.put(&step.stones, b'A');
        let result = self.after_attack(step);
        self.take(&step.stones);
        self.path.pop();
        result
    }

    fn check_legal(&self, step: &Step) -> Result<(), Refuted> {
        for (i, &p) in step.stones.iter().enumerate() {
            let empty = self.cells.get(usize::from(p)) == Some(&b'.');
            if !empty || step.stones[..i].contains(&p) {
                return Err(self.refuted(format!("the proof plays {}, not empty", name(p))));
            }
        }
        let one_is_enough = self.empty == 1 || step.stones.iter().any(|&p| self.six_with(p));
        match step.stones.len() {
            2 => Ok(()),
            1 if one_is_enough => Ok(()),
            n => Err(self.refuted(format!("a turn of {n} stones that does not make six"))),
        }
    }

    /// Whether the attacker has six with a stone on an empty point.
    fn six_with(&self, point: u16) -> bool {
        self.containing[usize::from(point)].iter().any(|&w| {
            let others = self.windows[w].points.iter().filter(|p| **p != point);
            others.clone().all(|p| self.cells[usize::from(*p)] == b'A')
        })
    }

    fn after_attack(&mut self, step: &Step) -> Result<(), Refuted> {
        if !self.needs(b'A', 0).is_empty() {
            return Ok(());
        }
        let room = self.empty.min(2);
        if !self.needs(b'D', room).is_empty() {
            return Err(self.refuted("the defender makes six"));
        }
        if room == 0 {
            return Err(self.refuted("the board is full"));
        }
        let windows = self.needs(b'A', 2.min(self.empty - room));
        let defences = self.defences(&windows, room);
        if defences.is_empty() {
            return Ok(());
        }
        if step.answers.is_empty() {
            let d: String = defences[0].iter().map(|p| name(*p)).collect();
            return Err(self.refuted(format!("no answer to the defence {d}")));
        }
        let one_for_all = matches!(step.answers.as_slice(), [a] if a.to.is_empty());
        let spent = self.done.defences + defences.len() as u64 > self.budget.defences;
        if spent && one_for_all && !windows.is_empty() {
            return self.all_at_once(step, &defences);
        }
        defences.iter().try_for_each(|d| self.one_defence(step, d))
    }

    /// Every set of `room` empty points that stops all of the windows.
    fn defences(&self, windows: &[Points], room: usize) -> Vec<Points> {
        let empties: Vec<u16> =
            self.points.iter().copied().filter(|p| self.cells[usize::from(*p)] == b'.').collect();
        let stops = |set: &[u16]| windows.iter().all(|w| w.iter().any(|p| set.contains(p)));
        // A set must hit the first window, so it contains one of its points.
        let firsts = windows.first().map_or(&*empties, |w| w);
        let mut found = Vec::new();
        for &a in firsts {
            if room == 1 {
                if stops(&[a]) {
                    found.push(Points::from_iter([a]));
                }
                continue;
            }
            let open: Vec<&Points> = windows.iter().filter(|w| !w.contains(&a)).collect();
            let seconds = open.first().map_or(&*empties, |w| w);
            for &b in seconds.iter().filter(|b| **b != a) {
                if open.iter().all(|w| w.contains(&b)) {
                    found.push(Points::from([a.min(b), a.max(b)]));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn one_defence(&mut self, step: &Step, defence: &[u16]) -> Result<(), Refuted> {
        if (self.budget.stop)() {
            return Err(self.refuted("the verification was stopped"));
        }
        self.done.defences += 1;
        self.path.push(defence.to_vec());
        let Some(next) = step.answer(defence).cloned() else {
            return Err(self.refuted("no answer"));
        };
        self.put(defence, b'D');
        let result = self.step(&next);
        self.take(defence);
        self.path.pop();
        result
    }

    fn all_at_once(&mut self, step: &Step, defences: &[Points]) -> Result<(), Refuted> {
        self.done.together += 1;
        let points: BTreeSet<u16> = defences.iter().flatten().copied().collect();
        let points: Vec<u16> = points.into_iter().collect();
        self.path.push(points.clone());
        let next = step.answers[0].step.clone();
        self.put(&points, b'D');
        let six = !self.needs(b'D', 0).is_empty();
        let result = if six {
            Err(self.refuted("all defences at once make six; the proof has no others"))
        } else {
            self.step(&next)
        };
        self.take(&points);
        self.path.pop();
        result
    }
}

#[cfg(test)]
mod tests;
