//! An engine's command-line fields: `name=A,cmd=./amazons,option.Algorithm=pvs`.

use crate::pin::{cached_hash, pinned_files};
use crate::program::{find_program, program_name};
use crate::{guard, sandbox};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::{excerpt, visible};
use agon_matchlog::limits;
use agon_matchlog::{EngineEntry, Limit, Setting};
use agon_wire::dialect;
use std::path::Path;

/// The keys of an engine's fields, for help and errors.
pub const KEYS: &str = "cmd, arg, name, dialect, option.NAME, tc, movetime, depth, nodes, margin, \
                        dir, env.NAME, memory, cpus, ponder, sandbox";

/// The dialects that support pondering.
const PONDERING: [&str; 3] = ["ugi", "uci", "ucci"];

/// The fields of an engine on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables; derived from the command and the options if absent.
    pub name: Option<String>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The engine's dialect; UGI if absent.
    pub dialect: Option<String>,
    /// Options to set, in order.
    pub options: Vec<Setting>,
    /// Working directory.
    pub dir: Option<String>,
    /// Additional environment variables.
    pub env: Vec<Setting>,
    /// Memory limit in MiB.
    pub memory_mib: Option<u64>,
    /// The cores that the engine may use.
    pub cpus: Option<Vec<usize>>,
    /// Whether the engine ponders.
    pub ponder: Option<bool>,
    /// Whether the engine runs in a sandbox.
    pub sandbox: Option<bool>,
    /// The engine's own limits; the match's limits if absent.
    pub limit: Option<Limit>,
    /// The engine's own time margin in milliseconds.
    pub margin_ms: Option<u64>,
}

/// Error: a wrong value of a key, what is wrong with it, and the expected form.
fn bad_value(text: &str, key: &str, reason: Phrase) -> Phrase {
    phrase!("engine `{text}`: {key}: {reason}", text = excerpt(text), key, reason)
}

impl EngineSpec {
    /// Parses comma-separated `key=value` fields; values with commas are quoted. Text without a key
    /// is a command line.
    pub fn parse(text: &str) -> Result<EngineSpec, Phrase> {
        let mut spec = EngineSpec::default();
        spec.apply(text)?;
        if spec.command.is_empty() {
            return Err(phrase!(
                "engine `{text}`: no program; give `cmd=PROGRAM`",
                text = excerpt(text)
            ));
        }
        Ok(spec)
    }

    /// Parses fields for all engines: the same keys, but no program is needed.
    pub fn parse_shared(text: &str) -> Result<EngineSpec, Phrase> {
        let mut spec = EngineSpec::default();
        spec.apply(text)?;
        let own = [("name", spec.name.is_some()), ("cmd and arg", !spec.command.is_empty())];
        match own.into_iter().find(|(_, is_set)| *is_set) {
            None => Ok(spec),
            Some((key, _)) => {
                Err(bad_value(text, key, phrase!("belongs to one engine, not to all")))
            }
        }
    }

    fn apply(&mut self, text: &str) -> Result<(), Phrase> {
        let open_quote = |quote: char| {
            let text = excerpt(text);
            phrase!("engine `{text}`: the quote {quote} is never closed", text, quote)
        };
        for field in fields(text).map_err(open_quote)? {
            let (key, value) = match field.split_once('=') {
                Some((key, value)) if is_key(key) => (key.trim(), unquote(value.trim())),
                _ => ("cmd", field.trim()),
            };
            let bad = |reason: Phrase| bad_value(text, key, reason);
            if visible(value) != value {
                let shown = excerpt(value);
                return Err(bad(phrase!(
                    "`{shown}`: a value is one line without control characters or direction marks",
                    shown
                )));
            }
            if !self.set(key, value).map_err(bad)? {
                return Err(phrase!(
                    "engine `{text}`: unknown key `{key}`; known keys: {known}",
                    text = excerpt(text),
                    key,
                    known = KEYS
                ));
            }
        }
        Ok(())
    }

    /// Sets one key; `false` if the key does not exist.
    fn set(&mut self, key: &str, value: &str) -> Result<bool, Phrase> {
        let setting = |name: &str| Setting { name: name.into(), value: value.into() };
        match key {
            "cmd" => {
                let words = command_words(value).map_err(|e| Phrase::Plain(e.to_string()))?;
                self.command.splice(0..0, words);
            }
            "arg" => self.command.push(value.into()),
            "name" if value.is_empty() => return Err(phrase!("expected a name")),
            "name" => self.name = Some(value.into()),
            "dir" => self.dir = Some(value.into()),
            "dialect" | "proto" => self.dialect = Some(known_dialect(value)?.into()),
            "memory" => self.memory_mib = Some(limits::mebibytes(value)?),
            "cpus" => self.cpus = Some(super::affinity::parse(value)?),
            "ponder" => {
                let word = value.parse().map_err(|_| phrase!("expected true or false"));
                self.ponder = Some(word?);
            }
            "sandbox" => {
                let word = value.parse().map_err(|_| phrase!("expected true or false"));
                self.sandbox = Some(word?);
            }
            "margin" => {
                let margin = limits::milliseconds(value, 1)?;
                self.margin_ms = Some(margin);
            }
            "tc" | "movetime" | "depth" | "nodes" => {
                let limit = self.limit.get_or_insert_default();
                limits::set(limit, key, value)?;
            }
            _ => match key.split_once('.') {
                Some(("option", name)) if !name.is_empty() => self.options.push(setting(name)),
                Some(("env", name)) if !name.is_empty() => self.env.push(setting(name)),
                _ => return Ok(false),
            },
        }
        Ok(true)
    }

