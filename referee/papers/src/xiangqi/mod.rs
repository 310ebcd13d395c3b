//! The number of Xiangqi positions: the figures of the paper that counts them by dynamic
//! programming (sections 2 and 3), beside the output of `lab xiangqi count --json`. This module
//! counts nothing.

use super::engine::{LAB, find_program, finished};
use super::publish::ReportFiles;
use agon_claims::report::{
    Claim, Finding, PaperReport, PaperTable, Share, Statement, Unit, grouped,
};
use agon_report::plot::{Align, TextTable};
use anyhow::Result;
use serde_json::Value;
use std::process::{Command, ExitCode};

/// The name of the game and the experiment.
pub const NAME: &str = "xiangqi";
/// The command that produces the rows.
pub const ARGUMENTS: [&str; 3] = [NAME, "count", "--json"];

/// The total in section 3 of the paper.
const PAPER_TOTAL: &str = "7547040878332418571694532043654081760159";
/// The paper's other figures in section 3.
const PAPER_LOG10: f64 = 39.88;
const PAPER_BITS: f64 = 132.47;
const PAPER_MANTISSA: f64 = 7.54;
const PAPER_TERABYTES: f64 = 1.14;
const PAPER_BOUND_LOG10: f64 = 42.78;

/// Why the rows of a position count cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// A line is not JSON.
    #[error("line {line} of the count is not JSON: {error}")]
    Json {
        /// The line number, from 1.
        line: usize,
        /// The reason.
        error: serde_json::Error,
    },
    /// A field is missing or has another type.
    #[error("the position count has no usable `{field}` in its table `{table}`")]
    Missing {
        /// The table's name.
        table: &'static str,
        /// The field's name.
        field: &'static str,
    },
}

/// The rows of a position count.
#[derive(Debug)]
pub struct PositionCount(Vec<Value>);

impl PositionCount {
    /// Reads JSON lines.
    pub fn parse(text: &str) -> Result<PositionCount, CountError> {
        let lines = text.lines().enumerate().filter(|l| !l.1.trim().is_empty());
        let rows = lines.map(|(i, line)| {
            serde_json::from_str(line).map_err(|error| CountError::Json { line: i + 1, error })
        });
        Ok(PositionCount(rows.collect::<Result<_, _>>()?))
    }

    fn rows(&self, table: &'static str) -> impl Iterator<Item = &Value> {
        self.0.iter().filter(move |r| r["table"] == table)
    }

    fn text(&self, field: &'static str) -> Result<&str, CountError> {
        let row = self.rows("total").next();
        let value = row.and_then(|r| r[field].as_str());
        value.ok_or(CountError::Missing { table: "total", field })
    }

    fn number(&self, field: &'static str) -> Result<f64, CountError> {
        let row = self.rows("total").next();
        let value = row.and_then(|r| r[field].as_f64());
        value.ok_or(CountError::Missing { table: "total", field })
    }
}

/// Makes the report. `command` is the command line that reproduces it.
pub fn report(count: &PositionCount, command: &str) -> Result<PaperReport, CountError> {
    let tables =
        vec![totals(count)?, sub_problems(count), by_pieces(count), sizes(count)?, spaces(count)];
    Ok(PaperReport {
        title: "The number of Xiangqi positions".into(),
        paper: "The number of states of Chinese chess, counted by dynamic programming (in Chinese)"
            .into(),
        chinese: ["中国象棋的局面总数".into(), "中国象棋状态总数的计算（用动态规划）".into()],
        conditions: vec![
            ("counted by".into(), "lab xiangqi count --json".into()),
            (
                "a position".into(),
                "a placement with both kings, facing or not; the side to move is not counted"
                    .into(),
            ),
        ],
        warnings: Vec::new(),
        tables,
        figures: Vec::new(),
        claims: claims(count)?,
        command: command.into(),
        ..PaperReport::default()
    })
}

