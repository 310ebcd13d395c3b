//! `referee desk`: the operator's page at a tournament.

use super::flags::{ReadyFlag, ServeFlags, setting};
use agon_base::language;
use agon_engine::driver::{EngineContext, Timeouts};
use agon_engine::{Driver, EngineSpec, StartError, StartFault};
use agon_games::phrase::{Phrase, ToPhrase, phrase};
use agon_games::text::{excerpt, visible};
use agon_matches::events::{self, ClockScope, Event, Length};
use agon_matches::games::find_game;
use agon_matchlog::limits;
use agon_matchlog::{EngineEntry, Limit, Setting, TimeControl, rule_pairs};
use agon_web::desk::{
    ClockRule, Controller, Desk, Equipment, FORMAT, Journal, MAX_GAMES, Setup, Started, is_order,
    routes, usual_form,
};
use agon_web::{Feed, PageServer, SessionThread, position_routes};
use anyhow::{Context, Result, bail};
use clap::builder::RangedI64ValueParser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

/// Run an engine at a tournament: the operator's page
///
/// The moves of the opponent, rolls and revealed pieces are entered in the browser; the engine's moves
/// are shown and confirmed there. Without --engine both sides are entered by hand. Every action is on
/// disk before it is shown: run the same command to resume after a crash. The clocks run on meanwhile.
#[derive(clap::Args)]
pub struct Args {
    /// Game to play; alternatively --event
    #[arg(long, value_name = "NAME", required_unless_present = "event")]
    game: Option<String>,
    /// Event: a preset (see `referee events`) or a file like one; the flags below override it
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "game")]
    event: Option<String>,
    /// Rule that differs from the game's default; repeatable
    #[arg(long = "rule", value_name = "NAME=VALUE", conflicts_with = "event")]
    rules: Vec<String>,
    /// The engine, as for `referee match`; with `ponder=true` it thinks on the opponent's time
    #[arg(long, value_name = "FIELDS")]
    engine: Option<String>,
    /// Stand-by engine, used if the engine fails twice in a game, or by hand
    #[arg(long, value_name = "FIELDS", requires = "engine")]
    second_engine: Option<String>,
    /// The team of the engine; A moves first in the first game of most events
    #[arg(long, value_name = "A|B", default_value = "A", value_parser = ["A", "B"])]
    team: String,
    /// Name of team A
    #[arg(long, value_name = "NAME")]
    team_a: Option<String>,
    /// Name of team B
    #[arg(long, value_name = "NAME")]
    team_b: Option<String>,
    /// Clock of each side: TIME or TIME+INCREMENT, in seconds or as m:ss, such as 4:00
    #[arg(long, value_name = "CLOCK")]
    tc: Option<String>,
    /// One clock for all games of the match
    #[arg(long)]
    tc_per_match: bool,
    /// The match is won by the first team with N points
    #[arg(long, value_name = "N", group = "length", value_parser = up_to(MAX_GAMES.div_ceil(2)))]
    first_to: Option<u32>,
    /// The match has at most N games
    #[arg(long, value_name = "N", group = "length", value_parser = up_to(MAX_GAMES))]
    best_of: Option<u32>,
    /// All of N games are played
    #[arg(long, value_name = "N", group = "length", value_parser = up_to(MAX_GAMES))]
    games: Option<u32>,
    /// The team that moves first in each game, such as ABBAABB; repeated if there are more games
    #[arg(long, value_name = "LETTERS")]
    order: Option<String>,
    /// Name of the event in the records, such as "2026 CCGC"
    #[arg(long, value_name = "TEXT")]
    event_name: Option<String>,
    /// Place in the records
    #[arg(long, value_name = "TEXT", default_value = "")]
    place: String,
    /// Play the engine's moves without a confirmation
    #[arg(long)]
    auto: bool,
    /// Session file [default: EVENT.desk.jsonl or GAME.desk.jsonl]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Folder for the records of the games [default: beside the session file]
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    #[command(flatten)]
    ready: ReadyFlag,
    #[command(flatten)]
    serve: ServeFlags,
}

/// Numbers from 1 to a maximum.
fn up_to(maximum: u32) -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(maximum))
}

