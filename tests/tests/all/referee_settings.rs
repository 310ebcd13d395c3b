//! Settings mean what they say: flags against a file, against a log, and against what is played.

use crate::support::matches::{MATCH, Match, games, lines};
use crate::support::{Process, program, run, texts};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

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
    // Fractions of a second have as many digits as they need: without the Z they compare as text.
    let date = |value: &Value| {
        let date = value.as_str().and_then(|date| date.strip_suffix('Z')).expect("a date");
        assert!(date.contains('T'), "{date}");
        date.to_string()
    };
    let started = date(&all[0]["origin"]["started"]);
    let played: Vec<&Value> = all.iter().filter(|line| line["game"].is_u64()).collect();
    for game in &played {
        let [start, end] = ["start", "end"].map(|field| date(&game[field]));
        assert!(started <= start && start <= end, "{started} {start} {end}");
    }
    assert_eq!(games(&m.log()).len(), 2);
}

/// The order of a game's fields in a PGN file, and whether each game is there once.
fn rounds(pgn: &str) -> Vec<u64> {
    let tags = pgn.lines().filter_map(|l| l.strip_prefix("[Round \"")?.strip_suffix("\"]"));
    let games = tags.filter_map(|round| round.split_once('.')?.1.parse().ok());
    let mut games: Vec<u64> = games.collect();
    games.sort_unstable();
    games
}

