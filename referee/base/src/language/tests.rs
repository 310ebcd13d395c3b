//! Every message that people at the board read has a translation, and every translation is used. The sources are
//! searched for the texts, so a message that is added or reworded alone fails these tests.

use super::catalogue::{help, messages};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates whose phrases people at the board read.
const SOURCES: [&str; 2] = ["protocol", "referee"];

/// The files and folders in which every sentence is such a message.
const AT_THE_BOARD: [&str; 7] = [
    "src/commands/desk.rs",
    "src/commands/events.rs",
    "src/commands/serve.rs",
    "matches/src/events.rs",
    "src/commands/preflight/",
    "web/src/",
    "engine/src/spec.rs",
];

/// What `match --publish` says, in English like all of `match`.
const OF_MATCHES: &str = "web/src/watch/publish.rs";

/// Sentences that are no messages: forms of files and of requests, names, and what only tests or logs show.
const OTHER_TEXTS: [&str; 13] = [
    "<meta http-equiv",
    "a line of a session",
    "attachment; filename*=",
    "charset=utf-8",
    "cmd and arg",
    "cmd, arg, name",
    "default-src 'none'",
    "export default",
    "game moves",
    "startpos moves",
    "the match can be watched at",
    "HTTP/1.1",
    "whole game",
];

/// A text of a source file, and whether `phrase!` makes a phrase of it.
type Literal = (String, bool);

/// The texts of all source files but tests, by path.
fn sources() -> BTreeMap<PathBuf, Vec<Literal>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap();
    let mut found = Vec::new();
    SOURCES.iter().for_each(|name| files(&root.join(name), &mut found));
    let read = |path: PathBuf| (path.clone(), literals(&std::fs::read_to_string(path).unwrap()));
    found.into_iter().map(read).collect()
}

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        std::fs::read_dir(path).unwrap().for_each(|entry| files(&entry.unwrap().path(), found));
    } else if path.extension().is_some_and(|e| e == "rs")
        && !path.file_stem().unwrap().to_string_lossy().ends_with("tests")
        && !path.ends_with("http.rs")
    {
        found.push(path.into());
    }
}

/// The texts of a Rust file before its tests, without those of comments, logs and panics.
fn literals(source: &str) -> Vec<Literal> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut texts = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, here) = rest.split_at(at);
        if here.starts_with("//") {
            rest = here.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(text) = here.strip_prefix('"') {
            let mut end = 0;
            while !text[end..].starts_with('"') {
                end += if text[end..].starts_with('\\') { 2 } else { 1 };
                while !text.is_char_boundary(end) {
                    end += 1;
                }
            }
            let before = before.trim_end();
            let is_log = ["warn!(", "error!(", "info!(", "debug!(", "expect(", "include_str!("];
            if !is_log.iter().any(|call| before.ends_with(call)) {
                texts.push((unescaped(&text[..end]), before.ends_with("phrase!(")));
            }
            rest = &text[end + 1..];
        } else {
            // A character such as '"' or '\'', or a lifetime.
            let skipped = match here.chars().nth(1) {
                Some('\\') => 3,
                Some(c) if here[1 + c.len_utf8()..].starts_with('\'') => 2 + c.len_utf8(),
                _ => 1,
            };
            rest = &here[skipped..];
        }
    }
    texts
}

fn unescaped(text: &str) -> String {
    let mut lines = text.split("\\\n");
    let first = lines.next().unwrap_or_default().to_string();
    let joined = lines.fold(first, |all, line| all + line.trim_start());
    joined.replace("\\n", "\n").replace("\\\"", "\"")
}

/// The names of the holes of a pattern.
fn holes(pattern: &str) -> BTreeSet<&str> {
    let names = pattern.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    names.filter(|name| name.bytes().all(|b| b.is_ascii_lowercase())).collect()
}

/// The pattern without its holes.
fn words(pattern: &str) -> String {
    let all = holes(pattern).into_iter();
    all.fold(pattern.to_string(), |text, name| text.replace(&format!("{{{name}}}"), " "))
}

/// Whether a text is a sentence or a part of one.
fn is_sentence(text: &str) -> bool {
    let text = words(text);
    let words = text.split_whitespace().filter(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'')
    });
    words.count() > 1 && !OTHER_TEXTS.iter().any(|other| text.contains(other))
}

#[test]
fn every_key_is_there_once_with_the_holes_of_its_translation() {
    let mut known = BTreeSet::new();
    for (key, chinese) in messages().chain(help()) {
        assert!(key.is_ascii() || key.contains('炮'), "not English: {key}");
        let is_chinese = !chinese.is_ascii() || words(key).trim().is_empty();
        assert!(is_chinese, "not Chinese: {chinese}");
        assert_eq!(holes(key), holes(chinese), "the holes of: {key}");
        assert!(known.insert(key), "twice: {key}");
    }
}

