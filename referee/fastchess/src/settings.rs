//! What a command line says about the match as a whole: games, openings, adjudication, and how it is run and shown.

use crate::read::{boolean, number, positive, real};
use agon_matches::openings::{OpeningOrder, OpeningsSource};
use agon_matches::run_settings::PgnForm;
use agon_matches::schedule::forms::{Form, TournamentFormat, games_of_each};
use agon_matchlog::{DrawRule, EloScale, Pairing, ResignRule, Schedule, SprtEntry, TestKind};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Whose defaults a command line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persona {
    /// Two games a round, its own output.
    Fastchess,
    /// One game a round unless `-games` or `-repeat` says more, and the output of cutechess-cli.
    Cutechess,
}

/// The form of the output lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Blocks of results.
    Fastchess,
    /// Lines with the score.
    Cutechess,
}

/// What concerns the match as a whole.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The game that `-variant` names; `standard` names none.
    pub variant: Option<String>,
    /// Rounds of every two engines.
    pub(crate) rounds: Option<u64>,
    /// Games of a round.
    pub(crate) games: u64,
    /// cutechess-cli: whether the games of a round have one opening.
    pub(crate) repeat: bool,
    /// Whether engines swap sides.
    pub(crate) swap: bool,
    /// Whether the engine named second begins.
    pub(crate) reverse: bool,
    pub(crate) form: Form,
    pub(crate) seeds: usize,
    /// The sequential test.
    pub sprt: Option<SprtEntry>,
    /// The openings.
    pub openings: Option<OpeningsSource>,
    /// The seed of `-srand`.
    pub srand: Option<u64>,
    /// Resign adjudication.
    pub resign: Option<ResignRule>,
    /// Draw adjudication.
    pub draw: Option<DrawRule>,
    /// A game of this many plies is a draw.
    pub max_plies: Option<u64>,
    /// The fields of the program that probes tablebases.
    pub tables: Option<String>,
    /// Games at a time; 0 and less: so many fewer than there are cores.
    pub(crate) concurrency: i64,
    pub(crate) force_concurrency: bool,
    /// Whether workers are pinned.
    pub pin: bool,
    /// The wait between games.
    pub wait: Duration,
    /// Whether the match continues after a failure.
    pub recover: bool,
    /// The PGN file and its words.
    pub pgn: Option<(PathBuf, PgnForm)>,
    pub(crate) event: String,
    pub(crate) site: String,
    /// The form of the lines.
    pub output: Output,
    /// Whether results count pairs.
    pub penta: bool,
    /// After how many pairs the results are printed; 0: at the end.
    pub rating_interval: u64,
    /// After how many games the score is printed; 0: at the end.
    pub score_interval: u64,
    /// The file of the dialogue with the engines.
    pub(crate) log: Option<PathBuf>,
    pub(crate) log_engines: bool,
    /// The log of the match to resume.
    pub resume: Option<PathBuf>,
    /// The log of a new match.
    pub log_file: Option<PathBuf>,
    /// How long an engine may take to start and to be ready.
    pub ready: Option<Duration>,
}

impl Settings {
    pub(crate) fn new(persona: Persona) -> Settings {
        let cutechess = persona == Persona::Cutechess;
        Settings {
            variant: None,
            rounds: None,
            games: if cutechess { 1 } else { 2 },
            repeat: !cutechess,
            swap: true,
            reverse: false,
            form: Form::RoundRobin,
            seeds: 1,
            sprt: None,
            openings: None,
            srand: None,
            resign: None,
            draw: None,
            max_plies: None,
            tables: None,
            concurrency: 1,
            force_concurrency: false,
            pin: false,
            wait: Duration::ZERO,
            recover: false,
            pgn: None,
            event: String::new(),
            site: String::new(),
            output: if cutechess { Output::Cutechess } else { Output::Fastchess },
            penta: true,
            rating_interval: if cutechess { 0 } else { 10 },
            score_interval: 1,
            log: None,
            log_engines: false,
            resume: None,
            log_file: None,
            ready: None,
        }
    }
}