/// Runs the desk until Ctrl-C.
pub fn run(args: &Args) -> Result<ExitCode> {
    let event = args.event.as_deref().map(events::find).transpose()?;
    let engines = engines(args)?;
    let setup = setup(args, event.as_ref(), &engines)?;
    let engines = with_clock(engines, setup.clock);
    let name = event.as_ref().map_or(setup.game.as_str(), |event| event.name.as_str());
    let path = args.session.clone().unwrap_or_else(|| format!("{name}.desk.jsonl").into());
    let ready = args.ready.time()?;
    let timeouts = Timeouts { ready, ..Timeouts::default() };
    let context = Arc::new(EngineContext::new(&setup.game, setup.rules.clone(), timeouts));
    // The clocks of a new session wait for its engine; those of a resumed one may run.
    let started = if path.exists() { None } else { start(&engines, &context)? };
    let (journal, state) = Journal::open(&path, &setup)?;
    let resumed = state.n;
    let in_background = engines.first().filter(|_| started.is_none()).map(|e| e.name.clone());
    let records = args.records.clone().unwrap_or_else(|| default_records(&path));
    // Better now than after the first game.
    std::fs::create_dir_all(&records).map_err(|cause| {
        let path = records.display();
        phrase!("the folder of the records, {path}: {cause}", path, cause)
    })?;
    let equipment = Equipment {
        engines,
        started,
        context,
        auto: args.auto,
        records,
        event_zh: match (&args.event_name, &event) {
            (None, Some(event)) => event.title_zh.clone(),
            _ => setup.event.clone(),
        },
    };
    let feed = Feed::default();
    let table_feed = feed.clone();
    let (ready, started) = std::sync::mpsc::channel();
    let session = SessionThread::start("desk", move |messages, reports| {
        match Controller::new(journal, state, equipment, table_feed, reports) {
            Ok(table) => {
                // The command waits for it.
                let _ = ready.send(Ok(()));
                table.run(&messages);
            }
            Err(e) => drop(ready.send(Err(e))),
        }
    })?;
    started.recv().unwrap_or_else(|_| Err(phrase!("the desk ended")))?;
    let routes = position_routes().merge(routes(Desk { session, feed }));
    let server = PageServer::start(&args.serve.settings(), routes)?;
    if resumed > 0 {
        let path = path.display();
        let text = phrase!("resuming {path} ({n} actions)", path, n = resumed);
        println!("{}", language::current().say(&text));
    }
    if let Some(name) = in_background {
        let text = phrase!("engine {name} starts in the background", name);
        println!("{}", language::current().say(&text));
    }
    println!("{}desk", server.url());
    server.wait();
    Ok(ExitCode::SUCCESS)
}

/// The engine and its stand-by.
fn engines(args: &Args) -> Result<Vec<EngineEntry>> {
    let texts = [("--engine", &args.engine), ("--second-engine", &args.second_engine)];
    let given = texts.into_iter().filter_map(|(flag, text)| Some((flag, text.as_ref()?)));
    given
        .map(|(flag, text)| {
            let entry = EngineSpec::parse(text)?.entry(&Limit::default()).context(flag)?;
            if entry.limit.clock.is_some() {
                bail!(phrase!(
                    "{flag}: the clock is that of the event; give --tc instead of tc=",
                    flag
                ));
            }
            Ok(entry)
        })
        .collect()
}

/// The engines with the clock of the session: what they are told must be in a unit that they know.
fn with_clock(engines: Vec<EngineEntry>, rule: ClockRule) -> Vec<Arc<EngineEntry>> {
    let ClockRule { time_ms, increment_ms, .. } = rule;
    let clock = (time_ms > 0).then_some(TimeControl { time_ms, increment_ms, moves: None });
    let with = |engine: EngineEntry| {
        let limit = Limit { clock: clock.clone(), ..engine.limit };
        Arc::new(EngineEntry { limit, ..engine })
    };
    engines.into_iter().map(with).collect()
}

/// Starts the engine and waits until it is ready, at the same time as the stand-by, which takes its place if
/// it fails; without one the engine is started once more. `None`: no engine plays.
fn start(
    engines: &[Arc<EngineEntry>],
    context: &Arc<EngineContext>,
) -> Result<Option<Started>, Phrase> {
    let Some((first, standby)) = engines.split_first() else { return Ok(None) };
    let (driver, other) = thread::scope(|scope| {
        let others = standby.first().map(|entry| scope.spawn(|| Driver::start(entry, context)));
        let driver = Driver::start(first, context);
        // A panic has been reported already.
        (driver, others.and_then(|other| other.join().ok()))
    });
    match (driver, other) {
        (_, Some(Err(error))) | (Err(error), _) if error.cause == StartFault::Fields => {
            Err(error.to_phrase())
        }
        (Ok(driver), other) => {
            match other {
                Some(Ok(other)) => other.quit(),
                Some(Err(error)) => warn(&error),
                None => {}
            }
            Ok(Some(Started { driver, index: 0, failure: None }))
        }
        (Err(error), Some(Ok(driver))) => {
            warn(&error);
            Ok(Some(Started { driver, index: 1, failure: Some(error.to_phrase()) }))
        }
        (Err(error), None) if error.cause == StartFault::Engine => {
            warn(&error);
            let driver = Driver::start(first, context).map_err(|error| error.to_phrase())?;
            Ok(Some(Started { driver, index: 0, failure: Some(error.to_phrase()) }))
        }
        (Err(error), _) => Err(error.to_phrase()),
    }
}

