//! Every kind of misbehaviour ends its game with a recorded reason, and the match continues.

use crate::support::Process;
use crate::support::matches::Match;
use serde_json::Value;
use std::time::{Duration, Instant};
#[cfg(target_os = "linux")]
use std::{path::Path, thread::sleep};

/// Four games in which `b` misbehaves when it moves first, in games 1 and 3; these must end with
/// this reason. The other games end by the rules.
fn ends_by(fault: &str, reason: &str, detail: &str) {
    let games = Match::between("honest", &format!("{fault} --side first"), 4).games();
    assert_eq!(games.len(), 4);
    for (i, game) in games.iter().enumerate() {
        if i % 2 == 0 {
            assert_eq!(game["reason"], "rules", "{fault}: {game}");
            continue;
        }
        assert_eq!(game["players"], serde_json::json!([1, 0]));
        assert_eq!(game["reason"], reason, "{fault}: {game}");
        assert_eq!(game["result"], "second", "{fault}: {game}");
        let said = game["detail"].as_str().unwrap_or_default();
        assert!(
            said.starts_with("b ") || said.starts_with("illegal move by b: "),
            "{fault}: {said}"
        );
        assert!(said.contains(detail), "{fault}: {said}");
        let last = game["stdout"].as_str().unwrap_or_default();
        assert!(!last.is_empty(), "{fault}: what it said last is not in the log: {game}");
        let plies = game["moves"].as_str().unwrap_or_default().split(' ').count();
        assert_eq!(plies, 4, "{fault}: the third move of `b` is the fifth of the game");
    }
}

/// Four games that all end by the rules, whatever `b` does.
fn is_survived(fault: &str) -> Vec<Value> {
    let games = Match::between("honest", fault, 4).games();
    assert_eq!(games.len(), 4);
    for game in &games {
        assert_eq!(game["reason"], "rules", "{fault}: {game}");
    }
    games
}

#[test]
fn a_crash_loses_the_game_and_its_last_words_are_kept() {
    ends_by("crash", "crash", "");
    let games = Match::between("honest", "crash", 2).games();
    let stderr = games[0]["stderr"].as_str().unwrap_or_default();
    assert!(stderr.contains("crashing on purpose"), "{}", games[0]);
}

#[test]
fn a_fault_is_told_with_the_engine_the_game_and_the_last_lines_of_both_outputs() {
    for (fault, last) in [
        ("crash", "on standard error:\n  rogue: crashing on purpose"),
        ("crash-after-output", "  info depth 1 score cp 0\n  bestmove d1"),
        ("hang-after-output", "  info depth 1 score cp 0"),
        ("no-newline", "\n  bestmove "),
        ("illegal", "\n  bestmove a1a1,a1a1"),
    ] {
        let mut m = Match::between("honest", &format!("{fault} --side first"), 2);
        m.arguments.retain(|a| a != "--quiet");
        let told = m.play().stderr;
        assert!(told.contains("amazons, game 2: "), "{fault}: {told}");
        assert!(told.contains(": b ") || told.contains("illegal move by b: "), "{fault}: {told}");
        assert!(told.contains("last lines on standard output:"), "{fault}: {told}");
        assert!(told.contains(last), "{fault}: {told}");
    }
}

#[test]
fn leaving_in_good_order_is_a_crash_too() {
    ends_by("leave", "crash", "exit status 0");
}

#[test]
fn a_crash_in_the_middle_of_an_answer_is_one() {
    ends_by("crash-after-output", "crash", "killed by signal");
    ends_by("no-newline-at-end", "crash", "exit status 0");
}

#[test]
fn a_crash_is_noticed_though_a_child_keeps_the_pipe() {
    crate::support::program("rogue");
    let from = Instant::now();
    ends_by("crash-with-child", "crash", "killed by signal");
    assert!(from.elapsed() < Duration::from_secs(30), "the pipe's end was waited for");
}

