//! `referee ratings`: computes a maximum-likelihood rating list from logs.

use super::flags::choice;
use super::provenance;
use agon_matchlog::open;
use agon_stats::{DrawModel, Meetings, Model, Parameter, RatingError, Ratings, Wilson, Z95, rate};
use anyhow::{Result, anyhow, bail};
use std::path::PathBuf;
use std::process::ExitCode;

/// The values of `--draws`.
const DRAWS: [(&str, &str, DrawModel); 2] = [
    ("half", "Half a win for both, as in Ordo", DrawModel::Half),
    ("rao-kupper", "An outcome with its own parameter, as in BayesElo", DrawModel::RaoKupper),
];

/// Rate all engines of one or more logs
///
/// Engines with the same name in several logs count as one engine. The mean rating is 0 unless
/// `--anchor` fixes the rating of one engine; errors are then those of the differences from it, else
/// those of the differences from the mean of all engines. Errors are 95% intervals. They are computed
/// from pairs where games come in pairs, and no meeting counts as less variable than one pair won 2-0
/// and one lost 0-2, so games that are all drawn have an error too. `--model-errors` computes errors
/// from the model, which assumes independent games, as Ordo and BayesElo do.
#[derive(clap::Args)]
pub struct Args {
    /// The logs
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Reproduce the output of another program with its default settings, scale included
    #[arg(long = "as", value_enum, conflicts_with_all = ["draws", "no_advantage", "prior"])]
    like: Option<Program>,
    /// Draw model: a draw is half a win for both (Ordo), or has its own parameter (BayesElo)
    #[arg(long, value_parser = choice(&DRAWS), default_value = "half")]
    draws: DrawModel,
    /// Assume no advantage of the first move instead of estimating it
    #[arg(long)]
    no_advantage: bool,
    /// Virtual draws per engine, spread over its opponents
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    prior: f64,
    /// Fix the rating of one engine; errors are then relative to it
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<String>,
    /// Compute errors from the model instead of from pairs
    #[arg(long)]
    model_errors: bool,
    /// Print one JSON object that includes the covariances
    #[arg(long)]
    json: bool,
}

/// A rating program to reproduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Program {
    /// Draws count as half wins, no first-move advantage, 202 points for a score of 76%
    Ordo,
    /// After `elo` and `mm`: advantage 32.8, drawelo 97.3, two draws for each engine
    Bayeselo,
}

