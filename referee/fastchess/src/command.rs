//! A command line that was read: its engines, its settings, and what it says that changes nothing.

use crate::engine::Engine;
use crate::pgn;
use crate::settings::{Output, Persona, Settings};
use crate::words::{Given, Meaning, split};
use agon_matches::openings::{OpeningOrder, OpeningsSource};
use agon_matchlog::DrawRule;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// A command line.
#[derive(Clone, Debug)]
pub struct Command {
    /// The engines in their order, with names of their own.
    pub engines: Vec<Engine>,
    /// The rest.
    pub settings: Settings,
    /// One line for each word that was accepted and changes nothing.
    pub ignored: Vec<String>,
    /// Whether the version or the help is wanted, and nothing else.
    pub asks: Option<&'static str>,
}

impl Command {
    /// Reads a command line without the program's name. `cores` is the number of cores.
    ///
    /// # Errors
    ///
    /// Names the first word that is unknown, refused or wrong, and what would be right.
    pub fn read(arguments: &[String], persona: Persona, cores: usize) -> Result<Command> {
        let mut command = Command {
            engines: Vec::new(),
            settings: Settings::new(persona),
            ignored: Vec::new(),
            asks: None,
        };
        let given = split(arguments)?;
        for flag in &given {
            if let "-version" | "--version" | "-v" | "--v" | "-help" | "--help" = flag.word.name {
                let help = flag.word.name.ends_with("help");
                command.asks = Some(if help { "help" } else { "version" });
                return Ok(command);
            }
            match flag.word.meaning {
                Meaning::Played if flag.word.name == "-each" => {}
                Meaning::Played => command.take(flag, cores)?,
                Meaning::Harmless(why) => {
                    command.ignored.push(format!("{}: {why}", flag.word.name))
                }
                Meaning::Refused(instead) => bail!("{}: refused: {instead}", flag.word.name),
            }
        }
        for each in given.iter().filter(|flag| flag.word.name == "-each") {
            let fields = command.played(each)?;
            for engine in &mut command.engines {
                for (key, value) in &fields {
                    engine.set(key, value).context("-each")?;
                }
            }
        }
        command.finish()
    }

    /// The pairs of a flag that are played. One that is refused is an error.
    fn played<'a>(&mut self, flag: &Given<'a>) -> Result<Vec<(&'a str, &'a str)>> {
        let mut played = Vec::new();
        for (key, value, meaning) in flag.pairs()? {
            let name = flag.word.name;
            match meaning {
                Meaning::Played => played.push((key, value)),
                Meaning::Harmless(why) => self.ignored.push(format!("{name} {key}=: {why}")),
                Meaning::Refused(instead) => bail!("{name} {key}=: refused: {instead}"),
            }
        }
        Ok(played)
    }

    fn take(&mut self, flag: &Given<'_>, cores: usize) -> Result<()> {
        let name = flag.word.name;
        match name {
            "-engine" => {
                let mut engine = Engine::default();
                for (key, value) in self.played(flag)? {
                    engine.set(key, value).context("-engine")?;
                }
                self.engines.push(engine);
                return Ok(());
            }
            "-quick" => return self.quick(flag, cores),
            "-pgnout" => {
                let pgn = pgn::read(flag, &mut self.ignored)?;
                self.settings.pgn = Some(pgn);
                return Ok(());
            }
            _ => {}
        }
        let pairs = self.played(flag)?;
        for (key, value) in pairs {
            let set = self.settings.set_pair(name, key, value);
            set.with_context(|| format!("{name} {key}={value}"))?;
        }
        let set = self.settings.set(name, &flag.values);
        set.with_context(|| format!("{name} {}", flag.values.join(" ")).trim_end().to_string())
    }

    /// fastchess's short form of a whole match.
    fn quick(&mut self, flag: &Given<'_>, cores: usize) -> Result<()> {
        let fields = self.played(flag)?;
        for (_, program) in fields.iter().filter(|(key, _)| *key == "cmd") {
            let mut engine = Engine::default();
            engine.set("cmd", program)?;
            engine.set("tc", "10+0.1")?;
            self.engines.push(engine);
        }
        let Some((_, book)) = fields.iter().rev().find(|(key, _)| *key == "book") else {
            bail!("-quick: give book=FILE");
        };
        if fields.iter().filter(|(key, _)| *key == "cmd").count() != 2 {
            bail!("-quick: give cmd=PROGRAM twice");
        }
        let source = OpeningsSource::file(Path::new(book));
        let s = &mut self.settings;
        s.openings = Some(OpeningsSource { order: Some(OpeningOrder::Random), ..source });
        (s.games, s.rounds, s.recover) = (2, Some(25_000), true);
        s.concurrency = cores.saturating_sub(2).max(1) as i64;
        s.draw = Some(DrawRule { score: 8, moves: 8, after: 60 });
        s.output = Output::Cutechess;
        Ok(())
    }

    /// Checks what several flags say together.
    fn finish(mut self) -> Result<Command> {
        if self.engines.len() < 2 {
            bail!("-engine: a match needs two engines; {} given", self.engines.len());
        }
        let mut names: Vec<String> = Vec::new();
        for engine in &self.engines {
            let name = engine.name();
            let same = names.iter().filter(|other| **other == name).count();
            names.push(name.clone());
            if same > 0 {
                let number = same + 1;
                *names.last_mut().context("a name")? = format!("{name}_{number}");
            }
        }
        let engines = std::mem::take(&mut self.engines).into_iter().zip(names);
        self.engines =
            engines.map(|(engine, name)| engine.finished(name)).collect::<Result<_>>()?;
        let s = &mut self.settings;
        if s.games > 2 {
            // fastchess reads `-games 100` as a hundred rounds.
            let rounds = s.rounds.unwrap_or(2);
            (s.rounds, s.games) = (Some(s.games), rounds);
            if s.games > 2 {
                bail!("-games: expected 1 or 2 games a round; -rounds is the number of rounds");
            }
        }
        if s.sprt.is_some() {
            if self.engines.len() != 2 {
                bail!("-sprt: a test is between two engines; {} given", self.engines.len());
            }
            if !s.swap {
                bail!("-noswap: refused with -sprt: its pairs need swapped sides");
            }
            if !s.penta && s.is_paired() {
                self.ignored.push("-report penta=false: the test counts pairs of games".into());
            }
        }
        if let (Some((_, form)), event, site) = (&mut s.pgn, &s.event, &s.site) {
            (form.event, form.site) = (event.clone(), site.clone());
        }
        s.penta &= s.is_paired();
        let file = self.engines.iter().find_map(|e| e.stderr.as_ref());
        let others = self.engines.iter().filter_map(|e| e.stderr.as_ref());
        if let Some(file) = file {
            if s.log_engines || others.clone().any(|other| other != file) {
                bail!("stderr=: refused: all engines write into one file: -log file=F engine=true");
            }
            self.ignored
                .push(format!("stderr={file}: the file gets the whole dialogue with the engines"));
            (s.log, s.log_engines) = (Some(file.into()), true);
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests;