#[test]
fn a_pgn_file_is_written_while_games_end_and_survives_a_kill() {
    let slow = "slow --at 1 --delay 4";
    let m = Match::between(slow, slow, 8);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pgn = folder.path().join("games.pgn");
    let m = m.with("--pgnout", &pgn.display().to_string()).with("--max-plies", "30");
    let mut killed = Process::start("referee", &m.arguments);
    let from = Instant::now();
    let text = || std::fs::read_to_string(&pgn).unwrap_or_default();
    while rounds(&text()).len() < 2 {
        assert!(from.elapsed() < MATCH, "no games are written");
        sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-KILL", &killed.id().to_string()]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    killed.end();
    let so_far = rounds(&text()).len();
    assert!((2..8).contains(&so_far), "{so_far} games");
    m.games();
    let whole = text();
    assert_eq!(rounds(&whole), (1..=8).collect::<Vec<_>>());
    // It is what `export` writes.
    let log = m.log().display().to_string();
    let (success, exported, err) = referee(&["export", &log, "--format", "pgn"]);
    assert!(success, "{err}");
    let sorted = |text: &str| {
        let mut games: Vec<String> = text.split("[Event ").map(String::from).collect();
        games.sort_unstable();
        games
    };
    assert_eq!(sorted(&whole), sorted(&exported));
    for tag in ["[Termination \"adjudication\"]", "[TimeControl \"0.1/move\"]", "[Date \"20"] {
        assert_eq!(whole.matches(tag).count(), 8, "{whole}");
    }
    assert!(whole.contains("s}"), "every move has its time: {whole}");
    // Playing the finished match again adds nothing.
    assert!(m.play().success);
    assert_eq!(text(), whole);
}

#[test]
fn the_dialogue_with_every_engine_is_logged_with_game_numbers() {
    let m = Match::between("honest", "crash --at 5", 4);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = format!("{}/dialogue/", folder.path().display());
    let m = m.with("--engine-log", &path).with("--max-plies", "12");
    assert_eq!(m.games().len(), 4);
    let log = |name: &str| std::fs::read_to_string(format!("{path}{name}.log")).expect("the log");
    let honest = log("a");
    for game in 1..=4 {
        let of_game = |direction: &str, text: &str| {
            let middle = format!(" game {game} a#1 {direction} {text}");
            honest.lines().filter(|line| line.contains(&middle)).count()
        };
        assert_eq!(of_game(">", "uginewgame"), 1, "{honest}");
        assert!(of_game(">", "go ") >= 2 && of_game("<", "bestmove ") >= 2, "{honest}");
    }
    assert!(honest.lines().all(|line| line.starts_with("20") && line.contains("Z game ")));
    assert!(honest.contains(" game - a#1 > ugi\n"), "{honest}");
    let crashing = log("b");
    let processes: std::collections::BTreeSet<&str> =
        crashing.lines().filter_map(|line| line.split(' ').nth(3)).collect();
    assert!(processes.len() >= 4, "a process after every crash: {processes:?}");
    // A bounded file keeps the end.
    let file = folder.path().join("all").display().to_string();
    let m = Match::between("honest", "honest", 2).with("--engine-log", &file);
    assert_eq!(m.with("--max-plies", "12").games().len(), 2);
    let text = std::fs::read_to_string(&file).expect("the log");
    assert!(text.contains(" a#") && text.contains(" b#"), "{text}");
}

#[test]
fn interim_results_come_at_their_interval_into_a_pipe() {
    let play = |flag: &str| {
        let m = Match::between("honest", "honest", 6).with("--max-plies", "4");
        let m = m.with("--interval", "2");
        let mut arguments = m.arguments.clone();
        arguments.retain(|a| a != "--quiet");
        arguments.push(flag.into());
        let (out, _) = texts(&run("referee", &arguments, MATCH));
        out
    };
    let out = play("--quiet");
    for games in [2, 4, 6] {
        // The verdict stands above the last table.
        let verdict = if games == 6 { "no difference between a and b is shown\n" } else { "" };
        let head = format!("after {games} of 6 games:\n{verdict}Elo +0.0 ");
        assert!(out.contains(&head), "{out}");
    }
    assert_eq!(out.matches(" of 6 games:\n").count(), 3, "{out}");
    let out = play("--json");
    assert_eq!(out.matches("\"event\":\"interim\"").count(), 3, "{out}");
}

#[test]
fn a_pause_between_games_is_kept() {
    let quick = || Match::between("honest", "honest", 4).with("--max-plies", "2");
    let from = Instant::now();
    assert_eq!(quick().with("--wait", "700ms").games().len(), 4);
    assert!(from.elapsed() >= Duration::from_millis(2100), "three pauses");
}

#[test]
fn without_swaps_one_engine_begins_all_games_and_the_result_says_so() {
    let m = Match::between("honest", "honest", 4).with("--max-plies", "2").with("--swap", "no");
    let played = m.play();
    assert!(played.success && played.stdout.contains("sides were not swapped"), "{played:?}");
    assert!(played.stdout.contains("games outside complete pairs: 4"), "{played:?}");
    assert!(games(&m.log()).iter().all(|game| game["players"] == serde_json::json!([0, 1])));
    let file = m.log().display().to_string();
    let words =
        ["tournament", "--game", "amazons", "--form", "swiss", "--swap", "no", "--depth", "1"];
    let rogue = format!("cmd={} honest", program("rogue").display());
    let engines = ["--engine", &rogue, "--engine", &rogue, "--log", &file];
    let (success, _, err) = referee(&[&words[..], &engines[..]].concat());
    assert!(!success && err.contains("a Swiss tournament needs"), "{err}");
}

/// A log of two games between random players.
fn played(folder: &Path, game: &str) -> String {
    let log = folder.join(format!("{game}.jsonl")).display().to_string();
    let cmd = program(game).display().to_string();
    let engine = |seed: u32| {
        format!("name=e{seed},cmd={cmd},option.Algorithm=random,option.Hash=1,option.Seed={seed}")
    };
    let (a, b) = (engine(1), engine(2));
    let words = ["match", "--game", game, "--engine", &a, "--engine", &b, "--quiet", "--log", &log];
    let limits = ["--nodes", "1", "--margin", "9000", "--games", "4", "--seed", "5"];
    let more = ["--max-plies", "24", "--order", "sequential"];
    let (success, _, err) = referee(&[&words[..], &limits[..], &more[..]].concat());
    assert!(success, "{game}: {err}");
    log
}

/// The moves of an opening, as they are in the log of the games that it was taken from.
fn moves_of(opening: &Value) -> Vec<String> {
    let text = opening.as_str().expect("an opening");
    let moves = text.strip_prefix("startpos moves ").unwrap_or("");
    moves.split_whitespace().map(String::from).collect()
}

#[test]
fn every_export_of_a_game_is_read_back_as_openings() {
    for (game, formats) in [
        ("amazons", &["pgn", "sgf"][..]),
        ("connect6", &["pgn", "sgf", "sgf-stones"]),
        ("nogo", &["pgn", "sgf"]),
        ("xiangqi", &["pgn", "wxf"]),
        ("einstein", &["pgn"]),
        ("darkchess", &["pgn"]),
    ] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = played(folder.path(), game);
        let source = games(Path::new(&log));
        for format in formats {
            let file = folder.path().join(format!("openings.{format}")).display().to_string();
            let (success, _, err) = referee(&["export", &log, "--format", format, "--out", &file]);
            assert!(success, "{game} {format}: {err}");
            let format = format.split('-').next().unwrap_or(format);
            let again = folder.path().join(format!("again-{format}.jsonl"));
            let openings = format!("file={file},format={format},plies=3,start=2");
            let cmd = program(game).display().to_string();
            let cmd = format!("cmd={cmd},option.Algorithm=random,option.Hash=1");
            let log = again.display().to_string();
            let _ = std::fs::remove_file(&again);
            let words = ["match", "--game", game, "--engine", &cmd, "--engine", &cmd, "--quiet"];
            let more = ["--log", &log, "--openings", &openings, "--seed", "1", "--games", "2"];
            let limits = ["--nodes", "1", "--margin", "9000", "--max-plies", "1"];
            let (success, _, err) = referee(&[&words[..], &more[..], &limits[..]].concat());
            assert!(success, "{game} {format}: {err}");
            let header = &lines(&again)[0]["openings"];
            assert_eq!((&header["count"], &header["start"]), (&4.into(), &2.into()), "{header}");
            let opening = moves_of(&games(&again)[0]["opening"]);
            let wanted = source[1]["moves"].as_str().expect("moves");
            let wanted: Vec<&str> = wanted.split(' ').take(opening.len()).collect();
            assert!(opening.len() >= 3, "{game} {format}: {opening:?}");
            assert_eq!(opening, wanted, "{game} {format}: the second game of the file");
        }
    }
}

