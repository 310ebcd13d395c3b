//! The fields of an engine, as `-engine` and `-each` have them.

use crate::read::{boolean, number};
use agon_engine::EngineSpec;
use agon_matchlog::{Limit, Setting, limits};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// An engine of the command line.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    /// Its fields; the protocol is `uci` where none is given.
    pub spec: EngineSpec,
    /// Its limits on thinking.
    pub limit: Limit,
    /// The file of its standard error.
    pub stderr: Option<String>,
}

impl Engine {
    /// Sets a field. Values of `-each` come later and replace those of `-engine`, as in fastchess.
    ///
    /// # Errors
    ///
    /// The value is none of the key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<()> {
        self.set_field(key, value).with_context(|| format!("{key}={value}"))
    }

    fn set_field(&mut self, key: &str, value: &str) -> Result<()> {
        let spec = &mut self.spec;
        match key {
            "cmd" => spec.command = vec![value.into()],
            "args" => spec.arguments = shell_words::split(value)?,
            "arg" => spec.arguments.push(value.into()),
            "name" => spec.name = Some(value.into()),
            "dir" => spec.dir = Some(value.into()),
            "proto" => spec.dialect = EngineSpec::parse(&format!("dialect={value}"))?.dialect,
            "ponder" => spec.ponder = Some(boolean(value)?),
            "stderr" => self.stderr = Some(value.into()),
            "restart" => match value {
                "off" | "auto" => {}
                "on" => bail!(
                    "refused: a process plays many games and is started again only after a failure"
                ),
                _ => bail!("expected on, off or auto"),
            },
            "timemargin" => self.limit.margin_ms = number(value)?,
            "tc" => self.set_clock(value)?,
            "st" => self.limit.move_ms = Some(seconds(value)?),
            "nodes" => limits::set(&mut self.limit, "nodes", value)?,
            "depth" | "plies" => limits::set(&mut self.limit, "depth", value)?,
            _ => match key.strip_prefix("option.") {
                Some(name) => {
                    spec.options.push(Setting { name: name.into(), value: unquoted(value).into() });
                }
                None => bail!("unknown key"),
            },
        }
        Ok(())
    }

    fn set_clock(&mut self, value: &str) -> Result<()> {
        let time = match value.split_once('/') {
            Some(("inf" | "infinite", rest)) => rest,
            _ => value,
        };
        match time {
            "inf" | "infinite" => self.limit.clock = None,
            _ if time.contains("hg") => bail!("there is no hourglass clock here"),
            _ => limits::set(&mut self.limit, "tc", time)?,
        }
        Ok(())
    }

    /// The name, or that of the program's file without its ending.
    pub fn name(&self) -> String {
        let program = self.spec.command.first().map_or("", String::as_str);
        let stem =
            || Path::new(program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        self.spec.name.clone().or_else(stem).unwrap_or_default()
    }

    /// The file's fields with the protocol that fastchess always speaks.
    pub fn finished(mut self, name: String) -> Result<Engine> {
        if self.spec.command.is_empty() {
            bail!("-engine: engine {name} has no program; give cmd=PROGRAM");
        }
        let limit = &self.limit;
        if limit.is_unbounded() {
            bail!("engine {name}: no time control; give tc=, st=, nodes= or depth=");
        }
        if limit.clock.is_some() && limit.move_ms.is_some() {
            bail!("engine {name}: tc= and st= exclude each other");
        }
        self.spec.dialect.get_or_insert_with(|| "uci".into());
        self.spec.name = Some(name);
        self.spec.limit = Some(self.limit.clone());
        self.spec.margin_ms = Some(self.limit.margin_ms);
        Ok(self)
    }
}

/// Seconds, perhaps with their unit, as whole milliseconds.
fn seconds(value: &str) -> Result<u64> {
    let ms = limits::milliseconds(value, 1000)?;
    if ms == 0 {
        bail!("expected seconds above 0");
    }
    Ok(ms)
}

/// A value without the quotes that OpenBench leaves around it.
fn unquoted(value: &str) -> &str {
    agon_engine::spec::unquote(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(fields: &[(&str, &str)]) -> Result<Limit> {
        let mut engine = Engine::default();
        fields.iter().try_for_each(|(key, value)| engine.set(key, value))?;
        Ok(engine.limit)
    }

    #[test]
    fn time_controls_are_read_as_fastchess_reads_them() {
        let clock = |value: &str| {
            let clock = limit(&[("tc", value)]).unwrap().clock.unwrap();
            (clock.moves, clock.time_ms, clock.increment_ms)
        };
        assert_eq!(clock("10.00+0.10"), (None, 10_000, 100));
        assert_eq!(clock("40/5:00+3"), (Some(40), 300_000, 3000));
        assert_eq!(clock("inf/8"), (None, 8000, 0));
        assert_eq!(clock("8s+0.08s"), (None, 8000, 80));
        assert_eq!(limit(&[("tc", "inf"), ("nodes", "500")]).unwrap().nodes, Some(500));
        assert_eq!(limit(&[("st", "0.25"), ("timemargin", "20")]).unwrap().move_ms, Some(250));
        assert_eq!(limit(&[("tc", "1")]).unwrap().margin_ms, 0, "the margin of fastchess");
        for (key, value) in [
            ("tc", "hg10"),
            ("tc", "10+"),
            ("tc", "x"),
            ("st", "0"),
            ("nodes", "-1"),
            ("timemargin", "-5"),
        ] {
            assert!(limit(&[(key, value)]).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn a_name_is_that_of_the_program_without_its_ending() {
        let mut engine = Engine::default();
        engine.set("cmd", "./bin/new.v2.exe").unwrap();
        assert_eq!(engine.name(), "new.v2");
        engine.set("option.Net File", "\"a b\"").unwrap();
        assert_eq!(engine.spec.options[0].value, "a b");
    }
}
