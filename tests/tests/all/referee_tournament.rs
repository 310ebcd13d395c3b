//! `referee tournament`: every format is played to its end, resumed, split into shards and merged.

use crate::support::matches::{MATCH, games};
use crate::support::{Process, program, run, texts};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The exit status of a complete tournament: one engine loses its games by faults.
const FAULTS: Option<i32> = Some(5);

const FORMS: [&str; 4] = ["round-robin", "gauntlet", "knockout", "swiss"];

/// Five engines as a config file, with their different fields.
fn config(folder: &Path) -> String {
    let trivial = program("trivial").display().to_string();
    let rogue = program("rogue").display().to_string();
    let text = format!(
        r#"game = "amazons"
random-plies = 2
games = 2
seed = 7
quiet = true
[each]
depth = 1
[[engine]]
name = "one"
cmd = ["{trivial}", "1"]
[[engine]]
name = "two"
cmd = "{trivial} 2"
tc = "60+1"
margin = "1s"
dir = "/"
[[engine]]
name = "three"
cmd = "{trivial} 3"
[engine.env]
NOTHING = "to see"
[[engine]]
name = "four"
cmd = "{rogue} honest"
dialect = "uci"
[engine.option]
Seed = 4
[[engine]]
name = "hopeless"
cmd = "{rogue} illegal"
"#
    );
    let file = folder.join("tournament.toml");
    std::fs::write(&file, text).expect("a file of ours");
    file.display().to_string()
}

fn words(config: &str, form: &str, log: &Path) -> Vec<String> {
    let log = log.display().to_string();
    let words = ["tournament", "--config", config, "--form", form, "--log", &log];
    words.map(String::from).into()
}

fn play(words: &[String]) -> (Option<i32>, String, String) {
    let output = run("referee", words, MATCH);
    let (out, err) = texts(&output);
    (output.status.code(), out, err)
}

fn winner_and_players(games: &[Value]) -> BTreeSet<u64> {
    games
        .iter()
        .flat_map(|g| g["players"].as_array().cloned().unwrap_or_default())
        .filter_map(|p| p.as_u64())
        .collect()
}

#[test]
fn every_form_is_played_to_its_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config(folder.path());
    for (form, count) in FORMS.into_iter().zip([20, 8, 8, 12]) {
        let log = folder.path().join(form);
        let (code, out, err) = play(&words(&config, form, &log));
        assert_eq!(code, FAULTS, "{form}: {out}{err}");
        let games = games(&log);
        // Drawn knockout encounters take tiebreaks.
        assert!(
            games.len() == count || form == "knockout" && games.len() >= count,
            "{form}: {out}"
        );
        assert_eq!(winner_and_players(&games).len(), 5, "{form}");
        assert!(out.lines().any(|l| l.contains("S-B")), "{form} has no crosstable: {out}");
        assert!(out.contains("minimum round-trip latency of isready"), "{out}");
        check_page(form, &log, games.len());
        assert_eq!(out.contains("winner: "), form == "knockout", "{out}");
        assert!(!out.contains("winner: hopeless"));
    }
}

