//! Counts with their noun: one game, two games.

use std::fmt::Display;

/// The number with the noun, which is in the plural unless the number is shown as 1.
///
/// The noun is regular: `ply`, `class` and `match` get `plies`, `classes` and `matches`.
pub fn counted(n: impl Display, noun: &str) -> String {
    let n = n.to_string();
    if n == "1" {
        return format!("{n} {noun}");
    }
    let is_sibilant = ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{n} {stem}ies"),
        _ if is_sibilant => format!("{n} {noun}es"),
        _ => format!("{n} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_in_the_singular() {
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0, "pair"), "0 pairs");
        assert_eq!(counted(21_u64, "ply"), "21 plies");
        assert_eq!(counted(1, "ply"), "1 ply");
        assert_eq!(counted(2, "match"), "2 matches");
        assert_eq!(counted(2, "class"), "2 classes");
        assert_eq!(counted(2, "key"), "2 keys");
        assert_eq!(counted(format!("{:.1}", 1.0), "point"), "1.0 points");
    }
}
