//! Verification of a tablebase: checksums, all values against the rules, and a sample against plain
//! forward search.

use super::DarkChessTablebase;
use super::class_index::TableClass;
use super::numbering::TypeSets;
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

/// The witness of a file: positions that are compared with their successors, and those of them that forward
/// search solves anew within a few plies.
const COMPARED: u64 = 300;
const SOLVED_ANEW: u64 = 60;
const WITNESS_HORIZON: u8 = 4;
/// The seed of these positions.
const WITNESS_SEED: u64 = 0xa907;

/// Compares a sample of a file's values with those of their successors and with forward search: the checksums
/// of a file say that its values are those that were written, not that they are right. A damaged file is left
/// to the check of its blocks.
///
/// # Errors
///
/// A value is wrong: the file, the position and both values.
pub fn witness(tablebase: &DarkChessTablebase) -> Result<(), TablebaseError> {
    let index = tablebase.indexer();
    for i in 0..COMPARED {
        let mut stream = rng::stream(WITNESS_SEED, i, "table witness");
        let class = &index.classes[rng::below(&mut stream, index.classes.len() as u64) as usize];
        let number = rng::below(&mut stream, class.numbering.len().into()) as u32;
        let sets = class.numbering.arrangement(&index.board, number);
        if class.numbering.number(&index.board, &sets) != number {
            continue;
        }
        let game = position(tablebase, class, &sets);
        let found = tablebase.probe(&game);
        let expected = one_ply(&game, |next| tablebase.probe(next));
        let solved = if i < SOLVED_ANEW { search(&game, found, WITNESS_HORIZON) } else { found };
        if !tablebase.file().is_usable() {
            break;
        }
        let found = found.unwrap_or(Dtm::UNUSED);
        compare(tablebase, &game, found, (expected, "one ply over the tablebase"))?;
        compare(tablebase, &game, found, (solved, "forward search"))?;
    }
    Ok(())
}

/// The value that forward search gives a position with this value: beyond its horizon it returns a draw,
/// whatever the value.
fn search(game: &DarkChess, value: Option<Dtm>, horizon: u8) -> Option<Dtm> {
    let found = ForwardSearch::default().value(game, horizon);
    let is_beyond = value.is_some_and(|v| v.wdl() == Wdl::Draw || v.plies() > Some(horizon));
    if is_beyond && found == Dtm::DRAW { value } else { Some(found) }
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
    let sets = class.numbering.arrangement(&tablebase.indexer().board, number);
    Some((position(tablebase, class, &sets), value))
}

/// The position of an arrangement of a class, with red to move.
fn position(tablebase: &DarkChessTablebase, class: &TableClass, sets: &TypeSets) -> DarkChess {
    let index = tablebase.indexer();
    let pieces = index
        .pieces_of(class, sets)
        .into_iter()
        .map(|(side, kind, square)| (square, Piece::new(Colour::BOTH[side], Kind::ALL[kind])));
    let rules = DarkRules { draw_plies: 0, occurrences: 0, ..DarkRules::default() };
    DarkChess::revealed_on(index.board.squares, pieces, Colour::Red, &rules)
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
        let expected = search(&game, Some(value), HORIZON);
        report.searched += 1;
        compare(tablebase, &game, value, (expected, "forward search"))
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
