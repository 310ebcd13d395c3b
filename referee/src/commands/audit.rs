//! `referee audit`: has the programs of a log play some of its games again, and compares every move and count.

use super::flags::{ReadyFlag, seconds};
use agon_base::counted;
use agon_base::ordinal::Ordinal;
use agon_engine::driver::{EngineContext, Timeouts};
use agon_engine::locate::locate;
use agon_engine::transcript::Transcript;
use agon_engine::{INTERRUPTED, catch_interrupts};
use agon_matches::audit::{
    AuditEnd, AuditedGame, Auditor, Difference, Sample, Verdict, draw_seed,
    excuse_nondeterministic, irreproducible,
};
use agon_matches::games::find_game;
use agon_matches::tablebase;
use agon_matches::verify::chances;
use agon_matchlog::{GameSet, MatchHeader, head, open, open_sorted};
use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Have the programs of a log play some of its games again, and compare every move and node count
///
/// Games at fixed depth or nodes are the same each time. They are played from the log's own words: the programs
/// by their commands and hashes, options, rules, openings, dice and deals. The first difference of a game is
/// printed with its ply. A game that differs is played twice more; if it then differs from itself, an engine
/// is not deterministic, and the log is not to blame. `referee verify` checks everything else in a log.
///
/// This runs the commands that the log names: give --sandbox unless you know who wrote it.
///
/// Exit status: 0 all games are the same, 1 differences or an error, 3 no difference, but an engine is not
/// deterministic, or thinks by the clock, with several threads or while it ponders; 130 interrupted.
#[derive(clap::Args)]
pub struct Args {
    /// The log
    log: PathBuf,
    /// How many games are drawn at random: a number, or a part such as 1%
    #[arg(long, value_name = "N|N%", default_value = "1%", help_heading = "Games")]
    sample: Sample,
    /// Play these games instead, such as 3,17
    #[arg(long, value_name = "N,...", value_delimiter = ',', conflicts_with_all = ["sample", "seed"], help_heading = "Games")]
    games: Vec<Ordinal>,
    /// Draw the same games as another audit, which printed this number; default: games that nobody can
    /// foresee
    #[arg(long, value_name = "N", help_heading = "Games")]
    seed: Option<u64>,
    /// A folder in which a program is now that is not where the log says, or has changed there; repeatable
    #[arg(long = "engine-dir", value_name = "FOLDER", help_heading = "Engines")]
    folders: Vec<PathBuf>,
    /// The file with the secret of a log that does not reveal it; without it, dice and deals are the log's
    #[arg(long, value_name = "FILE", help_heading = "Chance")]
    secret: Option<PathBuf>,
    /// Run every engine in a sandbox (needs bubblewrap, on Linux): no network, no other processes, no
    /// files but its own
    #[arg(long, help_heading = "Engines")]
    sandbox: bool,
    /// Number of concurrent games
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, help_heading = "Machine")]
    concurrency: usize,
    #[command(flatten)]
    ready: ReadyFlag,
    /// Timeout for a move
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 600.0,
        help_heading = "Machine",
        hide_short_help = true
    )]
    thought_time: f64,
    /// Write the whole dialogue with every engine to a file, or to one file per engine if PATH is a
    /// folder or ends with a slash
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    engine_log: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// The games of a log that are to be played.
struct Plan {
    header: MatchHeader,
    /// The number of games in the log.
    games: u64,
    chosen: GameSet,
    /// The engines of these games.
    engines: BTreeSet<usize>,
    /// What names the sample; `None` if the user chose the games.
    seed: Option<u64>,
    /// Why some games of the log cannot be played again, and how many.
    refused: Vec<String>,
    excluded: u64,
}

/// What came of it.
struct Audit {
    plan: Plan,
    played: Vec<AuditedGame>,
    ended: AuditEnd,
    seconds: f64,
    /// What was not checked.
    unchecked: Vec<String>,
    head: String,
}

/// Maximum size of each file of `--engine-log` in bytes.
const LARGEST_DIALOGUE: u64 = 1 << 30;
/// The exit status if nothing differs but not all could be compared.
const UNCHECKED: u8 = 3;

/// Plays the games and prints what differs.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut plan = plan(args)?;
    let (mut played, mut unchecked) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    let ended = if plan.engines.is_empty() {
        AuditEnd::Complete
    } else {
        bring_here(args, &mut plan)?;
        play(args, &plan, &mut unchecked, |game| played.push(game))?
    };
    played.sort_by_key(|game| game.game);
    excuse_nondeterministic(&mut played);
    let (seconds, head) = (begin.elapsed().as_secs_f64(), head(&args.log)?);
    let audit = Audit { plan, played, ended, seconds, unchecked, head };
    if args.json {
        println!("{}", audit.json(args));
    } else {
        audit.print(args);
    }
    if let AuditEnd::Failed(why) = &audit.ended {
        bail!("{why}");
    }
    Ok(audit.exit_code())
}

