//! The class `Batch`.

use crate::any_batch::{self, AnyBatch};
use crate::arrays;
use crate::errors::{self, IllegalAction};
use crate::game::Game;
use crate::options::{Settings, dictionary, kind, settings};
use crate::outcome::{self, unit};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The largest number of games in a batch.
const MOST: u64 = 1 << 20;

/// Many games of one kind that are played together, for training.
///
/// With a seed the batch draws the chance outcomes itself, so that in every game a player is to move or it is over;
/// without one they are played like actions.
///
/// >>> import agon, numpy
/// >>> batch = agon.Batch("einstein", 1000, seed=7)
/// >>> generator = numpy.random.default_rng(1)
/// >>> while (batch.turns() != agon.OVER).any():
/// ...     batch.play(batch.pick(generator.random(1000)))
/// >>> batch.returns()[:3]
/// array([[ 1., -1.],
///        [ 1., -1.],
///        [ 1., -1.]], dtype=float32)
/// >>> batch.reset()
/// 1000
#[pyclass(frozen, module = "agon")]
pub struct Batch {
    games: Mutex<Box<dyn AnyBatch>>,
    name: &'static str,
    size: usize,
    actions: usize,
    shape: (usize, usize, usize),
    settings: Settings,
}

impl Batch {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Box<dyn AnyBatch>> {
        self.games.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on the games without Python's lock.
    fn work<T: Send>(&self, py: Python<'_>, f: impl FnOnce(&mut dyn AnyBatch) -> T + Send) -> T {
        py.detach(|| f(&mut **self.games.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[pymethods]
impl Batch {
    /// Opens `size` games at the start or at a position given as FEN; rule options are keyword arguments.
    #[new]
    #[pyo3(signature = (name, size, /, fen=None, *, seed=None, **rules))]
    fn new(
        name: &str,
        size: &Bound<'_, PyAny>,
        fen: Option<&str>,
        seed: Option<Bound<'_, PyAny>>,
        rules: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batch> {
        let kind = kind(name)?;
        let size = outcome::whole("size", size, 1, MOST)? as usize;
        let seed = seed.map(|seed| outcome::whole("seed", &seed, 0, u64::MAX)).transpose()?;
        let settings = settings(kind, rules)?;
        let opened = any_batch::open(kind.name, size, fen, seed, &settings);
        let opened = opened.ok_or_else(|| errors::UnknownGame::new_err(kind.name))?;
        let games = opened.map_err(errors::opening)?;
        let shape = (games.plane_count(), games.frame().rows, games.frame().columns);
        let actions = games.action_count();
        Ok(Batch { games: Mutex::new(games), name: kind.name, size, actions, shape, settings })
    }

    fn __len__(&self) -> usize {
        self.size
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// All rule options and their values.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(py, &self.settings)
    }

    /// The number of actions: they are 0 to this number less one.
    #[getter]
    fn num_actions(&self) -> usize {
        self.actions
    }

    /// The shape of one game's observation: planes, rows, columns.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        self.shape
    }

    /// A copy of one game, with whole turns as its history.
    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Game> {
        let at = if index < 0 { index.checked_add_unsigned(self.size) } else { Some(index) };
        let game = at.and_then(|at| usize::try_from(at).ok()).and_then(|at| self.lock(py).game(at));
        let game = game.ok_or_else(|| {
            PyIndexError::new_err(format!("game {index}: there are {} games", self.size))
        })?;
        Ok(Game::from_any(game, self.settings.clone()))
    }

    /// Plays an action in each game; what is given for a game that is over is ignored.
    ///
    /// If one action is illegal, none is played.
    #[pyo3(signature = (actions, /))]
    fn play(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let refused = |(index, error): (usize, agon_games::actions::ActionError)| {
            IllegalAction::new_err(format!("game {index} of the batch: {error}"))
        };
        // An array of integers of 64 bits is read where it lies.
        if let Ok(array) = actions.cast::<PyArray1<i64>>()
            && let Ok(array) = array.try_readonly()
            && let Ok(actions) = array.as_slice()
            && actions.len() == self.size
        {
            return self.work(py, |games| games.play(actions)).map_err(refused);
        }
        let actions = arrays::integers("play", self.size, actions)?;
        self.work(py, |games| games.play(&actions)).map_err(refused)
    }

    /// A legal action or chance outcome of each game, chosen by a number from 0 to less than 1; -1 for a game that is
    /// over.
    ///
    /// `units` is an array of float64, as `numpy.random.Generator.random(n)` makes it; `out` one of int64.
    #[pyo3(signature = (units, /, out=None))]
    fn pick<'py>(
        &self,
        py: Python<'py>,
        units: &Bound<'py, PyAny>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let wrong = |found: String| {
            let expected = format!("an array of {} numbers, one for each game", self.size);
            errors::WrongShape::new_err(format!("pick: {found}: expected {expected}"))
        };
        let array = units.cast::<PyArray1<f64>>();
        let array =
            array.map_err(|_| wrong("it is no array of float64 with one dimension".into()))?;
        let array = array.try_readonly().map_err(|e| wrong(e.to_string()))?;
        let units = array.as_slice().map_err(|e| wrong(e.to_string()))?;
        if units.len() != self.size {
            return Err(wrong(format!("there are {}", units.len())));
        }
        units.iter().try_for_each(|&value| unit(value).map(|_| ()))?;
        arrays::write(py, "pick", &[self.size], out, |actions| {
            self.work(py, |games| games.pick(units, actions));
            Ok(())
        })
    }

    /// Who is to move in each game: 0, 1, `agon.CHANCE` or `agon.OVER`, as int8.
    #[pyo3(signature = (out=None))]
    fn turns<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arrays::write(py, "turns", &[self.size], out, |turns| {
            self.work(py, |games| games.turns(turns));
            Ok(())
        })
    }

    /// The results of both players in each game, as float32: 1, -1, or 0 for a draw or before the end.
    #[pyo3(signature = (out=None))]
    fn returns<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arrays::write(py, "returns", &[self.size, 2], out, |results| {
            self.work(py, |games| games.returns(results));
            Ok(())
        })
    }

