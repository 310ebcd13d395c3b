//! The script of a page that loads nothing: the modules of the server's pages, joined into one.

use std::fmt::Write;

/// The modules in the order of their imports.
const MODULES: [&str; 13] = [
    include_str!("../../web/assets/dom.js"),
    include_str!("../../web/assets/i18n.js"),
    include_str!("../../web/assets/board-grid.js"),
    include_str!("../../web/assets/pieces.js"),
    include_str!("../../web/assets/board-input.js"),
    include_str!("../../web/assets/board-setup.js"),
    include_str!("../../web/assets/board-state.js"),
    include_str!("../../web/assets/board.js"),
    include_str!("../../web/assets/replay-curves.js"),
    include_str!("../../web/assets/replay.js"),
    include_str!("../../web/assets/switches.js"),
    include_str!("i18n-report.js"),
    include_str!("report.js"),
];

/// The style of the boards.
pub const BOARD_STYLE: &str = include_str!("../../web/assets/board.css");

/// All modules as one: without imports, exports and comments that fill whole lines.
pub fn script() -> String {
    let mut joined = String::new();
    for line in MODULES.iter().flat_map(|module| module.lines()) {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with("//") || line.starts_with("import ") {
            continue;
        }
        // Writing to a String cannot fail.
        let _ = writeln!(joined, "{}", line.strip_prefix("export ").unwrap_or(line));
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_joined_modules_need_no_other_and_share_no_names() {
        let script = script();
        let mut names = BTreeSet::new();
        for line in script.lines() {
            assert!(!line.starts_with("import") && !line.starts_with("export"), "{line}");
            let declared = ["class ", "function ", "async function ", "const ", "let "];
            let Some(rest) = declared.iter().find_map(|word| line.strip_prefix(word)) else {
                continue;
            };
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            assert!(names.insert(&rest[..end]), "{} is declared twice", &rest[..end]);
        }
        assert!(["Board", "Replay", "t", "drawPiece"].iter().all(|name| names.contains(name)));
        assert!(!script.contains("</script"), "would end the page's script element");
    }
}