/// Chooses the games.
fn plan(args: &Args) -> Result<Plan> {
    let log = args.log.display();
    let (header, mut games) = open(&args.log)?;
    let reasons: Vec<_> = header.engines.iter().map(irreproducible).collect();
    let (mut all, mut met, mut excluded) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut players = Vec::new();
    while let Some(game) = games.next().transpose()? {
        met.extend(game.players);
        if game.players.iter().any(|&engine| reasons[engine].is_some()) {
            excluded.insert(game.game);
        } else {
            all.push(game.game);
            players.push((game.game, game.players));
        }
    }
    if all.is_empty() && excluded.is_empty() {
        bail!("{log}: the log has no games");
    }
    let refused: Vec<String> = met.iter().filter_map(|&engine| reasons[engine].clone()).collect();
    let (games, excluded_games) = ((all.len() + excluded.len()) as u64, excluded.len() as u64);
    let mut chosen = GameSet::default();
    let mut seed = None;
    if args.games.is_empty() {
        let named = args.seed.map_or_else(draw_seed, Ok).context("--seed")?;
        seed = Some(named);
        if !all.is_empty() {
            chosen = args.sample.draw(all, named);
        }
    } else {
        for number in &args.games {
            let game = number.index();
            if excluded.contains(&game) {
                bail!("{log}: game {number} cannot be played again: {}", refused.join("; "));
            }
            if !all.contains(&game) {
                bail!("{log}: the log has no game {number}");
            }
            chosen.insert(game);
        }
    }
    let engines = players.iter().filter(|(game, _)| chosen.contains(*game));
    let engines = engines.flat_map(|(_, players)| *players).collect();
    Ok(Plan { header, games, chosen, engines, seed, refused, excluded: excluded_games })
}

/// Finds the programs of the engines that play.
fn bring_here(args: &Args, plan: &mut Plan) -> Result<()> {
    let Plan { header, engines, .. } = plan;
    let tables = header.adjudication.tables.as_mut();
    if let Some(tables) = tables {
        tables.engine = locate(&tables.engine, &args.folders).map_err(|e| anyhow!("{e}"))?;
        tablebase::check_files(tables).map_err(|e| anyhow!("{e}"))?;
        tables.engine.sandbox |= args.sandbox;
    }
    for &engine in engines.iter() {
        let entry = &mut header.engines[engine];
        *entry = locate(entry, &args.folders).map_err(|e| anyhow!("{e}"))?;
        entry.sandbox |= args.sandbox;
        // Which cores play changes no game, and this machine may have others.
        entry.cpus.clear();
    }
    Ok(())
}

fn play(
    args: &Args,
    plan: &Plan,
    unchecked: &mut Vec<String>,
    mut finished: impl FnMut(AuditedGame),
) -> Result<AuditEnd> {
    let (header, chosen) = (&plan.header, &plan.chosen);
    let ends = open(&args.log)?.1;
    let chances = chances(args.secret.as_deref(), &args.log, header, ends.ends())?;
    let kind = find_game(&header.game)?;
    if chances.iter().any(Option::is_none) {
        unchecked.push(
            "the secret is not revealed (--secret FILE): dice and deals are those of the log"
                .into(),
        );
    }
    let timeouts = Timeouts {
        ready: args.ready.time()?,
        think: seconds("thought-time", args.thought_time)?,
        ..Timeouts::default()
    };
    let transcript = args.engine_log.as_ref().map(|path| {
        let opened = Transcript::open(path, LARGEST_DIALOGUE).map(Arc::new);
        opened.with_context(|| format!("--engine-log {}", path.display()))
    });
    let transcript = transcript.transpose()?;
    let common = EngineContext::new(&header.game, header.rules.clone(), timeouts);
    let common = Arc::new(EngineContext { transcript, ..common });
    let concurrency = args.concurrency;
    let auditor = Auditor { header, kind, chances, common, concurrency };
    catch_interrupts();
    // Nothing is drawn unless standard error is a terminal.
    let bar = ProgressBar::new(chosen.iter().count() as u64);
    let template = "{pos} of {len} games played again{msg}, {elapsed} elapsed, ETA {eta}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    let (_, games) = open_sorted(&args.log)?;
    let mut differ = 0;
    let ended = auditor.run(games.among(chosen), plan.engines.iter().copied(), |game| {
        differ += u64::from(game.verdict != Verdict::Same);
        bar.inc(1);
        if differ > 0 {
            bar.set_message(format!(", {differ} differ"));
        }
        finished(game);
    });
    bar.finish_and_clear();
    Ok(ended)
}

impl Audit {
    fn differ(&self) -> usize {
        self.played.iter().filter(|game| matches!(game.verdict, Verdict::Differs(_))).count()
    }

    fn changing(&self) -> usize {
        let is_changing = |v: &Verdict| matches!(v, Verdict::NotDeterministic { .. });
        self.played.iter().filter(|game| is_changing(&game.verdict)).count()
    }

    fn names(&self) -> Vec<&str> {
        self.plan.header.engines.iter().map(|engine| engine.name.as_str()).collect()
    }

