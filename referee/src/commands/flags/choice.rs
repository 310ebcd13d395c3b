//! Flags whose value is one of a list.

use agon_matchlog::EloScale;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The values of `--model`.
pub const SCALES: [(&str, &str, EloScale); 2] = [
    ("logistic", "Expected score, mapped to Elo", EloScale::Logistic),
    (
        "normalised",
        "Expected score over its standard deviation per game, mapped to Elo",
        EloScale::Normalised,
    ),
];

/// Parses a value by its name; each has a name, a text for the help (or none), and
/// what it means.
pub fn choice<T, const N: usize>(
    values: &'static [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names = values.iter().map(|(name, help, _)| match *help {
        "" => PossibleValue::new(*name),
        help => PossibleValue::new(*name).help(help),
    });
    PossibleValuesParser::new(names).try_map(move |given| {
        let found = values.iter().find(|(name, ..)| *name == given);
        found.map(|(.., value)| value.clone()).ok_or("not one of the values")
    })
}
