//! Options of an engine or a rule set, and the validation of values.

use crate::phrase::{Phrase, ToPhrase, phrase};
use std::borrow::Cow;
use std::fmt;

/// The type of an option's value, with its default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// An integer in an inclusive range.
    Spin {
        /// The default.
        default: i64,
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
    },
    /// One of a list of words.
    Combo {
        /// The default: one of `choices`.
        default: String,
        /// The allowed words.
        choices: Vec<String>,
    },
    /// Any text.
    Text {
        /// The default; may be empty.
        default: String,
    },
    /// No value: setting it triggers an action.
    Button,
}

/// One option: a name of one or more words and a value type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name; compared case-insensitively.
    pub name: String,
    /// The value type.
    pub kind: OptionKind,
    /// Help text, usually one line; not part of any dialect. Empty if there is none.
    pub help: Cow<'static, str>,
}

/// A checked value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// For [`OptionKind::Check`].
    Check(bool),
    /// For [`OptionKind::Spin`].
    Spin(i64),
    /// For [`OptionKind::Combo`] (spelt as in the list of choices) and [`OptionKind::Text`].
    Text(String),
    /// For [`OptionKind::Button`].
    Pressed,
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("{}", self.to_phrase())]
    Unknown {
        /// The name in the request.
        name: String,
        /// All known names, joined by commas.
        known: String,
    },
    /// The option exists, but the value is invalid.
    #[error("{}", self.to_phrase())]
    BadValue {
        /// The option.
        name: String,
        /// The value in the request.
        value: String,
        /// The expected form.
        expected: String,
    },
    /// The value is valid, but the engine rejects it (for example an unreadable file).
    #[error("{}", self.to_phrase())]
    Refused {
        /// The option.
        name: String,
        /// The reason.
        reason: String,
    },
}

impl ToPhrase for OptionError {
    fn to_phrase(&self) -> Phrase {
        match self {
            OptionError::Unknown { name, known } => {
                phrase!("unknown option `{name}`; known options: {known}", name, known)
            }
            OptionError::BadValue { name, value, expected } => phrase!(
                "option {name}: bad value `{value}`: expected {expected}",
                name,
                value,
                expected
            ),
            OptionError::Refused { name, reason } => {
                phrase!("option {name}: {reason}", name, reason)
            }
        }
    }
}

impl OptionSpec {
    fn new(name: &str, kind: OptionKind) -> OptionSpec {
        OptionSpec { name: name.into(), kind, help: "".into() }
    }

    /// The same option with a help text.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Cow<'static, str>>) -> OptionSpec {
        self.help = help.into();
        self
    }

    /// A boolean option.
    pub fn check(name: &str, default: bool) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Check { default })
    }

    /// An integer option with inclusive bounds.
    pub fn spin(name: &str, default: i64, min: i64, max: i64) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Spin { default, min, max })
    }

    /// A choice among words.
    pub fn combo(name: &str, default: &str, choices: &[&str]) -> OptionSpec {
        let choices = choices.iter().map(|c| (*c).to_string()).collect();
        OptionSpec::new(name, OptionKind::Combo { default: default.into(), choices })
    }

    /// A free-text option, such as a file path.
    pub fn text(name: &str, default: &str) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Text { default: default.into() })
    }

    /// A button.
    pub fn button(name: &str) -> OptionSpec {
        OptionSpec::new(name, OptionKind::Button)
    }

    /// The form of a valid value, for error messages.
    fn expected(&self) -> String {
        match &self.kind {
            OptionKind::Check { .. } => "true or false".into(),
            OptionKind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionKind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            OptionKind::Text { .. } => "a text".into(),
            OptionKind::Button => "no value".into(),
        }
    }

    /// Validates the text of a value.
    pub fn parse(&self, value: &str) -> Result<OptionValue, OptionError> {
        let bad = || OptionError::BadValue {
            name: self.name.clone(),
            value: crate::text::excerpt(value),
            expected: self.expected(),
        };
        match &self.kind {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Ok(OptionValue::Check(true)),
                "false" | "off" | "0" => Ok(OptionValue::Check(false)),
                _ => Err(bad()),
            },
            OptionKind::Spin { min, max, .. } => value
                .parse()
                .ok()
                .filter(|v| (min..=max).contains(&v))
                .map(OptionValue::Spin)
                .ok_or_else(bad),
            OptionKind::Combo { choices, .. } => choices
                .iter()
                .find(|c| c.eq_ignore_ascii_case(value))
                .map(|c| OptionValue::Text(c.clone()))
                .ok_or_else(bad),
            OptionKind::Text { .. } => Ok(OptionValue::Text(value.into())),
            OptionKind::Button if value.is_empty() => Ok(OptionValue::Pressed),
            OptionKind::Button => Err(bad()),
        }
    }
}

impl fmt::Display for OptionSpec {
    /// The UGI and UCI form without the leading word: `name N type T default D ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|c| write!(f, " var {c}"))
            }
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default <empty>")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
            OptionKind::Button => write!(f, "button"),
        }
    }
}

/// Finds an option by name, case-insensitively; the error lists the known names.
pub fn find<'a>(specs: &'a [OptionSpec], name: &str) -> Result<&'a OptionSpec, OptionError> {
    specs.iter().find(|s| s.name.eq_ignore_ascii_case(name)).ok_or_else(|| OptionError::Unknown {
        name: crate::text::excerpt(name),
        known: specs.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

/// A game's rule limits as options, sent from the referee to the engines by `setoption`.
pub trait RuleSet: Clone + Default + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The options; each default equals that of [`Default`].
    fn options() -> Vec<OptionSpec>;
    /// Sets one of [`RuleSet::options`] to a value that its specification has accepted.
    fn set(&mut self, name: &str, value: &OptionValue);
}

/// For games without rule limits.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct NoRules;

impl RuleSet for NoRules {
    fn options() -> Vec<OptionSpec> {
        Vec::new()
    }
    fn set(&mut self, _name: &str, _value: &OptionValue) {}
}
