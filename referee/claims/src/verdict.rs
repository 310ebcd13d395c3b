//! The rule by which a claim gets its verdict: how much of its experiment was run, and what the
//! figures say. Every paper's claims are judged here and nowhere else.

use agon_stats::Wilson;

/// The greatest width of a 95% interval that confirms a rate: with a wider one a claim's direction
/// may be confirmed, its figure is not.
pub const GREATEST_WIDTH: f64 = 0.1;
/// The number of games from which an interval is never wider than [`GREATEST_WIDTH`].
pub const GAMES_FOR_A_RATE: u64 = 400;
/// The greatest factor between the paper's figure and ours, of a measurement without an interval,
/// with which the figure counts as confirmed.
pub const GREATEST_FACTOR: f64 = 1.1;

/// Whether our data reproduces a claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ClaimVerdict {
    /// It does: figure and direction, or the whole statement if the claim has no figure.
    Reproduced,
    /// The direction is confirmed, the size is not.
    Direction,
    /// It does not.
    No,
    /// There is not enough data to tell.
    Open,
    /// Nothing here tests it.
    Untested,
}

/// Whose claim it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The paper's.
    Paper,
    /// Ours: what the experiment shows beyond the paper, and the paper's claims in our readings.
    Ours,
}

/// What the figures say of a claim, whatever part of the experiment they are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// They meet the claim: its figure and its direction.
    Holds,
    /// They go the claim's way, and its figure is not theirs, or cannot be confirmed.
    Direction,
    /// They contradict it.
    Fails,
    /// They do not tell.
    Unclear,
}

impl Finding {
    /// A claim without a figure, or with an exact one: it holds or it fails.
    pub fn exact(holds: bool) -> Finding {
        if holds { Finding::Holds } else { Finding::Fails }
    }

    /// A rate of won games. The direction is the paper's side of `neutral`, and needs an interval
    /// that excludes `neutral`; the figure needs an interval that contains the paper's rate and is
    /// at most [`GREATEST_WIDTH`] wide.
    pub fn of_rate(paper: f64, neutral: f64, ours: Wilson) -> Finding {
        let narrow = ours.high - ours.low <= GREATEST_WIDTH;
        let figure = ours.contains(paper) && narrow;
        let (below, above) = (ours.high < neutral, ours.low > neutral);
        if below || above {
            return match (paper > neutral && above) || (paper < neutral && below) {
                true if figure => Finding::Holds,
                true => Finding::Direction,
                false => Finding::Fails,
            };
        }
        match (figure, narrow) {
            // Without a direction in the paper, its figure is all there is.
            (true, _) if paper == neutral => Finding::Holds,
            (false, true) if !ours.contains(paper) => Finding::Fails,
            _ => Finding::Unclear,
        }
    }

    /// A factor measured once on a whole set, without an interval: "4.3 times as fast". The
    /// direction is the paper's side of 1; the figure is confirmed within [`GREATEST_FACTOR`].
    pub fn of_factor(paper: f64, ours: f64) -> Finding {
        let off = (ours / paper).ln().abs();
        match (paper > 1.0) == (ours > 1.0) && ours != 1.0 {
            true if off <= GREATEST_FACTOR.ln() => Finding::Holds,
            true => Finding::Direction,
            false => Finding::Fails,
        }
    }

    /// "At least `bar`", of a figure with its 95% interval.
    pub fn above(bar: f64, [low, high]: [f64; 2]) -> Finding {
        match (low > bar, high < bar) {
            (true, _) => Finding::Holds,
            (_, true) => Finding::Fails,
            _ => Finding::Unclear,
        }
    }

    /// The weaker of two: a claim with several figures is met if all are.
    #[must_use]
    pub fn and(self, other: Finding) -> Finding {
        let rank = |finding| match finding {
            Finding::Fails => 0,
            Finding::Unclear => 1,
            Finding::Direction => 2,
            Finding::Holds => 3,
        };
        if rank(self) <= rank(other) { self } else { other }
    }
}

