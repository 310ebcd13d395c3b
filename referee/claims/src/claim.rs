//! A claim of a paper, or a finding of ours: its words in English and Chinese, its place in the
//! paper, and its verdict, which only [`Statement::judged`] and [`Statement::untested`] give.

use crate::verdict::{ClaimVerdict, Finding, Origin, Share};
use serde_json::{Value, json};

/// What is claimed, before it is judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    origin: Origin,
    section: String,
    text: String,
    chinese: String,
}

impl Statement {
    /// A claim of the paper. `section`: its place there, such as "4.3, table 5"; see [`Place`].
    pub fn paper(
        section: impl Into<String>,
        text: impl Into<String>,
        chinese: impl Into<String>,
    ) -> Statement {
        let (section, text, chinese) = (section.into(), text.into(), chinese.into());
        Statement { origin: Origin::Paper, section, text, chinese }
    }

    /// A finding of ours about that place of the paper.
    pub fn ours(
        section: impl Into<String>,
        text: impl Into<String>,
        chinese: impl Into<String>,
    ) -> Statement {
        Statement { origin: Origin::Ours, ..Statement::paper(section, text, chinese) }
    }

    /// The claim, judged by figures from this share of its experiment. `evidence` are the figures.
    pub fn judged(self, share: Share, finding: Finding, evidence: impl AsRef<str>) -> Claim {
        let (verdict, evidence) = ClaimVerdict::of(share, finding, evidence.as_ref());
        self.claim(verdict, Some(share), evidence)
    }

    /// The claim, which nothing here tests, with the reason.
    pub fn untested(self, reason: impl Into<String>) -> Claim {
        self.claim(ClaimVerdict::Untested, None, reason.into())
    }

    fn claim(self, verdict: ClaimVerdict, share: Option<Share>, evidence: String) -> Claim {
        let (paper, reading) = (String::new(), String::new());
        let figures = Vec::new();
        Claim { statement: self, paper, reading, verdict, share, evidence, figures }
    }
}

/// A claim with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    statement: Statement,
    paper: String,
    reading: String,
    verdict: ClaimVerdict,
    share: Option<Share>,
    evidence: String,
    figures: Vec<(&'static str, String)>,
}

impl Claim {
    /// Names a number of the evidence that pages quote, such as "connect6.overhead"; `.ci/figures` compares
    /// them. A figure of less than the claim needs has no name.
    #[must_use]
    pub fn figure(mut self, name: &'static str, number: impl Into<String>) -> Claim {
        if self.share.is_some_and(Share::suffices) {
            self.figures.push((name, number.into()));
        }
        self
    }

    /// Adds the paper's figure.
    #[must_use]
    pub fn published(self, paper: impl Into<String>) -> Claim {
        Claim { paper: paper.into(), ..self }
    }

    /// Adds the reading of the paper, where it allows several.
    #[must_use]
    pub fn in_reading(self, reading: impl Into<String>) -> Claim {
        Claim { reading: reading.into(), ..self }
    }

    /// The same claim in a reading that is ours and not the paper's words: a finding of ours.
    #[must_use]
    pub fn in_our_reading(self, reading: impl Into<String>) -> Claim {
        let statement = Statement { origin: Origin::Ours, ..self.statement };
        Claim { statement, reading: reading.into(), ..self }
    }

    /// Whose claim it is.
    pub fn origin(&self) -> Origin {
        self.statement.origin
    }

    /// Its place in the paper.
    pub fn section(&self) -> Place<'_> {
        Place(&self.statement.section)
    }

    /// The claim in the paper's terms.
    pub fn text(&self) -> &str {
        &self.statement.text
    }

    /// The same in Chinese.
    pub fn chinese(&self) -> &str {
        &self.statement.chinese
    }

    /// The paper's figure; empty if it gives none.
    pub fn paper(&self) -> &str {
        &self.paper
    }

    /// The reading of the paper; empty if there is only one.
    pub fn reading(&self) -> &str {
        &self.reading
    }

    /// Whether our data reproduces it.
    pub fn verdict(&self) -> ClaimVerdict {
        self.verdict
    }

    /// The word for the verdict.
    pub fn verdict_name(&self) -> &'static str {
        self.verdict.name(self.origin())
    }

    /// How much of its experiment was run; `None` if nothing tests it.
    pub fn share(&self) -> Option<Share> {
        self.share
    }

    /// The share in words.
    pub fn share_text(&self) -> String {
        self.share.map_or("-".into(), Share::text)
    }

    /// Our figures that decide it.
    pub fn evidence(&self) -> &str {
        &self.evidence
    }

    /// The named figures: name and number.
    pub fn figures(&self) -> &[(&'static str, String)] {
        &self.figures
    }

    /// The claim with its reading.
    pub fn title(&self) -> String {
        match self.reading.as_str() {
            "" => self.text().into(),
            reading => format!("{reading}: {}", self.text()),
        }
    }

    /// The claim with its reading, in Chinese.
    pub fn chinese_title(&self) -> String {
        match self.reading.as_str() {
            "" => self.chinese().into(),
            reading => format!("{reading}：{}", self.chinese()),
        }
    }

    /// The claim as a row of JSON output.
    pub fn json(&self) -> Value {
        json!({
            "table": "claim",
            "origin": match self.origin() { Origin::Paper => "paper", Origin::Ours => "ours" },
            "section": self.statement.section,
            "claim": self.text(),
            "chinese": self.chinese(),
            "reading": self.reading,
            "paper": self.paper,
            "ours": self.evidence,
            "verdict": self.verdict_name(),
            "share": self.share.map(|share| json!({
                "run": share.run,
                "whole": share.whole,
                "needed": share.needed,
                "unit": share.unit.name(),
                "percent": share.percent(),
            })),
        })
    }
}

