//! Statistics that stay true when one looks: tests by betting, matches that end at a precision, the
//! statistics of logs and counts, and the self-test of all methods.

use crate::support::matches::{games, honest, hopeless, lines, referee, sprt};
use serde_json::Value;
use std::path::Path;

fn json(text: &str) -> Value {
    serde_json::from_str(text.lines().last().unwrap_or_default()).expect("JSON")
}

#[test]
fn a_broken_version_is_found_by_betting_in_a_tenth_of_the_pairs_of_an_sprt() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pairs = |kind: &str, workers: &str| {
        let log = folder.path().join(format!("{kind}{workers}"));
        let more = ["--test", kind, "-j", workers];
        let (code, out, err) = sprt(&hopeless(), &honest(1), &log, &more);
        assert_eq!(code, Some(3), "{out}{err}");
        assert!(out.contains("rejected (H0)"), "{out}");
        let judged = referee(&["sprt", "--judge", &log.display().to_string(), "--json"]);
        assert_eq!(judged.0, Some(3), "{}", judged.2);
        let judged = json(&judged.1);
        assert_eq!(judged["test"], kind);
        assert_eq!(judged["estimate"]["method"], "stagewise");
        assert!(judged["estimate"]["high"].as_f64().is_some_and(|high| high < -100.0), "{judged}");
        assert!(out.contains("valid after stopping"), "{out}");
        (judged["samples"].as_u64().expect("a number"), log)
    };
    let (betting, log) = pairs("betting", "1");
    assert_eq!(betting, pairs("betting", "3").0, "the same at any concurrency");
    let (classical, _) = pairs("sprt", "1");
    assert!(betting <= 10 && classical > 90, "{betting} {classical}");
    assert_eq!(lines(&log)[0]["sprt"]["test"], "betting");
    // The same log by all methods.
    let path = log.display().to_string();
    let (code, out, err) = referee(&["stats", &path]);
    assert_eq!(code, Some(0), "{err}");
    for part in ["Ptnml(0-2)", "confidence sequence", "LLR", "test by betting: rejected", "LOS"] {
        assert!(out.contains(part), "{part} is not in {out}");
    }
    assert_eq!(
        out.matches("test by betting: ").count(),
        1,
        "the match's own test is one of two: {out}"
    );
    let stats = json(&referee(&["stats", &path, "--json"]).1);
    assert_eq!(stats["estimate"]["method"], "stagewise");
    // Games may end after the decision.
    assert!(stats["pairs"].as_u64().is_some_and(|pairs| pairs >= betting), "{stats}");
    assert!(stats["confidence_sequence"]["high"].as_f64().is_some_and(|high| high < 100.0));
}

#[test]
fn a_test_by_betting_refuses_what_it_cannot_bet_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for more in [["--model", "normalised"].as_slice(), &["--unpaired"]] {
        let mut words = vec!["--test", "betting"];
        words.extend(more);
        let (code, _, err) = sprt(&honest(1), &honest(2), &folder.path().join("log"), &words);
        assert_eq!(code, Some(1));
        assert!(err.contains("needs pairs of games"), "{err}");
    }
}

#[test]
fn a_match_ends_when_its_confidence_sequence_is_narrow_enough() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let play = |workers: &str, width: &str, more: &[&str]| {
        let log = folder.path().join(format!("{workers}-{width}")).display().to_string();
        let engines = [1, 2].map(|seed| format!("name=e{seed},cmd={}", honest(seed)));
        let mut words = vec!["match", "--game", "amazons", "--engine", &engines[0], "--engine"];
        words.extend([&engines[1], "--depth", "1", "--random-plies", "2", "--seed", "1"]);
        words.extend(["--max-plies", "8", "-j", workers, "--until-width", width]);
        words.extend(["--quiet", "--log", &log]);
        words.extend(more);
        let (code, out, err) = referee(&words);
        (code, format!("{out}{err}"), log)
    };
    let (code, out, log) = play("1", "200", &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("confidence sequence: reached"), "{out}");
    assert!(out.contains("valid at all times"), "{out}");
    let (_, other, _) = play("3", "200", &[]);
    let verdict = |out: &str| out.lines().find(|l| l.contains("reached")).map(String::from);
    assert_eq!(verdict(&out), verdict(&other), "the same at any concurrency");
    let interval = json(&referee(&["stats", &log, "--json"]).1)["estimate"].clone();
    assert_eq!(interval["method"], "confidence_sequence");
    let end = |name: &str| interval[name].as_f64().expect("a number");
    assert!((100.0..=200.0).contains(&(end("high") - end("low"))), "{interval}");
    assert!(games(Path::new(&log)).len() < 1000);
    let (code, out, _) = play("1", "20", &["--games", "8"]);
    assert_eq!(code, Some(4), "{out}");
    assert!(out.contains("confidence sequence: undecided"), "{out}");
    let (code, out, _) = play("1", "0", &[]);
    assert!(code != Some(0) && out.contains("--until-width"), "{out}");
}

