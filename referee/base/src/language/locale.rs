//! The user's language, from the environment or the system.

use std::sync::OnceLock;

/// A language of texts that people read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, which all texts are written in.
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

/// The user's language.
pub fn current() -> Language {
    static CURRENT: OnceLock<Language> = OnceLock::new();
    *CURRENT.get_or_init(|| chosen(|name| std::env::var(name).ok(), sys_locale::get_locale))
}

/// The language of the first variable that is set, in POSIX's order, or of the system's settings.
fn chosen(
    variable: impl Fn(&str) -> Option<String>,
    system: impl Fn() -> Option<String>,
) -> Language {
    let mut set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable);
    set.find(|value| !value.is_empty())
        .or_else(system)
        .map_or(Language::English, |locale| Language::of_tag(&locale))
}

impl Language {
    /// The language of a locale or a language tag, such as `zh_CN.UTF-8` or `zh-Hans`.
    pub fn of_tag(tag: &str) -> Language {
        let name = tag.trim().split(['-', '_', '.', '@', ',', ';']).next().unwrap_or_default();
        if name.eq_ignore_ascii_case("zh") { Language::Chinese } else { Language::English }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_that_of_the_first_variable_that_is_set() {
        use Language::{Chinese, English};
        let system = |tag: Option<&str>| tag.map(String::from);
        for (set, own, expected) in [
            (&[("LANG", "zh_CN.UTF-8")][..], None, Chinese),
            (&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C")], None, English),
            (&[("LANG", "en_GB.UTF-8"), ("LC_MESSAGES", "zh_CN")], None, Chinese),
            (&[("LC_MESSAGES", "zh_CN"), ("LC_ALL", "en_US.UTF-8")], None, English),
            (&[("LC_ALL", ""), ("LANG", "zh_TW.UTF-8")], None, Chinese),
            (&[("LANG", "POSIX")], Some("zh-CN"), English),
            (&[], Some("zh-Hans-CN"), Chinese),
            (&[], Some("zha-CN"), English),
            (&[], None, English),
        ] {
            let variable = |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_string())
            };
            assert_eq!(chosen(variable, || system(own)), expected, "{set:?} {own:?}");
        }
    }
}
