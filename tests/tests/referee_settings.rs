//! Settings mean what they say: flags against a file, against a log, and against what is played.

use agon_tests::matches::{MATCH, Match, games, lines};
use agon_tests::{program, run, texts};
use serde_json::Value;
use std::path::Path;

fn referee(words: &[&str]) -> (bool, String, String) {
    let output = run("referee", words, MATCH);
    let (out, err) = texts(&output);
    (output.status.success(), out, err)
}

/// The first TOML block of the referee's page, with programs and openings of this test.
fn tournament_of_the_page(folder: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("referee/README.md")).expect("the page");
    let block = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("a TOML block");
    for expected in ["tc = \"60+0.5\"", "tc = \"40/120\"", "[engine.option]"] {
        assert!(block.contains(expected), "{block}");
    }
    let root = root.canonicalize().expect("the repository");
    let text = block
        .replace("target/release/amazons", &program("amazons").display().to_string())
        .replace("openings/", &format!("{}/openings/", root.display()));
    let file = folder.join("tournament.toml");
    std::fs::write(&file, text).expect("a file of ours");
    file.display().to_string()
}

#[test]
fn a_time_control_on_the_command_line_holds_for_every_engine_of_the_pages_tournament() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = tournament_of_the_page(folder.path());
    let log = folder.path().join("log.jsonl");
    let path = log.display().to_string();
    let base = ["tournament", "--config", &config, "--max-plies", "2", "--quiet", "--log", &path];
    let (success, _, err) = referee(&[&base[..], &["--tc", "0:02.5+0.01"]].concat());
    assert!(success, "{err}");
    let header = lines(&log)[0].clone();
    let engines = header["engines"].as_array().expect("engines");
    assert_eq!(engines.len(), 2);
    for engine in engines {
        let clock = &engine["limit"]["clock"];
        assert_eq!((&clock["time_ms"], &clock["increment_ms"]), (&2500.into(), &10.into()));
        assert_eq!(clock.get("moves"), None, "{engine}");
    }
    assert_eq!(engines[1]["limit"]["margin_ms"], 200, "what no flag replaces stays");
    // The same tournament with other clocks is another one.
    let before = std::fs::read(&log).expect("the log");
    let (success, _, err) = referee(&[&base[..], &["--tc", "2"]].concat());
    assert!(!success && err.contains("(--tc)") && err.contains(&path), "{err}");
    assert_eq!(std::fs::read(&log).expect("the log"), before);
}

#[test]
fn a_flag_that_contradicts_the_log_is_refused_by_name() {
    let m = Match::between("honest", "honest", 2);
    m.games();
    let log = m.log().display().to_string();
    for (flag, value) in [
        ("--seed", "2"),
        ("--games", "4"),
        ("--movetime", "200"),
        ("--margin", "401"),
        ("--max-plies", "9"),
        ("--resign", "100,2"),
        ("--draw", "10,2,3"),
        ("--random-plies", "1"),
    ] {
        let other = Match::between("honest", "honest", 2).with(flag, value).with("--log", &log);
        let played = other.play();
        assert!(!played.success && played.stderr.contains(flag), "{flag}: {played:?}");
    }
}

#[test]
fn a_match_has_no_more_random_openings_than_it_uses() {
    let nogo = program("nogo").display().to_string();
    let engine = |name: &str| format!("name={name},cmd={nogo},option.Algorithm=random");
    let play = |games: &str, count: u64| {
        let m = Match::of([engine("a"), engine("b")], 2).with("--game", "nogo");
        let m = m.with("--random-plies", "1").with("--games", games).with("--max-plies", "2");
        let played = m.games();
        assert_eq!(lines(&m.log())[0]["openings"]["count"], count);
        played
    };
    let two = play("2", 1);
    assert_eq!(two[0]["opening"], two[1]["opening"]);
    assert_eq!(play("3", 2)[..2], two, "more openings begin with the same ones");
}

#[test]
fn games_and_the_match_are_dated() {
    let m = Match::between("honest", "honest", 2);
    assert!(m.play().success);
    let all = lines(&m.log());
    let date = |value: &Value| value.as_str().expect("a date").to_string();
    let started = date(&all[0]["origin"]["started"]);
    assert!(started.ends_with('Z') && started.contains('T'), "{started}");
    let played: Vec<&Value> = all.iter().filter(|line| line["game"].is_u64()).collect();
    for game in &played {
        // Dates of one form compare as text does.
        assert!(started <= date(&game["start"]) && date(&game["start"]) <= date(&game["end"]));
    }
    assert_eq!(games(&m.log()).len(), 2);
}
