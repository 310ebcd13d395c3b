//! Verification of a tablebase: checksums, all values against the rules, and a sample against plain
//! forward search.

use super::DarkChessTablebase;
use super::class_index::TableClass;
use agon_games::darkchess::{Colour, DarkChess, DarkRules, Kind, Piece};
use agon_games::game::Game;
use agon_games::rng;
use agon_tablebase::verify::{ForwardSearch, VerifyCounts, count_all, one_ply};
use agon_tablebase::{Dtm, Monitor, TablebaseError, Wdl};

/// The results of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Positions that agree with their successors: all positions.
    pub positions: u64,
    /// Lost, drawn and won positions for the side to move.
    pub results: [u64; 3],
    /// Unused indexes.
    pub unused: u64,
    /// The longest win in plies.
    pub longest: u8,
    /// Random positions that agree with forward search.
    pub searched: u64,
}

/// Positions per job.
const CHUNK: u32 = 1 << 14;
/// Forward search verifies distances up to this.
const HORIZON: u8 = 7;

impl VerifyCounts for VerifyReport {
    fn join(self, other: VerifyReport) -> VerifyReport {
        VerifyReport {
            positions: self.positions + other.positions,
            results: [0, 1, 2].map(|i| self.results[i] + other.results[i]),
            unused: self.unused + other.unused,
            longest: self.longest.max(other.longest),
            searched: self.searched + other.searched,
        }
    }
}

/// Verifies all checksums, all values against their successors', and `samples` random values by
/// forward search: it has to find a win or loss within 7 plies at exactly its depth, and none where
/// the tablebase gives a longer distance or a draw. Uses rayon's current thread pool.
///
/// # Errors
///
/// On the first mismatch, and if the monitor requests a stop.
pub fn verify(
    tablebase: &DarkChessTablebase,
    samples: u64,
    seed: u64,
    monitor: &Monitor<'_>,
) -> Result<VerifyReport, TablebaseError> {
    tablebase.preload()?;
    let all = compare_with_successors(tablebase, monitor)?;
    Ok(all.join(compare_with_search(tablebase, samples, seed, monitor)?))
}

/// The position of a number in a class, with red to move, and its value; `None` for unused numbers.
fn entry(
    tablebase: &DarkChessTablebase,
    class: &TableClass,
    number: u32,
) -> Option<(DarkChess, Dtm)> {
    let value = tablebase.value(class.offset + u64::from(number))?;
    if value == Dtm::UNUSED {
        return None;
    }
    let index = tablebase.indexer();
    let sets = class.numbering.arrangement(&index.board, number);
    let pieces = index
        .pieces_of(class, &sets)
        .into_iter()
        .map(|(side, kind, square)| (square, Piece::new(Colour::BOTH[side], Kind::ALL[kind])));
    let rules = DarkRules { draw_plies: 0, occurrences: 0, ..DarkRules::default() };
    Some((DarkChess::revealed_on(index.board.squares, pieces, Colour::Red, &rules), value))
}

fn compare_with_successors(
    tablebase: &DarkChessTablebase,
    monitor: &Monitor<'_>,
) -> Result<VerifyReport, TablebaseError> {
    let classes = &tablebase.indexer().classes;
    let chunks = |class: &TableClass| (0..class.numbering.len().div_ceil(CHUNK)).map(|i| i * CHUNK);
    let chunks: Vec<(&TableClass, u32)> =
        classes.iter().flat_map(|class| chunks(class).map(move |from| (class, from))).collect();
    let message = "values against their successors'";
    count_all(monitor, message, chunks.len() as u64, |job, report: &mut VerifyReport| {
        let (class, from) = chunks[job as usize];
        for number in from..(from + CHUNK).min(class.numbering.len()) {
            let Some((game, value)) = entry(tablebase, class, number) else {
                report.unused += 1;
                continue;
            };
            let expected = one_ply(&game, |next| tablebase.probe(next));
            compare(tablebase, &game, value, (expected, "one ply over the tablebase"))?;
            report.positions += 1;
            report.results[value.wdl() as usize] += 1;
            report.longest = report.longest.max(value.plies().unwrap_or(0));
        }
        Ok(())
    })
}

fn compare_with_search(
    tablebase: &DarkChessTablebase,
    samples: u64,
    seed: u64,
    monitor: &Monitor<'_>,
) -> Result<VerifyReport, TablebaseError> {
    let classes = &tablebase.indexer().classes;
    count_all(monitor, "a sample by forward search", samples, |i, report: &mut VerifyReport| {
        let mut stream = rng::stream(seed, i, "table sample");
        let class = &classes[rng::below(&mut stream, classes.len() as u64) as usize];
        let number = rng::below(&mut stream, class.numbering.len().into()) as u32;
        let Some((game, value)) = entry(tablebase, class, number) else { return Ok(()) };
        let found = ForwardSearch::default().value(&game, HORIZON);
        // Beyond its horizon the search returns a draw, whatever the value.
        let is_beyond = value.wdl() == Wdl::Draw || value.plies() > Some(HORIZON);
        let expected = if is_beyond && found == Dtm::DRAW { value } else { found };
        report.searched += 1;
        compare(tablebase, &game, value, (Some(expected), "forward search"))
    })
}

/// Fails unless the value is the expected one and the position has the index it was read from.
fn compare(
    tablebase: &DarkChessTablebase,
    game: &DarkChess,
    found: Dtm,
    (expected, how): (Option<Dtm>, &'static str),
) -> Result<(), TablebaseError> {
    if expected == Some(found) && tablebase.probe(game) == Some(found) {
        return Ok(());
    }
    let expected = expected.map_or("no value".to_string(), |v| v.to_string());
    let name = tablebase.file().path().display().to_string();
    Err(TablebaseError::Value { name, fen: game.fen(), found: found.to_string(), how, expected })
}
