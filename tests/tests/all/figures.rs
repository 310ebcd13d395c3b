//! `.ci/figures`: pages give the figures of the reproductions as `referee/REPRODUCTIONS.md` has them.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "# Results

## Connect6

| claim | the paper | ours |
|---|---|---|
| A move takes more time. | 22.58% | +23.6% |
| Fewer moves. | 6.35 | 10.09 times |

<!-- figures: connect6.overhead=+23.6%; connect6.vcdt-moves=10.09 -->
";
const PAGE: &str = "A move takes +23.6%<!-- connect6.overhead --> more time (the thesis: 22.58%).

Elsewhere 10.09 is another number, and 23.6% too.
";
const CHINESE: &str = "每步多用+23.6%<!-- connect6.overhead -->的时间（论文：22.58%）。\n";

/// Runs the script on these pages: whether it finds no fault, what it says, and the English page afterwards.
fn figures(source: &str, page: &str, chinese: &str, flags: &[&str]) -> (bool, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("referee")).expect("a folder");
    for (name, text) in
        [("referee/REPRODUCTIONS.md", source), ("README.md", page), ("README.zh-CN.md", chinese)]
    {
        fs::write(at(name), text).expect("a page");
    }
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(folder.path()).status();
    assert!(git.expect("git starts").success());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.ci/figures");
    let run = Command::new(script).args(flags).current_dir(folder.path()).output();
    let run = run.expect("python3 starts");
    let said = [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (run.status.success(), said.concat(), fs::read_to_string(at("README.md")).expect("the page"))
}

#[test]
fn pages_with_the_figures_pass_and_each_fault_is_named() {
    let (good, said, _) = figures(SOURCE, PAGE, CHINESE, &[]);
    assert!(good && said.contains("2 figures: 1 are quoted"), "{said}");
    let page = |from: &str, to: &str| {
        assert!(PAGE.contains(from));
        (SOURCE.to_string(), PAGE.replacen(from, to, 1))
    };
    let source = |from: &str, to: &str| {
        assert!(SOURCE.contains(from));
        (SOURCE.replacen(from, to, 1), PAGE.to_string())
    };
    for ((source, page), reason) in [
        (
            page("+23.6%<", "+49%<"),
            "README.md:1: +49% is marked `connect6.overhead`, which is +23.6%",
        ),
        (page("+23.6%<", "much <"), "README.md:1: no number is marked `connect6.overhead`"),
        (page("6.overhead", "6.excess"), "README.md:1: the mark `connect6.excess` names no figure"),
        (page("6.overhead", "6.vcdt-moves"), "which is 10.09"),
        (page("<!-- connect6.overhead -->", ""), "README.md:1: +23.6% "),
        (page("<!-- connect6.overhead -->", ""), "README.md: no mark `connect6.overhead`"),
        (
            page("Elsewhere", "The thesis:"),
            "README.md:3: 10.09 is the figure `connect6.vcdt-moves`",
        ),
        (
            page("Elsewhere 10.09 is", "We need 7 times less (paper: 5); 10.09 is"),
            "README.md:3: 7 ",
        ),
        (source("| +23.6% |", "| +43.0% |"), "the section does not say +23.6%"),
        (source("; connect6.vcdt-moves=10.09", ""), "1 figures: 1"),
        (source("vcdt-moves=10.09", "overhead=10.09"), "line 10 has it, too"),
        (source("vcdt-moves=10.09", "vcdt-moves: 10"), "expected NAME.NAME=NUMBER"),
    ] {
        let (good, said, _) = figures(&source, &page, CHINESE, &[]);
        assert_eq!(good, reason.starts_with("1 figures"), "{reason}: {said}");
        assert!(said.contains(reason), "{reason}: {said}");
    }
}

#[test]
fn writing_renews_the_marked_figures_and_nothing_else() {
    let newer = SOURCE.replace("+23.6%", "+43.1%");
    let chinese = CHINESE.replace("+23.6%", "+43.1%");
    assert!(!figures(&newer, PAGE, &chinese, &[]).0);
    let (good, said, page) = figures(&newer, PAGE, CHINESE, &["--write"]);
    assert!(good && said.contains("README.md: renewed"), "{said}");
    assert_eq!(page, PAGE.replacen("+23.6%", "+43.1%", 1));
}
