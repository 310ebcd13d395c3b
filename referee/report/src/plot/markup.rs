//! Text, lengths and the style sheet of pictures and pages.

use maud::Markup;
use std::fmt::{self, Display};

/// Replaces every character that XML forbids by U+FFFD: the names and messages of engines may
/// contain any byte.
pub fn without_control_characters(document: &str) -> String {
    let forbidden = |c: char| {
        c.is_control() && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    document.replace(forbidden, "\u{fffd}")
}

/// A length in user units, printed with at most two decimals.
pub fn px(x: f64) -> impl Display {
    struct Px(f64);
    impl Display for Px {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let text = format!("{:.2}", self.0);
            let text = text.trim_end_matches('0').trim_end_matches('.');
            f.write_str(if text == "-0" { "0" } else { text })
        }
    }
    Px(x)
}

/// Colours and fonts of charts and pages, for light and dark mode. The series have the palette of
/// Okabe and Ito, which colour-blind readers can distinguish; markers and dashes differ too.
pub const STYLE: &str = "\
.agon{--ink:#1c2430;--faint:#5b6675;--rule:#d5dae1;--paper:#fff;\
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#b58900;--c5:#56b4e9;\
font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;\
color:var(--ink)}\
@media (prefers-color-scheme:dark){.agon{--ink:#e6e9ee;--faint:#9aa5b4;--rule:#39424f;\
--paper:#171b21;--c0:#4aa8e0;--c1:#ff8a3d;--c2:#2cc295;--c3:#e39bc4;--c4:#e0b93a;--c5:#8fd0f5}}\
svg.agon{background:var(--paper)}\
svg.agon text{fill:var(--ink);font-size:13px}\
svg.agon .title{font-size:15px;font-weight:600}\
svg.agon .tick{fill:var(--faint);font-size:12px}\
svg.agon .grid{stroke:var(--rule);stroke-width:1}\
svg.agon .axis{stroke:var(--faint);stroke-width:1;fill:none}\
svg.agon .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\
svg.agon .dashed{stroke-dasharray:6 5}\
svg.agon .dotted{stroke-dasharray:1.5 4}\
svg.agon .dashdot{stroke-dasharray:9 4 1.5 4}\
svg.agon .bar{stroke-width:1.5;fill:none}\
svg.agon .band{stroke:none;opacity:.18}\
svg.agon .dot{stroke:var(--paper);stroke-width:.8}\
svg.agon .s0{stroke:var(--c0)}svg.agon .f0{fill:var(--c0)}\
svg.agon .s1{stroke:var(--c1)}svg.agon .f1{fill:var(--c1)}\
svg.agon .s2{stroke:var(--c2)}svg.agon .f2{fill:var(--c2)}\
svg.agon .s3{stroke:var(--c3)}svg.agon .f3{fill:var(--c3)}\
svg.agon .s4{stroke:var(--c4)}svg.agon .f4{fill:var(--c4)}\
svg.agon .s5{stroke:var(--c5)}svg.agon .f5{fill:var(--c5)}\
svg.agon .slot{fill:var(--paper);stroke:var(--faint);stroke-width:1}\
svg.agon .slot.won{stroke:var(--c0);stroke-width:2.2}";

/// The number of colours in the palette.
pub(super) const COLOURS: usize = 6;

/// A standalone file: the picture with its style inside.
pub fn standalone(svg: &Markup) -> String {
    let text = without_control_characters(&svg.0);
    // Every picture begins with its svg tag; the style follows it.
    match text.split_once('>') {
        Some((tag, rest)) => format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{tag}><style>{STYLE}</style>{rest}\n"
        ),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            [px(1.0), px(0.126), px(-0.001), px(12.5)].map(|p| p.to_string()),
            ["1", "0.13", "0", "12.5"]
        );
    }

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        assert_eq!(without_control_characters("a\u{0}\tb\u{1b}\n"), "a\u{fffd}\tb\u{fffd}\n");
    }
}