impl Settings {
    /// Sets a pair of a flag.
    pub(crate) fn set_pair(&mut self, flag: &str, key: &str, value: &str) -> Result<()> {
        match flag {
            "-sprt" => self.set_sprt(key, value)?,
            "-openings" => self.set_openings(key, value)?,
            "-draw" => {
                let rule = self.draw.get_or_insert(DrawRule { score: 0, moves: 1, after: 0 });
                match key {
                    "movenumber" => rule.after = 2 * number::<u64>(value)?,
                    "movecount" => rule.moves = number::<u32>(value)?.max(1),
                    _ => rule.score = number(value)?,
                }
            }
            "-resign" => {
                let none = ResignRule { score: 0, moves: 1, one_sided: true };
                let rule = self.resign.get_or_insert(none);
                match key {
                    "movecount" => rule.moves = number::<u32>(value)?.max(1),
                    "twosided" => rule.one_sided = !boolean(value)?,
                    _ => rule.score = number(value)?,
                }
            }
            "-output" => {
                self.output = match value {
                    "fastchess" => Output::Fastchess,
                    "cutechess" => Output::Cutechess,
                    _ => bail!("expected fastchess or cutechess"),
                };
            }
            "-report" => self.penta = boolean(value)?,
            "-log" if key == "file" => self.log = Some(value.into()),
            "-log" => self.log_engines = boolean(value)?,
            "-config" if key == "file" => self.resume = Some(value.into()),
            "-config" => self.log_file = Some(value.into()),
            _ => {}
        }
        Ok(())
    }

    fn set_sprt(&mut self, key: &str, value: &str) -> Result<()> {
        let sprt = self.sprt.get_or_insert(SprtEntry {
            elo0: 0.0,
            elo1: 0.0,
            alpha: 0.0,
            beta: 0.0,
            model: EloScale::Normalised,
            test: TestKind::Sprt,
        });
        match key {
            "elo0" => sprt.elo0 = real(value)?,
            "elo1" => sprt.elo1 = real(value)?,
            "alpha" => sprt.alpha = real(value)?,
            "beta" => sprt.beta = real(value)?,
            _ => {
                sprt.model = match value {
                    "normalized" => EloScale::Normalised,
                    "logistic" => EloScale::Logistic,
                    "bayesian" => bail!("refused: the test has normalized and logistic Elo only"),
                    _ => bail!("expected normalized or logistic"),
                }
            }
        }
        Ok(())
    }

    fn set_openings(&mut self, key: &str, value: &str) -> Result<()> {
        let source = self.openings.get_or_insert_with(|| OpeningsSource::file(Path::new("")));
        if key == "policy" && value != "round" {
            bail!("refused: only policy=round; `referee match --openings` has others");
        }
        if key == "file" {
            source.file = value.into();
            return Ok(());
        }
        let quoted = format!("{key}='{value}'");
        let field = OpeningsSource::parse(&format!("file=x,{quoted}")).map_err(|reason| {
            anyhow::anyhow!("{}", reason.trim_start_matches(&format!("{key}: ")))
        })?;
        match key {
            "format" => source.format = field.format,
            "order" => source.order = field.order,
            "start" => source.start = field.start,
            "plies" => source.plies = field.plies,
            _ => {}
        }
        Ok(())
    }

