//! The engine host: the common part of every engine between its searchers and the manager. It
//! handles the option table, algorithms by name, the lifetime of searchers, the memory of the
//! transposition table, time management, the root moves allowed by `searchmoves` and `banmoves`,
//! and MultiPV.
//!
//! An engine implements [`GameEngine`]: its algorithms, with the options that they use and their
//! builders; the engine that a manager uses is then `Host<ThatEngine>`.
//!
//! ```
//! use agon_games::amazons::Amazons;
//! use agon_search::alphabeta::AlphaBeta;
//! use agon_search::evaluator::Evaluator;
//! use agon_search::host::{Algorithm, BELOW_FULL, GameEngine, Host, Level, MULTI_PV, Setting};
//! use agon_search::score::WinCurve;
//!
//! /// Counts moves.
//! #[derive(Clone)]
//! struct Mobility;
//!
//! impl Evaluator<Amazons> for Mobility {
//!     fn evaluate(&mut self, game: &Amazons) -> i32 {
//!         100 * game.moves_of(game.side_to_move()) as i32
//!     }
//! }
//! # trait Moves { fn moves_of(&self, player: agon_games::Player) -> u32; }
//! # impl Moves for Amazons { fn moves_of(&self, _: agon_games::Player) -> u32 { 0 } }
//!
//! const MAX_DEPTH: Setting<u32> = Setting::spin("MaxDepth", 3, 1, 9, "Maximum depth in plies");
//!
//! enum Example {}
//!
//! impl GameEngine for Example {
//!     type Game = Amazons;
//!     const NAME: &'static str = "Example 1.0";
//!     const WIN_CURVE: WinCurve = WinCurve { unit: 300.0, draws: 0.0 };
//!     const LEVELS: [Level; BELOW_FULL] = [Level { nodes: 100, random: 500 }; BELOW_FULL];
//!     const ALGORITHMS: &'static [Algorithm<Amazons>] = &[
//!         Algorithm {
//!             name: "alphabeta",
//!             about: "alpha-beta by mobility",
//!             uses: &[&[MAX_DEPTH.def, MULTI_PV.def]],
//!             build: |options| {
//!                 let max_depth = options.get(&MAX_DEPTH);
//!                 Ok(Box::new(AlphaBeta { evaluator: Mobility, max_depth, deepening: true }))
//!             },
//!         },
//!         Algorithm::RANDOM,
//!     ];
//! }
//!
//! let mut engine = Host::<Example>::new();
//! # use agon_wire::engine::Engine;
//! assert_eq!(engine.options()[0].name, "Algorithm");
//! ```

pub mod conformance;
mod level;
mod multipv;
mod options;
#[cfg(test)]
mod tests;

pub use level::{BELOW_FULL, LEVEL, Level};
pub use options::{
    CLEAR_HASH, FromOption, HASH, Loaded, MCTS_OPTIONS, MOVE_OVERHEAD, MULTI_PV, OptionDef,
    Options, PONDER, PathKind, SEED, SHOW_WDL, Setting, SettingType, TABLE_CACHE, THREADS, loaded,
};

use crate::baseline::Random;
use crate::clock::{Clock, TimeManagement};
use crate::params::Param;
use crate::result::SearchResult;
use crate::root::{Root, RootMoves};
use crate::score::{Scale, WinCurve, claimed};
use crate::searcher::{Searcher, side_to_move};
use crate::threads;
use crate::transposition::AllocationError;
use agon_games::option::{OptionError, OptionSpec, OptionValue};
use agon_games::{Game, Outcome, Record};
use agon_wire::engine::{Control, Engine};
use agon_wire::message::{Info, Limits};
use std::time::Duration;

/// A searcher, or an error if there is not enough memory.
pub type Built<G> = Result<Box<dyn Searcher<G>>, AllocationError>;

/// An algorithm that the option `Algorithm` offers.
#[derive(Debug)]
pub struct Algorithm<G: Game> {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The options that it uses, in groups, in addition to `MoveOverhead`.
    pub uses: &'static [&'static [OptionDef]],
    /// Builds the searcher that the options describe.
    pub build: fn(&Options) -> Built<G>,
}

