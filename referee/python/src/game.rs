//! The class `Game`.

use crate::actions::{ActionList, Actions};
use crate::any_game::{self, AnyGame, Played};
use crate::arrays;
use crate::errors::{self, IllegalAction, NothingToUndo};
use crate::options::{Settings, dictionary, kind, settings};
use crate::outcome::{self, Outcome, number, returns};
use crate::picture;
use agon_games::arbiter::Arbiter;
use agon_games::text::excerpt;
use agon_games::{Player, Turn};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyInt, PyList, PyString, PyTuple};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing counts deeper.
const MOST_PLIES: u64 = 1000;

/// A game in progress, played by integers (a choice at a time) or by text (a whole turn).
///
/// >>> import agon
/// >>> game = agon.Game("amazons")
/// >>> game.turn, game.stage, list(game.legal_actions())
/// (0, 'from', [60, 69, 93, 96])
/// >>> for action in (93, 33, 36):      # the amazon on d1 moves to d7 and shoots at g7
/// ...     game.play(action)
/// >>> game.moves
/// ['d1d7,d7g7']
/// >>> game.play("d10-d8/g8")
/// >>> game.turn, len(game.legal_moves())
/// (0, 1979)
/// >>> game.undo()
/// >>> game.turn
/// 1
#[pyclass(frozen, module = "agon")]
pub struct Game {
    game: Mutex<Box<dyn AnyGame>>,
    settings: Settings,
}

impl Game {
    pub fn from_any(game: Box<dyn AnyGame>, settings: Settings) -> Game {
        Game { game: Mutex::new(game), settings }
    }

    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Box<dyn AnyGame>> {
        self.game.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// What a question about the game and its rules gives.
    pub fn inspect<T>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&dyn AnyGame, &Settings) -> T,
    ) -> T {
        question(&**self.lock(py), &self.settings)
    }

    fn ask<T>(&self, py: Python<'_>, question: impl FnOnce(&dyn Arbiter) -> T) -> T {
        question(self.lock(py).arbiter())
    }
}

/// Plays an action, an outcome or a turn as text.
fn play(game: &mut dyn AnyGame, given: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(action) = given.extract::<i64>() {
        return game.play(action).map_err(errors::action);
    }
    if let Ok(text) = given.cast::<PyString>() {
        return game.play_text(text.to_str()?).map_err(errors::turn);
    }
    if given.is_instance_of::<PyInt>() {
        let number = excerpt(&given.str()?.to_string());
        let last = game.action_count() - 1;
        return Err(IllegalAction::new_err(format!(
            "action {number}: {} has the actions 0 to {last} on this board",
            game.name()
        )));
    }
    let kind = given.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected an action (int) or a turn (str), not {kind}")))
}

#[pymethods]
impl Game {
    /// Opens a game at its start, or at a position given as FEN, and plays moves.
    ///
    /// Rule options are keyword arguments: BoardSize=9, or board_size=9.
    #[new]
    #[pyo3(signature = (name, /, fen=None, *, moves=None, **rules))]
    fn new(
        name: &str,
        fen: Option<&str>,
        moves: Option<&Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        let kind = kind(name)?;
        let settings = settings(kind, rules)?;
        let opened = any_game::open(kind.name, fen, &settings);
        let opened = opened.ok_or_else(|| errors::UnknownGame::new_err(kind.name))?;
        let mut game = opened.map_err(errors::opening)?;
        if let Some(text) = moves.filter(|m| m.is_instance_of::<PyString>()) {
            return Err(PyTypeError::new_err(format!(
                "moves={}: expected a list of moves",
                text.repr()?
            )));
        }
        for m in moves.map(|m| m.try_iter()).transpose()?.into_iter().flatten() {
            play(&mut *game, &m?)?;
        }
        Ok(Game::from_any(game, settings))
    }

    /// The game's name.
    #[getter]
    fn name(&self, py: Python<'_>) -> &'static str {
        self.lock(py).name()
    }

    /// All rule options and their values.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.settings)
    }

    /// The position at the beginning of the turn.
    ///
    /// >>> import agon
    /// >>> agon.Game("nogo", moves=["e5"]).fen
    /// '9/9/9/9/4X4/9/9/9/9 o'
    #[getter]
    fn fen(&self, py: Python<'_>) -> String {
        self.ask(py, |game| game.fen())
    }

    /// The position before the first move.
    #[getter]
    fn start_fen(&self, py: Python<'_>) -> String {
        self.ask(py, |game| game.start_fen())
    }

