//! Texts for people that can be said in another language: a pattern in English, which is the key of its
//! translation, and what stands in its holes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::io::{Error, ErrorKind};

/// A text for people. [`phrase!`](crate::phrase!) makes one where the text arises; its display is English.
///
/// ```
/// use agon_games::phrase::phrase;
///
/// let reason = phrase!("there is a stone on {point}", point = "c3");
/// let refusal = phrase!("illegal move `{text}`: {reason}", text = "c3d4", reason);
/// assert_eq!(refusal.to_string(), "illegal move `c3d4`: there is a stone on c3");
/// let chinese = |key: &str| key.starts_with("there").then_some("{point} 已有棋子");
/// assert_eq!(refusal.translated(&chinese), "illegal move `c3d4`: c3 已有棋子");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// A text that is the same in all languages, or of which nobody has a translation.
    Plain(String),
    /// A pattern with holes such as `{name}`, and their texts by name.
    Keyed(&'static str, Vec<(&'static str, Phrase)>),
}

impl Phrase {
    /// A pattern without holes, such as a name of a table. For a text that is written there, use
    /// [`phrase!`](crate::phrase!), so that tests find it.
    pub fn of_key(key: &'static str) -> Phrase {
        Phrase::Keyed(key, Vec::new())
    }

    /// The text in a language: `pattern_of` gives the translation of a pattern, if there is one.
    pub fn translated(&self, pattern_of: &dyn Fn(&'static str) -> Option<&'static str>) -> String {
        match self {
            Phrase::Plain(text) => text.clone(),
            Phrase::Keyed(key, args) => {
                let text =
                    |(name, arg): &(&'static str, Phrase)| (*name, arg.translated(pattern_of));
                filled(pattern_of(key).unwrap_or(key), &args.iter().map(text).collect::<Vec<_>>())
            }
        }
    }

    /// The same with `change` made to all that is not a pattern, such as escapes of unsafe characters.
    #[must_use]
    pub fn map(self, change: &dyn Fn(&str) -> String) -> Phrase {
        match self {
            Phrase::Plain(text) => Phrase::Plain(change(&text)),
            Phrase::Keyed(key, args) => {
                let args = args.into_iter().map(|(name, arg)| (name, arg.map(change)));
                Phrase::Keyed(key, args.collect())
            }
        }
    }
}

/// The pattern with these texts in its holes; other braces stay.
fn filled(pattern: &str, texts: &[(&str, String)]) -> String {
    let mut parts = pattern.split('{');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let hole = part.split_once('}').and_then(|(name, rest)| {
            Some((&texts.iter().find(|(known, _)| *known == name)?.1, rest))
        });
        match hole {
            Some((text, rest)) => out.extend([text, rest]),
            None => out.extend(["{", part]),
        }
    }
    out
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.translated(&|_| None))
    }
}

impl std::error::Error for Phrase {}

impl From<Phrase> for String {
    fn from(phrase: Phrase) -> String {
        phrase.to_string()
    }
}

/// In files it is in English, and plain when it is read back.
impl Serialize for Phrase {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Phrase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Phrase, D::Error> {
        String::deserialize(deserializer).map(Phrase::Plain)
    }
}

impl Default for Phrase {
    fn default() -> Phrase {
        Phrase::Plain(String::new())
    }
}

/// What can be said as a [`Phrase`]: errors that know their key, and values, which are plain.
pub trait ToPhrase {
    /// The phrase.
    fn to_phrase(&self) -> Phrase;
}

impl ToPhrase for Phrase {
    fn to_phrase(&self) -> Phrase {
        self.clone()
    }
}

impl ToPhrase for Error {
    fn to_phrase(&self) -> Phrase {
        if let Some(phrase) = self.get_ref().and_then(|cause| cause.downcast_ref::<Phrase>()) {
            return phrase.clone();
        }
        let text = self.to_string();
        let known = match self.kind() {
            ErrorKind::NotFound => "No such file or directory",
            ErrorKind::PermissionDenied => "Permission denied",
            ErrorKind::AddrInUse => "Address already in use",
            ErrorKind::AddrNotAvailable => "Cannot assign requested address",
            ErrorKind::IsADirectory => "Is a directory",
            ErrorKind::NotADirectory => "Not a directory",
            ErrorKind::AlreadyExists => "File exists",
            ErrorKind::StorageFull => "No space left on device",
            ErrorKind::ReadOnlyFilesystem => "Read-only file system",
            _ => "Exec format error",
        };
        match self.raw_os_error() {
            // Systems word them differently.
            Some(number) if text == format!("{known} (os error {number})") => {
                phrase!("{cause} (os error {number})", cause = Phrase::of_key(known), number)
            }
            _ => Phrase::Plain(text),
        }
    }
}

/// Types whose display is a plain phrase.
macro_rules! plain {
    ($($name:ty),+) => {
        $(impl $crate::phrase::ToPhrase for $name {
            fn to_phrase(&self) -> $crate::phrase::Phrase {
                $crate::phrase::Phrase::Plain(::std::format!("{self}"))
            }
        })+
    };
}
pub(crate) use plain;

plain!(str, char, u8, u16, u32, u64, u128, usize, i32, i64, f64);
plain!(fmt::Arguments<'_>, std::path::Display<'_>, std::net::IpAddr);

/// Makes a [`Phrase`](crate::phrase::Phrase) of a pattern and the values of its holes, each a text, a number or a
/// phrase: `phrase!("engine {name}: {cause}", name, cause = error)`. The compiler checks the names.
#[macro_export]
macro_rules! phrase {
    (@value $name:ident) => { $name };
    (@value $name:ident $value:expr) => { $value };
    ($key:literal) => { $crate::phrase::Phrase::of_key($key) };
    ($key:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::phrase::ToPhrase as _;
        let _ = ::core::format_args!(::core::concat!($key), $($name = ""),+);
        $crate::phrase::Phrase::Keyed(
            $key,
            ::std::vec![$((
                ::core::stringify!($name),
                ($crate::phrase!(@value $name $($value)?)).to_phrase(),
            )),+],
        )
    }};
}

// So that one import has the macro, too.
pub use crate::phrase;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_and_other_braces_stay() {
        let n = 3;
        assert_eq!(phrase!("{a}{n}{a}", a = 'x', n).to_string(), "x3x");
        assert_eq!(
            phrase!("one of { first_to = N } and {n}").to_string(),
            "one of { first_to = N } and {n}"
        );
        assert_eq!(phrase!("{a}", a = "{a}").to_string(), "{a}");
        assert_eq!(format!("{:6}|", phrase!("time")), "time  |");
    }

    #[test]
    fn errors_of_the_system_are_known_by_their_kind() {
        let error = Error::from_raw_os_error(2);
        let phrase = error.to_phrase();
        assert_eq!(phrase.to_string(), error.to_string());
        assert_eq!(matches!(phrase, Phrase::Keyed(..)), cfg!(unix));
        assert_eq!(
            Error::other("its own words").to_phrase(),
            Phrase::Plain("its own words".into())
        );
    }
}