impl<G: Game> Algorithm<G> {
    /// Random moves, which every engine offers.
    pub const RANDOM: Algorithm<G> = Algorithm {
        name: "random",
        about: "any legal move",
        uses: &[&[SEED.def]],
        build: |options| Ok(Box::new(Random { seed: options.get(&SEED) })),
    };

    /// The options that it uses.
    fn options(&self) -> impl Iterator<Item = &'static OptionDef> {
        self.uses.iter().copied().flatten()
    }

    /// Whether it uses the option of this name.
    fn uses(&self, name: &str) -> bool {
        self.options().any(|def| def.name == name)
    }
}

/// The engine-specific part of a host.
pub trait GameEngine: Send + 'static {
    /// The game it plays.
    type Game: Game;

    /// Program name and version.
    const NAME: &'static str;

    /// The algorithms; the first is the default. One must be `random`. The engine offers the options
    /// that they use, and in any case `Algorithm`, `Clear Hash`, `Level` and `MoveOverhead`.
    const ALGORITHMS: &'static [Algorithm<Self::Game>];

    /// The search's own parameters, by module: options of a tuning build.
    fn params() -> Vec<&'static [Param]> {
        Vec::new()
    }

    /// How often a search value wins, for `UCI_ShowWDL`.
    const WIN_CURVE: WinCurve;

    /// The levels below full strength, from the lowest, as `tests/levels` measured them with the default algorithm.
    const LEVELS: [Level; BELOW_FULL];

    /// The value of a forced win that the search claims without proof, less its plies; greater than twice
    /// every evaluation. `None`: all forced results are proved.
    const UNPROVED_WIN: Option<i32> = None;

    /// The expected number of moves left for the side to move, for time management.
    fn moves_left(_game: &Self::Game) -> u32 {
        TimeManagement::default().moves_left
    }

    /// Does work in advance that does not belong to one searcher, as far as it must once `control` is
    /// stopped. Returns whether the searcher must be built again to use it.
    fn prepare(_options: &Options, _control: &Control) -> bool {
        false
    }

    /// See [`Engine::tablebase_outcome`].
    fn tablebase_outcome(_options: &Options, _record: &Record<Self::Game>) -> Option<Outcome> {
        None
    }
}

/// The engine as a manager uses it.
pub struct Host<E: GameEngine> {
    options: Options,
    /// An index into [`GameEngine::ALGORITHMS`].
    algorithm: usize,
    /// Built on first use, because an option may change it.
    searcher: Option<Box<dyn Searcher<E::Game>>>,
    /// What the system has refused, to be told with the next answer.
    notices: Vec<String>,
}

impl<E: GameEngine> Default for Host<E> {
    fn default() -> Self {
        let used = |def: OptionDef| E::ALGORITHMS.iter().any(|a| a.uses(def.name)).then_some(def);
        let [threads, hash, seed] = [THREADS.def, HASH.def, SEED.def].map(used);
        let multi_pv = used(MULTI_PV.def);
        let [level, overhead] = [LEVEL.def, MOVE_OVERHEAD.def].map(Some);
        let common = [threads, hash, Some(CLEAR_HASH.def), seed, level, overhead];
        // Before a roll or a reveal there is no position to ponder on.
        let ponder = (!E::Game::HAS_CHANCE).then_some(PONDER.def);
        let params = params::<E>().map(|param| OptionDef {
            name: param.name,
            kind: SettingType::Spin(param.default.into(), param.min.into(), param.max.into()),
            help: param.doc.trim_start(),
        });
        let own = E::ALGORITHMS.iter().flat_map(Algorithm::options).copied();
        let common = common.into_iter().chain([ponder, multi_pv, Some(SHOW_WDL.def)]).flatten();
        let options = Options::new(common.chain(own).chain(params));
        Host { options, algorithm: 0, searcher: None, notices: Vec::new() }
    }
}

impl<E: GameEngine> Host<E> {
    /// With default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The current options.
    pub fn settings(&self) -> &Options {
        &self.options
    }

