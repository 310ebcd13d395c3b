//! `referee sprt`: its verdicts and exit codes do not depend on workers or shards.

use crate::support::matches::{MATCH, games, honest, hopeless, lines, sprt};
use crate::support::{run, texts};
use std::path::Path;
use tempfile::TempDir;

const ACCEPTED: i32 = 0;
const REJECTED: i32 = 3;
const UNDECIDED: i32 = 4;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn the_exit_code_is_the_verdict() {
    let folder = folder();
    let log = |name: &str| folder.path().join(name);
    // The same side wins every pair, so few pairs suffice.
    let (code, out, err) = sprt(&honest(1), &hopeless(), &log("a"), &["--elo1", "40"]);
    assert_eq!(code, Some(ACCEPTED), "{out}{err}");
    assert!(out.contains("accepted (H1)"), "{out}");
    let output = run("referee", &["report", &log("a").display().to_string()], MATCH);
    let (out, err) = texts(&output);
    assert!(output.status.success() && out.contains("accepted (H1)"), "{out}{err}");
    let page = std::fs::read_to_string(log("a").with_extension("html")).expect("the page");
    for part in
        ["Path of the test", "accept H1: 2.94", "accept H0: -2.94", "accepted (H1)", "40 Elo"]
    {
        assert!(page.contains(part), "{part}");
    }
    let (code, out, _) = sprt(&hopeless(), &honest(1), &log("b"), &["--elo1", "40"]);
    assert_eq!(code, Some(REJECTED), "{out}");
    assert!(out.contains("rejected (H0)"), "{out}");
    let (code, out, _) = sprt(&honest(1), &honest(2), &log("c"), &["--games", "8"]);
    assert_eq!(code, Some(UNDECIDED), "{out}");
    let (code, _, err) = sprt(&honest(1), "./no/such/program", &log("d"), &[]);
    assert_eq!(code, Some(1));
    assert!(err.contains("base") && err.contains("./no/such/program"), "{err}");
    let (code, _, err) = sprt(&honest(1), &honest(2), &log("e"), &["--elo0", "9", "--elo1", "5"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("elo0 is 9"), "{err}");
}

#[test]
fn the_verdict_is_the_same_at_any_concurrency_and_the_log_judges_itself() {
    let folder = folder();
    let mut verdicts = Vec::new();
    for workers in ["1", "3"] {
        let log = folder.path().join(workers);
        let more = ["--elo1", "60", "-j", workers];
        let (code, out, _) = sprt(&honest(1), &hopeless(), &log, &more);
        assert_eq!(code, Some(ACCEPTED), "{out}");
        let said = out.lines().find(|l| l.starts_with("SPRT")).expect("a verdict").to_string();
        let log = log.display().to_string();
        let judged = run("referee", &["sprt", "--judge", &log], MATCH);
        assert_eq!(judged.status.code(), Some(ACCEPTED));
        assert!(texts(&judged).0.contains(&said), "{said} is not in {}", texts(&judged).0);
        verdicts.push(said);
    }
    assert_eq!(verdicts[0], verdicts[1]);
}

#[test]
fn a_decided_test_plays_no_more_games_when_it_is_called_again() {
    let folder = folder();
    let log = folder.path().join("log");
    let again = || sprt(&honest(1), &hopeless(), &log, &["--elo1", "60"]);
    assert_eq!(again().0, Some(ACCEPTED));
    let before = std::fs::read(&log).expect("the log");
    assert_eq!(again().0, Some(ACCEPTED));
    assert_eq!(std::fs::read(&log).expect("the log"), before);
}

#[test]
fn shards_in_rounds_come_to_the_verdict_of_one_machine() {
    let folder = folder();
    let whole = folder.path().join("whole");
    let common = ["--elo1", "60", "--games", "200"];
    let (code, out, _) = sprt(&honest(1), &hopeless(), &whole, &common);
    assert_eq!(code, Some(ACCEPTED), "{out}");
    let expected = out.lines().find(|l| l.starts_with("SPRT")).expect("a verdict").to_string();
    let mut rounds = 0;
    let mut verdict = None;
    for through in ["16", "32", "48", "64", "80", "96"] {
        rounds += 1;
        let logs: Vec<String> = ["1/2", "2/2"]
            .iter()
            .map(|shard| {
                let log = folder.path().join(shard.replace('/', "-of-"));
                let mut more = common.to_vec();
                more.extend(["--shard", shard, "--through", through]);
                let (code, out, err) = sprt(&honest(1), &hopeless(), &log, &more);
                assert_eq!(code, Some(0), "{out}{err}");
                log.display().to_string()
            })
            .collect();
        let words = ["sprt", "--judge", &logs[0], &logs[1]];
        let judged = run("referee", &words, MATCH);
        if judged.status.code() != Some(UNDECIDED) {
            assert_eq!(judged.status.code(), Some(ACCEPTED), "{}", texts(&judged).1);
            verdict = Some(texts(&judged).0);
            let played: usize = logs.iter().map(|l| games(Path::new(l)).len()).sum();
            assert_eq!(played, 16 * rounds);
            break;
        }
    }
    assert!(rounds > 1, "one round says nothing about rounds");
    assert!(verdict.is_some_and(|v| v.contains(&expected)), "{expected}");
}

#[test]
fn unpaired_games_have_openings_of_their_own() {
    let folder = folder();
    let log = folder.path().join("log");
    let more = ["--unpaired", "--games", "6", "--model", "normalised"];
    let (code, out, _) = sprt(&honest(1), &honest(2), &log, &more);
    assert_eq!(code, Some(UNDECIDED), "{out}");
    assert!(out.contains("after 6 games"), "{out}");
    let games = games(&log);
    let mut openings: Vec<_> = games.iter().map(|g| g["opening"].to_string()).collect();
    openings.sort_unstable();
    openings.dedup();
    assert_eq!(openings.len(), 6);
    let first: Vec<_> = games.iter().map(|g| g["players"][0].as_u64()).collect();
    assert_eq!(first, [0, 1, 0, 1, 0, 1].map(Some));
    assert_eq!(lines(&log)[0]["sprt"]["model"], "normalised");
}
