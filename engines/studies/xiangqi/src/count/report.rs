//! The output of `lab xiangqi count`: a human-readable page, or JSON lines for programs.

use super::half_boards::{Half, Tally, by_pieces, facing_by_pieces, join, sum};
use super::paper::{Formula, Paper, SubProblem};
use super::{Number, PRINTED_TOTAL, spaces, symmetry};
use serde_json::{Value, json};
use std::fmt::Write;

/// The state space of Xiangqi before the paper, as usually quoted from Allis (1994), as a power of
/// ten. It is the only entry of the paper's table 2, an image, that is known from elsewhere.
const ALLIS_EXPONENT: f64 = 48.0;

/// All counts.
#[derive(Debug)]
pub struct PositionCount {
    /// The total that formula (3) gives as printed.
    pub printed: Number,
    /// The correct total.
    pub total: Number,
    /// The five sub-problems' sizes.
    pub sub_problems: [SubProblem; 5],
    /// The same total from enumerated half boards.
    pub by_halves: Number,
    /// Legal sets of home pieces in half a board.
    pub half_boards: u64,
    /// The same total from the description of the piece sets.
    pub by_squares: Number,
    /// By number of pieces, 0 to 32.
    pub by_pieces: [Number; 33],
    /// Those with facing kings.
    pub facing: Number,
    /// Placements that are their own mirror image.
    pub own_images: Number,
    /// Placements up to the mirror.
    pub classes: Number,
    /// Placements if a side's king, elephants and pawns could share a point.
    pub sharing: Number,
    /// Placements if every piece could stand anywhere.
    pub anywhere: Number,
    /// The state spaces of the described games.
    pub spaces: Vec<(&'static str, &'static str, Number)>,
}

/// Powers of ten and bits.
fn log10(n: Number) -> f64 {
    log2(n) * std::f64::consts::LOG10_2
}

fn log2(n: Number) -> f64 {
    // The leading 64 bits are more than a double can hold.
    let shift = n.bit_len().saturating_sub(64);
    let head: u64 = (n >> shift).to();
    libm::log2(head as f64) + shift as f64
}

/// Digits in groups of three.
pub fn grouped(n: Number) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// The rough bound of the paper's section 3: every kind of one side placed independently,
/// multiplied, then squared. The paper shows the factors as images; its first author's published
/// program (github.com/weiyinfu/ChessStateCount, the first of its files) has them in full: king and
/// advisors on any of the palace's nine squares; elephants; pawns beyond the river and before it;
/// and rook, horse, cannon alike. `[factors; bound as a power of ten]`.
pub(super) fn rough_bound() -> ([u64; 4], f64) {
    let up_to = |n, most| (0..=most).map(|k| super::binomial(n, k)).sum::<u64>();
    let king_advisor = (1..=3).map(|n| n * super::binomial(9, n)).sum();
    let pawns = (0..=5).map(|over| super::binomial(45, over) * home_pawns_up_to(5 - over)).sum();
    let factors = [king_advisor, up_to(7, 2), pawns, up_to(90, 2)];
    let [ka, e, p, free] = factors.map(|f| libm::log10(f as f64));
    (factors, 2.0 * (ka + e + p + 3.0 * free))
}

/// The ways to place up to `most` pawns before the river, at most one per file.
fn home_pawns_up_to(most: u64) -> u64 {
    (0..=most).map(|n| Formula::Corrected.home_pawns(0, n)).sum()
}

impl PositionCount {
    /// Computes all counts, including the slow checks: enumerated half boards and the count square
    /// by square.
    pub fn new() -> PositionCount {
        let (total, paper) = Paper::count(Formula::Corrected);
        let by_pieces = by_pieces();
        let own_images = symmetry::own_images();
        let tally = Tally::by_enumeration(Half::any());
        let spaces = spaces::all().into_iter().map(|s| (s.name, s.note, s.count())).collect();
        PositionCount {
            printed: Paper::count(Formula::Printed).0,
            total,
            sub_problems: paper.sub_problems(),
            by_halves: sum(&join(&tally, &tally, [0, 0])),
            half_boards: tally.total(),
            by_squares: spaces::xiangqi().count(),
            by_pieces,
            facing: sum(&facing_by_pieces()),
            own_images,
            classes: (total + own_images) >> 1,
            sharing: Paper::count(Formula::Sharing).0,
            anywhere: spaces::xiangqi_anywhere().count(),
            spaces,
        }
    }

    /// Whether all counts agree, and the printed formula gives the printed number.
    pub fn proved(&self) -> bool {
        self.total == self.by_halves
            && self.total == self.by_squares
            && self.total == sum(&self.by_pieces)
            && self.printed.to_string() == PRINTED_TOTAL
    }

