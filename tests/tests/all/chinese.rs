//! The locale decides the language of what people at the board read, and of nothing else.

use crate::support::desk::{Desk, Page};
use crate::support::matches::{MATCH, honest};
use crate::support::{Process, program, run_in, texts};

type Locale = [(&'static str, &'static str)];

const CHINESE: &Locale = &[("LANG", "zh_CN.UTF-8")];
const ENGLISH: &Locale = &[("LANG", "C")];

/// Runs the referee: the exit status, and both outputs.
fn referee(words: &[&str], locale: &Locale) -> (Option<i32>, String) {
    let output = run_in("referee", words, locale, MATCH);
    let (out, err) = texts(&output);
    (output.status.code(), out + &err)
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c))
}

#[test]
fn the_first_variable_that_is_set_decides_the_language_of_the_help() {
    let (zh, en) = ("zh_CN.UTF-8", "en_US.UTF-8");
    for (locale, expected) in [
        (CHINESE, true),
        (ENGLISH, false),
        (&[("LANG", zh), ("LC_ALL", "")], true),
        (&[("LANG", zh), ("LC_MESSAGES", en)], false),
        (&[("LANG", en), ("LC_MESSAGES", zh)], true),
        (&[("LANG", zh), ("LC_MESSAGES", zh), ("LC_ALL", "C")], false),
        (&[("LANG", "C"), ("LC_MESSAGES", en), ("LC_ALL", zh)], true),
    ] {
        for command in ["check", "desk", "events", "serve"] {
            let (code, help) = referee(&[command, "--help"], locale);
            let found = (code, is_chinese(&help), help.contains("用法："), help.contains("Usage:"));
            assert_eq!(found, (Some(0), expected, expected, !expected), "{locale:?}: {help}");
        }
    }
}

#[test]
fn wrong_command_lines_and_events_are_explained_in_the_language() {
    let other = "event `no-such`: no preset";
    let other_zh = "赛事 `no-such`：没有这个预设";
    for (words, status, chinese, english) in [
        (&["desk", "--gmae", "nogo"][..], 2, "不认识的参数 '--gmae'", "argument '--gmae' found"),
        (&["desk", "--event", "no-such"], 1, other_zh, other),
        (&["events", "no-such"], 1, other_zh, other),
        (&["check", "--event", "no-such", "x"], 1, other_zh, other),
        (&["serve", "--port", "x"], 2, "的值 'x' 无效：应为整数", "invalid value 'x' for '--port"),
        (&["serve", "--address", "0.0.0.0"], 1, "还要给出 --host", "also give --host"),
    ] {
        let (code, told) = referee(words, CHINESE);
        assert_eq!(code, Some(status), "{told}");
        assert!(told.contains(chinese) && !told.contains(english), "{told}");
        let (code, told) = referee(words, ENGLISH);
        assert_eq!(code, Some(status), "{told}");
        assert!(told.contains(english) && !is_chinese(&told), "{told}");
    }
    let (code, listed) = referee(&["events"], CHINESE);
    assert!(code == Some(0) && listed.contains(" 先胜 4 局 "), "{listed}");
}

#[test]
fn the_preflight_and_the_desk_speak_chinese() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().display().to_string();
    let engine = format!("cmd={} --option Algorithm=greedy", program("einstein").display());
    let quick = ["--scale", "0.02", "--games", "1", "--margin", "2000", "--folder", &place];
    let words = [&["check", "--event", "ccgc-einstein", &engine][..], &quick].concat();
    let (code, told) = referee(&words, CHINESE);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.ends_with("READY：可以参赛\n"), "{told}");
    assert!(
        told.contains("合格") && told.contains("整局") && told.contains("，每方 4:00"),
        "{told}"
    );
    // For programs the lines have one form.
    let (code, told) = referee(&[&words[..], &["--json"]].concat(), CHINESE);
    assert!(code == Some(0) && told.contains(r#""verdict":"ok""#), "{told}");
    assert!(told.contains("killed at ply ") && !told.contains("合格"), "{told}");

    let mut desk = Desk::begin(&["--game", "nogo"]);
    desk.process.kill();
    let session = desk.session().display().to_string();
    let words = ["desk", "--game", "nogo", "--session", &session];
    let chinese = Process::start_in("referee", &words, CHINESE);
    assert!(chinese.until("继续 ").contains("个操作"));
    let page = Page::at(&chinese.until("http://"));
    let (_, text) = page.request("GET", "desk", "").expect("the page");
    assert!(text.contains(r#"<html lang="zh-CN">"#), "{text}");
}

#[test]
fn matches_logs_and_protocols_are_in_english() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("m.jsonl");
    let path = log.display().to_string();
    let (a, b) = (format!("name=a,cmd={}", honest(1)), format!("name=b,cmd={}", honest(2)));
    let words = ["match", "--game", "amazons", "--depth", "1", "--games", "2", "--log", &path];
    let words = [&words[..], &["--engine", &a, "--engine", &b]].concat();
    let (code, told) = referee(&words, CHINESE);
    assert!(code == Some(0) && !told.is_empty() && !is_chinese(&told), "{told}");
    let log = std::fs::read_to_string(log).expect("the log");
    assert!(log.lines().count() > 3 && !is_chinese(&log), "{log}");
    let (code, told) = referee(&["match", "--gmae", "nogo"], CHINESE);
    assert!(code == Some(2) && told.contains("unexpected argument '--gmae' found"), "{told}");
    let (code, told) = referee(&["check", "--game", "nogo", &a, "--only", "handshake"], CHINESE);
    assert!(code == Some(0) && !is_chinese(&told), "{told}");

    let mut engine = Process::start_in("amazons", &[""; 0], CHINESE);
    engine.send("ugi\nno-such-command\nquit");
    let (status, answers, errors) = engine.end();
    let told = answers.join("\n") + &errors;
    assert!(status.success() && told.contains("ugiok") && !is_chinese(&told), "{told}");
}

#[test]
fn an_engine_that_does_not_start_is_told_in_the_language() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let session = folder.path().join("s.jsonl").display().to_string();
    let silent = format!("{} hang-at-ready", program("rogue").display());
    let desk = ["desk", "--game", "amazons", "--session", &session, "--engine", &silent];
    for (locale, expected) in [
        (CHINESE, "没有按时回答：时限为 0.3 秒；可用 --ready-time 更改"),
        (ENGLISH, "did not answer in time: the limit is 0.3 s; --ready-time sets another"),
    ] {
        let (code, told) = referee(&[&desk[..], &["--ready-time", "0.3"]].concat(), locale);
        assert!(code == Some(1) && told.contains(expected), "{told}");
    }
}
