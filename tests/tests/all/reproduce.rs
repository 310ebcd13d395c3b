//! `referee reproduce`: the readings of the Amazons paper, and the summary of all papers.

use crate::support::logs::edited;
use crate::support::matches::MATCH;
use crate::support::{program, run, texts};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Status, standard output, standard error. The programs are where the tests have linked them.
fn reproduce(arguments: &[&str]) -> (Option<i32>, String, String) {
    for name in ["amazons", "einstein", "lab"] {
        program(name);
    }
    let output = run("referee", &[&["reproduce"], arguments].concat(), MATCH);
    let (out, err) = texts(&output);
    (output.status.code(), out, err)
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn rows(text: &str, table: &str) -> Vec<Value> {
    let rows = text.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok());
    rows.filter(|r| r["table"] == table).collect()
}

/// A match short enough for a test: both sides stop after 2 ms.
const SHORT: [&str; 5] = ["amazons", "--movetime", "2", "--games", "2"];

#[test]
fn the_three_readings_of_the_amazons_paper_stand_side_by_side() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (log, page) = (path(folder.path(), "a.jsonl"), path(folder.path(), "a.html"));
    let play = || reproduce(&[&SHORT[..], &["--json", "--log", &log, "--out", &page]].concat());
    let (status, out, err) = play();
    assert_eq!(status, Some(0), "{err}");
    let readings = rows(&out, "reading");
    let names: Vec<&str> = readings.iter().filter_map(|r| r["reading"].as_str()).collect();
    assert_eq!(names, ["literal", "fitting", "deepening"]);
    for r in &readings {
        assert_eq!((&r["first"]["games"], &r["second"]["games"]), (&1.into(), &1.into()));
        for side in ["pvs", "alphabeta"] {
            let (nodes, leaves) = (r[side]["nodes"].as_f64(), r[side]["leaves"].as_f64());
            assert!(leaves.is_some_and(|n| n > 0.0) && leaves <= nodes, "{r}");
        }
    }
    let unfinished = |i: usize| readings[i]["alphabeta"]["moves_without_iteration"].as_u64();
    assert!(unfinished(0) > unfinished(2), "depth 11 is out of reach in 2 ms: {out}");
    let claims = rows(&out, "claim");
    let of = |key: &str, value: &str| claims.iter().filter(|r| r[key] == value).count();
    assert_eq!(
        (claims.len(), of("reading", "")),
        (22, 4),
        "six claims in three readings, and four"
    );
    // The legal moves of the positions are counted, in six games.
    let factor =
        claims.iter().find(|r| r["section"] == "introduction").expect("the branching factor");
    let ours = factor["ours"].as_str().unwrap_or_default();
    assert!(ours.contains("of 6 games") && ours.contains("2,176 in the start position"), "{ours}");
    assert_eq!((of("section", "section 1"), of("verdict", "not reproduced")), (2, 1), "{out}");
    let html = fs::read_to_string(&page).expect("the page");
    assert!(html.contains("Games won by PVS") && html.contains("deepening: nodes of both"));
    // The log has the depth that was measured, so nothing is measured or played again.
    let before = fs::read(&log).expect("the log");
    let (status, again, err) = play();
    assert_eq!((status, rows(&again, "reading")), (Some(0), readings), "{err}");
    assert_eq!(fs::read(&log).expect("the log"), before);
    for claim in rows(&again, "claim") {
        let chinese = claim["chinese"].as_str().is_some_and(|text| !text.is_ascii());
        assert!(chinese && claim["section"].as_str().is_some_and(|at| !at.is_empty()), "{claim}");
        match claim["reading"].as_str().unwrap_or_default() {
            "" => continue,
            "literal" => assert_eq!(claim["origin"], "paper"),
            _ => assert_eq!(claim["origin"], "ours", "{claim}"),
        }
        if claim["verdict"] != "not tested here" {
            let share = &claim["share"];
            assert_eq!((&share["run"], &share["whole"]), (&0.into(), &1108.into()), "{claim}");
            assert_eq!(claim["verdict"], "undecided", "games at another time decide nothing");
        }
    }
}

