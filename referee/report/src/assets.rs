//! The JavaScript and the style of boards, replays and languages, which reports and the pages of the
//! server share. A piece or a board is drawn nowhere else.
//!
//! The server serves the modules as files. A report loads nothing, so it has them joined into one.

use std::fmt::Write;

/// The modules by name, each after those that it imports.
pub const SHARED: [(&str, &str); 16] = [
    ("dom.js", include_str!("assets/dom.js")),
    ("i18n.js", include_str!("assets/i18n.js")),
    ("notation.js", include_str!("assets/notation.js")),
    ("board-grid.js", include_str!("assets/board-grid.js")),
    ("board-marks.js", include_str!("assets/board-marks.js")),
    ("pieces.js", include_str!("assets/pieces.js")),
    ("board-input.js", include_str!("assets/board-input.js")),
    ("board-setup.js", include_str!("assets/board-setup.js")),
    ("board-state.js", include_str!("assets/board-state.js")),
    ("board-picture.js", include_str!("assets/board-picture.js")),
    ("board.js", include_str!("assets/board.js")),
    ("score.js", include_str!("assets/score.js")),
    ("step-keys.js", include_str!("assets/step-keys.js")),
    ("replay-curves.js", include_str!("assets/replay-curves.js")),
    ("replay.js", include_str!("assets/replay.js")),
    ("switches.js", include_str!("assets/switches.js")),
];

/// The modules that only a report has, in the same order.
const REPORT: [(&str, &str); 2] = [
    ("i18n-report.js", include_str!("assets/i18n-report.js")),
    ("report.js", include_str!("assets/report.js")),
];

/// The modules of a page whose elements carry both languages, in the same order.
const BILINGUAL: [(&str, &str); 5] = [
    ("dom.js", include_str!("assets/dom.js")),
    ("i18n.js", include_str!("assets/i18n.js")),
    ("notation.js", include_str!("assets/notation.js")),
    ("switches.js", include_str!("assets/switches.js")),
    ("bilingual.js", include_str!("assets/bilingual.js")),
];

/// The page of one board that stands still, which loads nothing: the drawing of a view.
pub fn board_page(view: &serde_json::Value) -> String {
    // Nothing in a script element may look like its end.
    let view = view.to_string().replace('<', "\\u003c");
    let modules = SHARED.into_iter().take_while(|(name, _)| *name != "score.js");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><style>{BOARD_STYLE}\
         body{{margin:0}}</style><body><script>\n{script}new Board(document.body).show({view});\n</script></html>\n",
        script = joined(modules)
    )
}

/// The style of the boards.
pub const BOARD_STYLE: &str = include_str!("assets/board.css");

/// The script of a report.
pub fn report_script() -> String {
    joined(SHARED.into_iter().chain(REPORT))
}

/// The script of a page without a board whose elements carry both languages.
pub fn bilingual_script() -> String {
    joined(BILINGUAL.into_iter())
}

/// Modules as one, without imports, exports and comments that fill whole lines.
fn joined(modules: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let mut joined = String::new();
    for line in modules.flat_map(|(_, module)| module.lines()) {
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
        for script in [report_script(), bilingual_script()] {
            let mut names = BTreeSet::new();
            for line in script.lines() {
                assert!(!line.starts_with("import") && !line.starts_with("export"), "{line}");
                let declared = ["class ", "function ", "async function ", "const ", "let "];
                let Some(rest) = declared.iter().find_map(|word| line.strip_prefix(word)) else {
                    continue;
                };
                let end =
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                assert!(names.insert(&rest[..end]), "{} is declared twice", &rest[..end]);
            }
            assert!(["t", "addSwitches"].iter().all(|name| names.contains(name)));
            assert!(!script.contains("</script"), "would end the page's script element");
        }
        assert!(
            ["class Board ", "class Replay "].iter().all(|name| report_script().contains(name))
        );
    }

    /// An import that is left out must be a line of its own, of a module further up, and give
    /// nothing another name.
    #[test]
    fn every_module_imports_only_modules_before_it_in_one_line_each() {
        for modules in [SHARED.into_iter().chain(REPORT).collect::<Vec<_>>(), BILINGUAL.into()] {
            imports_come_before(&modules);
        }
    }

    fn imports_come_before(modules: &[(&str, &str)]) {
        let mut before = BTreeSet::new();
        for (name, module) in modules {
            for line in module.lines().filter(|line| line.starts_with("import")) {
                let from = line.strip_suffix("';").and_then(|line| line.rsplit_once("'./"));
                let (what, from) = from.unwrap_or_else(|| panic!("{name}: {line}"));
                assert!(before.contains(from), "{name} imports {from}, which does not come before");
                assert!(!what.contains(" as ") && !what.contains('*'), "{name}: {line}");
            }
            for line in module.lines().filter(|line| line.starts_with("export")) {
                assert!(
                    !line.starts_with("export {") && !line.contains("default"),
                    "{name}: {line}"
                );
            }
            before.insert(*name);
        }
    }
}
