//! An engine's options as a table that defines each one once: type, default, range and help.
//!
//! An engine declares a [`Setting`] for each of its own options and lists their definitions; the
//! host parses, checks and stores values; the engine's builders [`get`](Options::get) them by the
//! same [`Setting`], which knows the value's type.

use crate::transposition::{AllocationError, TranspositionTable};
use agon_protocol::option::{OptionError, OptionSpec, OptionValue};
use agon_protocol::text::excerpt;
use std::any::Any;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

/// Search threads.
pub const THREADS: Setting<usize> = Setting::spin("Threads", 1, 1, 512, "Search threads");
/// The size of the transposition table or of the search tree.
pub const HASH: Setting<usize> =
    Setting::spin("Hash", 64, 1, 1 << 20, "Transposition table or search tree in MiB");
/// The seed of all random streams.
pub const SEED: Setting<u64> = Setting::spin("Seed", 1, 0, i64::MAX, "Seed of all random choices");
/// The time reserved on every clock.
pub const MOVE_OVERHEAD: Setting<u64> = Setting::spin(
    "MoveOverhead",
    10,
    0,
    60_000,
    "Milliseconds of each move kept back for communication with the manager",
);
/// The number of root moves reported with their own values and variations.
pub const MULTI_PV: Setting<usize> =
    Setting::spin("MultiPV", 1, 1, 500, "Best lines to search and report");

/// Whether the manager ponders. `go ponder` works in any case.
pub const PONDER: Setting<bool> = Setting::check(
    "Ponder",
    false,
    "Whether the manager lets the engine think on its opponent's time",
);
/// Whether reports have win, draw and loss.
pub const SHOW_WDL: Setting<bool> =
    Setting::check("UCI_ShowWDL", false, "Report win, draw and loss in permille");
/// Clears everything learned.
pub const CLEAR_HASH: Setting<()> = Setting::button("Clear Hash", "Forget earlier searches");

/// The content loaded for a file option.
pub type Loaded = Arc<dyn Any + Send + Sync>;

/// The type of an option, with its default and range.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Check(bool),
    /// An integer: default, minimum and maximum.
    Spin(i64, i64, i64),
    /// A decimal number: default, minimum and maximum. Managers see a string option.
    Decimal(f64, f64, f64),
    /// One of these words; the first is the default.
    Choice(&'static [&'static str]),
    /// The path of a file or folder, loaded when it is set; empty for none.
    File(fn(&Path) -> Result<Loaded, String>),
    /// An action without a value.
    Button,
}

/// One row of the table of options.
#[derive(Clone, Copy, Debug)]
pub struct OptionDef {
    /// The name, without white space.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// One line of help.
    pub help: &'static str,
}

/// An option with values of type `T`.
#[derive(Clone, Copy, Debug)]
pub struct Setting<T> {
    /// Its row in the table.
    pub def: OptionDef,
    value: PhantomData<fn() -> T>,
}

impl<T> Setting<T> {
    const fn new(name: &'static str, kind: Kind, help: &'static str) -> Setting<T> {
        Setting { def: OptionDef { name, kind, help }, value: PhantomData }
    }

    /// The option's name.
    pub const fn name(&self) -> &'static str {
        self.def.name
    }
}

impl<T: FromValue + TryFrom<i64>> Setting<T> {
    /// An integer option from `min` to `max`, which must fit in `T`.
    pub const fn spin(
        name: &'static str,
        default: i64,
        min: i64,
        max: i64,
        help: &'static str,
    ) -> Setting<T> {
        Setting::new(name, Kind::Spin(default, min, max), help)
    }
}

impl Setting<bool> {
    /// A Boolean option.
    pub const fn check(name: &'static str, default: bool, help: &'static str) -> Setting<bool> {
        Setting::new(name, Kind::Check(default), help)
    }
}

impl Setting<()> {
    /// A button.
    pub const fn button(name: &'static str, help: &'static str) -> Setting<()> {
        Setting::new(name, Kind::Button, help)
    }
}

impl Setting<f64> {
    /// A decimal option from `min` to `max`.
    pub const fn decimal(
        name: &'static str,
        default: f64,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Setting<f64> {
        Setting::new(name, Kind::Decimal(default, min, max), help)
    }
}

impl Setting<&'static str> {
    /// An option with a fixed set of words; the first is the default.
    pub const fn choice(
        name: &'static str,
        choices: &'static [&'static str],
        help: &'static str,
    ) -> Setting<&'static str> {
        Setting::new(name, Kind::Choice(choices), help)
    }
}

impl<T> Setting<Option<Arc<T>>> {
    /// The path of a file or folder that `load` reads into a `T` when the option is set.
    pub const fn file(
        name: &'static str,
        load: fn(&Path) -> Result<Loaded, String>,
        help: &'static str,
    ) -> Setting<Option<Arc<T>>> {
        Setting::new(name, Kind::File(load), help)
    }
}

/// A stored value.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of [`Kind::Check`].
    Check(bool),
    /// Of [`Kind::Spin`].
    Spin(i64),
    /// Of [`Kind::Decimal`].
    Decimal(f64),
    /// Of [`Kind::Choice`].
    Choice(&'static str),
    /// Of [`Kind::File`]: the path and what was loaded from it.
    File(String, Option<Loaded>),
    /// Of [`Kind::Button`].
    Pressed,
}

/// A type that can be read from an option's value. The constructors of [`Setting`] match types and
/// kinds, so the fallbacks are never used.
pub trait FromValue: Sized {
    /// The value.
    fn from_value(value: &Value) -> Self;
}

macro_rules! whole_numbers {
    ($($t:ty)*) => {$(
        impl FromValue for $t {
            fn from_value(value: &Value) -> $t {
                match value {
                    Value::Spin(n) => <$t>::try_from(*n).unwrap_or_default(),
                    _ => 0,
                }
            }
        }
    )*};
}
whole_numbers!(i32 i64 u32 u64 usize);

