//! One reader judges logs: what a match writes is read by every command, and a line that contradicts itself by none.

use crate::support::logs::edited;
use crate::support::matches::{Match, lines, referee};
use crate::support::program;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// All commands that read an Amazons log, the log being `LOG` and a file to write `OUT`; all but `verify` need no rules.
const READERS: [&[&str]; 13] = [
    &["verify", "--partial", "LOG"],
    &["report", "LOG", "--out", "OUT"],
    &["report", "--text", "LOG"],
    &["stats", "LOG"],
    &["stats", "--json", "LOG"],
    &["ratings", "LOG", "--no-advantage", "--prior", "1"],
    &["ratings", "LOG", "--no-advantage", "--prior", "1", "--json"],
    &["replay", "LOG"],
    &["replay", "LOG", "--game", "1"],
    &["export", "LOG", "--format", "csv"],
    &["export", "LOG", "--format", "pgn"],
    &["export", "LOG", "--format", "sgf"],
    &["export", "LOG", "--format", "ccgc"],
];

/// Runs a command on a log.
fn read_by(reader: &[&str], log: &Path) -> (bool, String) {
    let (path, out) = (log.display().to_string(), log.with_extension("out").display().to_string());
    let words: Vec<&str> = reader
        .iter()
        .map(|word| match *word {
            "LOG" => path.as_str(),
            "OUT" => out.as_str(),
            word => word,
        })
        .collect();
    let (code, out, err) = referee(&words);
    (code == Some(0), out + &err)
}

fn all_read(log: &Path, skip: &str) {
    for reader in READERS.into_iter().filter(|reader| !reader.contains(&skip)) {
        let (good, said) = read_by(reader, log);
        assert!(good, "{reader:?}: {said}");
    }
}

fn reasons(log: &Path) -> Vec<String> {
    let games = lines(log).into_iter().filter(|line| line.get("game").is_some());
    games.map(|game| game["reason"].as_str().unwrap_or_default().to_string()).collect()
}

#[test]
fn every_ending_of_a_match_is_read_by_every_command() {
    let rogue = |fault: &str| Match::between("honest", fault, 2);
    let thinker = |name: &str| {
        format!("name={name},cmd={},option.Algorithm=pvs,depth=1", program("amazons").display())
    };
    let thinkers = || Match::of([thinker("a"), thinker("b")], 2);
    for (m, reason) in [
        (rogue("honest"), "rules"),
        (rogue("illegal --at 2"), "illegal_move"),
        (rogue("slow --delay 800 --at 1 --side first"), "time"),
        (rogue("slow --delay 800 --at 1 --side second"), "time"),
        (rogue("slow --delay 800 --at 4 --side second"), "time"),
        (rogue("crash --at 1"), "crash"),
        (rogue("leave --at 2"), "crash"),
        (rogue("hang --at 2"), "hang"),
        (rogue("endless-line --at 2"), "flood"),
        (rogue("early-bestmove"), "protocol"),
        (thinkers().with("--resign", "200,2"), "resignation"),
        (thinkers().with("--draw", "100000,3,20"), "agreement"),
        (thinkers().with("--max-plies", "9"), "length"),
    ] {
        let played = m.play();
        assert!(played.success, "{reason}: {played:?}");
        assert!(reasons(&m.log()).iter().any(|r| r == reason), "{reason}: {:?}", reasons(&m.log()));
        all_read(&m.log(), "");
    }
}

