//! A rating list as text and as JSON.

use agon_base::counted;
use agon_stats::{Meetings, RatingError, Ratings, Wilson, Z95};
use anyhow::anyhow;
use serde_json::{Value, json};

/// The engines of a list: their names, their games and the ratings of these.
#[derive(Clone, Copy)]
pub struct RatedEngines<'a> {
    /// The names.
    pub names: &'a [String],
    /// The games.
    pub meetings: &'a Meetings,
    /// The ratings.
    pub ratings: &'a Ratings,
}

/// What the errors of a list are.
#[derive(Clone, Copy)]
pub struct Errors<'a> {
    /// Computed from pairs, not from the model.
    pub robust: bool,
    /// The anchor; `None`: the mean of all engines.
    pub relative_to: Option<&'a str>,
}

impl Errors<'_> {
    fn reference(&self) -> String {
        self.relative_to.map_or("the mean of all engines".into(), |name| format!("engine {name}"))
    }

    fn basis(&self) -> &'static str {
        if self.robust {
            "pairs (sandwich estimator); no meeting counts as less variable than one pair won 2-0 and \
             one lost 0-2"
        } else {
            "the model, which assumes independent games"
        }
    }

    /// What `+-` means.
    pub fn legend(&self) -> String {
        format!("+-: 95%, relative to {}, from {}", self.reference(), self.basis())
    }
}

/// An error with the names of the engines.
pub fn named(error: RatingError, names: &[String]) -> anyhow::Error {
    match error {
        RatingError::Apart(engines) => {
            let names: Vec<&str> = engines.iter().map(|&i| names[i].as_str()).collect();
            anyhow!(
                "{} never scored against the others, never lost a point to them or never met them, so \
                 the difference is infinite; use --prior 1 to give every engine a virtual draw",
                names.join(", ")
            )
        }
        error => error.into(),
    }
}

/// The engines by rating, best first.
pub fn ranking(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.elo.len()).collect();
    order.sort_by(|&a, &b| ratings.elo[b].total_cmp(&ratings.elo[a]).then(a.cmp(&b)));
    order
}

/// The list as text.
pub fn table(list: RatedEngines<'_>, errors: Errors<'_>) -> String {
    let RatedEngines { names, meetings, ratings } = list;
    let robust = errors.robust;
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:>3} {:<width$} {:>8} {:>7} {:>8} {:>7} {:>7} {:>7} {:>9}\n",
        "", "Engine", "Elo", "+-", "Points", "Games", "Score", "Draws", "LOS next"
    );
    let order = ranking(ratings);
    for (rank, &i) in order.iter().enumerate() {
        let all = meetings.of(i);
        let percent = |x: Option<f64>| x.map_or("-".into(), |x| format!("{:.1}%", 100.0 * x));
        let next = order.get(rank + 1).map(|&j| ratings.los(i, j, robust));
        text.push_str(&format!(
            "{:>3} {:<width$} {:>8.1} {:>7.1} {:>8.1} {:>7} {:>7} {:>7} {:>9}\n",
            rank + 1,
            names[i],
            ratings.elo[i],
            Z95 * ratings.error(i, robust),
            all.half_points() as f64 / 2.0,
            all.games(),
            percent(all.score()),
            percent(all.draw_rate()),
            percent(next),
        ));
    }
    text.push_str(&errors.legend());
    text.push('\n');
    for line in facts(list, robust) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// What the games say of moving first and of draws.
pub fn facts(
    RatedEngines { names, meetings, ratings }: RatedEngines<'_>,
    robust: bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    let n = names.len();
    if let Some(elo) = ratings.advantage {
        let matrix = if robust { &ratings.robust } else { &ratings.covariance };
        let error = Z95 * matrix[(n, n)].max(0.0).sqrt();
        lines.push(format!("moving first is worth {elo:+.1} +- {error:.1} Elo"));
    }
    lines.extend(ratings.draw.map(|elo| format!("draw parameter {elo:.1} Elo")));
    let first = meetings.first_player();
    if let Some(score) = first.score() {
        let wins = Wilson::new(first.wins, first.games()).map_or("-".into(), |w| w.to_string());
        lines.push(format!(
            "the first player scored {:.2}% of {}, won {}, drew {:.2}%",
            100.0 * score,
            counted(first.games(), "game"),
            wins,
            100.0 * first.draw_rate().unwrap_or(0.0)
        ));
    }
    lines
}

/// The list as JSON.
pub fn json(list: RatedEngines<'_>, errors: Errors<'_>) -> Value {
    let RatedEngines { names, meetings, ratings } = list;
    let matrix = |m: &nalgebra::DMatrix<f64>| -> Vec<Vec<f64>> {
        m.row_iter().map(|row| row.iter().copied().collect()).collect()
    };
    let engines: Vec<Value> = ranking(ratings)
        .into_iter()
        .map(|i| {
            let all = meetings.of(i);
            let (elo, half) = (ratings.elo[i], Z95 * ratings.error(i, errors.robust));
            json!({
                "index": i,
                "name": names[i],
                "elo": elo,
                "error": half,
                "low": elo - half,
                "high": elo + half,
                "standard_error": ratings.error(i, true),
                "model_standard_error": ratings.error(i, false),
                "wins": all.wins,
                "draws": all.draws,
                "losses": all.losses,
            })
        })
        .collect();
    let mut parameters: Vec<String> = names.to_vec();
    parameters.extend(ratings.advantage.map(|_| "first player's advantage".into()));
    parameters.extend(ratings.draw.map(|_| "draw parameter".into()));
    json!({
        "engines": engines,
        "errors": {
            "level": 0.95,
            "kind": "`error` is half the width of the interval from `low` to `high`",
            "relative_to": errors.reference(),
            "computed_from": errors.basis(),
        },
        "advantage": ratings.advantage,
        "draw": ratings.draw,
        "parameters": parameters,
        "covariance": matrix(&ratings.robust),
        "model_covariance": matrix(&ratings.covariance),
    })
}
