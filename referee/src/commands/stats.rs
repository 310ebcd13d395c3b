//! `referee stats`: the statistics of logs or of counts by all methods, and their own tests.

use super::flags::{SCALES, choice};
use super::provenance;
use super::statistics::{self, Hypotheses, Statistics};
use agon_games::Player;
use agon_matches::parts::whole_header;
use agon_matches::progress::{sequential, series};
use agon_matchlog::{EloScale, GameSet, MatchHeader, SprtEntry, open};
use agon_stats::{
    Betting, Done, EloModel, Figure, Pentanomial, SelfTestEffort, Sprt, Test, TestSample,
};
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Print the statistics of logs or of counted pairs by all methods
///
/// Elo, normalised Elo and LOS for a fixed number of games; the confidence sequence, which holds
/// however often one looks; the SPRT and the test by betting in schedule order; and the median-unbiased
/// estimate after a test. Several logs are the parts of one match.
#[derive(clap::Args)]
pub struct Args {
    /// The logs
    #[arg(value_name = "LOG", required_unless_present_any = ["pentanomial", "self_test"])]
    logs: Vec<PathBuf>,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points instead of logs, such as 3,20,50,25,2
    #[arg(long, value_name = "N,N,N,N,N", conflicts_with = "logs")]
    pentanomial: Option<String>,
    /// Elo difference under H0; default: that of the log's test, or 0
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: Option<f64>,
    /// Elo difference under H1; default: that of the log's test, or 10
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: Option<f64>,
    /// Probability of accepting H1 when H0 is true; default: that of the log's test, or 0.05
    #[arg(long, value_name = "P")]
    alpha: Option<f64>,
    /// Probability of accepting H0 when H1 is true; default: that of the log's test, or 0.05
    #[arg(long, value_name = "P")]
    beta: Option<f64>,
    /// The scale of ELO0 and ELO1; default: that of the log's test, or logistic
    #[arg(long, value_parser = choice(&SCALES))]
    model: Option<EloScale>,
    /// Print JSON: one object per two engines that met, or per figure of the self-test
    #[arg(long)]
    json: bool,
    /// Test all methods by simulation: coverage of intervals, bias, error rates and lengths of tests.
    /// Exit status 1 if a figure is not what its method promises
    #[arg(long, conflicts_with_all = ["logs", "pentanomial"])]
    self_test: bool,
    /// A self-test of seconds instead of minutes
    #[arg(long, requires = "self_test")]
    quick: bool,
    /// Seed of the self-test
    #[arg(long, value_name = "N", default_value_t = 1, requires = "self_test")]
    seed: u64,
}