/// The page and the JSON result of a complete tournament.
fn check_page(form: &str, log: &Path, games: usize) {
    let path = log.display().to_string();
    let output = run("referee", &["report", &path], MATCH);
    let (out, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    assert!(out.contains(&format!("all {games} games of the schedule")), "{out}");
    let page = std::fs::read_to_string(log.with_extension("html")).expect("the page");
    assert!(page.contains("Crosstable") && page.contains(">Ratings<"), "{form}");
    let is_knockout = form == "knockout";
    assert_eq!(page.contains("id=\"bracket\"") && page.contains("Winner: "), is_knockout, "{form}");
    assert_eq!(out.contains(" wins\n"), is_knockout, "{out}");
    let names = ["one", "two", "three", "four", "hopeless"];
    assert!(names.iter().all(|name| page.contains(&format!("<td class=\"t\">{name}</td>"))));
}

#[test]
fn json_has_the_crosstable_by_rank_and_the_bracket() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config(folder.path());
    let mut command = words(&config, "knockout", &folder.path().join("log"));
    command.push("--json".into());
    let (code, out, err) = play(&command);
    assert_eq!(code, FAULTS, "{out}{err}");
    let result: Value = serde_json::from_str(out.lines().last().expect("a result")).expect("JSON");
    let cross = result["crosstable"].as_array().expect("a crosstable");
    let points = |i: usize| cross[i]["points"].as_f64().expect("points");
    assert!((0..4).all(|i| points(i) >= points(i + 1) && cross[i]["rank"] == i + 1));
    let total: f64 = (0..5).map(points).sum();
    assert_eq!(total, result["games"].as_f64().expect("a count"), "one point for each game");
    for row in cross {
        let against = row["against"].as_array().expect("opponents");
        let of = |key: &str| against.iter().filter_map(|o| o[key].as_f64()).sum::<f64>();
        assert_eq!(Some(of("points")), row["points"].as_f64());
        assert_eq!(Some(of("wins") + of("draws") + of("losses")), row["games"].as_f64());
    }
    let rounds = result["bracket"].as_array().expect("a bracket");
    assert_eq!(rounds.len(), 3, "five engines need three rounds");
    assert_eq!(rounds[2][0]["winner"], result["winner"]);
    assert!(result["winner"].is_string() && result["winner"] != "hopeless");
    let overhead = &result["overhead"];
    for key in ["referee_us_per_ply", "engines_us_per_ply", "min_isready_us"] {
        assert!(overhead[key].as_f64().is_some_and(|us| us > 0.0), "{key}: {overhead}");
    }
}

#[test]
fn every_form_cut_into_shards_merges_into_the_same_log() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config(folder.path());
    for form in FORMS {
        let whole = folder.path().join(form);
        assert_eq!(play(&words(&config, form, &whole)).0, FAULTS);
        let parts: Vec<_> = (1..=2).map(|k| folder.path().join(format!("{form}-{k}"))).collect();
        // Plays rounds until a merge finds no missing game.
        let merged = folder.path().join(format!("{form}-merged"));
        let out = merged.display().to_string();
        let mut rounds = 0;
        loop {
            for (k, part) in parts.iter().enumerate() {
                let mut w = words(&config, form, part);
                w.extend(["--shard".into(), format!("{}/2", k + 1)]);
                for other in parts.iter().filter(|o| *o != part && o.exists()) {
                    w.extend(["--earlier".into(), other.display().to_string()]);
                }
                let (code, out, err) = play(&w);
                assert!(code == Some(0) || code == FAULTS, "{form}: {out}{err}");
            }
            rounds += 1;
            let logs: Vec<String> = parts.iter().map(|p| p.display().to_string()).collect();
            let merge = ["merge", "--out", &out, &logs[0], &logs[1]];
            if run("referee", &merge, MATCH).status.success() {
                break;
            }
            assert!(rounds < 12, "{form} never ends");
        }
        assert_eq!(games(&merged), games(&whole), "{form} after {rounds} rounds");
    }
}

#[test]
fn every_form_resumes_after_the_referee_was_killed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = config(folder.path());
    for form in FORMS {
        let whole = folder.path().join(form);
        assert_eq!(play(&words(&config, form, &whole)).0, FAULTS);
        let torn = folder.path().join(format!("{form}-torn"));
        let w = words(&config, form, &torn);
        for count in [1, 3, 6] {
            let mut referee = Process::start("referee", &w);
            let from = Instant::now();
            while !torn.exists() || games(&torn).len() < count {
                assert!(from.elapsed() < Duration::from_secs(60), "no games are written");
                sleep(Duration::from_millis(1));
            }
            referee.kill();
        }
        assert_eq!(play(&w).0, FAULTS);
        assert_eq!(games(&torn), games(&whole), "{form}");
    }
}

#[test]
fn mistakes_in_the_file_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("bad.toml");
    let path = file.display().to_string();
    for (text, said) in [
        ("game = \"amazons\"\nform = \"carousel\"\n", "carousel"),
        ("game = \"amazons\"\ngmaes = 4\n", "gmaes"),
        ("game = [\n", "bad.toml"),
        ("game = \"amazons\"\n[[engine]]\nnmae = \"x\"\ncmd = \"y\"\n", "nmae"),
    ] {
        std::fs::write(&file, text).expect("a file of ours");
        let output = run("referee", &["tournament", "--config", &path], MATCH);
        assert!(!output.status.success());
        assert!(texts(&output).1.contains(said), "{}", texts(&output).1);
    }
}
