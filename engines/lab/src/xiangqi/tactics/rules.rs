//! The rules of the search that an ablation can switch off, by the values of their parameters.

use agon_xiangqi::search::params;
use anyhow::{Context, Result};

/// A rule of the search.
#[derive(Debug)]
pub struct Rule {
    /// Its name for `--without`.
    pub name: &'static str,
    /// Its description.
    pub about: &'static str,
    /// Parameters and the values that switch it off.
    values: &'static [(&'static str, i32)],
}

const fn rule(
    name: &'static str,
    about: &'static str,
    values: &'static [(&'static str, i32)],
) -> Rule {
    Rule { name, about, values }
}

/// All rules.
pub const RULES: &[Rule] = &[
    rule("reverse-futility", "reverse futility pruning", &[("rfp_depth", 0)]),
    rule("null-move", "null-move pruning", &[("null_depth", 250)]),
    rule("probcut", "ProbCut", &[("probcut_depth", 250)]),
    rule("iir", "internal iterative reduction", &[("iir_depth", 250)]),
    rule("late-move-pruning", "late-move pruning", &[("lmp_base", 1000)]),
    rule("futility", "futility pruning", &[("futility_depth", -1)]),
    rule("see-captures", "SEE pruning of captures", &[("see_capture_depth", 0)]),
    rule("see-quiets", "SEE pruning of quiet moves", &[("see_quiet_depth", -1)]),
    rule("late-move-reductions", "late-move reductions", &[("lmr_depth", 250)]),
    rule(
        "singular",
        "singular, double and negative extensions, multicut",
        &[("singular_depth", 250)],
    ),
    rule("double", "double extensions", &[("double_limit", 0)]),
    rule("one-reply", "one-reply extension", &[("one_reply_depth", 0)]),
    rule(
        "threats",
        "checks and threats in move ordering",
        &[("order_check", 0), ("order_escape", 0), ("order_exposed", 0)],
    ),
    rule("aspiration", "aspiration windows", &[("aspiration_depth", 250)]),
    rule("correction", "correction history", &[("correction_max", 0)]),
];

/// The rule of a name.
///
/// # Errors
/// There is none.
pub fn by_name(name: &str) -> Result<&'static Rule> {
    let names = || RULES.iter().map(|rule| rule.name).collect::<Vec<_>>().join(", ");
    RULES
        .iter()
        .find(|rule| rule.name == name)
        .with_context(|| format!("--without `{name}`: expected one of {}", names()))
}

impl Rule {
    /// Sets the parameters of a tuning build so that the rule never applies.
    pub fn switch_off(&self) {
        for param in params::params() {
            let value = self.values.iter().find(|(name, _)| *name == param.name);
            if let Some(&(_, value)) = value {
                param.set_any(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_search::params::TUNING;

    #[test]
    fn every_rule_has_parameters_and_is_on() {
        for rule in RULES {
            for &(name, value) in rule.values {
                let param = params::params().iter().find(|param| param.name == name);
                assert_eq!(param.is_some(), TUNING, "{name}");
                assert!(param.is_none_or(|p| p.default != value), "{name} is off already");
            }
        }
    }

    #[test]
    fn an_unknown_rule_is_refused_with_the_list() {
        let error = by_name("luck").unwrap_err().to_string();
        assert!(error.contains("`luck`: expected one of reverse-futility, null-move"), "{error}");
    }
}