    /// The turns and chance outcomes so far as text, without an unfinished turn.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Vec<String> {
        self.ask(py, |game| game.tokens())
    }

    /// What was played so far, one element for each call of `play`.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let played = self.lock(py).history().into_iter().map(|played| match played {
            Played::Action(action) => action.into_py_any(py),
            Played::Turn(text) => text.into_py_any(py),
        });
        PyList::new(py, played.collect::<PyResult<Vec<_>>>()?)
    }

    /// The actions chosen so far in an unfinished turn.
    #[getter]
    fn chosen(&self, py: Python<'_>) -> Vec<u16> {
        self.lock(py).chosen().to_vec()
    }

    /// Who is to move: 0, 1, `agon.CHANCE` or, at the end, `agon.OVER`.
    #[getter]
    fn turn(&self, py: Python<'_>) -> i8 {
        number(self.lock(py).turn())
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> bool {
        matches!(self.lock(py).turn(), Turn::Over(_))
    }

    /// Whether the next action is a chance outcome.
    #[getter]
    fn is_chance(&self, py: Python<'_>) -> bool {
        self.lock(py).turn() == Turn::Chance
    }

    /// What is to be chosen next, such as 'from', 'to' or 'arrow'; 'chance' or 'over' if no player chooses.
    #[getter]
    fn stage(&self, py: Python<'_>) -> &'static str {
        let game = self.lock(py);
        match game.turn() {
            Turn::Player(_) => game.stage(),
            Turn::Chance => "chance",
            Turn::Over(_) => "over",
        }
    }

    /// The result and the rule that ended the game; None before the end.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> Option<Outcome> {
        let game = self.lock(py);
        let ending = game.arbiter().ending().map(|ending| ending.name());
        game.turn().outcome().map(|outcome| Outcome::new(outcome, ending))
    }

    /// A result that can no longer change although the game is not over; None if it cannot be counted.
    fn certain_outcome(&self, py: Python<'_>) -> Option<Outcome> {
        self.ask(py, |game| game.certain_outcome()).map(|outcome| Outcome::new(outcome, None))
    }

    /// The result of both players: 1 for a win, -1 for a loss, 0 for a draw or before the end.
    fn returns(&self, py: Python<'_>) -> (f32, f32) {
        returns(self.lock(py).turn()).into()
    }

    /// The number of actions: they are 0 to this number less one, in every position of the game.
    #[getter]
    fn num_actions(&self, py: Python<'_>) -> usize {
        self.lock(py).action_count()
    }

    /// One more than the largest chance outcome; 0 in a game without chance.
    #[getter]
    fn num_outcomes(&self, py: Python<'_>) -> usize {
        self.lock(py).outcome_count()
    }

    /// The legal actions; at chance's turn the possible outcomes.
    fn legal_actions(&self, py: Python<'_>) -> Actions {
        let game = self.lock(py);
        Actions(match game.turn() {
            Turn::Chance => ActionList::Outcomes(game.outcomes().iter().map(|o| o.0).collect()),
            _ => ActionList::Decisions(*game.legal()),
        })
    }

    /// A flag for each action, whether it is legal; all are False if no player is to move.
    ///
    /// `out` is an array of bool that gets the flags, such as a row of a larger one.
    #[pyo3(signature = (out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = self.lock(py);
        arrays::write(py, "legal_mask", &[game.action_count()], out, |flags| {
            game.legal().write_mask(arrays::as_bytes(flags));
            Ok(())
        })
    }

    /// The chance outcomes with their probabilities; empty unless chance is to move.
    ///
    /// >>> import agon
    /// >>> game = agon.Game("darkchess", moves=["b3"])
    /// >>> game.chance_outcomes()[0], game.action_text(0)
    /// ((0, 0.03125), '=K')
    fn chance_outcomes(&self, py: Python<'_>) -> Vec<(u16, f64)> {
        let outcomes = self.lock(py).outcomes();
        let total: f64 = outcomes.iter().map(|o| f64::from(o.1)).sum();
        outcomes.into_iter().map(|(n, weight)| (n, f64::from(weight) / total)).collect()
    }

    /// A legal action or chance outcome, chosen by a number from 0 to less than 1.
    ///
    /// Actions are equally likely, outcomes as likely as the rules say. The caller's generator makes the number, so
    /// its seed determines the game.
    ///
    /// >>> import agon, random
    /// >>> generator, game = random.Random(1), agon.Game("einstein")
    /// >>> while not game.is_over:
    /// ...     game.play(game.pick(generator.random()))
    /// >>> game.outcome
    /// Outcome(winner=1, rule='goal')
    #[pyo3(signature = (unit, /))]
    fn pick(&self, py: Python<'_>, unit: f64) -> PyResult<u16> {
        let unit = outcome::unit(unit)?;
        let action = self.lock(py).pick(unit);
        action.ok_or_else(|| IllegalAction::new_err("there is no action: the game is over"))
    }

    /// Plays an action (an integer) or a whole turn (text in any usual notation of the game).
    #[pyo3(signature = (action, /))]
    fn play(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        play(&mut **self.lock(py), action)
    }

    /// Takes back what the last call of `play` has played.
    fn undo(&self, py: Python<'_>) -> PyResult<()> {
        if self.lock(py).undo() {
            return Ok(());
        }
        Err(NothingToUndo::new_err("nothing to take back: no action has been played"))
    }

    /// A copy that goes its own way.
    fn clone(&self, py: Python<'_>) -> Game {
        Game::from_any(self.lock(py).boxed_clone(), self.settings.clone())
    }

    fn __copy__(&self, py: Python<'_>) -> Game {
        self.clone(py)
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone(py)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("agon._restore")?.getattr("game")?;
        let arguments = (self.name(py), self.start_fen(py), self.history(py)?, self.rules(py)?)
            .into_pyobject(py)?;
        Ok((restore, arguments))
    }

    /// Whether both games have the same start, the same moves and the same unfinished turn.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Game>() else { return false };
        if std::ptr::eq(self, other.get()) {
            return true;
        }
        // Not both locks at once.
        let copy = other.get().lock(py).boxed_clone();
        self.settings == other.get().settings && self.lock(py).equals(&*copy)
    }

    /// The hash of the position and of the unfinished turn: equal for equal ones, however they were reached.
    #[getter]
    fn hash(&self, py: Python<'_>) -> u64 {
        self.lock(py).hash()
    }

    /// All legal turns as text. There may be thousands; `legal_actions` is for programs that are in a hurry.
    fn legal_moves(&self, py: Python<'_>) -> Vec<String> {
        let game = self.lock(py);
        match game.turn() {
            Turn::Player(_) => game.arbiter().legal_tokens(),
            _ => Vec::new(),
        }
    }

    /// The number of legal turns, counted without listing them.
    fn count_moves(&self, py: Python<'_>) -> u64 {
        let game = self.lock(py);
        match game.turn() {
            Turn::Player(_) => game.arbiter().count_moves(),
            _ => 0,
        }
    }

    /// The number of sequences of so many turns and chance outcomes from the beginning of the turn.
    ///
    /// >>> import agon
    /// >>> agon.Game("xiangqi").perft(2)
    /// 1920
    #[pyo3(signature = (depth, /))]
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        let depth = outcome::whole("depth", depth, 0, MOST_PLIES)? as u32;
        let copy = self.lock(py).boxed_clone();
        Ok(py.detach(move || copy.perft(depth)))
    }

    /// The actions that make a legal turn, or the number of a chance outcome.
    ///
    /// >>> import agon
    /// >>> agon.Game("xiangqi").actions("C2.5")
    /// [70, 67]
    #[pyo3(signature = (text, /))]
    fn actions(&self, py: Python<'_>, text: &str) -> PyResult<Vec<u16>> {
        self.lock(py).actions_of(text).map_err(errors::turn)
    }

    /// A legal action or outcome as text, such as 'd1' for the first choice of a turn in Amazons.
    #[pyo3(signature = (action, /))]
    fn action_text(&self, py: Python<'_>, action: i64) -> PyResult<String> {
        let mut game = self.lock(py);
        if let Some(text) = u16::try_from(action).ok().and_then(|a| game.action_text(a)) {
            return Ok(text);
        }
        // What is illegal is refused as if it were played.
        match game.play(action) {
            Err(error) => Err(errors::action(error)),
            Ok(()) => {
                game.undo();
                Ok(String::new())
            }
        }
    }

    /// A legal turn in the form that people read, such as 'C2.5' in Xiangqi.
    #[pyo3(signature = (text, /))]
    fn display(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        self.ask(py, |game| game.display_move(text)).map_err(errors::turn)
    }

    /// What each plane of `observation` shows.
    #[getter]
    fn plane_names(&self, py: Python<'_>) -> Vec<&'static str> {
        self.lock(py).plane_names()
    }

    /// The shape of `observation`: planes, rows, columns.
    #[getter]
    fn observation_shape(&self, py: Python<'_>) -> (usize, usize, usize) {
        let game = self.lock(py);
        (game.plane_names().len(), game.frame().rows, game.frame().columns)
    }

    /// The position as planes of bytes, rows from the top, as a player sees it: without what the rules hide.
    ///
    /// `player` is 0 or 1, by default who is to move, or 0. `out` is an array of uint8 that gets the planes.
    ///
    /// >>> import agon
    /// >>> game = agon.Game("nogo", moves=["a9"])
    /// >>> planes = game.observation()
    /// >>> planes.shape, game.plane_names[1], int(planes[1, 0, 0])
    /// ((5, 9, 9), 'enemy stones', 1)
    #[pyo3(signature = (player=None, out=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (planes, rows, columns) = self.observation_shape(py);
        let game = self.lock(py);
        let player = match player {
            Some(number) => outcome::player(&number)?,
            None => game.turn().player().unwrap_or(Player::First),
        };
        arrays::write(py, "observation", &[planes, rows, columns], out, |bytes| {
            game.write_planes(player, bytes);
            Ok(())
        })
    }

    /// The board for a notebook, drawn as on the pages.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self.inspect(py, |game, rules| picture::html(game.name(), rules, game.arbiter()))
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.ask(py, |game| game.diagram())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let game = self.lock(py);
        format!("<agon.Game '{}' '{}'>", game.name(), game.arbiter().fen())
    }
}
