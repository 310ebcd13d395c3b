//! The tables inside a search: exact outcomes of the positions that captures lead to.

use super::{Tables, Value};
use crate::position::Position;
use crate::position::attacks::player;
use crate::search::{ProbeResult, Tablebase};

impl Tablebase for Tables {
    fn max_pieces(&self) -> u32 {
        Tables::most_pieces(self)
    }

    /// Nothing is said of a mate that the limit of plies without a capture might forestall: the
    /// search has to find the capture in between, if there is one.
    fn probe(&self, position: &Position) -> Option<ProbeResult> {
        let sets = |side: agon_protocol::Player, kind| position.pieces(side.index(), kind);
        let value = self.probe_sets(&sets, player(position.side()))?;
        if !value.certain_within(position.quiet_plies(), position.draw_plies()) {
            return None;
        }
        Some(match value {
            Value::Draw => ProbeResult::Draw,
            Value::Win(plies) => ProbeResult::Win(plies.into()),
            Value::Loss(plies) => ProbeResult::Loss(plies.into()),
        })
    }
}
