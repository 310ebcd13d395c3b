//! The table of other managers' words in the referee's README: each row is run in their words and in ours, and both
//! matches must be the same.

use crate::fastchess::{fastchess, folder, header};
use crate::support::matches::{games, referee};
use crate::support::program;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A row of the README's table: its first cell, words of fastchess, and ours for the same match. `{T}` and `{R}` are
/// engines without and with a protocol of their own choice, `{D}` a folder. Without words of ours the row is run and
/// must show the text.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "`-engine cmd=A name=a`, `-each tc=60+0.5`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each tc=60+0.5",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --each tc=60+0.5",
    ),
    (
        "`args=\"X Y\"`, `arg=X`",
        "-engine cmd={T} name=a args=3_4 -engine cmd={T} name=b arg=3 -each depth=1",
        "match --engine cmd={T}_3_4,name=a --engine cmd={T},arg=3,name=b --depth 1",
    ),
    (
        "`-each cmd=./e dir=D`",
        "-engine name=a -engine name=b -each cmd=./e dir={D} depth=1",
        "match --engine name=a,dir={D} --engine name=b,dir={D} --each cmd=./e --depth 1",
    ),
    (
        "`proto=uci`",
        "-engine cmd={R} args=honest proto=uci name=a -engine cmd={R} args=honest proto=uci name=b -each depth=1",
        "match --engine cmd={R}_honest,dialect=uci,name=a --engine cmd={R}_honest,dialect=uci,name=b --depth 1",
    ),
    (
        "`tc=40/5:00+3`, `st=1`, `depth=N`, `nodes=N`",
        "-engine cmd={T} name=a tc=40/5:00+3 -engine cmd={T} name=b st=1 depth=2 nodes=9",
        "match --engine cmd={T},name=a,tc=40/5:00+3 --engine cmd={T},name=b,movetime=1s,depth=2,nodes=9",
    ),
    (
        "`timemargin=100`",
        "-engine cmd={T} name=a timemargin=100 -engine cmd={T} name=b timemargin=7 -each depth=1",
        "match --engine cmd={T},name=a,margin=100 --engine cmd={T},name=b,margin=7 --depth 1",
    ),
    (
        "`option.Hash=64`, `dir=D`, `ponder`, `stderr=FILE`",
        "-engine cmd={A} name=a option.Hash=64 dir={D} ponder stderr={D}/dialogue -engine cmd={A} name=b -each proto=ugi nodes=9",
        "match --engine cmd={A},name=a,option.Hash=64,dir={D},ponder=true --engine cmd={A},name=b --nodes 9 --engine-log {D}/dialogue",
    ),
    (
        "`-rounds 50 -games 2 -repeat`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -rounds 50 -games 2 -repeat",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --games 100",
    ),
    (
        "`-noswap`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -noswap",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --swap no",
    ),
    (
        "`-tournament gauntlet -seeds 2`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -engine cmd={T} name=c -each depth=1 -tournament gauntlet -seeds 2",
        "tournament --engine cmd={T},name=a --engine cmd={T},name=b --engine cmd={T},name=c --depth 1 --form gauntlet --seeds 2",
    ),
    (
        "`-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
        "sprt --new cmd={T},name=a --base cmd={T},name=b --depth 1 --random-plies 0 --elo0 0 --elo1 5 --alpha 0.05 --beta 0.05 \
         --model normalised",
    ),
    (
        "`-openings file=F format=pgn order=random plies=8 start=3`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -openings file={D}/games.pgn format=pgn order=random plies=8 start=3",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --openings file={D}/games.pgn,format=pgn,order=random,plies=8,start=3",
    ),
    (
        "`-resign movecount=4 score=600`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -resign movecount=4 score=600",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --resign 600,4,one-sided",
    ),
    (
        "`-draw movenumber=40 movecount=8 score=10`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -draw movenumber=40 movecount=8 score=10",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --draw 10,8,80",
    ),
    (
        "`-maxmoves 150`, `-tb PATHS`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -maxmoves 150 -tb {D}",
        "?-tb {D}: refused: a program probes tablebases here: -tb cmd=PROGRAM",
    ),
    (
        "`-pgnout file=F`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -pgnout file={D}/out.pgn",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --pgnout {D}/ours.pgn",
    ),
    (
        "`-ratinginterval 100`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -ratinginterval 100",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --interval 100",
    ),
    (
        "`-concurrency 8`, `-use-affinity`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -concurrency 8 -force-concurrency -use-affinity",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --concurrency 8 --pin",
    ),
    (
        "`-wait 500`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -wait 500",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --wait 500",
    ),
    (
        "`-debug`, `-log file=F engine=true`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -log file={D}/log engine=true",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --engine-log {D}/log",
    ),
    (
        "`-recover`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -recover",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1",
    ),
    (
        "`-srand 7`",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -srand 7",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1 --seed 7",
    ),
    (
        "`-config file=F` (fastchess), to resume",
        "-engine cmd={T} name=a -engine cmd={T} name=b -each depth=1 -config outname={D}/first.jsonl",
        "match --engine cmd={T},name=a --engine cmd={T},name=b --depth 1",
    ),
];

