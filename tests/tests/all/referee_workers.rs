//! Shards from several machines: a log says who played each game, and a machine whose results differ is named.
#![cfg(unix)]

use crate::support::logs::{edited, verify_file};
use crate::support::matches::{LOST_BY_FAULTS, Match, games, lines, referee};
use crate::support::program;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Games of the match, and its shards.
const GAMES: u32 = 60;
const SHARDS: usize = 3;

/// A match of which one engine is much too slow on some machine, with the same program and command as on the others.
struct Cluster {
    folder: TempDir,
    engine: String,
}

impl Cluster {
    fn new() -> Cluster {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let script = folder.path().join("engine.sh");
        let slow = folder.path().join("slow").display().to_string();
        let rogue = program("rogue").display().to_string();
        let text =
            format!("[ -e {slow} ] && exec {rogue} slow --delay 800 --at 1\nexec {rogue} honest\n");
        fs::write(&script, text).expect("the script");
        let engine = format!("name=b,cmd=bash {},option.Seed=7", script.display());
        Cluster { folder, engine }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The match, with a log of this name.
    fn command(&self, log: &str) -> Match {
        let honest = format!("name=a,cmd={} honest", program("rogue").display());
        Match::of([honest, self.engine.clone()], GAMES)
            .with("--random-plies", "2")
            .with("--concurrency", "6")
            .with("--log", &self.path(log).display().to_string())
    }

    /// Plays a shard on a machine of this name, or of the host's; a slow one loses its games on time.
    fn play(&self, shard: usize, worker: Option<&str>, is_slow: bool) -> String {
        let slow = self.path("slow");
        if is_slow {
            fs::write(&slow, "").expect("a file");
        }
        let log = format!("{shard}.jsonl");
        let m = self.command(&log).with("--shard", &format!("{shard}/{SHARDS}"));
        let played = worker.iter().fold(m, |m, name| m.with("--worker", name)).play();
        assert!(played.success, "{played:?}");
        let _ = fs::remove_file(slow);
        self.path(&log).display().to_string()
    }

    fn merge(&self, logs: &[String], out: &str, more: &[&str]) -> (Option<i32>, String, String) {
        let out = self.path(out).display().to_string();
        let mut words = vec!["merge", "--out", &out];
        words.extend(more);
        words.extend(logs.iter().map(String::as_str));
        referee(&words)
    }
}

fn workers(log: &Path) -> Vec<String> {
    let games = lines(log).into_iter().filter(|line| line["game"].is_u64());
    games.map(|game| game["worker"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn a_machine_that_loses_on_time_is_named_and_its_games_are_played_again() {
    let cluster = Cluster::new();
    let good = [cluster.play(1, Some("attic"), false), cluster.play(3, Some("barn"), false)];
    let bad = cluster.play(2, Some("cellar"), true);
    let logs = [good[0].clone(), bad.clone(), good[1].clone()];
    let (code, out, err) = cluster.merge(&logs, "all.jsonl", &[]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("worker cellar differs from the others (p = 0.0"), "{out}");
    assert!(!out.contains("worker attic") && !out.contains("worker barn"), "{out}");
    let row = out.lines().find(|line| line.starts_with("cellar")).expect("its row");
    let cells: Vec<&str> = row.split_whitespace().take(4).collect();
    assert_eq!(cells, ["cellar", "20", "20", "10"], "games, faults, pairs: {row}");
    // The merged log keeps who played what, and all readers say the same.
    let all = cluster.path("all.jsonl");
    let path = all.display().to_string();
    let named = workers(&all);
    assert_eq!(named.iter().filter(|name| *name == "cellar").count(), 20, "{named:?}");
    let stats = referee(&["stats", &path]).1;
    assert!(stats.contains("worker cellar differs from the others"), "{stats}");
    let parts: Vec<&str> = ["stats"].into_iter().chain(logs.iter().map(String::as_str)).collect();
    assert!(referee(&parts).1.contains("worker cellar differs from the others"));
    let json = referee(&["stats", "--json", &path]).1;
    let json: Value = serde_json::from_str(json.trim()).expect("JSON");
    let differs = |i: usize| json["workers"]["workers"][i]["differs"].as_bool();
    assert_eq!([0, 1, 2].map(differs), [false, false, true].map(Some), "{json}");
    let report = referee(&["report", &path, "--text"]).1;
    assert!(report.contains("worker cellar differs from the others"), "{report}");
    let page = cluster.path("all.html");
    assert_eq!(referee(&["report", &path, "--out", &page.display().to_string()]).0, Some(0));
    let page = fs::read_to_string(page).expect("the page");
    assert!(page.contains("worker cellar differs from the others"), "the page says it");
    // Without it: its games are missing, the log says so, and the same command plays them.
    let error = cluster.merge(&logs, "rest.jsonl", &["--without", "stable"]).2;
    assert!(error.contains("--without stable") && error.contains("attic, barn, cellar"), "{error}");
    assert!(!cluster.path("rest.jsonl").exists());
    let (code, out, err) = cluster.merge(&logs, "rest.jsonl", &["--without", "cellar"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("no worker differs from the others"), "{out}");
    assert!(!out.contains("cellar"), "{out}");
    let rest = cluster.path("rest.jsonl");
    assert_eq!(games(&rest).len(), 40);
    let (_, said) = verify_file(&rest, &["--partial"]);
    assert!(said.contains("of 20 games without 20 of them"), "{said}");
    let played = cluster.command("rest.jsonl").with("--worker", "barn").play();
    assert_eq!(played.code, Some(0), "{played:?}");
    assert_eq!(games(&rest).len(), GAMES as usize);
    assert!(verify_file(&rest, &[]).0);
}

#[test]
fn equal_machines_are_not_named_and_the_chain_keeps_their_names() {
    let cluster = Cluster::new();
    let names = ["attic", "barn", "stable"];
    let logs = [1, 2, 3].map(|shard| cluster.play(shard, Some(names[shard - 1]), false));
    let (code, out, err) = cluster.merge(&logs, "all.jsonl", &[]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("no worker differs from the others"), "{out}");
    assert!(!out.contains("--without"), "nothing to do: {out}");
    // Somebody gives a game to another machine.
    let all = cluster.path("all.jsonl");
    let text = fs::read_to_string(&all).expect("the log");
    let forged = cluster.path("forged.jsonl");
    let swap = |lines: &mut Vec<Value>| {
        let game = lines.iter_mut().find(|line| line["worker"] == "barn").expect("a game");
        game["worker"] = "attic".into();
    };
    fs::write(&forged, edited(&text, false, swap)).expect("a log");
    let path = forged.display().to_string();
    for reader in [&["stats", &path][..], &["report", "--text", &path]] {
        let (code, _, err) = referee(reader);
        assert_eq!(code, Some(1), "{reader:?}");
        assert!(err.contains("was changed"), "{err}");
    }
    assert!(!verify_file(&forged, &[]).0);
    // With a new chain the last hash is another one.
    let head = out.lines().find_map(|l| l.strip_prefix("hash of its last line: ")).expect("a hash");
    assert!(verify_file(&all, &["--head", head]).0);
    fs::write(&forged, edited(&text, true, swap)).expect("a log");
    assert!(!verify_file(&forged, &["--head", head]).0);
}

#[test]
fn logs_that_do_not_name_machines_are_told_so_and_those_of_shards_name_the_host() {
    let cluster = Cluster::new();
    let logs = [1, 2, 3].map(|shard| cluster.play(shard, None, false));
    let host = workers(Path::new(&logs[0]));
    assert!(host.iter().all(|name| *name == host[0] && !name.is_empty()), "{host:?}");
    let out = cluster.merge(&logs, "all.jsonl", &[]).1;
    assert!(
        out.contains(&format!("all games that name a worker were played by {}", host[0])),
        "{out}"
    );
    for log in &logs {
        let text = fs::read_to_string(log).expect("the log");
        let unnamed = |lines: &mut Vec<Value>| {
            for line in lines {
                line.as_object_mut().expect("an object").remove("worker");
            }
        };
        fs::write(log, edited(&text, true, unnamed)).expect("the log");
    }
    let (code, out, err) = cluster.merge(&logs, "old.jsonl", &[]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("the log does not say which machine played which game"), "{out}");
    let error = cluster.merge(&logs, "none.jsonl", &["--without", &host[0]]).2;
    assert!(error.contains("--without: the log does not say which machine"), "{error}");
    // A match of one machine names none.
    let alone = Match::between("honest", "honest", 2);
    assert!(alone.play().success);
    assert!(workers(&alone.log()).iter().all(String::is_empty));
    for name in ["", " ", "a\u{1b}[2J", &"x".repeat(256)] {
        let played = Match::between("honest", "honest", 2).with("--worker", name).play();
        assert_eq!(played.code, Some(2), "{played:?}");
        assert!(played.stderr.contains("--worker"), "{played:?}");
    }
    assert_ne!(Match::between("honest", "honest", 2).play().code, Some(LOST_BY_FAULTS));
}