    /// Builds a searcher from the options.
    ///
    /// # Errors
    ///
    /// If there is not enough memory for its table.
    pub fn build(&self) -> Built<E::Game> {
        (E::ALGORITHMS[self.algorithm].build)(&self.options)
    }

    /// The level that is set; `None` for full strength.
    fn level(&self) -> Option<Level> {
        E::LEVELS.get(self.options.get(&LEVEL).saturating_sub(1)).copied()
    }

    /// The same with as many threads as the system grants; a level has one, so that its moves are repeatable.
    fn build_granted(&mut self) -> Built<E::Game> {
        let algorithm = &E::ALGORITHMS[self.algorithm];
        if self.level().is_some() {
            return (algorithm.build)(&self.options.with_threads(1));
        }
        let wanted = self.options.get(&THREADS);
        if wanted < 2 || !algorithm.uses(THREADS.name()) {
            return self.build();
        }
        let granted = threads::granted(wanted, self.options.get(&HASH).saturating_mul(1 << 20));
        if granted < wanted {
            self.note(format!(
                "the system grants {granted} of {wanted} threads: searching with {granted}"
            ));
        }
        (algorithm.build)(&self.options.with_threads(granted))
    }

    /// Keeps a line for the manager, once.
    fn note(&mut self, text: String) {
        log::debug!("{text}");
        if !self.notices.contains(&text) {
            self.notices.push(text);
        }
    }

    /// Tells the manager what the system has refused.
    fn tell(&mut self, report: &mut dyn FnMut(Info)) {
        for text in self.notices.drain(..) {
            report(Info { text: Some(text), ..Info::default() });
        }
    }

    /// The searcher, built with the largest table that memory allows.
    fn take_searcher(&mut self) -> Box<dyn Searcher<E::Game>> {
        if let Some(searcher) = self.searcher.take() {
            return searcher;
        }
        loop {
            match self.build_granted() {
                Ok(searcher) => return searcher,
                Err(error) => self.note(format!("{error}; trying half of it")),
            }
            if !self.options.halve_hash() {
                self.note("there is no memory for any search: playing random moves".into());
                return Box::new(Random { seed: self.options.get(&SEED) });
            }
        }
    }

    fn algorithm_spec(&self) -> OptionSpec {
        let names: Vec<&str> = E::ALGORITHMS.iter().map(|a| a.name).collect();
        let lines = E::ALGORITHMS.iter().map(|a| format!("{}: {}", a.name, a.about));
        let help = format!("How to search\n{}", lines.collect::<Vec<_>>().join("\n"));
        OptionSpec::combo("Algorithm", names[self.algorithm], &names).with_help(help)
    }

    /// The help of an option, with the algorithms that use it unless all do.
    fn help(def: &OptionDef) -> String {
        let users: Vec<&str> =
            E::ALGORITHMS.iter().filter(|a| a.uses(def.name)).map(|a| a.name).collect();
        let general = [LEVEL.def, MOVE_OVERHEAD.def, CLEAR_HASH.def, PONDER.def, SHOW_WDL.def];
        let is_general =
            general.iter().any(|g| g.name == def.name) || param::<E>(def.name).is_some();
        match users.len() {
            n if n == E::ALGORITHMS.len() || is_general => def.help.into(),
            _ => format!("{} (only {})", def.help, users.join(", ")),
        }
    }

    /// The report of a result. A forced result without proof is a mate that is only a bound.
    fn info(
        &self,
        result: &SearchResult<<E::Game as Game>::Move>,
        game: &E::Game,
        clock: &Clock,
        scale: Scale,
    ) -> Info {
        let info = result.info(game, clock, scale);
        let shown = self.options.get(&SHOW_WDL) && result.depth > 0;
        let wdl = shown.then(|| E::WIN_CURVE.wdl(result.value, scale));
        let claim = E::UNPROVED_WIN.filter(|_| scale == Scale::Evaluation && result.depth > 0);
        match claim.and_then(|win| claimed(result.value, win)) {
            Some((score, bound)) => {
                Info { wdl, score: Some(score), bound: info.bound.or(Some(bound)), ..info }
            }
            None => Info { wdl, ..info },
        }
    }