/// An allocation beyond the memory limit fails, and the log records the limit with the crash.
/// Without a limit it succeeds.
#[test]
#[cfg(target_os = "linux")]
fn a_memory_limit_binds_and_is_named() {
    is_survived("hoard");
    let game = &Match::between("honest", "hoard --side first,memory=256", 2).games()[1];
    assert_eq!(game["reason"], "crash", "{game}");
    let detail = game["detail"].as_str().unwrap_or_default();
    assert!(detail.ends_with("exit status 12 (its memory is limited to 256 MiB)"), "{detail}");
    let tiny = Match::between("honest", "honest,memory=1", 2).play();
    assert!(!tiny.success && tiny.stderr.contains("limited to 1 MiB"), "{tiny:?}");
}

#[test]
fn silence_is_a_hang() {
    ends_by("hang", "hang", "did not answer in time");
}

#[test]
fn reports_without_a_move_are_a_hang() {
    ends_by("hang-after-output", "hang", "did not answer in time");
}

#[test]
fn a_move_without_the_end_of_its_line_is_a_hang() {
    ends_by("no-newline", "hang", "did not answer in time");
}

#[test]
fn endless_lines_of_reports_are_a_flood() {
    ends_by("flood", "flood", "");
}

/// The reader neither keeps all the output nor waits for its end.
#[test]
fn a_hundred_megabytes_of_reports_are_a_flood() {
    ends_by("flood-100mb", "flood", "for one answer");
}

/// The limit of a process does not see its children.
#[cfg(target_os = "linux")]
#[test]
fn a_memory_limit_is_for_the_engine_with_its_children() {
    for (fault, detail) in [
        ("hoard-in-children", "with its children and files it uses too much memory"),
        ("multiply", "it has too many processes"),
    ] {
        let engine = format!("{fault} --side first,memory=256");
        let m = Match::between("honest", &engine, 2).with("--movetime", "20000");
        let game = &m.games()[1];
        assert_eq!(game["reason"], "crash", "{game}");
        let said = game["detail"].as_str().unwrap_or_default();
        assert!(said.contains(detail) && said.contains("limited to 256 MiB"), "{said}");
    }
}

/// While nobody asks it, what it writes is not read, and costs the referee neither memory nor time; once
/// it is asked, the lines for one answer are bounded.
#[cfg(target_os = "linux")]
#[test]
fn a_background_flood_costs_nothing_or_is_a_fault() {
    for fault in ["background-blanks", "background-info"] {
        // The opponent thinks for a second on each move meanwhile.
        let patient = "slow --at 1 --delay 1000";
        let m = Match::between(patient, fault, 2).with("--movetime", "2000");
        let m = m.with("--max-plies", "12");
        let mut with_json = m.arguments.clone();
        with_json.push("--json".into());
        let output = crate::support::run("referee", &with_json, crate::support::matches::MATCH);
        let (out, err) = crate::support::texts(&output);
        let last = out.lines().last().expect("a result");
        let result: Value = serde_json::from_str(last).expect("JSON");
        for game in crate::support::matches::games(&m.log()) {
            // A move may come before too many lines.
            if game["reason"] == "length" {
                continue;
            }
            let loser = if game["players"][0] == 1 { "second" } else { "first" };
            assert_eq!(
                (&game["reason"], &game["result"]),
                (&"flood".into(), &loser.into()),
                "{game}"
            );
            let detail = game["detail"].as_str().unwrap_or_default();
            assert!(detail.starts_with("b ") && detail.contains("for one answer"), "{detail}");
        }
        let bill = &result["overhead"];
        let plies = bill["plies"].as_f64().expect("plies");
        let seconds = bill["referee_us_per_ply"].as_f64().expect("time") * plies / 1e6;
        eprintln!("{fault}: {plies} plies, {seconds:.2} s of processor time, {}", bill["peak_mib"]);
        assert!(seconds < 2.0, "{fault}: {seconds} s of processor time: {err}");
        assert!(bill["peak_mib"].as_f64().expect("memory") < 100.0, "{fault}: {bill}");
    }
}

#[test]
fn an_endless_line_is_a_flood() {
    ends_by("endless-line", "flood", "");
}

#[test]
fn an_illegal_move_is_named() {
    ends_by("illegal", "illegal_move", "a1a1,a1a1");
}

