//! `referee verify FILE.txt [OTHER.txt]`: the records that teams hand in.

use agon_base::counted;
use agon_games::ccgc::{Record, read, result_word};
use agon_matches::encoding::{check, decode};
use agon_matches::verify::{RecordFindings, check_record, difference, other_fields};
use agon_matchlog::Setting;
use agon_wire::input_file;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Maximum size of a record in bytes; a long game has some thousands.
const LARGEST: u64 = 1 << 20;

/// Whether a file is a record, or in another format of games, rather than a log, by its beginning.
pub fn is_record(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = input_file::open(path).and_then(|f| match f.metadata()?.len() {
        // A file that the system makes up as it is read may never end.
        0 => Ok(0),
        _ => f.take(64).read_to_end(&mut start),
    });
    let is_log = start.starts_with(b"{\"");
    if !is_log && check(path, &start).is_err() {
        return true;
    }
    let text = String::from_utf8_lossy(&start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let by_name = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("txt"));
    read.is_ok() && !text.starts_with("{\"") && (by_name || text.starts_with(['#', '{', '(', '[']))
}

/// Verifies records and compares them with the first one. Returns whether all are sound and equal.
pub fn verify(paths: &[&PathBuf], rules: &[Setting], as_json: bool) -> Result<bool> {
    let (mut sound, mut first): (bool, Option<(&Path, Record)>) = (true, None);
    for path in paths {
        let name = path.display();
        let bytes = bytes(path)?;
        let text = check(path, &bytes).and_then(|()| decode(&bytes));
        let text = text.map_err(|e| anyhow::anyhow!("{name}: {e}"))?;
        let (record, mut findings) = match read(&text) {
            Ok(record) => {
                let findings = check_record(&record, rules);
                let findings = findings.map_err(|e| anyhow::anyhow!("--rule: {e}"))?;
                (Some(record), findings)
            }
            Err(e) => {
                let defects = vec![e.to_string()];
                (None, RecordFindings { defects, ..RecordFindings::default() })
            }
        };
        if let (Some((other, one)), Some(record)) = (&first, &record) {
            let other = other.display();
            let differs = difference(one, record);
            findings.defects.extend(differs.map(|d| format!("differs from {other} in {d}")));
            let fields = other_fields(one, record).into_iter();
            findings.remarks.extend(fields.map(|f| format!("differs from {other} in {f}")));
        }
        sound &= findings.defects.is_empty();
        report(path, record.as_ref(), &findings, as_json);
        first = first.or_else(|| record.map(|record| (path.as_path(), record)));
    }
    Ok(sound)
}

/// The contents of a file, if it is not too large for a record.
fn bytes(path: &Path) -> Result<Vec<u8>> {
    let name = || path.display().to_string();
    let mut bytes = Vec::new();
    let file = input_file::open(path).with_context(name)?;
    if file.metadata().with_context(name)?.len() > 0 {
        file.take(LARGEST + 1).read_to_end(&mut bytes).with_context(name)?;
    }
    if bytes.len() as u64 > LARGEST {
        bail!("{}: larger than {LARGEST} bytes: no record of a game", name());
    }
    Ok(bytes)
}

fn report(path: &Path, record: Option<&Record>, findings: &RecordFindings, as_json: bool) {
    let name = path.display();
    let (defects, remarks) = (&findings.defects, &findings.remarks);
    if as_json {
        let game = record.map(|r| r.game.name());
        let line = json!({
            "record": name.to_string(), "game": game, "plies": findings.plies, "fen": findings.fen,
            "first": record.map(|r| &r.first), "second": record.map(|r| &r.second),
            "result": record.map(|r| result_word(r.result)), "defects": defects, "remarks": remarks,
        });
        println!("{line}");
        return;
    }
    defects.iter().for_each(|defect| eprintln!("{name}: {defect}"));
    remarks.iter().for_each(|remark| println!("{name}: remark: {remark}"));
    if let Some(r) = record {
        let (game, result) = (r.game.name(), result_word(r.result));
        println!(
            "{name}: {game}, {} - {}, {result}, {}",
            r.first,
            r.second,
            counted(findings.plies, "ply")
        );
    }
    let verdict = match defects.len() {
        0 => "no defect".into(),
        1 => "1 defect".into(),
        n => counted(n, "defect"),
    };
    println!("{name}: {verdict}");
}
