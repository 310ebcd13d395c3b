//! `referee desk`: the operator's page at a tournament.

use super::flags::{ReadyFlag, ServeFlags, setting};
use agon_base::language;
use agon_desk::{
    DeskPlace, DeskPlan, FORMAT, MAX_GAMES, OpenedDesk, Setup, is_order, routes, usual_form,
};
use agon_engine::EngineSpec;
use agon_games::phrase::{Phrase, phrase};
use agon_games::text::{excerpt, visible};
use agon_matches::events::{self, ClockScope, Event, Length};
use agon_matches::games::find_game;
use agon_matchlog::limits;
use agon_matchlog::{EngineEntry, Limit, Setting, rule_pairs};
use agon_web::clocks::ClockRule;
use agon_web::{PageServer, position_routes};
use anyhow::{Context, Result, bail};
use clap::builder::RangedI64ValueParser;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run an engine at a tournament: the operator's page
///
/// The moves of the opponent, rolls and revealed pieces are entered in the browser; the engine's moves
/// are shown and confirmed there. Without --engine both sides are entered by hand. Every action is on
/// disk before it is shown: run the same command to resume after a crash. The clocks run on meanwhile.
#[derive(clap::Args)]
pub struct Args {
    /// Game to play; alternatively --event
    #[arg(long, value_name = "NAME", required_unless_present = "event", help_heading = "Event")]
    game: Option<String>,
    /// Event: a preset (see `referee events`) or a file like one; the flags below override it
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "game", help_heading = "Event")]
    event: Option<String>,
    /// Rule that differs from the game's default; repeatable
    #[arg(
        long = "rule",
        value_name = "NAME=VALUE",
        conflicts_with = "event",
        help_heading = "Event"
    )]
    rules: Vec<String>,
    /// The engine, as for `referee match`; with `ponder=true` it thinks on the opponent's time
    #[arg(long, value_name = "FIELDS", help_heading = "Engines")]
    engine: Option<String>,
    /// Stand-by engine, used if the engine fails twice in a game, or by hand
    #[arg(long, value_name = "FIELDS", requires = "engine", help_heading = "Engines")]
    second_engine: Option<String>,
    /// The team of the engine; A moves first in the first game of most events
    #[arg(long, value_name = "A|B", default_value = "A", value_parser = ["A", "B"], help_heading = "Teams")]
    team: String,
    /// Name of team A
    #[arg(long, value_name = "NAME", help_heading = "Teams")]
    team_a: Option<String>,
    /// Name of team B
    #[arg(long, value_name = "NAME", help_heading = "Teams")]
    team_b: Option<String>,
    /// Clock of each side: TIME or TIME+INCREMENT, in seconds or as m:ss, such as 4:00
    #[arg(long, value_name = "CLOCK", help_heading = "Event")]
    tc: Option<String>,
    /// One clock for all games of the match
    #[arg(long, help_heading = "Event", hide_short_help = true)]
    tc_per_match: bool,
    /// The match is won by the first team with N points
    #[arg(long, value_name = "N", group = "length", value_parser = up_to(MAX_GAMES.div_ceil(2)), help_heading = "Event")]
    first_to: Option<u32>,
    /// The match has at most N games
    #[arg(long, value_name = "N", group = "length", value_parser = up_to(MAX_GAMES), help_heading = "Event")]
    best_of: Option<u32>,
    /// All of N games are played
    #[arg(long, value_name = "N", group = "length", value_parser = up_to(MAX_GAMES), help_heading = "Event")]
    games: Option<u32>,
    /// The team that moves first in each game, such as ABBAABB; repeated if there are more games
    #[arg(long, value_name = "LETTERS", help_heading = "Event")]
    order: Option<String>,
    /// Name of the event in the records, such as "2026 CCGC"
    #[arg(long, value_name = "TEXT", help_heading = "Records", hide_short_help = true)]
    event_name: Option<String>,
    /// Place in the records
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        help_heading = "Records",
        hide_short_help = true
    )]
    place: String,
    /// Play the engine's moves without a confirmation
    #[arg(long, help_heading = "Engines")]
    auto: bool,
    /// Session file [default: EVENT.desk.jsonl or GAME.desk.jsonl]
    #[arg(long, value_name = "FILE", help_heading = "Records")]
    session: Option<PathBuf>,
    /// Folder for the records of the games [default: beside the session file]
    #[arg(long, value_name = "FOLDER", help_heading = "Records")]
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
    let name = event.as_ref().map_or(setup.game.as_str(), |event| event.name.as_str());
    let path = args.session.clone().unwrap_or_else(|| format!("{name}.desk.jsonl").into());
    let event_zh = match (&args.event_name, &event) {
        (None, Some(event)) => event.title_zh.clone(),
        _ => setup.event.clone(),
    };
    let plan = DeskPlan {
        event_zh,
        setup,
        engines,
        session: path.clone(),
        records: args.records.clone(),
        auto: args.auto,
        ready: args.ready.time()?,
    };
    let OpenedDesk { desk, resumed, in_background } = plan.open()?;
    let routes = position_routes().merge(routes(DeskPlace::of(desk)));
    let server = PageServer::start(&args.serve.settings(), routes)?;
    if resumed > 0 {
        let path = path.display();
        let text = phrase!("resuming {path} (actions: {n})", path, n = resumed);
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
