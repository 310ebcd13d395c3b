//! The crosstable of a match: wins, draws, losses and points of all engines against each other.

use super::plot::{Align, TextTable};
use agon_matches::crosstable::{Crosstable, CrosstableRow};
use agon_stats::Wdl;

/// Half points in the usual notation: `12½`.
pub fn points(half_points: u64) -> String {
    match (half_points / 2, half_points % 2) {
        (0, 1) => "½".into(),
        (n, 1) => format!("{n}½"),
        (n, _) => n.to_string(),
    }
}

/// Wins, draws and losses: `3-1-2`.
pub fn wdl(counts: Wdl) -> String {
    format!("{}-{}-{}", counts.wins, counts.draws, counts.losses)
}

/// How to read [`table`].
pub const LEGEND: &str = "W-D-L and points of the row's engine against the column's; S-B: \
                          Sonneborn-Berger score";

/// The engines by rank, with a column for each opponent. Byes count as points.
pub fn table(cross: &Crosstable, names: &[String], byes: &[u64]) -> TextTable {
    let ranking = cross.ranking(byes);
    let ranks: Vec<String> = (1..=ranking.len()).map(|rank| rank.to_string()).collect();
    let heads: Vec<&str> = ranks.iter().map(String::as_str).collect();
    let mut table = TextTable::new(&[
        (Align::Right, &[""]),
        (Align::Left, &["engine"]),
        (Align::Right, &["points", "games", "W-D-L", "S-B"]),
        (Align::Right, &heads),
    ]);
    for (row, rank) in ranking.iter().zip(&ranks) {
        let mut cells = vec![
            rank.clone(),
            name(names, row.engine).to_string(),
            points(row.half_points),
            row.games.to_string(),
            wdl(total(cross, row.engine, &ranking)),
            format!("{:.2}", row.sonneborn_berger as f64 / 4.0),
        ];
        cells.extend(ranking.iter().map(|other| {
            let met = cross.meeting(row.engine, other.engine);
            match (row.engine == other.engine, met.games()) {
                (true, _) => "\u{b7}".into(),
                (false, 0) => "-".into(),
                (false, _) => format!("{} {}", wdl(met), points(met.half_points())),
            }
        }));
        table.row(cells);
    }
    table
}

/// The same as JSON: a list by rank.
pub fn json(cross: &Crosstable, names: &[String], byes: &[u64]) -> serde_json::Value {
    let ranking = cross.ranking(byes);
    let counts = |w: Wdl| {
        serde_json::json!({
            "wins": w.wins,
            "draws": w.draws,
            "losses": w.losses,
            "points": w.half_points() as f64 / 2.0,
        })
    };
    let rows = ranking.iter().enumerate().map(|(i, row)| {
        let met = ranking.iter().filter(|other| other.engine != row.engine);
        let against = met.filter_map(|other| {
            let met = cross.meeting(row.engine, other.engine);
            let mut value = counts(met);
            value.as_object_mut()?.insert("name".into(), name(names, other.engine).into());
            (met.games() > 0).then_some(value)
        });
        serde_json::json!({
            "rank": i + 1,
            "name": name(names, row.engine),
            "points": row.half_points as f64 / 2.0,
            "games": row.games,
            "sonneborn_berger": row.sonneborn_berger as f64 / 4.0,
            "buchholz": row.buchholz as f64 / 2.0,
            "against": against.collect::<Vec<_>>(),
        })
    });
    rows.collect()
}

fn name(names: &[String], engine: usize) -> &str {
    names.get(engine).map_or("?", String::as_str)
}

fn total(cross: &Crosstable, engine: usize, all: &[CrosstableRow]) -> Wdl {
    all.iter().map(|other| cross.meeting(engine, other.engine)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_matchlog::GameRecord;
    use agon_matchlog::GameResult::{Draw, First, Second};

    fn example() -> (Crosstable, [String; 3]) {
        let mut cross = Crosstable::new(3);
        for (players, result) in [([1, 0], Draw), ([0, 1], Second), ([1, 2], First)] {
            cross.push(&GameRecord::bare(players, result));
        }
        (cross, ["alpha", "beta", "gamma"].map(String::from))
    }

    #[test]
    fn rows_and_columns_are_sorted_by_rank_and_cells_have_counts_and_points() {
        let (cross, names) = example();
        let table = table(&cross, &names, &[]);
        let rows: Vec<Vec<&str>> =
            table.rows().iter().map(|row| row.iter().map(String::as_str).collect()).collect();
        // Beta has 1.5 points of 2 against alpha's 0.5 and 1 of 1 against gamma's 0: S-B 0.75.
        assert_eq!(rows[0], ["1", "beta", "2½", "3", "2-1-0", "0.75", "·", "1-1-0 1½", "1-0-0 1"]);
        assert_eq!(rows[1], ["2", "alpha", "½", "2", "0-1-1", "1.25", "0-1-1 ½", "·", "-"]);
        assert_eq!(rows[2], ["3", "gamma", "0", "1", "0-0-1", "0.00", "0-0-1 0", "-", "·"]);
        assert_eq!(table.head().len(), rows[0].len());
    }

    #[test]
    fn json_holds_the_same_counts() {
        let (cross, names) = example();
        let list = json(&cross, &names, &[0, 0, 6]);
        assert_eq!(list[0]["name"], "gamma", "three points of byes");
        assert_eq!(list[1]["name"], "beta");
        let against = list[1]["against"].as_array().unwrap();
        assert_eq!(against.len(), 2);
        assert_eq!(against[1]["name"], "alpha");
        assert_eq!((&against[1]["wins"], &against[1]["draws"]), (&1.into(), &1.into()));
        assert_eq!(against[1]["points"], 1.5);
    }

    #[test]
    fn half_points_are_written_as_people_write_them() {
        assert_eq!([0, 1, 2, 25].map(points), ["0", "½", "1", "12½"]);
    }
}