#[test]
fn a_move_that_is_none_is_shown_without_its_control_characters() {
    ends_by("nonsense", "illegal_move", "\\u{1b}[31mcheckmate");
}

#[test]
fn a_move_with_bytes_that_are_no_text_is_shown_without_them() {
    ends_by("garbled", "illegal_move", "d1\\u{0}d7,");
}

#[test]
fn a_move_of_the_other_side_is_illegal() {
    ends_by("wrong-side", "illegal_move", "to move has no amazon on");
}

#[test]
fn claiming_to_have_no_move_loses() {
    ends_by("give-up", "illegal_move", "");
}

#[test]
fn thinking_too_long_loses_on_time() {
    ends_by("slow --delay 800", "time", "");
}

#[test]
fn noise_on_either_stream_is_survived() {
    let honest = is_survived("honest");
    let moves = |games: &[Value]| games.iter().map(|g| g["moves"].clone()).collect::<Vec<_>>();
    for fault in ["garbage", "spam-stderr", "lie"] {
        assert_eq!(moves(&is_survived(fault)), moves(&honest), "{fault}");
    }
}

/// Names, options and variations with control characters, absurd numbers, and thousands of them.
#[test]
fn hostile_texts_are_survived_and_stay_out_of_the_log() {
    for fault in ["hostile-name", "hostile-options", "hostile-variations"] {
        let m = Match::between("honest", fault, 1);
        let games = m.games();
        assert_eq!(games[0]["reason"], "rules", "{fault}: {}", games[0]);
        let log = std::fs::read_to_string(m.log()).expect("the log");
        let hostile = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!log.contains(hostile), "{fault}");
        assert!(log.len() < 100_000, "{fault}: {} bytes", log.len());
    }
}

#[test]
fn an_engine_that_ignores_quit_is_killed() {
    crate::support::program("rogue");
    let from = Instant::now();
    is_survived("ignore-quit");
    assert!(from.elapsed() < Duration::from_secs(30));
}

#[test]
fn an_engine_that_dies_when_it_is_to_quit_spoils_nothing() {
    is_survived("die-at-quit");
}

/// A thousand games, each of which restarts an engine that has just exited.
#[test]
#[ignore = "a long test: 15 s"]
#[cfg(target_os = "linux")]
fn a_thousand_restarts_leak_no_descriptors_and_no_processes() {
    let m = Match::between("honest", "leave --at 1", 1000).with("--max-faults", "0");
    let mut referee = Process::start("referee", &m.arguments);
    let process = Path::new("/proc").join(referee.id().to_string());
    let open = || std::fs::read_dir(process.join("fd")).map_or(0, Iterator::count);
    let (mut most_open, mut most_alive, mut looks) = (0, 0, 0);
    while referee.is_running() {
        most_open = most_open.max(open());
        if looks % 50 == 0 {
            most_alive = most_alive.max(m.survivors().len());
        }
        looks += 1;
        sleep(Duration::from_millis(2));
    }
    let (status, _, errors) = referee.end();
    assert_eq!(status.code(), Some(crate::support::matches::LOST_BY_FAULTS), "{errors}");
    let games = crate::support::matches::games(&m.log());
    let crashes = games.iter().filter(|g| g["reason"] == "crash").count();
    println!(
        "{crashes} restarts: at most {most_open} descriptors and {most_alive} engines at once"
    );
    assert_eq!((games.len(), crashes), (1000, 1000));
    // Two engines with three pipes each, one engine being ended, the log, and the descriptors of
    // every process.
    assert!((1..=24).contains(&most_open), "{most_open} descriptors are open at once");
    assert!(most_alive <= 4, "{most_alive} engines are alive at once");
    assert!(m.survivors().is_empty(), "{:?}", m.survivors());
}

#[test]
#[cfg(target_os = "linux")]
fn children_of_an_engine_do_not_outlive_the_match() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let note = folder.path().join("orphan");
    let wrapped = format!("orphan --note {}", note.display());
    is_survived(&wrapped);
    let orphan = std::fs::read_to_string(&note).expect("the orphan's process id");
    let process = Path::new("/proc").join(orphan.trim());
    let from = Instant::now();
    while is_alive(&process) {
        assert!(from.elapsed() < Duration::from_secs(5), "process {orphan} lives on");
        sleep(Duration::from_millis(10));
    }
}

