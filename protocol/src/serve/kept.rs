//! What the server keeps for an engine, so that engines need not know of it: the rule limits, how
//! long to think where nobody says, and which dialect to expect.

use crate::option::{OptionSpec, OptionValue, RuleSet};
use std::time::Duration;

/// The option that says how long to think about a move where the manager names no limit.
pub const MOVE_TIME: &str = "MoveTime";
/// A day a move.
const LONGEST_MS: i64 = 86_400_000;

/// The settings, with their defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept<R> {
    /// The game's rule limits.
    pub rules: R,
    /// The time for a move of which the manager says nothing; `None`: as the dialect's managers
    /// expect.
    pub move_time: Option<Duration>,
    /// The dialect to begin in, whatever the first line is.
    pub dialect: Option<&'static str>,
}

impl<R: RuleSet> Kept<R> {
    /// The options that are kept here.
    pub fn options() -> Vec<OptionSpec> {
        let mut all = vec![OptionSpec::spin(MOVE_TIME, 0, 0, LONGEST_MS)];
        all.extend(R::options());
        all
    }

    /// Sets one of [`Kept::options`] to a value that its specification has accepted; `false` for an
    /// option that is not kept here.
    pub fn set(&mut self, name: &str, value: &OptionValue) -> bool {
        if name == MOVE_TIME {
            let ms = if let OptionValue::Spin(ms) = value { u64::try_from(*ms).ok() } else { None };
            self.move_time = ms.filter(|&ms| ms > 0).map(Duration::from_millis);
            return true;
        }
        let is_rule = R::options().iter().any(|s| s.name == name);
        if is_rule {
            self.rules.set(name, value);
        }
        is_rule
    }
}
