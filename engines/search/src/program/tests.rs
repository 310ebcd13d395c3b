//! Tests the command line with a minimal engine; the built programs are tested elsewhere.

use super::*;
use agon_games::amazons::Amazons;
use agon_games::game::legal_moves;
use agon_games::option::{OptionError, OptionSpec, OptionValue};
use agon_games::record::Record;
use agon_wire::engine::Control;
use agon_wire::message::{Info, Limits};

#[derive(Default)]
struct Plain {
    hash: i64,
}

impl Engine for Plain {
    type Game = Amazons;
    fn name(&self) -> String {
        "Plain".into()
    }
    fn options(&self) -> Vec<OptionSpec> {
        vec![OptionSpec::spin("Hash", 16, 1, 64)]
    }
    fn set_option(&mut self, _: &str, value: &OptionValue) -> Result<(), OptionError> {
        if let OptionValue::Spin(hash) = value {
            self.hash = *hash;
        }
        Ok(())
    }
    fn new_game(&mut self) {}
    fn search(
        &mut self,
        record: &Record<Amazons>,
        _: &Limits,
        _: &Control,
        _: &mut dyn FnMut(Info),
    ) -> <Amazons as Game>::Move {
        legal_moves(record.current())[0]
    }
}

#[derive(Debug, Subcommand)]
enum Extra {
    /// Multiply
    Multiply { by: i64 },
}

fn run(arguments: &[&str]) -> Result<i64> {
    let bench = Bench { positions: &["startpos"], depth: Some(1), nodes: None };
    let program = Program { engine: Plain::default, about: "Plain", bench, moved: &[] };
    let arguments = std::iter::once("amazons").chain(arguments.iter().copied());
    let mut product = 0;
    program.run(arguments.map(OsString::from), |extra: Extra, server| {
        let Extra::Multiply { by } = extra;
        product = server.into_parts().0.hash * by;
        Ok(())
    })?;
    Ok(product)
}

#[test]
fn a_subcommand_of_the_engine_gets_the_engine_with_its_options_set() {
    assert_eq!(run(&["--option", "Hash=7", "multiply", "6"]).unwrap(), 42);
    assert_eq!(run(&["multiply", "6", "--option", "hash=8"]).unwrap(), 48);
}

#[test]
fn a_bad_option_is_an_error_that_lists_the_known_ones() {
    let text = |arguments: &[&str]| format!("{:#}", run(arguments).unwrap_err());
    assert!(text(&["--option", "Hush=7", "options"]).contains("known options: Hash"));
    assert!(text(&["--option", "Hash=x", "options"]).contains("a whole number from 1 to 64"));
    assert!(text(&["--option", "Hash", "options"]).contains("expected NAME=VALUE"));
}

#[test]
fn a_bad_position_is_an_error() {
    let error = run(&["perft", "1", "--fen", "nonsense"]).unwrap_err();
    assert!(format!("{error:#}").contains("bad FEN `nonsense`"));
}

#[test]
fn bench_reads_its_positions_from_a_file() {
    let file = std::env::temp_dir().join(format!("agon-bench-openings-{}", std::process::id()));
    let name = file.to_str().unwrap();
    let bench = |text: &str| {
        std::fs::write(&file, text).unwrap();
        run(&["bench", "--openings", name]).map_err(|error| format!("{error:#}"))
    };
    bench("# two positions\nstartpos moves a4a2,a2g8 # 5\nstartpos\n").unwrap();
    let error = bench("startpos\nstartpos moves a4a4\n").unwrap_err();
    assert!(error.contains("line 2") && error.contains("a4a4"), "{error}");
    assert!(bench("# nothing\n").unwrap_err().contains("no opening"));
    let error = bench("startpos\nfen q*2/**2/4/3Q b\n").unwrap_err();
    assert!(error.contains("position 2, `q*2/**2/4/3Q b`"), "{error}");
    std::fs::remove_file(&file).unwrap();
    let error = run(&["bench", "--openings", name]).unwrap_err();
    assert!(format!("{error:#}").contains(name));
}
