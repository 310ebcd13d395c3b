//! Which openings a match has, before they are read or generated.

use super::generate::{Recipe, Shortage};
use super::{Openings, OpeningsSource};
use crate::chance::{Chance, MatchChance, SectionChance};
use agon_engine::driver::{EngineContext, Timeouts};
use agon_games::arbiter::GameKind;
use agon_matchlog::{OpeningPolicy, Setting};
use anyhow::{Context, Result};
use std::path::Path;
use std::sync::Arc;

/// Maximum number of random openings; later pairs reuse them from the first on.
const RANDOM_OPENINGS: u64 = 500;

/// Which openings a match has.
#[derive(Clone, Debug)]
pub enum OpeningChoice {
    /// All games begin at the start position.
    Start,
    /// All games begin after this many random plies; 0: at the start position.
    Random(u32),
    /// The openings of a file.
    File(OpeningsSource),
}

impl OpeningChoice {
    /// When the next opening is taken.
    pub fn policy(&self) -> OpeningPolicy {
        match self {
            OpeningChoice::File(source) => source.policy,
            _ => OpeningPolicy::default(),
        }
    }

    /// Reads and checks the openings of each section of a match's log.
    pub fn of_sections(
        &self,
        kind: GameKind,
        rules: &[Setting],
        chance: &MatchChance,
    ) -> Result<Vec<Openings>> {
        let of = |section: &SectionChance| {
            self.resolve(kind, rules, &section.chance, section.schedule.openings())
        };
        chance.sections().map(of).collect()
    }

    /// Reads and checks the openings.
    ///
    /// `pairs` is the number of openings that the schedule uses.
    pub fn resolve(
        &self,
        kind: GameKind,
        rules: &[Setting],
        chance: &Chance,
        pairs: u64,
    ) -> Result<Openings> {
        Ok(match self {
            OpeningChoice::File(source) => Openings::read(source, kind, rules, chance)?,
            OpeningChoice::Random(plies) if *plies > 0 => {
                random_openings(kind, rules, *plies, chance, pairs).context("--random-plies")?
            }
            _ => Openings::start_position(),
        })
    }
}

fn random_openings(
    kind: GameKind,
    rules: &[Setting],
    plies: u32,
    chance: &Chance,
    pairs: u64,
) -> Result<Openings> {
    let count = pairs.clamp(1, RANDOM_OPENINGS) as usize;
    let timeouts = Timeouts::default();
    let common = EngineContext::new(kind.name, rules.to_vec(), timeouts);
    let recipe = Recipe { kind, plies, count, chance: chance.clone(), balance: None };
    let made = recipe.generate(&Arc::new(common), Shortage::Accept, |_| ())?;
    let lines = made.openings.iter().map(|o| format!("startpos moves {}\n", o.tokens.join(" ")));
    let name = format!("{plies} random plies");
    let text: String = lines.collect();
    let mut openings = Openings::parse(Path::new(&name), &text, kind, rules, chance)?;
    if let Some(entry) = &mut openings.entry {
        // The hash of a few short openings would betray them to whoever tries all.
        entry.sha256 = chance.seal(&text).unwrap_or_else(|| entry.sha256.clone());
    }
    Ok(openings)
}