    /// The number of lines to report.
    fn lines(&self) -> usize {
        let uses_multi_pv = E::ALGORITHMS[self.algorithm].uses(MULTI_PV.name());
        if uses_multi_pv { self.options.get(&MULTI_PV) } else { 1 }
    }
}

impl<E: GameEngine> Engine for Host<E> {
    type Game = E::Game;

    fn name(&self) -> String {
        E::NAME.into()
    }

    fn options(&self) -> Vec<OptionSpec> {
        let rows = self.options.specs().map(|(def, spec)| spec.with_help(Self::help(def)));
        std::iter::once(self.algorithm_spec()).chain(rows).collect()
    }

    fn set_option(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        let before = self.options.clone();
        match value {
            OptionValue::Text(word) if name == "Algorithm" => {
                let index = E::ALGORITHMS.iter().position(|a| a.name == word);
                self.algorithm = index.unwrap_or(self.algorithm);
            }
            _ => self.options.set(name, value)?,
        }
        if let (Some(param), OptionValue::Spin(value)) = (param::<E>(name), value) {
            param.set(i32::try_from(*value).unwrap_or(param.default));
        }
        if name == CLEAR_HASH.name() {
            self.new_game();
        }
        if [CLEAR_HASH.name(), PONDER.name(), SHOW_WDL.name()].contains(&name) {
            return Ok(());
        }
        // The old table is freed before the new one is allocated.
        self.searcher = None;
        if name == HASH.name() {
            match self.build_granted() {
                Ok(searcher) => self.searcher = Some(searcher),
                Err(error) => {
                    self.options = before;
                    let reason = error.to_string();
                    return Err(OptionError::Refused { name: name.into(), reason });
                }
            }
        }
        Ok(())
    }

    fn new_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.new_game();
        }
    }

    /// Builds the searcher in advance: clearing a gigabyte of table can take longer than a search.
    fn prepare(&mut self, control: &Control, report: &mut dyn FnMut(Info)) {
        if E::prepare(&self.options, control) {
            self.searcher = None;
        }
        let mut searcher = self.take_searcher();
        searcher.prepare();
        self.searcher = Some(searcher);
        self.tell(report);
    }

    fn tablebase_outcome(&mut self, record: &Record<E::Game>) -> Option<Outcome> {
        E::tablebase_outcome(&self.options, record)
    }

    /// The last report before the return has the final depth, nodes and time.
    fn search(
        &mut self,
        record: &Record<E::Game>,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Info),
    ) -> <E::Game as Game>::Move {
        let mut searcher = self.take_searcher();
        self.tell(report);
        let level = self.level();
        let limits = &level.map_or_else(|| limits.clone(), |level| level.limits(limits));
        let game = record.current();
        let overhead = Duration::from_millis(self.options.get(&MOVE_OVERHEAD));
        let time = TimeManagement { overhead, moves_left: E::moves_left(game) };
        let clock = Clock::new(limits, side_to_move(game), time, control);
        let root = Root::with_moves(record, RootMoves::from_limits(game, limits));
        let (lines, scale) = (self.lines(), searcher.scale());
        let chosen = level.and_then(|level| level.random_move(self.options.get(&SEED), record));
        let best = match chosen {
            Some(mut random) => random.run(&root, &clock, &mut |_| {}),
            None => multipv::search(&mut *searcher, &root, &clock, lines, &mut |result| {
                report(self.info(result, game, &clock, scale));
            }),
        };
        let multipv = (lines > 1).then_some(1);
        clock.take_notices().into_iter().for_each(|text| self.note(text));
        self.tell(report);
        let (hashfull, leaves) = (searcher.hashfull(), clock.leaves());
        report(Info { multipv, hashfull, leaves, ..self.info(&best, game, &clock, scale) });
        self.searcher = Some(searcher);
        best.best()
    }
}

/// The search parameters of the engine and of what all searches share.
pub fn params<E: GameEngine>() -> impl Iterator<Item = &'static Param> {
    E::params().into_iter().flatten().chain(crate::params::params())
}

/// The search parameter with this name.
fn param<E: GameEngine>(name: &str) -> Option<&'static Param> {
    params::<E>().find(|param| param.name == name)
}
