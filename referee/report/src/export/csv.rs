//! One line per game, for spreadsheets and data frames (RFC 4180). Games and pairs are counted from 1.

use super::{names, result};
use agon_base::ordinal::Ordinal;
use agon_matchlog::{GameRecord, MatchHeader};

/// The header line.
pub const HEAD: &str = "game,pair,first,second,result,reason,plies,first_seconds,second_seconds,\
                        first_depth,second_depth,first_nodes,second_nodes,opening,detail\n";

/// One game.
pub fn game(header: &MatchHeader, record: &GameRecord) -> String {
    let [first, second] = names(header, record);
    let mut cells = vec![
        record.number().to_string(),
        Ordinal::of_index(record.pair).to_string(),
        cell(first),
        cell(second),
        result(record.result).into(),
        cell(record.reason.name()),
        record.by.len().to_string(),
    ];
    let movers: Vec<usize> = record.movers().collect();
    for side in 0..2 {
        let us: u64 = moves_of(&movers, side).filter_map(|i| record.stats.us.get(i)).sum();
        cells.push(format!("{:.3}", us as f64 / 1e6));
    }
    for side in 0..2 {
        let depths = moves_of(&movers, side).filter_map(|i| *record.stats.depth.get(i)?);
        cells.push(mean(depths.map(f64::from)));
    }
    for side in 0..2 {
        let nodes = moves_of(&movers, side).filter_map(|i| *record.stats.nodes.get(i)?);
        cells.push(mean(nodes.map(|n| n as f64)));
    }
    cells.push(cell(&record.opening));
    cells.push(cell(&record.detail.clone().unwrap_or_default().to_string()));
    cells.join(",") + "\n"
}

/// The decisions of one side, as indices into the columns of a game's figures.
fn moves_of(movers: &[usize], side: usize) -> impl Iterator<Item = usize> + '_ {
    movers.iter().enumerate().filter(move |(_, s)| **s == side).map(|(i, _)| i)
}

/// Returns an empty field if there are no values.
fn mean(values: impl Iterator<Item = f64>) -> String {
    let (sum, count) = values.fold((0.0, 0u32), |(s, n), v| (s + v, n + 1));
    if count == 0 { String::new() } else { format!("{:.1}", sum / f64::from(count)) }
}

/// Quotes a field if necessary.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::example;
    use super::*;

    #[test]
    fn a_line_has_as_many_cells_as_the_head() {
        let (header, record) = example("amazons", "startpos", "d1d7,d7g7 a7b7,b7b1 d7d6,d6d7");
        let line = game(&header, &record);
        assert_eq!(
            line,
            "7,4,b,\"A \"\"quoted\"\" name\",0-1,time,3,4.500,1.500,4.0,4.0,100.0,100.0,startpos,b \
             exceeded its time\n"
        );
        assert_eq!(HEAD.split(',').count(), 15);
    }
}