    /// Fills in the fields that this engine does not set. Shared options come first, so that an
    /// engine's own options override them.
    #[must_use]
    pub fn with_shared(mut self, shared: &EngineSpec) -> EngineSpec {
        self.options.splice(0..0, shared.options.iter().cloned());
        self.env.splice(0..0, shared.env.iter().cloned());
        self.dialect = self.dialect.or_else(|| shared.dialect.clone());
        self.dir = self.dir.or_else(|| shared.dir.clone());
        self.memory_mib = self.memory_mib.or(shared.memory_mib);
        self.cpus = self.cpus.or_else(|| shared.cpus.clone());
        self.ponder = self.ponder.or(shared.ponder);
        self.sandbox = self.sandbox.or(shared.sandbox);
        self.limit = self.limit.or_else(|| shared.limit.clone());
        self.margin_ms = self.margin_ms.or(shared.margin_ms);
        self
    }

    /// Replaces the fields that `by` sets. Its limits replace single limits, and only if this engine
    /// has limits of its own.
    #[must_use]
    pub fn overridden(mut self, by: &EngineSpec) -> EngineSpec {
        self.options.extend(by.options.iter().cloned());
        self.env.extend(by.env.iter().cloned());
        self.dialect = by.dialect.clone().or(self.dialect);
        self.dir = by.dir.clone().or(self.dir);
        self.memory_mib = by.memory_mib.or(self.memory_mib);
        self.cpus = by.cpus.clone().or(self.cpus);
        self.ponder = by.ponder.or(self.ponder);
        self.sandbox = by.sandbox.or(self.sandbox);
        self.margin_ms = by.margin_ms.or(self.margin_ms);
        if let (Some(own), Some(by)) = (&mut self.limit, &by.limit) {
            own.clock = by.clock.clone().or(own.clock.take());
            own.move_ms = by.move_ms.or(own.move_ms);
            own.depth = by.depth.or(own.depth);
            own.nodes = by.nodes.or(own.nodes);
        }
        self
    }

    /// Builds the header's entry: fills in defaults and hashes the program.
    ///
    /// # Errors
    ///
    /// Fails if the program or the working directory does not exist, or the dialect cannot ponder.
    pub fn entry(&self, default_limit: &Limit) -> Result<EngineEntry, Phrase> {
        let name = self.name.clone().unwrap_or_else(|| self.default_name());
        let no_program =
            |reason: Phrase| phrase!("engine {name}: {reason}", name = name.as_str(), reason);
        let program = self.command.first().map_or("", String::as_str);
        let path = find_program(program).map_err(no_program)?;
        if let Some(dir) = self.dir.as_ref().filter(|dir| !Path::new(dir).is_dir()) {
            return Err(no_program(phrase!(
                "the working directory `{path}` does not exist",
                path = dir
            )));
        }
        if self.sandbox == Some(true) {
            sandbox::program().map_err(no_program)?;
        }
        if self.memory_mib.is_some() {
            guard::check_memory_limit().map_err(no_program)?;
        }
        let dialect = self.dialect.as_deref().unwrap_or("ugi");
        if self.ponder == Some(true) && !PONDERING.contains(&dialect) {
            let names = PONDERING.join(", ");
            let reason = phrase!("{dialect} has no pondering; {names} have", dialect, names);
            return Err(bad_value(&name, "ponder", reason));
        }
        let mut limit = self.limit.clone().unwrap_or_else(|| default_limit.clone());
        limit.margin_ms = self.margin_ms.unwrap_or(default_limit.margin_ms);
        Ok(EngineEntry {
            sha256: cached_hash(&path)
                .map_err(|cause| phrase!("{path}: {cause}", path = path.display(), cause))
                .map_err(no_program)?,
            command: self.command.clone(),
            dialect: self.dialect.clone().unwrap_or_else(|| "ugi".into()),
            options: last_of_each(&self.options, str::eq_ignore_ascii_case),
            dir: self.dir.clone(),
            env: last_of_each(&self.env, |a, b| a == b),
            memory_mib: self.memory_mib,
            cpus: self.cpus.clone().unwrap_or_default(),
            ponder: self.ponder.unwrap_or(false),
            sandbox: self.sandbox.unwrap_or(false),
            files: pinned_files(&self.command, &path, self.dir.as_deref())
                .map_err(|e| no_program(e.to_phrase()))?,
            limit,
            name,
        })
    }

