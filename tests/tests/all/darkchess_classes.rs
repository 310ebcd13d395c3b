//! Whole-program tests of `lab darkchess classes`, its shards and the reproduction that runs it.

use crate::support::{program, run, texts};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(120);

/// The output of `lab darkchess classes`, or its error message.
fn classes(arguments: &[&str]) -> Result<String, String> {
    let output = run("lab", &[&["darkchess", "classes"], arguments].concat(), TIMEOUT);
    let (out, errors) = texts(&output);
    if output.status.success() { Ok(out) } else { Err(errors) }
}

/// The counts in JSON lines, without times.
fn counts(text: &str) -> Vec<Value> {
    let rows = text.lines().map(|l| serde_json::from_str::<Value>(l).expect("JSON lines"));
    rows.filter(|r| r["table"] == "classes")
        .map(|mut r| {
            for time in ["microseconds", "cpu_microseconds"] {
                r.as_object_mut().expect("an object").remove(time);
            }
            r
        })
        .collect()
}

#[test]
fn shards_of_the_exact_count_merge_to_the_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = counts(&classes(&["--json"]).expect("a count"));
    let sum = |hidden: bool, field: &str| -> u64 {
        let rows = whole.iter().filter(|r| r["hidden"] == hidden);
        rows.map(|r| r[field].as_u64().expect("a number")).sum()
    };
    assert_eq!([sum(false, "sets"), sum(false, "classes")], [8_497_176, 4_916_262]);
    assert_eq!([sum(true, "sets"), sum(true, "classes")], [239_980_775_397, 204_057_632_765]);
    let files: Vec<String> = (1..=3)
        .map(|k| {
            let file = folder.path().join(format!("{k}.jsonl")).display().to_string();
            classes(&["--shard", &format!("{k}/3"), "--out", &file]).expect("a shard");
            file
        })
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let merge = |files: &[&str]| classes(&[&["merge", "--json"], files].concat());
    assert_eq!(counts(&merge(&files).expect("the whole")), whole);
    let error = merge(&files[1..]).expect_err("a shard is missing");
    assert!(error.contains("not the parts 1 to 3"), "{error}");
    let text = fs::read_to_string(files[2]).expect("a file of ours");
    fs::write(files[2], &text[..text.len() / 2]).expect("a file of ours");
    let error = merge(&files).expect_err("a shard is torn");
    assert!(error.contains("3.jsonl"), "{error}");
}

#[test]
fn two_pieces_are_counted_by_every_method() {
    let rows = counts(
        &classes(&["--pieces", "2", "--method", "all", "--sets", "both", "--json"])
            .expect("a count"),
    );
    let of = |hidden: bool| rows.iter().filter(move |r| r["hidden"] == hidden);
    // Without hidden pieces 7 kinds by 7; with them three more for each, since one or both are hidden.
    assert!(of(false).all(|r| r["sets"] == 49 && r["classes"] == 8), "{rows:?}");
    assert!(of(true).all(|r| r["sets"] == 147), "{rows:?}");
    assert_eq!((of(false).count(), of(true).count()), (6, 6));
}

#[test]
fn bad_flags_are_refused_with_what_would_be_right() {
    for (arguments, expected) in [
        (["--method", "guess"], "matching, accelerated, pattern, pattern-kinds, canonical"),
        (["--shard", "4/3"], "K from 1 to N"),
        (["--pieces", "1-8"], "from 2 to 32"),
        (["show", "KGx"], "`x` at character 3"),
    ] {
        let error = classes(&arguments).expect_err("a bad flag");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_reproduction_sets_the_papers_figures_beside_ours() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page = folder.path().join("page.html").display().to_string();
    let words =
        ["reproduce", "darkchess", "--no-spark", "--limit", "0.001", "--out", page.as_str()];
    program("lab");
    let output = run("referee", &words, TIMEOUT);
    let (text, errors) = texts(&output);
    assert!(output.status.success(), "{errors}");
    for expected in [
        "11100.0",
        "28.93",
        "[reproduced] Sets with the same pattern",
        "[not reproduced] Merging equivalent sets",
        "[holds] The four percentages of 2015",
    ] {
        assert!(text.contains(expected), "no `{expected}`: {text}");
    }
    assert!(fs::read_to_string(Path::new(&page)).is_ok_and(|html| html.contains("<svg")));
}
