//! The games that a program says it plays, before a match has a game: the values of `UCI_Variant`, or its own name.

use super::process::Process;
use super::program::find_program;
use super::settings::listed_spec;
use agon_games::option::OptionKind;
use agon_games::phrase::{Phrase, phrase};
use agon_matchlog::EngineEntry;
use std::time::{Duration, Instant};

/// What a program says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// Its name.
    pub name: String,
    /// The variants that it lists; `None` without such an option.
    pub variants: Option<Vec<String>>,
    /// The options that it lists with their default values.
    pub options: Vec<(String, String)>,
}

impl Introduction {
    /// The games of `known` that it says it plays; `None` if it does not say.
    pub fn games(&self, known: &[&str]) -> Option<Vec<String>> {
        let plain = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
        };
        let name = plain(&self.name);
        match &self.variants {
            Some(all) => {
                let is_listed = |game: &str| all.iter().any(|own| plain(own) == game);
                Some(known.iter().filter(|g| is_listed(g)).map(ToString::to_string).collect())
            }
            None => {
                let named = known.iter().filter(|game| name.contains(**game));
                Some(named.map(ToString::to_string).collect()).filter(|n: &Vec<_>| !n.is_empty())
            }
        }
    }

    /// Reads one line of the identification.
    fn read(&mut self, line: &str) {
        let Some(rest) = line.trim().strip_prefix("option name ") else {
            if let Some(name) = line.trim().strip_prefix("id name ") {
                self.name = name.trim().into();
            }
            return;
        };
        let (name, rest) = match rest.split_once(" type ") {
            Some((name, kind)) => (name.trim(), format!("type {kind}")),
            None => (rest.trim(), String::new()),
        };
        let default = rest.split_once(" default ").map_or("", |(_, value)| value);
        let default = default.split_whitespace().next().unwrap_or("");
        self.options.push((name.into(), default.into()));
        if let ("UCI_Variant", Some(spec)) = (name, listed_spec(name, &rest)) {
            self.variants = match spec.kind {
                OptionKind::Combo { choices, .. } => Some(choices),
                _ => None,
            };
        }
    }
}

/// Starts the program, lets it identify itself in `dialect` (`uci`, `ugi` or `ucci`) and ends it.
///
/// # Errors
///
/// The program cannot be started, or does not answer in time.
pub fn introduction(entry: &EngineEntry, within: Duration) -> Result<Introduction, Phrase> {
    let program = entry.command.first().map_or("", String::as_str);
    let wrong = |reason: Phrase| phrase!("engine {name}: {reason}", name = entry.name, reason);
    let path = find_program(program, entry.dir.as_deref()).map_err(wrong)?;
    let mut process = Process::spawn(entry, &path).map_err(|e| {
        wrong(phrase!("does not start: {cause}{advice}", cause = e.reason(), advice = ""))
    })?;
    let (deadline, last) = (Instant::now() + within, format!("{}ok", entry.dialect));
    let mut found = Introduction::default();
    let greeting = format!("{}\n", entry.dialect);
    let mut talk = || {
        process.send(greeting.as_bytes(), deadline)?;
        loop {
            let (line, _) = process.read_line(deadline)?;
            if line.trim() == last {
                return Ok(());
            }
            found.read(&line);
        }
    };
    let talked: Result<(), super::Fault> = talk();
    let tail = process.output_tail();
    if talked.is_ok() {
        let _ = process.send(b"quit\n", deadline);
    }
    process.end(Duration::from_millis(500));
    match talked {
        Ok(()) => Ok(found),
        Err(fault) => Err(phrase!(
            "engine {name}: {reason}",
            name = entry.name,
            reason = phrase!(
                "{doing}: {fault}",
                doing = phrase!("during the handshake"),
                fault = format!("{fault}{tail}")
            )
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn introduced(lines: &[&str]) -> Introduction {
        let mut found = Introduction::default();
        lines.iter().for_each(|line| found.read(line));
        found
    }

    #[test]
    fn an_engine_says_its_games_by_its_variants_or_its_name() {
        let known = ["amazons", "darkchess", "xiangqi"];
        let variants =
            "option name UCI_Variant type combo default chess var chess var xiangqi var amazons";
        let fairy = introduced(&[
            "id name Fairy-Stockfish 14",
            variants,
            "option name Hash type spin default 16 min 1 max 33",
        ]);
        assert_eq!(fairy.games(&known).unwrap(), ["amazons", "xiangqi"]);
        assert_eq!(fairy.options[1], ("Hash".into(), "16".into()));
        let ours = introduced(&["id name Agon Dark Chess 0.1.0"]);
        assert_eq!(ours.games(&known).unwrap(), ["darkchess"]);
        assert_eq!(introduced(&["id name Stockfish 17"]).games(&known), None);
        let only = introduced(&["option name UCI_Variant type combo default chess var chess"]);
        assert_eq!(only.games(&known).unwrap(), Vec::<String>::new());
    }
}