/// What a share counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Games.
    Games,
    /// Positions of a problem set.
    Positions,
    /// Sets of pieces.
    Sets,
    /// Figures that the paper gives.
    Figures,
    /// Numbers of threads.
    ThreadCounts,
    /// Whole counts of a space.
    Counts,
    /// Random game trees.
    Trees,
}

impl Unit {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Games => "games",
            Unit::Positions => "positions",
            Unit::Sets => "sets",
            Unit::Figures => "figures",
            Unit::ThreadCounts => "numbers of threads",
            Unit::Counts => "counts",
            Unit::Trees => "trees",
        }
    }

    /// The Chinese word, with what stands between a number and it.
    pub fn chinese(self) -> &'static str {
        match self {
            Unit::Games => "局",
            Unit::Positions => "个局面",
            Unit::Sets => "组棋子",
            Unit::Figures => "个数值",
            Unit::ThreadCounts => "种线程数",
            Unit::Counts => "次计数",
            Unit::Trees => "棵树",
        }
    }
}

/// How much of a claim's experiment was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Units that were run.
    pub run: u64,
    /// Units of the whole experiment: the paper's number, or the size of the set.
    pub whole: u64,
    /// Units that the claim's test needs.
    pub needed: u64,
    /// What is counted.
    pub unit: Unit,
}

impl Share {
    /// For a claim about a whole set: its test needs all of it.
    pub const fn of_set(run: u64, whole: u64, unit: Unit) -> Share {
        Share { run, whole, needed: whole, unit }
    }

    /// For a claim that a sample can decide.
    pub const fn of_sample(run: u64, whole: u64, needed: u64, unit: Unit) -> Share {
        Share { run, whole, needed, unit }
    }

    /// Whether the claim's test has what it needs.
    pub fn suffices(self) -> bool {
        self.run >= self.needed.max(1)
    }

    /// The part that was run, in percent.
    pub fn percent(self) -> f64 {
        100.0 * self.run as f64 / self.whole.max(1) as f64
    }

    /// "0.4%"; a part never reads as nothing or as the whole.
    fn rounded(self) -> String {
        match self.percent() {
            p if self.run == 0 || p == 100.0 => format!("{p:.0}%"),
            p if p < 0.05 => "below 0.1%".into(),
            p if p > 99.9 && p < 100.0 => "above 99.9%".into(),
            p => format!("{p:.1}%"),
        }
    }

    /// "1 of 272 positions (0.4%)".
    pub fn text(self) -> String {
        let Share { run, whole, unit, .. } = self;
        format!("{} of {} {} ({})", grouped(run), grouped(whole), unit.name(), self.rounded())
    }

    /// The same in Chinese.
    pub fn chinese(self) -> String {
        let Share { run, whole, unit, .. } = self;
        let rounded = self.rounded().replace("below ", "不到 ").replace("above ", "超过 ");
        format!("{} / {} {}（{rounded}）", grouped(run), grouped(whole), unit.chinese())
    }

    /// What the test needs, in words.
    fn need(self) -> String {
        match self.needed >= self.whole {
            true => "the test needs all".into(),
            false => format!("the test needs {}", grouped(self.needed)),
        }
    }
}

impl ClaimVerdict {
    /// All of them, in the order of counts.
    pub const ALL: [ClaimVerdict; 5] = [
        ClaimVerdict::Reproduced,
        ClaimVerdict::Direction,
        ClaimVerdict::No,
        ClaimVerdict::Open,
        ClaimVerdict::Untested,
    ];

    /// The verdict on figures from this share of the experiment, and the evidence for it.
    pub(crate) fn of(share: Share, finding: Finding, evidence: &str) -> (ClaimVerdict, String) {
        if !share.suffices() {
            let Share { run, whole, unit, .. } = share;
            let part = format!("{} of {} {}", grouped(run), grouped(whole), unit.name());
            let behind = if evidence.is_empty() { String::new() } else { format!(": {evidence}") };
            return (ClaimVerdict::Open, format!("{part}; {}{behind}", share.need()));
        }
        let verdict = match finding {
            Finding::Holds => ClaimVerdict::Reproduced,
            Finding::Direction => ClaimVerdict::Direction,
            Finding::Fails => ClaimVerdict::No,
            Finding::Unclear => ClaimVerdict::Open,
        };
        (verdict, evidence.into())
    }