#[test]
fn a_fixed_match_keeps_the_fixed_interval_and_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log").display().to_string();
    let engines = [1, 2].map(|seed| format!("name=e{seed},cmd={}", honest(seed)));
    let mut words = vec!["match", "--game", "amazons", "--engine", &engines[0], "--engine"];
    words.extend([&engines[1], "--depth", "1", "--random-plies", "2", "--seed", "1"]);
    words.extend(["--games", "20", "--quiet", "--log", &log]);
    let (code, out, err) = referee(&words);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("interval for a fixed number of games, 10 pairs"), "{out}");
    let stats = json(&referee(&["stats", &log, "--json"]).1);
    assert_eq!(stats["estimate"]["method"], "fixed_sample");
    assert_eq!(stats["estimate"], stats["elo"]);
}

#[test]
fn counts_of_pairs_have_the_same_statistics_as_their_log() {
    let (code, out, err) = referee(&["stats", "--pentanomial", "3,20,50,25,2", "--json"]);
    assert_eq!(code, Some(0), "{err}");
    let stats = json(&out);
    assert_eq!(stats["pentanomial"], serde_json::json!([3, 20, 50, 25, 2]));
    // Mean 0.5075, standard error 0.02018: worked out by hand.
    let end = |key: &str, name: &str| stats[key][name].as_f64().expect("a number");
    assert!((end("elo", "elo") - 5.21).abs() < 0.01, "{stats}");
    assert!((end("elo", "low") + 22.3).abs() < 0.1 && (end("elo", "high") - 32.7).abs() < 0.1);
    assert!(end("confidence_sequence", "low") < end("elo", "low") - 10.0);
    assert!(end("after_stopping", "low") < end("after_stopping", "elo"));
    let beyond = referee(&["stats", "--pentanomial", "0,0,0,0,5000", "--json"]).1;
    assert!(json(&beyond)["after_stopping"].is_null(), "it stopped long before: {beyond}");
    let drawn = referee(&["stats", "--pentanomial", "0,0,500,0,0"]).1;
    let of_drawn = drawn.lines().find(|l| l.contains("fixed sample")).expect("a line");
    assert!(of_drawn.contains("+0.0 [-2.6, +2.6]") && of_drawn.contains("exact"), "{drawn}");
    let far = ["stats", "--pentanomial", "0,0,60,0,0", "--elo1", "240", "--model", "normalised"];
    assert!(referee(&far).1.contains("LLR -"), "{}", referee(&far).1);
    let (code, out, _) = referee(&["stats", "--pentanomial", "3,20,50,25,2", "--elo0", "-30"]);
    assert!(code == Some(0) && out.contains("SPRT (-30, 10)"), "{out}");
    for bad in
        ["3,20,50,25", "3,20,50,25,x", "0,0,0,0,0", "1,2,3,4,-5", "9999999999999999999,1,1,1,1"]
    {
        let (code, _, err) = referee(&["stats", "--pentanomial", bad]);
        assert_eq!(code, Some(1));
        assert!(err.contains("--pentanomial"), "{err}");
    }
    assert_eq!(referee(&["stats"]).0, Some(2));
}

#[test]
fn all_methods_keep_their_promises_in_simulation() {
    let (code, out, err) = referee(&["stats", "--self-test", "--quick"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.trim_end().ends_with(", 0 not as promised"), "{out}");
    for method in
        ["fixed sample", "confidence sequence", "SPRT", "test by betting", "ratings", "workers"]
    {
        assert!(out.lines().any(|l| l.starts_with(method)), "{method} is not in {out}");
    }
    let again = referee(&["stats", "--self-test", "--quick"]).1;
    assert_eq!(out, again, "a seed names the tables");
}
