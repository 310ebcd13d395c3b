//! Every message that people at the board read has a translation. The sources are searched for the texts, so a
//! message that is added or reworded alone fails this test.

use super::catalogue::pairs;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files and folders of `src` whose messages people at the board read.
const AT_THE_BOARD: [&str; 7] = [
    "commands/desk.rs",
    "commands/events.rs",
    "commands/serve.rs",
    "matches/events.rs",
    "commands/preflight",
    "web",
    "engine/spec.rs",
];

/// Texts that are no messages: forms of files and of requests, names, and what only tests or logs show.
const OTHER_TEXTS: [&str; 10] = [
    "a line of a session",
    "attachment; filename*=",
    "charset=utf-8",
    "cmd and arg",
    "cmd, arg, name",
    "default-src 'none'",
    "game moves",
    "startpos moves",
    "HTTP/1.1",
    "whole game",
];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut inside: Vec<_> =
            std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
        inside.sort();
        inside.iter().for_each(|path| files(path, found));
    } else if path.extension().is_some_and(|e| e == "rs")
        && !path.file_stem().unwrap().to_string_lossy().ends_with("tests")
        && !path.ends_with("http.rs")
    {
        found.push(path.into());
    }
}

/// The texts of a Rust file before its tests, without those of logs and of panics.
fn literals(source: &str) -> Vec<String> {
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
                texts.push(unescaped(&text[..end]));
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
    joined.replace("\\n", "\n").replace("\\\"", "\"").replace("{{", "{ ").replace("}}", " }")
}

/// The text with `{}` for every hole; holes side by side are one.
fn form(text: &str) -> String {
    let mut form = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        form += before;
        match after.split_once('}') {
            Some((hole, after)) if !hole.contains(' ') => {
                if !form.ends_with("{}") {
                    form += "{}";
                }
                rest = after;
            }
            _ => {
                form.push('{');
                rest = after;
            }
        }
    }
    form + rest
}

/// Whether a text is a sentence or a part of one.
fn is_message(text: &str) -> bool {
    let text = form(text).replace("{}", " ");
    let words = text.split_whitespace().filter(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase() || c == '\'')
    });
    words.count() > 1 && !OTHER_TEXTS.iter().any(|other| text.contains(other))
}

#[test]
fn every_message_at_the_board_has_a_chinese_text() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let known: BTreeSet<String> = pairs().map(|(english, _)| form(english)).collect();
    let mut missing = Vec::new();
    for name in AT_THE_BOARD {
        let mut found = Vec::new();
        files(&src.join(name), &mut found);
        assert!(!found.is_empty(), "{name}");
        for path in found {
            let texts = literals(&std::fs::read_to_string(&path).unwrap());
            let texts = texts.into_iter().filter(|text| is_message(text));
            let unknown = texts.filter(|text| !known.contains(&form(text)));
            missing.extend(unknown.map(|text| format!("{}: {text}", path.display())));
        }
    }
    assert!(
        missing.is_empty(),
        "give each of these texts a line in Chinese in referee/src/language/*.zh.txt:\n{}",
        missing.join("\n")
    );
}