    /// The word for tables.
    pub fn name(self, of: Origin) -> &'static str {
        match (self, of) {
            (ClaimVerdict::Reproduced, Origin::Paper) => "reproduced",
            (ClaimVerdict::Reproduced, Origin::Ours) => "holds",
            (ClaimVerdict::Direction, _) => "direction only",
            (ClaimVerdict::No, Origin::Paper) => "not reproduced",
            (ClaimVerdict::No, Origin::Ours) => "does not hold",
            (ClaimVerdict::Open, _) => "undecided",
            (ClaimVerdict::Untested, _) => "not tested here",
        }
    }

    /// The Chinese word.
    pub fn chinese(self, of: Origin) -> &'static str {
        match (self, of) {
            (ClaimVerdict::Reproduced, Origin::Paper) => "已复现",
            (ClaimVerdict::Reproduced, Origin::Ours) => "成立",
            (ClaimVerdict::Direction, _) => "仅方向一致",
            (ClaimVerdict::No, Origin::Paper) => "未复现",
            (ClaimVerdict::No, Origin::Ours) => "不成立",
            (ClaimVerdict::Open, _) => "未定",
            (ClaimVerdict::Untested, _) => "此处未检验",
        }
    }

    /// What it means, in English and Chinese.
    pub fn meaning(self) -> (String, String) {
        let (points, tenth) = (100.0 * GREATEST_WIDTH, 100.0 * (GREATEST_FACTOR - 1.0));
        match self {
            ClaimVerdict::Reproduced => (
                format!(
                    "our figures confirm the claim, its figure and its direction. Of a rate of won games: \
                     the paper's rate lies in our 95% interval, which is at most {points:.0} percentage \
                     points wide; of a factor measured on a whole set: within {tenth:.0}%"
                ),
                format!(
                    "我们的数值证实该论断，数值与方向均一致。对于胜率：论文的胜率落在我们的 95% 区间内，且区间宽度不超过 \
                     {points:.0} 个百分点；对于在整个集合上测得的倍数：相差不超过 {tenth:.0}%"
                ),
            ),
            ClaimVerdict::Direction => (
                "the paper's direction is confirmed, its size is not".into(),
                "论文所述的方向得到证实，大小未得到证实".into(),
            ),
            ClaimVerdict::No => {
                ("our figures contradict the claim".into(), "我们的数值与该论断相矛盾".into())
            }
            ClaimVerdict::Open => (
                "less was run than the claim's test needs, or the figures do not tell".into(),
                "运行的部分少于检验该论断所需，或数值不足以判断".into(),
            ),
            ClaimVerdict::Untested => {
                ("nothing was run that could tell".into(), "没有运行可据以判断的实验".into())
            }
        }
    }

    /// The class on a page.
    pub fn class(self) -> &'static str {
        match self {
            ClaimVerdict::Reproduced => "yes",
            ClaimVerdict::No => "no",
            ClaimVerdict::Direction | ClaimVerdict::Open | ClaimVerdict::Untested => "undecided",
        }
    }
}