/// A zombie counts as dead.
#[cfg(target_os = "linux")]
fn is_alive(process: &Path) -> bool {
    let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').map_or("", |(_, rest)| rest.trim_start());
    !stat.is_empty() && !state.starts_with(['Z', 'X'])
}

#[test]
fn an_engine_that_cannot_be_started_ends_the_command_with_its_reason() {
    for engine in ["exit-early", "hang-at-handshake", "hang-at-ready"] {
        let m = Match::between("honest", engine, 2).with("--ready-time", "2");
        let played = m.play();
        assert!(!played.success, "{engine}");
        assert!(played.stderr.contains("engine b"), "{engine}: {played:?}");
        assert!(played.stderr.contains("for amazons"), "{engine}: {played:?}");
        if engine == "hang-at-ready" {
            assert!(played.stderr.contains("ugiok"), "{played:?}");
        }
        assert!(!m.log().exists(), "{engine} leaves an empty log");
    }
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let honest = format!("cmd={} honest", crate::support::program("rogue").display());
    let m = Match::of([honest, "cmd=/no/such/engine".into()], 2);
    let played = m.play();
    assert!(!played.success);
    assert!(played.stderr.contains("/no/such/engine"), "{played:?}");
    assert!(!m.log().exists());
}

#[test]
fn an_option_that_the_engine_does_not_have_ends_the_command() {
    let rogue = crate::support::program("rogue").display().to_string();
    let m =
        Match::of([format!("cmd={rogue} honest"), format!("cmd={rogue} honest,option.Depth=3")], 2);
    let played = m.play();
    assert!(!played.success);
    assert!(played.stderr.contains("Depth") && played.stderr.contains("Seed"), "{played:?}");
    assert!(!m.log().exists());
}

#[test]
fn flags_that_make_no_sense_are_refused_before_anything_starts() {
    for (flag, value) in [
        ("--game", "checkers"),
        ("--movetime", "never"),
        ("--openings", "/no/such/file"),
        ("--engine", "cmd=,name=c"),
        ("--shard", "3/2"),
        ("--games", "-4"),
    ] {
        let m = Match::between("honest", "honest", 2).with(flag, value);
        let played = m.play();
        assert!(!played.success && !played.stderr.is_empty(), "{flag} {value}: {played:?}");
        assert!(!m.log().exists(), "{flag} {value}");
    }
    let mut process = Process::start("referee", &["match"]);
    assert!(!process.end().0.success());
}

/// Two games in UCCI: `b` plays `a`.
fn in_ucci(a: &str, b: &str) -> Vec<Value> {
    Match::between(a, b, 2).with("--each", "dialect=ucci").games()
}

#[test]
fn who_resigns_has_lost_and_is_not_at_fault() {
    for game in in_ucci("honest", "resign --at 2") {
        let b_is_first = game["players"][0] == 1;
        let winner = if b_is_first { "second" } else { "first" };
        assert_eq!((&game["reason"], &game["result"]), (&"resignation".into(), &winner.into()));
        assert_eq!(game["detail"], "b resigns");
        let plies = game["moves"].as_str().unwrap_or_default().split(' ').count();
        assert_eq!(plies, if b_is_first { 2 } else { 3 }, "the move beside it does not count");
    }
}

#[test]
fn a_draw_is_agreed_when_both_offer_it_and_not_when_one_does() {
    for game in in_ucci("offer-draws --at 2", "offer-draws --at 3") {
        assert_eq!((&game["reason"], &game["result"]), (&"agreement".into(), &"draw".into()));
        let plies = game["moves"].as_str().unwrap_or_default().split(' ').count();
        assert!((5..=6).contains(&plies), "b's third move agrees: {game}");
    }
    for game in in_ucci("honest", "offer-draws") {
        assert_eq!(game["reason"], "rules", "{game}");
    }
}
