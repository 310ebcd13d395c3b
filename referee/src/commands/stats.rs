//! `referee stats`: the statistics of logs or of counts by all methods, and their own tests.

use super::flags::{SCALES, choice};
use super::provenance;
use agon_matchlog::EloScale;
use agon_report::statistics::{LogStatistics, TestSettings};
use agon_report::workers;
use agon_stats::{Done, Expected, Figure, Pentanomial, SelfTestEffort};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Print the statistics of logs or of counted pairs by all methods
///
/// Elo, normalised Elo and LOS for a fixed number of games; the confidence sequence, which holds
/// however often one looks; the SPRT and the test by betting in schedule order; and the median-unbiased
/// estimate after a test; and the machines that played, compared with each other. Several logs are the parts of
/// one match.
#[derive(clap::Args)]
pub struct Args {
    /// The logs
    #[arg(value_name = "LOG", required_unless_present_any = ["pentanomial", "self_test"])]
    logs: Vec<PathBuf>,
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points instead of logs, such as 3,20,50,25,2
    #[arg(long, value_name = "N,N,N,N,N", conflicts_with = "logs", help_heading = "Pairs")]
    pentanomial: Option<String>,
    /// Elo difference under H0; default: that of the log's test, or 0
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, help_heading = "Test")]
    elo0: Option<f64>,
    /// Elo difference under H1; default: that of the log's test, or 10
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, help_heading = "Test")]
    elo1: Option<f64>,
    /// Probability of accepting H1 when H0 is true; default: that of the log's test, or 0.05
    #[arg(long, value_name = "P", help_heading = "Test")]
    alpha: Option<f64>,
    /// Probability of accepting H0 when H1 is true; default: that of the log's test, or 0.05
    #[arg(long, value_name = "P", help_heading = "Test")]
    beta: Option<f64>,
    /// The scale of ELO0 and ELO1; default: that of the log's test, or logistic
    #[arg(long, value_parser = choice(&SCALES), help_heading = "Test")]
    model: Option<EloScale>,
    /// Print JSON: one object per two engines that met, or per figure of the self-test
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Test all methods by simulation: coverage of intervals, bias, error rates and lengths of tests.
    /// Exit status 1 if a figure is not what its method promises
    #[arg(long, conflicts_with_all = ["logs", "pentanomial"], help_heading = "Self-test")]
    self_test: bool,
    /// A self-test of seconds instead of minutes
    #[arg(long, requires = "self_test", help_heading = "Self-test")]
    quick: bool,
    /// Seed of the self-test
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        requires = "self_test",
        help_heading = "Self-test"
    )]
    seed: u64,
}

/// Prints the statistics.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.self_test {
        return Ok(self_test(&args));
    }
    if let Some(text) = &args.pentanomial {
        let statistics = args.tests().of_pairs(pentanomial(text)?)?;
        if args.json {
            println!("{}", statistics.json());
        } else {
            print!("{}", statistics.text());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let LogStatistics { header, machines, meetings } = args.tests().of_logs(&args.logs)?;
    if !args.json {
        provenance::print_unchecked(&args.logs)?;
    }
    for (names, statistics) in meetings {
        if args.json {
            let mut json = statistics.json();
            json["engines"] = names.to_vec().into();
            json["heads"] = provenance::heads(&args.logs)?.into();
            json["unchecked"] = provenance::unchecked(&args.logs)?.into();
            json["workers"] = workers::json(&machines);
            println!("{json}");
        } else {
            print!("{} against {}\n{}", names[0], names[1], statistics.text());
        }
    }
    if !args.json {
        print!("{}", workers::text(&header, &machines));
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
                println!("{}", shown(figure, args.json));
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
    /// The tests of the flags.
    fn tests(&self) -> TestSettings {
        let Args { elo0, elo1, alpha, beta, model, .. } = *self;
        TestSettings { elo0, elo1, alpha, beta, model }
    }
}

/// A figure of the self-test as a line of a table or of JSON.
fn shown(figure: &Figure, json: bool) -> String {
    let expected = match figure.expected {
        Expected::AtMost(x) => format!("at most {x}"),
        Expected::AtLeast(x) => format!("at least {x}"),
        Expected::About(x, within) => format!("{x} within {within}"),
        Expected::Nothing => String::new(),
    };
    let verdict = if figure.holds() { "" } else { "NOT AS PROMISED" };
    if json {
        let json = serde_json::json!({
            "method": figure.method, "case": figure.case, "figure": figure.what,
            "value": figure.value, "standard_error": figure.error,
            "expected": expected, "holds": figure.holds(),
        });
        return json.to_string();
    }
    let (method, case, what) = (figure.method, &figure.case, figure.what);
    let digits = if figure.value.abs() >= 10.0 { 1 } else { 4 };
    let line = format!(
        "{method:<20} {case:<32} {what:<33} {:>9.digits$} +- {:<8.digits$} {expected} {verdict}",
        figure.value, figure.error
    );
    line.trim_end().to_string()
}