    /// JSON lines, one per table row; counts are strings because they do not fit in a double.
    pub fn json(&self) -> String {
        let text = |n: Number| n.to_string();
        let mut rows: Vec<Value> = vec![json!({
            "table": "total",
            "printed_formula": text(self.printed),
            "paper": PRINTED_TOTAL,
            "corrected_formula": text(self.total),
            "half_boards": text(self.by_halves),
            "machine": text(self.by_squares),
            "half_board_sets": self.half_boards,
            "proved": self.proved(),
            "facing_kings": text(self.facing),
            "without_facing_kings": text(self.total - self.facing),
            "own_mirror_images": text(self.own_images),
            "up_to_mirror": text(self.classes),
            "log10": log10(self.total),
            "bits": self.total.bit_len(),
            "log2": log2(self.total),
            "storage_log10_terabytes": self.storage(),
            "rough_bound_log10": rough_bound().1,
        })];
        rows.extend(self.sub_problems.iter().map(|s| {
            json!({"table": "sub-problems", "pieces": s.pieces, "entries": s.entries,
                   "calls": s.calls})
        }));
        let counts = self.by_pieces.iter().enumerate().skip(2);
        rows.extend(counts.map(
            |(n, &w)| json!({"table": "by number of pieces", "pieces": n, "placements": text(w)}),
        ));
        rows.extend(self.literature().into_iter().map(
            |(source, log10, _)| json!({"table": "literature", "source": source, "log10": log10}),
        ));
        rows.extend(self.spaces.iter().map(|(name, note, n)| {
            json!({"table": "state spaces", "space": name, "note": note, "states": text(*n),
                   "log10": log10(*n)})
        }));
        rows.iter().fold(String::new(), |out, row| out + &row.to_string() + "\n")
    }

    /// Published figures: source, power of ten, and comment.
    fn literature(&self) -> [(&'static str, f64, String); 3] {
        [
            ("Allis 1994", ALLIS_EXPONENT, "an estimate; the paper's table 2".into()),
            (
                "chesshub.com, before 2007",
                log10(self.sharing),
                format!(
                    "8.73 x 10^39; comes out if pieces of a side may share points: {}",
                    grouped(self.sharing)
                ),
            ),
            (
                "Entriken 2014",
                log10(self.anywhere),
                format!("every piece anywhere: {}", grouped(self.anywhere)),
            ),
        ]
    }

    /// The storage to list every placement as an index of minimal size, in terabytes (2^40 bytes),
    /// as a power of ten.
    fn storage(&self) -> f64 {
        let bits = libm::log10(log2(self.total)) + log10(self.total);
        bits - libm::log10((8u64 << 40) as f64)
    }

    /// The human-readable page.
    pub fn page(&self) -> String {
        let mut out = String::new();
        self.write_totals(&mut out);
        let _ =
            writeln!(out, "\nSub-problems of the memoised sums          results kept    requested");
        for s in &self.sub_problems {
            let _ = writeln!(out, "  {:<40} {:>12} {:>12}", s.pieces, s.entries, s.calls);
        }
        let _ = writeln!(out, "\nBy number of pieces");
        for (n, &w) in self.by_pieces.iter().enumerate().skip(2) {
            let _ = writeln!(out, "  {n:>2}  {:>53}", grouped(w));
        }
        self.write_sizes(&mut out);
        let _ = writeln!(out, "\nState spaces by the same machine");
        for (name, note, n) in &self.spaces {
            let _ = writeln!(out, "  {name}: 10^{:.2}\n    {}\n    {note}", log10(*n), grouped(*n));
        }
        out
    }

    fn write_totals(&self, out: &mut String) {
        let mut line = |what: &str, n: Number| {
            let _ = writeln!(out, "{what:<44} {:>53}", grouped(n));
        };
        line("Formula (3) as printed (the paper's total)", self.printed);
        line("Formula (3) with the factor C(BP, i)", self.total);
        line("  by enumerated half boards", self.by_halves);
        line("  by the machine, from the piece sets alone", self.by_squares);
        line("  missing in the paper's total", self.total - self.printed);
        line("Kings face each other", self.facing);
        line("Kings do not face each other", self.total - self.facing);
        line("Own mirror images", self.own_images);
        line("Up to the left-right mirror", self.classes);
        let verdict = if self.proved() {
            "All ways agree on the corrected total; the paper's total is what its formula (3) gives \
             without C(BP, i), and too small."
        } else {
            "THE WAYS OF COUNTING DISAGREE."
        };
        let _ = writeln!(out, "{verdict}");
    }

    fn write_sizes(&self, out: &mut String) {
        let (f, bound) = rough_bound();
        let _ = writeln!(
            out,
            "\nSizes\n  total 10^{:.2}; {:.2} bits, so {} bits a position; all of them in 10^{:.2} TB \
             (paper: 10^39.88, 132.47 bits, 1.14 x 10^29 TB)",
            log10(self.total),
            log2(self.total),
            self.total.bit_len(),
            self.storage()
        );
        let _ = writeln!(
            out,
            "  rough bound, each kind of a side as if alone: ({} x {} x {} x {}^3)^2 = 10^{bound:.3} \
             (paper: 10^42.78)",
            f[0], f[1], f[2], f[3]
        );
        for (source, power, what) in self.literature() {
            let _ = writeln!(
                out,
                "  literature, {source}: 10^{power:.2}, 10^{:.2} times too many; {what}",
                power - log10(self.total)
            );
        }
    }
}

impl Default for PositionCount {
    fn default() -> PositionCount {
        PositionCount::new()
    }
}
