//! The positions that the fit learns from: those of the games that are quiet, as counted terms.

use super::games::{UNKNOWN, read_game, read_head};
use crate::evaluation::{PHASES, every_term, scale};
use crate::position::{MoveList, Position};
use agon_protocol::Game;
use agon_protocol::xiangqi::{Xiangqi, XiangqiRules};
use anyhow::{Result, ensure};
use std::io::Read;

/// Positions beyond this value teach nothing about the middle.
const CLEAR: i16 = 1500;
/// Hundredths at which the odds of winning are e to 1, for turning search values into chances.
const CHANCE: f64 = 280.0;
/// One game in so many is held out.
const HELD_OUT: usize = 16;

/// A position: a slice of the terms of all, and what it should be worth.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub first: usize,
    pub terms: usize,
    /// The share of the middle game, 0 to 1.
    pub phase: f32,
    /// What the sum of terms is multiplied by.
    pub scale: f32,
    /// The share of the point that Red should expect, 0 to 1.
    pub target: f32,
    pub held_out: bool,
}

/// All positions.
#[derive(Default)]
pub struct Samples {
    pub all: Vec<Sample>,
    /// Number and count of each term.
    pub terms: Vec<(u16, i16)>,
    games: usize,
}

impl Samples {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// How many of them are not fitted to.
    pub fn held_out(&self) -> usize {
        self.all.iter().filter(|s| s.held_out).count()
    }

    /// Adds the quiet positions of a file; `result` is the weight of the game's result beside the
    /// search's value.
    pub fn read(&mut self, input: &mut impl Read, result: f64) -> Result<()> {
        read_head(input)?;
        let rules = XiangqiRules { draw_plies: 0, ..XiangqiRules::default() };
        let start = Position::from_game(&Xiangqi::start(&rules));
        while let Some(game) = read_game(input)? {
            let held_out = self.games.is_multiple_of(HELD_OUT);
            self.games += 1;
            let mut position = start.clone();
            for &(m, value) in &game.plies {
                ensure!(
                    position.is_pseudo_legal(m) && position.is_safe(m),
                    "game {} has the illegal move {}",
                    self.games,
                    m.to_rules()
                );
                if value != UNKNOWN && value.abs() <= CLEAR && is_quiet(&position, m) {
                    let red = f64::from(if position.side() == 0 { value } else { -value });
                    let chance = 1.0 / (1.0 + (-red / CHANCE).exp());
                    let target = result * f64::from(game.result) / 2.0 + (1.0 - result) * chance;
                    self.add(&position, target as f32, held_out);
                }
                position.play(m);
            }
        }
        Ok(())
    }

    fn add(&mut self, position: &Position, target: f32, held_out: bool) {
        let first = self.terms.len();
        every_term(position, &mut |index, count| {
            if count == 0 {
                return;
            }
            let (index, count) = (index as u16, count as i16);
            // The two sides' counts of one term cancel.
            match self.terms[first..].iter_mut().find(|t| t.0 == index) {
                Some(term) => term.1 += count,
                None => self.terms.push((index, count)),
            }
        });
        let mut kept = first;
        for i in first..self.terms.len() {
            if self.terms[i].1 != 0 {
                self.terms[kept] = self.terms[i];
                kept += 1;
            }
        }
        self.terms.truncate(kept);
        let ahead = usize::from(crate::evaluation::evaluate(position) < 0) ^ position.side();
        self.all.push(Sample {
            first,
            terms: kept - first,
            phase: position.phase() as f32 / PHASES as f32,
            scale: scale(position, ahead) as f32 / 16.0,
            target,
            held_out,
        });
    }
}

/// Whether the static value can be taken at its word: no check, and nothing to win at once.
fn is_quiet(position: &Position, played: crate::position::Move) -> bool {
    if position.in_check() || position.is_capture(played) || position.gives_check(played) {
        return false;
    }
    let mut captures = MoveList::new();
    position.captures(&mut captures);
    !captures.iter().any(|&m| position.see_at_least(m, 50) && position.is_safe(m))
}