#[test]
fn a_bad_book_is_refused_with_its_line_and_game() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("book.pgn");
    std::fs::write(&file, "1. e5 a1 *\n\n[Event \"two\"]\n\n1. e5 e5 *\n").expect("a file of ours");
    let path = file.display().to_string();
    let nogo = format!("cmd={},option.Algorithm=random", program("nogo").display());
    let refused = |openings: &str| {
        let words =
            ["match", "--game", "nogo", "--engine", &nogo, "--engine", &nogo, "--nodes", "1"];
        let log = folder.path().join("log.jsonl").display().to_string();
        let (success, _, err) =
            referee(&[&words[..], &["--log", &log, "--openings", openings]].concat());
        assert!(!success, "{openings}");
        err
    };
    let err = refused(&path);
    assert!(err.contains("book.pgn, line 5, column 7: game 2: move 2"), "{err}");
    assert!(
        refused(&format!("file={path},plies=1,start=3")).contains("its last position is number 2")
    );
    assert!(refused(&format!("file={path},format=sgf")).contains("line 1"));
    assert!(refused(&format!("file={path},policy=never")).contains("round, encounter, pair"));
}

#[test]
fn every_flag_of_the_page_for_users_of_other_programs_exists() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../referee/README.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let section = page.split("## Coming from ").nth(1).and_then(|rest| rest.split("\n## ").next());
    let section = section.expect("the section");
    let help: String =
        ["match", "sprt", "tournament"].map(|command| referee(&[command, "--help"]).1).concat();
    let mut seen = 0;
    for word in section.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        if word.starts_with("--") && word.len() > 3 && !word.starts_with("---") {
            // `--config` is read before all other flags.
            assert!(help.contains(word) || word == "--config", "{word}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} flags");
}