#[test]
fn in_a_pipe_table_1_fills_row_by_row_and_the_end_says_how_the_whole_is_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (log, page) = (path(folder.path(), "a.jsonl"), path(folder.path(), "a.html"));
    let words = ["--fitting-depth", "1", "--log", &log, "--out", &page];
    let (status, out, err) = reproduce(&[&SHORT[..], &words].concat());
    assert_eq!(status, Some(0), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].ends_with("the paper: 606/610 + 492/498"), "{out}");
    let words: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(words, ["games", "literal", "fitting", "deepening"]);
    assert!(lines[2].trim_start().starts_with("6/6 ") && lines[3].starts_with("Amazons:"), "{out}");
    // Two games decide nothing; the pseudo-code needs none.
    assert_eq!(out.matches("\n    undecided\n").count(), 8, "{out}");
    assert_eq!(out.matches("reproduced").count(), 1, "{out}");
    assert!(out.contains("returns the minimax value.\n    not reproduced\n"), "{out}");
    assert!(out.contains("Our findings\n- With three corrections"), "{out}");
    assert!(out.contains("too few games to tell"), "{out}");
    assert!(out.contains(&page) && lines.last().is_some_and(|l| l.ends_with("amazons --full")));
    assert!(out.contains("after 2 wins of 2 the rate may still be 34%"), "{out}");
}

#[test]
fn the_parts_of_the_amazons_experiment_need_one_depth_and_merge() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let part = |k: &str, more: &[&str]| {
        let log = path(folder.path(), &format!("{k}.jsonl"));
        let shard = format!("{k}/2");
        let words = ["--shard", &shard, "--log", &log, "--quiet", "--openings", "balanced"];
        let (status, _, err) = reproduce(&[&SHORT[..], &words, more].concat());
        (status, err, log)
    };
    let (status, err, log) = part("1", &[]);
    assert_eq!(status, Some(1));
    assert!(err.contains("--measure") && err.contains("--fitting-depth"), "{err}");
    assert!(!Path::new(&log).exists());
    let depth = ["--fitting-depth", "1"];
    let logs = ["1", "2"].map(|k| part(k, &depth)).map(|(status, err, log)| {
        assert_eq!(status, Some(0), "{err}");
        log
    });
    let (merged, page) = (path(folder.path(), "all.jsonl"), path(folder.path(), "all.html"));
    let merge = ["merge", "--out", &merged, &logs[0], &logs[1]];
    let output = run("referee", &merge, MATCH);
    assert!(output.status.success(), "{}", texts(&output).1);
    let output = run("referee", &["report", &merged, "--out", &page], MATCH);
    let (text, err) = texts(&output);
    assert!(output.status.success(), "{err}");
    assert!(text.contains("fitting: PVS second") && text.contains("--fitting-depth"), "{text}");
    // A part of another plan does not merge.
    let (status, err, log) = part("2", &["--fitting-depth", "2"]);
    assert_eq!(status, Some(1));
    assert!(
        err.contains("2.jsonl") && err.contains("MaxDepth") || err.contains("options"),
        "{err}"
    );
    assert!(Path::new(&log).exists());
}

#[test]
fn bad_input_of_a_reproduction_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (log, page) = (path(folder.path(), "a.jsonl"), path(folder.path(), "none/a.html"));
    let (status, _, err) = reproduce(&["amazons", "--reading", "fixed"]);
    assert_eq!(status, Some(2));
    for part in ["fixed", "literal", "fitting", "deepening", "all"] {
        assert!(err.contains(part), "{part} in {err}");
    }
    // A page that cannot be written is refused before the first game.
    let words = ["--log", &log, "--out", &page];
    let (status, _, err) = reproduce(&[&SHORT[..], &words].concat());
    assert_eq!(status, Some(1));
    assert!(err.contains("none/a.html: the page's folder does not exist"), "{err}");
    assert!(!Path::new(&log).exists());
    // So is a log whose page would have its own name.
    let html = path(folder.path(), "a.html");
    for words in [&SHORT[..], &["einstein", "--paper-budget", "--games", "2"]] {
        let (status, _, err) = reproduce(&[words, &["--log", &html]].concat());
        assert_eq!(status, Some(1));
        assert!(err.contains("a.html: the page would overwrite the log"), "{err}");
        assert!(!Path::new(&html).exists());
    }
    // A log that names a reading of another version.
    let words = ["--reading", "deepening", "--log", &log, "--quiet"];
    let (status, out, err) = reproduce(&[&SHORT[..], &words].concat());
    assert_eq!(status, Some(0), "{err}");
    assert!(out.starts_with("Amazons:"), "no progress: {out}");
    let text = fs::read_to_string(&log).expect("the log");
    let text = text.replacen("\"value\":\"deepening\"", "\"value\":\"fixed\"", 1);
    let other = path(folder.path(), "other.jsonl");
    fs::write(&other, edited(&text, true, |_| ())).expect("a file");
    let output = run("referee", &["report", &other], MATCH);
    let err = texts(&output).1;
    assert!(!output.status.success());
    assert!(err.contains("other.jsonl") && err.contains("unknown reading `fixed`"), "{err}");
}

