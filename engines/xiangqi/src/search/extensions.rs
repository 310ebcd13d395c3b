//! Singular extensions, double and negative extensions, multicut, check and one-reply extensions.

use super::params;
use super::score::is_decisive;
use super::state::{MoveState, Node, NodeState};
use super::transposition::TtEntry;
use super::worker::Worker;
use crate::position::{CheckInfo, Move};
use agon_search::clock::Stopped;
use agon_search::transposition::Bound;

/// The extension of a move.
pub(super) enum Extension {
    /// Plies, negative for a reduction.
    Plies(i32),
    /// Multicut: several moves reach beta, so the node has at least this value.
    MultiCut(i32),
}

impl Worker<'_> {
    /// The extension of a move; `first`: whether it is the node's first legal move.
    #[inline]
    pub(super) fn extension<const PV: bool>(
        &mut self,
        node: &Node,
        state: &NodeState,
        mv: &MoveState,
        first: bool,
        checks: &mut CheckInfo,
    ) -> Result<Extension, Stopped> {
        if node.ply == 0 || node.ply as i32 >= params::extension_limit() * self.root_depth {
            return Ok(Extension::Plies(0));
        }
        if let Some(entry) = state.entry
            && mv.m == state.tt_move
            && node.depth >= params::singular_depth()
            && entry.depth >= node.depth - params::singular_entry_plies()
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && !is_decisive(entry.value)
        {
            return self.singular_extension::<PV>(node, entry);
        }
        let only_reply = first
            && state.in_check
            && node.depth <= params::one_reply_depth()
            && checks.has_one_reply(&self.position);
        let check = PV && mv.gives_check && self.position.see_at_least(mv.m, 0);
        Ok(Extension::Plies(i32::from(only_reply || check)))
    }

    /// Searches all moves except the table move to a reduced depth. If none comes near the table's
    /// value, the table move is singular and is extended (Anantharaman, Campbell and Hsu 1990).
    fn singular_extension<const PV: bool>(
        &mut self,
        node: &Node,
        entry: TtEntry,
    ) -> Result<Extension, Stopped> {
        let Node { beta, depth, ply, cut_node, .. } = *node;
        let singular_beta = entry.value - params::singular_slope() * depth;
        self.stack(ply).excluded = entry.best;
        let result = self.search_node::<false>(Node {
            alpha: singular_beta - 1,
            beta: singular_beta,
            depth: (depth - 1) / params::singular_divisor(),
            ply,
            cut_node,
        });
        self.stack(ply).excluded = Move::NONE;
        let value = result?;
        Ok(if value < singular_beta {
            let doubles = self.stack(ply).double_extensions;
            if !PV
                && value < singular_beta - params::double_margin()
                && doubles < params::double_limit()
            {
                self.stack(ply + 1).double_extensions = doubles + 1;
                Extension::Plies(2)
            } else {
                Extension::Plies(1)
            }
        } else if singular_beta >= beta {
            Extension::MultiCut(singular_beta)
        } else if entry.value >= beta {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        })
    }
}