#[test]
fn a_log_with_late_moves_that_was_continued_or_merged_is_read_by_every_command() {
    let late = |games: &str| {
        Match::between("honest", "slow --delay 800 --at 2 --side first", 2).with("--games", games)
    };
    let m = late("2");
    assert!(m.play().success);
    let played = late("4").with("--log", &m.log().display().to_string()).play();
    assert!(played.success, "{played:?}");
    assert_eq!(reasons(&m.log()).iter().filter(|r| *r == "time").count(), 2);
    all_read(&m.log(), "");

    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut words = vec!["merge".to_string()];
    for part in ["1/2", "2/2"] {
        let log = folder.path().join(&part[..1]);
        let path = log.display().to_string();
        let played = late("4").with("--shard", part).with("--log", &path).play();
        assert!(played.success, "{played:?}");
        // A part may lack the first game.
        all_read(&log, "--game");
        words.push(path);
    }
    let merged = folder.path().join("merged");
    words.extend(["--out".into(), merged.display().to_string()]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (code, out, err) = referee(&words);
    assert_eq!(code, Some(0), "{out}{err}");
    all_read(&merged, "");
}

/// The first plies of a game, with another reason for its end.
fn cut(game: &Value, number: usize, plies: usize, reason: &str) -> Value {
    let mut game = game.clone();
    let words = |text: &Value| text.as_str().unwrap_or_default().to_string();
    let moves = words(&game["moves"]);
    game["moves"] = moves.split(' ').take(plies).collect::<Vec<_>>().join(" ").into();
    game["by"] = words(&game["by"])[..plies].into();
    let late = usize::from(reason == "time");
    for column in ["us", "depth", "nodes", "score"] {
        let values = game["stats"][column].as_array().cloned().unwrap_or_default();
        game["stats"][column] = values[..plies + late].into();
    }
    let draw = matches!(reason, "agreement" | "length");
    // The player to move loses.
    game["result"] = if draw { "draw" } else { ["second", "first"][plies % 2] }.into();
    game["reason"] = reason.into();
    (game["game"], game["pair"]) = (number.into(), (number / 2).into());
    game["players"] = if number.is_multiple_of(2) { json!([0, 1]) } else { json!([1, 0]) };
    let fields = game.as_object_mut().expect("an object");
    fields.remove("ending");
    game
}

#[test]
fn each_reason_after_each_ply_is_read_by_every_command() {
    let m = Match::between("honest", "honest", 2);
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    let made = edited(&text, true, |lines| {
        let game = lines[1].clone();
        let mut all = Vec::new();
        for reason in [
            "rules",
            "illegal_move",
            "time",
            "crash",
            "hang",
            "flood",
            "protocol",
            "resignation",
            "agreement",
            "length",
            "territory",
            "table",
        ] {
            for plies in 0..9 {
                all.push(cut(&game, all.len(), plies, reason));
            }
        }
        lines[0]["schedule"]["pairings"][0]["games"] = json!([all.len() / 2, all.len() / 2]);
        lines.truncate(1);
        lines.extend(all);
    });
    fs::write(m.log(), made).expect("the log is ours");
    all_read(&m.log(), "verify");
    let (good, said) = read_by(&["export", "LOG", "--format", "csv", "--out", "OUT"], &m.log());
    assert!(good, "{said}");
    let csv = fs::read_to_string(m.log().with_extension("out")).expect("the games");
    assert_eq!(csv.lines().count(), 1 + 12 * 9);
}

#[test]
fn a_line_that_contradicts_itself_is_refused_by_every_command() {
    let m = Match::between("honest", "slow --delay 800 --at 3 --side first", 2);
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    let late = text.lines().position(|line| line.contains("\"reason\":\"time\""));
    let at = late.expect("a late move");
    type Edit = fn(&mut Value);
    let cases: [(&str, Edit); 20] = [
        ("end is ", |g| g["end"] = "2001-01-01T00:00:00Z".into()),
        ("stats.us sums up to", |g| g["stats"]["us"][0] = 10_u64.pow(12).into()),
        ("stats.us has 1 entries", |g| g["stats"]["us"] = json!([5])),
        ("stats.depth has 1 entries", |g| g["stats"]["depth"] = json!([5])),
        ("stats.nodes has 0 entries", |g| g["stats"]["nodes"] = json!([])),
        ("stats.score has 1 entries", |g| g["stats"]["score"] = json!([5])),
        ("stats.leaves has 1 entries", |g| g["stats"]["leaves"] = json!([5])),
        ("stats.stall_ms has 1 entries", |g| g["stats"]["stall_ms"] = json!([5])),
        ("stats.stall_ms sums up to 950400.000 s", |g| {
            let n = g["stats"]["us"].as_array().map_or(0, Vec::len);
            let mut stalls = vec![json!(0); n];
            stalls[0] = 950_400_000_u64.into();
            g["stats"]["stall_ms"] = stalls.into();
        }),
        ("unknown field `verdict`", |g| g["verdict"] = "fine".into()),
        ("unknown field `heat`", |g| g["stats"]["heat"] = json!([])),
        ("stats.us[0]: invalid value: integer `-5`", |g| g["stats"]["us"][0] = (-5).into()),
        ("start: ", |g| g["start"] = "yesterday".into()),
        ("result is draw", |g| g["result"] = "draw".into()),
        ("only the rules have an ending", |g| g["ending"] = "no_move".into()),
        ("but `by` has", |g| g["by"] = "12".into()),
        ("`by` holds `x`", |g| g["by"] = g["by"].as_str().unwrap_or("").replace('1', "x").into()),
        ("expected two of the 2 engines", |g| g["players"] = json!([0, 7])),
        ("expected a number from 1 to 2", |g| g["game"] = 77.into()),
        ("reason: unknown variant `boredom`", |g| g["reason"] = "boredom".into()),
    ];
    for (reason, edit) in cases {
        for mend in [true, false] {
            let made = edited(&text, mend, |lines| edit(&mut lines[at]));
            fs::write(m.log(), made).expect("the log is ours");
            for reader in READERS {
                let (good, said) = read_by(reader, &m.log());
                let line = at + 1;
                let verify = reader[0] == "verify";
                let place = if verify { format!(":{line}: ") } else { format!(", line {line}: ") };
                let named = said.lines().any(|l| l.contains(&place) && l.contains(reason));
                assert!(!good && named, "{reader:?} {mend} {reason}: {said}");
            }
        }
    }
    fs::write(m.log(), edited(&text, true, |lines| lines[0]["mood"] = "good".into()))
        .expect("a log");
    for reader in READERS {
        let (good, said) = read_by(reader, &m.log());
        assert!(!good && said.contains("unknown field `mood`"), "{reader:?}: {said}");
    }
}

/// A crash of the system may leave zeros at the end of a file, but not of one whose last line was written.
#[test]
fn bytes_after_the_end_of_a_log_are_a_defect() {
    let m = Match::between("honest", "honest", 2);
    assert!(m.play().success);
    let bytes = fs::read(m.log()).expect("the log");
    for (rest, told) in [(&b""[..], None), (&[0; 4096], Some("4096 bytes")), (b"{", Some("1 byte"))]
    {
        let good = told.is_none();
        fs::write(m.log(), [&bytes[..], rest].concat()).expect("the log");
        let (sound, said) = read_by(&["verify", "LOG"], &m.log());
        assert_eq!(sound, good, "{said}");
        let told = told
            .map_or("after the end".into(), |told| format!(": {told} after the end of the log"));
        assert_eq!(said.contains(&told), !good, "{said}");
        // The games are whole.
        assert!(read_by(&["stats", "LOG"], &m.log()).0);
    }
    // Of a match that is not finished they are a line that was torn.
    let text = String::from_utf8(bytes).expect("a text");
    let torn = text.lines().take(text.lines().count() - 1).collect::<Vec<_>>().join("\n");
    fs::write(m.log(), torn + "\n{\"prev\"").expect("the log");
    let (sound, said) = read_by(&["verify", "--partial", "LOG"], &m.log());
    assert!(sound, "{said}");
}

/// The result of the game in a line is that of the other side.
fn flip(line: &mut Value) {
    let other = if line["result"] == "first" { "second" } else { "first" };
    line["result"] = other.into();
}

/// A log of four games that end by the rules.
fn sound_log() -> (Match, String) {
    let m = Match::between("honest", "honest", 4);
    assert!(m.play().success);
    let text = fs::read_to_string(m.log()).expect("the log");
    assert_eq!(text.lines().count(), 6);
    (m, text)
}

#[test]
fn what_the_chain_or_the_lines_before_contradict_is_refused_by_every_command() {
    let (m, text) = sound_log();
    type Edit = fn(&mut Vec<Value>);
    let cases: [(bool, &str, Edit); 7] = [
        (false, "line 2 was changed", |l| flip(&mut l[1])),
        (false, "line 3 was changed", |l| flip(&mut l[2])),
        (false, "line 5 was changed", |l| flip(&mut l[4])),
        (false, "lines between them were removed", |l| drop(l.remove(2))),
        (false, "lines between them were removed", |l| l.swap(2, 3)),
        (true, "game 2 ", |l| l.insert(3, l[2].clone())),
        (true, "end.games is 4: the log has 3 games", |l| drop(l.remove(4))),
    ];
    for (mend, reason, edit) in cases {
        fs::write(m.log(), edited(&text, mend, edit)).expect("the log is ours");
        for reader in READERS {
            let (good, said) = read_by(reader, &m.log());
            assert!(!good && said.contains(reason), "{reader:?} {reason}: {said}");
        }
        let out = m.log().with_extension("out");
        assert!(!out.exists(), "{reason}: a page was written");
    }
}

#[test]
fn what_only_the_moves_contradict_is_said_not_to_be_checked() {
    const OPEN: &str = "not checked: results, moves and chance";
    const NO_END: &str = "there is no end line";
    let (m, text) = sound_log();
    let flipped = edited(&text, true, |l| flip(&mut l[2]));
    let whole = &text[..text.trim_end().rfind('\n').expect("lines") + 1];
    let torn = &text[..text.len() - 20];
    let head = |text: &str| {
        let complete = &text[..text.rfind('\n').expect("a line")];
        let last = complete.rsplit('\n').next().expect("a line");
        Sha256::digest(last)[..16].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    for (made, sound, ended) in [
        (text.as_str(), true, true),
        (&flipped, false, true),
        (whole, false, false),
        (torn, false, false),
    ] {
        fs::write(m.log(), made).expect("the log is ours");
        let (good, said) = read_by(&["verify", "LOG"], &m.log());
        assert_eq!(good, sound, "{said}");
        for reader in READERS.into_iter().filter(|reader| reader[0] != "verify") {
            let (good, said) = read_by(reader, &m.log());
            assert!(good && said.contains(OPEN), "{reader:?}: {said}");
            assert_eq!(said.contains(NO_END), !ended, "{reader:?}: {said}");
            assert!(said.contains(&head(made)), "{reader:?}: no {}: {said}", head(made));
            // People read it before the results; an export has it beside the games.
            let first = said.lines().position(|line| line.contains(OPEN));
            let exported = reader[0] == "export" || reader.contains(&"--json");
            assert!(exported || first.is_some_and(|line| line < 3), "{reader:?}: {said}");
        }
    }
    let page = fs::read_to_string(m.log().with_extension("out")).expect("the page");
    assert!(page.contains(OPEN) && page.contains(NO_END));
}