    /// Sets a flag without pairs.
    pub(crate) fn set(&mut self, flag: &str, values: &[&str]) -> Result<()> {
        let value = values.first().copied().unwrap_or("");
        let milliseconds = || number::<u64>(value).map(Duration::from_millis);
        match flag {
            "-variant" => self.variant = (value != "standard").then(|| value.into()),
            "-rounds" => self.rounds = Some(positive(value)?),
            "-games" => self.games = positive(value)?,
            "-repeat" => {
                self.repeat = true;
                self.games = if value.is_empty() { 2 } else { positive(value)? };
            }
            "-noswap" => self.swap = false,
            "-reverse" => self.reverse = true,
            "-tournament" => {
                self.form = match value {
                    "roundrobin" | "round-robin" => Form::RoundRobin,
                    "gauntlet" => Form::Gauntlet,
                    "knockout" | "pyramid" => {
                        bail!("refused: `referee tournament` has other forms")
                    }
                    _ => bail!("expected roundrobin or gauntlet"),
                }
            }
            "-seeds" => self.seeds = positive(value)? as usize,
            "-srand" => self.srand = Some(number(value)?),
            "-maxmoves" => self.max_plies = Some(2 * positive(value)?),
            "-tb" if !value.contains("cmd=") => bail!(
                "refused: a program probes tablebases here: -tb cmd=PROGRAM,option.NAME=FOLDER, as \
                 `referee match --tables`"
            ),
            "-tb" => self.tables = Some(value.into()),
            "-concurrency" => {
                self.concurrency = value.parse().ok().context("expected a whole number")?;
            }
            "-force-concurrency" => self.force_concurrency = true,
            "-use-affinity" if values.is_empty() => self.pin = true,
            "-use-affinity" => bail!(
                "refused: workers are pinned to the first cores; start the referee itself on others"
            ),
            "-wait" => self.wait = milliseconds()?,
            "-recover" => self.recover = true,
            "-event" => self.event = values.join(" "),
            "-site" => self.site = values.join(" "),
            "-ratinginterval" => self.rating_interval = number(value)?,
            "-scoreinterval" => self.score_interval = number(value)?,
            "-startup-ms" | "-ucinewgame-ms" | "-ping-ms" => {
                self.ready = self.ready.max(Some(milliseconds()?));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether the games of a round have one opening and swapped sides.
    pub fn is_paired(&self) -> bool {
        self.games == 2 && self.swap && self.repeat
    }

    /// Games at a time on so many cores.
    ///
    /// # Errors
    ///
    /// There are fewer cores, and nobody forces it.
    pub fn concurrency(&self, cores: usize) -> Result<usize> {
        let wanted = match usize::try_from(self.concurrency) {
            Ok(wanted) if wanted > 0 => wanted,
            _ => cores.saturating_sub(self.concurrency.unsigned_abs() as usize),
        };
        if wanted == 0 || wanted > cores && !self.force_concurrency {
            bail!(
                "-concurrency {}: this machine has {cores} cores; -force-concurrency allows more games at a time",
                self.concurrency
            );
        }
        Ok(wanted)
    }

    /// The games of this number of engines.
    ///
    /// # Errors
    ///
    /// There is no such tournament.
    pub fn schedule(&self, engines: usize) -> Result<Schedule> {
        let rounds = self.rounds.unwrap_or(if self.sprt.is_some() { 500_000 } else { 2 });
        let games = rounds.checked_mul(self.games).context("-rounds: too many games")?;
        let mut schedule = if engines == 2 {
            let pairing = Pairing {
                engines: [0, 1],
                games: games_of_each(games, self.swap),
                opening: 0,
                unpaired: self.swap && !self.is_paired(),
            };
            let form = if self.sprt.is_some() { "sprt" } else { "match" };
            Schedule { form: form.into(), ..Schedule::of_pairings(vec![pairing]) }
        } else {
            let frame = TournamentFormat {
                form: self.form,
                entrants: engines,
                games,
                swap: self.swap,
                cycles: 1,
                seeds: self.seeds,
                rounds: None,
                tiebreak_pairs: 0,
            };
            let mut schedule = frame.schedule()?;
            let unpaired = self.swap && !self.is_paired();
            schedule.pairings.iter_mut().for_each(|pairing| pairing.unpaired = unpaired);
            schedule
        };
        for pairing in schedule.pairings.iter_mut().filter(|_| self.reverse) {
            pairing.engines.reverse();
        }
        Ok(schedule)
    }

    /// The openings, with the seed of their order, which all calls of a test share.
    ///
    /// # Errors
    ///
    /// No file is given.
    pub fn openings(&self) -> Result<Option<OpeningsSource>> {
        let Some(source) = self.openings.clone() else { return Ok(None) };
        if source.file.as_os_str().is_empty() {
            bail!("-openings: give file=FILE");
        }
        let seed = self.srand.filter(|_| source.order == Some(OpeningOrder::Random));
        Ok(Some(OpeningsSource { seed, ..source }))
    }

    /// The seed of dice and deals. Calls that begin at other openings of one order have other dice.
    pub fn chance_seed(&self) -> Option<u64> {
        let start = self.openings.as_ref().map_or(1, |source| source.start);
        let seed = self.srand?;
        if start == 1 {
            return Some(seed);
        }
        let hash = agon_engine::hash::hash_text(&format!("{seed} {start}"));
        u64::from_str_radix(hash.get(..16)?, 16).ok()
    }

    /// The file of the dialogue with the engines.
    pub fn engine_log(&self) -> Option<PathBuf> {
        self.log.clone().filter(|_| self.log_engines)
    }
}
