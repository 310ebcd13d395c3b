//! `referee ratings`: computes maximum-likelihood rating lists, of logs or of all verified logs below folders.

mod folder;
mod pages;
mod show;

use super::flags::choice;
use super::provenance;
use agon_matchlog::rating_lists::{ListEngine, RatedList, lists};
use agon_matchlog::{CheckedLog, OneMatch, count_once, open};
use agon_report::report::ReportOptions;
use agon_stats::{DrawModel, Meetings, Model, Parameter, rate};
use anyhow::{Result, bail};
use folder::{FolderLogs, RefusedLog};
use pages::{OutFiles, Shown};
use show::{Errors, RatedEngines, named, table};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

/// The values of `--draws`.
const DRAWS: [(&str, &str, DrawModel); 2] = [
    ("half", "Half a win for both, as in Ordo", DrawModel::Half),
    ("rao-kupper", "An outcome with its own parameter, as in BayesElo", DrawModel::RaoKupper),
];

/// Rate all engines of one or more logs, or of all logs below a folder
///
/// Engines with the same name in several logs count as one engine. The mean rating is 0 unless
/// `--anchor` fixes the rating of one engine; errors are then those of the differences from it, else
/// those of the differences from the mean of all engines. Errors are 95% intervals. They are computed
/// from pairs where games come in pairs, and no meeting counts as less variable than one pair won 2-0
/// and one lost 0-2, so games that are all drawn have an error too. `--model-errors` computes errors
/// from the model, which assumes independent games, as Ordo and BayesElo do.
///
/// With a folder or `--out`, every log (`*.jsonl`) below is verified first, as `referee verify` does. One that has
/// a defect is named and does not count, a game that several logs hold counts once, different programs of
/// one name are told apart, and each game with each limit on thinking has a list of its own. The same folder gives the
/// same bytes.
///
/// Exit status: 0 all logs count, 1 a log has a defect, or an error, 3 no defect, but a log cannot be checked.
#[derive(clap::Args)]
pub struct Args {
    /// The logs, or folders
    #[arg(required = true, value_name = "LOG|FOLDER")]
    logs: Vec<PathBuf>,
    /// Reproduce the output of another program with its default settings, scale included
    #[arg(long = "as", value_enum, conflicts_with_all = ["draws", "no_advantage", "prior"], help_heading = "Model")]
    like: Option<Program>,
    /// Draw model: a draw is half a win for both (Ordo), or has its own parameter (BayesElo)
    #[arg(long, value_parser = choice(&DRAWS), default_value = "half", help_heading = "Model")]
    draws: DrawModel,
    /// Assume no advantage of the first move instead of estimating it
    #[arg(long, help_heading = "Model")]
    no_advantage: bool,
    /// Virtual draws per engine, spread over its opponents
    #[arg(long, value_name = "N", default_value_t = 0.0, help_heading = "Model")]
    prior: f64,
    /// Fix the rating of one engine; errors are then relative to it. Repeatable, for several lists
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor, help_heading = "Model")]
    anchor: Vec<(String, f64)>,
    /// Compute errors from the model instead of from pairs
    #[arg(long, help_heading = "Model")]
    model_errors: bool,
    /// Print one JSON object that includes the covariances
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Write the lists of a folder as a page, FILE.html, with the games beside it in FILE-games, or as FILE.json;
    /// repeatable
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    out: Vec<PathBuf>,
    /// With a page: number of games of each log that are replayed; games that ended by a fault are added
    #[arg(long, value_name = "N", default_value_t = ReportOptions::default().games, requires = "out", help_heading = "Output")]
    games: usize,
    /// With a folder or --out: matches may be unfinished
    #[arg(long, help_heading = "Log")]
    partial: bool,
}

/// A rating program to reproduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Program {
    /// Draws count as half wins, no first-move advantage, 202 points for a score of 76%
    Ordo,
    /// After `elo` and `mm`: advantage 32.8, drawelo 97.3, two draws for each engine
    Bayeselo,
}

/// The exit status if a log cannot be checked.
const UNCHECKED: u8 = 3;

/// Prints or writes the lists.
pub fn run(args: Args) -> Result<ExitCode> {
    if !(args.prior >= 0.0 && args.prior.is_finite()) {
        bail!("--prior: expected a number from 0");
    }
    if !args.out.is_empty() || args.logs.iter().any(|path| path.is_dir()) {
        return of_folder(&args);
    }
    if args.partial {
        bail!("--partial: only with a folder or --out; the games of single logs are not verified");
    }
    of_logs(&args)?;
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The model and the factor of its scale.
    fn model(&self) -> (Model, f64) {
        let advantage =
            if self.no_advantage { Parameter::Given(0.0) } else { Parameter::Estimated };
        let (draws, drawelo, prior) = (self.draws, Parameter::Estimated, self.prior);
        match self.like {
            None => (Model { draws, drawelo, advantage, prior }, 1.0),
            Some(Program::Ordo) => Model::ordo(),
            Some(Program::Bayeselo) => Model::bayeselo(),
        }
    }
}