/// Prints the list.
pub fn run(args: Args) -> Result<ExitCode> {
    if !(args.prior >= 0.0 && args.prior.is_finite()) {
        bail!("--prior: expected a number from 0");
    }
    let (names, meetings) = gather(&args.logs)?;
    let advantage = if args.no_advantage { Parameter::Given(0.0) } else { Parameter::Estimated };
    let (draws, drawelo, prior) = (args.draws, Parameter::Estimated, args.prior);
    let (model, factor) = match args.like {
        None => (Model { draws, drawelo, advantage, prior }, 1.0),
        Some(Program::Ordo) => Model::ordo(),
        Some(Program::Bayeselo) => Model::bayeselo(),
    };
    let ratings = rate(&meetings, &model).map_err(|e| named(e, &names))?;
    let mut ratings = ratings.scaled(factor);
    let mut relative_to = None;
    if let Some(text) = &args.anchor {
        let (engine, elo) = anchor(&names, text)?;
        ratings = ratings.anchored(engine, elo);
        relative_to = Some(names[engine].as_str());
    }
    let errors = Errors { robust: !args.model_errors, relative_to };
    if args.json {
        let mut json = json(&names, &meetings, &ratings, &errors);
        json["heads"] = provenance::heads(&args.logs)?.into();
        json["unchecked"] = provenance::unchecked(&args.logs)?.into();
        println!("{json}");
    } else {
        provenance::print_unchecked(&args.logs)?;
        print!("{}", table(&names, &meetings, &ratings, &errors));
        provenance::print_heads(&args.logs)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn gather(logs: &[PathBuf]) -> Result<(Vec<String>, Meetings)> {
    let mut names: Vec<String> = Vec::new();
    let mut meetings = Meetings::default();
    for path in logs {
        let (header, games) = open(path)?;
        let here: Vec<usize> = header
            .engines
            .iter()
            .map(|e| {
                names.iter().position(|n| *n == e.name).unwrap_or_else(|| {
                    names.push(e.name.clone());
                    names.len() - 1
                })
            })
            .collect();
        for game in games {
            let game = game?;
            let [Some(&a), Some(&b)] = game.players.map(|i| here.get(i)) else {
                bail!("{}: game {} has unknown players", path.display(), game.number());
            };
            meetings.push(game.pair, [a, b], game.result.score_of_first());
        }
        meetings.end_log();
    }
    meetings.make_room(names.len());
    if meetings.games() == 0 {
        bail!("the logs have no games");
    }
    Ok((names, meetings))
}

fn named(error: RatingError, names: &[String]) -> anyhow::Error {
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

/// What the errors of a list are.
struct Errors<'a> {
    /// Computed from pairs, not from the model.
    robust: bool,
    /// The anchor; `None`: the mean of all engines.
    relative_to: Option<&'a str>,
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
}

/// The engine with a given rating, and the rating.
fn anchor(names: &[String], text: &str) -> Result<(usize, f64)> {
    let parts = text.rsplit_once('=').and_then(|(n, e)| Some((n, e.trim().parse::<f64>().ok()?)));
    let Some((name, elo)) = parts.filter(|(_, elo)| elo.is_finite()) else {
        bail!("--anchor: expected NAME=ELO such as best=2000")
    };
    let Some(i) = names.iter().position(|n| n == name) else {
        bail!("--anchor: unknown engine {name}; engines: {}", names.join(", "));
    };
    Ok((i, elo))
}

/// The engines by rating, best first.
fn ranking(ratings: &Ratings) -> Vec<usize> {
    let mut order: Vec<usize> = (0..ratings.elo.len()).collect();
    order.sort_by(|&a, &b| ratings.elo[b].total_cmp(&ratings.elo[a]).then(a.cmp(&b)));
    order
}

fn table(names: &[String], meetings: &Meetings, ratings: &Ratings, errors: &Errors) -> String {
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
    text.push_str(&format!(
        "+-: 95%, relative to {}, from {}\n",
        errors.reference(),
        errors.basis()
    ));
    let n = names.len();
    if let Some(elo) = ratings.advantage {
        let matrix = if robust { &ratings.robust } else { &ratings.covariance };
        let error = Z95 * matrix[(n, n)].max(0.0).sqrt();
        text.push_str(&format!("moving first is worth {elo:+.1} +- {error:.1} Elo\n"));
    }
    if let Some(elo) = ratings.draw {
        text.push_str(&format!("draw parameter {elo:.1} Elo\n"));
    }
    let first = meetings.first_player();
    if let Some(score) = first.score() {
        let wins = Wilson::new(first.wins, first.games()).map_or("-".into(), |w| w.to_string());
        text.push_str(&format!(
            "the first player scored {:.2}% of {} games, won {}, drew {:.2}%\n",
            100.0 * score,
            first.games(),
            wins,
            100.0 * first.draw_rate().unwrap_or(0.0)
        ));
    }
    text
}

fn json(
    names: &[String],
    meetings: &Meetings,
    ratings: &Ratings,
    errors: &Errors,
) -> serde_json::Value {
    let matrix = |m: &nalgebra::DMatrix<f64>| -> Vec<Vec<f64>> {
        m.row_iter().map(|row| row.iter().copied().collect()).collect()
    };
    let engines: Vec<serde_json::Value> = ranking(ratings)
        .into_iter()
        .map(|i| {
            let all = meetings.of(i);
            let (elo, half) = (ratings.elo[i], Z95 * ratings.error(i, errors.robust));
            serde_json::json!({
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
    serde_json::json!({
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
