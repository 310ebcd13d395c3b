//! The engines of a rating list. Programs are told apart by what they are, not by their names alone: the SHA-256 of
//! program and scripts, arguments, options, environment.

use crate::chain::line_hash;
use crate::{EngineEntry, Limit, Setting};
use agon_games::text::excerpt;
use std::collections::BTreeSet;

/// The digits of a hash that tell programs of one name apart.
const SHOWN: usize = 8;

/// An engine of a list.
#[derive(Clone)]
pub struct ListEngine {
    /// The name.
    pub name: String,
    /// The name, with what tells it from others of this name.
    pub label: String,
    /// All that tells programs apart, as JSON.
    pub program: String,
    /// The same.
    pub entry: EngineEntry,
}

/// The engine of a header's entry. What does not change the play is left out: folders, the dialect, cores, the sandbox,
/// and the limit unless the engines of a match have their own.
pub fn program_of(entry: &EngineEntry, has_own_limits: bool) -> ListEngine {
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_string();
    let is_file = |argument: &String| entry.files.iter().any(|file| file.name == *argument);
    let own = |argument: &String| if is_file(argument) { base(argument) } else { argument.clone() };
    // A folder of levels is part of the name of a level's program.
    let levels = |file: &Setting| file.name.starts_with("levels/");
    let file = |file: &Setting| Setting {
        name: if levels(file) { file.name.clone() } else { base(&file.name) },
        value: file.value.clone(),
    };
    let mut options = entry.options.clone();
    options.sort_by(|a, b| (&a.name, &a.value).cmp(&(&b.name, &b.value)));
    let known = EngineEntry {
        name: entry.name.clone(),
        command: entry.command.iter().skip(1).map(own).collect(),
        sha256: entry.sha256.clone(),
        options,
        files: entry.files.iter().map(file).collect(),
        env: entry.env.clone(),
        memory_mib: entry.memory_mib,
        ponder: entry.ponder,
        limit: if has_own_limits { entry.limit.clone() } else { Limit::default() },
        ..EngineEntry::default()
    };
    let program = serde_json::to_string(&known).unwrap_or_default();
    ListEngine { name: entry.name.clone(), label: entry.name.clone(), program, entry: known }
}

/// The first digits of the hash of a text, at most 32.
fn digits(text: &str, n: usize) -> String {
    line_hash(text).chars().take(n).collect()
}

impl ListEngine {
    /// What tells it from others: program, options, limits, and the rest.
    fn aspects(&self, common: &BTreeSet<(String, String)>) -> [String; 4] {
        let EngineEntry { sha256, command, files, options, limit, .. } = &self.entry;
        let script = format!("{command:?}{files:?}");
        let program = match files.is_empty() && command.is_empty() && sha256.len() >= SHOWN {
            true => sha256.chars().take(SHOWN).collect(),
            false => digits(&format!("{sha256}{script}"), SHOWN),
        };
        let own = options.iter().map(|o| (o.name.clone(), o.value.clone()));
        let own: Vec<String> = own
            .filter(|o| !common.contains(o))
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let options = if own.is_empty() { "defaults".into() } else { excerpt(&own.join(" ")) };
        let rest = EngineEntry {
            sha256: String::new(),
            command: Vec::new(),
            files: Vec::new(),
            options: Vec::new(),
            limit: Limit::default(),
            ..self.entry.clone()
        };
        let rest = digits(&format!("{rest:?}"), SHOWN);
        [program, options, limit.to_string(), rest]
    }
}

/// Gives engines of the same name labels that say how they differ.
pub fn label(engines: &mut [ListEngine]) {
    let names: BTreeSet<String> = engines.iter().map(|e| e.name.clone()).collect();
    for name in names {
        let of_name: Vec<usize> = (0..engines.len()).filter(|&i| engines[i].name == name).collect();
        if of_name.len() < 2 {
            continue;
        }
        let options = |i: &usize| -> BTreeSet<(String, String)> {
            engines[*i].entry.options.iter().map(|o| (o.name.clone(), o.value.clone())).collect()
        };
        let common = of_name.iter().map(options).reduce(|a, b| &a & &b).unwrap_or_default();
        let aspects: Vec<[String; 4]> =
            of_name.iter().map(|&i| engines[i].aspects(&common)).collect();
        let differs = |which: usize| aspects.iter().any(|a| a[which] != aspects[0][which]);
        let shown: Vec<usize> = (0..4).filter(|&which| differs(which)).collect();
        for (&i, aspects) in of_name.iter().zip(&aspects) {
            let parts: Vec<&str> = shown.iter().map(|&which| aspects[which].as_str()).collect();
            engines[i].label = format!("{name} [{}]", parts.join(", "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(name: &str, edit: impl FnOnce(&mut EngineEntry)) -> ListEngine {
        let mut entry = EngineEntry::without_program(name, Limit::default());
        (entry.sha256, entry.command) = ("1234567890".into(), vec!["/some/where/engine".into()]);
        edit(&mut entry);
        program_of(&entry, false)
    }

    fn set(name: &str, value: &str) -> Setting {
        Setting { name: name.into(), value: value.into() }
    }

    #[test]
    fn programs_of_one_name_are_told_apart_by_what_differs() {
        let mut engines = [
            engine("a", |_| {}),
            engine("a", |e| e.sha256 = "abcdefabcdef".into()),
            engine("b", |e| e.options = vec![set("Hash", "64"), set("Seed", "1")]),
            engine("b", |e| e.options = vec![set("Seed", "1")]),
            engine("c", |_| {}),
        ];
        label(&mut engines);
        let labels: Vec<&str> = engines.iter().map(|e| e.label.as_str()).collect();
        assert_eq!(labels, ["a [12345678]", "a [abcdefab]", "b [Hash=64]", "b [defaults]", "c"]);
    }

    #[test]
    fn what_does_not_change_the_play_tells_no_programs_apart() {
        let plain = engine("a", |_| {});
        let same = [
            engine("a", |e| e.command[0] = "elsewhere".into()),
            engine("a", |e| e.dialect = "uci".into()),
            engine("a", |e| (e.sandbox, e.cpus, e.dir) = (true, vec![3], Some("x".into()))),
            engine("a", |e| e.limit.depth = Some(3)),
        ];
        assert!(same.iter().all(|other| other.program == plain.program));
        let script = |folder: &str| {
            engine("a", |e| {
                e.command.push(format!("{folder}/e.py"));
                e.files = vec![set(&format!("{folder}/e.py"), "77")];
            })
        };
        assert_eq!(script("x").program, script("y/z").program);
        let others = [
            script("x"),
            engine("a", |e| e.command.push("fast".into())),
            engine("a", |e| e.ponder = true),
        ];
        assert!(others.iter().all(|other| other.program != plain.program));
    }
}
