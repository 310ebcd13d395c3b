//! `lab connect6 learn`: line values from searches.

use crate::support::matches::MATCH;
use crate::support::{run, texts};
use std::fs;
use std::path::Path;

/// Learns from few and short searches: whether it succeeded, its output and its errors.
fn learn(folder: &Path, more: &[&str]) -> (bool, String, String) {
    let name = folder.display().to_string();
    let few =
        ["connect6", "learn", "--folder", &name, "--nodes", "150", "--depth", "1", "--files", "2"];
    let output = run("lab", &[&few[..], more].concat(), MATCH);
    let (out, err) = texts(&output);
    (output.status.success(), out, err)
}

#[test]
fn a_seed_makes_the_same_values_resumed_or_not_and_best_plays_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (made, out, err) = learn(folder, &["--jobs", "2"]);
    assert!(made && out.contains("held out") && err.is_empty(), "{out} {err}");
    let read = || fs::read_to_string(folder.join("values.txt")).expect("values");
    let whole = read();
    assert!(
        whole.contains("lab connect6 learn --seed 1 --nodes 150 --depth 1 --files 2"),
        "{whole}"
    );
    fs::remove_file(folder.join("0001.nodes")).expect("a file of nodes");
    assert!(learn(folder, &[]).0);
    assert_eq!(read(), whole);
    let values = format!("LineValues={}", folder.join("values.txt").display());
    let bench = run("connect6", &["bench", "--depth", "1", "--option", &values], MATCH);
    assert!(bench.status.success(), "{:?}", texts(&bench));

    let (made, _, err) = learn(folder, &["--seed", "2"]);
    assert!(!made && err.contains("--seed 1 --nodes 150 --depth 1"), "{err}");
    let torn = folder.join("0001.nodes");
    let bytes = fs::read(&torn).expect("nodes");
    fs::write(&torn, &bytes[..bytes.len() / 2]).expect("a file");
    let (made, _, err) = learn(folder, &[]);
    assert!(!made && err.contains("0001.nodes") && err.contains("torn"), "{err}");
}