/// A place in a paper: parts between commas, each a section number ("4.3") or a word of [`PLACES`],
/// alone ("abstract") or with what it names ("table 5", "figures 2 and 3", "formulas (1) to (4)").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a>(pub &'a str);

/// The words of places: before the number in English, and before and behind it in Chinese.
const PLACES: [(&str, &str, &str); 9] = [
    ("section", "第 ", " 节"),
    ("chapter", "第 ", " 章"),
    ("page", "第 ", " 页"),
    ("table", "表 ", ""),
    ("figure", "图 ", ""),
    ("formula", "公式 ", ""),
    ("abstract", "摘要", ""),
    ("conclusion", "结论", ""),
    ("introduction", "引言", ""),
];

impl Place<'_> {
    /// The place in Chinese; `None` if a part of it is no place.
    pub fn chinese(self) -> Option<String> {
        let parts: Option<Vec<String>> = self.0.split(", ").map(Place::part).collect();
        parts.map(|parts| parts.join("，"))
    }

    /// The place in Chinese, or as it is.
    pub fn in_chinese(self) -> String {
        self.chinese().unwrap_or_else(|| self.to_string())
    }

    fn part(part: &str) -> Option<String> {
        let (word, number) = match part.split_once(' ') {
            _ if part.starts_with(|c: char| c.is_ascii_digit()) => ("section", part),
            Some((word, number)) => (word, number),
            None => (part, ""),
        };
        let named = |name: &str| word == name || word.strip_suffix('s') == Some(name);
        let (_, before, behind) = PLACES.into_iter().find(|(name, _, _)| named(name))?;
        let number = number.replace(" and ", "、").replace(" to ", " 至 ");
        let spoken = number.chars().any(|c| c.is_ascii_alphabetic() && c.is_lowercase());
        (!spoken).then(|| format!("{before}{number}{behind}"))
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "-" } else { self.0 })
    }
}

/// Checks what the compiler cannot, for the tests of each paper: every claim has a Chinese text and a place that can be
/// named in Chinese.
///
/// # Panics
///
/// If a claim lacks one of them.
pub fn assert_bilingual(claims: &[Claim]) {
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    for claim in claims {
        assert!(is_chinese(claim.chinese()), "no Chinese text: {}", claim.text());
        let place = claim.section();
        assert!(place.chinese().is_some_and(|text| is_chinese(&text)), "no place: {place}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Unit;

    #[test]
    fn a_claim_carries_its_place_its_share_and_its_origin() {
        let statement = Statement::paper("4.3, table 5", "It is faster.", "更快。");
        let share = Share::of_set(1, 272, Unit::Positions);
        let claim = statement.clone().judged(share, Finding::Holds, "7 times");
        assert_eq!(claim.verdict(), ClaimVerdict::Open);
        assert_eq!(claim.clone().figure("a.times", "7").figures(), []);
        let whole = statement.clone().judged(Share::of_set(9, 9, Unit::Sets), Finding::Holds, "7");
        assert_eq!(whole.figure("a.times", "7").figures(), [("a.times", "7".to_string())]);
        let row = claim.clone().published("6.35").in_our_reading("mine").json();
        let part = |a: &str, b: &str| if b.is_empty() { &row[a] } else { &row[a][b] }.to_string();
        assert_eq!(part("origin", "") + &part("section", ""), "\"ours\"\"4.3, table 5\"");
        assert_eq!(
            (part("share", "run"), part("share", "whole"), part("share", "unit")),
            ("1".into(), "272".into(), "\"positions\"".into())
        );
        assert_eq!(row["ours"], "1 of 272 positions; the test needs all: 7 times");
        assert_eq!((claim.title(), claim.share_text()).1, "1 of 272 positions (0.4%)");
        let untested = statement.untested("no clock");
        assert_eq!((untested.json()["share"].is_null(), untested.share_text()), (true, "-".into()));
        assert_bilingual(&[claim, untested]);
    }

    #[test]
    fn the_words_of_a_verdict_say_whose_claim_it_is() {
        let judge = |statement: Statement| {
            statement.judged(Share::of_set(1, 1, Unit::Counts), Finding::Holds, "").verdict_name()
        };
        assert_eq!(judge(Statement::paper("1", "a", "一")), "reproduced");
        assert_eq!(judge(Statement::ours("1", "a", "一")), "holds");
    }

    #[test]
    fn places_are_named_in_chinese_and_other_words_are_none() {
        let chinese = |text| Place(text).chinese().unwrap_or_default();
        assert_eq!(chinese("4.3, table 5"), "第 4.3 节，表 5");
        assert_eq!(chinese("figures 2 and 3"), "图 2、3");
        assert_eq!(chinese("section 3, formulas (1) to (4)"), "第 3 节，公式 (1) 至 (4)");
        assert_eq!(chinese("abstract"), "摘要");
        for text in ["", "somewhere", "table five", "figure 2 or 3"] {
            assert_eq!(Place(text).chinese(), None, "{text}");
        }
    }
}