fn totals(count: &PositionCount) -> Result<PaperTable, CountError> {
    let mut table = TextTable::new(&[(Align::Left, &["Count"]), (Align::Right, &["Placements"])]);
    let mut row = |what: &str, digits: &str| table.row([what.to_string(), grouped(digits)]);
    row("the paper, section 3", PAPER_TOTAL);
    row("formula (3) as printed", count.text("printed_formula")?);
    row("formula (3) with C(BP, i)", count.text("corrected_formula")?);
    row("by enumerated half boards", count.text("half_boards")?);
    row("square by square, from the piece sets alone", count.text("machine")?);
    row("of them with facing kings", count.text("facing_kings")?);
    row("without facing kings", count.text("without_facing_kings")?);
    row("equal to their mirror image", count.text("own_mirror_images")?);
    row("up to the left-right mirror", count.text("up_to_mirror")?);
    Ok(PaperTable {
        caption: "The total (formulas (1) to (4))".into(),
        table,
        notes: vec![
            "Two elephants on pawn points and one pawn before the river have 3*2 + 2*1 = 8 \
             placements; formula (3) as printed counts 7, because it does not choose which of the \
             two files holds the pawn."
                .into(),
        ],
    })
}

fn sub_problems(count: &PositionCount) -> PaperTable {
    let mut table = TextTable::new(&[
        (Align::Left, &["Pieces"]),
        (Align::Right, &["Results kept", "Requested"]),
    ]);
    for r in count.rows("sub-problems") {
        let pieces = r["pieces"].as_str().unwrap_or("?").to_string();
        table.row([pieces, r["entries"].to_string(), r["calls"].to_string()]);
    }
    PaperTable {
        caption: "Figure 4: the five sub-problems of the memoised sums".into(),
        table,
        notes: Vec::new(),
    }
}

fn by_pieces(count: &PositionCount) -> PaperTable {
    let mut table = TextTable::new(&[(Align::Right, &["Pieces", "Placements"])]);
    for r in count.rows("by number of pieces") {
        let placements = grouped(r["placements"].as_str().unwrap_or("?"));
        table.row([r["pieces"].to_string(), placements]);
    }
    PaperTable { caption: "By number of pieces".into(), table, notes: Vec::new() }
}

fn sizes(count: &PositionCount) -> Result<PaperTable, CountError> {
    let mut table = TextTable::new(&[
        (Align::Left, &["Figure of section 3"]),
        (Align::Right, &["The paper", "Ours"]),
    ]);
    let mut row = |what: &str, paper: f64, ours: f64, places: usize| {
        table.row([what.to_string(), format!("{paper:.places$}"), format!("{ours:.places$}")]);
    };
    row("positions, as a power of ten", PAPER_LOG10, count.number("log10")?, 2);
    row("bits a position (ours: of the right total)", PAPER_BITS, count.number("log2")?, 2);
    let storage = count.number("storage_log10_terabytes")?;
    row("terabytes for all, as a power of ten", 29.0 + PAPER_TERABYTES.log10(), storage, 2);
    row("rough bound, as a power of ten", PAPER_BOUND_LOG10, count.number("rough_bound_log10")?, 2);
    for r in count.rows("literature") {
        let source = r["source"].as_str().unwrap_or("?");
        let power = r["log10"].as_f64().map_or("?".into(), |x| format!("{x:.2}"));
        table.row([format!("literature: {source}"), power, "-".into()]);
    }
    Ok(PaperTable {
        caption: "Sizes, the rough bound and table 2".into(),
        table,
        notes: vec![
            "The factors of the paper's rough bound are pictures; ours are those of its first \
             author's published program, (333 x 29 x 3,723,822 x 4,096^3)^2, and the paper cuts \
             42.786 off."
                .into(),
            "The paper's table 2 is a picture too: of its entries only Allis's is known from \
             elsewhere. The other two rows are not the paper's; both are reproduced exactly under the \
             assumptions their authors state."
                .into(),
        ],
    })
}

fn spaces(count: &PositionCount) -> PaperTable {
    let mut table =
        TextTable::new(&[(Align::Left, &["Space"]), (Align::Right, &["States", "Power of ten"])]);
    for r in count.rows("state spaces") {
        let power = r["log10"].as_f64().map_or("?".into(), |x| format!("{x:.2}"));
        let name = r["space"].as_str().unwrap_or("?").to_string();
        table.row([name, grouped(r["states"].as_str().unwrap_or("?")), power]);
    }
    PaperTable {
        caption: "Other games by the same machine (section 4, use 1)".into(),
        table,
        notes: Vec::new(),
    }
}

/// The count is run whole or not at all.
const WHOLE: Share = Share::of_set(1, 1, Unit::Counts);

