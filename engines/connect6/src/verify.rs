//! The independent verifier of claimed wins: it replays a proof against every legal defence, on a
//! plain grid whose windows it looks at one by one. It shares no code with the solver but the
//! proof's form, so a fault in the solver's tables or reasoning cannot hide from it.
//!
//! A defence is a pair of empty points (or what there is room for). One that leaves a window open
//! in which the attacker needs two stones or fewer loses at once, so what remains are the pairs
//! that stop all such windows: each is played and the proof's answer to it followed, to the end.
//! Where that is too much ([`Budget`]), a step with a single answer to everything is followed once
//! with stones on all points of all those pairs: a stone more never hurts the defender, so a
//! plan that works against all of them works against any two.

use crate::board::name;
use crate::solver::proof::Step;
use agon_protocol::Player;
use agon_protocol::connect6::{Connect6, MAX_SIZE, POINTS};
use std::collections::BTreeSet;

/// Why a proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("after {line}: {fault}")]
pub struct Refuted {
    /// The turns up to the fault, attacker's first.
    pub line: String,
    /// What is wrong there.
    pub fault: String,
}

/// How much may be replayed defence by defence.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Defences played in all before the verifier turns to many at once.
    pub defences: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { defences: 2_000_000 }
    }
}

/// What was replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Defences played one by one.
    pub defences: u64,
    /// Steps at which all defences were played at once.
    pub together: u64,
}

/// Checks that `attacker`, who is to move in the position, wins by this proof.
///
/// # Errors
/// The first defence to which the proof has no answer that wins, or a step against the rules.
pub fn verify(game: &Connect6, proof: &Step, budget: Budget) -> Result<Verified, Refuted> {
    let attacker = game.side_to_move();
    let mut replay = Replay::new(game, attacker, budget);
    if game.stones_due() == 1 && game.empty_points() > 1 {
        return Err(replay.refuted("the first turn of a game has one stone"));
    }
    replay.step(proof)?;
    Ok(replay.done)
}

/// A grid of letters, the windows that contain each point, and the path.
struct Replay {
    /// `.` empty, `A` attacker, `D` defender.
    cells: Vec<u8>,
    windows: Vec<[u16; 6]>,
    containing: Vec<Vec<usize>>,
    points: Vec<u16>,
    empty: usize,
    path: Vec<String>,
    budget: Budget,
    done: Verified,
}

impl Replay {
    fn new(game: &Connect6, attacker: Player, budget: Budget) -> Replay {
        let size = game.size() as isize;
        let mut cells = vec![b'#'; POINTS];
        let mut points = Vec::new();
        for point in game.points() {
            points.push(point.index() as u16);
            cells[point.index()] = match game.stone(point) {
                None => b'.',
                Some(player) if player == attacker => b'A',
                Some(_) => b'D',
            };
        }
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
                    windows.extend(<[u16; 6]>::try_from(run));
                }
            }
        }
        let mut containing = vec![Vec::new(); POINTS];
        for (i, window) in windows.iter().enumerate() {
            window.iter().for_each(|&p| containing[usize::from(p)].push(i));
        }
        let empty = game.empty_points();
        Replay {
            cells,
            windows,
            containing,
            points,
            empty,
            path: Vec::new(),
            budget,
            done: Verified::default(),
        }
    }

    fn refuted(&self, fault: impl Into<String>) -> Refuted {
        let line = if self.path.is_empty() { "nothing".into() } else { self.path.join(" ") };
        Refuted { line, fault: fault.into() }
    }

    /// The stones of `letter` in a window, if it holds nothing else.
    fn count(&self, window: &[u16; 6], letter: u8) -> Option<usize> {
        let mut own = 0;
        for &p in window {
            match self.cells[usize::from(p)] {
                b'.' => {}
                c if c == letter => own += 1,
                _ => return None,
            }
        }
        Some(own)
    }

    /// What is empty in each window in which `letter` needs `stones` more or fewer.
    fn needs(&self, letter: u8, stones: usize) -> Vec<Vec<u16>> {
        let near = |w: &&[u16; 6]| self.count(w, letter).is_some_and(|n| n + stones >= 6);
        let mut all: Vec<Vec<u16>> = self
            .windows
            .iter()
            .filter(near)
            .map(|w| w.iter().copied().filter(|p| self.cells[usize::from(*p)] == b'.').collect())
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn put(&mut self, points: &[u16], letter: u8) {
        for &p in points {
            self.cells[usize::from(p)] = letter;
        }
        self.empty -= points.len();
    }

    fn take(&mut self, points: &[u16]) {
        for &p in points {
            self.cells[usize::from(p)] = b'.';
        }
        self.empty += points.len();
    }

    /// The attacker's turn and every defence to it; the board is as before afterwards.
    fn step(&mut self, step: &Step) -> Result<(), Refuted> {
        self.check_legal(step)?;
        self.path.push(step.stones.iter().map(|p| name(*p)).collect());
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
            let others = self.windows[w].iter().filter(|p| **p != point);
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

    /// Every set of `room` empty points that leaves none of the windows open.
    fn defences(&self, windows: &[Vec<u16>], room: usize) -> Vec<Vec<u16>> {
        let empties: Vec<u16> =
            self.points.iter().copied().filter(|p| self.cells[usize::from(*p)] == b'.').collect();
        let stops = |set: &[u16]| windows.iter().all(|w| w.iter().any(|p| set.contains(p)));
        // A set must hit the first window: one of its points is in there.
        let firsts = windows.first().unwrap_or(&empties);
        let mut found = BTreeSet::new();
        for &a in firsts {
            if room == 1 {
                if stops(&[a]) {
                    found.insert(vec![a]);
                }
                continue;
            }
            let open: Vec<&Vec<u16>> = windows.iter().filter(|w| !w.contains(&a)).collect();
            let seconds = open.first().map_or(&empties, |w| *w);
            for &b in seconds.iter().filter(|b| **b != a) {
                if open.iter().all(|w| w.contains(&b)) {
                    found.insert(vec![a.min(b), a.max(b)]);
                }
            }
        }
        found.into_iter().collect()
    }

    fn one_defence(&mut self, step: &Step, defence: &[u16]) -> Result<(), Refuted> {
        self.done.defences += 1;
        self.path.push(defence.iter().map(|p| name(*p)).collect());
        let Some(next) = step.answer(defence).cloned() else {
            return Err(self.refuted("no answer"));
        };
        self.put(defence, b'D');
        let result = self.step(&next);
        self.take(defence);
        self.path.pop();
        result
    }

    fn all_at_once(&mut self, step: &Step, defences: &[Vec<u16>]) -> Result<(), Refuted> {
        self.done.together += 1;
        let points: BTreeSet<u16> = defences.iter().flatten().copied().collect();
        let points: Vec<u16> = points.into_iter().collect();
        self.path.push(format!("[{}]", points.iter().map(|p| name(*p)).collect::<String>()));
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
