//! Reads single values.

use anyhow::{Context, Result, bail};
use std::str::FromStr;

/// `true` or `false`.
pub fn boolean(value: &str) -> Result<bool> {
    value.parse().map_err(|_| anyhow::anyhow!("expected true or false"))
}

/// A whole number from 0.
pub fn number<T: FromStr>(value: &str) -> Result<T> {
    value.parse().ok().context("expected a whole number from 0")
}

/// A whole number from 1.
pub fn positive(value: &str) -> Result<u64> {
    match value.parse() {
        Ok(0) | Err(_) => bail!("`{value}`: expected a whole number from 1"),
        Ok(n) => Ok(n),
    }
}

/// A number with a fraction.
pub fn real(value: &str) -> Result<f64> {
    value.parse().ok().filter(|x: &f64| x.is_finite()).context("expected a number")
}