#[test]
fn every_row_of_the_table_of_words_is_run() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../referee/README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    let table =
        readme.split("| cutechess-cli, fastchess | here |\n|---|---|\n").nth(1).expect("the table");
    let cells: Vec<&str> = table
        .lines()
        .map_while(|line| line.strip_prefix("| ")?.split_once(" | "))
        .map(|(cell, _)| cell)
        .collect();
    let tested: Vec<&str> = ROWS.iter().map(|(cell, ..)| *cell).collect();
    assert_eq!(cells, tested, "the rows of the table and those that are run");
    for (cell, theirs, ours) in ROWS {
        row(cell, theirs, ours);
    }
}

/// The same match in their words and in ours, in a folder with the logs of both.
struct Row {
    folder: TempDir,
    theirs: Vec<String>,
    ours: Vec<String>,
}

impl Row {
    fn new(theirs: &str, ours: &str) -> Row {
        let folder = folder();
        let mut row = Row { theirs: Vec::new(), ours: Vec::new(), folder };
        // `_` stands for a blank inside a word; paths of the machine may have one.
        let words = |text: &str| -> Vec<String> {
            text.split_whitespace().map(|word| row.filled(&word.replace('_', " "))).collect()
        };
        (row.theirs, row.ours) = (words(theirs), words(ours));
        // The engines of these tests speak UGI unless the row says otherwise.
        for (word, value) in [("proto=", "proto=ugi"), ("timemargin=", "timemargin=100")] {
            if !theirs.contains(word) {
                row.theirs.extend(["-each", value].map(String::from));
            }
        }
        for (flag, value, ours) in
            [("-rounds", "1", "--games 2"), ("-maxmoves", "1", "--max-plies 2")]
        {
            if !row.theirs.iter().any(|word| word == flag) {
                row.theirs.extend([flag, value].map(String::from));
                row.ours.extend(ours.split(' ').map(String::from));
            }
        }
        row.theirs.extend(["-variant", "amazons"].map(String::from));
        if !theirs.contains("-config") {
            row.theirs.extend(["-config".into(), format!("outname={}", row.path("first.jsonl"))]);
        }
        let log = row.path("second.jsonl");
        row.ours.extend(["--game", "amazons", "--quiet", "--log", &log].map(String::from));
        if !ours.contains("--seed") {
            row.ours.extend(["--seed", "1"].map(String::from));
        }
        row
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn filled(&self, text: &str) -> String {
        text.replace("{D}", &self.folder.path().display().to_string())
            .replace("{T}", &program("trivial").display().to_string())
            .replace("{R}", &program("rogue").display().to_string())
            .replace("{A}", &program("amazons").display().to_string())
    }
}

/// Runs both commands of a row and compares their matches.
fn row(cell: &str, theirs: &str, ours: &str) {
    let row = Row::new(theirs, ours);
    let (status, out, err) = fastchess(&words(&row.theirs));
    if let Some(refusal) = ours.strip_prefix('?') {
        assert!(status == Some(1) && err.contains(&row.filled(refusal)), "{cell}: {err}");
        return;
    }
    assert_eq!(status, Some(0), "{cell}: {out}{err}");
    assert!(out.contains("Finished game 1 (a vs "), "{cell}: {out}");
    let (_, out, err) = referee(&words(&row.ours));
    let [first, second] = ["first.jsonl", "second.jsonl"].map(|name| row.folder.path().join(name));
    assert!(second.exists(), "{cell}: {out}{err}");
    assert_eq!(header(&first), header(&second), "{cell}");
    assert_eq!(games(&first).len(), games(&second).len(), "{cell}");
    if theirs.contains("-srand") {
        let seed = |log: &Path| fs::read_to_string(log).expect("a log").contains("\"seed\":7,");
        assert!(seed(&first) && seed(&second), "{cell}");
    }
    if theirs.contains("-config") {
        another_round(&row.theirs, &first);
    }
    for (flag, file, sign) in [
        ("-pgnout", "out.pgn", "[White \"a\"]"),
        ("-log", "log", " > "),
        ("stderr=", "dialogue", " > "),
    ] {
        if theirs.contains(flag) {
            let text = fs::read_to_string(row.folder.path().join(file)).expect("the file");
            assert!(text.contains(sign), "{cell}: {text}");
        }
    }
}

/// Resumes the match of a log with one more round.
fn another_round(theirs: &[String], log: &Path) {
    let mut more: Vec<String> =
        theirs.iter().map(|word| word.replace("outname=", "file=")).collect();
    let at = more.iter().position(|word| word == "-rounds").expect("rounds");
    more[at + 1] = "2".into();
    let (status, out, err) = fastchess(&words(&more));
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(out.contains("Started game 3 of 4 (a vs b)") && !out.contains("game 2 "), "{out}");
    assert!(out.contains("Games: 4, "), "the earlier games count: {out}");
    assert_eq!(games(log).len(), 4);
}

fn words(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}
