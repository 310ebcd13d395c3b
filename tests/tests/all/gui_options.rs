//! What graphical interfaces expect of an engine: `Ponder`, `MultiPV`, `UCI_ShowWDL`, `Clear Hash`,
//! bounds and `hashfull`.

use crate::support::{ENGINES, Process};

/// The lines of a search up to its move.
fn search(engine: &mut Process, go: &str) -> Vec<String> {
    engine.send(go);
    engine.lines_until("bestmove")
}

/// The number after this word in the last line that has it.
fn last(lines: &[String], word: &str) -> Option<u64> {
    let after = |l: &String| l.split(&format!(" {word} ")).nth(1)?.split(' ').next()?.parse().ok();
    lines.iter().rev().find_map(after)
}

#[test]
fn options_are_listed_under_the_names_that_interfaces_know() {
    for (name, _) in ENGINES {
        let mut engine = Process::start(name, &[] as &[&str]);
        engine.send("uci");
        let lines = engine.lines_until("uciok");
        let lists = |line: &str| lines.iter().any(|l| l == line);
        assert!(lists("option name Clear Hash type button"), "{name}: {lines:?}");
        let has_chance = ["einstein", "darkchess"].contains(name);
        assert_eq!(lists("option name Ponder type check default false"), !has_chance, "{name}");
        assert!(lists("option name UCI_ShowWDL type check default false"), "{name}");
        assert!(lists("option name MultiPV type spin default 1 min 1 max 500"), "{name}");
    }
}

#[test]
fn clear_hash_forgets_earlier_searches() {
    let mut engine = Process::open("xiangqi", &[] as &[&str], "uci");
    engine.send("position startpos moves h2e2");
    let mut nodes = || last(&search(&mut engine, "go depth 5"), "nodes").expect("a node count");
    let (first, again) = (nodes(), nodes());
    assert!(again < first, "{again} {first}: the table was not used");
    engine.send("setoption name Clear Hash");
    let mut nodes = || last(&search(&mut engine, "go depth 5"), "nodes").expect("a node count");
    assert_eq!(nodes(), first);
}

#[test]
fn win_draw_and_loss_are_reported_on_request_and_add_up() {
    for (name, position) in ENGINES {
        let mut engine = Process::open(name, &[] as &[&str], "uci");
        engine.send("setoption name UCI_Variant value xiangqi");
        engine.send(position);
        let silent = search(&mut engine, "go depth 2");
        assert!(!silent.iter().any(|l| l.contains(" wdl ")), "{silent:?}");
        engine.send("setoption name UCI_ShowWDL value true");
        let lines = search(&mut engine, "go depth 2");
        let line = lines.iter().rfind(|l| l.contains(" score ")).expect("a score");
        let rest = line.split(" wdl ").nth(1).unwrap_or_else(|| panic!("{name}: {line}"));
        let wdl: Vec<u32> = rest.split(' ').take(3).map_while(|w| w.parse().ok()).collect();
        assert_eq!((wdl.len(), wdl.iter().sum::<u32>()), (3, 1000), "{name}: {line}");
        assert!(wdl[1] == 0 || ["xiangqi", "darkchess"].contains(name), "{name} has no draws");
    }
}

/// Searches that rank all root moves themselves report several lines of one search.
#[test]
fn several_lines_are_reported_with_different_moves_by_rank() {
    for (name, algorithm) in [
        ("nogo", "rave"),
        ("nogo", "puct"),
        ("nogo", "mcts"),
        ("xiangqi", "mcts"),
        ("einstein", "best"),
        ("einstein", "mcts"),
    ] {
        let (_, position) = ENGINES.iter().find(|(n, _)| *n == name).expect("an engine");
        let algorithm = format!("Algorithm={algorithm}");
        let mut engine = Process::open(name, &["--option", &algorithm], "ugi");
        engine.send("setoption name MultiPV value 3");
        engine.send(position);
        let lines = search(&mut engine, "go depth 3");
        let best = lines.last().and_then(|l| l.split(' ').nth(1)).expect("a move");
        let mut moves = Vec::new();
        for rank in 1..=3 {
            let mark = format!(" multipv {rank} ");
            let line = lines.iter().rfind(|l| l.contains(&mark));
            let line = line.unwrap_or_else(|| panic!("{name}, {rank}: {lines:?}"));
            let first = line.split(" pv ").nth(1).and_then(|pv| pv.split(' ').next());
            moves.push(first.expect("a variation").to_string());
        }
        assert_eq!(moves[0], best, "{name}: {lines:?}");
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), 3, "{name}: {lines:?}");
    }
    // After a decision without chance, the tree knows the answer: interfaces ponder on it.
    let mut engine = Process::open("nogo", &[] as &[&str], "ugi");
    let lines = search(&mut engine, "go depth 3");
    let pv = lines.iter().rev().find_map(|l| l.split(" pv ").nth(1)).expect("a variation");
    assert!(pv.split(' ').count() >= 2, "{lines:?}");
}

#[test]
fn reports_have_hashfull_and_bounds() {
    let mut engine = Process::open("amazons", &["--option", "Hash=1"], "uci");
    engine.send("position startpos moves d1d7,d7g7");
    let lines = search(&mut engine, "go movetime 3000");
    let reports: Vec<&String> = lines.iter().filter(|l| l.contains(" score ")).collect();
    assert!(reports.iter().filter(|l| l.contains(" hashfull ")).count() * 2 > reports.len());
    assert!(last(&lines, "hashfull") > Some(0), "{lines:?}");
    let bounds = reports.iter().filter(|l| l.contains("lowerbound") || l.contains("upperbound"));
    for line in bounds.clone() {
        assert!(line.contains(" score ") && line.contains(" pv "), "{line}");
    }
    println!("{} bounds in {} reports", bounds.count(), reports.len());
    let exact = reports.last().expect("a report");
    assert!(!exact.contains("bound"), "{exact}");
}

#[test]
fn pondering_ends_with_one_move_after_a_hit_or_a_miss() {
    for (end, name) in [("ponderhit", "xiangqi"), ("stop", "xiangqi"), ("ponderhit", "amazons")] {
        let mut engine = Process::open(name, &[] as &[&str], "uci");
        engine.send("setoption name Ponder value true");
        engine.send("position startpos");
        engine.send("go ponder wtime 300 btime 300 winc 0 binc 0");
        engine.send("isready");
        engine.until("readyok");
        engine.send(end);
        assert!(engine.until("bestmove").starts_with("bestmove "));
        engine.send("isready");
        engine.until("readyok");
    }
}
