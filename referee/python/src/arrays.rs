//! Arrays of NumPy that results are written into: the caller's, without a copy, or new ones.

use crate::errors::WrongShape;
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods, dtype};
use pyo3::prelude::*;

/// Calls `write` with the elements of `out`, or of a new array of zeros, and returns the array.
pub fn write<'py, T: Element + Default + Copy>(
    py: Python<'py>,
    what: &str,
    shape: &[usize],
    out: Option<Bound<'py, PyAny>>,
    write: impl FnOnce(&mut [T]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(out) = out else {
        let size = shape.iter().product();
        let mut elements = vec![T::default(); size];
        write(&mut elements)?;
        let array = PyArray1::from_vec(py, elements);
        return match shape.len() {
            1 => Ok(array.into_any()),
            _ => Ok(array.reshape(shape.to_vec())?.into_any()),
        };
    };
    let refused = |found: String| {
        let expected = format!("an array of {} with the shape {}", dtype::<T>(py), text(shape));
        WrongShape::new_err(format!("{what}: {found}: expected {expected}"))
    };
    let Ok(array) = out.cast::<PyArrayDyn<T>>() else {
        return Err(match out.cast::<numpy::PyUntypedArray>() {
            Ok(array) => refused(format!("the array has elements of {}", array.dtype().str()?)),
            Err(_) => refused(format!("out is a {}", out.get_type().name()?)),
        });
    };
    if array.shape() != shape {
        return Err(refused(format!("the array has the shape {}", text(array.shape()))));
    }
    // A slice would also be given of columns that lie one behind the other.
    if !array.is_c_contiguous() {
        return Err(refused("the elements do not lie one behind the other, row by row".into()));
    }
    let mut elements =
        array.try_readwrite().map_err(|e| refused(format!("the array cannot be written ({e})")))?;
    let elements = elements
        .as_slice_mut()
        .map_err(|_| refused("the elements do not lie one behind the other, row by row".into()))?;
    write(elements)?;
    Ok(out)
}

/// Booleans as bytes, to be set to 0 or 1.
pub fn as_bytes(flags: &mut [bool]) -> &mut [u8] {
    // SAFETY: bool and u8 have the same size and alignment. The callers in this crate write only 0 and 1.
    unsafe { std::slice::from_raw_parts_mut(flags.as_mut_ptr().cast(), flags.len()) }
}

fn text(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("({}{})", sizes.join(", "), if sizes.len() == 1 { "," } else { "" })
}

/// The elements of an array of this many integers, or of another sequence of them.
pub fn integers(what: &str, count: usize, given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let wrong = |found: String| {
        WrongShape::new_err(format!(
            "{what}: {found}: expected {count} integers, one for each game"
        ))
    };
    let found = if let Ok(array) = given.cast::<PyArray1<i64>>() {
        array.try_readonly().map_err(|e| wrong(e.to_string()))?.as_array().to_vec()
    } else if let Ok(array) = given.cast::<PyArray1<i32>>() {
        array
            .try_readonly()
            .map_err(|e| wrong(e.to_string()))?
            .as_array()
            .iter()
            .map(|n| i64::from(*n))
            .collect()
    } else {
        let elements = given.try_iter().map_err(|_| wrong(format!("it is a {}", kind(given))))?;
        let element = |e: PyResult<Bound<'_, PyAny>>| {
            let e = e?;
            e.extract::<i64>().map_err(|_| wrong(format!("an element is a {}", kind(&e))))
        };
        elements.map(element).collect::<PyResult<_>>()?
    };
    if found.len() != count {
        return Err(wrong(format!("there are {}", found.len())));
    }
    Ok(found)
}

fn kind(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "value".into(), |name| name.to_string())
}