/// Prints the statistics.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.self_test {
        return Ok(self_test(&args));
    }
    if let Some(text) = &args.pentanomial {
        let pairs = pentanomial(text)?;
        let (hypotheses, sprt, _) = args.tests(None)?;
        let statistics = Statistics::of_pairs(hypotheses, sprt, pairs);
        if args.json {
            println!("{}", statistics.json());
        } else {
            print!("{}", statistics.text());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let all = of_logs(&args)?;
    if !args.json {
        provenance::print_unchecked(&args.logs)?;
    }
    for (names, statistics) in all {
        if args.json {
            let mut json = statistics.json();
            json["engines"] = names.to_vec().into();
            json["heads"] = provenance::heads(&args.logs)?.into();
            json["unchecked"] = provenance::unchecked(&args.logs)?.into();
            println!("{json}");
        } else {
            print!("{} against {}\n{}", names[0], names[1], statistics.text());
        }
    }
    if !args.json {
        provenance::print_heads(&args.logs)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the tables of the self-test.
fn self_test(args: &Args) -> ExitCode {
    // Nothing is drawn unless standard error is a terminal.
    let bar = ProgressBar::new(0);
    let template = "{pos} of {len} cases, {elapsed} elapsed, ETA {eta}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    let show = |figures: &[Figure], done: Done| {
        bar.suspend(|| {
            for figure in figures {
                println!("{}", statistics::figure(figure, args.json));
            }
        });
        bar.set_length(done.of as u64);
        bar.set_position(done.cases as u64);
    };
    let effort = SelfTestEffort { seed: args.seed, quick: args.quick };
    let figures = agon_stats::self_test(effort, show);
    bar.finish_and_clear();
    let failed = figures.iter().filter(|f| !f.holds()).count();
    if !args.json {
        println!("{} figures, {failed} not as promised", figures.len());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Five counts separated by commas.
fn pentanomial(text: &str) -> Result<Pentanomial> {
    let counts: Option<Vec<u64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    let counts = counts.and_then(|c| <[u64; 5]>::try_from(c).ok());
    // Sums of counts stay far below the range of their type.
    let Some(counts) = counts.filter(|c| c.iter().all(|n| *n <= 1 << 40)) else {
        bail!("--pentanomial: expected five counts of pairs such as 3,20,50,25,2, got `{text}`");
    };
    if counts.iter().sum::<u64>() == 0 {
        bail!("--pentanomial: there are no pairs");
    }
    Ok(Pentanomial { counts })
}

impl Args {
    /// The tests of the flags, with the defaults of a log's test.
    fn tests(&self, entry: Option<&SprtEntry>) -> Result<(Hypotheses, Sprt, Option<Betting>)> {
        let or = |flag: Option<f64>, of: fn(&SprtEntry) -> f64, default: f64| {
            flag.or(entry.map(of)).unwrap_or(default)
        };
        let elo0 = or(self.elo0, |e| e.elo0, 0.0);
        let elo1 = or(self.elo1, |e| e.elo1, 10.0);
        let alpha = or(self.alpha, |e| e.alpha, 0.05);
        let beta = or(self.beta, |e| e.beta, 0.05);
        let model = match self.model.or(entry.map(|e| e.model)) {
            None | Some(EloScale::Logistic) => EloModel::Logistic,
            Some(EloScale::Normalised) => EloModel::Normalised,
        };
        let sprt = Sprt::new(model, elo0, elo1, alpha, beta)?;
        let is_logistic = model == EloModel::Logistic;
        let betting = is_logistic.then(|| Betting::new(elo0, elo1, alpha, beta)).transpose()?;
        Ok((Hypotheses { elo0, elo1, alpha, beta }, sprt, betting))
    }
}

/// The statistics of all meetings of engines, in the order of the header.
fn of_logs(args: &Args) -> Result<Vec<([String; 2], Statistics)>> {
    let header = &whole_header(&args.logs)?;
    let own = sequential(header)?.or_else(|| series(header)).map(|s| (*s.test(), s.sample()));
    let mut seen = GameSet::default();
    let mut meetings: BTreeMap<[usize; 2], Statistics> = BTreeMap::new();
    for path in &args.logs {
        for game in open(path)?.1 {
            let game = game?;
            if !seen.insert(game.game) {
                bail!("{}: game {} stands in the logs twice", path.display(), game.number());
            }
            let [first, second] = game.players;
            let swapped = first > second;
            let key = if swapped { [second, first] } else { [first, second] };
            let statistics = match meetings.get_mut(&key) {
                Some(statistics) => statistics,
                None => meetings.entry(key).or_insert(meeting(args, header, own)?),
            };
            let score = game.result.score_of_first();
            let (score, side) =
                if swapped { (score.flipped(), Player::Second) } else { (score, Player::First) };
            statistics.push(game.pair, score, side);
        }
    }
    if meetings.is_empty() {
        bail!("the logs have no games");
    }
    let named = |([a, b], statistics): ([usize; 2], Statistics)| {
        let name = |i: usize| header.engines.get(i).map(|e| e.name.clone());
        let names = [name(a).context("unknown player")?, name(b).context("unknown player")?];
        Ok((names, statistics))
    };
    meetings.into_iter().map(named).collect()
}

/// No games between two engines yet. Only in a match of two engines the order of pairs is known.
fn meeting(
    args: &Args,
    header: &MatchHeader,
    own: Option<(Test, TestSample)>,
) -> Result<Statistics> {
    let (hypotheses, sprt, betting) = args.tests(header.sprt.as_ref())?;
    if header.engines.len() != 2 || own.is_none() {
        let none = Pentanomial::default();
        return Ok(Statistics::of_pairs(hypotheses, sprt, none));
    }
    Ok(Statistics::new(hypotheses, sprt, betting, own))
}
