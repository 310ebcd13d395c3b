//! The legal actions as a sequence, which is made without making its elements.

use agon_games::actions::ActionSet;
use numpy::PyArray1;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;

/// The legal actions of a position in ascending order: an immutable sequence of integers.
///
/// It is a set of bits, so it costs as much for 361 actions as for 4, and stays as it is when the game continues.
///
/// >>> import agon
/// >>> legal = agon.Game("amazons").legal_actions()
/// >>> legal
/// Actions([60, 69, 93, 96])
/// >>> 93 in legal, 94 in legal, len(legal), legal[-1]
/// (True, False, 4, 96)
/// >>> list(legal)
/// [60, 69, 93, 96]
#[pyclass(frozen, sequence, eq, module = "agon")]
#[derive(PartialEq)]
pub struct Actions(pub ActionList);

/// A set of decisions, or the numbers of the chance outcomes.
#[derive(PartialEq)]
pub enum ActionList {
    Decisions(ActionSet),
    Outcomes(Vec<u16>),
}

impl ActionList {
    fn len(&self) -> usize {
        match self {
            ActionList::Decisions(set) => set.count(),
            ActionList::Outcomes(list) => list.len(),
        }
    }

    fn nth(&self, rank: usize) -> Option<usize> {
        match self {
            ActionList::Decisions(set) => set.nth(rank),
            ActionList::Outcomes(list) => list.get(rank).map(|n| usize::from(*n)),
        }
    }

    fn all(&self) -> Vec<i64> {
        match self {
            ActionList::Decisions(set) => set.iter().map(|n| n as i64).collect(),
            ActionList::Outcomes(list) => list.iter().map(|n| i64::from(*n)).collect(),
        }
    }
}

#[pymethods]
impl Actions {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<usize> {
        let len = self.0.len();
        let at = if index < 0 { index.checked_add_unsigned(len) } else { Some(index) };
        let found = at.and_then(|at| usize::try_from(at).ok()).and_then(|at| self.0.nth(at));
        found
            .ok_or_else(|| PyIndexError::new_err(format!("index {index}: there are {len} actions")))
    }

    fn __contains__(&self, action: &Bound<'_, PyAny>) -> bool {
        let Ok(action) = action.extract::<usize>() else { return false };
        match &self.0 {
            ActionList::Decisions(set) => set.contains(action),
            ActionList::Outcomes(list) => list.iter().any(|n| usize::from(*n) == action),
        }
    }

    fn __iter__(&self) -> ActionIterator {
        ActionIterator { left: self.0.all().into_iter() }
    }

    fn __repr__(&self) -> String {
        format!("Actions({:?})", self.0.all())
    }

    /// The actions as a new array of int64.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyTypeError::new_err(
                "the actions are no array yet: copy=False cannot be had",
            ));
        }
        let array = PyArray1::from_vec(py, self.0.all()).into_any();
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }
}

/// An iterator over actions.
#[pyclass(module = "agon")]
pub struct ActionIterator {
    left: std::vec::IntoIter<i64>,
}

#[pymethods]
impl ActionIterator {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<i64> {
        self.left.next()
    }
}
