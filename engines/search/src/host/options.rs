//! An engine's options as a table that defines each one once: type, default, range and help.
//!
//! An engine declares a [`Setting`] for each of its own options, and each algorithm lists the
//! definitions of those that it uses; the host parses, checks and stores values; the algorithm's
//! builder [`get`](Options::get)s them by the same [`Setting`], which knows the value's type.

use crate::mcts::MctsSettings;
use crate::transposition::{AllocationError, TranspositionTable};
use agon_games::option::{OptionError, OptionSpec, OptionValue};
use agon_games::text::excerpt;
use agon_wire::input_file;
use std::any::Any;
use std::fmt::Display;
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
/// Whether the engine uses the endgame tablebase in the user's cache folder. `bench` does not.
pub const TABLE_CACHE: Setting<bool> = Setting::check(
    "TableCache",
    true,
    "Use the small endgame tablebase in the user's cache folder, built on first use",
);
/// Clears everything learned.
pub const CLEAR_HASH: Setting<()> = Setting::button("Clear Hash", "Forget earlier searches");

/// The options of a search that [`Options::mcts_settings`] describes.
pub const MCTS_OPTIONS: &[OptionDef] = &[HASH.def, SEED.def, MULTI_PV.def];

/// The content loaded for a file option.
pub type Loaded = Arc<dyn Any + Send + Sync>;

/// Content for a file option, or why it cannot be loaded.
pub fn loaded<T: Any + Send + Sync>(content: Result<T, impl Display>) -> Result<Loaded, String> {
    content.map(|content| Arc::new(content) as Loaded).map_err(|error| error.to_string())
}

/// The type of an option, with its default and range.
#[derive(Clone, Copy, Debug)]
pub enum SettingType {
    /// `true` or `false`.
    Check(bool),
    /// An integer: default, minimum and maximum.
    Spin(i64, i64, i64),
    /// A decimal number: default, minimum and maximum. Managers see a string option.
    Decimal(f64, f64, f64),
    /// One of these words; the first is the default.
    Choice(&'static [&'static str]),
    /// The path of a regular file of at most this many bytes, read when it is set; empty for none.
    File(u64, fn(Vec<u8>) -> Result<Loaded, String>),
    /// The path of a regular file or a folder, opened when it is set; empty for none.
    Opened(PathKind, fn(&Path) -> Result<Loaded, String>),
    /// An action without a value.
    Button,
}

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
}

/// One row of the table of options.
#[derive(Clone, Copy, Debug)]
pub struct OptionDef {
    /// The name, without white space.
    pub name: &'static str,
    /// Its type.
    pub kind: SettingType,
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
    const fn new(name: &'static str, kind: SettingType, help: &'static str) -> Setting<T> {
        Setting { def: OptionDef { name, kind, help }, value: PhantomData }
    }

    /// The option's name.
    pub const fn name(&self) -> &'static str {
        self.def.name
    }
}

impl<T: FromOption + TryFrom<i64>> Setting<T> {
    /// An integer option from `min` to `max`, which must fit in `T`.
    pub const fn spin(
        name: &'static str,
        default: i64,
        min: i64,
        max: i64,
        help: &'static str,
    ) -> Setting<T> {
        Setting::new(name, SettingType::Spin(default, min, max), help)
    }
}

impl Setting<bool> {
    /// A Boolean option.
    pub const fn check(name: &'static str, default: bool, help: &'static str) -> Setting<bool> {
        Setting::new(name, SettingType::Check(default), help)
    }
}

impl Setting<()> {
    /// A button.
    pub const fn button(name: &'static str, help: &'static str) -> Setting<()> {
        Setting::new(name, SettingType::Button, help)
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
        Setting::new(name, SettingType::Decimal(default, min, max), help)
    }
}

impl Setting<&'static str> {
    /// An option with a fixed set of words; the first is the default.
    pub const fn choice(
        name: &'static str,
        choices: &'static [&'static str],
        help: &'static str,
    ) -> Setting<&'static str> {
        Setting::new(name, SettingType::Choice(choices), help)
    }
}

impl<T> Setting<Option<Arc<T>>> {
    /// The path of a regular file of at most `max` bytes. When the option is set, `load` gets the content
    /// and makes a `T` of it.
    pub const fn file(
        name: &'static str,
        max: u64,
        load: fn(Vec<u8>) -> Result<Loaded, String>,
        help: &'static str,
    ) -> Setting<Option<Arc<T>>> {
        Setting::new(name, SettingType::File(max, load), help)
    }