fn claims(count: &PositionCount) -> Result<Vec<Claim>, CountError> {
    let (printed, right) = (count.text("printed_formula")?, count.text("corrected_formula")?);
    let agree = right == count.text("half_boards")? && right == count.text("machine")?;
    let bound = count.number("rough_bound_log10")?;
    let mut claims = vec![
        Statement::paper(
            "section 3, formula (3)",
            "The sums with formula (3) as printed give the paper's total.",
            "按原文印出的公式 (3) 求和，得到论文的总数。",
        )
        .judged(
            WHOLE,
            Finding::exact(printed == PAPER_TOTAL),
            format!("they give {}", grouped(printed)),
        )
        .published(grouped(PAPER_TOTAL)),
        Statement::paper(
            "section 3, formulas (1) to (4)",
            "The paper's total is the number of positions.",
            "论文的总数就是局面的数目。",
        )
        .judged(
            WHOLE,
            Finding::exact(agree && right == PAPER_TOTAL),
            format!(
                "formula (3) lacks the factor C(BP, i); the right total is {}, which enumerating \
                 half boards and a count from the piece sets alone both give: {}",
                grouped(right),
                if agree { "they agree" } else { "they DISAGREE" }
            ),
        )
        .published(grouped(PAPER_TOTAL))
        .figure("xiangqi.positions", grouped(right)),
        Statement::paper(
            "section 3, table 2",
            "A rough bound is closer to the exact number than the literature is.",
            "粗略的上界比文献中的数字更接近精确值。",
        )
        .judged(
            WHOLE,
            Finding::exact(bound < 48.0 && bound > count.number("log10")?),
            format!("10^{bound:.2} against 10^48 (Allis 1994)"),
        )
        .published("10^42.78, cut off"),
    ];
    claims.extend(sizes_claimed(right));
    Ok(claims)
}

/// The sizes of section 3, which follow from the total: the paper's from its own, and our findings about the right one.
fn sizes_claimed(right: &str) -> Vec<Claim> {
    let [theirs, right] = [PAPER_TOTAL, right].map(TotalSize::of);
    let judged = |statement: Statement, (same, evidence): (bool, String), wanted: bool| {
        statement.judged(WHOLE, Finding::exact(same == wanted), evidence)
    };
    let paper = |text: &str, chinese: &str| Statement::paper("section 3", text, chinese);
    let ours = |text: &str, chinese: &str| Statement::ours("section 3", text, chinese);
    let (bits_text, storage_text) = ("132.47 bits", "1.14 x 10^29 TB");
    let bits = paper("A position needs 132.47 bits at least.", "一个局面至少需要 132.47 比特。");
    let storage = paper(
        "All positions in that code take 1.14 x 10^29 TB.",
        "用该编码存储全部局面需要 1.14×10^29 TB。",
    );
    let our_bits = ours(
        "The 132.47 bits are those of the paper's total; the right total needs more.",
        "132.47 比特对应论文的总数；正确的总数需要更多比特。",
    );
    let our_storage = ours(
        "The 1.14 x 10^29 TB are those of the right total, too.",
        "1.14×10^29 TB 对正确的总数同样成立。",
    );
    vec![
        scientific_notation(&theirs, &right),
        judged(bits, theirs.bits(), true).published(bits_text),
        judged(storage, theirs.storage(), true).published(storage_text),
        judged(our_bits, right.bits(), false).published(bits_text),
        judged(our_storage, right.storage(), true).published(storage_text),
    ]
}

/// The misprint of the total's power of ten.
fn scientific_notation(theirs: &TotalSize, right: &TotalSize) -> Claim {
    let times = PAPER_MANTISSA * 10f64.powf(PAPER_LOG10) / theirs.total;
    let words = |size: &TotalSize| {
        format!("{:.3} x 10^39, or 10^{:.2}", size.total / 1e39, size.total.log10())
    };
    Statement::paper(
        "section 3",
        "In scientific notation the total is 7.54 x 10^39.88.",
        "用科学计数法表示，总数为 7.54×10^39.88。",
    )
    .judged(
        WHOLE,
        Finding::exact((times - 1.0).abs() < 0.01),
        format!(
            "a misprint: the paper's total is {}, and 7.54 x 10^39.88 is {times:.2} times as much; the right total is {}",
            words(theirs),
            words(right)
        ),
    )
    .published("7.54 x 10^39.88")
}

/// Whether a figure is printed so with two decimal places.
fn printed_as(ours: f64, paper: f64) -> bool {
    format!("{ours:.2}") == format!("{paper:.2}")
}

/// A number of positions, and what follows from it.
struct TotalSize {
    total: f64,
}