#[test]
fn every_phrase_has_a_translation_and_every_translation_is_used() {
    let known: BTreeSet<&str> = messages().map(|(key, _)| key).collect();
    let sources = sources();
    let all =
        || sources.iter().flat_map(|(path, texts)| texts.iter().map(move |text| (path, text)));
    let is_worded = |text: &str| words(text).contains(|c: char| c.is_ascii_alphabetic());
    let missing: Vec<String> = all()
        .filter(|(_, (text, is_phrase))| *is_phrase && is_worded(text))
        .filter(|(_, (text, _))| !known.contains(text.as_str()))
        .map(|(path, (text, _))| format!("{}: {text}", path.display()))
        .collect();
    assert!(missing.is_empty(), "phrases without a text in *.zh.txt:\n{}", missing.join("\n"));
    let texts: BTreeSet<&str> = all().map(|(_, (text, _))| text.as_str()).collect();
    // `(step) time` is the word `time` for a step.
    let plain = |key: &'static str| match key.strip_prefix('(').and_then(|key| key.split_once(") "))
    {
        Some((_, word)) => word,
        None => key,
    };
    let unused: Vec<_> = known.iter().filter(|key| !texts.contains(plain(key))).collect();
    assert!(unused.is_empty(), "texts in *.zh.txt that nothing says: {unused:#?}");
}

#[test]
fn every_sentence_at_the_board_is_a_phrase() {
    let mut plain = Vec::new();
    for (path, texts) in sources() {
        let name = path.to_string_lossy().replace('\\', "/");
        if AT_THE_BOARD.iter().any(|part| name.contains(part)) && !name.ends_with(OF_MATCHES) {
            let sentences =
                texts.into_iter().filter(|(text, is_phrase)| !is_phrase && is_sentence(text));
            plain.extend(sentences.map(|(text, _)| format!("{name}: {text}")));
        }
    }
    assert!(plain.is_empty(), "make a phrase of each of these texts:\n{}", plain.join("\n"));
}

/// Nouns that stand behind numbers.
const NOUNS: &[&str] = &[
    "games",
    "pairs",
    "plies",
    "moves",
    "engines",
    "positions",
    "candidates",
    "defects",
    "lines",
    "logs",
    "matches",
    "rounds",
    "points",
    "errors",
    "options",
    "remarks",
    "bytes",
    "openings",
    "actions",
    "steps",
    "turns",
    "files",
    "times",
    "seeds",
    "workers",
    "records",
    "nodes",
    "values",
    "samples",
    "faults",
    "players",
    "machines",
    "seconds",
    "minutes",
];

/// Crates whose numbers are those of fastchess, of a paper or of a page, or are not for people.
const OTHER_CRATES: [&str; 7] =
    ["fastchess/", "papers/", "claims/", "lists/", "python/", "stats/", "protocol/"];

/// Texts whose number is a limit above one, or no number.
const NEVER_ONE: &[&str] = &[
    "more than {",
    "stuck after {",
    "at most {",
    "gives 1 to {",
    "larger than {",
    "legal moves",
    "in random games",
    "{which} workers differ",
    "team {team} moves first",
    "games per minute",
    "{pos}",
    "{n} games are open already",
    "the game has {n} moves",
    "take back {plies} plies",
    "plies by a fault",
    "{reason} after {plies} plies",
    "played {plies} plies t",
    "{n} moves are read back",
    "{n} bytes for one answer",
    "{n} lines for one answer",
    "{n} files are open already",
    "{n} engines analyse already",
    "the game has {n} positions",
    "the comment is longer than {n} bytes",
];

/// A number that may be 1 gets its noun from `counted`: `1 games` is printed nowhere.
#[test]
fn a_number_in_a_text_never_has_a_noun_that_is_always_in_the_plural() {
    let mut plural = Vec::new();
    for (path, texts) in sources() {
        let name = path.to_string_lossy().replace('\\', "/");
        if OTHER_CRATES.iter().any(|part| name.contains(part)) {
            continue;
        }
        for (text, _) in texts {
            let is_number = |hole: &str| {
                !hole.contains([':', ' ']) && hole != hole.to_uppercase() || hole.is_empty()
            };
            let has = text.split('{').skip(1).filter_map(|part| part.split_once("} ")).any(
                |(hole, rest)| {
                    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
                    is_number(hole) && NOUNS.contains(&&*word)
                },
            );
            // Its phrase for one game stands beside it.
            let is_exempt =
                text == "{n} games" || NEVER_ONE.iter().any(|known| text.contains(known));
            if has && !is_exempt {
                plural.push(format!("{name}: {text}"));
            }
        }
    }
    assert!(plural.is_empty(), "use `counted` in these texts:\n{}", plural.join("\n"));
}