#[test]
fn a_sample_at_the_papers_budget_is_reported_with_its_interval() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = path(folder.path(), "e.paper-budget.jsonl");
    let words = ["einstein", "--paper-budget", "--budget", "2,3", "--games", "4", "--log", &log];
    let (status, out, err) = reproduce(&words);
    assert_eq!(status, Some(0), "{err}");
    for part in [
        "Figure 17 at i=2 k=3",
        "24 of 24",
        "A sample: 24 of the paper's 12000 games",
        "another budget",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    // Two rounds are played, and every game counts once.
    assert_eq!(out.matches("\nc=0, ").count(), 1, "{out}");
    // A log of the former order, c after c, is read but not continued.
    let text = fs::read_to_string(&log).expect("the log");
    let (header, games) = text.split_once('\n').expect("a header");
    let order = header.find(r#",{"name":"order""#).expect("the order");
    let end = order + 1 + header[order + 1..].find('}').expect("its end");
    let former = format!("{}{}\n{games}", &header[..order], &header[end + 1..]);
    let former = edited(&former, true, |_| ());
    fs::write(&log, &former).expect("a file");
    let (status, _, err) = reproduce(&words);
    assert_eq!(status, Some(1));
    assert!(err.contains("former order") && err.contains(&log) && err.contains("--log"), "{err}");
    assert_eq!(fs::read_to_string(&log).expect("the log"), former);
    let out = texts(&run("referee", &["report", &log], MATCH)).0;
    assert!(out.contains("No sample") && out.contains("[undecided]"), "{out}");
    let (status, _, err) = reproduce(&["einstein", "--paper-budget", "--budget", "2"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("such as 5000,5000"), "{err}");
}

#[test]
fn a_part_of_another_plan_at_the_papers_budget_does_not_merge() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let part = |shard: &str, budget: &str, log: &str| {
        let log = path(folder.path(), log);
        let words = ["--paper-budget", "--budget", budget, "--games", "2", "--log", &log];
        let words = [&["einstein"], &words[..], &["--shard", shard, "--quiet"]].concat();
        let (status, _, err) = reproduce(&words);
        (status, err, log)
    };
    let parts = [("1/2", "2,3", "1.jsonl"), ("2/2", "2,4", "2.jsonl")];
    let logs = parts.map(|(shard, budget, log)| {
        let (status, err, log) = part(shard, budget, log);
        assert_eq!(status, Some(0), "{err}");
        log
    });
    let merged = path(folder.path(), "all.jsonl");
    let output = run("referee", &["merge", "--out", &merged, &logs[0], &logs[1]], MATCH);
    let err = texts(&output).1;
    assert!(!output.status.success() && err.contains("2.jsonl"), "{err}");
    assert!(!Path::new(&merged).exists() && logs.iter().all(|log| Path::new(log).exists()));
    // Nor does a part resume as one of another plan.
    let before = fs::read(&logs[0]).expect("the log");
    let (status, err, log) = part("1/2", "3,3", "1.jsonl");
    assert_eq!(status, Some(1));
    assert!(err.contains(&log), "{err}");
    assert_eq!(fs::read(&log).expect("the log"), before);
}

/// Checks that every link of a page leads to an element of it or to a page beside it.
fn links_lead_somewhere(folder: &Path, page: &str) {
    let text = fs::read_to_string(folder.join(page)).expect("the page");
    let body = text.split("<script").next().expect("a body");
    let values = |attribute: &str| -> Vec<&str> {
        body.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    };
    let ids = values(" id=\"");
    let links = values(" href=\"");
    assert!(links.len() >= 3, "{page} has {} links", links.len());
    for link in links {
        match link.split_once('#') {
            Some((_, id)) => assert!(ids.contains(&id), "{page}: {link} leads nowhere"),
            None => assert!(folder.join(link).is_file(), "{page}: {link} leads nowhere"),
        }
    }
    // What is said of the claims is there in Chinese.
    let chinese = values(" data-zh=\"");
    let ascii: Vec<_> = chinese.iter().filter(|text| text.is_ascii()).collect();
    assert!(chinese.len() > 10 && ascii.is_empty(), "{page}: not Chinese: {ascii:?}");
}

/// The problem of the set that the plain search solves soonest, as a set of its own.
fn easiest_problem() -> String {
    let set =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../openings/connect6/problems/problems.jsonl");
    let text = fs::read_to_string(set).expect("the problem set");
    let moves = |line: &&str| {
        let problem: Value = serde_json::from_str(line).expect("a problem");
        problem["plain_moves"].as_u64().expect("a number of moves")
    };
    text.lines().min_by_key(moves).map(|line| format!("{line}\n")).expect("a problem")
}

#[test]
fn one_position_of_connect6_decides_nothing() {
    program("connect6");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (set, pages) = (path(folder.path(), "set.jsonl"), path(folder.path(), "pages"));
    fs::create_dir(&pages).expect("a folder");
    fs::write(&set, easiest_problem()).expect("the set");
    let rows = path(Path::new(&pages), "connect6.rows.jsonl");
    let (status, out, err) =
        reproduce(&["connect6", "--problems", &set, "--rows", &rows, "-j", "1"]);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("1 of 260 positions; the test needs all"), "the thesis has 260: {out}");
    // The quick run resumes with it, and its time is up at once.
    let summary = path(folder.path(), "summary.md");
    let words = ["all", "--quick", "--only", "connect6", "--hours", "0.0000001", "-j", "1"];
    let more = ["--folder", &pages, "--summary", &summary];
    let (status, out, err) = reproduce(&[&words[..], &more].concat());
    assert_eq!(status, Some(0), "{err}");
    let text = fs::read_to_string(&summary).expect("the summary");
    assert!(text.contains("- scale: 1 of 272 positions (0.4%)\n"), "{text}");
    let first = text.lines().nth(2).unwrap_or_default();
    let none = "0 reproduced, 0 direction only, 0 not reproduced, ";
    assert!(first.contains(none) && !first.contains(" 0 undecided"), "{first}");
    let claims = text.lines().filter(|line| line.contains("the test needs all")).count();
    // One of them is a finding of ours, which the first line does not count.
    assert!(first.contains(&format!(" {} undecided", claims - 1)), "{first}: {claims}");
    for verdict in ["| reproduced |", "| direction only |", "| not reproduced |", "| holds |"] {
        assert!(!text.contains(verdict), "{verdict} in {text}");
    }
    let page = fs::read_to_string(Path::new(&pages).join("connect6.html")).expect("the page");
    for class in ["verdict yes", "verdict no\""] {
        assert!(!page.contains(class), "{class}");
    }
    assert!(out.contains("1 of 272 positions; the test needs all"), "{out}");
    links_lead_somewhere(Path::new(&pages), "index.html");
}

