//! Whole-program tests of `lab connect6 games`, `problems` and the reproduction of the thesis's tables.

use crate::support::{run, texts};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(120);

/// The problem set in the repository.
fn kept() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the root");
    fs::read_to_string(root.join("openings/connect6/problems/problems.jsonl")).expect("the set")
}

/// The output of `lab connect6` with this input, and whether it succeeded.
fn request(arguments: &[&str], input: &str) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("input");
    fs::write(&file, input).expect("a file of ours");
    let output = Command::new(crate::support::program("lab"))
        .arg("connect6")
        .args(arguments)
        .stdin(Stdio::from(fs::File::open(&file).expect("a file of ours")))
        .output()
        .expect("the program starts");
    let (out, errors) = texts(&output);
    (output.status.success(), out + &errors)
}

#[test]
fn games_become_candidates_and_these_a_set_that_passes_its_check() {
    let (fine, games) = request(&["games", "--safe", "--count", "4", "--seed", "3"], "");
    assert!(fine && games.lines().count() == 4, "{games}");
    let (fine, later) =
        request(&["games", "--safe", "--count", "1", "--from", "3", "--seed", "3"], "");
    assert!(fine, "{later}");
    assert_eq!(games.lines().last(), later.lines().last());
    let (fine, candidates) = request(&["problems", "screen"], &games);
    assert!(fine, "{candidates}");
    let quotas = ["problems", "choose", "--double", "1", "--single", "0", "--open", "0"];
    let (fine, set) = request(&quotas, &candidates);
    assert!(fine && set.lines().count() == 1, "{candidates}\n{set}");
    let (fine, said) = request(&["problems", "check"], &set);
    assert!(fine && said.starts_with("1 proofs hold"), "{said}");
    let (fine, said) = request(&["problems", "check"], &set.replace("\"VCDT\"", "\"unknown\""));
    assert!(!fine && said.contains("line 1: a win needs a proof"), "{said}");
    let (fine, said) = request(&["problems", "screen"], "{\"seed\":1");
    assert!(!fine && said.contains("line 1"), "{said}");
}

#[test]
fn the_reproduction_runs_every_search_and_resumes_after_an_interruption() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (problems, rows, page) = (path("set.jsonl"), path("rows.jsonl"), path("page.html"));
    // The easiest win of each kind: the lines are sorted by effort within a class.
    let set = kept();
    let last = |result: &str| {
        let mark = format!("\"result\":\"{result}\"");
        set.lines().rfind(|l| l.contains(&mark)).expect("a problem of each kind")
    };
    fs::write(&problems, format!("{}\n{}\n", last("VCDT"), last("VCST"))).expect("our file");
    let arguments = ["reproduce", "connect6", "--problems", &problems, "--rows", &rows];
    let output = run("referee", &[&arguments[..], &["--out", &page]].concat(), TIMEOUT);
    let (text, errors) = texts(&output);
    assert!(output.status.success(), "{errors}");
    for expected in ["Table 3", "Table 4", "Table 5", "62,865,372", "7,169,103", "2 of 2"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let html = fs::read_to_string(&page).expect("a page");
    assert_eq!(html.matches("<svg").count(), 3);
    let kept = fs::read_to_string(&rows).expect("rows");
    // Five searches of two positions, and the step of the limits at which it solves fewer.
    let all = kept.lines().count();
    assert!(all > 10 && kept.contains("\"db-8000\""), "{kept}");
    assert_eq!(kept.matches("\"refuted\"").count(), 0, "{kept}");
    // All rows exist: they give the same report.
    let output = run("referee", &arguments, TIMEOUT);
    let report = text.split("page: ").next().expect("the report is before the page's path");
    assert_eq!(texts(&output).0, report);
    // A missing row is computed again.
    let part: Vec<&str> = kept.lines().skip(1).collect();
    fs::write(&rows, part.join("\n") + "\n").expect("our file");
    assert!(run("referee", &arguments, TIMEOUT).status.success());
    assert_eq!(fs::read_to_string(&rows).expect("rows").lines().count(), all);
    // So is an incomplete row.
    let torn = kept.len() - kept.lines().last().map_or(0, |l| l.len() / 2);
    fs::write(&rows, &kept[..torn]).expect("our file");
    let output = run("referee", &arguments, TIMEOUT);
    assert!(output.status.success(), "{}", texts(&output).1);
    let again = fs::read_to_string(&rows).expect("rows");
    assert_eq!(again.lines().count(), all);
    assert!(again.lines().zip(kept.lines()).take(all - 1).all(|(a, b)| a == b), "{again}");
    // Rows of another problem set or another program are rejected.
    let other = format!("{}\n", last("VCDT").replace("startpos moves ", "startpos moves a1 "));
    fs::write(&problems, other).expect("our file");
    let (_, errors) = texts(&run("referee", &arguments, TIMEOUT));
    assert!(errors.contains("differs from that of this problem set"), "{errors}");
    fs::write(&problems, format!("{}\n{}\n", last("VCDT"), last("VCST"))).expect("our file");
    let program = kept.split("\"program\":\"").nth(1).map_or("", |rest| &rest[..64]);
    fs::write(&rows, kept.replace(program, &"0".repeat(64))).expect("our file");
    let (_, errors) = texts(&run("referee", &arguments, TIMEOUT));
    assert!(errors.contains("another build"), "{errors}");
    fs::write(&rows, "{").expect("our file");
    let (_, errors) = texts(&run("referee", &arguments, TIMEOUT));
    assert!(errors.contains("line 1 of"), "{errors}");
}