    /// A flag for each action of each game, whether it is legal.
    #[pyo3(signature = (out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arrays::write(py, "legal_mask", &[self.size, self.actions], out, |flags| {
            self.work(py, |games| games.masks(arrays::as_bytes(flags)));
            Ok(())
        })
    }

    /// The planes of each game as `player` sees it, by default who is to move.
    #[pyo3(signature = (player=None, out=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let player = player.as_ref().map(outcome::player).transpose()?;
        let (planes, rows, columns) = self.shape;
        arrays::write(py, "observation", &[self.size, planes, rows, columns], out, |bytes| {
            self.work(py, |games| games.planes(player, bytes));
            Ok(())
        })
    }

    /// Starts games anew: those with these numbers, by default all that are over. Returns how many.
    #[pyo3(signature = (games=None))]
    fn reset(&self, py: Python<'_>, games: Option<Vec<i64>>) -> PyResult<usize> {
        let only_over = games.is_none();
        let numbers = games.into_iter().flatten().map(|n| {
            let found = usize::try_from(n).ok().filter(|n| *n < self.size);
            found.ok_or_else(|| {
                PyIndexError::new_err(format!("game {n}: expected 0 to {}", self.size - 1))
            })
        });
        let numbers: Vec<usize> = numbers.collect::<PyResult<_>>()?;
        Ok(self.work(py, |games| {
            let over = (0..games.len()).filter(|&i| games.is_over(i));
            let chosen: Vec<usize> = if only_over { over.collect() } else { numbers };
            chosen.iter().for_each(|&i| games.reset(i));
            chosen.len()
        }))
    }

    fn __repr__(&self) -> String {
        format!("<agon.Batch of {} games of '{}'>", self.size, self.name)
    }
}