impl TotalSize {
    fn of(digits: &str) -> TotalSize {
        TotalSize { total: digits.parse().unwrap_or(f64::NAN) }
    }

    /// Whether the paper's number of bits is that of this total, and the bits in words.
    fn bits(&self) -> (bool, String) {
        let bits = self.total.log2();
        let words = format!("{bits:.4} bits, so {bits:.2}, and {:.0} whole ones", bits.ceil());
        (printed_as(bits, PAPER_BITS), words)
    }

    /// The same of the storage of all positions in a code of a fixed length, which need not be whole bits.
    fn storage(&self) -> (bool, String) {
        let bytes = self.total * self.total.log2() / 8.0;
        let [binary, decimal] = [2f64.powi(40), 1e12].map(|unit| bytes / unit / 1e29);
        let words = format!(
            "{binary:.2} x 10^29 TB with 2^40 bytes in each, {decimal:.2} x 10^29 TB with 10^12"
        );
        (printed_as(binary, PAPER_TERABYTES), words)
    }
}

/// Runs the count and prints the report.
pub fn run(files: &ReportFiles) -> Result<ExitCode> {
    files.report(|| reproduce(files))
}

/// Runs the count, which takes a fraction of a second.
pub fn reproduce(files: &ReportFiles) -> Result<PaperReport> {
    let program = find_program(files.engine_dir.as_deref(), LAB)?;
    let output = finished(Command::new(&program).args(ARGUMENTS))?;
    let count = PositionCount::parse(&String::from_utf8_lossy(&output.stdout))?;
    Ok(report(&count, "referee reproduce xiangqi")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_claims::claim::assert_bilingual;

    const ROW: &str = r#"{"table":"total","printed_formula":"7547040878332418571694532043654081760159","corrected_formula":"12","half_boards":"12","machine":"12","facing_kings":"1","without_facing_kings":"11","own_mirror_images":"2","up_to_mirror":"7","log10":39.88,"bits":133,"log2":132.48,"storage_log10_terabytes":29.06,"rough_bound_log10":42.786}"#;

    #[test]
    fn the_report_says_which_figure_is_right() {
        let count = PositionCount::parse(ROW).unwrap();
        let report = report(&count, "referee reproduce xiangqi").unwrap();
        assert_bilingual(&report.claims);
        let text = report.text();
        assert!(text.contains("7,547,040,878,332,418,571,694,532,043,654,081,760,159"), "{text}");
        assert!(
            text.contains("[not reproduced] The paper's total is the number of positions."),
            "{text}"
        );
        assert!(text.contains("[reproduced] The sums with formula (3) as printed"), "{text}");
    }

    #[test]
    fn each_size_says_of_which_total_it_is() {
        let right = "7583767311308936928441671793917387439659";
        let claims = sizes_claimed(right);
        assert_bilingual(&claims);
        let found: Vec<(&str, &str)> =
            claims.iter().map(|c| (c.paper(), c.verdict_name())).collect();
        assert_eq!(
            found,
            [
                ("7.54 x 10^39.88", "not reproduced"),
                ("132.47 bits", "reproduced"),
                ("1.14 x 10^29 TB", "reproduced"),
                ("132.47 bits", "holds"),
                ("1.14 x 10^29 TB", "holds"),
            ]
        );
        // With the paper's total in place of the right one our finding would not hold.
        assert_eq!(sizes_claimed(PAPER_TOTAL)[3].verdict_name(), "does not hold");
        assert!(claims[0].evidence().contains("7.58 times as much"), "{}", claims[0].evidence());
        assert!(
            claims[3].evidence().contains("so 132.48, and 133 whole ones"),
            "{}",
            claims[3].evidence()
        );
        assert!(
            claims[0].evidence().contains("7.547 x 10^39, or 10^39.88"),
            "{}",
            claims[0].evidence()
        );
    }

    #[test]
    fn ways_of_counting_that_differ_are_shouted_about() {
        let count =
            PositionCount::parse(&ROW.replace(r#""machine":"12""#, r#""machine":"13""#)).unwrap();
        assert!(report(&count, "").unwrap().text().contains("they DISAGREE"));
    }

    #[test]
    fn a_count_that_is_torn_is_refused() {
        let error = PositionCount::parse("{\"table\":\"total\"}\n{").unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        let empty = PositionCount::parse("{\"table\":\"total\"}").unwrap();
        let error = report(&empty, "").unwrap_err().to_string();
        assert!(error.contains("`printed_formula`"), "{error}");
    }
}
