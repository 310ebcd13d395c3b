//! Settings that the server handles on behalf of engines: the rule limits, the default time per
//! move, and the expected dialect.

use agon_games::option::{OptionSpec, OptionValue, RuleSet};
use std::time::Duration;

/// The option for the time per move, in milliseconds, if the manager sets no limit.
pub const MOVE_TIME: &str = "MoveTime";
/// One day per move.
const MAX_MS: i64 = 86_400_000;

/// The settings, with their defaults.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerSettings<R> {
    /// The game's rule limits.
    pub rules: R,
    /// The time per move if the manager sets no limit; `None`: the dialect's default.
    pub move_time: Option<Duration>,
    /// The initial dialect, regardless of the first line.
    pub dialect: Option<&'static str>,
}

impl<R: RuleSet> ServerSettings<R> {
    /// The options that the server handles.
    pub fn options() -> Vec<OptionSpec> {
        let help =
            "Milliseconds per move where the manager sets no limit; 0: the dialect's default";
        let mut all = vec![OptionSpec::spin(MOVE_TIME, 0, 0, MAX_MS).with_help(help)];
        all.extend(R::options());
        all
    }

    /// Sets one of [`ServerSettings::options`] to a value that its specification has accepted; `false`
    /// for an option of the engine.
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
