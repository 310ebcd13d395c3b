//! Hostile texts: identification, options and variations with which an engine attacks the terminal,
//! the log and the pages of the referee.

/// Reset of a terminal, a title, a bell, right-to-left override, NUL, HTML, CSV and a formula.
pub const HOSTILE: &str =
    "\u{1b}c\u{1b}]0;owned\u{7}\u{202e}evil\0<script>alert(1)</script>,\"=1+1\"";

/// A name with control characters that is longer than any table is wide.
pub fn name() -> String {
    format!("{HOSTILE}{}", "x".repeat(10_000))
}

/// Lines that list options: names with control characters, wrong types, wrong ranges, no name, and
/// very many.
pub fn options() -> String {
    let mut lines = String::from(
        "option\noption name\noption name type\noption name A type nothing default x\n\
         option name B type spin default many min 9 max -9\noption name Seed type string\n",
    );
    lines.push_str(&format!("option name {HOSTILE} type string default {HOSTILE}\n"));
    for i in 0..5_000 {
        lines.push_str(&format!("option name Option{i} type spin default {i} min 0 max {i}\n"));
    }
    lines
}

/// Lines of search info: numbers beyond any range, control characters, a variation of illegal moves,
/// and a very long one.
pub fn variations() -> String {
    let mut lines = String::from(
        "info depth 99999999999999999999 nodes -1 score cp 99999999999 time x pv\n\
         info score mate 0 score mate -2147483648 nps nan depth 0\n\
         info depth 1 nodes 18446744073709551615 score cp -2147483648 pv d1d7,d7g7 d1d7,d7g7\n",
    );
    lines.push_str(&format!("info depth 2 pv {HOSTILE} {HOSTILE} string {HOSTILE}\n"));
    lines.push_str(&format!("info string {HOSTILE}\n"));
    lines.push_str(&format!("info depth 3 score cp 1 pv {}\n", "a1a1,a1a1 ".repeat(20_000)));
    lines
}
