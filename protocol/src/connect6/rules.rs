//! The rule options of a match: the board size.

use super::{MAX_SIZE, MIN_SIZE};
use crate::option::{OptionSpec, OptionValue, RuleSet};

/// The rules of a match. A position read from a FEN has the size given by the FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect6Rules {
    /// Columns and rows of the start position's board, 6 to 19.
    pub size: usize,
}

impl Default for Connect6Rules {
    fn default() -> Connect6Rules {
        Connect6Rules { size: MAX_SIZE }
    }
}

const SIZE: &str = "BoardSize";

impl RuleSet for Connect6Rules {
    fn options() -> Vec<OptionSpec> {
        let most = MAX_SIZE as i64;
        let spec = OptionSpec::spin(SIZE, most, MIN_SIZE as i64, most);
        vec![spec.with_help("Columns and rows of the start position's board")]
    }

    fn set(&mut self, name: &str, value: &OptionValue) {
        if let (SIZE, OptionValue::Spin(n)) = (name, value) {
            self.size = (*n as usize).clamp(MIN_SIZE, MAX_SIZE);
        }
    }
}
