//! Proofs of wins: the attacker's turn, and its answers to each defence.
//!
//! As text a step is the attacker's turn and, in brackets, the answers: `k9l8(>m7n6,a1b2>c3c4)`.
//! An answer applies to every defence that contains the points before its `>`; if several apply,
//! the one with the most points is used. A step without answers makes six or leaves no defence.

use crate::board::name;
use agon_games::connect6::{Connect6Move, Point, read_points};
use std::fmt;
use std::sync::Arc;

/// The attacker's turn and its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// One or two stones.
    pub stones: Vec<u16>,
    /// The answers to defences.
    pub answers: Vec<Answer>,
}

/// The attacker's reply to all defences that contain certain points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// At most two points in ascending order. Empty: any defence.
    pub to: Vec<u16>,
    /// The attacker's next turn.
    pub step: Arc<Step>,
}

/// Why a text is not a valid proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad proof at byte {at}: {reason}")]
pub struct ProofError {
    /// The byte offset of the error, counted from 0.
    pub at: usize,
    /// What was found and what was expected.
    pub reason: String,
}

impl Step {
    /// A step that needs no answers.
    pub fn last(stones: Vec<u16>) -> Step {
        Step { stones, answers: Vec::new() }
    }

    /// The answer to a defence: of those whose points the defence contains, the one with the most.
    pub fn answer(&self, defence: &[u16]) -> Option<&Arc<Step>> {
        let fits = self.answers.iter().filter(|a| a.to.iter().all(|p| defence.contains(p)));
        // The first of several with equally many points.
        fits.rev().max_by_key(|a| a.to.len()).map(|a| &a.step)
    }

    /// The number of the attacker's turns on the longest path.
    pub fn depth(&self) -> usize {
        1 + self.answers.iter().map(|a| a.step.depth()).max().unwrap_or(0)
    }

    /// The turn as a move; `None` if a point is not on the board.
    pub fn turn(&self) -> Option<Connect6Move> {
        let point = |p: &u16| Point::from_index(usize::from(*p));
        match self.stones.as_slice() {
            [a] => Some(Connect6Move::one(point(a)?)),
            [a, b] => Some(Connect6Move::two(point(a)?, point(b)?)),
            _ => None,
        }
    }

    /// Parses a proof.
    ///
    /// # Errors
    /// The text does not have the form that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Result<Step, ProofError> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let step = reader.step()?;
        if reader.at != text.len() {
            return Err(reader.fail("expected the end of the proof"));
        }
        Ok(step)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In the order of a move, so that a proof begins with the turn that it proves.
        let mut stones = self.stones.clone();
        stones.sort_unstable();
        stones.iter().try_for_each(|p| f.write_str(&name(*p)))?;
        for (i, answer) in self.answers.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { "," })?;
            answer.to.iter().try_for_each(|p| f.write_str(&name(*p)))?;
            write!(f, ">{}", answer.step)?;
        }
        if self.answers.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// More attacking turns than any game has.
const MAX_DEPTH: usize = 400;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn fail(&self, reason: impl Into<String>) -> ProofError {
        ProofError { at: self.at, reason: reason.into() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn points(&mut self, least: usize) -> Result<Vec<u16>, ProofError> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let points = read_points(&rest[..length]).map_err(|e| self.fail(e.to_string()))?;
        if points.len() < least || points.len() > 2 {
            return Err(self.fail(format!("{} points, expected {least} to 2", points.len())));
        }
        self.at += length;
        Ok(points.iter().map(|p| p.index() as u16).collect())
    }

    fn step(&mut self) -> Result<Step, ProofError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fail(format!("more than {MAX_DEPTH} turns deep")));
        }
        let mut step = Step::last(self.points(1)?);
        if self.peek() == Some(b'(') {
            loop {
                self.at += 1;
                let to = self.points(0)?;
                if self.peek() != Some(b'>') {
                    return Err(self.fail("expected `>`"));
                }
                self.at += 1;
                step.answers.push(Answer { to, step: Arc::new(self.step()?) });
                match self.peek() {
                    Some(b',') => {}
                    Some(b')') => break,
                    _ => return Err(self.fail("expected `,` or `)`")),
                }
            }
            self.at += 1;
        }
        self.depth -= 1;
        Ok(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_survives_its_text() {
        let text = "k9l8(>m7n6,a1b2>c3c4(c5>c6),a1>d1d2)";
        let step = Step::parse(text).unwrap();
        assert_eq!(step.to_string(), text);
        assert_eq!(step.depth(), 3);
    }

    #[test]
    fn a_proof_begins_with_its_turn_as_a_move_is_written() {
        for text in ["l8k9(>a1b2)", "k9l8", "k10k9", "k9"] {
            let step = Step::parse(text).unwrap();
            assert!(step.to_string().starts_with(&step.turn().unwrap().to_string()), "{step}");
        }
    }

    #[test]
    fn the_answer_with_the_most_points_counts() {
        let step = Step::parse("k9l8(>m7n6,a1b2>c3c4,a1>d1d2)").unwrap();
        let [a1, b2, far] = [0, 20, 300];
        let name = |defence: &[u16]| step.answer(defence).unwrap().to_string();
        assert_eq!(name(&[a1, b2]), "c3c4");
        assert_eq!(name(&[a1, far]), "d1d2");
        assert_eq!(name(&[b2, far]), "m7n6");
    }

    #[test]
    fn a_bad_proof_is_refused_with_the_place_of_the_fault() {
        for (text, at, reason) in [
            ("", 0, "0 points"),
            ("k9l8(", 5, "expected `>`"),
            ("k9l8(>m7n6", 10, "expected `,` or `)`"),
            ("k9l8m7", 0, "3 points"),
            ("k9l8)", 4, "expected the end"),
            ("k99", 0, "is not a point"),
        ] {
            let error = Step::parse(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
