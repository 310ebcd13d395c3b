//! The engines that pages can choose, by name: those of the command line, and the programs of this
//! project that lie beside the referee.

use super::answer::Refusal;
use agon_engine::EngineSpec;
use agon_engine::program::program_name;
use agon_games::arbiter::GAMES;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::excerpt;
use agon_matchlog::{EngineEntry, Limit};
use serde_json::{Value, json};
use std::env::consts::EXE_SUFFIX;
use std::path::Path;

/// An engine that can be chosen.
#[derive(Clone, Debug)]
pub struct EngineChoice {
    /// Its name.
    pub name: String,
    /// The only game that it plays; `None`: unknown.
    game: Option<&'static str>,
    program: EngineProgram,
}

#[derive(Clone, Debug)]
enum EngineProgram {
    Given(Box<EngineEntry>),
    /// A program beside the referee; it is hashed only when it is used.
    Beside(Box<EngineSpec>),
}

impl EngineChoice {
    /// The entry with which the engine is started.
    ///
    /// # Errors
    ///
    /// Fails if the program is no longer there.
    pub fn entry(&self) -> Result<EngineEntry, Phrase> {
        match &self.program {
            EngineProgram::Given(entry) => Ok((**entry).clone()),
            EngineProgram::Beside(spec) => spec.entry(&Limit::default()),
        }
    }
}

/// All engines that can be chosen.
#[derive(Clone, Debug, Default)]
pub struct EngineList {
    choices: Vec<EngineChoice>,
}

impl EngineList {
    /// The given engines, then the programs of this project in the folder of the running program.
    pub fn new(given: Vec<EngineEntry>) -> EngineList {
        let own = std::env::current_exe().ok();
        EngineList::with_folder(given, own.as_deref().and_then(Path::parent))
    }

    fn with_folder(given: Vec<EngineEntry>, folder: Option<&Path>) -> EngineList {
        let mut choices: Vec<EngineChoice> = given
            .into_iter()
            .map(|entry| EngineChoice {
                name: entry.name.clone(),
                game: entry.command.first().and_then(|program| game_of(program)),
                program: EngineProgram::Given(Box::new(entry)),
            })
            .collect();
        for game in GAMES {
            let Some(path) = folder.map(|folder| folder.join(format!("{}{EXE_SUFFIX}", game.name)))
            else {
                continue;
            };
            let (true, Some(program)) = (path.is_file(), path.to_str()) else { continue };
            let spec = EngineSpec { command: vec![program.into()], ..EngineSpec::default() };
            if choices.iter().all(|choice| choice.name != game.name) {
                choices.push(EngineChoice {
                    name: game.name.into(),
                    game: Some(game.name),
                    program: EngineProgram::Beside(Box::new(spec)),
                });
            }
        }
        EngineList { choices }
    }

    /// The names, each with its game if that is known, and whether the command line names it.
    pub fn list(&self) -> Value {
        let choices = self.choices.iter();
        choices
            .map(|choice| {
                let is_named = matches!(choice.program, EngineProgram::Given(_));
                json!({ "name": choice.name, "game": choice.game, "named": is_named })
            })
            .collect()
    }

    /// The engine of this name for a game.
    pub fn find(&self, name: &str, game: &str) -> Result<EngineChoice, Refusal> {
        let plays = |choice: &&EngineChoice| choice.game.is_none_or(|own| own == game);
        let fitting = || self.choices.iter().filter(plays);
        let found = fitting().find(|choice| choice.name == name);
        found.cloned().ok_or_else(|| {
            let names: Vec<&str> = fitting().map(|choice| choice.name.as_str()).collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            let name = excerpt(name);
            Refusal::unknown(phrase!(
                "no engine `{name}` for {game}; there are: {names}",
                name,
                game,
                names
            ))
        })
    }
}

/// The game that a program of this project plays, by its file name.
fn game_of(program: &str) -> Option<&'static str> {
    let name = program_name(Path::new(program));
    GAMES.iter().map(|game| game.name).find(|game| *game == name)
}