    /// The path of a regular file, which may be of any size because `open` maps it. The error of `open`
    /// names the file.
    pub const fn mapped(
        name: &'static str,
        open: fn(&Path) -> Result<Loaded, String>,
        help: &'static str,
    ) -> Setting<Option<Arc<T>>> {
        Setting::new(name, SettingType::Opened(PathKind::File, open), help)
    }

    /// The path of a folder, whose files `open` maps. The error of `open` names the folder or the file.
    pub const fn folder(
        name: &'static str,
        open: fn(&Path) -> Result<Loaded, String>,
        help: &'static str,
    ) -> Setting<Option<Arc<T>>> {
        Setting::new(name, SettingType::Opened(PathKind::Folder, open), help)
    }
}

/// An option with its value.
#[derive(Clone, Debug)]
pub struct SetOption {
    def: OptionDef,
    value: OptionValue,
    /// The content of a file.
    loaded: Option<Loaded>,
}

/// A type that can be read from an option. The constructors of [`Setting`] match types, so the
/// fallbacks are never used.
pub trait FromOption: Sized {
    /// The value.
    fn from_option(option: &SetOption) -> Self;
}

macro_rules! whole_numbers {
    ($($t:ty)*) => {$(
        impl FromOption for $t {
            fn from_option(option: &SetOption) -> $t {
                match option.value {
                    OptionValue::Spin(n) => <$t>::try_from(n).unwrap_or_default(),
                    _ => 0,
                }
            }
        }
    )*};
}
whole_numbers!(i32 i64 u32 u64 usize);

impl FromOption for bool {
    fn from_option(option: &SetOption) -> bool {
        option.value == OptionValue::Check(true)
    }
}

impl FromOption for f64 {
    fn from_option(option: &SetOption) -> f64 {
        option.text().parse().unwrap_or_default()
    }
}

impl FromOption for &'static str {
    fn from_option(option: &SetOption) -> &'static str {
        let SettingType::Choice(choices) = option.def.kind else { return "" };
        choices.iter().find(|choice| **choice == option.text()).copied().unwrap_or_default()
    }
}

impl<T: Any + Send + Sync> FromOption for Option<Arc<T>> {
    fn from_option(option: &SetOption) -> Option<Arc<T>> {
        option.loaded.clone()?.downcast().ok()
    }
}

impl SetOption {
    /// At its default.
    fn new(def: OptionDef) -> SetOption {
        let value = match def.kind {
            SettingType::Check(default) => OptionValue::Check(default),
            SettingType::Spin(default, ..) => OptionValue::Spin(default),
            SettingType::Decimal(default, ..) => OptionValue::Text(default.to_string()),
            SettingType::Choice(choices) => {
                OptionValue::Text(choices.first().copied().unwrap_or_default().into())
            }
            SettingType::File(..) | SettingType::Opened(..) => OptionValue::Text(String::new()),
            SettingType::Button => OptionValue::Pressed,
        };
        SetOption { def, value, loaded: None }
    }

    fn text(&self) -> &str {
        if let OptionValue::Text(text) = &self.value { text } else { "" }
    }

    /// The specification sent to managers, with the value as the default.
    fn spec(&self) -> OptionSpec {
        let name = self.def.name;
        match (self.def.kind, &self.value) {
            (SettingType::Spin(_, min, max), &OptionValue::Spin(n)) => {
                OptionSpec::spin(name, n, min, max)
            }
            (SettingType::Choice(choices), OptionValue::Text(word)) => {
                OptionSpec::combo(name, word, choices)
            }
            (_, &OptionValue::Check(on)) => OptionSpec::check(name, on),
            (_, OptionValue::Text(text)) => OptionSpec::text(name, text),
            (_, OptionValue::Pressed | OptionValue::Spin(_)) => OptionSpec::button(name),
        }
    }

