//! An engine's command-line fields: `name=A,cmd=./amazons,option.Algorithm=pvs`.

use crate::pin::{cached_hash, pinned_files};
use crate::program::{find_program, program_name};
use crate::{guard, sandbox};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::{excerpt, visible};
use agon_matchlog::limits;
use agon_matchlog::{EngineEntry, Limit, Setting};
use agon_wire::dialect;
use std::path::{Path, PathBuf};

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
    /// Program and arguments; empty if only the fields for all engines name it.
    pub command: Vec<String>,
    /// The command as written, if it has blanks and no quotes: all of it may be the path of one file.
    pub unquoted: Option<String>,
    /// Further arguments.
    pub arguments: Vec<String>,
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
    /// is a command line. The fields for all engines may name the program.
    pub fn parse(text: &str) -> Result<EngineSpec, Phrase> {
        let mut spec = EngineSpec::default();
        spec.apply(text)?;
        Ok(spec)
    }

    /// Parses fields for all engines: the same keys without the name.
    pub fn parse_shared(text: &str) -> Result<EngineSpec, Phrase> {
        let mut spec = EngineSpec::default();
        spec.apply(text)?;
        match spec.name {
            None => Ok(spec),
            Some(_) => Err(bad_value(text, "name", phrase!("belongs to one engine, not to all"))),
        }
    }

    fn apply(&mut self, text: &str) -> Result<(), Phrase> {
        let open_quote = |quote: char| {
            let text = excerpt(text);
            phrase!("engine `{text}`: the quote {quote} is never closed", text, quote)
        };
        for field in fields(text).map_err(open_quote)? {
            let (key, value) = match without_outer_quotes(field).split_once('=') {
                Some((key, value)) if is_key(key) => (key.trim(), value.trim()),
                _ => ("cmd", field.trim()),
            };
            // The quotes of a command say which words it has.
            let value = if key == "cmd" { value } else { unquote(value) };
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
                self.command = command_words(value).map_err(|e| Phrase::Plain(e.to_string()))?;
                let is_plain = !value.contains(['\'', '"']) && self.command.len() > 1;
                self.unquoted = is_plain.then(|| value.into());
            }
            "arg" => self.arguments.push(value.into()),
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
    /// engine's own options override them, and so do shared arguments.
    #[must_use]
    pub fn with_shared(mut self, shared: &EngineSpec) -> EngineSpec {
        if self.command.is_empty() {
            self.command.clone_from(&shared.command);
            self.unquoted.clone_from(&shared.unquoted);
        }
        self.arguments.splice(0..0, shared.arguments.iter().cloned());
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

    /// Replaces the fields that `by` sets; its arguments are among the shared ones. Its limits replace
    /// single limits, a clock also a time per move and the other way round, and only if this engine has
    /// limits of its own.
    #[must_use]
    pub fn overridden(mut self, by: &EngineSpec) -> EngineSpec {
        if !by.command.is_empty() {
            self.command.clone_from(&by.command);
            self.unquoted.clone_from(&by.unquoted);
        }
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
            if by.clock.is_some() || by.move_ms.is_some() {
                (own.clock, own.move_ms) = (by.clock.clone(), by.move_ms);
            }
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
        let no_program = |reason: Phrase| match name.as_str() {
            "" => reason,
            name => phrase!("engine {name}: {reason}", name, reason),
        };
        let (command, path) = self.find().map_err(no_program)?;
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
            files: pinned_files(&command, &path, self.dir.as_deref())
                .map_err(|e| no_program(e.to_phrase()))?,
            command,
            dialect: self.dialect.clone().unwrap_or_else(|| "ugi".into()),
            options: last_of_each(&self.options, str::eq_ignore_ascii_case),
            dir: self.dir.clone(),
            env: last_of_each(&self.env, |a, b| a == b),
            memory_mib: self.memory_mib,
            cpus: self.cpus.clone().unwrap_or_default(),
            ponder: self.ponder.unwrap_or(false),
            sandbox: self.sandbox.unwrap_or(false),
            limit,
            name,
        })
    }

    /// Program and arguments, and the program's file.
    fn find(&self) -> Result<(Vec<String>, PathBuf), Phrase> {
        let dir = self.dir.as_deref();
        let whole = self.unquoted.as_ref().filter(|path| path.contains(std::path::is_separator));
        let (program, path) = match whole.map(|path| (path, find_program(path, dir))) {
            Some((whole, Ok(path))) => (vec![whole.clone()], path),
            _ => {
                let Some(program) = self.command.first().filter(|word| !word.is_empty()) else {
                    return Err(phrase!("no program; give `cmd=PROGRAM`"));
                };
                (self.command.clone(), find_program(program, dir)?)
            }
        };
        Ok(([&program[..], &self.arguments].concat(), path))
    }

    /// The program's file name, plus the algorithm if one is set.
    fn default_name(&self) -> String {
        let found = self.find();
        let words = found.as_ref().map_or(&self.command, |(words, _)| words);
        let program = words.first().map_or("", String::as_str);
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

/// Splits a command as a shell does. Quotes around all of it make one word, the path of a file, unless there
/// are quotes of the other kind inside: `"/x/My Engines/e"`, but `'"/x/My Engines/e" --level 3'`.
fn command_words(value: &str) -> Result<Vec<String>, shell_words::ParseError> {
    let inner = unquote(value);
    if inner.len() == value.len() {
        return line_words(value);
    }
    let words = if inner.contains(['\'', '"']) { line_words(inner).ok() } else { None };
    Ok(words.unwrap_or_else(|| vec![inner.into()]))
}

/// Splits a command line as a shell does. On Windows a backslash separates folders and escapes nothing.
fn line_words(line: &str) -> Result<Vec<String>, shell_words::ParseError> {
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

/// A field in quotes with a key inside them, `"option.x=a,b"`, without these; any other one as it is.
fn without_outer_quotes(field: &str) -> &str {
    let inner = unquote(field.trim());
    if inner.split_once('=').is_some_and(|(key, _)| is_key(key)) { inner } else { field }
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
        assert_eq!(
            (&quoted.command[..], &quoted.arguments[..]),
            (&["a,b".into(), "c".into()][..], &["d e".into()][..])
        );
    }

    #[test]
    fn quotes_around_a_whole_command_make_one_word_of_it() {
        let words = |text| EngineSpec::parse(text).unwrap().command;
        for text in [
            "cmd=\"/x/My Engines/e\"",
            "cmd='/x/My Engines/e',name=A",
            "\"/x/My Engines/e\"",
            "cmd='\"/x/My Engines/e\"'",
            "name=A, cmd = \"'/x/My Engines/e'\"",
        ] {
            assert_eq!(words(text), ["/x/My Engines/e"], "{text}");
        }
        for text in [
            "cmd=\"/x/My Engines/e\" a b",
            "\"/x/My Engines/e\" a b",
            "cmd='\"/x/My Engines/e\" a b'",
        ] {
            assert_eq!(words(text), ["/x/My Engines/e", "a", "b"], "{text}");
        }
        assert_eq!(words("cmd=\"/x/Bob's, new/e\""), ["/x/Bob's, new/e"]);
        assert_eq!(words("cmd=\"a\" \"b c\""), ["a", "b c"]);
    }

    #[test]
    fn quotes_around_a_whole_field_are_those_of_its_value() {
        let spec = |text| EngineSpec::parse(text).unwrap();
        let wanted = spec("name=A,option.x=\"a,b\",cmd=./e");
        assert_eq!(wanted.options, [Setting { name: "x".into(), value: "a,b".into() }]);
        for text in [
            "name=A,\"option.x=a,b\",cmd=./e",
            "\"name=A\", 'option.x=a,b' ,'cmd=./e'",
            "'name=\"A\"','option.x=\"a,b\"',\"cmd=./e\"",
        ] {
            assert_eq!(spec(text), wanted, "{text}");
        }
        assert_eq!(spec("'cmd=/x/My Engines/e a'").command, ["/x/My", "Engines/e", "a"]);
        assert_eq!(spec("\"./e\" --set a=b").command, ["./e", "--set", "a=b"]);
        assert_eq!(spec("\"/x/A=B/e\"").command, ["/x/A=B/e"]);
        let error = EngineSpec::parse("\"nmae=A\",cmd=./e").unwrap_err().to_string();
        assert!(error.contains("unknown key `nmae`"), "{error}");
    }

    /// The file of the whole text, then the program before the blank.
    #[test]
    fn a_path_with_a_blank_is_found_without_quotes_where_it_exists() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("My Engines");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(inner.join("e"), "x").unwrap();
        std::fs::write(folder.path().join("My"), "decoy").unwrap();
        let path =
            |tail: &str| format!("{}{}{tail}", folder.path().display(), std::path::MAIN_SEPARATOR);
        let command =
            |text: &str| EngineSpec::parse(text).unwrap().entry(&Limit::default()).unwrap().command;
        let whole = path("My Engines/e");
        assert_eq!(command(&format!("cmd={whole},arg=3")), [whole.clone(), "3".into()]);
        let dir = folder.path().display();
        assert_eq!(command(&format!("cmd=./My Engines/e,dir={dir}")), ["./My Engines/e"]);
        assert_eq!(
            command(&format!("cmd={whole} 3")),
            [path("My"), "Engines/e".into(), "3".into()]
        );
        let missing = EngineSpec::parse(&format!("cmd=\"{whole}2\"")).unwrap();
        let error = missing.entry(&Limit::default()).unwrap_err().to_string();
        assert!(error.contains("My Engines/e2"), "{error}");
    }

    #[test]
    fn a_program_and_arguments_for_all_engines_are_those_of_an_engine_without() {
        let shared = EngineSpec::parse_shared("cmd=./a x,arg=y").unwrap();
        let of = |text| EngineSpec::parse(text).unwrap().with_shared(&shared);
        let spec = of("dir=D,name=A,arg=z");
        assert_eq!(
            (&spec.command[..], &spec.arguments[..]),
            (&["./a".into(), "x".into()][..], &["y".into(), "z".into()][..])
        );
        assert_eq!(of("cmd=./b").command, ["./b"]);
        assert!(EngineSpec::parse_shared("name=A").unwrap_err().to_string().contains("one engine"));
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text| EngineSpec::parse(text).unwrap_err().to_string();
        assert!(message("nmae=A,cmd=x").contains("unknown key `nmae`"));
        for text in ["name=A", "name=A,cmd=\"\"", "name=A,cmd='' x"] {
            let nothing = EngineSpec::parse(text).unwrap().entry(&Limit::default());
            assert!(nothing.unwrap_err().to_string().contains("engine A: no program"), "{text}");
        }
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