/// Tells the operator of an engine that does not start.
fn warn(error: &StartError) {
    eprintln!("{}", language::current().say(&error.to_phrase()));
}

/// The session's set-up from the event and the flags.
fn setup(args: &Args, event: Option<&Event>, engines: &[EngineEntry]) -> Result<Setup> {
    let kind = match (event, &args.game) {
        (Some(event), _) => event.kind,
        (None, game) => find_game(game.as_deref().unwrap_or_default())?,
    };
    let rules: Vec<Setting> = match event {
        Some(event) => event.rules.clone(),
        None => {
            let rules = args.rules.iter().map(|text| setting(text));
            rules.collect::<Result<_, Phrase>>().context("--rule")?
        }
    };
    kind.open(None, &rule_pairs(&rules)).context("--rule")?;
    let engine = engines.first().map(|_| usize::from(args.team == "B"));
    let name = |team: usize, given: &Option<String>| {
        let own = engines.first().filter(|_| engine == Some(team)).map(|e| e.name.clone());
        let other = || if engine.is_some() { "Opponent" } else { ["A", "B"][team] }.to_string();
        visible(&given.clone().or(own).unwrap_or_else(other)).into_owned()
    };
    let length = match (args.first_to, args.best_of, args.games) {
        (Some(n), _, _) => Length::FirstTo(n),
        (_, Some(n), _) => Length::BestOf(n),
        (_, _, Some(n)) => Length::Games(n),
        _ => event.map_or(Length::Games(1), |event| event.length),
    };
    let order = event.map_or("AB".into(), |event| {
        event.first.iter().map(|&team| ['A', 'B'][team.min(1)]).collect()
    });
    if let Some(order) = args.order.as_ref().filter(|order| !is_order(order)) {
        bail!(phrase!(
            "--order `{text}`: expected letters A and B, such as ABBAABB",
            text = excerpt(order)
        ));
    }
    let title = event.map_or(String::new(), |event| event.title.clone());
    let setup = Setup {
        agon_desk: FORMAT,
        game: kind.name.into(),
        rules,
        teams: [name(0, &args.team_a), name(1, &args.team_b)],
        engine,
        clock: clock(args, event)?,
        length,
        order: args.order.clone().unwrap_or(order),
        event: visible(args.event_name.as_deref().unwrap_or(&title)).into_owned(),
        place: visible(&args.place).into_owned(),
        record: event.map_or(usual_form(kind.name), |event| event.record.name()).into(),
    };
    setup.check()?;
    Ok(setup)
}

/// The clock of the flags, or of the event; without either there is none.
fn clock(args: &Args, event: Option<&Event>) -> Result<ClockRule> {
    let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let of_match = event.is_some_and(|event| event.scope == ClockScope::Match);
    let per = if args.tc_per_match || of_match { ClockScope::Match } else { ClockScope::Game };
    if args.tc_per_match && args.tc.is_none() && event.is_none() {
        bail!(phrase!("--tc-per-match: also give the clock with --tc"));
    }
    let Some(text) = &args.tc else {
        let (time_ms, increment_ms) =
            event.map_or((0, 0), |event| (ms(event.time), ms(event.increment)));
        return Ok(ClockRule { time_ms, increment_ms, per });
    };
    let mut limit = Limit::default();
    let read = limits::set(&mut limit, "tc", text);
    match limit.clock.filter(|clock| read.is_ok() && clock.moves.is_none()) {
        Some(clock) => {
            Ok(ClockRule { time_ms: clock.time_ms, increment_ms: clock.increment_ms, per })
        }
        None => bail!(phrase!(
            "--tc `{text}`: expected TIME or TIME+INCREMENT in seconds or as m:ss, such as 4:00 or 15:00+10",
            text = excerpt(text)
        )),
    }
}

/// `FILE-records` beside the session file, without the ending of its name.
fn default_records(session: &Path) -> PathBuf {
    let name = session.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.trim_end_matches(".jsonl").trim_end_matches(".desk");
    session.with_file_name(format!("{stem}-records"))
}
