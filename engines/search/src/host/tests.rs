//! Tests the host with a small engine: options of every kind, and rejected values.

use super::*;
use crate::alphabeta::AlphaBeta;
use crate::evaluator::Evaluator;
use agon_games::amazons::Amazons;
use agon_games::option::find;
use std::sync::Arc;

#[derive(Clone)]
struct Zero;

impl Evaluator<Amazons> for Zero {
    fn evaluate(&mut self, _game: &Amazons) -> i32 {
        0
    }
}

const DEPTH: Setting<u32> = Setting::spin("Depth", 2, 1, 9, "Depth");
const FACTOR: Setting<f64> = Setting::decimal("Factor", 0.5, 0.0, 2.0, "Factor");
const STYLE: Setting<&str> = Setting::choice("Style", &["plain", "wild"], "Style");
const EXACT: Setting<bool> = Setting::check("Exact", false, "Exact");
const BOOK: Setting<Option<Arc<String>>> =
    Setting::file("Book", 1 << 16, |bytes| loaded(String::from_utf8(bytes)), "Book");

const TABLE: Setting<Option<Arc<()>>> = Setting::mapped("Table", |_| Ok(Arc::new(())), "Table");
const TABLES: Setting<Option<Arc<()>>> = Setting::folder("Tables", |_| Ok(Arc::new(())), "Tables");

const OWN: &[OptionDef] =
    &[DEPTH.def, FACTOR.def, STYLE.def, EXACT.def, BOOK.def, TABLE.def, TABLES.def];

enum Small {}

impl GameEngine for Small {
    type Game = Amazons;
    const NAME: &'static str = "Small";
    const WIN_CURVE: WinCurve = WinCurve { unit: 300.0, draws: 0.0 };
    const LEVELS: [Level; BELOW_FULL] = [Level { nodes: 100, random: 500 }; BELOW_FULL];
    const ALGORITHMS: &'static [Algorithm<Amazons>] = &[
        Algorithm {
            name: "alphabeta",
            about: "to a fixed depth",
            uses: &[&[HASH.def, MULTI_PV.def], OWN],
            build: |options| {
                options.transposition_table()?;
                let max_depth = options.get(&DEPTH);
                Ok(Box::new(AlphaBeta { evaluator: Zero, max_depth, deepening: true }))
            },
        },
        Algorithm::RANDOM,
    ];
}

fn set(engine: &mut Host<Small>, name: &str, value: &str) -> Result<(), OptionError> {
    let specs = engine.options();
    let spec = find(&specs, name)?;
    engine.set_option(&spec.name, &spec.parse(value)?)
}

#[test]
fn every_kind_of_option_takes_its_value_and_shows_it_as_the_default() {
    let mut engine = Host::<Small>::new();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for (name, value) in [
        ("Algorithm", "random"),
        ("Hash", "7"),
        ("MultiPV", "2"),
        ("Depth", "5"),
        ("Factor", "1.25"),
        ("Style", "wild"),
        ("Exact", "true"),
        ("Book", book),
    ] {
        set(&mut engine, name, value).unwrap();
        let line = find(&engine.options(), name).unwrap().to_string();
        assert!(line.contains(&format!("default {value}")), "{line}");
    }
    let options = engine.settings();
    assert_eq!((options.get(&DEPTH), options.get(&STYLE)), (5, "wild"));
    assert!(options.get(&EXACT) && options.get(&FACTOR) == 1.25);
    assert!(options.get(&BOOK).unwrap().contains("agon-search"));
    set(&mut engine, "Book", "<empty>").unwrap();
    assert!(engine.settings().get(&BOOK).is_none());
}

#[test]
fn values_that_do_not_fit_are_refused_and_change_nothing() {
    let mut engine = Host::<Small>::new();
    let before = engine.options();
    for (name, value) in [
        ("Factor", "2.5"),
        ("Factor", "much"),
        ("Factor", "NaN"),
        ("Style", "calm"),
        ("Depth", "10"),
        ("Book", "/no/such/file"),
    ] {
        assert!(set(&mut engine, name, value).is_err(), "{name} {value}");
    }
    assert_eq!(engine.options(), before);
}

#[test]
fn help_names_the_algorithms_that_use_an_option() {
    let options = Host::<Small>::new().options();
    let help = |name| find(&options, name).unwrap().help.to_string();
    assert_eq!(help("Depth"), "Depth (only alphabeta)");
    assert!(find(&options, "Threads").is_err(), "no algorithm uses it");
    assert!(help("Algorithm").contains("alphabeta: to a fixed depth\nrandom: any legal move"));
}

#[test]
fn a_file_of_another_kind_is_named_and_refused() {
    let mut engine = Host::<Small>::new();
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let mut wrong = vec![
        ("Book", env!("CARGO_MANIFEST_DIR"), "a folder is there; expected a regular file"),
        ("Table", env!("CARGO_MANIFEST_DIR"), "a folder is there; expected a regular file"),
        ("Tables", manifest, "a regular file is there; expected a folder"),
    ];
    if cfg!(unix) {
        for name in ["Book", "Table", "Tables"] {
            wrong.push((name, "/dev/zero", "a device is there; expected a "));
        }
    }
    for (name, path, reason) in wrong {
        let error = set(&mut engine, name, path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("option {name}: {path}: {reason}")), "{error}");
    }
    set(&mut engine, "Table", manifest).unwrap();
    set(&mut engine, "Tables", env!("CARGO_MANIFEST_DIR")).unwrap();
}