    /// The program's file name, plus the algorithm if one is set.
    fn default_name(&self) -> String {
        let program = self.command.first().map_or("", String::as_str);
        let name = program_name(Path::new(program));
        let stem = if name.is_empty() { program } else { &name };
        let algorithm = self.options.iter().rfind(|o| o.name.eq_ignore_ascii_case("Algorithm"));
        algorithm.map_or_else(|| stem.to_string(), |a| format!("{stem}-{}", a.value))
    }
}

/// The settings without those that a later one of the same name replaces.
fn last_of_each(all: &[Setting], is_same: impl Fn(&str, &str) -> bool) -> Vec<Setting> {
    let replaced = |i: usize| all[i + 1..].iter().any(|later| is_same(&later.name, &all[i].name));
    (0..all.len()).filter(|&i| !replaced(i)).map(|i| all[i].clone()).collect()
}

/// Splits a command line as a shell does. On Windows a backslash separates folders and escapes nothing.
fn command_words(line: &str) -> Result<Vec<String>, shell_words::ParseError> {
    if !std::path::is_separator('\\') {
        return shell_words::split(line);
    }
    // No value has a control character, so one can stand for the backslash meanwhile.
    let words = shell_words::split(&line.replace('\\', "\u{1}"))?;
    Ok(words.into_iter().map(|word| word.replace('\u{1}', "\\")).collect())
}

/// Splits text at the commas outside quotes and keeps the quotes. The error is an unclosed quote.
pub fn fields(text: &str) -> Result<Vec<&str>, char> {
    let mut quote = None;
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None, ',') => {
                pieces.push(&text[begin..i]);
                begin = i + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[begin..]);
    match quote {
        Some(quote) => Err(quote),
        None => Ok(pieces.into_iter().filter(|p| !p.trim().is_empty()).collect()),
    }
}

/// Removes a pair of quotes that encloses the whole value.
pub fn unquote(value: &str) -> &str {
    ['\'', '"']
        .into_iter()
        .find_map(|q| value.strip_prefix(q)?.strip_suffix(q).filter(|inner| !inner.contains(q)))
        .unwrap_or(value)
}

/// Whether the text before `=` looks like a key; otherwise the field is a command line.
fn is_key(text: &str) -> bool {
    let text = text.trim();
    let head = text.split('.').next().unwrap_or(text);
    !head.is_empty() && head.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

fn known_dialect(value: &str) -> Result<&'static str, Phrase> {
    dialect::NAMES.iter().copied().find(|n| n.eq_ignore_ascii_case(value)).ok_or_else(|| {
        phrase!(
            "unknown dialect `{name}`; known: {names}",
            name = excerpt(value),
            names = dialect::NAMES.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_become_an_engine() {
        let spec = EngineSpec::parse(
            "name=A,cmd=./amazons --option \"Hash=1,2\",option.Algorithm=pvs,tc=60+0.5,env.X=a=b",
        )
        .unwrap();
        assert_eq!(spec.command, ["./amazons", "--option", "Hash=1,2"]);
        assert_eq!(spec.name.as_deref(), Some("A"));
        assert_eq!(spec.options, [Setting { name: "Algorithm".into(), value: "pvs".into() }]);
        assert_eq!(spec.env, [Setting { name: "X".into(), value: "a=b".into() }]);
        let clock = spec.limit.unwrap().clock.unwrap();
        assert_eq!((clock.time_ms, clock.increment_ms), (60_000, 500));
    }

    #[test]
    fn a_bare_command_line_is_an_engine() {
        let spec = EngineSpec::parse("./amazons --option Algorithm=random").unwrap();
        assert_eq!(spec.command, ["./amazons", "--option", "Algorithm=random"]);
        let quoted = EngineSpec::parse("cmd='a,b' c,arg=d e").unwrap();
        assert_eq!(quoted.command, ["a,b", "c", "d e"]);
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text| EngineSpec::parse(text).unwrap_err().to_string();
        assert!(message("nmae=A,cmd=x").contains("unknown key `nmae`"));
        assert!(message("name=A").contains("no program"));
        assert!(message("name=,cmd=x").contains("expected a name"));
        assert!(message("cmd=x,dialect=klingon").contains("ugi"));
        assert!(message("cmd=x,depth=0").contains("depth"));
        assert!(message("cmd='x").contains("never closed"));
    }

    #[test]
    fn a_program_that_does_not_exist_is_named() {
        let spec = EngineSpec::parse("name=A,cmd=./no/such/engine").unwrap();
        let message = spec.entry(&Limit::default()).unwrap_err().to_string();
        assert!(message.contains("engine A") && message.contains("./no/such/engine"), "{message}");
    }
}