/// Digits in groups of three.
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(paper: f64, wins: u64, games: u64) -> Finding {
        Finding::of_rate(paper, 0.5, Wilson::new(wins, games).unwrap())
    }

    #[test]
    fn a_rate_needs_its_figure_in_a_narrow_interval_and_its_direction_in_any() {
        // 99.1% in the paper. 18 of 22: 61.5 to 92.7%.
        assert_eq!(rate(0.991, 18, 22), Finding::Direction, "the figure is outside");
        assert_eq!(rate(0.991, 22, 22), Finding::Direction, "85.1 to 100%: inside, and too wide");
        assert_eq!(rate(0.991, 100, 101), Finding::Holds, "94.6 to 99.8%");
        assert_eq!(rate(0.991, 90, 101), Finding::Direction, "81.5 to 93.9%");
        assert_eq!(rate(0.991, 12, 22), Finding::Unclear, "34.7 to 73.1%");
        assert_eq!(rate(0.991, 3, 22), Finding::Fails, "the other way");
        assert_eq!(rate(0.991, 500, 1000), Finding::Fails, "narrow, and neither figure nor way");
        // A paper that says "half" has no direction.
        assert_eq!(rate(0.5, 500, 1000), Finding::Holds);
        assert_eq!(rate(0.5, 5, 10), Finding::Unclear);
        assert_eq!(rate(0.5, 900, 1000), Finding::Fails);
        // And one that loses has the other.
        assert_eq!(rate(0.2, 202, 1000), Finding::Holds);
        assert_eq!(rate(0.2, 10, 50), Finding::Direction);
    }

    #[test]
    fn so_many_games_make_every_interval_narrow() {
        let width = |wins, games| Wilson::new(wins, games).map_or(1.0, |w| w.high - w.low);
        let n = GAMES_FOR_A_RATE;
        assert!((0..=n).all(|wins| width(wins, n) <= GREATEST_WIDTH));
        assert!(width(n / 4, n / 2) > GREATEST_WIDTH);
    }

    #[test]
    fn a_factor_needs_its_figure_within_a_tenth_and_its_direction_beyond_one() {
        let figures = [(1.78, 1.7), (1.78, 3.54), (1.78, 0.9), (0.5, 0.53), (0.5, 0.1), (2.0, 1.0)];
        let found = figures.map(|(paper, ours)| Finding::of_factor(paper, ours));
        use Finding::{Direction, Fails, Holds};
        assert_eq!(found, [Holds, Direction, Fails, Holds, Direction, Fails]);
        assert_eq!(Holds.and(Direction).and(Holds), Direction);
        assert_eq!(Finding::Unclear.and(Fails).and(Holds), Fails);
        assert_eq!(Finding::above(2.0, [2.1, 3.0]), Holds);
        assert_eq!(Finding::above(2.0, [1.0, 1.9]), Fails);
        assert_eq!(Finding::above(2.0, [1.9, 2.1]), Finding::Unclear);
    }

    #[test]
    fn below_what_a_test_needs_every_finding_is_undecided() {
        let findings = [Finding::Holds, Finding::Direction, Finding::Fails, Finding::Unclear];
        let verdicts = |share| findings.map(|f| ClaimVerdict::of(share, f, "7 times").0);
        use ClaimVerdict::{Direction, No, Open, Reproduced};
        let parts = [
            Share::of_set(271, 272, Unit::Positions),
            Share::of_sample(19, 1108, 20, Unit::Games),
            Share::of_sample(0, 1108, 0, Unit::Games),
            Share::of_set(0, 0, Unit::Counts),
        ];
        for share in parts {
            assert_eq!(verdicts(share), [Open; 4], "{share:?}");
        }
        for share in [Share::of_set(272, 272, Unit::Positions), Share { run: 20, ..parts[1] }] {
            assert_eq!(verdicts(share), [Reproduced, Direction, No, Open], "{share:?}");
        }
        let evidence = |share| ClaimVerdict::of(share, Finding::Fails, "7 times").1;
        assert_eq!(evidence(parts[0]), "271 of 272 positions; the test needs all: 7 times");
        assert_eq!(evidence(parts[1]), "19 of 1,108 games; the test needs 20: 7 times");
    }

    #[test]
    fn a_share_is_counted_and_a_part_never_reads_as_the_whole() {
        let text = |run, whole| Share::of_set(run, whole, Unit::Positions).text();
        assert_eq!(text(1, 272), "1 of 272 positions (0.4%)");
        assert_eq!(text(272, 272), "272 of 272 positions (100%)");
        assert_eq!(text(0, 272), "0 of 272 positions (0%)");
        assert_eq!(text(1, 12_000), "1 of 12,000 positions (below 0.1%)");
        assert_eq!(text(11_999, 12_000), "11,999 of 12,000 positions (above 99.9%)");
        assert_eq!(text(2000, 1000), "2,000 of 1,000 positions (200.0%)");
        let share = Share::of_set(1, 12_000, Unit::Games);
        assert_eq!(share.chinese(), "1 / 12,000 局（不到 0.1%）");
    }
}