/// One list of these logs, by the names of engines.
fn of_logs(args: &Args) -> Result<()> {
    let (names, meetings) = gather(&args.logs)?;
    let (model, factor) = args.model();
    let ratings = rate(&meetings, &model).map_err(|e| named(e, &names))?;
    let mut ratings = ratings.scaled(factor);
    let mut relative_to = None;
    match args.anchor.as_slice() {
        [] => {}
        [(name, elo)] => {
            let Some(engine) = names.iter().position(|n| n == name) else {
                bail!("--anchor: unknown engine {name}; engines: {}", names.join(", "));
            };
            ratings = ratings.anchored(engine, *elo);
            relative_to = Some(name.as_str());
        }
        _ => bail!("--anchor: one list has one anchor; a folder makes several lists"),
    }
    let errors = Errors { robust: !args.model_errors, relative_to };
    let list = RatedEngines { names: &names, meetings: &meetings, ratings: &ratings };
    if args.json {
        let mut json = show::json(list, errors);
        json["heads"] = provenance::heads(&args.logs)?.into();
        json["unchecked"] = provenance::unchecked(&args.logs)?.into();
        println!("{json}");
    } else {
        provenance::print_unchecked(&args.logs)?;
        print!("{}", table(list, errors));
        provenance::print_heads(&args.logs)?;
    }
    Ok(())
}

/// The lists of all logs below folders.
fn of_folder(args: &Args) -> Result<ExitCode> {
    let out = OutFiles::of(&args.out)?;
    let FolderLogs { sound, mut refused } = folder::read(&args.logs, args.partial)?;
    let checked: Vec<CheckedLog> = sound.iter().map(|log| log.checked.clone()).collect();
    let mut matches = count_once(&checked)?;
    for one in &mut matches {
        refused.extend(contradicted(one, &sound));
    }
    matches.retain(|one| one.contradiction.is_none());
    refused.sort_by(|a, b| a.name.cmp(&b.name));
    for log in &refused {
        eprintln!("{}: does not count: {}", log.name, log.sentence());
    }
    let (model, factor) = args.model();
    let mut lists = lists(&checked, &matches, &model, factor)?;
    set_anchors(&mut lists, &args.anchor)?;
    let robust = !args.model_errors;
    let shown =
        Shown { lists: &lists, sound: &sound, matches: &matches, refused: &refused, robust };
    let written = out.write(&shown, args.games)?;
    if args.json {
        println!("{}", shown.json(false));
    } else {
        print!("{}", shown.text());
        written.iter().for_each(|path| println!("written: {}", path.display()));
    }
    Ok(match (refused.iter().any(|log| log.is_wrong), refused.is_empty()) {
        (true, _) => ExitCode::FAILURE,
        (false, false) => ExitCode::from(UNCHECKED),
        (false, true) => ExitCode::SUCCESS,
    })
}

/// The logs of a match of which two tell a game differently: none of them counts.
fn contradicted(one: &OneMatch, sound: &[folder::SoundLog]) -> Vec<RefusedLog> {
    let Some((both, game)) = one.contradiction else { return Vec::new() };
    let number = agon_base::ordinal::Ordinal::of_index(game);
    let [a, b] = both.map(|log| sound[log].name.as_str());
    let reason = format!(
        "{a} and {b} are of one match, with the same engines and the same seed or secret, and tell game {number} \
         differently: none of its logs counts. Keep one of them, or play a second match with another seed"
    );
    one.logs
        .iter()
        .map(|(log, _)| RefusedLog::contradicted(&sound[*log].name, reason.clone()))
        .collect()
}

/// The engines of logs by name, and their games.
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

/// The value of `--anchor`: the name of an engine and its rating.
fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=').and_then(|(n, e)| Some((n, e.trim().parse::<f64>().ok()?)));
    let fits = parts.filter(|(_, elo)| elo.is_finite());
    fits.map(|(name, elo)| (name.to_string(), elo))
        .ok_or("expected NAME=ELO such as best=2000".into())
}

/// Fixes the rating of the first anchor that a list has.
fn set_anchors(lists: &mut [RatedList], anchors: &[(String, f64)]) -> Result<()> {
    for (name, elo) in anchors {
        let mut is_known = false;
        for list in lists.iter_mut() {
            let is_meant = |e: &ListEngine| e.name == *name || e.label == *name;
            let meant: Vec<usize> =
                (0..list.engines.len()).filter(|&i| is_meant(&list.engines[i])).collect();
            match meant.as_slice() {
                [] => {}
                [engine] => {
                    is_known = true;
                    list.fix(*engine, *elo);
                }
                several => {
                    let labels: Vec<&str> =
                        several.iter().map(|&i| list.engines[i].label.as_str()).collect();
                    bail!(
                        "--anchor: several programs are called {name}: give one of {}",
                        labels.join("; ")
                    );
                }
            }
        }
        if !is_known {
            let labels: BTreeSet<&str> =
                lists.iter().flat_map(|list| &list.engines).map(|e| e.label.as_str()).collect();
            let labels: Vec<&str> = labels.into_iter().collect();
            bail!("--anchor: unknown engine {name}; engines: {}", labels.join(", "));
        }
    }
    Ok(())
}
