//! `referee fastchess`, and the program under the names of fastchess and cutechess-cli: their command line over our matches.

use super::conduct::Conduct;
use super::flags::{cores, default_log};
use agon_engine::driver::Timeouts;
use agon_engine::variants::Introduction;
use agon_fastchess::{
    ChosenGame, Command, Engine, LineSettings, Lines, Persona, Settings, choose_game,
    other_game_of, without_single_thread, words,
};
use agon_games::arbiter::GameKind;
use agon_matches::chance::{Chance, ChanceSettings};
use agon_matches::openings::{OpeningChoice, Openings, OpeningsSource};
use agon_matches::run_end::RunEnd;
use agon_matches::run_settings::{RoundSettings, RunSettings};
use agon_matches::session::MatchOutcome;
use agon_matches::tablebase;
use agon_matchlog::{Adjudication, EngineEntry, Limit};
use agon_report::recorder;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long fastchess waits for the move of an engine whose time is over before it counts as stalled.
const GRACE: Duration = Duration::from_secs(10);

/// Play matches with the command line of fastchess
///
/// Flags, defaults, output lines and PGN are those of fastchess 1.8, for every game of the referee; the log of the
/// match is written beside. `referee fastchess -help` lists the words. The program does the same under the names
/// fastchess, fastchess-ob and cutechess-cli, the last with the defaults of cutechess-cli.
///
/// Exit status: 0 complete, 1 an error or a match that stopped.
#[derive(clap::Args)]
pub struct Args {
    /// The command line of fastchess
    #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Plays the match of the words.
pub fn run(args: &Args) -> Result<ExitCode> {
    play(&args.words, Persona::Fastchess)
}

/// Whose command line this is, and its words: by the program's name, or by the first word.
pub fn of_arguments(arguments: &[String]) -> Option<(Persona, &[String])> {
    let (program, rest) = arguments.split_first()?;
    let name = Path::new(program).file_stem()?.to_str()?;
    match name {
        "fastchess" | "fastchess-ob" => Some((Persona::Fastchess, rest)),
        "cutechess-cli" => Some((Persona::Cutechess, rest)),
        _ => {
            let (first, words) = rest.split_first()?;
            // The help of the subcommand is clap's.
            let is_help = matches!(words, [word] if word == "--help" || word == "-h");
            (first == "fastchess" && !is_help).then_some((Persona::Fastchess, words))
        }
    }
}

/// Plays the match of a command line.
pub fn play(words: &[String], persona: Persona) -> Result<ExitCode> {
    let begun = Instant::now();
    if words.is_empty() {
        print!("{}", words::help());
        return Ok(ExitCode::SUCCESS);
    }
    let cores = cores();
    let command = Command::read(words, persona, cores)?;
    match command.asks {
        Some("help") => print!("{}", words::help()),
        Some(_) => {
            let version = env!("CARGO_PKG_VERSION");
            println!("fastchess {} (command line of the Agon referee {version})", words::VERSION);
        }
        None => {
            command
                .ignored
                .iter()
                .for_each(|line| eprintln!("referee: accepted without effect: {line}"));
            let outcome = play_match(command, cores)?;
            let s = begun.elapsed().as_secs();
            println!("Finished match");
            println!(
                "Total Time: {:02}:{:02}:{:02} (hours:minutes:seconds)",
                s / 3600,
                s / 60 % 60,
                s % 60
            );
            eprintln!("log: {}\nhash of its last line: {}", outcome.log.display(), outcome.head);
            return Ok(code(&outcome));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn play_match(command: Command, cores: usize) -> Result<MatchOutcome> {
    let Command { engines, settings, .. } = command;
    let run = run_settings(&settings, settings.concurrency(cores)?);
    let schedule = settings.schedule(engines.len())?;
    let source = settings.openings()?;
    let (ChosenGame { kind, introductions }, engines) =
        choose(&settings, source.as_ref(), engines, run.timeouts.ready)?;
    if let Some(source) = &source {
        check_book(source, kind)?;
    }
    let tables = settings.tables.as_deref().map(tablebase::entry).transpose().context("-tb")?;
    let log = log_file(&settings, || default_log(kind.name, &engines, settings.srand))?;
    let lines = LineSettings::new(&settings, resources(&engines, &introductions));
    let conduct = Conduct {
        game: (kind, Vec::new()),
        engines,
        schedule,
        openings: source.map_or(OpeningChoice::Start, OpeningChoice::File),
        chance: ChanceSettings {
            seed: settings.chance_seed(),
            secret: None,
            shared: true,
            contributions: false,
        },
        adjudication: Adjudication {
            resign: settings.resign.clone(),
            draw: settings.draw.clone(),
            max_plies: settings.max_plies,
            territory: false,
            tables,
        },
        sprt: settings.sprt.clone(),
        until_width: None,
        log,
        round: RoundSettings::default(),
        run,
    };
    conduct.outcome(|session| {
        let lines = Lines::new(&session.header, lines, &session.log);
        let outcome = recorder::play(session, Some(&lines))?;
        if matches!(outcome.ended, RunEnd::Complete | RunEnd::Decided) {
            lines.conclude(&outcome);
        }
        Ok(outcome)
    })
}

/// How the match is run.
fn run_settings(settings: &Settings, concurrency: usize) -> RunSettings {
    let (pgnout, pgn_form) = settings.pgn.clone().unzip();
    let ready = settings.ready.unwrap_or(Timeouts::default().ready);
    RunSettings {
        concurrency,
        shard: None,
        worker: None,
        // fastchess ends a match at the first failure, unless it is to recover.
        max_faults: u64::from(!settings.recover),
        wait: settings.wait,
        pgnout,
        pgn_form: pgn_form.unwrap_or_default(),
        engine_log: settings.engine_log(),
        engine_log_limit: 1 << 10,
        interval: 0,
        pin: settings.pin,
        watch: false,
        serve: None,
        publish: None,
        letters: false,
        json: false,
        quiet: true,
        timeouts: Timeouts { ready, grace: GRACE, ..Timeouts::default() },
    }
}

/// The game, and the engines as the log has them.
fn choose(
    settings: &Settings,
    source: Option<&OpeningsSource>,
    mut engines: Vec<Engine>,
    within: Duration,
) -> Result<(ChosenGame, Vec<EngineEntry>)> {
    let entries = |engines: &[Engine]| -> Result<Vec<EngineEntry>> {
        let all = engines.iter().map(|e| e.spec.entry(&Limit::default()));
        Ok(all.collect::<Result<_, _>>()?)
    };
    let book = source.map(|source| source.file.as_path());
    let chosen = choose_game(settings.variant.as_deref(), book, &entries(&engines)?, within)?;
    for (engine, said) in engines.iter_mut().zip(&chosen.introductions) {
        let dropped = said.as_ref().and_then(|said| without_single_thread(engine, said));
        dropped.iter().for_each(|line| eprintln!("referee: accepted without effect: {line}"));
    }
    let engines = entries(&engines)?;
    Ok((chosen, engines))
}

/// The threads and the hash size of each engine: what is set, or else what it lists.
fn resources(
    engines: &[EngineEntry],
    introductions: &[Option<Introduction>],
) -> Vec<[Option<String>; 2]> {
    let of = |engine: &EngineEntry, said: &Option<Introduction>| {
        ["Threads", "Hash"].map(|name| {
            let set = engine.options.iter().rfind(|o| o.name.eq_ignore_ascii_case(name));
            let listed = || {
                let mut options = said.as_ref()?.options.iter();
                options.find(|(own, _)| own.eq_ignore_ascii_case(name))
            };
            set.map(|o| o.value.clone()).or_else(|| listed().map(|(_, value)| value.clone()))
        })
    };
    engines.iter().zip(introductions).map(|(engine, said)| of(engine, said)).collect()
}

/// The log: of the match that is resumed, as named, beside the PGN file, or by the names of the engines.
fn log_file(settings: &Settings, usual: impl FnOnce() -> PathBuf) -> Result<PathBuf> {
    match (&settings.resume, &settings.log_file, &settings.pgn) {
        (Some(log), ..) => resumed(log),
        (None, Some(log), _) if log.exists() => {
            let log = log.display();
            bail!("-config outname={log}: it exists; resume its match with -config file={log}")
        }
        (None, Some(log), _) => Ok(log.clone()),
        (None, None, Some((pgn, _))) => Ok(free(pgn.with_extension("jsonl"))),
        (None, None, None) => Ok(free(usual())),
    }
}

/// Reads the book and names the other game that it is for.
fn check_book(source: &OpeningsSource, kind: GameKind) -> Result<()> {
    let chance = Chance::seeded(1, true);
    let Err(error) = Openings::read(source, kind, &[], &chance) else { return Ok(()) };
    match other_game_of(source, kind) {
        Some(other) => bail!(
            "-openings: the match is {}, and these are openings of {other}: {error}",
            kind.name
        ),
        None => Err(error).context("-openings"),
    }
}

/// The log of a match to resume.
fn resumed(log: &Path) -> Result<PathBuf> {
    let opened = agon_matchlog::open(log);
    opened.map(|_| ()).with_context(|| {
        let log = log.display();
        format!("-config file={log}: expected the log of a match of this program; the configuration files of other programs are not read")
    })?;
    Ok(log.into())
}

/// The file, or one with a number where it or the secret of its match exists.
fn free(log: PathBuf) -> PathBuf {
    let is_free = |log: &PathBuf| {
        let mut secret = log.clone().into_os_string();
        secret.push(".secret");
        !log.exists() && !Path::new(&secret).exists()
    };
    let numbered = |n: u32| {
        let stem = log.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        log.with_file_name(format!("{stem}-{n}.jsonl"))
    };
    if is_free(&log) {
        return log;
    }
    (2..).map(numbered).find(is_free).unwrap_or(log)
}

/// Says why a match stopped; the exit code.
fn code(outcome: &MatchOutcome) -> ExitCode {
    let why = match &outcome.ended {
        RunEnd::Complete | RunEnd::Decided | RunEnd::RoundFinished => return ExitCode::SUCCESS,
        RunEnd::Failed(why) | RunEnd::Disturbed(why) => why.as_str(),
        RunEnd::Interrupted | RunEnd::OutOfTime | RunEnd::Stopped => "interrupted",
    };
    let log = outcome.log.display();
    eprintln!("referee: {why}");
    eprintln!(
        "finished games are saved in {log}; the same command with -config file={log} resumes the match"
    );
    ExitCode::FAILURE
}