#[test]
fn all_papers_are_summarised_and_a_paper_that_fails_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (pages, summary) = (path(folder.path(), "pages"), path(folder.path(), "summary.md"));
    let words = ["all", "--only", "xiangqi", "--folder", &pages, "--summary", &summary];
    let (status, out, err) = reproduce(&words);
    assert_eq!(status, Some(0), "{err}");
    let text = fs::read_to_string(&summary).expect("the summary");
    assert!(out.contains(text.trim_end()), "{out}");
    let parts =
        ["| not reproduced |", "7,547,040,878", "referee reproduce xiangqi", "## Every claim"];
    for part in
        parts.iter().chain(&["1 of 1 counts (100%)", "<br>论文的总数", "One sequence of figures: "])
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    let version = run("referee", &["--version"], MATCH);
    let commit =
        texts(&version).0.lines().find_map(|l| l.strip_prefix("commit: ").map(String::from));
    assert!(text.contains(&format!("- commit: {}\n", commit.expect("a commit"))), "{text}");
    let index = fs::read_to_string(Path::new(&pages).join("index.html")).expect("the page");
    assert!(index.contains("href=\"xiangqi.html\""));
    for page in ["index.html", "xiangqi.html"] {
        links_lead_somewhere(Path::new(&pages), page);
    }
    let (status, _, err) =
        reproduce(&[&words[..], &["--engine-dir", &path(folder.path(), "none")]].concat());
    assert_eq!(status, Some(1));
    assert!(err.contains("there is no program") && err.contains("lab"), "{err}");
    let text = fs::read_to_string(&summary).expect("the summary");
    assert!(text.contains("This reproduction failed: there is no program"), "{text}");
    // Another text is not overwritten, and no work is done for it.
    fs::write(&summary, "My notes\n").expect("a file");
    let (status, _, err) = reproduce(&words);
    assert_eq!(status, Some(1));
    assert!(err.contains("summary.md: not a summary of the papers"), "{err}");
    assert_eq!(fs::read_to_string(&summary).expect("the notes"), "My notes\n");
}
