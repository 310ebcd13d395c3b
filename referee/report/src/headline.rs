//! What came of a match, in the lines above its tables.

use super::{crosstable, sprt};
use agon_base::counted;
use agon_matches::progress::MatchProgress;
use agon_matches::schedule::ByResults as _;
use agon_matchlog::MatchHeader;
use agon_stats::Sequential;

/// The verdict of a test; of two engines without one, whether a difference is shown, once all games are played; of a
/// tournament, who is first. Then the Elo difference of two engines.
pub fn text(header: &MatchHeader, progress: &MatchProgress) -> String {
    let names = &progress.standings.names;
    let is_complete = progress.games() >= header.schedule.expected_games(&progress.results);
    let mut lines: Vec<String> = match (&progress.test, names.as_slice()) {
        (Some(test), _) => vec![sprt::verdict(test)],
        (None, [first, second]) => {
            let sequence = progress.sequence().filter(|_| is_complete);
            sequence.and_then(|s| difference(s, first, second)).into_iter().collect()
        }
        _ => leaders(header, progress, is_complete).into_iter().collect(),
    };
    lines.extend(progress.sequence().and_then(sprt::estimate_of));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Whether the interval shows which of two engines is stronger.
fn difference(sequence: &Sequential, first: &str, second: &str) -> Option<String> {
    let elo = sequence.estimate()?.elo;
    Some(match (elo.low > 0.0, elo.high < 0.0) {
        (true, _) => format!("{first} is stronger than {second}"),
        (_, true) => format!("{second} is stronger than {first}"),
        _ => format!("no difference between {first} and {second} is shown"),
    })
}

/// The winner of a knockout; of another tournament the engine with the most points, or all of them.
fn leaders(header: &MatchHeader, progress: &MatchProgress, is_complete: bool) -> Option<String> {
    let standings = &progress.standings;
    if let Some(winner) = header.schedule.winner(&progress.results) {
        return Some(format!("winner: {}", standings.name(winner)));
    }
    let ranking = standings.cross.ranking(&header.schedule.byes(&progress.results));
    let most = ranking.first().filter(|row| row.games > 0)?.half_points;
    let first = ranking.iter().filter(|row| row.half_points == most);
    let names: Vec<&str> = first.map(|row| standings.name(row.engine)).collect();
    let word = if is_complete { "first" } else { "in the lead" };
    let points = counted(crosstable::points(most), "point");
    let each = if names.len() > 1 { " each" } else { "" };
    Some(format!("{word}: {} ({points}{each})", names.join(", ")))
}