impl FromValue for bool {
    fn from_value(value: &Value) -> bool {
        matches!(value, Value::Check(true))
    }
}

impl FromValue for f64 {
    fn from_value(value: &Value) -> f64 {
        if let Value::Decimal(x) = value { *x } else { 0.0 }
    }
}

impl FromValue for &'static str {
    fn from_value(value: &Value) -> &'static str {
        if let Value::Choice(word) = value { word } else { "" }
    }
}

impl<T: Any + Send + Sync> FromValue for Option<Arc<T>> {
    fn from_value(value: &Value) -> Option<Arc<T>> {
        match value {
            Value::File(_, loaded) => loaded.clone()?.downcast().ok(),
            _ => None,
        }
    }
}

impl OptionDef {
    fn default_value(&self) -> Value {
        match self.kind {
            Kind::Check(default) => Value::Check(default),
            Kind::Spin(default, ..) => Value::Spin(default),
            Kind::Decimal(default, ..) => Value::Decimal(default),
            Kind::Choice(choices) => Value::Choice(choices.first().copied().unwrap_or_default()),
            Kind::File(_) => Value::File(String::new(), None),
            Kind::Button => Value::Pressed,
        }
    }

    /// The specification sent to managers, with `value` as the default.
    fn spec(&self, value: &Value) -> OptionSpec {
        match (self.kind, value) {
            (Kind::Spin(_, min, max), Value::Spin(n)) => OptionSpec::spin(self.name, *n, min, max),
            (Kind::Choice(choices), Value::Choice(word)) => {
                OptionSpec::combo(self.name, word, choices)
            }
            (_, Value::Pressed) => OptionSpec::button(self.name),
            (_, Value::Check(on)) => OptionSpec::check(self.name, *on),
            (_, Value::Decimal(x)) => OptionSpec::text(self.name, &x.to_string()),
            (_, Value::File(path, _)) => OptionSpec::text(self.name, path),
            (_, Value::Spin(_) | Value::Choice(_)) => OptionSpec::text(self.name, ""),
        }
    }

    /// Checks a value that passed the option's specification; loads a file.
    fn read(&self, value: &OptionValue) -> Result<Value, OptionError> {
        let refused = |reason| OptionError::Refused { name: self.name.into(), reason };
        match (self.kind, value) {
            (Kind::Check(_), OptionValue::Check(on)) => Ok(Value::Check(*on)),
            (Kind::Spin(..), OptionValue::Spin(n)) => Ok(Value::Spin(*n)),
            (Kind::Button, OptionValue::Pressed) => Ok(Value::Pressed),
            (Kind::Decimal(_, min, max), OptionValue::Text(text)) => text
                .parse()
                .ok()
                .filter(|x| (min..=max).contains(x))
                .map(Value::Decimal)
                .ok_or_else(|| OptionError::BadValue {
                    name: self.name.into(),
                    value: excerpt(text),
                    expected: format!("a decimal number from {min} to {max}"),
                }),
            (Kind::Choice(choices), OptionValue::Text(text)) => choices
                .iter()
                .find(|choice| *choice == text)
                .map(|choice| Value::Choice(choice))
                .ok_or_else(|| refused(format!("expected one of {}", choices.join(", ")))),
            // Some managers send an empty text this way.
            (Kind::File(_), OptionValue::Text(path)) if path.is_empty() || path == "<empty>" => {
                Ok(Value::File(String::new(), None))
            }
            (Kind::File(load), OptionValue::Text(path)) => {
                let loaded = load(Path::new(path)).map_err(refused)?;
                Ok(Value::File(path.clone(), Some(loaded)))
            }
            _ => Err(refused("not the kind of value that this option takes".into())),
        }
    }
}

/// The options of an engine with their values.
#[derive(Clone, Debug)]
pub struct Options {
    rows: Vec<(OptionDef, Value)>,
}

impl Options {
    /// Every option at its default.
    pub fn new(table: impl IntoIterator<Item = OptionDef>) -> Options {
        Options { rows: table.into_iter().map(|def| (def, def.default_value())).collect() }
    }

    /// The value of an option; its default if the engine does not offer it.
    pub fn get<T: FromValue>(&self, setting: &Setting<T>) -> T {
        let row = self.rows.iter().find(|(def, _)| def.name == setting.def.name);
        row.map_or_else(|| T::from_value(&setting.def.default_value()), |row| T::from_value(&row.1))
    }

    /// An empty transposition table of size [`HASH`].
    pub fn transposition_table(&self) -> Result<TranspositionTable, AllocationError> {
        TranspositionTable::new(self.get(&HASH))
    }

    /// The specifications sent to managers, with current values as defaults, and each option's
    /// definition.
    pub(super) fn specs(&self) -> impl Iterator<Item = (&OptionDef, OptionSpec)> {
        self.rows.iter().map(|(def, value)| (def, def.spec(value)))
    }

    /// Sets an option to a value that passed its specification.
    pub(super) fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        let Some(row) = self.rows.iter_mut().find(|(def, _)| def.name == name) else {
            let reason = "not an option of this engine".into();
            return Err(OptionError::Refused { name: name.into(), reason });
        };
        row.1 = row.0.read(value)?;
        Ok(())
    }

    /// Halves [`HASH`]; false if it is 0 already.
    pub(super) fn halve_hash(&mut self) -> bool {
        let size = self.rows.iter_mut().find(|(def, _)| def.name == HASH.name());
        match size {
            Some((_, Value::Spin(megabytes))) if *megabytes > 0 => {
                *megabytes /= 2;
                true
            }
            _ => false,
        }
    }
}
