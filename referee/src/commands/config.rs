//! `--config FILE`: any subcommand's flags from a TOML file.
//!
//! A key is a flag without its dashes (`movetime = "100ms"`), `true` is a flag without a value, and
//! an array repeats a flag. `[[engine]]` tables hold the fields of an engine, `[each]` those that
//! all engines share; `option` and `env` are tables in them. Command-line flags override the file.

use anyhow::{Context, Result, bail};
use toml::{Table, Value};

/// Adds the flags of the file named by `--config` to the arguments, if there is one.
pub fn expand(mut arguments: Vec<String>) -> Result<Vec<String>> {
    let Some((file, from, to)) = find(&arguments)? else { return Ok(arguments) };
    arguments.drain(from..to);
    let text = std::fs::read_to_string(&file).with_context(|| format!("--config {file}"))?;
    let table: Table = text.parse().with_context(|| format!("--config {file}"))?;
    for (key, value) in &table {
        let given = |a: &String| a == &format!("--{key}") || a.starts_with(&format!("--{key}="));
        if !arguments.iter().any(given) {
            flags(key, value, &mut arguments).with_context(|| format!("{file}: {key}"))?;
        }
    }
    Ok(arguments)
}

/// The name of the config file and the range of arguments that give it.
fn find(arguments: &[String]) -> Result<Option<(String, usize, usize)>> {
    for (i, argument) in arguments.iter().enumerate() {
        if argument == "--config" {
            let file = arguments.get(i + 1).context("--config: the file is missing")?;
            return Ok(Some((file.clone(), i, i + 2)));
        }
        if let Some(file) = argument.strip_prefix("--config=") {
            return Ok(Some((file.into(), i, i + 1)));
        }
    }
    Ok(None)
}

/// Appends the flags for a key.
fn flags(key: &str, value: &Value, out: &mut Vec<String>) -> Result<()> {
    let flag = format!("--{}", key.replace('_', "-"));
    match value {
        Value::Boolean(true) => out.push(flag),
        Value::Boolean(false) => {}
        Value::Array(values) => {
            for value in values {
                flags(key, value, out)?;
            }
        }
        Value::Table(fields) => out.push(format!("{flag}={}", engine_text(fields)?)),
        value => out.push(format!("{flag}={}", scalar(value)?)),
    }
    Ok(())
}

/// Converts an engine's table to the syntax of the command line.
fn engine_text(fields: &Table) -> Result<String> {
    let mut parts = Vec::new();
    for (key, value) in fields {
        match value {
            Value::Table(settings) => {
                for (name, value) in settings {
                    parts.push(field(&format!("{key}.{name}"), &scalar(value)?)?);
                }
            }
            // A program and its arguments; each is one word, whatever it contains.
            Value::Array(words) if key == "cmd" => {
                for (i, word) in words.iter().enumerate() {
                    let word = scalar(word)?;
                    if i == 0 {
                        parts.push(field("cmd", &format!("'{word}'"))?);
                    } else {
                        parts.push(field("arg", &word)?);
                    }
                }
            }
            value => parts.push(field(key, &scalar(value)?)?),
        }
    }
    Ok(parts.join(","))
}

/// One field, quoted if necessary.
fn field(key: &str, value: &str) -> Result<String> {
    let quote = match (value.contains('"'), value.contains('\'')) {
        (false, _) if value.contains([',', '\'']) => "\"",
        (false, _) => "",
        (true, false) => "'",
        (true, true) => bail!("{key} = {value}: a value may hold one kind of quotes only"),
    };
    Ok(format!("{key}={quote}{value}{quote}"))
}

fn scalar(value: &Value) -> Result<String> {
    Ok(match value {
        Value::String(text) => text.clone(),
        Value::Integer(n) => n.to_string(),
        Value::Float(x) => x.to_string(),
        Value::Boolean(b) => b.to_string(),
        other => bail!("a {} where a text, a number, true or false is expected", other.type_str()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineSpec;
    use std::io::Write;

    fn expanded(toml: &str, arguments: &[&str]) -> Result<Vec<String>> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(toml.as_bytes()).unwrap();
        let path = file.path().display().to_string();
        let mut all: Vec<String> = vec!["referee".into(), "tournament".into()];
        all.extend(["--config".to_string(), path]);
        all.extend(arguments.iter().map(ToString::to_string));
        expand(all)
    }

    #[test]
    fn a_file_becomes_flags_and_the_command_line_wins() {
        let toml = "game = \"amazons\"\ngames = 4\ndouble = true\nwatch = false\nrule = [\"a=1\", \"b=2\"]\n";
        let mut all = expanded(toml, &["--games", "8"]).unwrap();
        all[4..].sort_unstable();
        let expected = [
            "referee",
            "tournament",
            "--games",
            "8",
            "--double",
            "--game=amazons",
            "--rule=a=1",
            "--rule=b=2",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn an_engine_table_is_the_engine_that_its_text_would_be() {
        let toml = r#"
            [[engine]]
            name = "A, the first"
            cmd = ["./my prog", "--x", "a,b"]
            tc = "60+0.5"
            memory = 512
            [engine.option]
            Hash = 64
            "Skill Level" = "it's"
            [engine.env]
            X = "1"
        "#;
        let all = expanded(toml, &[]).unwrap();
        let spec = EngineSpec::parse(all[2].strip_prefix("--engine=").unwrap()).unwrap();
        assert_eq!(spec.name.as_deref(), Some("A, the first"));
        assert_eq!(spec.command, ["./my prog", "--x", "a,b"]);
        assert_eq!(spec.options[1].name, "Skill Level");
        assert_eq!(spec.options[1].value, "it's");
        assert_eq!((spec.env[0].value.as_str(), spec.memory_mib), ("1", Some(512)));
    }

    #[test]
    fn mistakes_name_the_file_and_the_key() {
        let error = format!("{:#}", expanded("openings = 1979-05-27\n", &[]).unwrap_err());
        assert!(error.contains("openings"), "{error}");
        assert!(expanded("game = ", &[]).is_err());
        assert!(expand(vec!["referee".into(), "--config".into()]).is_err());
    }
}