    /// Sets a value that passed the option's specification; loads a file.
    fn set(&mut self, value: &OptionValue) -> Result<(), OptionError> {
        let name = self.def.name;
        let mut value = value.clone();
        match (self.def.kind, &value) {
            (SettingType::Decimal(_, min, max), OptionValue::Text(text)) => {
                let number: Option<f64> = text.parse().ok().filter(|x| (min..=max).contains(x));
                let number = number.ok_or_else(|| OptionError::BadValue {
                    name: name.into(),
                    value: excerpt(text),
                    expected: format!("a decimal number from {min} to {max}"),
                })?;
                value = OptionValue::Text(number.to_string());
            }
            // Some managers send an empty text this way.
            (SettingType::File(..) | SettingType::Opened(..), OptionValue::Text(path))
                if matches!(&**path, "" | "<empty>") =>
            {
                (self.loaded, value) = (None, OptionValue::Text(String::new()));
            }
            (kind, OptionValue::Text(path)) => {
                let loaded = load(kind, Path::new(path)).transpose();
                let refused = |reason| OptionError::Refused { name: name.into(), reason };
                self.loaded = loaded.map_err(refused)?;
            }
            _ => {}
        }
        self.value = value;
        Ok(())
    }
}

/// The content of the file or folder of an option, or why it cannot be had; `None` for an option of another
/// type.
fn load(kind: SettingType, path: &Path) -> Option<Result<Loaded, String>> {
    let named = |reason: String| format!("{}: {reason}", path.display());
    let seen = |result: std::io::Result<()>| result.map_err(|error| named(error.to_string()));
    match kind {
        SettingType::File(max, load) => {
            let bytes = input_file::read(path, max).map_err(|error| error.to_string());
            Some(bytes.and_then(load).map_err(named))
        }
        SettingType::Opened(PathKind::File, open) => {
            Some(seen(input_file::open(path).map(drop)).and_then(|()| open(path)))
        }
        SettingType::Opened(PathKind::Folder, open) => {
            Some(seen(input_file::folder(path)).and_then(|()| open(path)))
        }
        _ => None,
    }
}

/// The options of an engine with their values.
#[derive(Clone, Debug, Default)]
pub struct Options {
    rows: Vec<SetOption>,
}

impl Options {
    /// Every option of the table at its default; an option is listed once.
    pub fn new(table: impl IntoIterator<Item = OptionDef>) -> Options {
        let mut options = Options { rows: Vec::new() };
        for def in table {
            if options.rows.iter().all(|row| row.def.name != def.name) {
                options.rows.push(SetOption::new(def));
            }
        }
        options
    }

    /// The value of an option; its default if the engine does not offer it.
    pub fn get<T: FromOption>(&self, setting: &Setting<T>) -> T {
        let row = self.rows.iter().find(|row| row.def.name == setting.def.name);
        row.map_or_else(|| T::from_option(&SetOption::new(setting.def)), T::from_option)
    }

    /// An empty transposition table of size [`HASH`].
    pub fn transposition_table(&self) -> Result<TranspositionTable, AllocationError> {
        TranspositionTable::new(self.get(&HASH))
    }

    /// A tree search of size [`HASH`] without playouts: new nodes have one visit at their value.
    pub fn mcts_settings(&self) -> MctsSettings {
        MctsSettings {
            simulations: 0,
            exploration: 1.0,
            bias: None,
            prior: Some(1.0),
            iterations: None,
            memory: self.get(&HASH) << 20,
            seed: self.get(&SEED),
        }
    }

    /// The specifications sent to managers, with current values as defaults, and each option's
    /// definition.
    pub(super) fn specs(&self) -> impl Iterator<Item = (&OptionDef, OptionSpec)> {
        self.rows.iter().map(|row| (&row.def, row.spec()))
    }

    /// Sets an option to a value that passed its specification.
    pub(super) fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        let Some(row) = self.rows.iter_mut().find(|row| row.def.name == name) else {
            let reason = "not an option of this engine".into();
            return Err(OptionError::Refused { name: name.into(), reason });
        };
        row.set(value)
    }

    /// The same with this number of [`THREADS`].
    pub(super) fn with_threads(&self, threads: usize) -> Options {
        let mut options = self.clone();
        let row = options.rows.iter_mut().find(|row| row.def.name == THREADS.name());
        if let Some(row) = row {
            row.value = OptionValue::Spin(threads as i64);
        }
        options
    }

    /// Halves [`HASH`]; false if it is 0 already.
    pub(super) fn halve_hash(&mut self) -> bool {
        let size = self.rows.iter_mut().find(|row| row.def.name == HASH.name());
        match size.map(|row| &mut row.value) {
            Some(OptionValue::Spin(megabytes)) if *megabytes > 0 => {
                *megabytes /= 2;
                true
            }
            _ => false,
        }
    }
}
