//! Tablebase probes within the search: exact outcomes of positions that captures lead to.

use super::XiangqiTablebase;
use crate::position::Position;
use crate::position::attacks::player;
use crate::search::SearchTablebase;
use agon_tablebase::Dtm;

impl SearchTablebase for XiangqiTablebase {
    fn max_pieces(&self) -> u32 {
        XiangqiTablebase::most_pieces(self)
    }

    /// Returns no value for a mate that the limit of plies without a capture might prevent: the
    /// search must find the capture in between, if there is one.
    fn probe(&self, position: &Position) -> Option<Dtm> {
        let sets = |side: agon_protocol::Player, kind| position.pieces(side.index(), kind);
        let value = self.probe_sets(&sets, player(position.side()))?;
        value.certain_within(position.quiet_plies(), position.draw_plies()).then_some(value)
    }
}