    fn print(&self, args: &Args) {
        let log = args.log.display();
        let (plan, names) = (&self.plan, self.names());
        let wanted = plan.chosen.iter().count();
        match plan.seed {
            Some(seed) if wanted > 0 => {
                println!(
                    "{log}: {wanted} of {}, drawn with --seed {seed}",
                    counted(plan.games, "game")
                );
            }
            _ => {}
        }
        for game in &self.played {
            let number = game.game;
            match &game.verdict {
                Verdict::Same => {}
                Verdict::Differs(difference) => {
                    let what = difference.sentence(&names, ["the log has", "played again it is"]);
                    eprintln!("{log}: game {number}, {what}");
                }
                Verdict::NotDeterministic { difference, between } => {
                    let what = match between {
                        Some(between) => between.sentence(&names, ["once it is", "another time"]),
                        None => difference.sentence(&names, ["the log has", "played again it is"]),
                    };
                    let culprit = self.culprit(between.as_ref().unwrap_or(difference));
                    println!("{log}: game {number}: {culprit}: {what}");
                }
            }
        }
        for what in &self.unchecked {
            println!("{log}: not checked: {what}");
        }
        for why in &plan.refused {
            println!("{log}: cannot be played again ({}): {why}", counted(plan.excluded, "game"));
        }
        println!("{log}: hash of the last line: {}", self.head);
        let plies: usize = self.played.iter().map(|game| game.plies).sum();
        let (games, seconds) = (self.played.len(), self.seconds);
        let open = match wanted - games {
            0 => String::new(),
            left => format!(" ({left} more were not played)"),
        };
        println!(
            "{log}: {}; {games}{open}, {plies} played again in {seconds:.2} s",
            self.verdict(),
            games = counted(games, "game"),
            plies = counted(plies, "ply")
        );
    }

    /// Whose fault it is that a game is not the same twice.
    fn culprit(&self, between: &Difference) -> String {
        match between.engine.and_then(|engine| self.plan.header.engines.get(engine)) {
            Some(engine) => format!("engine {} is not deterministic", engine.name),
            None => "an engine is not deterministic".into(),
        }
    }

    /// The verdict in a few words.
    fn verdict(&self) -> String {
        match (self.differ(), self.changing()) {
            (1, _) => "1 game differs".into(),
            (n @ 2.., _) => format!("{n} differ", n = counted(n, "game")),
            (0, n @ 1..) => {
                format!("cannot be checked, not deterministic in {n}", n = counted(n, "game"))
            }
            (0, 0) if self.plan.engines.is_empty() && !self.plan.refused.is_empty() => {
                "cannot be checked".into()
            }
            (0, 0) => "no difference".into(),
        }
    }

    fn exit_code(&self) -> ExitCode {
        let refused = self.plan.engines.is_empty() && !self.plan.refused.is_empty();
        match &self.ended {
            AuditEnd::Interrupted => ExitCode::from(INTERRUPTED),
            _ if self.differ() > 0 => ExitCode::FAILURE,
            _ if self.changing() > 0 || refused => ExitCode::from(UNCHECKED),
            _ => ExitCode::SUCCESS,
        }
    }

    fn json(&self, args: &Args) -> Value {
        let names = self.names();
        let difference = |d: &Difference| {
            let engine = d.engine.and_then(|engine| names.get(engine));
            json!({ "ply": d.ply, "engine": engine, "what": d.what, "log": d.log, "now": d.now })
        };
        let (mut differences, mut changing) = (Vec::new(), Vec::new());
        for game in &self.played {
            match &game.verdict {
                Verdict::Same => {}
                Verdict::Differs(d) => {
                    differences.push(json!({ "game": game.game, "difference": difference(d) }));
                }
                Verdict::NotDeterministic { difference: d, between } => {
                    let two = between.as_ref().map(|b| {
                        let engine = b.engine.and_then(|engine| names.get(engine));
                        json!({ "ply": b.ply, "engine": engine, "what": b.what, "replays": [b.log, b.now] })
                    });
                    changing.push(json!({
                        "game": game.game, "difference": difference(d), "between_replays": two,
                    }));
                }
            }
        }
        let ended = match &self.ended {
            AuditEnd::Complete => "complete",
            AuditEnd::Interrupted => "interrupted",
            AuditEnd::Failed(_) => "failed",
        };
        json!({
            "log": args.log.display().to_string(),
            "games": self.plan.games,
            "seed": self.plan.seed,
            "sample": self.plan.chosen.iter().map(Ordinal::of_index).collect::<Vec<_>>(),
            "played": self.played.iter().map(|game| game.game).collect::<Vec<_>>(),
            "plies": self.played.iter().map(|game| game.plies).sum::<usize>(),
            "seconds": self.seconds,
            "ended": ended,
            "head": self.head,
            "verdict": self.verdict(),
            "differences": differences,
            "not_deterministic": changing,
            "unchecked": self.unchecked,
            "cannot_be_played_again": self.plan.refused,
            "games_that_cannot_be_played_again": self.plan.excluded,
        })
    }
}
